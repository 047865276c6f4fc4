"""Data sets from OpenML, downloaded and cached by scikit-learn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayesgrove.datasets._dataset import Dataset, Description, assemble

if TYPE_CHECKING:
    import pandas as pd


def names() -> list[str]:
    """Return an empty list: the names at OpenML are known only through the network."""
    return []


def descriptions() -> list[Description]:
    """Return an empty list: OpenML is not asked without a name."""
    return []


def load(name: str) -> Dataset:
    """Download the active version of a data set; its levels are those that occur, sorted.

    Raise OSError without a connection and ValueError for an unknown name.
    """
    import sklearn.datasets

    bunch = sklearn.datasets.fetch_openml(name, as_frame=True, n_retries=1)
    if len(bunch.target_names) != 1:
        raise ValueError(
            f"The data set {name!r} of OpenML has {len(bunch.target_names)} class columns, not one."
        )
    frame = bunch.data.join(bunch.target).apply(_plain)
    note = f"OpenML data set {bunch.details['id']}, version {bunch.details['version']}"
    licence = bunch.details.get("licence", "not stated")
    return assemble(frame, name=name, source="openml", licence=licence, note=note)


def _plain(column: pd.Series) -> pd.Series:
    """Return a column in the types that all sources use: levels as text, numbers as floats."""
    from pandas.api.types import is_numeric_dtype

    if column.dtype == "category":
        return column.cat.rename_categories(str)
    return column.astype("float64") if is_numeric_dtype(column) else column
