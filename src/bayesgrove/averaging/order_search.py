"""Search over total orders of the nodes: Markov chains and hill climbing.

N. Friedman and D. Koller (2003). Being Bayesian about network structure: a Bayesian approach to
structure discovery in Bayesian networks. Machine Learning 50, 95-125.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.memory import require_memory
from bayesgrove._utils.options import OptionError, require_count, require_seed
from bayesgrove._utils.ties import first_best, is_more
from bayesgrove._utils.wording import listed
from bayesgrove.averaging.structure_prior import require_known_sets
from bayesgrove.kernels import kernels

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.averaging.ordered import OrderedAverage, ParentSets
    from bayesgrove.counts import CountSource
    from bayesgrove.kernels import Floats

    Order = NDArray[np.int32]

CUT_SHARE = 0.1
"""Share of the proposals that cut the order. All nodes are scored again after a cut."""
BLOCK_STEPS = 1 << 16
"""Number of proposals that are drawn at a time."""
MIN_KEPT = 4
"""Smallest number of orders per chain. R-hat needs two in each half."""

MAX_PROPOSALS = 10**12
"""Largest number of proposals of all chains together: months of work."""


@dataclass(frozen=True)
class OrderScores:
    """The scores of total orders: all parent sets of all nodes, scored once.

    The score of an order is the exact log-probability of the rows given the order,

    ``ln P(D | order) = sum over nodes of ln sum over sets of p(set) P(D | set)``,

    where the sets have at most k members, all of them before the node (equation 8 of the paper).

    Parameters
    ----------
    names : tuple of str
        The names of the nodes.
    sets : tuple of ParentSets
        The scored sets of every node among all other nodes, as `OrderedAverage.scored_sets` returns
        them.
    constant : float
        The score of an order if all scores of sets were 0.

    References
    ----------
    N. Friedman and D. Koller (2003). Being Bayesian about network structure: a Bayesian approach to
    structure discovery in Bayesian networks. Machine Learning 50, 95-125.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.contracts import TrainingData
    >>> from bayesgrove.averaging import OrderedAverage, OrderScores
    >>> a, b = np.tile(np.array([[0, 0, 1, 1], [0, 1, 0, 1]], dtype=np.uint8), 9)
    >>> counts = TrainingData.of_columns([a, b], [2, 2], a, 2).counts
    >>> scores = OrderScores.of(OrderedAverage(max_parents=1), counts)
    >>> round(scores.score([0, 1, 2]), 3)
    -58.637
    """

    names: tuple[str, ...]
    sets: tuple[ParentSets, ...]
    constant: float

    @classmethod
    def of(cls, average: OrderedAverage, counts: CountSource) -> OrderScores:
        """Return the scores of all orders of the nodes.

        Parameters
        ----------
        average : OrderedAverage
            The options: the number of parents, the criterion and the prior.
        counts : CountSource
            The counts of the training rows.

        Returns
        -------
        OrderScores
            The scores.
        """
        n = len(counts.names)
        average.check_sets([n - 1] * n)
        require_known_sets(average.structure_prior, counts.names, average.max_parents)
        others = [[u for u in range(n) if u != v] for v in range(n)]
        sets = tuple(average.scored_sets(counts, v, others[v]) for v in range(n))
        return cls(tuple(counts.names), sets, average.empty_score(counts))

    def score(self, order: Sequence[int]) -> float:
        """Return ``ln P(D | order)``.

        Parameters
        ----------
        order : sequence of int
            The numbers of all nodes, first node first.

        Returns
        -------
        float
            The score; minus infinity if the prior of every network of the order is 0.
        """
        return float(self.insertion_scores(np.array(order, dtype=np.int32))[0, 0])

    def insertion_scores(self, order: Order) -> Floats:
        """Return the scores after one node was moved to another position.

        Parameters
        ----------
        order : ndarray of shape (n_nodes,)
            The order.

        Returns
        -------
        ndarray of shape (n_nodes, n_nodes)
            The score after the node at one position (first axis) was moved to another position
            (second axis). The diagonal has the score of the order itself.
        """
        return kernels.insertion_scores(order, *self._table) + self.constant

    def walk(
        self, order: Order, moves: NDArray[np.int32], thresholds: Floats, every: int
    ) -> tuple[NDArray[np.int32], Floats]:
        """Accept every move whose change of the score is above its threshold.

        Parameters
        ----------
        order : ndarray of shape (n_nodes,)
            The first order.
        moves : ndarray of shape (n_steps, 2)
            Two positions to exchange, or the number of nodes before a cut and -1.
        thresholds : ndarray of shape (n_steps,)
            One threshold per move.
        every : int
            Orders are returned after this number of moves, and again and again.

        Returns
        -------
        tuple of ndarray of shape (n_kept, n_nodes) and ndarray of shape (n_kept,)
            The orders and their scores.
        """
        orders, scores = kernels.walk_orders(order, *self._table, moves.ravel(), thresholds, every)
        return orders, scores + self.constant

    def parent_sets(self, order: Sequence[int]) -> list[ParentSets]:
        """Return the parent sets of every node with their probabilities given an order.

        Parameters
        ----------
        order : sequence of int
            The numbers of all nodes, first node first.

        Returns
        -------
        list of ParentSets
            The parent sets of every attribute, then of the class.
        """
        earlier = {node: order[:position] for position, node in enumerate(order)}
        return [node_sets.among(earlier[node_sets.child]) for node_sets in self.sets]

    def draw(self, random: np.random.Generator) -> Order:
        """Return a random order whose score is finite.

        Parameters
        ----------
        random : numpy.random.Generator
            The source of random numbers.

        Returns
        -------
        ndarray of shape (n_nodes,)
            The order. Without sets of prior 0, it is drawn uniformly from all orders.
        """
        remaining = random.permutation(len(self.names)).tolist()
        order: list[int] = []
        while remaining:
            placed = np.isin(np.arange(-1, len(self.names)), [-1, *order])
            node = next((v for v in remaining if _has_set(self.sets[v], placed)), None)
            if node is None:
                raise OptionError(
                    "structure_prior allows no order: its factors are 0 for all parent sets of "
                    f"{listed(sorted(repr(self.names[v]) for v in remaining))} whose members can "
                    "come earlier in the order."
                )
            remaining.remove(node)
            order.append(node)
        return np.array(order, dtype=np.int32)

    @cached_property
    def _table(self) -> tuple[NDArray[np.int64], Floats, NDArray[np.uint64]]:
        """Sets of all nodes as the kernels take them: starts, log scores, and bits of members."""
        words = (len(self.names) + 63) // 64
        starts = np.cumsum([0, *(len(node_sets.logs) for node_sets in self.sets)], dtype=np.int64)
        masks = np.zeros((starts[-1], words), dtype=np.uint64)
        members = np.concatenate([_padded(node_sets.sets, self._width) for node_sets in self.sets])
        for column in members.T:
            rows = np.flatnonzero(column >= 0)
            bits = np.uint64(1) << (column[rows] % 64).astype(np.uint64)
            masks[rows, column[rows] // 64] |= bits
        return starts, np.concatenate([node_sets.logs for node_sets in self.sets]), masks.ravel()

    @property
    def _width(self) -> int:
        """Largest number of members of a set."""
        return max(int(node_sets.sets.shape[1]) for node_sets in self.sets)


@dataclass(frozen=True)
class SampledOrders:
    """Orders that were drawn by several Markov chains.

    Parameters
    ----------
    orders : ndarray of shape (n_chains, n_kept, n_nodes)
        The orders of each chain.
    scores : ndarray of shape (n_chains, n_kept)
        Their scores, ``ln P(D | order)``.
    """

    orders: NDArray[np.int32]
    scores: Floats

    def distinct(self) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
        """Return each distinct order once.

        Returns
        -------
        tuple of ndarray of shape (n_distinct, n_nodes) and ndarray of shape (n_chains, n_kept)
            The distinct orders, and the number of the distinct order of every draw.
        """
        flat = self.orders.reshape(-1, self.orders.shape[2])
        distinct, which = np.unique(flat, axis=0, return_inverse=True)
        return distinct, which.reshape(self.scores.shape)


@dataclass(frozen=True)
class OrderMCMC:
    """Markov chains over total orders, with the posterior probability of orders as their limit.

    All orders have the same prior probability. A proposal exchanges the nodes at two random
    positions, or cuts the order at a random position and exchanges the two parts (section 4.2 of
    the paper). It is accepted by the Metropolis-Hastings rule with the exact scores of both orders.
    Only nodes whose predecessors have changed are scored again.

    Parameters
    ----------
    n_orders : int, default=100
        The number of orders to keep, over all chains; a multiple of ``n_chains``, and at least 4
        per chain.
    burn_in : int, default=10000
        The number of proposals at the start of each chain after which no order is kept.
    thinning : int, default=1000
        One order is kept after this number of proposals.
    n_chains : int, default=4
        The number of chains. Each starts from a random order.
    random_state : int, default=0
        The seed of all chains.

    References
    ----------
    N. Friedman and D. Koller (2003). Being Bayesian about network structure: a Bayesian approach to
    structure discovery in Bayesian networks. Machine Learning 50, 95-125.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.contracts import TrainingData
    >>> from bayesgrove.averaging import OrderedAverage, OrderMCMC, OrderScores
    >>> a, b = np.tile(np.array([[0, 0, 1, 1], [0, 1, 0, 1]], dtype=np.uint8), 9)
    >>> counts = TrainingData.of_columns([a, b], [2, 2], a, 2).counts
    >>> scores = OrderScores.of(OrderedAverage(max_parents=1), counts)
    >>> OrderMCMC(n_orders=40).sample(scores).orders.shape
    (4, 10, 3)
    """

    n_orders: int = 100
    burn_in: int = 10_000
    thinning: int = 1000
    n_chains: int = 4
    random_state: int = 0

    def check(self, nodes: int) -> None:
        """Raise unless the options are valid and the orders fit in memory.

        Parameters
        ----------
        nodes : int
            The number of nodes.
        """
        require_count("n_chains", self.n_chains, lowest=1)
        require_count("n_orders", self.n_orders, lowest=1)
        require_count("burn_in", self.burn_in)
        require_count("thinning", self.thinning, lowest=1)
        require_seed("random_state", self.random_state)
        proposals = self.burn_in * self.n_chains + self.thinning * self.n_orders
        if proposals > MAX_PROPOSALS:
            raise OptionError(
                f"burn_in={self.burn_in}, thinning={self.thinning}, n_orders={self.n_orders} and "
                f"n_chains={self.n_chains} ask for {proposals:,} proposals, more than "
                f"{MAX_PROPOSALS:,}: set lower ones."
            )
        if self.n_orders % self.n_chains or self.n_orders < MIN_KEPT * self.n_chains:
            per_chain = max(-(-self.n_orders // self.n_chains), MIN_KEPT)
            raise OptionError(
                f"n_orders={self.n_orders} must be a multiple of n_chains={self.n_chains}, and at "
                f"least {MIN_KEPT} per chain: n_orders={per_chain * self.n_chains} would do."
            )
        # One number per arc and order, for the errors of the arcs.
        require_memory(
            (8 * nodes * nodes + 4 * nodes) * self.n_orders,
            f"n_orders={self.n_orders:,} of {nodes} nodes",
            "set a lower n_orders",
        )

    def sample(self, scores: OrderScores) -> SampledOrders:
        """Draw orders by their posterior probability.

        Parameters
        ----------
        scores : OrderScores
            The scores of orders.

        Returns
        -------
        SampledOrders
            The orders of all chains after the burn-in.
        """
        self.check(len(scores.names))
        seeds = np.random.SeedSequence(self.random_state).spawn(self.n_chains)
        chains = [self._chain(scores, np.random.default_rng(seed)) for seed in seeds]
        return SampledOrders(*map(np.stack, zip(*chains, strict=True)))

    def _chain(
        self, scores: OrderScores, random: np.random.Generator
    ) -> tuple[NDArray[np.int32], Floats]:
        """Return the orders that one chain keeps, and their scores."""
        order = scores.draw(random)
        for steps in _blocks(self.burn_in, 1):
            order = _walk(scores, order, random, steps, every=steps)[0][-1]
        kept = []
        for steps in _blocks(self.n_orders // self.n_chains * self.thinning, self.thinning):
            kept.append(_walk(scores, order, random, steps, every=self.thinning))
            order = kept[-1][0][-1]
        orders, order_scores = zip(*kept, strict=True)
        return np.concatenate(orders), np.concatenate(order_scores)


@dataclass(frozen=True)
class GreedyOrder:
    """Hill climbing over total orders, from several random orders.

    Every step moves one node to another position: the move that gives the best score. The climb
    ends when no move improves the score. The exchange of two adjacent nodes is such a move.

    Parameters
    ----------
    n_starts : int, default=5
        The number of climbs. Each starts from a random order; the best result counts.
    max_steps : int, default=1000
        The largest number of steps of one climb.
    random_state : int, default=0
        The seed of the random orders.

    References
    ----------
    N. Friedman and D. Koller (2003). Being Bayesian about network structure: a Bayesian approach to
    structure discovery in Bayesian networks. Machine Learning 50, 95-125.

    M. Teyssier and D. Koller (2005). Ordering-based search: a simple and effective algorithm for
    learning Bayesian networks. UAI-05.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.contracts import TrainingData
    >>> from bayesgrove.averaging import GreedyOrder, OrderedAverage, OrderScores
    >>> a, b = np.tile(np.array([[0, 0, 1, 1], [0, 1, 0, 1]], dtype=np.uint8), 9)
    >>> counts = TrainingData.of_columns([a, b], [2, 2], a, 2).counts
    >>> scores = OrderScores.of(OrderedAverage(max_parents=1), counts)
    >>> best = GreedyOrder().search(scores)
    >>> scores.score(best) >= scores.score([0, 1, 2])
    True
    """

    n_starts: int = 5
    max_steps: int = 1000
    random_state: int = 0

    def search(self, scores: OrderScores) -> list[int]:
        """Return the best order that was found.

        Parameters
        ----------
        scores : OrderScores
            The scores of orders.

        Returns
        -------
        list of int
            The numbers of all nodes, first node first.
        """
        require_count("n_starts", self.n_starts, lowest=1)
        require_count("max_steps", self.max_steps)
        require_seed("random_state", self.random_state)
        random = np.random.default_rng(self.random_state)
        starts = [scores.draw(random) for _ in range(self.n_starts)]
        climbs = [self._climb(scores, start) for start in starts]
        best = first_best(np.array([score for _, score in climbs]))
        order: list[int] = climbs[best][0].tolist()
        return order

    def _climb(self, scores: OrderScores, order: Order) -> tuple[Order, float]:
        """Return the order at the end of a climb, and its score."""
        for _ in range(self.max_steps):
            after = scores.insertion_scores(order)
            best = first_best(after.ravel())
            if not is_more(float(after.flat[best]), float(after[0, 0])):
                break
            position, target = divmod(best, len(order))
            order = np.insert(np.delete(order, position), target, order[position])
        return order, scores.score(order.tolist())


def _walk(
    scores: OrderScores, order: Order, random: np.random.Generator, steps: int, every: int
) -> tuple[NDArray[np.int32], Floats]:
    """Return the orders after every ``every`` random proposals, and their scores.

    The two positions of an exchange may be equal, so that the chain is not periodic.
    """
    moves = random.integers(0, len(order), (steps, 2), dtype=np.int32)
    moves[random.random(steps) < CUT_SHARE, 1] = -1
    return scores.walk(order, moves, -random.standard_exponential(steps), every)


def _blocks(steps: int, unit: int) -> Iterator[int]:
    """Yield numbers of steps that sum to ``steps``, each a multiple of ``unit``."""
    largest = max(BLOCK_STEPS // unit, 1) * unit
    while steps > 0:
        yield min(steps, largest)
        steps -= largest


def _has_set(node_sets: ParentSets, placed: NDArray[np.bool_]) -> bool:
    """Return whether a set of a node has only placed members. Member v has the place v + 1."""
    return bool(placed[node_sets.sets + 1].all(axis=1).any())


def _padded(sets: NDArray[np.int32], width: int) -> NDArray[np.int32]:
    """Return sets with more places, which are empty."""
    return np.pad(sets, ((0, 0), (0, width - sets.shape[1])), constant_values=-1)
