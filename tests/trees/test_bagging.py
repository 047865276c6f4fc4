"""Trees of bootstrap samples, against samples drawn row by row."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bayesgrove.encoding import MixedTable
from bayesgrove.trees import C45, Bagging


def mixed(rows=150, seed=0, weights=None):
    """Columns that tell the class a little, with gaps."""
    rng = np.random.default_rng(seed)
    target = rng.integers(0, 3, rows)
    letters = np.where(rng.random(rows) < 0.4, target, rng.integers(0, 4, rows)).astype(np.uint8)
    letters[rng.random(rows) < 0.1] = 4
    numbers = np.where(rng.random(rows) < 0.1, np.nan, np.round(target + rng.normal(size=rows), 1))
    columns = [letters, numbers, rng.normal(size=rows)]
    return MixedTable(columns, [4, 0, 0], target.astype(np.uint8), 3, weights)


def generators(count, seed=0):
    return [np.random.default_rng(own) for own in np.random.SeedSequence(seed).spawn(count)]


def assert_same_trees(trees, others):
    for tree, other in zip(trees, others, strict=True):
        assert_array_equal(tree.attribute, other.attribute)
        assert_array_equal(tree.threshold, other.threshold)
        assert_array_equal(tree.first, other.first)
        assert_allclose(tree.weights, other.weights, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("fraction", [1.0, 0.5, 0.29])
@pytest.mark.parametrize("learner", [C45(pruned=False), C45(), C45(pruned=False, collapse=False)])
def test_a_tree_is_that_of_its_rows(learner, fraction):
    """A bootstrap sample of all rows, of which the first part is kept, every row on its own."""
    table, size = mixed(), {1.0: 150, 0.5: 75, 0.29: 43}[fraction]
    samples = [random.integers(150, size=150)[:size] for random in generators(5, seed=7)]
    expected = [learner.grow(table.take(rows)) for rows in samples]
    found = Bagging(5, fraction, random_state=7, tree=learner).grow(table)
    assert_same_trees(found, expected)
    assert len({tree.size for tree in found}) > 1


def test_a_fraction_that_floats_miss_is_rounded_as_it_is_meant():
    table = mixed(100)
    (tree,) = Bagging(1, 0.29).grow(table)
    assert tree.weights[0].sum() == 29


@pytest.mark.parametrize("weights", [None, np.random.default_rng(3).choice([0.5, 2.0], 150)])
def test_without_replacement_rows_keep_their_weights(weights):
    table = mixed(weights=weights)
    samples = [random.permutation(150)[:75] for random in generators(4, seed=7)]
    expected = [C45(pruned=False).grow(table.take(np.sort(rows))) for rows in samples]
    found = Bagging(4, 0.5, random_state=7, bootstrap=False).grow(table)
    assert_same_trees(found, expected)
    assert len({tree.size for tree in found}) > 1


@pytest.mark.parametrize("weights", [None, np.random.default_rng(3).choice([0.5, 2.0], 150)])
def test_a_sample_of_all_rows_is_the_table(weights):
    table, learner = mixed(weights=weights), C45()
    found = Bagging(1, tree=learner, bootstrap=False).grow(table)
    assert_same_trees(found, [learner.grow(table)])
    assert Bagging(1, bootstrap=False).weights_repeat_rows
    assert not Bagging(1, 0.5, bootstrap=False).weights_repeat_rows
    with pytest.raises(ValueError, match="n_trees=2 with bootstrap=False and sample_fraction=1"):
        Bagging(2, bootstrap=False).grow(table)
    with pytest.raises(ValueError, match="bootstrap='no' must be True or False"):
        Bagging(2, bootstrap="no").grow(table)


def test_neither_threads_nor_further_trees_change_a_tree():
    table = mixed()
    one, four = Bagging(8).grow(table), Bagging(8).grow(table, threads=4)
    assert_same_trees(one, four)
    assert_same_trees(one[:3], Bagging(3).grow(table))
    assert_array_equal(one[5].weights, four[5].weights)


def test_rows_of_weight_zero_are_not_there():
    weights = np.random.default_rng(3).integers(0, 2, 150) * 1.0
    table = mixed(weights=weights)
    without = mixed().take(np.flatnonzero(weights))
    assert_same_trees(Bagging(4, 0.6).grow(table), Bagging(4, 0.6).grow(without))


def test_rows_are_drawn_in_proportion_to_their_weights():
    """Weights 1, 2 and 5 of three classes: shares of 1/8, 2/8, 5/8; 0.5 of a weight of 8 x 50."""
    target = np.arange(150, dtype=np.uint8) % 3
    weights = np.array([1.0, 2.0, 5.0])[target]
    table = MixedTable([target * 1.0], [0], target, 3, weights)
    trees = Bagging(400, 0.5).grow(table)
    roots = np.array([tree.weights[0] for tree in trees])
    assert_allclose(roots.sum(axis=1), 200, rtol=1e-12)
    # A mean of 400 samples of 75 rows: standard errors of 0.0028 at most.
    assert_allclose(roots.mean(axis=0) / 200, [1 / 8, 2 / 8, 5 / 8], atol=0.011)


def test_a_weight_of_all_rows_is_a_weight_of_what_is_drawn():
    plain, heavy = Bagging(3).grow(mixed()), Bagging(3).grow(mixed(weights=np.full(150, 1.0)))
    assert_same_trees(plain, heavy)
    doubled = Bagging(1, tree=C45(min_rows=4)).grow(mixed(weights=np.full(150, 2.0)))[0]
    assert doubled.weights[0].sum() == 300


def test_a_class_that_no_row_of_a_sample_has_is_impossible():
    table = mixed()
    for tree in Bagging(20, 2 / 150).grow(table):
        gone = tree.weights[0] == 0
        assert gone.any()
        assert_array_equal(tree.distribution(table)[:, gone], 0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_trees": 0}, "n_trees=0"),
        ({"n_trees": 2.0}, "n_trees=2.0"),
        ({"sample_fraction": 0.0}, "sample_fraction=0.0 must be a number above 0"),
        ({"sample_fraction": 1.5}, "sample_fraction=1.5"),
        ({"sample_fraction": "all"}, "sample_fraction='all'"),
        ({"random_state": -1}, "random_state=-1"),
        ({"sample_fraction": 0.006}, "0.006 of n_samples=150 leaves no row.*raise it to 1/150"),
        ({"tree": C45(min_rows=0)}, "min_rows=0"),
    ],
)
def test_options_out_of_range_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        Bagging(**options).grow(mixed())
