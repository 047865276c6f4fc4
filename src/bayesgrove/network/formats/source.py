"""The text of a file that is no XML, and the places in it."""

from __future__ import annotations

import re

from bayesgrove.network.formats.errors import START, ParseError, Place

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


class Source:
    """Text with a path, so that an error can say where it is."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self._known = (0, 1, 0)
        control = _CONTROL.search(text)
        if control:
            raise self.error(
                control.start(), f"the character {control[0]!r} is none of a text file."
            )

    @classmethod
    def decode(cls, path: str, data: bytes, *fallbacks: str) -> Source:
        """Text in UTF-8, with a byte order mark or not, or else in an encoding that fits."""
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
        """Line and column of a character; askings in the order of the text cost one pass."""
        start, line, begin = self._known if self._known[0] <= offset else (0, 1, 0)
        last = self.text.rfind("\n", start, offset)
        if last >= 0:
            line += self.text.count("\n", start, last + 1)
            begin = last + 1
        self._known = (offset, line, begin)
        return Place(line, offset - begin + START.column)

    def error(self, offset: int, reason: str) -> ParseError:
        """An error at a character."""
        return ParseError(self.path, *self.place(offset), reason)
