"""Selective naive Bayes with densities of numbers, and by AUC, against refits to every subset."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import accuracy_score, log_loss, roc_auc_score

from bayesgrove import (
    ModelFileError,
    NaiveBayesClassifier,
    SelectiveNaiveBayesClassifier,
    SpillWarning,
    WrapperSelector,
    config_context,
    load_dataset,
    load_model,
    save_model,
)
from bayesgrove.model_files import model as files
from bayesgrove.model_files import text
from bayesgrove.selection import SelectiveNaive
from support import make_source, validation_rows

NUMERIC = ["gaussian", "rounded"]


def mixed_rows(seed=0, rows=90, classes=3, missing=0.08):
    """Numbers and labels in turn, some of which tell of the class, with gaps."""
    rng = np.random.default_rng(seed)
    place = rng.integers(0, classes, rows)
    colour = np.where(rng.random(rows) < 0.4, place, rng.integers(0, 3, rows))
    shape = np.where(rng.random(rows) < 0.3, place % 2, rng.integers(0, 2, rows))
    X = pd.DataFrame(
        {
            "noise": rng.normal(size=rows),
            "colour": np.array(["blue", "green", "red"], dtype=object)[colour],
            "size": rng.normal(size=rows) + 0.8 * place,
            "tenths": np.round(rng.normal(size=rows) * (1 + place), 1),
            "shape": np.array(["round", "square"], dtype=object)[shape],
            "twin": rng.normal(size=rows) / 4 + 0.4 * place,
        }
    )
    return X.mask(rng.random(X.shape) < missing), np.array(["no", "or", "yes"])[place]


def odds(model, X, c):
    """ln of the odds of a class, by the other classes' probabilities."""
    joint = model.predict_joint_log_proba(X)
    rest = np.logaddexp.reduce(np.delete(joint, c, axis=1), axis=1)
    return np.round(joint[:, c] - rest, 9)


def score(model, X, y, weights, scoring):
    if scoring == "accuracy":
        return accuracy_score(y, model.predict(X), sample_weight=weights)
    if scoring == "log_loss":
        found = model.predict_proba(X)
        return -log_loss(y, found, sample_weight=weights, labels=model.classes_)
    areas = [
        roc_auc_score(y == c, odds(model, X, k), sample_weight=weights)
        for k, c in enumerate(model.classes_)
    ]
    return np.mean(areas)


def refitted_path(X, y, numeric, scoring, cv, ties, weights=None):
    """Add the column that gives the best score until that is worse, or no better.

    Without columns all rows are ranked alike: the area is a half.
    """
    weights = np.ones(len(y)) if weights is None else weights

    def value(names):
        names = [name for name in X if name in names] or ["none"]
        scores = []
        for learn, test in validation_rows(cv, len(y), 0):
            table = X.assign(none="k")[names]
            # Smoothing by a share of the largest variance would depend on the subset.
            model = NaiveBayesClassifier(numeric, var_smoothing=0.0)
            model.fit(table.iloc[learn], y[learn], weights[learn])
            scores.append(score(model, table.iloc[test], y[test], weights[test], scoring))
        return np.mean(scores)

    chosen, path, best = [], [], value([])
    while left := [name for name in X if name not in chosen]:
        values = {name: value([*chosen, name]) for name in left}
        name = max(left, key=lambda name: round(values[name], 12))
        if values[name] < best - 1e-12 or (ties == "stop" and values[name] < best + 1e-12):
            break
        best = values[name]
        chosen.append(name)
        path.append((name, best))
    return path


def assert_same_path(model, expected):
    assert model.selected_ == [name for name, _ in expected]
    assert [step.attribute for step in model.path_] == model.selected_
    assert {(step.cells, step.change) for step in model.path_} == {(None, "added")}
    assert_allclose([step.value for step in model.path_], [value for _, value in expected], 1e-11)


@pytest.mark.parametrize("numeric", NUMERIC)
@pytest.mark.parametrize("seed", range(2))
def test_the_path_is_that_of_the_wrapper(seed, numeric):
    X, y = mixed_rows(seed, rows=70)
    naive = NaiveBayesClassifier(numeric, var_smoothing=0.0)
    wrapper = WrapperSelector(naive, cv="training", ties="continue").fit(X, y)
    model = SelectiveNaiveBayesClassifier(cv="training", numeric=numeric, var_smoothing=0.0)
    assert 0 < len(wrapper.selected_) <= 6
    assert_same_path(model.fit(X, y), [step[:2] for step in wrapper.path_])


def test_the_path_is_that_of_the_wrapper_on_the_irises():
    X, y = load_dataset("iris")
    naive = NaiveBayesClassifier("rounded")
    wrapper = WrapperSelector(naive, cv="training", ties="continue").fit(X, y)
    model = SelectiveNaiveBayesClassifier(cv="training", numeric="rounded").fit(X, y)
    assert_same_path(model, [step[:2] for step in wrapper.path_])


@pytest.mark.parametrize(
    ("scoring", "ties", "cv"), [("accuracy", "continue", "halves"), ("log_loss", "stop", 3)]
)
def test_rows_that_judge_are_not_learned_from(scoring, ties, cv):
    X, y = mixed_rows(5, missing=0)
    X = X.drop(columns="tenths")
    model = SelectiveNaiveBayesClassifier(
        scoring, ties, cv=cv, numeric="gaussian", var_smoothing=0.0
    ).fit(X, y)
    assert_same_path(model, refitted_path(X, y, "gaussian", scoring, cv, ties))


@pytest.mark.parametrize(
    ("classes", "numeric", "cv", "ties"),
    [
        (2, "gaussian", "training", "continue"),
        (3, "gaussian", "halves", "stop"),
        (3, "rounded", "training", "stop"),
    ],
)
def test_the_path_by_auc_is_that_of_scikit_learns_areas(classes, numeric, cv, ties):
    X, y = mixed_rows(classes, rows=80, classes=classes, missing=0)
    X = X.drop(columns="tenths" if classes == 2 else "noise")
    model = SelectiveNaiveBayesClassifier(
        "auc", ties, cv=cv, numeric=numeric, var_smoothing=0.0
    ).fit(X, y)
    assert_same_path(model, refitted_path(X, y, numeric, "auc", cv, ties))


def test_areas_of_weighted_rows():
    X, y = mixed_rows(1, missing=0)
    X = X[["noise", "colour", "size", "shape"]]
    weights = np.random.default_rng(0).choice([0.5, 1.0, 4.0], len(y))
    model = SelectiveNaiveBayesClassifier(
        "auc", "stop", cv="training", numeric="gaussian", var_smoothing=0.0
    ).fit(X, y, weights)
    expected = refitted_path(X, y, "gaussian", "auc", "training", "stop", weights)
    assert_same_path(model, expected)


def test_the_areas_of_labels_alone():
    X, y = mixed_rows(2)
    X = X[["colour", "shape"]]
    model = SelectiveNaiveBayesClassifier("auc", cv="training").fit(X, y)
    expected = refitted_path(X, y, "discretize", "auc", "training", "continue")
    assert model.selected_ == [name for name, _ in expected]
    assert_allclose([step.value for step in model.path_], [value for _, value in expected], 1e-11)
    assert [step.cells for step in model.path_] == [
        len(X[model.selected_[:k]].drop_duplicates()) for k in range(1, len(expected) + 1)
    ]


@pytest.mark.parametrize("numeric", NUMERIC)
def test_the_model_is_naive_bayes_of_what_is_selected(numeric, tmp_path):
    X, y = mixed_rows()
    options = {"numeric": numeric, "var_smoothing": 0.0}
    model = SelectiveNaiveBayesClassifier("auc", "stop", **options).fit(X, y)
    names = [name for name in X if name in model.selected_]
    assert 1 < len(names) < 6
    plain = NaiveBayesClassifier(**options).fit(X[names], y)
    assert_allclose(model.predict_proba(X), plain.predict_proba(X[names]), rtol=1e-12)
    assert_allclose(model.theta_, plain.theta_)
    assert model.get_feature_names_out().tolist() == names
    save_model(model, tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    assert loaded.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()
    assert loaded.path_ == model.path_


def test_a_column_that_is_not_selected_does_not_widen_the_others():
    X, y = mixed_rows()
    X = X[["noise", "size"]].assign(noise=X["noise"] * 1e6)
    model = SelectiveNaiveBayesClassifier(ties="stop", cv="training", numeric="gaussian")
    model.fit(X, y)
    assert model.selected_ == ["size"]
    expected = NaiveBayesClassifier("gaussian").fit(X[["size"]], y).predict_proba(X[["size"]])
    assert_allclose(model.predict_proba(X), expected, rtol=1e-12)


def test_without_numbers_all_kinds_of_densities_are_the_same():
    X, y = mixed_rows()
    X = X[["colour", "shape"]]
    paths = [
        SelectiveNaiveBayesClassifier("log_loss", numeric=numeric).fit(X, y).path_
        for numeric in ("discretize", *NUMERIC)
    ]
    assert paths[0] == paths[1] == paths[2]


@pytest.mark.parametrize("numeric", NUMERIC)
def test_files_give_the_path_of_rows_in_memory(numeric, tmp_path):
    X, y = mixed_rows()
    X.assign(kind=y).to_parquet(tmp_path / "rows.parquet", row_group_size=30)
    model = SelectiveNaiveBayesClassifier("log_loss", cv="training", numeric=numeric)
    memory = model.fit(X, y).path_
    files = model.fit(tmp_path / "rows.parquet", "kind").path_
    assert [step.attribute for step in files] == [step.attribute for step in memory]
    assert_allclose([step.value for step in files], [step.value for step in memory], rtol=1e-9)


def test_areas_need_all_rows_in_memory(tmp_path):
    X, y = mixed_rows()
    X.assign(kind=y).to_parquet(tmp_path / "rows.parquet")
    memory = SelectiveNaiveBayesClassifier("auc").fit(X, y)
    model = SelectiveNaiveBayesClassifier("auc").fit(tmp_path / "rows.parquet", "kind")
    assert model.path_ == memory.path_
    with (
        config_context(memory_limit=0),
        pytest.warns(SpillWarning),
        pytest.raises(ValueError, match="scoring='auc' ranks all rows, and needs them in memory"),
    ):
        SelectiveNaiveBayesClassifier("auc").fit(tmp_path / "rows.parquet", "kind")
    stream = make_source([[0, 1, 0, 1], [0, 1, 1, 0]], [2, 2], [2, 4])
    with pytest.raises(ValueError, match="in memory"):
        SelectiveNaive("auc").select(stream)


def test_one_class_has_no_area():
    X, y = mixed_rows()
    model = SelectiveNaiveBayesClassifier("auc", numeric="gaussian").fit(X, ["n"] * len(y))
    assert [step.value for step in model.path_] == [0.5] * 6
    with pytest.warns(UserWarning, match="No attribute was selected") as caught:
        SelectiveNaiveBayesClassifier("auc", "stop", numeric="rounded").fit(X, ["n"] * len(y))
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    ("options", "match"),
    [({"numeric": "kernel"}, "numeric='kernel'"), ({"var_smoothing": -1}, "var_smoothing=-1")],
)
def test_options_without_a_meaning_are_refused(options, match):
    X, y = mixed_rows()
    with pytest.raises(ValueError, match=match):
        SelectiveNaiveBayesClassifier(**options).fit(X, y)


def test_a_damaged_density_is_refused(tmp_path):
    X, y = mixed_rows()
    model = SelectiveNaiveBayesClassifier(ties="stop", numeric="gaussian").fit(X, y)
    for change in ({"variances": [1.0, -1.0, 1.0]}, {"means": [0.0]}, {"column": "colour"}):
        content = files.describe_model(model)
        content["extra"]["numeric"][0] |= change
        (tmp_path / "model.json").write_bytes(text.to_bytes(content))
        with pytest.raises(ModelFileError, match=rf"extra.numeric\[0\].{next(iter(change))}"):
            load_model(tmp_path / "model.json")
