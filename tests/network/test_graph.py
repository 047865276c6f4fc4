"""Questions to the graph, against the distribution and pyAgrum; networks put together badly."""

import math
import time
import warnings
from itertools import combinations, pairwise

import numpy as np
import pytest

from bayesgrove.counts import Configurations
from bayesgrove.datasets import data_folder
from bayesgrove.network import BayesianNetwork, ConditionalTable, Structure
from bayesgrove.network.validation import NodeError


def random_parents(rng, n, density):
    """Parents of n nodes, which come in no particular order."""
    names = [f"n{v}" for v in range(n)]
    before = rng.permutation(names).tolist()
    return {
        name: [p for p in before[: before.index(name)] if rng.random() < density] for name in names
    }


def with_random_tables(rng, parents, card=2):
    """A network of positive tables that no accident makes independent."""
    return BayesianNetwork.from_tables(
        {name: tuple(range(card)) for name in parents},
        parents,
        {
            name: rng.dirichlet(np.full(card, 2.0), size=(card,) * len(own))
            for name, own in parents.items()
        },
    )


def fork():
    """``a -> b -> d <- c``, ``d -> e``, and ``f`` apart."""
    parents = {"a": (), "b": ("a",), "c": (), "d": ("c", "b"), "e": ("d",), "f": ()}
    return with_random_tables(np.random.default_rng(0), parents)


# What the graph says


def test_parents_children_and_blankets_by_hand():
    network = fork()
    assert network.children("a") == ("b",)
    assert network.children("d") == ("e",)
    assert network.children("f") == ()
    assert network.parents("d") == ("b", "c")
    assert network.markov_blanket("a") == ("b",)
    assert network.markov_blanket("b") == ("a", "c", "d")
    assert network.markov_blanket("c") == ("b", "d")
    assert network.markov_blanket("d") == ("b", "c", "e")
    assert network.markov_blanket("f") == ()
    assert network.arcs == {("a", "b"), ("b", "d"), ("c", "d"), ("d", "e")}


def test_separation_by_hand():
    network = fork()
    assert network.d_separated("a", "c")
    assert not network.d_separated("a", "c", ["d"])
    assert not network.d_separated("a", "c", ["e"])
    assert network.d_separated("a", "c", ["d", "b"])
    assert not network.d_separated("a", "e")
    assert network.d_separated("a", "e", {"b"})
    assert network.d_separated("a", "e", ("d",))
    assert network.d_separated("f", "a", iter(["d", "e"]))


@pytest.mark.parametrize("seed", range(30))
def test_order_children_and_blankets_follow_from_the_arcs(seed):
    rng = np.random.default_rng(seed)
    parents = random_parents(rng, int(rng.integers(1, 9)), rng.random())
    network = with_random_tables(rng, parents)
    order = network.topological_order()
    assert sorted(order) == sorted(network.nodes)
    assert all(order.index(p) < order.index(v) for v, own in parents.items() for p in own)
    for node in network.nodes:
        children = {v for v, own in parents.items() if node in own}
        assert set(network.children(node)) == children
        assert len(network.children(node)) == len(children)
        spouses = {p for child in children for p in parents[child]}
        expected = (children | spouses | set(parents[node])) - {node}
        assert set(network.markov_blanket(node)) == expected
        assert len(network.markov_blanket(node)) == len(expected)


def independent(network, first, second, given):
    """Whether ``P(a, b, Z) P(Z) = P(a, Z) P(b, Z)`` in the whole joint, cell by cell."""
    place = {node: axis for axis, node in enumerate(network.nodes)}
    factors = []
    for node in network.nodes:
        factors += [network.table(node).dense(), [place[v] for v in (*network.parents(node), node)]]
    a, b, *z = (place[v] for v in (first, second, *given))
    joint = np.einsum(*factors, [a, b, *z])
    both = joint * joint.sum(axis=(0, 1))
    apart = joint.sum(axis=1)[:, None] * joint.sum(axis=0)[None]
    scale = joint.sum(axis=(0, 1)) ** 2
    return bool((np.abs(both - apart) / scale < 1e-9).all())


@pytest.mark.parametrize("seed", range(12))
def test_separated_is_what_random_tables_make_independent(seed):
    rng = np.random.default_rng(seed)
    n = 5 if seed % 2 else 6
    parents = random_parents(rng, n, rng.choice([0.25, 0.45]))
    network = with_random_tables(rng, parents, card=3 if n == 5 else 2)
    found = {True: 0, False: 0}
    for a, b in combinations(network.nodes, 2):
        others = [node for node in network.nodes if node not in (a, b)]
        for size in range(n - 1):
            for given in combinations(others, size):
                separated = network.d_separated(a, b, given)
                assert separated == independent(network, a, b, given), (a, b, given)
                assert separated == network.d_separated(b, a, given)
                found[separated] += 1
    assert min(found.values()) > 0


@pytest.mark.parametrize("seed", range(10))
def test_the_blanket_separates_a_node_from_all_others(seed):
    rng = np.random.default_rng(seed)
    network = with_random_tables(rng, random_parents(rng, 6, 0.35))
    for node in network.nodes:
        blanket = network.markov_blanket(node)
        for other in set(network.nodes) - {node, *blanket}:
            assert independent(network, node, other, blanket)
        for member in blanket:
            rest = [v for v in blanket if v != member]
            assert not independent(network, node, member, rest)


def test_separation_in_alarm_is_that_of_pyagrum():
    if data_folder() is None or not (data_folder() / "networks").is_dir():
        pytest.skip("no folder of networks: set BAYESGROVE_DATA to one that has them")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its import warns
        gum = pytest.importorskip("pyagrum")
    from bayesgrove.network.files import read_network

    network = read_network(data_folder() / "networks" / "alarm.bif.gz")
    other = gum.BayesNet()
    for node in network.nodes:
        other.add(gum.LabelizedVariable(node, "", 2))
    for parent, child in network.arcs:
        other.addArc(parent, child)
    rng = np.random.default_rng(0)
    found = {True: 0, False: 0}
    for _ in range(1500):
        size = rng.integers(2, 9)
        a, b, *given = map(str, rng.choice(network.nodes, size, replace=False))
        separated = network.d_separated(a, b, given)
        assert separated == other.isIndependent(a, b, given), (a, b, given)
        found[separated] += 1
    assert min(found.values()) > 200


def test_a_chain_of_ten_thousand():
    n = 10_000
    network = BayesianNetwork.from_tables(
        {f"n{v}": (0, 1) for v in range(n)},
        {f"n{v}": (f"n{v + 1}",) for v in range(n - 1)},
        {f"n{v}": [[0.9, 0.1], [0.2, 0.8]] for v in range(n - 1)} | {f"n{n - 1}": [0.5, 0.5]},
    )
    assert network.topological_order() == tuple(f"n{v}" for v in reversed(range(n)))
    assert not network.d_separated("n0", f"n{n - 1}")
    assert network.d_separated("n0", f"n{n - 1}", ["n5000"])


def test_nodes_that_cannot_be_asked_about():
    network = fork()
    with pytest.raises(ValueError, match="'a' and 'a' must be two nodes"):
        network.d_separated("a", "a")
    for first, second in (("a", "b"), ("b", "a")):
        with pytest.raises(ValueError, match="not given"):
            network.d_separated(first, second, ["b"])
    for ask in (
        lambda: network.d_separated("a", "x"),
        lambda: network.d_separated("x", "a"),
        lambda: network.d_separated("a", "b", ["x"]),
        lambda: network.children("x"),
        lambda: network.markov_blanket("x"),
        lambda: network.marginals({"x": 0}),
        lambda: network.most_probable({"x": 0}),
    ):
        with pytest.raises(ValueError, match="'x' is not a node"):
            ask()
    for ask in (network.marginals, network.most_probable, lambda e: network.posterior("a", e)):
        with pytest.raises(ValueError, match=r"2 is not a state of 'b'.*\[0, 1\]"):
            ask({"b": 2})


# Networks written down wrongly

STATES = {"a": ("yes", "no"), "b": ("low", "mid", "high"), "c": (0, 1)}
PARENTS = {"b": ("a",), "c": ("b", "a")}
TABLES = {
    "a": [0.25, 0.75],
    "b": [[0.5, 0.25, 0.25], [0.0, 0.0, 1.0]],
    "c": [[[0.5, 0.5], [0.1, 0.9]], [[1.0, 0.0], [0.3, 0.7]], [[0.2, 0.8], [0.6, 0.4]]],
}


def test_axes_are_the_parents_as_given():
    network = BayesianNetwork.from_tables(STATES, PARENTS, TABLES)
    assert network.nodes == ("a", "b", "c")
    assert network.class_node == "c"
    assert network.parents("c") == ("a", "b")
    expected = np.swapaxes(np.array(TABLES["c"]), 0, 1)
    assert (np.asarray(network.table("c")) == expected).all()
    assert network.posterior("c", {"a": "no", "b": "high"}) == pytest.approx({0: 0.6, 1: 0.4})
    assert network.posterior("c", {"a": "yes", "b": "high"}) == pytest.approx({0: 0.2, 1: 0.8})


def test_the_class_as_a_parent_comes_last():
    tables = {"x": np.array(TABLES["c"]), "b": [0.5, 0.25, 0.25], "goal": [0.5, 0.5]}
    network = BayesianNetwork.from_tables(
        {"x": (0, 1), "b": STATES["b"], "goal": ("u", "v")}, {"x": ("b", "goal")}, tables
    )
    other = BayesianNetwork.from_tables(
        {"x": (0, 1), "b": STATES["b"], "goal": ("u", "v")},
        {"x": ("goal", "b")},
        tables | {"x": np.swapaxes(tables["x"], 0, 1)},
    )
    assert network.parents("x") == other.parents("x") == ("b", "goal")
    assert (np.asarray(network.table("x")) == tables["x"]).all()
    assert network == other
    assert network.posterior("x", {"goal": "v", "b": "mid"}) == pytest.approx({0: 0.3, 1: 0.7})


def broken(**changes):
    """States, parents and tables with some entries changed; None removes one."""
    parts = {"states": dict(STATES), "parents": dict(PARENTS), "tables": dict(TABLES)}
    for part, entries in changes.items():
        for name, value in entries.items():
            parts[part][name] = value
            if value is None:
                del parts[part][name]
    return parts


BROKEN = {
    "a cycle": (broken(parents={"a": ("c",)}), "cycle"),
    "its own parent": (broken(parents={"a": ("a",)}), r"cycle: 'a' -> 'a'"),
    "unknown parent": (
        broken(parents={"b": ("z",)}),
        "'b' has the parent 'z', which is not a node",
    ),
    "parents of no node": (broken(parents={"z": ("a",)}), "'z' has parents but is not a node"),
    "doubled parent": (broken(parents={"c": ("a", "a")}), "'c' has the parent 'a' more than once"),
    "doubled state": (
        broken(states={"b": ("low", "mid", "low")}),
        "'b' has the state 'low' more than once",
    ),
    "equal states": (broken(states={"c": (1, True)}), "'c' has the state True more than once"),
    "no states": (broken(states={"a": ()}), "'a' has no states"),
    "None first": (broken(states={"a": (None, "no")}), "None.*must be the last state of 'a'"),
    "None twice": (broken(states={"a": (None, None)}), "'a' has the state None more than once"),
    "no table": (broken(tables={"b": None}), "'b' has no table"),
    "table of no node": (broken(tables={"z": [1.0]}), "table for 'z', which is not a node"),
    "too short": (broken(tables={"a": [1.0]}), r"'a' has the shape \(1,\).*need \(2,\)"),
    "axes swapped": (
        broken(tables={"b": np.array(TABLES["b"]).T}),
        r"'b' has the shape \(3, 2\).*need \(2, 3\)",
    ),
    "axis missing": (broken(tables={"c": [0.5, 0.5]}), r"'c' has the shape \(2,\)"),
    "one axis more": (broken(tables={"a": [[0.25, 0.75]]}), r"'a' has the shape \(1, 2\)"),
    "sum": (
        broken(tables={"b": [[0.5, 0.25, 0.25], [0.5, 0.5, 0.5]]}),
        r"'b' sum to 1\.5, not to 1.*number 1\)",
    ),
    "sum of a root": (broken(tables={"a": [0.25, 0.7]}), r"'a' sum to 0\.95, not to 1\."),
    "zeros": (broken(tables={"a": [0, 0]}), "'a' sum to 0, not to 1"),
    "negative": (broken(tables={"a": [-0.25, 1.25]}), "'a' has entries that are not probabilities"),
    "nan": (broken(tables={"a": [math.nan, 1.0]}), "'a' has entries that are not probabilities"),
    "infinite": (
        broken(tables={"a": [math.inf, 0.0]}),
        "'a' has entries that are not probabilities",
    ),
    "words": (broken(tables={"a": ["x", "y"]}), "'a' has entries that are not numbers"),
    "ragged": (broken(tables={"b": [[1.0], [0.5, 0.5]]}), "'b' has entries that are not numbers"),
    "nothing": (broken(tables={"a": [None, 1.0]}), "'a' has entries that are not"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_wrong_is_said_of_the_node(case):
    parts, message = BROKEN[case]
    with pytest.raises(NodeError, match=message) as caught:
        BayesianNetwork.from_tables(**parts)
    assert caught.value.node in {*STATES, "z"}
    assert isinstance(caught.value, ValueError)


def test_no_nodes():
    with pytest.raises(ValueError, match="at least one node"):
        BayesianNetwork.from_tables({}, {}, {})


@pytest.mark.parametrize("seed", range(20))
def test_the_cycle_that_is_named_is_one(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    names = [f"n{v}" for v in range(n)]
    parents = {name: rng.choice(names, rng.integers(0, 3), replace=False) for name in names}
    ring = rng.permutation(names)[: rng.integers(1, n + 1)]
    for parent, child in pairwise([*ring, ring[0]]):
        parents[child] = list({*parents[child], parent})
    with pytest.raises(NodeError, match="make a cycle") as caught:
        BayesianNetwork.from_tables(
            dict.fromkeys(names, (0, 1)), parents, {name: [0.5, 0.5] for name in names}
        )
    arrows = str(caught.value).split("cycle: ")[1].rstrip(".").replace("'", "").split(" -> ")
    assert arrows[0] == arrows[-1]
    assert len(arrows) >= 2
    assert len(set(arrows)) == len(arrows) - 1
    assert all(parent in parents[child] for parent, child in pairwise(arrows))


def test_a_table_of_forty_parents_is_refused_at_once():
    states = {f"p{v}": (0, 1, 2, 3) for v in range(40)} | {"goal": (0, 1)}
    tables = {f"p{v}": [0.25] * 4 for v in range(40)} | {"goal": [0.5, 0.5]}
    start = time.perf_counter()
    with pytest.raises(ValueError, match=r"'goal' has 40 parents and a table of 2\.42e\+24 cells"):
        BayesianNetwork.from_tables(states, {"goal": tuple(states)[:-1]}, tables)
    assert time.perf_counter() - start < 1


def test_a_table_that_memory_has_no_room_for_is_refused_at_once():
    states = {f"p{v}": (0, 1, 2, 3) for v in range(25)} | {"goal": (0, 1)}
    tables = {f"p{v}": [0.25] * 4 for v in range(25)} | {"goal": [0.5, 0.5]}
    with pytest.raises(MemoryError, match=r"table of 'goal' would need [\d.e+]+ GB"):
        BayesianNetwork.from_tables(states, {"goal": tuple(states)[:-1]}, tables)


def test_rounded_tables_are_kept_as_they_are():
    rounded = [0.333, 0.333, 0.333]
    network = BayesianNetwork.from_tables({"a": (0, 1, 2)}, {}, {"a": rounded})
    assert np.asarray(network.table("a")).tolist() == rounded
    assert network.posterior("a") == pytest.approx({0: 1 / 3, 1: 1 / 3, 2: 1 / 3})


def test_the_tables_given_are_not_kept_by_reference():
    own = np.array([0.25, 0.75])
    network = BayesianNetwork.from_tables({"a": ("u", "v")}, {}, {"a": own})
    own[:] = [1.0, 0.0]
    assert network.posterior("a") == pytest.approx({"u": 0.25, "v": 0.75}, abs=1e-15)


def test_what_is_written_into_an_array_of_a_table_does_not_reach_the_network():
    network = BayesianNetwork.from_tables(STATES, PARENTS, TABLES)
    for cells in (np.asarray(network.table("a")), network.table("a").dense()):
        if cells.flags.writeable:
            cells[:] = [1.0, 0.0]
    assert network.posterior("a") == pytest.approx({"yes": 0.25, "no": 0.75}, abs=1e-15)


# Equality


def single(*states):
    return BayesianNetwork.from_tables(
        {"x": states}, {}, {"x": np.full(len(states), 1 / len(states))}
    )


def test_labels_of_different_types_are_different():
    alike = [single(1, 0), single("1", "0"), single(True, False), single(1.0, 0.0)]
    for k, network in enumerate(alike):
        assert [network == other for other in alike] == [k == j for j in range(4)]
    assert single(1, 0) == single(1, 0)
    assert hash(single(1, 0)) == hash(single(1, 0))
    assert len({*alike, *alike, single("1", "0")}) == 4
    assert single("a", None) != single("a", "None")


def test_equal_is_what_has_the_same_nodes_arcs_and_probabilities():
    network = BayesianNetwork.from_tables(STATES, PARENTS, TABLES)
    assert network == BayesianNetwork.from_tables(STATES, PARENTS, TABLES)
    assert network != "a network"
    assert network != BayesianNetwork.from_tables(
        STATES, PARENTS, TABLES | {"a": [0.25 + 1e-9, 0.75 - 1e-9]}
    )
    backwards = dict(reversed(STATES.items()))
    assert network != BayesianNetwork.from_tables(backwards, PARENTS, TABLES)
    renamed = STATES | {"a": ("no", "yes")}
    assert network != BayesianNetwork.from_tables(renamed, PARENTS, TABLES)
    flat = {"a": TABLES["a"], "b": TABLES["b"], "c": [0.5, 0.5]}
    without = BayesianNetwork.from_tables(STATES, {"b": ("a",)}, flat)
    useless = np.broadcast_to([0.5, 0.5], (3, 2, 2))
    assert without != BayesianNetwork.from_tables(STATES, PARENTS, flat | {"c": useless})


def with_observed(card, seen, rows, default, parents=2):
    """Parents with ``card`` states and a child with a table of what was observed."""
    structure = Structure(((),) * parents + (tuple(range(parents)),))
    configurations = Configurations.observed(np.array(seen), (card,) * parents)
    tables = [
        *(
            ConditionalTable(
                structure.family(v), Configurations(()), np.full((1, 1, card), 1 / card)
            )
            for v in range(parents)
        ),
        ConditionalTable(
            structure.family(parents), configurations, np.array([*rows, default])[:, None, :]
        ),
    ]
    names = [*(f"p{v}" for v in range(parents)), "x"]
    states = [*(tuple(range(card)) for _ in range(parents)), (0, 1)]
    return BayesianNetwork(names, states, structure, tables)


def test_sparse_and_whole_tables_of_the_same_probabilities_are_equal():
    sparse = with_observed(3, [[0, 1], [2, 2]], [[0.1, 0.9], [0.3, 0.7]], [0.5, 0.5])
    cells = np.full((3, 3, 2), 0.5)
    cells[0, 1], cells[2, 2] = [0.1, 0.9], [0.3, 0.7]
    states = {"p0": (0, 1, 2), "p1": (0, 1, 2), "x": (0, 1)}
    roots = {"p0": np.full(3, 1 / 3), "p1": np.full(3, 1 / 3)}
    dense = BayesianNetwork.from_tables(states, {"x": ("p0", "p1")}, roots | {"x": cells})
    assert sparse == dense
    assert dense == sparse
    assert hash(sparse) == hash(dense)
    padded = with_observed(
        3, [[0, 1], [1, 1], [2, 2]], [[0.1, 0.9], [0.5, 0.5], [0.3, 0.7]], [0.5, 0.5]
    )
    assert sparse == padded
    assert sparse != with_observed(3, [[0, 1], [2, 2]], [[0.1, 0.9], [0.4, 0.6]], [0.5, 0.5])
    assert sparse != with_observed(3, [[0, 1], [2, 1]], [[0.1, 0.9], [0.3, 0.7]], [0.5, 0.5])
    assert sparse != with_observed(3, [[0, 1], [2, 2]], [[0.1, 0.9], [0.3, 0.7]], [0.6, 0.4])


def test_sparse_tables_of_many_parents_can_be_compared():
    first, other = [[0] * 40], [[1] * 40]
    sparse = with_observed(4, first, [[0.1, 0.9]], [0.5, 0.5], parents=40)
    assert sparse == with_observed(4, first, [[0.1, 0.9]], [0.5, 0.5], parents=40)
    assert sparse != with_observed(4, first, [[0.2, 0.8]], [0.5, 0.5], parents=40)
    assert sparse != with_observed(4, other, [[0.1, 0.9]], [0.5, 0.5], parents=40)
    both = with_observed(4, first + other, [[0.1, 0.9], [0.5, 0.5]], [0.5, 0.5], parents=40)
    assert sparse == both
