"""Columns of numbers or labels, and batches of them: what every table is read as."""

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
"""So few rows are not worth a call of pandas."""


@dataclass(frozen=True)
class Numbers:
    """A column of numbers; NaN where a value is missing.

    ``exact`` holds the values themselves where they are integers that a float cannot hold.
    """

    values: NDArray[Any]
    exact: NDArray[np.object_] | None = None

    def take(self, rows: NDArray[Any]) -> Numbers:
        """Return some of the rows."""
        return Numbers(self.values[rows], None if self.exact is None else self.exact[rows])

    @property
    def has_missing(self) -> bool:
        """Whether a value is missing."""
        return self.values.dtype.kind == "f" and bool(np.isnan(self.values).any())


@dataclass(frozen=True)
class Labels:
    """A column of labels: ``labels[codes[row]]``, a negative code where a value is missing.

    ``declared`` labels keep the order they were given in, with or without rows; others are sorted.
    ``complete`` says that no value is missing, where that is known.
    """

    labels: list[Any]
    codes: NDArray[np.integer[Any]]
    declared: bool = False
    complete: bool = False

    def take(self, rows: NDArray[Any]) -> Labels:
        """Return some of the rows."""
        return Labels(self.labels, self.codes[rows], self.declared, self.complete)

    @property
    def has_missing(self) -> bool:
        """Whether a value is missing."""
        return bool((self.codes < 0).any())


@dataclass(frozen=True)
class Texts(Labels):
    """Labels as a file spells them: whether they are numbers is for a schema to say.

    ``decimals`` are the decimal signs that its numbers may have, the most likely first.
    """

    decimals: str = "."

    def take(self, rows: NDArray[Any]) -> Texts:
        """Return some of the rows."""
        return replace(self, codes=self.codes[rows])

    def typed(self) -> Column:
        """Return numbers where all texts are plain numbers and none is a code; else labels."""
        numbers = to_numbers(self.labels, self.decimals[0])
        if numbers and not any(map(is_code, self.labels)):
            return Numbers(spread(numbers, self.codes))
        return sorted_labels(self.labels, self.codes)


Column = Numbers | Labels


@dataclass(frozen=True)
class Batch:
    """Some rows of a table: columns with their names (None where the input has none).

    ``matrix`` holds all columns as one array of numbers, where they came as such. ``kept`` has
    columns that are passed on as they are. Rows of a file are ``spelled``: what is written alike is
    the same value there, whatever its type.
    """

    names: list[str] | None
    rows: int
    columns: Sequence[Column]
    matrix: NDArray[Any] | None = None
    kept: pd.DataFrame | None = None
    spelled: bool = False

    def name(self, j: int) -> str:
        """Return the name of a column; ``x0``, ``x1``, ... where the input has none."""
        return f"x{j}" if self.names is None else self.names[j]

    def take(self, rows: NDArray[Any]) -> Batch:
        """Return some of the rows."""
        if self.matrix is not None:
            return matrix_batch(self.matrix[rows], self.names)
        columns = [column.take(rows) for column in self.columns]
        count = len(np.arange(self.rows)[rows])
        return Batch(self.names, count, columns, spelled=self.spelled)

    def select(self, places: Sequence[int]) -> Batch:
        """Return some of the columns."""
        if list(places) == list(range(len(self.columns))):
            return self
        names = None if self.names is None else [self.names[j] for j in places]
        matrix = None if self.matrix is None else self.matrix[:, places]
        columns = [self.columns[j] for j in places]
        return Batch(names, self.rows, columns, matrix, self.kept, self.spelled)


def matrix_batch(matrix: NDArray[Any], names: list[str] | None = None) -> Batch:
    """Return a batch of a two-dimensional array of numbers."""
    return Batch(names, len(matrix), _MatrixColumns(matrix), matrix)


class _MatrixColumns(Sequence[Column]):
    """Columns of a matrix, made when they are asked for."""

    def __init__(self, matrix: NDArray[Any]) -> None:
        self._matrix = matrix

    def __len__(self) -> int:
        return int(self._matrix.shape[1])

    def __getitem__(self, j: Any) -> Any:
        return Numbers(self._matrix[:, j])


def factorize(values: Any, name: str, categories: list[Any] | None = None) -> Labels:
    """Return the distinct labels and the code of every row, by hashing.

    Labels without a declared order are sorted; those of several types by type, then by value.
    """
    codes, distinct = hashed(values, name)
    labels = [plain_label(label) for label in distinct]
    if categories is None:
        return sorted_labels(labels, codes)
    place = {label: code for code, label in enumerate(categories)}
    return Labels(categories, _translated([place[label] for label in labels], codes), declared=True)


def hashed(values: Any, name: str) -> tuple[NDArray[Any], Any]:
    """Return the code of every row, -1 where it is missing, and the distinct values in turn."""
    try:
        if len(values) <= FEW_ROWS:
            return _hashed_few(values)
        held = values if isinstance(values, pd.Series) else np.asarray(values, dtype=object)
        codes, distinct = pd.factorize(held)
    except TypeError as error:
        raise ValueError(
            f"Column {name!r} holds values that are not plain labels ({error}). "
            "Turn them into strings or numbers, or leave the column out."
        ) from error
    return codes, distinct


def _hashed_few(values: Any) -> tuple[NDArray[Any], list[Any]]:
    place: dict[Any, int] = {}
    codes = [
        -1 if _is_missing(value) else place.setdefault(value, len(place)) for value in list(values)
    ]
    return np.array(codes, dtype=np.int64), list(place)


def _is_missing(value: Any) -> bool:
    if type(value) is str:
        return False
    hash(value)  # what cannot be hashed cannot be a label
    return value is None or pd.isna(value) is True or value != value


def sorted_labels(labels: Sequence[Any], codes: NDArray[Any]) -> Labels:
    """Return the labels in their order, with codes that follow."""
    if len(labels) < 2:
        return Labels(list(labels), codes)
    ranked = sorted(range(len(labels)), key=lambda at: sort_key(labels[at]))
    order = np.empty(len(labels), dtype=np.int64)
    order[ranked] = np.arange(len(labels))
    return Labels([labels[at] for at in ranked], _translated(order, codes))


def _translated(places: Any, codes: NDArray[Any]) -> NDArray[np.int64]:
    """Return other codes in the place of these; a missing one, -1, stays."""
    table = np.full(len(places) + 1, -1, dtype=np.int64)
    table[:-1] = places
    translated: NDArray[np.int64] = table[codes]
    return translated


def spread(values: Sequence[float], codes: NDArray[Any]) -> Floats:
    """Return the number of every row from those of the distinct values; NaN where it is missing."""
    numbers: Floats = np.array([*values, np.nan], dtype=np.float64)[codes]
    return numbers


def as_labels(column: Column) -> Labels:
    """Return numbers as labels, whole ones as integers: 1 and 1.0 are one label."""
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
    """Return the rows of several parts of one column as one column."""
    if len(columns) == 1:
        return columns[0]
    if all(isinstance(column, Numbers) for column in columns):
        return _joined_numbers([column for column in columns if isinstance(column, Numbers)])
    parts = [as_labels(column) for column in columns]
    place: dict[Any, int] = {}
    codes = [
        _translated([place.setdefault(label, len(place)) for label in part.labels], part.codes)
        for part in parts
    ]
    return sorted_labels(list(place), np.concatenate(codes))


def _joined_numbers(columns: list[Numbers]) -> Numbers:
    values = np.concatenate([column.values for column in columns])
    if all(column.exact is None for column in columns):
        return Numbers(values)
    exact = [
        column.values.astype(object) if column.exact is None else column.exact for column in columns
    ]
    return Numbers(values.astype(np.float64), np.concatenate(exact))


def to_series(column: Column) -> pd.Series:
    """Return a column as pandas has it: numbers, or sorted categories."""
    if isinstance(column, Texts):
        column = column.typed()
    if isinstance(column, Labels):
        index = pd.Index(column.labels, dtype=object)
        return pd.Series(pd.Categorical.from_codes(column.codes, index))
    return pd.Series(column.values if column.exact is None else column.exact)


def plain_label(label: Any) -> Any:
    """Return a label of numpy as one of Python."""
    return label.item() if isinstance(label, np.generic) else label


def whole_label(value: Any) -> Any:
    """Return a whole number as an integer: 1 and 1.0 are one label."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def sort_key(label: Any) -> tuple[str, Any]:
    """Return the rank of a label: numbers first, then type by type."""
    if isinstance(label, (bool, int, float)):
        return "", label
    return type(label).__name__, label if isinstance(label, (str, bytes)) else str(label)


def beyond_floats(values: NDArray[Any]) -> bool:
    """Return whether there are integers that a float does not hold exactly."""
    if not values.size:
        return False
    return max(abs(int(values.min())), abs(int(values.max()))) > EXACT_INTEGERS


def python_numbers(values: NDArray[np.object_]) -> Numbers:
    """Return Python numbers as floats; integers too large for these are kept beside them."""
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
    """Return numbers in a type and layout that the kernels take."""
    if array.dtype.kind not in "iuf" or array.dtype.itemsize > 8 or not array.dtype.isnative:
        return array.astype(np.float64)
    if array.dtype in (np.float16, np.uint64):
        return array.astype(np.float64)
    if not array.flags.aligned or any(stride % array.itemsize for stride in array.strides):
        return array.copy()  # a field of packed records, or a view into bytes
    return array


def object_column(values: NDArray[Any], name: str) -> Column:
    """Return a column of strings or of Python objects as numbers or labels."""
    if values.dtype.kind in "bUS":
        return factorize(values.astype(object), name)
    if len(values) <= FEW_ROWS and set(map(type, values)) == {str}:
        return factorize(values, name)
    inferred = pd.api.types.infer_dtype(values, skipna=True)
    if inferred in ("integer", "floating", "mixed-integer-float", "decimal"):
        try:
            return python_numbers(values)
        except OverflowError:  # integers beyond the range of floats can only be labels
            return factorize(values, name)
    if inferred in ("datetime", "datetime64", "date", "timedelta", "timedelta64", "time"):
        raise ValueError(DATES.format(name))
    if inferred == "complex":
        raise ValueError(f"Complex data not supported (column {name!r}).")
    return factorize(values, name)


DATES = (
    "Column {!r} holds dates or durations. Turn them into numbers (a year, a number of days) "
    "or labels (a month, a weekday) first."
)
NESTED = "Column {!r} holds lists or records: leave it out, or make columns of its parts."


def check_size(rows: int, columns: int) -> None:
    """Raise unless there are rows and columns."""
    shape = f"(shape=({rows}, {columns}))"
    if rows == 0:
        raise ValueError(f"Found array with 0 sample(s) {shape} while a minimum of 1 is required.")
    if columns == 0:
        raise ValueError(f"Found array with 0 feature(s) {shape} while a minimum of 1 is required.")
