"""Maximum spanning trees, also of a set of vertices that grows and shrinks.

Ties in weight go to the edge whose vertices have the smaller product of sizes. Remaining ties go to
the earlier edge, by its first end, then by its second end. The tree is therefore unique, however it
is computed. The order of the vertices decides only between trees with the same weights and sizes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Floats

    Numbers = NDArray[np.int32]

LARGEST_SIZE = 1 << 16
"""Larger sizes count as this, so that products of sizes do not overflow."""


def spanning_tree(
    weights: NDArray[np.generic], root: int, sizes: Sequence[int] | None = None
) -> list[int]:
    """Return the parents in the maximum spanning tree (Prim 1957), with -1 for the root.

    Parameters
    ----------
    weights : ndarray of shape (n_vertices, n_vertices)
        Symmetric matrix of the weights of the edges.
    root : int
        The root of the tree.
    sizes : sequence of int or None, default=None
        Sizes of the vertices, which decide ties in weight. None means equal sizes.

    Returns
    -------
    list of int
        Parent of every vertex.

    Examples
    --------
    >>> spanning_tree(np.array([[0.0, 3.0, 1.0], [3.0, 0.0, 2.0], [1.0, 2.0, 0.0]]), 0)
    [-1, 0, 1]
    """
    n = len(weights)
    if n == 0:
        return []
    vertices = np.arange(n)
    vertex_sizes = _as_sizes(sizes, n)
    parents = np.full(n, root)
    parents[root] = -1
    best = weights[root].astype(np.float64)
    ranks = _edge_ranks(vertex_sizes, root)  # Rank of the edge with each best weight.
    best[root] = -np.inf
    outside = vertices != root
    for _ in range(n - 1):
        equal = np.flatnonzero(best == best.max())
        chosen = int(equal[ranks[equal].argmin()]) if len(equal) > 1 else int(equal[0])
        outside[chosen] = False
        best[chosen] = -np.inf
        row_weights, row_ranks = weights[chosen], _edge_ranks(vertex_sizes, chosen)
        closer = outside & ((row_weights > best) | ((row_weights == best) & (row_ranks < ranks)))
        best[closer] = row_weights[closer]
        ranks[closer] = row_ranks[closer]
        parents[closer] = chosen
    return [int(p) for p in parents]


def _as_sizes(sizes: Sequence[int] | None, count: int) -> NDArray[np.int64]:
    """Return sizes of at most 65,536, so that they can be multiplied; ones for None."""
    as_array = np.ones(count, dtype=np.int64) if sizes is None else np.array(sizes, dtype=np.int64)
    return np.minimum(as_array, LARGEST_SIZE)


def _edge_ranks(sizes: NDArray[np.int64], other: int) -> NDArray[np.int64]:
    """Return the ranks of the edges between all vertices and one: by sizes, then by ends."""
    n, vertices = len(sizes), np.arange(len(sizes))
    ends = np.minimum(vertices, other) * n + np.maximum(vertices, other)
    ranks: NDArray[np.int64] = sizes * sizes[other] * n * n + ends
    return ranks


class Edges:
    """All edges between some vertices, numbered from the lightest to the heaviest.

    Parameters
    ----------
    weights : ndarray of shape (n_vertices, n_vertices)
        Symmetric matrix of weights, which decide the edges of a tree.
    values : ndarray of shape (n_vertices, n_vertices)
        Symmetric matrix of values; the value of a tree is the sum of the values of its edges.
    sizes : sequence of int or None, default=None
        Sizes of the vertices, which decide ties in weight. None means equal sizes.

    Attributes
    ----------
    numbers : ndarray of shape (n_vertices, n_vertices)
        Number of the edge between any two vertices; -1 on the diagonal.
    ends : ndarray of shape (n_edges, 2)
        The two vertices of every edge, by its number.
    values : ndarray of shape (n_edges,)
        Value of every edge, by its number.
    """

    def __init__(self, weights: Floats, values: Floats, sizes: Sequence[int] | None = None) -> None:
        first, second = (ends[::-1] for ends in np.triu_indices(len(weights), 1))
        vertex_sizes = _as_sizes(sizes, len(weights))
        # lexsort sorts by its last key first; ties keep the order, in which later edges come first.
        order = np.lexsort((-vertex_sizes[first] * vertex_sizes[second], weights[first, second]))
        first, second = first[order], second[order]
        self.numbers: Numbers = np.full(weights.shape, -1, dtype=np.int32)
        self.numbers[first, second] = self.numbers[second, first] = np.arange(len(order))
        self.ends: Numbers = np.stack([first, second], axis=1).astype(np.int32)
        self.values: Floats = values[first, second]


class SpanningTree:
    """The maximum spanning tree of some of the vertices, updated as vertices are added and removed.

    Computing its value with, or without, each one of s vertices takes O(s^2) in total, since no
    tree is built from scratch.

    Parameters
    ----------
    edges : Edges
        The edges between all vertices.
    members : sequence of int
        The vertices of the tree.

    Attributes
    ----------
    members : list of int
        The vertices, in the order in which they were added.
    tree : ndarray of shape (n_members - 1,)
        Numbers of the edges of the tree.
    """

    def __init__(self, edges: Edges, members: Sequence[int]) -> None:
        self._edges = edges
        self.members = list(members)
        numbers = edges.numbers[np.ix_(self.members, self.members)]
        self.tree: Numbers = _edges_of(numbers, spanning_tree(numbers, 0))

    @property
    def value(self) -> float:
        """Sum of the values of all edges of the tree."""
        return float(self._edges.values[self.tree].sum())

    def changes_without(self) -> Floats:
        """Return the change of the value when each member is removed, in their order."""
        members, parents, ends = self._preorder()
        change = np.zeros(len(members))
        np.subtract.at(change, self._end_positions(members), self._edges.values[self.tree, None])
        # reach[p, q]: the heaviest edge between q and the subtree at p.
        reach = self._edges.numbers[np.ix_(members, members)]
        below: list[list[int]] = [[] for _ in members]
        for p in range(len(members) - 1, 0, -1):
            np.maximum(reach[parents[p]], reach[p], out=reach[parents[p]])
            below[parents[p]].insert(0, p)
        for p, children in enumerate(below):
            if len(children) + (p > 0) > 1:
                joints = _joints(reach, p, children, ends[p])
                change[p] += self._edges.values[joints].sum()
        position = {v: p for p, v in enumerate(members)}
        in_member_order: Floats = change[[position[v] for v in self.members]]
        return in_member_order

    def changes_with(self, candidates: Sequence[int]) -> Floats:
        """Return the change of the value when each one of some other vertices is added."""
        changes: Floats = self._edges.values[self._trees_with(candidates)].sum(axis=0) - self.value
        return changes

    def remove(self, vertex: int) -> None:
        """Remove a member; the heaviest edges connect the parts that it leaves."""
        members, parents, _ = self._preorder(root=vertex)
        parts = [p for p, parent in enumerate(parents) if parent == 0]
        joints = np.empty(0, dtype=np.int32)
        if len(parts) > 1:
            between = self._edges.numbers[np.ix_(members, members)]
            for axis in (0, 1):
                between = np.maximum.reduceat(between, parts, axis=axis)
            joints = _edges_of(between, spanning_tree(between, 0))
        self.members.remove(vertex)
        kept = (self._edges.ends[self.tree] != vertex).all(axis=1)
        self.tree = np.concatenate([self.tree[kept], joints])

    def add(self, vertex: int) -> None:
        """Add a vertex."""
        self.tree = self._trees_with([vertex])[:, 0]
        self.members.append(vertex)

    def _trees_with(self, candidates: Sequence[int]) -> Numbers:
        """Return the edges of the tree with each one of some vertices, one column per vertex.

        The method is that of Spira and Pan (1975). The tree is walked from the leaves up. At each
        edge of the tree, the heavier of two edges stays: this edge, or the heaviest edge from the
        part below it to the new vertex. The lighter of the two is a candidate for the part above.
        """
        members, parents, _ = self._preorder()
        way = self._edges.numbers[np.ix_(members, candidates)]
        for p in range(len(members) - 1, 0, -1):
            edge = self._edges.numbers[members[p], members[parents[p]]]
            np.maximum(way[parents[p]], np.minimum(way[p], edge), out=way[parents[p]])
            np.maximum(way[p], edge, out=way[p])
        return way

    def _preorder(self, root: int | None = None) -> tuple[list[int], list[int], list[int]]:
        """Return the members in preorder, the position of each parent, and the end of each subtree.

        Each subtree is one run of members: it starts at its root and stops before its end.
        """
        near: dict[int, list[int]] = {v: [] for v in self.members}
        for a, b in self._edges.ends[self.tree].tolist():
            near[a].append(b)
            near[b].append(a)
        members: list[int] = []
        parents: list[int] = []
        start = self.members[:1] if root is None else [root]
        waiting = [(v, -1) for v in start]
        while waiting:
            v, parent = waiting.pop()
            came_from = members[parent] if parent >= 0 else -1
            waiting += [(w, len(members)) for w in near[v] if w != came_from]
            members.append(v)
            parents.append(parent)
        ends = list(range(1, len(members) + 1))
        for p in range(len(members) - 1, 0, -1):
            ends[parents[p]] = max(ends[parents[p]], ends[p])
        return members, parents, ends

    def _end_positions(self, members: list[int]) -> NDArray[np.intp]:
        """Return the positions among some vertices of the ends of the edges of the tree."""
        positions = np.zeros(len(self._edges.numbers), dtype=np.intp)
        positions[members] = np.arange(len(members))
        tree_ends: NDArray[np.intp] = positions[self._edges.ends[self.tree]]
        return tree_ends


def _joints(reach: Numbers, p: int, children: list[int], end: int) -> Numbers:
    """Return the heaviest edges that connect the parts of a tree without its vertex p.

    The parts are the subtree of each child of p and, unless p is the root, all the rest: the
    vertices before p and from ``end`` on.
    """
    starts = [*([0] if p else []), p, *children, *([end] if end < len(reach) else [])]
    heaviest = np.maximum.reduceat(reach[children], starts, axis=1)
    first, count = 1 + (p > 0), len(children)
    if not p:
        between = heaviest[:, first : first + count]
    else:
        rest = heaviest[:, 0]
        if end < len(reach):
            rest = np.maximum(rest, heaviest[:, -1])
        if count == 1:
            return rest
        between = np.full((count + 1, count + 1), -1, dtype=np.int32)
        between[:count, :count] = heaviest[:, first : first + count]
        between[:count, count] = between[count, :count] = rest
    return _edges_of(between, spanning_tree(between, 0))


def _edges_of(numbers: Numbers, parents: Sequence[int]) -> Numbers:
    """Return the edges between vertices and their parents, from a matrix of edge numbers."""
    children = [v for v, p in enumerate(parents) if p >= 0]
    tree_edges: Numbers = numbers[children, [parents[v] for v in children]]
    return tree_edges
