"""The tree classifiers: raw tables in, and answers by hand, by WEKA's J48 and row by row."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from bayesgrove import (
    BaggedTreesClassifier,
    C45Classifier,
    NBTreeClassifier,
    TreeSelector,
    WeightedNaiveBayesClassifier,
    load_dataset,
)
from bayesgrove.encoding import MixedTable, UnseenValueWarning
from bayesgrove.trees import C45, Tree

J48 = json.loads((Path(__file__).parents[1] / "trees" / "data" / "j48.json").read_text())
MODES = {
    "unpruned": C45Classifier(pruned=False),
    "pruned": C45Classifier(),
    "not raised": C45Classifier(subtree_raising=False),
}
WEATHER = pd.DataFrame(
    [
        ("sunny", 75, 70.0, True),
        ("sunny", 80, 90.0, True),
        ("sunny", 85, 85.0, False),
        ("sunny", 72, 95.0, False),
        ("sunny", 69, 70.0, False),
        (None, 72, 90.0, True),
        ("overcast", 83, 78.0, False),
        ("overcast", 64, 65.0, True),
        ("overcast", 81, 75.0, False),
        ("rain", 71, 80.0, True),
        ("rain", 65, 70.0, True),
        ("rain", 75, 80.0, False),
        ("rain", 68, 80.0, False),
        ("rain", 70, 96.0, False),
    ],
    columns=["outlook", "temperature", "humidity", "windy"],
)
PLAY = ["yes", "no", "no", "no", "yes", "yes", "yes", "yes", "yes", "no", "no", "yes", "yes", "yes"]


@pytest.fixture(scope="module")
def weather():
    """The tree of Quinlan's book, in which the outlook of a day is not known."""
    labels = ["outlook", "windy"]
    return C45Classifier(pruned=False, categorical_features=labels).fit(WEATHER, PLAY)


def mixed_rows(rows=200, seed=0):
    """Columns with declared labels and numbers that tell the class a little, with gaps."""
    rng = np.random.default_rng(seed)
    place = rng.integers(0, 3, rows)
    colour = np.where(rng.random(rows) < 0.5, place, rng.integers(-1, 4, rows))
    X = pd.DataFrame(
        {
            "colour": pd.Categorical.from_codes(colour, ["blue", "green", "red", "grey"]),
            "size": np.round(rng.normal(size=rows) + place, 2),
            "noise": rng.normal(size=rows),
        }
    )
    X.loc[rng.random(rows) < 0.1, "size"] = np.nan
    return X, np.array(["no", "perhaps", "yes"])[place]


# J48


def as_j48_writes(line, X, classes):
    """A line with names and labels as numbers."""
    for j in sorted(range(X.shape[1]), key=lambda j: -len(X.columns[j])):
        line = line.replace(f"{X.columns[j]} ", f"a{j} ")
    column = re.search(r"a(\d+) = ([^:]*)", line)
    if column:
        levels = list(X.iloc[:, int(column[1])].cat.categories)
        line = line.replace(f"= {column[2]}", f"= v{levels.index(column[2])}")
    return re.sub(r": (.*) \(", lambda found: f": v{classes.index(found[1])} (", line)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["vote", "iris"])
def test_raw_tables_give_the_trees_of_j48(name, mode, folder_dataset):
    X, y = folder_dataset(name)
    expected, classes = J48[name][mode], list(y.cat.categories)
    model = clone(MODES[mode]).fit(X, y)
    assert (model.tree_.leaves, model.tree_.size) == (expected["leaves"], expected["size"])
    assert [name for name, depth in model.depths_.items() if depth == 1] == [
        X.columns[expected["root"]]
    ]
    confusion = pd.crosstab(pd.Categorical(y, classes), pd.Categorical(model.predict(X), classes))
    assert_array_equal(confusion.reindex(index=classes, columns=classes), expected["confusion"])
    lines = [as_j48_writes(line, X, classes) for line in model.to_text().splitlines()]
    wanted = expected["lines"] or lines
    for line, other in zip(lines, wanted, strict=True):
        assert line == other or "(0.0)" in other  # J48 shows the first class there


# By hand


def test_the_tree_of_the_book(weather):
    assert weather.to_text().splitlines() == [
        "outlook = overcast: yes (3.23)",
        "outlook = rain",
        "|   windy = False: yes (3.0)",
        "|   windy = True: no (2.38/0.38)",
        "outlook = sunny",
        "|   humidity <= 75: yes (2.0)",
        "|   humidity > 75: no (3.38/0.38)",
    ]
    assert weather.depths_ == {"outlook": 1, "temperature": 0, "humidity": 2, "windy": 2}
    assert weather.classes_.tolist() == ["no", "yes"]


def test_probabilities_are_shares_of_the_leaf(weather):
    """No of 3 + 5/13 on dry sunny days: 3; of 2 + 5/13 on windy rainy ones: 2."""
    rows = WEATHER.iloc[[0, 1, 6, 9]]
    expected = [0, 3 / (3 + 5 / 13), 0, 2 / (2 + 5 / 13)]
    assert_allclose(weather.predict_proba(rows)[:, 0], expected, rtol=1e-14)
    assert weather.predict(rows).tolist() == ["yes", "no", "yes", "no"]
    with np.errstate(divide="ignore"):
        assert_allclose(weather.predict_log_proba(rows)[:, 0], np.log(expected), rtol=1e-12)


def test_missing_values_go_down_all_branches(weather):
    """An unknown humidity of a sunny day, as in the book: 3 of 5 + 5/13 say no."""
    day = WEATHER.iloc[[2]].assign(humidity=np.nan)
    assert_allclose(weather.predict_proba(day)[0, 0], 3 / (5 + 5 / 13), rtol=1e-14)
    nothing = WEATHER.iloc[[2]].assign(outlook=None, humidity=np.nan, windy=None)
    assert_allclose(weather.predict_proba(nothing), [[5 / 14, 9 / 14]], rtol=1e-14)


def test_unseen_labels_are_missing(weather):
    days = WEATHER.assign(outlook="fog")
    with pytest.warns(UnseenValueWarning, match="14 values.*'outlook'.*'fog'"):
        found = weather.predict_proba(days)
    assert_array_equal(found, weather.predict_proba(WEATHER.assign(outlook=None)))
    strict = clone(weather).set_params(unseen="error").fit(WEATHER, PLAY)
    with pytest.raises(ValueError, match="'outlook', value 'fog'"):
        strict.predict(days)


def test_columns_that_no_tree_tests_are_not_looked_at(weather):
    strange = WEATHER.assign(temperature="mild")
    assert_array_equal(weather.predict(strange), weather.predict(WEATHER))
    for name, value, message in [
        ("humidity", np.inf, "'humidity'.*infinity"),
        ("humidity", "high", "'humidity' was numeric in training, but holds 'high'"),
    ]:
        with pytest.raises(ValueError, match=message):
            weather.predict(WEATHER.assign(**{name: value}))
    with pytest.raises(ValueError, match="temperature"):
        weather.predict(WEATHER.drop(columns="temperature"))


def test_numbers_written_as_text_are_labels():
    X = pd.DataFrame({"code": ["10", "9", "100", "9", "10", "100", "10", "9"]})
    model = C45Classifier().fit(X, [1, 0, 1, 0, 1, 1, 1, 0])
    assert model.to_text().splitlines() == [
        "code = 10: 1 (3.0)", "code = 100: 1 (2.0)", "code = 9: 0 (3.0)"
    ]  # fmt: skip


def test_few_whole_numbers_are_labels_unless_they_are_told_not_to_be():
    X = pd.DataFrame({"rooms": [1, 1, 2, 2, 3, 3, 4, 4]})
    y = ["n", "n", "n", "n", "y", "y", "y", "y"]
    assert C45Classifier().fit(X, y).tree_.leaves == 4
    assert C45Classifier(categorical_features=[]).fit(X, y).to_text().splitlines() == [
        "rooms <= 2: n (4.0)", "rooms > 2: y (4.0)"
    ]  # fmt: skip


def test_constant_and_empty_columns_are_not_tested():
    X, y = mixed_rows()
    more = X.assign(same="x", number=0.5, empty=None)
    plain, model = (C45Classifier().fit(table, y) for table in (X, more))
    assert [model.depths_[name] for name in ("same", "number", "empty")] == [0, 0, 0]
    assert plain.to_text() == model.to_text()


@pytest.mark.parametrize("unfitted", [C45Classifier(), BaggedTreesClassifier(3)], ids=repr)
def test_one_class_and_one_row(unfitted):
    X, _ = mixed_rows()
    for rows in (200, 1):
        model = clone(unfitted).fit(X[:rows], ["only"] * rows)
        assert_array_equal(model.predict_proba(X), np.ones((200, 1)))
        assert {tree.size for tree in model.trees_} == {1}
    assert ": only (1.0)" in model.to_text()


# Units


def in_small_units(X):
    return X.assign(**{name: X[name] * 1e-7 for name in X.select_dtypes("number")})


@pytest.mark.parametrize("unfitted", [C45Classifier(), BaggedTreesClassifier(4)], ids=repr)
@pytest.mark.parametrize("name", ["iris", "credit-g"])
def test_small_units_give_the_same_tree(unfitted, name):
    X, y = load_dataset(name)
    labels = list(X.columns.difference(X.select_dtypes("number").columns))
    small = in_small_units(X)
    one, other = (
        clone(unfitted).set_params(categorical_features=labels).fit(table, y)
        for table in (X, small)
    )
    for tree, shrunk in zip(one.trees_, other.trees_, strict=True):
        assert tree.size > 5
        assert_array_equal(shrunk.threshold, tree.threshold * 1e-7)
        assert_array_equal(shrunk.attribute, tree.attribute)
        assert_array_equal(shrunk.weights, tree.weights)
    assert_array_equal(other.predict_proba(small), one.predict_proba(X))


def test_what_trees_tell_does_not_depend_on_units():
    X, y = load_dataset("iris")
    tables = X, in_small_units(X)
    weights = [WeightedNaiveBayesClassifier().fit(table, y).weights_ for table in tables]
    assert_array_equal(*weights)
    selected = [TreeSelector().fit(table, y).selected_ for table in tables]
    assert selected[0] == selected[1]
    naive = [NBTreeClassifier(min_error_reduction=0.0).fit(table, y).trees_[0] for table in tables]
    assert naive[0].size > 1
    assert_array_equal(naive[0].weights, naive[1].weights)


# Options


@pytest.mark.parametrize(
    ("option", "values", "others"),
    [
        ("pruned", (True, False), {}),
        ("min_rows", (2, 5), {}),
        ("confidence", (0.25, 0.05), {}),
        ("collapse", (True, False), {"pruned": False}),
        ("subtree_raising", (True, False), {}),
        ("mdl_correction", (True, False), {}),
    ],
)
def test_every_option_changes_the_tree(option, values, others):
    X, y = mixed_rows()
    table = C45Classifier()._read(X, y).mixed()
    trees = []
    for value in values:
        options = others | {option: value}
        trees.append(C45Classifier(**options).fit(X, y).tree_)
        for one, other in zip(trees[-1].arrays, C45(**options).grow(table).arrays, strict=True):
            assert_array_equal(one, other)
    assert not np.array_equal(trees[0].weights, trees[1].weights)


@pytest.mark.parametrize("unfitted", [C45Classifier(), BaggedTreesClassifier(2)], ids=repr)
def test_choices_are_true_or_false(unfitted):
    X, y = mixed_rows()
    names = {"pruned", "collapse", "subtree_raising", "mdl_correction"} & set(unfitted.get_params())
    for name in sorted(names):
        with pytest.raises(ValueError, match=f"{name}='false' must be True or False"):
            clone(unfitted).set_params(**{name: "false"}).fit(X, y)
        plain, numpys = (
            clone(unfitted).set_params(**{name: kind(0)}).fit(X, y) for kind in (bool, np.bool_)
        )
        assert plain.to_text() == numpys.to_text()


# Bags


def alone(X, y, rows):
    """Probabilities of all rows by the tree of some of them, each as often as it is named."""
    model = C45Classifier(pruned=False).fit(X.iloc[rows], y[rows])
    found = pd.DataFrame(model.predict_proba(X), columns=model.classes_)
    return found.reindex(columns=["no", "perhaps", "yes"], fill_value=0.0).to_numpy()


@pytest.mark.parametrize(("fraction", "size"), [(1.0, 200), (0.5, 100), (0.02, 4)])
def test_a_bag_is_the_mean_of_trees_of_samples(fraction, size):
    X, y = mixed_rows()
    model = BaggedTreesClassifier(7, sample_fraction=fraction, random_state=5).fit(X, y)
    children = np.random.SeedSequence(5).spawn(7)
    samples = [np.random.default_rng(child).integers(200, size=200)[:size] for child in children]
    expected = sum(alone(X, y, rows) for rows in samples) / 7
    assert_allclose(model.predict_proba(X), expected, rtol=1e-12, atol=1e-15)
    assert len({tree.size for tree in model.trees_}) > 1


def test_a_class_that_no_sample_has():
    X, y = mixed_rows()
    y[0] = "rare"
    model = BaggedTreesClassifier(2, sample_fraction=0.1)
    with pytest.warns(UserWarning, match="class 'rare': its probability is 0. Raise") as caught:
        model.fit(X, y)
    assert [warning.filename for warning in caught] == [__file__]
    assert not model.predict_proba(X)[:, 2].any()
    BaggedTreesClassifier(2).fit(X, y, np.where(y == "rare", 0.0, 1.0))  # is not asked for


LEARNERS = [
    C45Classifier(),
    BaggedTreesClassifier(2, sample_fraction=0.5),
    NBTreeClassifier(),
    WeightedNaiveBayesClassifier(n_trees=2),
    TreeSelector(sample_fraction=0.5),
]


@pytest.mark.parametrize("unfitted", LEARNERS, ids=lambda model: type(model).__name__)
@pytest.mark.filterwarnings("ignore:No attribute was selected")
@pytest.mark.filterwarnings("ignore:No sample has a row")
def test_weights_too_light_for_a_tree(unfitted):
    X, y = mixed_rows()
    with pytest.warns(UserWarning, match="weights of 200 rows sum to 1;.*the number") as caught:
        clone(unfitted).fit(X, y, np.full(200, 1 / 200))
    assert [warning.filename for warning in caught] == [__file__] * len(caught)
    assert sum("sum to 1;" in str(warning.message) for warning in caught) == 1
    for weights in (np.full(200, 0.25), np.random.default_rng(0).integers(0, 3, 200)):
        clone(unfitted).fit(X, y, weights)


def test_few_rows_are_not_told_to_weigh_more():
    X, y = mixed_rows(3)
    for weights in (None, np.full(3, 0.5)):
        assert C45Classifier().fit(X, y, weights).tree_.size == 1


def test_a_test_needs_the_weight_of_four_rows():
    X, y = pd.DataFrame({"a": ["k", "l"] * 100}), [0, 1] * 100
    with pytest.warns(UserWarning, match=r"sum to 3\.98; .* below 4"):
        assert C45Classifier().fit(X, y, np.full(200, 0.0199)).tree_.size == 1
    assert C45Classifier().fit(X, y, np.full(200, 0.02)).tree_.size == 3


def test_collapse_is_passed_on():
    X, y = mixed_rows()
    sizes = [
        sum(tree.size for tree in BaggedTreesClassifier(3, collapse=flag).fit(X, y).trees_)
        for flag in (True, False)
    ]
    assert sizes[0] < sizes[1]


@pytest.mark.parametrize("unfitted", [C45Classifier(), BaggedTreesClassifier(6)], ids=repr)
def test_one_thread_gives_what_four_give(unfitted):
    X, y = mixed_rows(3000)
    one, four = (clone(unfitted).set_params(n_jobs=n).fit(X, y) for n in (1, 4))
    assert one.to_text() == four.to_text()
    assert one.predict_proba(X).tobytes() == four.predict_proba(X).tobytes()


def test_the_text_of_a_bag_has_all_trees():
    X, y = mixed_rows()
    model = BaggedTreesClassifier(3).fit(X, y)
    parts = model.to_text().split("\n\n")
    texts = [tree.to_text(*model.tree_labels()) for tree in model.trees_]
    assert parts == [f"Tree {k}:\n{text}" for k, text in enumerate(texts, 1)]


# Files, and what cannot be


@pytest.mark.parametrize("unfitted", [C45Classifier(), BaggedTreesClassifier(3)], ids=repr)
def test_files_give_what_rows_in_memory_give(unfitted, tmp_path):
    X, y = mixed_rows()
    path = tmp_path / "rows.parquet"
    X.assign(kind=y).to_parquet(path, row_group_size=30)
    model = clone(unfitted).fit(X, y)
    from_files = clone(unfitted).fit(path, "kind")
    # Labels that the frame declares in another order are sorted in files: sums are rounded apart.
    assert_allclose(from_files.predict_proba(X), model.predict_proba(X), rtol=1e-14)
    assert_array_equal(model.predict_proba(path), model.predict_proba(X))
    tested = [X.columns[j] for j in sorted({j for tree in model.trees_ for j in tree.columns})]
    X[tested].to_parquet(path)
    assert_array_equal(model.predict_proba(path), model.predict_proba(X))


def test_a_leaf_predicts_from_files_too(tmp_path):
    X, y = mixed_rows(30)
    model = C45Classifier(min_rows=100).fit(X, y)
    X.to_parquet(tmp_path / "rows.parquet")
    expected = [[np.mean(y == label) for label in model.classes_]] * 30
    assert_allclose(model.predict_proba(tmp_path / "rows.parquet"), expected, rtol=1e-14)


def test_an_unfitted_tree_has_no_text():
    with pytest.raises(NotFittedError):
        C45Classifier().to_text()


def test_a_row_lost_in_branches_too_light_to_count_gets_the_shares_of_all():
    X, y = mixed_rows()
    model = C45Classifier().fit(X, y)
    weights = np.array(
        [[6.0, 3.0, 1.0], [6, 3, 1 - 2e-6], [0, 0, 2e-6], [0, 0, 9e-7], [0, 0, 9e-7]]
    )
    attribute, count = np.int32([1, -1, 2, -1, -1]), np.int32([2, 0, 2, 0, 0])
    tree = Tree.reachable(attribute, np.zeros(5), np.int32([1, 0, 3, 0, 0]), count, weights)
    model._keep_trees(model.schema_, [tree])
    row = X.iloc[[0]].assign(size=1.0, noise=np.nan)
    table = MixedTable([np.ones(1), np.full(1, np.nan)], [0, 0])
    assert not model._narrow[0].distribution(table).any()
    assert_allclose(model.predict_proba(row), [[0.6, 0.3, 0.1]], rtol=1e-14)
