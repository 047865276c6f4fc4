"""AODE against its formula, worked out in plain Python row by row."""

import math

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.exceptions import NotFittedError

from bayesgrove import (
    AODEClassifier,
    NaiveBayesClassifier,
    OptionError,
    UnseenValueWarning,
    load_model,
    save_model,
)
from bayesgrove._utils import memory
from bayesgrove.checks import check_classifier
from bayesgrove.cli.models import model_name, parse_model
from bayesgrove.counts import MemoryEngine
from bayesgrove.estimators.base.complexity import Complexity

NO_VALUE = "no value"
"""The state of missing values, where they have one."""


class Formula:
    """The formula of Webb, Boughton and Wang (2005): every F is a sum over all training rows."""

    def __init__(self, X, y, model, weights=None, labels=None):
        self.model = model
        self.weights = np.ones(len(y)).tolist() if weights is None else list(weights)
        self.classes = sorted(set(y))
        self.labels = [sorted(set(X[name].dropna())) for name in X] if labels is None else labels
        holes = [X[name].isna().any() for name in X]
        self.has_state = [hole and model.missing == "value" for hole in holes]
        self.rows = [(*values, c) for values, c in zip(self.known(X), y, strict=True)]
        self.states = [
            max(1, len(own) + extra) for own, extra in zip(self.labels, self.has_state, strict=True)
        ]

    def known(self, X):
        """Values of rows; None is a value that says nothing."""
        return [[self.value(j, cell) for j, cell in enumerate(row)] for row in X.to_numpy(object)]

    def value(self, j, cell):
        if pd.isna(cell):
            return NO_VALUE if self.has_state[j] else None
        return cell if cell in self.labels[j] else None

    def weight(self, conditions):
        """F of some places with their values."""
        return math.fsum(
            weight
            for row, weight in zip(self.rows, self.weights, strict=True)
            if all(row[place] == value for place, value in conditions)
        )

    def weight_known(self, conditions, place):
        """F of some values, of the rows in which one more place is known."""
        return math.fsum(
            weight
            for row, weight in zip(self.rows, self.weights, strict=True)
            if row[place] is not None and all(row[p] == value for p, value in conditions)
        )

    def share(self, part, whole, states):
        alpha = self.model.alpha
        below = whole + alpha * states
        return (part + alpha) / below if below > 0 else 1 / states

    def given(self, values, j, conditions):
        part = self.weight([*conditions, (j, values[j])])
        return self.share(part, self.weight_known(conditions, j), self.states[j])

    def super_parent(self, values, i, c):
        label = len(values)
        cells = len(self.classes) * self.states[i]
        top = [(i, values[i]), (label, c)]
        joint = self.share(self.weight(top), self.weight_known([], i), cells)
        for j, value in enumerate(values):
            if j != i and value is not None:
                joint *= self.given(values, j, top)
        return joint

    def naive(self, values, c):
        label = len(values)
        joint = self.share(self.weight([(label, c)]), math.fsum(self.weights), len(self.classes))
        for j, value in enumerate(values):
            if value is not None:
                joint *= self.given(values, j, [(label, c)])
        return joint

    def joint(self, values):
        parents = [
            i
            for i, value in enumerate(values)
            if value is not None and self.weight([(i, value)]) >= self.model.min_rows - 1e-6
        ]
        if not parents:
            return [self.naive(values, c) for c in self.classes]
        return [
            math.fsum(self.super_parent(values, i, c) for i in parents) / len(parents)
            for c in self.classes
        ]


def draw(seed, rows=24, cards=(2, 3, 4), classes=2, missing=0.2):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, rows)
    y[:classes] = range(classes)
    columns = {}
    for k, card in enumerate(cards):
        codes = (y * rng.integers(0, 2, rows) + (rng.random(rows) ** 2 * card).astype(int)) % card
        labels = np.array([f"v{code}" for code in codes], dtype=object)
        columns[f"x{k}"] = np.where(rng.random(rows) < missing, None, labels)
    return pd.DataFrame(columns, dtype=object), [f"c{code}" for code in y]


def assert_formula(model, X, y, rows, weights=None, labels=None):
    """The model gives the joint probabilities and posteriors of the formula."""
    model.fit(X, y, sample_weight=weights)
    formula = Formula(X, y, model, weights, labels)
    expected = np.array([formula.joint(values) for values in formula.known(rows)])
    assert_allclose(np.exp(model.predict_joint_log_proba(rows)), expected, rtol=1e-12)
    posterior = expected / expected.sum(axis=1, keepdims=True)
    assert_allclose(model.predict_proba(rows), posterior, rtol=0, atol=1e-12)
    assert_allclose(np.exp(model.predict_log_proba(rows)), posterior, rtol=0, atol=1e-12)
    best = posterior.max(axis=1) - 1e-9
    chosen = [model.classes_.tolist().index(label) for label in model.predict(rows)]
    assert (posterior[range(len(rows)), chosen] >= best).all()
    return model


modes = pytest.mark.parametrize("missing", ["value", "ignore"])


@modes
@pytest.mark.parametrize("min_rows", [1, 2, 5, 9, 1000])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.filterwarnings("ignore::bayesgrove.UnseenValueWarning")
def test_probabilities_are_those_of_the_formula(seed, min_rows, missing):
    X, y = draw(seed, classes=2 + seed % 2)
    rows = pd.concat([X, draw(seed + 100)[0], pd.DataFrame([[None] * 3], columns=X.columns)])
    model = AODEClassifier(min_rows, alpha=(1.0, 0.25, 3.0, 1.0)[seed], missing=missing)
    assert_formula(model, X, y, rows)


@modes
def test_without_smoothing(missing):
    X, y = draw(3, rows=60, cards=(2, 2), missing=0.1)
    assert_formula(AODEClassifier(alpha=0, missing=missing), X, y, X)


def test_rows_that_are_impossible_get_the_probabilities_of_the_classes():
    X = pd.DataFrame({"a": ["u", "u", "v", "v"], "b": ["p", "p", "q", "q"]})
    model = AODEClassifier(alpha=0).fit(X, ["n", "n", "n", "y"])
    odd = pd.DataFrame({"a": ["u"], "b": ["q"]})
    assert_allclose(model.predict_proba(odd), [[0.75, 0.25]], rtol=1e-12)


@modes
def test_beyond_all_rows_it_is_naive_bayes_to_the_last_bit(missing):
    X, y = draw(5, rows=40)
    model = AODEClassifier(41, missing=missing).fit(X, y)
    naive = NaiveBayesClassifier(missing=missing).fit(X, y)
    assert model.networks_ == [naive.network_]
    assert model.network_ == naive.network_
    assert model.complexity() == naive.complexity()
    assert model.beyond_network() == ""
    for ask in ("predict_joint_log_proba", "predict_proba", "predict_log_proba"):
        assert getattr(model, ask)(X).tobytes() == getattr(naive, ask)(X).tobytes()
    assert model.predict(X).tolist() == naive.predict(X).tolist()


def test_a_super_parent_counts_from_min_rows_on():
    X = pd.DataFrame({"a": ["u"] * 3 + ["v"] * 2, "b": ["p", "q", "p", "q", "p"]})
    y = ["n", "n", "y", "y", "n"]
    for min_rows in (2, 3, 4):
        model = assert_formula(AODEClassifier(min_rows), X, y, X)
        assert len(model.networks_) == {2: 3, 3: 3, 4: 1}[min_rows]


@modes
def test_declared_labels_without_rows_and_unseen_values(missing):
    X, y = draw(7)
    labels = [["v0", "v1", "v2"], ["v0", "v1", "v2", "v3", "v9"], ["v0", "v1", "v2", "v3"]]
    declared = X.assign(
        **{name: pd.Categorical(X[name], own) for name, own in zip(X, labels, strict=True)}
    )
    rows = X.assign(x0="v2", x1="v9")
    model = AODEClassifier(missing=missing)
    assert_formula(model, declared, y, rows, labels=labels)
    with pytest.warns(UnseenValueWarning):
        assert_formula(model, declared, y, X.assign(x1="new", x2="other"), labels=labels)


@modes
@pytest.mark.parametrize("min_rows", [1, 4])
def test_weights_count_as_rows(min_rows, missing):
    X, y = draw(8, rows=30)
    weights = np.random.default_rng(8).random(30) * 2
    assert_formula(AODEClassifier(min_rows, missing=missing), X, y, X, weights)


def test_weights_that_sum_to_min_rows_up_to_rounding_are_enough():
    X = pd.DataFrame({"a": ["u"] * 10, "b": ["p", "q"] * 5})
    y = ["n", "y", "y", "n", "n"] * 2
    weights = [0.1] * 10
    assert sum(weights) < 1
    model = assert_formula(AODEClassifier(), X, y, X, weights)
    assert [network.parents("class") for network in model.networks_] == [(), ("a",)]


@modes
def test_one_attribute(missing):
    X, y = draw(9, cards=(3,), classes=3)
    model = assert_formula(AODEClassifier(missing=missing), X, y, X)
    # The class has one parent, which has no other child.
    assert model.networks_[1].arcs == {("x0", "class")}


@modes
def test_one_class(missing):
    X, _ = draw(10)
    assert_formula(AODEClassifier(missing=missing), X, ["c0"] * len(X), X)


@modes
def test_a_column_without_values(missing):
    X, y = draw(11)
    assert_formula(AODEClassifier(missing=missing), X.assign(x1=None), y, X.assign(x1=None))


def test_columns_with_many_values():
    """Pairs of these are counted in another way, and have tables of the values that occur."""
    X, y = draw(12, rows=600)
    names = np.array([f"w{k % 300}" for k in range(600)], dtype=object)
    X = X.assign(x0=names, x2=names[np.random.default_rng(0).permutation(600)])
    model = assert_formula(AODEClassifier(), X, y, X[:6])
    assert model.networks_[1].table("x2").has_default


def test_pairs_are_counted_in_one_pass(monkeypatch):
    X, y = draw(13, cards=(2,) * 12)
    passes = []
    count = MemoryEngine.map_reduce

    def counted(self, *arguments):
        passes.append(arguments)
        return count(self, *arguments)

    monkeypatch.setattr(MemoryEngine, "map_reduce", counted)
    AODEClassifier().fit(X, y)
    assert len(passes) == 2  # tables of the attributes, tables of the pairs


def test_memory_is_asked_for_before_pairs_are_counted(monkeypatch):
    X = pd.DataFrame({name: [f"v{k}" for k in range(1500)] for name in "ab"})
    y = ["n", "y"] * 750
    monkeypatch.setattr(memory, "available_memory", lambda: 10**8)
    with pytest.raises(MemoryError, match=r"of 2 super-parents would need .*: raise min_rows"):
        AODEClassifier().fit(X, y)
    assert len(AODEClassifier(2).fit(X, y).networks_) == 1


@modes
def test_from_a_parquet_file_the_same_bits(missing, tmp_path):
    X, y = draw(14, rows=50)
    X.assign(y=y).to_parquet(tmp_path / "rows.parquet", row_group_size=7)
    here = AODEClassifier(4, missing=missing).fit(X, y)
    there = AODEClassifier(4, missing=missing).fit(tmp_path / "rows.parquet", "y")
    expected = here.predict_joint_log_proba(X)
    assert there.predict_joint_log_proba(X).tobytes() == expected.tobytes()
    assert there.predict_joint_log_proba(tmp_path / "rows.parquet").tobytes() == expected.tobytes()


@modes
@pytest.mark.parametrize("min_rows", [1, 5, 1000])
def test_from_a_model_file_the_same_bits(min_rows, missing, tmp_path):
    X, y = draw(15, rows=30)
    model = AODEClassifier(min_rows, missing=missing).fit(X, y)
    save_model(model, tmp_path / "m.json")
    loaded = load_model(tmp_path / "m.json")
    assert vars(loaded).keys() == vars(model).keys()
    assert loaded.networks_ == model.networks_
    assert loaded.weights_.tolist() == model.weights_.tolist()
    assert loaded.complexity() == model.complexity()
    rows = pd.concat([X, draw(16)[0]])
    for ask in ("predict_joint_log_proba", "predict_proba"):
        assert getattr(loaded, ask)(rows).tobytes() == getattr(model, ask)(rows).tobytes()


def test_the_size_by_hand():
    """Attributes of 2, 3 and 4 values, 3 classes.

    Naive Bayes: 3 arcs; 2 + 3 (1 + 2 + 3) = 20 parameters. Super-parent of v values: 5 arcs;
    v - 1 for itself, 2 v for the class, and 3 v (sum of the others' values less one each):
    1 + 4 + 6 (2 + 3) = 35, 2 + 6 + 9 (1 + 3) = 44, 3 + 8 + 12 (1 + 2) = 47.
    """
    places = np.arange(24)
    X = pd.DataFrame({f"x{v}": [f"v{p % v}" for p in places] for v in (2, 3, 4)})
    y = places // 8
    with pytest.raises(NotFittedError):
        AODEClassifier().complexity()
    size = AODEClassifier().fit(X, y).complexity()
    assert size == Complexity(3, 3 + 3 * 5, 20 + 35 + 44 + 47)
    # Values of x4 have 6 rows, those of x3 8 and those of x2 12.
    assert AODEClassifier(8).fit(X, y).complexity() == Complexity(3, 3 + 2 * 5, 20 + 35 + 44)
    assert AODEClassifier(13).fit(X, y).complexity() == Complexity(3, 3, 20)


def test_what_naive_bayes_is_without():
    model = AODEClassifier().fit(*draw(17))
    assert model.beyond_network() == "the average over 3 super-parents"
    assert model.weights_.tolist() == [0.0] + [1 / 3] * 3
    assert not hasattr(model, "network_")


@pytest.mark.parametrize(
    "option", [{"min_rows": 0}, {"min_rows": 1.5}, {"min_rows": 10**400}, {"alpha": -1}]
)
def test_options_that_cannot_be(option):
    with pytest.raises(OptionError, match=next(iter(option))):
        AODEClassifier(**option).fit(*draw(18))


@pytest.mark.parametrize(
    "model",
    [AODEClassifier(), AODEClassifier(5, missing="ignore"), AODEClassifier(1000, alpha=0)],
    ids=repr,
)
def test_the_checks_of_every_classifier(model):
    check_classifier(model)


def test_the_command_line_knows_it():
    model = parse_model("aode:min_rows=30,alpha=0.5").build()
    assert isinstance(model, AODEClassifier)
    assert (model.min_rows, model.alpha) == (30, 0.5)
    assert model_name(model) == "aode"
