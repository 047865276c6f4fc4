"""Greedy search for the arcs of an acyclic graph, without an order of the nodes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.ties import first_best, is_more, nearly
from bayesgrove.kernels import Floats

if TYPE_CHECKING:
    from collections.abc import Sequence

Gains = Callable[[int, list[int], list[int]], Floats]
"""``gains(child, parents, candidates)`` returns the gain of each candidate as one more parent."""


class Additions:
    """A growing acyclic graph, with the gain of every arc that may still be added.

    Parameters
    ----------
    nodes : int
        Number of nodes.
    gains : callable
        Function ``gains(child, parents, candidates)`` that returns the gain of each candidate as
        one more parent.
    max_parents : int or None
        Maximum number of parents of a node. None means no limit.
    """

    def __init__(self, nodes: int, gains: Gains, max_parents: int | None) -> None:
        self.parents: list[list[int]] = [[] for _ in range(nodes)]
        self._gains = gains
        self._max_parents = max_parents
        self._leads = np.eye(nodes, dtype=bool)  # [a, b]: there is a path from a to b
        self._values = np.full((nodes, nodes), -np.inf)  # [child, parent]
        for child in range(nodes):
            self._score(child)
        self._best: Floats = self._values.max(axis=1)

    @property
    def gains(self) -> Floats:
        """Gain of every arc, at ``[child, parent]``; minus infinity if the arc is not allowed."""
        return self._values

    def step(self) -> bool:
        """Add the arc with the largest gain, and return whether there was an arc with a gain.

        Ties go to the arc with the smaller child, then with the smaller parent.
        """
        least = nearly(float(self._best.max()))
        child = int((self._best >= least).argmax())
        parent = int((self._values[child] >= least).argmax())
        if not is_more(float(self._values[child, parent]), 0.0):
            return False
        self.parents[child].append(parent)
        # Arcs from the child, or from below it, to these nodes would close a cycle.
        changed = np.flatnonzero(self._leads[:, parent])
        below = self._leads[child]
        self._values[changed[:, None], np.flatnonzero(below)] = -np.inf
        self._leads[changed] |= below
        self._score(child)
        changed = np.append(changed, child)
        self._best[changed] = self._values[changed].max(axis=1)
        return True

    def _score(self, child: int) -> None:
        """Compute the gains of the arcs into one node.

        Arcs that are not allowed get minus infinity. They are never allowed again, since the graph
        only grows.
        """
        parents = self.parents[child]
        allowed = ~self._leads[child]
        allowed[parents] = False
        if self._max_parents is not None and len(parents) >= self._max_parents:
            allowed[:] = False
        candidates = np.flatnonzero(allowed).tolist()
        self._values[child] = -np.inf
        if candidates:
            self._values[child, candidates] = self._gains(child, list(parents), candidates)


class Removals:
    """A shrinking graph, with the gain of removing every arc.

    Parameters
    ----------
    parents : sequence of sequence of int
        Parents of every node before the removals.
    gains : callable
        Function ``gains(child, parents, candidates)`` that returns the gain of each candidate as
        one more parent.
    """

    def __init__(self, parents: Sequence[Sequence[int]], gains: Gains) -> None:
        self.parents = [list(of_child) for of_child in parents]
        self._gains = gains
        nodes = len(parents)
        self._values = np.full((nodes, nodes), -np.inf)
        for child in range(nodes):
            self._score(child)

    @property
    def gains(self) -> Floats:
        """Gain of removing every arc, at ``[child, parent]``; minus infinity without an arc."""
        return self._values

    def step(self) -> bool:
        """Remove the arc with the largest gain, and return whether there was an arc with a gain."""
        if not self._values.size:
            return False
        child, parent = divmod(first_best(self._values.ravel()), len(self._values))
        if not is_more(float(self._values[child, parent]), 0.0):
            return False
        self.parents[child].remove(parent)
        self._score(child)
        return True

    def _score(self, child: int) -> None:
        """Compute the gain of removing each parent of a node."""
        parents = self.parents[child]
        self._values[child] = -np.inf
        for z in parents:
            others = [p for p in parents if p != z]
            self._values[child, z] = -float(self._gains(child, others, [z])[0])


def add_arcs(nodes: int, gains: Gains, max_parents: int | None = None) -> list[tuple[int, ...]]:
    """Return the parents of every node after greedy additions to a graph without arcs.

    The arc with the largest gain that does not close a cycle is added while there is a gain. Ties
    go to the arc with the smaller child, then with the smaller parent. After each addition, only
    the gains of arcs into its child are computed again.

    Parameters
    ----------
    nodes : int
        Number of nodes.
    gains : callable
        Function ``gains(child, parents, candidates)`` that returns the gain of each candidate as
        one more parent.
    max_parents : int or None, default=None
        Maximum number of parents of a node. None means no limit.

    Returns
    -------
    list of tuple of int
        Parents of every node, in the order in which they were added.
    """
    if not nodes:
        return []
    graph = Additions(nodes, gains, max_parents)
    while graph.step():
        pass
    return [tuple(parents) for parents in graph.parents]


def remove_arcs(parents: Sequence[Sequence[int]], gains: Gains) -> list[tuple[int, ...]]:
    """Return the parents of every node after greedy removals, with the same rules as `add_arcs`.

    The gain of a removal is the loss that adding the arc to the other arcs would cause.

    Parameters
    ----------
    parents : sequence of sequence of int
        Parents of every node before the removals.
    gains : callable
        Function ``gains(child, parents, candidates)`` that returns the gain of each candidate as
        one more parent.

    Returns
    -------
    list of tuple of int
        Remaining parents of every node, in their order before.
    """
    graph = Removals(parents, gains)
    while graph.step():
        pass
    return [tuple(of_child) for of_child in graph.parents]
