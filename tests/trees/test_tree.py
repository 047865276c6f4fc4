"""Trees as arrays, and the tables they are made of."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bayesgrove import C45Classifier
from bayesgrove.encoding import MixedTable
from bayesgrove.kernels import kernels, numpy_kernels
from bayesgrove.trees import C45, Tree

ROWS = np.uint8([0, 0, 0, 0, 1, 1, 1, 1, 1, 1])
NUMBERS = np.array([2.0, 2, 2, 2, 1, 1, 1, 2, 2, 2])
CLASSES = np.uint8([0, 0, 0, 0, 0, 0, 0, 1, 1, 1])
STATES = [["p", "q", "r"], None]


@pytest.fixture
def tree():
    """p: class 0; q: by a threshold; no row has r."""
    table = MixedTable([ROWS, NUMBERS], [3, 0], CLASSES, 2)
    grown = C45(pruned=False).grow(table)
    assert grown.attribute[0] == 0
    return grown


def test_nodes_lie_behind_their_parents(tree):
    assert_array_equal(tree.attribute, [0, -1, 1, -1, -1, -1])
    assert_array_equal(tree.first, [1, 0, 4, 0, 0, 0])
    assert_array_equal(tree.count, [3, 0, 2, 0, 0, 0])
    assert_array_equal(tree.parent, [-1, 0, 0, 0, 2, 2])
    assert_array_equal(tree.weights, [[7, 3], [4, 0], [3, 3], [0, 0], [3, 0], [0, 3]])
    assert (tree.size, tree.leaves) == (6, 4)


def test_depths_are_the_least_and_start_at_one(tree):
    assert_array_equal(tree.depths(3), [1, 2, 0])


def test_an_empty_branch_predicts_as_its_parent(tree):
    rows = MixedTable([np.uint8([2, 0]), np.array([5.0, 5.0])], [3, 0])
    assert_allclose(tree.distribution(rows), [[0.7, 0.3], [1.0, 0.0]])
    assert "r: 0 (0.0)" in tree.to_text(["x", "z"], STATES, [0, 1])


def test_missing_values_at_two_depths_multiply(tree):
    rows = MixedTable([np.uint8([3, 3, 1, 200]), np.array([np.nan, 2, np.nan, 1])], [3, 0])
    expected = [[0.7, 0.3], [0.4, 0.6], [0.5, 0.5], [1.0, 0.0]]
    assert_allclose(tree.distribution(rows), expected, rtol=1e-14)


def test_the_text_of_a_leaf_has_weight_and_errors():
    leaf = C45().grow(MixedTable([], [], CLASSES, 2))
    assert leaf.to_text([], [], ["no", "yes"]) == ": no (10.0/3.0)"


def test_text_is_indented_by_depth(tree):
    assert tree.to_text(["x", "z"], STATES, ["no", "yes"]).splitlines() == [
        "x = p: no (4.0)",
        "x = q",
        "|   z <= 1: no (3.0)",
        "|   z > 1: yes (3.0)",
        "x = r: no (0.0)",
    ]


def test_nodes_out_of_reach_are_left_out(tree):
    count = tree.count.copy()
    count[2] = 0
    attribute = np.where(count > 0, tree.attribute, -1).astype(np.int32)
    cut = Tree.reachable(attribute, tree.threshold, tree.first, count, tree.weights)
    assert_array_equal(cut.attribute, [0, -1, -1, -1])
    assert_array_equal(cut.parent, [-1, 0, 0, 0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cards": [3]}, "cards"),
        ({"columns": [ROWS, NUMBERS[1:]]}, "Column 1 has shape"),
        ({"columns": [ROWS, NUMBERS + np.inf]}, "finite or NaN"),
        ({"columns": [ROWS, ROWS]}, "float64"),
        ({"columns": [NUMBERS, NUMBERS]}, "unsigned"),
        ({"n_classes": 1}, "below n_classes=1"),
        ({"target": CLASSES.astype(np.int64)}, "unsigned"),
        ({"weights": np.ones(3)}, "one float64"),
        ({"weights": -np.ones(10)}, "not negative"),
        ({"columns": [], "cards": [], "target": None}, "a column or classes"),
    ],
)
def test_tables_that_do_not_fit_are_refused(options, message):
    given = {"columns": [ROWS, NUMBERS], "cards": [3, 0], "target": CLASSES, "n_classes": 2}
    with pytest.raises(ValueError, match=message):
        MixedTable(**{**given, **options})


def test_rows_of_another_table_are_refused(tree):
    with pytest.raises(ValueError, match="fit"):
        tree.distribution(MixedTable([ROWS, NUMBERS], [2, 0]))


@pytest.mark.parametrize("scale", [5e-324, 1e-310, 1e-300, 1.0, 1e300])
@pytest.mark.parametrize("module", [kernels, numpy_kernels], ids=["native", "numpy"])
def test_the_smallest_numbers_are_split(module, scale):
    """Halves and tolerances of such numbers underflow to 0; yet both branches have rows."""
    values = np.array([1.0, 2.0, 3.0, 4.0] * 10) * scale
    target = np.array([0, 0, 1, 1] * 10, dtype=np.uint8)
    found = module.grow_tree([values], [0], target, 2, np.ones(40), 2.0, True)
    attribute, threshold = found[0], found[1]
    assert attribute.tolist() == [0, -1, -1]
    assert threshold[0] == values[1]


def test_a_tree_of_the_smallest_numbers_is_fitted():
    X, y = np.array([[5e-324], [1e-323]] * 10), ["a", "b"] * 10
    assert C45Classifier().fit(X, y).score(X, y) == 1.0
