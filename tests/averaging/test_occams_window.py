"""Occam's window against a list of all graphs that the search meets, scored by factorials."""

import math

import numpy as np
import pandas as pd
import pytest

from bayesgrove import OccamsWindowClassifier, ThickThinClassifier, load_dataset
from bayesgrove.averaging.occams_window import _without_poor


def log_k2(table, cards, arcs):
    """ln P(D | S) by the formula of Cooper and Herskovits (1992), node by node."""
    total = 0.0
    for child, r in enumerate(cards):
        parents = sorted(a for a, b in arcs if b == child)
        groups = {}
        for row in table.tolist():
            groups.setdefault(tuple(row[p] for p in parents), [0] * r)[row[child]] += 1
        for cells in groups.values():
            total += math.lgamma(r) - math.lgamma(sum(cells) + r)
            total += sum(math.lgamma(count + 1) for count in cells)
    return total


def is_acyclic(arcs, nodes):
    left = set(range(nodes))
    while left:
        roots = {v for v in left if not any(b == v and a in left for a, b in arcs)}
        if not roots:
            return False
        left -= roots
    return True


def met_by_greedy_search(table, cards, max_parents):
    """All graphs that thick-thinning compares, with their scores."""
    nodes, met = len(cards), {}

    def score(arcs):
        met.setdefault(arcs, log_k2(table, cards, arcs))
        return met[arcs]

    graph = frozenset()
    for stage in ("thick", "thin"):
        while True:
            score(graph)
            pairs = [(a, b) for b in range(nodes) for a in range(nodes) if a != b]
            if stage == "thick":
                near = [graph | {arc} for arc in pairs if arc not in graph]
                near = [
                    g
                    for g in near
                    if is_acyclic(g, nodes)
                    and max(sum(b == v for _, b in g) for v in range(nodes)) <= max_parents
                ]
            else:
                near = [graph - {arc} for arc in pairs if arc in graph]
            best = max(near, key=lambda g: round(score(g), 6), default=None)
            if best is None or score(best) <= score(graph) + 1e-7:
                break
            graph = best
    return met


def in_window(met, window):
    """The two principles of Madigan and Raftery, as they are written."""
    best = max(met.values())
    first = {g: s for g, s in met.items() if s >= best - math.log(window) - 1e-9}
    return {
        g: s
        for g, s in first.items()
        if not any(other < g and better > s + 1e-7 for other, better in first.items())
    }


def draw(seed, rows, cards):
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, card, rows) for card in cards]
    for j in range(1, len(cards)):
        same = rng.random(rows) < 0.45
        columns[j][same] = columns[j - 1][same] % cards[j]
    for j, card in enumerate(cards):
        columns[j][:card] = np.arange(card)
    return np.stack(columns, axis=1)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("window", "max_parents"), [(20.0, 9), (3.0, 9), (200.0, 1)])
def test_networks_and_weights_are_those_of_the_list_of_all_met_graphs(seed, window, max_parents):
    cards = (2, 3, 2, 2)
    table = draw(seed, 25, cards)
    names = ["x0", "x1", "x2", "class"]
    expected = in_window(met_by_greedy_search(table, cards, max_parents), window)
    frame = pd.DataFrame(table, columns=names)
    model = OccamsWindowClassifier(
        max_parents=max_parents, window=window, max_networks=10_000, categorical_features="all"
    ).fit(frame.drop(columns="class"), frame["class"])
    total = sum(math.exp(s - max(expected.values())) for s in expected.values())
    weights = {
        frozenset((names[a], names[b]) for a, b in g): math.exp(s - max(expected.values())) / total
        for g, s in expected.items()
    }
    got = dict(zip(map(frozenset, (n.arcs for n in model.networks_)), model.weights_, strict=True))
    assert got == pytest.approx(weights, rel=1e-9)
    assert list(model.weights_) == sorted(model.weights_, reverse=True)
    for arc, probability in model.arc_probabilities_.items():
        share = sum(weight for arcs, weight in weights.items() if arc in arcs)
        assert probability == pytest.approx(share)


def test_the_two_principles_by_hand():
    # bits: 1 and 2 are arcs. The graph with both is worse than the one with arc 1: left out. The
    # graph with arc 2 is worse, but no part of it is better: it stays.
    graphs = {0b00: -3.0, 0b01: 0.0, 0b10: -1.0, 0b11: -0.5}
    assert _without_poor(graphs) == [(0b01, 0.0), (0b10, -1.0), (0b00, -3.0)]
    # A larger graph that is more probable than all its parts stays, and so do its parts.
    assert len(_without_poor({0b00: -2.0, 0b01: -1.0, 0b11: 0.0})) == 3
    assert len(_without_poor({0b00: 0.0, 0b01: 0.0})) == 2  # equally probable is not poorer


def test_a_window_of_one_is_the_best_network():
    X, y = load_dataset("vote")
    model = OccamsWindowClassifier(window=1.0).fit(X, y)
    best = ThickThinClassifier().fit(X, y)
    assert set(best.network_.arcs) in [set(network.arcs) for network in model.networks_]
    assert model.weights_ == pytest.approx(1 / len(model.networks_))


def test_the_most_probable_networks_are_kept():
    X, y = load_dataset("vote")
    every = OccamsWindowClassifier(max_networks=1000).fit(X[:100], y[:100])
    few = OccamsWindowClassifier(max_networks=5).fit(X[:100], y[:100])
    assert len(every.networks_) > 5 == len(few.networks_)
    assert few.networks_ == every.networks_[:5]
    assert few.weights_ == pytest.approx(every.weights_[:5] / every.weights_[:5].sum())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"window": 0.5}, "window=0.5 must be a number of at least 1"),
        ({"max_networks": 0}, "max_networks=0 must be a whole number of at least 1"),
        ({"criterion": "bic"}, "criterion='bic' must be 'k2' or 'bdeu'"),
        ({"equivalent_sample_size": 0}, "equivalent_sample_size=0 must be a number"),
        ({"max_parents": -1}, "max_parents=-1 must be None or a whole number"),
    ],
)
def test_options_that_mean_nothing(options, message):
    X, y = load_dataset("corral")
    with pytest.raises(ValueError, match=message):
        OccamsWindowClassifier(**options).fit(X, y)
