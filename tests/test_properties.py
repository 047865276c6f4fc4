"""What must hold for every classifier, whatever the table."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as arrow_dataset
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from bayesgrove import (
    BaggedTreesClassifier,
    BayesianNetworkClassifier,
    C45Classifier,
    EqualFrequencyDiscretizer,
    KDBClassifier,
    NaiveBayesClassifier,
    TANClassifier,
)
from bayesgrove.estimators.base.joint import JointClassifier
from bayesgrove.parameters import BDeu
from bayesgrove.structures import KDB
from support import log_answers

EXACT = 1e-12
LEARNERS = {
    "naive": NaiveBayesClassifier(),
    "gaussian": NaiveBayesClassifier("gaussian"),
    "tan": TANClassifier(),
    "kdb": KDBClassifier(k=2),
    "kdb-theta": KDBClassifier(k=2, theta=0.03),
    "composition": BayesianNetworkClassifier(KDB(k=1), BDeu(5.0)),
    "c45": C45Classifier(),
    "c45-unpruned": C45Classifier(pruned=False),
    "bagged": BaggedTreesClassifier(n_trees=3),
}
every_learner = pytest.mark.parametrize("name", LEARNERS)
every_network = pytest.mark.parametrize(
    "name", [name for name, model in LEARNERS.items() if isinstance(model, JointClassifier)]
)
every_learner_that_draws_no_rows = pytest.mark.parametrize(
    "name", sorted(set(LEARNERS) - {"bagged"})
)
some_examples = settings(max_examples=10, deadline=None, derandomize=True, database=None)

WORDS = ["ant", "bee", "cat", "dog"]
CLASSES = ["no", "perhaps", "yes"]


def random_table(seed, rows, kinds, holes, n_classes):
    """Columns of plain Python values, None where there is a hole, and class labels."""
    rng = np.random.default_rng(seed)
    target = rng.permutation(np.arange(rows) % n_classes)
    data = {}
    for j, kind in enumerate(kinds):
        noise = rng.integers(0, 4, rows)
        if kind == "word":
            values = [WORDS[k] for k in np.where(rng.random(rows) < 0.5, noise, target)]
        elif kind == "count":
            values = [int(k) for k in np.where(rng.random(rows) < 0.5, noise, 3 - target)]
        else:
            values = [float(v) for v in np.round(target + rng.normal(size=rows) / 2, 2) + 0.001]
        gaps = rng.random(rows) < holes
        gaps[:2] = False
        data[f"c{j}"] = [None if gap else value for gap, value in zip(gaps, values, strict=True)]
    return data, np.array([CLASSES[c] for c in target])


tables = st.builds(
    random_table,
    seed=st.integers(0, 2**32 - 1),
    rows=st.integers(6, 60),
    kinds=st.lists(st.sampled_from(["word", "count", "real"]), min_size=1, max_size=5),
    holes=st.sampled_from([0.0, 0.2]),
    n_classes=st.integers(2, 3),
)
ways_with_missing = st.sampled_from(["value", "ignore"])


def learner(name, **options):
    """A learner with those of the options that it has."""
    model = clone(LEARNERS[name])
    return model.set_params(**{key: options[key] for key in options if key in model.get_params()})


def tolerance(name):
    """Sums of numbers depend on the order of rows; counts do not."""
    return 1e-7 if name == "gaussian" else EXACT


def fit_proba(model, X, y, X_new=None, **options):
    return model.fit(X, y, **options).predict_proba(X if X_new is None else X_new)


def row_lists(data):
    return [list(row) for row in zip(*data.values(), strict=True)]


@every_learner
@some_examples
@given(table=tables, missing=ways_with_missing)
@pytest.mark.filterwarnings("ignore::bayesgrove.UnseenValueWarning")
def test_probabilities(name, table, missing):
    data, y = table
    model = learner(name, missing=missing).fit(pd.DataFrame(data), y)
    strange = pd.DataFrame(
        {
            column: [None, "zebra" if isinstance(values[0], str) else 1234567, *values]
            for column, values in data.items()
        }
    )
    probabilities = model.predict_proba(strange)
    assert probabilities.shape == (len(y) + 2, len(set(y)))
    assert np.isfinite(probabilities).all()
    assert probabilities.min() >= 0
    assert probabilities.max() <= 1
    assert_allclose(probabilities.sum(axis=1), 1, rtol=0, atol=EXACT)
    assert_allclose(np.exp(model.predict_log_proba(strange)), probabilities, rtol=1e-9, atol=EXACT)
    predicted = np.searchsorted(model.classes_, model.predict(strange))
    best = log_answers(model, strange)
    assert_allclose(best[np.arange(len(best)), predicted], best.max(axis=1), rtol=1e-9)


@every_learner
@some_examples
@given(table=tables, missing=ways_with_missing)
def test_names_of_columns_do_not_matter(name, table, missing):
    data, y = table
    names = ["class", "z", "B", "a b", "0"]
    renamed = dict(zip(names, data.values(), strict=False))
    model = learner(name, missing=missing)
    expected = fit_proba(model, pd.DataFrame(data), y)
    assert_array_equal(fit_proba(model, pd.DataFrame(renamed), y), expected)


@every_learner
@some_examples
@given(table=tables, missing=ways_with_missing)
def test_names_of_classes_do_not_matter(name, table, missing):
    data, y = table
    X, model = pd.DataFrame(data), learner(name, missing=missing)
    expected = fit_proba(model, X, y)
    for new in (["A", "m", "z"], [-7, 0, 300], [False, True], [1.0, 2.0, 3.0]):
        if len(new) >= len(set(y)):
            renamed = [new[CLASSES.index(label)] for label in y]
            assert_array_equal(fit_proba(model, X, renamed), expected)
            assert model.classes_.tolist() == new[: len(set(y))]


@every_learner
@some_examples
@given(table=tables, missing=ways_with_missing, order=st.permutations(WORDS))
def test_names_of_labels_do_not_matter(name, table, missing, order):
    data, y = table
    new = dict(zip(WORDS, order, strict=True))
    renamed = {
        column: [f"new {new[v]}" if isinstance(v, str) else v for v in values]
        for column, values in data.items()
    }
    model = learner(name, missing=missing)
    expected = fit_proba(model, pd.DataFrame(data), y)
    actual = fit_proba(model, pd.DataFrame(renamed), y)
    assert_allclose(actual, expected, rtol=0, atol=EXACT)


@every_learner_that_draws_no_rows
@some_examples
@given(table=tables, missing=ways_with_missing, seed=st.integers(0, 1000))
def test_order_of_rows_does_not_matter(name, table, missing, seed):
    data, y = table
    X, model = pd.DataFrame(data), learner(name, missing=missing)
    order = np.random.default_rng(seed).permutation(len(y))
    expected = fit_proba(model, X, y)
    actual = fit_proba(model, X.iloc[order], y[order], X)
    assert_allclose(actual, expected, rtol=0, atol=tolerance(name))


@every_learner
@some_examples
@given(table=tables, missing=ways_with_missing)
def test_kind_of_container_does_not_matter(name, table, missing):
    data, y = table
    model = learner(name, missing=missing)
    expected = fit_proba(model, pd.DataFrame(data), y)
    others = [
        pl.DataFrame(data),
        pa.table(data),
        np.array(row_lists(data), dtype=object),
        row_lists(data),
        pd.DataFrame(data).convert_dtypes(),
        pd.DataFrame(data).astype(object),
    ]
    for X in others:
        assert_array_equal(fit_proba(model, X, y), expected)


@every_learner
@some_examples
@given(table=tables, order=st.permutations(WORDS))
def test_kind_of_string_does_not_matter(name, table, order):
    data, y = table
    X, model = pd.DataFrame(data), learner(name)
    words = [c for c, values in data.items() if isinstance(values[0], str)]
    expected = fit_proba(model, X, y)
    for dtype in ("string", "string[pyarrow]", object):
        assert_array_equal(fit_proba(model, X.astype(dict.fromkeys(words, dtype)), y), expected)
    categorical = X.copy()
    for column in words:
        used = [word for word in order if word in data[column]]
        categorical[column] = pd.Categorical(data[column], categories=used)
    actual = fit_proba(model, categorical, y)
    assert_allclose(actual, expected, rtol=0, atol=EXACT)
    assert_allclose(model.predict_proba(X), expected, rtol=0, atol=EXACT)


@every_learner_that_draws_no_rows
@some_examples
@given(table=tables, missing=ways_with_missing, seed=st.integers(0, 1000))
def test_weight_two_is_the_row_twice(name, table, missing, seed):
    data, y = table
    X, model = pd.DataFrame(data), learner(name, missing=missing)
    times = np.random.default_rng(seed).integers(1, 4, len(y))
    expected = fit_proba(model, X.iloc[np.repeat(np.arange(len(y)), times)], y.repeat(times), X)
    actual = fit_proba(model, X, y, sample_weight=times)
    assert_allclose(actual, expected, rtol=0, atol=tolerance(name))


@every_learner
@some_examples
@given(table=tables, missing=ways_with_missing, seed=st.integers(0, 1000))
def test_weight_zero_is_no_row(name, table, missing, seed):
    data, y = table
    X, model = pd.DataFrame(data), learner(name, missing=missing)
    keep = np.random.default_rng(seed).random(len(y)) < 0.6
    keep[[y.tolist().index(label) for label in set(y)]] = True
    expected = fit_proba(model, X[keep], y[keep])
    assert_array_equal(fit_proba(model, X, y, X[keep], sample_weight=keep), expected)


@every_learner
def test_weight_zero_is_no_row_of_an_array(name):
    rng = np.random.default_rng(4)
    X = np.column_stack([rng.normal(size=40), rng.integers(0, 9, 40), rng.integers(0, 2, 40)])
    y, keep = np.arange(40) % 2, np.arange(40) % 3 > 0
    X[~keep, 1] = 77
    expected = fit_proba(learner(name), X[keep], y[keep])
    assert_array_equal(fit_proba(learner(name), X, y, X[keep], sample_weight=keep), expected)


@every_learner
@some_examples
@given(table=tables, constant=st.sampled_from(["same", 7, 0.3]))
def test_a_constant_last_column_is_inert(name, table, constant):
    data, y = table
    model = learner(name)
    # C4.5 leaves columns with a value for every third row out of its mean gain, unless all are so.
    assume(isinstance(model, JointClassifier) or len(y) > 20)
    expected = fit_proba(model, pd.DataFrame(data), y)
    actual = fit_proba(model, pd.DataFrame({**data, "constant": constant}), y)
    assert_allclose(actual, expected, rtol=0, atol=EXACT)


def large_table(rows, seed=0):
    rng = np.random.default_rng(seed)
    target = rng.integers(0, 3, rows)
    frame = pd.DataFrame(
        {
            "word": np.array(WORDS)[np.where(rng.random(rows) < 0.5, target, 3)],
            "real": target + rng.normal(size=rows),
            "count": rng.integers(0, 5, rows) * (target > 0),
            "many": rng.integers(0, 60, rows) + 10 * target,
            "flag": rng.random(rows) < 0.3 + 0.2 * target,
            "noise": rng.normal(size=rows),
            "single": rng.normal(size=rows).astype(np.float32),
        }
    )
    frame["sum"] = frame["count"] + rng.integers(0, 2, rows)
    for column in ("word", "real", "many", "sum"):
        frame.loc[rng.random(rows) < 0.1, column] = None
    return frame, np.array(CLASSES)[target]


@every_learner
def test_number_of_threads_does_not_matter(name):
    X, y = large_table(3000)
    weights = np.random.default_rng(1).gamma(2.0, size=len(y))
    expected = fit_proba(learner(name, n_jobs=1), X, y, sample_weight=weights)
    for threads in (2, 8):
        actual = fit_proba(learner(name, n_jobs=threads), X, y, sample_weight=weights)
        assert_array_equal(actual, expected)


@every_learner
def test_number_of_threads_does_not_matter_for_arrays(name):
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 2000)
    X = np.column_stack([rng.normal(size=(2000, 6)) + y[:, None], rng.integers(0, 4, (2000, 6))])
    X[rng.random(X.shape) < 0.05] = np.nan
    expected = fit_proba(learner(name, n_jobs=1), X, y)
    for threads in (2, 8):
        assert_array_equal(fit_proba(learner(name, n_jobs=threads), X, y), expected)


def write_parquet(frame, folder, files=3, group=37):
    folder.mkdir()
    for k, part in enumerate(np.array_split(np.arange(len(frame)), files)):
        path = folder / f"part{k}.parquet"
        frame.iloc[part].to_parquet(path, index=False, row_group_size=group)
    return str(folder / "*.parquet")


@every_network
@pytest.mark.parametrize("missing", ["value", "ignore"])
@pytest.mark.parametrize("discretizer", [None, EqualFrequencyDiscretizer(4)], ids=["mdlp", "ef"])
def test_files_give_what_memory_gives(name, missing, discretizer, tmp_path):
    X, y = large_table(400)
    pattern = write_parquet(X.assign(label=y), tmp_path / "train")
    new, _ = large_table(150, seed=9)
    new_pattern = write_parquet(new, tmp_path / "new", files=2, group=20)
    options = {"missing": missing, "discretizer": discretizer}
    memory = learner(name, **options).fit(X, pd.Series(y, name="label"))
    files = learner(name, **options).fit(pattern, y="label")
    expected = memory.predict_proba(new)
    assert files.network_.arcs == memory.network_.arcs
    assert files.classes_.tolist() == memory.classes_.tolist()
    for node in memory.network_.nodes:
        assert files.network_.states(node) == memory.network_.states(node)
    for column, cuts in memory.cut_points_.items():
        assert_array_equal(files.cut_points_[column], cuts)
    for X_new in (new, new_pattern, str(tmp_path / "new"), arrow_dataset.dataset(tmp_path / "new")):
        assert_allclose(files.predict_proba(X_new), expected, rtol=0, atol=EXACT)
    assert_allclose(memory.predict_proba(new_pattern), expected, rtol=0, atol=EXACT)


@every_network
@settings(max_examples=6, deadline=None, derandomize=True, database=None)
@given(table=tables, missing=ways_with_missing)
def test_batches_give_what_memory_gives(name, table, missing):
    data, y = table
    X, model = pd.DataFrame(data), learner(name, missing=missing)
    whole = pa.Table.from_pandas(X.assign(label=y), preserve_index=False)
    dataset = arrow_dataset.InMemoryDataset(whole.to_batches(max_chunksize=4))
    expected = fit_proba(model, X, y)
    actual = model.fit(dataset, y="label").predict_proba(X)
    assert_allclose(actual, expected, rtol=0, atol=tolerance(name))


@every_learner
@some_examples
@given(table=tables, missing=ways_with_missing)
def test_fitting_again_gives_the_same(name, table, missing):
    data, y = table
    X, model = pd.DataFrame(data), learner(name, missing=missing)
    expected = fit_proba(model, X, y).tobytes()
    assert pickle.loads(pickle.dumps(model)).predict_proba(X).tobytes() == expected
    assert fit_proba(clone(model), X, y).tobytes() == expected
    model.fit(pd.DataFrame({"other": [1, 2, 3]}), ["a", "b", "c"])
    assert fit_proba(model, X, y).tobytes() == expected


@pytest.mark.parametrize("constant", [0.1, 0.3, 1e6 + 0.1, 1e-200])
def test_a_constant_number_says_nothing(constant):
    model = learner("gaussian", alpha=0)
    for rows in range(3, 80):
        y = np.arange(rows) % 3
        expected = np.tile(np.bincount(y) / rows, (rows, 1))
        actual = fit_proba(model, np.full((rows, 1), constant), y)
        assert_allclose(actual, expected, rtol=0, atol=1e-9)
