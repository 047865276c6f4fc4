"""Where learners get their counts, wherever the rows live."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Self, TypeVar

import numpy as np

from bayesgrove._utils.memory import require_memory
from bayesgrove.counts.counter import Counter, PairBlock
from bayesgrove.counts.functions import OfView, TakeFold
from bayesgrove.counts.tables import Family, FamilyTable

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.counts.cells import CellTerms
    from bayesgrove.counts.engines import Engine
    from bayesgrove.counts.moments import Moments
    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Floats

T = TypeVar("T")


class CountSource:
    """Counts of encoded rows: attributes are the variables 0..n-1, the class is variable n.

    A source is a view of a `Counter`, which holds the rows and everything that was counted: a
    restriction to some attributes counts nothing that any view of the same rows has asked for.

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
        self._view(Counter(engine, names, cards, threads), list(range(len(cards))))

    def _view(self, counter: Counter, numbers: list[int]) -> Self:
        """Become the view of some columns, the class last."""
        self._counter = counter
        self._numbers = numbers
        self._is_whole = numbers == list(range(len(counter.cards)))
        self.names = [counter.names[v] for v in numbers]
        self.cards = [counter.cards[v] for v in numbers]
        self.threads = counter.threads
        return self

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
        return self._counter.engine.rows

    @property
    def in_memory(self) -> bool:
        """Whether all rows are in memory."""
        return self._counter.engine.in_memory is not None

    @property
    def attribute_cards(self) -> list[int]:
        """Number of states of every attribute."""
        return self.cards[:-1]

    @cached_property
    def padded_cards(self) -> Floats:
        """Number of states of every variable, and 1 for the variable -1, which stands for none."""
        return np.array([*self.cards, 1.0])

    @property
    def class_counts(self) -> Floats:
        """Weight of every class."""
        return self._counter.class_counts

    @property
    def total(self) -> float:
        """Weight of all rows."""
        return self._counter.total

    def class_tables(self) -> Floats:
        """Return ``N[c, value]`` of all attributes, side by side, shape (classes, sum of cards).

        It is cached, and so not to be written to.
        """
        return self._class_tables

    @cached_property
    def _class_tables(self) -> Floats:
        if self._is_whole:
            return self._counter.class_tables
        empty = np.empty((self.n_classes, 0))
        tables: Floats = np.concatenate([empty, *self.attribute_tables()], axis=1)
        tables.setflags(write=False)
        return tables

    def attribute_tables(self) -> list[Floats]:
        """Return ``N[c, value]``, one table per attribute, from one pass; not to be written to."""
        return [self._counter.class_table(v) for v in self._numbers[:-1]]

    def pair_tables(self, attributes: Sequence[int]) -> Iterator[PairBlock]:
        """Yield all tables of two of the attributes given the class, in blocks of attributes."""
        return self._counter.pair_tables([self._numbers[v] for v in attributes])

    def pair_information(self, attributes: Sequence[int], *, given_class: bool = True) -> Floats:
        """Return ``I(X;X'|C)`` of every two of the attributes, or ``I(X;X')``.

        It is cached for all views of the same rows together, and so not to be written to.
        Rows in memory go through one kernel that never keeps the pair tables. Of others, what is
        counted for ``I(X;X')`` tells ``I(X;X'|C)`` as well: who needs both asks for it first.
        """
        return self._counter.pair_information([self._numbers[v] for v in attributes], given_class)

    def moments(self, steps: Floats | None = None) -> Moments:
        """Return the moments of the columns that stay numbers, class by class.

        With ``steps`` those of the numbers rounded to whole steps of their column.
        """
        return self._counter.moments(steps)

    def tables(self, families: Sequence[Family]) -> list[FamilyTable]:
        """Return tables of families, all counted in one pass; recent ones are cached."""
        if self._is_whole:
            return self._counter.tables(families)
        tables = self._counter.tables([self._numbered(family) for family in families])
        return [
            table.renumbered(family, self._parent_order(family))
            for family, table in zip(families, tables, strict=True)
        ]

    def _numbered(self, family: Family) -> Family:
        """Return a family of this view by the numbers of the counter, parents in their order."""
        parents = tuple(sorted(self._numbers[v] for v in family.parents))
        return Family(self._numbers[family.child], parents, family.given_class)

    def _parent_order(self, family: Family) -> list[int]:
        """Return the place that each parent has among the same parents in the counter's order."""
        parents = [self._numbers[v] for v in family.parents]
        return [sorted(parents).index(v) for v in parents]

    def cell_sums(
        self,
        child: int,
        given: Sequence[int],
        candidates: Sequence[int],
        terms: CellTerms,
        *,
        refined: bool = True,
    ) -> Floats:
        """Return sums of terms over the table of a child, given some variables and a candidate.

        Shape (candidates, 2): ``outer`` over the joint values of the parents, ``inner`` over
        those with the child. Rows where the candidate is missing do not count. With
        ``refined=False`` that is all it does, so that both sums are over the same rows. Each
        candidate is one pass over the rows, however many joint values there are.
        """
        numbers = self._numbers
        return self._counter.cell_sums(
            numbers[child],
            tuple(numbers[v] for v in given),
            [numbers[v] for v in candidates],
            terms,
            refined,
        )

    def set_sums(
        self, child: int, sets: NDArray[np.int32], terms: CellTerms, *, refined: bool = True
    ) -> Floats:
        """Return sums of terms over the tables of a child given each of many sets of variables.

        ``sets[s]`` are the variables of a set, with -1 behind the last. Rows where one of them is
        missing do not count. With ``refined=False`` that is all that the last one does, as in
        `cell_sums`; those before it must be of one set after another, to share their work.
        """
        if not self._is_whole:
            sets = np.array([*self._numbers, -1], dtype=np.int32)[sets]
        return self._counter.set_sums(self._numbers[child], sets, terms, refined)

    @cached_property
    def has_no_missing(self) -> NDArray[np.bool_]:
        """Whether each variable has no missing value."""
        families = [Family.of(v, (), self.n_attributes) for v in range(len(self.cards))]
        weights = np.array([table.counts.sum() for table in self.tables(families)])
        complete: NDArray[np.bool_] = weights >= self.total
        return complete

    def cached(
        self,
        kind: Hashable,
        child: int,
        given: Sequence[int],
        candidates: Sequence[int],
        compute: Callable[[list[int]], Floats],
    ) -> Floats:
        """Return a number of every candidate for a child and some other variables.

        Those that no view of these rows has asked for before are computed.
        """
        numbers = self._numbers
        key = (kind, numbers[child], frozenset(numbers[v] for v in given))
        if self._is_whole:
            return self._counter.cached(key, candidates, compute)
        place = {numbers[v]: v for v in candidates}
        return self._counter.cached(
            key, list(place), lambda wanted: compute([place[v] for v in wanted])
        )

    def pair_statistics(
        self, given: Sequence[int], first: Sequence[int], second: Sequence[int]
    ) -> Floats:
        """Test the independence of pairs of variables, given the joint value of others.

        Shape (pairs, 3): chi-squared, G-squared and the degrees of freedom, which leave out
        empty rows and columns of every table.
        """
        numbers = self._numbers
        return self._counter.pair_statistics(
            tuple(numbers[v] for v in given),
            np.array([numbers[v] for v in first], dtype=np.int32),
            np.array([numbers[v] for v in second], dtype=np.int32),
        )

    def joint_values(self, variables: Sequence[int]) -> int:
        """Return how many joint values of some attributes occur."""
        return self._counter.joint_values(tuple(self._numbers[v] for v in variables))

    def restrict(self, attributes: Sequence[int]) -> CountSource:
        """Return a view of some of the attributes, in the order in which they are given."""
        chosen = [self._numbers[v] for v in (*attributes, self.n_attributes)]
        return CountSource.__new__(CountSource)._view(self._counter, chosen)

    def folds(self, count: int, random_state: int) -> Iterator[tuple[CountSource, CountSource]]:
        """Deal the rows at random into equal parts: all but one to learn from, one to judge by."""
        require_memory(16 * self.rows, "Dealing the rows into parts", "judge by all rows instead")
        labels = np.random.default_rng(random_state).permutation(self.rows) % count
        labels = labels.astype(np.min_scalar_type(count))
        sizes = np.bincount(labels, minlength=count)

        def part(fold: int, *, inside: bool) -> CountSource:
            size = int(sizes[fold]) if inside else self.rows - int(sizes[fold])
            engine = self._counter.engine.mapped(TakeFold(labels, fold, inside), size)
            counter = Counter(engine, self._counter.names, self._counter.cards, self.threads)
            return CountSource.__new__(CountSource)._view(counter, self._numbers)

        return ((part(f, inside=False), part(f, inside=True)) for f in range(count))

    def reduce(self, measure: Callable[[Encoded], T], merge: Callable[[T, T], T]) -> T:
        """Merge a measure of the rows over all parts of the data."""
        engine = self._counter.engine
        if self._is_whole:
            return engine.map_reduce(measure, merge)
        of_view = OfView(measure, tuple(self._numbers[:-1]))
        return engine.map_reduce(of_view, merge, self._numbers)
