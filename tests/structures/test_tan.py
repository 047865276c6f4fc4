"""TAN against all spanning trees, and against Kruskal's algorithm."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest

from bayesgrove import TANClassifier
from bayesgrove.counts import CountSource, MemoryEngine
from bayesgrove.encoding import Encoded
from bayesgrove.search import spanning_tree
from bayesgrove.structures import TAN

SEEDS = range(50)


def draw(seed):
    """Rows of 1 to 5 attributes that depend on each other."""
    rng = np.random.default_rng(seed)
    n, rows = 1 + seed % 5, int(rng.integers(5, 200))
    target = rng.integers(0, int(rng.integers(1, 4)), rows)
    cards = rng.integers(1 + seed % 2, 5, n).tolist()
    common = rng.integers(0, 12, rows)
    noise = rng.integers(0, 12, (n, rows)) * (rng.random((n, rows)) < rng.random((n, 1)))
    return [(common + target + e) % card for e, card in zip(noise, cards, strict=True)], target


def make_source(columns, target):
    cards = [int(column.max()) + 1 for column in columns]
    classes = int(target.max()) + 1
    codes = [column.astype(np.uint8) for column in columns]
    encoded = Encoded(codes, cards, len(target), target.astype(np.uint8), classes)
    names = [*(f"a{j}" for j in range(len(columns))), "class"]
    return CountSource(MemoryEngine(encoded), names, [*cards, classes])


def cmi(x, y, z):
    """I(X;Y|Z) by its definition."""
    joint = Counter(zip(x, y, z, strict=True))
    xz, yz = (Counter(zip(values, z, strict=True)) for values in (x, y))
    single = Counter(z)
    return math.fsum(
        n / len(z) * math.log(n * single[c] / (xz[a, c] * yz[b, c]))
        for (a, b, c), n in joint.items()
    )


def weights_of(columns, target):
    lists = [column.tolist() for column in columns]
    return {
        (i, j): cmi(lists[i], lists[j], target.tolist())
        for i, j in itertools.combinations(range(len(columns)), 2)
    }


def is_tree(edges, n):
    reached, waiting = {0}, [0]
    while waiting:
        v = waiting.pop()
        for w in {a + b - v for a, b in edges if v in (a, b)} - reached:
            reached.add(w)
            waiting.append(w)
    return len(edges) == n - 1 and len(reached) == n


def kruskal(weights, n):
    group = list(range(n))
    tree = set()
    for i, j in sorted(weights, key=lambda edge: (-weights[edge], edge)):
        if group[i] != group[j]:
            tree.add((i, j))
            group = [group[i] if g == group[j] else g for g in group]
    return tree


def tree_of(structure):
    """The attribute arcs (parent, child) of a structure."""
    n = len(structure.parents) - 1
    return [(p, v) for v in range(n) for p in structure.parents[v] if p != n]


def edges_of(structure):
    return {tuple(sorted(arc)) for arc in tree_of(structure)}


def directed_from(root, edges):
    """Arcs of a tree away from its root."""
    arcs, reached, waiting = set(), {root}, [root]
    while waiting:
        v = waiting.pop(0)
        for w in {a + b - v for a, b in edges if v in (a, b)} - reached:
            arcs.add((v, w))
            reached.add(w)
            waiting.append(w)
    return arcs


def distinct(weights):
    values = sorted(weights.values())
    return all(b - a > 1e-9 for a, b in itertools.pairwise(values))


@pytest.mark.parametrize("seed", SEEDS)
def test_no_spanning_tree_weighs_more(seed):
    columns, target = draw(seed)
    weights, n = weights_of(columns, target), len(columns)
    edges = edges_of(TAN().learn(make_source(columns, target)))
    subsets = itertools.combinations(weights, n - 1)
    best = max(math.fsum(weights[e] for e in tree) for tree in subsets if is_tree(tree, n))
    assert is_tree(edges, n)
    assert math.fsum(weights[e] for e in edges) == pytest.approx(best, abs=1e-10)


def test_arcs_are_those_of_kruskal_directed_from_the_root():
    compared = 0
    for seed in SEEDS:
        columns, target = draw(seed)
        weights, n = weights_of(columns, target), len(columns)
        if not distinct(weights):
            continue
        source = make_source(columns, target)
        for root in range(n):
            expected = directed_from(root, kruskal(weights, n))
            for given in (root, f"a{root}", np.int64(root)):
                assert set(tree_of(TAN(given).learn(source))) == expected
        compared += n > 2
    assert compared >= 10


@pytest.mark.parametrize("seed", SEEDS)
def test_every_attribute_but_the_root_has_one_attribute_parent(seed):
    columns, target = draw(seed)
    n = len(columns)
    structure = TAN(n - 1).learn(make_source(columns, target))
    assert structure.parents[n] == ()
    assert structure.parents[n - 1] == (n,)
    for v in range(n - 1):
        assert structure.parents[v][-1] == n
        assert len(structure.parents[v]) == 2


def test_of_equal_weights_the_first_column_counts():
    target = np.array([0, 0, 1, 1])
    constant = [np.zeros(4, dtype=int)] * 4
    assert tree_of(TAN().learn(make_source(constant, target))) == [(0, 1), (0, 2), (0, 3)]


def test_no_and_one_attribute():
    target = np.array([0, 1])
    assert TAN().learn(make_source([], target)).parents == ((),)
    assert TAN().learn(make_source([target], target)).parents == ((1,), ())


def test_spanning_tree_by_hand():
    weights = np.array(
        [[0.0, 1.0, 5.0, 0.0], [1.0, 0.0, 4.0, 2.0], [5.0, 4.0, 0.0, 3.0], [0.0, 2.0, 3.0, 0.0]]
    )
    assert spanning_tree(weights, 0) == [-1, 2, 0, 2]
    assert spanning_tree(weights, 3) == [2, 2, 3, -1]


@pytest.mark.parametrize("root", [-1, 3, "a3", "class", 1.0, None])
def test_a_root_that_is_no_attribute_is_refused(root):
    source = make_source([np.array([0, 1])] * 3, np.array([0, 1]))
    with pytest.raises(ValueError, match="root="):
        TAN(root).learn(source)
    with pytest.raises(ValueError, match="root="):
        TANClassifier(root=root).fit(np.eye(3), [0, 1, 0])


def test_the_classifier_has_the_tree_of_a_real_data_set(folder_dataset):
    X, y = folder_dataset("kr-vs-kp")
    X = X.iloc[:, :12]
    weights = weights_of([X[name].cat.codes.to_numpy() for name in X], y.cat.codes.to_numpy())
    heavy = kruskal({edge: round(w, 12) for edge, w in weights.items()}, 12)
    model = TANClassifier(root=X.columns[3]).fit(X, y)
    arcs = {(a, b) for a, b in model.network_.arcs if a != model.network_.class_node}
    places = {name: j for j, name in enumerate(X.columns)}
    found = [weights[tuple(sorted((places[a], places[b])))] for a, b in arcs]
    assert len(arcs) == 11
    assert math.fsum(found) == pytest.approx(math.fsum(weights[e] for e in heavy), abs=1e-12)
    assert model.network_.parents(X.columns[3]) == (model.network_.class_node,)
