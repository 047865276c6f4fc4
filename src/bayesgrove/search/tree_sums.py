"""Sums over all spanning trees of a weighted graph, without subtractions.

The sum of the products of the weights of all spanning trees is the product of the sums ``s_v`` of
an elimination: vertex v has the sum ``s_v`` of the weights of its edges, and leaves the graph; its
neighbours a and b get the additional weight ``w_av w_bv / s_v``. This is the determinant of the
reduced Laplacian (matrix-tree theorem). All terms are positive, so nothing cancels.

The weights may differ by factors of e^1000. The elimination is therefore done once with logarithms.
It gives a program for the same graph with every weight multiplied by a factor: the program has only
shares, numbers between 0 and 1, and returns the ratio of the new sum to the old sum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import logsumexp

from bayesgrove._utils.memory import require_memory

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.kernels import Floats

    Numbers = NDArray[np.int32]

BYTES_PER_PAIR = 20
"""Memory of a pair of neighbours of an eliminated vertex: a target and two shares."""


class Elimination(NamedTuple):
    """The elimination of all vertices of a graph but one, as flat arrays.

    Parameters
    ----------
    slots : int
        Number of edges: those of the graph first, then those that the elimination adds.
    starts : ndarray of shape (n_steps + 1,)
        Step k eliminates the vertex with the edges ``spokes[starts[k]:starts[k + 1]]``.
    spokes : ndarray of int
        Numbers of the edges of the eliminated vertices.
    shares : ndarray
        Share of each spoke in the sum of the weights of its step.
    targets : ndarray of int
        For each step and each two of its spokes: the number of the edge between their other ends.
    old_shares, new_shares : ndarray
        Share of the weight of each target that it had before the step, and that the step adds.
    log_sum : float
        Logarithm of the sum over all spanning trees.
    """

    slots: int
    starts: Numbers
    spokes: Numbers
    shares: Floats
    targets: Numbers
    old_shares: Floats
    new_shares: Floats
    log_sum: float

    def edge_probabilities(self, edges: int) -> Floats:
        """Return the probability that each edge is in a tree drawn by the product of its weights.

        It is the derivative of the logarithm of the sum by the logarithm of the weight, which the
        steps give in reverse order.

        Parameters
        ----------
        edges : int
            Number of edges of the graph.

        Returns
        -------
        ndarray of shape (edges,)
            The probabilities. They sum to the number of vertices minus 1.
        """
        slopes = np.zeros(self.slots)
        last = len(self.targets)
        for start, stop in zip(self.starts[-2::-1], self.starts[:0:-1], strict=True):
            spokes, shares = self.spokes[start:stop], self.shares[start:stop]
            one, two = np.triu_indices(len(spokes), 1)
            pairs = slice(last - len(one), last)
            last -= len(one)
            targets = self.targets[pairs]
            through = slopes[targets] * self.new_shares[pairs]
            slopes[targets] *= self.old_shares[pairs]
            slopes[spokes] = shares * (1.0 - through.sum())
            slopes[spokes] += np.bincount(one, through, len(spokes))
            slopes[spokes] += np.bincount(two, through, len(spokes))
        return np.clip(slopes[:edges], 0.0, 1.0)


def eliminate(vertices: int, ends: NDArray[np.intp], log_weights: Floats) -> Elimination:
    """Eliminate the vertices of a connected graph, those with the fewest neighbours first.

    Parameters
    ----------
    vertices : int
        Number of vertices, at least 1.
    ends : ndarray of shape (n_edges, 2)
        The two vertices of each edge.
    log_weights : ndarray of shape (n_edges,)
        Logarithms of the weights of the edges.

    Returns
    -------
    Elimination
        The program of the elimination.

    Examples
    --------
    The triangle has three spanning trees, with the products 2, 3 and 6:

    >>> ends = np.array([[0, 1], [0, 2], [1, 2]])
    >>> triangle = eliminate(3, ends, np.log([1.0, 2.0, 3.0]))
    >>> float(np.exp(triangle.log_sum).round(9))
    11.0
    >>> (triangle.edge_probabilities(3) * 11).round(9).tolist()
    [5.0, 8.0, 9.0]
    """
    logs = np.full((vertices, vertices), -np.inf)
    numbers = np.full((vertices, vertices), -1, dtype=np.int32)
    for a, b in (ends.T, ends.T[::-1]):
        logs[a, b] = log_weights
        numbers[a, b] = np.arange(len(ends))
    slots, pairs, log_sum = len(ends), 0, 0.0
    steps: list[tuple[Numbers, Floats, Numbers, Floats, Floats]] = []
    remaining = np.ones(vertices, dtype=bool)
    for _ in range(vertices - 1):
        degrees = np.where(remaining, (numbers >= 0).sum(axis=1), vertices)
        v = int(degrees.argmin())
        near = np.flatnonzero(numbers[v] >= 0)
        one, two = np.triu_indices(len(near), 1)
        pairs += len(one)
        require_memory(BYTES_PER_PAIR * pairs, "Sums over all trees", "use fewer columns")
        a, b, weights = near[one], near[two], logs[v, near]
        total = float(logsumexp(weights))
        through = weights[one] + weights[two] - total
        before, after = logs[a, b], np.logaddexp(logs[a, b], through)
        added = np.flatnonzero(numbers[a, b] < 0)
        a_new, b_new = a[added], b[added]
        numbers[a_new, b_new] = numbers[b_new, a_new] = slots + np.arange(len(added))
        slots += len(added)
        logs[a, b] = logs[b, a] = after
        shares = np.exp(weights - total)
        parts = np.exp(before - after), np.exp(through - after)
        steps.append((numbers[v, near], shares, numbers[a, b], *parts))
        log_sum += total
        remaining[v] = False
        numbers[v] = numbers[:, v] = -1
    empty = (np.empty(0, np.int32), np.empty(0), np.empty(0, np.int32), np.empty(0), np.empty(0))
    spokes, shares, targets, old, new = map(np.concatenate, zip(empty, *steps, strict=True))
    starts = np.cumsum([0, *(len(step[0]) for step in steps)], dtype=np.int32)
    return Elimination(slots, starts, spokes, shares, targets, old, new, log_sum)
