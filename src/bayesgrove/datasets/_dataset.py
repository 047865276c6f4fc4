"""Data sets, their descriptions, and the contract of sources of data sets."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd


@dataclass(frozen=True)
class Description:
    """The size, kind and origin of a data set.

    Parameters
    ----------
    name : str
        The name of the data set.
    source : str
        The source that has the data set, such as ``"package"`` or ``"openml"``.
    rows : int
        The number of rows.
    attributes : int
        The number of attributes.
    nominal : int
        The number of nominal attributes. An attribute of free text is neither nominal nor numeric.
    numeric : int
        The number of numeric attributes.
    classes : int
        The number of classes that occur; 0 if the target is numeric.
    missing : int
        The number of missing values in the attributes.
    licence : str
        The licence of the data.
    note : str, default=""
        The origin of the data, and remarks.
    identifiers : tuple of str, default=()
        The names of attributes that only identify the rows. They are part of the data, but a
        classifier should not use them.
    """

    name: str
    source: str
    rows: int
    attributes: int
    nominal: int
    numeric: int
    classes: int
    missing: int
    licence: str
    note: str = ""
    identifiers: tuple[str, ...] = ()

    def __str__(self) -> str:
        target = f"{self.classes} classes" if self.classes else "numeric target"
        lines = [
            f"{self.name} ({self.source}): {self.rows} rows, {self.attributes} attributes "
            f"({self.nominal} nominal, {self.numeric} numeric), {target}, "
            f"{self.missing} missing cells",
            f"  licence: {self.licence}",
        ]
        if self.identifiers:
            lines.append(f"  identifiers: {', '.join(self.identifiers)}")
        if self.note:
            lines.append(f"  note: {self.note}")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as a dictionary.

        Returns
        -------
        dict of str to object
            The value of every field, by its name.
        """
        return asdict(self)


@dataclass(frozen=True, eq=False)
class Dataset:
    """A data set: attributes, class and description. It unpacks as ``X, y = dataset``.

    Nominal columns are categorical, with the declared levels in declared order. Numeric columns are
    float64. Missing values are NaN.

    Parameters
    ----------
    X : pandas.DataFrame
        The attributes, one column each.
    y : pandas.Series
        The class of every row.
    info : Description
        The size, kind and origin of the data set.
    """

    X: pd.DataFrame = field(repr=False)
    y: pd.Series = field(repr=False)
    info: Description

    # The type is Any, because an iterator has one type for a DataFrame and a Series.
    def __iter__(self) -> Iterator[Any]:
        yield self.X
        yield self.y

    @property
    def frame(self) -> pd.DataFrame:
        """Attributes and class in one data frame; the class is the last column."""
        import pandas as pd

        return pd.concat([self.X, self.y], axis="columns")


class Source(Protocol):
    """A source of data sets; each source module provides these functions."""

    def names(self) -> list[str]:
        """Return the names of the data sets that are available without the network."""

    def descriptions(self) -> list[Description]:
        """Return the descriptions of the data sets in ``names()``."""

    def load(self, name: str) -> Dataset:
        """Return one data set."""


def assemble(
    frame: pd.DataFrame,
    *,
    name: str,
    source: str,
    licence: str,
    note: str = "",
    identifiers: tuple[str, ...] = (),
) -> Dataset:
    """Return a data set from a frame whose last column is the class."""
    X, y = frame.iloc[:, :-1].copy(), frame.iloc[:, -1].copy()
    kinds = [str(kind) for kind in X.dtypes]
    info = Description(
        name=name,
        source=source,
        rows=len(X),
        attributes=X.shape[1],
        nominal=kinds.count("category"),
        numeric=kinds.count("float64"),
        classes=y.nunique() if y.dtype == "category" else 0,
        missing=int(X.isna().to_numpy().sum()),
        licence=licence,
        note=note,
        identifiers=identifiers,
    )
    return Dataset(X, y, info)
