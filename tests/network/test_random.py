"""Random networks and rows: their graphs, their seeds, and the distributions of lazy rows."""

import itertools
import math
import time
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2_contingency, chisquare

from bayesgrove import random_network, random_rows
from bayesgrove.network import random_networks

BAD = [-1, 1.5, 2.0, "3", True, None, math.nan]


# Graphs


@pytest.mark.parametrize("max_parents", [0, 1, 3, 20])
@pytest.mark.parametrize("nodes", [1, 2, 7, 12])
def test_nodes_states_and_parents(nodes, max_parents):
    for seed in range(5):
        network = random_network(nodes, max_parents, random_state=seed)
        assert network.nodes == (*(f"x{v}" for v in range(nodes - 1)), "class")
        assert all(network.states(node) == ("0", "1") for node in network.nodes)
        assert max(len(network.parents(node)) for node in network.nodes) <= max_parents
        place = {node: k for k, node in enumerate(network.topological_order())}
        assert all(place[a] < place[b] for a, b in network.arcs)


def test_in_degrees_reach_the_bound_and_all_numbers_are_equally_likely():
    found = Counter()
    for seed in range(400):
        network = random_network(6, 2, random_state=seed)
        last = network.topological_order()
        found.update(len(network.parents(node)) for node in last)
    assert set(found) == {0, 1, 2}
    # the first node has none, the second 0 or 1, the other four 0, 1 or 2
    expected = np.array([1 + 1 / 2 + 4 / 3, 1 / 2 + 4 / 3, 4 / 3]) * 400
    assert [found[k] for k in range(3)] == pytest.approx(expected, rel=0.08)


def test_every_arc_is_as_likely_as_any_other():
    found = Counter(
        arc for seed in range(600) for arc in random_network(4, 2, random_state=seed).arcs
    )
    assert len(found) == 12
    mean = sum(found.values()) / 12
    assert all(abs(count - mean) < 5 * math.sqrt(mean) for count in found.values())


def graphs_of_four(max_parents):
    """All graphs of four nodes with a bounded number of parents, by trying all sets of arcs."""
    arcs = list(itertools.permutations(range(4), 2))
    for chosen in itertools.product([False, True], repeat=len(arcs)):
        graph = set(itertools.compress(arcs, chosen))
        parents = tuple(tuple(a for a in range(4) if (a, b) in graph) for b in range(4))
        if max(map(len, parents)) <= max_parents and any(
            all((b, a) not in graph for a, b in itertools.combinations(order, 2))
            for order in itertools.permutations(range(4))
        ):
            yield parents


def fit_of_uniform_graphs(max_parents, *, uniform, per_graph=40):
    """The p-value of the chi-squared test that all graphs of four nodes are equally likely."""
    graphs = dict.fromkeys(graphs_of_four(max_parents), 0)
    random = np.random.default_rng(1)
    for _ in range(per_graph * len(graphs)):
        graphs[random_networks._graph(4, max_parents, uniform, random).parents] += 1
    return len(graphs), chisquare(list(graphs.values())).pvalue


# 543 labelled acyclic graphs of 4 nodes (Robinson 1977), 125 forests of rooted labelled trees
@pytest.mark.parametrize(("max_parents", "count"), [(3, 543), (2, 443), (1, 125)])
def test_uniform_graphs_are_equally_likely(max_parents, count):
    found, p_value = fit_of_uniform_graphs(max_parents, uniform=True)
    assert found == count
    assert p_value > 0.01
    assert fit_of_uniform_graphs(max_parents, uniform=False, per_graph=4)[1] < 1e-6


def test_networks_and_rows_have_the_uniform_graph():
    graph = random_networks._graph(6, 2, True, np.random.default_rng(3))
    network = random_network(6, 2, uniform=True, random_state=3)
    assert network.structure == graph
    frame = random_rows(6, 2, 20_000, uniform=True, random_state=3)
    roots = [v for v, parents in enumerate(graph.parents) if not parents]
    for v, parents in enumerate(graph.parents):  # without arcs, columns are independent
        for p in parents:
            table = pd.crosstab(frame.iloc[:, v], frame.iloc[:, p])
            assert chi2_contingency(table).pvalue < 1e-3
    for a, b in itertools.combinations(roots, 2):
        table = pd.crosstab(frame.iloc[:, a], frame.iloc[:, b])
        assert chi2_contingency(table).pvalue > 1e-4


@pytest.mark.parametrize("max_parents", [0, 1, 4, 40])
@pytest.mark.parametrize("nodes", [1, 2, 12])
def test_uniform_graphs_are_acyclic_and_bounded(nodes, max_parents):
    for seed in range(5):
        frame = random_rows(nodes, max_parents, 3, uniform=True, random_state=seed)
        assert frame.shape == (3, nodes)
        structure = random_networks._graph(nodes, max_parents, True, np.random.default_rng(seed))
        assert max(map(len, structure.parents)) <= max_parents
        assert sorted(structure.order()) == list(range(nodes))


@pytest.mark.parametrize("max_parents", [2, 20])
def test_the_start_of_the_chain_is_forgotten(max_parents):
    """Chains from graphs without arcs and from full graphs end with the same mean numbers."""
    full = random_networks.Structure(tuple(tuple(range(v))[:max_parents] for v in range(20)))
    empty = random_networks.Structure(((),) * 20)
    random = np.random.default_rng(1)
    arcs = [
        [
            sum(map(len, random_networks._uniform_graph(start, max_parents, random).parents))
            for _ in range(300)
        ]
        for start in (empty, full)
    ]
    error = math.sqrt(sum(np.var(found) / 300 for found in arcs))
    assert abs(np.mean(arcs[0]) - np.mean(arcs[1])) < 4 * error


def test_the_chain_is_fast_with_many_nodes():
    start = time.process_time()
    random_rows(160, 160, 10, uniform=True)
    assert time.process_time() - start < 1.0


def test_tables_are_uniform_over_all_distributions():
    cells = []
    for seed in range(150):
        network = random_network(5, 2, states=3, random_state=seed)
        cells += [np.asarray(network.table(node)).reshape(-1, 3) for node in network.nodes]
    drawn = np.concatenate(cells)
    assert drawn.sum(axis=1) == pytest.approx(1.0)
    # Dirichlet(1, 1, 1): means 1/3, variances 1/18, P(p < t) = 1 - (1 - t)^2
    assert drawn.mean(axis=0) == pytest.approx([1 / 3] * 3, abs=0.02)
    assert drawn.var(axis=0) == pytest.approx([1 / 18] * 3, abs=0.01)
    assert (drawn < 0.2).mean() == pytest.approx(1 - 0.8**2, abs=0.02)


def test_tables_that_would_be_too_large_are_refused(monkeypatch):
    with pytest.raises(ValueError, match=r"max_parents=50: node 'x\d+' has \d+ parents.*random_ro"):
        random_network(60, 50)
    with pytest.raises(ValueError, match=r"\^.* cells.*fewer states"):
        random_network(60, 10, states=100)
    monkeypatch.setattr(random_networks, "MAX_CELLS", 8)
    for seed in range(10):
        random_network(5, 2, random_state=seed)  # 2^3 cells are just possible
    large = (random_network(5, 3, random_state=seed) for seed in range(10))
    with pytest.raises(ValueError, match="at most 8 are possible"):
        list(large)


# Seeds


def test_a_seed_fixes_everything():
    assert random_network(8, 3, random_state=4) == random_network(8, 3, random_state=4)
    assert random_network(8, 3, random_state=4) != random_network(8, 3, random_state=5)
    first = random_rows(8, 3, 200, random_state=4)
    pd.testing.assert_frame_equal(first, random_rows(8, 3, 200, random_state=4))
    assert not first.equals(random_rows(8, 3, 200, random_state=5))
    pd.testing.assert_frame_equal(random_rows(8, 3, 50), random_rows(8, 3, 50, random_state=0))


def test_the_global_state_of_numpy_is_left_alone():
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    random_network(4, 2)
    random_rows(4, 2, 10)
    assert (np.random.get_state()[1] == before).all()  # noqa: NPY002


# Rows


def test_rows_are_labels_of_all_states():
    frame = random_rows(4, 2, 300, states=3, random_state=1)
    assert list(frame.columns) == ["x0", "x1", "x2", "class"]
    assert frame.shape == (300, 4)
    for name in frame:
        assert list(frame[name].cat.categories) == ["0", "1", "2"]
        assert frame[name].notna().all()
    assert random_rows(4, 2, 0).shape == (0, 4)
    assert random_rows(1, 0, 5).shape == (5, 1)


@pytest.mark.parametrize("seed", range(4))
def test_equal_parents_mean_equal_distributions(seed):
    """The two halves of the rows agree in every P(node | parents), as one table makes them do."""
    nodes, rows = 7, 40_000
    graph = random_network(nodes, 3, random_state=seed)
    frame = random_rows(nodes, 3, rows, random_state=seed).astype(int)
    for node in graph.nodes:
        drawn = {True: Counter(), False: Counter()}, {True: Counter(), False: Counter()}
        columns = (frame[name].tolist() for name in (*graph.parents(node), node))
        for row, (*given, value) in enumerate(zip(*columns, strict=True)):
            ones, total = drawn
            ones[row < rows // 2][tuple(given)] += value
            total[row < rows // 2][tuple(given)] += 1
        for given in total[True].keys() & total[False].keys():
            (k, n), (j, m) = ((ones[half][given], total[half][given]) for half in (True, False))
            shared = (k + j) / (n + m)
            error = math.sqrt(shared * (1 - shared) * (1 / n + 1 / m))
            assert abs(k / n - j / m) <= 5 * error + 1e-12


@pytest.mark.parametrize("seed", range(4))
def test_a_node_depends_on_its_parents_alone(seed):
    """Given its parents, no node before it tells anything of a node."""
    nodes, rows = 6, 40_000
    graph = random_network(nodes, 2, random_state=seed)
    frame = random_rows(nodes, 2, rows, random_state=seed).astype(int)
    order = graph.topological_order()
    for (k, node), other in itertools.product(enumerate(order), order):
        if other in graph.parents(node) or other not in order[:k]:
            continue
        by = list(graph.parents(node))
        expected = frame.groupby(by)[node].transform("mean") if by else frame[node].mean()
        left = (frame[node] - expected).groupby(frame[other]).agg(["sum", "size"])
        assert (left["sum"].abs() <= 5 * np.sqrt(left["size"])).all()


def test_distributions_of_met_joint_values_are_uniform():
    """Many parents: the frequencies of frequent joint values spread over all of 0..1."""
    found = []
    for seed in range(30):
        graph = random_network(8, 3, random_state=seed)
        frame = random_rows(8, 3, 4000, random_state=seed).astype(int)
        for node in graph.nodes:
            by = list(graph.parents(node))
            groups = frame.groupby(by)[node].agg(["mean", "size"]) if by else None
            if groups is not None:
                found += groups.loc[groups["size"] > 200, "mean"].tolist()
    quartiles = np.quantile(found, [0.25, 0.5, 0.75])
    assert quartiles == pytest.approx([0.25, 0.5, 0.75], abs=0.08)


def test_fifty_parents_take_no_time():
    random_rows(3, 2, 10)  # imports
    start = time.process_time()
    frame = random_rows(60, 50, 5000, random_state=3)
    assert time.process_time() - start < 2.0
    assert frame.shape == (5000, 60)
    assert all(0 < (frame[name] == "1").mean() < 1 for name in frame)


# Options


@pytest.mark.parametrize("bad", [*BAD, 0], ids=repr)
def test_numbers_of_nodes_that_are_none(bad):
    for make in (lambda: random_network(bad, 1), lambda: random_rows(bad, 1, 5)):
        with pytest.raises(ValueError, match=r"nodes=.*whole number of at least 1"):
            make()


@pytest.mark.parametrize("bad", BAD, ids=repr)
def test_other_options_that_mean_nothing(bad):
    for make in (
        lambda **options: random_network(3, **options),
        lambda **options: random_rows(3, rows=5, **options),
    ):
        with pytest.raises(ValueError, match=r"max_parents=.*whole number of at least 0"):
            make(max_parents=bad)
        with pytest.raises(ValueError, match=r"states=.*whole number from 2"):
            make(max_parents=1, states=bad)
        with pytest.raises(ValueError, match=r"uniform=.*True or False"):
            make(max_parents=1, uniform="yes")
        with pytest.raises(ValueError, match=r"random_state=.*whole number from 0"):
            make(max_parents=1, random_state=bad)
    with pytest.raises(ValueError, match=r"rows=.*whole number of at least 0"):
        random_rows(3, 1, bad)


def test_more_rows_than_memory_are_refused():
    with pytest.raises(MemoryError, match=r"rows=1000000000000.*draw fewer rows"):
        random_rows(10, 2, 10**12)
