"""Read delimited text into typed columns."""

from __future__ import annotations

from collections import defaultdict
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    import pandas as pd


def read_table(
    file: Path | IO[str],
    nominal: Mapping[str, list[str]],
    numeric: Iterable[str],
    missing: str = "",
    **layout: Any,
) -> pd.DataFrame:
    """Return a table from a file.

    ``nominal`` gives the levels of the nominal columns; an empty list means the values that occur,
    in the order of their first occurrence. ``numeric`` lists the numeric columns. All other columns
    are text. ``missing`` is the text of missing values. ``layout`` is passed to
    ``pandas.read_csv``.
    """
    import pandas as pd

    # Nominal columns are read as text, because pandas would turn levels "1", "2" into integers.
    kinds = defaultdict(lambda: "str", dict.fromkeys(numeric, "float64"))
    frame: pd.DataFrame = pd.read_csv(
        file, dtype=kinds, keep_default_na=False, na_values=[missing], **layout
    )
    for column, levels in nominal.items():
        frame[column] = _with_levels(frame[column], levels)
    return frame


def _with_levels(column: pd.Series, levels: list[str]) -> pd.Series:
    """Return a text column as categorical; raise if a value is not a declared level."""
    import pandas as pd

    seen = list(column.dropna().unique())
    # pandas would silently turn undeclared values into missing values.
    if levels and (undeclared := sorted(set(seen) - set(levels))):
        raise ValueError(
            f"Column {column.name!r} has undeclared values: {', '.join(undeclared)}. Add them to "
            "the levels in the catalogue."
        )
    return column.astype(pd.CategoricalDtype(levels or seen))
