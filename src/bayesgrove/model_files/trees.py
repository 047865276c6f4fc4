"""Decision trees, in the format of model files: lists with one entry per node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.model_files.codec import Codec
from bayesgrove.trees import Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.estimators.base.tree import TreeClassifier
    from bayesgrove.kernels import Floats
    from bayesgrove.model_files.fields import Field

    Indices = NDArray[np.int64]

LOST_SHARE = 1e-6
"""A branch that would get at most this share of a row with a missing value gets nothing."""
ROUNDING = 1e-9
"""Relative rounding error that sums of weights may have."""


def describe_trees(trees: Sequence[Tree]) -> list[dict[str, Any]]:
    """Return the columns, thresholds, first children and class weights of every tree's nodes."""
    return [
        {
            "column": tree.attribute.tolist(),
            "threshold": tree.threshold.tolist(),
            "first": tree.first.tolist(),
            "weights": tree.weights.ravel().tolist(),
        }
        for tree in trees
    ]


def read_trees(
    field: Field, cards: Sequence[int], n_classes: int, count: int | None = None
) -> list[Tree]:
    """Return at least one tree, and exactly ``count`` trees unless it is None.

    ``cards`` has the number of labels of each column, 0 for numeric columns.
    """
    trees = [_read_tree(item, cards, n_classes) for item in field.items(count)]
    if not trees:
        raise field.error("is empty: there must be a tree")
    return trees


def _read_tree(field: Field, cards: Sequence[int], n_classes: int) -> Tree:
    """Return one tree."""
    members = field.members("column", "threshold", "first", "weights")
    column = _read_indices(members["column"], -1, len(cards), "column")
    size = len(column)
    if size == 0:
        raise members["column"].error("is empty: a tree has at least one node")
    threshold = members["threshold"].floats(size)
    first = _read_indices(members["first"], 0, size, "node")
    weights = members["weights"].floats(size * n_classes, lowest=0.0).reshape(size, n_classes)
    branches = np.array([card or 2 for card in cards])
    count = np.where(column < 0, 0, branches[column])
    parent = _parents(members["first"], first, count)
    _require_weight_sums(members["weights"], weights, parent, count)
    int32 = np.int32
    return Tree(
        column.astype(int32),
        threshold,
        first.astype(int32),
        count.astype(int32),
        weights,
        parent.astype(int32),
    )


def _read_indices(field: Field, lowest: int, end: int, kind: str) -> Indices:
    """Return indices of columns or nodes, from ``lowest`` to ``end - 1``."""
    indices = field.integers()
    wrong = (indices < lowest) | (indices >= end)
    if wrong.any():
        raise field.error(f"holds {indices[np.argmax(wrong)]}, which is not a {kind}")
    return indices


def _parents(field: Field, first: Indices, count: Indices) -> Indices:
    """Return the parent of every node; raise unless the nodes make a tree.

    Every node except the root is the child of exactly one node, which comes before it. If the tests
    are sorted by their first children, then the children of each test directly follow the children
    of the test before.
    """
    if len(first) != len(count):
        raise field.error(f"has {len(first)} numbers, needs {len(count)}")
    tests = np.flatnonzero(count)
    tests = tests[np.argsort(first[tests], kind="stable")]
    ends = 1 + np.cumsum(count[tests])
    if (
        1 + count.sum() != len(count)
        or (first[tests] != ends - count[tests]).any()
        or (first[tests] <= tests).any()
        or first[count == 0].any()
    ):
        raise field.error(
            "does not make a tree: every node except the first must have one parent before it"
        )
    return np.concatenate([[-1], np.repeat(tests, count[tests])])


def _require_weight_sums(field: Field, weights: Floats, parent: Indices, count: Indices) -> None:
    """Raise unless the weights of the children of a node sum to its weight, up to a small loss."""
    with np.errstate(over="ignore"):
        totals = weights.sum(axis=1)
        below = np.bincount(parent[1:], totals[1:], len(totals))
    if not np.isfinite(totals).all():
        raise field.error("holds numbers that are too large")
    lost = totals - below
    wrong = (count > 0) & (
        (lost < -ROUNDING * totals) | (lost > (LOST_SHARE * count + ROUNDING) * totals)
    )
    if wrong.any():
        node = int(np.argmax(wrong))
        raise field.error(
            f"has {totals[node]:.9g} in node {node}, and {below[node]:.9g} in its children"
        )


def _describe(model: TreeClassifier) -> dict[str, Any]:
    """Return all trees."""
    return {"trees": describe_trees(model.trees_)}


def _names(_: TreeClassifier) -> list[str]:
    return ["trees"]


def _restore(model: TreeClassifier, members: dict[str, Field]) -> None:
    """Check the trees, and put them into the model."""
    schema, classes = model.schema_, len(model.classes_)
    trees = read_trees(members["trees"], schema.mixed_cards, classes, model.tree_count)
    model._keep_trees(schema, trees)


TREES = Codec(_describe, _names, _restore)
