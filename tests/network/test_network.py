"""Networks against brute force: every completion of every case is added up."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import bayesgrove.counts.counter
from bayesgrove import (
    BayesianNetworkClassifier,
    KDBClassifier,
    NaiveBayesClassifier,
    TANClassifier,
)
from bayesgrove.encoding import Encoded, code_type
from bayesgrove.network import Structure
from bayesgrove.parameters import BDeu, MaximumLikelihood
from bayesgrove.structures import TAN

TOLERANCE = 1e-12
LEARNERS = {
    "tan": TANClassifier(),
    "kdb2": KDBClassifier(k=2),
    "kdb3": KDBClassifier(k=3),
    "maximum likelihood": BayesianNetworkClassifier(TAN(root=1), MaximumLikelihood()),
}


def random_data(rows, cards, seed, n_classes=3):
    """Columns of words; each depends on the class and on one column before it."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(rows) % n_classes)
    codes = []
    for card in cards:
        source = codes[rng.integers(len(codes))] if codes else y
        mixed = np.choose(rng.integers(0, 3, rows), [source, y, rng.integers(0, card, rows)])
        mixed[:card] = np.arange(card)
        codes.append(mixed % card)
    X = pd.DataFrame({f"v{j}": np.array(list("abc"))[column] for j, column in enumerate(codes)})
    return X, pd.Series(np.array(["no", "or", "yes"])[y], name="goal")


@pytest.fixture(params=["dense", "observed"])
def fitted(request, monkeypatch):
    """A function that fits a learner so that its tables are whole, or of what was observed."""
    sparse = request.param == "observed"

    def fit(name, seed=0, cards=(3, 2, 3, 2, 3)):
        if sparse:
            monkeypatch.setattr(bayesgrove.counts.counter, "DENSE_CELLS", 0)
        X, y = random_data(8 if sparse else 60, cards, seed)
        network = LEARNERS[name].fit(X, y).network_
        kept = [network.table(node).configurations.keys is not None for node in network.nodes]
        assert any(kept) == sparse
        return network

    return fit


def whole_joint(network):
    """``P`` of every combination of states, one axis a node."""
    place = {node: axis for axis, node in enumerate(network.nodes)}
    index = np.indices([len(network.states(node)) for node in network.nodes])
    joint = np.ones(index.shape[1:])
    for node in network.nodes:
        family = [*network.parents(node), node]
        joint *= np.asarray(network.table(node))[*(index[place[v]] for v in family)]
    return joint


def restricted(joint, codes):
    """Sum over all axes but the last, at the codes given; None is summed over."""
    for axis, code in reversed(list(enumerate(codes))):
        joint = joint.sum(axis=axis) if code is None else joint.take(code, axis=axis)
    return joint


def random_codes(network, rng, share):
    return [
        None if rng.random() < share else int(rng.integers(len(network.states(node))))
        for node in network.nodes[:-1]
    ]


def encode(network, cases):
    cards = [len(network.states(node)) for node in network.nodes[:-1]]
    columns = [
        np.array([card if code is None else code for code in column], dtype=code_type(card))
        for column, card in zip(zip(*cases, strict=True), cards, strict=True)
    ]
    return Encoded(columns, cards, len(cases))


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("threads", [1, 2])
def test_log_joint_adds_up_every_completion(name, threads, fitted):
    rng = np.random.default_rng(0)
    for seed, cards in enumerate([(3, 2, 3, 2), (2, 3, 3, 2, 3), (1, 3, 2, 1, 3, 3)]):
        network = fitted(name, seed, cards)
        joint = whole_joint(network)
        shares = np.linspace(0, 1, 80)
        cases = [random_codes(network, rng, share) for share in shares]
        expected = np.array([restricted(joint, case) for case in cases])
        actual = np.exp(network.log_joint(encode(network, cases), threads))
        assert_allclose(actual, expected, rtol=1e-11, atol=TOLERANCE * expected.max())
        assert_allclose(actual, expected, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("name", LEARNERS)
def test_posterior_adds_up_every_completion(name, fitted):
    rng = np.random.default_rng(1)
    for seed in range(4):
        network = fitted(name, seed)
        joint = whole_joint(network)
        for _ in range(60):
            share = rng.choice([0.0, 0.3, 0.7, 1.0])
            known = [node for node in network.nodes if rng.random() < share]
            evidence = {
                node: network.states(node)[rng.integers(len(network.states(node)))]
                for node in known
            }
            query = str(rng.choice(network.nodes))
            cell = tuple(
                network.states(node).index(evidence[node]) if node in evidence else slice(None)
                for node in network.nodes
            )
            allowed = np.zeros_like(joint)
            allowed[cell] = joint[cell]
            others = tuple(a for a, node in enumerate(network.nodes) if node != query)
            marginal = allowed.sum(axis=others)
            if query not in evidence and marginal.sum() == 0:
                with pytest.raises(ValueError, match="probability 0"):
                    network.posterior(query, evidence)
            elif marginal.sum() > 0:
                actual = network.posterior(query, evidence)
                assert tuple(actual) == network.states(query)
                assert_allclose(
                    list(actual.values()), marginal / marginal.sum(), rtol=0, atol=TOLERANCE
                )


@pytest.mark.parametrize("name", LEARNERS)
def test_no_evidence_and_full_evidence(name, fitted):
    network = fitted(name)
    joint = whole_joint(network)
    assert_allclose(joint.sum(), 1, rtol=0, atol=TOLERANCE)
    prior = network.posterior("goal")
    assert_allclose(list(prior.values()), np.asarray(network.table("goal")), atol=TOLERANCE)
    assert prior == network.posterior("goal", {})
    full = {node: network.states(node)[0] for node in network.nodes[:-1]}
    expected = joint[(0,) * len(full)]
    actual = np.array(list(network.posterior("goal", full).values()))
    assert_allclose(actual, expected / expected.sum(), rtol=0, atol=TOLERANCE)


def test_a_known_query_is_certain(fitted):
    assert fitted("tan").posterior("v0", {"v0": "b", "v1": "a"}) == {"a": 0.0, "b": 1.0, "c": 0.0}


@pytest.mark.parametrize("name", LEARNERS)
def test_tables_parents_arcs_and_states_agree(name, fitted):
    network = fitted(name)
    assert network.nodes == ("v0", "v1", "v2", "v3", "v4", "goal")
    assert network.class_node == "goal"
    assert network.arcs == {(p, node) for node in network.nodes for p in network.parents(node)}
    assert f"{len(network.arcs)} arcs" in repr(network)
    for number, node in enumerate(network.nodes):
        table = np.asarray(network.table(node))
        assert table.shape == tuple(len(network.states(v)) for v in (*network.parents(node), node))
        assert_allclose(table.sum(axis=-1), 1, rtol=0, atol=TOLERANCE)
        by_number = {network.nodes[v] for v in network.structure.parents[number]}
        assert set(network.parents(node)) == by_number
        assert "goal" not in network.parents(node)[:-1]


@pytest.mark.parametrize("observed", [False, True], ids=["dense", "observed"])
@pytest.mark.parametrize("parameters", [None, BDeu(7.0), MaximumLikelihood()], ids=repr)
def test_tables_are_smoothed_counts(observed, parameters, monkeypatch):
    if observed:
        monkeypatch.setattr(bayesgrove.counts.counter, "DENSE_CELLS", 0)
    X, y = random_data(8, (3, 2, 3, 3), seed=5)
    network = BayesianNetworkClassifier(TAN(), parameters).fit(X, y).network_
    rows = X.assign(goal=y)
    for node in network.nodes:
        family = [*network.parents(node), node]
        counts = np.zeros([len(network.states(v)) for v in family])
        for row in rows[family].itertuples(index=False):
            counts[*(network.states(v).index(s) for v, s in zip(family, row, strict=True))] += 1
        if parameters is None:
            counts += 1
        elif not isinstance(parameters, MaximumLikelihood):
            counts += parameters.equivalent_sample_size / counts.size
        totals = counts.sum(axis=-1, keepdims=True)
        expected = np.where(
            totals > 0, counts / np.where(totals > 0, totals, 1), 1 / counts.shape[-1]
        )
        assert_allclose(np.asarray(network.table(node)), expected, rtol=0, atol=1e-15)


def test_a_table_of_observed_values_without_attribute_parents(monkeypatch):
    X = pd.DataFrame({"id": list("abcdefghij")})
    y = np.arange(10) % 5
    expected = NaiveBayesClassifier().fit(X, y)
    monkeypatch.setattr(bayesgrove.counts.counter, "DENSE_CELLS", 0)
    model = NaiveBayesClassifier().fit(X, y)
    assert_array_equal(model.predict_proba(X), expected.predict_proba(X))
    assert_array_equal(
        np.asarray(model.network_.table("id")), np.asarray(expected.network_.table("id"))
    )
    assert model.network_.posterior("class", {"id": "c"}) == pytest.approx(
        expected.network_.posterior("class", {"id": "c"}), abs=TOLERANCE
    )


def test_everything_missing_leaves_the_class():
    X, y = random_data(60, [3, 2] * 20, seed=3)
    for model in (TANClassifier(), KDBClassifier(k=3)):
        network = model.fit(X, y).network_
        logs = network.log_joint(encode(network, [[None] * 40]))
        assert_allclose(np.exp(logs[0]), np.asarray(network.table("goal")), rtol=1e-13)


def test_one_value_known_among_many():
    X, y = random_data(60, [3, 2] * 20, seed=4)
    network = TANClassifier().fit(X, y).network_
    for leaf in range(40):
        path = [f"v{leaf}"]
        while len(parents := network.parents(path[-1])) == 2:
            path.append(parents[0])
        message = np.asarray(network.table(path.pop()))
        for node in reversed(path):
            message = np.einsum("cp,pcx->cx", message, np.asarray(network.table(node)))
        expected = message[:, 1] * np.asarray(network.table("goal"))
        case = [None] * 40
        case[leaf] = 1
        logs = network.log_joint(encode(network, [case]))
        assert_allclose(np.exp(logs[0]), expected, rtol=TOLERANCE)


def test_the_fork_of_a_missing_parent_with_many_children_does_not_underflow():
    rng = np.random.default_rng(0)
    hub = rng.integers(0, 2, 40)
    children = (hub[:, None] + (rng.random((40, 900)) < 0.1)) % 3
    children[:3] = [[0], [1], [2]]
    X = np.column_stack([hub, children])
    network = BayesianNetworkClassifier(Star()).fit(X, np.arange(40) % 2).network_
    case = [None, *rng.integers(0, 2, 900).tolist()]
    terms = np.log(np.asarray(network.table("x0")))
    for j in range(1, 901):
        terms = terms + np.log(np.asarray(network.table(f"x{j}"))[:, :, case[j]]).T
    expected = np.logaddexp(terms[:, 0], terms[:, 1]) + np.log(np.asarray(network.table("class")))
    assert expected.max() < -750
    assert_allclose(network.log_joint(encode(network, [case]))[0], expected, rtol=TOLERANCE)


class Star:
    """The first attribute is a parent of all others."""

    def learn(self, counts):
        n = counts.n_attributes
        return Structure(((n,), *[(0, n)] * (n - 1), ()))


class Outward:
    """The class is a child: of the first attribute only."""

    def learn(self, counts):
        n = counts.n_attributes
        return Structure(((), *[(n,)] * (n - 1), (0,)))


def test_a_missing_parent_of_a_single_state():
    X, y = random_data(40, (1, 3, 2), seed=7)
    model = BayesianNetworkClassifier(Star()).fit(X, y)
    assert ("v0", "v1") in model.network_.arcs
    expected = model.predict_joint_log_proba(X)
    X["v0"] = None
    assert_allclose(model.predict_joint_log_proba(X), expected, rtol=0, atol=TOLERANCE)


def test_a_class_with_an_attribute_as_parent():
    X, y = random_data(50, (3, 2, 3), seed=6)
    model = BayesianNetworkClassifier(Outward()).fit(X, y)
    network = model.network_
    assert network.parents("goal") == ("v0",)
    joint = whole_joint(network)
    rng = np.random.default_rng(2)
    cases = [random_codes(network, rng, 0.4) for _ in range(60)]
    expected = np.array([restricted(joint, case) for case in cases])
    actual = np.exp(network.log_joint(encode(network, cases)))
    assert_allclose(actual, expected, rtol=0, atol=TOLERANCE)


def test_ten_thousand_attributes():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (50, 10_000))
    y = np.arange(50) % 2
    X[:3] = [[0], [1], [2]]
    model = NaiveBayesClassifier().fit(X, y)
    expected = np.log([26 / 52, 26 / 52]) + np.zeros((50, 2))
    for c in (0, 1):
        counts = np.stack([(X[y == c] == value).sum(axis=0) + 1 for value in range(3)])
        logs = np.log(counts / counts.sum(axis=0))
        expected[:, c] += logs[X, np.arange(10_000)].sum(axis=1)
    assert expected.max() < -9000
    assert_allclose(model.predict_joint_log_proba(X), expected, rtol=TOLERANCE)
    probabilities = model.predict_proba(X)
    assert np.isfinite(probabilities).all()
    assert_allclose(probabilities.sum(axis=1), 1, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_product_of_powers(threads):
    """Table by table; a missing value, and a table to the power of 0, are left out."""
    X, y = random_data(60, (3, 2, 3, 1, 2), seed=4)
    network = NaiveBayesClassifier().fit(X, y).network_
    rng = np.random.default_rng(0)
    cases = [random_codes(network, rng, 0.3) for _ in range(40)]
    powers = [0.25, 0.0, 3.5, 1.0, 1e-3, 2.0]
    expected = np.zeros((40, 3)) + powers[-1] * np.log(np.asarray(network.table("goal")))
    for row, case in enumerate(cases):
        for node, power, code in zip(network.nodes, powers, case, strict=False):
            if code is not None:
                expected[row] += power * np.log(np.asarray(network.table(node))[:, code])
    found = network.power_program(powers).run(encode(network, cases), threads)
    assert_allclose(found, expected, rtol=TOLERANCE)


def test_zero_to_a_power_stays_zero_unless_it_is_left_out():
    X = pd.DataFrame({"a": ["u", "u", "v"], "b": ["p", "q", "q"]})
    parts = BayesianNetworkClassifier(parameters=MaximumLikelihood())
    network = parts.fit(X, ["n", "n", "y"]).network_
    rows = encode(network, [[1, 1], [0, 1]])
    with np.errstate(divide="ignore"):
        expected = np.log([[0.0, 1 / 3], [np.sqrt(1 / 2) * 2 / 3, 0.0]])
    assert_allclose(network.power_program([0.3, 0.5, 1.0]).run(rows, 1), expected, rtol=TOLERANCE)
    expected = np.log([[np.sqrt(1 / 2) * 2 / 3, 1 / 3]] * 2)
    assert_allclose(network.power_program([0.0, 0.5, 1.0]).run(rows, 1), expected, rtol=TOLERANCE)


def test_unknown_nodes_and_states_are_named():
    X, y = random_data(30, (3, 2), seed=0)
    network = TANClassifier().fit(X, y).network_
    for ask in (network.parents, network.states, network.table, network.posterior):
        with pytest.raises(ValueError, match="'nowhere' is not a node"):
            ask("nowhere")
    with pytest.raises(ValueError, match="'nowhere' is not a node"):
        network.posterior("goal", {"nowhere": "a"})
    with pytest.raises(ValueError, match=r"'z' is not a state of 'v0'.*'a', 'b', 'c'"):
        network.posterior("goal", {"v0": "z"})


def test_impossible_evidence_is_refused():
    X = pd.DataFrame({"a": ["x", "x", "y", "y"], "b": ["u", "u", "v", "v"]})
    y = pd.Series([0, 1, 0, 1], name="y")
    network = BayesianNetworkClassifier(TAN(), MaximumLikelihood()).fit(X, y).network_
    with pytest.raises(ValueError, match="probability 0"):
        network.posterior("y", {"a": "x", "b": "v"})
    assert network.posterior("b", {"a": "x"}) == {"u": 1.0, "v": 0.0}


def test_an_impossible_row_gets_the_classes_alone():
    X = pd.DataFrame({"a": ["x", "x", "y", "y"], "b": ["u", "u", "v", "v"]})
    model = BayesianNetworkClassifier(TAN(), MaximumLikelihood()).fit(X, [0, 1, 1, 1])
    impossible = pd.DataFrame({"a": ["x"], "b": ["v"]})
    assert_allclose(model.predict_proba(impossible), [[1 / 4, 3 / 4]], rtol=1e-15)


@pytest.mark.parametrize(
    "parents",
    [((0,), ()), ((1,), (0,), ()), ((1,), (2,), (0,), ()), ((1,), (0,)), ((2,), (), (0, 1))],
)
def test_cycles_are_refused(parents):
    with pytest.raises(ValueError, match="cycle"):
        Structure(parents)


def test_order_puts_parents_first():
    structure = Structure(((1, 3), (2, 3), (3,), ()))
    assert structure.order() == [3, 2, 1, 0]
    assert structure.class_variable == 3
