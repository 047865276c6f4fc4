"""Tables from Feather files, also called Arrow IPC files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bayesgrove.tables.arrow import ArrowTable, check_fields, reason, require_arrow, require_rows
from bayesgrove.tables.errors import TableError
from bayesgrove.tables.table import BATCH_ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bayesgrove.tables.reading import Reading


@dataclass(frozen=True)
class FeatherTable(ArrowTable):
    """An Arrow table, mapped from its file, or as it came through a pipe."""

    table: Any = None

    @property
    def rows(self) -> int:
        """Number of rows."""
        return int(self.table.num_rows)

    def record_batches(self, names: list[str]) -> Iterator[Any]:
        """Yield record batches; each is checked, since the file says what is where."""
        for batch in self.table.select(names).to_batches(max_chunksize=BATCH_ROWS):
            batch.validate(full=True)
            yield batch


def open_feather(path: str, reading: Reading) -> FeatherTable:
    """Open a Feather file; its pages are read when they are needed."""
    return _feather_table(path, path, reading)


def feather_table(data: bytes, source: str, reading: Reading) -> FeatherTable:
    """Return what came through a pipe as a table."""
    return _feather_table(require_arrow().BufferReader(data), source, reading)


def _feather_table(file: Any, source: str, reading: Reading) -> FeatherTable:
    pa = require_arrow()
    from pyarrow import feather

    try:
        table = feather.read_table(file, memory_map=True)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise TableError(source, f"is not readable as Feather: {reason(error)}.") from None
    check_fields(table.schema, source)
    names = list(table.schema.names)
    return require_rows(FeatherTable(source, names, missing=reading.missing, table=table))
