"""The error of readers, and the position in a file."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """Line and column of a character, both counted from 1."""

    line: int
    column: int


START = Place(1, 1)
_MAX_LENGTH = 300


class ParseError(ValueError):
    """A file that does not hold a network in its format.

    The message has the file, the line, the column and the reason. All parameters are also
    attributes of the error.

    Parameters
    ----------
    path : str
        The file.
    line : int
        Line of the error, counted from 1.
    column : int
        Column of the error, counted from 1.
    reason : str
        One sentence that says what is wrong. A reason of more than 300 characters is shortened.
    """

    def __init__(self, path: str, line: int, column: int, reason: str) -> None:
        if len(reason) > _MAX_LENGTH:  # A name in the reason may be as long as the file.
            reason = f"{reason[: _MAX_LENGTH // 2]} ... {reason[-_MAX_LENGTH // 2 :]}"
        super().__init__(path, line, column, reason)
        self.path = path
        self.line = line
        self.column = column
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.path}, line {self.line}, column {self.column}: {self.reason}"
