"""Tables with columns of codes and columns of numbers, in the order of the input."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

import numpy as np

from bayesgrove.encoding.encoded import Encoded, code_type
from bayesgrove.kernels import kernels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.encoding.discretizers import Discretizer
    from bayesgrove.kernels import Codes, Floats


@dataclass(frozen=True)
class MixedTable:
    """A table with columns of codes and columns of numbers, with classes and row weights.

    Parameters
    ----------
    columns : sequence of ndarray
        One array of shape (n_rows,) per column, in the order of the input. A column of codes is
        unsigned, of at most 32 bits: column ``j`` has the codes ``0..cards[j]-1``, and the code
        ``cards[j]`` for missing values. A column of numbers is float64, with NaN for missing
        values.
    cards : sequence of int
        The cardinality of every column; 0 for a column of numbers.
    target : ndarray of shape (n_rows,) or None, default=None
        The class codes, unsigned and below ``n_classes``. None if the classes are not known.
    n_classes : int, default=0
        The number of classes.
    weights : ndarray of shape (n_rows,) or None, default=None
        Non-negative row weights in float64. None means that every row has weight 1.

    Examples
    --------
    >>> outlook = np.array([0, 1, 2, 0], dtype=np.uint8)
    >>> humidity = np.array([70.0, 90.0, np.nan, 85.0])
    >>> play = np.array([1, 1, 0, 0], dtype=np.uint8)
    >>> MixedTable([outlook, humidity], [3, 0], play, 2).rows
    4
    """

    columns: Sequence[Codes | Floats]
    cards: Sequence[int]
    target: Codes | None = None
    n_classes: int = 0
    weights: Floats | None = None

    def __post_init__(self) -> None:
        if len(self.columns) != len(self.cards):
            raise ValueError(
                f"cards has {len(self.cards)} entries for {len(self.columns)} columns: give one "
                "cardinality per column, 0 for numbers."
            )
        if not self.columns and self.target is None:
            raise ValueError("A table needs a column or classes.")
        for j, column in enumerate(self.columns):
            self._require_column(j, column)
        if self.target is not None:
            self._require_classes(self.target)
        if self.weights is not None:
            self._require_weights(self.weights)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.columns[0] if self.target is None else self.target)

    def contiguous(self) -> list[Codes | Floats]:
        """Return the columns as contiguous arrays, as the kernels need them.

        Returns
        -------
        list of ndarray
            One array per column. A column that is contiguous already is not copied.
        """
        return [cast("Codes | Floats", np.ascontiguousarray(c)) for c in self.columns]

    @property
    def classes(self) -> Codes:
        """Class codes of the rows."""
        if self.target is None:
            raise ValueError("These rows have no classes: target is None.")
        return self.target

    @property
    def row_weights(self) -> Floats:
        """Weights of the rows; ones if there are none."""
        return np.ones(self.rows) if self.weights is None else self.weights

    def encoded(self, discretizer: Discretizer) -> Encoded:
        """Return the rows with every column of numbers discretized.

        Parameters
        ----------
        discretizer : Discretizer
            It chooses the cut points from the numbers and classes of these rows.

        Returns
        -------
        Encoded
            The rows with codes only.
        """
        pairs = [
            (column, card) if card else self._cut(column, discretizer)
            for column, card in zip(self.columns, self.cards, strict=True)
        ]
        return Encoded(
            [cast("Codes", column) for column, _ in pairs],
            [card for _, card in pairs],
            self.rows,
            self.target,
            self.n_classes,
            self.weights,
        )

    def _cut(self, column: Codes | Floats, discretizer: Discretizer) -> tuple[Codes, int]:
        """Return the interval codes of a column of numbers, and their cardinality."""
        cuts = discretizer.cuts_for(column, self.classes, self.n_classes, self.weights)
        card = len(cuts) + 1
        codes: Codes = np.empty(self.rows, dtype=code_type(card))
        ends, none = np.array([0, len(cuts)]), np.zeros(len(cuts), dtype=np.uint32)
        by_label, missing = np.zeros(1, dtype=np.uint8), np.array([card], dtype=np.uint32)
        kernels.encode_numbers(
            column[:, None], cuts, ends, none, by_label, missing, missing, [codes], 1
        )
        return codes, card

    def take(self, rows: NDArray[np.intp]) -> MixedTable:
        """Return some of the rows.

        Parameters
        ----------
        rows : ndarray of int
            The indices of the rows. A row may occur several times.

        Returns
        -------
        MixedTable
            The rows in that order.
        """
        return replace(
            self,
            columns=[column[rows] for column in self.columns],
            target=None if self.target is None else self.target[rows],
            weights=None if self.weights is None else self.weights[rows],
        )

    def _require_column(self, j: int, column: Codes | Floats) -> None:
        """Raise unless column ``j`` has the shape and type that its cardinality requires."""
        if column.shape != (self.rows,):
            raise ValueError(f"Column {j} has shape {column.shape}, not one value per row.")
        if not self.cards[j] and (column.dtype != np.float64 or np.isinf(column).any()):
            raise ValueError(
                f"Column {j} has cardinality 0: it must hold float64 numbers, finite or NaN."
            )
        if self.cards[j] and (column.dtype.kind != "u" or column.dtype.itemsize > 4):
            raise ValueError(f"Column {j} must have unsigned codes of at most 32 bits.")

    def _require_classes(self, target: Codes) -> None:
        """Raise unless the class codes have a valid type and are below ``n_classes``."""
        if target.dtype.kind != "u" or target.dtype.itemsize > 4:
            raise ValueError("The classes must be unsigned codes of at most 32 bits.")
        if self.n_classes < 1 or (target >= self.n_classes).any():
            raise ValueError(f"Every row needs a class below n_classes={self.n_classes}.")

    def _require_weights(self, weights: Floats) -> None:
        """Raise unless there is one finite, non-negative float64 weight per row."""
        if weights.shape != (self.rows,) or weights.dtype != np.float64:
            raise ValueError("The weights must be one float64 number per row.")
        if not (np.isfinite(weights) & (weights >= 0)).all():
            raise ValueError("The weights must be finite and not negative.")
