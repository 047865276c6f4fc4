"""Open a table of any kind: `open_table` for users, `table_of` and `batch_of` for this library."""

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
"""Memory that reading a delimited text takes, as a multiple of its size; a rough estimate."""
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
    """Open a file, a data frame, an array or an Arrow stream as a table.

    Every classifier accepts the table in the place of X. Parquet and Feather files and Arrow
    datasets are read in batches. CSV and ARFF files are read as a whole. A stream is read only
    once. Its rows are kept in memory or, beyond the memory limit, in a temporary file.

    Parameters
    ----------
    X : str, path, data frame, array-like, Arrow dataset or Arrow stream
        The path of a CSV, Parquet, Feather or ARFF file, a folder or a pattern of Parquet files,
        or ``"-"`` for the standard input. Or a data frame of any library, an array, nested lists,
        an Arrow dataset, or an object that gives its rows as an Arrow stream.
    format : {"csv", "parquet", "feather", "arff"} or None, default=None
        The format of the file. None means that the ending of the file name decides, then the first
        bytes of the file. All other files are read as CSV.
    delimiter : str or None, default=None
        The character between the fields of a CSV file. None means that it is detected: a comma,
        semicolon, tab or vertical bar.
    decimal : {".", ","} or None, default=None
        The decimal sign of the numbers in a CSV file. None means that it is detected.
    encoding : str or None, default=None
        The encoding of a text file. None means that the byte order mark decides. Without a mark the
        encoding is UTF-8. If the file is not valid UTF-8, it is Windows-1252, and ``notes`` of the
        table says so.
    na_values : sequence of str, default=()
        Texts that stand for missing values, in addition to the empty field.

    Returns
    -------
    Table
        The table. It has the attributes ``names``, ``rows`` and ``notes``, and the method
        ``batches(columns)``, which reads the rows.

    Raises
    ------
    TableError
        If the file is damaged or does not hold a table.
    FileNotFoundError
        If there is no file at the path.
    OptionError
        If an option has a value that cannot be used.

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
    """Return any input that users may pass for X as a table."""
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
    """Return a data frame, an array, nested lists or a batch as one batch."""
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
    """Return whether X refers to rows elsewhere: a path, a table, a dataset or a stream."""
    if isinstance(X, (np.ndarray, pd.DataFrame, Batch)):
        return False
    if isinstance(X, (str, os.PathLike, Table)) or is_dataset(X):
        return True
    return not is_frame(X) and is_arrow_stream(X)


def _file_table(path: str, reading: ReadOptions) -> Table:
    """Return a file as a table; Parquet and Feather files are opened, other files are read."""
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
    """Return all bytes of the standard input; raise if they are compressed."""
    data = sys.stdin.buffer.read()
    if data.startswith(GZIP_MAGIC):
        raise TableError("standard input", "is compressed: unpack it with gunzip first.")
    return data


def _format(path: str) -> str:
    """Return the format by suffix, then by the first bytes; folders and patterns are Parquet."""
    suffixes = [suffix.lower() for suffix in Path(path).suffixes if suffix.lower() != ".gz"]
    if suffixes and suffixes[-1] in _SUFFIXES:
        return _SUFFIXES[suffixes[-1]]
    if suffixes and suffixes[-1] in (".csv", ".tsv") and not os.path.exists(path):
        _require_file(path)
    if os.path.isdir(path) or (not os.path.exists(path) and any(mark in path for mark in "*?[")):
        return "parquet"
    _require_file(path)
    if not os.path.isfile(path):  # A pipe can be read only once, so its first bytes are not read.
        return "csv"
    with open(path, "rb") as file:
        head = file.read(8)
    return next((form for magic, form in _MAGIC.items() if head.startswith(magic)), "csv")


def _require_file(path: str) -> None:
    """Raise unless there is a file or a pipe at the path."""
    if os.path.isdir(path):
        raise IsADirectoryError(
            f"{path} is a folder, not a table: name a file. Only Parquet tables can be folders."
        )
    if not os.path.exists(path):
        hint = " A pattern names Parquet files only." if any(mark in path for mark in "*?[") else ""
        raise NoFileError(f"There is no file {path}.{hint}")


def _from_bytes(data: bytes, form: str, reading: ReadOptions, source: str) -> Table:
    """Return the bytes of a file of the given format as a table."""
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
