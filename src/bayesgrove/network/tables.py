"""Conditional probability tables: whole, or for observed configurations with a default row."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.encoding import code_type, require_memory

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from bayesgrove.counts import Configurations, Family
    from bayesgrove.kernels import Codes, Floats

MAX_AXES = 30


@dataclass(frozen=True)
class ConditionalTable:
    """``P(child | parents)`` as ``probabilities[configuration, class, value]``.

    The class axis has length 1 where the class is no parent. Where only observed configurations
    are kept, the last row of ``probabilities`` is the default for all others.
    """

    family: Family
    configurations: Configurations
    probabilities: Floats

    @property
    def cards(self) -> tuple[int, ...]:
        """Number of states of the attribute parents."""
        return self.configurations.cards

    def rows(self, columns: Sequence[Codes], count: int) -> NDArray[np.int32]:
        """Which row of the table holds for each of ``count`` rows of parent codes."""
        found = self.configurations.locate(columns, count)
        default = len(self.probabilities) - 1
        return np.where(found < 0, np.int32(default), found) if self.has_default else found

    @property
    def has_default(self) -> bool:
        """Whether configurations that were not observed share one row."""
        return self.configurations.keys is not None

    def dense(self) -> Floats:
        """All configurations: one axis a parent, then the class (if a parent), then the child."""
        if len(self.cards) > MAX_AXES:
            raise ValueError(
                f"{len(self.cards)} parents are more than an array has axes: "
                "use `probabilities` and `configurations`."
            )
        cells = math.prod(self.cards) * math.prod(self.probabilities.shape[1:])
        require_memory(
            8 * cells, "The whole conditional table", "ask for a node with fewer parents"
        )
        shape: tuple[int, ...] = (*self.cards, *self.probabilities.shape[1:])
        if self.has_default:
            out = np.broadcast_to(self.probabilities[-1], shape).copy()
            out[tuple(self.configurations.table.T)] = self.probabilities[:-1]
        else:
            out = self.probabilities.reshape(shape)
        return out if self.family.given_class else out.squeeze(axis=-2)

    def given(
        self, codes: Mapping[int, NDArray[np.intp]], rows: int, class_variable: int
    ) -> tuple[tuple[int, ...], Floats]:
        """The table with known variables inserted row by row; the others remain as axes.

        Returns the remaining variables and values ``[row, remaining...]``.
        """
        family = self.family
        hidden = [v for v in family.parents if v not in codes]
        inner = [class_variable, family.child] if family.given_class else [family.child]
        cards = [card for v, card in zip(family.parents, self.cards, strict=True) if v in hidden]
        values = self._rows_given(codes, hidden, cards, rows)
        for v in (v for v in inner if v in codes):
            axis = 1 + len(hidden) + inner.index(v)
            index = codes[v].reshape(-1, *[1] * (values.ndim - 1))
            values = np.take_along_axis(values, index, axis)
        free = [v for v in inner if v not in codes]
        sizes = [values.shape[1 + len(hidden) + inner.index(v)] for v in free]
        return (*hidden, *free), values.reshape(rows, *cards, *sizes)

    def _rows_given(
        self,
        codes: Mapping[int, NDArray[np.intp]],
        hidden: list[int],
        cards: list[int],
        rows: int,
    ) -> Floats:
        """``P[row, hidden parents..., class if a parent, value]``."""
        inner = self.probabilities.shape[1:]
        cells = rows * math.prod(cards) * math.prod(inner)
        require_memory(
            8 * cells,
            "Exact inference with these missing values",
            "give fewer rows at a time, or fewer parents",
        )
        places = np.indices([rows, *cards]).reshape(1 + len(cards), -1)
        columns = [
            (codes[v][places[0]] if v in codes else places[1 + hidden.index(v)]).astype(
                code_type(card)
            )
            for v, card in zip(self.family.parents, self.cards, strict=True)
        ]
        found = self.probabilities[self.rows(columns, places.shape[1])]
        return found.reshape(rows, *cards, *(inner if self.family.given_class else inner[1:]))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.dense(), dtype=dtype, copy=copy)
