"""Sums over groups of rows, where an engine has whole columns and every row counts as one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.counts.cache import LRUCache
from bayesgrove.counts.cells import CellTerms, FixedTerms
from bayesgrove.counts.configurations import Partition
from bayesgrove.kernels import Codes, Floats, kernels

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.counts.engines import Engine

CACHE_BYTES = 1 << 25
"""Partitions and tabulated terms are cached up to this size each."""
COLUMN_BYTES = 1 << 26
"""Columns that an engine has to load are loaded in groups of about this size."""
LARGEST_COUNT = 1 << 22
"""Terms are tabulated up to this count; larger groups of rows are counted as tables."""


class RowSums:
    """Groups rows by the joint value of some variables, and sums terms over cells of the groups."""

    def __init__(self, engine: Engine, cards: Sequence[int], threads: int) -> None:
        self._engine = engine
        self._cards = list(cards)
        self._threads = threads
        self._partitions: LRUCache[Partition] = LRUCache(CACHE_BYTES)
        self._terms: LRUCache[FixedTerms] = LRUCache(CACHE_BYTES)
        self._constant: Codes | None = None
        self._missing: dict[int, Codes | None] = {}  # 1 where it is missing; None: nowhere

    def column(self, variable: int) -> Codes:
        """Return all codes of a variable."""
        codes = self._engine.column(variable)
        assert codes is not None
        return codes

    def partition(self, variables: tuple[int, ...]) -> Partition:
        """Return the rows by the joint value of some variables; the last refines the others'."""
        groups, known = Partition.whole(self._engine.rows), 0
        for count in range(len(variables), 0, -1):
            before = self._partitions.get(variables[:count])
            if before is not None:
                groups, known = before, count
                break
        for place in range(known, len(variables)):
            variable = variables[place]
            refined = groups.refine(self.column(variable), self._cards[variable])
            groups = Partition(refined.ids, refined.size)  # nobody asks which group is which
            self._partitions.keep(variables[: place + 1], groups, groups.ids.nbytes)
        return groups

    def cell_sums(
        self,
        child: int,
        given: tuple[int, ...],
        candidates: list[int],
        terms: CellTerms,
        refined: bool,
    ) -> Floats | None:
        """As `CountSource.cell_sums`; None where a group has more rows than terms are tabulated."""
        groups = self.partition(given)
        largest = groups.ids.size if groups.ids.size <= LARGEST_COUNT else groups.largest
        if largest > LARGEST_COUNT:
            return None
        fixed = self._fixed(terms, largest)
        target = self.column(child)
        sums = [
            self._sums(groups, target, child, part, fixed, refined)
            for part in self._parts(candidates)
        ]
        return np.concatenate([np.empty((0, 2)), *sums])

    def _sums(
        self,
        groups: Partition,
        target: Codes,
        child: int,
        candidates: list[int],
        fixed: FixedTerms,
        refined: bool,
    ) -> Floats:
        if refined:
            places = list(range(len(candidates)))
            columns = [self.column(z) for z in candidates]
            cards = [self._cards[z] for z in candidates]
        else:
            columns, places = self._presence(candidates)
            cards = [1] * len(columns)
        sums = kernels.cell_sums(
            groups.ids,
            groups.size,
            target,
            self._cards[child],
            columns,
            cards,
            fixed.outer,
            fixed.inner,
            self._threads,
        )
        scaled: Floats = sums[places] / fixed.scale
        return scaled

    def set_sums(
        self, child: int, sets: NDArray[np.int32], terms: CellTerms, refined: bool
    ) -> Floats:
        """As `CountSource.set_sums`; all columns are taken at once."""
        fixed = self._fixed(terms, self._engine.rows)
        count = len(self._cards)
        present, places = self._presence([] if refined else range(count))
        asked = sets.copy()
        if not refined:
            sizes = (sets >= 0).sum(axis=1)
            last = np.flatnonzero(sizes), sizes[sizes > 0] - 1
            asked[last] = count + np.array(places, dtype=np.int32)[asked[last]]
        asked[asked[:, 0] < 0, 0] = count
        sums = kernels.set_sums(
            [*(self.column(v) for v in range(count)), *present],
            [*self._cards, *([1] * len(present))],
            self.column(child),
            self._cards[child],
            asked.ravel(),
            asked.shape[1],
            fixed.outer,
            fixed.inner,
            self._threads,
        )
        scaled: Floats = sums / fixed.scale
        return scaled

    def _parts(self, variables: list[int]) -> Iterator[list[int]]:
        """Yield all variables at once, or as many as may be loaded together."""
        if self._engine.in_memory is not None:
            yield variables
            return
        most = max(1, COLUMN_BYTES // max(self._engine.rows, 1))
        for start in range(0, len(variables), most):
            yield variables[start : start + most]

    def _fixed(self, terms: CellTerms, largest: int) -> FixedTerms:
        size = min(1 << max(largest - 1, 0).bit_length(), self._engine.rows)
        fixed = self._terms.get((terms, size))
        if fixed is None:
            fixed = FixedTerms(terms, self._engine.rows, size)
            self._terms.keep((terms, size), fixed, fixed.nbytes)
        return fixed

    def _presence(self, variables: Sequence[int]) -> tuple[list[Codes], list[int]]:
        """Return columns that tell only whether a value is there, and the place of each variable's.

        The first one stands for all variables without a missing value.
        """
        if self._constant is None:
            self._constant = np.zeros(self._engine.rows, dtype=np.uint8)
        columns: list[Codes] = [self._constant]
        places = []
        for v in variables:
            if v not in self._missing:
                missing = self.column(v) >= self._cards[v]
                self._missing[v] = missing.astype(np.uint8) if missing.any() else None
            marks = self._missing[v]
            places.append(0 if marks is None else len(columns))
            columns += [] if marks is None else [marks]
        return columns, places
