"""Data sets from OpenML, through scikit-learn's download and its cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayesgrove.datasets._dataset import Dataset, Description, assemble

if TYPE_CHECKING:
    import pandas as pd


def names() -> list[str]:
    """Return nothing: what OpenML has is known only through the network."""
    return []


def descriptions() -> list[Description]:
    """Return nothing, as ``names`` does."""
    return []


def load(name: str) -> Dataset:
    """Download the active version of a set; its levels are those that occur, sorted.

    Raises OSError without a connection and ValueError for an unknown name.
    """
    import sklearn.datasets

    bunch = sklearn.datasets.fetch_openml(name, as_frame=True, n_retries=1)
    if len(bunch.target_names) != 1:
        raise ValueError(f"OpenML's {name!r} has {len(bunch.target_names)} class columns, not one")
    frame = bunch.data.join(bunch.target).apply(_plain)
    note = f"OpenML data set {bunch.details['id']}, version {bunch.details['version']}"
    licence = bunch.details.get("licence", "not stated")
    return assemble(frame, name=name, source="openml", licence=licence, note=note)


def _plain(column: pd.Series) -> pd.Series:
    """Return the column with the types every source uses: text levels, float numbers."""
    from pandas.api.types import is_numeric_dtype

    if column.dtype == "category":
        return column.cat.rename_categories(str)
    return column.astype("float64") if is_numeric_dtype(column) else column
