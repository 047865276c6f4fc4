"""Papers as data: one file per paper, and none of them imports another."""
