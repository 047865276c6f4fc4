"""How each column of a table will be treated, and what looks odd about it."""

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
"""So many levels or cut points are shown."""
_WIDTH = 30
"""And so many characters of each."""


@dataclass(frozen=True)
class ColumnReport:
    """One line of the report."""

    name: str
    kind: str
    values: str
    missing: int
    treatment: str
    odd: Sequence[ColumnWarning] = ()


@dataclass(frozen=True)
class TableReport:
    """The report: rows, classes with their numbers, and all columns."""

    rows: int
    columns: list[ColumnReport]
    target: str | None = None
    classes: dict[Any, int] = field(default_factory=dict)
    unlabelled: int = 0


class _Classes(NamedTuple):
    """Rows that have a class, their codes, and how often each class occurs."""

    rows: Any
    codes: Any
    counts: dict[Any, int]


def inspect_table(
    table: Table, target: str | None, categorical: Sequence[str], model: TableClassifier
) -> TableReport:
    """Ask of every column what a model would do with it."""
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
        except ValueError as error:  # a column that fit refuses is a line of the report
            return ColumnReport(name, "?", "", 0, f"fit refuses: {error}")
        return _report(column, coding, model.treatment, target is not None)

    columns = [report(name) for name in table.column_names]
    counts = {} if target is None else classes.counts
    return TableReport(table.rows, columns, target, counts, table.rows - len(classes.rows))


def _classes(table: Table, target: str | None) -> _Classes:
    """Without a target, all rows are of one class."""
    if target is None:
        return _Classes(np.arange(table.rows), np.zeros(table.rows, dtype=np.uint8), {"": 0})
    codes, counts = class_codes(table, target)
    rows = np.flatnonzero(codes >= 0)
    return _Classes(rows, codes[rows].astype(code_type(len(counts))), counts)


def _coding(column: pd.Series, name: str, classes: _Classes, settings: Settings) -> Coding:
    """What `fit` does with the labelled rows: columns do not depend on each other."""
    labelled = column.iloc[classes.rows].reset_index(drop=True)
    table = batch_of(pd.DataFrame({name: labelled}))
    return fit_schema(table, classes.codes, len(classes.counts), None, settings).codings[0]


def _target_report(target: str, counts: dict[Any, int], rows: int) -> ColumnReport:
    values = _shown([str(label) for label in counts])
    few = "only one class: there is nothing to learn" if len(counts) == 1 else ""
    treatment = few or f"{len(counts)} classes"
    return ColumnReport(target, "target", values, rows - sum(counts.values()), treatment)


def _report(column: pd.Series, coding: Coding, words: Treatment, supervised: bool) -> ColumnReport:
    missing = int(column.isna().sum())
    if isinstance(coding, Nominal):
        kind, values = "nominal", _shown([str(label) for label in coding.labels])
    else:
        kind, values = "numeric", _numbers(column, coding)
    treatment = _treatment(coding, column, words, supervised)
    if missing and len(column) > missing:
        state = not isinstance(coding, Continuous) and coding.missing_state
        treatment += ", missing is a level of its own" if state else f", {words.missing}"
    odd = column_warnings(column, coding.name)
    return ColumnReport(coding.name, kind, values, missing, treatment, odd)


def _treatment(coding: Coding, column: pd.Series, words: Treatment, supervised: bool) -> str:
    if len(column.dropna().unique()) <= 1:
        return "constant: no influence" if column.notna().any() else "empty: no influence"
    if isinstance(coding, Nominal):
        return f"{len(coding.labels)} levels"
    if isinstance(coding, Continuous):
        return words.numbers
    if not supervised:
        return "cut where it tells about the target"
    if not len(coding.cuts):
        return "one interval: no information about the target"
    return f"cut into {len(coding.cuts) + 1} intervals"


def _numbers(column: pd.Series, coding: Coding) -> str:
    if isinstance(coding, Intervals) and len(coding.cuts):
        return f"cut at {_shown([f'{cut:.6g}' for cut in coding.cuts])}"
    present = column.dropna().astype(float)
    return f"{present.min():.6g} to {present.max():.6g}" if len(present) else ""


def _shown(labels: list[str]) -> str:
    texts = [label if len(label) <= _WIDTH else f"{label[:_WIDTH]}..." for label in labels[:_SHOWN]]
    return ", ".join([*texts, *(["..."] if len(labels) > _SHOWN else [])])
