"""One file per attribute selector. Each selector is a scikit-learn transformer."""
