"""Text of model files: JSON, read strictly and written with one line per table."""

from __future__ import annotations

import gzip
import io
import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NoReturn

from bayesgrove.encoding import require_memory
from bayesgrove.model_files.fields import ModelFileError, repeated, short

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST_FILE = 1 << 30
"""Largest number of bytes of decompressed text, about 50 million probabilities.

The limit also stops a small gzip file that would decompress to a huge text.
"""

LONG_LIST = 1000
"""Longer lists of numbers have few distinct values. Each distinct value is formatted once."""

LOOKS_LIKE = {
    rb"\s*(network\b|//|/\*)": "a network in the BIF format; read it with `read_network`",
    rb"\s*<": "XML",
    rb"\x80[\x02-\x05]": "a pickle; if you trust it, read it with pickle or joblib",
    rb"PK\x03\x04": "a zip archive",
    rb"PAR1": "a Parquet file",
    rb"\s*$": "an empty file",
    rb"(?i:%|@relation)": "a table in the ARFF format; make a model of it with `bayesgrove fit`",
    rb"[^\n{\[]+[,;\t|][^\n]*\n": "a table of text; make a model of it with `bayesgrove fit`",
}
"""Names of other kinds of files, by patterns of their first bytes."""


def to_bytes(document: dict[str, Any]) -> bytes:
    """Return the text of a document with a final newline. The same document gives the same text."""
    return b"".join(_lines(document)) + b"\n"


def packed(data: bytes) -> bytes:
    """Compress with gzip, without date and name, so that the same data give the same bytes."""
    out = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=out, compresslevel=6, mtime=0) as file:
        file.write(data)
    return out.getvalue()


def parse(data: bytes, file: str) -> Any:
    """Return the value of a JSON text; raise for anything that JSON does not define."""
    _require_room(data, file)
    number = lru_cache(1 << 16)(float)  # Tables have few distinct numbers: twice as fast.
    try:
        return json.loads(
            data.decode("utf-8"),
            parse_float=number,
            parse_constant=_no_number,
            object_pairs_hook=_unique,
        )
    except RecursionError:
        raise ModelFileError(f"{file} is nested too deeply to be a model file.") from None
    except ModelFileError as error:
        raise ModelFileError(f"{file} {error}") from None
    except ValueError as error:
        # This is also text that is not UTF-8, or an integer with thousands of digits.
        raise ModelFileError(
            f"{file} is not a model file{_guess(data)}, or is damaged ({error})."
        ) from None


def _lines(value: Any, indent: bytes = b"\n") -> Iterator[bytes]:
    """Yield the text of a value: nested objects and lists on several lines, all else on one."""
    inner = indent + b"  "
    if isinstance(value, dict) and any(map(_is_container, value.values())):
        yield b"{"
        for index, (name, member) in enumerate(value.items()):
            yield (b"," if index else b"") + inner + _line(name) + b": "
            yield from _lines(member, inner)
        yield indent + b"}"
    elif isinstance(value, list) and any(map(_is_container, value)):
        yield b"["
        for index, item in enumerate(value):
            yield (b"," if index else b"") + inner + _line(item)
        yield indent + b"]"
    else:
        yield _line(value)


def _is_container(value: Any) -> bool:
    return isinstance(value, (dict, list))


def _line(value: Any) -> bytes:
    """Return the text of a value on one line, as UTF-8."""
    try:
        return _text(value, escaped=False).encode("utf-8")
    except UnicodeEncodeError:  # A lone surrogate has no UTF-8, but it has an escape.
        return _text(value, escaped=True).encode("ascii")


def _text(value: Any, *, escaped: bool) -> str:
    """Return the text of a value on one line; if ``escaped``, with ASCII characters only."""
    if isinstance(value, dict):
        members = [
            f"{_text(name, escaped=escaped)}: {_text(part, escaped=escaped)}"
            for name, part in value.items()
        ]
        return "{" + ", ".join(members) + "}"
    if isinstance(value, list) and len(value) > LONG_LIST and set(map(type, value)) == {float}:
        texts = {number: _text(number, escaped=escaped) for number in set(value)}
        if 0.0 not in texts:  # -0.0 is equal to 0.0 but has another text.
            return "[" + ", ".join(map(texts.__getitem__, value)) + "]"
    return json.dumps(value, ensure_ascii=escaped, allow_nan=False)


def _require_room(data: bytes, file: str) -> None:
    """Raise before parsing if the parsed values would need more memory than is available."""
    # Bytes that Python needs per object, list, number and half of a string. Copies of the text need
    # four more bytes per byte of text.
    sizes = {b"{": 300, b"[": 72, b",": 48, b'"': 40}
    size = 4 * len(data) + sum(each * data.count(mark) for mark, each in sizes.items())
    require_memory(size, f"Reading {file}", "read it on a larger machine")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the members of an object; raise if a name occurs twice."""
    members = dict(pairs)
    if len(members) < len(pairs):
        name = repeated(name for name, _ in pairs)
        raise ModelFileError(f"has {short(name)} twice in one object.")
    return members


def _no_number(token: str) -> NoReturn:
    """Raise for NaN and the infinities, which JSON does not have."""
    raise ModelFileError(f"holds {token}, which is not a number in JSON.")


def _guess(data: bytes) -> str:
    """Return a hint at the kind of file that the data look like, or nothing."""
    for opening, name in LOOKS_LIKE.items():
        if re.match(opening, data[:1000]):
            return f" (it looks like {name})"
    return ""
