"""One file per classifier."""
