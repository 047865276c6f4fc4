"""Summaries of columns, from which their codings are chosen. Summaries of parts can be merged."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove._utils.memory import require_memory
from bayesgrove.encoding.codings import Coding, Continuous, Intervals, Nominal
from bayesgrove.kernels import kernels
from bayesgrove.tables.columns import (
    Column,
    Labels,
    Numbers,
    as_labels,
    beyond_floats,
    sort_key,
    whole_label,
)
from bayesgrove.tables.numerals import EXACT_INTEGERS

if TYPE_CHECKING:
    from bayesgrove.encoding.discretizers import Discretizer
    from bayesgrove.kernels import Codes, Floats

HEAD_ROWS = 1000
LABEL_BYTES = 100
MAX_NOMINAL_LEVELS = 10
"""Whole numbers are read as labels if they have at most this number of distinct values."""


@dataclass(frozen=True)
class ColumnSummary:
    """The distinct values of a column, with class counts if they are numbers.

    A summary contains the values themselves, so that summaries of batches, files or machines with
    different values can be merged: the result has the union of the values.

    Parameters
    ----------
    labels : list or None
        The distinct labels, or None if the column is numeric.
    numbers : ndarray of shape (n_distinct,) or None
        The distinct numbers, ascending, or None if the column has labels.
    table : ndarray of shape (n_distinct, n_classes) or None
        The summed weights by number and class. None if it is not needed.
    missing : bool
        Whether the column has missing values.
    declared : bool, default=False
        Whether the source declares the labels and their order.
    exact : frozenset of int or None, default=None
        The distinct integers, if floats cannot hold all of them exactly. If there are more than
        `MAX_NOMINAL_LEVELS`, only the size of the set has a meaning: it exceeds that limit.
    """

    labels: list[Any] | None
    numbers: Floats | None
    table: Floats | None
    missing: bool
    declared: bool = False
    exact: frozenset[int] | None = None

    def merge(self, other: ColumnSummary, name: str) -> ColumnSummary:
        """Return the summary of the rows of both parts.

        Parameters
        ----------
        other : ColumnSummary
            The summary of the same column in other rows.
        name : str
            The name of the column, for messages.

        Returns
        -------
        ColumnSummary
            The merged summary.

        Raises
        ------
        ValueError
            If one part has numbers and the other has labels.
        """
        missing = self.missing or other.missing
        if self.numbers is None and other.numbers is None:
            assert self.labels is not None
            assert other.labels is not None
            same = self.labels == other.labels
            labels = self.labels if same else _union(self.labels, other.labels)
            return ColumnSummary(labels, None, None, missing)
        if self.numbers is None or other.numbers is None:
            return self._merge_kinds(other, name, missing)
        values, place = np.unique(
            np.concatenate([self.numbers, other.numbers]), return_inverse=True
        )
        exact = _joined_exact(self, other)
        if self.table is None or other.table is None:
            return ColumnSummary(None, values, None, missing, exact=exact)
        n_classes = max(self.table.shape[1], other.table.shape[1])
        table = np.zeros((len(values), n_classes))
        for part, rows in zip((self, other), np.split(place, [len(self.numbers)]), strict=True):
            assert part.table is not None
            table[rows, : part.table.shape[1]] += part.table
        return ColumnSummary(None, values, table, missing, exact=exact)

    @property
    def nbytes(self) -> int:
        """Approximate number of bytes of the distinct values and their table."""
        arrays = sum(part.nbytes for part in (self.numbers, self.table) if part is not None)
        return arrays + LABEL_BYTES * len(self.labels or ())

    def with_classes(self, order: list[int]) -> ColumnSummary:
        """Return the summary with other columns of the class counts.

        Parameters
        ----------
        order : list of int
            The old index of every new class. Classes that are not listed are left out.

        Returns
        -------
        ColumnSummary
            The summary with its table in that order of the classes.
        """
        if self.table is None:
            return self
        missing = max([*order, -1]) + 1 - self.table.shape[1]
        table = np.pad(self.table, ((0, 0), (0, max(missing, 0))))
        return replace(self, table=table[:, order])

    def _merge_kinds(self, other: ColumnSummary, name: str, missing: bool) -> ColumnSummary:
        """Return the summary of numbers and of a part without values; raise if it has labels."""
        words, numbers = (self, other) if self.numbers is None else (other, self)
        if words.labels:
            raise ValueError(
                f"Column {name!r} holds numbers in one part of the data and labels such as "
                f"{words.labels[0]!r} in another: convert all values to one kind."
            )
        return replace(numbers, missing=missing)


def summarise(
    column: Column,
    name: str,
    target: Codes,
    n_classes: int,
    weights: Floats | None,
    *,
    needs_table: bool,
    first_row: int = 0,
) -> ColumnSummary:
    """Return the summary of one column.

    The value table of a numeric column needs a sort, so it is made only if it is needed.
    """
    if isinstance(column, Labels):
        return _summarise_labels(column)
    if not needs_table:
        target, n_classes = np.zeros(len(column.values), dtype=np.uint8), 1
    require_memory(
        8 * len(column.values) * n_classes,
        f"The table of column {name!r} by class",
        "there are too many classes for it: is y an identifier?",
    )
    distinct, table, missing, infinite = kernels.value_table(
        column.values, target, n_classes, weights
    )
    if infinite:
        refuse_infinite(column.values, name, first_row)
    exact = exact_integers(column) if _is_beyond_floats(column) else None
    return ColumnSummary(None, distinct, table if needs_table else None, missing > 0, exact=exact)


def refuse_infinite(values: Any, name: str, first_row: int = 0) -> None:
    """Raise if a number is infinite; the message names the first row that has it."""
    infinite = np.isinf(values)
    if infinite.any():
        row = first_row + int(np.argmax(infinite))
        raise ValueError(
            f"Column {name!r} contains infinity (first in row {row}): "
            "replace it by a large number, or by a missing value."
        )


def exact_integers(column: Numbers) -> frozenset[int]:
    """Return the distinct integers of a column.

    If the first rows have more than `MAX_NOMINAL_LEVELS`, the result is only a placeholder of more
    than that many integers.
    """
    head = np.unique(column.values[:HEAD_ROWS])
    if len(head) > MAX_NOMINAL_LEVELS:
        return frozenset(range(MAX_NOMINAL_LEVELS + 1))
    return frozenset(as_labels(column).labels)


def _joined_exact(one: ColumnSummary, two: ColumnSummary) -> frozenset[int] | None:
    """Return the integers of both parts if floats cannot hold those of a part, else None."""
    if one.exact is None and two.exact is None:
        return None
    parts = [part.exact if part.exact is not None else _as_integers(part) for part in (one, two)]
    return frozenset().union(*parts)


def _as_integers(summary: ColumnSummary) -> frozenset[int]:
    """Return the integers of a summary; a placeholder if they are many or not whole."""
    few = None if summary.numbers is None else few_whole(summary.numbers)
    return frozenset(range(MAX_NOMINAL_LEVELS + 1)) if few is None else frozenset(few)


def _is_beyond_floats(column: Numbers) -> bool:
    """Return whether a column has integers that a float cannot hold exactly."""
    wide = column.values.dtype.kind in "iu" and column.values.dtype.itemsize == 8
    return column.exact is not None or (wide and beyond_floats(column.values))


def few_whole(values: Any) -> list[Any] | None:
    """Return distinct numbers as integer labels if they are few and whole, else None."""
    if len(values) > MAX_NOMINAL_LEVELS or not np.isfinite(values).all():
        return None
    if (values != np.floor(values)).any():
        return None
    if values.dtype.kind == "f" and np.abs(values).max(initial=0) > EXACT_INTEGERS:
        return None  # One float may stand for several integers.
    return [int(value) for value in values]


def choose_coding(
    name: str,
    summary: ColumnSummary,
    nominal: bool | None,
    discretizer: Discretizer | None,
    missing_state: bool,
) -> Coding:
    """Return the coding of a column.

    Labels are nominal. Numbers are nominal if the user declares them so (``nominal=True``), or if
    the kind is inferred (``nominal=None``) and they are few and whole. Other numbers become
    intervals or, without a discretizer, stay numeric.
    """
    state = summary.missing and missing_state
    if summary.labels is not None:
        return Nominal(name, tuple(summary.labels), state)
    assert summary.numbers is not None
    if summary.exact is not None and len(summary.exact) <= MAX_NOMINAL_LEVELS and nominal is None:
        return Nominal(name, tuple(sorted(summary.exact)), state)
    whole = few_whole(summary.numbers)
    if nominal or (nominal is None and whole is not None):
        return Nominal(name, tuple(map(whole_label, summary.numbers.tolist())), state)
    if discretizer is None:
        return Continuous(name, _mean_gap(summary.numbers))
    assert summary.table is not None
    return Intervals(name, discretizer.cuts_for_table(summary.numbers, summary.table), state)


def as_nominal(column: Column, nominal: bool | None) -> Column:
    """Return a part of a declared nominal column as labels, so that all parts can be merged."""
    return as_labels(column) if nominal else column


def declared_kind(column: Column, nominal: bool | None) -> Column:
    """Return declared nominal integers as labels if floats cannot hold them exactly."""
    if not nominal or isinstance(column, Labels):
        return column
    return as_labels(column) if _is_beyond_floats(column) else column


def _summarise_labels(column: Labels) -> ColumnSummary:
    """Return the summary of labels: all declared ones, or those that occur, sorted."""
    size = len(column.labels)
    used = _used(column, size)
    missing = bool(used[size])
    if column.declared:
        return ColumnSummary(column.labels, None, None, missing, declared=True)
    labels = [label for label, seen in zip(column.labels, used[:size], strict=True) if seen]
    return ColumnSummary(sorted(labels, key=sort_key), None, None, missing)


def _used(column: Labels, size: int) -> Any:
    """Return a flag per label that occurs; the last flag is for missing values."""
    head = kernels.used_labels(column.codes[:HEAD_ROWS], size)
    if column.complete and head[:size].all():  # The other rows cannot add anything.
        return head
    return kernels.used_labels(column.codes, size)


def _mean_gap(distinct: Floats) -> float:
    """Return the mean gap between adjacent values; 0 if there are fewer than two."""
    if len(distinct) < 2:
        return 0.0
    width = float(distinct[-1]) - float(distinct[0])
    return min(width, sys.float_info.max) / (len(distinct) - 1)


def _union(first: list[Any], second: list[Any]) -> list[Any]:
    """Return the labels of both lists, sorted."""
    return sorted(dict.fromkeys([*first, *second]), key=sort_key)
