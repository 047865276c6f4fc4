"""Attributes in the upper levels of trees, against the trees themselves and obvious tables."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from pandas.testing import assert_frame_equal
from sklearn.pipeline import make_pipeline

from bayesgrove import C45Classifier, NaiveBayesClassifier, TreeSelector
from bayesgrove.contracts import TrainingData
from bayesgrove.encoding import MixedTable
from bayesgrove.selection import TreeLevels
from bayesgrove.trees import C45
from tree_tables import table_of

J48 = json.loads((Path(__file__).parents[1] / "trees" / "data" / "j48.json").read_text())

NOTHING = "No attribute was selected"


def mixed_table(rows=300, seed=0):
    rng = np.random.default_rng(seed)
    target = rng.integers(0, 3, rows).astype(np.uint8)
    columns = []
    for card in (2, 0, 3, 0, 4, 0, 2):
        codes = np.where(rng.random(rows) < 0.3, target % max(card, 1), rng.integers(0, 9, rows))
        noise = np.where(rng.random(rows) < 0.1, np.nan, target + 2 * rng.normal(size=rows))
        columns.append((codes % (card + 1)).astype(np.uint8) if card else noise)
    return MixedTable(columns, [2, 0, 3, 0, 4, 0, 2], target, 3)


def level_by_level(tree, levels):
    """Attributes of the nodes of each level, from the root down."""
    nodes = [0]
    for depth in range(1, levels + 1):
        yield from ((int(tree.attribute[n]), depth) for n in nodes if tree.count[n])
        nodes = [c for n in nodes for c in range(tree.first[n], tree.first[n] + tree.count[n])]


def union_by_hand(table, n_trees, fraction, max_depth, seed):
    """Trees of rows drawn one by one; the least depth of each attribute near enough to a root."""
    least = {}
    for own in np.random.SeedSequence(seed).spawn(n_trees):
        drawn = np.random.default_rng(own).integers(table.rows, size=int(fraction * table.rows))
        tree = C45(pruned=False).grow(table.take(drawn))
        for attribute, depth in level_by_level(tree, max_depth):
            least[attribute] = min(depth, least.get(attribute, depth))
    return sorted(least.items(), key=lambda pair: (pair[1], pair[0]))


def attributes(levels, table, threads=1):
    """Places of the attributes and the least depth of each."""
    selection = levels.select_rows(TrainingData.of_table(table, threads=threads))
    assert [step.attribute for step in selection.path] == [f"x{j}" for j in selection.attributes]
    return [(j, step.value) for j, step in zip(selection.attributes, selection.path, strict=True)]


@pytest.mark.parametrize(
    ("n_trees", "fraction", "max_depth", "seed"),
    [(5, 0.1, 3, 0), (5, 0.1, 1, 0), (2, 0.5, 2, 7), (1, 1.0, 9, 3), (3, 0.2, 4, 1)],
)
def test_attributes_are_those_of_the_upper_levels(n_trees, fraction, max_depth, seed):
    table = mixed_table()
    expected = union_by_hand(table, n_trees, fraction, max_depth, seed)
    levels = TreeLevels(n_trees, fraction, max_depth, seed)
    assert attributes(levels, table) == expected
    assert attributes(levels, table, threads=2) == expected
    assert expected


ONE_TREE = {
    "n_trees": 1,
    "sample_fraction": 1.0,
    "bootstrap": False,
    "max_depth": None,
    "pruned": True,
}
SMALL_J48 = [name for name, answer in J48.items() if answer["pruned"]["lines"] is not None]


@pytest.mark.parametrize("name", SMALL_J48)
def test_one_pruned_tree_has_the_attributes_of_j48(name, any_dataset):
    """J48 shows attribute j as "aj" at the start of a line, after one bar per level."""
    table, least = table_of(any_dataset(name)), {}
    for line in J48[name]["pruned"]["lines"]:
        bars, attribute = line.count("|   "), line.replace("|   ", "").split(" ")[0]
        least[int(attribute[1:])] = min(least.get(int(attribute[1:]), bars + 1), bars + 1)
    expected = sorted(least.items(), key=lambda pair: (pair[1], pair[0]))
    assert attributes(TreeLevels(**ONE_TREE), table) == expected


def test_one_pruned_tree_is_that_of_the_classifier():
    X, y = as_frame(mixed_table(120))
    selector = TreeSelector(**ONE_TREE, categorical_features=[]).fit(X, y)
    model = C45Classifier(categorical_features=[]).fit(X, y)
    assert set(selector.selected_) == {f"x{j}" for j in model.trees_[0].columns}
    unpruned = TreeSelector(**ONE_TREE | {"pruned": False}, categorical_features=[]).fit(X, y)
    assert len(unpruned.selected_) > len(selector.selected_) > 0
    assert TreeLevels(**ONE_TREE).weights_repeat_rows
    assert not TreeLevels().weights_repeat_rows


def chain(rows=900, seed=0):
    """ "a" tells class 0 from all others, "b" class 1 from those left, and so on; "e" nothing."""
    rng = np.random.default_rng(seed)
    y = rng.choice(5, rows, p=[0.5, 0.25, 0.13, 0.07, 0.05])
    columns = {"e": np.array(["k"] * rows, dtype=object)}
    for c, name in enumerate("abcd"):
        known = np.where(y == c, "own", "other")
        columns[name] = np.where(y < c, rng.choice(["own", "other"], rows), known).astype(object)
    return pd.DataFrame(columns)[list("ecdba")], y


def test_a_table_whose_trees_are_obvious():
    X, y = chain()
    selector = TreeSelector(sample_fraction=1.0).fit(X, y)
    assert selector.selected_ == ["a", "b", "c"]
    assert [tuple(step) for step in selector.path_] == [
        ("a", 1.0, None, "added", ()),
        ("b", 2.0, None, "added", ()),
        ("c", 3.0, None, "added", ()),
    ]
    assert selector.get_feature_names_out().tolist() == ["c", "b", "a"]
    assert_frame_equal(selector.transform(X), X[["c", "b", "a"]])
    deeper = TreeSelector(sample_fraction=1.0, max_depth=4).fit(X, y)
    assert deeper.selected_ == ["a", "b", "c", "d"]
    assert TreeSelector(sample_fraction=1.0, max_depth=1).fit(X, y).selected_ == ["a"]


def as_frame(table):
    columns = {
        f"x{j}": np.where(column == card, None, np.array([*"pqrst"], dtype=object)[column])
        if card
        else column
        for j, (column, card) in enumerate(zip(table.columns, table.cards, strict=True))
    }
    return pd.DataFrame(columns), table.target.astype(int)


def test_the_selector_reads_any_table():
    table = mixed_table()
    X, y = as_frame(table)
    expected = [f"x{j}" for j, _ in attributes(TreeLevels(), table)]
    for frame in (X, pl.from_pandas(X)):
        assert TreeSelector().fit(frame, y).selected_ == expected
    numbers = X[["x1", "x3", "x5"]]
    one = TreeSelector(n_jobs=2).fit(numbers.to_numpy(), y)
    other = TreeSelector().fit(numbers, y)
    assert [int(name[1]) for name in one.selected_] == [
        list(numbers).index(name) for name in other.selected_
    ]


def test_rows_of_weight_zero_are_not_there_and_seeds_matter():
    X, y = as_frame(mixed_table())
    weights = np.random.default_rng(1).integers(0, 2, len(y))
    some = TreeSelector().fit(X[weights > 0], y[weights > 0])
    assert TreeSelector().fit(X, y, weights).path_ == some.path_
    paths = {str(TreeSelector(random_state=seed).fit(X, y).path_) for seed in (0, 0, 1, 2)}
    assert len(paths) == 3


def test_before_naive_bayes():
    X, y = chain()
    pipeline = make_pipeline(TreeSelector(sample_fraction=1.0), NaiveBayesClassifier()).fit(X, y)
    plain = NaiveBayesClassifier().fit(X[["c", "b", "a"]], y)
    expected = plain.predict_proba(X[["c", "b", "a"]])
    assert pipeline.predict_proba(X).tolist() == expected.tolist()


def test_nothing_is_selected_with_a_warning():
    X, y = pd.DataFrame({"a": ["k"] * 30, "b": [0.5] * 30}), ["n", "y"] * 15
    with pytest.warns(UserWarning, match=f"{NOTHING}.* columns. .*raise sample_fraction") as caught:
        selector = TreeSelector().fit(X, y)
    assert caught[0].filename == __file__
    assert selector.transform(X).shape == (30, 0)


def test_a_class_that_no_sample_has_is_told():
    X, y = chain()
    y = np.array(["usual", "common"], dtype=object)[y % 2]
    y[17] = "rare"
    with pytest.warns(UserWarning, match=r"class 'rare'.*selection.*Raise sample_frac") as caught:
        TreeSelector(n_trees=2, sample_fraction=0.2, random_state=1).fit(X, y)
    assert caught[0].filename == __file__
    drawn = [
        np.random.default_rng(own).integers(len(y), size=len(y) // 5)
        for own in np.random.SeedSequence(1).spawn(2)
    ]
    assert 17 not in np.concatenate(drawn)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"n_trees": 0}, "n_trees=0"),
        ({"n_trees": "5"}, "n_trees='5'"),
        ({"sample_fraction": 0}, "sample_fraction=0 must be a number above 0"),
        ({"sample_fraction": 1.5}, "sample_fraction=1.5"),
        ({"sample_fraction": 1e-3}, "sample_fraction=0.001 of n_samples=300 leaves no row"),
        ({"max_depth": 0}, "max_depth=0 must be None or a whole number of at least 1"),
        ({"bootstrap": None}, "bootstrap=None must be True or False"),
        ({"pruned": 1}, "pruned=1 must be True or False"),
        (
            {"bootstrap": False, "sample_fraction": 1.0},
            "n_trees=5 with bootstrap=False and sample_fraction=1 would give equal trees",
        ),
        ({"max_depth": 2.5}, "max_depth=2.5"),
        ({"random_state": -1}, "random_state=-1"),
        ({"random_state": None}, "random_state=None"),
        ({"n_jobs": "all"}, "n_jobs='all'"),
        ({"categorical_features": "some"}, "categorical_features='some'"),
    ],
    ids=str,
)
def test_options_without_a_meaning_are_refused(options, match):
    X, y = as_frame(mixed_table())
    with pytest.raises(ValueError, match=match):
        TreeSelector(**options).fit(X, y)


def test_trees_load_all_rows_of_files(tmp_path):
    X, y = as_frame(mixed_table())
    X.assign(kind=y).to_parquet(tmp_path / "rows.parquet")
    selector = TreeSelector().fit(tmp_path / "rows.parquet", "kind")
    assert selector.path_ == TreeSelector().fit(X, y).path_
