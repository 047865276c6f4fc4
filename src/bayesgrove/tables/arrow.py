"""Tables from Arrow datasets, and columns from Arrow arrays.

Text is converted through Arrow dictionaries: each distinct text is converted once.
"""

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
    """Return the module pyarrow with `pyarrow.dataset` loaded; raise if it is not installed."""
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
    """A converter of Arrow arrays to columns.

    It caches the last dictionary of each column: consecutive batches often share one.
    """

    def __init__(self) -> None:
        self._dictionaries: dict[str, tuple[Any, Any, list[Any]]] = {}

    def column(self, array: Any, name: str) -> Column:
        """Return an Arrow array or chunked array as a column."""
        pa = require_arrow()
        kind = array.type
        if pa.types.is_dictionary(kind):
            if pa.types.is_string(kind.value_type) or pa.types.is_large_string(kind.value_type):
                return self._labels(array, name)
            array, kind = array.cast(kind.value_type), kind.value_type
        return _plain_column(array, kind, name)

    def _labels(self, array: Any, name: str) -> Labels:
        """Return dictionary-encoded text as labels, with the dictionary indices as codes."""
        dictionary = array.dictionary
        key = tuple(buffer and buffer.address for buffer in dictionary.buffers())
        key = (*key, dictionary.offset, len(dictionary))
        cached = self._dictionaries.get(name)
        if cached is None or cached[0] != key:
            dictionary.validate(full=True)
            # The dictionary is kept with its key: while it lives, no other can have its address.
            cached = key, dictionary, dictionary.to_pylist()
            self._dictionaries[name] = cached
        complete = array.null_count == 0
        return _of_dictionary(cached[2], indices_of(array), complete=complete)


def indices_of(array: Any) -> Any:
    """Return the indices of a dictionary array, -1 for nulls; copy only when necessary."""
    indices = array.indices
    if indices.null_count:
        if str(indices.type).startswith("u"):
            indices = indices.cast("int64")
        indices = indices.fill_null(-1)
    return indices.to_numpy(zero_copy_only=False)


def _of_dictionary(
    labels: list[Any], codes: Any, *, declared: bool = False, complete: bool = False
) -> Labels:
    """Return a column of labels; drop nulls and repeated entries of the dictionary."""
    if all(map(_is_label, labels)) and len(set(labels)) == len(labels):
        return Labels(labels, codes, declared, complete)
    distinct = list(dict.fromkeys(filter(_is_label, labels)))
    code_of = {label: code for code, label in enumerate(distinct)}
    new_codes = np.array([*(code_of.get(label, -1) for label in labels), -1], dtype=np.int64)
    return Labels(distinct, new_codes[codes], declared)


def _is_label(value: Any) -> bool:
    """Return whether an entry of a dictionary is neither null nor NaN."""
    return value is not None and value == value


def dictionary_labels(column: Any, *, declared: bool) -> Labels:
    """Return a chunked dictionary column as labels; the chunks may have different dictionaries."""
    unified = column.unify_dictionaries()
    labels = unified.chunk(0).dictionary.to_pylist() if unified.num_chunks else []
    parts = [indices_of(chunk) for chunk in unified.chunks]
    codes = np.concatenate([np.empty(0, dtype=np.int8), *parts])
    return _of_dictionary(labels, codes, declared=declared)


def string_labels(array: Any) -> Labels:
    """Return a text column as sorted labels, through Arrow's dictionary encoding."""
    encoded = array.dictionary_encode()
    if hasattr(encoded, "unify_dictionaries"):
        labels = dictionary_labels(encoded, declared=False)
    else:
        labels = _of_dictionary(encoded.dictionary.to_pylist(), indices_of(encoded))
    return sorted_labels(labels.labels, labels.codes)


def _plain_column(array: Any, kind: Any, name: str) -> Column:
    """Return an Arrow array that is not dictionary-encoded as a column."""
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
    """Return a run-end encoded array as a plain one."""
    import pyarrow.compute as pc

    return pc.run_end_decode(array)


def _numbers(array: Any, kind: Any) -> Numbers:
    """Return a numeric Arrow array as numbers; large integers stay exact."""
    pa = require_arrow()
    if pa.types.is_integer(kind) and (array.null_count or kind == pa.uint64()) and _is_large(array):
        return python_numbers(np.array(array.to_pylist(), dtype=object))
    if array.null_count or pa.types.is_decimal(kind):
        array = array.cast(pa.float64())
    return Numbers(kernel_type(array.to_numpy(zero_copy_only=False)))


def _is_large(array: Any) -> bool:
    """Return whether a float cannot hold all integers of an Arrow array exactly."""
    import pyarrow.compute as pc

    ends = pc.min_max(array).as_py()
    return ends["min"] is not None and max(abs(ends["min"]), abs(ends["max"])) > EXACT_INTEGERS


@dataclass(frozen=True)
class ArrowTable(Table):
    """A table that is read as Arrow record batches, as often as needed.

    A subclass must define `record_batches` and `rows`.

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
    """

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
        """Yield all rows as Arrow record batches with the named columns."""

    def read(self, columns: Sequence[int], keep: Sequence[str]) -> Iterator[Batch]:
        """Yield all rows in batches; only one batch is in memory at a time."""
        names = [self.names[j] for j in columns]
        all_names = [*names, *(name for name in keep if name not in names)]
        converter, rows = ArrowColumns(), 0
        for part in self._read_batches(all_names):
            with self._damage():
                arrays = [converter.column(part.column(name), name) for name in names]
            columns_read = [without_missing(column, self.na_values) for column in arrays]
            kept = _kept(part, keep) if keep else None
            yield Batch(names, part.num_rows, columns_read, kept=kept, spelled=True)
            rows += part.num_rows
        # Arrow keeps the memory of the batches that were read until it is told to release it.
        require_arrow().default_memory_pool().release_unused()
        if rows != self.rows:
            raise TableError(
                self.source, f"is damaged: only {rows} of {self.rows} rows can be read."
            )

    def _read_batches(self, names: list[str]) -> Iterator[Any]:
        """Yield the non-empty record batches of one pass; report damage as `TableError`."""
        batches = iter(self.record_batches(names))
        while True:
            with self._damage():
                batch = next(batches, None)
            if batch is None:
                return
            if batch.num_rows:
                yield batch

    def without(self, names: Sequence[str]) -> ArrowTable:
        """Return the table without the named columns."""
        return self._with(names=[name for name in self.names if name not in names])

    @contextlib.contextmanager
    def _damage(self) -> Iterator[None]:
        """Raise `TableError` in place of the errors that Arrow raises for damaged files."""
        pa = require_arrow()
        try:
            yield
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise TableError(self.source, f"cannot be read: {reason(error)}.") from None


@dataclass(frozen=True)
class DatasetTable(ArrowTable):
    """A table over an Arrow dataset that the user opened.

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
    dataset : pyarrow.dataset.Dataset, default=None
        The dataset.
    """

    dataset: Any = None

    @cached_property
    def rows(self) -> int:
        """Number of rows, from the statistics of the dataset."""
        with self._damage():
            return int(self.dataset.count_rows())

    def record_batches(self, names: list[str]) -> Iterator[Any]:
        """Yield Arrow record batches; little is read ahead, because it all stays in memory."""
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
    """Return an Arrow dataset as a table."""
    check_fields(dataset.schema, "the dataset")
    names = list(dataset.schema.names)
    return require_rows(
        DatasetTable("the dataset", names, na_values=reading.na_values, dataset=dataset)
    )


def require_rows(table: T) -> T:
    """Return the table; raise unless it has at least one column and one row."""
    if not table.names:
        raise TableError(table.source, "there are no columns.")
    if not table.rows:
        raise TableError(
            table.source, "there are no rows (0 sample(s)): a minimum of 1 is required."
        )
    return table


def check_fields(schema: Any, source: str) -> None:
    """Raise unless the names of the columns are unique."""
    names = list(schema.names)
    twice = next((name for k, name in enumerate(names) if name in names[:k]), None)
    if twice is not None:
        raise TableError(
            source,
            f"column names must be unique, but {twice!r} occurs more than once: rename one.",
        )


def kind_of(field_type: Any) -> str:
    """Return "numeric", "text" or the name of the Arrow type."""
    types = require_arrow().types
    kind = field_type.value_type if types.is_dictionary(field_type) else field_type
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        return "numeric"
    texts = types.is_string, types.is_large_string, types.is_binary, types.is_large_binary
    return "text" if any(is_text(kind) for is_text in texts) else str(kind)


def reason(error: Exception) -> str:
    """Return the first line of an Arrow error, without the listings that follow it."""
    return (str(error).splitlines() or ["no reason is given"])[0][:300].rstrip(".")


def _kept(part: Any, names: Sequence[str]) -> pd.DataFrame:
    """Return the named columns of a record batch as a data frame with Arrow types."""
    # With pandas types, the type of a column would change in batches with missing values.
    table = require_arrow().Table.from_batches([part]).select(list(names))
    frame: pd.DataFrame = table.to_pandas(types_mapper=pd.ArrowDtype)
    return frame
