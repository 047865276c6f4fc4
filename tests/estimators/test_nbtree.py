"""NBTree as an estimator; the trees themselves are tested in tests/trees."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.utils.estimator_checks import parametrize_with_checks

from bayesgrove import (
    ModelFileError,
    NBTreeClassifier,
    UnseenValueWarning,
    load_dataset,
    load_model,
    save_model,
)
from bayesgrove.evaluation.metrics import model_sizes
from bayesgrove.report import plot_tree
from bayesgrove.trees import NBTree
from tree_tables import table_of

NOT_TWICE = "folds have a row of weight 2 once: which rows they have depends on how many there are"


@parametrize_with_checks(
    [NBTreeClassifier(min_rows=5, min_error_reduction=0.0)],
    expected_failed_checks=lambda _: {
        "check_sample_weight_equivalence_on_dense_data": NOT_TWICE,
    },
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def rows(count=60):
    """The class is told by the colour and the number together."""
    colour = np.arange(count) % 2
    number = np.arange(count) // 2 % 10 + 0.5
    X = pd.DataFrame({"colour": np.array(["red", "blue"])[colour], "number": number})
    return X, np.where((number > 5) ^ (colour == 1), "yes", "no")


def test_the_text_has_names_and_labels():
    model = NBTreeClassifier().fit(*rows())
    assert model.to_text().splitlines() == [
        "colour = blue: naive Bayes 0 (30.0)",
        "colour = red: naive Bayes 1 (30.0)",
    ]
    assert model.tree_.models[0].cuts[1].tolist() == [5.0]
    assert model.score(*rows()) == 1.0


def test_probabilities_are_those_of_the_tree():
    X, y = load_dataset("vote")
    model, table = NBTreeClassifier(min_rows=60).fit(X, y), table_of(load_dataset("vote"))
    tree = NBTree(min_rows=60).grow(table)
    assert_array_equal(model.classes_, y.cat.categories)
    assert_array_equal(model.tree_.tree.attribute, tree.tree.attribute)
    assert_allclose(model.predict_proba(X), tree.distribution(table), rtol=1e-12)
    assert_allclose(model.predict_log_proba(X), tree.log_distribution(table), rtol=1e-9, atol=1e-12)


def test_a_label_not_seen_is_missing():
    model = NBTreeClassifier().fit(*rows())
    X = pd.DataFrame({"colour": ["green", None], "number": [1.5, 1.5]})
    with pytest.warns(UnseenValueWarning, match="green"):
        found = model.predict_proba(X)
    assert_allclose(found[0], found[1])
    assert_allclose(found[0], [0.5, 0.5])
    with pytest.raises(ValueError, match="green"):
        NBTreeClassifier(unseen="error").fit(*rows()).predict(X)


def test_weights_and_threads():
    X, y = rows()
    weights = np.where(np.arange(60) < 40, 1.0, 0.0)
    one = NBTreeClassifier(n_jobs=2).fit(X, y, sample_weight=weights)
    other = NBTreeClassifier().fit(X[:40], y[:40])
    assert_array_equal(one.predict_proba(X), other.predict_proba(X))


def test_a_pickled_model_predicts_the_same():
    X, y = rows()
    model = NBTreeClassifier().fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.to_text() == model.to_text()


@pytest.mark.parametrize(
    "options", [{"min_rows": 0}, {"reduction": 1}, {"unseen": "drop"}, {"n_jobs": "all"}]
)
def test_options_out_of_range_are_refused(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        NBTreeClassifier(**options).fit(*rows())


def test_rows_in_files_give_the_same_tree(tmp_path):
    pytest.importorskip("pyarrow")
    X, y = rows()
    path = tmp_path / "rows.parquet"
    X.assign(y=y).to_parquet(path)
    model = NBTreeClassifier().fit(X, y)
    assert NBTreeClassifier().fit(path, "y").to_text() == model.to_text()
    assert_array_equal(model.predict(path), y)


def changed(model, path, change):
    """The file of a model after a change to what it tells of the tree."""
    save_model(model, path)
    document = json.loads(path.read_text())
    change(document["extra"]["tree"])
    path.write_text(json.dumps(document))
    return path


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda tree: tree.pop("model"), "has no 'model'"),
        (lambda tree: tree.update(model=tree["model"][:-1]), "needs"),
        (lambda tree: tree["model"].__setitem__(-1, 99), "for every leaf"),
        (lambda tree: tree["model"].__setitem__(-1, -1), "for every leaf"),
        (lambda tree: tree.update(models=tree["models"][:1]), "for every leaf"),
        (lambda tree: tree["models"][0]["log_prior"].__setitem__(0, 1.0), "sum to"),
        (lambda tree: tree["models"][0]["columns"].pop(), "has 2 items, needs 3"),
        (lambda tree: tree["models"][0]["columns"][0]["log_table"].pop(), "numbers, needs"),
        (lambda tree: tree["models"][0]["columns"][0].update(cuts=[1.0]), "not known"),
        (lambda tree: tree["models"][0]["columns"][1]["cuts"].append(-1e9), "ascending|needs"),
        (lambda tree: tree["column"].__setitem__(0, 7), "not a column"),
    ],
)
def test_a_file_that_is_no_tree_is_refused(change, match, tmp_path):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": list("xy") * 100, "n": rng.normal(size=200), "b": list("ppqq") * 50})
    y = ((X["a"] == "x") ^ (X["n"] > 0)).map({True: "yes", False: "no"})
    model = NBTreeClassifier().fit(X, y)
    assert model.tree_.leaves > 1
    path = tmp_path / "model.json"
    assert_array_equal(
        load_model(changed(model, path, lambda tree: None)).predict_proba(X),
        model.predict_proba(X),
    )
    with pytest.raises(ModelFileError, match=match):
        load_model(changed(model, path, change))


def test_sizes_count_the_models_of_all_leaves():
    X, y = load_dataset("credit-g")
    model = NBTreeClassifier().fit(X, y)
    models = model.tree_.models
    assert len(models) == 2
    free = sum(1 + sum(2 * (len(table) - 1) for table in own.log_tables) for own in models)
    assert model_sizes(model)["parameters"] == free


def test_the_tree_can_be_drawn():
    X, y = load_dataset("credit-g")
    ax = plot_tree(NBTreeClassifier().fit(X, y))
    assert any("foreign_worker" in text.get_text() for text in ax.texts)
