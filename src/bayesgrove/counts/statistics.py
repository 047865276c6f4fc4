"""Sums over cells and tests of pairs: one pass over the rows a candidate."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.counts.cells import Cells, CellTerms, FixedTerms
from bayesgrove.counts.configurations import Partition
from bayesgrove.counts.memo import Memo
from bayesgrove.counts.tables import Family
from bayesgrove.kernels import Floats, kernels

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.counts.source import Engine
    from bayesgrove.counts.tables import FamilyTable
    from bayesgrove.kernels import Codes

MEMO_BYTES = 1 << 27
"""Each kind of thing is remembered up to this size."""
NUMBER_BYTES = 100
"""What a remembered number takes, about."""
BATCH_BYTES = 1 << 27
"""So much is counted in one pass over a stream."""
MOST_REMEMBERED = 500
"""Tests of the pairs of more variables are not remembered: a matrix for every condition."""


class Statistics:
    """What learners that try one variable more at a time ask of the rows.

    Rows in memory are grouped by the joint value of the variables that are fixed, and go through
    a kernel; streams and weighted rows are counted as tables first.

    Parameters
    ----------
    engine, cards, threads : as of the `CountSource`
    tables : counts families
    """

    def __init__(
        self,
        engine: Engine,
        cards: Sequence[int],
        tables: Callable[[Sequence[Family]], list[FamilyTable]],
        threads: int,
    ) -> None:
        self._engine = engine
        self._cards = list(cards)
        self._class = len(cards) - 1
        self._tables = tables
        self._threads = threads
        self._partitions: Memo[Partition] = Memo(MEMO_BYTES)
        self._terms: Memo[FixedTerms] = Memo(MEMO_BYTES)
        self._numbers: Memo[dict[int, float]] = Memo(MEMO_BYTES)
        self._pairs: Memo[Floats] = Memo(MEMO_BYTES)
        self._information: Memo[tuple[list[int], Floats]] = Memo(MEMO_BYTES)
        self._constant = np.zeros(0 if engine.whole is None else engine.rows, dtype=np.uint8)
        self._missing: dict[int, Codes | None] = {}  # 1 where it is missing; None: nowhere

    def remembered(
        self,
        key: tuple[Hashable, int, frozenset[int]],
        variables: Sequence[int],
        compute: Callable[[list[int]], Floats],
    ) -> Floats:
        """Numbers of some variables; those that are not known yet are computed."""
        known = self._numbers.get(key)
        if known is None:
            known = self._numbers.keep(key, {}, NUMBER_BYTES * len(self._cards))
        wanted = [v for v in variables if v not in known]
        if wanted:
            known.update(zip(wanted, compute(wanted).tolist(), strict=True))
        return np.array([known[v] for v in variables])

    def pair_information(
        self,
        variables: list[int],
        given_class: bool,
        count: Callable[[], dict[bool, Floats]],
    ) -> Floats:
        """As `CountSource.pair_information`; counted where it is no part of what was asked last."""
        known = self._information.get(given_class)
        if known is None or not set(variables) <= set(known[0]):
            counted = count()
            for given, matrix in counted.items():
                matrix.setflags(write=False)
                self._information.keep(given, (variables, matrix), matrix.nbytes)
            return counted[given_class]
        if variables == known[0]:
            return known[1]
        places = {v: place for place, v in enumerate(known[0])}
        wanted = [places[v] for v in variables]
        found: Floats = known[1][np.ix_(wanted, wanted)]
        return found

    def cell_sums(
        self,
        child: int,
        given: tuple[int, ...],
        candidates: list[int],
        terms: CellTerms,
        refined: bool,
    ) -> Floats:
        """As `CountSource.cell_sums`."""
        if self._counts_rows:
            return self._row_sums(child, given, candidates, terms, refined)
        families = [Family.of(child, (*given, z), self._class) for z in candidates]
        sums = [
            Cells(table, self._class, self._cards).sums(
                child, (*given, z) if refined else given, terms
            )
            for z, table in zip(candidates, self._counted(families), strict=True)
        ]
        return np.array(sums).reshape(-1, 2)

    @property
    def _counts_rows(self) -> bool:
        """Whether rows are in memory, and each counts as one."""
        whole = self._engine.whole
        return whole is not None and whole.weights is None

    def _row_sums(
        self,
        child: int,
        given: tuple[int, ...],
        candidates: list[int],
        terms: CellTerms,
        refined: bool,
    ) -> Floats:
        whole = self._engine.whole
        assert whole is not None
        fixed = self._fixed(terms, whole.rows)
        if refined:
            places = list(range(len(candidates)))
            columns = [whole.column(z) for z in candidates]
            cards = [self._cards[z] for z in candidates]
        else:
            columns, places = self._presence(candidates)
            cards = [1] * len(columns)
        groups = self.partition(given)
        sums = kernels.cell_sums(
            groups.ids,
            groups.size,
            whole.column(child),
            self._cards[child],
            columns,
            cards,
            fixed.outer,
            fixed.inner,
            self._threads,
        )
        found: Floats = sums[places] / fixed.scale
        return found

    def set_sums(
        self, child: int, sets: NDArray[np.int32], terms: CellTerms, refined: bool
    ) -> Floats:
        """As `CountSource.set_sums`."""
        if not self._counts_rows:
            return self._set_sums_of_tables(child, sets, terms, refined)
        whole = self._engine.whole
        assert whole is not None
        fixed = self._fixed(terms, whole.rows)
        count = len(self._cards)
        present, places = self._presence([] if refined else range(count))
        asked = sets.copy()
        if not refined:
            sizes = (sets >= 0).sum(axis=1)
            last = np.flatnonzero(sizes), sizes[sizes > 0] - 1
            asked[last] = count + np.array(places, dtype=np.int32)[asked[last]]
        asked[asked[:, 0] < 0, 0] = count
        sums = kernels.set_sums(
            [*whole.columns, whole.column(self._class), *present],
            [*self._cards, *([1] * len(present))],
            whole.column(child),
            self._cards[child],
            asked.ravel(),
            asked.shape[1],
            fixed.outer,
            fixed.inner,
            self._threads,
        )
        found: Floats = sums / fixed.scale
        return found

    def _set_sums_of_tables(
        self, child: int, sets: NDArray[np.int32], terms: CellTerms, refined: bool
    ) -> Floats:
        """One pass for all sets that have all but the last variable in common."""
        found = np.zeros(len(sets))
        alike: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        for place, own in enumerate(sets.tolist()):
            *before, last = [v for v in own if v >= 0] or [-1]
            alike.setdefault(tuple(before), []).append((place, last))
        for given, followed in alike.items():
            wanted = [(place, z) for place, z in followed if z >= 0]
            places = [place for place, _ in wanted]
            sums = self.cell_sums(child, given, [z for _, z in wanted], terms, refined)
            found[places] = sums.sum(axis=1)
        (whole,) = self._tables([Family.of(child, (), self._class)])
        alone = sum(Cells(whole, self._class, self._cards).sums(child, (), terms))
        found[(sets >= 0).sum(axis=1) == 0] = alone
        return found

    def _fixed(self, terms: CellTerms, rows: int) -> FixedTerms:
        fixed = self._terms.get(terms)
        if fixed is None:
            fixed = FixedTerms(terms, rows)
            self._terms.keep(terms, fixed, fixed.nbytes)
        return fixed

    def _presence(self, variables: Sequence[int]) -> tuple[list[Codes], list[int]]:
        """Columns that tell only whether a value is there, and the place of each variable's.

        The first one stands for all variables without a missing value.
        """
        whole = self._engine.whole
        assert whole is not None
        found: list[Codes] = [self._constant]
        places = []
        for v in variables:
            if v not in self._missing:
                missing = whole.column(v) >= self._cards[v]
                self._missing[v] = missing.astype(np.uint8) if missing.any() else None
            own = self._missing[v]
            places.append(0 if own is None else len(found))
            found += [] if own is None else [own]
        return found, places

    def partition(self, variables: tuple[int, ...]) -> Partition:
        """The rows by the joint value of some variables; the last one refines the others'."""
        whole = self._engine.whole
        assert whole is not None
        found, known = Partition.whole(whole.rows), 0
        for count in range(len(variables), 0, -1):
            before = self._partitions.get(variables[:count])
            if before is not None:
                found, known = before, count
                break
        for place in range(known, len(variables)):
            column = whole.column(variables[place])
            found = found.refine(column, self._cards[variables[place]])
            size = found.ids.nbytes + found.keys[-1].nbytes
            self._partitions.keep(variables[: place + 1], found, size)
        return found

    def pairs(self, given: tuple[int, ...], first: Any, second: Any) -> Floats:
        """As `CountSource.pair_statistics`; remembered where there are not too many variables."""
        if len(self._cards) > MOST_REMEMBERED:
            return self._fresh_pairs(given, first, second)
        key = frozenset(given)
        known = self._pairs.get(key)
        if known is None:
            known = np.full((len(self._cards), len(self._cards), 3), np.nan)
            self._pairs.keep(key, known, known.nbytes)
        wanted = np.isnan(known[first, second, 0])
        if wanted.any():
            a, b = first[wanted], second[wanted]
            known[a, b] = known[b, a] = self._fresh_pairs(given, a, b)
        found: Floats = known[first, second]
        return found

    def _fresh_pairs(self, given: tuple[int, ...], first: Any, second: Any) -> Floats:
        whole = self._engine.whole
        if whole is not None:
            groups = self.partition(given)
            columns = [whole.column(v) for v in range(len(self._cards))]
            return kernels.pair_tests(
                groups.ids,
                groups.size,
                first,
                second,
                columns,
                self._cards,
                whole.weights,
                self._threads,
            )
        pairs = list(zip(first.tolist(), second.tolist(), strict=True))
        tables = self._counted([Family.of(b, (*given, a), self._class) for a, b in pairs])
        found = [
            self._pair_of_cells(table, given, *pair)
            for table, pair in zip(tables, pairs, strict=True)
        ]
        return np.concatenate([np.empty((0, 3)), *found])

    def _counted(self, families: list[Family]) -> Iterator[FamilyTable]:
        """Tables one by one; as many as take little memory are counted in one pass."""
        batch: list[Family] = []
        size = 0
        for family in families:
            own = self._largest_size(family)
            if batch and size + own > BATCH_BYTES:
                yield from self._tables(batch)
                batch, size = [], 0
            batch.append(family)
            size += own
        yield from self._tables(batch)

    def _largest_size(self, family: Family) -> int:
        """Bytes of a table that has every joint value, or one for every row."""
        inner = self._cards[family.child] * (self._cards[-1] if family.given_class else 1)
        outer = math.prod([self._cards[v] for v in family.parents])
        return 8 * inner * min(outer, self._engine.rows)

    def _pair_of_cells(self, table: FamilyTable, given: tuple[int, ...], a: int, b: int) -> Floats:
        """The statistics of one pair from a table of both and the given variables."""
        cells = Cells(table, self._class, self._cards)
        groups = cells.partition(given)
        return kernels.pair_tests(
            groups.ids,
            groups.size,
            np.array([0], dtype=np.int32),
            np.array([1], dtype=np.int32),
            [cells.columns[a], cells.columns[b]],
            [self._cards[a], self._cards[b]],
            cells.weights,
            1,
        )
