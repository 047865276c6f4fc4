"""The text of a file that is not XML, with line and column numbers."""

from __future__ import annotations

import re

from bayesgrove.network.formats.errors import START, ParseError, Place

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


class Source:
    """Text of a file, with the path for error messages."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self._last = (0, 1, 0)  # Offset, line, and where this line begins.
        control = _CONTROL.search(text)
        if control:
            raise self.error(
                control.start(), f"the character {control[0]!r} is not allowed in a text file."
            )

    @classmethod
    def decode(cls, path: str, data: bytes, *fallbacks: str) -> Source:
        """Decode bytes as UTF-8, with or without a byte order mark, or with the first fallback."""
        for encoding in ("utf-8-sig", *fallbacks):
            try:
                return cls(path, data.decode(encoding))
            except UnicodeDecodeError as error:
                wrong = error
        before = data[: wrong.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode(errors="replace")) + 1
        raise ParseError(path, line, column, f"the byte {data[wrong.start]:#04x} is not UTF-8.")

    def place(self, offset: int) -> Place:
        """Return line and column of a character.

        Calls in ascending order of the offsets need one pass over the text together.
        """
        start, line, begin = self._last if self._last[0] <= offset else (0, 1, 0)
        newline = self.text.rfind("\n", start, offset)
        if newline >= 0:
            line += self.text.count("\n", start, newline + 1)
            begin = newline + 1
        self._last = (offset, line, begin)
        return Place(line, offset - begin + START.column)

    def error(self, offset: int, reason: str) -> ParseError:
        """Return an error at a character."""
        return ParseError(self.path, *self.place(offset), reason)
