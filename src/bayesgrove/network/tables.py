"""Conditional probability tables.

A table has all configurations of the parents, or only the observed ones and a default row.
"""

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
"""Largest number of axes of a table that is made as one array."""
DIRECT_ROWS = 1 << 12
"""Up to this number of joint values, configurations are looked up in an array of all of them."""
PADDED_CELLS = 1 << 14
"""Tables up to this number of cells have a position for missing values on every axis."""


@dataclass(frozen=True)
class ConditionalTable:
    """A conditional probability table ``P(child | parents)``.

    ``numpy.asarray(table)`` is the same as `dense`. A table never changes after it is made.

    Parameters
    ----------
    family : Family
        The child, its attribute parents, and whether the class is a parent too. Variables are
        given by number.
    configurations : Configurations
        The configurations of the attribute parents that have a row in the table: all
        configurations, or only the observed ones.
    probabilities : ndarray of shape (n_rows, n_classes, n_values)
        ``P(value of the child | configuration, class)``. The class axis has length 1 if the class
        is not a parent. If ``configurations`` has only the observed configurations, the last row is
        the default for all others. The array becomes read-only.
    """

    family: Family
    configurations: Configurations
    probabilities: Floats

    def __post_init__(self) -> None:
        self.probabilities.flags.writeable = False

    @property
    def cards(self) -> tuple[int, ...]:
        """Cardinalities of the attribute parents."""
        return self.configurations.cards

    @property
    def outer(self) -> tuple[int, ...]:
        """Sizes of the configuration axes: one axis per parent, or one axis if `by_number`."""
        return (len(self.probabilities),) if self.by_number else self.cards

    @cached_property
    def padded(self) -> Floats:
        """Probabilities with one extra position on every axis except the class axis.

        The extra, last position of an axis stands for a missing value. All its cells are 1, because
        summing the table over the child gives 1. A table with a missing variable therefore does not
        change a product. There is one axis per parent, or one axis of configurations if
        `by_number`.
        """
        known, outer = self.probabilities, self.outer
        known = known.reshape(*outer, *known.shape[1:])
        padded = np.ones((*(size + 1 for size in outer), known.shape[-2], known.shape[-1] + 1))
        padded[(*(slice(size) for size in outer), slice(None), slice(-1))] = known
        return padded

    @cached_property
    def by_number(self) -> bool:
        """Whether configurations are looked up by number and not by the codes of the parents."""
        padded = math.prod([card + 1 for card in self.cards]) * self.probabilities.shape[2]
        return self.has_default or padded > max(PADDED_CELLS, 4 * self.probabilities.size)

    def rows(self, columns: Sequence[Codes], count: int) -> NDArray[np.int64]:
        """Return the row of `probabilities` for every joint value of the parents.

        A configuration that was not observed has the default row, the last one. If a parent is
        missing, the row number is ``len(probabilities)``, which is the last row of `padded` if
        `by_number`. A parent with one state is never missing.

        Parameters
        ----------
        columns : sequence of ndarray of shape (count,)
            Codes of every attribute parent. The cardinality of the parent is the code for missing.
        count : int
            Number of rows in the columns.

        Returns
        -------
        ndarray of shape (count,)
            Row numbers.
        """
        if self._row_numbers is None:
            return self._search(columns, count)
        index = np.zeros(count, dtype=np.int64)
        for column, card in zip(columns, self.cards, strict=True):
            index *= card + 1
            index += column
        return self._row_numbers[index]

    @cached_property
    def _row_numbers(self) -> NDArray[np.int64] | None:
        """Row number of every joint value of the parents with missing values; None if too many."""
        sizes = [card + 1 for card in self.cards]
        size = math.prod(sizes)
        if size > max(DIRECT_ROWS, 4 * len(self.probabilities)):
            return None
        codes = np.indices(sizes).reshape(len(sizes), size)
        pairs = zip(codes, self.cards, strict=True)
        return self._search([column.astype(code_type(card)) for column, card in pairs], size)

    def _search(self, columns: Sequence[Codes], count: int) -> NDArray[np.int64]:
        """Return the row numbers by a search in the configurations."""
        if 1 in self.cards:
            columns = [
                np.zeros_like(column) if card == 1 else column
                for column, card in zip(columns, self.cards, strict=True)
            ]
        numbers = self.configurations.locate(columns, count).astype(np.int64)
        neutral = len(self.probabilities)
        if not self.has_default:
            return np.where(numbers < 0, neutral, numbers)
        missing = np.zeros(count, dtype=bool)
        for column, card in zip(columns, self.cards, strict=True):
            missing |= column == card
        return np.where(missing, neutral, np.where(numbers < 0, neutral - 1, numbers))

    @property
    def has_default(self) -> bool:
        """Whether only observed configurations have rows, and all others share a default row."""
        return self.configurations.keys is not None

    @property
    def whole_cells(self) -> int:
        """Number of cells that the table has with all configurations."""
        return math.prod(self.cards) * math.prod(self.probabilities.shape[1:])

    def scope(self, class_variable: int) -> tuple[int, ...]:
        """Return the variables of the axes of the dense table.

        Parameters
        ----------
        class_variable : int
            Number of the class variable.

        Returns
        -------
        tuple of int
            Numbers of the attribute parents, of the class (if it is a parent) and of the child.
        """
        return self.family.scope(class_variable)

    def same(self, other: ConditionalTable) -> bool:
        """Return whether another table has the same family and the same probabilities.

        A table of all configurations can be the same as a table of observed configurations.

        Parameters
        ----------
        other : ConditionalTable
            The table to compare with.

        Returns
        -------
        bool
            Whether all probabilities are equal.
        """
        if self.family != other.family or self.cards != other.cards:
            return False
        if not (self.has_default or other.has_default):
            return np.array_equal(self.probabilities, other.probabilities)
        if not (self.has_default and other.has_default):
            return np.array_equal(self.dense(), other.dense())
        union = self.configurations.union(other.configurations)
        equal = np.array_equal(self._rows_at(union), other._rows_at(union))
        complete = union.size == math.prod(self.cards)
        return equal and (complete or np.array_equal(self._default, other._default))

    @property
    def _default(self) -> Floats:
        """Default row, for all configurations that were not observed."""
        row: Floats = self.probabilities[-1]
        return row

    def _rows_at(self, configurations: Configurations) -> Floats:
        """Return the rows of some configurations."""
        columns = [
            np.ascontiguousarray(column).astype(code_type(card))
            for column, card in zip(configurations.table.T, self.cards, strict=True)
        ]
        rows: Floats = self.probabilities[self.rows(columns, configurations.size)]
        return rows

    def dense(self) -> Floats:
        """Return the table with all configurations as one array.

        Returns
        -------
        ndarray
            Probabilities with one axis per attribute parent, then one for the class (if it is a
            parent), then one for the child.

        Raises
        ------
        ValueError
            If there are more than 30 attribute parents, or if the array would need more memory than
            is available.
        """
        if len(self.cards) > MAX_AXES:
            raise ValueError(
                f"{len(self.cards)} parents are too many for one array (at most {MAX_AXES}): "
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
        """Return the probabilities of every row, given its known variables.

        Parameters
        ----------
        codes : dict of int to ndarray of shape (rows,)
            Codes of the known variables, by number of the variable. A code that is equal to the
            cardinality means that the variable is missing and already summed out.
        rows : int
            Number of rows.
        class_variable : int
            Number of the class variable.

        Returns
        -------
        variables : tuple of int
            Numbers of the variables of the table that are not known.
        cells : ndarray of shape (rows, ...)
            Probabilities, with one axis per variable that is not known.
        """
        family = self.family
        inner = [class_variable, family.child] if family.given_class else [family.child]
        insert = self._given_by_number if self.by_number else self._given_by_codes
        outer, cells = insert(codes, rows)
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
        """Return the unknown parents, and ``cells[row, unknown parents..., class, value]``."""
        parents = self.family.parents
        known = [axis for axis, v in enumerate(parents) if v in codes]
        free = [axis for axis, v in enumerate(parents) if v not in codes]
        spans = [slice(None) if v in codes else slice(-1) for v in parents]
        inner = (len(parents), len(parents) + 1)
        cells = self.padded[tuple(spans)].transpose(*known, *free, *inner)
        self._require_memory(rows, [self.cards[axis] for axis in free])
        if known:
            cells = cells[tuple(codes[parents[axis]] for axis in known)]
        else:
            cells = np.broadcast_to(cells, (rows, *cells.shape))
        return [parents[axis] for axis in free], cells

    def _given_by_number(
        self, codes: Mapping[int, NDArray[np.intp]], rows: int
    ) -> tuple[list[int], Floats]:
        """Return the unknown parents, and ``cells[row, unknown parents..., class, value]``."""
        hidden = [v for v in self.family.parents if v not in codes]
        card_of = dict(zip(self.family.parents, self.cards, strict=True))
        cards = [card_of[v] for v in hidden]
        self._require_memory(rows, cards)
        places = np.indices([rows, *cards]).reshape(1 + len(cards), -1)
        columns = [
            (codes[v][places[0]] if v in codes else places[1 + hidden.index(v)]).astype(
                code_type(card)
            )
            for v, card in card_of.items()
        ]
        cells = self.padded[self.rows(columns, places.shape[1])]
        return hidden, cells.reshape(rows, *cards, *self.padded.shape[1:])

    def _require_memory(self, rows: int, cards: Sequence[int]) -> None:
        """Raise unless there is memory for the cells of some rows and unknown parents."""
        require_memory(
            8 * rows * math.prod(cards) * math.prod(self.probabilities.shape[1:]),
            "Exact inference with these missing values",
            "give fewer rows at a time, or learn with fewer parents",
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the table without its cached arrays."""
        return ConditionalTable, (self.family, self.configurations, self.probabilities)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.dense(), dtype=dtype, copy=copy)
