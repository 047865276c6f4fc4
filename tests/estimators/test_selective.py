"""Classifiers that select attributes: what the network has, what prediction looks at, files."""

import copy
import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from bayesgrove import (
    BayesianNetworkClassifier,
    InfoASClassifier,
    InfoSelector,
    K2ASClassifier,
    KDBClassifier,
    MDLSelector,
    ModelFileError,
    SelectiveNaiveBayesClassifier,
    SelectiveTANClassifier,
    TANClassifier,
    UnseenValueWarning,
    load_dataset,
    load_model,
    save_model,
)
from bayesgrove.contracts import Selection
from bayesgrove.kernels import kernels, numpy_kernels
from bayesgrove.model_files import model as files
from bayesgrove.model_files import text
from bayesgrove.network import Structure
from bayesgrove.parameters import BDeu, Dirichlet
from bayesgrove.selection import MDL, Chain, Guided, InfoAS, SelectiveNaive, Step, Wrapper
from bayesgrove.structures import CB, KDB, TAN, Naive

GOLDEN = Path(__file__).parent / "data"
NOTHING = "No attribute was selected"
chi2 = InfoAS("cgr", "chi2")
PARTS = [
    (InfoASClassifier("cig", stop_by="chi2"), CB(), Dirichlet()),
    (InfoASClassifier("cdc", TAN(), stop_by="chi2", level=0.2), TAN(), Dirichlet()),
    (K2ASClassifier(), CB(), Dirichlet()),
    (K2ASClassifier("continue", TAN(), cv=3, scoring="log_loss"), TAN(), Dirichlet()),
    (SelectiveNaiveBayesClassifier("log_loss", alpha=0.5), Naive(), Dirichlet(0.5)),
    (SelectiveNaiveBayesClassifier(ties="stop", cv="training"), Naive(), Dirichlet()),
    (BayesianNetworkClassifier(TAN(), BDeu(5), chi2), TAN(), BDeu(5)),
    (BayesianNetworkClassifier(KDB(1), None, SelectiveNaive("log_loss")), KDB(1), Dirichlet()),
    (
        BayesianNetworkClassifier(None, None, Chain(chi2, Wrapper(TAN(), "backward"))),
        Naive(),
        Dirichlet(),
    ),
    (
        BayesianNetworkClassifier(CB(), None, Guided(InfoAS("cdc"), Wrapper(Naive()))),
        CB(),
        Dirichlet(),
    ),
    (
        BayesianNetworkClassifier(
            TAN(), None, Chain(Chain(InfoAS(), Guided(chi2, Wrapper(TAN()))), SelectiveNaive())
        ),
        TAN(),
        Dirichlet(),
    ),
    (SelectiveTANClassifier(), TAN(), Dirichlet()),
    (SelectiveTANClassifier("mdl", direction="forward", alpha=0.5), TAN(), Dirichlet(0.5)),
    (BayesianNetworkClassifier(Naive(), None, MDL("mdl-fs", "naive")), Naive(), Dirichlet()),
]
MODELS = [model for model, _, _ in PARTS]
every_model = pytest.mark.parametrize("unfitted", MODELS, ids=range(len(MODELS)))


def mixed_rows(rows=150, seed=0):
    """Strings, categories and numbers with gaps; "noise" and "weight" tell nothing."""
    rng = np.random.default_rng(seed)
    y = rng.choice(["no", "perhaps", "yes"], rows)
    place = np.searchsorted(["no", "perhaps", "yes"], y)
    colour = np.where(rng.random(rows) < 0.6, place, rng.integers(0, 3, rows))
    X = pd.DataFrame(
        {
            "noise": rng.choice(np.array([f"n{k}" for k in range(8)], dtype=object), rows),
            "size": rng.normal(size=rows) + place,
            "weight": rng.normal(size=rows),
            "colour": np.array(["blue", "green", "red"], dtype=object)[colour],
            "shape": pd.Categorical.from_codes(rng.integers(-1, 2, rows), ["round", "square"]),
        }
    )
    X.loc[rng.random(rows) < 0.1, "size"] = np.nan
    X.loc[rng.random(rows) < 0.1, "colour"] = None
    return X, y


def fitted(unfitted):
    X, y = mixed_rows()
    return clone(unfitted).fit(X, y), X, y


def same_bytes(one, two):
    return one.tobytes() == two.tobytes()


# The network, and what it predicts


class FirstBeforeSecond:
    """A structure learner that depends on the order: each attribute has the one before it."""

    def learn(self, counts):
        n = counts.n_attributes
        return Structure((*(((v - 1, n) if v else (n,)) for v in range(n)), ()))


class Backwards:
    """A selector that takes the columns from the last to the first."""

    def select(self, counts):
        return Selection(tuple(reversed(range(counts.n_attributes))), ())


def test_the_structure_learner_gets_the_attributes_in_the_order_of_their_selection():
    X, y = mixed_rows()
    model = BayesianNetworkClassifier(FirstBeforeSecond(), selection=Backwards()).fit(X, y)
    assert model.selected_ == ["shape", "colour", "weight", "size", "noise"]
    assert model.network_.nodes == ("noise", "size", "weight", "colour", "shape", "class")
    assert model.network_.parents("shape") == ("class",)
    assert model.network_.parents("colour") == ("shape", "class")
    assert model.network_.parents("noise") == ("size", "class")


@every_model
def test_the_network_has_the_selected_attributes(unfitted):
    model, X, _ = fitted(unfitted)
    names = [name for name in X if name in model.selected_]
    assert 0 < len(names) < 5
    assert list(model.network_.nodes) == [*names, "class"]
    assert len(model.selected_) == len(set(model.selected_)) == len(names)
    assert model.get_feature_names_out().tolist() == names
    assert model.get_support().tolist() == [name in names for name in X]
    assert model.get_support(indices=True).tolist() == [list(X).index(name) for name in names]
    assert model.feature_names_in_.tolist() == list(X)
    assert model.n_features_in_ == 5
    assert all(isinstance(step, Step) for step in model.path_)
    assert len(model.path_text().splitlines()) == len(model.path_) + 1


@pytest.mark.parametrize(("unfitted", "structure", "parameters"), PARTS, ids=range(len(PARTS)))
def test_the_network_is_that_of_the_selected_columns_alone(unfitted, structure, parameters):
    model, X, y = fitted(unfitted)
    selected = X[model.selected_]  # In the order in which they were selected.
    alone = BayesianNetworkClassifier(structure, parameters).fit(selected, y)
    assert set(model.network_.arcs) == set(alone.network_.arcs)
    assert_allclose(model.predict_proba(X), alone.predict_proba(selected), rtol=1e-11)
    assert_allclose(
        model.predict_joint_log_proba(X), alone.predict_joint_log_proba(selected), rtol=1e-11
    )
    assert model.predict(X).tolist() == alone.predict(selected).tolist()
    assert {name: model.cut_points_[name].tolist() for name in alone.cut_points_} == {
        name: cuts.tolist() for name, cuts in alone.cut_points_.items()
    }


@every_model
def test_what_was_not_selected_is_not_looked_at(unfitted):
    model, X, _ = fitted(unfitted)
    model.set_params(unseen="error")
    expected = model.predict_proba(X)
    garbage = X.astype(object)
    for name in set(X) - set(model.selected_):
        for value in ("never seen", None, np.inf, -5, True):
            garbage[name] = pd.Series([value] * len(X), dtype=object)
            assert same_bytes(model.predict_proba(garbage), expected)
        garbage[name] = [f"row {row}" for row in range(len(X))]
    assert same_bytes(model.predict_proba(garbage), expected)
    assert same_bytes(model.predict_proba(pl.from_pandas(garbage)), expected)


def test_arrays_of_numbers_with_garbage_in_unselected_columns():
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    X = rng.normal(size=(90, 4))
    X[:, 2] += 3 * y
    model = InfoASClassifier(stop_by="chi2", level=0.001, unseen="error").fit(X, y)
    assert model.selected_ == ["x2"]
    expected = model.predict_proba(X)
    for value in (np.nan, np.inf, -np.inf, 1e300):
        garbage = np.full_like(X, value)
        garbage[:, 2] = X[:, 2]
        assert same_bytes(model.predict_proba(garbage), expected)
    with pytest.raises(ValueError, match="infinity"):
        model.predict(np.full_like(X, np.inf))


def test_unseen_values_of_selected_columns_are_reported():
    model, X, _ = fitted(MODELS[0])
    assert "colour" in model.selected_
    strange = X.assign(colour="mauve")
    with pytest.warns(UnseenValueWarning, match="150 values in 1 column .*'colour'.*'mauve'"):
        model.predict(strange)
    with pytest.raises(ValueError, match="mauve"):
        model.set_params(unseen="error").predict(strange)


@every_model
def test_the_table_still_has_to_be_that_of_training(unfitted):
    model, X, _ = fitted(unfitted)
    names = model.get_feature_names_out().tolist()
    for other in (X[names], X[list(X)[::-1]], X.assign(more=1), X.rename(columns={"noise": "din"})):
        with pytest.raises(ValueError, match="feature names should match"):
            model.predict(other)
    for other in (X[names], X.rename(columns={"noise": "din"})):
        with pytest.raises(ValueError, match="feature names should match"):
            model.predict(pl.from_pandas(other))
    with (
        pytest.warns(UserWarning, match="does not have valid feature names"),
        pytest.raises(ValueError, match=r"X has \d features, but .* is expecting 5 features"),
    ):
        model.predict(X[names].to_numpy())


EMPTY = [
    InfoASClassifier(),
    InfoASClassifier("cig", TAN(), stop_by="chi2"),
    K2ASClassifier(),
    K2ASClassifier(structure=TAN(), cv=4, scoring="log_loss"),
    SelectiveNaiveBayesClassifier(ties="stop"),
    BayesianNetworkClassifier(CB(class_node="free"), None, InfoAS()),
    BayesianNetworkClassifier(None, None, Wrapper(Naive(), "backward", "continue", "training")),
    BayesianNetworkClassifier(TAN(), None, Chain(InfoAS(), Wrapper(Naive(), "backward"))),
    BayesianNetworkClassifier(TAN(), None, Guided(InfoAS(), Wrapper(Naive()))),
]


@pytest.mark.parametrize("unfitted", EMPTY, ids=range(len(EMPTY)))
def test_without_attributes_the_class_frequencies_are_predicted(unfitted, tmp_path):
    X = pd.DataFrame({"a": ["k"] * 57, "b": ["l"] * 57})
    y = np.array(["no"] * 30 + ["yes"] * 27)
    with pytest.warns(UserWarning, match=NOTHING):
        model = clone(unfitted).fit(X, y)
    assert model.selected_ == []
    assert list(model.network_.nodes) == ["class"]
    prior = np.array([30 + 1, 27 + 1]) / (57 + 2)
    for rows in (X, X.iloc[:1], X.assign(b="never seen")):
        assert_allclose(model.predict_proba(rows), np.tile(prior, (len(rows), 1)), rtol=1e-12)
        assert set(model.predict(rows)) == {"no"}
    X.to_parquet(tmp_path / "rows.parquet", row_group_size=20)
    found = model.predict_proba(tmp_path / "rows.parquet")
    assert_allclose(found, np.tile(prior, (57, 1)), rtol=1e-12)
    assert not model.get_support().any()
    assert model.get_feature_names_out().tolist() == []
    save_model(model, tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    assert loaded.selected_ == []
    assert loaded.path_ == model.path_
    assert same_bytes(loaded.predict_proba(X), model.predict_proba(X))


def test_without_attributes_arrays_are_predicted_too():
    X, y = np.zeros((7, 3)), [0, 0, 0, 0, 0, 1, 1]
    for unfitted in EMPTY[:6]:
        with pytest.warns(UserWarning, match=NOTHING):
            model = clone(unfitted).fit(X, y)
        assert_allclose(model.predict_proba(X[:2]), [[6 / 9, 3 / 9]] * 2, rtol=1e-12)


def test_all_attributes_are_kept_without_a_selection():
    model, X, y = fitted(BayesianNetworkClassifier(TAN()))
    assert model.selected_ == list(X)
    assert model.path_ == []
    assert model.get_support().all()
    assert model.network_ == TANClassifier().fit(X, y).network_
    assert not hasattr(TANClassifier().fit(X, y), "selected_")


def test_a_class_with_the_name_of_a_column():
    X, y = mixed_rows()
    model = InfoASClassifier(stop_by="chi2").fit(X, pd.Series(y, name="noise"))
    assert "noise" not in model.selected_
    assert list(model.network_.nodes)[-1] == "noise_"
    assert same_bytes(
        model.predict_proba(X), InfoASClassifier(stop_by="chi2").fit(X, y).predict_proba(X)
    )


# Files of rows


@pytest.mark.parametrize("at", [1, 4, 6, 8])
def test_rows_of_files(at, tmp_path):
    X, y = mixed_rows()
    X.assign(target=y).to_parquet(tmp_path / "rows.parquet", row_group_size=40)
    memory = clone(MODELS[at]).fit(X, y)
    model = clone(MODELS[at]).fit(str(tmp_path / "rows.parquet"), "target")
    assert model.selected_ == memory.selected_
    assert_allclose(model.predict_proba(X), memory.predict_proba(X), rtol=1e-12)
    expected = model.predict_proba(X)
    assert same_bytes(model.predict_proba(tmp_path / "rows.parquet"), expected)
    assert same_bytes(memory.predict_proba(tmp_path / "rows.parquet"), memory.predict_proba(X))
    shuffled = X[list(X)[::-1]].assign(more=1.5)
    for name in set(X) - set(model.selected_):
        shuffled[name] = "never seen"
    shuffled.to_parquet(tmp_path / "other.parquet")
    assert same_bytes(model.predict_proba(tmp_path / "other.parquet"), expected)
    X.drop(columns=model.selected_[0]).to_parquet(tmp_path / "less.parquet")
    with pytest.raises(
        ValueError, match=f"needs the column '{model.selected_[0]}', which is not there"
    ):
        model.predict(tmp_path / "less.parquet")


# The same again and again


@every_model
def test_a_second_fit_gives_the_same(unfitted):
    model, X, y = fitted(unfitted)
    path, before = model.path_, model.predict_joint_log_proba(X)
    for again in (model.fit(X, y), clone(model).fit(X, y)):
        assert again.path_ == path
        assert same_bytes(again.predict_joint_log_proba(X), before)
    parallel = clone(model).set_params(n_jobs=2).fit(X, y)
    assert parallel.path_ == path
    assert same_bytes(parallel.predict_joint_log_proba(X), before)


def test_a_fit_leaves_nothing_of_the_one_before():
    X, y = mixed_rows()
    model = InfoASClassifier(stop_by="chi2").fit(X, y)
    less = X[["noise", "weight", "colour"]]
    model.fit(less, y)
    fresh = InfoASClassifier(stop_by="chi2").fit(less, y)
    assert vars(model).keys() == vars(fresh).keys()
    assert model.selected_ == fresh.selected_
    assert model.path_ == fresh.path_
    assert same_bytes(model.predict_proba(less), fresh.predict_proba(less))


def test_the_seed_decides_which_rows_judge():
    X, y = mixed_rows()
    for unfitted in (
        K2ASClassifier(structure=TAN(), scoring="log_loss"),
        SelectiveNaiveBayesClassifier("log_loss", cv=3),
    ):
        paths = [
            clone(unfitted).set_params(random_state=seed).fit(X, y).path_ for seed in (0, 0, 1, 2)
        ]
        assert paths[0] == paths[1]
        assert len({str(path) for path in paths}) == 3


def selections():
    """Paths on real data, all ways of counting."""
    found = []
    for name, rows in (("vote", 150), ("soybean", 100), ("heart-c", 120)):
        X, y = load_dataset(name, source="folder")
        chosen = np.random.default_rng(0).permutation(len(X))[:rows]
        X, y = X.iloc[chosen, :14], y.iloc[chosen].astype(object)
        weights = np.random.default_rng(1).choice([0.5, 1.0, 3.0], rows)
        for metric, missing in itertools.product(("cig", "cgr", "cdc"), ("value", "ignore")):
            found.append(InfoSelector(metric, missing=missing).fit(X, y).path_)
            found.append(InfoSelector(metric, stop_by="chi2", missing=missing).fit(X, y).path_)
            found.append(InfoSelector(metric, missing=missing).fit(X, y, weights).path_)
        for scoring in ("accuracy", "log_loss"):
            naive = SelectiveNaiveBayesClassifier(scoring, "stop", cv=3)
            found.append(naive.fit(X, y).path_)
        found.append(K2ASClassifier("continue", Naive()).fit(X.iloc[:, :6], y).path_)
        found.append(
            K2ASClassifier(structure=TAN(), scoring="log_loss").fit(X.iloc[:, :6], y).path_
        )
        found.append(K2ASClassifier().fit(X.iloc[:, :5], y).path_)
    return found


OTHER_KERNELS = """
import json, runpy, sys
from bayesgrove.kernels import kernels
selections = runpy.run_path(sys.argv[1])["selections"]
print(json.dumps([kernels.__name__, selections()]))
"""


@pytest.mark.filterwarnings("ignore")
def test_both_kernels_select_the_same(folder_dataset):
    if kernels is numpy_kernels:
        pytest.skip("there is only one kind of kernels here")
    command = [sys.executable, "-W", "ignore", "-c", OTHER_KERNELS, __file__]
    environment = {**os.environ, "BAYESGROVE_KERNELS": "numpy"}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    name, others = json.loads(done.stdout)
    assert name == numpy_kernels.__name__
    for one, two in zip(selections(), others, strict=True):
        assert [[*step[2:4], *step[4], step[0]] for step in one] == [
            [*step[2:4], *step[4], step[0]] for step in two
        ]
        assert_allclose([step[1] for step in one], [step[1] for step in two], rtol=1e-11)


# Files of models


def document(unfitted):
    model, _, _ = fitted(unfitted)
    return files.describe_model(model)


def write(content, folder):
    path = folder / "m.json"
    path.write_bytes(text.to_bytes(content))
    return path


@every_model
def test_a_model_comes_back_with_its_selection(unfitted, tmp_path):
    model, X, _ = fitted(unfitted)
    save_model(model, tmp_path / "model.json.gz")
    loaded = load_model(tmp_path / "model.json.gz")
    assert loaded.selected_ == model.selected_
    assert loaded.path_ == model.path_
    assert [list(map(type, step)) for step in loaded.path_] == [
        list(map(type, step)) for step in model.path_
    ]
    assert all(isinstance(step, Step) for step in loaded.path_)
    assert loaded.path_text() == model.path_text()
    assert loaded.get_params() == model.get_params()
    assert loaded.get_support().tolist() == model.get_support().tolist()
    assert same_bytes(loaded.predict_joint_log_proba(X), model.predict_joint_log_proba(X))
    garbage = X.assign(**dict.fromkeys(set(X) - set(model.selected_), "never seen"))
    assert same_bytes(loaded.predict_proba(garbage), model.predict_proba(X))
    save_model(loaded, tmp_path / "again.json.gz")
    before = (tmp_path / "model.json.gz").read_bytes()
    assert (tmp_path / "again.json.gz").read_bytes() == before
    assert clone(loaded).fit(*mixed_rows()).path_ == model.path_


def test_the_file_tells_of_the_selection(tmp_path):
    model, _, _ = fitted(MODELS[8])
    save_model(model, tmp_path / "model.json")
    content = json.loads((tmp_path / "model.json").read_text(encoding="utf-8"))
    assert list(content["selection"]) == ["attributes", "path"]
    assert content["selection"]["attributes"] == model.selected_
    assert content["selection"]["path"] == [{**s._asdict(), "others": []} for s in model.path_]
    assert content["options"]["selection"]["type"] == "Chain"
    assert [column["name"] for column in content["columns"]] == list(mixed_rows()[0])
    assert [node["name"] for node in content["network"][:-1]] == sorted(
        model.selected_, key=list(mixed_rows()[0]).index
    )


GONE = object()
DAMAGE = [
    ("attributes", GONE, "selection has no 'attributes'"),
    ("path", GONE, "selection has no 'path'"),
    ("more", 1, "selection has 'more', which is not known"),
    ("attributes", None, "selection.attributes is None, not a list"),
    ("attributes", {}, "selection.attributes is {}, not a list"),
    ("attributes", "colour", "selection.attributes is 'colour', not a list"),
    ("attributes", [], r"network has \d items, needs 1"),
    ("attributes", ["size"], r"network has \d items, needs 2"),
    ("attributes.0", "price", r"selection.attributes\[0\] is 'price', which is not a column"),
    ("attributes.0", "class", r"selection.attributes\[0\] is 'class', which is not a column"),
    ("attributes.0", 0, r"selection.attributes\[0\] is 0, not a string"),
    ("attributes.0", ["size"], r"selection.attributes\[0\] is \['size'\], not a string"),
    ("attributes.0", None, r"selection.attributes\[0\] is None, not a string"),
    ("attributes.0", "again", "selection.attributes holds '.*' more than once"),
    ("path", None, "selection.path is None, not a list"),
    ("path.0", [], r"selection.path\[0\] is \[\], not an object"),
    ("path.0", ["size", 0.5, 3, "added"], r"selection.path\[0\] is .*, not an object"),
    ("path.0.attribute", GONE, r"selection.path\[0\] has no 'attribute'"),
    ("path.0.value", GONE, r"selection.path\[0\] has no 'value'"),
    ("path.0.cells", GONE, r"selection.path\[0\] has no 'cells'"),
    ("path.0.change", GONE, r"selection.path\[0\] has no 'change'"),
    ("path.0.step", 1, r"selection.path\[0\] has 'step', which is not known"),
    ("path.0.attribute", "price", r"path\[0\].attribute is 'price', which is not a column"),
    ("path.0.attribute", 3, r"path\[0\].attribute is 3, not a string"),
    ("path.0.value", "0.5", r"path\[0\].value.* is '0.5', not a number"),
    ("path.0.value", None, r"path\[0\].value.* is None, not a number"),
    ("path.0.value", True, r"path\[0\].value.* is True, not a number"),
    ("path.0.value", [0.5], r"path\[0\].value.* is \[0.5\], not a number"),
    ("path.0.value", 10**400, r"path\[0\].value holds a number that is too large"),
    ("path.0.cells", 3.0, r"path\[0\].cells is 3.0, not a whole number"),
    ("path.0.cells", "3", r"path\[0\].cells is '3', not a whole number"),
    ("path.0.cells", True, r"path\[0\].cells is True, not a whole number"),
    ("path.0.change", "kept", r"path\[0\].change is 'kept', not 'added' or 'removed'"),
    ("path.0.change", None, r"path\[0\].change is None"),
    ("path.0.change", ["added"], r"path\[0\].change is \['added'\]"),
]


@pytest.mark.parametrize(("where", "value", "match"), DAMAGE)
def test_a_damaged_selection_is_refused(where, value, match, tmp_path):
    content = document(MODELS[3])
    parent = content["selection"]
    *steps, last = (int(step) if step.isdigit() else step for step in where.split("."))
    for step in steps:
        parent = parent[step]
    if value is GONE:
        del parent[last]
    else:
        parent[last] = parent[1] if value == "again" else value
    with pytest.raises(ModelFileError, match=match) as error:
        load_model(write(content, tmp_path))
    assert str(error.value).startswith(str(tmp_path))


@pytest.mark.parametrize("value", [None, [], 5, "colour", ["colour"]], ids=str)
def test_a_selection_that_is_no_object_is_refused(value, tmp_path):
    content = document(MODELS[0])
    content["selection"] = value
    with pytest.raises(ModelFileError, match=r"selection is .*, not an object"):
        load_model(write(content, tmp_path))


@pytest.mark.parametrize("token", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_values_that_are_no_numbers_are_refused(token, tmp_path):
    content = document(MODELS[0])
    content["selection"]["path"][0]["value"] = 123456.75
    path = write(content, tmp_path)
    path.write_text(path.read_text(encoding="utf-8").replace("123456.75", token), "utf-8")
    with pytest.raises(ModelFileError, match=r"not a number in JSON|not finite"):
        load_model(path)


def test_a_selection_needs_a_classifier_that_selects(tmp_path):
    X, y = mixed_rows()
    content = files.describe_model(TANClassifier().fit(X, y))
    assert "selection" not in content
    content["selection"] = document(MODELS[0])["selection"]
    with pytest.raises(ModelFileError, match="has a selection, but its classifier does not select"):
        load_model(write(content, tmp_path))


def test_without_a_selection_the_network_has_all_attributes(tmp_path):
    content = document(MODELS[0])
    del content["selection"]
    with pytest.raises(ModelFileError, match=r"network has \d items, needs 6"):
        load_model(write(content, tmp_path))
    whole = document(BayesianNetworkClassifier(TAN()))
    del whole["selection"]
    loaded = load_model(write(whole, tmp_path))
    assert loaded.selected_ == list(mixed_rows()[0])
    assert loaded.path_ == []


@pytest.mark.parametrize(
    ("where", "value", "match"),
    [
        ("type", "TAN", "selection.type is 'TAN', not 'CFS' or 'MDL' or 'Chain' or 'Guided'"),
        ("type", "Selection", "selection.type is 'Selection'"),
        ("type", "os.system", "selection.type is 'os.system'"),
        ("options.first", None, "selection.options.first is None"),
        ("options.first", "InfoAS", "selection.options.first is 'InfoAS'"),
        ("options.first.type", "KDB", "selection.options.first.type is 'KDB'"),
        ("options.first.options.metric", 1, "first.options.metric is 1"),
        ("options.first.options.gain", 1, "first.options has 'gain', which is not known"),
        ("options.second.options.structure.type", "InfoAS", "structure.type is 'InfoAS', not 'CB'"),
        ("options.second.options.cv", {"a": 1}, "second.options.cv is"),
        ("options.second.options.random_state", "x", "second.options.random_state is 'x'"),
        ("options.third", 1, "selection.options has 'third', which is not known"),
    ],
)
def test_damaged_parts_of_a_selector_are_refused(where, value, match, tmp_path):
    content = document(MODELS[8])
    parent = content["options"]["selection"]
    *steps, last = where.split(".")
    for step in steps:
        parent = parent[step]
    parent[last] = value
    with pytest.raises(ModelFileError, match=match):
        load_model(write(content, tmp_path))


def test_why_attributes_were_left_out_comes_back(tmp_path):
    model, _, _ = fitted(SelectiveTANClassifier())
    left = [name for name in mixed_rows()[0] if name not in model.selected_]
    assert [own.attribute for own in model.redundancy_] == left
    save_model(model, tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    assert loaded.redundancy_ == model.redundancy_
    assert loaded.redundancy_text() == model.redundancy_text()


def test_levels_of_redundancy_agree_with_redundancy_and_with_a_loaded_model(tmp_path):
    X, y = mixed_rows()
    model = SelectiveTANClassifier().fit(X, y)
    found = model.redundancy_levels(X, y, 1, "mdl")
    assert [own.attribute for own in found] == [own.attribute for own in model.redundancy_]
    for levels, own in zip(found, model.redundancy_, strict=True):
        assert levels.witnesses[0].information == pytest.approx(own.information, abs=1e-8)
        assert levels.witnesses[0].cost == pytest.approx(own.cost)
        assert set(own.levels) <= set(levels.levels)
    save_model(model, tmp_path / "model.json")
    assert load_model(tmp_path / "model.json").redundancy_levels(X, y, 1, "mdl") == found
    selector = MDLSelector().fit(X, y)
    assert selector.selected_ == model.selected_
    assert selector.redundancy_levels(X, y, 1, "mdl") == found
    doubled = model.redundancy_levels(X, y, 0, sample_weight=np.full(len(X), 2.0))
    assert doubled[0].witnesses[0].information == pytest.approx(2 * found[0].witnesses[0][1])
    with pytest.raises(ValueError, match="names should match"):
        model.redundancy_levels(X.rename(columns={X.columns[0]: "other"}), y, 1)
    with pytest.raises(NotFittedError):
        SelectiveTANClassifier().redundancy_levels(X, y, 1)


@pytest.mark.filterwarnings(f"ignore:{NOTHING}")
def test_nothing_selected_comes_back(tmp_path):
    X = pd.DataFrame({"a": list("uuvv") * 5, "b": list("uv") * 10})
    model = SelectiveTANClassifier().fit(X, list("npppnppp" + "pn" * 6))
    assert model.selected_ == []
    save_model(model, tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    assert loaded.redundancy_ == model.redundancy_
    content = files.describe_model(model)
    content["extra"]["redundancy"][0]["neighbour"] = "b"
    with pytest.raises(ModelFileError, match=r"\[0\]\.neighbour must be null, because no"):
        load_model(write(content, tmp_path))


@pytest.mark.parametrize(
    ("where", "value", "match"),
    [
        ("attribute", "nobody", r"redundancy\[0\]\.attribute is 'nobody', not"),
        ("neighbour", None, r"redundancy\[0\]\.neighbour is None, not"),
        ("neighbour", "weight", r"redundancy\[0\]\.neighbour is 'weight', not"),
        ("information", "much", r"redundancy\[0\]\.information.*is 'much', not a number"),
        (
            "cost_given_neighbour",
            None,
            r"redundancy\[0\]\.cost_given_neighbour.*is None, not a number",
        ),
        ("level", 1, r"redundancy\[0\] has 'level', which is not known"),
    ],
)
def test_damaged_reasons_are_refused(where, value, match, tmp_path):
    content = document(SelectiveTANClassifier())
    content["extra"]["redundancy"][0][where] = value
    with pytest.raises(ModelFileError, match=match):
        load_model(write(content, tmp_path))
    del content["extra"]["redundancy"][0]
    with pytest.raises(ModelFileError, match=r"extra\.redundancy has \d items, needs \d"):
        load_model(write(content, tmp_path))


def test_selectors_of_ones_own_cannot_be_saved(tmp_path):
    class Mine:
        def select(self, counts):
            return InfoAS().select(counts)

    X, y = mixed_rows()
    own = Mine()
    for selection in (own, Chain(InfoAS(), own)):
        model = BayesianNetworkClassifier(selection=selection).fit(X, y)
        assert set(model.selected_) <= set(X)
        with pytest.raises(ModelFileError, match=r"option \w+=.*type Mine.*pickle or joblib"):
            save_model(model, tmp_path / "model.json")
    assert not list(tmp_path.iterdir())


def test_a_selection_put_in_by_hand_is_refused(tmp_path):
    model, _, _ = fitted(MODELS[0])
    model.selected_ = ["noise"]
    with pytest.raises(ModelFileError, match="do not agree: fit it again"):
        save_model(model, tmp_path / "model.json")


def test_files_from_before_there_was_a_selection_are_read():
    kinds = {}
    for path in sorted(GOLDEN.glob("*-version-1.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        assert "selection" not in content
        loaded = load_model(path)
        kinds[path.name] = type(loaded)
        if isinstance(loaded, BayesianNetworkClassifier):
            assert loaded.selected_ == [column["name"] for column in content["columns"]]
            assert loaded.path_ == []
            assert loaded.selection is None
            assert loaded.get_support().all()
    assert {TANClassifier, BayesianNetworkClassifier} & set(kinds.values())
    content = document(BayesianNetworkClassifier(TAN()))
    old = copy.deepcopy(content)
    del old["selection"], old["options"]["selection"]
    loaded = files.read_model(files.Field(old, "old file"))
    assert files.describe_model(loaded) == content


def test_every_named_classifier_is_a_composition(folder_dataset):
    X, y = load_dataset("vote", source="folder")
    for named, composed in (
        (InfoASClassifier("cdc"), BayesianNetworkClassifier(CB(), None, InfoAS("cdc"))),
        (
            K2ASClassifier("continue", Naive(), cv="training"),
            BayesianNetworkClassifier(None, None, Wrapper(Naive(), ties="continue", cv="training")),
        ),
        (
            SelectiveNaiveBayesClassifier("log_loss", alpha=2, random_state=4),
            BayesianNetworkClassifier(
                None, Dirichlet(2), SelectiveNaive("log_loss", alpha=2, random_state=4)
            ),
        ),
        (KDBClassifier(k=2), BayesianNetworkClassifier(KDB(2))),
    ):
        one, two = named.fit(X, y), composed.fit(X, y)
        assert one.network_ == two.network_
        assert getattr(one, "path_", []) == two.path_
        assert same_bytes(one.predict_proba(X), two.predict_proba(X))
