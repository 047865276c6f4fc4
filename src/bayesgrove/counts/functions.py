"""Count functions: each counts one part of the rows. They are small and can be pickled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from bayesgrove._utils.memory import MemoryLimitError, require_memory
from bayesgrove.counts.configurations import Configurations, Partition
from bayesgrove.counts.moments import count_moments
from bayesgrove.counts.tables import Family, FamilyTable
from bayesgrove.kernels import Floats, kernels

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from bayesgrove.counts.moments import Moments
    from bayesgrove.encoding import Encoded

T = TypeVar("T")

MAX_CELLS = 1 << 31
"""Every table must have fewer cells than this."""


@dataclass(frozen=True)
class ClassTables:
    """Counts ``N[c, value]`` of the first ``len(cards) - 1`` variables, side by side."""

    cards: tuple[int, ...]
    threads: int

    @property
    def columns(self) -> tuple[int, ...]:
        """Numbers of the variables that are counted."""
        return tuple(range(len(self.cards)))

    def __call__(self, part: Encoded) -> Floats:
        """Return the tables of one part."""
        *attributes, class_variable = self.columns
        columns = [part.column(v) for v in attributes]
        cards, classes = list(self.cards[:-1]), self.cards[-1]
        return kernels.class_tables(
            columns, cards, part.column(class_variable), classes, part.weights, self.threads
        )


@dataclass(frozen=True)
class PairTables:
    """Counts ``N[c, value of i, value of j]`` of ``attributes[first:]`` with all before each."""

    attributes: tuple[int, ...]
    cards: tuple[int, ...]
    first: int
    class_variable: int
    n_classes: int
    threads: int

    @property
    def columns(self) -> tuple[int, ...]:
        """Numbers of the variables that are counted."""
        return (*self.attributes, self.class_variable)

    def __call__(self, part: Encoded) -> Floats:
        """Return the tables of one part."""
        return kernels.pair_tables(
            [part.column(v) for v in self.attributes],
            list(self.cards),
            part.column(self.class_variable),
            self.n_classes,
            part.weights,
            self.first,
            self.threads,
        )


@dataclass(frozen=True)
class FamilyTables:
    """Tables of families.

    A family has a table of all parent configurations where ``dense`` is True, else a table of the
    observed configurations. ``names`` and ``cards`` belong to all variables; the class is last.
    """

    families: tuple[Family, ...]
    dense: tuple[bool, ...]
    names: tuple[str, ...]
    cards: tuple[int, ...]
    threads: int

    @property
    def columns(self) -> tuple[int, ...]:
        """Numbers of the variables that are counted."""
        class_variable = len(self.cards) - 1
        scopes = (family.scope(class_variable) for family in self.families)
        return tuple(sorted({v for scope in scopes for v in scope}))

    def __call__(self, part: Encoded) -> list[FamilyTable]:
        """Return the tables of one part, in the order of the families."""
        whole = [f for f, dense in zip(self.families, self.dense, strict=True) if dense]
        alone = [f for f in whole if f.given_class and not f.parents]
        others = [f for f in whole if f not in set(alone)]
        tables = self._given_class(part, alone) | self._joint(part, others)
        return [tables.get(family) or self._observed(part, family) for family in self.families]

    def _given_class(self, part: Encoded, families: list[Family]) -> dict[Family, FamilyTable]:
        """Return tables of attributes whose only parent is the class, by a special kernel."""
        if not families:
            return {}
        columns = [part.column(family.child) for family in families]
        cards = [self.cards[family.child] for family in families]
        target, classes = part.column(len(self.cards) - 1), self.cards[-1]
        flat = kernels.class_tables(columns, cards, target, classes, part.weights, self.threads)
        tables = np.split(flat, np.cumsum(cards)[:-1], axis=1)
        return {
            family: FamilyTable(family, Configurations(()), np.ascontiguousarray(counts)[None])
            for family, counts in zip(families, tables, strict=True)
        }

    def _joint(self, part: Encoded, families: list[Family]) -> dict[Family, FamilyTable]:
        """Return tables of all configurations of the parents."""
        position = {v: k for k, v in enumerate(self.columns)}
        sets = [[position[v] for v in self._axes(family)] for family in families]
        columns = [part.column(v) for v in self.columns]
        cards = [self.cards[v] for v in self.columns]
        flat = kernels.joint_tables(sets, columns, cards, part.weights, self.threads)
        return {
            family: FamilyTable(
                family,
                Configurations(tuple(self.cards[v] for v in family.parents)),
                counts.reshape(-1, *self._shape(family)),
            )
            for family, counts in zip(families, flat, strict=True)
        }

    def _observed(self, part: Encoded, family: Family) -> FamilyTable:
        """Return the table of the parent configurations that occur."""
        partition = Partition.whole(part.rows)
        for v in family.parents:
            partition = partition.refine(part.column(v), self.cards[v])
        inner = self._axes(family)[len(family.parents) :]
        classes, card = self._shape(family)
        require_cells(self.names[family.child], partition.size * classes * card)
        columns = [partition.codes(), *(part.column(v) for v in inner)]
        cards = [partition.size, *(self.cards[v] for v in inner)]
        members = list(range(len(columns)))
        (flat,) = kernels.joint_tables([members], columns, cards, part.weights, 1)
        configurations = Configurations(
            tuple(self.cards[v] for v in family.parents), partition.keys
        )
        return FamilyTable(family, configurations, flat.reshape(-1, classes, card))

    def _axes(self, family: Family) -> tuple[int, ...]:
        """Return the variables of the axes of a table: parents, the class, the child."""
        return family.scope(len(self.cards) - 1)

    def _shape(self, family: Family) -> tuple[int, int]:
        """Return the lengths of the class axis and the child axis of a table."""
        return (self.cards[-1] if family.given_class else 1, self.cards[family.child])


@dataclass(frozen=True)
class DenseTables:
    """Counts of all joint values of sets of variables, one table after another.

    The last variable of a set varies fastest. ``cards`` belong to all variables; the class is last.
    """

    sets: tuple[tuple[int, ...], ...]
    cards: tuple[int, ...]
    threads: int

    def __call__(self, part: Encoded) -> Floats:
        """Return the tables of one part, side by side."""
        columns = [part.column(v) for v in range(len(self.cards))]
        tables = kernels.joint_tables(
            list(map(list, self.sets)), columns, list(self.cards), part.weights, self.threads
        )
        return np.concatenate(tables)


@dataclass(frozen=True)
class ClassMoments:
    """Moments of the continuous columns within each class.

    With ``steps``, the numbers are rounded to multiples of the step of their column.
    """

    steps: tuple[float, ...] | None = None

    def __call__(self, part: Encoded) -> Moments:
        """Return the moments of one part."""
        return count_moments(part, self.steps)


@dataclass(frozen=True)
class OfView(Generic[T]):
    """A measure of rows that have only some of the attributes, in the order of a view."""

    measure: Callable[[Encoded], T]
    attributes: tuple[int, ...]

    def __call__(self, part: Encoded) -> T:
        """Return the measure of one part."""
        return self.measure(part.select(self.attributes))


@dataclass(frozen=True)
class TakeFold:
    """A change that keeps the rows inside one fold, or outside it."""

    labels: NDArray[np.integer[Any]]
    fold: int
    inside: bool

    def __call__(self, part: Encoded, first_row: int) -> Encoded:
        """Return the rows of one part that are kept."""
        in_fold = self.labels[first_row : first_row + part.rows] == self.fold
        return part.take((in_fold == self.inside).nonzero()[0])


@dataclass(frozen=True)
class OneClass:
    """A change that gives all rows the same class."""

    def __call__(self, part: Encoded, first_row: int) -> Encoded:
        """Return the rows of one part with one class."""
        del first_row
        return replace(part, target=np.zeros(part.rows, dtype=np.uint8), n_classes=1)


def merge_tables(one: list[FamilyTable], two: list[FamilyTable]) -> list[FamilyTable]:
    """Return the sums of the tables of two parts."""
    return [a.merge(b) for a, b in zip(one, two, strict=True)]


def require_cells(child: str, cells: int) -> None:
    """Raise unless a table with this number of cells is allowed and fits in memory."""
    table, remedy = f"The table of {child!r}", "allow fewer parents or values"
    require_memory(cells * 24, table, remedy)
    if cells >= MAX_CELLS:
        raise MemoryLimitError(f"{table} would have {cells} cells: {remedy}.")
