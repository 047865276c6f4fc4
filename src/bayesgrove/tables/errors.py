"""What can be wrong with a table in a file."""

from __future__ import annotations


class TableError(ValueError):
    """A table that cannot be used as it is: ``source`` names it, ``place`` says where in it."""

    def __init__(self, source: str, problem: str, place: str | None = None) -> None:
        super().__init__(f"{source}, {place}: {problem}" if place else f"{source}: {problem}")
        self.source = source
        self.place = place


class NoFileError(FileNotFoundError, ValueError):
    """There is no file where a table was expected."""


class MissingPackageError(ImportError):
    """An optional package is needed and not installed."""
