"""Encoded rows: small integers, column by column."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats


class Unseen(NamedTuple):
    """The unseen values of a column.

    Parameters
    ----------
    column : str
        The name of the column.
    times : int
        The number of rows with unseen values.
    example : object
        The first unseen value.
    """

    column: str
    times: int
    example: Any


@dataclass(frozen=True)
class Encoded:
    """Encoded rows: the codes of the attributes and, if it is known, of the class.

    Parameters
    ----------
    columns : list of ndarray or None
        The codes of every attribute, one array of shape (n_rows,) each. Attribute ``j`` has the
        codes ``0..cards[j]-1``. The code ``cards[j]`` stands for a missing or unseen value, which
        counts leave out. In a part that was read from a file, the entry is None for an attribute
        that was not requested.
    cards : list of int
        The cardinality of every attribute.
    rows : int
        The number of rows.
    target : ndarray of shape (n_rows,) or None, default=None
        The class codes, ``0..n_classes-1``. None if the classes are not known.
    n_classes : int, default=0
        The number of classes.
    weights : ndarray of shape (n_rows,) or None, default=None
        The row weights. None means that every row has weight 1.
    continuous : list of ndarray, default=[]
        The columns that stay numeric, with NaN for missing values.
    unseen : list of Unseen, default=[]
        The unseen values, one entry per column that has some.
    """

    columns: list[Any]
    cards: list[int]
    rows: int
    target: Codes | None = None
    n_classes: int = 0
    weights: Floats | None = None
    continuous: list[Any] = field(default_factory=list)
    unseen: list[Unseen] = field(default_factory=list)

    def column(self, variable: int) -> Codes:
        """Return the codes of an attribute or of the class.

        Parameters
        ----------
        variable : int
            The index of an attribute; the index after the last attribute is the class.

        Returns
        -------
        ndarray of shape (n_rows,)
            The codes.
        """
        column: Codes | None = (
            self.columns[variable] if variable < len(self.columns) else self.target
        )
        if column is None:
            raise ValueError(f"These rows have no codes of variable {variable}: it was not read.")
        return column

    def select(self, attributes: Sequence[int]) -> Encoded:
        """Return the same rows with some of the attributes, without the numeric columns.

        Parameters
        ----------
        attributes : sequence of int
            The indices of the attributes.

        Returns
        -------
        Encoded
            The rows with these attributes, in that order.
        """
        return replace(
            self,
            columns=[self.columns[v] for v in attributes],
            cards=[self.cards[v] for v in attributes],
            continuous=[],
        )

    def emptied(self, rows: int) -> Encoded:
        """Return uninitialised arrays for more rows of the same columns and classes.

        Parameters
        ----------
        rows : int
            The number of rows.

        Returns
        -------
        Encoded
            Rows to be filled with `put`.
        """
        return replace(
            self,
            columns=[np.empty(rows, dtype=column.dtype) for column in self.columns],
            rows=rows,
            target=None if self.target is None else np.empty_like(self.target, shape=rows),
            continuous=[np.empty(rows) for _ in self.continuous],
            unseen=[],
        )

    def put(self, part: Encoded, start: int) -> None:
        """Copy rows into this object.

        Parameters
        ----------
        part : Encoded
            Rows with the same columns.
        start : int
            The index of the first row to overwrite.
        """
        rows = slice(start, start + part.rows)
        for column, part_column in zip(self.columns, part.columns, strict=True):
            column[rows] = part_column
        for column, part_column in zip(self.continuous, part.continuous, strict=True):
            column[rows] = part_column
        if self.target is not None and part.target is not None:
            self.target[rows] = part.target

    def take(self, rows: NDArray[np.intp]) -> Encoded:
        """Return some of the rows.

        Parameters
        ----------
        rows : ndarray of int
            The indices of the rows. A row may occur several times.

        Returns
        -------
        Encoded
            The rows in that order.
        """
        return replace(
            self,
            columns=[None if column is None else column[rows] for column in self.columns],
            rows=len(rows),
            target=None if self.target is None else self.target[rows],
            weights=None if self.weights is None else self.weights[rows],
            continuous=[None if column is None else column[rows] for column in self.continuous],
        )


def code_type(card: int) -> Any:
    """Return the narrowest unsigned type for ``card`` codes and the code of missing values."""
    return np.uint8 if card <= 0xFF else np.uint16 if card <= 0xFFFF else np.uint32
