"""Report on a table: how `fit` would treat each column, and what looks unusual."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from bayesgrove.cli.column_warnings import ColumnWarning, column_warnings
from bayesgrove.cli.columns import attribute_column, attributes, require_columns
from bayesgrove.encoding import (
    Coding,
    Continuous,
    Intervals,
    Nominal,
    Settings,
    class_codes,
    code_type,
    fit_schema,
)
from bayesgrove.estimators.base.classifier import TableClassifier, Treatment
from bayesgrove.tables import Table, batch_of

_SHOWN = 4
"""Largest number of labels or cut points that are shown."""
_WIDTH = 30
"""Largest number of characters that are shown of each."""


@dataclass(frozen=True)
class ColumnReport:
    """One line of the report.

    Parameters
    ----------
    name : str
        Name of the column.
    kind : str
        "nominal", "numeric", "target", or "?" if `fit` would fail.
    values : str
        Its first labels or cut points, or its range.
    missing : int
        Number of missing values.
    treatment : str
        How `fit` would treat the column.
    warnings : sequence of ColumnWarning, default=()
        What looks unusual about the column.
    """

    name: str
    kind: str
    values: str
    missing: int
    treatment: str
    warnings: Sequence[ColumnWarning] = ()


@dataclass(frozen=True)
class TableReport:
    """The report on a table.

    Parameters
    ----------
    rows : int
        Number of rows.
    columns : list of ColumnReport
        One entry per column.
    target : str or None, default=None
        Name of the column to predict.
    classes : dict of object to int, default={}
        Number of rows of each class.
    unlabelled : int, default=0
        Number of rows without a class.
    """

    rows: int
    columns: list[ColumnReport]
    target: str | None = None
    classes: dict[Any, int] = field(default_factory=dict)
    unlabelled: int = 0


class _Classes(NamedTuple):
    """Indices of the rows that have a class, their class codes, and the rows per class."""

    rows: Any
    codes: Any
    counts: dict[Any, int]


def inspect_table(
    table: Table, target: str | None, categorical: Sequence[str], model: TableClassifier
) -> TableReport:
    """Return how a model would treat every column of a table."""
    settings = model.settings()
    require_columns(table, [*([] if target is None else [target]), *categorical])
    attributes(table, target)
    classes = _classes(table, target)

    def report(name: str) -> ColumnReport:
        if name == target:
            return _target_report(name, classes.counts, table.rows)
        try:
            column = attribute_column(table, name, categorical)
            coding = _coding(column, name, classes, settings)
        except ValueError as error:  # The report has a line for a column on which fit fails.
            return ColumnReport(name, "?", "", 0, f"fit would fail: {error}")
        return _report(column, coding, model.treatment, target is not None)

    columns = [report(name) for name in table.column_names]
    counts = {} if target is None else classes.counts
    return TableReport(table.rows, columns, target, counts, table.rows - len(classes.rows))


def _classes(table: Table, target: str | None) -> _Classes:
    """Return the classes of the rows. Without a target, all rows have the same class."""
    if target is None:
        return _Classes(np.arange(table.rows), np.zeros(table.rows, dtype=np.uint8), {"": 0})
    codes, counts = class_codes(table, target)
    rows = np.flatnonzero(codes >= 0)
    return _Classes(rows, codes[rows].astype(code_type(len(counts))), counts)


def _coding(column: pd.Series, name: str, classes: _Classes, settings: Settings) -> Coding:
    """Return the coding that `fit` learns from the labelled rows; it needs no other column."""
    labelled = column.iloc[classes.rows].reset_index(drop=True)
    table = batch_of(pd.DataFrame({name: labelled}))
    return fit_schema(table, classes.codes, len(classes.counts), None, settings).codings[0]


def _target_report(target: str, counts: dict[Any, int], rows: int) -> ColumnReport:
    """Return the line of the target."""
    values = _shown([str(label) for label in counts])
    problem = "only one class: there is nothing to learn" if len(counts) == 1 else ""
    treatment = problem or f"{len(counts)} classes"
    return ColumnReport(target, "target", values, rows - sum(counts.values()), treatment)


def _report(column: pd.Series, coding: Coding, words: Treatment, supervised: bool) -> ColumnReport:
    """Return the line of an attribute."""
    missing = int(column.isna().sum())
    if isinstance(coding, Nominal):
        kind, values = "nominal", _shown([str(label) for label in coding.labels])
    else:
        kind, values = "numeric", _numbers(column, None if words.cuts_again else coding)
    treatment = _treatment(coding, column, words, supervised)
    if missing and len(column) > missing:
        state = not isinstance(coding, Continuous) and coding.missing_state
        treatment += ", missing is a separate state" if state else f", {words.missing}"
    warnings = column_warnings(column, coding.name)
    return ColumnReport(coding.name, kind, values, missing, treatment, warnings)


def _treatment(coding: Coding, column: pd.Series, words: Treatment, supervised: bool) -> str:
    """Return in words how an attribute is treated."""
    if len(column.dropna().unique()) <= 1:
        return "constant: no influence" if column.notna().any() else "empty: no influence"
    if isinstance(coding, Nominal):
        return f"{len(coding.labels)} labels"
    if isinstance(coding, Continuous) or words.cuts_again:
        return words.numbers
    if not supervised:
        return "cut by its information about the target"
    if not len(coding.cuts):
        return "one interval: no information about the target"
    return f"cut into {len(coding.cuts) + 1} intervals"


def _numbers(column: pd.Series, coding: Coding | None) -> str:
    """Return the cut points of the coding of a numeric column, or its range if it has none."""
    if isinstance(coding, Intervals) and len(coding.cuts):
        return f"cut at {_shown([f'{cut:.6g}' for cut in coding.cuts])}"
    present = column.dropna().astype(float)
    return f"{present.min():.6g} to {present.max():.6g}" if len(present) else ""


def _shown(labels: list[str]) -> str:
    """Return the first labels, separated by commas, each shortened if it is long."""
    texts = [label if len(label) <= _WIDTH else f"{label[:_WIDTH]}..." for label in labels[:_SHOWN]]
    return ", ".join([*texts, *(["..."] if len(labels) > _SHOWN else [])])
