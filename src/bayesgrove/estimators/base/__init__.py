"""Base classes of the estimators; each docstring lists the methods that a subclass must define."""
