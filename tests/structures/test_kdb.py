"""KDB against a transcription of the pseudo-code of Sahami (1996)."""

import itertools
import math
from collections import Counter
from functools import cache

import numpy as np
import pandas as pd
import pytest

from bayesgrove import KDBClassifier
from bayesgrove.datasets import load_dataset
from bayesgrove.structures import KDB

SETS = ["corral", "led7", "vote", "soybean", "kr-vs-kp"]


def information(x, y, z):
    """I(X;Y|Z) in nats over the rows where x and y are known."""
    rows = [row for row in zip(x, y, z, strict=True) if None not in row]
    xyz, xz, yz, single = Counter(rows), Counter(), Counter(), Counter()
    for (a, b, c), n in xyz.items():
        xz[a, c] += n
        yz[b, c] += n
        single[c] += n
    total = 0.0
    for (a, b, c), n in xyz.items():
        total += n / len(rows) * math.log(n * single[c] / (xz[a, c] * yz[b, c]))
    return total


def steps_1_and_2(columns, classes):
    one_class = [0] * len(classes)
    with_class = {x: information(columns[x], classes, one_class) for x in columns}
    between = {}
    for x, other in itertools.combinations(columns, 2):
        between[x, other] = between[other, x] = information(columns[x], columns[other], classes)
    return with_class, between


def kdb(with_class, between, k, theta=None):
    """Steps 3 to 5; of equal values, up to rounding, the earlier column's counts."""
    features = list(with_class)
    used = []
    parents = {}
    while len(used) < len(features):
        remaining = [x for x in features if x not in used]
        x_max = max(remaining, key=lambda x: (round(with_class[x], 12), -features.index(x)))
        m = min(len(used), k)
        ranked = sorted(used, key=lambda x: (-round(between[x_max, x], 12), features.index(x)))
        parents[x_max] = set(ranked[:m])
        if theta is not None:
            parents[x_max] = {x for x in ranked[:m] if round(between[x_max, x], 12) > theta}
        used.append(x_max)
    return parents


@cache
def transcribed(name, missing):
    """The data set and its information; "value" makes missing a label of its own."""
    X, y = load_dataset(name, source="folder")
    columns = {}
    for column in X:
        values = X[column].astype(object)
        columns[column] = values.where(values.notna(), "?" if missing == "value" else None).tolist()
    return X, y, steps_1_and_2(columns, y.astype(object).tolist())


def attribute_parents(model):
    network = model.network_
    return {
        node: set(network.parents(node)) - {network.class_node}
        for node in network.nodes
        if node != network.class_node
    }


@pytest.mark.parametrize("k", [0, 1, 2, 3])
@pytest.mark.parametrize("name", SETS)
def test_parents_are_those_of_the_paper(folder_dataset, name, k):
    X, y, (with_class, between) = transcribed(name, "value")
    assert attribute_parents(KDBClassifier(k=k).fit(X, y)) == kdb(with_class, between, k)
    nats = KDBClassifier(k=k, theta=0.03).fit(X, y)
    assert attribute_parents(nats) == kdb(with_class, between, k, 0.03)
    bits = KDBClassifier(k=k, theta=0.03, unit="bits").fit(X, y)
    in_bits = {pair: value / math.log(2) for pair, value in between.items()}
    assert attribute_parents(bits) == kdb(with_class, in_bits, k, 0.03)


@pytest.mark.parametrize("name", ["vote", "soybean"])
def test_parents_with_missing_values_left_out(folder_dataset, name):
    X, y, (with_class, between) = transcribed(name, "ignore")
    for k, theta in [(1, None), (3, None), (3, 0.03)]:
        model = KDBClassifier(k=k, theta=theta, missing="ignore").fit(X, y)
        assert attribute_parents(model) == kdb(with_class, between, k, theta)


def test_the_unit_of_theta_makes_a_difference(folder_dataset):
    X, y, (_, between) = transcribed("kr-vs-kp", "value")
    theta = sorted(between.values())[-50]
    nats, bits = (KDBClassifier(k=3, theta=theta, unit=u).fit(X, y) for u in ("nats", "bits"))
    arcs = [sum(map(len, attribute_parents(model).values())) for model in (nats, bits)]
    assert arcs[0] < arcs[1]


def random_rows(seed=0, rows=300, columns=5):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, rows)
    common = rng.integers(0, 6, rows)
    noise = rng.integers(0, 4, (rows, columns))
    X = (common[:, None] * (noise > 1) + y[:, None] * (noise > 2) + noise) % [2, 3, 4, 3, 2]
    return X, y


@pytest.mark.parametrize("seed", range(15))
def test_parents_on_random_rows(seed):
    X, y = random_rows(seed)
    columns = {f"x{j}": X[:, j].tolist() for j in range(5)}
    with_class, between = steps_1_and_2(columns, y.tolist())
    for k in range(6):
        model = KDBClassifier(k=k).fit(X, y)
        assert attribute_parents(model) == kdb(with_class, between, k)


def test_theta_is_exclusive():
    x = [0, 0, 1, 1] * 10
    y = [0, 1] * 20
    X = pd.DataFrame({"a": x, "b": x}, dtype=str)
    for unit, one_bit in (("nats", math.log(2)), ("bits", 1.0)):
        below = KDBClassifier(k=1, theta=one_bit - 1e-9, unit=unit).fit(X, y)
        assert attribute_parents(below) == {"a": set(), "b": {"a"}}
        above = KDBClassifier(k=1, theta=one_bit + 1e-9, unit=unit).fit(X, y)
        assert attribute_parents(above) == {"a": set(), "b": set()}
    exact = KDBClassifier(k=1, theta=1.0, unit="bits").fit(X, y)
    assert attribute_parents(exact) == {"a": set(), "b": set()}


def test_k_of_all_but_one_is_the_full_model():
    X, y = random_rows()
    full = attribute_parents(KDBClassifier(k=4).fit(X, y))
    pairs = {frozenset((child, parent)) for child, parents in full.items() for parent in parents}
    assert pairs == {frozenset(pair) for pair in itertools.combinations(full, 2)}
    assert sorted(map(len, full.values())) == [0, 1, 2, 3, 4]
    for k in (5, 100, np.int64(10**9)):
        assert attribute_parents(KDBClassifier(k=k).fit(X, y)) == full


def test_equal_attributes_enter_in_the_order_of_the_columns():
    x = ["u", "v"] * 8
    X = pd.DataFrame(dict.fromkeys("dcba", x))
    model = KDBClassifier(k=2).fit(X, ["p", "p", "q", "q"] * 4)
    expected = {"d": set(), "c": {"d"}, "b": {"d", "c"}, "a": {"d", "c"}}
    assert attribute_parents(model) == expected


@pytest.mark.parametrize(
    "parameters",
    [
        {"k": -1},
        {"k": 1.0},
        {"k": 1.5},
        {"k": "2"},
        {"k": None},
        {"k": True},
        {"theta": math.nan},
        {"theta": math.inf},
        {"unit": "hartleys"},
        {"unit": None},
    ],
)
def test_parameters_without_a_meaning_are_refused(parameters):
    X, y = random_rows()
    (name,) = parameters
    with pytest.raises(ValueError, match=f"{name}="):
        KDBClassifier(**parameters).fit(X, y)


def test_the_structure_learner_has_the_defaults_of_the_classifier():
    learner, classifier = KDB(), KDBClassifier()
    assert (learner.k, learner.theta, learner.unit) == (1, None, "nats")
    assert (classifier.k, classifier.theta, classifier.unit) == (1, None, "nats")
