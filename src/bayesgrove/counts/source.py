"""Where learners get their counts, wherever the rows live."""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from bayesgrove.counts.configurations import Configurations, Partition
from bayesgrove.counts.moments import Moments, count_moments
from bayesgrove.counts.tables import Family, FamilyTable
from bayesgrove.encoding import Encoded, MemoryLimitError, require_memory
from bayesgrove.kernels import Floats, kernels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

T = TypeVar("T")

DENSE_CELLS = 1 << 16
"""A table of at most so many cells, or of twice as many cells as rows, is kept whole."""
MAX_CELLS = 1 << 31
"""No table has as many cells as this."""
BLOCK_BYTES = 1 << 27
"""Pair tables come in blocks of about this size."""
MEMO_BYTES = 1 << 28
"""Family tables are remembered up to this size together."""


class Engine(Protocol):
    """Rows somewhere. All an engine has to do is count parts and merge the counts."""

    rows: int

    @property
    def whole(self) -> Encoded | None:
        """All rows, where they are in memory."""

    def map_reduce(self, count: Callable[[Encoded], T], merge: Callable[[T, T], T]) -> T:
        """Merge ``count(part)`` over all parts of the data."""


@dataclass(frozen=True)
class PairBlock:
    """``counts[c, value of i, value of j]`` for ``first <= i < last``, ``j < i``; else zero.

    i and j are places in the list of attributes that was asked for.
    """

    first: int
    last: int
    counts: Floats


class CountSource:
    """Counts of encoded rows: attributes are the variables 0..n-1, the class is variable n.

    Parameters
    ----------
    engine : the rows
    names : names of the attributes, then of the class
    cards : number of states of each of them
    threads : number of threads; results do not depend on it
    """

    def __init__(
        self, engine: Engine, names: Sequence[str], cards: Sequence[int], threads: int = 1
    ) -> None:
        self.names = list(names)
        self.cards = list(cards)
        self.threads = threads
        self._engine = engine
        self._memo: OrderedDict[Family, FamilyTable] = OrderedDict()
        self._memo_size = 0

    @property
    def n_attributes(self) -> int:
        """Number of attributes; also the number of the class variable."""
        return len(self.cards) - 1

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return self.cards[-1]

    @property
    def attribute_cards(self) -> list[int]:
        """Number of states of every attribute."""
        return self.cards[:-1]

    @cached_property
    def class_counts(self) -> Floats:
        """Weight of every class."""
        family = Family(self.n_attributes, (), given_class=False)
        counts: Floats = self.tables([family])[0].counts[0, 0]
        return counts

    @property
    def total(self) -> float:
        """Weight of all rows."""
        return float(self.class_counts.sum())

    def class_tables(self) -> Floats:
        """``N[c, value]`` of every attribute, side by side, shape (classes, sum of cards)."""
        require_memory(
            8 * self.n_classes * sum(self.attribute_cards),
            "The tables of all attributes given the class",
            "leave out or merge values of columns with very many values",
        )

        def count(part: Encoded) -> Floats:
            return kernels.class_tables(
                part.columns,
                part.cards,
                part.column(self.n_attributes),
                part.n_classes,
                part.weights,
                self.threads,
            )

        return self._engine.map_reduce(count, np.add)

    def pair_tables(self, attributes: Sequence[int]) -> Iterator[PairBlock]:
        """All tables of two of the attributes given the class, in blocks of attributes."""
        cards = [self.cards[v] for v in attributes]
        for first, last in self._blocks(attributes):

            def count(part: Encoded, first: int = first, last: int = last) -> Floats:
                return kernels.pair_tables(
                    [part.columns[v] for v in attributes[:last]],
                    cards[:last],
                    part.column(self.n_attributes),
                    part.n_classes,
                    part.weights,
                    first,
                    self.threads,
                )

            yield PairBlock(first, last, self._engine.map_reduce(count, np.add))

    def pair_information(self, attributes: Sequence[int]) -> Floats:
        """``I(X;X'|C)`` of every two of the attributes, from their pair tables.

        Rows in memory go through one kernel that never keeps the tables.
        """
        cards = [self.cards[v] for v in attributes]
        whole = self._engine.whole
        if whole is not None:
            columns = [whole.columns[v] for v in attributes]
            target = whole.column(self.n_attributes)
            return kernels.pairwise_information(
                columns, cards, target, self.n_classes, whole.weights, self.total, self.threads
            )
        matrix = np.zeros((len(attributes), len(attributes)))
        for block in self.pair_tables(attributes):
            rows, columns_before = slice(block.first, block.last), slice(0, block.last)
            part = kernels.pair_information(
                block.counts, cards[rows], cards[columns_before], self.total, self.threads
            )
            matrix[rows, columns_before] += part
            matrix[columns_before, rows] += part.T
        return matrix

    def moments(self) -> Moments:
        """Moments of the columns that stayed numbers, class by class."""
        return self._engine.map_reduce(count_moments, Moments.merge)

    def tables(self, families: Sequence[Family]) -> list[FamilyTable]:
        """Tables of some families, all counted in one pass; recent ones are remembered."""
        wanted = [family for family in dict.fromkeys(families) if family not in self._memo]
        found = dict(zip(wanted, self._count(wanted), strict=True)) if wanted else {}
        tables = [found.get(family) or self._memo[family] for family in families]
        for table in tables:
            self._remember(table)
        return tables

    def _count(self, families: list[Family]) -> list[FamilyTable]:
        dense = [self._is_dense(family) for family in families]

        def count(part: Encoded) -> list[FamilyTable]:
            whole = [f for f, is_dense in zip(families, dense, strict=True) if is_dense]
            tables = dict(zip(whole, self._dense_tables(part, whole), strict=True))
            return [tables.get(family) or self._observed_table(part, family) for family in families]

        def merge(one: list[FamilyTable], two: list[FamilyTable]) -> list[FamilyTable]:
            return [a.merge(b) for a, b in zip(one, two, strict=True)]

        return self._engine.map_reduce(count, merge)

    def _is_dense(self, family: Family) -> bool:
        cells = math.prod([self.cards[v] for v in family.parents]) * self._inner_cells(family)
        if not family.parents:
            self._check_cells(family, cells)
            return True
        return cells <= max(DENSE_CELLS, 2 * self._engine.rows) and cells < MAX_CELLS

    def _inner_cells(self, family: Family) -> int:
        return self.cards[family.child] * (self.n_classes if family.given_class else 1)

    def _shape(self, family: Family) -> tuple[int, int]:
        return (self.n_classes if family.given_class else 1, self.cards[family.child])

    def _inner(self, family: Family) -> list[int]:
        return [self.n_attributes, family.child] if family.given_class else [family.child]

    def _dense_tables(self, part: Encoded, families: list[Family]) -> list[FamilyTable]:
        sets = [[*family.parents, *self._inner(family)] for family in families]
        columns = [part.column(v) for v in range(len(self.cards))]
        flat = kernels.joint_tables(sets, columns, self.cards, part.weights, self.threads)
        return [
            FamilyTable(
                family,
                Configurations(tuple(self.cards[v] for v in family.parents)),
                counts.reshape(-1, *self._shape(family)),
            )
            for family, counts in zip(families, flat, strict=True)
        ]

    def _observed_table(self, part: Encoded, family: Family) -> FamilyTable:
        partition = Partition.whole(part.rows)
        for v in family.parents:
            partition = partition.refine(part.column(v), self.cards[v])
        self._check_cells(family, partition.size * self._inner_cells(family))
        columns = [partition.codes(), *(part.column(v) for v in self._inner(family))]
        cards = [partition.size, *(self.cards[v] for v in self._inner(family))]
        members = list(range(len(columns)))
        (flat,) = kernels.joint_tables([members], columns, cards, part.weights, 1)
        configurations = Configurations(
            tuple(self.cards[v] for v in family.parents), partition.keys
        )
        return FamilyTable(family, configurations, flat.reshape(-1, *self._shape(family)))

    def _check_cells(self, family: Family, cells: int) -> None:
        what, remedy = f"The table of {self.names[family.child]!r}", "allow fewer parents or values"
        require_memory(cells * 24, what, remedy)
        if cells >= MAX_CELLS:
            raise MemoryLimitError(f"{what} would have {cells} cells: {remedy}.")

    def _remember(self, table: FamilyTable) -> None:
        if table.family in self._memo:
            self._memo.move_to_end(table.family)
            return
        self._memo[table.family] = table
        self._memo_size += table.counts.nbytes
        while self._memo_size > MEMO_BYTES and len(self._memo) > 1:
            _, old = self._memo.popitem(last=False)
            self._memo_size -= old.counts.nbytes

    def _blocks(self, attributes: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Runs of attributes whose pair tables with all before them make one block."""
        ends = np.concatenate([[0], np.cumsum([self.cards[v] for v in attributes])])
        first = 0
        for last in range(1, len(attributes) + 1):
            following = min(last + 1, len(attributes))
            size = _block_bytes(ends, first, following, self.n_classes)
            if size > BLOCK_BYTES or last == len(attributes):
                require_memory(
                    _block_bytes(ends, first, last, self.n_classes),
                    f"The pair tables of {self.names[attributes[last - 1]]!r}",
                    "leave out or merge values of columns with very many values",
                )
                yield first, last
                first = last


def _block_bytes(ends: Any, first: int, last: int, n_classes: int) -> int:
    return int(n_classes * (ends[last] - ends[first]) * ends[last] * 8)
