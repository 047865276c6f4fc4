"""Naive Bayes of rounded numbers: against WEKA 3.6.14's NaiveBayes and against normal shares.

make_rounded.py asked WEKA, which prints three decimals; attributes and values were given in the
order of the data sets.
"""

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm

from bayesgrove import NaiveBayesClassifier, load_dataset

WEKA = json.loads((Path(__file__).parent / "data" / "rounded.json").read_text())
SHIPPED = ("iris", "credit-g")


@pytest.mark.parametrize("name", [name for name in WEKA if name != "about"])
def test_probabilities_are_wekas(name, request):
    X, y = (
        load_dataset(name) if name in SHIPPED else request.getfixturevalue("folder_dataset")(name)
    )
    numeric = NaiveBayesClassifier("rounded", missing="ignore", categorical_features=[])
    model = numeric.fit(X, y)
    declared = list(y.cat.categories)
    expected = np.array(WEKA[name])[:, [declared.index(c) for c in model.classes_]]
    assert_allclose(model.predict_proba(X[::10]), expected, rtol=0, atol=0.000501)


def precision(values):
    """The mean gap between adjacent distinct values; 0.01 without two."""
    distinct = sorted({v for v in values if v == v})
    return (distinct[-1] - distinct[0]) / (len(distinct) - 1) if len(distinct) > 1 else 0.01


def share(value, values, weights, step):
    """The probability of the step around a value, of the normal distribution of some values."""
    rounded = np.rint(values / step) * step
    mean = np.average(rounded, weights=weights)
    deviation = math.sqrt(np.average((rounded - mean) ** 2, weights=weights))
    deviation = max(deviation, step / 6)
    centre = round(value / step) * step
    low, high = centre - step / 2, centre + step / 2
    if centre > mean:  # the difference of two numbers near 1 has few digits
        low, high = 2 * mean - high, 2 * mean - low
    return max(norm.cdf(high, mean, deviation) - norm.cdf(low, mean, deviation), 1e-75)


def joint_by_hand(X, y, row, weights):
    """ln P(class, row) of numeric columns."""
    joint = []
    for c in sorted(set(y)):
        total = math.log((weights[y == c].sum() + 1) / (weights.sum() + len(set(y))))
        for name in X:
            known = (y == c) & X[name].notna().to_numpy()
            if not math.isnan(row[name]):
                values, step = X[name].to_numpy()[known], precision(X[name])
                total += math.log(share(row[name], values, weights[known], step))
        joint.append(total)
    return joint


def numeric_rows(rows=50, seed=0):
    """Numbers of several precisions, with gaps; the last column is nearly a constant."""
    rng = np.random.default_rng(seed)
    y = rng.choice(np.array(["a", "b", "c"]), rows)
    place = np.searchsorted(["a", "b", "c"], y)
    X = pd.DataFrame(
        {
            "fine": rng.normal(size=rows) + place,
            "tenths": np.round(rng.normal(size=rows) * (1 + place), 1),
            "far": np.round(1e4 + 300 * rng.normal(size=rows) * place, -1),
            "same": np.where(np.arange(rows) == 7, 2.5, 2.0),
        }
    )
    return X.mask(rng.random(X.shape) < 0.1), y


@pytest.mark.parametrize("weighted", [False, True])
def test_probabilities_by_hand(weighted):
    X, y = numeric_rows()
    weights = np.random.default_rng(1).choice([0.5, 1.0, 3.0], len(y)) if weighted else None
    model = NaiveBayesClassifier("rounded", categorical_features=[]).fit(X, y, weights)
    rows = pd.concat([X[:20], X[:10] * 1.37 - 0.4])
    used = np.ones(len(y)) if weights is None else weights
    expected = [joint_by_hand(X, y, row, used) for _, row in rows.iterrows()]
    assert_allclose(model.predict_joint_log_proba(rows), expected, rtol=1e-11)


def test_four_rows_by_hand():
    """The mean gap of 1, 2.5 and 5 is 2: they are rounded to 0, 2 and 4, halves to even ones."""
    X, y = np.array([[1.0], [2.5], [5.0], [5.0]]), ["n", "n", "y", "y"]
    model = NaiveBayesClassifier("rounded", categorical_features=[]).fit(X, y)
    assert_allclose(model.theta_, [[1.0], [4.0]])
    assert_allclose(np.sqrt(model.var_), [[1.0], [2 / 6]])
    # 3.1 is rounded to 4: two to four deviations above the mean of n, -3 to 3 of y.
    expected = np.array([norm.cdf(-2) - norm.cdf(-4), 2 * norm.cdf(3) - 1])
    assert_allclose(np.exp(model.predict_joint_log_proba([[3.1]]))[0], expected / 2, rtol=1e-12)


def test_no_number_is_less_probable_than_the_floor():
    X, y = np.array([[1.0], [2.5], [5.0], [5.0]]), ["n", "n", "y", "y"]
    model = NaiveBayesClassifier("rounded", categorical_features=[]).fit(X, y)
    far = model.predict_joint_log_proba([[1e3], [-1e3], [1e300], [-1e300]])
    assert_allclose(far, math.log(0.5) + math.log(1e-75))


def test_a_column_without_two_values_has_the_precision_of_a_hundredth():
    X, y = np.array([[0.5, np.nan], [0.5, np.nan], [0.5, 3.25], [np.nan, np.nan]]), [0, 0, 1, 1]
    model = NaiveBayesClassifier("rounded", categorical_features=[]).fit(X, y)
    assert_allclose(model.var_, (0.01 / 6) ** 2)
    joint = model.predict_joint_log_proba([[0.5049, np.nan], [0.5051, 3.25]])
    inside, aside = 2 * norm.cdf(3) - 1, norm.cdf(-3) - norm.cdf(-9)
    assert_allclose(joint[0], math.log(0.5 * inside), rtol=1e-12)
    # Class 0 has no second number: all classes tell what it is.
    assert_allclose(joint[1], math.log(0.5 * aside * inside), rtol=1e-12)


def test_chunks_of_the_same_values_are_all_rows():
    X, y = numeric_rows(60)
    halves = [X, X[::-1]]  # other rows of other classes, the same precision
    labels = [y, np.roll(y, 7)]
    model = NaiveBayesClassifier("rounded", categorical_features=[])
    for part, label in zip(halves, labels, strict=True):
        model.partial_fit(part, label, classes=["a", "b", "c"])
    whole = NaiveBayesClassifier("rounded", categorical_features=[])
    whole.fit(pd.concat(halves), np.concatenate(labels))
    assert_allclose(model.theta_, whole.theta_, rtol=1e-12)
    assert_allclose(model.var_, whole.var_, rtol=1e-10)
    assert_allclose(model.predict_log_proba(X), whole.predict_log_proba(X), rtol=1e-9, atol=1e-12)


def test_the_precision_stays_when_rows_are_added():
    """Rows at 0, 1, 2, 3 give steps of 1; 0.4 and 0.6, which come later, are then 0 and 1."""
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 0, 1, 1]
    model = NaiveBayesClassifier("rounded", categorical_features=[]).partial_fit(X, y)
    model.partial_fit([[0.4], [0.6]], [0, 1])
    assert_allclose(model.theta_, [[1 / 3], [6 / 3]])
    assert_allclose(model.var_, [[2 / 9], [2 / 3]])


def test_files_give_what_rows_in_memory_give(tmp_path):
    X, y = numeric_rows(90)
    X["word"] = np.array(["u", "v", "w"], dtype=object)[np.arange(90) % 3]
    X.assign(kind=y).to_parquet(tmp_path / "rows.parquet", row_group_size=20)
    memory = NaiveBayesClassifier("rounded").fit(X, y)
    files = NaiveBayesClassifier("rounded").fit(tmp_path / "rows.parquet", "kind")
    assert_allclose(files.theta_, memory.theta_, rtol=1e-12)
    assert_allclose(files.var_, memory.var_, rtol=1e-10)
    expected = memory.predict_log_proba(X)
    assert_allclose(files.predict_log_proba(X), expected, rtol=1e-9, atol=1e-12)
    streamed = files.predict_log_proba(tmp_path / "rows.parquet")
    assert_allclose(streamed, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("scale", [1e-310, 1e-200, 1e-160, 1e-100, 1e100, 1e149])
def test_numbers_of_any_size_have_probabilities(scale):
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = ((rng.normal(size=40) + y) * scale)[:, None]
    found = NaiveBayesClassifier("rounded").fit(X, y).predict_proba(X)
    assert np.isfinite(found).all()
    if 1e-150 < scale < 1e100:
        plain = NaiveBayesClassifier("rounded").fit(X / scale, y).predict_proba(X / scale)
        assert_allclose(found, plain, rtol=1e-6)


@pytest.mark.parametrize("numeric", ["gaussian", "rounded"])
def test_huge_numbers_that_are_constant_in_every_class_are_refused(numeric):
    X, y = np.array([[1e200], [1e200], [-1e200], [-1e200]]), [0, 0, 1, 1]
    with pytest.raises(ValueError, match="'x0' has numbers beyond"):
        NaiveBayesClassifier(numeric, categorical_features=[]).fit(X, y)
