"""Columns of numbers or labels, and batches of columns. Every table is read as batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from bayesgrove.tables.numerals import EXACT_INTEGERS, is_code, to_numbers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.kernels import Floats

FEW_ROWS = 16
"""Up to this number of rows, plain Python is faster than a call of pandas."""


@dataclass(frozen=True)
class Numbers:
    """A column of numbers.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        One number per row, NaN for missing values.
    exact : ndarray of object or None, default=None
        The same values as Python integers, None for missing values. It is set only where the
        column has integers that a float cannot hold exactly.
    """

    values: NDArray[Any]
    exact: NDArray[np.object_] | None = None

    def take(self, rows: NDArray[Any]) -> Numbers:
        """Return the column with the given rows only."""
        return Numbers(self.values[rows], None if self.exact is None else self.exact[rows])

    @property
    def has_missing(self) -> bool:
        """Whether the column has missing values."""
        return self.values.dtype.kind == "f" and bool(np.isnan(self.values).any())


@dataclass(frozen=True)
class Labels:
    """A column of labels: the label of a row is ``labels[codes[row]]``.

    Parameters
    ----------
    labels : list
        The distinct labels.
    codes : ndarray of shape (n_rows,)
        One code per row. A negative code stands for a missing value.
    declared : bool, default=False
        Whether the source declares the labels. Declared labels keep their order, and all of them
        become states, even those without rows. Other labels are sorted.
    complete : bool, default=False
        True if the column is known to have no missing values. False if that is not known.
    """

    labels: list[Any]
    codes: NDArray[np.integer[Any]]
    declared: bool = False
    complete: bool = False

    def take(self, rows: NDArray[Any]) -> Labels:
        """Return the column with the given rows only."""
        return Labels(self.labels, self.codes[rows], self.declared, self.complete)

    @property
    def has_missing(self) -> bool:
        """Whether the column has missing values."""
        return bool((self.codes < 0).any())


@dataclass(frozen=True)
class Texts(Labels):
    """A column of texts as they stand in a file, before they become numbers or labels.

    In training, `typed` decides whether the texts are numbers. In prediction, the schema decides.

    Parameters
    ----------
    labels : list of str
        The distinct texts.
    codes : ndarray of shape (n_rows,)
        One code per row. A negative code stands for a missing value.
    declared : bool, default=False
        Whether the source declares the labels.
    complete : bool, default=False
        True if the column is known to have no missing values. False if that is not known.
    decimals : str, default="."
        The decimal signs that the numbers may have, the most likely one first.
    """

    decimals: str = "."

    def take(self, rows: NDArray[Any]) -> Texts:
        """Return the column with the given rows only."""
        return replace(self, codes=self.codes[rows])

    def typed(self) -> Column:
        """Return numbers if all texts are plain numbers and none looks like a code, else labels."""
        numbers = to_numbers(self.labels, self.decimals[0])
        if numbers and not any(map(is_code, self.labels)):
            return Numbers(spread(numbers, self.codes))
        return sorted_labels(self.labels, self.codes)


Column = Numbers | Labels


@dataclass(frozen=True)
class Batch:
    """Some rows of a table, as columns.

    Parameters
    ----------
    names : list of str or None
        The names of the columns, or None if the input has no names.
    rows : int
        The number of rows.
    columns : sequence of Numbers or Labels
        The columns. `Texts`, a kind of `Labels`, holds texts that are not typed yet.
    matrix : ndarray of shape (n_rows, n_columns) or None, default=None
        All columns as one numeric array, if the input was such an array.
    kept : pandas.DataFrame or None, default=None
        Columns that are passed to the output unchanged.
    spelled : bool, default=False
        True for rows of a file. Then a value matches a label of training that is written in the
        same way, even if its type differs: the text "3" matches the number 3.
    """

    names: list[str] | None
    rows: int
    columns: Sequence[Column]
    matrix: NDArray[Any] | None = None
    kept: pd.DataFrame | None = None
    spelled: bool = False

    def name(self, j: int) -> str:
        """Return the name of column ``j``; ``x0``, ``x1``, ... if the input has no names.

        Parameters
        ----------
        j : int
            The index of the column.

        Returns
        -------
        str
            The name.
        """
        return f"x{j}" if self.names is None else self.names[j]

    def take(self, rows: NDArray[Any]) -> Batch:
        """Return the batch with the given rows only, without the kept columns.

        Parameters
        ----------
        rows : ndarray
            Row indices, or a boolean mask.

        Returns
        -------
        Batch
            The rows, in the order of the indices.
        """
        if self.matrix is not None:
            return matrix_batch(self.matrix[rows], self.names)
        columns = [column.take(rows) for column in self.columns]
        count = len(np.arange(self.rows)[rows])
        return Batch(self.names, count, columns, spelled=self.spelled)

    def select(self, places: Sequence[int]) -> Batch:
        """Return the batch with some of its columns.

        Parameters
        ----------
        places : sequence of int
            The indices of the columns.

        Returns
        -------
        Batch
            The columns, in the order of the indices.
        """
        if list(places) == list(range(len(self.columns))):
            return self
        names = None if self.names is None else [self.names[j] for j in places]
        matrix = None if self.matrix is None else self.matrix[:, places]
        columns = [self.columns[j] for j in places]
        return Batch(names, self.rows, columns, matrix, self.kept, self.spelled)


def matrix_batch(matrix: NDArray[Any], names: list[str] | None = None) -> Batch:
    """Return a two-dimensional array of numbers as a batch."""
    return Batch(names, len(matrix), _MatrixColumns(matrix), matrix)


class _MatrixColumns(Sequence[Column]):
    """The columns of a matrix, each created when it is accessed."""

    def __init__(self, matrix: NDArray[Any]) -> None:
        self._matrix = matrix

    def __len__(self) -> int:
        return int(self._matrix.shape[1])

    def __getitem__(self, j: Any) -> Any:
        return Numbers(self._matrix[:, j])


def factorize(values: Any, name: str, categories: list[Any] | None = None) -> Labels:
    """Return values as labels: the distinct labels and the code of every row, by hashing.

    Without ``categories`` the labels are sorted: first by type, then by value.
    """
    codes, distinct = hashed(values, name)
    labels = [plain_label(label) for label in distinct]
    if categories is None:
        return sorted_labels(labels, codes)
    code_of = {label: code for code, label in enumerate(categories)}
    new_codes = _translated([code_of[label] for label in labels], codes)
    return Labels(categories, new_codes, declared=True)


def hashed(values: Any, name: str) -> tuple[NDArray[Any], Any]:
    """Return the code of every row, -1 if missing, and the distinct values by first occurrence."""
    try:
        if len(values) <= FEW_ROWS:
            return _hashed_few(values)
        series = values if isinstance(values, pd.Series) else np.asarray(values, dtype=object)
        codes, distinct = pd.factorize(series)
    except TypeError as error:
        raise ValueError(
            f"Column {name!r} holds values that are not plain labels ({error}). "
            "Convert them to strings or numbers, or leave the column out."
        ) from error
    return codes, distinct


def _hashed_few(values: Any) -> tuple[NDArray[Any], list[Any]]:
    """Return the same as `hashed`, in plain Python, which is faster for few rows."""
    code_of: dict[Any, int] = {}
    codes = [
        -1 if _is_missing(value) else code_of.setdefault(value, len(code_of))
        for value in list(values)
    ]
    return np.array(codes, dtype=np.int64), list(code_of)


def _is_missing(value: Any) -> bool:
    """Return whether a value is None, NaN or NA; raise TypeError if it cannot be hashed."""
    if type(value) is str:
        return False
    hash(value)  # A label must be hashable.
    return value is None or pd.isna(value) is True or value != value


def sorted_labels(labels: Sequence[Any], codes: NDArray[Any]) -> Labels:
    """Return a column with its labels sorted by `sort_key` and its codes changed to match."""
    if len(labels) < 2:
        return Labels(list(labels), codes)
    ranked = sorted(range(len(labels)), key=lambda at: sort_key(labels[at]))
    order = np.empty(len(labels), dtype=np.int64)
    order[ranked] = np.arange(len(labels))
    return Labels([labels[at] for at in ranked], _translated(order, codes))


def _translated(places: Any, codes: NDArray[Any]) -> NDArray[np.int64]:
    """Return ``places[code]`` for every code; the code -1 of missing values stays."""
    table = np.full(len(places) + 1, -1, dtype=np.int64)
    table[:-1] = places
    translated: NDArray[np.int64] = table[codes]
    return translated


def spread(values: Sequence[float], codes: NDArray[Any]) -> Floats:
    """Return the number of every row, given the numbers of the codes; NaN for missing values."""
    numbers: Floats = np.array([*values, np.nan], dtype=np.float64)[codes]
    return numbers


def as_labels(column: Column) -> Labels:
    """Return a column as labels. Whole numbers become integers: 1 and 1.0 are one label."""
    if isinstance(column, Texts):
        column = column.typed()
    if isinstance(column, Labels):
        return column
    values = column.values.astype(object) if column.exact is None else column.exact
    if column.exact is None and column.values.dtype.kind == "f":
        values[np.isnan(column.values)] = None
    labels = factorize(values, "")
    return Labels([whole_label(label) for label in labels.labels], labels.codes)


def concatenate(columns: Sequence[Column]) -> Column:
    """Return several parts of one column as one column."""
    if len(columns) == 1:
        return columns[0]
    if all(isinstance(column, Numbers) for column in columns):
        return _joined_numbers([column for column in columns if isinstance(column, Numbers)])
    parts = [as_labels(column) for column in columns]
    code_of: dict[Any, int] = {}
    codes = [
        _translated([code_of.setdefault(label, len(code_of)) for label in part.labels], part.codes)
        for part in parts
    ]
    return sorted_labels(list(code_of), np.concatenate(codes))


def _joined_numbers(columns: list[Numbers]) -> Numbers:
    """Return several parts of a numeric column as one; keep exact integers if a part has them."""
    values = np.concatenate([column.values for column in columns])
    if all(column.exact is None for column in columns):
        return Numbers(values)
    exact = [
        column.values.astype(object) if column.exact is None else column.exact for column in columns
    ]
    return Numbers(values.astype(np.float64), np.concatenate(exact))


def to_series(column: Column) -> pd.Series:
    """Return a column as a pandas series: numbers, or labels as categories."""
    if isinstance(column, Texts):
        column = column.typed()
    if isinstance(column, Labels):
        index = pd.Index(column.labels, dtype=object)
        return pd.Series(pd.Categorical.from_codes(column.codes, index))
    return pd.Series(column.values if column.exact is None else column.exact)


def plain_label(label: Any) -> Any:
    """Return a label as a Python object instead of a numpy scalar."""
    return label.item() if isinstance(label, np.generic) else label


def whole_label(value: Any) -> Any:
    """Return a whole float as an integer, so that 1 and 1.0 are one label."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def sort_key(label: Any) -> tuple[str, Any]:
    """Return the sort key of a label: numbers first, then by name of the type, then by value."""
    if isinstance(label, (bool, int, float)):
        return "", label
    return type(label).__name__, label if isinstance(label, (str, bytes)) else str(label)


def beyond_floats(values: NDArray[Any]) -> bool:
    """Return whether an array has integers that a float cannot hold exactly."""
    if not values.size:
        return False
    return max(abs(int(values.min())), abs(int(values.max()))) > EXACT_INTEGERS


def python_numbers(values: NDArray[np.object_]) -> Numbers:
    """Return Python numbers as floats; keep the exact integers if floats cannot hold them."""
    present = ~pd.isna(values)
    floats = np.full(len(values), np.nan)
    floats[present] = values[present].astype(np.float64)
    large = np.abs(floats[present]) > EXACT_INTEGERS
    if not large.any() or not all(isinstance(v, (int, np.integer)) for v in values[present]):
        return Numbers(floats)
    exact = values.copy()
    exact[~present] = None
    return Numbers(floats, exact)


def kernel_type(array: NDArray[Any]) -> NDArray[Any]:
    """Return numbers in a type and layout that the kernels accept."""
    if array.dtype.kind not in "iuf" or array.dtype.itemsize > 8 or not array.dtype.isnative:
        return array.astype(np.float64)
    if array.dtype in (np.float16, np.uint64):
        return array.astype(np.float64)
    if not array.flags.aligned or any(stride % array.itemsize for stride in array.strides):
        return array.copy()  # It is a field of packed records, or a view into bytes.
    return array


def object_column(values: NDArray[Any], name: str) -> Column:
    """Return an array of strings or Python objects as numbers or labels."""
    if values.dtype.kind in "bUS":
        return factorize(values.astype(object), name)
    if len(values) <= FEW_ROWS and set(map(type, values)) == {str}:
        return factorize(values, name)
    inferred = pd.api.types.infer_dtype(values, skipna=True)
    if inferred in ("integer", "floating", "mixed-integer-float", "decimal"):
        try:
            return python_numbers(values)
        except OverflowError:  # Integers beyond the range of floats can only be labels.
            return factorize(values, name)
    if inferred in ("datetime", "datetime64", "date", "timedelta", "timedelta64", "time"):
        raise ValueError(DATES.format(name))
    if inferred == "complex":
        raise ValueError(
            f"Complex data not supported (column {name!r}): "
            "give the real and imaginary parts as columns."
        )
    return factorize(values, name)


DATES = (
    "Column {!r} holds dates or durations. Convert them to numbers (a year, a number of days) "
    "or to labels (a month, a weekday) first."
)
NESTED = "Column {!r} holds lists or records: leave it out, or split it into columns."


def check_size(rows: int, columns: int) -> None:
    """Raise unless there is at least one row and one column."""
    shape = f"(shape=({rows}, {columns}))"
    if rows == 0:
        raise ValueError(f"Found array with 0 sample(s) {shape} while a minimum of 1 is required.")
    if columns == 0:
        raise ValueError(f"Found array with 0 feature(s) {shape} while a minimum of 1 is required.")
