"""Counts of all columns of some rows, with caches of earlier counts."""

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
"""A table with at most this many cells, or at most twice as many cells as rows, is dense."""
BLOCK_BYTES = 1 << 27
"""Pair tables are counted in blocks of about this size."""
CACHE_BYTES = 1 << 26
"""Size limit of the cache of family tables."""
NUMBERS_BYTES = 1 << 26
"""Size limit of the cache of each other kind of result."""
NUMBER_BYTES = 100
"""Approximate size of a cached number."""
BATCH_BYTES = 1 << 25
"""Tables of about this size together are counted in one pass."""
MOST_CACHED = 500
"""Tests of pairs are cached only up to this number of variables: each condition needs a matrix."""


@dataclass(frozen=True)
class PairBlock:
    """Tables of pairs of attributes given the class.

    The attributes i and j are positions in the list of attributes that was counted.

    Parameters
    ----------
    first : int
        First attribute i of the block.
    last : int
        End of the attributes i of the block: ``first <= i < last``.
    counts : ndarray of shape (n_classes, n_first, n_second)
        ``counts[c, value of i, value of j]`` for ``first <= i < last`` and ``j < i``; 0 for other
        pairs. The tables lie side by side: ``n_first`` is the sum of the cardinalities of the
        attributes ``first..last-1``, and ``n_second`` of the attributes ``0..last-1``.
    """

    first: int
    last: int
    counts: Floats


class Counter:
    """An engine with caches of everything that was counted, by the numbers of the columns.

    A `CountSource` is a view of a counter. Attributes are the variables 0..n-1, the class is the
    variable n.

    Parameters
    ----------
    engine : Engine
        The rows.
    names : sequence of str
        Names of the attributes, then the name of the class.
    cards : sequence of int
        Cardinality of each attribute, then the number of classes.
    threads : int
        Number of threads. Results do not depend on it.

    Attributes
    ----------
    engine : Engine
        The rows.
    names : list of str
        Names of the attributes, then the name of the class.
    cards : list of int
        Cardinality of each attribute, then the number of classes.
    threads : int
        Number of threads.
    class_variable : int
        Number of the class variable.
    """

    def __init__(
        self, engine: Engine, names: Sequence[str], cards: Sequence[int], threads: int
    ) -> None:
        self.engine = engine
        self.names = list(names)
        self.cards = list(cards)
        self.threads = threads
        self.class_variable = len(self.cards) - 1
        self._row_sums = RowSums(engine, cards, threads)
        self._tables: LRUCache[FamilyTable] = LRUCache(CACHE_BYTES)
        self._numbers: LRUCache[dict[int, float]] = LRUCache(NUMBERS_BYTES)
        self._pairs: LRUCache[Floats] = LRUCache(NUMBERS_BYTES)
        self._information: LRUCache[tuple[list[int], Floats]] = LRUCache(NUMBERS_BYTES)

    @cached_property
    def class_counts(self) -> Floats:
        """Weight of every class, an array of shape (n_classes,)."""
        family = Family(self.class_variable, (), given_class=False)
        counts: Floats = self.tables([family])[0].counts[0, 0]
        return counts

    @cached_property
    def total(self) -> float:
        """Weight of all rows."""
        return float(self.class_counts.sum())

    @cached_property
    def class_tables(self) -> Floats:
        """Counts ``N[c, value]`` of all attributes, side by side; the array is read-only."""
        require_memory(
            8 * self.cards[-1] * sum(self.cards[:-1]),
            "The tables of all attributes given the class",
            "leave out columns with very many values, or merge their values",
        )
        count = ClassTables(tuple(self.cards), self.threads)
        tables: Floats = self.engine.map_reduce(count, np.add, count.columns)
        tables.setflags(write=False)
        return tables

    def class_table(self, attribute: int) -> Floats:
        """Return ``N[c, value]`` of one attribute.

        Parameters
        ----------
        attribute : int
            Number of the attribute.

        Returns
        -------
        ndarray of shape (n_classes, card)
            Weights of the rows with each class and value; the array is read-only.
        """
        return self.class_tables[:, self._ends[attribute] : self._ends[attribute + 1]]

    @cached_property
    def _ends(self) -> list[int]:
        """Boundaries of the attributes among the columns of `class_tables`."""
        ends: list[int] = np.concatenate([[0], np.cumsum(self.cards)]).tolist()
        return ends

    def tables(self, families: Sequence[Family]) -> list[FamilyTable]:
        """Return the tables of some families, all counted in one pass; recent tables are cached.

        Parameters
        ----------
        families : sequence of Family
            The families. Their parents must be in ascending order.

        Returns
        -------
        list of FamilyTable
            One table per family, in the same order.
        """
        tables = {family: self._tables.get(family) for family in dict.fromkeys(families)}
        uncached = [family for family, table in tables.items() if table is None]
        for counted in self._counted(uncached) if uncached else []:
            tables[counted.family] = self._tables.keep(
                counted.family, counted, counted.counts.nbytes
            )
        return [table for family in families if (table := tables[family]) is not None]

    def _counted(self, families: list[Family]) -> list[FamilyTable]:
        """Return the tables of families that are not cached, counted in one pass."""
        dense = tuple(self._is_dense(family) for family in families)
        count = FamilyTables(
            tuple(families), dense, tuple(self.names), tuple(self.cards), self.threads
        )
        return self.engine.map_reduce(count, merge_tables, count.columns)

    def _is_dense(self, family: Family) -> bool:
        """Return whether the table of a family is dense: it has all joint values of the parents."""
        inner = self.cards[family.child] * (self.cards[-1] if family.given_class else 1)
        cells = math.prod([self.cards[v] for v in family.parents]) * inner
        if not family.parents:
            require_cells(self.names[family.child], cells)
            return True
        return cells <= max(DENSE_CELLS, 2 * self.engine.rows) and cells < MAX_CELLS

    def moments(self, steps: Floats | None) -> Moments:
        """Return the moments of the continuous columns within each class.

        Parameters
        ----------
        steps : ndarray of shape (n_columns,) or None
            If given, the numbers are rounded to multiples of the step of their column. None means
            that they are not rounded.

        Returns
        -------
        Moments
            Weights, means and sums of squares per class and column.
        """
        if steps is None:
            return self.engine.map_reduce(ClassMoments(), Moments.merge)
        columns = range(self.class_variable, self.class_variable + 1 + len(steps))
        return self.engine.map_reduce(ClassMoments(tuple(steps.tolist())), Moments.merge, columns)

    def pair_tables(self, attributes: Sequence[int]) -> Iterator[PairBlock]:
        """Yield the tables of all pairs of attributes given the class, in blocks of attributes.

        Parameters
        ----------
        attributes : sequence of int
            Numbers of the attributes.

        Yields
        ------
        PairBlock
            Tables of the next attributes with all attributes before them in the list.
        """
        cards = [self.cards[v] for v in attributes]
        for first, last in self._blocks(attributes):
            count = PairTables(
                tuple(attributes[:last]),
                tuple(cards[:last]),
                first,
                self.class_variable,
                self.cards[-1],
                self.threads,
            )
            yield PairBlock(first, last, self.engine.map_reduce(count, np.add, count.columns))

    def _blocks(self, attributes: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield the first and the end of each run of attributes whose pair tables make a block."""
        ends = np.concatenate([[0], np.cumsum([self.cards[v] for v in attributes])])
        first = 0
        for last in range(1, len(attributes) + 1):
            following = min(last + 1, len(attributes))
            size = _block_bytes(ends, first, following, self.cards[-1])
            if size > BLOCK_BYTES or last == len(attributes):
                require_memory(
                    _block_bytes(ends, first, last, self.cards[-1]),
                    f"The pair tables of {self.names[attributes[last - 1]]!r}",
                    "leave out columns with very many values, or merge their values",
                )
                yield first, last
                first = last

    def pair_information(self, attributes: list[int], given_class: bool) -> Floats:
        """Return ``I(X;X'|C)`` or ``I(X;X')`` of every two of the attributes.

        The last matrix is cached. The rows are counted again only if it lacks one of the
        attributes.

        Parameters
        ----------
        attributes : list of int
            Numbers of the attributes.
        given_class : bool
            Whether the information is conditional on the class.

        Returns
        -------
        ndarray of shape (n_attributes, n_attributes)
            Symmetric matrix in nats, with zeros on the diagonal. It may be read-only.
        """
        cached = self._information.get(given_class)
        if cached is None or not set(attributes) <= set(cached[0]):
            counted = self.count_information(attributes, given_class)
            for conditional, matrix in counted.items():
                matrix.setflags(write=False)
                self._information.keep(conditional, (attributes, matrix), matrix.nbytes)
            return counted[given_class]
        if attributes == cached[0]:
            return cached[1]
        positions = {v: position for position, v in enumerate(cached[0])}
        chosen = [positions[v] for v in attributes]
        part: Floats = cached[1][np.ix_(chosen, chosen)]
        return part

    def count_information(self, attributes: list[int], given_class: bool) -> dict[bool, Floats]:
        """Count the information of all pairs of attributes, without the cache.

        If the rows are not in memory, the pass that counts ``I(X;X')`` also gives ``I(X;X'|C)``.

        Parameters
        ----------
        attributes : list of int
            Numbers of the attributes.
        given_class : bool
            Whether the information must be conditional on the class.

        Returns
        -------
        dict of bool to ndarray of shape (n_attributes, n_attributes)
            The matrices that were counted, by whether they are conditional on the class.
        """
        cards = [self.cards[v] for v in attributes]
        encoded = self.engine.in_memory
        if encoded is not None:
            columns = [encoded.column(v) for v in attributes]
            target, classes = encoded.column(self.class_variable), self.cards[-1]
            if not given_class:
                target, classes = np.zeros_like(target), 1
            information = kernels.information_of_columns(
                columns, cards, target, classes, encoded.weights, self.total, self.threads
            )
            return {given_class: information}
        conditions = [True] if given_class else [True, False]
        matrices = {given: np.zeros((len(attributes), len(attributes))) for given in conditions}
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
        """Return numbers that belong to some variables, and compute those that are not cached.

        Parameters
        ----------
        key : tuple
            The kind of the numbers (any hashable value), the child, and the set of the other
            variables.
        variables : sequence of int
            Numbers of the variables.
        compute : callable
            Function of a list of variables that returns an array with one number per variable.

        Returns
        -------
        ndarray of shape (n_variables,)
            One number per variable.
        """
        cached = self._numbers.get(key)
        if cached is None:
            cached = self._numbers.keep(key, {}, NUMBER_BYTES * len(self.cards))
        uncached = [v for v in variables if v not in cached]
        if uncached:
            cached.update(zip(uncached, compute(uncached).tolist(), strict=True))
        return np.array([cached[v] for v in variables])

    def cell_sums(
        self,
        child: int,
        given: tuple[int, ...],
        candidates: list[int],
        terms: CellTerms,
        refined: bool,
    ) -> Floats:
        """Return sums of terms over tables of a child, given some variables and each candidate.

        Rows in which the candidate is missing are left out. Each candidate takes one pass over the
        rows, for any number of joint values. Sums are counted from whole columns where the engine
        has them, else from tables.

        Parameters
        ----------
        child : int
            Number of the child.
        given : tuple of int
            Numbers of the variables that are parents in all tables.
        candidates : list of int
            Numbers of the variables that are one more parent, one per table.
        terms : CellTerms
            The functions of the counts that are summed.
        refined : bool
            Whether the candidate is a parent. If False, the candidate only leaves out the rows in
            which it is missing. The sums with and without the candidate as a parent are then over
            the same rows.

        Returns
        -------
        ndarray of shape (n_candidates, 2)
            The sum of ``outer`` over the joint values of the parents, and the sum of ``inner`` over
            the joint values of the parents and the child.
        """
        if self._counts_rows:
            sums = self._row_sums.cell_sums(child, given, candidates, terms, refined)
            if sums is not None:
                return sums
        families = [Family.of(child, (*given, z), self.class_variable) for z in candidates]
        tables = zip(candidates, self._in_batches(families), strict=True)
        pairs = [
            self._cells(table).sums(child, (*given, z) if refined else given, terms)
            for z, table in tables
        ]
        return np.array(pairs).reshape(-1, 2)

    @cached_property
    def _counts_rows(self) -> bool:
        """Whether whole columns are available and every row has weight 1."""
        encoded = self.engine.in_memory
        return self._has_columns if encoded is None else encoded.weights is None

    @cached_property
    def _has_columns(self) -> bool:
        """Whether the engine can load whole columns."""
        return (
            self.engine.in_memory is not None or self.engine.column(self.class_variable) is not None
        )

    def set_sums(
        self, child: int, sets: NDArray[np.int32], terms: CellTerms, refined: bool
    ) -> Floats:
        """Return sums of terms over the tables of a child given each of many sets of variables.

        Rows in which a variable of the set is missing are left out. Sets with the same first
        members share work if they follow each other.

        Parameters
        ----------
        child : int
            Number of the child.
        sets : ndarray of shape (n_sets, max_size)
            Numbers of the variables of each set, as int32; -1 fills the places after the last one.
        terms : CellTerms
            The functions of the counts that are summed.
        refined : bool
            Whether the last variable of each set is a parent. If False, the last variable only
            leaves out the rows in which it is missing.

        Returns
        -------
        ndarray of shape (n_sets,)
            The sum of ``outer`` over the joint values of the parents, plus the sum of ``inner``
            over the joint values of the parents and the child.
        """
        if self.engine.in_memory is not None and self._counts_rows:
            return self._row_sums.set_sums(child, sets, terms, refined)
        return self._set_sums_of_tables(child, sets, terms, refined)

    def _set_sums_of_tables(
        self, child: int, sets: NDArray[np.int32], terms: CellTerms, refined: bool
    ) -> Floats:
        """Return `set_sums` from tables."""
        members = [[v for v in row if v >= 0] for row in sets.tolist()]
        families = [Family.of(child, given, self.class_variable) for given in members]
        sums = np.zeros(len(sets))
        for row, table in enumerate(self._in_batches(families)):
            given = members[row] if refined else members[row][:-1]
            sums[row] = sum(self._cells(table).sums(child, given, terms))
        return sums

    def joint_values(self, variables: tuple[int, ...]) -> int:
        """Return how many joint values of some variables occur in the rows.

        Parameters
        ----------
        variables : tuple of int
            Numbers of the variables.

        Returns
        -------
        int
            Number of joint values without missing values that occur.
        """
        if self._has_columns:
            return self._row_sums.partition(variables).size
        family = Family(self.class_variable, tuple(sorted(variables)), given_class=False)
        return int((self.tables([family])[0].counts.sum(axis=(1, 2)) > 0).sum())

    def pair_statistics(self, given: tuple[int, ...], first: Any, second: Any) -> Floats:
        """Test the independence of pairs of variables, given the joint value of other variables.

        Results are cached unless there are more than `MOST_CACHED` variables.

        Parameters
        ----------
        given : tuple of int
            Numbers of the variables that form the condition.
        first : ndarray of shape (n_pairs,)
            Number of the first variable of each pair.
        second : ndarray of shape (n_pairs,)
            Number of the second variable of each pair.

        Returns
        -------
        ndarray of shape (n_pairs, 3)
            Chi-squared, G-squared and the degrees of freedom, which leave out empty rows and
            columns of every table.
        """
        if len(self.cards) > MOST_CACHED:
            return self._tested(given, first, second)
        key = frozenset(given)
        cached = self._pairs.get(key)
        if cached is None:
            cached = np.full((len(self.cards), len(self.cards), 3), np.nan)
            self._pairs.keep(key, cached, cached.nbytes)
        uncached = np.isnan(cached[first, second, 0])
        if uncached.any():
            a, b = first[uncached], second[uncached]
            cached[a, b] = cached[b, a] = self._tested(given, a, b)
        statistics: Floats = cached[first, second]
        return statistics

    def _tested(self, given: tuple[int, ...], first: Any, second: Any) -> Floats:
        """Return `pair_statistics` of some pairs, without the cache."""
        encoded = self.engine.in_memory
        if encoded is not None:
            groups = self._row_sums.partition(given)
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
        tables = self._in_batches(
            [Family.of(b, (*given, a), self.class_variable) for a, b in pairs]
        )
        statistics = [
            self._test_of_cells(table, given, *pair)
            for table, pair in zip(tables, pairs, strict=True)
        ]
        return np.concatenate([np.empty((0, 3)), *statistics])

    def _test_of_cells(self, table: FamilyTable, given: tuple[int, ...], a: int, b: int) -> Floats:
        """Return the statistics of one pair, from a table of the pair and the given variables."""
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
        """Yield tables one by one; tables of about `BATCH_BYTES` are counted in one pass."""
        batch: list[Family] = []
        size = 0
        for family in families:
            table_size = self._largest_size(family)
            if batch and size + table_size > BATCH_BYTES:
                yield from self.tables(batch)
                batch, size = [], 0
            batch.append(family)
            size += table_size
        yield from self.tables(batch)

    def _largest_size(self, family: Family) -> int:
        """Return the size in bytes that a table can have at most."""
        inner = self.cards[family.child] * (self.cards[-1] if family.given_class else 1)
        outer = math.prod([self.cards[v] for v in family.parents])
        return 8 * inner * min(outer, self.engine.rows)

    def _cells(self, table: FamilyTable) -> Cells:
        """Return the non-empty cells of a table."""
        return Cells(table, self.class_variable, self.cards)


def _block_bytes(ends: Any, first: int, last: int, n_classes: int) -> int:
    """Return the size in bytes of the pair tables of one block."""
    return int(n_classes * (ends[last] - ends[first]) * ends[last] * 8)
