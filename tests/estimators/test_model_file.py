"""Models as files: what was saved comes back to the last bit, and nothing else is let in."""

import copy
import dataclasses
import datetime
import decimal
import gzip
import itertools
import json
import math
import pickle
import random
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression

import bayesgrove.counts.counter
import bayesgrove.estimators
from bayesgrove import (
    AODEClassifier,
    BaggedTreesClassifier,
    BayesianNetworkClassifier,
    C45Classifier,
    EqualFrequencyDiscretizer,
    InfoSelector,
    KDBClassifier,
    MDLPDiscretizer,
    NaiveBayesClassifier,
    TANClassifier,
    WeightedNaiveBayesClassifier,
    load_dataset,
)
from bayesgrove._utils.options import OptionError
from bayesgrove.encoding import Continuous, Schema
from bayesgrove.estimators.base.classifier import TableClassifier
from bayesgrove.estimators.base.network import NetworkClassifier
from bayesgrove.estimators.base.tree import MixedClassifier, TreeClassifier
from bayesgrove.model_files import ModelFileError, load_model, model, options, save_model, text
from bayesgrove.model_files.fields import Field
from bayesgrove.parameters import BDeu, Dirichlet, MaximumLikelihood
from bayesgrove.structures import KDB, TAN, Naive
from support import log_answers

GOLDEN = Path(__file__).parent / "data"
MODELS = [
    *(owner() for owner in model.classifiers().values()),
    NaiveBayesClassifier("gaussian"),
    NaiveBayesClassifier(discretizer=EqualFrequencyDiscretizer(3), missing="ignore"),
    TANClassifier("size", alpha=0, unseen="error"),
    KDBClassifier(k=2, theta=0.01, unit="bits", n_jobs=2),
    BayesianNetworkClassifier(TAN(), BDeu(5)),
    BayesianNetworkClassifier(KDB(3), MaximumLikelihood(), discretizer=MDLPDiscretizer()),
    BayesianNetworkClassifier(Naive(), Dirichlet(0.25), categorical_features=["count"]),
    KDBClassifier(2, smoothing="backoff", weights="conditional", corrections=True),
    NaiveBayesClassifier(weights="conditional"),
    C45Classifier(pruned=False, collapse=False, mdl_correction=False, categorical_features="all"),
]
every_model = pytest.mark.parametrize("unfitted", MODELS, ids=repr)
quiet = pytest.mark.filterwarnings("ignore::bayesgrove.UnseenValueWarning")


def mixed_rows(rows=120, seed=0):
    """Nominal and numeric columns that depend on the class, with gaps."""
    rng = np.random.default_rng(seed)
    y = rng.choice(["no", "perhaps", "yes"], rows)
    place = np.searchsorted(["no", "perhaps", "yes"], y)
    colour = np.where(rng.random(rows) < 0.5, place, rng.integers(0, 3, rows))
    X = pd.DataFrame(
        {
            "colour": np.array(["blue", "grün", "red"], dtype=object)[colour],
            "size": rng.normal(size=rows) + place,
            "count": rng.integers(0, 4, rows),
            "shape": pd.Categorical.from_codes(rng.integers(-1, 2, rows), ["round", "square"]),
        }
    )
    X.loc[rng.random(rows) < 0.1, "size"] = np.nan
    return X, y


def nominal_rows(values, y):
    """A table of one column of Python objects, each value once for every class label."""
    rows = [(value, label) for value in values for label in y]
    column = np.empty(len(rows), dtype=object)
    column[:] = [value for value, _ in rows]
    return column[:, None], [label for _, label in rows]


def saved(fitted, folder, name="model.json"):
    path = folder / name
    save_model(fitted, path)
    return path


def there_and_back(fitted, folder):
    return load_model(saved(fitted, folder))


def assert_same_value(one, two, where):
    """Equal in type and value, through all parts that are not computed from others."""
    assert type(one) is type(two), where
    if isinstance(one, np.ndarray):
        assert one.dtype == two.dtype, where
        assert one.shape == two.shape, where
        assert one.tolist() == two.tolist(), where
    elif isinstance(one, BaseEstimator):
        assert_same_value(one.get_params(), two.get_params(), where)
    elif dataclasses.is_dataclass(one):
        for field in dataclasses.fields(one):
            name = field.name
            assert_same_value(getattr(one, name), getattr(two, name), f"{where}.{name}")
    elif isinstance(one, dict):
        assert list(one) == list(two), where
        for key, value in one.items():
            assert_same_value(value, two[key], f"{where}[{key!r}]")
    elif isinstance(one, (list, tuple)):
        assert len(one) == len(two), where
        for at, (a, b) in enumerate(zip(one, two, strict=True)):
            assert_same_value(a, b, f"{where}[{at}]")
    elif isinstance(one, float) and np.isnan(one):
        assert np.isnan(two), where
    else:
        assert one == two, where


def assert_same_model(one, two):
    """All that a model is made of, whatever its class keeps: what is forgotten shows here."""
    assert type(one) is type(two)
    assert vars(one).keys() == vars(two).keys()
    for name, value in vars(one).items():
        if name == "network_":
            assert_same_network(value, two.network_)
        elif name == "networks_":
            for pair in zip(value, two.networks_, strict=True):
                assert_same_network(*pair)
        else:
            assert_same_value(value, getattr(two, name), name)


def assert_same_network(one, two):
    assert one == two
    assert one.structure == two.structure
    for node in one.nodes:
        a, b = one.table(node), two.table(node)
        assert a.family == b.family
        assert a.has_default == b.has_default
        assert a.configurations.cards == b.configurations.cards
        assert a.configurations.table.tolist() == b.configurations.table.tolist()
        assert a.probabilities.tobytes() == b.probabilities.tobytes()
        assert a.probabilities.shape == b.probabilities.shape


def assert_same_answers(one, two, X):
    assert log_answers(one, X).tobytes() == log_answers(two, X).tobytes()
    assert one.predict_proba(X).tobytes() == two.predict_proba(X).tobytes()
    assert_same_value(one.predict(X), two.predict(X), "predict")


@pytest.fixture
def sparse_tables(monkeypatch):
    monkeypatch.setattr(bayesgrove.counts.counter, "DENSE_CELLS", 0)


# There and back


def test_every_public_classifier_can_be_saved():
    names = [name for name in bayesgrove.__all__ if name.endswith("Classifier")]
    assert names == list(model.classifiers())
    bases = {MixedClassifier, NetworkClassifier, TableClassifier, TreeClassifier}
    assert bases.isdisjoint(model.classifiers().values())


@every_model
def test_a_model_comes_back_as_it_was(unfitted, tmp_path):
    X, y = mixed_rows()
    fitted = clone(unfitted).fit(X, y)
    before = saved(fitted, tmp_path).read_bytes()
    loaded = load_model(tmp_path / "model.json")
    assert_same_model(fitted, loaded)
    assert_same_answers(fitted, loaded, X)
    assert_same_model(fitted, loaded)  # also after both were used
    assert saved(loaded, tmp_path, "again.json").read_bytes() == before
    assert repr(clone(loaded)) == repr(unfitted)
    assert_same_answers(clone(loaded).fit(X, y), fitted, X)


@every_model
@quiet
def test_missing_and_unseen_values_are_treated_as_before(unfitted, tmp_path):
    X, y = mixed_rows()
    fitted = clone(unfitted).fit(X, y)
    loaded = there_and_back(fitted, tmp_path)
    strange = X.astype(object)
    strange.loc[::2, "colour"] = None
    strange.loc[::3, ["size", "shape"]] = None
    assert_same_answers(fitted, loaded, strange)
    strange.loc[::5, "colour"] = "mauve"
    if fitted.unseen == "error":
        with pytest.raises(ValueError, match="mauve"):
            loaded.predict(strange)
    else:
        assert_same_answers(fitted, loaded, strange)


@every_model
def test_tables_without_names(unfitted, tmp_path):
    X, y = mixed_rows()
    numbers = X[["size", "count"]].to_numpy()
    plain = clone(unfitted).set_params(categorical_features=[1])
    if hasattr(plain, "root"):
        plain.set_params(root=1)
    fitted = plain.fit(numbers, y)
    loaded = there_and_back(fitted, tmp_path)
    assert not hasattr(loaded, "feature_names_in_")
    assert loaded.n_features_in_ == 2
    assert_same_model(fitted, loaded)
    assert_same_answers(fitted, loaded, numbers)


def test_names_that_are_no_strings(tmp_path):
    X = pd.DataFrame({0: ["a", "b"], 1: ["c", "d"]})
    fitted = TANClassifier().fit(X, ["n", "p"])
    loaded = there_and_back(fitted, tmp_path)
    assert not hasattr(loaded, "feature_names_in_")
    assert_same_model(fitted, loaded)
    assert_same_answers(fitted, loaded, X)
    with pytest.raises(ValueError, match="should match"):
        loaded.predict(X[[1, 0]])


def test_a_model_from_files(tmp_path):
    X, y = mixed_rows()
    X.assign(target=y).to_parquet(tmp_path / "rows.parquet")
    fitted = KDBClassifier(k=2).fit(str(tmp_path / "rows.parquet"), "target")
    loaded = there_and_back(fitted, tmp_path)
    assert_same_model(fitted, loaded)
    assert_same_answers(fitted, loaded, X)
    assert_same_answers(fitted, loaded, str(tmp_path / "rows.parquet"))


@pytest.mark.parametrize("numeric", ["discretize", "gaussian"])
@pytest.mark.parametrize("missing", ["value", "ignore"])
def test_learning_goes_on_after_loading(numeric, missing, tmp_path):
    X, y = mixed_rows()
    first, then = slice(0, 60), slice(60, 120)
    fitted = NaiveBayesClassifier(numeric, missing=missing).fit(X[first], y[first])
    loaded = there_and_back(fitted, tmp_path)
    more = X[then].assign(colour="violet")
    for each in (fitted, loaded):
        each.partial_fit(more, y[then], sample_weight=np.linspace(0.5, 2, 60))
    assert_same_model(fitted, loaded)
    assert_same_answers(fitted, loaded, X)
    assert_same_model(loaded, there_and_back(loaded, tmp_path))


def test_options_that_were_changed_after_the_fit(tmp_path):
    X, y = mixed_rows()
    fitted = NaiveBayesClassifier("gaussian").fit(X, y)
    fitted.set_params(alpha=7.5, var_smoothing=0.5)
    loaded = there_and_back(fitted, tmp_path)
    assert_same_model(fitted, loaded)
    assert_same_answers(fitted, loaded, X)


@every_model
@pytest.mark.filterwarnings("ignore:No attribute was selected")
def test_tables_of_observed_configurations(unfitted, tmp_path, sparse_tables):
    X, y = mixed_rows(12)
    fitted = clone(unfitted).fit(X, y)
    loaded = there_and_back(fitted, tmp_path)
    assert_same_model(fitted, loaded)
    assert_same_answers(fitted, loaded, X)
    assert (
        saved(loaded, tmp_path, "again.json").read_bytes() == (tmp_path / "model.json").read_bytes()
    )


def test_configurations_that_occur_only_with_a_missing_parent(tmp_path, sparse_tables):
    gap = None
    X = pd.DataFrame(
        {
            "a": ["u", "v", "w", "u", "v", "w", "u", "u"],
            "b": ["p", "q", gap, "q", "p", gap, "p", "q"],
            "c": ["1", "2", "3", "4", "3", "2", "1", "1"],
        },
        dtype=object,
    )
    y = ["n", "p", "p", "p", "n", "p", "n", "p"]
    fitted = KDBClassifier(k=2, missing="ignore").fit(X, y)
    node = next(node for node in "abc" if len(fitted.network_.parents(node)) == 3)
    table = fitted.network_.table(node)
    assert table.has_default
    assert {row[0] for row in table.configurations.table.tolist()} != {0, 1, 2}
    loaded = there_and_back(fitted, tmp_path)
    assert_same_model(fitted, loaded)
    assert_same_answers(fitted, loaded, X)


def test_parents_that_are_never_known_together(tmp_path, sparse_tables):
    gap = None
    X = pd.DataFrame(
        {"a": ["u", "v", gap, gap], "b": [gap, gap, "u", "v"], "c": ["u", "v", "w", "x"]},
        dtype=object,
    )
    fitted = KDBClassifier(k=2, missing="ignore").fit(X, ["n", "p", "n", "p"])
    sizes = [fitted.network_.table(node).configurations.size for node in "abc"]
    assert 0 in sizes
    loaded = there_and_back(fitted, tmp_path)
    assert_same_model(fitted, loaded)
    assert_same_answers(fitted, loaded, X)


@pytest.mark.parametrize(
    "values",
    [
        ["1", "2"],
        [1, 2],
        [True, False],
        [1.5, 2.5, -0.25],
        ["", " ", "\n", '"', "\\", "\x00", "\u2028"],
        ["é", "日本", "🌳", "\udc80", "\ud83c", "a\udfff"],
        [2**53 + 1, 2**53 + 2, -(2**63), 2**64],
        ["1", 1],
        ["1", 1.0, True, "True", 0.1],
        [1e-310, 5e300, 0.1 + 0.2, "x"],
        ["x", None],
        [None, None],
        [10**400, 10**400 + 1, "x"],
    ],
    ids=ascii,
)
def test_labels_keep_their_types(values, tmp_path):
    X, y = nominal_rows(values, ["n", "p"])
    fitted = NaiveBayesClassifier(categorical_features="all").fit(X, y)
    loaded = there_and_back(fitted, tmp_path)
    assert_same_model(fitted, loaded)
    assert_same_answers(fitted, loaded, X)


@pytest.mark.parametrize(
    "y",
    [
        np.array([0, 1, 1], dtype=np.int8),
        np.array([0, 1, 1], dtype=np.uint64),
        np.array([0, 7, 2**64 - 1], dtype=np.uint64),
        np.array([-5, 2**40, 0], dtype=np.int64),
        np.array([0, 1, 1], dtype=">i4"),
        np.array([True, False, True]),
        np.array([1.0, 2.0, 1.0]),
        np.array([1.0, 2.0, 1.0], dtype=np.float32),
        np.array(["a", "bcd", ""]),
        np.array(["a", "b", "b"], dtype="<U40"),
        np.array(["a", "b", "ä"], dtype=object),
        np.array([3, 4, 4], dtype=object),
        pd.Series(["x", "y", "y"], dtype="category", name="kind of \ud800"),
        ["x", "y", "y"],
        ["only", "only", "only"],
    ],
    ids=ascii,
)
def test_class_labels_keep_their_type(y, tmp_path):
    X = pd.DataFrame({"a": ["u", "v", "v"]})
    fitted = TANClassifier().fit(X, y)
    loaded = there_and_back(fitted, tmp_path)
    assert loaded.classes_.dtype == fitted.classes_.dtype
    assert_same_model(fitted, loaded)
    assert_same_answers(fitted, loaded, X)


@pytest.mark.parametrize(
    ("given_value", "kept"),
    [
        (np.array(["count", "colour"]), ["count", "colour"]),
        (np.array([0, 2]), [0, 2]),
        (np.array([True, False, True, False]), [True, False, True, False]),
        ([True, False, True, False], [True, False, True, False]),
        (pd.Index(["count"]), ["count"]),
        (("count",), ["count"]),
        ([np.int64(-2)], [-2]),
        ([], []),
    ],
    ids=ascii,
)
def test_columns_that_were_told_to_be_nominal_become_a_list(given_value, kept, tmp_path):
    X, y = mixed_rows()
    fitted = TANClassifier(categorical_features=given_value).fit(X, y)
    loaded = there_and_back(fitted, tmp_path)
    assert_same_value(loaded.categorical_features, kept, "categorical_features")
    assert_same_answers(fitted, loaded, X)


@pytest.mark.parametrize("weights", [np.array([1.0, 0, 0.5, 2]), (1, 0, 0.5, 2)], ids=ascii)
def test_weights_that_were_given_become_a_list(weights, tmp_path):
    X, y = mixed_rows()
    fitted = WeightedNaiveBayesClassifier(weights).fit(X, y)
    loaded = there_and_back(fitted, tmp_path)
    assert loaded.weights == [1, 0, 0.5, 2]
    assert_same_answers(fitted, loaded, X)
    assert_same_answers(clone(loaded).fit(X, y), fitted, X)


def test_numpy_numbers_as_options_become_python_numbers(tmp_path):
    X, y = mixed_rows()
    fitted = KDBClassifier(np.int64(2), np.float32(0.5), alpha=np.float64(0.1)).fit(X, y)
    loaded = there_and_back(fitted, tmp_path)
    assert loaded.get_params() == fitted.get_params()
    assert [type(loaded.k), type(loaded.theta), type(loaded.alpha)] == [int, float, float]


def test_every_option_of_every_class_has_a_type_that_files_know():
    known = {*options.TYPES, *options.PARTS, "Any", "Levels", "Arcs", "Weights"}
    known |= {"SetFunction", "SetTable"}
    parts = [part for role in options.PARTS.values() for part in role.values()]
    for owner in (*model.classifiers().values(), *parts):
        for name, types in options.option_types(owner).items():
            assert set(types) <= known, (owner, name)


def test_the_same_model_gives_the_same_bytes(tmp_path):
    X, y = mixed_rows()
    one, two = (KDBClassifier(k=2).fit(X, y) for _ in range(2))
    two.predict(X)
    assert saved(one, tmp_path).read_bytes() == saved(two, tmp_path).read_bytes()
    packed = [saved(each, tmp_path, name) for each, name in ((one, "a.gz"), (two, "b.gz"))]
    assert packed[0].read_bytes() == packed[1].read_bytes()
    assert gzip.decompress(packed[0].read_bytes()) == (tmp_path / "model.json").read_bytes()
    assert_same_model(load_model(packed[0]), one)


def test_the_text_has_a_line_for_every_column_and_every_node(tmp_path):
    X, y = mixed_rows()
    lines = saved(TANClassifier().fit(X, y), tmp_path).read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if '"grün"' in line] == [
        '    {"name": "colour", "kind": "nominal", "labels": ["blue", "grün", "red"], '
        '"missing_state": false},'
    ]
    assert sum('"table"' in line for line in lines) == 5
    assert max(line.count('"table"') for line in lines) == 1


def test_a_file_takes_the_place_of_an_older_one(tmp_path):
    X, y = mixed_rows()
    path = saved(TANClassifier().fit(X, y), tmp_path)
    save_model(NaiveBayesClassifier().fit(X, y), str(path))
    assert isinstance(load_model(str(path)), NaiveBayesClassifier)
    assert [entry.name for entry in tmp_path.iterdir()] == ["model.json"]


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(values=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_numbers_that_are_written_once_are_written_as_the_others(values):
    document = {"name": "\ud800", "table": values * 20}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text, "LONG_LIST", 10)
        quickly = text.to_bytes({"network": [document]})
    assert quickly == text.to_bytes({"network": [document]})
    (read,) = text.parse(quickly, "m.json")["network"]
    assert list(map(repr, read["table"])) == list(map(repr, values * 20))


words = st.one_of(
    st.text(max_size=4), st.integers(-(2**70), 2**70), st.booleans(), st.sampled_from([0.5, -1.25])
)


@st.composite
def random_tables(draw):
    """A small table of Python objects with holes, and class labels of one type."""
    rows = draw(st.integers(3, 15))
    columns = []
    for _ in range(draw(st.integers(1, 4))):
        cell = draw(
            st.sampled_from(
                [words, st.sampled_from(["a", "b"]), st.integers(0, 3), st.floats(-9, 9)]
            )
        )
        columns.append(draw(st.lists(st.one_of(st.none(), cell), min_size=rows, max_size=rows)))
    label = draw(
        st.sampled_from([st.text(max_size=2), st.integers(-2, 2), st.booleans()]),
    )
    y = draw(st.lists(label, min_size=rows, max_size=rows))
    X = np.empty((rows, len(columns)), dtype=object)
    for j, column in enumerate(columns):
        X[:, j] = column
    return X, y


@pytest.mark.parametrize("at", range(len(MODELS)))
@settings(max_examples=15, deadline=None, derandomize=True, database=None)
@given(table=random_tables(), named=st.booleans())
@pytest.mark.filterwarnings("ignore:No attribute was selected")
@quiet
def test_whatever_the_table_a_model_comes_back(at, table, named, tmp_path_factory):
    X, y = table
    unfitted = clone(MODELS[at]).set_params(categorical_features=None)
    if hasattr(unfitted, "root"):
        unfitted.set_params(root=0)
    if named:
        X = pd.DataFrame(X, columns=[f"column {j}" for j in range(X.shape[1])], dtype=object)
    fitted = unfitted.fit(X, np.array(y, dtype=object) if isinstance(y[0], str) else y)
    folder = tmp_path_factory.mktemp("models")
    loaded = there_and_back(fitted, folder)
    assert_same_model(fitted, loaded)
    assert_same_answers(fitted, loaded, X)
    assert saved(loaded, folder, "b").read_bytes() == (folder / "model.json").read_bytes()


@every_model
def test_models_can_be_pickled_and_copied(unfitted, tmp_path):
    X, y = mixed_rows()
    fitted = clone(unfitted).fit(X, y)
    joblib.dump(fitted, tmp_path / "model.joblib")
    for copied in (
        pickle.loads(pickle.dumps(fitted)),
        joblib.load(tmp_path / "model.joblib"),
        copy.deepcopy(fitted),
    ):
        assert_same_model(fitted, copied)
        assert_same_answers(fitted, copied, X)
        before = saved(fitted, tmp_path).read_bytes()
        assert saved(copied, tmp_path, "copy.json").read_bytes() == before


# What cannot be saved


class Mine(TANClassifier):
    """A subclass, whose code no file can hold."""


@dataclasses.dataclass(frozen=True)
class MyTree(TAN):
    """A structure learner of one's own."""


class MyCuts(MDLPDiscretizer):
    """A discretiser of one's own."""


def equal_weights(X, y):
    return np.ones(X.shape[1])


def refused(fitted, folder, match):
    """The attempt to save leaves the old file and nothing beside it."""
    path = folder / "old.json"
    path.write_text("old")
    with pytest.raises(ModelFileError, match=match):
        save_model(fitted, path)
    assert path.read_text() == "old"
    assert [entry.name for entry in folder.iterdir()] == ["old.json"]


@pytest.mark.parametrize(
    ("unfitted", "match"),
    [
        (Mine(), "Mine is not a class of bayesgrove.*pickle or joblib"),
        (BayesianNetworkClassifier(MyTree()), r"structure=MyTree.*type MyTree.*pickle or joblib"),
        (TANClassifier(discretizer=MyCuts()), r"discretizer=MyCuts\(\).*pickle or joblib"),
        (WeightedNaiveBayesClassifier(equal_weights), "weights=.*type function.*pickle or joblib"),
        (TANClassifier(alpha=Fraction(1, 2)), r"alpha=Fraction\(1, 2\).*type Fraction"),
    ],
    ids=lambda value: re.sub(" at 0x[0-9a-f]+", "", repr(value)),
)
def test_parts_that_are_not_known_are_refused(unfitted, match, tmp_path):
    refused(unfitted.fit(*mixed_rows()), tmp_path, match)


@pytest.mark.parametrize(
    "thing",
    [None, "model.json", TANClassifier, LogisticRegression(), Naive(), InfoSelector()],
)
def test_what_is_no_classifier_is_refused(thing, tmp_path):
    refused(thing, tmp_path, "is not a classifier that a model file can hold.*TANClassifier")


def test_an_unfitted_classifier_is_refused(tmp_path):
    with pytest.raises(NotFittedError, match="TANClassifier instance is not fitted"):
        save_model(TANClassifier(), tmp_path / "model.json")
    failed = TANClassifier(root="nowhere")
    with pytest.raises(ValueError, match="nowhere"):
        failed.fit(*mixed_rows())
    with pytest.raises(NotFittedError):
        save_model(failed, tmp_path / "model.json")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "label",
    [
        datetime.date(2024, 2, 29),
        (1, 2),
        b"bytes",
        decimal.Decimal("0.5"),
        math.inf,
        frozenset([1]),
        "\ud83c\udf33",  # two halves of a character, which JSON would join
        2**3000,
    ],
    ids=ascii,
)
def test_labels_that_json_cannot_hold_are_refused(label, tmp_path):
    X = pd.DataFrame({"a": ["u", "v"], "odd one": pd.Series([label, "w"], dtype=object)})
    fitted = TANClassifier(categorical_features="all").fit(X, ["n", "p"])
    refused(fitted, tmp_path, f"Column 'odd one' has the label .*{type(label).__name__}")


def test_class_labels_that_json_cannot_hold_are_refused(tmp_path):
    X = pd.DataFrame({"a": ["u", "v"]})
    wide = TANClassifier().fit(X, np.array(["n", "p"], dtype="<U5000"))
    refused(wide, tmp_path, r"cannot be saved: class.dtype is '<U5000', too wide.*dtype=object")
    paired = TANClassifier().fit(X, pd.Series(["n", "p"], name="\ud83c\udf33"))
    refused(paired, tmp_path, "half of a character")


def test_options_that_make_no_sense_are_refused(tmp_path):
    X, y = mixed_rows()
    fitted = KDBClassifier().fit(X, y)
    refused(fitted.set_params(alpha=math.nan), tmp_path, "option alpha=nan")
    refused(
        fitted.set_params(alpha=1.0, k="two"), tmp_path, "k='two' must be 'auto' or a whole number"
    )
    refused(fitted.set_params(k=1, n_jobs=0), tmp_path, "n_jobs=0 is not a number of threads")
    refused(fitted.set_params(n_jobs=1, unseen="ask"), tmp_path, "unseen='ask'")
    weighted = WeightedNaiveBayesClassifier().fit(X, y)
    refused(weighted.set_params(weights=[1, "2"]), tmp_path, r"options.weights\[1\] is '2'")


def test_a_model_whose_parts_do_not_fit_together_is_refused(tmp_path):
    X, y = mixed_rows()
    fitted = TANClassifier().fit(X, y)
    other = TANClassifier().fit(X[["colour"]], y)
    fitted.network_ = other.network_
    refused(fitted, tmp_path, "do not agree")
    again = TANClassifier(root="colour").fit(X, y)
    with pytest.raises(ValueError, match="root"):
        again.fit(X[["count"]], y)
    refused(again, tmp_path, "do not agree: fit it again")


def test_a_model_beyond_the_limit_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(model, "LARGEST_FILE", 1000)
    refused(TANClassifier().fit(*mixed_rows()), tmp_path, "more than the 0 MB of a model file")


def test_paths_that_cannot_be_written_or_read(tmp_path):
    fitted = TANClassifier().fit(*mixed_rows())
    with pytest.raises(OSError, match="Cannot write"):
        save_model(fitted, tmp_path / "nowhere" / "model.json")
    with pytest.raises(FileNotFoundError):
        load_model(tmp_path / "model.json")
    with pytest.raises(IsADirectoryError):
        load_model(tmp_path)


# What cannot be loaded


@pytest.fixture(scope="module")
def documents():
    """Documents of a TAN, a Gaussian naive Bayes, a sparse KDB, a tree and several trees."""
    X, y = mixed_rows(60)
    trees = [C45Classifier().fit(X, y), BaggedTreesClassifier(2).fit(X, y)]
    with pytest.MonkeyPatch.context() as patch:
        dense = [TANClassifier().fit(X, y), NaiveBayesClassifier("gaussian").fit(X, y)]
        patch.setattr(bayesgrove.counts.counter, "DENSE_CELLS", 0)
        sparse = BayesianNetworkClassifier(KDB(2), BDeu(3), n_jobs=1).fit(X[:16], y[:16])
    return [model.describe_model(each) for each in (*dense, sparse, *trees)]


TAN_FILE, GAUSSIAN_FILE, SPARSE_FILE, TREE_FILE, BAG_FILE = range(5)


def write(document, folder):
    path = folder / "m.json"
    path.write_bytes(text.to_bytes(document))
    return path


def at(document, where):
    """The parent of a place such as ``columns.0.cuts``, and the last step to it."""
    *steps, last = (int(step) if step.lstrip("-").isdigit() else step for step in where.split("."))
    for step in steps:
        document = document[step]
    return document, last


DAMAGE = [
    (TAN_FILE, "format", "bif", "is JSON, but not a model file"),
    (TAN_FILE, "version", 7, r"was written by a newer version of bayesgrove \(file version 7; "),
    (TAN_FILE, "version", 0, "version is 0, not a version"),
    (TAN_FILE, "version", True, "version is True, not a whole number"),
    (TAN_FILE, "version", "1", "version is '1', not a whole number"),
    (TAN_FILE, "written_by", 3, "written_by is 3, not a string"),
    (TAN_FILE, "classifier", "os.system", "classifier is 'os.system', not '"),
    (TAN_FILE, "classifier", "NetworkClassifier", "classifier is 'NetworkClassifier', not '"),
    (TAN_FILE, "classifier", ["TANClassifier"], "is .* not .*'BayesianNetworkClassifier'"),
    (TAN_FILE, "classifier", "NaiveBayesClassifier", "options has 'root'"),
    (TAN_FILE, "options", [], r"options is \[\], not an object"),
    (
        TAN_FILE,
        "options.root",
        1.5,
        "options.root is 1.5, which is not a valid value of this option",
    ),
    (
        TAN_FILE,
        "options.root",
        [0],
        r"options.root is \[0\], which is not a valid value of this option",
    ),
    (TAN_FILE, "options.alpha", True, "options.alpha is True"),
    (TAN_FILE, "options.alpha", {"type": "KDB", "options": {}}, "options.alpha is {"),
    (TAN_FILE, "options.missing", "drop", "options cannot be used: missing='drop'"),
    (TAN_FILE, "options.missing", None, "options.missing is None"),
    (TAN_FILE, "options.n_jobs", 2**40, "n_jobs=1099511627776 is not a number of threads"),
    (TAN_FILE, "options.categorical_features", [[0]], r"categorical_features\[0\] is \[0\]"),
    (TAN_FILE, "options.discretizer", {"type": "TAN", "options": {}}, "discretizer.type is 'TAN'"),
    (TAN_FILE, "options.discretizer", {"type": "MDLPDiscretizer"}, "discretizer has no 'options'"),
    (TAN_FILE, "options.__class__", 1, "options has '__class__', which is not known"),
    (GAUSSIAN_FILE, "options.numeric", "kernel", "options cannot be used: numeric='kernel'"),
    (GAUSSIAN_FILE, "options.var_smoothing", 10**400, "options cannot be used: "),
    (SPARSE_FILE, "options.structure.type", "BDeu", "structure.type is 'BDeu', not 'CB'"),
    (SPARSE_FILE, "options.structure.options.random_state", "2", "options.random_state is '2'"),
    (SPARSE_FILE, "options.parameters.options.beta", 1, "parameters.options has 'beta'"),
    (TAN_FILE, "column_names", "some", "column_names is 'some', not 'strings' or 'converted'"),
    (TAN_FILE, "columns", [], "columns is empty"),
    (TAN_FILE, "columns", {}, "columns is {}, not a list"),
    (TAN_FILE, "columns.0", None, r"columns\[0\] is None, not an object"),
    (TAN_FILE, "columns.0.name", "size", "columns has two columns with the name 'size'"),
    (
        TAN_FILE,
        "columns.0.name",
        "class",
        "class.name is 'class', which is also the name of a column",
    ),
    (TAN_FILE, "columns.0.name", 5, r"columns\[0\].name is 5, not a string"),
    (TAN_FILE, "columns.0.kind", "dates", r"columns\[0\].kind is 'dates'"),
    (TAN_FILE, "columns.0.kind", "intervals", r"columns\[0\] has no 'cuts'"),
    (TAN_FILE, "columns.0.kind", "numeric", r"columns\[0\] has 'labels', which is not known"),
    (TAN_FILE, "columns.0.labels.1", "blue", r"columns\[0\].labels holds 'blue' more than once"),
    (
        TAN_FILE,
        "columns.0.labels.1",
        None,
        r"columns\[0\].labels\[1\] is None, which is not a label",
    ),
    (TAN_FILE, "columns.0.labels.1", ["a"], r"columns\[0\].labels\[1\] is \['a'\]"),
    (TAN_FILE, "columns.0.labels", ["blue"], r"network\[\d\].table has \d+ numbers, needs \d+"),
    (TAN_FILE, "columns.0.missing_state", 1, "missing_state is 1, neither true nor false"),
    (TAN_FILE, "columns.1.cuts.0", None, r"columns\[1\].cuts\[0\] is None, not a number"),
    (TAN_FILE, "columns.1.cuts.0", 10**400, "cuts holds a number that is too large"),
    (TAN_FILE, "columns.1.cuts", [2.0, 1.0], "cuts is not in ascending order"),
    (TAN_FILE, "columns.1.cuts", [1.0, 1.0], "cuts is not in ascending order"),
    (TAN_FILE, "columns.1", {"name": "size", "kind": "numeric"}, "network has 5 items, needs 4"),
    (TAN_FILE, "class.labels", [], "class.labels is empty"),
    (TAN_FILE, "class.labels.0", "yes", "class.labels holds 'yes' more than once"),
    (TAN_FILE, "class.labels.0", "absolutely", "class.dtype is '<U7', which does not hold"),
    (TAN_FILE, "class.labels.0", 1, "class.dtype is '<U7', which does not hold"),
    (TAN_FILE, "class.labels.0", True, "class.dtype is '<U7', which does not hold"),
    (TAN_FILE, "class.dtype", "int64", "class.dtype is 'int64', which does not hold"),
    (TAN_FILE, "class.dtype", "<U99999999", "not a dtype of class labels"),
    (TAN_FILE, "class.dtype", "<U9999999", "too wide"),
    (TAN_FILE, "class.dtype", "<U1,<i4", "not a dtype of class labels"),
    (TAN_FILE, "class.dtype", "datetime64", "not a dtype of class labels"),
    (TAN_FILE, "class.dtype", None, "class.dtype is None, not a string"),
    (
        TAN_FILE,
        "class.name",
        "colour",
        "class.name is 'colour', which is also the name of a column",
    ),
    (TAN_FILE, "network", [], "network has 0 items, needs 5"),
    (TAN_FILE, "network.1.name", "colour", r"network\[1\].name is 'colour', not 'size'"),
    (TAN_FILE, "network.0.parents", ["class", "class"], "holds a parent more than once"),
    (TAN_FILE, "network.0.parents", ["weight"], r"parents\[0\] is 'weight', which is not a node"),
    (TAN_FILE, "network.0.parents", [1], r"parents\[0\] is 1, not a string"),
    (TAN_FILE, "network.0.parents", ["colour"], "network has a cycle of arcs through 'colour'"),
    (TAN_FILE, "network.4.parents", ["size"], "network has a cycle of arcs"),
    (TAN_FILE, "network.0.axes", ["colour", "class"], r"axes is \['colour', 'class'\], not \['c"),
    (TAN_FILE, "network.4.table", [0.5, 0.25, 0.125, 0.125], "has 4 numbers, needs 3"),
    (TAN_FILE, "network.4.table", [0.5, 0.25, 0.2], r"has a row \(0\) that sums to 0.95, not to 1"),
    (TAN_FILE, "network.4.table", [1.5, -0.25, -0.25], "holds -0.25, less than 0"),
    (TAN_FILE, "network.4.table.1", True, r"network\[4\].table\[1\] is True, not a number"),
    (TAN_FILE, "network.4.table.1", "0.3", r"network\[4\].table\[1\] is '0.3', not a number"),
    (TAN_FILE, "network.4.table.1", [0.3], r"network\[4\].table\[1\] is \[0.3\], not a number"),
    (TAN_FILE, "network.4.table", 1, r"network\[4\].table is 1, not a list"),
    (
        TAN_FILE,
        "network.4.default",
        [0.2, 0.3, 0.5],
        "default cannot be used without 'configurations'",
    ),
    (TAN_FILE, "network.4.configurations", [], "configurations cannot be used without 'default'"),
    (TAN_FILE, "extra", {"counts": []}, "extra has 'counts', which is not known"),
    (TAN_FILE, "comment", "hello", "has 'comment', which is not known here"),
    (GAUSSIAN_FILE, "extra", {}, "extra has no 'counts'"),
    (GAUSSIAN_FILE, "extra.counts.0.0", -1, r"extra.counts\[0\] holds -1, less than 0"),
    (GAUSSIAN_FILE, "extra.counts", [[1.0]], "extra.counts has 1 items, needs 4"),
    (GAUSSIAN_FILE, "extra.numeric", [], "extra.numeric has 0 items, needs 1"),
    (GAUSSIAN_FILE, "extra.numeric.0.column", "colour", "column is 'colour', not 'size'"),
    (GAUSSIAN_FILE, "extra.numeric.0.means", [0.0], "means has 1 numbers, needs 3"),
    (GAUSSIAN_FILE, "extra.numeric.0.variances.0", 0, "variances holds 0, less than 1e-300"),
    (GAUSSIAN_FILE, "extra.numeric.0.variances.0", -1.0, "variances holds -1"),
    (GAUSSIAN_FILE, "extra.numeric.0.weights.0", -1.0, "weights holds -1"),
    (GAUSSIAN_FILE, "classifier", "TANClassifier", "options has 'numeric'"),
    (SPARSE_FILE, "network.2.configurations.0", -1, "holds a code that is not a state"),
    (SPARSE_FILE, "network.2.configurations.0", 99, "holds a code that is not a state"),
    (SPARSE_FILE, "network.2.configurations.0", 0.5, r"configurations\[0\] is 0.5, not a whole"),
    (SPARSE_FILE, "network.2.configurations.0", 2**70, "holds a number that is too large"),
    (SPARSE_FILE, "network.2.configurations", [], r"network\[2\].table has \d+ numbers, needs 0"),
    (SPARSE_FILE, "network.2.default", [1.0], r"default has 1 numbers, needs 12"),
    (TREE_FILE, "classifier", "TANClassifier", "options has 'pruned', which is not known"),
    (TREE_FILE, "options.confidence", 0.75, "options cannot be used: confidence=0.75"),
    (TREE_FILE, "options.min_rows", 0, "options cannot be used: min_rows=0"),
    (TREE_FILE, "network", [], "has 'network', which is not known here"),
    (TREE_FILE, "selection", [], "has 'selection', which is not known here"),
    (TREE_FILE, "extra", {}, "extra has no 'trees'"),
    (TREE_FILE, "extra.trees", [], "extra.trees has 0 items, needs 1"),
    (TREE_FILE, "extra.trees.0.count", [], r"extra.trees\[0\] has 'count', which is not known"),
    (
        TREE_FILE,
        "extra.trees.0.column",
        [],
        r"trees\[0\].column is empty: a tree has at least one node",
    ),
    (TREE_FILE, "extra.trees.0.column.0", 4, r"trees\[0\].column holds 4, which is not a column"),
    (TREE_FILE, "extra.trees.0.column.0", -2, r"column holds -2, which is not a column"),
    (TREE_FILE, "extra.trees.0.column.0", -1, r"trees\[0\].first does not make a tree"),
    (TREE_FILE, "extra.trees.0.column.0", 1.0, r"column\[0\] is 1.0, not a whole number"),
    (TREE_FILE, "extra.trees.0.column.0", True, r"column\[0\] is True, not a whole number"),
    (TREE_FILE, "extra.trees.0.column.0", 2**70, "column holds a number that is too large"),
    (TREE_FILE, "extra.trees.0.threshold.0", None, r"threshold\[0\] is None, not a number"),
    (TREE_FILE, "extra.trees.0.threshold", [0.5], "threshold has 1 numbers, needs"),
    (TREE_FILE, "extra.trees.0.first.0", 10**9, "first holds 1000000000, which is not a node"),
    (TREE_FILE, "extra.trees.0.first.0", -1, "first holds -1, which is not a node"),
    (TREE_FILE, "extra.trees.0.first.0", 0, "first does not make a tree"),
    (TREE_FILE, "extra.trees.0.first.0", 2, "first does not make a tree"),
    (TREE_FILE, "extra.trees.0.first", [1], r"first (has 1 numbers|holds 1)"),
    (TREE_FILE, "extra.trees.0.weights", [60.0], "weights has 1 numbers, needs"),
    (TREE_FILE, "extra.trees.0.weights.0", -1, "weights holds -1, less than 0"),
    (TREE_FILE, "extra.trees.0.weights.0", 1e308, "weights has 1e[+]308 in node 0, and"),
    (BAG_FILE, "extra.trees", [], "extra.trees is empty: there must be a tree"),
    (BAG_FILE, "extra.trees.1", {}, r"extra.trees\[1\] has no 'column'"),
    (BAG_FILE, "options.sample_fraction", 0, "options cannot be used: sample_fraction=0"),
    (BAG_FILE, "options.random_state", -1, "options cannot be used: random_state=-1"),
    (BAG_FILE, "classifier", "C45Classifier", "options has 'n_trees'"),
]


@pytest.mark.parametrize(("which", "where", "value", "match"), DAMAGE)
def test_a_damaged_file_says_what_is_wrong_and_where(
    which, where, value, match, documents, tmp_path
):
    document = copy.deepcopy(documents[which])
    parent, last = at(document, where)
    parent[last] = value
    path = write(document, tmp_path)
    with pytest.raises(ModelFileError, match=match) as error:
        load_model(path)
    assert str(error.value).startswith(str(path))
    assert str(error.value).endswith(".")
    assert len(str(error.value)) < 600 + len(str(path))


def test_sparse_tables_are_checked(documents, tmp_path):
    document = copy.deepcopy(documents[SPARSE_FILE])
    node = next(n for n in document["network"] if len(n["axes"]) == 4 and "default" in n)
    codes = node["configurations"]
    for wrong, match in [
        (codes[2:4] + codes[:2] + codes[4:], "not in ascending order"),
        (codes[:2] + codes[:2] + codes[4:], "not in ascending order"),
        (codes[:-1], "which do not make rows for 2 parents"),
        (codes[:-2], "table has .* numbers, needs"),
    ]:
        node["configurations"] = wrong
        with pytest.raises(ModelFileError, match=match):
            load_model(write(document, tmp_path))
    document = copy.deepcopy(documents[TAN_FILE])
    document["network"][4].update(configurations=[0], default=[0.2, 0.3, 0.5])
    with pytest.raises(ModelFileError, match="do not make rows for 0 parents"):
        load_model(write(document, tmp_path))


def test_numeric_columns_need_densities(documents, tmp_path):
    document = copy.deepcopy(documents[TAN_FILE])
    document["columns"].append({"name": "weight", "kind": "numeric"})
    with pytest.raises(ModelFileError, match="no densities for the numeric column 'weight'"):
        load_model(write(document, tmp_path))


@pytest.mark.parametrize("name", ["format", "options", "columns", "network", "class"])
def test_parts_of_a_file_that_are_not_there(name, documents, tmp_path):
    document = copy.deepcopy(documents[TAN_FILE])
    del document[name]
    with pytest.raises(ModelFileError, match=f"'{name}'"):
        load_model(write(document, tmp_path))


def test_an_option_that_a_file_does_not_mention_has_its_default(documents, tmp_path):
    document = copy.deepcopy(documents[TAN_FILE])
    document["options"] = {"alpha": 3}
    assert load_model(write(document, tmp_path)).get_params() == TANClassifier(alpha=3).get_params()


STRANGE = {
    b"": "looks like an empty file",
    b"  \n": "looks like an empty file",
    b"network unknown {\n}\n": "looks like a network in the BIF format",
    b"// a comment\nnetwork unknown {\n}\n": "looks like a network in the BIF format",
    b"<?xml version='1.0'?><BIF></BIF>": "looks like XML",
    pickle.dumps({"format": "bayesgrove-model"}): "looks like a pickle",
    b"PK\x03\x04": "looks like a zip archive",
    b"\xff\xfe{\x00": "is not a model file, or is damaged",
    b"[" * 100_000: "nested too deeply",
    b'{"a":' * 100_000: "nested too deeply",
    b'{"format": "bayesgrove-model", "version": NaN}': "holds NaN, which is not a number",
    b'{"format": "bayesgrove-model", "version": -Infinity}': "holds -Infinity",
    b'{"version": 1, "version": 1}': "has 'version' twice in one object",
    b'{"version": ' + b"9" * 5000 + b"}": "is not a model file, or is damaged",
    b"[]": r"is \[\], not an object",
    b"null": "is None, not an object",
    b"{}": "is JSON, but not a model file",
    b'{"format": "bayesgrove-model"}': "has no 'version'",
    b'{"format": "bayesgrove-model", "version": 2, "what": []}': "newer version of bayesgrove",
    b"\x1f\x8b": "damaged gzip file",
    gzip.compress(b"{}", mtime=0)[:-6]: "damaged gzip file",
    gzip.compress(b"{}", mtime=0)[:5] + b"\xff" * 20: "damaged gzip file",
    gzip.compress(gzip.compress(b"{}", mtime=0), mtime=0): "is not a model file",
}


@pytest.mark.parametrize("data", STRANGE, ids=lambda data: ascii(data[:20]))
def test_what_is_no_model_file(data, tmp_path):
    path = tmp_path / "m.json"
    path.write_bytes(data)
    with pytest.raises(ModelFileError, match=STRANGE[data]) as error:
        load_model(path)
    assert str(error.value).startswith(str(path))


def test_a_newer_file_says_what_to_do(tmp_path):
    path = tmp_path / "m.json"
    path.write_text('{"format": "bayesgrove-model", "version": 7, "tensors": []}')
    with pytest.raises(ModelFileError) as error:
        load_model(path)
    assert str(error.value) == (
        f"{path} was written by a newer version of bayesgrove (file version 7; this one reads up "
        "to 1): update bayesgrove."
    )


def test_a_packed_bomb_stays_packed(tmp_path, monkeypatch):
    monkeypatch.setattr(model, "LARGEST_FILE", 10_000)
    path = tmp_path / "m.json"
    path.write_bytes(gzip.compress(b"[" + b" " * 1_000_000 + b"]"))
    with pytest.raises(ModelFileError, match="holds more than"):
        load_model(path)


def test_memory_is_asked_for_before_it_is_taken(tmp_path, monkeypatch):
    monkeypatch.setattr("bayesgrove._utils.memory.available_memory", lambda: 1 << 25)
    path = tmp_path / "m.json"
    path.write_bytes(gzip.compress(b"[" + b"{}," * 200_000 + b"0]"))
    with pytest.raises(ModelFileError, match=r"would need 0\.1 GB, and 0\.0 GB are"):
        load_model(path)


def test_many_parents_are_refused_quickly(documents, tmp_path):
    count = 5_000
    names = [f"c{j}" for j in range(count)]
    labels = ["a", "b", "c"]
    document = copy.deepcopy(documents[TAN_FILE])
    document["columns"] = [
        {"name": name, "kind": "nominal", "labels": labels, "missing_state": False}
        for name in names
    ]
    document["network"] = [
        {"name": name, "parents": [], "axes": [name], "table": [0.5, 0.25, 0.25]} for name in names
    ] + [{"name": "class", "parents": names, "axes": [*names, "class"], "table": [1.0]}]
    with pytest.raises(ModelFileError, match=r"table has 1 numbers, needs 2147483648"):
        load_model(write(document, tmp_path))


# Loading runs no code

NO_CODE = """
import sys
import bayesgrove
from bayesgrove.model_files import load_model
events = []
sys.addaudithook(lambda event, args: events.append(event))
for path in sys.argv[1:]:
    load_model(path)
run = {"exec", "compile", "import", "marshal.loads", "pickle.find_class", "code.__new__",
       "function.__new__", "os.system", "os.exec", "os.posix_spawn", "subprocess.Popen",
       "ctypes.dlopen", "socket.connect"}
assert not run & set(events), run & set(events)
assert events.count("open") == len(sys.argv) - 1, events
"""


def test_loading_runs_no_code(documents, tmp_path):
    paths = []
    for number, document in enumerate(documents):
        paths.append(tmp_path / f"{number}.json")
        paths[-1].write_bytes(text.to_bytes(document))
    command = [sys.executable, "-c", NO_CODE, *map(str, paths)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# Mutated files

TABLE = [
    ["blue", 0.1, 0, "round"],
    ["grün", None, 3, None],
    [None, -1e9, 2, "square"],
    [None, 2.5, None, None],
    ["mauve", 1.2, 77, "square"],
    [None, None, None, None],
]
HOSTILE = [
    *(None, True, False, 0, 1, -1, 0.5, -0.25, 1.0, 1e308, -1e308, 1e-320, 2**31, 2**63, -(2**64)),
    *(10**300, "", "class", "size", "colour", "\ud800", "x" * 1000, [], {}, [[]], [0.5, 0.5]),
    *([[0.5, 0.5]], {"type": "KDB", "options": {}}, {"a": {"a": {"a": []}}}, "NaN", "object"),
    *("<U9999999", "numeric", "intervals", "NaiveBayesClassifier", "KDBClassifier", [None] * 50),
]


def places(value, path=()):
    """Every place of a document."""
    steps = value.items() if isinstance(value, dict) else enumerate(value)
    for step, part in steps:
        yield (*path, step)
        if isinstance(part, (dict, list)):
            yield from places(part, (*path, step))


def parent_of(document, path):
    for step in path[:-1]:
        document = document[step]
    return document


def change_value(document, rng):
    """Another value in one place: hostile, from elsewhere, a little different, or none."""
    everywhere = list(places(document))
    sections = [name for name, part in document.items() if isinstance(part, (dict, list))]
    section = rng.choice(sections)  # or else it would be a probability nearly always
    path = rng.choice([place for place in everywhere if place[0] == section])
    parent, last = parent_of(document, path), path[-1]
    way = rng.randrange(5)
    if way == 0:
        del parent[last]
    elif way == 1:
        other = rng.choice(everywhere)
        parent[last] = copy.deepcopy(parent_of(document, other)[other[-1]])
    elif way == 2 and isinstance(parent, list):
        parent.insert(last, copy.deepcopy(parent[last]))
    elif way == 3 and type(parent[last]) in (int, float):
        parent[last] = parent[last] * rng.choice([0, -1, 2, 1 + 1e-9, 1e200]) + rng.choice([0, 1])
    else:
        parent[last] = copy.deepcopy(rng.choice(HOSTILE))


def change_within_bounds(document, rng):
    """Values that a file may hold, though no training would give them."""
    extremes = [0.0, 1e-300, 1e-9, 1.0, 1e9, 1e150, 1e308]
    for column in document["columns"]:
        if column["kind"] == "intervals":
            signed = [sign * value for sign in (-1.0, 1.0) for value in extremes[1:]]
            column["cuts"] = sorted(rng.sample(signed, len(column["cuts"])))
        elif column["kind"] == "nominal":
            rng.shuffle(column["labels"])
            column["labels"][0] = rng.choice([True, 2**60, -0.5, "", "round", 1e300])
    for tree in document.get("extra", {}).get("trees", []):
        factor = rng.choice(extremes[:-1])
        tree["weights"] = [weight * factor for weight in tree["weights"]]
        tree["threshold"] = [rng.choice([-1.0, 1.0]) * rng.choice(extremes) for _ in tree["first"]]
    for node in document.get("network", []):
        if node["parents"] == []:
            sure = rng.randrange(len(node["table"]))
            node["table"] = [float(k == sure) for k in range(len(node["table"]))]
    for part in document.get("extra", {}).get("numeric", []):
        part["means"] = [rng.choice(extremes) for _ in part["means"]]
        part["variances"] = [rng.choice(extremes[1:]) for _ in part["variances"]]


def change_bytes(data, rng):
    """Flipped bytes, a cut, a deleted or doubled or moved piece, a number that is none."""
    start = rng.randrange(len(data))
    end = min(len(data), start + rng.randrange(1, 60))
    way = rng.randrange(6)
    if way == 0:
        changed = bytearray(data)
        for _ in range(rng.randrange(1, 4)):
            changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        return bytes(changed)
    if way == 1:
        return data[:start]
    if way == 2:
        return data[:start] + data[end:]
    if way == 3:
        return data[:end] + data[start:]
    if way == 4:
        other = rng.randrange(len(data))
        return data[:other] + data[start:end] + data[other:]
    numbers = list(re.finditer(rb"-?\d+\.?\d*", data))
    found = rng.choice(numbers)
    token = rng.choice([b"NaN", b"Infinity", b"1e999", b"-1", b"9" * 5000, b'"1"', b"null", b"[1]"])
    return data[: found.start()] + token + data[found.end() :]


def mutant(documents, rng):
    """The bytes of a file that something happened to."""
    document = rng.choice(documents)
    if rng.random() < 0.4:
        return change_bytes(text.to_bytes(document), rng)
    document = copy.deepcopy(document)
    if rng.random() < 0.1:
        change_within_bounds(document, rng)
    else:
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            change_value(document, rng)
    data = json.dumps(document).encode()
    return gzip.compress(data, mtime=0) if rng.random() < 0.02 else data


def outcome(data, path):
    """Whether a file is refused; one that is not must still give probabilities."""
    path.write_bytes(data)
    try:
        loaded = load_model(path)
    except ModelFileError:
        return "refused"
    if loaded.n_features_in_ < len(TABLE[0]):  # a tree can lose a column that it does not test
        return "loaded"
    found = loaded.set_params(unseen="missing").predict_proba(TABLE)
    assert found.shape == (len(TABLE), len(loaded.classes_))
    assert np.isfinite(found).all()
    assert_allclose(found.sum(axis=1), 1.0, rtol=1e-9)
    assert len(loaded.predict(TABLE)) == len(TABLE)
    return "loaded"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", range(4))
def test_a_mutated_file_is_refused_or_still_a_model(part, documents, tmp_path):
    rng = random.Random(part)
    results = [outcome(mutant(documents, rng), tmp_path / "m.json") for _ in range(600)]
    assert results.count("refused") > 300
    assert results.count("loaded") > 50


# Old files are read for ever


def by_hand(document, row):
    """P(class, row) from the file alone, as the documentation says it is to be read."""
    label = document["class"]
    states, values = {label["name"]: label["labels"]}, {}
    for column, value in zip(document["columns"], row, strict=True):
        name = column["name"]
        values[name] = value
        if column["kind"] == "nominal":
            states[name] = column["labels"] + [None] * column["missing_state"]
        elif column["kind"] == "intervals":
            states[name] = list(range(len(column["cuts"]) + 1))
            values[name] = sum(value > cut for cut in column["cuts"])
    joint = []
    for c in label["labels"]:
        values[label["name"]] = c
        codes = {name: own.index(values[name]) for name, own in states.items()}
        cells = [cell(node, codes, states, label["name"]) for node in document["network"]]
        numeric = document.get("extra", {}).get("numeric", [])
        densities = [density(part, values, codes[label["name"]]) for part in numeric]
        joint.append(math.prod(cells) * math.prod(densities))
    return joint


def cell(node, codes, states, class_name):
    """One probability of a node: the table has its axes, the last of them fastest."""
    axes, table = node["axes"], node["table"]
    if "default" in node:
        outer = [axis for axis in axes[:-1] if axis != class_name]
        axes = axes[len(outer) :]
        block = math.prod(len(states[axis]) for axis in axes)
        numbers = iter(node["configurations"])
        rows = list(zip(*[numbers] * len(outer), strict=True))
        wanted = tuple(codes[axis] for axis in outer)
        table = table[block * rows.index(wanted) :] if wanted in rows else node["default"]
    number = 0
    for axis in axes:
        number = number * len(states[axis]) + codes[axis]
    return table[number]


def density(part, values, c):
    mean, variance = part["means"][c], part["variances"][c]
    distance = (values[part["column"]] - mean) ** 2 / variance
    return math.exp(-distance / 2) / math.sqrt(2 * math.pi * variance)


def golden(name):
    path = GOLDEN / f"{name}-version-1.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    assert document["version"] == 1
    return load_model(path), document


@pytest.mark.parametrize("name", ["tan", "gaussian", "sparse"])
def test_files_of_version_1_are_read_as_documented(name):
    loaded, document = golden(name)
    values = [
        column["labels"] + [None] * column["missing_state"]
        if column["kind"] == "nominal"
        else [0.5, 2.0, 2.25, 4.0]
        for column in document["columns"]
    ]
    rows = list(itertools.product(*values))
    X = pd.DataFrame(rows, columns=[column["name"] for column in document["columns"]], dtype=object)
    X = X if loaded.schema_.named else X.to_numpy()
    expected = [by_hand(document, row) for row in rows]
    assert_allclose(np.exp(loaded.predict_joint_log_proba(X)), expected, rtol=1e-12)
    assert loaded.classes_.tolist() == document["class"]["labels"]
    assert str(loaded.classes_.dtype) == document["class"]["dtype"]


def test_the_tan_of_version_1_has_the_posterior_of_its_six_rows():
    loaded, _ = golden("tan")
    table = [
        ("u", 1, "x", "no"),
        ("u", 2, "x", "no"),
        ("v", 2, "y", "yes"),
        ("v", 1, "y", "yes"),
        ("u", 1, None, "no"),
        ("v", 2, "x", "yes"),
    ]

    def chance(where, what, states):
        """(N + 1) / (N of the parents' values + number of states)."""
        given_rows = [row for row in table if all(row[k] == v for k, v in where.items())]
        hits = [row for row in given_rows if all(row[k] == v for k, v in what.items())]
        return Fraction(len(hits) + 1, len(given_rows) + states)

    for a, b, c in itertools.product("uv", (1, 2), ("x", "y", None)):
        joint = [
            chance({}, {3: label}, 2)
            * chance({3: label}, {0: a}, 2)
            * chance({3: label, 0: a}, {1: b}, 2)
            * chance({3: label, 1: b}, {2: c}, 3)
            for label in ("no", "yes")
        ]
        expected = [float(each / sum(joint)) for each in joint]
        row = pd.DataFrame({"a": [a], "b": [b], "c": pd.Series([c], dtype=object)})
        assert_allclose(loaded.predict_proba(row)[0], expected, rtol=1e-14)
    assert loaded.network_.arcs == {
        ("ill", "a"), ("ill", "b"), ("ill", "c"), ("a", "b"), ("b", "c")
    }  # fmt: skip
    assert repr(loaded) == "TANClassifier()"


def test_the_naive_bayes_of_version_1_learns_on():
    loaded, _ = golden("gaussian")
    X = pd.DataFrame({"n": [1.5, 2.5, 3.25, 4.75], "w": ["p", "q", "p", "q"]})
    fresh = clone(loaded).fit(X, [0, 0, 1, 1])
    codings = (Continuous("n"), *fresh.schema_.codings[1:])  # such files have no precisions
    fresh._keep_columns(Schema(codings, named=True), fresh._places)
    assert_same_model(loaded, fresh)
    for each in (loaded, fresh):
        each.partial_fit(X[::-1], [1, 0, 1, 0])
    assert_same_model(loaded, fresh)


def test_a_message_lists_at_most_ten_choices():
    field = Field("x", "m.json", "node")
    with pytest.raises(ModelFileError, match=r"^m\.json: node is 'x', not '0' or '1'\.$"):
        field.choice("0", "1")
    with pytest.raises(ModelFileError, match=r"'8' or '9' or one of 490 more\.$"):
        field.choice(*map(str, range(500)))


@pytest.mark.parametrize("model", [TANClassifier(), NaiveBayesClassifier(), AODEClassifier()])
@pytest.mark.parametrize("alpha", [-1, -0.5])
def test_a_file_with_an_option_below_its_range_is_refused(model, alpha, tmp_path):
    X, y = load_dataset("vote")
    path = tmp_path / "model.json"
    save_model(model.fit(X[:50], y[:50]), path)
    document = json.loads(path.read_text())
    document["options"]["alpha"] = alpha
    path.write_text(json.dumps(document))
    with pytest.raises(ModelFileError, match=f"alpha={alpha}"):
        load_model(path)


def test_an_option_that_is_not_used_must_be_valid():
    X, y = load_dataset("vote")
    with pytest.raises(OptionError, match="alpha=-1"):
        TANClassifier(alpha=-1, smoothing="backoff").fit(X, y)
