"""KDB against a transcription of the pseudo-code of Sahami (1996)."""

import itertools
import json
import math
from collections import Counter
from functools import cache

import numpy as np
import pandas as pd
import pytest

from bayesgrove import KDBClassifier, load_model, save_model
from bayesgrove.datasets import load_dataset
from bayesgrove.model_files import ModelFileError
from bayesgrove.parameters.predictive_score import predictive_score
from bayesgrove.scores.validation_splits import validation_splits
from bayesgrove.structures import KDB, Choice
from support import make_source

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
        {"k": "all"},
        {"theta": "0.03"},
        {"scoring": "auc"},
        {"random_state": -1},
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


THETAS = [0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 0.0]


def scores_one_by_one(source, cv, scoring, seed, ks, thetas, unit):
    """Every candidate on its own: plain KDB of the learning rows, scored on the others."""
    table = {}
    for k, theta in itertools.product(ks, thetas):
        scores = [
            predictive_score(KDB(k, theta, unit).learn(learning), learning, rest, scoring)
            for learning, rest in validation_splits(source, cv, seed)
        ]
        table[k, theta] = sum(scores) / len(scores)
    return table


@pytest.mark.parametrize("scoring", ["accuracy", "log_loss"])
@pytest.mark.parametrize("unit", ["nats", "bits"])
@pytest.mark.parametrize("cv", [3, "halves"])
@pytest.mark.parametrize(
    ("k", "theta"), [("auto", "auto"), ("auto", None), ("auto", 0.02), (2, "auto")]
)
def test_the_choice_is_that_of_a_loop_over_the_candidates(k, theta, cv, unit, scoring):
    X, y = random_rows(7, rows=150)
    source = make_source([*X.T, y], [2, 3, 4, 3, 2, 2])
    ks = range(5) if k == "auto" else [k]
    thetas = THETAS if theta == "auto" else [theta]
    expected = scores_one_by_one(source, cv, scoring, 4, ks, thetas, unit)
    learner = KDB(k, theta, unit, cv, scoring, random_state=4)
    choices = learner.choices(source)
    assert [(choice.k, choice.theta) for choice in choices] == list(expected)
    assert [choice.score for choice in choices] == pytest.approx(list(expected.values()))
    best = max(expected.values())
    simplest = next(pair for pair, score in expected.items() if score >= best - 1e-9)
    assert learner.learn(source) == KDB(*simplest, unit).learn(source)
    assert len(set(expected.values())) > 1


def test_the_classifier_keeps_its_choice(tmp_path):
    X, y = random_rows(3)
    model = KDBClassifier("auto", "auto", cv=4, scoring="log_loss", alpha=0.5).fit(X, y)
    fixed = KDBClassifier(model.k_, model.theta_, alpha=0.5).fit(X, y)
    assert model.predict_proba(X).tobytes() == fixed.predict_proba(X).tobytes()
    best = max(choice.score for choice in model.choices_)
    assert Choice(model.k_, model.theta_, best) in model.choices_
    assert (fixed.k_, fixed.theta_, fixed.choices_) == (model.k_, model.theta_, [])
    for either in (model, fixed):
        save_model(either, tmp_path / "model.json")
        loaded = load_model(tmp_path / "model.json")
        assert loaded.choices_ == either.choices_
        assert (loaded.k_, loaded.theta_) == (model.k_, model.theta_)
        assert loaded.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()
    assert not model.weights_repeat_rows
    assert fixed.weights_repeat_rows


def test_the_pseudo_count_of_the_classifier_counts_in_its_choice():
    X, y = random_rows(3)
    scores = {
        alpha: [
            choice.score
            for choice in KDBClassifier("auto", scoring="log_loss", alpha=alpha).fit(X, y).choices_
        ]
        for alpha in (0.01, 1.0)
    }
    assert scores[0.01] != scores[1.0]
    with pytest.raises(ValueError, match="scoring='log_loss' needs alpha above 0"):
        KDBClassifier("auto", scoring="log_loss", alpha=0).fit(X, y)


def test_files_without_valid_candidates_are_refused(tmp_path):
    path = tmp_path / "model.json"
    save_model(KDBClassifier("auto").fit(*random_rows()), path)
    content = json.loads(path.read_text())
    candidate = content["extra"]["choices"][0]
    for choices, message in [
        ([], "extra.choices is empty"),
        ([candidate | {"k": -1}], r"choices\[0\].k is -1, less than 0"),
        ([candidate | {"theta": "low"}], r"choices\[0\].theta"),
        ([candidate | {"score": None}], r"choices\[0\].score"),
    ]:
        content["extra"]["choices"] = choices
        path.write_text(json.dumps(content))
        with pytest.raises(ModelFileError, match=message):
            load_model(path)
