"""Weights from the depths of trees, against trees drawn by hand and tables that leave no choice."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from bayesgrove import WeightedNaiveBayesClassifier
from bayesgrove.contracts import TrainingData
from bayesgrove.encoding import MixedTable
from bayesgrove.trees import Bagging, Tree
from bayesgrove.weighting import TreeDepth, depth_weights

HALF = 1 / np.sqrt(2)


def drawn(*nodes):
    """A tree of nodes (attribute or -1, parent), the root first, children behind their parent."""
    attribute = np.array([tested for tested, _ in nodes], dtype=np.int32)
    parent = np.array([above for _, above in nodes], dtype=np.int32)
    count = np.bincount(parent[1:], minlength=len(nodes)).astype(np.int32)
    first = np.array(
        [np.argmax(parent == node) if count[node] else 0 for node in range(len(nodes))],
        dtype=np.int32,
    )
    return Tree(attribute, np.zeros(len(nodes)), first, count, np.ones((len(nodes), 2)), parent)


LEAF = drawn((-1, -1))
STUMP = drawn((2, -1), (-1, 0), (-1, 0))
#  Column 1 at the root; 0 on the left, which is tested again below 3 on the right.
DEEP = drawn(
    *((1, -1), (0, 0), (3, 0)),
    *((-1, 1), (-1, 1), (0, 2), (1, 2)),
    *((-1, 5), (-1, 5), (2, 6), (-1, 6), (-1, 9), (-1, 9)),
)


def test_trees_drawn_by_hand():
    assert_allclose(depth_weights([LEAF], 4), [0, 0, 0, 0])
    assert_allclose(depth_weights([STUMP], 4), [0, 0, 1, 0])
    assert_allclose(depth_weights([DEEP], 5), [HALF, 1, 1 / 2, HALF, 0])
    mean = [HALF / 3, 1 / 3, (1 + 1 / 2) / 3, HALF / 3]
    assert_allclose(depth_weights([LEAF, STUMP, DEEP], 4), mean)


def obvious(rows=400, seed=0):
    """The column "first" tells class 0 from others, "second" the others; "same" tells nothing."""
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, 2, rows), rng.integers(0, 2, rows)
    X = pd.DataFrame(
        {
            "same": ["k"] * rows,
            "second": np.array(["u", "v"], dtype=object)[second],
            "first": first + rng.random(rows) / 2,
        }
    )
    return X, first * (1 + second)


@pytest.mark.parametrize("fraction", [0.5, 1.0])
def test_a_table_that_leaves_trees_no_choice(fraction):
    X, y = obvious()
    model = WeightedNaiveBayesClassifier(sample_fraction=fraction).fit(X, y)
    assert_allclose(model.weights_, [0, HALF, 1], rtol=1e-15)
    assert model.selected_ == ["second", "first"]
    chosen = WeightedNaiveBayesClassifier(sample_fraction=fraction, select_only=True).fit(X, y)
    assert chosen.weights_.tolist() == [0.0, 1.0, 1.0]


def least_depths(tree, node=0, depth=1):
    """The depth at which every attribute is first met, from the root down."""
    if tree.count[node] == 0:
        return {}
    found = {int(tree.attribute[node]): depth}
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        for attribute, own in least_depths(tree, child, depth + 1).items():
            found[attribute] = min(own, found.get(attribute, own))
    return found


def random_table(rows=200, seed=0):
    rng = np.random.default_rng(seed)
    target = rng.integers(0, 3, rows).astype(np.uint8)
    cards = [3, 0, 4, 0, 2]
    columns = [
        np.where(rng.random(rows) < 0.4, target % card, rng.integers(0, card + 1, rows)).astype(
            np.uint8
        )
        if card
        else np.where(rng.random(rows) < 0.1, np.nan, target + rng.normal(size=rows))
        for card in cards
    ]
    return MixedTable(columns, cards, target, 3)


def test_weights_are_the_mean_over_the_bagged_trees():
    table = random_table()
    expected = np.zeros(5)
    for tree in Bagging(7, 0.6, random_state=3).grow(table):
        for attribute, depth in least_depths(tree).items():
            expected[attribute] += depth**-0.5 / 7
    found = TreeDepth(7, 0.6, random_state=3).weights(TrainingData.of_table(table))
    assert_allclose(found, expected, rtol=1e-14)
    assert len(set(found.tolist())) > 3
    threads = TreeDepth(7, 0.6, random_state=3).weights(TrainingData.of_table(table, threads=3))
    assert threads.tolist() == found.tolist()
    other = TreeDepth(7, 0.6, random_state=4).weights(TrainingData.of_table(table))
    assert other.tolist() != found.tolist()
