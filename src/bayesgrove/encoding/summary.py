"""What has to be known of a column before it can be encoded; summaries of parts merge."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.encoding.codings import Coding, Continuous, Intervals, Nominal
from bayesgrove.encoding.cuts import value_table
from bayesgrove.encoding.memory import require_memory
from bayesgrove.encoding.raw import (
    EXACT_INTEGERS,
    Column,
    Labels,
    Numbers,
    beyond_floats,
    factorize,
    sort_key,
)
from bayesgrove.kernels import kernels

if TYPE_CHECKING:
    from bayesgrove.encoding.discretizers import Discretizer
    from bayesgrove.kernels import Codes, Floats

MAX_NOMINAL_LEVELS = 10
"""Numbers are taken as labels when they are whole and take at most so many values."""


@dataclass(frozen=True)
class ColumnSummary:
    """Distinct values of a column, with counts ``table[value, class]`` where they are numbers.

    It describes itself, so that summaries of batches, files or machines that saw different values
    merge by the union of these.
    """

    labels: list[Any] | None
    numbers: Floats | None
    table: Floats | None
    missing: bool
    declared: bool = False

    def merge(self, other: ColumnSummary, name: str) -> ColumnSummary:
        """The summary of both parts together."""
        missing = self.missing or other.missing
        if self.numbers is None and other.numbers is None:
            assert self.labels is not None
            assert other.labels is not None
            labels = _union(self.labels, other.labels)
            return ColumnSummary(labels, None, None, missing)
        if self.numbers is None or other.numbers is None:
            return self._merge_kinds(other, name, missing)
        values, place = np.unique(
            np.concatenate([self.numbers, other.numbers]), return_inverse=True
        )
        assert self.table is not None
        assert other.table is not None
        table = np.zeros((len(values), self.table.shape[1]))
        np.add.at(table, place, np.concatenate([self.table, other.table]))
        return ColumnSummary(None, values, table, missing)

    def _merge_kinds(self, other: ColumnSummary, name: str, missing: bool) -> ColumnSummary:
        words, numbers = (self, other) if self.numbers is None else (other, self)
        if words.labels:
            raise ValueError(
                f"Column {name!r} holds numbers in one part of the data and labels such as "
                f"{words.labels[0]!r} in another: make it one or the other."
            )
        return ColumnSummary(None, numbers.numbers, numbers.table, missing)


def summarise(
    column: Column,
    name: str,
    target: Codes,
    n_classes: int,
    weights: Floats | None,
    *,
    needs_table: bool,
) -> ColumnSummary:
    """Summarise one column; the value table of numbers costs a sort and is made when needed."""
    if isinstance(column, Labels):
        return _summarise_labels(column)
    values = column.values
    if values.dtype.kind == "f":
        refuse_infinite(values, name)
    present = ~np.isnan(values)
    missing = not present.all()
    if not needs_table:
        return ColumnSummary(None, np.unique(values[present]).astype(np.float64), None, missing)
    require_memory(
        8 * int(present.sum()) * n_classes,
        f"The table of column {name!r} by class",
        "there are too many classes for it: is y an identifier?",
    )
    chosen = None if weights is None else weights[present]
    distinct, table = value_table(values[present], target[present], n_classes, chosen)
    return ColumnSummary(None, distinct, table, missing)


def refuse_infinite(values: Any, name: str) -> None:
    """Refuse infinity, with the first row that has it."""
    infinite = np.isinf(values)
    if infinite.any():
        row = int(np.argmax(infinite))
        raise ValueError(
            f"Column {name!r} contains infinity (first in row {row}): "
            "replace it by a large number, or by a missing value."
        )


def levels(column: Column) -> list[Any] | None:
    """The values of a column of few whole numbers; None when it has others or too many."""
    if isinstance(column, Labels):
        return None
    if column.exact is not None:
        labels = as_labels(column, "").labels
        return labels if len(labels) <= MAX_NOMINAL_LEVELS else None
    head = column.values[:1000]
    if len(np.unique(head[~np.isnan(head)])) > MAX_NOMINAL_LEVELS:
        return None
    seen, other = kernels.scan_levels(column.values[:, None], 1)
    if other[0]:
        values = np.unique(column.values[~np.isnan(column.values)])
    else:
        values = np.flatnonzero(seen[0])
    return few_whole(values)


def few_whole(values: Any) -> list[Any] | None:
    """Distinct numbers as labels when they are few and whole."""
    if len(values) > MAX_NOMINAL_LEVELS or not np.isfinite(values).all():
        return None
    if (values != np.floor(values)).any():
        return None
    if values.dtype.kind == "f" and np.abs(values).max(initial=0) > EXACT_INTEGERS:
        return None  # one float may stand for many integers
    return [int(value) for value in values]


def choose_coding(
    name: str,
    summary: ColumnSummary,
    nominal: bool | None,
    discretizer: Discretizer | None,
    missing_state: bool,
) -> Coding:
    """Coding of a column: as told, or numbers as intervals unless they are few and whole.

    Without a discretiser numeric columns stay numbers.
    """
    state = summary.missing and missing_state
    if summary.labels is not None:
        return Nominal(name, tuple(summary.labels), state)
    assert summary.numbers is not None
    whole = few_whole(summary.numbers)
    if nominal or (nominal is None and whole is not None):
        return Nominal(name, tuple(map(_label, summary.numbers.tolist())), state)
    if discretizer is None:
        return Continuous(name, _mean_gap(summary.numbers))
    assert summary.table is not None
    return Intervals(name, discretizer.cuts_for_table(summary.numbers, summary.table), state)


def as_labels(column: Numbers, name: str) -> Labels:
    """Numbers as labels."""
    values = column.values.astype(object) if column.exact is None else column.exact
    if column.exact is None and column.values.dtype.kind == "f":
        values[np.isnan(column.values)] = None
    found = factorize(values, name)
    return Labels([_label(label) for label in found.labels], found.codes)


def declared_kind(column: Column, name: str, nominal: bool | None) -> Column:
    """Numbers that are told to be nominal and that floats cannot hold, as labels."""
    if not nominal or isinstance(column, Labels):
        return column
    integers = column.values.dtype.kind in "iu" and beyond_floats(column.values)
    return as_labels(column, name) if integers or column.exact is not None else column


def _summarise_labels(column: Labels) -> ColumnSummary:
    used = np.zeros(len(column.labels) + 1, dtype=bool)
    used[column.codes] = True  # code -1 marks the last
    keep = [label for label, seen in zip(column.labels, used, strict=False) if seen]
    labels = column.labels if column.declared else keep
    return ColumnSummary(labels, None, None, bool(used[-1]), column.declared)


def _mean_gap(distinct: Floats) -> float:
    """The mean gap between adjacent values; 0 where there are no two."""
    if len(distinct) < 2:
        return 0.0
    width = float(distinct[-1]) - float(distinct[0])
    return min(width, sys.float_info.max) / (len(distinct) - 1)


def _label(value: Any) -> Any:
    """A whole number as an integer: 1 and 1.0 are one label."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _union(first: list[Any], second: list[Any]) -> list[Any]:
    return sorted(dict.fromkeys([*first, *second]), key=sort_key)
