"""Sums over groups of rows, for engines with whole columns and rows of weight 1."""

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
"""Size limit of the cache of partitions, and of the cache of tabulated terms."""
COLUMN_BYTES = 1 << 26
"""Columns that an engine must load are loaded in groups of about this size."""
LARGEST_COUNT = 1 << 22
"""Terms are tabulated up to this count; larger groups of rows are counted as tables."""


class RowSums:
    """Groups of rows by the joint value of some variables, and sums of terms over their cells."""

    def __init__(self, engine: Engine, cards: Sequence[int], threads: int) -> None:
        self._engine = engine
        self._cards = list(cards)
        self._threads = threads
        self._partitions: LRUCache[Partition] = LRUCache(CACHE_BYTES)
        self._terms: LRUCache[FixedTerms] = LRUCache(CACHE_BYTES)
        self._constant: Codes | None = None
        # 1 where a value is missing; None for a variable without missing values.
        self._missing: dict[int, Codes | None] = {}

    def column(self, variable: int) -> Codes:
        """Return all codes of a variable."""
        codes = self._engine.column(variable)
        assert codes is not None
        return codes

    def partition(self, variables: tuple[int, ...]) -> Partition:
        """Return the rows grouped by the joint value of some variables.

        It refines the longest cached partition of the first variables.
        """
        groups, start = Partition.whole(self._engine.rows), 0
        for count in range(len(variables), 0, -1):
            cached = self._partitions.get(variables[:count])
            if cached is not None:
                groups, start = cached, count
                break
        for position in range(start, len(variables)):
            variable = variables[position]
            refined = groups.refine(self.column(variable), self._cards[variable])
            groups = Partition(refined.ids, refined.size)  # The keys are not needed.
            self._partitions.keep(variables[: position + 1], groups, groups.ids.nbytes)
        return groups

    def cell_sums(
        self,
        child: int,
        given: tuple[int, ...],
        candidates: list[int],
        terms: CellTerms,
        refined: bool,
    ) -> Floats | None:
        """Return the sums of `CountSource.cell_sums`, or None.

        None means that a group has more rows than terms are tabulated for.
        """
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
        """Return the sums of `cell_sums` for candidates whose columns may be loaded together."""
        if refined:
            positions = list(range(len(candidates)))
            columns = [self.column(z) for z in candidates]
            cards = [self._cards[z] for z in candidates]
        else:
            columns, positions = self._presence(candidates)
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
        scaled: Floats = sums[positions] / fixed.scale
        return scaled

    def set_sums(
        self, child: int, sets: NDArray[np.int32], terms: CellTerms, refined: bool
    ) -> Floats:
        """Return the sums of `CountSource.set_sums`; all columns are loaded at once."""
        fixed = self._fixed(terms, self._engine.rows)
        count = len(self._cards)
        present, positions = self._presence([] if refined else range(count))
        columns_of_sets = sets.copy()
        if not refined:
            sizes = (sets >= 0).sum(axis=1)
            last = np.flatnonzero(sizes), sizes[sizes > 0] - 1
            columns_of_sets[last] = (
                count + np.array(positions, dtype=np.int32)[columns_of_sets[last]]
            )
        columns_of_sets[columns_of_sets[:, 0] < 0, 0] = count
        sums = kernels.set_sums(
            [*(self.column(v) for v in range(count)), *present],
            [*self._cards, *([1] * len(present))],
            self.column(child),
            self._cards[child],
            columns_of_sets.ravel(),
            columns_of_sets.shape[1],
            fixed.outer,
            fixed.inner,
            self._threads,
        )
        scaled: Floats = sums / fixed.scale
        return scaled

    def _parts(self, variables: list[int]) -> Iterator[list[int]]:
        """Yield all variables at once, or groups of variables that may be loaded together."""
        if self._engine.in_memory is not None:
            yield variables
            return
        limit = max(1, COLUMN_BYTES // max(self._engine.rows, 1))
        for start in range(0, len(variables), limit):
            yield variables[start : start + limit]

    def _fixed(self, terms: CellTerms, largest: int) -> FixedTerms:
        """Return the tabulated terms of the counts up to ``largest`` or a larger power of 2."""
        size = min(1 << max(largest - 1, 0).bit_length(), self._engine.rows)
        fixed = self._terms.get((terms, size))
        if fixed is None:
            fixed = FixedTerms(terms, self._engine.rows, size)
            self._terms.keep((terms, size), fixed, fixed.nbytes)
        return fixed

    def _presence(self, variables: Sequence[int]) -> tuple[list[Codes], list[int]]:
        """Return columns that are 1 where a value is missing, and the column index per variable.

        The first column stands for all variables without a missing value.
        """
        if self._constant is None:
            self._constant = np.zeros(self._engine.rows, dtype=np.uint8)
        columns: list[Codes] = [self._constant]
        positions = []
        for v in variables:
            if v not in self._missing:
                missing = self.column(v) >= self._cards[v]
                self._missing[v] = missing.astype(np.uint8) if missing.any() else None
            marks = self._missing[v]
            positions.append(0 if marks is None else len(columns))
            columns += [] if marks is None else [marks]
        return columns, positions
