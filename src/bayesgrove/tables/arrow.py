"""Tables from Arrow datasets; columns from Arrow arrays, strings through their dictionaries."""

from __future__ import annotations

import contextlib
from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
import pandas as pd

from bayesgrove.tables.columns import (
    DATES,
    NESTED,
    Batch,
    Column,
    Labels,
    Numbers,
    kernel_type,
    python_numbers,
    sorted_labels,
)
from bayesgrove.tables.errors import MissingPackageError, TableError
from bayesgrove.tables.numerals import EXACT_INTEGERS
from bayesgrove.tables.read_options import without_missing
from bayesgrove.tables.table import BATCH_ROWS, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bayesgrove.tables.read_options import ReadOptions


T = TypeVar("T", bound="ArrowTable")


def require_arrow() -> Any:
    """Return the module pyarrow, with its datasets, if it is installed."""
    try:
        import pyarrow as pa
        import pyarrow.dataset
    except ImportError:
        raise MissingPackageError(
            "Parquet and Feather files and Arrow streams need pyarrow, which is not installed: "
            'pip install "bayesgrove[arrow]".'
        ) from None
    return pa


class ArrowColumns:
    """Turns Arrow arrays into columns; the dictionary of a column is read once while it stays."""

    def __init__(self) -> None:
        self._dictionaries: dict[str, tuple[Any, Any, list[Any]]] = {}

    def column(self, array: Any, name: str) -> Column:
        """Return an Arrow array, or a chunked one, as a column."""
        pa = require_arrow()
        kind = array.type
        if pa.types.is_dictionary(kind):
            if pa.types.is_string(kind.value_type) or pa.types.is_large_string(kind.value_type):
                return self._labels(array, name)
            array, kind = array.cast(kind.value_type), kind.value_type
        return _plain_column(array, kind, name)

    def _labels(self, array: Any, name: str) -> Labels:
        """Return dictionary-coded text as labels; the codes are the indices as they are."""
        dictionary = array.dictionary
        key = tuple(buffer and buffer.address for buffer in dictionary.buffers())
        key = (*key, dictionary.offset, len(dictionary))
        known = self._dictionaries.get(name)
        if known is None or known[0] != key:
            dictionary.validate(full=True)
            known = key, dictionary, dictionary.to_pylist()
            self._dictionaries[name] = known
        complete = array.null_count == 0
        return _of_dictionary(known[2], indices_of(array), complete=complete)


def indices_of(array: Any) -> Any:
    """Return the indices of a dictionary array, -1 where it is null; a copy only if it must be."""
    indices = array.indices
    if indices.null_count:
        if str(indices.type).startswith("u"):
            indices = indices.cast("int64")
        indices = indices.fill_null(-1)
    return indices.to_numpy(zero_copy_only=False)


def _of_dictionary(
    labels: list[Any], codes: Any, *, declared: bool = False, complete: bool = False
) -> Labels:
    if all(map(_is_label, labels)) and len(set(labels)) == len(labels):
        return Labels(labels, codes, declared, complete)
    known = list(dict.fromkeys(filter(_is_label, labels)))
    place = {label: code for code, label in enumerate(known)}
    table = np.array([*(place.get(label, -1) for label in labels), -1], dtype=np.int64)
    return Labels(known, table[codes], declared)


def _is_label(value: Any) -> bool:
    """Return whether an entry of a dictionary is neither null nor NaN."""
    return value is not None and value == value


def dictionary_labels(column: Any, *, declared: bool) -> Labels:
    """Return a chunked dictionary column as labels; its chunks may have their own dictionaries."""
    unified = column.unify_dictionaries()
    labels = unified.chunk(0).dictionary.to_pylist() if unified.num_chunks else []
    parts = [indices_of(chunk) for chunk in unified.chunks]
    codes = np.concatenate([np.empty(0, dtype=np.int8), *parts])
    return _of_dictionary(labels, codes, declared=declared)


def string_labels(array: Any) -> Labels:
    """Return text as sorted labels, by the dictionary that Arrow makes of it."""
    encoded = array.dictionary_encode()
    if hasattr(encoded, "unify_dictionaries"):
        labels = dictionary_labels(encoded, declared=False)
    else:
        labels = _of_dictionary(encoded.dictionary.to_pylist(), indices_of(encoded))
    return sorted_labels(labels.labels, labels.codes)


def _plain_column(array: Any, kind: Any, name: str) -> Column:
    pa = require_arrow()
    types = pa.types
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        return _numbers(array, kind)
    if types.is_null(kind):
        return Labels([], np.full(len(array), -1, dtype=np.int8))
    if types.is_run_end_encoded(kind):
        return _plain_column(_decoded(array), kind.value_type, name)
    if types.is_nested(kind):
        raise ValueError(NESTED.format(name))
    if types.is_temporal(kind):
        raise ValueError(DATES.format(name))
    if types.is_fixed_size_binary(kind):
        array, kind = array.cast(pa.binary()), pa.binary()
    if types.is_binary(kind) or types.is_large_binary(kind):
        array = array.cast(pa.string())
    if types.is_boolean(kind) and not array.null_count:
        flags = array.to_numpy(zero_copy_only=False)
        return Labels([False, True], flags.astype(np.int8))
    return string_labels(array)


def _decoded(array: Any) -> Any:
    import pyarrow.compute as pc

    return pc.run_end_decode(array)


def _numbers(array: Any, kind: Any) -> Numbers:
    pa = require_arrow()
    if pa.types.is_integer(kind) and (array.null_count or kind == pa.uint64()) and _is_large(array):
        return python_numbers(np.array(array.to_pylist(), dtype=object))
    if array.null_count or pa.types.is_decimal(kind):
        array = array.cast(pa.float64())
    return Numbers(kernel_type(array.to_numpy(zero_copy_only=False)))


def _is_large(array: Any) -> bool:
    import pyarrow.compute as pc

    ends = pc.min_max(array).as_py()
    return ends["min"] is not None and max(abs(ends["min"]), abs(ends["max"])) > EXACT_INTEGERS


@dataclass(frozen=True)
class ArrowTable(Table):
    """A source of Arrow batches, read again at will; a subclass owes `record_batches`, `rows`."""

    source: str
    names: list[str]
    notes: tuple[str, ...] = ()
    na_values: tuple[str, ...] = ()
    labels: frozenset[str] = frozenset()
    in_memory: ClassVar[bool] = False

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.names)

    @abstractmethod
    def record_batches(self, names: list[str]) -> Iterable[Any]:
        """Yield Arrow record batches with some columns."""

    def read(self, columns: Sequence[int], keep: Sequence[str]) -> Iterator[Batch]:
        """Yield all rows, some at a time: no more than that is in memory."""
        names = [self.names[j] for j in columns]
        wanted = [*names, *(name for name in keep if name not in names)]
        converter, rows = ArrowColumns(), 0
        for part in self._read_batches(wanted):
            with self._damage():
                arrays = [converter.column(part.column(name), name) for name in names]
            columns_read = [without_missing(column, self.na_values) for column in arrays]
            kept = _kept(part, keep) if keep else None
            yield Batch(names, part.num_rows, columns_read, kept=kept, spelled=True)
            rows += part.num_rows
        require_arrow().default_memory_pool().release_unused()  # what was read is gone
        if rows != self.rows:
            raise TableError(self.source, f"is damaged: {rows} of {self.rows} rows can be read.")

    def _read_batches(self, names: list[str]) -> Iterator[Any]:
        """Make one pass over the files."""
        batches = iter(self.record_batches(names))
        while True:
            with self._damage():
                batch = next(batches, None)
            if batch is None:
                return
            if batch.num_rows:
                yield batch

    def without(self, names: Sequence[str]) -> ArrowTable:
        """Return the table without some columns."""
        return self._with(names=[name for name in self.names if name not in names])

    @contextlib.contextmanager
    def _damage(self) -> Iterator[None]:
        """Arrow trusts what it reads: a damaged file must be noticed before it is used."""
        pa = require_arrow()
        try:
            yield
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise TableError(self.source, f"cannot be read: {reason(error)}.") from None


@dataclass(frozen=True)
class DatasetTable(ArrowTable):
    """An Arrow dataset that the user opened."""

    dataset: Any = None

    @cached_property
    def rows(self) -> int:
        """Number of rows, from the dataset's own statistics."""
        with self._damage():
            return int(self.dataset.count_rows())

    def record_batches(self, names: list[str]) -> Iterator[Any]:
        """Yield Arrow record batches; little is read ahead, since it is all in memory at once."""
        batches: Iterator[Any] = self.dataset.to_batches(
            columns=names, batch_size=BATCH_ROWS, batch_readahead=2, fragment_readahead=1
        )
        return batches


def is_dataset(X: Any) -> bool:
    """Return whether X is an Arrow dataset."""
    return (
        type(X).__module__.startswith("pyarrow")
        and hasattr(X, "schema")
        and hasattr(X, "to_batches")
        and hasattr(X, "count_rows")
    )


def open_dataset(dataset: Any, reading: ReadOptions) -> DatasetTable:
    """Return a dataset as a table."""
    check_fields(dataset.schema, "the dataset")
    names = list(dataset.schema.names)
    return require_rows(
        DatasetTable("the dataset", names, na_values=reading.na_values, dataset=dataset)
    )


def require_rows(table: T) -> T:
    """Return a table that has columns and rows; raise for any other."""
    if not table.names:
        raise TableError(table.source, "there are no columns.")
    if not table.rows:
        raise TableError(
            table.source, "there are no rows (0 sample(s)): a minimum of 1 is required."
        )
    return table


def check_fields(schema: Any, source: str) -> None:
    """Raise where two columns have one name."""
    names = list(schema.names)
    twice = next((name for k, name in enumerate(names) if name in names[:k]), None)
    if twice is not None:
        raise TableError(
            source,
            f"column names must be unique, but {twice!r} occurs more than once: rename one.",
        )


def kind_of(field_type: Any) -> str:
    """Return what kind of values a type holds, in a word."""
    types = require_arrow().types
    kind = field_type.value_type if types.is_dictionary(field_type) else field_type
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        return "numeric"
    texts = types.is_string, types.is_large_string, types.is_binary, types.is_large_binary
    return "text" if any(is_text(kind) for is_text in texts) else str(kind)


def reason(error: Exception) -> str:
    """Return what Arrow says, without the listings that it adds."""
    return (str(error).splitlines() or ["no reason is given"])[0][:300].rstrip(".")


def _kept(part: Any, names: Sequence[str]) -> pd.DataFrame:
    # Arrow's own types: those of pandas change where a batch has missing values.
    table = require_arrow().Table.from_batches([part]).select(list(names))
    frame: pd.DataFrame = table.to_pandas(types_mapper=pd.ArrowDtype)
    return frame
