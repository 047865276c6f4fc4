"""Expected counts: the counts of rows with missing values, completed by a network.

S. Lauritzen (1995). The EM algorithm for graphical association models with missing data.
Computational Statistics and Data Analysis 19.
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from scipy.special import xlogy

from bayesgrove._utils.memory import MemoryLimitError, require_memory
from bayesgrove._utils.wording import listed
from bayesgrove.counts import Configurations, CountSource, Family, FamilyTable
from bayesgrove.counts.functions import ClassTables, FamilyTables, PairTables
from bayesgrove.kernels import kernels
from bayesgrove.network.inference import FREE_CELLS, Product

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Codes, Floats
    from bayesgrove.network import BayesianNetwork

MAX_CELLS = 1 << 22
"""Largest number of cells of an expected table: it has all configurations of the parents."""
COPIES = 20
"""The kernel needs at most this many copies of the tables."""
ELIMINATED_CELLS = FREE_CELLS
"""Largest number of cells that the elimination of the missing values of one row may need."""


class NoRowsError(ValueError):
    """Expected counts are tables only: there are no completed rows."""


@dataclass(frozen=True)
class IncompleteRows:
    """The training rows with a missing value: the only rows that an E step visits.

    Parameters
    ----------
    columns : tuple of ndarray of shape (n_rows,)
        Codes of every attribute, then of the class. The cardinality is the code for missing.
    weights : ndarray of shape (n_rows,) or None
        Row weights. None means that every row has weight 1.
    """

    columns: tuple[Codes, ...]
    weights: Floats | None

    @classmethod
    def of(cls, counts: CountSource) -> IncompleteRows:
        """Return the incomplete rows of a source of counts.

        Parameters
        ----------
        counts : CountSource
            Counts of the known values.

        Returns
        -------
        IncompleteRows
            The rows in which at least one attribute of the source is missing.
        """
        if not counts.in_memory:
            require_memory(
                2 * counts.rows * len(counts.cards),
                "Loading the rows with missing values",
                'use missing="ignore" or missing="value"',
            )
        parts: list[Encoded] = counts.reduce(_incomplete, operator.add)
        columns = [
            np.concatenate([part.column(v) for part in parts]) for v in range(len(counts.cards))
        ]
        weights = [part.weights for part in parts if part.weights is not None]
        return cls(tuple(columns), np.concatenate(weights) if weights else None)

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.columns[-1])


def _incomplete(part: Encoded) -> list[Encoded]:
    """Return the rows of a part that have a missing value, as the only element of a list."""
    incomplete = np.zeros(part.rows, dtype=bool)
    for column, card in zip(part.columns, part.cards, strict=True):
        incomplete |= column == card
    return [part.take(np.flatnonzero(incomplete))]


class ExpectedEngine:
    """An engine that counts known values, plus what a network expects of the missing ones.

    The posterior of the missing values of a row is exact. A row adds its weight to the table of a
    family, spread over the posterior of the missing members of the family.

    Parameters
    ----------
    counts : CountSource
        Counts of the known values.
    network : BayesianNetwork
        A network of all columns of ``counts``, which completes the rows.
    incomplete : IncompleteRows
        The rows of ``counts`` with a missing value.
    """

    in_memory = None

    def __init__(
        self, counts: CountSource, network: BayesianNetwork, incomplete: IncompleteRows
    ) -> None:
        self.counts = counts
        self.network = network
        self.incomplete = incomplete
        self.rows = counts.rows

    def column(self, variable: int) -> Codes | None:  # noqa: ARG002
        """Return None, since missing values have no codes."""
        return None

    def map_reduce(
        self,
        count: Callable[[Any], Any],
        merge: Callable[[Any, Any], Any],  # noqa: ARG002
        columns: Sequence[int] | None = None,  # noqa: ARG002
    ) -> Any:
        """Return the tables of a count function of tables."""
        if isinstance(count, FamilyTables):
            return self.expect(count.families)[0]
        if isinstance(count, ClassTables):
            return self._class_tables()
        if isinstance(count, PairTables):
            return self._pair_tables(count)
        return _refuse()

    def mapped(self, change: Any, rows: int) -> NoReturn:  # noqa: ARG002
        """Raise, since there are no completed rows."""
        _refuse()

    def expect(self, families: Sequence[Family]) -> tuple[list[FamilyTable], float]:
        """Return expected tables, and the log-likelihood of all known values under the network.

        Parameters
        ----------
        families : sequence of Family
            The families.

        Returns
        -------
        tables : list of FamilyTable
            One table per family, with all configurations of the parents.
        log_likelihood : float
            Weighted sum over the rows of ``ln P(known values)``.
        """
        known = [self._whole(table) for table in self.counts.tables(families)]
        log_likelihood = self._of_known_families()
        if not self.incomplete.count:
            return known, log_likelihood
        flat, of_missing = self._spread(families, sum(t.counts.size for t in known))
        cells = np.split(flat, np.cumsum([table.counts.size for table in known]))[:-1]
        return [
            FamilyTable(t.family, t.configurations, t.counts + added.reshape(t.counts.shape))
            for t, added in zip(known, cells, strict=True)
        ], log_likelihood + of_missing

    def _of_known_families(self) -> float:
        """Return the log-likelihood of all families of the network without a missing member."""
        tables = [self.network.table(name) for name in self.network.nodes]
        known = self.counts.tables([table.family for table in tables])
        return sum(
            float(xlogy(counted.whole.ravel(), table.dense().ravel()).sum())
            for counted, table in zip(known, tables, strict=True)
        )

    def _whole(self, table: FamilyTable) -> FamilyTable:
        """Return a table of known values with all configurations of the parents."""
        if table.configurations.keys is None:
            return table
        cards = table.configurations.cards
        cells = math.prod(cards) * math.prod(table.counts.shape[1:])
        if cells > MAX_CELLS:
            raise MemoryLimitError(
                f"The expected table of {self.counts.names[table.family.child]!r} would have "
                f"{cells:,} cells, more than {MAX_CELLS:,}: allow fewer parents or values, or use "
                'missing="ignore".'
            )
        return FamilyTable(table.family, Configurations(cards), table.whole)

    def _spread(self, families: Sequence[Family], cells: int) -> tuple[Floats, float]:
        """Return what incomplete rows add to the tables, and the rest of the log-likelihood.

        The rest is the sum over the families of the network with a missing member.
        """
        require_memory(
            8 * COPIES * cells,
            "The expected tables",
            "allow fewer parents or values",
        )
        scopes = [family.scope(self.counts.n_attributes) for family in families]
        product = self._product
        flat, log_likelihood, needed, row = kernels.expected_tables(
            product.cards,
            product.starts,
            product.scopes,
            product.offsets,
            product.values,
            list(self.incomplete.columns),
            self.incomplete.weights,
            np.cumsum([0, *map(len, scopes)], dtype=np.int32),
            np.array([v for scope in scopes for v in scope], dtype=np.int32),
            float(ELIMINATED_CELLS),
            self.counts.threads,
        )
        if needed > ELIMINATED_CELLS:
            self._refuse_row(row, needed)
        if log_likelihood == -math.inf:
            raise ValueError(
                "The network gives a training row the probability 0, so that its missing values "
                "have no posterior: use pseudo-counts, such as alpha=1."
            )
        return flat, log_likelihood

    @cached_property
    def _product(self) -> Product:
        """Product of the tables of the network."""
        network, last = self.network, self.counts.n_attributes
        tables = [network.table(name) for name in network.nodes]
        return Product.of(
            self.counts.cards, [(table.scope(last), table.dense()) for table in tables]
        )

    def _refuse_row(self, row: int, cells: float) -> NoReturn:
        """Raise, because the missing values of a row depend on each other in too many ways."""
        names = [
            self.counts.names[v]
            for v, card in enumerate(self.counts.attribute_cards)
            if self.incomplete.columns[v][row] == card
        ]
        raise MemoryLimitError(
            f"A row in which {listed(names)} are missing needs tables of {cells:.2g} cells, more "
            f"than {ELIMINATED_CELLS:,}: allow fewer parents, leave out columns with many missing "
            'values, or use missing="ignore".'
        )

    def _class_tables(self) -> Floats:
        """Return ``N[c, value]`` of all attributes, side by side."""
        families = [Family(v, (), given_class=True) for v in range(self.counts.n_attributes)]
        tables, _ = self.expect(families)
        empty = np.empty((self.counts.n_classes, 0))
        return np.concatenate([empty, *(table.counts[0] for table in tables)], axis=1)

    def _pair_tables(self, count: PairTables) -> Floats:
        """Return the tables of pairs of attributes given the class, as one block."""
        ends = np.cumsum([0, *count.cards])
        block = np.zeros((count.n_classes, ends[-1] - ends[count.first], ends[-1]))
        pairs = [(i, j) for i in range(count.first, len(count.cards)) for j in range(i)]
        families = [
            Family(count.attributes[i], (count.attributes[j],), given_class=True) for i, j in pairs
        ]
        for (i, j), table in zip(pairs, self.expect(families)[0], strict=True):
            rows = slice(ends[i] - ends[count.first], ends[i + 1] - ends[count.first])
            block[:, rows, ends[j] : ends[j + 1]] = table.counts.transpose(1, 2, 0)
        return block


class ExpectedCounts(CountSource):
    """Counts of rows whose missing values are completed by a network.

    A value that is missing counts with its probability given the known values of its row, so that
    counts are fractional. Every learner that needs only tables works with them unchanged. Rows,
    folds of rows and independence tests do not exist here: they raise a `NoRowsError`.

    Parameters
    ----------
    counts : CountSource
        Counts of the known values (``missing="ignore"``). The class of every row is known.
    network : BayesianNetwork
        A network of all columns of ``counts``, in their order.
    incomplete : IncompleteRows or None, default=None
        The rows with a missing value. None finds them, in one pass.

    References
    ----------
    S. Lauritzen (1995). The EM algorithm for graphical association models with missing data.
    Computational Statistics and Data Analysis 19.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.contracts import TrainingData
    >>> from bayesgrove.parameters import Dirichlet
    >>> from bayesgrove.parameters.expected_counts import ExpectedCounts
    >>> from bayesgrove.network import Structure
    >>> column = np.array([0, 0, 1, 2], dtype=np.uint8)  # Of two states: the code 2 is missing.
    >>> counts = TrainingData.of_columns([column], [2], np.zeros(4, dtype=np.uint8), 1).counts
    >>> network = Dirichlet(0).estimate(Structure(((1,), ())), counts, [("a", "b"), ("c",)])
    >>> ExpectedCounts(counts, network).class_tables()
    array([[2.66666667, 1.33333333]])
    """

    def __init__(
        self,
        counts: CountSource,
        network: BayesianNetwork,
        incomplete: IncompleteRows | None = None,
    ) -> None:
        rows = IncompleteRows.of(counts) if incomplete is None else incomplete
        engine = ExpectedEngine(counts, network, rows)
        super().__init__(engine, counts.names, counts.cards, counts.threads)

    @cached_property
    def has_no_missing(self) -> NDArray[np.bool_]:
        """Whether each variable has no missing value: always true, an array (n_variables,)."""
        return np.ones(len(self.cards), dtype=bool)

    def pair_statistics(
        self,
        given: Sequence[int],  # noqa: ARG002
        first: Sequence[int],  # noqa: ARG002
        second: Sequence[int],  # noqa: ARG002
    ) -> Floats:
        """Raise, because a test needs counts of independent rows.

        Parameters
        ----------
        given : sequence of int
            Not used.
        first : sequence of int
            Not used.
        second : sequence of int
            Not used.

        Raises
        ------
        NoRowsError
            Always.
        """
        _refuse()

    def folds(
        self,
        count: int,  # noqa: ARG002
        random_state: int,  # noqa: ARG002
    ) -> Iterator[tuple[CountSource, CountSource]]:
        """Raise, because there are no completed rows.

        Parameters
        ----------
        count : int
            Not used.
        random_state : int
            Not used.

        Raises
        ------
        NoRowsError
            Always.
        """
        _refuse()


def _refuse() -> NoReturn:
    raise NoRowsError(
        "Expected counts give only tables of counts: there are no completed rows, no folds of them "
        "and no independence tests."
    )
