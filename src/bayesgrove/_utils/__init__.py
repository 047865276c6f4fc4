"""Helpers that every package may import: settings, option checks, files, memory, folds, ties."""
