"""The text of model files: JSON, read strictly and written with one line a table."""

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
"""Bytes of text, unpacked: some 50 million probabilities, and no more for a packed bomb."""

MANY = 1000
"""Of so many numbers in a table few are different: each of those is written out once."""

LOOKS_LIKE = {
    rb"\s*(network\b|//|/\*)": "a network in the BIF format; read it with `read_network`",
    rb"\s*<": "XML",
    rb"\x80[\x02-\x05]": "a pickle; if you trust it, read it with pickle or joblib",
    rb"PK\x03\x04": "a zip archive",
    rb"PAR1": "a Parquet file",
    rb"\s*$": "an empty file",
}


def to_bytes(document: dict[str, Any]) -> bytes:
    """The text of a document, the same for the same document; a final newline ends it."""
    return b"".join(_lines(document)) + b"\n"


def packed(data: bytes) -> bytes:
    """Gzip without a date or a name: the same bytes for the same data."""
    out = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=out, compresslevel=6, mtime=0) as file:
        file.write(data)
    return out.getvalue()


def parse(data: bytes, file: str) -> Any:
    """The value of a JSON text; what JSON does not define is refused."""
    _require_room(data, file)
    number = lru_cache(1 << 16)(float)  # tables have few different numbers: twice as fast
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
    except ValueError as error:  # also text that is no UTF-8 and integers of thousands of digits
        raise ModelFileError(
            f"{file} is not a model file{_guess(data)}, or is damaged ({error})."
        ) from None


def _lines(value: Any, indent: bytes = b"\n") -> Iterator[bytes]:
    """Objects member by member and lists of lists or objects item by item, the rest in one line."""
    inner = indent + b"  "
    if isinstance(value, dict) and any(map(_is_container, value.values())):
        yield b"{"
        for at, (name, member) in enumerate(value.items()):
            yield (b"," if at else b"") + inner + _line(name) + b": "
            yield from _lines(member, inner)
        yield indent + b"}"
    elif isinstance(value, list) and any(map(_is_container, value)):
        yield b"["
        for at, item in enumerate(value):
            yield (b"," if at else b"") + inner + _line(item)
        yield indent + b"]"
    else:
        yield _line(value)


def _is_container(value: Any) -> bool:
    return isinstance(value, (dict, list))


def _line(value: Any) -> bytes:
    try:
        return _text(value, escaped=False).encode("utf-8")
    except UnicodeEncodeError:  # a lone surrogate has no UTF-8, but it has an escape
        return _text(value, escaped=True).encode("ascii")


def _text(value: Any, *, escaped: bool) -> str:
    if isinstance(value, dict):
        members = [
            f"{_text(name, escaped=escaped)}: {_text(part, escaped=escaped)}"
            for name, part in value.items()
        ]
        return "{" + ", ".join(members) + "}"
    if isinstance(value, list) and len(value) > MANY and set(map(type, value)) == {float}:
        words = {number: _text(number, escaped=escaped) for number in set(value)}
        if 0.0 not in words:  # -0.0 is equal to it, and is not written like it
            return "[" + ", ".join(map(words.__getitem__, value)) + "]"
    return json.dumps(value, ensure_ascii=escaped, allow_nan=False)


def _require_room(data: bytes, file: str) -> None:
    """Refuse, before anything is made, what would take more memory than there is."""
    # What Python takes for an object, a list, a number and half a string, and three copies of all.
    sizes = {b"{": 300, b"[": 72, b",": 48, b'"': 40}
    size = 4 * len(data) + sum(each * data.count(mark) for mark, each in sizes.items())
    require_memory(size, f"Reading {file}", "read it on a larger machine")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        twice = repeated(name for name, _ in pairs)
        raise ModelFileError(f"has {short(twice)} twice in one object.")
    return members


def _no_number(token: str) -> NoReturn:
    raise ModelFileError(f"holds {token}, which is no number of JSON.")


def _guess(data: bytes) -> str:
    for opening, name in LOOKS_LIKE.items():
        if re.match(opening, data[:1000]):
            return f" (it looks like {name})"
    return ""
