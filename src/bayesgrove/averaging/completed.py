"""Model averaging from rows with missing values: equation 14 of the paper, from expected counts.

D. Dash and G. Cooper (2003). Model averaging with discrete Bayesian network classifiers. AISTATS.
Section 5 proposes the EM algorithm or sampling for incomplete data; `GibbsAverage` is the sampler.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bayesgrove._utils.warnings import warn_caller
from bayesgrove.parameters.expected_counts import ExpectedCounts, ExpectedEngine, IncompleteRows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.averaging.ordered import OrderedAverage, ParentSets
    from bayesgrove.counts import CountSource
    from bayesgrove.network.mixture import AveragedNetwork


class Completed(NamedTuple):
    """An average from completed counts."""

    parent_sets: list[ParentSets]
    network: AveragedNetwork
    path: tuple[float, ...]
    converged: bool


@dataclass(frozen=True)
class CompletedAverage:
    """The average over all networks of an order, from counts that its summary network completes.

    The summary network gives the expected counts of the missing values. The parent sets and tables
    of these counts give the next summary network. This is repeated until no arc probability
    changes by more than ``tol``. The first average is that of the known values. The weights of the
    parent sets come from expected counts as if they were counts, so that they are an
    approximation: `GibbsAverage` also averages over what the missing values may be.

    Parameters
    ----------
    average : OrderedAverage
        The average over the networks of an order.
    max_iter : int, default=50
        Largest number of iterations. A warning tells the last change if it is reached.
    tol : float, default=0.001
        Largest change of an arc probability at which the iterations end.
    """

    average: OrderedAverage
    max_iter: int = 50
    tol: float = 1e-3

    def learn(
        self,
        counts: CountSource,
        states: Sequence[tuple[Any, ...]],
        levels: Sequence[Sequence[int]],
    ) -> Completed:
        """Return the average; warn if it did not converge.

        Parameters
        ----------
        counts : CountSource
            Counts of the known values of the training rows (``missing="ignore"``).
        states : sequence of tuple
            States of every node, in the order of their codes; the class is last.
        levels : sequence of sequence of int
            The partial order: the numbers of the nodes of each level.

        Returns
        -------
        Completed
            The parent sets, the average, the log-likelihoods of the known values under the summary
            network of each iteration, and whether the iterations converged.
        """
        incomplete = IncompleteRows.of(counts)
        source: CountSource = counts
        path: list[float] = []
        change, arcs = np.inf, np.empty(0)
        while change > self.tol and len(path) <= self.max_iter:
            nodes = self.average.parent_sets(source, levels)
            averaged = self.average.network(source, states, nodes)
            engine = ExpectedEngine(counts, averaged.network, incomplete)
            path.append(engine.expect([])[1])
            source = ExpectedCounts(counts, averaged.network, incomplete)
            before, arcs = arcs, arc_matrix(nodes)
            change = float(np.abs(arcs - before).max()) if before.size else np.inf
            if not incomplete.count:
                change = 0.0
        if change > self.tol:
            warn_caller(
                f"The average did not converge in {self.max_iter} iterations: in the last one, an "
                f"arc probability changed by {change:.2g}. The last average is used."
            )
        return Completed(nodes, averaged, tuple(path), change <= self.tol)


def arc_matrix(parent_sets: Sequence[ParentSets]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return ``P(arc)`` as a matrix of parents and children."""
    matrix = np.zeros((len(parent_sets), len(parent_sets)))
    for sets in parent_sets:
        for parent, probability in sets.arc_probabilities().items():
            matrix[parent, sets.child] = probability
    return matrix
