"""The average over all TAN structures: all trees on the attributes, by the matrix-tree theorem.

M. Meila and T. Jaakkola (2000). Tractable Bayesian learning of tree belief networks. UAI-2000,
380-388.

J. Cerquides and R. Lopez de Mantaras (2005). TAN classifiers based on decomposable distributions.
Machine Learning 59, 323-354.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove._utils.memory import require_memory
from bayesgrove._utils.options import require_number
from bayesgrove.counts import Family
from bayesgrove.kernels import kernels
from bayesgrove.network import Structure
from bayesgrove.network.mixture import RowAverage
from bayesgrove.network.prediction_program import Layout
from bayesgrove.parameters import BDeu
from bayesgrove.scores.decomposable import DirichletTerms
from bayesgrove.search import rounded_for_ties, spanning_tree
from bayesgrove.search.tree_sums import Elimination, eliminate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Floats
    from bayesgrove.network import BayesianNetwork

WIDE = 256
"""Columns with more values are counted pair by pair; one table of all pairs would be too large."""
NEGLIGIBLE = 1e-18
"""Edges whose probability is lower, in any row and class, are dropped."""
SMALLEST_SAMPLE = 1e-6
"""Smallest equivalent sample size. With a smaller one, products of probabilities may underflow."""


@dataclass(frozen=True)
class TreeAverage(RowAverage):
    """An average over all trees on the attributes, which predicts joint log-probabilities of rows.

    The probability of a tree is proportional to the product of the weights of its edges. Given the
    class c, an edge between u and v multiplies the probability of a row by
    ``R(u, v) = P(u, v | c) / (P(u | c) P(v | c))``. The average over all trees is therefore a ratio
    of two sums over all spanning trees: ``P(c, row) = P(c) prod_u P(u | c) Z(W R) / Z(W)``.

    Parameters
    ----------
    network : BayesianNetwork
        The network of the most probable tree.
    marginals : tuple of ndarray of shape (card, n_classes)
        ``P(u | c)`` of every attribute u.
    edges : ndarray of shape (n_edges, 2)
        The two attributes of each edge.
    log_weights : ndarray of shape (n_edges,)
        Logarithm of the weight of each edge.
    pairs : tuple of ndarray of shape (card, card, n_classes)
        ``P(u, v | c)`` of every edge.
    """

    network: BayesianNetwork
    marginals: tuple[Floats, ...]
    edges: NDArray[np.intp]
    log_weights: Floats
    pairs: tuple[Floats, ...]

    def log_joint(self, encoded: Encoded, threads: int = 1) -> Floats:
        """Return ``ln P(class, attributes)`` of every row and class.

        Missing attributes are summed out. If the attributes to sum over have more than 4096 joint
        values, the row gets the result of ``network`` alone, which is the most probable tree.

        Parameters
        ----------
        encoded : Encoded
            Codes of the attributes of the rows.
        threads : int, default=1
            Number of threads.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            Joint log-probabilities.
        """
        return self._log_joint(encoded, threads, relative=False)

    def edge_probabilities(self) -> Floats:
        """Return the probability of each edge: that of all trees that contain it.

        Returns
        -------
        ndarray of shape (n_edges,)
            The probabilities, which sum to the number of attributes minus 1.
        """
        return self._elimination.edge_probabilities(len(self.edges))

    def _complete(self, encoded: Encoded, threads: int, relative: bool) -> Floats:
        del relative
        columns, rows, classes = encoded.columns, encoded.rows, self._classes
        joint = kernels.log_joint(columns, *self._naive_layout, rows, classes, threads)
        if len(self.edges):
            arguments = (*self._ratio_tables, *self._elimination[:-1])
            joint += kernels.tree_ratios(columns, *arguments, rows, classes, threads)
        return joint

    def _relevant(self, hidden: list[int]) -> list[int]:
        """Return the missing attributes that have to be summed out.

        A missing attribute with one edge is a leaf of every tree. Its sum is 1, so it is removed.
        This is repeated with the remaining attributes until nothing changes.
        """
        near: dict[int, set[int]] = {v: set() for v in range(len(self.marginals))}
        for a, b in self.edges.tolist():
            near[a].add(b)
            near[b].add(a)
        remaining = set(hidden)
        leaves = [v for v in hidden if len(near[v]) <= 1]
        while leaves:
            leaf = leaves.pop()
            remaining.discard(leaf)
            for v in near[leaf]:
                near[v].discard(leaf)
                if len(near[v]) == 1 and v in remaining:
                    leaves.append(v)
            near[leaf] = set()
        return sorted(remaining)

    @cached_property
    def _elimination(self) -> Elimination:
        """The elimination of all attributes but one."""
        return eliminate(max(len(self.marginals), 1), self.edges, self.log_weights)

    @cached_property
    def _naive_layout(self) -> Layout:
        """Arguments of `kernels.log_joint` for ``P(c) prod_u P(u | c)``; missing values add 0."""
        none = np.zeros((1, self._classes))
        tables = [self.network.class_log_probabilities[None]]
        tables += [np.concatenate([np.log(table), none]) for table in self.marginals]
        n = len(self.marginals)
        ends = np.cumsum([0, *(table.size for table in tables)])
        return Layout(
            np.array([0, *range(n + 1)], dtype=np.int32),
            np.arange(n, dtype=np.int32),
            np.ones(n, dtype=np.int64),
            ends[:-1].astype(np.int64),
            np.full(n + 1, self._classes, dtype=np.int32),
            np.concatenate([table.ravel() for table in tables]),
        )

    @cached_property
    def _ratio_tables(
        self,
    ) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64], Floats]:
        """Arguments of `kernels.tree_ratios`; the ratio of a missing value is 1."""
        border = ((0, 1), (0, 1), (0, 0))
        tables = [np.pad(_ratios(pair), border, constant_values=1.0) for pair in self.pairs]
        ends = np.cumsum([0, *(table.size for table in tables)])
        return (
            self.edges.astype(np.int32).ravel(),
            np.array([table.shape[1] for table in tables], dtype=np.int64),
            ends[:-1].astype(np.int64),
            np.concatenate([table.ravel() for table in tables]),
        )


@dataclass(frozen=True)
class TANAverage:
    """Model averaging over all TAN structures, exactly.

    A TAN structure is a tree on the attributes; the class is a parent of every attribute. All
    trees have Dirichlet priors from one equivalent sample, divided equally among the joint values
    of the class and of any attributes. The direction of the arcs then does not matter, and the
    posterior probability of a tree is proportional to the product of the weights of its edges:

    ``W(u, v) = edge_prior(u, v) P(D_uv | D_c) / (P(D_u | D_c) P(D_v | D_c))``,

    where P(D | D_c) are the marginal likelihoods of columns given the classes.

    Parameters
    ----------
    equivalent_sample_size : float, default=1.0
        Sum of the pseudo-counts of one table, at least 1e-6.
    edge_prior : dict of tuple to float or None, default=None
        Prior weights of edges between two attributes, by their numbers, at least 1e-100. The
        prior probability of a tree is proportional to the product over its edges. Other edges have
        the weight 1.

    References
    ----------
    M. Meila and T. Jaakkola (2000). Tractable Bayesian learning of tree belief networks. UAI-2000,
    380-388.

    J. Cerquides and R. Lopez de Mantaras (2005). TAN classifiers based on decomposable
    distributions. Machine Learning 59, 323-354.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.contracts import TrainingData
    >>> from bayesgrove.averaging import TANAverage
    >>> a, b = np.tile(np.array([[0, 0, 1, 1], [0, 1, 0, 1]], dtype=np.uint8), 9)
    >>> counts = TrainingData.of_columns([a, b, a], [2, 2, 2], b, 2).counts
    >>> average = TANAverage().learn(counts, [(0, 1)] * 4)
    >>> average.edges.tolist()
    [[0, 1], [0, 2], [1, 2]]
    >>> average.edge_probabilities().round(2).tolist()
    [0.5, 1.0, 0.5]
    """

    equivalent_sample_size: float = 1.0
    edge_prior: Mapping[tuple[int, int], float] | None = None

    def check(self) -> None:
        """Raise unless the options are valid."""
        require_number(
            "equivalent_sample_size", self.equivalent_sample_size, lowest=SMALLEST_SAMPLE
        )
        for edge, weight in (self.edge_prior or {}).items():
            require_number(f"edge_prior of {edge!r}", weight, lowest=1e-100)

    def learn(self, counts: CountSource, states: Sequence[tuple[Any, ...]]) -> TreeAverage:
        """Learn the average over all trees.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.
        states : sequence of tuple
            The states of every attribute, then of the class.

        Returns
        -------
        TreeAverage
            The average.
        """
        self.check()
        n = counts.n_attributes
        log_weights, largest, smallest = self._log_weights(counts)
        free_values = [card - 1 for card in counts.attribute_cards]
        tree = spanning_tree(rounded_for_ties(log_weights), 0, free_values)
        parents = [(n,) if p < 0 else (p, n) for p in tree]
        network = BDeu(self.equivalent_sample_size).estimate(
            Structure((*parents, ())), counts, states
        )
        log_bound = log_weights + _log_resistances(log_weights, tree) + largest - smallest
        kept = {
            pair for pair in combinations(range(n), 2) if log_bound[pair] >= math.log(NEGLIGIBLE)
        }
        tables = {(j, i): cells for i, j, cells in _pair_counts(counts) if (j, i) in kept}
        edges = np.array(sorted(kept), dtype=np.intp).reshape(-1, 2)
        return TreeAverage(
            network,
            tuple(self._probabilities(table) for table in counts.attribute_tables()),
            edges,
            log_weights[edges[:, 0], edges[:, 1]],
            tuple(self._probabilities(tables[edge].swapaxes(1, 2)) for edge in sorted(kept)),
        )

    def _log_weights(self, counts: CountSource) -> tuple[Floats, Floats, float]:
        """Return the log-weight of every edge, its largest log-ratio, and the smallest of all."""
        n = counts.n_attributes
        log_weights, largest, smallest = np.zeros((n, n)), np.zeros((n, n)), 0.0
        for i, j, cells in _pair_counts(counts):
            prior = (self.edge_prior or {}).get((j, i), 1.0)
            log_weights[i, j] = log_weights[j, i] = self._log_weight(cells) + math.log(prior)
            ratios = _ratios(self._probabilities(cells))
            largest[i, j] = largest[j, i] = math.log(ratios.max())
            smallest = min(smallest, math.log(ratios.min()))
        return log_weights, largest, smallest

    def _log_weight(self, cells: Floats) -> float:
        """Return the log marginal likelihood of two columns, minus those of each column alone."""
        both, one, two = (
            self._log_likelihood(part)
            for part in (cells.reshape(len(cells), -1), cells.sum(axis=2), cells.sum(axis=1))
        )
        return both - one - two

    def _log_likelihood(self, table: Floats) -> float:
        """Return the log marginal likelihood of the joint values ``table[c, value]`` given c."""
        terms = DirichletTerms(self.equivalent_sample_size / table.size, table.shape[1])
        return float(terms.outer(table.sum(axis=1)).sum() + terms.inner(table).sum())

    def _probabilities(self, table: Floats) -> Floats:
        """Return ``P(values | c)``, with the classes last, from counts with the classes first."""
        cells = table + self.equivalent_sample_size / table.size
        cells /= cells.sum(axis=tuple(range(1, cells.ndim)), keepdims=True)
        return np.ascontiguousarray(np.moveaxis(cells, 0, -1))


def _pair_counts(counts: CountSource) -> Iterator[tuple[int, int, Floats]]:
    """Yield i, j and ``N[c, value of i, value of j]`` of all attributes j < i."""
    cards = counts.attribute_cards
    narrow = [v for v, card in enumerate(cards) if card <= WIDE]
    ends = np.cumsum([0, *(cards[v] for v in narrow)])
    for block in counts.pair_tables(narrow):
        for i in range(block.first, block.last):
            start, stop = ends[i : i + 2] - ends[block.first]
            for j in range(i):
                yield narrow[i], narrow[j], block.counts[:, start:stop, ends[j] : ends[j + 1]]
    for j, i in combinations(range(len(cards)), 2):
        if max(cards[i], cards[j]) > WIDE:
            require_memory(
                4 * 8 * counts.n_classes * cards[i] * cards[j],
                f"The table of {counts.names[j]!r} and {counts.names[i]!r}",
                "drop columns with very many values or merge their values",
            )
            table = counts.tables([Family(j, (i,), given_class=True)])[0].whole
            yield i, j, table.swapaxes(0, 1)


def _ratios(pair: Floats) -> Floats:
    """Return ``P(u, v | c) / (P(u | c) P(v | c))`` of the joint values of two attributes."""
    ratios: Floats = pair / (pair.sum(axis=1, keepdims=True) * pair.sum(axis=0, keepdims=True))
    return ratios


def _log_resistances(log_weights: Floats, tree: Sequence[int]) -> Floats:
    """Return upper bounds of the effective resistances between all attributes, as logarithms.

    The bound is the sum of ``1 / W`` along the path in the maximum spanning tree. The probability
    of an edge is its weight times the effective resistance between its ends. If a row multiplies
    all weights by numbers of at least r, no resistance grows by more than 1 / r (Rayleigh). The
    probability of the edge in the tree sum of the row is therefore at most
    ``W R resistance / r``.
    """
    n = len(tree)
    logs = np.full((n, n), -np.inf)
    done = [v for v, parent in enumerate(tree) if parent < 0]
    children: dict[int, list[int]] = {v: [] for v in range(-1, n)}
    for v, parent in enumerate(tree):
        children[parent].append(v)
    for parent in done:  # The list grows while it is read.
        for v in children[parent]:
            way = np.logaddexp(logs[parent, done], -log_weights[parent, v])
            logs[v, done] = logs[done, v] = way
            done.append(v)
    return logs
