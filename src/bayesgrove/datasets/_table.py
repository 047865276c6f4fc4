"""Reading of delimited text into typed columns."""

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
    """Read a table; ``nominal`` gives the levels of its columns (empty: as they appear).

    Columns that are neither nominal nor numeric are text. ``layout`` goes to ``pandas.read_csv``.
    """
    import pandas as pd

    # Nominal columns are read as text too: pandas would turn the codes "1", "2" into integers.
    kinds = defaultdict(lambda: "str", dict.fromkeys(numeric, "float64"))
    frame: pd.DataFrame = pd.read_csv(
        file, dtype=kinds, keep_default_na=False, na_values=[missing], **layout
    )
    for column, levels in nominal.items():
        frame[column] = _with_levels(frame[column], levels)
    return frame


def _with_levels(column: pd.Series, levels: list[str]) -> pd.Series:
    import pandas as pd

    seen = list(column.dropna().unique())
    # pandas would silently make these missing.
    if levels and (undeclared := sorted(set(seen) - set(levels))):
        raise ValueError(f"column {column.name!r} has undeclared values: {', '.join(undeclared)}")
    return column.astype(pd.CategoricalDtype(levels or seen))
