"""Spanning trees of vertices that come and go, against Kruskal's algorithm from scratch."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bayesgrove.search import Edges, SpanningTree, spanning_tree


def kruskal(weights, members, sizes=None):
    """The heaviest tree, of equal edges the smallest, then the first; pairs (smaller, larger)."""
    part = {v: v for v in members}
    sizes = [1] * len(weights) if sizes is None else sizes
    edges = set()
    pairs = itertools.combinations(sorted(members), 2)

    def order(edge):
        return -weights[edge], sizes[edge[0]] * sizes[edge[1]], edge

    for a, b in sorted(pairs, key=order):
        if part[a] != part[b]:
            edges.add((a, b))
            part = {v: part[a] if p == part[b] else p for v, p in part.items()}
    return edges


def draw(seed, largest=12):
    """Symmetric weights, in every second seed with many ties, and values."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, largest + 1))
    weights = rng.integers(0, 4, (n, n)).astype(float) if seed % 2 else rng.random((n, n))
    values = rng.normal(size=(n, n))
    return np.maximum(weights, weights.T), values + values.T, rng


def edges_of(tree, edges):
    return {tuple(sorted(ends)) for ends in edges.ends[tree.tree].tolist()}


@pytest.mark.parametrize("seed", range(40))
def test_the_tree_does_not_depend_on_its_root(seed):
    weights, _, _ = draw(seed)
    expected = kruskal(weights, range(len(weights)))
    for root in range(len(weights)):
        parents = spanning_tree(weights, root)
        assert parents[root] == -1
        found = {tuple(sorted((v, p))) for v, p in enumerate(parents) if p >= 0}
        assert found == expected


@pytest.mark.parametrize("seed", range(1, 41, 2))
def test_of_equal_weights_sizes_decide(seed):
    weights, values, rng = draw(seed)
    n = len(weights)
    sizes = rng.integers(0, 4, n).tolist()
    expected = kruskal(weights, range(n), sizes)
    parents = spanning_tree(weights, n - 1, sizes)
    assert {tuple(sorted((v, p))) for v, p in enumerate(parents) if p >= 0} == expected
    edges = Edges(weights, values, sizes)
    assert edges_of(SpanningTree(edges, range(n)), edges) == expected
    by_size = np.outer(sizes, sizes).astype(float)  # what is worth the sizes is worth the same
    order = rng.permutation(n)
    shuffled = Edges(
        weights[np.ix_(order, order)], by_size[np.ix_(order, order)], np.array(sizes)[order]
    )
    one = SpanningTree(Edges(weights, by_size, sizes), range(n))
    assert SpanningTree(shuffled, range(n)).value == one.value


def test_huge_sizes_are_alike():
    sizes = [10**7, 10**9, 70_000]
    assert spanning_tree(np.zeros((3, 3)), 2, sizes) == [2, 0, -1]


@pytest.mark.parametrize("seed", range(60))
def test_vertices_come_and_go(seed):
    weights, values, rng = draw(seed)
    edges = Edges(weights, values)
    tree = SpanningTree(edges, rng.permutation(len(weights))[: len(weights) // 2].tolist())

    def value(members):
        return sum(values[edge] for edge in kruskal(weights, members))

    for _ in range(10):
        members, others = list(tree.members), sorted(set(range(len(weights))) - set(tree.members))
        assert edges_of(tree, edges) == kruskal(weights, members)
        assert tree.value == pytest.approx(value(members), abs=1e-9)
        without = [value(set(members) - {v}) - tree.value for v in members]
        assert_allclose(tree.changes_without(), without, atol=1e-9)
        more = [value([*members, v]) - tree.value for v in others]
        assert_allclose(tree.changes_with(others), more, atol=1e-9)
        if others and (not members or rng.random() < 0.5):
            tree.add(int(rng.choice(others)))
        else:
            tree.remove(int(rng.choice(members)))


@pytest.mark.parametrize("shape", ["star", "path", "random"])
def test_large_trees(shape):
    """A hub that leaves many parts behind, parts of half the size, and whatever comes."""
    rng = np.random.default_rng(0)
    n = 60
    weights = rng.random((n, n))
    if shape == "star":
        weights[7] = weights[:, 7] = 2 + rng.random(n)
    if shape == "path":
        weights = -np.abs(np.subtract.outer(np.arange(n), np.arange(n))).astype(float)
    weights = np.maximum(weights, weights.T)
    tree = SpanningTree(Edges(weights, weights), range(n))
    whole = sum(weights[edge] for edge in kruskal(weights, range(n)))
    for v, change in zip(tree.members, tree.changes_without(), strict=True):
        left = kruskal(weights, set(range(n)) - {v})
        assert change == pytest.approx(sum(weights[edge] for edge in left) - whole, abs=1e-9)


def test_no_vertex_and_one():
    edges = Edges(np.zeros((2, 2)), np.ones((2, 2)))
    tree = SpanningTree(edges, [])
    assert (tree.value, tree.changes_without().tolist()) == (0.0, [])
    assert tree.changes_with([0, 1]).tolist() == [0.0, 0.0]
    tree.add(1)
    assert tree.changes_without().tolist() == [0.0]
    assert tree.changes_with([0]).tolist() == [1.0]
    assert spanning_tree(np.zeros((0, 0)), 0) == []
