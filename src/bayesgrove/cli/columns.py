"""Tables and their columns, as the commands need them."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from bayesgrove.cli.console import note
from bayesgrove.encoding import class_column
from bayesgrove.tables import ReadOptions, Table, TableError, table_of


def read(path: str, reading: ReadOptions, drop: Sequence[str] | None) -> Table:
    """Open a table without the dropped columns, and show the notes of its reader."""
    table = table_of(path, reading)
    for line in table.notes:
        note(line)
    require_columns(table, drop or ())
    return table.without(drop or ()).without_notes()


def require_columns(table: Table, names: Sequence[str]) -> None:
    """Raise unless every name is the name of a column."""
    for name in names:
        table.number(name)


def attributes(table: Table, target: str | None) -> list[str]:
    """Return the names of all columns except the target; raise if there are none."""
    names = [name for name in table.column_names if name != target]
    if not names:
        raise TableError(table.source, f"there is no column other than the target {target!r}.")
    return names


def train(model: Any, table: Table, target: str, categorical: Sequence[str]) -> None:
    """Fit a model to a table. The values of the ``categorical`` columns are labels."""
    require_columns(table, [target])
    model.fit(table.with_labels(categorical), target)


def attribute_column(table: Table, name: str, categorical: Sequence[str]) -> pd.Series:
    """Return the values of an attribute, as labels if it is a ``categorical`` column."""
    return table.with_labels([name] if name in categorical else []).column(name)


def attributes_and_class(
    path: str, target: str, reading: ReadOptions, drop: Sequence[str], categorical: Sequence[str]
) -> tuple[pd.DataFrame, Any]:
    """Load the attributes and the class of a file."""
    table = read(path, reading, list(drop))
    require_columns(table, [target, *categorical])
    names = attributes(table, target)
    y = class_column(table, target)
    return pd.DataFrame({n: attribute_column(table, n, categorical) for n in names}), y
