"""Decision trees, as a file tells them: a list an entry of the nodes."""

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

    Places = NDArray[np.int64]

LOST_SHARE = 1e-6
"""A branch that would get no more of a row with a missing value gets nothing of it."""
ROUNDING = 1e-9


def describe_trees(trees: Sequence[Tree]) -> list[dict[str, Any]]:
    """Columns, thresholds, first children and class weights of the nodes of every tree."""
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
    """Trees over columns with these numbers of labels, 0 for numbers; as many as there must be."""
    trees = [_read_tree(item, cards, n_classes) for item in field.items(count)]
    if not trees:
        raise field.error("is empty: there must be a tree")
    return trees


def _read_tree(field: Field, cards: Sequence[int], n_classes: int) -> Tree:
    members = field.members("column", "threshold", "first", "weights")
    column = _read_places(members["column"], -1, len(cards), "column")
    size = len(column)
    if size == 0:
        raise members["column"].error("is empty: a tree has a node")
    threshold = members["threshold"].floats(size)
    first = _read_places(members["first"], 0, size, "node")
    weights = members["weights"].floats(size * n_classes, lowest=0.0).reshape(size, n_classes)
    branches = np.array([card or 2 for card in cards])
    count = np.where(column < 0, 0, branches[column])
    parent = _parents(members["first"], first, count)
    _require_shared_out(members["weights"], weights, parent, count)
    whole = np.int32
    return Tree(
        column.astype(whole),
        threshold,
        first.astype(whole),
        count.astype(whole),
        weights,
        parent.astype(whole),
    )


def _read_places(field: Field, lowest: int, end: int, kind: str) -> Places:
    places = field.integers()
    wrong = (places < lowest) | (places >= end)
    if wrong.any():
        raise field.error(f"holds {places[np.argmax(wrong)]}, which is no {kind}")
    return places


def _parents(field: Field, first: Places, count: Places) -> Places:
    """The parent of every node: each but the root is the child of one node, which lies before it.

    In the order of their first children, the children of each test follow those of the one before.
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
        raise field.error("does not make a tree: every node but the first has one parent before it")
    return np.concatenate([[-1], np.repeat(tests, count[tests])])


def _require_shared_out(field: Field, weights: Floats, parent: Places, count: Places) -> None:
    """The children of a node share out its weight; next to nothing of it may be lost."""
    with np.errstate(over="ignore"):
        own = weights.sum(axis=1)
        below = np.bincount(parent[1:], own[1:], len(own))
    if not np.isfinite(own).all():
        raise field.error("holds numbers that are too large")
    lost = own - below
    wrong = (count > 0) & (
        (lost < -ROUNDING * own) | (lost > (LOST_SHARE * count + ROUNDING) * own)
    )
    if wrong.any():
        node = int(np.argmax(wrong))
        raise field.error(
            f"has {own[node]:.9g} in node {node}, and {below[node]:.9g} in its children"
        )


def _describe(model: TreeClassifier) -> dict[str, Any]:
    return {"trees": describe_trees(model.trees_)}


def _names(_: TreeClassifier) -> list[str]:
    return ["trees"]


def _restore(model: TreeClassifier, members: dict[str, Field]) -> None:
    schema, classes = model.schema_, len(model.classes_)
    trees = read_trees(members["trees"], schema.mixed_cards, classes, model.tree_count)
    model._keep_trees(schema, trees)


TREES = Codec(_describe, _names, _restore)
