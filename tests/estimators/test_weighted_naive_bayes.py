"""Weighted naive Bayes against equation 2 of Hall (2006), worked from the rows."""

import json
import math
import pickle
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm
from sklearn.base import clone

from bayesgrove import (
    C45Classifier,
    ModelFileError,
    NaiveBayesClassifier,
    OptionError,
    UnseenValueWarning,
    WeightedNaiveBayesClassifier,
    load_dataset,
    load_model,
    save_model,
)
from bayesgrove.contracts import TrainingData, rescaled
from bayesgrove.encoding import MixedTable
from bayesgrove.model_files import model as files
from bayesgrove.model_files import text
from bayesgrove.scores.information import information_with_class
from bayesgrove.trees import Bagging
from bayesgrove.weighting import (
    ChiSquared,
    GainRatio,
    HillClimbing,
    InformationGain,
    ReliefF,
    TreeDepth,
)

WEKA = json.loads((Path(__file__).parents[1] / "weighting" / "data" / "weka.json").read_text())
NUMERIC = ["discretize", "gaussian", "rounded"]
UNSEEDED = ["gain_ratio", "information_gain", "chi_squared", "hill_climbing"]
NAMED = ["tree_depth", "relieff", *UNSEEDED]
NOTHING = "No attribute was selected: the class is predicted by its frequencies"
GIVEN = [0.7, 1.3, 0.0, 2.5, 0.25]


def mixed_rows(rows=80, seed=0, missing=0.1):
    """Labels and numbers that tell of the class, with gaps; "shape" has a level without rows."""
    rng = np.random.default_rng(seed)
    y = rng.choice(np.array(["no", "perhaps", "yes"], dtype=object), rows)
    place = np.searchsorted(["no", "perhaps", "yes"], y.astype(str))
    colour = np.where(rng.random(rows) < 0.5, place, rng.integers(0, 3, rows))
    shape = np.where(rng.random(rows) < 0.5, place % 2, rng.integers(0, 2, rows))
    X = pd.DataFrame(
        {
            "colour": np.array(["blue", "green", "red"], dtype=object)[colour],
            "size": rng.normal(size=rows) * (1 + place) + place,
            "noise": rng.choice(np.array(["u", "v"], dtype=object), rows),
            "tenths": np.round(rng.normal(size=rows) + 2 * (place == 1), 1),
            "shape": pd.Categorical.from_codes(shape, ["round", "square", "oval"]),
        }
    )
    return X.mask(rng.random(X.shape) < missing), y


def plain_rows():
    """The same without declared levels, which not every kind of table and file can keep."""
    X, y = mixed_rows()
    return X.astype({"shape": object}), y


def named(value):
    """The same in every process: functions by their names."""
    return re.sub(r" at 0x[0-9a-f]+", "", str(value))


class Equation2:
    """``P(c | row) = P(c) prod P(a | c)^w / sum over c``, counted row by row."""

    def __init__(self, X, y, weights, numeric, cuts, importance=None):
        self.y, self.numeric, self.cuts = np.asarray(y), numeric, cuts
        self.weights = dict(zip(X, weights, strict=True))
        self.importance = np.ones(len(y)) if importance is None else importance
        self.columns = {name: X[name].to_numpy() for name in X}
        self.known = {name: X[name].notna().to_numpy() for name in X}
        self.levels = {
            name: getattr(X[name].dtype, "categories", set(X[name].dropna()))
            for name in X
            if X[name].dtype != float
        }
        numbers = [name for name in X if name not in self.levels and self.weights[name] > 0]
        spreads = [self.moments(X[name].to_numpy(), self.known[name])[1] for name in numbers]
        self.floor = 1e-9 * max(spreads, default=0.0)

    def moments(self, values, rows):
        weights, values = self.importance[rows], values[rows]
        mean = (weights * values).sum() / weights.sum()
        return mean, (weights * (values - mean) ** 2).sum() / weights.sum()

    def posterior(self, row):
        classes = sorted(set(self.y))
        joint = []
        for c in classes:
            own, total = self.importance[self.y == c].sum(), self.importance.sum()
            joint.append((own + 1) / (total + len(classes)))
            for name, value in row.items():
                if not pd.isna(value):
                    joint[-1] *= self.power(name, value, c)
        return np.array(joint) / sum(joint)

    def power(self, name, value, c):
        members = (self.y == c) & self.known[name]
        column, weight = self.columns[name], self.weights[name]
        if name in self.levels:
            return self.frequency(column == value, members, len(self.levels[name])) ** weight
        if self.numeric == "discretize":
            cuts = self.cuts[name]
            same = np.digitize(column, cuts, right=True) == np.digitize(value, cuts, right=True)
            return self.frequency(same, members, len(cuts) + 1) ** weight
        if self.numeric == "gaussian":
            mean, variance = self.moments(column, members)
            return norm.pdf(value, mean, math.sqrt(variance + self.floor)) ** weight
        return max(self.share(value, name, members) ** weight, 1e-75)

    def frequency(self, same, members, levels):
        counts = self.importance[members & np.asarray(same)].sum()
        return (counts + 1) / (self.importance[members].sum() + levels)

    def share(self, value, name, members):
        """Of the step around the value, rounded to whole steps."""
        distinct = np.unique(self.columns[name][self.known[name]])
        step = (distinct[-1] - distinct[0]) / (len(distinct) - 1)
        mean, variance = self.moments(np.rint(self.columns[name] / step) * step, members)
        deviation = max(math.sqrt(variance), step / 6)
        distance = abs(round(value / step) * step - mean) / deviation
        half = step / deviation / 2
        return norm.sf(distance - half) - norm.sf(distance + half)

    def posteriors(self, rows):
        return np.array([self.posterior(row) for row in rows.to_dict("records")])


def slopes(X, y):
    return [1 / (1 + j) for j in range(X.shape[1])]


@pytest.mark.parametrize("numeric", NUMERIC)
@pytest.mark.parametrize("weights", [GIVEN, *NAMED, slopes], ids=named)
def test_the_posterior_is_equation_2(weights, numeric):
    X, y = mixed_rows()
    model = WeightedNaiveBayesClassifier(weights, numeric=numeric).fit(X, y)
    used = {"list": GIVEN, "function": slopes(X, y)}.get(type(weights).__name__, model.weights_)
    assert model.weights_.tolist() == list(used)
    assert len(set(used)) > (1 if weights == "hill_climbing" else 3)
    assert any(map(len, model.cut_points_.values())) == (numeric == "discretize")
    oracle = Equation2(X, y, used, numeric, model.cut_points_)
    rows = mixed_rows(12, seed=1, missing=0.2)[0]
    expected = oracle.posteriors(rows)
    assert_allclose(model.predict_proba(rows), expected, rtol=0, atol=1e-12)
    assert model.predict(rows).tolist() == model.classes_[expected.argmax(axis=1)].tolist()
    assert_allclose(model.predict_log_proba(rows), np.log(expected), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("numeric", NUMERIC)
def test_rows_count_by_their_sample_weights(numeric):
    X, y = mixed_rows()
    importance = np.random.default_rng(2).choice([0.5, 1.0, 3.0], len(y))
    model = WeightedNaiveBayesClassifier(GIVEN, numeric=numeric).fit(X, y, importance)
    oracle = Equation2(X, y, GIVEN, numeric, model.cut_points_, importance)
    expected = oracle.posteriors(X[:12])
    assert_allclose(model.predict_proba(X[:12]), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("numeric", NUMERIC)
def test_weights_of_1_are_naive_bayes(numeric):
    X, y = mixed_rows()
    weighted = WeightedNaiveBayesClassifier(np.ones(5), numeric=numeric).fit(X, y)
    plain = NaiveBayesClassifier(numeric, missing="ignore").fit(X, y)
    assert weighted.predict_proba(X).tobytes() == plain.predict_proba(X).tobytes()
    joint = plain.predict_joint_log_proba(X)
    assert weighted.predict_joint_log_proba(X).tobytes() == joint.tobytes()
    assert weighted.network_ == plain.network_


@pytest.mark.parametrize("numeric", NUMERIC)
def test_weights_of_0_and_1_are_naive_bayes_of_some_columns(numeric):
    X, y = mixed_rows()
    model = WeightedNaiveBayesClassifier(
        [0.3, 2, 0, 0, 0], select_only=True, numeric=numeric, var_smoothing=0.0
    ).fit(X, y)
    assert model.weights_.tolist() == [1, 1, 0, 0, 0]
    plain = NaiveBayesClassifier(numeric, missing="ignore", var_smoothing=0.0)
    some = X[["colour", "size"]]
    expected = plain.fit(some, y).predict_proba(some)
    assert_allclose(model.predict_proba(X), expected, rtol=1e-12)


def test_a_column_of_weight_0_does_not_widen_the_others():
    X, y = mixed_rows()
    X["tenths"] *= 1e6
    model = WeightedNaiveBayesClassifier([1, 1, 1, 0, 1]).fit(X, y)
    some = X.drop(columns="tenths")
    expected = NaiveBayesClassifier("gaussian", missing="ignore").fit(some, y).predict_proba(some)
    assert_allclose(model.predict_proba(X), expected, rtol=1e-12)


@pytest.mark.parametrize("weight", [0.5, 1.0, 4.0])
def test_the_floor_of_rounded_numbers_is_that_of_the_power(weight):
    """Numbers from near to far: of some one class, of some both are at the floor."""
    X, y = pd.DataFrame({"a": [1.5, 2.5, 4.0, 5.5, 5.0, 7.0]}), ["n", "n", "n", "y", "y", "y"]
    model = WeightedNaiveBayesClassifier([weight], numeric="rounded").fit(X, y)
    rows = pd.DataFrame({"a": [3.0, 12.0, 20.0, 25.0, 40.0, 80.0, -30.0]})
    expected = Equation2(X, y, [weight], "rounded", {}).posteriors(rows)
    assert_allclose(model.predict_proba(rows), expected, rtol=1e-9, atol=1e-300)
    joint = model.predict_joint_log_proba(rows)
    assert_allclose(joint[-2], math.log(0.5 * 1e-75))
    assert joint.min() > math.log(0.4e-75)


# Where weights come from


def test_gain_ratios_by_hand():
    """Gain ratios 1/1.5, 0, 0 and 1 of four columns: times 4 / (5/3)."""
    X = pd.DataFrame(
        {"a": list("uuvw"), "b": list("uvuv"), "c": list("uuuu"), "d": list("vvuu")}, dtype=object
    )
    model = WeightedNaiveBayesClassifier("gain_ratio").fit(X, [0, 0, 1, 1])
    assert_allclose(model.weights_, [1.6, 0, 0, 2.4], atol=1e-14)
    assert model.selected_ == ["a", "d"]


@pytest.mark.parametrize("name", ["iris", "credit-g", "hepatitis", "labor"])
def test_gain_ratios_are_wekas_times_their_number_over_their_sum(name, request):
    X, y = (
        load_dataset(name)
        if name == "credit-g"
        else request.getfixturevalue("folder_dataset")(name)
    )
    ratios = np.array(WEKA[name]["gain_ratio"])
    numeric = WeightedNaiveBayesClassifier("gain_ratio", categorical_features=[])
    expected = ratios * len(ratios) / ratios.sum()
    assert_allclose(numeric.fit(X, y).weights_, expected, atol=1e-9)


def test_relieff_by_hand():
    """All others are neighbours, fewer than ten: 1, -3/8 and 1/2 of the columns."""
    X = np.array([[0, 0.5, 0.5], [0, 4.5, 1.5], [1, 0.5, 3.5], [1, 3.5, 4.5]])
    model = WeightedNaiveBayesClassifier("relieff").fit(X, [0, 0, 1, 1])
    assert_allclose(model.weights_, [1, 0, 0.5], atol=1e-14)
    scaled = WeightedNaiveBayesClassifier(ReliefF(rescale=True)).fit(X, [0, 0, 1, 1])
    assert_allclose(scaled.weights_, [2, 0, 1], atol=1e-14)


@pytest.mark.parametrize("name", ["iris", "glass", "lymph"])
def test_relieff_is_wekas_without_negatives(name, folder_dataset):
    X, y = folder_dataset(name)
    relief = np.maximum(WEKA[name]["relieff"], 0)
    numeric = WeightedNaiveBayesClassifier("relieff", categorical_features=[])
    assert_allclose(numeric.fit(X, y).weights_, relief, atol=1e-9)
    scaled = clone(numeric).set_params(weights=ReliefF(rescale=True)).fit(X, y)
    assert_allclose(scaled.weights_, relief * len(relief) / relief.sum(), atol=1e-9)


def test_relieff_asks_for_the_class_of_rows_that_lack_a_value():
    X, y = mixed_rows()
    model = WeightedNaiveBayesClassifier("relieff").fit(X, y)
    data = TrainingData.of_table(model._read(X, y).mixed())
    own, wekas = (
        np.maximum(ReliefF(missing=rule).weights(data), 0) for rule in ("conditional", "weka")
    )
    assert_allclose(model.weights_, own, rtol=1e-12)
    assert not np.allclose(model.weights_, wekas, rtol=1e-3)


# Objects


OBJECTS = {
    "tree_depth": TreeDepth(10, 0.5, random_state=0),
    "gain_ratio": GainRatio(),
    "information_gain": InformationGain(),
    "chi_squared": ChiSquared(),
    "hill_climbing": HillClimbing("auc", step=0.1, max_iter=20),
    "relieff": ReliefF(sample_size=250, random_state=0),
}


@pytest.mark.parametrize("numeric", NUMERIC)
@pytest.mark.parametrize("name", NAMED)
def test_a_name_stands_for_an_object(name, numeric):
    X, y = mixed_rows()
    by_name = WeightedNaiveBayesClassifier(name, numeric=numeric).fit(X, y)
    by_object = WeightedNaiveBayesClassifier(OBJECTS[name], numeric=numeric).fit(X, y)
    assert by_object.weights_.tobytes() == by_name.weights_.tobytes()
    assert by_object.predict_proba(X).tobytes() == by_name.predict_proba(X).tobytes()


@dataclass(frozen=True)
class Information:
    """A weighting of a user's own; some of its numbers may be negative."""

    less: float = 0.0

    def weights(self, data):
        return information_with_class(data.counts) - self.less


class Rescaled(Information):
    def weights(self, data):
        return rescaled(super().weights(data))


def test_what_a_users_object_says_is_used_unchanged():
    X, y = mixed_rows()
    data = TrainingData.of_table(WeightedNaiveBayesClassifier()._read(X, y).mixed())
    plain = WeightedNaiveBayesClassifier(Information()).fit(X, y)
    assert plain.weights_.tobytes() == Information().weights(data).tobytes()
    raw = Information(0.05).weights(data)
    assert raw.min() < 0 < raw.max()
    with pytest.raises(ValueError, match=r"weights\[\d\]=-.*weight must be a number of at least 0"):
        WeightedNaiveBayesClassifier(Information(0.05)).fit(X, y)
    positive = np.maximum(raw, 0)
    model = WeightedNaiveBayesClassifier(Rescaled(0.05)).fit(X, y)
    assert_allclose(model.weights_, positive / positive.mean(), rtol=1e-12)


def test_one_tree_of_all_rows_gives_the_weights():
    """The tree is that of C45Classifier without pruning; its depths are read off its text."""
    X, y = mixed_rows()
    options = {"n_trees": 1, "sample_fraction": 1.0, "bootstrap": False}
    model = WeightedNaiveBayesClassifier(**options, categorical_features=[]).fit(X, y)
    tree = C45Classifier(pruned=False, categorical_features=[]).fit(X, y)
    depths = {}
    for line in tree.to_text().splitlines():
        bars, name = line.count("|   "), line.replace("|   ", "").split(" ")[0]
        depths[name] = min(depths.get(name, bars + 1), bars + 1)
    expected = [depths[name] ** -0.5 if name in depths else 0.0 for name in X.columns]
    assert_allclose(model.weights_, expected, rtol=1e-14)
    assert len(set(expected)) > 2
    assert model.weights_repeat_rows
    with pytest.raises(OptionError, match="n_trees=10 with bootstrap=False and sample_fraction=1"):
        WeightedNaiveBayesClassifier(sample_fraction=1.0, bootstrap=False).fit(X, y)


class Wrong:
    """Gives whatever it was made with."""

    def __init__(self, answer):
        self.answer = answer

    def weights(self, data):
        return self.answer


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([1.0, 2.0], "weights has 2 numbers for 5 columns"),
        ("much", "weights='much' must be one of 'tree_depth'"),
        ([1, 2, 3, 4, math.nan], r"weights\[4\]=nan of the column 'shape'"),
    ],
)
def test_what_is_not_one_number_per_column_is_refused(answer, message):
    with pytest.raises(ValueError, match=message):
        WeightedNaiveBayesClassifier(Wrong(answer)).fit(*mixed_rows())


def test_a_class_is_not_an_object():
    with pytest.raises(OptionError, match=r"weights=.*ReliefF.* must be an object, not a class"):
        WeightedNaiveBayesClassifier(ReliefF).fit(*mixed_rows())


def test_a_column_may_have_the_name_of_the_method():
    X, y = mixed_rows()
    renamed = X.rename(columns={"noise": "weights"})
    given = by_label().rename({"noise": "weights"})
    assert WeightedNaiveBayesClassifier(given).fit(renamed, y).weights_.tolist() == GIVEN


@pytest.mark.parametrize("weights", [*OBJECTS.values(), ReliefF(3, missing="weka")], ids=str)
def test_objects_of_the_package_are_saved(weights, tmp_path):
    X, y = mixed_rows()
    model = WeightedNaiveBayesClassifier(weights).fit(X, y)
    save_model(model, tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    assert loaded.weights == weights
    assert loaded.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()
    assert clone(loaded).fit(X, y).weights_.tobytes() == model.weights_.tobytes()


def test_objects_of_users_are_not_saved(tmp_path):
    model = WeightedNaiveBayesClassifier(Information()).fit(*mixed_rows())
    with pytest.raises(ModelFileError, match=r"weights=.*Information.*pickle or joblib"):
        save_model(model, tmp_path / "model.json")
    assert pickle.loads(pickle.dumps(model)).weights == Information()


def test_trees_of_an_object_warn_as_those_of_the_name():
    X, y = mixed_rows()
    y = np.array(y, dtype=object)
    y[0] = "rare"
    with pytest.warns(UserWarning, match="class 'rare'.*Raise sample_fraction") as caught:
        WeightedNaiveBayesClassifier(TreeDepth(1, 0.1, random_state=3)).fit(X, y)
    assert caught[0].filename == __file__
    light = np.full(len(y), 1e-3)
    nothing = pytest.warns(UserWarning, match=NOTHING)
    with pytest.warns(UserWarning, match="The sample weights of 80 rows sum to 0.08"), nothing:
        WeightedNaiveBayesClassifier(TreeDepth(5, 1.0)).fit(X, y, light)


def test_counts_are_enough_where_no_column_stays_a_number(rows_file):
    X, y = plain_rows()
    options = {"weights": GainRatio(), "numeric": "discretize"}
    expected = WeightedNaiveBayesClassifier(**options).fit(X, y).weights_
    streamed = WeightedNaiveBayesClassifier(**options).fit(rows_file, "kind")
    assert_allclose(streamed.weights_, expected, rtol=1e-12)


def test_a_function_is_given_the_rows_as_they_are():
    X, y = mixed_rows()
    seen = []

    def weigh(*arguments):
        seen.extend(arguments)
        return pd.Series(GIVEN)

    model = WeightedNaiveBayesClassifier(weigh).fit(X, y)
    assert seen[0] is X
    assert seen[1] is y
    assert model.weights_.tolist() == GIVEN


def by_label(**others):
    """The weights GIVEN with labels, the last column first; others come or go."""
    labels = ["colour", "size", "noise", "tenths", "shape"]
    weights = dict(zip(labels, GIVEN, strict=True)) | others
    known = {name: weight for name, weight in reversed(weights.items()) if weight is not None}
    return pd.Series(known, dtype=float)


def test_a_series_is_taken_by_its_labels(tmp_path):
    X, y = mixed_rows()
    for weights in (by_label(), lambda X, y: by_label()):
        assert WeightedNaiveBayesClassifier(weights).fit(X, y).weights_.tolist() == GIVEN
    for index in (None, [7, 3, 4, 1, 2], [("a", k) for k in range(5)]):
        places = WeightedNaiveBayesClassifier(pd.Series(GIVEN, index)).fit(X, y)
        assert places.weights_.tolist() == GIVEN
    model = WeightedNaiveBayesClassifier(by_label()).fit(X, y)
    save_model(model, tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    assert loaded.weights_.tolist() == GIVEN
    assert clone(loaded).fit(X, y).weights_.tolist() == GIVEN


@pytest.mark.parametrize(
    ("weights", "match"),
    [
        (by_label(smell=1.0), "weights has the label 'smell', which is not a column"),
        (by_label(size=None, Size=1.0), "weights has the label 'Size', which is not a column"),
        (by_label(size=None), "weights has no label 'size', which is a column"),
        (pd.concat([by_label(), by_label()[:1]]), "weights has a label more than once"),
    ],
    ids=range(4),
)
def test_labels_that_are_not_those_of_the_columns_are_refused(weights, match):
    X, y = mixed_rows()
    with pytest.raises(ValueError, match=match):
        WeightedNaiveBayesClassifier(weights).fit(X, y)
    with pytest.raises(ValueError, match=match.replace("weights", r"weights\(X, y\)")):
        WeightedNaiveBayesClassifier(lambda X, y: weights).fit(X, y)


@pytest.mark.parametrize("weights", NAMED)
def test_a_seed_fixes_the_weights_and_threads_do_not_matter(weights):
    X, y = mixed_rows(300)
    fits = [
        WeightedNaiveBayesClassifier(weights, random_state=seed, n_jobs=jobs).fit(X, y)
        for seed, jobs in [(0, 1), (0, 1), (0, 2), (1, 1)]
    ]
    for other in fits[1:3]:
        assert other.weights_.tobytes() == fits[0].weights_.tobytes()
        assert other.predict_proba(X).tobytes() == fits[0].predict_proba(X).tobytes()
    same = fits[3].weights_.tolist() == fits[0].weights_.tolist()
    assert same == (weights in UNSEEDED)


@pytest.mark.parametrize("weights", NAMED)
def test_a_table_of_any_kind_gives_the_same(weights):
    X, y = plain_rows()
    model = WeightedNaiveBayesClassifier(weights)
    expected = clone(model).fit(X, y)
    for table in (pl.from_pandas(X), pa.Table.from_pandas(X)):
        found = clone(model).fit(table, y)
        assert_allclose(found.weights_, expected.weights_, rtol=1e-12)
        assert_allclose(found.predict_proba(table), expected.predict_proba(X), rtol=1e-12)
    numbers = X[["size", "tenths"]]
    expected = clone(model).fit(numbers, y)
    for table in (numbers.to_numpy(), numbers.to_numpy().tolist(), np.asfortranarray(numbers)):
        found = clone(model).fit(table, y)
        assert found.weights_.tobytes() == expected.weights_.tobytes()
        assert found.predict_proba(table).tobytes() == expected.predict_proba(numbers).tobytes()


# What the model has


@pytest.mark.parametrize("unseen", ["missing", "error"])
def test_a_column_of_weight_0_is_not_looked_at(unseen):
    X, y = mixed_rows()
    model = WeightedNaiveBayesClassifier([1, 0, 0, 1, 1], unseen=unseen).fit(X, y)
    expected = model.predict_proba(X).tobytes()
    strange = X.assign(noise="never seen", size=np.inf)
    assert model.predict_proba(strange).tobytes() == expected
    assert model.predict_proba(X.assign(size="a word", noise=3.5)).tobytes() == expected
    used = X.assign(colour="never seen")
    if unseen == "error":
        with pytest.raises(ValueError, match="'colour', value 'never seen'"):
            model.predict_proba(used)
    else:
        with pytest.warns(UnseenValueWarning, match="'colour'"):
            found = model.predict_proba(used)
        assert found.tolist() == model.predict_proba(X.assign(colour=None)).tolist()
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(X.drop(columns="noise"))


def test_what_is_selected_has_a_weight():
    X, y = mixed_rows()
    model = WeightedNaiveBayesClassifier(GIVEN).fit(X, y)
    assert model.selected_ == ["colour", "size", "tenths", "shape"]
    assert model.get_support().tolist() == [True, True, False, True, True]
    assert model.get_feature_names_out().tolist() == model.selected_
    assert list(model.network_.nodes) == ["colour", "shape", "class"]
    assert model.theta_.shape == model.var_.shape == (3, 2)
    assert model.path_ == []
    assert len(model.path_text().splitlines()) == 1


def test_without_weights_the_classes_have_their_frequencies():
    X, y = mixed_rows()
    with pytest.warns(UserWarning, match=NOTHING) as caught:
        model = WeightedNaiveBayesClassifier([0] * 5).fit(X, y)
    assert caught[0].filename == __file__
    counts = np.unique(y, return_counts=True)[1]
    expected = (counts + 1) / (len(y) + 3)
    assert_allclose(model.predict_proba(X), np.tile(expected, (len(y), 1)), rtol=1e-14)
    assert model.selected_ == []


@pytest.mark.parametrize("weights", [name for name in NAMED if name != "hill_climbing"])
def test_what_tells_nothing_weighs_nothing(weights):
    X = pd.DataFrame({"a": ["k"] * 20, "b": [0.5] * 20, "c": [np.nan] * 20})
    model = WeightedNaiveBayesClassifier(weights, categorical_features=["a"])
    with pytest.warns(UserWarning, match=NOTHING):
        model.fit(X, ["n", "y"] * 10)
    assert model.weights_.tolist() == [0, 0, 0]


@pytest.mark.parametrize("numeric", NUMERIC)
def test_a_constant_within_a_class_has_a_probability(numeric):
    X = pd.DataFrame({"a": [1.5, 1.5, 2.5, 3.5], "b": [0.1, 0.2, 0.3, 0.4]})
    y = ["n", "n", "y", "y"]
    model = WeightedNaiveBayesClassifier([0.5, 2], numeric=numeric).fit(X, y)
    expected = Equation2(X, y, [0.5, 2], numeric, model.cut_points_).posteriors(X)
    assert_allclose(model.predict_proba(X), expected, rtol=0, atol=1e-12)


# Samples


def test_a_class_that_no_sample_has():
    X, y = mixed_rows(100, missing=0)
    X, y = pd.concat([X, X[:1]]), np.array([*y, "rare"])
    codes = np.unique(y, return_inverse=True)[1].astype(np.uint8)
    trees = Bagging(3, 0.2, random_state=1).grow(MixedTable([], [], codes, 4))
    assert not any(tree.weights[0, 2] for tree in trees)
    model = WeightedNaiveBayesClassifier(n_trees=3, sample_fraction=0.2, random_state=1)
    with pytest.warns(UserWarning, match="class 'rare'.*Raise sample_fraction") as caught:
        model.fit(X, y)
    assert caught[0].filename == __file__
    assert model.classes_[2] == "rare"
    oracle = Equation2(X, y, model.weights_, "gaussian", {})
    expected = oracle.posteriors(X[::9])
    assert_allclose(model.predict_proba(X[::9]), expected, rtol=0, atol=1e-12)


def test_samples_too_small_for_a_tree_tell_the_remedy():
    X, y = load_dataset("iris")
    remedy = (
        r"frequencies alone\. Trees of more rows may test some attributes: raise sample_fraction\.$"
    )
    model = WeightedNaiveBayesClassifier(sample_fraction=0.01)
    with pytest.warns(UserWarning, match=remedy) as caught:
        model.fit(X, y)
    assert caught[-1].filename == __file__
    with pytest.warns(UserWarning, match=r"frequencies alone\.$"):
        WeightedNaiveBayesClassifier([0] * 4, sample_fraction=0.01).fit(X, y)
    constant = pd.DataFrame({"a": [0.5] * 8})
    with pytest.warns(UserWarning, match=r"frequencies alone\.$"):
        WeightedNaiveBayesClassifier(sample_fraction=1.0).fit(constant, [0, 1] * 4)


def test_a_fraction_of_one_row_is_refused():
    with pytest.raises(ValueError, match=r"n_samples=1 leaves no row .*: raise it to 1\.$"):
        WeightedNaiveBayesClassifier().fit([[0.5]], [0])


@pytest.mark.parametrize("weights", NAMED)
def test_classes_of_few_rows(weights):
    """ReliefF asks for ten neighbours of each class; one class has one row, another none."""
    X, y = mixed_rows(40)
    y[:4] = ["single", "gone", "gone", "gone"]
    importance = np.where(y == "gone", 0.0, 1.0)
    model = WeightedNaiveBayesClassifier(weights).fit(X, y, importance)
    assert model.classes_.tolist() == ["gone", "no", "perhaps", "single", "yes"]
    found = model.predict_proba(X)
    assert np.isfinite(found).all()
    assert_allclose(found.sum(axis=1), 1.0)
    without = WeightedNaiveBayesClassifier(weights).fit(X[importance > 0], y[importance > 0])
    assert_allclose(model.weights_, without.weights_, rtol=1e-12)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"sample_fraction": 0}, "sample_fraction=0 must be a number above 0"),
        ({"sample_fraction": 1.5}, "sample_fraction=1.5 must be a number above 0 and at most 1"),
        ({"sample_fraction": math.nan}, "sample_fraction=nan"),
        ({"sample_fraction": 0.01}, r"sample_fraction=0.01 of n_samples=80 leaves .* 1/80 or more"),
        ({"n_trees": 0}, "n_trees=0"),
        ({"n_trees": 2.5}, "n_trees=2.5"),
        ({"random_state": -1}, "random_state=-1"),
        ({"weights": "relieff", "random_state": None}, "random_state=None"),
        ({"weights": "depth"}, "weights='depth' must be 'tree_depth' or 'relieff' or"),
        ({"weights": None}, "weights=None must be one of 'tree_depth', .* each of the 5 columns"),
        ({"weights": 1.0}, "weights=1.0 must be one of"),
        ({"weights": [1, 1]}, r"weights has 2 numbers for 5 columns: \[1, 1\]"),
        ({"weights": [[1] * 5]}, "one number for each of the 5 columns"),
        ({"weights": [1, 1, "x", 1, 1]}, "'x'.*one number for each of the 5 columns"),
        ({"weights": lambda X, y: [1.0]}, r"weights\(X, y\) has 1 numbers for 5 columns: \[1.0\]"),
        ({"weights": [1] * 50}, r"weights has 50 numbers for 5 columns: \[[1, ]{79}\.$"),
        ({"weights": ["x"] * 50}, r"weights=\[[x', ]{79} must be one of"),
        ({"weights": lambda X, y: ["x"] * 50}, r"weights\(X, y\)=\[[x', ]{79} must be one of"),
        (
            {"weights": [1, -2, 1, 1, 1]},
            r"\[1\]=-2.0 of the column 'size': a weight must be .* at least 0",
        ),
        ({"weights": [1, 1, 1, math.nan, 1]}, r"weights\[3\]=nan"),
        ({"weights": [math.inf, 1, 1, 1, 1]}, r"weights\[0\]=inf"),
        ({"weights": lambda X, y: [1, 1, -1, 1, 1]}, r"weights\[2\]=-1.0 of the column 'noise'"),
        ({"numeric": "kernel"}, "numeric='kernel'"),
        ({"alpha": -1}, "alpha=-1"),
        ({"var_smoothing": -1}, "var_smoothing=-1"),
        ({"missing": "drop"}, "missing='drop'"),
        ({"n_jobs": 1.5}, "n_jobs=1.5"),
    ],
    ids=named,
)
def test_options_without_a_meaning_are_refused(options, match):
    X, y = mixed_rows()
    with pytest.raises(ValueError, match=match):
        WeightedNaiveBayesClassifier(**options).fit(X, y)


def test_a_weight_beyond_all_numbers_is_refused():
    X = np.array([[1.5], [1.6], [2.5], [2.6]]) / 1e3
    with pytest.raises(ValueError, match="weights"):
        WeightedNaiveBayesClassifier([1e308], categorical_features=[]).fit(X, [0, 0, 1, 1])


# Files


@pytest.fixture
def rows_file(tmp_path):
    X, y = plain_rows()
    X.assign(kind=y).to_parquet(tmp_path / "rows.parquet", row_group_size=30)
    return tmp_path / "rows.parquet"


@pytest.mark.parametrize("weights", NAMED)
def test_weights_that_look_at_all_rows_load_them(weights, rows_file):
    X, y = plain_rows()
    memory = WeightedNaiveBayesClassifier(weights).fit(X, y)
    files = WeightedNaiveBayesClassifier(weights).fit(rows_file, "kind")
    assert files.weights_.tobytes() == memory.weights_.tobytes()
    assert files.predict_proba(X).tobytes() == memory.predict_proba(X).tobytes()


@pytest.mark.parametrize("numeric", NUMERIC)
def test_given_weights_and_rows_in_files(numeric, rows_file):
    X, y = plain_rows()
    memory = WeightedNaiveBayesClassifier(GIVEN, numeric=numeric).fit(X, y)
    stream = WeightedNaiveBayesClassifier(GIVEN, numeric=numeric).fit(rows_file, "kind")
    expected = memory.predict_proba(X)
    assert_allclose(stream.predict_proba(X), expected, rtol=1e-9)
    assert_allclose(memory.predict_proba(rows_file), expected, rtol=1e-12)


def test_a_file_need_not_have_columns_of_weight_0(tmp_path):
    X, y = mixed_rows()
    model = WeightedNaiveBayesClassifier(GIVEN).fit(X, y)
    X.drop(columns="noise").to_parquet(tmp_path / "rows.parquet")
    expected = model.predict_proba(X).tobytes()
    assert model.predict_proba(tmp_path / "rows.parquet").tobytes() == expected


SAVED = [
    WeightedNaiveBayesClassifier(),
    WeightedNaiveBayesClassifier("gain_ratio", numeric="rounded", missing="value"),
    WeightedNaiveBayesClassifier("relieff", select_only=True, numeric="discretize"),
    WeightedNaiveBayesClassifier(np.array(GIVEN), numeric="rounded", random_state=5),
]


@pytest.mark.parametrize("unfitted", SAVED, ids=range(len(SAVED)))
def test_a_model_comes_back_to_the_last_bit(unfitted, tmp_path):
    X, y = mixed_rows()
    model = clone(unfitted).fit(X, y)
    save_model(model, tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    assert loaded.weights_.tobytes() == model.weights_.tobytes()
    rows = mixed_rows(40, seed=1)[0]
    assert loaded.predict_proba(rows).tobytes() == model.predict_proba(rows).tobytes()
    assert loaded.selected_ == model.selected_
    assert clone(loaded).fit(X, y).weights_.tolist() == model.weights_.tolist()


def test_a_model_without_attributes_comes_back(tmp_path):
    X, y = mixed_rows()
    with pytest.warns(UserWarning, match=NOTHING):
        model = WeightedNaiveBayesClassifier([0] * 5).fit(X, y)
    save_model(model, tmp_path / "model.json")
    found = load_model(tmp_path / "model.json").predict_proba(X)
    assert found.tobytes() == model.predict_proba(X).tobytes()


def test_a_function_cannot_be_saved(tmp_path):
    model = WeightedNaiveBayesClassifier(slopes).fit(*mixed_rows())
    with pytest.raises(ModelFileError, match=r"option weights=.*function.*pickle or joblib"):
        save_model(model, tmp_path / "model.json")


@pytest.mark.parametrize(
    ("weights", "match"),
    [
        ([0.7, 1.3, 0.0, 2.5], "extra.weights has 4 numbers, needs 5"),
        ([*GIVEN, 1.0], "extra.weights has 6 numbers, needs 5"),
        ([0.7, -1.3, 0.0, 2.5, 0.25], "extra.weights"),
        ([0.7, "1.3", 0.0, 2.5, 0.25], "extra.weights"),
        ([0.7, None, 0.0, 2.5, 0.25], "extra.weights"),
        (2.0, "extra.weights"),
        ([0.7, 0.0, 0.0, 2.5, 0.25], "extra.weights must have a number above 0 for each selected"),
        ([0.7, 1.3, 0.1, 2.5, 0.25], "extra.weights must have a number above 0 for each selected"),
    ],
    ids=str,
)
def test_damaged_weights_are_refused(weights, match, tmp_path):
    content = files.describe_model(WeightedNaiveBayesClassifier(GIVEN).fit(*mixed_rows()))
    content["extra"]["weights"] = weights
    (tmp_path / "model.json").write_bytes(text.to_bytes(content))
    with pytest.raises(ModelFileError, match=match):
        load_model(tmp_path / "model.json")


def test_a_file_without_weights_is_refused(tmp_path):
    content = files.describe_model(WeightedNaiveBayesClassifier(GIVEN).fit(*mixed_rows()))
    del content["extra"]["weights"]
    (tmp_path / "model.json").write_bytes(text.to_bytes(content))
    with pytest.raises(ModelFileError, match="extra has no 'weights'"):
        load_model(tmp_path / "model.json")
