"""Directions for the edges of the undirected graph that independence tests leave."""

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
    """An undirected graph in which some edges have arrows at one end or at both ends.

    Edges with an arrow at one end only never form a cycle.

    Parameters
    ----------
    edges : ndarray of shape (n_nodes, n_nodes)
        Symmetric adjacency matrix, as bool.
    root : int or None
        A node at which no edge may have an arrow: its arrows all point away from it. None means
        that there is no such node.
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
        """Return the nodes from which an edge with one arrow points to a node."""
        return [v for v, children in enumerate(self._children) if node in children]

    def point(self, a: int, b: int) -> None:
        """Put an arrow at the end b of the edge between a and b, unless this closes a cycle.

        An edge can get an arrow at both ends in this way.
        """
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
        """Direct an edge from a to b, whichever arrows it has.

        If this would close a cycle, direct the edge from b to a.
        """
        if self._leads(b, a):
            a, b = b, a
        self.arrows[a, b], self.arrows[b, a] = True, False
        self._children[a].add(b)

    def colliders(self, separators: Mapping[tuple[int, int], tuple[int, ...]]) -> None:
        """Direct ``a -> c <- b`` for neighbours a and b of c that a set without c separates.

        The nodes a and b are not adjacent.
        """
        for a, b in sorted(separators):
            for c in np.flatnonzero(self.edges[a] & self.edges[b]).tolist():
                if c not in separators[a, b]:
                    self.point(a, c)
                    self.point(b, c)

    def propagate(self) -> None:
        """Direct the edges that would otherwise make a new collider or a cycle."""
        changed = True
        while changed:
            changed = False
            for a, b in np.argwhere(self.edges & ~self.arrows & ~self.arrows.T).tolist():
                if self.arrows[a, b] or self.arrows[b, a]:
                    continue  # It was directed earlier in this sweep.
                apart = any(v != b and not self.edges[v, b] for v in self.parents(a))
                if apart or self._leads(a, b):
                    self.point(a, b)
                    changed = changed or bool(self.arrows[a, b])

    def undecided(self) -> list[tuple[int, int]]:
        """Return the edges without arrows, or with two."""
        pairs = np.argwhere(np.triu(self.edges & (self.arrows == self.arrows.T)))
        return [(a, b) for a, b in pairs.tolist()]

    def _leads(self, a: int, b: int) -> bool:
        """Return whether edges with one arrow form a path from a to b."""
        seen, waiting = {a}, [a]
        while waiting:
            further = self._children[waiting.pop()] - seen
            if b in further:
                return True
            seen |= further
            waiting += further
        return False


def direct_edges(
    edges: Graph,
    separators: Mapping[tuple[int, int], tuple[int, ...]],
    root: int | None,
    gains: Callable[[int, list[int], list[int]], Floats],
) -> Graph:
    """Return a directed acyclic graph with the given edges.

    Colliders are directed first, then the edges that follow from them. Each remaining edge gets the
    direction in which the parent has the larger gain. Ties go to the direction from the smaller to
    the larger node.

    Parameters
    ----------
    edges : ndarray of shape (n_nodes, n_nodes)
        Symmetric adjacency matrix, as bool.
    separators : mapping of tuple of int to tuple of int
        For each pair of nodes that are not adjacent, a set of nodes that separates them.
    root : int or None
        A node whose arrows all point away from it. None means that there is no such node.
    gains : callable
        Function ``gains(child, parents, [parent])`` that returns the gain of one more parent.

    Returns
    -------
    ndarray of shape (n_nodes, n_nodes)
        Adjacency matrix, as bool: ``[a, b]`` is an arrow from a to b.
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
    """Return the nodes in an order in which arrows point from earlier to later nodes.

    Among the nodes that can be next, the first one in ``priority`` is taken.

    >>> topological_order(np.array([[0, 0, 0], [1, 0, 0], [0, 0, 0]], dtype=bool), [2, 0, 1])
    [2, 1, 0]
    """
    n_open_parents = arrows.sum(axis=0)
    remaining, order = list(priority), []
    while remaining:
        node = next(v for v in remaining if n_open_parents[v] == 0)
        remaining.remove(node)
        order.append(node)
        n_open_parents -= arrows[node]
    return order
