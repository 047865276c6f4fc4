"""Maximum spanning trees, and those of vertices that come and go.

Of edges of equal weight that between smaller vertices is the heavier, by the product of their
sizes; of those equal in this, too, the earlier one, by its first end, then by its second. So there
is one tree, whichever way it is found, and the order of the vertices decides only between trees of
the same weights and sizes.
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


def spanning_tree(
    weights: NDArray[np.generic], root: int, sizes: Sequence[int] | None = None
) -> list[int]:
    """Parents in the maximum spanning tree, -1 for the root (Prim 1957).

    ``sizes`` of the vertices decide between edges of equal weight; None is all alike.

    >>> spanning_tree(np.array([[0.0, 3.0, 1.0], [3.0, 0.0, 2.0], [1.0, 2.0, 0.0]]), 0)
    [-1, 0, 1]
    """
    n = len(weights)
    if n == 0:
        return []
    places = np.arange(n)
    own_sizes = _as_sizes(sizes, n)
    parents = np.full(n, root)
    parents[root] = -1
    best = weights[root].astype(np.float64)
    names = _edge_names(own_sizes, root)  # of the edge behind each best weight
    best[root] = -np.inf
    outside = places != root
    for _ in range(n - 1):
        equal = np.flatnonzero(best == best.max())
        chosen = int(equal[names[equal].argmin()]) if len(equal) > 1 else int(equal[0])
        outside[chosen] = False
        best[chosen] = -np.inf
        own, own_names = weights[chosen], _edge_names(own_sizes, chosen)
        closer = outside & ((own > best) | ((own == best) & (own_names < names)))
        best[closer] = own[closer]
        names[closer] = own_names[closer]
        parents[closer] = chosen
    return [int(p) for p in parents]


def _as_sizes(sizes: Sequence[int] | None, count: int) -> NDArray[np.int64]:
    """Sizes that can be multiplied: beyond 65,536 they are alike."""
    own = np.ones(count, dtype=np.int64) if sizes is None else np.array(sizes, dtype=np.int64)
    return np.minimum(own, LARGEST_SIZE)


def _edge_names(sizes: NDArray[np.int64], other: int) -> NDArray[np.int64]:
    """Numbers of the edges between all vertices and one: by their sizes, then by their ends."""
    n, places = len(sizes), np.arange(len(sizes))
    ends = np.minimum(places, other) * n + np.maximum(places, other)
    names: NDArray[np.int64] = sizes * sizes[other] * n * n + ends
    return names


class Edges:
    """All edges between some vertices, numbered from the lightest to the heaviest.

    Parameters
    ----------
    weights : a symmetric matrix, which decides what trees have
    values : a symmetric matrix, which is what trees are worth
    sizes : of the vertices, as in `spanning_tree`

    Attributes
    ----------
    numbers : of the edge between any two vertices; -1 on the diagonal
    ends : the two vertices of every edge, by its number
    values : of every edge, by its number
    """

    def __init__(self, weights: Floats, values: Floats, sizes: Sequence[int] | None = None) -> None:
        first, second = (ends[::-1] for ends in np.triu_indices(len(weights), 1))
        own_sizes = _as_sizes(sizes, len(weights))
        # The last key counts first; of edges that are equal in both, the later one comes first.
        order = np.lexsort((-own_sizes[first] * own_sizes[second], weights[first, second]))
        first, second = first[order], second[order]
        self.numbers: Numbers = np.full(weights.shape, -1, dtype=np.int32)
        self.numbers[first, second] = self.numbers[second, first] = np.arange(len(order))
        self.ends: Numbers = np.stack([first, second], axis=1).astype(np.int32)
        self.values: Floats = values[first, second]


class SpanningTree:
    """The maximum spanning tree of some of the vertices, kept up as they come and go.

    To find what it would be worth with, or without, each one of s vertices takes O(s^2) together:
    nothing is built anew.

    Attributes
    ----------
    members : the vertices, in the order in which they came
    tree : numbers of the edges
    """

    def __init__(self, edges: Edges, members: Sequence[int]) -> None:
        self._edges = edges
        self.members = list(members)
        own = edges.numbers[np.ix_(self.members, self.members)]
        self.tree: Numbers = _edges_of(own, spanning_tree(own, 0))

    @property
    def value(self) -> float:
        """Of all edges together."""
        return float(self._edges.values[self.tree].sum())

    def changes_without(self) -> Floats:
        """What the value changes by when each member goes, in their order."""
        members, parents, ends = self._preorder()
        change = np.zeros(len(members))
        np.subtract.at(change, self._places(members), self._edges.values[self.tree, None])
        # The heaviest edge from the part of the tree at p, and below, to q.
        reach = self._edges.numbers[np.ix_(members, members)]
        below: list[list[int]] = [[] for _ in members]
        for p in range(len(members) - 1, 0, -1):
            np.maximum(reach[parents[p]], reach[p], out=reach[parents[p]])
            below[parents[p]].insert(0, p)
        for p, children in enumerate(below):
            if len(children) + (p > 0) > 1:
                joints = _joints(reach, p, children, ends[p])
                change[p] += self._edges.values[joints].sum()
        place = {v: p for p, v in enumerate(members)}
        found: Floats = change[[place[v] for v in self.members]]
        return found

    def changes_with(self, candidates: Sequence[int]) -> Floats:
        """What the value changes by when each of some other vertices comes."""
        found: Floats = self._edges.values[self._trees_with(candidates)].sum(axis=0) - self.value
        return found

    def remove(self, vertex: int) -> None:
        """Take a member away; the heaviest edges join what it leaves apart."""
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
        """Take a vertex in."""
        self.tree = self._trees_with([vertex])[:, 0]
        self.members.append(vertex)

    def _trees_with(self, candidates: Sequence[int]) -> Numbers:
        """Edges of the tree with each of some vertices, a column each (Spira and Pan 1975).

        From the leaves up: of an edge of the tree and the heaviest way from what is below it to
        the new vertex, the heavier stays; the lighter is a way from above.
        """
        members, parents, _ = self._preorder()
        way = self._edges.numbers[np.ix_(members, candidates)]
        for p in range(len(members) - 1, 0, -1):
            edge = self._edges.numbers[members[p], members[parents[p]]]
            np.maximum(way[parents[p]], np.minimum(way[p], edge), out=way[parents[p]])
            np.maximum(way[p], edge, out=way[p])
        return way

    def _preorder(self, root: int | None = None) -> tuple[list[int], list[int], list[int]]:
        """Members with each part of the tree in one run, the place of the parent of each, and
        where the run that begins with it ends.
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

    def _places(self, members: list[int]) -> NDArray[np.intp]:
        """Places among some vertices of the ends of the edges of the tree."""
        places = np.zeros(len(self._edges.numbers), dtype=np.intp)
        places[members] = np.arange(len(members))
        found: NDArray[np.intp] = places[self._edges.ends[self.tree]]
        return found


def _joints(reach: Numbers, p: int, children: list[int], end: int) -> Numbers:
    """The heaviest edges that join what is left of a tree without its vertex p.

    That is the part at each of its children and, unless it is the root, all the rest, which is
    what comes before p and from ``end`` on.
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
    """The edges between vertices and their parents, from a matrix of the numbers of edges."""
    children = [v for v, p in enumerate(parents) if p >= 0]
    found: Numbers = numbers[children, [parents[v] for v in children]]
    return found
