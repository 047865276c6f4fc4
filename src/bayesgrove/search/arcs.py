"""Greedy arcs of a graph without cycles, one more or one less at a time; no order is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.ties import first_best, is_more, nearly
from bayesgrove.kernels import Floats

if TYPE_CHECKING:
    from collections.abc import Sequence

Gains = Callable[[int, list[int], list[int]], Floats]
"""What each candidate adds as one more parent: ``gains(child, parents, candidates)``."""


class Additions:
    """A graph that grows, and the gain of every arc that may still be added.

    Parameters
    ----------
    nodes : number of nodes
    gains : see `Gains`
    max_parents : most parents of a node; None is no bound
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

    def step(self) -> bool:
        """Add the arc of the largest gain, the first by child and parent; whether there was one."""
        least = nearly(float(self._best.max()))
        child = int((self._best >= least).argmax())
        parent = int((self._values[child] >= least).argmax())
        if not is_more(float(self._values[child, parent]), 0.0):
            return False
        self.parents[child].append(parent)
        changed = np.flatnonzero(self._leads[:, parent])  # those below must not point at them
        below = self._leads[child]
        self._values[changed[:, None], np.flatnonzero(below)] = -np.inf
        self._leads[changed] |= below
        self._score(child)
        changed = np.append(changed, child)
        self._best[changed] = self._values[changed].max(axis=1)
        return True

    def _score(self, child: int) -> None:
        """Gains of the arcs into one node; those that cannot be are lost for good."""
        own = self.parents[child]
        allowed = ~self._leads[child]
        allowed[own] = False
        if self._max_parents is not None and len(own) >= self._max_parents:
            allowed[:] = False
        candidates = np.flatnonzero(allowed).tolist()
        self._values[child] = -np.inf
        if candidates:
            self._values[child, candidates] = self._gains(child, list(own), candidates)


def add_arcs(nodes: int, gains: Gains, max_parents: int | None = None) -> list[tuple[int, ...]]:
    """Parents of every node, in the order in which they were added to the graph without arcs.

    The arc with the largest gain that closes no cycle is added as long as there is a gain; of
    equal arcs the first by child, then by parent. After each step only the arcs into its child
    are asked for again.
    """
    if not nodes:
        return []
    graph = Additions(nodes, gains, max_parents)
    while graph.step():
        pass
    return [tuple(own) for own in graph.parents]


def remove_arcs(parents: Sequence[Sequence[int]], gains: Gains) -> list[tuple[int, ...]]:
    """Parents of every node after arcs were taken away, as `add_arcs` adds them.

    Taking an arc away gains what adding it to the others would lose.
    """
    left = [list(own) for own in parents]
    arcs = [_removals(child, own, gains) for child, own in enumerate(left)]
    while True:
        flat = [(child, parent) for child, own in enumerate(arcs) for parent in sorted(own)]
        if not flat:
            break
        gained = np.array([arcs[child][parent] for child, parent in flat])
        best = first_best(gained)
        if not is_more(float(gained[best]), 0.0):
            break
        child, parent = flat[best]
        left[child].remove(parent)
        arcs[child] = _removals(child, left[child], gains)
    return [tuple(own) for own in left]


def _removals(child: int, parents: list[int], gains: Gains) -> dict[int, float]:
    """What the absence of each parent gains."""
    return {z: -float(gains(child, [p for p in parents if p != z], [z])[0]) for z in parents}
