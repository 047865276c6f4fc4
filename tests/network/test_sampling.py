"""Rows drawn from networks, against the exact distribution."""

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2

from bayesgrove import TANClassifier
from bayesgrove.counts import Configurations
from bayesgrove.network import BayesianNetwork, ConditionalTable
from bayesgrove.network.sampling import BLOCK, forward_sample

ROWS = 200_000
SIGMAS = 5


def six_nodes():
    """The class, the last one, has parents and children; some probabilities are zero."""
    rng = np.random.default_rng(7)
    states = {
        "a": ("u", "v"),
        "b": (1, 2, 3),
        "c": ("p", "q", "r", None),
        "d": (True, False),
        "e": (0.5,),
        "goal": ("no", "or", "yes"),
    }
    parents = {
        "b": ("a",),
        "goal": ("b", "a"),
        "c": ("goal", "b"),
        "d": ("goal", "c", "e"),
    }
    tables = {}
    for node in states:
        shape = [len(states[v]) for v in (*parents.get(node, ()), node)]
        table = rng.dirichlet(np.ones(shape[-1]), size=shape[:-1])
        if node in ("c", "goal"):
            table[..., -1, 0] = 0.0
            table[..., 0, -1] = 0.0
            table /= table.sum(axis=-1, keepdims=True)
        tables[node] = table
    return states, parents, tables


def exact_joint(states, parents, tables):
    place = {name: axis for axis, name in enumerate(states)}
    factors = []
    for name, table in tables.items():
        factors += [table, [place[v] for v in (*parents.get(name, ()), name)]]
    return np.einsum(*factors, list(range(len(states))))


def codes_of(frame, states):
    """Places of the labels; a label that is no state is an error."""
    out = []
    for name, own in states.items():
        place = {(type(label), label): code for code, label in enumerate(own)}
        labels = frame[name].astype(object)
        labels = labels.where(labels.notna(), None)
        out.append([place[type(label), label] for label in labels])
    return np.array(out)


def frequencies(codes, cards):
    flat = np.ravel_multi_index(codes, cards)
    return np.bincount(flat, minlength=math.prod(cards)).reshape(cards) / codes.shape[1]


def require_close(found, expected, rows):
    """Every cell within some standard deviations, and what is impossible absent."""
    assert (found[expected == 0] == 0).all()
    sigma = np.sqrt(expected * (1 - expected) / rows)
    assert (np.abs(found - expected) <= SIGMAS * sigma + 1 / rows).all()


def require_distribution(codes, joint):
    """Frequencies of single nodes, of pairs, and of everything together."""
    rows = codes.shape[1]
    nodes = range(joint.ndim)
    for kept in [*((v,) for v in nodes), *combinations(nodes, 2)]:
        expected = joint.sum(axis=tuple(v for v in nodes if v not in kept))
        require_close(frequencies(codes[list(kept)], expected.shape), expected, rows)
    found = frequencies(codes, joint.shape)
    require_close(found, joint, rows)
    likely = joint * rows >= 10
    statistic = (rows * (found - joint)[likely] ** 2 / joint[likely]).sum()
    assert chi2.sf(statistic, likely.sum() - 1) > 1e-6


def test_frequencies_are_the_probabilities():
    parts = six_nodes()
    joint = exact_joint(*parts)
    assert (joint == 0).any()
    drawn = BayesianNetwork.from_tables(*parts).sample(ROWS, random_state=0)
    assert list(drawn.columns) == list(parts[0])
    assert len(drawn) == ROWS > 3 * BLOCK
    require_distribution(codes_of(drawn, parts[0]), joint)


def test_the_mean_log_probability_is_the_negative_entropy():
    parts = six_nodes()
    network = BayesianNetwork.from_tables(*parts)
    logs = network.log_probability(network.sample(ROWS, random_state=1))
    joint = exact_joint(*parts)
    p = joint[joint > 0]
    entropy = -(p * np.log(p)).sum()
    spread = math.sqrt((p * np.log(p) ** 2).sum() - entropy**2)
    assert abs(logs.mean() + entropy) < SIGMAS * spread / math.sqrt(ROWS)


def test_tables_of_observed_configurations_and_their_default():
    parts = six_nodes()
    whole = BayesianNetwork.from_tables(*parts)
    tables = [whole.table(node) for node in whole.nodes]
    at = whole.nodes.index("goal")
    seen = [(0, 0), (0, 2), (1, 2)]  # states of a and b
    kept = Configurations.observed(np.array(seen), (2, 3))
    rows = np.array([[0.1, 0.9, 0.0], [0.0, 0.2, 0.8], [0.3, 0.3, 0.4], [0.6, 0.4, 0.0]])
    tables[at] = ConditionalTable(whole.structure.family(at), kept, rows[:, None, :])
    network = BayesianNetwork(
        whole.nodes, [whole.states(node) for node in whole.nodes], whole.structure, tables
    )
    expected = np.tile(rows[-1], (3, 2, 1))  # axes: b, a, goal
    for (a, b), row in zip(seen, rows, strict=False):
        expected[b, a] = row
    joint = exact_joint(parts[0], parts[1], parts[2] | {"goal": expected})
    require_distribution(codes_of(network.sample(ROWS, random_state=2), parts[0]), joint)


def test_a_fitted_classifier_draws_its_own_distribution():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 200)
    X = pd.DataFrame({f"v{j}": (y + rng.integers(0, 3, 200)) % 4 for j in range(4)})
    network = TANClassifier().fit(X, pd.Series(y, name="goal")).network_
    states = {node: network.states(node) for node in network.nodes}
    joint = exact_joint(
        states,
        {node: network.parents(node) for node in network.nodes},
        {node: np.asarray(network.table(node)) for node in network.nodes},
    )
    require_distribution(codes_of(network.sample(ROWS, random_state=3), states), joint)


class Fixed:
    """A generator that always draws the same number."""

    def __init__(self, number):
        self.number = number

    def random(self, rows):
        return np.full(rows, self.number)


@pytest.mark.parametrize("number", [0.0, 5e-324, 0.5, np.nextafter(1.0, 0.0)], ids=repr)
def test_impossible_states_are_not_drawn_at_the_ends_either(number):
    rng = np.random.default_rng(0)
    for _ in range(300):
        card = int(rng.integers(1, 12))
        cells = rng.random(card) * (rng.random(card) < 0.5)
        cells[rng.integers(card)] += 0.1
        cells /= cells.sum()
        cells *= rng.choice([1.0, 0.9995, 1.0005])  # published tables are rounded
        network = BayesianNetwork.from_tables({"x": tuple(range(card))}, {}, {"x": cells})
        tables = [network.table("x")]
        (drawn,) = forward_sample(network.structure, tables, 3, Fixed(number))
        assert (cells[drawn] > 0).all()


def test_one_state_and_sure_states():
    network = BayesianNetwork.from_tables(
        {"one": ("only",), "sure": (0, 1, 2), "copy": (0, 1, 2), "last": ("x", "y")},
        {"copy": ("sure",), "last": ("one", "copy")},
        {
            "one": [1.0],
            "sure": [0.0, 1.0, 0.0],
            "copy": np.eye(3)[[2, 0, 1]],
            "last": [[[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]],
        },
    )
    drawn = network.sample(1000, random_state=0)
    assert set(drawn.itertuples(index=False, name=None)) == {("only", 1, 0, "y")}


# Seeds and rows


def test_a_seed_fixes_the_rows():
    network = BayesianNetwork.from_tables(*six_nodes())
    first = network.sample(500, random_state=5)
    pd.testing.assert_frame_equal(first, network.sample(500, random_state=5))
    pd.testing.assert_frame_equal(first, network.sample(500, np.random.default_rng(5)))
    assert not first.equals(network.sample(500, random_state=6))
    assert not network.sample(500).equals(network.sample(500))


def test_a_generator_goes_on():
    network = BayesianNetwork.from_tables(*six_nodes())
    generator = np.random.default_rng(5)
    assert not network.sample(500, generator).equals(network.sample(500, generator))


def test_the_global_state_of_numpy_is_left_alone():
    network = BayesianNetwork.from_tables(*six_nodes())
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    network.sample(10)
    assert (np.random.get_state()[1] == before).all()  # noqa: NPY002


def test_no_rows():
    parts = six_nodes()
    network = BayesianNetwork.from_tables(*parts)
    drawn = network.sample(0)
    assert drawn.shape == (0, 6)
    assert list(drawn.columns) == list(parts[0])
    assert drawn.dtypes.tolist() == network.sample(3).dtypes.tolist()


def test_whole_numbers_of_numpy_are_rows():
    network = BayesianNetwork.from_tables(*six_nodes())
    assert len(network.sample(np.int64(3))) == 3
    assert list(network.sample(4).index) == [0, 1, 2, 3]


@pytest.mark.parametrize("rows", [-1, 1.5, 2.0, "3", True, None, math.nan, [3]], ids=repr)
def test_numbers_of_rows_that_are_none(rows):
    network = BayesianNetwork.from_tables(*six_nodes())
    with pytest.raises(ValueError, match=r"rows=.*whole number of at least 0"):
        network.sample(rows)


# Labels


@pytest.mark.parametrize(
    ("states", "kind"),
    [
        ((1, 2, 3), "i"),
        ((0.5, 1.5), "f"),
        ((True, False), "b"),
        (("x", None), "O"),
        ((1, None), "O"),
        ((1, "1", 1.5), "O"),
        ((None,), "O"),
        ((("x", 1), ("y", 2)), "O"),
        ((10**30, 1), "O"),
    ],
    ids=repr,
)
def test_labels_keep_their_types(states, kind):
    cells = np.full(len(states), 1 / len(states))
    network = BayesianNetwork.from_tables({"x": states}, {}, {"x": cells})
    column = network.sample(200, random_state=0)["x"]
    assert column.dtype.kind == kind
    found = {(type(label), label) for label in column.tolist()}
    assert found == {(type(label), label) for label in states}


def test_words_are_words():
    network = BayesianNetwork.from_tables({"x": ("u", "v")}, {}, {"x": [0.5, 0.5]})
    column = network.sample(200, random_state=0)["x"]
    assert pd.api.types.is_string_dtype(column)
    assert set(column) == {"u", "v"}


def test_what_was_drawn_can_be_asked_about():
    parts = six_nodes()
    network = BayesianNetwork.from_tables(*parts)
    drawn = network.sample(300, random_state=8)
    codes = codes_of(drawn, parts[0])
    expected = np.log(exact_joint(*parts)[tuple(codes)])
    np.testing.assert_allclose(network.log_probability(drawn), expected, rtol=0, atol=1e-12)
