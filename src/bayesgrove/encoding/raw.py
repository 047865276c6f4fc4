"""Whatever people call a table, as columns of numbers or labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import narwhals.stable.v1 as nw
import numpy as np
import pandas as pd
from scipy import sparse

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray


@dataclass(frozen=True)
class Numbers:
    """A column of numbers; NaN where a value is missing.

    ``exact`` holds the values themselves where they are integers that a float cannot hold.
    """

    values: NDArray[Any]
    exact: NDArray[np.object_] | None = None


@dataclass(frozen=True)
class Labels:
    """A column of labels: ``labels[codes[row]]``, code -1 where a value is missing.

    ``declared`` labels keep the order they were given in, with or without rows; others are sorted.
    """

    labels: list[Any]
    codes: NDArray[np.signedinteger[Any]]
    declared: bool = False


Column = Numbers | Labels

EXACT_INTEGERS = 2**53 - 1
"""A float holds every integer up to this one, and no other integer is rounded to it."""


@dataclass(frozen=True)
class RawTable:
    """Columns with their names (None where the input has none).

    ``matrix`` is the whole table as one array of numbers, where it came as such.
    """

    names: list[str] | None
    rows: int
    columns: Sequence[Column]
    matrix: NDArray[Any] | None = None

    def name(self, j: int) -> str:
        """Name of a column; ``x0``, ``x1``, ... where the input has none."""
        return f"x{j}" if self.names is None else self.names[j]

    def take(self, rows: NDArray[Any]) -> RawTable:
        """Keep only some rows."""
        if self.matrix is not None:
            return from_matrix(self.matrix[rows])
        kept = [_take(column, rows) for column in self.columns]
        return RawTable(self.names, len(np.arange(self.rows)[rows]), kept)

    def select(self, places: Sequence[int]) -> RawTable:
        """Keep only some columns."""
        if len(places) == len(self.columns):
            return self
        names = None if self.names is None else [self.names[j] for j in places]
        matrix = None if self.matrix is None else self.matrix[:, places]
        return RawTable(names, self.rows, [self.columns[j] for j in places], matrix)


def read_table(X: Any) -> RawTable:
    """Adapt a pandas, polars or Arrow table, a numpy array or nested lists; or take one read."""
    if isinstance(X, RawTable):
        return X
    if sparse.issparse(X):
        raise TypeError(
            "Sparse data was passed for X, but dense data is required. "
            "Use '.toarray()' to convert to a dense numpy array."
        )
    if isinstance(X, np.ma.MaskedArray):
        X = _unmasked(X)
    if isinstance(X, np.ndarray):
        return _from_array(X)
    if nw.dependencies.is_into_dataframe(X):
        return _from_frame(X)
    if hasattr(X, "collect"):
        raise ValueError("X is a lazy frame: call .collect() to get its rows.")
    return _from_array(as_array(X))


def _unmasked(X: Any) -> NDArray[Any]:
    """Masked cells as missing ones."""
    numeric = X.dtype.kind in "iufb"
    filled: NDArray[Any] = X.astype(np.float64 if numeric else object).filled(
        np.nan if numeric else None
    )
    return filled


def from_matrix(matrix: NDArray[Any]) -> RawTable:
    """A table from a two-dimensional array of numbers."""
    return RawTable(None, len(matrix), _MatrixColumns(matrix), matrix)


def factorize(values: Any, name: str, categories: list[Any] | None = None) -> Labels:
    """Distinct labels and the code of every row, by hashing.

    Labels without a declared order are sorted; those of several types by type, then by value.
    """
    values = np.asarray(values, dtype=object)
    try:
        codes, found = pd.factorize(values)
    except TypeError as error:
        raise ValueError(
            f"Column {name!r} holds values that are no plain labels ({error}). "
            "Turn them into strings or numbers, or leave the column out."
        ) from error
    labels = [_plain(label) for label in found]
    if categories is not None:
        place = {label: code for code, label in enumerate(categories)}
        order, labels = [place[label] for label in labels], categories
    else:
        ranked = sorted(range(len(labels)), key=lambda at: sort_key(labels[at]))
        order = np.argsort(ranked).tolist()
        labels = [labels[at] for at in ranked]
    translate = np.array([*order, -1], dtype=np.int64)
    return Labels(labels, translate[codes], declared=categories is not None)


class _MatrixColumns(Sequence[Column]):
    """Columns of a matrix, made when they are asked for."""

    def __init__(self, matrix: NDArray[Any]) -> None:
        self._matrix = matrix

    def __len__(self) -> int:
        return int(self._matrix.shape[1])

    def __getitem__(self, j: Any) -> Any:
        return Numbers(self._matrix[:, j])


def as_array(X: Any) -> NDArray[Any]:
    """Rows in lists or the like as an array that keeps the types of cells."""
    try:
        array = np.asarray(X)
    except ValueError:  # rows of unequal length, or cells that are sequences themselves
        array = np.asarray(X, dtype=object)
    if array.dtype.kind in "US" and isinstance(X, (list, tuple)):
        # numpy turns [1, "a"] into ["1", "a"]: look at the cells as they were given.
        array = np.array(X, dtype=object)
    return array


def _from_array(array: NDArray[Any]) -> RawTable:
    _check_shape(array)
    kind = array.dtype.kind
    if kind == "c":
        raise ValueError(
            "Complex data not supported: give the real and imaginary parts as columns."
        )
    if kind in "iuf" and array.dtype.isnative and array.dtype.itemsize <= 8:
        if array.dtype == np.uint64 and beyond_floats(array):
            return RawTable(None, len(array), [_large(column) for column in array.T.astype(object)])
        return from_matrix(_kernel_type(array))
    if kind in "Mm":
        raise ValueError(_DATES.format("x0"))
    columns = [_from_values(array[:, j], f"x{j}") for j in range(array.shape[1])]
    return RawTable(None, len(array), columns)


def _kernel_type(array: NDArray[Any]) -> NDArray[Any]:
    if array.dtype in (np.float16, np.uint64):
        return array.astype(np.float64)
    if not array.flags.aligned or any(stride % array.itemsize for stride in array.strides):
        return array.copy()  # a field of packed records, or a view into bytes
    return array


def _check_shape(array: NDArray[Any]) -> None:
    if array.ndim == 0:
        raise ValueError(
            f"Expected 2D array, got scalar array instead:\narray={array}.\n"
            "Reshape your data either using array.reshape(-1, 1) if your data has a single feature "
            "or array.reshape(1, -1) if it contains a single sample."
        )
    if array.ndim == 1:
        raise ValueError(
            f"Expected 2D array, got 1D array instead:\narray={array}.\n"
            "Reshape your data either using array.reshape(-1, 1) if your data has a single feature "
            "or array.reshape(1, -1) if it contains a single sample."
        )
    if array.ndim > 2:
        raise ValueError(f"Found array with dim {array.ndim}, while dim <= 2 is required by X.")
    check_size(array.shape[0], array.shape[1])


def check_size(rows: int, columns: int) -> None:
    """Refuse a table without rows or without columns."""
    shape = f"(shape=({rows}, {columns}))"
    if rows == 0:
        raise ValueError(f"Found array with 0 sample(s) {shape} while a minimum of 1 is required.")
    if columns == 0:
        raise ValueError(f"Found array with 0 feature(s) {shape} while a minimum of 1 is required.")


_DATES = (
    "Column {!r} holds dates or durations. Turn them into numbers (a year, a number of days) "
    "or labels (a month, a weekday) first."
)


def _from_values(values: NDArray[Any], name: str) -> Column:
    """A column of strings or of Python objects."""
    if values.dtype.kind in "bUS":
        return factorize(values.astype(object), name)
    inferred = pd.api.types.infer_dtype(values, skipna=True)
    if inferred in ("integer", "floating", "mixed-integer-float", "decimal"):
        try:
            return _large(values)
        except OverflowError:  # integers beyond the range of floats can only be labels
            return factorize(values, name)
    if inferred in ("datetime", "datetime64", "date", "timedelta", "timedelta64", "time"):
        raise ValueError(_DATES.format(name))
    if inferred == "complex":
        raise ValueError(f"Complex data not supported (column {name!r}).")
    return factorize(values, name)


def beyond_floats(values: NDArray[Any]) -> bool:
    """Whether there are integers that a float does not hold exactly."""
    if not values.size:
        return False
    return max(abs(int(values.min())), abs(int(values.max()))) > EXACT_INTEGERS


def _large(values: NDArray[np.object_]) -> Numbers:
    """Python numbers as floats; integers too large for these are kept beside them."""
    present = ~pd.isna(values)
    floats = np.full(len(values), np.nan)
    floats[present] = values[present].astype(np.float64)
    large = np.abs(floats[present]) > EXACT_INTEGERS
    if not large.any() or not all(isinstance(v, (int, np.integer)) for v in values[present]):
        return Numbers(floats)
    exact = values.copy()
    exact[~present] = None
    return Numbers(floats, exact)


def _from_frame(X: Any) -> RawTable:
    names = column_names(X)
    if hasattr(X, "set_axis"):  # pandas: names need not be strings
        X = X.set_axis(names, axis=1)
    frame = nw.from_native(X, eager_only=True)
    check_size(len(frame), len(names))
    columns = [_from_series(frame.get_column(name), name) for name in names]
    return RawTable(names, len(frame), columns)


def column_names(X: Any) -> list[str]:
    """Names of the columns of a data frame, as strings; repeated ones are refused."""
    raw: Sequence[Hashable] = X.column_names if hasattr(X, "column_names") else list(X.columns)
    names = [str(name) for name in raw]
    repeated = [name for name, times in Counter(names).items() if times > 1]
    if repeated:
        raise ValueError(
            f"Column names must be unique, but {repeated[0]!r} occurs more than once: rename one."
        )
    return names


def _from_series(series: Any, name: str) -> Column:
    dtype = series.dtype
    if dtype == nw.Categorical or dtype == nw.Enum:
        return _from_categorical(series, name)
    if dtype == nw.Boolean and series.null_count() == 0:
        return factorize(series.to_numpy().astype(object), name)
    if dtype.is_numeric():
        return _numbers(series.cast(nw.Float64) if dtype in (nw.Int128, nw.UInt128) else series)
    if dtype in (nw.Struct, nw.List, nw.Array):
        raise ValueError(
            f"Column {name!r} holds lists or records: leave it out, or make columns of its parts."
        )
    if dtype in (nw.Datetime, nw.Date, nw.Duration, nw.Time):
        raise ValueError(_DATES.format(name))
    return _from_values(np.asarray(series.to_numpy(), dtype=object), name)


def _numbers(series: Any) -> Numbers:
    whole = series.dtype.is_integer()
    if whole and (series.null_count() or series.dtype == nw.UInt64) and _series_beyond(series):
        return _large(np.array(series.to_list(), dtype=object))
    native = series.to_native()
    if isinstance(native, pd.Series) and native.isna().any():
        values = native.to_numpy(dtype=np.float64, na_value=np.nan)
    elif not isinstance(native, pd.Series) and series.null_count():
        values = series.cast(nw.Float64).to_numpy()
    else:
        values = series.to_numpy()
    if values.dtype.kind not in "iuf" or values.dtype.itemsize > 8:
        values = values.astype(np.float64)
    return Numbers(_kernel_type(values))


def _series_beyond(series: Any) -> bool:
    low, high = series.min(), series.max()
    return low is not None and max(abs(int(low)), abs(int(high))) > EXACT_INTEGERS


def _from_categorical(series: Any, name: str) -> Labels:
    native = series.to_native()
    if isinstance(native, pd.Series) and isinstance(native.dtype, pd.CategoricalDtype):
        labels = [_plain(label) for label in native.cat.categories]
        return Labels(labels, native.cat.codes.to_numpy().astype(np.int64), declared=True)
    if hasattr(native, "unify_dictionaries"):
        return _from_dictionary(native)
    values = np.asarray(series.to_numpy(), dtype=object)
    if series.dtype == nw.Enum:
        return factorize(values, name, series.cat.get_categories().to_list())
    return factorize(values, name)  # the order of polars' global cache says nothing


def _from_dictionary(column: Any) -> Labels:
    """An Arrow dictionary column; its chunks may have dictionaries of their own."""
    unified = column.unify_dictionaries()
    labels = unified.chunk(0).dictionary.to_pylist() if unified.num_chunks else []
    parts = [chunk.indices.fill_null(-1).to_numpy() for chunk in unified.chunks]
    codes = np.concatenate([np.empty(0, dtype=np.int64), *parts]).astype(np.int64)
    known = [label for label in labels if label is not None]
    place = {label: code for code, label in enumerate(known)}
    translate = np.array([*(place.get(label, -1) for label in labels), -1], dtype=np.int64)
    return Labels(known, translate[codes], declared=True)


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label


def sort_key(label: Any) -> tuple[str, Any]:
    """Order of labels: numbers first, then type by type."""
    if isinstance(label, (bool, int, float)):
        return "", label
    return type(label).__name__, label if isinstance(label, (str, bytes)) else str(label)


def _take(column: Column, rows: NDArray[Any]) -> Column:
    if isinstance(column, Numbers):
        return Numbers(column.values[rows], None if column.exact is None else column.exact[rows])
    return Labels(column.labels, column.codes[rows], column.declared)
