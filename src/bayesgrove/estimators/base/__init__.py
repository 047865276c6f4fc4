"""Bases of the estimators; each docstring lists what a subclass owes."""
