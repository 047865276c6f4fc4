"""The encoded table: small integers, column after column."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats


class Unseen(NamedTuple):
    """Values of a column that training did not have: how many, and the first of them."""

    column: str
    times: int
    example: Any


@dataclass(frozen=True)
class Encoded:
    """Codes of the attributes, and where they are known of the class.

    Column ``j`` has the codes ``0..cards[j]-1``; the code ``cards[j]`` stands for missing or
    unseen, and ``unseen`` lists what was. ``continuous`` holds the columns that stay numbers
    (NaN = missing). Of a part that was read from a file, columns that were not asked for are None.
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
        """Codes of an attribute, or of the class: the variable after the last attribute."""
        column: Codes | None = (
            self.columns[variable] if variable < len(self.columns) else self.target
        )
        if column is None:
            raise ValueError(f"these rows have no codes of variable {variable}")
        return column

    def select(self, attributes: Sequence[int]) -> Encoded:
        """The same rows with some of the attributes; columns that stay numbers go."""
        return replace(
            self,
            columns=[self.columns[v] for v in attributes],
            cards=[self.cards[v] for v in attributes],
            continuous=[],
        )

    def emptied(self, rows: int) -> Encoded:
        """Return room for ``rows`` rows with these columns and classes."""
        return replace(
            self,
            columns=[np.empty(rows, dtype=column.dtype) for column in self.columns],
            rows=rows,
            target=None if self.target is None else np.empty_like(self.target, shape=rows),
            continuous=[np.empty(rows) for _ in self.continuous],
            unseen=[],
        )

    def put(self, part: Encoded, start: int) -> None:
        """Copy the rows of a part into their place, from row ``start`` on."""
        here = slice(start, start + part.rows)
        for mine, other in zip(self.columns, part.columns, strict=True):
            mine[here] = other
        for mine, other in zip(self.continuous, part.continuous, strict=True):
            mine[here] = other
        if self.target is not None and part.target is not None:
            self.target[here] = part.target

    def take(self, rows: NDArray[np.intp]) -> Encoded:
        """Some of the rows."""
        return replace(
            self,
            columns=[None if column is None else column[rows] for column in self.columns],
            rows=len(rows),
            target=None if self.target is None else self.target[rows],
            weights=None if self.weights is None else self.weights[rows],
            continuous=[None if column is None else column[rows] for column in self.continuous],
        )


def code_type(card: int) -> Any:
    """The narrowest type that holds ``card`` codes and the one for missing."""
    return np.uint8 if card <= 0xFF else np.uint16 if card <= 0xFFFF else np.uint32
