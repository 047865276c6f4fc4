"""What every average over networks can be asked, and an average that no other file knows."""

import json

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from bayesgrove import (
    AveragedNaiveBayesClassifier,
    LogisticCalibration,
    ModelAveragingClassifier,
    ModelFileError,
    load_dataset,
    load_model,
    save_model,
)
from bayesgrove.estimators.base.averaging import AveragingClassifier
from bayesgrove.estimators.base.complexity import Complexity
from bayesgrove.evaluation.metrics import model_sizes
from bayesgrove.model_files import model as files
from bayesgrove.network import Structure
from bayesgrove.parameters import Dirichlet


class SuperParents(AveragingClassifier):
    """A fixed average (AODE lets rows decide): each attribute in turn is a parent of all others."""

    def __init__(self, alpha: float = 1.0, unseen: str = "missing", n_jobs: int | None = None):
        self.alpha = alpha
        self.unseen = unseen
        self.n_jobs = n_jobs

    categorical_features = None
    discretizer = None
    missing = "value"

    def _learn(self, training):
        counts = training.counts(self._threads())
        n = counts.n_attributes
        structures = [
            Structure((*((n,) if x == parent else (parent, n) for x in range(n)), ()))
            for parent in range(n)
        ]
        networks = [
            Dirichlet(self.alpha).estimate(structure, counts, training.states)
            for structure in structures
        ]
        self._keep_networks(training.schema, training.classes, networks, np.full(n, 1.0 / n))


def share(rows, where, what, states):
    """(N + 1) / (N of the parents' values + number of states)."""
    given = rows
    for name, value in where.items():
        given = given[given[name] == value]
    name, value = what
    return ((given[name] == value).sum() + 1) / (len(given) + states)


def joint_by_hand(X, y, row):
    """The mean over all parents of P(c) P(parent | c) prod P(x | parent, c), class by class."""
    rows = X.assign(goal=y)
    classes = sorted(set(y))
    cards = {name: X[name].nunique() for name in X}
    joint = []
    for c in classes:
        terms = []
        for parent in X:
            term = share(rows, {}, ("goal", c), len(classes))
            for x in X:
                where = {"goal": c} if x == parent else {"goal": c, parent: row[parent]}
                term *= share(rows, where, (x, row[x]), cards[x])
            terms.append(term)
        joint.append(np.mean(terms))
    return joint


@pytest.fixture(scope="module")
def corral():
    X, y = load_dataset("corral")
    return X.iloc[:, :4].astype(str), y.astype(str)


@pytest.fixture
def known(monkeypatch):
    """Model files that know the class as if it were public."""
    names = {**files.classifiers(), "SuperParents": SuperParents}
    monkeypatch.setattr(files, "classifiers", lambda: names)


def test_networks_and_weights_are_the_model(corral):
    X, y = corral
    model = SuperParents().fit(X, y)
    expected = np.array([joint_by_hand(X, y, row) for _, row in X[:20].iterrows()])
    assert_allclose(np.exp(model.predict_joint_log_proba(X[:20])), expected, rtol=1e-12)
    posterior = expected / expected.sum(axis=1, keepdims=True)
    assert_allclose(model.predict_proba(X[:20]), posterior, rtol=1e-12)


def test_missing_values_are_summed_out(corral):
    X, y = corral
    model = SuperParents().fit(X, y)
    holes = X[:6].assign(A0=None)
    filled = [np.exp(model.predict_joint_log_proba(X[:6].assign(A0=value))) for value in "01"]
    assert_allclose(np.exp(model.predict_joint_log_proba(holes)), sum(filled), rtol=1e-12)


def test_rows_that_are_impossible_get_the_probabilities_of_the_classes():
    X = pd.DataFrame({"a": ["u", "u", "v", "v"], "b": ["p", "p", "q", "q"]})
    y = ["n", "n", "n", "y"]
    model = SuperParents(alpha=0).fit(X, y)
    odd = pd.DataFrame({"a": ["u"], "b": ["q"]})
    assert_allclose(model.predict_proba(odd), [[0.75, 0.25]], rtol=1e-12)


def test_weights_count(corral):
    X, y = corral
    model = SuperParents().fit(X, y)
    alone = []
    for network in model.networks_:
        model.networks_, model.weights_ = [network], np.ones(1)
        alone.append(np.exp(model.predict_joint_log_proba(X)))
    model = SuperParents().fit(X, y)
    model.weights_ = np.array([0.5, 0.0, 0.2, 0.3])
    expected = 0.5 * alone[0] + 0.2 * alone[2] + 0.3 * alone[3]
    assert_allclose(np.exp(model.predict_joint_log_proba(X)), expected, rtol=1e-12)


def test_networks_with_weights_can_be_saved_as_they_are(corral, known, tmp_path):
    X, y = corral
    model = SuperParents().fit(X, y)
    model.weights_ = np.array([0.4, 0.3, 0.2, 0.1])
    save_model(model, tmp_path / "m.json")
    loaded = load_model(tmp_path / "m.json")
    assert vars(loaded).keys() == vars(model).keys()
    assert loaded.networks_ == model.networks_
    assert loaded.weights_.tolist() == model.weights_.tolist()
    assert loaded.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()
    document = json.loads((tmp_path / "m.json").read_text(encoding="utf-8"))
    assert [network is None for network in document["extra"]["networks"]] == [True] + [False] * 3
    save_model(loaded, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "m.json").read_bytes()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda extra: extra.pop("weights"), "extra has no 'weights'"),
        (lambda extra: extra["weights"].pop(), "extra.weights has 3 numbers, needs 4"),
        (lambda extra: extra["weights"].__setitem__(0, 0.5), "sum to 1.25, not to 1"),
        (lambda extra: extra["weights"].__setitem__(0, -0.25), "weights that sum to"),
        (lambda extra: extra["networks"].clear(), "extra.networks is empty"),
        (lambda extra: extra["networks"].__setitem__(1, None), r"networks\[1\] is None"),
        (lambda extra: extra["networks"].__setitem__(0, []), r"networks\[0\] is \[\], not null"),
        (lambda extra: extra["networks"][2][0].update(name="B9"), r"networks\[2\]\[0\].name"),
    ],
)
def test_damaged_averages_are_refused(corral, known, change, message):
    document = files.describe_model(SuperParents().fit(*corral))
    document = json.loads(json.dumps(document))
    change(document["extra"])
    with pytest.raises(ModelFileError, match=message):
        files.read_model(files.Field(document, "m.json"))


def test_networks_of_other_columns_are_refused(corral, known, tmp_path):
    X, y = corral
    model = SuperParents().fit(X, y)
    model.networks_[2] = SuperParents().fit(X.iloc[:, :3], y).networks_[2]
    with pytest.raises(ModelFileError, match="do not agree"):
        save_model(model, tmp_path / "m.json")


def test_no_network_stands_for_many(corral):
    X, y = corral
    several = ModelAveragingClassifier(order="opposite").fit(X, y)
    with pytest.raises(AttributeError, match=r"averages over 2 networks, .*: use networks_"):
        _ = several.network_
    assert not hasattr(several, "network_")
    one = ModelAveragingClassifier(order="information").fit(X, y)
    assert one.network_ is one.networks_[0]
    naive = AveragedNaiveBayesClassifier().fit(X, y)
    assert naive.networks_ == [naive.network_]
    assert naive.weights_.tolist() == [1.0]
    for unfitted in (ModelAveragingClassifier(), AveragedNaiveBayesClassifier()):
        assert not hasattr(unfitted, "network_")


def test_the_size_is_that_of_all_networks(corral):
    """Four two-valued attributes: each network has 4 arcs from the class and 3 from the parent.

    The class has one free parameter, the parent one in each of 2 classes, and the others one in
    each of 4 configurations.
    """
    X, y = corral
    model = SuperParents().fit(X, y)
    assert model.complexity() == Complexity(4, 4 * 7, 4 * (1 + 2 + 3 * 4))
    calibrated = LogisticCalibration(SuperParents(), cv=2).fit(X, y)
    assert calibrated.complexity() == model.complexity()
    assert model_sizes(model) == {"attributes": 4, "arcs": 28, "parameters": 60}
    both = ModelAveragingClassifier(1, order="opposite").fit(X, y)
    arcs = [len(network.arcs) for network in both.networks_]
    assert both.complexity().arcs == sum(arcs)
    assert min(arcs) > 0


def test_what_the_first_network_is_without(corral):
    X, y = corral
    assert SuperParents().fit(X, y).beyond_network() == "the average over 4 networks"
    assert SuperParents().fit(X[["A0"]], y).beyond_network() == ""
    both = ModelAveragingClassifier(order="opposite").fit(X, y)
    assert both.beyond_network() == "the average over 2 orders"
