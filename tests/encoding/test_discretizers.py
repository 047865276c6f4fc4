"""The scikit-learn face of the cut points."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.utils.estimator_checks import parametrize_with_checks

from bayesgrove.encoding.cuts import equal_frequency_cuts, mdlp_cuts, value_table
from bayesgrove.encoding.discretizers import EqualFrequencyDiscretizer, MDLPDiscretizer

BOTH = pytest.mark.parametrize(
    "discretizer", [MDLPDiscretizer(), EqualFrequencyDiscretizer(n_bins=3)], ids=["mdlp", "ef"]
)
X = np.array([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0], [4.0, 5.0], [5.0, 5.0], [6.0, 5.0]])
Y = np.array(["a", "a", "a", "b", "b", "b"])


@parametrize_with_checks([MDLPDiscretizer(), EqualFrequencyDiscretizer()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_mdlp_codes_and_cuts_by_index():
    discretizer = MDLPDiscretizer().fit(X, Y)
    assert discretizer.cut_points_.keys() == {0, 1}
    assert_array_equal(discretizer.cut_points_[0], [3.5])
    assert discretizer.cut_points_[0].dtype == np.float64
    assert_array_equal(discretizer.transform(X), [[0, 0]] * 3 + [[1, 0]] * 3)


def test_equal_frequency_codes():
    codes = EqualFrequencyDiscretizer(n_bins=3).fit_transform(X)
    assert codes.dtype == np.float64
    assert_array_equal(codes[:, 0], [0, 0, 1, 1, 2, 2])


def test_a_value_equal_to_a_cut_is_in_the_lower_interval():
    discretizer = MDLPDiscretizer().fit(X, Y)
    above = np.nextafter(3.5, 4.0)
    assert_array_equal(discretizer.transform([[3.5, 0.0], [above, 0.0]])[:, 0], [0, 1])


@BOTH
def test_missing_cells_stay_missing_and_do_not_count(discretizer):
    with_gaps = np.vstack([X, [[np.nan, 1.0], [np.nan, np.nan]]])
    classes = np.append(Y, ["a", "b"])
    discretizer.fit(X, Y)
    expected = discretizer.cut_points_[0]
    codes = discretizer.fit_transform(with_gaps, classes)
    assert_array_equal(discretizer.cut_points_[0], expected)
    assert_array_equal(np.isnan(codes), np.isnan(with_gaps))


@BOTH
def test_all_missing_and_constant_columns_have_no_cuts(discretizer):
    data = np.column_stack([np.full(6, np.nan), np.ones(6)])
    codes = discretizer.fit_transform(data, Y)
    assert [len(cuts) for cuts in discretizer.cut_points_.values()] == [0, 0]
    assert_array_equal(codes, np.column_stack([np.full(6, np.nan), np.zeros(6)]))


@BOTH
@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_data_frames_keep_their_names(discretizer, frame):
    data = frame({"length": X[:, 0], "constant": X[:, 1]})
    codes = discretizer.fit(data, Y).transform(data)
    assert list(discretizer.cut_points_) == ["length", "constant"]
    assert_array_equal(discretizer.feature_names_in_, ["length", "constant"])
    assert_array_equal(discretizer.get_feature_names_out(), ["length", "constant"])
    assert_array_equal(codes, discretizer.fit(X, Y).transform(X))


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_nulls_of_data_frames_are_missing(frame):
    data = frame({"a": [1, 2, None, 4], "b": [1.0, None, 3.0, 4.0]})
    codes = EqualFrequencyDiscretizer(n_bins=2).fit_transform(data)
    # Three cells, two intervals: both boundaries are equally near, so the lower one is cut.
    assert_array_equal(codes, [[0, 0], [1, np.nan], [np.nan, 1], [1, 1]])


@pytest.mark.parametrize(("output", "kind"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame)])
def test_set_output(output, kind):
    data = kind({"length": X[:, 0], "constant": X[:, 1]})
    codes = MDLPDiscretizer().set_output(transform=output).fit_transform(data, Y)
    assert isinstance(codes, kind)
    assert list(codes.columns) == ["length", "constant"]
    assert_array_equal(codes["length"].to_numpy(), [0, 0, 0, 1, 1, 1])


@BOTH
def test_duplicate_names_are_refused(discretizer):
    data = pd.DataFrame(X, columns=["width", "width"])
    with pytest.raises(ValueError, match="'width' occurs more than once"):
        discretizer.fit(data, Y)


@BOTH
def test_infinity_is_refused(discretizer):
    infinite = np.where(X == 6.0, np.inf, X)
    with pytest.raises(ValueError, match="infinity"):
        discretizer.fit(infinite, Y)
    with pytest.raises(ValueError, match="infinity"):
        discretizer.fit(X, Y).transform(infinite)


def test_mdlp_wants_a_class_target():
    with pytest.raises(ValueError, match="requires y to be passed"):
        MDLPDiscretizer().fit(X, None)
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        MDLPDiscretizer().fit(X, np.linspace(0.1, 0.7, 6))


def test_equal_frequency_ignores_the_target():
    fitted = EqualFrequencyDiscretizer(n_bins=3).fit(X, np.linspace(0.1, 0.7, 6))
    assert_array_equal(fitted.cut_points_[0], [2.5, 4.5])


@BOTH
def test_negative_weights_are_refused(discretizer):
    with pytest.raises(ValueError, match="Negative values"):
        discretizer.fit(X, Y, sample_weight=[1, 1, 1, 1, 1, -1])


@BOTH
def test_weights_are_repetitions(discretizer):
    iris, species = load_iris(return_X_y=True)
    weights = np.random.default_rng(0).integers(0, 4, len(iris))
    weighted = discretizer.fit(iris, species, sample_weight=weights).cut_points_
    repeated = discretizer.fit(iris.repeat(weights, axis=0), species.repeat(weights)).cut_points_
    for name, cuts in repeated.items():
        assert_array_equal(weighted[name], cuts)


@BOTH
def test_one_column_at_a_time_gives_the_cuts_of_fit(discretizer):
    iris, species = load_iris(return_X_y=True)
    discretizer.fit(iris, species)
    for name, column in enumerate(iris.T):
        table = value_table(column, species, 3)
        assert_array_equal(discretizer.cuts_for_table(*table), discretizer.cut_points_[name])
        assert_array_equal(
            discretizer.cuts_for(column, species, 3, np.ones(150)), discretizer.cut_points_[name]
        )


def test_cuts_are_those_of_the_functions():
    iris, species = load_iris(return_X_y=True)
    mdlp = MDLPDiscretizer().fit(iris, species).cut_points_
    equal = EqualFrequencyDiscretizer(n_bins=4).fit(iris).cut_points_
    for name, column in enumerate(iris.T):
        assert_array_equal(mdlp[name], mdlp_cuts(column, species, 3))
        assert_array_equal(equal[name], equal_frequency_cuts(column, 4))


def test_tags_are_honest():
    mdlp = MDLPDiscretizer().__sklearn_tags__()
    equal = EqualFrequencyDiscretizer().__sklearn_tags__()
    assert mdlp.input_tags.allow_nan
    assert equal.input_tags.allow_nan
    assert mdlp.target_tags.required
    assert not equal.target_tags.required


@pytest.mark.parametrize("discretizer", [MDLPDiscretizer(), EqualFrequencyDiscretizer(4)])
@pytest.mark.parametrize("kind", ["arrow", "batch", "polars"])
def test_frames_of_every_library_are_cut(discretizer, kind):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"u": rng.normal(size=60), "v": rng.integers(0, 50, 60)})
    y = (frame["u"] > 0).astype(int)
    if kind == "polars":
        other = pl.from_pandas(frame)
    else:
        pa = pytest.importorskip("pyarrow")
        other = pa.Table.from_pandas(frame)
        other = other.to_batches()[0] if kind == "batch" else other
    expected = clone(discretizer).fit(frame, y)
    found = clone(discretizer).fit(other, y)
    assert list(found.cut_points_) == ["u", "v"]
    for name in ("u", "v"):
        np.testing.assert_array_equal(found.cut_points_[name], expected.cut_points_[name])
    np.testing.assert_array_equal(found.transform(other), expected.transform(frame))
