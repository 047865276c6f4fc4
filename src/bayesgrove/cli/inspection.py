"""How each column of a table will be treated, and what looks odd about it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from bayesgrove.cli.columns import (
    attribute_column,
    attributes,
    classes_of,
    labels_of,
    require_columns,
)
from bayesgrove.cli.oddities import Oddity, oddities
from bayesgrove.encoding import (
    Coding,
    Continuous,
    Intervals,
    Nominal,
    Settings,
    encode_target,
    fit_schema,
    read_table,
)
from bayesgrove.tables import Table

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
    odd: Sequence[Oddity] = ()


@dataclass(frozen=True)
class Inspection:
    """The report: rows, classes with their numbers, and all columns."""

    rows: int
    columns: list[ColumnReport]
    target: str | None = None
    classes: dict[Any, int] = field(default_factory=dict)
    unlabelled: int = 0


def inspect_table(
    table: Table, target: str | None, categorical: Sequence[str], settings: Settings
) -> Inspection:
    """Ask of every column what `fit` would do with it."""
    require_columns(table, [*([target] if target is not None else []), *categorical])
    names = attributes(table, target)
    rows = np.arange(table.rows)
    classes: Any = np.zeros(1)
    codes = np.zeros(table.rows, dtype=np.uint8)
    counts: dict[Any, int] = {}
    if target is not None:
        labels = labels_of(table, target)
        rows = np.flatnonzero(labels.notna().to_numpy())
        if not len(rows):
            classes_of(table, target)  # says so
        classes, codes = encode_target(labels.iloc[rows], len(rows))
        tally = np.bincount(codes, minlength=len(classes)).tolist()
        counts = dict(zip(classes.tolist(), tally, strict=True))

    def report(name: str) -> ColumnReport:
        column = attribute_column(table, name, categorical)
        labelled = column.iloc[rows].reset_index(drop=True)
        try:
            coding = _coding(labelled, name, codes, len(classes), settings)
        except ValueError as error:  # a column that fit refuses is a line of the report
            return ColumnReport(name, "?", "", int(column.isna().sum()), f"fit refuses: {error}")
        return _report(column, coding, target is not None)

    columns = [
        _target_report(target, counts, table.rows) if n == target else report(n)
        for n in table.names
        if n == target or n in names
    ]
    return Inspection(table.rows, columns, target, counts, table.rows - len(rows))


def _coding(column: pd.Series, name: str, codes: Any, n_classes: int, settings: Settings) -> Coding:
    """What `fit` does: columns do not depend on each other."""
    table = read_table(pd.DataFrame({name: column}))
    return fit_schema(table, codes, n_classes, None, settings).codings[0]


def _target_report(target: str | None, counts: dict[Any, int], rows: int) -> ColumnReport:
    values = _shown([str(label) for label in counts])
    few = "only one class: there is nothing to learn" if len(counts) == 1 else ""
    treatment = few or f"{len(counts)} classes"
    return ColumnReport(str(target), "target", values, rows - sum(counts.values()), treatment)


def _report(column: pd.Series, coding: Coding, supervised: bool) -> ColumnReport:
    missing = int(column.isna().sum())
    if isinstance(coding, Nominal):
        kind, values = "nominal", _shown([str(label) for label in coding.labels])
    else:
        kind, values = "numeric", _numbers(column, coding)
    treatment = _treatment(coding, column, supervised)
    if missing and len(column) > missing:
        state = not isinstance(coding, Continuous) and coding.missing_state
        treatment += ", missing is a level of its own" if state else ", missing cells are left out"
    odd = oddities(column, coding.name)
    return ColumnReport(coding.name, kind, values, missing, treatment, odd)


def _treatment(coding: Coding, column: pd.Series, supervised: bool) -> str:
    if len(column.dropna().unique()) <= 1:
        return "constant: no influence" if column.notna().any() else "empty: no influence"
    if isinstance(coding, Nominal):
        return f"{len(coding.labels)} levels"
    if isinstance(coding, Continuous):
        return "a normal density within each class"
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
