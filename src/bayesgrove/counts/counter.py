"""Counts of all columns of some rows, and everything that was counted before."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove._utils.memory import require_memory
from bayesgrove.counts.cache import LRUCache
from bayesgrove.counts.cells import Cells, CellTerms
from bayesgrove.counts.functions import (
    MAX_CELLS,
    ClassMoments,
    ClassTables,
    FamilyTables,
    PairTables,
    merge_tables,
    require_cells,
)
from bayesgrove.counts.moments import Moments
from bayesgrove.counts.sums import RowSums
from bayesgrove.counts.tables import Family, FamilyTable
from bayesgrove.kernels import Floats, kernels

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.counts.engines import Engine

DENSE_CELLS = 1 << 16
"""A table of at most this many cells, or of twice as many cells as rows, is kept whole."""
BLOCK_BYTES = 1 << 27
"""Pair tables come in blocks of about this size."""
CACHE_BYTES = 1 << 26
"""Family tables are cached up to this size together."""
NUMBERS_BYTES = 1 << 26
"""Each other kind of result is cached up to this size."""
NUMBER_BYTES = 100
"""Bytes that a cached number takes, about."""
BATCH_BYTES = 1 << 25
"""Tables of about this size together are counted in one pass."""
MOST_CACHED = 500
"""Tests of the pairs of more variables are not cached: a matrix for every condition."""


@dataclass(frozen=True)
class PairBlock:
    """``counts[c, value of i, value of j]`` for ``first <= i < last``, ``j < i``; else zero.

    i and j are places in the list of attributes that was asked for.
    """

    first: int
    last: int
    counts: Floats


class Counter:
    """An engine and every cache, by the numbers of the columns; `CountSource` is a view of it.

    Parameters
    ----------
    engine : the rows
    names : names of the attributes, then of the class
    cards : number of states of each of them
    threads : number of threads; results do not depend on it
    """

    def __init__(
        self, engine: Engine, names: Sequence[str], cards: Sequence[int], threads: int
    ) -> None:
        self.engine = engine
        self.names = list(names)
        self.cards = list(cards)
        self.threads = threads
        self.label = len(self.cards) - 1
        self._rows = RowSums(engine, cards, threads)
        self._tables: LRUCache[FamilyTable] = LRUCache(CACHE_BYTES)
        self._numbers: LRUCache[dict[int, float]] = LRUCache(NUMBERS_BYTES)
        self._pairs: LRUCache[Floats] = LRUCache(NUMBERS_BYTES)
        self._information: LRUCache[tuple[list[int], Floats]] = LRUCache(NUMBERS_BYTES)

    @cached_property
    def class_counts(self) -> Floats:
        """The weight of every class."""
        family = Family(self.label, (), given_class=False)
        counts: Floats = self.tables([family])[0].counts[0, 0]
        return counts

    @cached_property
    def total(self) -> float:
        """The weight of all rows."""
        return float(self.class_counts.sum())

    @cached_property
    def class_tables(self) -> Floats:
        """``N[c, value]`` of all attributes, side by side, from one pass; not to be written to."""
        require_memory(
            8 * self.cards[-1] * sum(self.cards[:-1]),
            "The tables of all attributes given the class",
            "leave out or merge values of columns with very many values",
        )
        count = ClassTables(tuple(self.cards), self.threads)
        tables: Floats = self.engine.map_reduce(count, np.add, count.columns)
        tables.setflags(write=False)
        return tables

    def class_table(self, attribute: int) -> Floats:
        """Return ``N[c, value]`` of one attribute."""
        return self.class_tables[:, self._ends[attribute] : self._ends[attribute + 1]]

    @cached_property
    def _ends(self) -> list[int]:
        ends: list[int] = np.concatenate([[0], np.cumsum(self.cards)]).tolist()
        return ends

    def tables(self, families: Sequence[Family]) -> list[FamilyTable]:
        """Return tables of families, parents in ascending order, all counted in one pass."""
        known = {family: self._tables.get(family) for family in dict.fromkeys(families)}
        wanted = [family for family, table in known.items() if table is None]
        for counted in self._counted(wanted) if wanted else []:
            known[counted.family] = self._tables.keep(
                counted.family, counted, counted.counts.nbytes
            )
        return [table for family in families if (table := known[family]) is not None]

    def _counted(self, families: list[Family]) -> list[FamilyTable]:
        dense = tuple(self._is_dense(family) for family in families)
        count = FamilyTables(
            tuple(families), dense, tuple(self.names), tuple(self.cards), self.threads
        )
        return self.engine.map_reduce(count, merge_tables, count.columns)

    def _is_dense(self, family: Family) -> bool:
        inner = self.cards[family.child] * (self.cards[-1] if family.given_class else 1)
        cells = math.prod([self.cards[v] for v in family.parents]) * inner
        if not family.parents:
            require_cells(self.names[family.child], cells)
            return True
        return cells <= max(DENSE_CELLS, 2 * self.engine.rows) and cells < MAX_CELLS

    def moments(self, steps: Floats | None) -> Moments:
        """Return the moments of the columns that stay numbers, class by class."""
        if steps is None:
            return self.engine.map_reduce(ClassMoments(), Moments.merge)
        columns = range(self.label, self.label + 1 + len(steps))
        return self.engine.map_reduce(ClassMoments(tuple(steps.tolist())), Moments.merge, columns)

    def pair_tables(self, attributes: Sequence[int]) -> Iterator[PairBlock]:
        """Yield all tables of two of the attributes given the class, in blocks of attributes."""
        cards = [self.cards[v] for v in attributes]
        for first, last in self._blocks(attributes):
            count = PairTables(
                tuple(attributes[:last]),
                tuple(cards[:last]),
                first,
                self.label,
                self.cards[-1],
                self.threads,
            )
            yield PairBlock(first, last, self.engine.map_reduce(count, np.add, count.columns))

    def _blocks(self, attributes: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield runs of attributes whose pair tables with all before them make one block."""
        ends = np.concatenate([[0], np.cumsum([self.cards[v] for v in attributes])])
        first = 0
        for last in range(1, len(attributes) + 1):
            following = min(last + 1, len(attributes))
            size = _block_bytes(ends, first, following, self.cards[-1])
            if size > BLOCK_BYTES or last == len(attributes):
                require_memory(
                    _block_bytes(ends, first, last, self.cards[-1]),
                    f"The pair tables of {self.names[attributes[last - 1]]!r}",
                    "leave out or merge values of columns with very many values",
                )
                yield first, last
                first = last

    def pair_information(self, attributes: list[int], given_class: bool) -> Floats:
        """As `CountSource.pair_information`; counted unless it is part of what was asked last."""
        known = self._information.get(given_class)
        if known is None or not set(attributes) <= set(known[0]):
            counted = self.count_information(attributes, given_class)
            for given, matrix in counted.items():
                matrix.setflags(write=False)
                self._information.keep(given, (attributes, matrix), matrix.nbytes)
            return counted[given_class]
        if attributes == known[0]:
            return known[1]
        places = {v: place for place, v in enumerate(known[0])}
        wanted = [places[v] for v in attributes]
        part: Floats = known[1][np.ix_(wanted, wanted)]
        return part

    def count_information(self, attributes: list[int], given_class: bool) -> dict[bool, Floats]:
        """Count what was asked for and what comes with it: by whether the class is given."""
        cards = [self.cards[v] for v in attributes]
        encoded = self.engine.in_memory
        if encoded is not None:
            columns = [encoded.column(v) for v in attributes]
            target, classes = encoded.column(self.label), self.cards[-1]
            if not given_class:
                target, classes = np.zeros_like(target), 1
            information = kernels.information_of_columns(
                columns, cards, target, classes, encoded.weights, self.total, self.threads
            )
            return {given_class: information}
        wanted = [True] if given_class else [True, False]
        matrices = {given: np.zeros((len(attributes), len(attributes))) for given in wanted}
        for block in self.pair_tables(attributes):
            rows, columns_before = slice(block.first, block.last), slice(0, block.last)
            for given, matrix in matrices.items():
                counts = block.counts if given else block.counts.sum(axis=0, keepdims=True)
                part = kernels.information_of_tables(
                    counts, cards[rows], cards[columns_before], self.total, self.threads
                )
                matrix[rows, columns_before] += part
                matrix[columns_before, rows] += part.T
        return matrices

    def cached(
        self,
        key: tuple[Hashable, int, frozenset[int]],
        variables: Sequence[int],
        compute: Callable[[list[int]], Floats],
    ) -> Floats:
        """Return numbers of some variables; those that are not known yet are computed."""
        known = self._numbers.get(key)
        if known is None:
            known = self._numbers.keep(key, {}, NUMBER_BYTES * len(self.cards))
        wanted = [v for v in variables if v not in known]
        if wanted:
            known.update(zip(wanted, compute(wanted).tolist(), strict=True))
        return np.array([known[v] for v in variables])

    def cell_sums(
        self,
        child: int,
        given: tuple[int, ...],
        candidates: list[int],
        terms: CellTerms,
        refined: bool,
    ) -> Floats:
        """As `CountSource.cell_sums`: by rows where there are whole columns, else by tables."""
        if self._counts_rows:
            sums = self._rows.cell_sums(child, given, candidates, terms, refined)
            if sums is not None:
                return sums
        families = [Family.of(child, (*given, z), self.label) for z in candidates]
        tables = zip(candidates, self._in_batches(families), strict=True)
        pairs = [
            self._cells(table).sums(child, (*given, z) if refined else given, terms)
            for z, table in tables
        ]
        return np.array(pairs).reshape(-1, 2)

    @cached_property
    def _counts_rows(self) -> bool:
        """Whether there are whole columns, and each row counts as one."""
        encoded = self.engine.in_memory
        return self._has_columns if encoded is None else encoded.weights is None

    @cached_property
    def _has_columns(self) -> bool:
        return self.engine.in_memory is not None or self.engine.column(self.label) is not None

    def set_sums(
        self, child: int, sets: NDArray[np.int32], terms: CellTerms, refined: bool
    ) -> Floats:
        """As `CountSource.set_sums`."""
        if self.engine.in_memory is not None and self._counts_rows:
            return self._rows.set_sums(child, sets, terms, refined)
        return self._set_sums_of_tables(child, sets, terms, refined)

    def _set_sums_of_tables(
        self, child: int, sets: NDArray[np.int32], terms: CellTerms, refined: bool
    ) -> Floats:
        """Take one pass for all sets that have all but the last variable in common."""
        sums = np.zeros(len(sets))
        alike: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        for place, members in enumerate(sets.tolist()):
            *before, last = [v for v in members if v >= 0] or [-1]
            alike.setdefault(tuple(before), []).append((place, last))
        for given, followed in alike.items():
            wanted = [(place, z) for place, z in followed if z >= 0]
            places = [place for place, _ in wanted]
            pairs = self.cell_sums(child, given, [z for _, z in wanted], terms, refined)
            sums[places] = pairs.sum(axis=1)
        (whole,) = self.tables([Family.of(child, (), self.label)])
        alone = sum(self._cells(whole).sums(child, (), terms))
        sums[(sets >= 0).sum(axis=1) == 0] = alone
        return sums

    def joint_values(self, variables: tuple[int, ...]) -> int:
        """Return how many joint values of some variables occur."""
        if self._has_columns:
            return self._rows.partition(variables).size
        family = Family(self.label, tuple(sorted(variables)), given_class=False)
        return int((self.tables([family])[0].counts.sum(axis=(1, 2)) > 0).sum())

    def pair_statistics(self, given: tuple[int, ...], first: Any, second: Any) -> Floats:
        """As `CountSource.pair_statistics`; cached where there are not too many variables."""
        if len(self.cards) > MOST_CACHED:
            return self._tested(given, first, second)
        key = frozenset(given)
        known = self._pairs.get(key)
        if known is None:
            known = np.full((len(self.cards), len(self.cards), 3), np.nan)
            self._pairs.keep(key, known, known.nbytes)
        wanted = np.isnan(known[first, second, 0])
        if wanted.any():
            a, b = first[wanted], second[wanted]
            known[a, b] = known[b, a] = self._tested(given, a, b)
        statistics: Floats = known[first, second]
        return statistics

    def _tested(self, given: tuple[int, ...], first: Any, second: Any) -> Floats:
        encoded = self.engine.in_memory
        if encoded is not None:
            groups = self._rows.partition(given)
            columns = [encoded.column(v) for v in range(len(self.cards))]
            return kernels.pair_tests(
                groups.ids,
                groups.size,
                first,
                second,
                columns,
                self.cards,
                encoded.weights,
                self.threads,
            )
        pairs = list(zip(first.tolist(), second.tolist(), strict=True))
        tables = self._in_batches([Family.of(b, (*given, a), self.label) for a, b in pairs])
        statistics = [
            self._test_of_cells(table, given, *pair)
            for table, pair in zip(tables, pairs, strict=True)
        ]
        return np.concatenate([np.empty((0, 3)), *statistics])

    def _test_of_cells(self, table: FamilyTable, given: tuple[int, ...], a: int, b: int) -> Floats:
        """Test one pair by a table of both and the given variables."""
        cells = self._cells(table)
        groups = cells.partition(given)
        return kernels.pair_tests(
            groups.ids,
            groups.size,
            np.array([0], dtype=np.int32),
            np.array([1], dtype=np.int32),
            [cells.columns[a], cells.columns[b]],
            [self.cards[a], self.cards[b]],
            cells.weights,
            1,
        )

    def _in_batches(self, families: list[Family]) -> Iterator[FamilyTable]:
        """Yield tables one by one; as many as take little memory are counted in one pass."""
        batch: list[Family] = []
        size = 0
        for family in families:
            needed = self._largest_size(family)
            if batch and size + needed > BATCH_BYTES:
                yield from self.tables(batch)
                batch, size = [], 0
            batch.append(family)
            size += needed
        yield from self.tables(batch)

    def _largest_size(self, family: Family) -> int:
        """Return the bytes of a table that has every joint value, or one for every row."""
        inner = self.cards[family.child] * (self.cards[-1] if family.given_class else 1)
        outer = math.prod([self.cards[v] for v in family.parents])
        return 8 * inner * min(outer, self.engine.rows)

    def _cells(self, table: FamilyTable) -> Cells:
        return Cells(table, self.label, self.cards)


def _block_bytes(ends: Any, first: int, last: int, n_classes: int) -> int:
    return int(n_classes * (ends[last] - ends[first]) * ends[last] * 8)
