"""Errors of tables."""

from __future__ import annotations


class TableError(ValueError):
    """A table that cannot be read or used.

    The message names the table and, where it is known, the line or row of the problem.

    Parameters
    ----------
    source : str
        The name of the table, such as its path.
    problem : str
        The problem and its remedy.
    place : str or None, default=None
        The place of the problem, such as ``"line 3"``. None means the whole table.

    Attributes
    ----------
    source : str
        The name of the table.
    place : str or None
        The place of the problem, or None for the whole table.
    """

    def __init__(self, source: str, problem: str, place: str | None = None) -> None:
        super().__init__(f"{source}, {place}: {problem}" if place else f"{source}: {problem}")
        self.source = source
        self.place = place


class NoFileError(FileNotFoundError, ValueError):
    """A path or pattern of a table that does not name a file."""


class MissingPackageError(ImportError):
    """An optional package that is needed but not installed."""
