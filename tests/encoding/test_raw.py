"""Every kind of table and of column, read as numbers or labels."""

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from bayesgrove import NaiveBayesClassifier
from bayesgrove.tables import Labels, batch_of

NAN = float("nan")


def cells(column):
    """Values of a column row by row, None where missing."""
    if isinstance(column, Labels):
        return [None if code < 0 else column.labels[code] for code in column.codes]
    return [None if np.isnan(value) else value for value in column.values.tolist()]


def only(X):
    (column,) = batch_of(X).columns
    return column


def pandas_column(values, dtype):
    return pd.DataFrame({"a": pd.Series(values, dtype=dtype)})


NUMBERS = {
    "pandas int": (pd.DataFrame({"a": [1, 2, 1]}), [1, 2, 1]),
    "pandas Int64": (pandas_column([1, None, 2], "Int64"), [1, None, 2]),
    "pandas Float32": (pandas_column([1.5, None, 2], "Float32"), [1.5, None, 2]),
    "pandas arrow int": (pandas_column([1, None, 2], "int64[pyarrow]"), [1, None, 2]),
    "pandas arrow decimal": (
        pandas_column([Decimal("1.5"), None], pd.ArrowDtype(pa.decimal128(5, 2))),
        [1.5, None],
    ),
    "pandas object ints": (pandas_column([1, None, 2], object), [1, None, 2]),
    "pandas object NA": (pandas_column([1, pd.NA, 2.5], object), [1, None, 2.5]),
    "pandas Decimal": (pandas_column([Decimal("1.5"), None, Decimal(2)], object), [1.5, None, 2]),
    "pandas float": (pd.DataFrame({"a": [1.5, NAN]}), [1.5, None]),
    "pandas uint8": (pandas_column([1, 255], "uint8"), [1, 255]),
    "pandas sparse": (pd.DataFrame({"a": pd.arrays.SparseArray([0, 0, 1])}), [0, 0, 1]),
    "polars int null": (pl.DataFrame({"a": [1, None, 2]}), [1, None, 2]),
    "polars float NaN and null": (pl.DataFrame({"a": [1.5, None, NAN]}), [1.5, None, None]),
    "polars Decimal": (pl.DataFrame({"a": [Decimal("1.5"), None]}), [1.5, None]),
    "polars UInt64": (pl.DataFrame({"a": pl.Series([1, 2], dtype=pl.UInt64)}), [1, 2]),
    "arrow int null": (pa.table({"a": pa.array([1, None, 2])}), [1, None, 2]),
    "arrow decimal": (pa.table({"a": pa.array([Decimal("1.5"), None])}), [1.5, None]),
    "arrow half": (pa.table({"a": pa.array(np.array([1.5, 2], dtype=np.float16))}), [1.5, 2]),
    "arrow batch": (pa.RecordBatch.from_pydict({"a": [1, 2]}), [1, 2]),
    "float16": (np.array([[1.5], [2]], dtype=np.float16), [1.5, 2]),
    "float32": (np.array([[1.5], [NAN]], dtype=np.float32), [1.5, None]),
    "big-endian": (np.array([[1.5], [NAN]], dtype=">f8"), [1.5, None]),
    "long double": (np.array([[1.5], [NAN]], dtype=np.longdouble), [1.5, None]),
    "uint64": (np.array([[1], [2]], dtype=np.uint64), [1, 2]),
    "int8": (np.array([[-1], [2]], dtype=np.int8), [-1, 2]),
    "object array": (np.array([[1], [None], [2.5], [NAN]], dtype=object), [1, None, 2.5, None]),
    "lists": ([[1], [2.5]], [1, 2.5]),
    "lists with None": ([[1], [None]], [1, None]),
}
LABELS = {
    "pandas str": (pd.DataFrame({"a": ["y", None, "x"]}), ["y", None, "x"]),
    "pandas string": (pandas_column(["y", pd.NA, "x"], "string"), ["y", None, "x"]),
    "pandas string[pyarrow]": (pandas_column(["y", None], "string[pyarrow]"), ["y", None]),
    "pandas arrow string": (pandas_column(["y", None], pd.ArrowDtype(pa.string())), ["y", None]),
    "pandas bool": (pd.DataFrame({"a": [True, False]}), [True, False]),
    "pandas boolean": (pandas_column([True, None, False], "boolean"), [True, None, False]),
    "pandas object": (
        pandas_column(["y", None, NAN, pd.NA, pd.NaT], object),
        ["y", None, None, None, None],
    ),
    "pandas mixed": (pandas_column([1, "x", None, 2.5], object), [1, "x", None, 2.5]),
    "polars str": (pl.DataFrame({"a": ["y", None]}), ["y", None]),
    "polars bool": (pl.DataFrame({"a": [True, None]}), [True, None]),
    "polars Categorical": (
        pl.DataFrame({"a": pl.Series(["y", None, "x"], dtype=pl.Categorical)}),
        ["y", None, "x"],
    ),
    "polars null": (pl.DataFrame({"a": [None, None]}), [None, None]),
    "arrow str": (pa.table({"a": ["y", None]}), ["y", None]),
    "arrow bool": (pa.table({"a": [True, None]}), [True, None]),
    "arrow binary": (pa.table({"a": [b"y", None]}), [b"y", None]),
    "arrow null": (pa.table({"a": pa.nulls(2)}), [None, None]),
    "bool": (np.array([[True], [False]]), [True, False]),
    "str": (np.array([["y"], ["x"]]), ["y", "x"]),
    "bytes": (np.array([[b"y"], [b"x"]]), [b"y", b"x"]),
    "object": (np.array([["y"], [None], [NAN]], dtype=object), ["y", None, None]),
    "lists": ([["y"], [None]], ["y", None]),
    "tuples": ((("y",), ("x",)), ["y", "x"]),
}
DECLARED = {
    "pandas": pd.DataFrame({"a": pd.Categorical(["b", None, "a"], categories=["c", "b", "a"])}),
    "polars Enum": pl.DataFrame({"a": pl.Series(["b", None, "a"], dtype=pl.Enum(["c", "b", "a"]))}),
    "arrow dictionary": pa.table(
        {"a": pa.DictionaryArray.from_arrays(pa.array([1, None, 2]), ["c", "b", "a"])}
    ),
}
DATES = {
    "pandas": pd.DataFrame({"when": pd.date_range("2020-01-01", periods=2)}),
    "pandas zone": pd.DataFrame({"when": pd.date_range("2020-01-01", periods=2, tz="UTC")}),
    "pandas timedelta": pd.DataFrame({"when": pd.to_timedelta([1, 2], unit="D")}),
    "pandas date objects": pd.DataFrame({"when": [datetime.date(2020, 1, 1), None]}),
    "pandas time stamps": pd.DataFrame(
        {"when": pd.Series([pd.Timestamp("2020-01-01"), None], dtype=object)}
    ),
    "polars date": pl.DataFrame({"when": [datetime.date(2020, 1, 1)]}),
    "polars datetime": pl.DataFrame({"when": [datetime.datetime(2020, 1, 1)]}),
    "polars time": pl.DataFrame({"when": [datetime.time(1)]}),
    "polars duration": pl.DataFrame({"when": [datetime.timedelta(1)]}),
    "arrow date": pa.table({"when": [datetime.date(2020, 1, 1)]}),
    "arrow time stamp": pa.table({"when": [datetime.datetime(2020, 1, 1)]}),
}


@pytest.mark.parametrize("kind", NUMBERS)
def test_numbers(kind):
    X, expected = NUMBERS[kind]
    column = only(X)
    assert not isinstance(column, Labels)
    assert cells(column) == expected


@pytest.mark.parametrize("kind", LABELS)
def test_labels(kind):
    X, expected = LABELS[kind]
    column = only(X)
    assert isinstance(column, Labels)
    assert cells(column) == expected
    assert [type(value) for value in cells(column)] == [type(value) for value in expected]
    assert not column.declared


@pytest.mark.parametrize("kind", DECLARED)
def test_declared_categories_keep_their_order(kind):
    column = only(DECLARED[kind])
    assert column.declared
    assert column.labels == ["c", "b", "a"]
    assert column.codes.tolist() == [1, -1, 2]


@pytest.mark.parametrize("kind", DECLARED)
def test_declared_levels_without_rows_count_in_smoothing(kind):
    model = NaiveBayesClassifier().fit(DECLARED[kind], [0, 1, 1])
    assert model.network_.states("a") == ("c", "b", "a", None)
    expected = [[1 / 5, 2 / 5, 1 / 5, 1 / 5], [1 / 6, 1 / 6, 2 / 6, 2 / 6]]
    assert_array_equal(np.asarray(model.network_.table("a")), expected)


def test_levels_that_are_not_declared_do_not_count():
    X = pl.DataFrame({"a": pl.Series(["x", "y", "z"], dtype=pl.Categorical)})[:2]
    assert NaiveBayesClassifier().fit(X, [0, 1]).network_.states("a") == ("x", "y")


def test_labels_are_sorted_numbers_first():
    column = only(pd.DataFrame({"a": pd.Series(["b", 10, "a", 9.5, True], dtype=object)}))
    assert column.labels == [True, 9.5, 10, "a", "b"]


def test_chunks_of_an_arrow_dictionary_have_dictionaries_of_their_own():
    chunks = [pa.array(part).dictionary_encode() for part in (["b", "a", None], ["c", "a"])]
    column = only(pa.table({"a": pa.chunked_array(chunks)}))
    assert cells(column) == ["b", "a", None, "c", "a"]
    assert len(set(column.labels)) == 3


def test_a_null_inside_an_arrow_dictionary_is_missing():
    dictionary = pa.array(["x", None, "y"])
    column = only(pa.table({"a": pa.DictionaryArray.from_arrays([0, 1, 2, 1], dictionary)}))
    assert cells(column) == ["x", None, "y", None]
    assert None not in column.labels


@pytest.mark.parametrize("kind", DATES)
def test_dates_are_refused(kind):
    with pytest.raises(ValueError, match="'when' holds dates"):
        batch_of(DATES[kind])


@pytest.mark.parametrize("dtype", ["M8[D]", "m8[D]"])
def test_dates_in_an_array_are_refused(dtype):
    with pytest.raises(ValueError, match="holds dates"):
        batch_of(np.array([[1]]).astype(dtype))


def test_dates_among_objects_are_refused_with_the_column():
    with pytest.raises(ValueError, match="'x1' holds dates"):
        batch_of(np.array([["a", datetime.date(2020, 1, 1)]], dtype=object))


def test_a_table_of_several_kinds_of_columns():
    table = batch_of([[1, "x", None, True], [2.5, None, 3, False]])
    assert [cells(column) for column in table.columns] == [
        [1, 2.5],
        ["x", None],
        [None, 3],
        [True, False],
    ]
    assert [table.name(j) for j in range(4)] == ["x0", "x1", "x2", "x3"]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_names(frame):
    table = batch_of(frame({"b": [1], "a": ["x"]}))
    assert table.names == ["b", "a"]
    assert table.rows == 1


def test_names_that_are_no_strings():
    assert batch_of(pd.DataFrame([[1, 2]], columns=[3, 7])).names == ["3", "7"]


@pytest.mark.parametrize("names", [["a", "a"], [1, "1"]])
def test_repeated_names_are_refused(names):
    with pytest.raises(ValueError, match="unique"):
        batch_of(pd.DataFrame([[1, 2]], columns=names))


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.zeros((0, 2)), r"0 sample\(s\) \(shape=\(0, 2\)\)"),
        (np.zeros((2, 0)), r"0 feature\(s\) \(shape=\(2, 0\)\)"),
        (pd.DataFrame({"a": []}), r"0 sample\(s\)"),
        (pl.DataFrame({"a": []}), r"0 sample\(s\)"),
        (np.zeros(3), "got 1D array"),
        (np.array(3.0), "got scalar array"),
        (np.zeros((2, 2, 2)), "dim 3"),
        (pd.Series([1, 2]), "got 1D array"),
        ([[1, 2], [3]], "2D array"),
        (np.array([[1j]]), "Complex"),
        (np.array([[1j]], dtype=object), "Complex.*'x0'"),
        (pl.DataFrame({"a": [[1], [2]]}), "'a' holds lists or records"),
    ],
)
def test_what_is_no_table_is_refused(X, message):
    with pytest.raises(ValueError, match=message):
        batch_of(X)


def test_sparse_matrices_are_refused():
    with pytest.raises(TypeError, match="toarray"):
        batch_of(sparse.csr_matrix(np.eye(2)))


def reversed_both_ways(X):
    return np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1]


def every_other(X):
    wide = np.zeros((2 * X.shape[0], 3 * X.shape[1]), dtype=X.dtype)
    wide[::2, 1::3] = X
    return wide[::2, 1::3]


def read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


VIEWS = [np.asfortranarray, every_other, reversed_both_ways, read_only]
TYPES = ["f8", "f4", "f2", "i8", "u8", "i1", ">i4"]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("view", VIEWS)
def test_layout_and_type_of_an_array_do_not_matter(dtype, view):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    X = np.column_stack([rng.integers(0, 3, 60), rng.integers(0, 40, 60) + 20 * y])
    expected = NaiveBayesClassifier().fit(X, y)
    assert len(expected.cut_points_["x1"]) > 0
    model = NaiveBayesClassifier().fit(view(X.astype(dtype)), y)
    assert_array_equal(model.predict_proba(view(X.astype(dtype))), expected.predict_proba(X))
    assert model.network_.states("x0") == (0, 1, 2)


def test_take_keeps_rows():
    table = batch_of(pd.DataFrame({"a": [1, 2, 3], "b": ["x", None, "z"]}))
    kept = table.take(np.array([True, False, True]))
    assert kept.rows == 2
    assert [cells(column) for column in kept.columns] == [[1, 3], ["x", "z"]]
    assert cells(batch_of(np.array([[1], [2]])).take(np.array([1])).columns[0]) == [2]


def test_a_part_of_a_table_that_was_read_is_the_part_of_the_table():
    """Labels that it has no row of are not its labels, unless they are declared."""
    words = ["x", "y", "z"] * 10
    X = pd.DataFrame({"a": words, "b": [0.5, 2, 3] * 10, "c": pd.Categorical(words, list("zyxw"))})
    y, rows = np.arange(20) % 2, np.flatnonzero(X["a"] != "y")
    read, sliced = batch_of(X), NaiveBayesClassifier().fit(X.iloc[rows], y)
    assert batch_of(read) is read
    model = NaiveBayesClassifier().fit(read.take(rows), y)
    assert model.network_ == sliced.network_
    assert model.network_.states("a") == ("x", "z")
    assert model.network_.states("c") == tuple("zyxw")
    assert_array_equal(model.predict_proba(read.take(rows)), sliced.predict_proba(X.iloc[rows]))


BIG = [2**53, 2**53 + 1] * 5


@pytest.mark.parametrize(
    "X",
    [
        np.array(BIG)[:, None],
        np.array(BIG, dtype=np.uint64)[:, None],
        np.array([[value] for value in BIG], dtype=object),
        pd.DataFrame({"x0": BIG}),
        pandas_column([*BIG[:-1], None], "Int64").rename(columns={"a": "x0"}),
        pl.DataFrame({"x0": [*BIG[:-1], None]}),
    ],
    ids=["int64", "uint64", "object", "pandas", "pandas Int64", "polars null"],
)
def test_large_whole_numbers_as_labels_stay_apart(X):
    model = NaiveBayesClassifier(categorical_features="all").fit(X, [0, 1] * 5)
    assert {2**53, 2**53 + 1} <= set(model.network_.states("x0"))
