"""Kinds of columns, missing and unseen values, as classifiers see them."""

import itertools
import warnings
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bayesgrove import (
    EqualFrequencyDiscretizer,
    KDBClassifier,
    NaiveBayesClassifier,
    TANClassifier,
    UnseenValueWarning,
)

every_learner = pytest.mark.parametrize(
    "learner",
    [NaiveBayesClassifier, TANClassifier, partial(KDBClassifier, k=2), partial(KDBClassifier, k=3)],
    ids=["naive", "tan", "kdb2", "kdb3"],
)
ANY = object()


def completed_proba(network, row):
    """``P(class | row)`` by adding up every completion of a row, known but for ANY."""
    nodes = network.nodes
    tables = {node: np.asarray(network.table(node)) for node in nodes}
    free = [
        range(len(network.states(node))) if state is ANY else [network.states(node).index(state)]
        for node, state in zip(nodes, [*row, ANY], strict=True)
    ]
    joint = np.zeros(len(network.states(network.class_node)))
    for codes in itertools.product(*free):
        code = dict(zip(nodes, codes, strict=True))
        cells = [tables[n][*(code[p] for p in network.parents(n)), code[n]] for n in nodes]
        joint[codes[-1]] += np.prod(cells)
    return joint / joint.sum()


def random_words(rows, columns=4, seed=0):
    """Words that depend on the class and on the column before, without holes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, rows)
    codes = [rng.integers(0, 3, rows)]
    for _ in range(columns - 1):
        choice = rng.integers(0, 3, rows)
        codes.append(np.choose(choice, [codes[-1], y, rng.integers(0, 3, rows)]))
    words = np.array(["a", "b", "c"], dtype=object)
    return pd.DataFrame({f"w{j}": words[c] for j, c in enumerate(codes)}), y


def is_nominal(model, name):
    return name in model.network_.nodes and name not in model.cut_points_


def fit_columns(**columns):
    X = pd.DataFrame(columns)
    return NaiveBayesClassifier().fit(X, np.arange(len(X)) % 2)


def test_whole_numbers_are_nominal_up_to_ten_values():
    model = fit_columns(
        ten=np.arange(40) % 10,
        eleven=np.arange(40) % 11,
        half=np.arange(40) % 2 / 2,
        whole_floats=np.arange(40) % 3 * 100.0,
        negative=-(np.arange(40) % 4),
        holes=[None if k % 5 == 0 else k % 5 for k in range(40)],
        flags=np.arange(40) % 3 == 0,
        words=["x", "y"] * 20,
    )
    assert model.cut_points_.keys() == {"eleven", "half"}
    assert model.network_.states("ten") == tuple(range(10))
    assert model.network_.states("whole_floats") == (0, 100, 200)
    assert model.network_.states("negative") == (-3, -2, -1, 0)
    assert model.network_.states("holes") == (1, 2, 3, 4, None)
    assert model.network_.states("flags") == (False, True)


def test_an_array_and_a_frame_find_the_same_kinds():
    rng = np.random.default_rng(0)
    X = np.column_stack(
        [rng.integers(0, 5, 90), rng.integers(-3, 3, 90), rng.integers(0, 11, 90), rng.random(90)]
    )
    X[::7, 0] = np.nan
    y = np.arange(90) % 2
    array = NaiveBayesClassifier().fit(X, y)
    frame = NaiveBayesClassifier().fit(pd.DataFrame(X, columns=["x0", "x1", "x2", "x3"]), y)
    assert array.cut_points_.keys() == frame.cut_points_.keys() == {"x2", "x3"}
    for node in array.network_.nodes:
        assert array.network_.states(node) == frame.network_.states(node)


def test_the_eleventh_value_may_come_late():
    values = np.arange(3000) % 10
    values[-1] = 10
    assert "late" in fit_columns(late=values).cut_points_
    assert "x0" in NaiveBayesClassifier().fit(values[:, None], np.arange(3000) % 2).cut_points_


MIXED = pd.DataFrame(
    {"few": np.arange(60) % 3, "many": np.arange(60) % 20, "real": np.arange(60) / 7}
)


@pytest.mark.parametrize(
    ("chosen", "nominal"),
    [
        (None, {"few"}),
        ("all", {"few", "many", "real"}),
        (["many"], {"many"}),
        ([1, -1], {"many", "real"}),
        (np.array([0, 1]), {"few", "many"}),
        ([False, True, False], {"many"}),
        (np.array([True, True, False]), {"few", "many"}),
        ([], set()),
        (("real", "few"), {"few", "real"}),
    ],
)
def test_categorical_features(chosen, nominal):
    y = np.arange(60) % 2
    model = NaiveBayesClassifier(categorical_features=chosen).fit(MIXED, y)
    assert {name for name in MIXED if is_nominal(model, name)} == nominal
    for name in nominal:
        assert model.network_.states(name) == tuple(sorted(set(MIXED[name])))


def test_words_are_nominal_even_if_not_chosen():
    X = MIXED.assign(word=["x", "y"] * 30)
    model = NaiveBayesClassifier(categorical_features=["few"]).fit(X, np.arange(60) % 2)
    assert model.network_.states("word") == ("x", "y")


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        (["few", "nowhere"], "'nowhere'"),
        ([0, 3], "3"),
        ([-4], "-4"),
        ("few", "'few'"),
        ([True, False], "2 entries for 3 columns"),
        ([0.5], "0.5"),
    ],
)
def test_wrong_categorical_features_are_named(chosen, message):
    with pytest.raises(ValueError, match=f"categorical_features.*{message}"):
        NaiveBayesClassifier(categorical_features=chosen).fit(MIXED, np.arange(60) % 2)


@pytest.mark.parametrize("option", ["missing", "unseen", "numeric", "discretizer"])
def test_wrong_options_are_named(option):
    model = NaiveBayesClassifier().set_params(**{option: "nonsense"})
    with pytest.raises(ValueError, match=f"{option}='nonsense'"):
        model.fit([["a"], ["b"]], [0, 1])


ORDERED = [
    lambda values, labels: pd.DataFrame({"a": pd.Categorical(values, categories=labels)}),
    lambda values, labels: pl.DataFrame({"a": pl.Series(values, dtype=pl.Enum(labels))}),
    lambda values, labels: pa.table(
        {
            "a": pa.DictionaryArray.from_arrays(
                pa.array([None if v is None else labels.index(v) for v in values]), labels
            )
        }
    ),
]


@pytest.mark.parametrize("column", ORDERED, ids=["pandas", "polars", "arrow"])
def test_codes_are_matched_by_label(column):
    values, y = ["x", "y", "y", "z", "x", None, "z"], [0, 1, 1, 0, 0, 1, 1]
    model = NaiveBayesClassifier().fit(column(values, ["x", "y", "z"]), y)
    expected = model.predict_proba(pd.DataFrame({"a": values}))
    assert len(np.unique(expected[:, 0])) == 4
    orders = [*itertools.permutations("xyz"), *itertools.permutations(["x", "y", "z", "unused"])]
    for labels in orders:
        assert_array_equal(model.predict_proba(column(values, list(labels))), expected)


def test_unused_categories_at_prediction_are_no_unseen_values():
    model = NaiveBayesClassifier().fit(pd.DataFrame({"a": ["x", "y"]}), [0, 1])
    new = pd.DataFrame({"a": pd.Categorical(["y"], categories=["new", "y"])})
    assert_array_equal(model.predict_proba(new), model.predict_proba(pd.DataFrame({"a": ["y"]})))


def test_a_number_is_the_same_label_in_every_type():
    y = [0, 1, 0, 1, 1]
    model = NaiveBayesClassifier().fit(pd.DataFrame({"a": [1, 2, 1, 2, 3]}), y)
    expected = model.predict_proba(pd.DataFrame({"a": [1, 2, 3]}))
    for dtype in ("float64", "uint8", "Int64", object, "category", "int16"):
        new = pd.DataFrame({"a": pd.Series([1, 2, 3], dtype=dtype)})
        assert_array_equal(model.predict_proba(new), expected)


@pytest.mark.parametrize("gap", [None, np.nan, pd.NA, pd.NaT], ids=repr)
def test_every_missing_value_is_the_same_state(gap):
    values = ["x", gap, "y", "x", gap]
    X = pd.DataFrame({"a": pd.Series(values, dtype=object)})
    model = NaiveBayesClassifier().fit(X, [0, 1, 1, 0, 0])
    assert model.network_.states("a") == ("x", "y", None)
    assert_array_equal(
        np.asarray(model.network_.table("a")), [[3 / 6, 1 / 6, 2 / 6], [1 / 5, 2 / 5, 2 / 5]]
    )
    joint = np.array([4 / 7 * 2 / 6, 3 / 7 * 2 / 5])
    for other in (None, np.nan, pd.NA):
        new = pd.DataFrame({"a": pd.Series([other], dtype=object)})
        assert_allclose(model.predict_proba(new)[0], joint / joint.sum(), rtol=1e-14)


def test_missing_numbers_are_a_state_of_their_own():
    X = np.array([[0.5], [1.5], [np.nan], [2.5], [np.nan]])
    model = NaiveBayesClassifier(discretizer=EqualFrequencyDiscretizer(1)).fit(X, [0, 0, 0, 1, 1])
    assert model.network_.states("x0") == ("all", None)
    assert_array_equal(np.asarray(model.network_.table("x0")), [[3 / 5, 2 / 5], [2 / 4, 2 / 4]])


def test_ignored_missing_values_are_not_counted():
    X = pd.DataFrame({"a": ["x", None, "y", "x", None], "b": [1.5, 2.5, None, None, None]})
    model = NaiveBayesClassifier(missing="ignore").fit(X, [0, 1, 1, 0, 0])
    assert model.network_.states("a") == ("x", "y")
    assert_array_equal(np.asarray(model.network_.table("a")), [[3 / 4, 1 / 4], [1 / 3, 2 / 3]])
    assert_array_equal(np.asarray(model.network_.table("class")), [4 / 7, 3 / 7])
    blank = pd.DataFrame({"a": [None], "b": [None]})
    assert_allclose(model.predict_proba(blank), [[4 / 7, 3 / 7]], rtol=0, atol=1e-15)


@every_learner
def test_ignored_missing_values_are_left_out_of_every_table(learner):
    X, y = random_words(80)
    rng = np.random.default_rng(1)
    X = X.mask(rng.random(X.shape) < 0.2)
    network = learner(missing="ignore").fit(X, pd.Series(y, name="y")).network_
    rows = X.assign(y=y)
    for node in network.nodes:
        family = [*network.parents(node), node]
        counts = np.ones([len(network.states(v)) for v in family])
        for _, row in rows[family].dropna().iterrows():
            counts[*(network.states(v).index(row[v]) for v in family)] += 1
        expected = counts / counts.sum(axis=-1, keepdims=True)
        assert_allclose(np.asarray(network.table(node)), expected, rtol=0, atol=1e-15)


@every_learner
def test_a_missing_value_is_a_state_where_training_had_one(learner):
    X, y = random_words(80)
    X.loc[::7, "w1"] = None
    model = learner().fit(X, y)
    assert model.network_.states("w1") == ("a", "b", "c", None)
    row = ["a", None, "b", "c"]
    actual = model.predict_proba(pd.DataFrame([row], columns=X.columns))
    assert_allclose(actual[0], completed_proba(model.network_, row), rtol=0, atol=1e-12)


@every_learner
@pytest.mark.parametrize("missing", ["value", "ignore"])
def test_a_missing_value_is_summed_out_where_training_had_none(learner, missing):
    X, y = random_words(80)
    model = learner(missing=missing).fit(X, y)
    rng = np.random.default_rng(2)
    rows = [[ANY if rng.random() < 0.4 else rng.choice(list("abc")) for _ in X] for _ in range(40)]
    new = [[None if value is ANY else value for value in row] for row in rows]
    actual = model.predict_proba(pd.DataFrame(new, columns=X.columns).astype("str"))
    expected = [completed_proba(model.network_, row) for row in rows]
    assert_allclose(actual, expected, rtol=0, atol=1e-12)


@every_learner
@pytest.mark.parametrize("missing", ["value", "ignore"])
def test_an_unseen_value_is_summed_out(learner, missing):
    X, y = random_words(80)
    X.loc[::6, "w0"] = None
    X.loc[::5, "w2"] = None
    model = learner(missing=missing).fit(X, y)
    rng = np.random.default_rng(3)
    rows = [[rng.choice(["a", "b", "c", "new"]) for _ in X] for _ in range(40)]
    with pytest.warns(UnseenValueWarning):
        actual = model.predict_proba(pd.DataFrame(rows, columns=X.columns))
    known = [[ANY if value == "new" else value for value in row] for row in rows]
    expected = [completed_proba(model.network_, row) for row in known]
    assert_allclose(actual, expected, rtol=0, atol=1e-12)


def test_one_warning_counts_unseen_values(recwarn):
    X = pd.DataFrame({"a": ["x", "y"], "b": ["u", "v"], "c": [1, 2], "d": [True, False]})
    model = NaiveBayesClassifier().fit(X, [0, 1])
    new = pd.DataFrame(
        {"a": ["x", "q", "r"], "b": ["u", "v", None], "c": [1, 7, None], "d": [True, False, True]}
    )
    model.predict(new)
    (warning,) = recwarn.list
    assert warning.category is UnseenValueWarning
    assert "3 values in 2 columns" in str(warning.message)
    assert "column 'a', value 'q'" in str(warning.message)


@pytest.mark.parametrize("dtype", [float, int])
def test_unseen_numbers_of_an_array_are_counted(dtype):
    model = NaiveBayesClassifier().fit(np.array([[1, 5], [2, 6]], dtype=dtype), [0, 1])
    with pytest.warns(UnseenValueWarning, match="2 values in 1 column.*'x1', value 7") as caught:
        model.predict(np.array([[1, 5], [2, 7], [1, 8]], dtype=dtype))
    assert len(caught) == 1


def test_unseen_values_can_be_refused():
    X = pd.DataFrame({"a": ["x", "y"], "b": ["u", "v"]})
    model = NaiveBayesClassifier(unseen="error").fit(X, [0, 1])
    with pytest.raises(ValueError, match="column 'b', value 'w'"):
        model.predict(pd.DataFrame({"a": ["x"], "b": ["w"]}))
    model.predict(pd.DataFrame({"a": [None], "b": ["u"]}).astype(object))


def test_numbers_beyond_the_training_range_are_not_unseen():
    model = NaiveBayesClassifier(unseen="error").fit(np.arange(30.0)[:, None], np.arange(30) > 14)
    assert_array_equal(model.predict([[-1e9], [1e9]]), [False, True])


def test_a_value_in_an_empty_column_is_unseen():
    X = pd.DataFrame({"a": ["x", "y", "x"], "empty": [np.nan] * 3})
    model = NaiveBayesClassifier().fit(X, [0, 1, 0])
    assert model.network_.states("empty") == (None,)
    expected = model.predict_proba(X)
    with pytest.warns(UnseenValueWarning, match="1 value in"):
        actual = model.predict_proba(X.assign(empty=[np.nan, 1.0, np.nan]))
    assert_allclose(actual, expected, rtol=0, atol=1e-15)


def test_words_in_a_numeric_column_are_refused():
    model = NaiveBayesClassifier().fit(pd.DataFrame({"a": np.arange(20.0)}), np.arange(20) % 2)
    with pytest.raises(ValueError, match=r"'a' was numeric in training.*'high'"):
        model.predict(pd.DataFrame({"a": ["high"]}))


def test_an_empty_column_of_words_is_missing_in_a_numeric_column():
    for model in (NaiveBayesClassifier(), NaiveBayesClassifier("gaussian")):
        model.fit(pd.DataFrame({"a": np.arange(20.0)}), np.arange(20) > 11)
        actual = model.predict_proba(pd.DataFrame({"a": [None]}).astype(object))
        assert_allclose(actual, [[13 / 22, 9 / 22]], rtol=0, atol=1e-15)


@pytest.mark.parametrize("numeric", ["discretize", "gaussian"])
@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("frame", [False, True], ids=["array", "frame"])
def test_infinity_is_refused_with_its_place(numeric, place, frame):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=30), rng.integers(0, 3, 30), rng.normal(size=30)])
    y = np.arange(30) % 2
    broken = X.copy()
    broken[4, place] = np.inf
    names = ["x0", "x1", "x2"]
    if frame:
        X, broken = pd.DataFrame(X, columns=names), pd.DataFrame(broken, columns=names)
    model = NaiveBayesClassifier(numeric).fit(X, y)
    if place == 1:  # Whole numbers are labels here, and infinity is one that training did not have.
        with pytest.warns(UnseenValueWarning, match="'x1', value inf"):
            model.predict(broken)
    else:
        with pytest.raises(ValueError, match=rf"'{names[place]}' contains infinity .*row 4"):
            model.predict(broken)
    with pytest.raises(ValueError, match=rf"'{names[place]}' contains infinity \(first in row 4\)"):
        NaiveBayesClassifier(numeric).fit(broken, y)


def test_labels_that_are_wide_keep_apart():
    values = [f"v{k}" for k in range(300)]
    y = np.arange(300) % 2
    model = NaiveBayesClassifier().fit(pd.DataFrame({"a": values}), y)
    expected = np.full((2, 300), 1 / 450)
    expected[y, np.argsort(np.argsort(values))] = 2 / 450
    assert_allclose(np.asarray(model.network_.table("a")), expected, rtol=1e-15)
    assert_array_equal(model.predict(pd.DataFrame({"a": values})), y)


def test_cuts_split_the_states():
    X = np.array([[1.0], [2.0], [3.0], [4.0], [np.nan], [np.nan]])
    model = NaiveBayesClassifier(discretizer=EqualFrequencyDiscretizer(2), categorical_features=[])
    model.fit(X, [0, 0, 0, 1, 1, 1])
    assert model.network_.states("x0") == ("<=2.5", ">2.5", None)
    joint = np.array([[3 / 6, 1 / 6], [2 / 6, 2 / 6], [1 / 6, 3 / 6]]) / 2
    actual = model.predict_proba([[2.5], [np.nextafter(2.5, 3)], [np.nan]])
    assert_allclose(actual, joint / joint.sum(axis=1, keepdims=True), rtol=1e-14)


def test_many_integers_that_share_a_float_are_not_one_label():
    X = pd.DataFrame({"a": [2**60 + k for k in range(40)]})
    model = NaiveBayesClassifier().fit(X, [0, 1] * 20)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(X)
