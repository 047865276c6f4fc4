"""Tables as the commands need them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bayesgrove.cli.console import note
from bayesgrove.tables import ReadOptions, Table, TableError, table_of

if TYPE_CHECKING:
    import pandas as pd


def read(path: str, reading: ReadOptions, drop: Sequence[str] | None) -> Table:
    """Open a table without some columns, and pass on what its reader notes."""
    table = table_of(path, reading)
    for line in table.notes:
        note(line)
    require_columns(table, drop or ())
    return table.without(drop or ()).with_notes_told()


def require_columns(table: Table, names: Sequence[str]) -> None:
    """Raise for a name that no column has."""
    for name in names:
        table.number(name)


def attributes(table: Table, target: str | None) -> list[str]:
    """Return all columns but the target; there must be one."""
    names = [name for name in table.column_names if name != target]
    if not names:
        raise TableError(table.source, f"there is no column beside the target {target!r}.")
    return names


def train(model: Any, table: Table, target: str, categorical: Sequence[str]) -> None:
    """Fit a model to a table; some columns are labels, whatever they look like."""
    require_columns(table, [target])
    model.fit(table.with_labels(categorical), target)


def attribute_column(table: Table, name: str, categorical: Sequence[str]) -> "pd.Series":
    """Return an attribute as a learner sees it."""
    return table.with_labels([name] if name in categorical else []).column(name)
