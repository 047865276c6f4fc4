"""One file per selector of attributes, each a scikit-learn transformer."""
