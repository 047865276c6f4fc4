"""Write tables in parts: CSV, Parquet or Feather, to a file or to the standard output."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

from bayesgrove._utils.files import atomic_write
from bayesgrove.tables.arrow import require_arrow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pandas as pd

    Clean = Callable[[str], str]

_DELIMITERS = {".csv": ",", ".tsv": "\t", ".txt": ",", "": ","}
"""Endings of the text files that can be written, with their delimiters."""
_ARROW = (".parquet", ".feather")
"""Endings of the Arrow files that can be written."""


class Writer(Protocol):
    """A writer of a table in parts; all parts must have the same columns."""

    def write(self, part: pd.DataFrame) -> None:
        """Write some rows."""


def require_suffix(path: str) -> None:
    """Raise unless the ending of a file name is a format that can be written."""
    suffix = Path(path).suffix.lower()
    if suffix in _ARROW:
        require_arrow()
    elif suffix not in _DELIMITERS:
        raise OSError(
            f"Cannot write {path}: the ending {suffix} is not one of "
            f"{', '.join(filter(None, (*_DELIMITERS, *_ARROW)))}."
        )


@contextlib.contextmanager
def table_writer(path: str | None, clean: Clean = str) -> Iterator[Writer]:
    """Yield a writer of a file, or of the standard output if the path is None.

    The file is written atomically: it appears under its name only when it is complete. Text for a
    terminal is passed through ``clean``.
    """
    if path is None:
        yield _TextWriter(sys.stdout.buffer, ",", clean if sys.stdout.isatty() else str)
        sys.stdout.buffer.flush()
        return
    suffix = Path(path).suffix.lower()
    with atomic_write(path) as file:
        if suffix in _ARROW:
            with contextlib.closing(_ArrowWriter(file, suffix)) as writer:
                yield writer
        else:
            yield _TextWriter(file, _DELIMITERS.get(suffix, ","))


class _TextWriter:
    """A writer of delimited text."""

    def __init__(self, file: IO[bytes], delimiter: str, clean: Clean = str) -> None:
        self._file, self._delimiter, self._clean = file, delimiter, clean
        self._first = True

    def write(self, part: pd.DataFrame) -> None:
        """Write some rows, and a header above the first rows."""
        text = part.to_csv(
            index=False, header=self._first, sep=self._delimiter, lineterminator="\n"
        )
        self._first = False
        self._file.write(self._clean(text).encode("utf-8", "surrogatepass"))


class _ArrowWriter:
    """A writer of Parquet or Feather; the first part decides the types of the columns."""

    def __init__(self, file: IO[bytes], suffix: str) -> None:
        self._file, self._suffix = file, suffix
        self.schema_: Any = None
        self._writer: Any = None

    def write(self, part: pd.DataFrame) -> None:
        """Write some rows."""
        import pyarrow as pa

        table = pa.Table.from_pandas(part, schema=self.schema_, preserve_index=False)
        table = table.replace_schema_metadata(None)  # Only pandas uses it.
        if self._writer is None:
            self.schema_ = table.schema
            self._writer = self._open(table.schema)
        self._writer.write_table(table)

    def close(self) -> None:
        """Finish the file."""
        if self._writer is not None:
            self._writer.close()

    def _open(self, schema: Any) -> Any:
        """Return the Arrow writer of the format."""
        import pyarrow as pa
        from pyarrow import parquet

        make = parquet.ParquetWriter if self._suffix == ".parquet" else pa.ipc.new_file
        return make(self._file, schema)
