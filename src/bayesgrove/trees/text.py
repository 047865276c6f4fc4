"""A tree as text, a line a branch."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.trees.tree import Tree


def tree_text(
    tree: Tree, names: Sequence[str], states: Sequence[Sequence[Any] | None], classes: Sequence[Any]
) -> str:
    """One line a branch, indented by its depth; a leaf shows its class, weight and errors."""
    labels = _leaf_labels(tree, classes)
    if tree.count[0] == 0:
        return f": {labels[0]}"
    depths, lines = tree.node_depths, []
    waiting = [*_children(tree, 0)]
    while waiting:
        node = waiting.pop()
        line = "|   " * int(depths[node] - 2) + _condition(tree, node, names, states)
        lines.append(line if tree.count[node] else f"{line}: {labels[node]}")
        waiting += _children(tree, node)
    return "\n".join(lines)


def _children(tree: Tree, node: int) -> range:
    """The last child first."""
    first, count = int(tree.first[node]), int(tree.count[node])
    return range(first + count - 1, first - 1, -1)


def _condition(
    tree: Tree, node: int, names: Sequence[str], states: Sequence[Sequence[Any] | None]
) -> str:
    parent = int(tree.parent[node])
    column, branch = int(tree.attribute[parent]), node - int(tree.first[parent])
    labels = states[column]
    if labels is not None:
        return f"{names[column]} = {labels[branch]}"
    return f"{names[column]} {'>' if branch else '<='} {float(tree.threshold[parent]):.10g}"


def _leaf_labels(tree: Tree, classes: Sequence[Any]) -> list[str]:
    """Class, weight and errors of every node; an empty one has the class of its parent."""
    best = tree.weights.argmax(axis=1)
    totals = tree.weights.sum(axis=1)
    for node in np.flatnonzero(totals == 0).tolist():
        best[node] = best[max(int(tree.parent[node]), 0)]
    errors = totals - tree.weights.max(axis=1)
    return [
        f"{classes[c]} ({_rounded(total)}" + (f"/{_rounded(wrong)})" if wrong > 0.005 else ")")
        for c, total, wrong in zip(best.tolist(), totals.tolist(), errors.tolist(), strict=True)
    ]


def _rounded(weight: float) -> str:
    """Two digits, halves up."""
    return str(math.floor(weight * 100 + 0.5) / 100)
