"""Directions for the edges of an undirected graph that independence tests left."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.ties import is_more

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from bayesgrove.kernels import Floats

    Graph = NDArray[np.bool_]


class PartlyDirected:
    """Edges some of which have arrows; those with arrows at one end only never make a cycle.

    Parameters
    ----------
    edges : a symmetric matrix
    root : a node that arrows only leave; None is no such node
    """

    def __init__(self, edges: Graph, root: int | None) -> None:
        self.edges = edges
        self.arrows = np.zeros_like(edges)
        self._children: list[set[int]] = [set() for _ in edges]
        self._root = root
        if root is not None:
            for node in np.flatnonzero(edges[root]).tolist():
                self.point(root, node)

    def parents(self, node: int) -> list[int]:
        """Nodes that an edge with one arrow comes from."""
        return [v for v, children in enumerate(self._children) if node in children]

    def point(self, a: int, b: int) -> None:
        """Put an arrow at b's end, unless that closes a cycle; an edge may so get two."""
        if b == self._root or self.arrows[a, b]:
            return
        if self.arrows[b, a]:
            self._children[b].discard(a)
        elif self._leads(b, a):
            return
        else:
            self._children[a].add(b)
        self.arrows[a, b] = True

    def settle(self, a: int, b: int) -> None:
        """Direct an edge from a to b whatever arrows it has; from b to a where there is a cycle."""
        if self._leads(b, a):
            a, b = b, a
        self.arrows[a, b], self.arrows[b, a] = True, False
        self._children[a].add(b)

    def colliders(self, separators: Mapping[tuple[int, int], tuple[int, ...]]) -> None:
        """``a -> c <- b`` where a and b, not adjacent, were separated by a set without c."""
        for a, b in sorted(separators):
            for c in np.flatnonzero(self.edges[a] & self.edges[b]).tolist():
                if c not in separators[a, b]:
                    self.point(a, c)
                    self.point(b, c)

    def propagate(self) -> None:
        """Directions that follow: no further collider, and no cycle."""
        changed = True
        while changed:
            changed = False
            for a, b in np.argwhere(self.edges & ~self.arrows & ~self.arrows.T).tolist():
                if self.arrows[a, b] or self.arrows[b, a]:
                    continue  # by this very sweep
                apart = any(v != b and not self.edges[v, b] for v in self.parents(a))
                if apart or self._leads(a, b):
                    self.point(a, b)
                    changed = changed or bool(self.arrows[a, b])

    def undecided(self) -> list[tuple[int, int]]:
        """Edges without arrows, or with two."""
        pairs = np.argwhere(np.triu(self.edges & (self.arrows == self.arrows.T)))
        return [(a, b) for a, b in pairs.tolist()]

    def _leads(self, a: int, b: int) -> bool:
        """Whether edges with one arrow make a path from a to b."""
        seen, left = {a}, [a]
        while left:
            further = self._children[left.pop()] - seen
            if b in further:
                return True
            seen |= further
            left += further
        return False


def direct_edges(
    edges: Graph,
    separators: Mapping[tuple[int, int], tuple[int, ...]],
    root: int | None,
    gains: Callable[[int, list[int], list[int]], Floats],
) -> Graph:
    """Parents of every node in a graph without cycles: ``[a, b]`` is an arrow from a to b.

    What colliders and their consequences leave open goes in the direction in which the parent
    gains more, ``gains(child, parents, [parent])``; if both gain the same, ahead.
    """
    graph = PartlyDirected(edges, root)
    graph.colliders(separators)
    graph.propagate()
    for a, b in graph.undecided():
        towards_a, towards_b = (
            float(gains(child, graph.parents(child), [parent])[0])
            for child, parent in ((a, b), (b, a))
        )
        if is_more(towards_a, towards_b):
            graph.settle(b, a)
        else:
            graph.settle(a, b)
    return graph.arrows


def topological_order(arrows: Graph, priority: list[int]) -> list[int]:
    """Nodes so that arrows point ahead; of those that could be next, the first by priority.

    >>> topological_order(np.array([[0, 0, 0], [1, 0, 0], [0, 0, 0]], dtype=bool), [2, 0, 1])
    [2, 1, 0]
    """
    waiting = arrows.sum(axis=0)
    left, order = list(priority), []
    while left:
        node = next(v for v in left if waiting[v] == 0)
        left.remove(node)
        order.append(node)
        waiting -= arrows[node]
    return order
