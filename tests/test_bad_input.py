"""Odd input gives the right answer or an error that names what is wrong, never nonsense."""

import pickle
import re
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from bayesgrove import (
    BaggedTreesClassifier,
    BayesianNetworkClassifier,
    C45Classifier,
    EqualFrequencyDiscretizer,
    KDBClassifier,
    MDLPDiscretizer,
    NaiveBayesClassifier,
    TANClassifier,
    load_model,
)
from bayesgrove.encoding import Continuous, UnseenValueWarning
from bayesgrove.network import Structure
from bayesgrove.report import plot_network
from bayesgrove.structures import KDB
from support import log_answers

NAIVE = [
    pytest.param(NaiveBayesClassifier(), id="naive"),
    pytest.param(NaiveBayesClassifier("gaussian"), id="gaussian"),
]
NETWORKS = [
    *NAIVE,
    pytest.param(TANClassifier(), id="tan"),
    pytest.param(KDBClassifier(2), id="kdb"),
    pytest.param(BayesianNetworkClassifier(KDB(1)), id="network"),
]
TREES = [
    pytest.param(C45Classifier(), id="c45"),
    pytest.param(BaggedTreesClassifier(3), id="bagged"),
]
every = pytest.mark.parametrize("estimator", [*NETWORKS, *TREES])
network = pytest.mark.parametrize("estimator", NETWORKS)
naive = pytest.mark.parametrize("estimator", NAIVE)
quiet = pytest.mark.filterwarnings("ignore::bayesgrove.encoding.UnseenValueWarning")

ROWS = 60
RNG = np.random.default_rng(0)
TABLE = pd.DataFrame(
    {
        "word": ["x", "y", "z"] * (ROWS // 3),
        "size": RNG.normal(size=ROWS).round(3),
        "level": np.arange(ROWS) % 4,
    }
)
CLASSES = np.array(["no", "yes"] * (ROWS // 2))
BINARY = np.arange(ROWS) % 2
HUGE = [2**60 + at for at in range(4)]


def objects(values):
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def assert_sound(model, X):
    probabilities = model.predict_proba(X)
    assert np.isfinite(probabilities).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    assert not np.isnan(log_answers(model, X)).any()
    assert not np.isnan(model.predict_log_proba(X)).any()
    assert np.isin(model.predict(X), model.classes_).all()


def treating_missing(estimator, missing):
    """A copy that treats missing values so, where they can be treated in several ways."""
    copy = clone(estimator)
    return copy.set_params(missing=missing) if hasattr(copy, "missing") else copy


def refused(call, *words, kind=(ValueError, TypeError)):
    with pytest.raises(kind) as caught:
        call()
    for word in words:
        assert re.search(word, str(caught.value)), str(caught.value)


# Tables


NO_TABLES = {
    "None": (None, "2D"),
    "scalar": (np.float64(1), "2D"),
    "one dimension": (np.arange(ROWS), "1D array"),
    "three dimensions": (np.zeros((ROWS, 2, 2)), "dim 3"),
    "series": (TABLE["size"], "1D array"),
    "records": (np.zeros(ROWS, dtype=[("a", "f8"), ("b", "U3")]), "1D array"),
    "ragged": ([[1, 2], [1]] * (ROWS // 2), "2D"),
    "generator": ((row for row in [[1]] * ROWS), "2D"),
    "sparse": (sparse.eye(ROWS).tocsr(), "toarray"),
    "lazy": (pl.DataFrame({"a": [1] * ROWS}).lazy(), "collect"),
    "complex": (np.zeros((ROWS, 2), dtype=complex), "[Cc]omplex"),
    "no rows": (TABLE.iloc[:0], "0 sample"),
    "no columns": (TABLE[[]], "0 feature"),
    "repeated names": (TABLE.set_axis(["a", "a", "b"], axis=1), "'a'.*more than once"),
    "mixed names": (TABLE.set_axis(["a", 1, ("b",)], axis=1), "names"),
    "lists": (TABLE.assign(word=[[1]] * ROWS), "'word'"),
    "dicts": (TABLE.assign(word=[{"a": 1}] * ROWS), "'word'"),
    "dates": (TABLE.assign(size=pd.date_range("2020", periods=ROWS)), "'size'.*dates"),
    "durations": (TABLE.assign(size=pd.to_timedelta(range(ROWS), "s")), "'size'.*durations"),
    "date array": (np.zeros((ROWS, 2), dtype="M8[D]"), "dates"),
    "infinity": (TABLE.assign(size=np.inf), "'size'.*infinity"),
    "minus infinity": (TABLE.assign(level=-np.inf), "'level'.*infinity"),
}


@every
@pytest.mark.parametrize(("X", "words"), NO_TABLES.values(), ids=NO_TABLES)
def test_refused_tables(estimator, X, words):
    refused(lambda: clone(estimator).fit(X, CLASSES), words)


PACKED = np.zeros(ROWS, dtype=[("pad", "i1"), ("cells", "f8", (2,))])
PACKED["cells"] = RNG.normal(size=(ROWS, 2))
LEVELS = RNG.integers(0, 3, (ROWS, 6))
FROZEN = LEVELS.copy()
FROZEN.flags.writeable = False
TABLES = {
    "one constant": np.ones((ROWS, 3)),
    "one constant fraction": np.full((ROWS, 2), 0.5),
    "all missing": np.full((ROWS, 2), np.nan),
    "all None": TABLE.assign(word=None, size=None),
    "integer names": TABLE.set_axis([2, 0, 1], axis=1),
    "levels of names": TABLE.set_axis(pd.MultiIndex.from_product([["a"], [1, 2, 3]]), axis=1),
    "mixed types": TABLE.assign(word=objects([1, "1", True, None, 2.5] * (ROWS // 5))),
    "odd labels": TABLE.assign(word=objects(["x" * 10_000, "é", "", "nan", "\x00"] * (ROWS // 5))),
    "tuples": TABLE.assign(word=objects([(1, 2), ("a",)] * (ROWS // 2))),
    "decimals": TABLE.assign(size=objects([Decimal("1.5"), None] * (ROWS // 2))),
    "bytes": np.array([[b"a"], [b"b"]] * (ROWS // 2)),
    "big-endian": LEVELS.astype(">f8"),
    "half precision": LEVELS.astype(np.float16),
    "long double": LEVELS.astype(np.longdouble),
    "read-only": FROZEN,
    "Fortran order": np.asfortranarray(LEVELS),
    "backwards": LEVELS[::-1, ::-2],
    "broadcast": np.broadcast_to(np.float64(1.5), (ROWS, 3)),
    "packed records": PACKED["cells"],
    "nullable": TABLE.convert_dtypes().where(TABLE["level"] > 0),
    "polars": pl.from_pandas(TABLE),
    "arrow": pa.Table.from_pandas(TABLE),
    "lists": TABLE.to_numpy().tolist(),
    "huge numbers": TABLE.assign(size=TABLE["size"] * 1e300),
    "tiny numbers": TABLE.assign(size=TABLE["size"] * 1e-310),
    "unbounded integers": TABLE.assign(size=objects([10**400, 1] * (ROWS // 2))),
}


@every
@pytest.mark.parametrize("missing", ["value", "ignore"])
@pytest.mark.parametrize("X", TABLES.values(), ids=TABLES)
def test_odd_tables(estimator, X, missing):
    if X is TABLES["huge numbers"] and getattr(estimator, "numeric", None) == "gaussian":
        refused(lambda: clone(estimator).fit(X, CLASSES), "'size'")
        return
    assert_sound(treating_missing(estimator, missing).fit(X, CLASSES), X)


@every
def test_packed_rows_predict_as_plain_ones(estimator):
    plain = np.ascontiguousarray(PACKED["cells"])
    model = clone(estimator).fit(plain, CLASSES)
    assert np.array_equal(model.predict_proba(PACKED["cells"]), model.predict_proba(plain))


@network
def test_masked_cells_are_missing(estimator):
    masked = np.ma.masked_array(LEVELS * 1.0, mask=LEVELS == 1)
    try:
        model = clone(estimator).fit(masked, CLASSES)
    except (ValueError, TypeError):
        return
    assert 1 not in model.network_.states("x0")


HUGE_COLUMNS = {
    "int64": pd.Series(HUGE * 15),
    "uint64": pd.Series(HUGE * 15, dtype="uint64"),
    "objects": pd.Series(HUGE * 15, dtype=object),
    "unbounded": pd.Series([2**70 + at for at in range(4)] * 15, dtype=object),
    "nullable": pd.Series([*HUGE * 14, *HUGE[:3], None], dtype="Int64"),
}


@every
@pytest.mark.parametrize("nominal", [None, "all"])
@pytest.mark.parametrize("column", HUGE_COLUMNS.values(), ids=HUGE_COLUMNS)
def test_huge_integers_stay_apart(estimator, column, nominal):
    y = BINARY[: len(column)]
    X = column.to_frame("id")
    model = clone(estimator).set_params(categorical_features=nominal).fit(X, y)
    assert len(model.schema_.codings[0].states) >= 4
    assert model.score(X, y) > 0.95


@quiet
@every
def test_one_row(estimator):
    model = clone(estimator).fit(TABLE[:1], CLASSES[:1])
    assert_sound(model, TABLE)
    assert model.predict_proba(TABLE).tolist() == [[1.0]] * ROWS


# Classes


NO_CLASSES = {
    "None": (None, "y"),
    "name": ("wort", "does not have the column 'wort'"),
    "NaN": (np.where(BINARY, np.nan, 1.0), "NaN.*row 1"),
    "missing": (np.where(BINARY, None, "a"), "row 1"),
    "missing category": (pd.Series(["a", None] * 30, dtype="category"), "row 1"),
    "missing integer": (pd.Series([1, None] * 30, dtype="Int64"), "row 1"),
    "null": (pl.Series(["a", None] * 30), "row 1"),
    "arrow null": (pa.array(["a", None] * 30), "row 1"),
    "continuous": (TABLE["size"], "continuous"),
    "short": (CLASSES[:-1], r"\[60, 59\]"),
    "mixed": (objects([1, "a"] * 30), "label type"),
    "two columns": (np.zeros((ROWS, 2), dtype=int), "1d array"),
    "lists": (objects([[1], [2, 3]] * 30), "."),
    "dicts": ([{"a": 1}] * ROWS, "."),
    "complex": (BINARY + 0j, "Complex"),
}


@every
@pytest.mark.parametrize(("y", "words"), NO_CLASSES.values(), ids=NO_CLASSES)
def test_refused_classes(estimator, y, words):
    refused(lambda: clone(estimator).fit(TABLE, y), words)


GOOD_CLASSES = {
    "strings": CLASSES,
    "list": CLASSES.tolist(),
    "one class": ["a"] * ROWS,
    "all False": np.zeros(ROWS, dtype=bool),
    "all True": np.ones(ROWS, dtype=bool),
    "booleans": BINARY == 1,
    "nullable booleans": pd.Series(BINARY == 1, dtype="boolean"),
    "category": pd.Series(CLASSES, dtype="category"),
    "unused category": pd.Series(pd.Categorical(CLASSES, ["yes", "no", "never"])),
    "nullable": pd.Series(BINARY, dtype="Int64"),
    "negative": BINARY * 12 - 5,
    "gap": (BINARY * 197 + 3).astype(np.uint8),
    "huge": BINARY + 2**60,
    "uint64": BINARY.astype(np.uint64) + np.uint64(2**63),
    "whole floats": BINARY * 1.0,
    "empty string": np.where(BINARY, "", "nan"),
    "strided": np.repeat(BINARY, 2)[::2],
    "big-endian": BINARY.astype(">i8"),
    "two rows a class": np.arange(ROWS) // 2,
    "polars": pl.Series(CLASSES),
    "polars category": pl.Series(CLASSES.tolist(), dtype=pl.Categorical),
    "polars booleans": pl.Series(BINARY == 1),
    "arrow": pa.array(CLASSES.tolist()),
    "arrow chunks": pa.chunked_array([CLASSES[:9].tolist(), CLASSES[9:].tolist()]),
    "arrow dictionary": pa.array(CLASSES.tolist()).dictionary_encode(),
    "arrow booleans": pa.array((BINARY == 1).tolist()),
    "arrow integers": pa.array(BINARY),
    "name of a column": pd.Series(CLASSES, name="word"),
}


@every
@pytest.mark.parametrize("y", GOOD_CLASSES.values(), ids=GOOD_CLASSES)
def test_classes(estimator, y):
    model = clone(estimator).fit(TABLE, y)
    assert_sound(model, TABLE)
    values = y.to_pylist() if hasattr(y, "to_pylist") else list(y)
    assert model.classes_.tolist() == sorted(set(values))
    names = [coding.name for coding in model.schema_.variables]
    assert model.class_name_ not in names


# Weights and settings


WEIGHTS = {
    "negative": (-np.ones(ROWS), "[Nn]egative"),
    "NaN": (np.full(ROWS, np.nan), "NaN"),
    "infinite": (np.full(ROWS, np.inf), "infinity"),
    "all zero": (np.zeros(ROWS), "zero|0"),
    "short": (np.ones(3), "3"),
    "two columns": (np.ones((ROWS, 2)), "1D"),
    "words": (["a"] * ROWS, "'a'"),
}


@every
@pytest.mark.parametrize(("weights", "words"), WEIGHTS.values(), ids=WEIGHTS)
def test_refused_weights(estimator, weights, words):
    refused(lambda: clone(estimator).fit(TABLE, CLASSES, sample_weight=weights), words)


@naive
@pytest.mark.parametrize(("weights", "words"), WEIGHTS.values(), ids=WEIGHTS)
def test_refused_weights_of_further_rows(estimator, weights, words):
    if not np.any(weights):
        pytest.skip("rows without weight add nothing")
    model = clone(estimator).partial_fit(TABLE, CLASSES)
    refused(lambda: model.partial_fit(TABLE, CLASSES, sample_weight=weights), words)


@naive
def test_one_weight_for_all_further_rows(estimator):
    one, two = (clone(estimator).partial_fit(TABLE, CLASSES) for _ in range(2))
    one.partial_fit(TABLE, CLASSES, sample_weight=2.0)
    two.partial_fit(TABLE, CLASSES, sample_weight=np.full(ROWS, 2.0))
    assert np.array_equal(one.predict_proba(TABLE), two.predict_proba(TABLE))


@every
@pytest.mark.filterwarnings("ignore:The sample weights of .* sum to")
@pytest.mark.parametrize("weight", [1e-320, 1e-300, 1e300, 1e308])
def test_extreme_weights(estimator, weight):
    try:
        model = clone(estimator).fit(TABLE, CLASSES, sample_weight=np.full(ROWS, weight))
    except ValueError as error:
        assert "weight" in str(error)  # noqa: PT017
    else:
        assert_sound(model, TABLE)


@quiet
@every
def test_rows_without_weight_do_not_count(estimator):
    kept = BINARY == 0
    model = clone(estimator).fit(TABLE, CLASSES, sample_weight=kept * 1.0)
    assert model.classes_.tolist() == ["no", "yes"]
    assert_sound(model, TABLE)
    assert (model.predict(TABLE[kept]) == "no").all()


SETTINGS = [
    (NaiveBayesClassifier(alpha=-1), "alpha=-1"),
    (TANClassifier(alpha=np.nan), "alpha=nan"),
    (KDBClassifier(alpha=np.inf), "alpha=inf"),
    (NaiveBayesClassifier(alpha="1"), "alpha='1'"),
    (NaiveBayesClassifier(alpha=None), "alpha=None"),
    (NaiveBayesClassifier("gauss"), "numeric='gauss'"),
    (NaiveBayesClassifier("gaussian", var_smoothing=-1), "var_smoothing=-1"),
    (NaiveBayesClassifier("gaussian", var_smoothing=np.nan), "var_smoothing=nan"),
    (NaiveBayesClassifier("gaussian", var_smoothing=None), "var_smoothing=None"),
    (KDBClassifier(1.0), "k=1.0"),
    (KDBClassifier(True), "k=True"),
    (KDBClassifier(-1), "k=-1"),
    (KDBClassifier("1"), "k='1'"),
    (KDBClassifier(theta=np.nan), "theta=nan"),
    (KDBClassifier(theta="0.1"), "theta='0.1'"),
    (KDBClassifier(theta=[0.1]), "theta="),
    (KDBClassifier(unit="hartley"), "unit='hartley'"),
    (TANClassifier(root="none"), "root='none'"),
    (TANClassifier(root=3), "root=3"),
    (TANClassifier(root=-1), "root=-1"),
    (TANClassifier(missing="drop"), "missing='drop'"),
    (TANClassifier(unseen="drop"), "unseen='drop'"),
    (TANClassifier(discretizer="mdlp"), "discretizer='mdlp'"),
    (TANClassifier(discretizer=MDLPDiscretizer), "discretizer="),
    (TANClassifier(discretizer=EqualFrequencyDiscretizer(0)), "n_bins"),
    (TANClassifier(discretizer=EqualFrequencyDiscretizer(2.5)), "n_bins"),
    (TANClassifier(categorical_features="word"), "categorical_features='word'"),
    (TANClassifier(categorical_features=["none"]), "'none'"),
    (TANClassifier(categorical_features=[7]), "7"),
    (TANClassifier(categorical_features=[True]), "1 entries for 3 columns"),
    (TANClassifier(categorical_features=3), "categorical_features"),
    (TANClassifier(n_jobs=0), "n_jobs=0 must be from 1"),
    (TANClassifier(n_jobs=2**31), "n_jobs=2147483648 must be from"),
    (NaiveBayesClassifier(n_jobs=10**11), "n_jobs=100000000000 must be from"),
    (TANClassifier(n_jobs="2"), "n_jobs"),
    (C45Classifier(min_rows=0), "min_rows=0"),
    (C45Classifier(confidence=0), "confidence=0"),
    (C45Classifier(unseen="drop"), "unseen='drop'"),
    (C45Classifier(categorical_features=["none"]), "'none'"),
    (BaggedTreesClassifier(0), "n_trees=0"),
    (BaggedTreesClassifier(sample_fraction=2), "sample_fraction=2"),
    (BaggedTreesClassifier(sample_fraction=0.01), "0.01 of n_samples=60.*1/60"),
    (BaggedTreesClassifier(random_state=None), "random_state=None"),
    (BayesianNetworkClassifier("tan"), "structure='tan'"),
    (BayesianNetworkClassifier(KDB), "structure="),
    (BayesianNetworkClassifier(parameters=1.0), "parameters=1.0"),
]


@pytest.mark.parametrize(("estimator", "words"), SETTINGS, ids=[words for _, words in SETTINGS])
def test_refused_settings(estimator, words):
    refused(lambda: clone(estimator).fit(TABLE, CLASSES), words)


@pytest.mark.parametrize("k", [np.int64(1), np.uint8(2), 99, 10**30])
def test_large_and_numpy_k(k):
    assert_sound(KDBClassifier(k).fit(TABLE, CLASSES), TABLE)


@pytest.mark.filterwarnings("error")
def test_gaussian_without_smoothing():
    X = np.column_stack([BINARY + 0.5, TABLE["size"]])
    model = NaiveBayesClassifier("gaussian", var_smoothing=0).fit(X, BINARY)
    assert_sound(model, X)
    assert model.score(X, BINARY) == 1.0


def test_gaussian_far_away():
    X = TABLE[["size"]].to_numpy() * [[1, 2]]
    model = NaiveBayesClassifier("gaussian").fit(X, BINARY)
    assert_sound(model, np.array([[1e200, 0.0], [1.7e308, -1.7e308]]))


# Rows to predict


CHANGED = {
    "no rows": (TABLE[:0], "0 sample"),
    "column gone": (TABLE[["word", "size"]], "level"),
    "column added": (TABLE.assign(more=1), "more"),
    "renamed": (TABLE.rename(columns={"word": "term"}), "term"),
    "reordered": (TABLE[["level", "word", "size"]], "order"),
    "numbers now strings": (TABLE.assign(size="1"), "'size'.*'1'"),
    "numbers now mixed": (TABLE.assign(size=objects([1.5, "big"] * 30)), "'size'.*'big'"),
    "numbers now dates": (TABLE.assign(size=pd.Timestamp("2020")), "'size'.*dates"),
    "infinity": (TABLE.assign(size=np.inf), "'size'.*infinity"),
    "lists": (TABLE.assign(word=[[1]] * ROWS), "'word'"),
    "sparse": (sparse.eye(ROWS).tocsr(), "toarray"),
}


@network
@pytest.mark.parametrize(("X", "words"), CHANGED.values(), ids=CHANGED)
def test_changed_tables_are_refused(estimator, X, words):
    model = clone(estimator).fit(TABLE, CLASSES)
    refused(lambda: model.predict(X), words)


@every
@pytest.mark.parametrize("infinity", [np.inf, -np.inf])
def test_an_infinite_label_is_unseen(estimator, infinity):
    """In a column of whole numbers that are labels, infinity is one more label."""
    X = np.column_stack([TABLE["size"], TABLE["size"], TABLE["level"]])
    model = clone(estimator).fit(X, CLASSES)
    X[4, 2] = infinity
    if isinstance(model.schema_.codings[2], Continuous):
        refused(lambda: model.predict(X), "'x2'.*infinity.*row 4")
        return
    with pytest.warns(UnseenValueWarning, match="'x2', value -?inf"):
        found = model.predict(X)
    missing = X.copy()
    missing[4, 2] = 99  # Another number that training did not have.
    with pytest.warns(UnseenValueWarning, match="'x2', value 99"):
        np.testing.assert_array_equal(found, model.predict(missing))


@every
def test_other_width(estimator):
    model = clone(estimator).fit(LEVELS, CLASSES)
    refused(lambda: model.predict(LEVELS[:, :4]), "4 features", "6 features")


@every
def test_unfitted(estimator):
    refused(lambda: clone(estimator).predict(TABLE), kind=NotFittedError)


@every
def test_columns_with_integer_names_keep_their_places(estimator):
    X = pd.DataFrame(LEVELS)
    model = clone(estimator).fit(X, LEVELS[:, 0] > 0)
    try:
        found = model.predict_proba(X[[5, 4, 3, 2, 1, 0]])
    except ValueError:
        return
    assert np.array_equal(found, model.predict_proba(X))


BLANKS = {
    "missing": TABLE.assign(word=None, size=np.nan, level=np.nan),
    "missing objects": TABLE.assign(word=objects([None] * ROWS), size=None, level=pd.NA),
    "unseen": TABLE.assign(word="new", size=np.nan, level=77),
    "other kind": TABLE.assign(word=1.5, size=None, level="1"),
}


@quiet
@every
@pytest.mark.parametrize("missing", ["value", "ignore"])
@pytest.mark.parametrize("X", BLANKS.values(), ids=BLANKS)
def test_rows_that_say_nothing_get_the_prior(estimator, X, missing):
    model = treating_missing(estimator, missing).fit(TABLE, CLASSES)
    assert_sound(model, X)
    roots = [tree.weights[0] for tree in getattr(model, "trees_", [])]  # of the rows drawn
    prior = np.mean([root / root.sum() for root in roots], axis=0) if roots else 0.5
    np.testing.assert_allclose(model.predict_proba(X), np.broadcast_to(prior, (ROWS, 2)))


@network
def test_unseen_values_warn_or_are_refused(estimator):
    model = clone(estimator).fit(TABLE, CLASSES)
    with pytest.warns(UnseenValueWarning, match=r"'word'.*'new'"):
        model.predict(TABLE.assign(word="new"))
    model.set_params(unseen="error")
    refused(lambda: model.predict(TABLE.assign(word="new")), "'word'.*'new'.*unseen='missing'")


@quiet
@every
@pytest.mark.parametrize("missing", ["value", "ignore"])
def test_all_missing_in_training_and_values_later(estimator, missing):
    X = TABLE.assign(word=None, level=np.nan)
    model = treating_missing(estimator, missing).fit(X, CLASSES)
    assert_sound(model, TABLE)


@quiet
@pytest.mark.parametrize(
    "estimator", [NaiveBayesClassifier(alpha=0), TANClassifier(alpha=0), KDBClassifier(2, alpha=0)]
)
def test_impossible_rows_without_smoothing(estimator):
    X = TABLE.assign(level=BINARY, word=CLASSES)
    model = estimator.fit(X, CLASSES)
    rows = pd.DataFrame({"word": ["no"], "size": [0.0], "level": [1]})
    assert_sound(model, rows)
    np.testing.assert_allclose(model.predict_proba(rows), 0.5)
    assert_sound(model, rows.assign(word=None))
    assert_sound(model, rows.assign(level=np.nan))


@pytest.mark.parametrize("hidden", [1, 3, 5])
def test_full_model_sums_missing_values_out(hidden):
    X = RNG.integers(0, 2, (200, 6)).astype(float)
    y = RNG.integers(0, 3, 200)
    model = KDBClassifier(5).fit(X, y)
    rows = X[:4].copy()
    rows[:, :hidden] = np.nan
    exact = np.full((4, 3), -np.inf)
    for values in np.ndindex(*[2] * hidden):
        filled = rows.copy()
        filled[:, :hidden] = values
        exact = np.logaddexp(exact, model.predict_joint_log_proba(filled))
    np.testing.assert_allclose(model.predict_joint_log_proba(rows), exact)


@quiet
def test_more_missing_parents_than_numpy_has_axes():
    model = KDBClassifier(89).fit(np.ones((50, 90)), np.arange(50) % 2)
    rows = np.ones((2, 90))
    rows[:, :70] = 7
    np.testing.assert_allclose(model.predict_proba(rows), 0.5)


class Star:
    def learn(self, counts):
        n = counts.n_attributes
        return Structure(((n,), *[(0, n)] * (n - 1), ()))


def test_nothing_underflows_with_a_missing_parent_of_many():
    n, children = 400, 600
    y, root = np.arange(n) % 2, np.arange(n) // 2 % 2
    X = np.column_stack([root, np.repeat((2 * y + root)[:, None], children, axis=1)])
    model = BayesianNetworkClassifier(Star()).fit(X, y)
    rows = np.full((2, children + 1), np.nan)
    rows[0, 1:241], rows[0, 241:] = 0, 2
    rows[1, 1:241], rows[1, 241:] = 2, 0
    exact = np.logaddexp.reduce(
        [
            model.predict_joint_log_proba(np.column_stack([[value] * 2, rows[:, 1:]]))
            for value in (0, 1)
        ]
    )
    np.testing.assert_allclose(model.predict_joint_log_proba(rows), exact)
    assert model.predict(rows).tolist() == [1, 0]


# Further rows


FURTHER = {
    "short y": ((TABLE, CLASSES[:-1]), r"\[60, 59\]"),
    "long y": ((TABLE, np.tile(CLASSES, 2)), r"\[60, 120\]"),
    "new class": ((TABLE, ["other"] * ROWS), "'other'"),
    "missing class": ((TABLE, [None] * ROWS), "row 0"),
    "no rows": ((TABLE[:0], CLASSES[:0]), "0 sample"),
    "strings": ((TABLE.assign(size="big"), CLASSES), "'size'.*'big'"),
    "infinity": ((TABLE.assign(size=np.inf), CLASSES), "'size'.*infinity"),
    "infinite label": ((TABLE.assign(level=np.inf), CLASSES), "'level'.*infinity"),
    "column gone": ((TABLE[["word", "size"]], CLASSES), "level"),
}


@naive
@pytest.mark.parametrize(("rows", "words"), FURTHER.values(), ids=FURTHER)
def test_refused_rows_change_nothing(estimator, rows, words):
    model = clone(estimator).partial_fit(TABLE, CLASSES)
    before = model.predict_proba(TABLE)
    refused(lambda: model.partial_fit(*rows), words)
    assert np.array_equal(model.predict_proba(TABLE), before)
    twice = clone(estimator).partial_fit(TABLE, CLASSES).partial_fit(TABLE, CLASSES)
    again = model.partial_fit(TABLE, CLASSES)
    assert np.array_equal(again.predict_proba(TABLE), twice.predict_proba(TABLE))


@naive
def test_refused_rows_of_numbers_change_nothing(estimator):
    X = TABLE[["size"]]
    model = clone(estimator).partial_fit(X, CLASSES)
    refused(lambda: model.partial_fit(X, CLASSES[:-1]), r"\[60, 59\]")
    twice = clone(estimator).partial_fit(X, CLASSES).partial_fit(X, CLASSES)
    again = model.partial_fit(X, CLASSES)
    assert np.array_equal(again.predict_proba(X), twice.predict_proba(X))


@naive
def test_first_rows(estimator):
    def first(y, **options):
        return clone(estimator).partial_fit(TABLE, y, **options)

    refused(lambda: first(CLASSES[:-1], classes=["no", "yes"]), r"\[60, 59\]")
    refused(lambda: first(CLASSES, classes=["a", "b"]), "'no'")
    refused(lambda: first(CLASSES, classes="no yes"), "classes")
    refused(lambda: first(CLASSES, classes=[["no", "yes"]]), "classes")
    refused(lambda: first(CLASSES, classes=["no", "yes", None]), "classes")
    refused(lambda: first(TABLE["size"], classes=np.unique(TABLE["size"])), "continuous")


@naive
def test_repeated_classes(estimator):
    try:
        model = clone(estimator).partial_fit(TABLE, CLASSES, classes=["no", "yes", "no"])
    except ValueError:
        return
    assert model.classes_.tolist() == ["no", "yes"]


# Large domains and wide tables


@quiet
@pytest.mark.parametrize("nominal", [None, "all"])
@pytest.mark.parametrize("estimator", [NaiveBayesClassifier(), TANClassifier(), KDBClassifier(1)])
def test_identifiers(estimator, nominal):
    rows = 120_000
    ids = np.arange(rows) % 100_000
    X = pd.DataFrame({"id": ids if nominal else ids.astype(str), "level": ids % 3})
    model = clone(estimator).set_params(categorical_features=nominal).fit(X, np.arange(rows) % 2)
    assert_sound(model, X[:50])
    assert_sound(model, X[:5].assign(id=10**9 if nominal else "new"))


@quiet
@pytest.mark.parametrize("estimator", [TANClassifier(), KDBClassifier(1)])
def test_unseen_identifiers_of_many_rows(estimator):
    ids = np.arange(40_000)
    X = pd.DataFrame({"id": ids.astype(str), "level": ids % 3})
    model = clone(estimator).fit(X, ids % 2)
    new = model.predict_proba(X.assign(id="new"))
    np.testing.assert_allclose(new[:3], model.predict_proba(X[:3].assign(id="new")))


@pytest.mark.parametrize("estimator", [TANClassifier(), KDBClassifier(2)])
def test_two_identifiers(estimator):
    ids = np.arange(120_000) % 100_000
    X = pd.DataFrame({"id": ids.astype(str), "other": ids[::-1].astype(str)})
    try:
        model = clone(estimator).fit(X, ids % 2)
    except ValueError as error:
        assert re.search("'id'|'other'", str(error))  # noqa: PT017
    else:
        assert_sound(model, X[:50])


@pytest.fixture(scope="module")
def unique_rows():
    ids = np.arange(24_000)
    return pd.DataFrame(
        {"id": ids.astype(str), "level": ids % 7, "kind": np.array(list("abc"))[ids % 3]}
    )


@pytest.mark.parametrize("estimator", [NaiveBayesClassifier(), TANClassifier(), KDBClassifier(1)])
def test_more_values_than_rows_a_class(estimator, unique_rows, tmp_path):
    X, y = unique_rows[["id", "level"]], unique_rows["kind"]
    path = tmp_path / "rows.parquet"
    unique_rows.to_parquet(path, row_group_size=6_000)
    model = clone(estimator).fit(X, y)
    assert np.asarray(model.network_.table("id")).shape == (3, 24_000)
    whole = model.predict_proba(X)
    np.testing.assert_allclose(clone(estimator).fit(path, y="kind").predict_proba(path), whole)


@pytest.mark.parametrize("estimator", [NaiveBayesClassifier(), NaiveBayesClassifier("gaussian")])
def test_ten_thousand_columns(estimator):
    X = RNG.integers(0, 3, (50, 10_000)).astype(float)
    X[:, ::20] = RNG.normal(size=(50, 500))
    model = clone(estimator).fit(X, np.arange(50) % 2)
    assert_sound(model, X)


@pytest.mark.parametrize("estimator", [TANClassifier(), KDBClassifier(1)])
def test_a_thousand_columns_with_gaps(estimator):
    X = RNG.integers(0, 3, (50, 1_000)).astype(float)
    model = clone(estimator).fit(X, np.arange(50) % 2)
    assert_sound(model, X)
    X[0, ::10] = np.nan
    assert_sound(model, X[:1])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs a limit of memory")
def test_too_many_classes_for_memory_do_not_end_the_process():
    script = """
        import resource, warnings
        import numpy as np, pandas as pd
        from pathlib import Path
        from bayesgrove import KDBClassifier
        warnings.simplefilter("ignore")
        size = 5_000
        X = pd.DataFrame({name: np.arange(size).astype(str) for name in "ab"})
        KDBClassifier(1, n_jobs=2).fit(X[:40], np.arange(40) % 2)
        now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + 650_000_000,) * 2)
        try:
            KDBClassifier(1, n_jobs=2).fit(X, np.arange(size))
        except (MemoryError, ValueError) as error:
            print(error)
    """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr


# Files


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    whole = TABLE.assign(kind=CLASSES)

    def write(name, table=whole):
        if isinstance(table, pd.DataFrame):
            table = pa.Table.from_pandas(table, preserve_index=False)
        pq.write_table(table, folder / name)

    write("good.parquet")
    write("none.parquet", whole[:0])
    write("dictionary.parquet", whole.astype({"word": "category", "kind": "category"}))
    write("lists.parquet", whole.assign(word=[[1]] * ROWS))
    write("structs.parquet", whole.assign(word=[{"a": 1}] * ROWS))
    write("dates.parquet", whole.assign(word=pd.date_range("2020", periods=ROWS)))
    write("infinite.parquet", whole.assign(size=np.inf))
    write("gaps.parquet", whole.assign(kind=["no", None] * 30))
    write("only.parquet", whole[["kind"]])
    write("gone.parquet", whole.drop(columns="word"))
    write("nulls.parquet", pa.table({"word": pa.nulls(ROWS), "kind": CLASSES.tolist()}))
    write("huge.parquet", pd.DataFrame({"word": HUGE * 15, "kind": CLASSES}))
    write("words-1.parquet")
    write("words-2.parquet", whole.assign(size="big"))
    write("nested-1.parquet")
    write("nested-2.parquet", whole.assign(size=[[1]] * ROWS))
    write("order-1.parquet")
    write("order-2.parquet", whole[["kind", "level", "word", "size"]])
    (folder / "empty.parquet").touch()
    (folder / "text.parquet").write_text("a,b\n1,2\n" * 20)
    (folder / "folder").mkdir()
    (folder / "folder" / "text.parquet").write_text("a,b\n1,2\n" * 20)
    return folder


NO_FILES = {
    "no file": ("nothing*.parquet", "kind", "nothing"),
    "empty file": ("empty.parquet", "kind", "empty.parquet.*not readable"),
    "text": ("text.parquet", "kind", "text.parquet.*not readable"),
    "folder with text": ("folder", "kind", "folder.*not readable"),
    "no rows": ("none.parquet", "kind", "0 sample"),
    "no class": ("good.parquet", None, "name of the class column"),
    "other class": ("good.parquet", "sort", "'sort'"),
    "continuous class": ("good.parquet", "size", "'size'.*continuous|continuous"),
    "missing classes": ("gaps.parquet", "kind", "'kind'.*missing"),
    "only the class": ("only.parquet", "kind", "0 feature"),
    "lists": ("lists.parquet", "kind", "'word'"),
    "structs": ("structs.parquet", "kind", "'word'"),
    "dates": ("dates.parquet", "kind", "'word'.*dates"),
    "infinity": ("infinite.parquet", "kind", "'size'.*infinity"),
    "other types": ("words-*.parquet", "kind", "size"),
    "nested in one": ("nested-*.parquet", "kind", "size"),
}


@network
@pytest.mark.parametrize(("name", "y", "words"), NO_FILES.values(), ids=NO_FILES)
def test_refused_files(estimator, files, name, y, words):
    refused(lambda: clone(estimator).fit(files / name, y=y), words)


@network
@pytest.mark.parametrize(
    "name", ["good", "dictionary", "nulls", "order-*"], ids=["plain", "dictionary", "null", "order"]
)
def test_files(estimator, files, name):
    path = str(files / f"{name}.parquet")
    model = clone(estimator).fit(path, y="kind")
    assert_sound(model, path)
    if name in ("good", "dictionary"):
        whole = clone(estimator).fit(TABLE, CLASSES)
        assert np.array_equal(model.predict_proba(TABLE), whole.predict_proba(TABLE))


@network
def test_huge_integers_of_files_stay_apart(estimator, files):
    path = files / "huge.parquet"
    model = clone(estimator).set_params(categorical_features="all").fit(path, y="kind")
    assert len(model.network_.states("word")) == 4
    assert (model.predict(path) == CLASSES).all()


@network
def test_files_to_predict(estimator, files):
    model = clone(estimator).fit(TABLE, CLASSES)
    refused(lambda: model.predict(files / "nothing.parquet"), "nothing")
    refused(lambda: model.predict(files / "text.parquet"), "not readable")
    refused(lambda: model.predict(files / "gone.parquet"), "'word'")
    refused(lambda: model.predict(files / "none.parquet"), "0 sample")
    refused(lambda: clone(estimator).fit(files / "good.parquet", "kind", [1.0]), "sample_weight")


# The life of a model


@every
def test_second_fit_forgets_the_first(estimator):
    model = clone(estimator).fit(TABLE, CLASSES).fit(LEVELS, BINARY)
    fresh = clone(estimator).fit(LEVELS, BINARY)
    assert np.array_equal(model.predict_proba(LEVELS), fresh.predict_proba(LEVELS))
    assert not hasattr(model, "feature_names_in_")


@every
def test_pickles_and_threads_agree(estimator):
    X = pd.concat([TABLE] * 20, ignore_index=True)
    X.loc[::7, "word"] = None
    X.loc[::5, "size"] = np.nan
    model = treating_missing(estimator, "ignore").fit(X, np.tile(CLASSES, 20))
    again = pickle.loads(pickle.dumps(model))
    expected = model.predict_proba(X)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(again.predict_proba, [X] * 16))
    assert all(np.array_equal(one, expected) for one in found)


@every
def test_rows_that_are_not_aligned_predict_as_plain_ones(estimator):
    plain = np.ascontiguousarray(LEVELS * 1.0)
    shifted = np.zeros(plain.nbytes + 1, dtype=np.uint8)[1:].view(np.float64).reshape(plain.shape)
    shifted[...] = plain
    assert not shifted.flags.aligned
    model = clone(estimator).fit(shifted, BINARY)
    expected = clone(estimator).fit(plain, BINARY).predict_proba(plain)
    assert np.array_equal(model.predict_proba(shifted), expected)


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "batch"])
def test_the_class_may_be_named(kind):
    raw = TABLE.assign(answer=CLASSES)
    other = {
        "pandas": lambda: raw,
        "polars": lambda: pl.from_pandas(raw),
        "arrow": lambda: pa.Table.from_pandas(raw),
        "batch": lambda: pa.Table.from_pandas(raw).to_batches()[0],
    }[kind]()
    named = TANClassifier().fit(other, "answer")
    given = TANClassifier().fit(TABLE, CLASSES)
    assert named.class_name_ == "answer"
    np.testing.assert_array_equal(named.predict_proba(TABLE), given.predict_proba(TABLE))
    refused(lambda: TANClassifier().fit(other, "anser"), "does not have the column 'anser'.*'word'")


def test_a_model_is_not_plotted_in_place_of_its_network():
    model = TANClassifier().fit(TABLE, CLASSES)
    with pytest.raises(TypeError, match="plot its network_"):
        plot_network(model)
    with pytest.raises(TypeError, match="it has no single network"):
        plot_network(TABLE)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,b\n1,2\n", "a table of text; make a model of it with `bayesgrove fit`"),
        ("a;b\n1;2\n", "a table of text"),
        ("@relation x\n@data\n", "a table in the ARFF format"),
    ],
)
def test_a_table_in_place_of_a_model_is_recognised(text, words, tmp_path):
    path = tmp_path / "model.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=words):
        load_model(path)


def test_whole_classes_beyond_64_bits():
    refused(
        lambda: NaiveBayesClassifier().fit(TABLE, [10**30, 5] * (ROWS // 2)), "more than 64 bits"
    )
