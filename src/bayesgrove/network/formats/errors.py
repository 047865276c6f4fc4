"""What readers raise, and where in a file something is."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """Line and column of a character, both counted from 1."""

    line: int
    column: int


START = Place(1, 1)
_LONGEST = 300


class ParseError(ValueError):
    """A file does not hold a network in its format; says where and why.

    Parameters
    ----------
    path : the file
    line, column : the place in it, counted from 1
    reason : a sentence
    """

    def __init__(self, path: str, line: int, column: int, reason: str) -> None:
        if len(reason) > _LONGEST:  # a name may be as long as a file
            reason = f"{reason[: _LONGEST // 2]} ... {reason[-_LONGEST // 2 :]}"
        super().__init__(path, line, column, reason)
        self.path = path
        self.line = line
        self.column = column
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.path}, line {self.line}, column {self.column}: {self.reason}"
