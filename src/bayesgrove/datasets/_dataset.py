"""What every source of data sets returns, and the contract a source fulfils."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd


@dataclass(frozen=True)
class Description:
    """The size, kind and origin of a data set.

    ``nominal`` and ``numeric`` count attributes (an attribute of free text is neither),
    ``classes`` the class values that occur (0 when the target is numeric), ``missing`` the
    empty attribute cells. ``identifiers`` names attributes that only tell the rows apart: they
    are part of the data, but a learner should not see them.
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
        """Return the fields as a plain dictionary."""
        return asdict(self)


@dataclass(frozen=True, eq=False)
class Dataset:
    """Attributes ``X``, class ``y`` and description ``info``; unpacks as ``X, y = dataset``.

    Nominal columns are categorical with their declared levels in declared order, numeric
    columns are float64, and a missing value is NaN.
    """

    X: pd.DataFrame = field(repr=False)
    y: pd.Series = field(repr=False)
    info: Description

    # Any, because one element type cannot say "first a DataFrame, then a Series".
    def __iter__(self) -> Iterator[Any]:
        yield self.X
        yield self.y

    @property
    def frame(self) -> pd.DataFrame:
        """The attributes with the class as the last column."""
        import pandas as pd

        return pd.concat([self.X, self.y], axis="columns")


class Source(Protocol):
    """A place that data sets come from; each source module provides these functions."""

    def names(self) -> list[str]:
        """Return the names available now, without using the network."""

    def descriptions(self) -> list[Description]:
        """Describe the data sets in ``names()``."""

    def load(self, name: str) -> Dataset:
        """Load one data set."""


def assemble(
    frame: pd.DataFrame,
    *,
    name: str,
    source: str,
    licence: str,
    note: str = "",
    identifiers: tuple[str, ...] = (),
) -> Dataset:
    """Split a frame whose last column is the class, and describe it."""
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
