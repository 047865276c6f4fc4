"""The classifiers as scikit-learn estimators, and their probabilities by hand."""

import itertools
import math
import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OrdinalEncoder
from sklearn.utils.estimator_checks import parametrize_with_checks

import bayesgrove
import bayesgrove.counts.counter
from bayesgrove import (
    BaggedTreesClassifier,
    BayesianNetworkClassifier,
    C45Classifier,
    GroveClassifier,
    InfoASClassifier,
    JoiningNaiveBayesClassifier,
    K2ASClassifier,
    KDBClassifier,
    NaiveBayesClassifier,
    NBTreeClassifier,
    SelectiveNaiveBayesClassifier,
    TANClassifier,
    WeightedNaiveBayesClassifier,
)
from bayesgrove.estimators.base.joint import JointClassifier
from bayesgrove.parameters import BDeu, Dirichlet, MaximumLikelihood
from bayesgrove.selection import InfoAS
from bayesgrove.structures import KDB, TAN
from support import log_answers

CLASSIFIERS = [
    getattr(bayesgrove, name) for name in bayesgrove.__all__ if name.endswith("Classifier")
]
MODELS = [
    *(classifier() for classifier in CLASSIFIERS),
    NaiveBayesClassifier("gaussian"),
    KDBClassifier(k=2, theta=0.01, unit="bits"),
    BayesianNetworkClassifier(TAN(), BDeu(5)),
    InfoASClassifier("cig"),
    K2ASClassifier("continue", cv=3),
    BayesianNetworkClassifier(TAN(), selection=InfoAS("cdc", "chi2")),
    C45Classifier(pruned=False, min_rows=1),
]
NETWORKS = [model for model in MODELS if isinstance(model, JointClassifier)]
CANNOT_APPLY = {
    K2ASClassifier: "cv is a name or a number of folds, not row numbers",
    JoiningNaiveBayesClassifier: "one row at a time is left out, whatever its weight",
    SelectiveNaiveBayesClassifier: "cv is a name or a number of folds, not row numbers",
    GroveClassifier: "which rows are in a fold depends on how many rows there are",
    BaggedTreesClassifier: "which rows are drawn depends on how many rows there are",
    NBTreeClassifier: "which rows are in a fold depends on how many rows there are",
    WeightedNaiveBayesClassifier: "which rows are drawn depends on how many rows there are",
}
"""Why a row of weight 2 is not the row twice: it is drawn, or is in a half, as one."""


def test_all_classifiers_are_found():
    assert {NaiveBayesClassifier, TANClassifier, C45Classifier} <= set(CLASSIFIERS)


def checks_that_cannot_apply(estimator):
    reason = CANNOT_APPLY.get(type(estimator))
    return {"check_sample_weight_equivalence_on_dense_data": reason} if reason else {}


@parametrize_with_checks(
    [model for model in MODELS if repr(model) != "K2ASClassifier(cv=3, ties='continue')"],
    expected_failed_checks=checks_that_cannot_apply,
)
@pytest.mark.filterwarnings("ignore:No attribute was selected")  # of one class, for example
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("owner", CLASSIFIERS)
def test_every_classifier_answers_for_its_size(owner):
    X, y = mixed_rows()
    with pytest.raises(NotFittedError):
        owner().complexity()
    model = owner().fit(X, y)
    size = model.complexity()
    assert 0 < size.attributes <= X.shape[1]
    assert size.parameters > 0
    if hasattr(model, "networks_"):
        assert size.arcs >= sum(len(network.arcs) for network in model.networks_)
    elif hasattr(model, "members_"):
        assert size.arcs > 0
    else:
        assert size.arcs is None


def mixed_rows(rows=120, seed=0):
    """Nominal and numeric columns that depend on the class, with gaps."""
    rng = np.random.default_rng(seed)
    y = rng.choice(["no", "perhaps", "yes"], rows)
    place = np.searchsorted(["no", "perhaps", "yes"], y)
    colour = np.where(rng.random(rows) < 0.5, place, rng.integers(0, 3, rows))
    X = pd.DataFrame(
        {
            "colour": np.array(["blue", "green", "red"], dtype=object)[colour],
            "size": rng.normal(size=rows) + place,
            "count": rng.integers(0, 4, rows),
            "shape": pd.Categorical.from_codes(rng.integers(-1, 2, rows), ["round", "square"]),
        }
    )
    X.loc[rng.random(rows) < 0.1, "size"] = np.nan
    return X, y


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_a_pickled_model_gives_the_same_probabilities(model, tmp_path):
    X, y = mixed_rows()
    fitted = clone(model).fit(X, y)
    before = fitted.predict_proba(X)
    joblib.dump(fitted, tmp_path / "model.joblib")
    for copy in (pickle.loads(pickle.dumps(fitted)), joblib.load(tmp_path / "model.joblib")):
        assert copy.predict_proba(X).tobytes() == before.tobytes()
        assert copy.predict(X).tolist() == fitted.predict(X).tolist()
        assert copy.get_params().keys() == fitted.get_params().keys()
    assert_allclose(before.sum(axis=1), 1.0, rtol=1e-12)


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_a_clone_has_the_parameters_and_no_fit(model):
    X, y = mixed_rows()
    fitted = clone(model).fit(X, y)
    copy = clone(fitted)
    assert not hasattr(copy, "classes_")
    assert repr(copy) == repr(model)
    assert copy.fit(X, y).predict_proba(X).tobytes() == fitted.predict_proba(X).tobytes()


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_the_html_representation_names_the_classifier(model):
    X, y = mixed_rows()
    for shown in (clone(model), clone(model).fit(X, y)):
        assert type(model).__name__ in shown._repr_html_()


def test_set_params_changes_what_is_learned():
    X, y = mixed_rows()
    model = KDBClassifier().set_params(k=2, theta=0.5, unit="bits", alpha=0.25, missing="ignore")
    wanted = {"k": 2, "theta": 0.5, "unit": "bits", "alpha": 0.25, "missing": "ignore"}
    assert wanted.items() <= model.get_params().items()
    model.set_params(k=0, theta=None).fit(X, y)
    assert {parent for parent, _ in model.network_.arcs} == {model.network_.class_node}
    with pytest.raises(ValueError, match="Invalid parameter 'depth'"):
        model.set_params(depth=3)


def test_nested_parts_are_kept_by_clone():
    model = BayesianNetworkClassifier(KDB(k=2), BDeu(10))
    copy = clone(model)
    assert copy.get_params(deep=False)["structure"] == KDB(k=2)
    assert copy.get_params(deep=False)["parameters"] == BDeu(10)


def test_a_pipeline_of_codes_is_categorical_naive_bayes():
    X, y = mixed_rows()
    X = X[["colour", "count"]]
    pipeline = Pipeline(
        [("codes", OrdinalEncoder()), ("bayes", NaiveBayesClassifier(categorical_features="all"))]
    ).fit(X, y)
    counts = np.unique(y, return_counts=True)[1]
    oracle = CategoricalNB(class_prior=(counts + 1) / (counts + 1).sum())
    codes = OrdinalEncoder().fit_transform(X)
    expected = oracle.fit(codes, y).predict_proba(codes)
    assert_allclose(pipeline.predict_proba(X), expected, rtol=1e-12)
    assert_array_equal(pipeline.classes_, oracle.classes_)


def test_a_grid_search_tries_every_k(folder_dataset):
    X, y = folder_dataset("corral")
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    search = GridSearchCV(KDBClassifier(), {"k": [0, 1, 2, 3]}, cv=folds, error_score="raise")
    search.fit(X, y)
    accuracies = []
    for k in range(4):
        correct = []
        for train, test in folds.split(X, y):
            model = KDBClassifier(k=k).fit(X.iloc[train], y.iloc[train])
            hits = model.predict(X.iloc[test]) == y.iloc[test].to_numpy()
            correct.append(sum(hits.tolist()) / len(test))
        accuracies.append(sum(correct) / 4)
    assert_allclose(search.cv_results_["mean_test_score"], accuracies, rtol=1e-12)
    assert search.best_params_ == {"k": accuracies.index(max(accuracies))}
    assert search.best_score_ > accuracies[0]


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_threads_do_not_change_a_bit(model):
    X, y = mixed_rows(600)
    one, two = (clone(model).set_params(n_jobs=n).fit(X, y) for n in (1, 2))
    assert log_answers(one, X).tobytes() == log_answers(two, X).tobytes()


@pytest.mark.parametrize("model", NETWORKS, ids=repr)
def test_the_public_answers_agree_with_the_joint_probabilities(model):
    X, y = mixed_rows()
    fitted = clone(model).fit(X, y)
    joint = np.exp(fitted.predict_joint_log_proba(X))
    posterior = joint / joint.sum(axis=1, keepdims=True)
    assert_allclose(fitted.predict_proba(X), posterior, rtol=1e-10)
    assert_allclose(fitted.predict_log_proba(X), np.log(posterior), rtol=1e-9, atol=1e-12)
    predicted = fitted.predict(X)
    assert predicted.tolist() == [["no", "perhaps", "yes"][c] for c in posterior.argmax(axis=1)]
    assert fitted.score(X, y) == sum(predicted == y) / len(y)


def nominal_rows(rows=60, seed=0, missing=0.0):
    """Labels that depend on each other and on the class."""
    rng = np.random.default_rng(seed)
    y = rng.choice(np.array(["n", "p", "y"], dtype=object), rows, p=[0.5, 0.3, 0.2])
    common = rng.integers(0, 4, rows)
    columns = {}
    for name, card in zip("abcde", (2, 3, 4, 3, 2), strict=True):
        noise = rng.integers(0, 4, rows) * (rng.random(rows) < 0.4)
        codes = (common + noise + (y == "p")) % card
        labels = np.array(["q", "r", "s", "t"], dtype=object)[codes]
        columns[name] = np.where(rng.random(rows) < missing, None, labels)
    return pd.DataFrame(columns, dtype=object), y


class ByHand:
    """ln P(class, row) of a network with given arcs, straight from the rows."""

    def __init__(self, network, X, y, pseudo, weights=None):
        self.network = network
        self.rows = [
            {**row, network.class_node: label}
            for row, label in zip(X.to_dict("records"), y, strict=True)
        ]
        self.weights = [1.0] * len(y) if weights is None else weights
        self.pseudo = pseudo
        self.tables = {}

    def count(self, wanted):
        """Weight of the rows that have these values."""
        pairs = zip(self.rows, self.weights, strict=True)
        return math.fsum(w for row, w in pairs if all(row[k] == v for k, v in wanted.items()))

    def probability(self, node, row):
        given = {parent: row[parent] for parent in self.network.parents(node)}
        key = (node, *given.values())
        if key not in self.tables:
            self.tables[key] = self.distribution(node, given)
        return self.tables[key][row[node]]

    def distribution(self, node, given):
        states = self.network.states(node)
        counts = [self.count({**given, node: state}) for state in states]
        q = math.prod(len(self.network.states(parent)) for parent in given)
        alpha = self.pseudo(q, len(states))
        total = sum(counts) + alpha * len(states)
        uniform = 1 / len(states)
        values = [(n + alpha) / total if total > 0 else uniform for n in counts]
        return dict(zip(states, values, strict=True))

    def joint(self, row):
        """P(class, row) of every class, summed over what is missing."""
        network = self.network
        missing = [name for name, value in row.items() if value is None]
        possible = list(itertools.product(*(network.states(name) for name in missing)))
        joint = []
        for c in network.states(network.class_node):
            filled = (dict(zip(missing, values, strict=True)) for values in possible)
            rows = [{**row, **values, network.class_node: c} for values in filled]
            joint.append(
                math.fsum(math.prod(self.probability(v, r) for v in network.nodes) for r in rows)
            )
        return joint


def add(alpha):
    return lambda q, r: alpha


def share(alpha):
    return lambda q, r: alpha / (q * r)


BY_HAND = {
    "tan": (TANClassifier(), add(1.0)),
    "tan half": (TANClassifier("c", alpha=0.5), add(0.5)),
    "kdb 1": (KDBClassifier(), add(1.0)),
    "kdb 2": (KDBClassifier(k=2, alpha=0.1), add(0.1)),
    "kdb full": (KDBClassifier(k=4), add(1.0)),
    "dirichlet": (BayesianNetworkClassifier(KDB(2), Dirichlet(3)), add(3.0)),
    "bdeu": (BayesianNetworkClassifier(KDB(2), BDeu(4)), share(4.0)),
    "bdeu naive": (BayesianNetworkClassifier(parameters=BDeu(1)), share(1.0)),
    "likelihood": (BayesianNetworkClassifier(TAN(), MaximumLikelihood()), add(0.0)),
}


@pytest.fixture(params=["dense", "sparse"])
def tables(request, monkeypatch):
    if request.param == "sparse":
        monkeypatch.setattr(bayesgrove.counts.counter, "DENSE_CELLS", 0)


def test_small_tables_can_be_made_sparse(monkeypatch):
    monkeypatch.setattr(bayesgrove.counts.counter, "DENSE_CELLS", 0)
    network = KDBClassifier(k=3).fit(*nominal_rows(20)).network_
    assert any(network.table(node).has_default for node in network.nodes)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("case", BY_HAND)
def test_joint_probabilities_by_hand(tables, case, weighted):
    model, pseudo = BY_HAND[case]
    X, y = nominal_rows(20)
    weights = np.random.default_rng(1).integers(1, 5, 20) / 2 if weighted else None
    model = clone(model).fit(X, y, weights)
    hand = ByHand(model.network_, X, y, pseudo, weights)
    rows = nominal_rows(20, seed=5)[0]
    expected = [hand.joint(row) for row in rows.to_dict("records")]
    prior = [hand.probability("class", {"class": c}) for c in ("n", "p", "y")]
    expected = np.array([joint if any(joint) else prior for joint in expected])
    assert_allclose(np.exp(model.predict_joint_log_proba(rows)), expected, rtol=1e-11)
    posterior = expected / expected.sum(axis=1, keepdims=True)
    assert_allclose(model.predict_proba(rows), posterior, rtol=1e-11)


@pytest.mark.parametrize("case", ["tan", "kdb 2", "kdb full", "bdeu", "bdeu naive"])
def test_missing_values_are_summed_out_by_hand(tables, case):
    model, pseudo = BY_HAND[case]
    X, y = nominal_rows(20)
    model = clone(model).fit(X, y)
    hand = ByHand(model.network_, X, y, pseudo)
    rows = nominal_rows(12, seed=3, missing=0.4)[0]
    expected = [hand.joint(row) for row in rows.to_dict("records")]
    assert_allclose(np.exp(model.predict_joint_log_proba(rows)), expected, rtol=1e-11)


@pytest.mark.parametrize("case", ["tan", "kdb 2", "bdeu"])
def test_missing_cells_of_training_are_left_out_by_hand(tables, case):
    model, pseudo = BY_HAND[case]
    X, y = nominal_rows(30, missing=0.2)
    model = clone(model).set_params(missing="ignore").fit(X, y)
    hand = ByHand(model.network_, X, y, pseudo)
    rows = nominal_rows(12, seed=3)[0]
    expected = [hand.joint(row) for row in rows.to_dict("records")]
    assert_allclose(np.exp(model.predict_joint_log_proba(rows)), expected, rtol=1e-11)


def test_likelihood_and_bdeu_of_four_rows():
    X = pd.DataFrame({"a": ["u", "u", "v", "v"]})
    y = ["no", "no", "no", "yes"]
    likelihood = BayesianNetworkClassifier(parameters=MaximumLikelihood()).fit(X, y).network_
    assert_allclose(np.asarray(likelihood.table("class")), [3 / 4, 1 / 4], rtol=1e-15)
    assert_allclose(np.asarray(likelihood.table("a")), [[2 / 3, 1 / 3], [0, 1]], rtol=1e-15)
    bdeu = BayesianNetworkClassifier(parameters=BDeu(2)).fit(X, y).network_
    assert_allclose(np.asarray(bdeu.table("class")), [4 / 6, 2 / 6], rtol=1e-15)
    assert_allclose(
        np.asarray(bdeu.table("a")), [[2.5 / 4, 1.5 / 4], [0.5 / 2, 1.5 / 2]], rtol=1e-15
    )


@pytest.mark.parametrize("parameters", [Dirichlet(1), BDeu(1), MaximumLikelihood()], ids=repr)
def test_parents_that_are_never_known_together_tell_nothing(monkeypatch, parameters):
    monkeypatch.setattr(bayesgrove.counts.counter, "DENSE_CELLS", 0)
    gap = None
    X = pd.DataFrame(
        {"a": ["u", "v", gap, gap], "b": [gap, gap, "u", "v"], "c": ["u", "v", "w", "x"]},
        dtype=object,
    )
    model = BayesianNetworkClassifier(KDB(2), parameters, missing="ignore")
    network = model.fit(X, ["n", "p", "n", "p"]).network_
    node = next(name for name in "abc" if len(network.parents(name)) == 3)
    table = np.asarray(network.table(node))
    assert_allclose(table, np.full(table.shape, 1 / table.shape[-1]), rtol=1e-15)
