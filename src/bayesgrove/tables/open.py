"""The door: a table from whatever the user gave."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy import sparse

from bayesgrove._utils.files import GZIP_MAGIC, read_limited
from bayesgrove._utils.memory import available_memory, require_memory
from bayesgrove._utils.renamed import renamed
from bayesgrove.tables.arff import arff_table
from bayesgrove.tables.arrays import array_batch
from bayesgrove.tables.arrow import is_dataset, open_dataset
from bayesgrove.tables.columns import Batch
from bayesgrove.tables.delimited import delimited_table
from bayesgrove.tables.errors import NoFileError, TableError
from bayesgrove.tables.feather import feather_table, open_feather
from bayesgrove.tables.frames import frame_batch, is_frame
from bayesgrove.tables.parquet import open_parquet, parquet_table
from bayesgrove.tables.read_options import STDIN, ReadOptions, require_readable
from bayesgrove.tables.streams import is_arrow_stream, open_stream
from bayesgrove.tables.table import MemoryTable, Table
from bayesgrove.tables.text import decode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
DEFAULT_OPTIONS = ReadOptions()


@renamed(missing="na_values")
def open_table(
    X: Any,
    *,
    format: str | None = None,  # noqa: A002 - the name that users know
    delimiter: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    na_values: Sequence[str] = (),
) -> Table:
    """Open a table of any kind; every classifier takes what it returns.

    Parameters
    ----------
    X : path, pattern, data frame, array, Arrow dataset or stream
        A path of a CSV, Parquet, Feather or ARFF file, a folder or pattern of Parquet files, or
        ``"-"`` for the standard input; or rows in memory.
    format : {"csv", "parquet", "feather", "arff"} or None, default None
        Format of the file. None goes by its ending, then by its first bytes.
    delimiter : str or None, default None
        Character between the fields of a CSV file. None finds it out.
    decimal : {".", ","} or None, default None
        Decimal sign of the numbers in a CSV file. None finds it out.
    encoding : str or None, default None
        Encoding of a text file. None goes by its mark, then UTF-8, then Windows-1252 with a note.
    na_values : sequence of str, default ()
        Texts that stand for missing values, beside the empty field.

    Returns
    -------
    Table
        A table with ``names``, ``rows`` and ``batches(columns)``.

    Examples
    --------
    >>> from bayesgrove import load_dataset, open_table
    >>> table = open_table(load_dataset("iris").frame)
    >>> table.rows, table.names[:2]
    (150, ['sepal length (cm)', 'sepal width (cm)'])
    """
    reading = ReadOptions(format, delimiter, decimal, encoding, tuple(na_values))
    return table_of(X, require_readable(reading))


def table_of(X: Any, reading: ReadOptions = DEFAULT_OPTIONS) -> Table:
    """Return whatever the user gave as a table."""
    if isinstance(X, Table):
        return X
    if isinstance(X, (str, os.PathLike)):
        return _file_table(os.fspath(X), reading)
    if is_dataset(X):
        return open_dataset(X, reading)
    if not isinstance(X, Batch) and not is_frame(X) and is_arrow_stream(X):
        return open_stream(X, reading)
    return MemoryTable.of(batch_of(X))


def batch_of(X: Any) -> Batch:
    """Return rows in memory as one batch: a data frame, an array, nested lists, or a batch."""
    if isinstance(X, Batch):
        return X
    if isinstance(X, np.ndarray):
        return array_batch(X)
    if sparse.issparse(X):
        raise TypeError(
            "Sparse data was passed for X, but dense data is required. "
            "Use '.toarray()' to convert to a dense numpy array."
        )
    if is_frame(X):
        return frame_batch(X)
    if hasattr(X, "collect"):
        raise ValueError("X is a lazy frame: call .collect() to get its rows.")
    return array_batch(X)


def is_external(X: Any) -> bool:
    """Return whether X is not rows in memory but names or gives them: a file, a stream, a table."""
    if isinstance(X, (np.ndarray, pd.DataFrame, Batch)):
        return False
    if isinstance(X, (str, os.PathLike, Table)) or is_dataset(X):
        return True
    return not is_frame(X) and is_arrow_stream(X)


def _file_table(path: str, reading: ReadOptions) -> Table:
    """Open a file; Parquet and Feather files are only opened, everything else is read whole."""
    if path == STDIN:
        return _from_bytes(_standard_input(), reading.format or "csv", reading, "standard input")
    form = reading.format or _format(path)
    if form == "parquet":
        return open_parquet(path, reading)
    _require_file(path)
    if form == "feather" and os.path.isfile(path):
        return open_feather(path, reading)
    return _from_bytes(read_limited(path, available_memory()), form, reading, path)


def _standard_input() -> bytes:
    data = sys.stdin.buffer.read()
    if data.startswith(GZIP_MAGIC):
        raise TableError("standard input", "is compressed: unpack it with gunzip first.")
    return data


def _format(path: str) -> str:
    """Go by suffix, then by the first bytes; folders and patterns are Parquet."""
    suffixes = [suffix.lower() for suffix in Path(path).suffixes if suffix.lower() != ".gz"]
    if suffixes and suffixes[-1] in _SUFFIXES:
        return _SUFFIXES[suffixes[-1]]
    if suffixes and suffixes[-1] in (".csv", ".tsv") and not os.path.exists(path):
        _require_file(path)
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
        hint = " A pattern names Parquet files only." if any(mark in path for mark in "*?[") else ""
        raise NoFileError(f"There is no file {path}.{hint}")


def _from_bytes(data: bytes, form: str, reading: ReadOptions, source: str) -> Table:
    if not data:
        raise TableError(source, "the file is empty.")
    for magic, kind in _SPREADSHEETS.items():
        if data.startswith(magic):
            raise TableError(source, f"is {kind}: save the sheet as CSV.")
    if form == "parquet":
        return parquet_table((data,), source, reading)
    if form == "feather":
        return feather_table(data, source, reading)
    require_memory(
        _TEXT_FACTOR * len(data),
        f"The table {source}",
        "make a Parquet file of it, which is read in batches",
    )
    text = decode(data, reading.encoding, source)
    make = arff_table if form == "arff" else delimited_table
    return make(text.text, reading, source, text.notes)
