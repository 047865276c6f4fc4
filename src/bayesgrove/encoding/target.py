"""Encode the class column: from a vector y, or from a column of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from bayesgrove._utils.options import OptionError
from bayesgrove._utils.wording import counted
from bayesgrove.encoding.encoded import code_type
from bayesgrove.kernels import kernels
from bayesgrove.tables import TableError, typed
from bayesgrove.tables.columns import Labels, Numbers, Texts, factorize, sort_key, whole_label

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes
    from bayesgrove.tables import Column, Table


def encode_target(y: Any, rows: int) -> tuple[NDArray[Any], Codes]:
    """Return the sorted class labels of y, and the code of every row."""
    labels = _as_vector(y)
    _check_length(labels, rows)
    if labels.dtype.kind in "biu":
        classes, codes = _encode_integers(labels)
        _warn_of_many(classes, labels)
        return classes, codes
    missing = pd.isna(labels)
    if missing.any():
        raise ValueError(
            f"Input y contains NaN: {counted(int(missing.sum()), 'row')} without a class "
            f"(first: row {int(np.argmax(missing))}). Leave these rows out."
        )
    column = factorize(labels.astype(object), "y")
    classes = np.asarray(column.labels, dtype=labels.dtype)
    if not all(isinstance(label, str) for label in column.labels):  # Texts are always classes.
        check_targets(labels if labels.dtype.kind == "f" else np.repeat(classes, 2))
    _warn_of_many(classes, labels)
    return classes, column.codes.astype(code_type(len(classes)))


def _warn_of_many(classes: NDArray[Any], labels: NDArray[Any]) -> None:
    """Let scikit-learn warn if the number of classes exceeds half the number of rows."""
    if 2 * len(classes) > len(labels):
        check_classification_targets(labels)


def check_targets(labels: NDArray[Any]) -> None:
    """Raise unless the labels are finite and scikit-learn accepts them as class labels."""
    if labels.dtype.kind == "f" and np.isinf(labels).any():
        raise ValueError(
            f"Input y contains infinity or a value too large for {labels.dtype!r} "
            f"(first: row {int(np.argmax(np.isinf(labels)))}). Leave these rows out."
        )
    check_classification_targets(labels)


def known_classes(classes: Any) -> NDArray[Any]:
    """Return the class labels that the user lists, sorted."""
    vector = np.asarray(classes)
    if vector.ndim != 1 or pd.isna(vector).any():
        raise OptionError(f"classes={classes!r} must be a list of labels, none of them missing.")
    return np.unique(vector)


def codes_of(y: Any, classes: NDArray[Any], rows: int) -> Codes:
    """Return the codes of labels among known classes; raise if a label is not a known class."""
    code_of = {label: code for code, label in enumerate(classes.tolist())}
    labels = _as_vector(y)
    _check_length(labels, rows)
    if not pd.isna(labels).any():
        check_targets(labels)
    column = factorize(labels.astype(object), "y")
    if (column.codes < 0).any():
        row = int(np.argmax(column.codes < 0))
        raise ValueError(
            f"Input y contains NaN: row {row} has no class. Leave rows without a class out."
        )
    unknown = [label for label in column.labels if label not in code_of]
    if unknown:
        raise ValueError(
            f"The class {unknown[0]!r} is not among the classes {classes.tolist()[:10]}: "
            "list all classes with classes=... in the first call."
        )
    new_codes = np.array([code_of[label] for label in column.labels], dtype=code_type(len(classes)))
    codes: Codes = new_codes[column.codes]
    return codes


def _check_length(labels: NDArray[Any], rows: int) -> None:
    """Raise unless there is one label per row; the words are those of scikit-learn."""
    if len(labels) != rows:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: [{rows}, {len(labels)}]"
        )


def _as_vector(y: Any) -> NDArray[Any]:
    """Return y of any library as a one-dimensional array of labels."""
    if y is None:
        raise ValueError("This estimator requires y to be passed, but the target y is None.")
    if type(y).__module__.startswith("pyarrow"):
        y = y.to_pandas()
    elif type(y).__module__.startswith("polars"):
        y = y.to_numpy()
    if isinstance(y, pd.Series):
        y = y.to_numpy(dtype=object) if not pd.api.types.is_numeric_dtype(y.dtype) else y.to_numpy()
    vector = y if type(y) is np.ndarray and y.ndim == 1 else column_or_1d(y, warn=True)
    if vector.dtype.kind == "c":
        raise ValueError("Complex data not supported as classes: give labels or whole numbers.")
    return _concrete(np.asarray(vector))


def _concrete(labels: NDArray[Any]) -> NDArray[Any]:
    """Return an object array of Python numbers or truth values in their numpy type."""
    types = {"boolean": bool, "integer": np.int64, "floating": np.float64}
    if labels.dtype == object:
        kind = types.get(pd.api.types.infer_dtype(labels, skipna=False))
        try:
            return labels if kind is None else labels.astype(kind)
        except OverflowError:
            wide = next(label for label in labels.tolist() if abs(label) >= 1 << 63)
            raise ValueError(
                f"The class {wide} has more than 64 bits: give such classes as texts."
            ) from None
    return labels


def _encode_integers(labels: NDArray[Any]) -> tuple[NDArray[Any], Codes]:
    """Return the sorted distinct integers, and the code of every row."""
    low, high = int(labels.min(initial=0)), int(labels.max(initial=0))
    if low >= 0 and high < 1 << 16:  # Small numbers are counted, which is faster than sorting.
        classes = np.flatnonzero(np.bincount(labels.astype(np.intp)))
        if len(classes) == high + 1:
            return classes.astype(labels.dtype), labels.astype(code_type(len(classes)))
        code_of = np.zeros(high + 1, dtype=code_type(len(classes)))
        code_of[classes] = np.arange(len(classes))
        return classes.astype(labels.dtype), code_of[labels.astype(np.intp)]
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes.astype(code_type(len(classes)))


class ClassColumn:
    """The class column of a table that is read in batches.

    During the first pass labels are numbered in the order of their first occurrence. After
    `finish` the labels are sorted, and `codes` returns their final codes.

    Parameters
    ----------
    table : Table
        The table, for messages.
    name : str
        The name of the column.
    """

    def __init__(self, table: Table, name: str) -> None:
        self._table = table
        self._name = name
        self._number_of: dict[Any, int] = {}
        self._used: set[int] = set()
        self._rows_seen = 0
        self._missing = 0
        self._first_missing = 0

    @property
    def size(self) -> int:
        """Number of labels so far."""
        return len(self._number_of)

    def add(self, column: Column, first_row: int) -> NDArray[np.int64]:
        """Number the labels of some rows; return the number of every row, -1 if it is missing."""
        labels = self._labels(column, first_row)
        numbers = [
            self._number_of.setdefault(label, len(self._number_of)) for label in labels.labels
        ]
        used = kernels.used_labels(labels.codes, len(numbers))
        self._used.update(number for number, seen in zip(numbers, used[:-1], strict=True) if seen)
        if used[-1] and first_row >= self._rows_seen:  # Count each row once over several passes.
            rows = labels.codes < 0
            if not self._missing:
                self._first_missing = first_row + int(np.argmax(rows))
            self._missing += int(rows.sum())
        self._rows_seen = max(self._rows_seen, first_row + len(labels.codes))
        row_numbers: NDArray[np.int64] = np.array([*numbers, -1], dtype=np.int64)[labels.codes]
        return row_numbers

    def labels(self) -> tuple[list[Any], list[int]]:
        """Return the sorted class labels that occur in rows, and their numbers from `add`."""
        used = (label for label, number in self._number_of.items() if number in self._used)
        labels = sorted(used, key=sort_key)
        return labels, [self._number_of[label] for label in labels]

    def finish(self) -> tuple[NDArray[Any], list[int]]:
        """Return the sorted class labels, and their numbers from `add`.

        Raise if a row has no class.
        """
        if self._missing:
            raise TableError(
                self._table.source,
                f"{counted(self._missing, 'row')} without a value in the target {self._name!r} "
                f"(first: {self._table.place(self._first_missing)}): leave rows with a missing "
                "class out.",
            )
        labels, order = self.labels()
        self._number_of = {label: code for code, label in enumerate(labels)}
        kinds = {type(label) for label in labels}
        plain = any(kinds == {kind} for kind in (int, bool, float))
        return np.array(labels, dtype=None if plain else object), order

    def codes(self, column: Column, first_row: int) -> Codes:
        """Return the class codes of some rows; call `finish` first."""
        labels = self._labels(column, first_row)
        table = np.zeros(len(labels.labels) + 1, dtype=code_type(len(self._number_of)))
        table[:-1] = [self._number_of.get(label, 0) for label in labels.labels]
        codes = np.empty_like(table, shape=len(labels.codes))
        kernels.translate(labels.codes, table, codes)
        return codes

    def _labels(self, column: Column, first_row: int) -> Labels:
        """Return the class of every row as a label: a whole number, a truth value or a text."""
        spelled, column = isinstance(column, Texts), typed(column)
        if isinstance(column, Numbers):
            labels = self._whole_numbers(column, first_row)
            whole = spelled or column.values.dtype.kind != "f"
            return labels if not whole else Labels(list(map(int, labels.labels)), labels.codes)
        texts = [
            label if isinstance(label, (int, str)) else str(whole_label(label))
            for label in column.labels
        ]
        return Labels(texts, column.codes)

    def _whole_numbers(self, column: Numbers, first_row: int) -> Labels:
        """Return a numeric column as labels; raise unless all numbers are whole."""
        if column.exact is not None:
            return factorize(column.exact, self._name)
        values = column.values
        codes, distinct = pd.factorize(values)
        fractions = [
            at for at, value in enumerate(distinct.tolist()) if not float(value).is_integer()
        ]
        if fractions:
            row = first_row + int(np.argmax(codes == fractions[0]))
            raise TableError(
                self._table.source,
                f"the target {self._name!r} holds numbers such as {distinct[fractions[0]]:g}, "
                "which are continuous and not classes: cut the column into classes first.",
                self._table.place(row),
            )
        return Labels(distinct.tolist(), codes)


def class_column(table: Table, target: str) -> pd.Series[Any]:
    """Return the class label of every row; raise if a row has no class."""
    column = ClassColumn(table, target)
    numbers, first_row = [], 0
    for batch in table.batches([table.number(target)]):
        numbers.append(column.add(batch.columns[0], first_row))
        first_row += batch.rows
    labels, order = column.finish()
    code_of = np.zeros(column.size + max(order, default=0) + 1, dtype=np.int64)
    code_of[order] = np.arange(len(order))
    return pd.Series(labels[code_of[np.concatenate(numbers)]], name=target)


def class_codes(table: Table, target: str) -> tuple[NDArray[np.int64], dict[Any, int]]:
    """Return the class code of every row, -1 if missing, and the number of rows per class."""
    column = ClassColumn(table, target)
    parts, first_row = [], 0
    for batch in table.batches([table.number(target)]):
        parts.append(column.add(batch.columns[0], first_row))
        first_row += batch.rows
    numbers = np.concatenate(parts)
    if not (numbers >= 0).any():
        column.finish()  # It raises, because all classes are missing.
    labels, order = column.labels()
    codes = np.full(column.size + 1, -1, dtype=np.int64)
    codes[order] = np.arange(len(order))
    coded: NDArray[np.int64] = codes[numbers]
    tally = np.bincount(coded[coded >= 0], minlength=len(order)).tolist()
    return coded, dict(zip(labels, tally, strict=True))
