"""Conditional probability tables: whole, or for observed configurations with a default row."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.encoding import code_type, require_memory

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from bayesgrove.counts import Configurations, Family
    from bayesgrove.kernels import Codes, Floats

MAX_AXES = 30
DIRECT_ROWS = 1 << 12
"""Configurations are looked up in a table of all joint values up to this size."""
PADDED_CELLS = 1 << 14
"""Tables up to this size have room for missing values on every axis."""


@dataclass(frozen=True)
class ConditionalTable:
    """``P(child | parents)`` as ``probabilities[configuration, class, value]``.

    The class axis has length 1 where the class is no parent. Where only observed configurations
    are kept, the last row of ``probabilities`` is the default for all others.
    """

    family: Family
    configurations: Configurations
    probabilities: Floats

    def __post_init__(self) -> None:
        self.probabilities.flags.writeable = False  # a network never changes

    @property
    def cards(self) -> tuple[int, ...]:
        """Number of states of the attribute parents."""
        return self.configurations.cards

    @property
    def outer(self) -> tuple[int, ...]:
        """Sizes of the axes of the configurations: one per parent, or (`by_number`) one for all."""
        return (len(self.probabilities),) if self.by_number else self.cards

    @cached_property
    def padded(self) -> Floats:
        """``P[configuration, class, value]`` with one more of each axis but the class.

        The last place of an axis stands for a missing value: all its cells are 1, which is what
        summing the table over the child gives. So a table that a missing value touches is neutral.
        There is an axis for every parent, or (`by_number`) one for all configurations.
        """
        known, outer = self.probabilities, self.outer
        known = known.reshape(*outer, *known.shape[1:])
        padded = np.ones((*(size + 1 for size in outer), known.shape[-2], known.shape[-1] + 1))
        padded[(*(slice(size) for size in outer), slice(None), slice(-1))] = known
        return padded

    @cached_property
    def by_number(self) -> bool:
        """Whether configurations are looked up by number, not by the codes of the parents."""
        padded = math.prod([card + 1 for card in self.cards]) * self.probabilities.shape[2]
        return self.has_default or padded > max(PADDED_CELLS, 4 * self.probabilities.size)

    def rows(self, columns: Sequence[Codes], count: int) -> NDArray[np.int64]:
        """Rows of ``padded`` by number: parent codes in, the code card for missing.

        A parent with one state is never missing.
        """
        if self._direct is None:
            return self._search(columns, count)
        index = np.zeros(count, dtype=np.int64)
        for column, card in zip(columns, self.cards, strict=True):
            index *= card + 1
            index += column
        return self._direct[index]

    @cached_property
    def _direct(self) -> NDArray[np.int64] | None:
        """The row per joint value of the parents, missing ones too; None where they are many."""
        sizes = [card + 1 for card in self.cards]
        size = math.prod(sizes)
        if size > max(DIRECT_ROWS, 4 * len(self.probabilities)):
            return None
        codes = np.indices(sizes).reshape(len(sizes), size)
        pairs = zip(codes, self.cards, strict=True)
        return self._search([own.astype(code_type(card)) for own, card in pairs], size)

    def _search(self, columns: Sequence[Codes], count: int) -> NDArray[np.int64]:
        if 1 in self.cards:
            columns = [
                np.zeros_like(column) if card == 1 else column
                for column, card in zip(columns, self.cards, strict=True)
            ]
        found = self.configurations.locate(columns, count).astype(np.int64)
        neutral = len(self.probabilities)
        if not self.has_default:
            return np.where(found < 0, neutral, found)
        missing = np.zeros(count, dtype=bool)
        for column, card in zip(columns, self.cards, strict=True):
            missing |= column == card
        return np.where(missing, neutral, np.where(found < 0, neutral - 1, found))

    @property
    def has_default(self) -> bool:
        """Whether configurations that were not observed share one row."""
        return self.configurations.keys is not None

    @property
    def whole_cells(self) -> int:
        """Number of cells with all configurations."""
        return math.prod(self.cards) * math.prod(self.probabilities.shape[1:])

    def scope(self, class_variable: int) -> tuple[int, ...]:
        """Variables of the axes of the whole table."""
        return self.family.scope(class_variable)

    def same(self, other: ConditionalTable) -> bool:
        """Whether every probability is the same, however the configurations are kept."""
        if self.family != other.family or self.cards != other.cards:
            return False
        if not (self.has_default or other.has_default):
            return np.array_equal(self.probabilities, other.probabilities)
        if not (self.has_default and other.has_default):
            return np.array_equal(self.dense(), other.dense())
        either = self.configurations.union(other.configurations)
        alike = np.array_equal(self._at(either), other._at(either))
        all_of_them = either.size == math.prod(self.cards)
        return alike and (all_of_them or np.array_equal(self._default, other._default))

    @property
    def _default(self) -> Floats:
        """The row of all configurations that were not observed."""
        row: Floats = self.probabilities[-1]
        return row

    def _at(self, configurations: Configurations) -> Floats:
        """The rows of some configurations."""
        columns = [
            np.ascontiguousarray(column).astype(code_type(card))
            for column, card in zip(configurations.table.T, self.cards, strict=True)
        ]
        rows: Floats = self.probabilities[self.rows(columns, configurations.size)]
        return rows

    def dense(self) -> Floats:
        """All configurations: one axis a parent, then the class (if a parent), then the child."""
        if len(self.cards) > MAX_AXES:
            raise ValueError(
                f"{len(self.cards)} parents are more than an array has axes: "
                "use `probabilities` and `configurations`."
            )
        require_memory(
            8 * self.whole_cells, "The whole conditional table", "ask for a node with fewer parents"
        )
        shape: tuple[int, ...] = (*self.cards, *self.probabilities.shape[1:])
        if self.has_default:
            out = np.broadcast_to(self._default, shape).copy()
            out[tuple(self.configurations.table.T)] = self.probabilities[:-1]
        else:
            out = self.probabilities.reshape(shape)
        return out if self.family.given_class else out.squeeze(axis=-2)

    def given(
        self, codes: Mapping[int, NDArray[np.intp]], rows: int, class_variable: int
    ) -> tuple[tuple[int, ...], Floats]:
        """``P`` with known variables inserted row by row; the others remain as axes.

        Returns the remaining variables and ``cells[row, remaining...]``. A known variable may have
        the code card: it is missing and summed out already.
        """
        family = self.family
        inner = [class_variable, family.child] if family.given_class else [family.child]
        find = self._given_by_number if self.by_number else self._given_by_codes
        outer, cells = find(codes, rows)
        cells = cells if family.given_class else cells.squeeze(axis=-2)
        for v in reversed(inner):
            axis = cells.ndim - len(inner) + inner.index(v)
            if v in codes:
                index = codes[v].reshape(-1, *[1] * (cells.ndim - 1))
                cells = np.take_along_axis(cells, index, axis)
            elif v == family.child:
                cells = cells[..., :-1]
        free = [v for v in inner if v not in codes]
        sizes = [cells.shape[cells.ndim - len(inner) + inner.index(v)] for v in free]
        return (*outer, *free), cells.reshape(*cells.shape[: 1 + len(outer)], *sizes)

    def _given_by_codes(
        self, codes: Mapping[int, NDArray[np.intp]], rows: int
    ) -> tuple[list[int], Floats]:
        """Unknown parents, and ``cells[row, unknown parents..., class, value]``."""
        parents = self.family.parents
        known = [axis for axis, v in enumerate(parents) if v in codes]
        free = [axis for axis, v in enumerate(parents) if v not in codes]
        spans = [slice(None) if v in codes else slice(-1) for v in parents]
        inner = (len(parents), len(parents) + 1)
        cells = self.padded[tuple(spans)].transpose(*known, *free, *inner)
        self._require(rows, [self.cards[axis] for axis in free])
        if known:
            cells = cells[tuple(codes[parents[axis]] for axis in known)]
        else:
            cells = np.broadcast_to(cells, (rows, *cells.shape))
        return [parents[axis] for axis in free], cells

    def _given_by_number(
        self, codes: Mapping[int, NDArray[np.intp]], rows: int
    ) -> tuple[list[int], Floats]:
        """Unknown parents, and ``cells[row, unknown parents..., class, value]``."""
        hidden = [v for v in self.family.parents if v not in codes]
        card_of = dict(zip(self.family.parents, self.cards, strict=True))
        cards = [card_of[v] for v in hidden]
        self._require(rows, cards)
        places = np.indices([rows, *cards]).reshape(1 + len(cards), -1)
        columns = [
            (codes[v][places[0]] if v in codes else places[1 + hidden.index(v)]).astype(
                code_type(card)
            )
            for v, card in card_of.items()
        ]
        cells = self.padded[self.rows(columns, places.shape[1])]
        return hidden, cells.reshape(rows, *cards, *self.padded.shape[1:])

    def _require(self, rows: int, cards: Sequence[int]) -> None:
        require_memory(
            8 * rows * math.prod(cards) * math.prod(self.probabilities.shape[1:]),
            "Exact inference with these missing values",
            "give fewer rows at a time, or fewer parents",
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """What is compiled for speed is not pickled."""
        return ConditionalTable, (self.family, self.configurations, self.probabilities)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.dense(), dtype=dtype, copy=copy)
