"""Memory layout of conditional tables in a program: ``cells[configuration, value, class]``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bayesgrove.kernels import Floats
    from bayesgrove.network.tables import ConditionalTable

PAIR_CELLS = 64
"""Two tables of one attribute each are joined if the result has at most this many joint values."""
BLOCK_CELLS = 1 << 16
"""Tables are written in blocks of about this many cells, so that temporary arrays stay in cache."""

Steps = list[tuple[int, int]]


@dataclass(frozen=True)
class Term:
    """A conditional table as one term of a sum.

    The term is a log-probability times a power (``logs`` is true) or a probability times a weight.
    Every axis except the class axis has one extra position for a missing value. The cells there
    have the probability 1, because summing the table over the child gives 1.
    """

    table: ConditionalTable
    class_variable: int
    times: float
    logs: bool

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the axes: the parents (or one axis of configurations), the child, the class."""
        *outer, values, width = self._known.shape
        return (*(size + 1 for size in outer), values + (not self._of_class), width)

    def steps(self, numbers: Mapping[int, int]) -> Steps:
        """Return pairs of a column and its stride, which locate a row of cells.

        The row number is the sum of code times stride over these columns. A row has one cell per
        class. ``numbers`` maps the id of a table that is looked up by number to the column of its
        configuration numbers. An attribute with one state is never missing, so its stride is 0.
        """
        family, stride = self.table.family, self.shape[-2]
        steps = [] if self._of_class else [(family.child, 1 if stride > 2 else 0)]
        if self.table.by_number:
            return [*steps, (numbers[id(self.table)], stride)]
        for variable, card in zip(
            reversed(family.parents), reversed(self.table.cards), strict=True
        ):
            steps.append((variable, stride if card > 1 else 0))
            stride *= card + 1
        return steps

    def write(self, out: Floats) -> None:
        """Fill an array of this shape, block by block."""
        known = self._known
        step = max(1, BLOCK_CELLS // max(1, known[0].size))
        for start in range(0, len(known), step):
            cells = self._scaled(known[start : start + step])
            inside = tuple(slice(size) for size in cells.shape[:-1])
            block = out[start : start + len(cells)]
            for c in range(cells.shape[-1]):  # numpy copies short rows slowly.
                block[..., c][inside] = cells[..., c]
        neutral = self._scaled(np.ones(1))[0]
        for axis, size in enumerate(known.shape):
            if size < out.shape[axis]:
                out.swapaxes(0, axis)[-1] = neutral

    def joins(self, other: Term) -> bool:
        """Return whether both tables have one attribute each and are small enough to be joined."""
        if len(self.shape) != 2 or len(other.shape) != 2 or self._of_class or other._of_class:
            return False
        return self.shape[1] == other.shape[1] and self.shape[0] * other.shape[0] <= PAIR_CELLS

    @property
    def _of_class(self) -> bool:
        return self.table.family.child == self.class_variable

    @cached_property
    def _known(self) -> Floats:
        """Probabilities with the axes of ``shape``, without the positions of missing values."""
        known = self.table.probabilities
        known = known.reshape(*self.table.outer, *known.shape[1:])
        return known if self._of_class else np.moveaxis(known, -2, -1)

    def _scaled(self, probabilities: Floats) -> Floats:
        """Return the terms of the sum for some probabilities."""
        if not self.logs:
            return self.times * probabilities
        with np.errstate(divide="ignore"):
            cells: Floats = np.log(probabilities)
        return cells if self.times == 1 else self.times * cells


@dataclass(frozen=True)
class Pair:
    """Two tables of one attribute each, joined into one table of both attributes."""

    first: Term
    second: Term

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the axes: both attributes, the class."""
        return (self.first.shape[0], *self.second.shape)

    def steps(self, numbers: Mapping[int, int]) -> Steps:
        """Return pairs of a column and its stride, which locate a row of cells."""
        ((variable, stride),) = self.first.steps(numbers)
        return [(variable, stride * self.second.shape[0]), *self.second.steps(numbers)]

    def write(self, out: Floats) -> None:
        """Fill an array of this shape."""
        first, second = np.empty(self.first.shape), np.empty(self.second.shape)
        self.first.write(first)
        self.second.write(second)
        np.add(first[:, None, :], second, out=out)


Factor = Term | Pair
