"""Where learners get their counts, wherever the rows live."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from bayesgrove.counts.configurations import Configurations, Partition
from bayesgrove.counts.memo import Memo
from bayesgrove.counts.moments import Moments, count_moments
from bayesgrove.counts.statistics import Statistics
from bayesgrove.counts.tables import Family, FamilyTable
from bayesgrove.encoding import Encoded, MemoryLimitError, require_memory
from bayesgrove.kernels import Floats, kernels

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.counts.cells import CellTerms

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

    def changed(self, change: Callable[[Encoded, int], Encoded], rows: int) -> Engine:
        """The data after ``change(part, rows before it)``, which leaves so many rows."""


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
        self._memo: Memo[FamilyTable] = Memo(MEMO_BYTES)
        self._statistics = Statistics(engine, cards, self.tables, threads)
        self._numbers = list(range(len(cards)))

    @property
    def n_attributes(self) -> int:
        """Number of attributes; also the number of the class variable."""
        return len(self.cards) - 1

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return self.cards[-1]

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self._engine.rows

    @property
    def in_memory(self) -> bool:
        """Whether all rows are in memory."""
        return self._engine.whole is not None

    @property
    def attribute_cards(self) -> list[int]:
        """Number of states of every attribute."""
        return self.cards[:-1]

    @cached_property
    def sizes(self) -> Floats:
        """Number of states of every variable, and 1 for the variable -1, which is none."""
        return np.array([*self.cards, 1.0])

    @cached_property
    def class_counts(self) -> Floats:
        """Weight of every class."""
        family = Family(self.n_attributes, (), given_class=False)
        counts: Floats = self.tables([family])[0].counts[0, 0]
        return counts

    @cached_property
    def total(self) -> float:
        """Weight of all rows."""
        return float(self.class_counts.sum())

    def class_tables(self) -> Floats:
        """``N[c, value]`` of every attribute, side by side, shape (classes, sum of cards).

        It is remembered, and so not to be written to.
        """
        return self._class_tables

    @cached_property
    def _class_tables(self) -> Floats:
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

        tables: Floats = self._engine.map_reduce(count, np.add)
        tables.setflags(write=False)
        return tables

    def attribute_tables(self) -> list[Floats]:
        """``N[c, value]``, one table an attribute, from one pass."""
        whole, ends = self.class_tables(), np.cumsum(self.attribute_cards, dtype=np.int64).tolist()
        return [whole[:, a:b] for a, b in zip([0, *ends], ends, strict=False)]

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

    def pair_information(self, attributes: Sequence[int], *, given_class: bool = True) -> Floats:
        """``I(X;X'|C)`` of every two of the attributes, or ``I(X;X')``, from their pair tables.

        It is remembered for all restrictions of one source together, and so not to be written to.
        Rows in memory go through one kernel that never keeps the tables. Of others, what is
        counted for ``I(X;X')`` tells ``I(X;X'|C)`` as well: who needs both asks for it first.
        """
        numbers = [self._numbers[v] for v in attributes]
        return self._statistics.pair_information(
            numbers, given_class, lambda: self._count_information(attributes, given_class)
        )

    def _count_information(
        self, attributes: Sequence[int], given_class: bool
    ) -> dict[bool, Floats]:
        """What was asked for, and what comes with it: by whether the class is given."""
        cards = [self.cards[v] for v in attributes]
        whole = self._engine.whole
        if whole is not None:
            columns = [whole.columns[v] for v in attributes]
            target, classes = whole.column(self.n_attributes), self.n_classes
            if not given_class:
                target, classes = np.zeros_like(target), 1
            information = kernels.information_of_columns(
                columns, cards, target, classes, whole.weights, self.total, self.threads
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

    def moments(self, steps: Floats | None = None) -> Moments:
        """Moments of the columns that stayed numbers, class by class.

        With ``steps`` those of the numbers rounded to whole steps of their column.
        """
        return self._engine.map_reduce(partial(count_moments, steps=steps), Moments.merge)

    def tables(self, families: Sequence[Family]) -> list[FamilyTable]:
        """Tables of some families, all counted in one pass; recent ones are remembered."""
        known = {family: self._memo.get(family) for family in dict.fromkeys(families)}
        wanted = [family for family, table in known.items() if table is None]
        for counted in self._count(wanted) if wanted else []:
            known[counted.family] = self._memo.keep(counted.family, counted, counted.counts.nbytes)
        return [table for family in families if (table := known[family]) is not None]

    def cell_sums(
        self,
        child: int,
        given: Sequence[int],
        candidates: Sequence[int],
        terms: CellTerms,
        *,
        refined: bool = True,
    ) -> Floats:
        """Sums of terms over the table of a child given some variables and one candidate more.

        Shape (candidates, 2): ``outer`` over the joint values of the parents, ``inner`` over
        those with the child. Rows where the candidate is missing do not count. With
        ``refined=False`` that is all it does, so that both sums are over the same rows. Each
        candidate is one pass over the rows, however many joint values there are.
        """
        numbers = self._numbers
        return self._statistics.cell_sums(
            numbers[child],
            tuple(numbers[v] for v in given),
            [numbers[v] for v in candidates],
            terms,
            refined,
        )

    def set_sums(
        self, child: int, sets: NDArray[np.int32], terms: CellTerms, *, refined: bool = True
    ) -> Floats:
        """Sums of terms over the tables of a child given each of many sets of variables.

        ``sets[s]`` are the variables of a set, with -1 behind the last. Rows where one of them is
        missing do not count. With ``refined=False`` that is all that the last one does, as in
        `cell_sums`; those before it must be of one set after another, to share their work.
        """
        if self._is_restriction:
            sets = np.array([*self._numbers, -1], dtype=np.int32)[sets]
        return self._statistics.set_sums(self._numbers[child], sets, terms, refined)

    @cached_property
    def complete(self) -> NDArray[np.bool_]:
        """Whether each variable has no missing value."""
        families = [Family.of(v, (), self.n_attributes) for v in range(len(self.cards))]
        weights = np.array([table.counts.sum() for table in self.tables(families)])
        found: NDArray[np.bool_] = weights >= self.total
        return found

    def remembered(
        self,
        kind: Hashable,
        child: int,
        given: Sequence[int],
        candidates: Sequence[int],
        compute: Callable[[list[int]], Floats],
    ) -> Floats:
        """A number of every candidate for a child and some other variables.

        Those that no restriction of this source has asked for before are computed.
        """
        numbers = self._numbers
        key = (kind, numbers[child], frozenset(numbers[v] for v in given))
        if not self._is_restriction:
            return self._statistics.remembered(key, candidates, compute)
        place = {numbers[v]: v for v in candidates}
        return self._statistics.remembered(
            key, list(place), lambda wanted: compute([place[v] for v in wanted])
        )

    def pair_statistics(
        self, given: Sequence[int], first: Sequence[int], second: Sequence[int]
    ) -> Floats:
        """Of the independence of pairs of variables, given the joint value of others.

        Shape (pairs, 3): chi-squared, G-squared and the degrees of freedom, which leave out
        empty rows and columns of every table.
        """
        numbers = self._numbers
        return self._statistics.pairs(
            tuple(numbers[v] for v in given),
            np.array([numbers[v] for v in first], dtype=np.int32),
            np.array([numbers[v] for v in second], dtype=np.int32),
        )

    def joint_values(self, variables: Sequence[int]) -> int:
        """How many joint values of some attributes occur."""
        whole = self._engine.whole
        if whole is not None:
            numbers = self._numbers
            return self._statistics.partition(tuple(numbers[v] for v in variables)).size
        family = Family(self.n_attributes, tuple(sorted(variables)), given_class=False)
        return int((self.tables([family])[0].counts.sum(axis=(1, 2)) > 0).sum())

    def restrict(self, attributes: Sequence[int]) -> CountSource:
        """The counts of some of the attributes, in the order of the columns.

        What is remembered is so for all restrictions of one source together.
        """
        chosen = sorted(attributes)
        source = CountSource(
            self._engine.changed(lambda part, _: part.select(chosen), self.rows),
            [self.names[v] for v in (*chosen, self.n_attributes)],
            [self.cards[v] for v in (*chosen, self.n_attributes)],
            self.threads,
        )
        source._statistics = self._statistics
        source._numbers = [self._numbers[v] for v in (*chosen, self.n_attributes)]
        return source

    def folds(self, count: int, seed: int) -> Iterator[tuple[CountSource, CountSource]]:
        """The rows dealt at random into equal parts: all but one to learn from, one to judge by."""
        require_memory(16 * self.rows, "Dealing the rows into parts", "judge by all rows instead")
        labels = np.random.default_rng(seed).permutation(self.rows) % count
        labels = labels.astype(np.min_scalar_type(count))
        sizes = np.bincount(labels, minlength=count)

        def part(fold: int, *, inside: bool) -> CountSource:
            def change(rows: Encoded, start: int) -> Encoded:
                own = (labels[start : start + rows.rows] == fold) == inside
                return rows.take(np.flatnonzero(own))

            size = int(sizes[fold]) if inside else self.rows - int(sizes[fold])
            engine = self._engine.changed(change, size)
            return CountSource(engine, self.names, self.cards, self.threads)

        return ((part(f, inside=False), part(f, inside=True)) for f in range(count))

    def reduce(self, measure: Callable[[Encoded], T], merge: Callable[[T, T], T]) -> T:
        """Merge a measure of the rows over all parts of the data."""
        return self._engine.map_reduce(measure, merge)

    @property
    def _is_restriction(self) -> bool:
        """Whether variables have other numbers than in the source that this is a part of."""
        return self._numbers[-1] != self.n_attributes

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
