"""Conditional tables as they are laid out in a program: ``cells[configuration, value, class]``."""

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
"""Two tables of one attribute each become one of at most so many joint values."""
BLOCK_CELLS = 1 << 16
"""Tables are written about so many cells at a time: what is in between stays in the cache."""

Steps = list[tuple[int, int]]


@dataclass(frozen=True)
class Term:
    """A table as it is added up: logarithms times a power, or probabilities times a weight.

    Every axis but that of the class has one more place, for a missing value: its cells have the
    probability 1, which is what summing the table over the child gives.
    """

    table: ConditionalTable
    class_variable: int
    times: float
    logs: bool

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the axes: the parents (or one for all configurations), the child, the class."""
        *outer, values, width = self._known.shape
        return (*(size + 1 for size in outer), values + (not self._of_class), width)

    def steps(self, numbers: Mapping[int, int]) -> Steps:
        """The variables that point at a row of cells, and by how much each moves it.

        ``numbers`` tells the column that has the configurations of a table by number. An attribute
        with one state is never missing: it moves nothing.
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
        """Fill an array of this shape, some cells at a time."""
        known = self._known
        step = max(1, BLOCK_CELLS // max(1, known[0].size))
        for start in range(0, len(known), step):
            cells = self._of(known[start : start + step])
            inside = tuple(slice(size) for size in cells.shape[:-1])
            place = out[start : start + len(cells)]
            for c in range(cells.shape[-1]):  # numpy copies short rows slowly
                place[..., c][inside] = cells[..., c]
        neutral = self._of(np.ones(1))[0]
        for axis, size in enumerate(known.shape):
            if size < out.shape[axis]:
                out.swapaxes(0, axis)[-1] = neutral

    def joins(self, other: Term) -> bool:
        """Whether this and another table are small ones of one attribute each."""
        if len(self.shape) != 2 or len(other.shape) != 2 or self._of_class or other._of_class:
            return False
        return self.shape[1] == other.shape[1] and self.shape[0] * other.shape[0] <= PAIR_CELLS

    @property
    def _of_class(self) -> bool:
        return self.table.family.child == self.class_variable

    @cached_property
    def _known(self) -> Floats:
        """The probabilities with the axes of ``shape``, without the places of missing values."""
        known = self.table.probabilities
        known = known.reshape(*self.table.outer, *known.shape[1:])
        return known if self._of_class else np.moveaxis(known, -2, -1)

    def _of(self, probabilities: Floats) -> Floats:
        """What is added for some probabilities."""
        if not self.logs:
            return self.times * probabilities
        with np.errstate(divide="ignore"):
            cells: Floats = np.log(probabilities)
        return cells if self.times == 1 else self.times * cells


@dataclass(frozen=True)
class Pair:
    """Two tables of one attribute each as one of both."""

    first: Term
    second: Term

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the axes: both attributes, the class."""
        return (self.first.shape[0], *self.second.shape)

    def steps(self, numbers: Mapping[int, int]) -> Steps:
        """See `Term.steps`."""
        ((variable, stride),) = self.first.steps(numbers)
        return [(variable, stride * self.second.shape[0]), *self.second.steps(numbers)]

    def write(self, out: Floats) -> None:
        """Fill an array of this shape."""
        first, second = np.empty(self.first.shape), np.empty(self.second.shape)
        self.first.write(first)
        self.second.write(second)
        np.add(first[:, None, :], second, out=out)


Factor = Term | Pair
