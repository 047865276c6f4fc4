"""Model averaging from rows with missing values, by Gibbs sampling (data augmentation).

M. Tanner and W. Wong (1987). The calculation of posterior distributions by data augmentation.
Journal of the American Statistical Association 82.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bayesgrove._utils.options import require_count, require_seed
from bayesgrove.averaging.completed import arc_matrix
from bayesgrove.counts import CountSource, MemoryEngine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.averaging.ordered import OrderedAverage
    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Floats
    from bayesgrove.network import BayesianNetwork
    from bayesgrove.network.mixture import AveragedNetwork


class Draws(NamedTuple):
    """Averages of completed rows.

    Parameters
    ----------
    arc_probabilities : ndarray of shape (n_nodes, n_nodes)
        Mean over the draws of the probability of each arc, by parent and child.
    networks : list of AveragedNetwork
        The average of each draw.
    """

    arc_probabilities: Floats
    networks: list[AveragedNetwork]


@dataclass(frozen=True)
class GibbsAverage:
    """The average over all networks of an order and over what the missing values may be.

    Each draw has three steps. First, given the completed rows, one parent set of every node is
    drawn from its posterior, and the table of the node given this set is drawn from its Dirichlet
    posterior. Then the missing values of every row are drawn together, given its known values and
    this network. The completed rows give the average of the draw, over all parent sets and all
    tables. The draws are a Markov chain whose limit is the posterior of the missing values, so that
    the mean over many draws is the exact average. It is the reference for ``missing="em"``, which
    is much faster: both agree if there are many rows and few missing values.

    Parameters
    ----------
    average : OrderedAverage
        The average over the networks of an order.
    n_draws : int, default=200
        Number of draws that count.
    burn_in : int, default=50
        Number of draws before them that do not count.
    random_state : int, default=0
        Seed of all random choices. The same seed gives the same result.

    References
    ----------
    M. Tanner and W. Wong (1987). The calculation of posterior distributions by data augmentation.
    Journal of the American Statistical Association 82.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.averaging import GibbsAverage, OrderedAverage
    >>> from bayesgrove.contracts import TrainingData
    >>> a = np.tile(np.array([0, 0, 1, 1], dtype=np.uint8), 9)
    >>> b = a.copy()
    >>> b[:4] = 2  # Of two states: the code 2 stands for a missing value.
    >>> counts = TrainingData.of_columns([a, b], [2, 2], a, 2).counts
    >>> sampler = GibbsAverage(OrderedAverage(max_parents=1), n_draws=20, burn_in=5)
    >>> draws = sampler.learn(counts, [(0, 1)] * 3, [[2], [0, 1]])
    >>> bool(draws.arc_probabilities[2, 1] > 0.99)
    True
    """

    average: OrderedAverage
    n_draws: int = 200
    burn_in: int = 50
    random_state: int = 0

    def learn(
        self,
        counts: CountSource,
        states: Sequence[tuple[Any, ...]],
        levels: Sequence[Sequence[int]],
    ) -> Draws:
        """Draw the missing values again and again, and average over the completed rows.

        Parameters
        ----------
        counts : CountSource
            Counts of the known values of the training rows (``missing="ignore"``), which must be in
            memory.
        states : sequence of tuple
            States of every node, in the order of their codes; the class is last.
        levels : sequence of sequence of int
            The partial order: the numbers of the nodes of each level.

        Returns
        -------
        Draws
            The mean arc probabilities, and the average of each draw.
        """
        require_count("n_draws", self.n_draws, lowest=1)
        require_count("burn_in", self.burn_in)
        require_seed("random_state", self.random_state)
        rows: Encoded = counts.reduce(lambda part: part, lambda one, _: one)
        rng = np.random.default_rng(self.random_state)
        source, nodes = counts, self.average.parent_sets(counts, levels)
        arcs = np.zeros((len(counts.cards), len(counts.cards)))
        networks = []
        for draw in range(self.burn_in + self.n_draws):
            network = self.average.draw(source, states, nodes, rng)
            completed = _completed(network, rows, rng)
            source = CountSource(MemoryEngine(completed), counts.names, counts.cards)
            nodes = self.average.parent_sets(source, levels)
            if draw >= self.burn_in:
                arcs += arc_matrix(nodes) / self.n_draws
                networks.append(self.average.network(source, states, nodes))
        return Draws(arcs, networks)


def _completed(network: BayesianNetwork, rows: Encoded, rng: np.random.Generator) -> Encoded:
    """Return the rows with all missing values drawn from their posterior under a network.

    The missing values of a row are drawn one after another, given its known values and those
    that are already drawn; the others are summed out. This is a draw of all of them together.
    """
    completed = replace(rows, columns=[column.copy() for column in rows.columns])
    for v, (column, card) in enumerate(zip(rows.columns, rows.cards, strict=True)):
        missing = np.flatnonzero(column == card)
        if not len(missing):
            continue
        part = completed.take(missing)
        logs = np.empty((len(missing), card))
        for code in range(card):
            part.columns[v] = np.full_like(part.columns[v], code)
            logs[:, code] = network.log_joint(part)[np.arange(len(missing)), part.target]
        draws = logs + rng.gumbel(size=logs.shape)  # The largest is a draw from these logarithms.
        completed.columns[v][missing] = draws.argmax(axis=1)
    return completed
