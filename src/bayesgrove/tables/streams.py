"""Tables from sources that can be read only once: Arrow streams, DuckDB relations, lazy frames.

The source is read once. Its rows stay in memory up to the memory limit. Beyond the limit all rows
go to a temporary file, which is deleted together with the table. Lazy frames are those of Polars.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bayesgrove._utils.config import get_config
from bayesgrove._utils.spill import SpillError, SpillFile, SpillWarning
from bayesgrove._utils.warnings import warn_caller
from bayesgrove.tables.arrow import ArrowTable, check_fields, reason, require_arrow, require_rows
from bayesgrove.tables.errors import TableError
from bayesgrove.tables.table import BATCH_ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bayesgrove.tables.read_options import ReadOptions


def is_arrow_stream(X: Any) -> bool:
    """Return whether X can give its rows as a stream of Arrow batches."""
    if type(X).__name__ in ("Series", "ChunkedArray"):  # A stream of one column is not a table.
        return False
    return hasattr(X, "__arrow_c_stream__") or _is_lazy(X)


@dataclass(frozen=True)
class StreamTable(ArrowTable):
    """A table of the rows of a stream, kept in memory or in a temporary file.

    Parameters
    ----------
    source : str
        The name of the table in messages.
    names : list of str
        The names of the columns.
    notes : tuple of str, default=()
        Notes for the user about how the table was read.
    na_values : tuple of str, default=()
        Texts that stand for missing values.
    labels : frozenset of str, default=frozenset()
        Names of the columns whose values are always read as labels.
    count : int, default=0
        The number of rows.
    kept : tuple of pyarrow.RecordBatch, default=()
        The record batches in memory. It is empty if there is a file.
    file : SpillFile or None, default=None
        The temporary file with all rows, or None if they are in memory.
    """

    count: int = 0
    kept: tuple[Any, ...] = ()
    file: SpillFile | None = None

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.count

    def record_batches(self, names: list[str]) -> Iterator[Any]:
        """Yield the record batches from memory or from the temporary file."""
        pa = require_arrow()
        for batch in self.kept:
            yield batch.select(names)
        if self.file is not None:
            with pa.ipc.open_stream(pa.PythonFile(self.file.reader(), "r")) as reader:
                for batch in reader:
                    yield batch.select(names)


def open_stream(X: Any, reading: ReadOptions) -> StreamTable:
    """Read a whole stream, and return its rows as a table that can be read again."""
    pa = require_arrow()
    source = f"the {type(X).__name__}"
    spool = _Spool()
    try:
        reader = _reader(X)
        check_fields(reader.schema, source)
        for batch in reader:
            for start in range(0, batch.num_rows, BATCH_ROWS):
                spool.add(batch.slice(start, BATCH_ROWS))
    except pa.ArrowException as error:
        raise TableError(source, f"cannot be read: {reason(error)}.") from None
    names = list(reader.schema.names)
    spool.close(source)
    table = StreamTable(
        source,
        names,
        na_values=reading.na_values,
        count=spool.rows,
        kept=tuple(spool.batches),
        file=spool.file,
    )
    return require_rows(table)


class _Spool:
    """A store of record batches: in memory up to the memory limit, beyond it all in a file."""

    def __init__(self) -> None:
        self.batches: list[Any] = []
        self.rows = 0
        self.file: SpillFile | None = None
        self._bytes = 0
        self._writer: Any = None

    def add(self, batch: Any) -> None:
        """Store one more record batch."""
        self.rows += batch.num_rows
        self._bytes += batch.nbytes
        if self._writer is None and self._bytes <= get_config().memory_limit:
            self.batches.append(batch)
            return
        try:
            if self._writer is None:
                self._spill(batch.schema)
            self._writer.write_batch(batch)
        except OSError as error:
            raise SpillError.of(get_config().folder, self._bytes, error) from None

    def _spill(self, schema: Any) -> None:
        """Create the temporary file and move the stored batches into it."""
        pa = require_arrow()
        self.file = SpillFile(get_config().folder)
        self._writer = pa.ipc.new_stream(pa.PythonFile(self.file.file, "w"), schema)
        for batch in self.batches:
            self._writer.write_batch(batch)
        self.batches = []

    def close(self, source: str) -> None:
        """Finish the temporary file, if there is one, and warn the user about it."""
        if self._writer is None:
            return
        self._writer.close()
        assert self.file is not None
        self.file.file.flush()
        warn_caller(
            f"The rows of {source} can be read only once and exceed the memory limit: all "
            f"{self.rows:,} rows ({self._bytes / 1e6:,.0f} MB) were written to a temporary file in "
            f"{get_config().folder}.",
            SpillWarning,
        )


def _is_lazy(X: Any) -> bool:
    """Return whether X is a lazy frame of Polars that can be read in batches."""
    return type(X).__module__.startswith("polars") and hasattr(X, "collect_batches")


def _reader(X: Any) -> Any:
    """Return an Arrow reader of a stream or of a lazy frame."""
    pa = require_arrow()
    if not _is_lazy(X):
        return pa.RecordBatchReader.from_stream(X)
    schema = X.limit(0).collect().to_arrow().schema
    return pa.RecordBatchReader.from_batches(schema, _lazy_batches(X, schema))


def _lazy_batches(X: Any, schema: Any) -> Iterator[Any]:
    """Yield the rows of a lazy frame as record batches, in order."""
    for frame in X.collect_batches(maintain_order=True):
        yield from frame.to_arrow().cast(schema).to_batches()
