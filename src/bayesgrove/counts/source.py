"""The interface through which learners obtain counts, wherever the rows are stored."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Self, TypeVar

import numpy as np

from bayesgrove._utils.memory import require_memory
from bayesgrove.counts.counter import Counter, PairBlock
from bayesgrove.counts.functions import OfView, OneClass, TakeFold
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

    A source is a view of a `Counter`, which holds the rows and caches the counts. All views of the
    same rows share the cache: a restriction to some attributes reuses the counts of other views.

    Parameters
    ----------
    engine : Engine
        The rows.
    names : sequence of str
        Names of the attributes, then the name of the class.
    cards : sequence of int
        Cardinality of each attribute, then the number of classes.
    threads : int, default=1
        Number of threads. Results do not depend on it.

    Attributes
    ----------
    names : list of str
        Names of the attributes, then the name of the class.
    cards : list of int
        Cardinality of each attribute, then the number of classes.
    threads : int
        Number of threads.
    """

    def __init__(
        self, engine: Engine, names: Sequence[str], cards: Sequence[int], threads: int = 1
    ) -> None:
        self._view(Counter(engine, names, cards, threads), list(range(len(cards))))

    def _view(self, counter: Counter, numbers: list[int]) -> Self:
        """Make this object the view of some columns of a counter, the class last."""
        self._counter = counter
        self._numbers = numbers
        self._is_whole = numbers == list(range(len(counter.cards)))
        self.names = [counter.names[v] for v in numbers]
        self.cards = [counter.cards[v] for v in numbers]
        self.threads = counter.threads
        return self

    @property
    def n_attributes(self) -> int:
        """Number of attributes, which is also the number of the class variable."""
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
        """Cardinality of every attribute."""
        return self.cards[:-1]

    @cached_property
    def padded_cards(self) -> Floats:
        """Cardinality of every variable, then 1 for the index -1, which stands for no variable."""
        return np.array([*self.cards, 1.0])

    @property
    def class_counts(self) -> Floats:
        """Weight of every class, an array of shape (n_classes,)."""
        return self._counter.class_counts

    @property
    def total(self) -> float:
        """Weight of all rows."""
        return self._counter.total

    def class_tables(self) -> Floats:
        """Return ``N[c, value]`` of all attributes, side by side.

        Returns
        -------
        ndarray of shape (n_classes, sum of attribute_cards)
            Weights of the rows with each class and value. The array is cached and read-only.
        """
        return self._class_tables

    @cached_property
    def _class_tables(self) -> Floats:
        """The cached result of `class_tables`."""
        if self._is_whole:
            return self._counter.class_tables
        empty = np.empty((self.n_classes, 0))
        tables: Floats = np.concatenate([empty, *self.attribute_tables()], axis=1)
        tables.setflags(write=False)
        return tables

    def attribute_tables(self) -> list[Floats]:
        """Return ``N[c, value]`` of every attribute, all from one pass.

        Returns
        -------
        list of ndarray of shape (n_classes, card)
            One table per attribute. The arrays are read-only.
        """
        return [self._counter.class_table(v) for v in self._numbers[:-1]]

    def pair_tables(self, attributes: Sequence[int]) -> Iterator[PairBlock]:
        """Return the tables of all pairs of attributes given the class, in blocks of attributes.

        Parameters
        ----------
        attributes : sequence of int
            Numbers of the attributes.

        Returns
        -------
        iterator of PairBlock
            Tables of the next attributes with all attributes before them in the list.
        """
        return self._counter.pair_tables([self._numbers[v] for v in attributes])

    def pair_information(self, attributes: Sequence[int], *, given_class: bool = True) -> Floats:
        """Return ``I(X;X'|C)`` or ``I(X;X')`` of every two of the attributes.

        The result is cached for all views of the same rows. Rows in memory are counted by a kernel
        that never keeps the pair tables. For other rows, the pass that counts ``I(X;X')`` also
        gives ``I(X;X'|C)``. If you need both, ask for ``I(X;X')`` first.

        Parameters
        ----------
        attributes : sequence of int
            Numbers of the attributes.
        given_class : bool, default=True
            Whether the information is conditional on the class.

        Returns
        -------
        ndarray of shape (n_attributes, n_attributes)
            Symmetric matrix in nats, with zeros on the diagonal. Do not write to it.
        """
        return self._counter.pair_information([self._numbers[v] for v in attributes], given_class)

    def moments(self, steps: Floats | None = None) -> Moments:
        """Return the moments of the continuous columns within each class.

        Parameters
        ----------
        steps : ndarray of shape (n_columns,) or None, default=None
            If given, the numbers are rounded to multiples of the step of their column. None means
            that they are not rounded.

        Returns
        -------
        Moments
            Weights, means and sums of squares per class and column.
        """
        return self._counter.moments(steps)

    def tables(self, families: Sequence[Family]) -> list[FamilyTable]:
        """Return the tables of some families, all counted in one pass; recent tables are cached.

        Parameters
        ----------
        families : sequence of Family
            The families.

        Returns
        -------
        list of FamilyTable
            One table per family, in the same order.
        """
        if self._is_whole:
            return self._counter.tables(families)
        tables = self._counter.tables([self._numbered(family) for family in families])
        return [
            table.renumbered(family, self._parent_order(family))
            for family, table in zip(families, tables, strict=True)
        ]

    def _numbered(self, family: Family) -> Family:
        """Return a family with the counter's numbers, its parents in ascending order."""
        parents = tuple(sorted(self._numbers[v] for v in family.parents))
        return Family(self._numbers[family.child], parents, family.given_class)

    def _parent_order(self, family: Family) -> list[int]:
        """Return the rank of each parent by the counter's numbers."""
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
        """Return sums of terms over tables of a child, given some variables and each candidate.

        Rows in which the candidate is missing are left out. Each candidate takes one pass over the
        rows, for any number of joint values.

        Parameters
        ----------
        child : int
            Number of the child.
        given : sequence of int
            Numbers of the variables that are parents in all tables.
        candidates : sequence of int
            Numbers of the variables that are one more parent, one per table.
        terms : CellTerms
            The functions of the counts that are summed.
        refined : bool, default=True
            Whether the candidate is a parent. If False, the candidate only leaves out the rows in
            which it is missing. The sums with and without the candidate as a parent are then over
            the same rows.

        Returns
        -------
        ndarray of shape (n_candidates, 2)
            The sum of ``outer`` over the joint values of the parents, and the sum of ``inner`` over
            the joint values of the parents and the child.
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
        refined : bool, default=True
            Whether the last variable of each set is a parent. If False, the last variable only
            leaves out the rows in which it is missing.

        Returns
        -------
        ndarray of shape (n_sets,)
            The sum of ``outer`` over the joint values of the parents, plus the sum of ``inner``
            over the joint values of the parents and the child.
        """
        if not self._is_whole:
            sets = np.array([*self._numbers, -1], dtype=np.int32)[sets]
        return self._counter.set_sums(self._numbers[child], sets, terms, refined)

    @cached_property
    def has_no_missing(self) -> NDArray[np.bool_]:
        """Whether each variable has no missing value, an array of shape (n_variables,)."""
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
        """Return one number per candidate, for a child and some other variables.

        Numbers that no view of these rows has computed before are computed.

        Parameters
        ----------
        kind : hashable
            The kind of the numbers, such as a score.
        child : int
            Number of the child.
        given : sequence of int
            Numbers of the other variables, in any order.
        candidates : sequence of int
            Numbers of the candidates.
        compute : callable
            Function of a list of candidates that returns an array with one number per candidate.

        Returns
        -------
        ndarray of shape (n_candidates,)
            One number per candidate.
        """
        numbers = self._numbers
        key = (kind, numbers[child], frozenset(numbers[v] for v in given))
        if self._is_whole:
            return self._counter.cached(key, candidates, compute)
        position = {numbers[v]: v for v in candidates}
        return self._counter.cached(
            key, list(position), lambda uncached: compute([position[v] for v in uncached])
        )

    def pair_statistics(
        self, given: Sequence[int], first: Sequence[int], second: Sequence[int]
    ) -> Floats:
        """Test the independence of pairs of variables, given the joint value of other variables.

        Parameters
        ----------
        given : sequence of int
            Numbers of the variables that form the condition.
        first : sequence of int
            Number of the first variable of each pair.
        second : sequence of int
            Number of the second variable of each pair.

        Returns
        -------
        ndarray of shape (n_pairs, 3)
            Chi-squared, G-squared and the degrees of freedom, which leave out empty rows and
            columns of every table.
        """
        numbers = self._numbers
        return self._counter.pair_statistics(
            tuple(numbers[v] for v in given),
            np.array([numbers[v] for v in first], dtype=np.int32),
            np.array([numbers[v] for v in second], dtype=np.int32),
        )

    def joint_values(self, variables: Sequence[int]) -> int:
        """Return how many joint values of some attributes occur in the rows.

        Parameters
        ----------
        variables : sequence of int
            Numbers of the variables.

        Returns
        -------
        int
            Number of joint values without missing values that occur.
        """
        return self._counter.joint_values(tuple(self._numbers[v] for v in variables))

    def restrict(self, attributes: Sequence[int]) -> CountSource:
        """Return a view of some of the attributes.

        Parameters
        ----------
        attributes : sequence of int
            Numbers of the attributes, in the order that the view has.

        Returns
        -------
        CountSource
            Counts of these attributes and the class.
        """
        chosen = [self._numbers[v] for v in (*attributes, self.n_attributes)]
        return type(self).__new__(type(self))._view(self._counter, chosen)

    def without_class(self) -> CountSource:
        """Return counts of the same rows in which all rows have the same class.

        A structure learner that gets these counts learns a network of the attributes alone.

        Returns
        -------
        CountSource
            Counts of the same attributes, with a class of one state.
        """
        engine = self._counter.engine.mapped(OneClass(), self.rows)
        cards = [*self._counter.cards[:-1], 1]
        counter = Counter(engine, self._counter.names, cards, self.threads)
        return CountSource.__new__(CountSource)._view(counter, self._numbers)

    def folds(self, count: int, random_state: int) -> Iterator[tuple[CountSource, CountSource]]:
        """Split the rows at random into folds of equal size, up to one row.

        Parameters
        ----------
        count : int
            Number of folds.
        random_state : int
            Seed of the split.

        Returns
        -------
        iterator of tuple of CountSource and CountSource
            One pair per fold: the learning rows, which are all rows outside the fold, and the
            validation rows, which are the rows of the fold.
        """
        require_memory(
            16 * self.rows, "Splitting the rows into folds", "validate on all rows instead"
        )
        fold_of_row = np.random.default_rng(random_state).permutation(self.rows) % count
        fold_of_row = fold_of_row.astype(np.min_scalar_type(count))
        sizes = np.bincount(fold_of_row, minlength=count)

        def part(fold: int, *, inside: bool) -> CountSource:
            size = int(sizes[fold]) if inside else self.rows - int(sizes[fold])
            engine = self._counter.engine.mapped(TakeFold(fold_of_row, fold, inside), size)
            counter = Counter(engine, self._counter.names, self._counter.cards, self.threads)
            return CountSource.__new__(CountSource)._view(counter, self._numbers)

        return ((part(f, inside=False), part(f, inside=True)) for f in range(count))

    def reduce(self, measure: Callable[[Encoded], T], merge: Callable[[T, T], T]) -> T:
        """Measure all parts of the rows, and merge the measures.

        Parameters
        ----------
        measure : callable
            Function of a part of the rows (`Encoded`) that has the attributes of this view.
        merge : callable
            Function of the measures of two parts that returns the measure of both together.

        Returns
        -------
        object
            The merged measure of all rows.
        """
        engine = self._counter.engine
        if self._is_whole:
            return engine.map_reduce(measure, merge)
        of_view = OfView(measure, tuple(self._numbers[:-1]))
        return engine.map_reduce(of_view, merge, self._numbers)
