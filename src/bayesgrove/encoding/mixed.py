"""Columns of codes and of numbers side by side, in the order of the table."""

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
    """Columns in their order, and where they are known the classes and weights of the rows.

    Column ``j`` has the codes ``0..cards[j]-1``, and the code ``cards[j]`` where the value is
    missing; with ``cards[j] = 0`` it has float64 numbers, NaN where one is missing. ``weights`` of
    None are ones.

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
            raise ValueError(f"{len(self.columns)} columns need as many cards: {len(self.cards)}.")
        if not self.columns and self.target is None:
            raise ValueError("a table needs a column or classes.")
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
        """The columns as the kernels take them."""
        return [cast("Codes | Floats", np.ascontiguousarray(c)) for c in self.columns]

    @property
    def classes(self) -> Codes:
        """The classes of the rows."""
        if self.target is None:
            raise ValueError("these rows have no class")
        return self.target

    @property
    def row_weights(self) -> Floats:
        """The weights of the rows, one each where none were given."""
        return np.ones(self.rows) if self.weights is None else self.weights

    def encoded(self, discretizer: Discretizer) -> Encoded:
        """The rows with their numbers cut into intervals."""
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
        """Some of the rows, as often as they are named."""
        return replace(
            self,
            columns=[column[rows] for column in self.columns],
            target=None if self.target is None else self.target[rows],
            weights=None if self.weights is None else self.weights[rows],
        )

    def _require_column(self, j: int, column: Codes | Floats) -> None:
        if column.shape != (self.rows,):
            raise ValueError(f"column {j} has shape {column.shape}, not one value a row.")
        if not self.cards[j] and (column.dtype != np.float64 or np.isinf(column).any()):
            raise ValueError(f"column {j} has no cards: it must be float64, and finite or NaN.")
        if self.cards[j] and (column.dtype.kind != "u" or column.dtype.itemsize > 4):
            raise ValueError(f"column {j} must have unsigned codes of at most 32 bits.")

    def _require_classes(self, target: Codes) -> None:
        if target.dtype.kind != "u" or target.dtype.itemsize > 4:
            raise ValueError("classes must be unsigned codes of at most 32 bits.")
        if self.n_classes < 1 or (target >= self.n_classes).any():
            raise ValueError(f"every row needs a class below n_classes={self.n_classes}.")

    def _require_weights(self, weights: Floats) -> None:
        if weights.shape != (self.rows,) or weights.dtype != np.float64:
            raise ValueError("weights must be one float64 number a row.")
        if not (np.isfinite(weights) & (weights >= 0)).all():
            raise ValueError("weights must be finite and not negative.")
