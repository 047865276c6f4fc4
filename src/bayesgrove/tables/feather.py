"""Tables from Feather files, also called Arrow IPC files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bayesgrove.tables.arrow import ArrowTable, check_fields, reason, require_arrow, require_rows
from bayesgrove.tables.errors import TableError
from bayesgrove.tables.streams import StreamTable
from bayesgrove.tables.table import BATCH_ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bayesgrove.tables.read_options import ReadOptions


OLD_MAGIC = b"FEA1"


@dataclass(frozen=True)
class FeatherTable(ArrowTable):
    """A table from a Feather file, whose record batches are decompressed one at a time.

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
    file : str or bytes, default=None
        The path of the file, or its bytes if it was read from a pipe.
    """

    file: Any = None

    @cached_property
    def rows(self) -> int:
        """Number of rows, from the headers of the record batches."""
        with self._damage():
            return sum(batch.num_rows for batch in self._batches([]))

    def record_batches(self, names: list[str]) -> Iterator[Any]:
        """Yield record batches; each is validated, because Arrow trusts the offsets in the file."""
        for batch in self._batches(names):
            batch.validate(full=True)
            for start in range(0, batch.num_rows, BATCH_ROWS):
                yield batch.slice(start, BATCH_ROWS)

    def _batches(self, names: list[str]) -> Iterator[Any]:
        """Yield the record batches of the file with the named columns only."""
        reader = _opened(self.file)
        fields = [reader.schema.get_field_index(name) for name in names]
        options = require_arrow().ipc.IpcReadOptions(included_fields=fields or [0])
        reader = _opened(self.file, options)
        for at in range(reader.num_record_batches):
            yield reader.get_batch(at)


def open_feather(path: str, reading: ReadOptions) -> ArrowTable:
    """Return a table over a Feather file."""
    return _feather_table(path, path, reading)


def feather_table(data: bytes, source: str, reading: ReadOptions) -> ArrowTable:
    """Return a table from the bytes of a Feather file that was read from a pipe."""
    return _feather_table(data, source, reading)


def _feather_table(file: Any, source: str, reading: ReadOptions) -> ArrowTable:
    """Return a table from a path or from bytes, in either version of the format."""
    pa = require_arrow()
    try:
        if _is_first_version(file):
            return _old_table(file, source, reading)
        schema = _opened(file).schema
    except (pa.ArrowException, OSError, ValueError) as error:
        raise TableError(source, f"is not readable as Feather: {reason(error)}.") from None
    check_fields(schema, source)
    names = list(schema.names)
    return require_rows(FeatherTable(source, names, na_values=reading.na_values, file=file))


def _is_first_version(file: Any) -> bool:
    """Return whether a file has the first version of the Feather format."""
    if isinstance(file, bytes):
        return file.startswith(OLD_MAGIC)
    with open(file, "rb") as opened:
        return opened.read(len(OLD_MAGIC)) == OLD_MAGIC


def _old_table(file: Any, source: str, reading: ReadOptions) -> ArrowTable:
    """Return a table from a file of the first version of Feather, which is read at once."""
    from pyarrow import feather

    buffer = require_arrow().BufferReader(file) if isinstance(file, bytes) else file
    table = feather.read_table(buffer)
    names, batches = list(table.schema.names), tuple(table.to_batches(BATCH_ROWS))
    return require_rows(
        StreamTable(source, names, na_values=reading.na_values, count=len(table), kept=batches)
    )


def _opened(file: Any, options: Any = None) -> Any:
    """Return an Arrow reader of a path or of bytes."""
    pa = require_arrow()
    source = pa.BufferReader(file) if isinstance(file, bytes) else pa.memory_map(file)
    return pa.ipc.open_file(source, options=options)
