"""Naive Bayes against scikit-learn's and against calculations by hand."""

import math

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.naive_bayes import CategoricalNB, GaussianNB

from bayesgrove import NaiveBayesClassifier, UnseenValueWarning

NOMINAL_SETS = ["kr-vs-kp", "vote", "soybean", "led7", "mushroom"]
NUMERIC_SETS = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}


def smoothed_prior(y, alpha=1.0, weights=None):
    """(n_c + alpha) / (N + alpha C) of the sorted classes."""
    labels = np.asarray(y, dtype=object)
    weights = np.ones(len(labels)) if weights is None else weights
    counts = [math.fsum(weights[labels == c]) for c in sorted(set(labels))]
    return [(n + alpha) / (math.fsum(counts) + alpha * len(counts)) for n in counts]


def random_weights(rows, seed=0):
    return np.random.default_rng(seed).random(rows) * 4 + 0.1


def declared_codes(X):
    """Codes of declared levels, one more for missing values, and how many there are."""
    codes, sizes = [], []
    for name in X:
        column = X[name].cat
        missing = (column.codes < 0).to_numpy()
        codes.append(np.where(missing, len(column.categories), column.codes))
        sizes.append(len(column.categories) + missing.any())
    return np.column_stack(codes), sizes


def assert_same_posteriors(model, X, oracle, codes):
    expected = oracle.predict_log_proba(codes)
    assert_allclose(model.predict_log_proba(X), expected, rtol=1e-12, atol=1e-12)
    assert_allclose(model.predict_proba(X), np.exp(expected), rtol=1e-10, atol=1e-15)
    assert_array_equal(model.predict(X), oracle.predict(codes))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("alpha", [1.0, 0.5])
@pytest.mark.parametrize("name", NOMINAL_SETS)
def test_nominal_columns_are_categorical_naive_bayes(folder_dataset, name, alpha, weighted):
    X, y = folder_dataset(name)
    y = y.astype(object)
    weights = random_weights(len(y)) if weighted else None
    codes, sizes = declared_codes(X)
    oracle = CategoricalNB(
        alpha=alpha, class_prior=smoothed_prior(y, alpha, weights), min_categories=sizes
    ).fit(codes, y, weights)
    model = NaiveBayesClassifier(alpha=alpha).fit(X, y, weights)
    assert_array_equal(model.classes_, oracle.classes_)
    assert_same_posteriors(model, X, oracle, codes)


@pytest.mark.parametrize("name", NOMINAL_SETS)
def test_integer_codes_are_categorical_naive_bayes(folder_dataset, name):
    X, y = folder_dataset(name)
    codes = np.column_stack([pd.factorize(X[c], use_na_sentinel=False)[0] for c in X])
    target = y.cat.codes.to_numpy()
    oracle = CategoricalNB(class_prior=smoothed_prior(target)).fit(codes, target)
    for matrix in (codes, codes.astype(np.float32), codes.astype(np.uint8)):
        model = NaiveBayesClassifier(categorical_features="all").fit(matrix, target)
        assert_same_posteriors(model, matrix, oracle, codes)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("var_smoothing", [1e-9, 0.01])
@pytest.mark.parametrize("name", NUMERIC_SETS)
def test_the_gaussian_form_is_gaussian_naive_bayes(name, var_smoothing, weighted):
    X, y = NUMERIC_SETS[name](return_X_y=True)
    weights = random_weights(len(y)) if weighted else None
    # scikit-learn takes its share of the largest variance of the rows without their weights.
    mean = np.average(X, axis=0, weights=weights)
    largest = np.average((X - mean) ** 2, axis=0, weights=weights).max()
    oracle = GaussianNB(
        priors=smoothed_prior(y, weights=weights),
        var_smoothing=var_smoothing * largest / X.var(axis=0).max(),
    ).fit(X, y, weights)
    model = NaiveBayesClassifier(
        "gaussian", var_smoothing=var_smoothing, categorical_features=[]
    ).fit(X, y, weights)
    assert_allclose(model.theta_, oracle.theta_, rtol=1e-11)
    assert_allclose(model.var_, oracle.var_, rtol=1e-9)
    expected = oracle.predict_log_proba(X)
    assert_allclose(model.predict_log_proba(X), expected, rtol=1e-8, atol=1e-9)
    assert_array_equal(model.predict(X), oracle.predict(X))


def normal(x, mean, variance):
    return -0.5 * (math.log(2 * math.pi * variance) + (x - mean) ** 2 / variance)


def mixed_rows(rows=60, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, rows)
    X = pd.DataFrame(
        {
            "length": rng.normal(size=rows) * (1 + y) + y,
            "colour": rng.choice(np.array(["blue", "green", "red"], dtype=object), rows),
            "width": rng.normal(size=rows) + 10 * y,
            "flag": rng.integers(0, 2, rows),
        }
    )
    X["flag"] = X["flag"].where(rng.random(rows) < 0.7, y % 2)
    return X, y


def gaussian_by_hand(X, y, column, c):
    values = [v for v, label in zip(X[column], y, strict=True) if label == c and v == v]
    mean = math.fsum(values) / len(values)
    return mean, math.fsum((v - mean) ** 2 for v in values) / len(values)


def variance_by_hand(values):
    present = [v for v in values if v == v]
    mean = math.fsum(present) / len(present)
    return math.fsum((v - mean) ** 2 for v in present) / len(present)


def mixed_by_hand(X, y, row, alpha, var_smoothing):
    """ln P(c, row) of two numeric and two nominal columns."""
    numeric = ["length", "width"]
    floor = var_smoothing * max(variance_by_hand(X[name]) for name in numeric)
    joint = []
    for c in range(3):
        members = [r for r in range(len(y)) if y[r] == c]
        total = math.log((len(members) + alpha) / (len(y) + 3 * alpha))
        for name in numeric:
            mean, variance = gaussian_by_hand(X, y, name, c)
            total += 0.0 if math.isnan(row[name]) else normal(row[name], mean, variance + floor)
        for name in ("colour", "flag"):
            labels = X[name].tolist()
            same = sum(labels[r] == row[name] for r in members)
            total += math.log((same + alpha) / (len(members) + alpha * len(set(labels))))
        joint.append(total)
    return joint


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize(("alpha", "var_smoothing"), [(1.0, 1e-9), (0.5, 0.1)])
def test_nominal_and_gaussian_columns_together(alpha, var_smoothing, missing):
    X, y = mixed_rows()
    gaps = np.random.default_rng(1).random((len(y), 2)) < missing
    X[["length", "width"]] = X[["length", "width"]].mask(gaps)
    model = NaiveBayesClassifier("gaussian", alpha=alpha, var_smoothing=var_smoothing).fit(X, y)
    expected = [mixed_by_hand(X, y, row, alpha, var_smoothing) for _, row in X.iterrows()]
    assert_allclose(model.predict_joint_log_proba(X), expected, rtol=1e-10)
    assert set(model.network_.nodes) == {"colour", "flag", "class"}


def test_a_class_without_values_gets_the_density_of_all_rows():
    X = np.array([[1.5, 0.1], [2.5, 0.2], [4.0, 0.3], [np.nan, 0.4]])
    model = NaiveBayesClassifier("gaussian", var_smoothing=0.0, categorical_features=[])
    model.fit(X[:, :1], ["a", "a", "a", "b"])
    mean = 8 / 3
    variance = ((1.5 - mean) ** 2 + (2.5 - mean) ** 2 + (4 - mean) ** 2) / 3
    assert_allclose(model.theta_, [[mean], [mean]], rtol=1e-14)
    assert_allclose(model.var_, [[variance], [variance]], rtol=1e-14)


def test_a_weight_of_two_is_the_row_twice():
    X, y = mixed_rows()
    weights = np.random.default_rng(2).integers(0, 4, len(y))
    repeated, labels = X.loc[X.index.repeat(weights)], np.repeat(y, weights)
    model = NaiveBayesClassifier("gaussian").fit(X, y, weights)
    rows = [repeated.iloc[r] for r in range(len(labels))]
    expected = [mixed_by_hand(repeated, labels, row, 1.0, 1e-9) for row in rows]
    assert_allclose(model.predict_joint_log_proba(repeated), expected, rtol=1e-10)


def growing_rows(seed=0):
    """Labels, and missing values, that appear from chunk to chunk."""
    rng = np.random.default_rng(seed)
    y = rng.choice(np.array(["no", "yes"], dtype=object), 90)
    stage = np.arange(90) // 30
    words = np.array(["m", "z", "a", "k", "b"], dtype=object)
    X = pd.DataFrame(
        {
            "word": words[rng.integers(0, 2 + stage)],
            "digit": rng.integers(0, 3, 90) + 3 * (rng.random(90) < 0.2 * stage),
            "gap": words[rng.integers(0, 2, 90)],
            "same": ["only"] * 90,
        }
    )
    X.loc[(stage > 0) & (rng.random(90) < 0.3), "gap"] = None
    return X, y


def sorted_codes(X):
    filled = X.astype(object).where(X.notna(), "~")
    return np.column_stack([pd.factorize(filled[c], sort=True)[0] for c in filled])


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_chunks_with_new_labels_are_counted_together(seed, weighted):
    X, y = growing_rows(seed)
    weights = random_weights(90) if weighted else None
    model = NaiveBayesClassifier()
    for rows in (slice(0, 30), slice(30, 60), slice(60, 90)):
        part = None if weights is None else weights[rows]
        model.partial_fit(X.iloc[rows], y[rows], classes=["yes", "no"], sample_weight=part)
    codes = sorted_codes(X)
    oracle = CategoricalNB(class_prior=smoothed_prior(y, 1.0, weights)).fit(codes, y, weights)
    assert_same_posteriors(model, X, oracle, codes)
    whole = NaiveBayesClassifier().fit(X, y, weights)
    assert_allclose(model.predict_log_proba(X), whole.predict_log_proba(X), atol=1e-12)


def test_a_class_may_come_later():
    X, y = growing_rows()
    order = np.argsort(y, kind="stable")
    X, y = X.iloc[order].reset_index(drop=True), y[order]
    model = NaiveBayesClassifier()
    for rows in (slice(0, 30), slice(30, 60), slice(60, 90)):
        model.partial_fit(X.iloc[rows], y[rows], ["no", "yes"])
    codes = sorted_codes(X)
    oracle = CategoricalNB(class_prior=smoothed_prior(y)).fit(codes, y)
    assert_same_posteriors(model, X, oracle, codes)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", NUMERIC_SETS)
def test_gaussian_chunks_are_all_rows(name, weighted):
    X, y = NUMERIC_SETS[name](return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    X, y = X[order], y[order]
    weights = random_weights(len(y)) if weighted else None
    model = NaiveBayesClassifier("gaussian", var_smoothing=0.0, categorical_features=[])
    for rows in np.array_split(np.arange(len(y)), 3):
        part = None if weights is None else weights[rows]
        model.partial_fit(X[rows], y[rows], classes=np.unique(y), sample_weight=part)
    oracle = GaussianNB(priors=smoothed_prior(y, 1.0, weights), var_smoothing=0.0)
    oracle.fit(X, y, weights)
    assert_allclose(model.theta_, oracle.theta_, rtol=1e-10)
    assert_allclose(model.var_, oracle.var_, rtol=1e-10)
    assert_allclose(model.predict_log_proba(X), oracle.predict_log_proba(X), rtol=1e-8, atol=1e-8)


def test_cut_points_stay_when_rows_are_added():
    X = np.arange(12)[:, None] + 0.25
    y = np.repeat([0, 1], 6)
    model = NaiveBayesClassifier().partial_fit(X, y)
    assert_array_equal(model.cut_points_["x0"], [5.75])
    model.partial_fit(X + 3, y)
    assert_array_equal(model.cut_points_["x0"], [5.75])
    # Of class 0, 9 values lie below the cut: 6 and 0.25 + 3, 4, 5; of class 1 none.
    table = np.asarray(model.network_.table("x0"))
    assert_allclose(table, [[10 / 14, 4 / 14], [1 / 14, 13 / 14]], rtol=1e-14)


def test_a_row_of_probability_zero_gets_the_prior():
    X = pd.DataFrame({"a": ["u", "u", "v"], "b": ["p", "p", "q"]})
    model = NaiveBayesClassifier(alpha=0).fit(X, ["no", "no", "yes"])
    rows = pd.DataFrame({"a": ["u", "u", "v"], "b": ["p", "q", "q"]})
    assert_allclose(model.predict_proba(rows), [[1, 0], [2 / 3, 1 / 3], [0, 1]], rtol=1e-14)
    assert model.predict(rows).tolist() == ["no", "no", "yes"]


def test_unseen_and_missing_values_do_not_count():
    X = pd.DataFrame({"a": ["u", "u", "v", "v"], "b": ["p", "q", "q", "q"]})
    y = ["no", "no", "yes", "yes"]
    model = NaiveBayesClassifier().fit(X, y)
    rows = pd.DataFrame({"a": ["w", None, "u"], "b": ["p", "p", None]})
    with pytest.warns(UnseenValueWarning, match="1 value in 1 column"):
        found = model.predict_proba(rows)
    p = [0.5 * 2 / 4, 0.5 * 1 / 4]  # P(c) P(b = p | c)
    u = [0.5 * 3 / 4, 0.5 * 1 / 4]  # P(c) P(a = u | c)
    expected = [[p[0] / sum(p), p[1] / sum(p)]] * 2 + [[u[0] / sum(u), u[1] / sum(u)]]
    assert_allclose(found, expected, rtol=1e-14)


@pytest.mark.parametrize("missing", ["value", "ignore"])
def test_missing_values_in_training(missing):
    X = pd.DataFrame({"a": ["u", "u", None, "v", None, None]}, dtype=object)
    y = [0, 0, 0, 1, 1, 1]
    table = np.asarray(NaiveBayesClassifier(missing=missing).fit(X, y).network_.table("a"))
    if missing == "value":
        expected = [[3 / 6, 1 / 6, 2 / 6], [1 / 6, 2 / 6, 3 / 6]]
    else:
        expected = [[3 / 4, 1 / 4], [1 / 3, 2 / 3]]
    assert_allclose(table, expected, rtol=1e-14)


@pytest.mark.parametrize(
    "parameters",
    [
        {"numeric": "kernel"},
        {"alpha": -1},
        {"alpha": math.nan},
        {"missing": "drop"},
        {"unseen": "ignore"},
        {"discretizer": 5},
        {"categorical_features": "some"},
        {"var_smoothing": -1.0, "numeric": "gaussian"},
        {"var_smoothing": math.nan, "numeric": "gaussian"},
    ],
    ids=str,
)
def test_parameters_without_a_meaning_are_refused(parameters):
    name = next(iter(parameters))
    with pytest.raises(ValueError, match=f"{name}="):
        NaiveBayesClassifier(**parameters).fit(np.eye(4) + 0.5, [0, 1, 0, 1])


@pytest.mark.parametrize("weights", [[1, 1, -1, 1], [1, np.nan, 1, 1]], ids=["negative", "nan"])
def test_weights_without_a_meaning_are_refused(weights):
    X, y = np.eye(4), [0, 1, 0, 1]
    with pytest.raises(ValueError, match="sample_weight"):
        NaiveBayesClassifier().fit(X, y, weights)
    with pytest.raises(ValueError, match="sample_weight"):
        NaiveBayesClassifier().partial_fit(X, y, sample_weight=weights)
    with pytest.raises(ValueError, match="sample_weight"):
        NaiveBayesClassifier().partial_fit(X, y).partial_fit(X, y, sample_weight=weights)


def test_a_class_that_was_not_named_is_refused():
    model = NaiveBayesClassifier().partial_fit(np.eye(2), ["a", "b"])
    with pytest.raises(ValueError, match="'c' is not among the classes"):
        model.partial_fit(np.eye(2), ["a", "c"])


@pytest.mark.parametrize("base", [1.0, 1e6, 1e15])
def test_the_order_of_rows_does_not_matter_where_values_are_a_few_ulps_apart(base):
    """The mean is rounded once, whichever row comes first."""
    for seed in range(100):
        rng = np.random.default_rng(seed)
        x = base + rng.integers(0, 4, 40) * np.spacing(base)
        y = rng.integers(0, 2, 40)
        order = rng.permutation(40)
        one, two = (
            NaiveBayesClassifier("gaussian", categorical_features=[]).fit(x[rows, None], y[rows])
            for rows in (np.arange(40), order)
        )
        np.testing.assert_allclose(
            one.predict_proba(x[:, None]), two.predict_proba(x[:, None]), rtol=0, atol=1e-12
        )
