"""Tables from what can be read only once: Arrow streams, DuckDB relations, lazy frames of Polars.

The source is read once. Its rows stay in memory up to the memory limit; beyond it they go to a
temporary file, which is gone when the table is.
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
    """Return whether X gives its rows as a stream of Arrow batches."""
    if type(X).__name__ in ("Series", "ChunkedArray"):  # streams of one column are not tables
        return False
    return hasattr(X, "__arrow_c_stream__") or _is_lazy(X)


@dataclass(frozen=True)
class StreamTable(ArrowTable):
    """The rows of a stream, read once and kept: in memory, or in a temporary file."""

    count: int = 0
    kept: tuple[Any, ...] = ()
    file: SpillFile | None = None

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.count

    def record_batches(self, names: list[str]) -> Iterator[Any]:
        """Yield record batches from where they are kept."""
        pa = require_arrow()
        for batch in self.kept:
            yield batch.select(names)
        if self.file is not None:
            with pa.ipc.open_stream(pa.PythonFile(self.file.reader(), "r")) as reader:
                for batch in reader:
                    yield batch.select(names)


def open_stream(X: Any, reading: ReadOptions) -> StreamTable:
    """Read a stream to its end, and return its rows as a table that can be read again."""
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
    """Keeps batches in memory up to the limit, then all of them in a file."""

    def __init__(self) -> None:
        self.batches: list[Any] = []
        self.rows = 0
        self.file: SpillFile | None = None
        self._bytes = 0
        self._writer: Any = None

    def add(self, batch: Any) -> None:
        """Keep a batch."""
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
        """Begin the file with what was in memory so far."""
        pa = require_arrow()
        self.file = SpillFile(get_config().folder)
        self._writer = pa.ipc.new_stream(pa.PythonFile(self.file.file, "w"), schema)
        for batch in self.batches:
            self._writer.write_batch(batch)
        self.batches = []

    def close(self, source: str) -> None:
        """End the file, and tell the user that there is one."""
        if self._writer is None:
            return
        self._writer.close()
        assert self.file is not None
        self.file.file.flush()
        warn_caller(
            f"{source} can be read only once: its {self.rows:,} rows ({self._bytes / 1e6:,.0f} MB) "
            f"were read and kept in a temporary file in {get_config().folder}.",
            SpillWarning,
        )


def _is_lazy(X: Any) -> bool:
    return type(X).__module__.startswith("polars") and hasattr(X, "collect_batches")


def _reader(X: Any) -> Any:
    pa = require_arrow()
    if not _is_lazy(X):
        return pa.RecordBatchReader.from_stream(X)
    schema = X.limit(0).collect().to_arrow().schema
    return pa.RecordBatchReader.from_batches(schema, _lazy_batches(X, schema))


def _lazy_batches(X: Any, schema: Any) -> Iterator[Any]:
    for frame in X.collect_batches(maintain_order=True):
        yield from frame.to_arrow().cast(schema).to_batches()
