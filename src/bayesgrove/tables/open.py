"""A table from whatever was named on the command line."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bayesgrove._utils.files import GZIP_MAGIC, read_limited
from bayesgrove.datasets import ArffError, read_arff
from bayesgrove.encoding import available_memory, require_memory
from bayesgrove.tables.arrow import load_arrow, open_parquet
from bayesgrove.tables.delimited import detect_delimiter, read_delimited
from bayesgrove.tables.errors import TableError
from bayesgrove.tables.reading import STDIN, Reading
from bayesgrove.tables.table import FrameTable, Table, TextTable
from bayesgrove.tables.text import decode

if TYPE_CHECKING:
    from collections.abc import Mapping

_SUFFIXES: Mapping[str, str] = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".feather": "feather",
    ".arrow": "feather",
    ".arff": "arff",
}
_MAGIC = {b"PAR1": "parquet", b"ARROW1": "feather", b"FEA1": "feather"}
_SPREADSHEETS = {b"PK\x03\x04": "a zip file or spreadsheet", b"\xd0\xcf\x11\xe0": "a spreadsheet"}
_TEXT_FACTOR = 8
"""About how many times its size a delimited text takes up while it is read."""
AS_IT_IS = Reading()


def open_table(path: str, reading: Reading = AS_IT_IS) -> Table:
    """Read a table; ``-`` is the standard input.

    Parquet files are only opened, everything else is read whole.
    """
    if path == STDIN:
        return _from_bytes(_standard_input(), reading.format or "csv", reading, "standard input")
    form = reading.format or _format(path)
    if form == "parquet":
        return open_parquet(path, reading)
    _require_file(path)
    return _from_bytes(read_limited(path, available_memory()), form, reading, path)


def _standard_input() -> bytes:
    data = sys.stdin.buffer.read()
    if data.startswith(GZIP_MAGIC):
        raise TableError("standard input", "is compressed: unpack it with gunzip first.")
    return data


def _format(path: str) -> str:
    """By suffix, then by the first bytes; folders and patterns are Parquet."""
    suffixes = [suffix.lower() for suffix in Path(path).suffixes if suffix.lower() != ".gz"]
    if suffixes and suffixes[-1] in _SUFFIXES:
        return _SUFFIXES[suffixes[-1]]
    if os.path.isdir(path) or (not os.path.exists(path) and any(mark in path for mark in "*?[")):
        return "parquet"
    _require_file(path)
    if not os.path.isfile(path):  # what is read from a pipe is gone
        return "csv"
    with open(path, "rb") as file:
        head = file.read(8)
    return next((form for magic, form in _MAGIC.items() if head.startswith(magic)), "csv")


def _require_file(path: str) -> None:
    if os.path.isdir(path):
        raise IsADirectoryError(f"{path} is a folder, not a table.")
    if not os.path.exists(path):
        raise FileNotFoundError(f"There is no file {path}.")


def _from_bytes(data: bytes, form: str, reading: Reading, source: str) -> Table:
    if not data:
        raise TableError(source, "the file is empty.")
    for magic, kind in _SPREADSHEETS.items():
        if data.startswith(magic):
            raise TableError(source, f"is {kind}: save the sheet as CSV.")
    if form in ("parquet", "feather"):
        return load_arrow(data, form, reading, source)
    require_memory(
        _TEXT_FACTOR * len(data),
        f"The table {source}",
        "make a Parquet file of it, which is read in batches",
    )
    found = decode(data, reading.encoding, source)
    read = _from_arff if form == "arff" else _from_text
    return read(found.text, reading, source, found.notes)


def _from_text(text: str, reading: Reading, source: str, notes: tuple[str, ...]) -> Table:
    delimiter = reading.delimiter or detect_delimiter(text)
    names, columns, more = read_delimited(text, delimiter, source)
    return TextTable(
        source,
        names,
        (*notes, *more),
        {name: columns.iloc[:, place] for place, name in enumerate(names)},
        delimiter,
        text,
        reading.missing,
        reading.decimal,
    )


def _from_arff(text: str, reading: Reading, source: str, notes: tuple[str, ...]) -> Table:
    try:
        frame, lines = read_arff(io.StringIO(text))
    except ArffError as error:
        raise TableError(source, str(error)) from None
    if not lines:
        raise TableError(source, "there is a header but no row below it.")
    return FrameTable(source, list(frame.columns), notes, frame, lines, reading.missing)
