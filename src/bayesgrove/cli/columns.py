"""Columns of a table as the commands need them: what to learn, and from what."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np
import pandas as pd

from bayesgrove.cli.console import listed, note
from bayesgrove.tables import ArrowTable, Reading, Table, TableError, factor, open_table


def read(path: str, reading: Reading, drop: Sequence[str] | None) -> Table:
    """Open a table without some columns, and pass on what its reader notes."""
    table = open_table(path, reading)
    for line in table.notes:
        note(line)
    require_columns(table, drop or ())
    return table.without(drop or ())


def require_columns(table: Table, names: Sequence[str]) -> None:
    """Refuse names that no column has."""
    for name in names:
        if name not in table.names:
            closest = get_close_matches(name, table.names, 1, 0.7)
            hint = f"did you mean {closest[0]!r}? " if closest else ""
            raise TableError(
                table.source,
                f"there is no column {name!r}; {hint}columns: {listed(map(repr, table.names))}.",
            )


def attributes(table: Table, target: str | None) -> list[str]:
    """All columns but the target; there must be one."""
    names = [name for name in table.names if name != target]
    if not names:
        raise TableError(table.source, f"there is no column beside the target {target!r}.")
    return names


def labels_of(table: Table, target: str) -> pd.Series:
    """The target as classes: numbers as integers, all else as text; empty cells as None."""
    column = table.column(target)
    present = column.notna()
    if pd.api.types.is_float_dtype(column.dtype):
        _refuse_fractions(table, target, column[present])
        labels = [
            int(value) if known else None for value, known in zip(column, present, strict=True)
        ]
        return pd.Series(labels, dtype=object, name=target)
    values = column.astype(object)
    if column.dtype.kind not in "iub":
        values = values.map(str, na_action="ignore")
    return values.where(present, None).rename(target)


def _refuse_fractions(table: Table, target: str, numbers: pd.Series) -> None:
    fractions = numbers[numbers != np.floor(numbers)]
    if len(fractions):
        raise TableError(
            table.source,
            f"the target {target!r} holds numbers such as {fractions.iloc[0]:g}, no classes: "
            "cut it into classes first.",
            table.place(int(fractions.index[0])),
        )


def classes_of(table: Table, target: str) -> pd.Series:
    """The class of every row; rows without one are refused."""
    labels = labels_of(table, target)
    missing = labels.isna().to_numpy()
    if missing.any():
        raise TableError(
            table.source,
            f"{int(missing.sum())} rows have no value in the target {target!r} "
            f"(first: {table.place(int(np.argmax(missing)))}): leave these rows out.",
        )
    return labels


def as_labels(column: pd.Series) -> pd.Series:
    """A column whose values are labels, whatever they are."""
    found = factor(column)
    return found._replace(values=[_label(value) for value in found.values]).categories()


def attribute_column(table: Table, name: str, categorical: Sequence[str]) -> pd.Series:
    """An attribute as a learner sees it."""
    column = table.column(name)
    return as_labels(column) if name in categorical else column


def train(model: Any, table: Table, target: str, categorical: Sequence[str]) -> None:
    """Fit a model to a table, batch by batch where it is too large to be loaded."""
    require_columns(table, [target, *categorical])
    names = attributes(table, target)
    if isinstance(table, ArrowTable) and table.large:
        if table.missing:
            raise TableError(table.source, "is read in batches, where --missing has no effect.")
        if categorical:
            chosen = table.without([target]).nominal(categorical)
            model.set_params(categorical_features=chosen)
        model.fit(table.dataset, y=target)
        return
    y = classes_of(table, target)
    X = pd.DataFrame({name: attribute_column(table, name, categorical) for name in names})
    model.fit(X, y)


def _label(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, (str, int, float)) else str(value)
