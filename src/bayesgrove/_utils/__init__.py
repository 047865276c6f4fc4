"""Helpers that no layer owns: warnings, options, files, folds."""
