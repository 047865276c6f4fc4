"""Tables and their columns, as the commands need them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bayesgrove.cli.console import note
from bayesgrove.tables import ReadOptions, Table, TableError, table_of

if TYPE_CHECKING:
    import pandas as pd


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


def attribute_column(table: Table, name: str, categorical: Sequence[str]) -> "pd.Series":
    """Return the values of an attribute, as labels if it is a ``categorical`` column."""
    return table.with_labels([name] if name in categorical else []).column(name)
