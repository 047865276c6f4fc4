"""Logistic regression against scikit-learn, a search without derivatives of ours, and WEKA."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

import bayesgrove.parameters.logistic
from bayesgrove.parameters import fit_logistic

WEKA = json.loads((Path(__file__).parent / "data" / "weka_logistic.json").read_text())


def rows_of(seed, classes, rows=120, strength=1.0):
    """Probabilities, which sum to 1, and classes that agree with them more or less."""
    rng = np.random.default_rng(seed)
    target = np.arange(rows) % classes
    scores = rng.normal(size=(rows, classes))
    scores[np.arange(rows), target] += strength
    shares = np.exp(scores)
    return shares / shares.sum(axis=1, keepdims=True), target


def standardised(inputs):
    return (inputs - inputs.mean(axis=0)) / inputs.std(axis=0, ddof=1)


def objective(parameters, inputs, target, classes, ridge):
    """The definition, written out; the last class has no parameters."""
    table = parameters.reshape(classes - 1, 1 + inputs.shape[1])
    total = ridge * (table[:, 1:] ** 2).sum()
    for row, own in zip(inputs, target, strict=True):
        scores = [b[0] + b[1:] @ row for b in table] + [0.0]
        total -= scores[own] - np.logaddexp.reduce(scores)
    return total


def parameters_of(model, inputs):
    """Those of inputs of mean 0 and standard deviation 1."""
    slopes = model.coefficients[:-1] * inputs.std(axis=0, ddof=1)
    return np.column_stack([model.intercepts[:-1] - model.intercepts[-1], slopes])


def peer(ridge):
    return LogisticRegression(C=1 / (2 * ridge), tol=1e-12, max_iter=100_000)


@pytest.mark.parametrize("ridge", [1e-8, 1e-3, 0.5, 20.0])
def test_two_classes_as_in_scikit_learn(ridge):
    inputs, target = rows_of(1, 2)
    expected = peer(ridge).fit(standardised(inputs), 1 - target)
    model = fit_logistic(inputs, target, 2, ridge)
    probabilities = expected.predict_proba(standardised(inputs))[:, ::-1]
    assert_allclose(np.exp(model.log_proba(inputs)), probabilities, atol=1e-6)
    assert_allclose(parameters_of(model, inputs)[0, 1:], expected.coef_[0], atol=1e-4)


@pytest.mark.parametrize("classes", [3, 6])
def test_several_classes_without_a_ridge_to_speak_of(classes):
    inputs, target = rows_of(2, classes, rows=300)
    expected = peer(1e-8).fit(standardised(inputs), target)
    probabilities = expected.predict_proba(standardised(inputs))
    model = fit_logistic(inputs, target, classes)
    assert_allclose(np.exp(model.log_proba(inputs)), probabilities, atol=1e-5)


@pytest.mark.parametrize("ridge", [1e-3, 0.5, 20.0])
def test_the_definition_with_a_ridge(ridge):
    """The penalty is on differences from the last class, which scikit-learn's is not."""
    inputs, target = rows_of(3, 3, rows=60)
    arguments = (standardised(inputs), target, 3, ridge)
    best = minimize(objective, np.zeros(8), arguments, tol=1e-9)
    own = parameters_of(fit_logistic(inputs, target, 3, ridge), inputs)
    assert objective(own.ravel(), *arguments) <= best.fun + 1e-10
    assert_allclose(own.ravel(), best.x, atol=2e-3)


@pytest.mark.parametrize("strength", [1.0, 4.0, 15.0])
@pytest.mark.parametrize("classes", [2, 3, 8])
def test_the_gradient_vanishes(classes, strength):
    inputs, target = rows_of(4, classes, rows=200, strength=strength)
    model = fit_logistic(inputs, target, classes)
    excess = np.exp(model.log_proba(inputs)) - np.eye(classes)[target]
    slopes = excess[:, :-1].T @ standardised(inputs)
    slopes += 2e-8 * parameters_of(model, inputs)[:, 1:]
    assert_allclose(slopes, 0.0, atol=1e-9)
    assert_allclose(excess.sum(axis=0), 0.0, atol=1e-9)


@pytest.mark.parametrize("name", [name for name in WEKA if name != "separable"])
def test_probabilities_of_weka(name):
    model, inputs, case = weka_case(name)
    assert_allclose(np.exp(model.log_proba(inputs)), case["probabilities"], atol=3e-5)


def test_weka_stops_earlier_where_classes_are_separable():
    model, inputs, case = weka_case("separable")
    own = np.exp(model.log_proba(inputs))
    assert_allclose(own, case["probabilities"], atol=1e-6)
    rows = np.arange(len(inputs))
    shares = [p[rows, case["target"]] for p in (own, np.array(case["probabilities"]))]
    losses = [-np.log(share).sum() for share in shares]
    assert losses[0] < losses[1] / 5


def weka_case(name):
    case = WEKA[name]
    inputs, weights = np.array(case["inputs"]), case["weights"]
    weights = None if weights is None else np.array(weights, dtype=float)
    classes = max(case["target"]) + 1
    return fit_logistic(inputs, case["target"], classes, case["ridge"], weights), inputs, case


def test_weight_two_is_the_row_twice():
    inputs, target = rows_of(5, 3)
    times = np.random.default_rng(5).integers(1, 4, len(target))
    weighted = fit_logistic(inputs, target, 3, 0.1, times.astype(float))
    repeated = fit_logistic(inputs.repeat(times, axis=0), target.repeat(times), 3, 0.1)
    assert_allclose(weighted.coefficients, repeated.coefficients, rtol=1e-8, atol=1e-10)
    assert_allclose(weighted.intercepts, repeated.intercepts, atol=1e-10)


def test_units_do_not_matter():
    inputs, target = rows_of(6, 3)
    inputs = inputs[:, :2]
    before = fit_logistic(inputs, target, 3, 0.1).log_proba(inputs)
    changed = inputs * [1e-30, 1e6] + [0.0, 7.0]
    assert_allclose(fit_logistic(changed, target, 3, 0.1).log_proba(changed), before, atol=1e-8)


def test_an_input_that_is_constant_has_no_say():
    inputs, target = rows_of(7, 3)
    noise = 1 / 3 + 1e-16 * np.arange(len(target))
    wider = np.column_stack([np.full(len(target), 0.1), inputs, noise])
    model, wide = fit_logistic(inputs, target, 3), fit_logistic(wider, target, 3)
    assert (wide.coefficients[:, [0, -1]] == 0).all()
    assert_allclose(wide.log_proba(wider), model.log_proba(inputs), atol=1e-12)
    none = fit_logistic(np.full((4, 2), 0.5), np.array([0, 0, 1, 2]), 3)
    assert_allclose(np.exp(none.log_proba(np.eye(2))), [[0.5, 0.25, 0.25]] * 2)


def test_a_class_without_rows_is_impossible():
    inputs, target = rows_of(8, 3)
    three = fit_logistic(inputs, target, 3)
    four = fit_logistic(inputs, target + (target > 0), 4)
    found = np.exp(four.log_proba(inputs))
    assert (found[:, 1] == 0).all()
    assert_allclose(found[:, [0, 2, 3]], np.exp(three.log_proba(inputs)))
    alone = fit_logistic(inputs, np.full(len(target), 1), 3)
    assert np.exp(alone.log_proba(inputs)).tolist() == [[0.0, 1.0, 0.0]] * len(target)


def test_blocks_of_rows_make_no_difference(monkeypatch):
    inputs, target = rows_of(9, 4)
    whole = fit_logistic(inputs, target, 4)
    monkeypatch.setattr(bayesgrove.parameters.logistic, "BLOCK", 100)
    assert_allclose(fit_logistic(inputs, target, 4).coefficients, whole.coefficients, rtol=1e-8)


@pytest.mark.parametrize("seed", range(60))
def test_whatever_comes_in_probabilities_come_out(seed):
    """Separable classes, ones and zeros, tiny numbers, copies, single rows, any weights."""
    rng = np.random.default_rng(seed)
    classes, rows = rng.integers(1, 6), rng.integers(1, 50)
    target = rng.integers(0, classes, rows)
    inputs = [
        np.eye(classes)[target],
        np.eye(classes)[rng.integers(0, classes, rows)],
        rng.random((rows, classes)) * 10.0 ** rng.integers(-150, 1, classes),
        np.exp(-500 * rng.random((rows, classes))),
        np.full((rows, classes), 1 / classes) + 1e-16 * rng.random((rows, classes)),
    ][seed % 5]
    weights = rng.random(rows) * 10.0 ** rng.integers(-20, 20) + 1e-30 if seed % 2 else None
    ridge = [0, 1e-8, 1.0, 1e6][seed % 4]
    with np.errstate(all="raise", under="ignore"):
        model = fit_logistic(inputs, target, classes, ridge, weights)
        logs = model.log_proba(np.vstack([inputs, np.eye(classes)]))
    assert_allclose(np.exp(logs).sum(axis=1), 1.0, rtol=1e-12)


@pytest.mark.parametrize("ridge", [-1.0, np.nan, np.inf, None, "much"])
def test_a_ridge_that_is_none(ridge):
    with pytest.raises(ValueError, match="ridge="):
        fit_logistic(np.zeros((2, 1)), np.array([0, 1]), 2, ridge)
