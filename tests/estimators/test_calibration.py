"""Calibration against a plain loop over scikit-learn's parts, and WEKA's Stacking."""

import json
import pickle
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_predict
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import bayesgrove.estimators.calibration
from bayesgrove import (
    K2Classifier,
    KDBClassifier,
    LogisticCalibration,
    ModelFileError,
    NaiveBayesClassifier,
    TANClassifier,
    WeightedNaiveBayesClassifier,
    load_dataset,
    save_model,
)

STACKING = json.loads((Path(__file__).parent / "data" / "stacking.json").read_text())


@parametrize_with_checks(
    [
        LogisticCalibration(NaiveBayesClassifier()),
        LogisticCalibration(DecisionTreeClassifier(random_state=0), cv=3),
    ],
    expected_failed_checks=lambda _: {
        f"check_sample_weight_equivalence_on_{kind}_data": (
            "a row of weight 2 is in one fold; the row twice may be in two of them"
        )
        for kind in ("dense", "sparse")
    },
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def people(rows=150, seed=0):
    """Nominal and numeric columns that depend on the class, with gaps and rare labels."""
    rng = np.random.default_rng(seed)
    place = rng.integers(0, 3, rows)
    colour = np.where(rng.random(rows) < 0.6, place, rng.integers(0, 3, rows))
    X = pd.DataFrame(
        {
            "colour": np.array(["blue", "green", "red"], dtype=object)[colour],
            "size": rng.normal(size=rows) + place,
            "count": rng.integers(0, 4, rows) + place,
            "shape": pd.Categorical.from_codes(rng.integers(-1, 2, rows), ["round", "square"]),
        }
    )
    X.loc[rng.random(rows) < 0.1, "size"] = np.nan
    X.loc[[3, 77], "colour"] = ["mauve", "teal"]
    return X, pd.Series(np.array(["no", "perhaps", "yes"], dtype=object)[place], name="answer")


def by_hand(estimator, X, y, new, cv=10, seed=0):
    """Held-out probabilities and their regression, by scikit-learn alone."""
    splitter = RepeatedStratifiedKFold(n_splits=cv, n_repeats=1, random_state=seed)
    held = cross_val_predict(estimator, X, y, cv=splitter, method="predict_proba")
    model = LogisticRegression(C=5e7, tol=1e-12, max_iter=100_000).fit(held, y)
    return model.predict_proba(clone(estimator).fit(X, y).predict_proba(new))


@pytest.mark.filterwarnings("ignore::bayesgrove.UnseenValueWarning")
@pytest.mark.parametrize(
    "estimator",
    [
        NaiveBayesClassifier(),
        NaiveBayesClassifier("gaussian", missing="ignore"),
        KDBClassifier(k=1),
        make_pipeline(FunctionTransformer(), TANClassifier()),
        make_pipeline(
            make_column_transformer(("passthrough", ["count"])), LogisticRegression(C=0.1)
        ),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_the_same_as_by_hand(estimator):
    X, y = people()
    X, y, new = X[:120], y[:120], X[120:]
    model = LogisticCalibration(estimator, cv=5, random_state=3).fit(X, y)
    expected = by_hand(estimator, X, y, new, 5, 3)
    assert_allclose(model.predict_proba(new), expected, atol=2e-4)
    assert_allclose(np.exp(model.predict_log_proba(new)), model.predict_proba(new))
    assert_array_equal(model.predict(new), model.classes_[expected.argmax(axis=1)])
    assert model.classes_.tolist() == ["no", "perhaps", "yes"]
    own = clone(estimator).fit(X, y)
    assert_array_equal(model.estimator_.predict_proba(new), own.predict_proba(new))


@pytest.mark.parametrize("name", STACKING)
def test_the_probabilities_of_weka(name, monkeypatch):
    """Stacking of NaiveBayes and Logistic, with the folds that it drew."""
    case = STACKING[name]
    rows, labels = case["rows"], np.array(list(case["folds"]))
    pairs = [(np.flatnonzero(labels != f), np.flatnonzero(labels == f)) for f in "0123456789"]
    monkeypatch.setattr(
        bayesgrove.estimators.calibration, "split_into_folds", lambda *_, **__: pairs
    )
    X, y = load_dataset(name)
    model = LogisticCalibration(NaiveBayesClassifier(missing="ignore"))
    model.fit(X.iloc[:rows], y.iloc[:rows])
    found = model.predict_proba(X.iloc[rows : rows + len(case["probabilities"])])
    # Ten classes have a flat minimum, before which WEKA stops.
    assert_allclose(found, case["probabilities"], atol=1e-5 if name == "vote" else 1e-3)


def test_every_kind_of_table():
    X, y = people()
    X = X[["colour", "count"]].astype({"colour": str})
    expected = LogisticCalibration(NaiveBayesClassifier()).fit(X, y).predict_proba(X)
    for table in (
        X.to_numpy(),
        X.to_numpy().tolist(),
        pl.from_pandas(X),
        pl.from_pandas(X).to_arrow(),
    ):
        for labels in (y, y.tolist(), y.to_numpy(), pl.Series("answer", y.tolist())):
            model = LogisticCalibration(NaiveBayesClassifier()).fit(table, labels)
            assert_allclose(model.predict_proba(table), expected, rtol=1e-9)


def test_frames_of_polars_for_estimators_of_others():
    X, y = people()
    X = X[["count", "size"]].fillna(0.0)
    expected = LogisticCalibration(GaussianNB()).fit(X.to_numpy(), y).predict_proba(X.to_numpy())
    for table in (X, pl.from_pandas(X)):
        model = LogisticCalibration(GaussianNB()).fit(table, y)
        assert model.feature_names_in_.tolist() == ["count", "size"]
        assert_allclose(model.predict_proba(table), expected)


def test_sparse_tables_where_the_estimator_takes_them():
    rng = np.random.default_rng(0)
    X = (rng.random((80, 6)) < 0.3).astype(float)
    y = (X[:, 0] + X[:, 1] + rng.random(80) > 1.2).astype(int)
    model = LogisticCalibration(BernoulliNB())
    expected = model.fit(X, y).predict_proba(X)
    for kind in (sparse.csr_matrix, sparse.coo_array):
        assert_allclose(model.fit(kind(X), y).predict_proba(kind(X).tocsr()), expected)


def test_too_sure_a_model_is_corrected():
    X, y = load_dataset("vote", source="package")
    train, test = np.arange(0, 435, 2), np.arange(1, 435, 2)
    truth = (y.iloc[test] == "republican").to_numpy()
    losses = []
    for model in (NaiveBayesClassifier(), LogisticCalibration(NaiveBayesClassifier())):
        shares = model.fit(X.iloc[train], y.iloc[train]).predict_proba(X.iloc[test])[:, 1]
        losses.append(-np.log(np.where(truth, shares, 1 - shares)).mean())
    assert losses[1] < losses[0] / 2


# Few rows, few classes


@pytest.mark.filterwarnings("ignore:The number of unique classes is greater than 50%")
@pytest.mark.parametrize("estimator", [NaiveBayesClassifier(), LogisticRegression()])
@pytest.mark.parametrize(
    "y",
    [
        ["a"] * 11 + ["rare"],
        ["a", "b"] * 15 + ["rare", "lone"],
        [f"c{i // 2}" for i in range(12)],
        [f"c{i}" for i in range(12)],
    ],
    ids=["one row", "one row each", "two rows each", "all different"],
)
def test_classes_of_fewer_rows_than_folds(estimator, y):
    X = np.random.default_rng(1).normal(size=(len(y), 2))
    model = LogisticCalibration(estimator).fit(X, y)
    shares = model.predict_proba(X)
    assert model.classes_.tolist() == sorted(set(y))
    assert shares.shape == (len(y), len(set(y)))
    assert_allclose(shares.sum(axis=1), 1.0)


def test_a_class_that_a_part_lacks_has_probability_zero_there():
    """The one row of a class is always held out: it is never thought possible."""
    X = np.random.default_rng(2).normal(size=(40, 2))
    y = np.array(["a", "b"] * 20)
    y[7] = "c"
    seen = []

    class Watched(GaussianNB):
        def predict_proba(self, rows):
            seen.append((self.classes_.tolist(), super().predict_proba(rows)))
            return seen[-1][1]

    model = LogisticCalibration(Watched()).fit(X, y)
    assert len(seen) == 10
    assert sorted(classes for classes, _ in seen)[0] == ["a", "b"]
    assert (model.regression_.coefficients[2] == 0).all()  # the last class is the reference
    assert np.isfinite(model.regression_.coefficients).all()


@pytest.mark.parametrize("rows", [1, 2, 5])
def test_one_class_is_certain(rows):
    X = np.arange(2.0 * rows).reshape(rows, 2)
    model = LogisticCalibration(NaiveBayesClassifier()).fit(X, ["same"] * rows)
    assert model.predict_proba(X).tolist() == [[1.0]] * rows
    assert model.predict(X).tolist() == ["same"] * rows


def test_fewer_rows_than_folds():
    X = np.array([[0.0], [0.1], [1.0], [1.1]])
    nearest = KNeighborsClassifier(1)
    model = LogisticCalibration(nearest).fit(X, [0, 0, 1, 1])
    assert model.predict(X).tolist() == [0, 0, 1, 1]
    two = LogisticCalibration(nearest).fit(X[:2], [0, 1])
    assert_allclose(two.predict_proba(X[:2]).sum(axis=1), 1.0)


# Weights


def test_weights_go_to_the_estimator_and_the_regression():
    X, y = people()
    X = X[["colour", "shape"]]  # cut points would depend on the sum of the weights
    weights = np.random.default_rng(3).integers(1, 5, len(y)).astype(float)
    weighted = LogisticCalibration(NaiveBayesClassifier()).fit(X, y, weights)
    own = NaiveBayesClassifier().fit(X, y, weights)
    assert_array_equal(weighted.estimator_.predict_proba(X), own.predict_proba(X))
    scaled = LogisticCalibration(NaiveBayesClassifier(alpha=3.0)).fit(X, y, 3 * weights)
    assert_allclose(scaled.predict_proba(X), weighted.predict_proba(X), atol=1e-6)
    plain = LogisticCalibration(NaiveBayesClassifier()).fit(X, y)
    ones = LogisticCalibration(NaiveBayesClassifier()).fit(X, y, np.ones(len(y)))
    assert_array_equal(ones.predict_proba(X), plain.predict_proba(X))
    assert not np.allclose(weighted.predict_proba(X), plain.predict_proba(X), atol=1e-3)


def test_a_row_of_weight_zero_is_no_row():
    X, y = people()
    weights = np.ones(len(y))
    weights[[5, 10, 20]] = 0.0
    used = weights > 0
    model = LogisticCalibration(NaiveBayesClassifier()).fit(X, y, weights)
    without = LogisticCalibration(NaiveBayesClassifier()).fit(X[used], y[used])
    assert_allclose(model.predict_proba(X), without.predict_proba(X), rtol=1e-9)


def test_a_class_of_such_rows_alone_keeps_its_place():
    X, y = people()
    y[[10, 20]] = "zero"
    weights = np.where(y == "zero", 0.0, 1.0)
    model = LogisticCalibration(NaiveBayesClassifier()).fit(X, y, weights)
    assert model.classes_.tolist() == ["no", "perhaps", "yes", "zero"]
    found = model.predict_proba(X)
    assert (found[:, 3] == 0).all()
    assert_allclose(found.sum(axis=1), 1.0)


def test_weights_that_the_estimator_does_not_take():
    X, y = people()
    pipeline = make_pipeline(FunctionTransformer(), NaiveBayesClassifier())
    with pytest.raises(ValueError, match="does not accept sample_weight: fit it without"):
        LogisticCalibration(pipeline).fit(X, y, np.ones(len(y)))


# A good citizen


def test_clones_and_pickles():
    X, y = people()
    model = LogisticCalibration(NaiveBayesClassifier(alpha=0.5), cv=4).fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    assert copy.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()
    fresh = clone(model)
    assert not hasattr(fresh, "estimator_")
    assert fresh.get_params()["estimator__alpha"] == 0.5
    fresh.set_params(estimator__alpha=2.0, cv=3)
    assert fresh.fit(X, y).estimator_.alpha == 2.0
    assert model.estimator_.alpha == 0.5


def test_names_of_columns_and_of_the_class():
    X, y = people()
    order = ["answer", *X.columns]  # names the class, in all parts
    model = LogisticCalibration(K2Classifier(order=order)).fit(X, y)
    assert model.n_features_in_ == 4
    assert model.feature_names_in_.tolist() == list(X.columns)
    assert model.estimator_.network_.class_node == "answer"
    with pytest.raises(ValueError, match="feature names"):
        model.predict(X[X.columns[::-1]])


def test_labels_keep_their_type():
    X, _ = people()
    for y in (np.arange(150) % 3 + 5, np.arange(150) % 2 == 0, np.arange(150) % 2 + 0.0):
        model = LogisticCalibration(NaiveBayesClassifier()).fit(X, y)
        assert model.predict(X).dtype == y.dtype
        assert_array_equal(model.classes_, np.unique(y))


def test_a_model_file_holds_no_calibration(tmp_path):
    X, y = people()
    with pytest.raises(ModelFileError, match="pickle or joblib"):
        save_model(LogisticCalibration(NaiveBayesClassifier()).fit(X, y), tmp_path / "model.json")


# What cannot be


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"estimator": RidgeClassifier()}, "RidgeClassifier.. must be a classifier with predict_p"),
        ({"estimator": NaiveBayesClassifier}, "must be a classifier with predict_proba"),
        ({"estimator": None}, "estimator=None must be a classifier"),
        ({"cv": 1}, "cv=1 must be a whole number of at least 2"),
        ({"cv": 2.5}, "cv=2.5"),
        ({"cv": True}, "cv=True"),
        ({"ridge": -1}, "ridge=-1 must be a number of at least 0"),
        ({"random_state": None}, "random_state=None must be a whole number"),
    ],
)
def test_options_that_cannot_be(options, message):
    X, y = people()
    model = LogisticCalibration(**({"estimator": NaiveBayesClassifier()} | options))
    with pytest.raises(ValueError, match=message):
        model.fit(X, y)


def test_files_are_refused(tmp_path):
    with pytest.raises(ValueError, match="X must be a table in memory"):
        LogisticCalibration(NaiveBayesClassifier()).fit(tmp_path / "rows.parquet", "y")


def test_probabilities_that_are_none():
    class Broken(GaussianNB):
        def predict_proba(self, rows):
            return (
                super().predict_proba(rows)
                * np.where(np.arange(len(rows)) == 1, np.nan, 1)[:, None]
            )

    X = np.random.default_rng(4).normal(size=(40, 2))
    with pytest.raises(
        ValueError, match=r"Broken returns probabilities that are not finite \(first: row 1\)"
    ):
        LogisticCalibration(Broken()).fit(X, np.arange(40) % 2)


def test_functions_of_users_see_the_table_as_it_is():
    X, y = load_dataset("vote")
    seen = []

    def ones(table, labels):
        seen.append((type(table), len(labels), set(labels)))
        return np.ones(table.shape[1])

    model = LogisticCalibration(WeightedNaiveBayesClassifier(ones), cv=3).fit(X, y)
    assert {(kind, *labels) for kind, _, labels in seen} == {(pd.DataFrame, *set(y))}
    assert sorted(rows for _, rows, _ in seen) == [290, 290, 290, 435]
    plain = LogisticCalibration(NaiveBayesClassifier("gaussian", missing="ignore"), cv=3)
    assert_allclose(model.predict_proba(X), plain.fit(X, y).predict_proba(X), rtol=1e-7)


# Warnings


class Complains(ClassifierMixin, BaseEstimator):
    """Warns in every fit, of how many rows it has."""

    def fit(self, X, y):
        warnings.warn(f"{len(X)} rows", UserWarning, stacklevel=2)
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (WeightedNaiveBayesClassifier([0] * 4), "No attribute was selected"),
        (make_pipeline(WeightedNaiveBayesClassifier([0] * 4)), "No attribute was selected"),
        (Complains(), "150 rows"),
    ],
    ids=["ours", "pipeline", "another"],
)
def test_a_warning_of_the_parts_comes_once_and_points_at_the_caller(estimator, message):
    X, y = load_dataset("iris")
    with pytest.warns(UserWarning, match=message) as caught:
        LogisticCalibration(estimator).fit(X, y)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match=message):
            LogisticCalibration(estimator).fit(X, y)
