"""Exact inference against enumeration, exact fractions and pyAgrum."""

import math
import time
import warnings
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from bayesgrove import KDBClassifier, NaiveBayesClassifier, TANClassifier
from bayesgrove.counts import Configurations
from bayesgrove.datasets import data_folder
from bayesgrove.encoding import Encoded, MemoryLimitError, UnseenValueWarning, code_type
from bayesgrove.network import (
    BayesianNetwork,
    ConditionalTable,
    Structure,
    inference,
    sum_out_missing,
)

TOLERANCE = 1e-12


def random_rows(rng, shape, hard):
    """Distributions along the last axis; hard: some cells are zero, some rows deterministic."""
    rows = rng.dirichlet(np.full(shape[-1], rng.choice([0.3, 1.0, 5.0])), size=shape[:-1])
    rows = np.maximum(rows, 1e-8)
    if hard:
        rows *= rng.random(shape) < 0.6
        rows[rng.random(shape[:-1]) < 0.2] = 0.0
        empty = rows.sum(axis=-1) == 0
        rows[empty] = np.eye(shape[-1])[rng.integers(shape[-1], size=shape[:-1])][empty]
    return rows / rows.sum(axis=-1, keepdims=True)


def random_parts(rng, *, hard=False, most=6, cards=(1, 2, 3, 4), most_parents=5):
    """States, parents and tables; nodes and parents come in any order."""
    names = [f"n{v}" for v in range(rng.integers(1, most + 1))]
    states = {name: tuple(f"s{k}" for k in range(rng.choice(cards))) for name in names}
    before = rng.permutation(names).tolist()
    density = rng.random()
    parents = {}
    for at, name in enumerate(before):
        chosen = [parent for parent in before[:at] if rng.random() < density]
        parents[name] = tuple(rng.permutation(chosen).tolist()[:most_parents])
    tables = {
        name: random_rows(rng, [len(states[v]) for v in (*parents[name], name)], hard)
        for name in names
    }
    return states, parents, tables


def enumerate_joint(states, parents, tables):
    """``P`` of every combination of states, one axis a node."""
    place = {name: axis for axis, name in enumerate(states)}
    factors = []
    for name, table in tables.items():
        factors += [np.asarray(table), [place[v] for v in (*parents.get(name, ()), name)]]
    return np.einsum(*factors, list(range(len(states))))


def joint_of(network):
    """The same from a network's own tables."""
    nodes = network.nodes
    return enumerate_joint(
        {node: network.states(node) for node in nodes},
        {node: network.parents(node) for node in nodes},
        {node: np.asarray(network.table(node)) for node in nodes},
    )


def random_evidence(rng, states):
    share = rng.choice([0.0, 0.3, 0.6, 1.0])
    return {
        name: own[rng.integers(len(own))] for name, own in states.items() if rng.random() < share
    }


def agreeing(joint, states, evidence):
    """The joint with zeros wherever it contradicts the evidence."""
    allowed = np.zeros_like(joint)
    cell = tuple(
        own.index(evidence[name]) if name in evidence else slice(None)
        for name, own in states.items()
    )
    allowed[cell] = joint[cell]
    return allowed


def margin(joint, axis):
    sums = joint.sum(axis=tuple(a for a in range(joint.ndim) if a != axis))
    return sums / sums.sum()


def check_answers(network, states, joint, evidence, query):
    """Every kind of answer that a network gives, against the joint."""
    allowed = agreeing(joint, states, evidence)
    total = allowed.sum()
    if total == 0:
        for ask in (
            lambda: network.posterior(query, evidence),
            lambda: network.marginals(evidence),
            lambda: network.most_probable(evidence),
        ):
            with pytest.raises(ValueError, match="probability 0"):
                ask()
        return
    names = list(states)
    posterior = network.posterior(query, evidence)
    assert tuple(posterior) == states[query]
    expected = margin(allowed, names.index(query))
    assert_allclose(list(posterior.values()), expected, rtol=0, atol=TOLERANCE)
    marginals = network.marginals(evidence)
    assert list(marginals) == names
    assert [tuple(own) for own in marginals.values()] == list(states.values())
    values = [p for own in marginals.values() for p in own.values()]
    expected = np.concatenate([margin(allowed, axis) for axis in range(len(names))])
    assert_allclose(values, expected, rtol=0, atol=TOLERANCE)
    best, log_probability = network.most_probable(evidence)
    assert list(best) == names
    assert evidence.items() <= best.items()
    assert log_probability == pytest.approx(math.log(allowed.max()), rel=0, abs=TOLERANCE)
    attained = joint[tuple(states[name].index(best[name]) for name in names)]
    assert attained == pytest.approx(allowed.max(), rel=TOLERANCE, abs=0)


@pytest.mark.parametrize("seed", range(20))
def test_a_hundred_random_networks_equal_enumeration(seed):
    rng = np.random.default_rng(seed)
    for number in range(100):
        states, parents, tables = random_parts(rng, hard=number % 3 == 0)
        network = BayesianNetwork.from_tables(states, parents, tables)
        joint = enumerate_joint(states, parents, tables)
        evidences = [random_evidence(rng, states) for _ in range(2)]
        for evidence in evidences:
            query = str(rng.choice(list(states)))
            check_answers(network, states, joint, evidence, query)
        rows = pd.DataFrame(
            [[evidence.get(name) for name in states] for evidence in evidences],
            columns=list(states),
            dtype=object,
        )
        with np.errstate(divide="ignore"):
            expected = np.log([agreeing(joint, states, e).sum() for e in evidences])
        assert_allclose(network.log_probability(rows), expected, rtol=0, atol=TOLERANCE)


def test_the_networks_above_cover_what_they_should():
    rng = np.random.default_rng(0)
    kinds = set()
    for number in range(300):
        states, parents, tables = random_parts(rng, hard=number % 3 == 0)
        evidence = random_evidence(rng, states)
        total = agreeing(enumerate_joint(states, parents, tables), states, evidence).sum()
        kinds.add("impossible" if total == 0 else "possible")
        kinds |= {f"{len(states)} nodes", f"{len(evidence)} known"}
        kinds |= {f"{len(own)} states" for own in states.values()}
        kinds |= {f"{len(own)} parents" for own in parents.values()}
        kinds |= {"sure" for table in tables.values() if table.shape[-1] > 1 and (table == 1).any()}
        if total and (evidence.keys() == states.keys()):
            kinds.add("all known")
    assert kinds == {
        *("impossible", "possible", "sure", "all known"),
        *(f"{n} nodes" for n in range(1, 7)),
        *(f"{n} known" for n in range(7)),
        *(f"{n} states" for n in range(1, 5)),
        *(f"{n} parents" for n in range(6)),
    }


# Data frames


@pytest.mark.parametrize("seed", range(15))
def test_log_probability_of_rows_with_holes_and_absent_columns(seed):
    rng = np.random.default_rng(seed)
    states, parents, tables = random_parts(rng, hard=seed % 2 == 0)
    network = BayesianNetwork.from_tables(states, parents, tables)
    joint = enumerate_joint(states, parents, tables)
    columns = [name for name in rng.permutation(list(states)).tolist() if rng.random() < 0.8]
    columns = columns or [network.class_node]
    rows = [
        {
            name: states[name][rng.integers(len(states[name]))]
            for name in columns
            if rng.random() < 0.6
        }
        for _ in range(40)
    ]
    frame = pd.DataFrame([[row.get(name) for name in columns] for row in rows], columns=columns)
    with np.errstate(divide="ignore"):
        expected = np.log([agreeing(joint, states, row).sum() for row in rows])
    actual = network.log_probability(frame)
    assert_allclose(actual, expected, rtol=0, atol=TOLERANCE)
    assert network.log_likelihood(frame) == pytest.approx(expected.sum(), rel=1e-13)


def sprinkler():
    """Four nodes of two states; the class, the last one, is a child."""
    states = dict.fromkeys(("cloudy", "sprinkler", "rain", "wet"), ("no", "yes"))
    parents = {"sprinkler": ("cloudy",), "rain": ("cloudy",), "wet": ("sprinkler", "rain")}
    tables = {
        "cloudy": [0.5, 0.5],
        "sprinkler": [[0.5, 0.5], [0.9, 0.1]],
        "rain": [[0.8, 0.2], [0.2, 0.8]],
        "wet": [[[1.0, 0.0], [0.1, 0.9]], [[0.1, 0.9], [0.01, 0.99]]],
    }
    return BayesianNetwork.from_tables(states, parents, tables)


def test_the_sprinkler_by_hand():
    network = sprinkler()
    # P(sprinkler, wet) = sum over cloudy and rain: 0.1890 and 0.0891
    wet = 0.5 * (0.5 * 0.2 * 0.9 + 0.5 * 0.8 * 0.9 + 0.5 * 0.2 * 0.99) + 0.5 * (
        0.9 * 0.8 * 0.9 + 0.1 * 0.2 * 0.9 + 0.1 * 0.8 * 0.99
    )
    watered = 0.5 * (0.5 * 0.8 * 0.9 + 0.5 * 0.2 * 0.99) + 0.5 * (
        0.1 * 0.2 * 0.9 + 0.1 * 0.8 * 0.99
    )
    assert wet == pytest.approx(0.6471)
    assert watered == pytest.approx(0.2781)
    assert network.posterior("sprinkler", {"wet": "yes"})["yes"] == pytest.approx(0.2781 / 0.6471)
    assert network.marginals()["wet"]["yes"] == pytest.approx(0.6471)
    best, log_probability = network.most_probable({"wet": "yes"})
    assert best == {"cloudy": "yes", "sprinkler": "no", "rain": "yes", "wet": "yes"}
    assert log_probability == pytest.approx(math.log(0.5 * 0.9 * 0.8 * 0.9))
    frame = pd.DataFrame({"wet": ["yes", "no", None], "sprinkler": ["yes", None, None]})
    expected = np.log([0.2781, 1 - 0.6471, 1.0])
    assert_allclose(network.log_probability(frame), expected, rtol=0, atol=1e-14)
    assert network.log_likelihood(frame) == pytest.approx(expected.sum())


@pytest.mark.parametrize("goal", [["yes", "no", "yes"], ["yes", None, "no"], [None] * 3, None])
def test_the_class_column_may_have_holes_or_be_absent(goal):
    network = sprinkler()
    joint = joint_of(network)
    frame = pd.DataFrame({"cloudy": ["no", None, "yes"], "rain": [None, "yes", "no"]}, dtype=object)
    if goal is not None:
        frame["wet"] = pd.Series(goal, dtype=object)
    states = {node: network.states(node) for node in network.nodes}
    expected = [
        math.log(agreeing(joint, states, {k: v for k, v in row.items() if v is not None}).sum())
        for row in frame.astype(object).to_dict("records")
    ]
    assert_allclose(network.log_probability(frame), expected, rtol=0, atol=TOLERANCE)


def test_data_frames_that_do_not_fit_are_refused_by_name():
    network = sprinkler()
    with pytest.raises(ValueError, match="'snow' is not a node"):
        network.log_probability(pd.DataFrame({"wet": ["yes"], "snow": ["no"]}))
    with pytest.raises(ValueError, match=r"'maybe' is not a state of 'rain'"):
        network.log_likelihood(pd.DataFrame({"wet": ["yes", "no"], "rain": ["yes", "maybe"]}))
    with pytest.raises(ValueError, match=r"'damp' is not a state of 'wet'"):
        network.log_probability(pd.DataFrame({"wet": ["damp"]}))
    with pytest.raises(ValueError, match="data frame"):
        network.log_probability(np.array([["yes", "no"]]))


def test_rows_without_probability():
    network = sprinkler()
    dry = pd.DataFrame({"sprinkler": ["no"], "rain": ["no"], "wet": ["yes"]})
    assert network.log_probability(dry).tolist() == [-math.inf]
    assert network.log_likelihood(dry) == -math.inf


@pytest.mark.parametrize(
    ("states", "column"),
    [
        ((0, 1), pd.Series([0, 1, 1])),
        ((0, 1), pd.Series([0.0, 1.0, None])),
        ((0.5, 1.5), pd.Series([0.5, 1.5, None])),
        ((False, True), pd.Series([False, True, True])),
        ((False, True), pd.Series([False, True, None], dtype=object)),
        (("a", None), pd.Series(["a", None, None])),
        ((3, None), pd.Series([3.0, None, 3.0])),
        ((None,), pd.Series([None, None, None], dtype=object)),
        (("a", 1), pd.Series(["a", 1, None], dtype=object)),
        (("b", "a"), pd.Series(["a", "b", None], dtype="category")),
    ],
    ids=repr,
)
def test_labels_of_any_type_are_found(states, column):
    weights = [0.3, 0.7][: len(states)] if len(states) == 2 else [1.0]
    network = BayesianNetwork.from_tables({"x": states, "y": ("u",)}, {}, {"x": weights, "y": [1]})
    expected = []
    for value in column.astype(object):
        missing = pd.isna(value)
        if missing and None not in states:
            expected.append(0.0)
        else:
            expected.append(math.log(weights[states.index(None if missing else value)]))
    frame = pd.DataFrame({"x": column})
    assert_allclose(network.log_probability(frame), expected, rtol=0, atol=1e-15)


# Published networks, against pyAgrum


def load_pyagrum():
    """pyAgrum; its import warns, which some versions do not survive as an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("pyagrum")


@cache
def published(name):
    """A network of the data folder, its rows normalised: files are rounded."""
    from bayesgrove.network.files import read_network

    raw = read_network(data_folder() / "networks" / f"{name}.bif.gz")
    tables = {node: np.asarray(raw.table(node)) for node in raw.nodes}
    return BayesianNetwork.from_tables(
        {node: raw.states(node) for node in raw.nodes},
        {node: raw.parents(node) for node in raw.nodes},
        {node: table / table.sum(axis=-1, keepdims=True) for node, table in tables.items()},
    )


@pytest.fixture
def folder_network():
    """A function from the name of a network of the data folder to the network."""
    if data_folder() is None or not (data_folder() / "networks").is_dir():
        pytest.skip("no folder of networks: set BAYESGROVE_DATA to one that has them")
    return published


def to_pyagrum(gum, network):
    """The same network there, nodes and states by number."""
    copy = gum.BayesNet()
    place = {node: str(v) for v, node in enumerate(network.nodes)}
    for node in network.nodes:
        copy.add(gum.LabelizedVariable(place[node], "", len(network.states(node))))
    for parent, child in network.arcs:
        copy.addArc(place[parent], place[child])
    for node in network.nodes:
        family = [place[v] for v in (*network.parents(node), node)]
        axes = [family.index(name) for name in reversed(copy.cpt(place[node]).names)]
        table = np.asarray(network.table(node)).transpose(axes)
        copy.cpt(place[node])[:] = np.ascontiguousarray(table)
    return copy


def drawn_evidence(rng, network, rows, most=8):
    """Some nodes of rows drawn from the network: what they say is possible."""
    for row in network.sample(rows, random_state=int(rng.integers(1 << 30))).to_dict("records"):
        known = rng.choice(network.nodes, rng.integers(0, min(most, len(row)) + 1), replace=False)
        yield {str(node): row[node] for node in known}


@pytest.mark.parametrize("name", ["asia", "child", "alarm", "insurance"])
def test_published_networks_answer_as_pyagrum_does(name, folder_network):
    gum = load_pyagrum()
    network = folder_network(name)
    engine = gum.LazyPropagation(to_pyagrum(gum, network))
    rng = np.random.default_rng(0)
    place = {node: v for v, node in enumerate(network.nodes)}
    for number, evidence in enumerate(drawn_evidence(rng, network, 200)):
        engine.setEvidence(
            {str(place[k]): network.states(k).index(state) for k, state in evidence.items()}
        )
        query = str(rng.choice(network.nodes))
        expected = engine.posterior(str(place[query])).toarray()
        actual = list(network.posterior(query, evidence).values())
        assert_allclose(actual, expected, rtol=0, atol=1e-9)
        if number % 10:
            continue
        for node, values in network.marginals(evidence).items():
            expected = engine.posterior(str(place[node])).toarray()
            assert_allclose(list(values.values()), expected, rtol=0, atol=1e-9)
        logs = network.log_probability(pd.DataFrame([evidence])) if evidence else [0.0]
        assert logs[0] == pytest.approx(math.log(engine.evidenceProbability()), abs=1e-9)


@pytest.mark.parametrize("name", ["asia", "child", "alarm", "insurance"])
def test_most_probable_states_are_those_of_pyagrum(name, folder_network):
    gum = load_pyagrum()
    network = folder_network(name)
    copy = to_pyagrum(gum, network)
    rng = np.random.default_rng(1)
    place = {node: v for v, node in enumerate(network.nodes)}
    compared = 0
    for evidence in drawn_evidence(rng, network, 200, most=len(network.nodes)):
        best, log_probability = network.most_probable(evidence)
        assert evidence.items() <= best.items()
        assert log_joint(network, best) == pytest.approx(log_probability, abs=1e-9)
        engine = gum.LazyPropagation(copy)
        engine.setEvidence(
            {str(place[k]): network.states(k).index(state) for k, state in evidence.items()}
        )
        try:
            their = engine.mpe()
        except gum.FatalError:  # pyAgrum 3.3 gives up on many networks: "Empty tensor"
            continue
        states = {node: network.states(node)[their[str(v)]] for node, v in place.items()}
        assert log_probability == pytest.approx(log_joint(network, states), abs=1e-9)
        compared += 1
    assert compared >= 30


def log_joint(network, states):
    """``ln P`` of a state of every node, table by table."""
    total = 0.0
    for node in network.nodes:
        family = [*network.parents(node), node]
        total += math.log(
            np.asarray(network.table(node))[*(network.states(v).index(states[v]) for v in family)]
        )
    return total


@pytest.mark.parametrize(("name", "count"), [("pigs", 60), ("water", 32)])
def test_marginals_of_large_networks_are_their_posteriors(name, count, folder_network):
    network = folder_network(name)
    rng = np.random.default_rng(0)
    for evidence in drawn_evidence(rng, network, 2, most=10):
        marginals = network.marginals(evidence)
        for node in rng.choice(network.nodes, count, replace=False).tolist():
            expected = list(network.posterior(node, evidence).values())
            assert_allclose(list(marginals[node].values()), expected, rtol=0, atol=1e-9)


# Tables of observed configurations


def observed_only(rng, network):
    """The network with tables of a few observed configurations; all others have one default."""
    tables = []
    for number, node in enumerate(network.nodes):
        table = network.table(node)
        if not table.cards:
            tables.append(table)
            continue
        cells = np.array(table.probabilities).reshape(*table.cards, *table.probabilities.shape[1:])
        seen = np.stack([rng.integers(0, card, 5) for card in table.cards], axis=1)
        kept = Configurations.observed(seen, table.cards)
        rows = cells[tuple(kept.table.T)]
        default = cells[(0,) * len(table.cards)]
        both = np.concatenate([rows, default[None]])
        tables.append(ConditionalTable(network.structure.family(number), kept, both))
    states = [network.states(node) for node in network.nodes]
    return BayesianNetwork(network.nodes, states, network.structure, tables)


@pytest.mark.parametrize("whole_cells", [0, 1 << 16], ids=["kept", "made whole"])
@pytest.mark.parametrize("seed", range(8))
def test_tables_of_observed_configurations_equal_enumeration(seed, whole_cells, monkeypatch):
    monkeypatch.setattr(inference, "WHOLE_CELLS", whole_cells)
    rng = np.random.default_rng(seed)
    for number in range(20):
        parts = random_parts(rng, hard=number % 3 == 0)
        network = observed_only(rng, BayesianNetwork.from_tables(*parts))
        joint = joint_of(network)
        for _ in range(3):
            evidence = random_evidence(rng, parts[0])
            query = str(rng.choice(network.nodes))
            check_answers(network, parts[0], joint, evidence, query)


def test_a_table_that_could_never_be_whole():
    """Forty parents of four states; two configurations were observed."""
    structure = Structure(((),) * 40 + (tuple(range(40)),))
    seen = np.array([[0] * 40, [1, 2] * 20])
    rows = np.array([[0.25, 0.75], [1.0, 0.0], [0.5, 0.5]])
    root = np.array([[[0.1, 0.2, 0.3, 0.4]]])
    network = BayesianNetwork(
        [*(f"p{v}" for v in range(40)), "x"],
        [(0, 1, 2, 3)] * 40 + [("no", "yes")],
        structure,
        [
            *(
                ConditionalTable(structure.family(v), Configurations(()), root.copy())
                for v in range(40)
            ),
            ConditionalTable(
                structure.family(40), Configurations.observed(seen, (4,) * 40), rows[:, None, :]
            ),
        ],
    )
    first = dict.fromkeys(network.nodes[:-1], 0)
    assert network.posterior("x", first) == pytest.approx({"no": 0.25, "yes": 0.75})
    assert network.posterior("x", first | {"p7": 3}) == pytest.approx({"no": 0.5, "yes": 0.5})
    # P(p7, x="yes" | the others) is 0.1 * 0.75 for the first state, 0.5 times the prior elsewhere
    del first["p7"]
    weights = np.array([0.1 * 0.75, 0.2 * 0.5, 0.3 * 0.5, 0.4 * 0.5])
    expected = weights / weights.sum()
    answer = network.posterior("p7", first | {"x": "yes"})
    assert_allclose(list(answer.values()), expected, rtol=0, atol=TOLERANCE)
    marginals = network.marginals(first | {"x": "yes"})
    assert_allclose(list(marginals["p7"].values()), expected, rtol=0, atol=TOLERANCE)
    states, log_probability = network.most_probable(first | {"x": "yes"})
    assert states["p7"] == 3
    assert log_probability == pytest.approx(39 * math.log(0.1) + math.log(0.4 * 0.5))
    frame = pd.DataFrame([first | {"x": "yes"}])
    total = 39 * math.log(0.1) + math.log(weights.sum())
    assert network.log_probability(frame)[0] == pytest.approx(total, rel=TOLERANCE)
    with pytest.raises(MemoryLimitError, match="would need"):
        network.posterior("x")


def densely(network):
    """The same network with whole tables."""
    return BayesianNetwork.from_tables(
        {node: network.states(node) for node in network.nodes},
        {node: network.parents(node) for node in network.nodes},
        {node: np.asarray(network.table(node)) for node in network.nodes},
    )


def test_a_classifier_with_sparse_tables_equals_the_same_with_whole_ones():
    rng = np.random.default_rng(0)
    cards = [16, 13, 17, 14, 15, 2]
    y = np.arange(300) % 3
    codes = [(y * 5 + rng.integers(0, card, 300)) % card for card in cards]
    X = pd.DataFrame({f"v{j}": [f"s{code}" for code in column] for j, column in enumerate(codes)})
    network = KDBClassifier(k=3).fit(X, pd.Series(y, name="goal")).network_
    sparse = [
        network.table(node).has_default and network.table(node).whole_cells > inference.WHOLE_CELLS
        for node in network.nodes
    ]
    assert sum(sparse) >= 2
    dense = densely(network)
    assert not any(dense.table(node).has_default for node in dense.nodes)
    assert network == dense
    for number in range(12):
        row = X.iloc[number].to_dict() | {"goal": int(y[number])}
        evidence = {k: v for k, v in row.items() if rng.random() < number / 11}
        for node in network.nodes:
            assert network.posterior(node, evidence) == pytest.approx(
                dense.posterior(node, evidence), rel=0, abs=TOLERANCE
            )
        expected = dense.marginals(evidence)
        for node, values in network.marginals(evidence).items():
            assert values == pytest.approx(expected[node], rel=0, abs=TOLERANCE)
        best, log_probability = network.most_probable(evidence)
        assert log_probability == pytest.approx(dense.most_probable(evidence)[1], abs=TOLERANCE)
        assert log_joint(dense, best) == pytest.approx(log_probability, abs=TOLERANCE)
    holed = X[:40].mask(rng.random((40, len(cards))) < 0.4)
    assert_allclose(network.log_probability(holed), dense.log_probability(holed), atol=TOLERANCE)


# Numbers that are too small


def wide_naive_bayes(rng, n, hard):
    """Three classes and n attributes; hard: the last one excludes the class in the lead."""
    states = {f"x{j}": (0, 1, 2) for j in range(n)} | {"goal": ("a", "b", "c")}
    parents = {f"x{j}": ("goal",) for j in range(n)}
    tables = {f"x{j}": random_rows(rng, (3, 3), hard=False) for j in range(n)}
    tables["goal"] = np.array([0.25, 0.25, 0.5])
    codes = rng.integers(0, 3, n).tolist()
    for j in range(n):
        tables[f"x{j}"][0, codes[j]] += 1.0  # makes "a" the likely one
        tables[f"x{j}"][0] /= tables[f"x{j}"][0].sum()
    if hard:
        tables[f"x{n - 1}"][0] = np.where(np.arange(3) == codes[-1], 0.0, 0.5)
    return states, parents, tables, codes


def exact_product(numbers):
    """The product without rounding; a float is a whole number over a power of two."""
    above, below = 1, 1
    for number in numbers:
        a, b = float(number).as_integer_ratio()
        above, below = above * a, below * b
    return Fraction(above, below)


@pytest.mark.parametrize("hard", [False, True], ids=["soft", "the leader excluded at last"])
def test_three_thousand_attributes_do_not_underflow(hard):
    rng = np.random.default_rng(0)
    *parts, codes = wide_naive_bayes(rng, 3000, hard)
    tables = parts[-1]
    network = BayesianNetwork.from_tables(*parts)
    products = [
        exact_product([prior, *(tables[f"x{j}"][c, code] for j, code in enumerate(codes))])
        for c, prior in enumerate(tables["goal"])
    ]
    total = sum(products)
    assert 0 < total < Fraction(2) ** -1100
    leader = 0.0 if hard else 1.0
    assert float(products[0] / total) == leader
    evidence = {f"x{j}": code for j, code in enumerate(codes)}
    expected = [float(p / total) for p in products]
    for answer in (network.posterior("goal", evidence), network.marginals(evidence)["goal"]):
        assert_allclose(list(answer.values()), expected, rtol=1e-9, atol=1e-300)
    log_total = math.log(total.numerator) - math.log(total.denominator)
    frame = pd.DataFrame([evidence])
    assert network.log_probability(frame)[0] == pytest.approx(log_total, rel=TOLERANCE)
    best = max(range(3), key=products.__getitem__)
    states, log_probability = network.most_probable(evidence)
    assert states["goal"] == "abc"[best]
    top = products[best]
    log_top = math.log(top.numerator) - math.log(top.denominator)
    assert log_probability == pytest.approx(log_top, rel=TOLERANCE)


def test_classes_that_are_close_though_both_are_tiny():
    n = 3000
    states = {f"x{j}": (0, 1) for j in range(n)} | {"goal": ("a", "b")}
    parents = {f"x{j}": ("goal",) for j in range(n)}
    tables = {f"x{j}": [[0.25, 0.75], [0.25, 0.75]] for j in range(n)} | {"goal": [0.5, 0.5]}
    tables["x7"] = [[0.5, 0.5], [0.25, 0.75]]
    network = BayesianNetwork.from_tables(states, parents, tables)
    evidence = {f"x{j}": 0 for j in range(n)}
    expected = {"a": 2 / 3, "b": 1 / 3}
    assert network.posterior("goal", evidence) == pytest.approx(expected, rel=0, abs=1e-11)
    assert network.marginals(evidence)["goal"] == pytest.approx(expected, rel=0, abs=1e-11)
    del evidence["x9"]
    for answer in (network.posterior("x9", evidence), network.marginals(evidence)["x9"]):
        assert answer == pytest.approx({0: 0.25, 1: 0.75}, rel=0, abs=1e-11)


def hidden_chain(length):
    """A chain of hidden nodes, each with a child that can be observed; halves and sixteenths."""
    states, parents, tables = {}, {}, {}
    for t in range(length):
        states[f"h{t}"], states[f"o{t}"] = (0, 1), (0, 1, 2)
        tables[f"h{t}"] = [[13 / 16, 3 / 16], [1 / 16, 15 / 16]] if t else [0.5, 0.5]
        tables[f"o{t}"] = [[1 / 16, 3 / 16, 12 / 16], [5 / 16, 2 / 16, 9 / 16]]
        parents[f"o{t}"] = (f"h{t}",)
        if t:
            parents[f"h{t}"] = (f"h{t - 1}",)
    return states, parents, tables


@pytest.mark.parametrize("length", [1, 2, 700])
def test_long_chains_equal_forward_and_backward_in_whole_numbers(length):
    rng = np.random.default_rng(1)
    network = BayesianNetwork.from_tables(*hidden_chain(length))
    known = rng.integers(0, 3, length).tolist()
    evidence = {f"o{t}": code for t, code in enumerate(known) if t % 10}
    move, show = [[13, 3], [1, 15]], [[1, 3, 12], [5, 2, 9]]  # sixteenths

    def seen(t, h):
        return show[h][known[t]] if f"o{t}" in evidence else 16

    forward = [[seen(0, h) for h in (0, 1)]]
    for t in range(1, length):
        before = forward[-1]
        forward.append([seen(t, h) * sum(before[g] * move[g][h] for g in (0, 1)) for h in (0, 1)])
    backward = [[1, 1]]
    for t in reversed(range(1, length)):
        after = backward[-1]
        backward.append([sum(move[h][g] * seen(t, g) * after[g] for g in (0, 1)) for h in (0, 1)])
    backward.reverse()
    marginals = network.marginals(evidence)
    for t in range(length):
        weights = [f * b for f, b in zip(forward[t], backward[t], strict=True)]
        expected = [float(Fraction(w, sum(weights))) for w in weights]
        assert_allclose(list(marginals[f"h{t}"].values()), expected, rtol=0, atol=TOLERANCE)
        if t % 70 == 0:
            answer = network.posterior(f"h{t}", evidence)
            assert_allclose(list(answer.values()), expected, rtol=0, atol=TOLERANCE)
    total = sum(forward[-1])
    log_total = math.log(total) - math.log(2) - math.log(16) * (2 * length - 1)
    if evidence:
        frame = pd.DataFrame([evidence])
        assert network.log_probability(frame)[0] == pytest.approx(log_total, rel=TOLERANCE)


@pytest.mark.parametrize("length", [2, 700])
def test_the_best_path_of_a_long_chain(length):
    rng = np.random.default_rng(2)
    network = BayesianNetwork.from_tables(*hidden_chain(length))
    known = rng.integers(0, 3, length).tolist()
    move, show = [[13, 3], [1, 15]], [[1, 3, 12], [5, 2, 9]]
    best = [show[h][known[0]] for h in (0, 1)]
    for t in range(1, length):
        best = [max(best[g] * move[g][h] for g in (0, 1)) * show[h][known[t]] for h in (0, 1)]
    expected = math.log(max(best)) - math.log(2) - math.log(16) * (2 * length - 1)
    states, log_probability = network.most_probable({f"o{t}": c for t, c in enumerate(known)})
    assert log_probability == pytest.approx(expected, rel=TOLERANCE)
    assert log_joint(network, states) == pytest.approx(expected, rel=TOLERANCE)
    assert [states[f"o{t}"] for t in range(length)] == known


def test_probabilities_near_the_smallest_number():
    states = {"a": (0, 1), "b": (0, 1), "c": (0, 1)}
    tiny = 1e-300
    tables = {
        "a": [tiny, 1 - tiny],
        "b": [[tiny, 1 - tiny], [0.0, 1.0]],
        "c": [[3 * tiny, 1.0], [tiny, 1.0]],
    }
    network = BayesianNetwork.from_tables(states, {"b": ("a",), "c": ("b",)}, tables)
    # b = 0 only with a = 0; P(a=0, b=1, c=0) = tiny^2, P(a=1, b=1, c=0) = tiny
    answer = network.posterior("a", {"c": 0})
    assert answer[0] == pytest.approx(tiny, rel=1e-12, abs=0)
    assert network.posterior("a", {"b": 0, "c": 0}) == {0: 1.0, 1: 0.0}
    assert network.marginals({"b": 0, "c": 0})["a"] == {0: 1.0, 1: 0.0}
    expected = math.log(3) + 3 * math.log(tiny)
    assert network.most_probable({"b": 0, "c": 0})[1] == pytest.approx(expected, rel=1e-14)


# Networks that are too large


def tangled(roots=400, leaves=400, seed=0):
    """Roots with common children everywhere: small tables, a huge clique."""
    rng = np.random.default_rng(seed)
    states = {f"r{v}": (0, 1) for v in range(roots)} | {f"x{v}": (0, 1) for v in range(leaves)}
    parents = {
        f"x{v}": tuple(f"r{u}" for u in rng.choice(roots, 3, replace=False)) for v in range(leaves)
    }
    tables = {f"r{v}": [0.5, 0.5] for v in range(roots)}
    tables |= {f"x{v}": random_rows(rng, (2, 2, 2, 2), hard=False) for v in range(leaves)}
    return BayesianNetwork.from_tables(states, parents, tables)


@pytest.fixture
def no_work(monkeypatch):
    """Nothing may be multiplied: the size alone decides."""

    def fail(*arguments):
        raise AssertionError("the work was begun")

    for name in ("sum_product", "marginals", "max_product"):
        monkeypatch.setattr(inference.kernels, name, fail)
    posterior = inference.kernels.posterior

    def too_large(*arguments):
        assert arguments[-1] <= inference.FREE_CELLS, "the work was begun"
        return posterior(*arguments)

    monkeypatch.setattr(inference.kernels, "posterior", too_large)


@pytest.mark.parametrize("ask", ["posterior", "marginals", "most_probable", "log_probability"])
def test_more_memory_than_there_is_is_refused_at_once(ask, no_work):
    network = tangled()
    evidence = {f"x{v}": v % 2 for v in range(400)}
    start = time.perf_counter()
    arguments = {"posterior": ("r0", evidence), "log_probability": (pd.DataFrame([evidence]),)}
    with pytest.raises(MemoryLimitError, match=r"would need [\d.e+]+ GB, and \d+\.\d GB"):
        getattr(network, ask)(*arguments.get(ask, (evidence,)))
    assert time.perf_counter() - start < 15
    assert network.d_separated("r0", "r1")


def test_where_nothing_below_is_known_even_the_large_network_answers():
    network = tangled()
    assert network.posterior("r0") == {0: 0.5, 1: 0.5}
    table = np.asarray(network.table("x0"))
    expected = table.mean(axis=(0, 1, 2))
    assert_allclose(list(network.posterior("x0").values()), expected, rtol=0, atol=TOLERANCE)


def pairwise_children(rng, roots):
    """Roots that nothing is known of, with a child for every two: one clique of all of them."""
    pairs = list(combinations(range(roots), 2))
    names = [f"x{k}" for k in range(len(pairs))]
    states = dict.fromkeys((*(f"r{v}" for v in range(roots)), *names, "goal"), (0, 1))
    parents = {f"x{k}": (f"r{a}", f"r{b}") for k, (a, b) in enumerate(pairs)}
    tables = {name: [0.5, 0.5] for name in states if name not in parents}
    tables |= {name: random_rows(rng, (2, 2, 2), hard=False) for name in names}
    return BayesianNetwork.from_tables(states, parents, tables), pairs, tables


def test_the_size_and_what_is_there_are_in_the_message(monkeypatch, no_work):
    network, pairs, _ = pairwise_children(np.random.default_rng(0), 30)
    evidence = {f"x{k}": 0 for k in range(len(pairs))}
    monkeypatch.setattr("bayesgrove._utils.memory.available_memory", lambda: 1_000_000_000)
    clique = 8 * 2**30 / 1e9
    for ask in (lambda e: network.posterior("r0", e), network.marginals, network.most_probable):
        with pytest.raises(MemoryLimitError, match=r"and 1\.0 GB are available") as caught:
            ask(evidence)
        needed = float(str(caught.value).split("would need ")[1].split(" GB")[0])
        assert clique / 2 <= needed <= 5 * clique


def test_rows_are_taken_so_many_at_a_time_that_memory_suffices(monkeypatch):
    """A row needs 32 kB; all of them together would need more than there is."""
    rng = np.random.default_rng(0)
    roots, rows = 12, 1500
    network, pairs, tables = pairwise_children(rng, roots)
    codes = rng.integers(0, 2, (rows, len(pairs)))
    frame = pd.DataFrame(codes, columns=[f"x{k}" for k in range(len(pairs))])
    monkeypatch.setattr(sum_out_missing, "SUM_OUT_BYTES", 1 << 20)
    monkeypatch.setattr("bayesgrove._utils.memory.available_memory", lambda: 30_000_000)
    logs = network.log_probability(frame)
    hidden = np.indices([2] * roots).reshape(roots, -1)
    for row in (0, rows // 2, rows - 1):
        terms = np.full(2**roots, 0.5**roots)
        for k, (a, b) in enumerate(pairs):
            terms *= tables[f"x{k}"][hidden[a], hidden[b], codes[row, k]]
        assert logs[row] == pytest.approx(math.log(terms.sum()), rel=TOLERANCE)


# Row by row


def words(rng, rows, cards):
    """Columns of words; each depends on the class and on the column before it."""
    y = rng.permutation(np.arange(rows) % 3)
    codes = [y]
    for card in cards:
        mixed = np.choose(rng.integers(0, 3, rows), [codes[-1], y, rng.integers(0, card, rows)])
        mixed[:card] = np.arange(card)
        codes.append(mixed % card)
    X = pd.DataFrame(
        {
            f"v{j}": np.array(list("abcd"), dtype=object)[column]
            for j, column in enumerate(codes[1:])
        }
    )
    return X, pd.Series(np.array(["no", "or", "yes"])[y], name="goal")


def completions(network, row):
    """``P(class, row)``: the sum over all states of what the row does not know, one by one."""
    attributes = network.nodes[:-1]
    choices = [
        [row[node]] if row[node] in network.states(node) else network.states(node)
        for node in attributes
    ]
    tables = {node: np.asarray(network.table(node)) for node in network.nodes}
    out = np.zeros(len(network.states(network.class_node)))
    for states in product(*choices):
        whole = dict(zip(attributes, states, strict=True))
        for c, goal in enumerate(network.states(network.class_node)):
            whole[network.class_node] = goal
            p = 1.0
            for node, table in tables.items():
                family = (*network.parents(node), node)
                p *= table[*(network.states(v).index(whole[v]) for v in family)]
            out[c] += p
    return out


@pytest.mark.parametrize("missing", ["value", "ignore"])
@pytest.mark.parametrize("holes", ["in training too", "in prediction only"])
@pytest.mark.parametrize(
    "model", [NaiveBayesClassifier(), TANClassifier(), KDBClassifier(k=2)], ids=repr
)
def test_predictions_of_rows_with_holes_add_up_all_completions(model, holes, missing):
    rng = np.random.default_rng(3)
    X, y = words(rng, 60, (3, 2, 4, 2, 3))
    holed = X.mask(rng.random(X.shape) < 0.3).astype(object).where(lambda x: x.notna(), None)
    holed.iloc[0] = None
    holed.iloc[1, :3] = ["never seen", "a", "neither"]
    seen = holed[2:].copy() if holes == "in training too" else X[2:]
    model = type(model)(**model.get_params() | {"missing": missing}).fit(seen, y[2:])
    network = model.network_
    has_state = missing == "value" and holes == "in training too"
    assert any(None in network.states(node) for node in network.nodes[:-1]) == has_state
    with pytest.warns(UnseenValueWarning):
        actual = model.predict_proba(holed[:25])
    joint = np.array([completions(network, row) for row in holed[:25].to_dict("records")])
    expected = joint / joint.sum(axis=1, keepdims=True)
    assert_allclose(actual, expected, rtol=0, atol=TOLERANCE)
    with pytest.warns(UnseenValueWarning):
        logs = model.predict_joint_log_proba(holed[:25])
    assert_allclose(np.exp(logs), joint, rtol=1e-11, atol=1e-300)


@pytest.mark.parametrize("sparse", [False, True], ids=["whole", "observed"])
@pytest.mark.parametrize("seed", range(12))
def test_rows_of_any_network_with_the_class_in_the_middle(seed, sparse):
    rng = np.random.default_rng(seed)
    for number in range(8):
        parts = random_parts(rng, hard=number % 2 == 0)
        network = BayesianNetwork.from_tables(*parts)
        if sparse:
            network = observed_only(rng, network)
        joint = joint_of(network)
        cards = list(joint.shape[:-1])
        columns = [
            np.where(rng.random(30) < 0.5, card, rng.integers(0, card, 30)).astype(code_type(card))
            for card in cards
        ]
        actual = network.log_joint(Encoded(columns, cards, 30))
        expected = np.empty_like(actual)
        for row in range(30):
            part = joint
            for axis in reversed(range(len(cards))):
                code = columns[axis][row]
                part = part.sum(axis=axis) if code == cards[axis] else part.take(code, axis=axis)
            expected[row] = part
        assert_allclose(np.exp(actual), expected, rtol=0, atol=TOLERANCE)
        assert_allclose(np.exp(actual), expected, rtol=1e-11, atol=1e-300)


# Names and order


@pytest.mark.parametrize("seed", range(20))
def test_names_and_the_order_of_nodes_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    states, parents, tables = random_parts(rng, hard=seed % 2 == 0)
    network = BayesianNetwork.from_tables(states, parents, tables)
    new = {name: f"z{k}" for k, name in enumerate(rng.permutation(list(states)).tolist())}
    shuffled = rng.permutation(list(states)).tolist()
    other = BayesianNetwork.from_tables(
        {new[name]: states[name] for name in shuffled},
        {new[name]: [new[p] for p in parents[name]] for name in states},
        {new[name]: tables[name] for name in states},
    )
    joint = enumerate_joint(states, parents, tables)
    for _ in range(10):
        evidence = random_evidence(rng, states)
        if agreeing(joint, states, evidence).sum() == 0:
            continue
        renamed = {new[name]: state for name, state in evidence.items()}
        expected = network.marginals(evidence)
        actual = other.marginals(renamed)
        for name in states:
            assert actual[new[name]] == pytest.approx(expected[name], rel=0, abs=TOLERANCE)
            assert other.posterior(new[name], renamed) == pytest.approx(
                network.posterior(name, evidence), rel=0, abs=TOLERANCE
            )
        assert other.most_probable(renamed)[1] == pytest.approx(
            network.most_probable(evidence)[1], rel=0, abs=TOLERANCE
        )
