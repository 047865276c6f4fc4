"""Parquet and Feather files: typed columns; large Parquet files are read in batches."""

from __future__ import annotations

import contextlib
import glob
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from bayesgrove.encoding import available_memory
from bayesgrove.encoding.summary import MAX_NOMINAL_LEVELS, few_whole
from bayesgrove.tables.conform import NotNumericError, conform_series
from bayesgrove.tables.errors import MissingPackageError, TableError
from bayesgrove.tables.table import BATCH_ROWS, Batch, Table, without_missing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bayesgrove.encoding import Coding
    from bayesgrove.tables.reading import Reading

_NUMBER_BYTES, _LABEL_BYTES = 8, 64
_COMFORT = 0.25
"""Share of the free memory that a table may take up when it is loaded whole."""


@dataclass(frozen=True)
class ArrowTable(Table):
    """An Arrow dataset: one or more files, or what came through a pipe."""

    source: str
    names: list[str]
    notes: tuple[str, ...]
    whole: Any
    missing: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        """Number of rows, from the files' own statistics."""
        with self._damage():
            return int(self.whole.count_rows())

    @property
    def dataset(self) -> Any:
        """The dataset with only the columns of this table."""
        import pyarrow as pa

        return self.whole.replace_schema(
            pa.schema([self.whole.schema.field(n) for n in self.names])
        )

    @property
    def large(self) -> bool:
        """Whether the table would take up a good part of the memory if it were loaded."""
        kinds = self.dataset.schema.types
        row = sum(_NUMBER_BYTES if _is_number(kind) else _LABEL_BYTES for kind in kinds)
        return row * self.rows > _COMFORT * available_memory()

    def column(self, name: str) -> pd.Series:
        """A column with its own type; integers stay exact beside missing values."""
        with self._damage():
            table = self.whole.to_table(columns=[name])
            table.validate(full=True)
        if len(table) != self.rows:
            raise TableError(self.source, f"is damaged: {name!r} has {len(table)} values.")
        return self._series(table.column(0))

    def batches(self, codings: Sequence[Coding], keep: Sequence[str]) -> Iterator[Batch]:
        """All rows, some at a time: no more than that is in memory."""
        names = [coding.name for coding in codings]
        start = 0
        for part in self._arrow([*names, *(name for name in keep if name not in names)]):
            try:
                columns = {c.name: conform_series(self._series(part[c.name]), c) for c in codings}
            except NotNumericError as error:
                error.row += start
                raise self._error(error) from None
            # Arrow's own types: those of pandas change where a batch has missing values.
            kept = part.select(list(keep)).to_pandas(types_mapper=pd.ArrowDtype)
            yield Batch(pd.DataFrame(columns), kept.set_axis(range(len(part)), axis=0))
            start += len(part)

    def place(self, row: int) -> str:
        """The number of a row."""
        return f"row {row + 1}"

    def nominal(self, chosen: Sequence[str]) -> list[bool]:
        """Which columns are nominal: the chosen ones, and all that would be without a choice."""
        few: dict[str, set[Any] | None] = {
            name: set()
            for name in self.names
            if name not in chosen and _is_number(self.whole.schema.field(name).type)
        }
        for part in self._arrow(list(few)):
            for name, seen in few.items():
                if seen is not None:
                    seen |= set(part[name].unique().to_pylist()) - {None}
                    few[name] = seen if len(seen) <= MAX_NOMINAL_LEVELS else None
        inferred = {name for name, seen in few.items() if seen is not None and _whole(seen)}
        return [name in chosen or name in inferred for name in self.names]

    def _series(self, column: Any) -> pd.Series:
        kind = _plain(column.type)
        with self._damage():
            values = column if kind == column.type else column.cast(kind)
        return without_missing(values.to_pandas(integer_object_nulls=True), self.missing)

    def _arrow(self, names: list[str]) -> Iterator[Any]:
        import pyarrow as pa

        # Little is read ahead: it would all be in memory at the same time.
        batches = self.whole.to_batches(
            columns=names, batch_size=BATCH_ROWS, batch_readahead=2, fragment_readahead=1
        )
        while True:
            with self._damage():
                batch = next(batches, None)
                if batch is not None:
                    batch.validate(full=True)
            if batch is None:
                return
            if batch.num_rows:
                yield pa.Table.from_batches([batch])

    @contextlib.contextmanager
    def _damage(self) -> Iterator[None]:
        """Arrow trusts what it reads: a damaged file must be noticed before it is used."""
        import pyarrow as pa

        try:
            yield
        except (pa.ArrowException, OSError) as error:
            raise TableError(self.source, f"cannot be read: {_reason(error)}.") from None


def open_parquet(path: str, reading: Reading) -> ArrowTable:
    """Open a file, a folder or a pattern of Parquet files."""
    arrow = require_arrow()
    import pyarrow as pa

    files = _files(path)
    try:
        fragments = arrow.dataset(files, format="parquet").get_fragments()
        schemas = [
            pa.schema(field.with_type(_plain(field.type)) for field in fragment.physical_schema)
            for fragment in fragments
        ]
        names = [schema.names for schema in schemas]  # fails where they are no text
    except (pa.ArrowException, OSError, ValueError) as error:
        raise TableError(path, f"is not readable as Parquet: {_reason(error)}.") from None
    _require_same(names, files, path)
    schema = _unified(schemas, path)
    return _table(arrow.dataset(files, format="parquet", schema=schema), path, reading)


def load_arrow(data: bytes, form: str, reading: Reading, source: str) -> ArrowTable:
    """Load a Feather file, or a table that came through a pipe."""
    arrow = require_arrow()
    import pyarrow as pa
    from pyarrow import feather, parquet

    buffer = pa.BufferReader(data)
    try:
        is_parquet = form == "parquet"
        table = parquet.ParquetFile(buffer).read() if is_parquet else feather.read_table(buffer)
        table.validate(full=True)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise TableError(source, f"is not readable as {form.title()}: {_reason(error)}.") from None
    plain = table.replace_schema_metadata(None)  # pandas' notes, which may be damaged, too
    return _table(arrow.dataset(plain), source, reading)


def require_arrow() -> Any:
    """The module that opens datasets, if it is installed."""
    try:
        import pyarrow.dataset
    except ImportError:
        raise MissingPackageError(
            "Parquet and Feather files need pyarrow, which is not installed: "
            'pip install "bayesgrove[arrow]".'
        ) from None
    return pyarrow.dataset


def _table(dataset: Any, source: str, reading: Reading) -> ArrowTable:
    names = list(dataset.schema.names)
    twice = next((name for k, name in enumerate(names) if name in names[:k]), None)
    if twice is not None:
        raise TableError(source, f"the column name {twice!r} occurs more than once: rename.")
    table = ArrowTable(source, names, (), dataset, reading.missing)
    if not names or not table.rows:
        raise TableError(source, "there are no rows." if names else "there are no columns.")
    return table


def _files(path: str) -> list[str]:
    if os.path.isfile(path):
        return [path]
    pattern = os.path.join(path, "**", "*.parquet") if os.path.isdir(path) else path
    files = sorted(file for file in glob.glob(pattern, recursive=True) if os.path.isfile(file))
    if not files:
        raise FileNotFoundError(f"No file matches {pattern}.")
    return files


def _require_same(names: list[list[str]], files: list[str], source: str) -> None:
    for file, own in zip(files, names, strict=True):
        differing = set(own) ^ set(names[0])
        if differing:
            raise TableError(
                source, f"the column {min(differing)!r} is not in both {files[0]} and {file}."
            )


def _unified(schemas: list[Any], source: str) -> Any:
    """One schema for all files: a column may be whole numbers in one and fractions in another."""
    import pyarrow as pa

    try:
        return pa.unify_schemas(schemas, promote_options="permissive")
    except pa.ArrowException as error:
        raise TableError(
            source, f"the files do not have the same columns: {_reason(error)}."
        ) from None


def _plain(kind: Any) -> Any:
    """Dictionaries as their values, since each batch has its own; bytes as the text they are."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return _plain(kind.value_type)
    return pa.string() if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) else kind


def _reason(error: Exception) -> str:
    """What Arrow says, without the listings that it adds."""
    return (str(error).splitlines() or ["no reason is given"])[0][:300].rstrip(".")


def _is_number(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind))


def _whole(values: set[Any]) -> bool:
    return few_whole(np.array([float(value) for value in values if value == value])) is not None
