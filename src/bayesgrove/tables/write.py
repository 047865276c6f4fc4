"""Tables written in parts: CSV, Parquet or Feather, to a file or to the standard output."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

from bayesgrove._utils.files import replacing
from bayesgrove.tables.arrow import require_arrow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pandas as pd

    Clean = Callable[[str], str]

_DELIMITERS = {".csv": ",", ".tsv": "\t", ".txt": ",", "": ","}
_ARROW = (".parquet", ".feather")
"""Endings of the files that can be written."""


class Writer(Protocol):
    """Takes a table part by part; all parts have the same columns."""

    def write(self, part: pd.DataFrame) -> None:
        """Add rows."""


def require_suffix(path: str) -> None:
    """Refuse a file whose ending says nothing that can be written."""
    suffix = Path(path).suffix.lower()
    if suffix in _ARROW:
        require_arrow()
    elif suffix not in _DELIMITERS:
        raise OSError(
            f"Cannot write {path}: the ending {suffix} is none of "
            f"{', '.join(filter(None, (*_DELIMITERS, *_ARROW)))}."
        )


@contextlib.contextmanager
def table_writer(path: str | None, clean: Clean = str) -> Iterator[Writer]:
    """A writer; a file appears under its name only when all has been written.

    Without a path it is the standard output; what goes to a terminal goes through ``clean``.
    """
    if path is None:
        yield _TextWriter(sys.stdout.buffer, ",", clean if sys.stdout.isatty() else str)
        sys.stdout.buffer.flush()
        return
    suffix = Path(path).suffix.lower()
    with replacing(path) as file:
        if suffix in _ARROW:
            with contextlib.closing(_ArrowWriter(file, suffix)) as writer:
                yield writer
        else:
            yield _TextWriter(file, _DELIMITERS.get(suffix, ","))


class _TextWriter:
    """Delimited text."""

    def __init__(self, file: IO[bytes], delimiter: str, clean: Clean = str) -> None:
        self._file, self._delimiter, self._clean = file, delimiter, clean
        self._first = True

    def write(self, part: pd.DataFrame) -> None:
        """Add rows, below a header if they are the first."""
        text = part.to_csv(
            index=False, header=self._first, sep=self._delimiter, lineterminator="\n"
        )
        self._first = False
        self._file.write(self._clean(text).encode("utf-8", "surrogatepass"))


class _ArrowWriter:
    """Parquet or Feather; the first part decides the types."""

    def __init__(self, file: IO[bytes], suffix: str) -> None:
        self._file, self._suffix = file, suffix
        self.schema_: Any = None
        self._writer: Any = None

    def write(self, part: pd.DataFrame) -> None:
        """Add rows."""
        import pyarrow as pa

        table = pa.Table.from_pandas(part, schema=self.schema_, preserve_index=False)
        table = table.replace_schema_metadata(None)  # of no use to others than pandas
        if self._writer is None:
            self.schema_ = table.schema
            self._writer = self._open(table.schema)
        self._writer.write_table(table)

    def close(self) -> None:
        """Write the end of the file."""
        if self._writer is not None:
            self._writer.close()

    def _open(self, schema: Any) -> Any:
        import pyarrow as pa
        from pyarrow import parquet

        make = parquet.ParquetWriter if self._suffix == ".parquet" else pa.ipc.new_file
        return make(self._file, schema)
