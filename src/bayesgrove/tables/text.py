"""Decode the bytes of a text file: byte order marks, encodings, and checks that it is text."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from bayesgrove.tables.errors import TableError

# The byte order mark of UTF-32 begins with the mark of UTF-16, so UTF-32 is tried first.
_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_FALLBACK = "cp1252"
_PEEK = 4096
_CONTROLS = re.compile(r"[\x01-\x08\x0e-\x1f]")
_FEW_CONTROLS = 4
_LINE_END = re.compile("\r\n|\r|\n")


class Text(NamedTuple):
    """The text of a file, and notes for the user about how it was read."""

    text: str
    notes: tuple[str, ...] = ()


def decode(data: bytes, encoding: str | None, source: str) -> Text:
    """Return the text of a file.

    Without an encoding, the byte order mark decides. Without a mark the text is UTF-8 or, with a
    note, Windows-1252.
    """
    if encoding is not None:
        return Text(_checked(_decode_as(data, encoding, source), data, source))
    for mark, name in _MARKS.items():
        if data.startswith(mark):
            return Text(_checked(_decode_as(data[len(mark) :], name, source), data, source))
    try:
        return Text(_checked(data.decode("utf-8"), data, source))
    except UnicodeDecodeError:
        text = _checked(_decode_as(data, _FALLBACK, source, "UTF-8 or Windows-1252"), data, source)
        note = (
            f"{source} is not UTF-8 and was read as Windows-1252 ({_FALLBACK}). If that is wrong, "
            "set the encoding with encoding=... or --encoding."
        )
        return Text(text, (note,))


def line_at(text: str, place: int) -> int:
    """Return the number of the line of a character, counted from 1."""
    return 1 + len(_LINE_END.findall(text, 0, place))


def _decode_as(data: bytes, encoding: str, source: str, called: str | None = None) -> str:
    """Return the text in one encoding; raise with the line of the first invalid bytes."""
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        start = max(error.start, 0)
        line = line_at(data[:start].decode("latin-1"), start)
        raise TableError(
            source,
            f"the bytes {data[start : start + 4].hex(' ')} are not {called or encoding} text. If "
            "it is a text file, set its encoding with encoding=... or --encoding.",
            f"line {line}",
        ) from None


def _checked(text: str, data: bytes, source: str) -> str:
    """Return the text; raise if it has characters that a text table cannot have."""
    nul = text.find("\0")
    if nul >= 0:
        raise TableError(source, _about_nul(data), f"line {line_at(text, nul)}")
    controls = sorted(set(_CONTROLS.findall(text[:_PEEK])))
    if len(controls) > _FEW_CONTROLS:
        raise TableError(
            source, f"holds control characters such as {controls[0]!r}: it is not a text file."
        )
    return text


def _about_nul(data: bytes) -> str:
    """Return the problem of a text with NUL bytes: probably UTF-16, or not a text file."""
    zeros = [data[offset:_PEEK:2].count(0) for offset in (0, 1)]
    for offset, name in ((1, "utf-16-le"), (0, "utf-16-be")):
        if zeros[offset] > 0.3 * len(data[offset:_PEEK:2]) and zeros[1 - offset] == 0:
            return f"holds NUL bytes, like UTF-16 text: set encoding={name!r} or --encoding {name}."
    return "holds a NUL byte: the file is damaged, or it is not a text file."
