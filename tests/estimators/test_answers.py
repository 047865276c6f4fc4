"""Probabilities, their logarithms and predictions are of one joint distribution."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import softmax

from bayesgrove import (
    CBClassifier,
    KDBClassifier,
    ModelAveragingClassifier,
    NaiveBayesClassifier,
    TANClassifier,
    WeightedNaiveBayesClassifier,
)

MODELS = [
    NaiveBayesClassifier(missing="ignore"),
    NaiveBayesClassifier(numeric="gaussian"),
    TANClassifier(missing="ignore"),
    TANClassifier(alpha=0, missing="ignore"),
    KDBClassifier(k=2, missing="ignore"),
    CBClassifier(missing="ignore"),
    WeightedNaiveBayesClassifier(missing="ignore"),
    WeightedNaiveBayesClassifier(numeric="discretize", missing="ignore"),
    ModelAveragingClassifier(max_parents=2, missing="ignore"),
    ModelAveragingClassifier(max_parents=1, order="random", n_orders=3, missing="ignore"),
]


@pytest.fixture
def data():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 300)
    X = np.where(rng.random((300, 5)) < 0.6, y[:, None], rng.integers(0, 4, (300, 5))).astype(float)
    X[:, 0] += rng.normal(size=300)
    X[:, 4] = 2.0  # a single state
    holed = np.where(rng.random(X.shape) < 0.2, np.nan, X)
    return X[:150], y[:150], holed[150:]


@pytest.mark.parametrize("model", MODELS, ids=repr)
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_answers_follow_from_the_joint(model, n_jobs, data):
    X, y, rows = data
    model.set_params(n_jobs=n_jobs).fit(X, y)
    expected = softmax(model.predict_joint_log_proba(rows), axis=1)
    found = model.predict_proba(rows)
    assert_allclose(found, expected, rtol=1e-11, atol=1e-300)
    assert_allclose(np.exp(model.predict_log_proba(rows)), expected, rtol=1e-11, atol=1e-300)
    top = expected.max(axis=1, keepdims=True)
    first = np.argmax(expected >= top * (1 - 1e-11), axis=1)
    assert_array_equal(model.predict(rows), model.classes_[first])
    one_by_one = np.concatenate([model.predict_proba(row[None]) for row in rows])
    assert_allclose(one_by_one, found, rtol=1e-13)


def test_rows_that_no_class_can_have_get_the_class_probabilities():
    X, y = np.array([[0, 0], [0, 1], [1, 1]]), ["n", "n", "y"]
    for model in (NaiveBayesClassifier(alpha=0), TANClassifier(alpha=0)):
        model.fit(X, y)
        assert_allclose(model.predict_proba([[1, 0], [0, 0]]), [[2 / 3, 1 / 3], [1, 0]])
        assert_allclose(model.predict_log_proba([[1, 0]]), np.log([[2 / 3, 1 / 3]]))
        assert model.predict([[1, 0], [1, 1]]).tolist() == ["n", "y"]


def test_the_tables_of_weighted_naive_bayes_are_compiled_once(data):
    X, y, rows = data
    model = WeightedNaiveBayesClassifier(numeric="discretize").fit(X, y)
    program = model._power_program()
    expected = model.predict_proba(rows)
    assert model._power_program() is program
    assert b"Layout" not in pickle.dumps(model)
    weights = model.weights_ * 0.5
    model.set_params(weights=weights).fit(X, y)
    assert model._power_program() is not program
    assert np.abs(model.predict_proba(rows) - expected).max() > 0.01
