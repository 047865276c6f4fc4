"""A tree as text, one line per branch."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.trees.tree import Tree


def tree_text(
    tree: Tree,
    names: Sequence[str],
    states: Sequence[Sequence[Any] | None],
    labels: Sequence[str],
) -> str:
    """Return the tree as text: one line per branch, indented by its depth.

    ``labels`` has one label per node; only the labels of leaves are shown.
    """
    if tree.count[0] == 0:
        return f": {labels[0]}"
    depths, lines = tree.node_depths, []
    waiting = [*reversed(tree.children(0))]
    while waiting:
        node = waiting.pop()
        column = int(tree.attribute[tree.parent[node]])
        condition = f"{names[column]} {branch_text(tree, node, states)}"
        line = "|   " * int(depths[node] - 2) + condition
        lines.append(line if tree.count[node] else f"{line}: {labels[node]}")
        waiting += reversed(tree.children(node))
    return "\n".join(lines)


def branch_text(tree: Tree, node: int, states: Sequence[Sequence[Any] | None]) -> str:
    """Return the condition under which a row reaches a node from its parent, such as ``<= 0.6``."""
    parent = int(tree.parent[node])
    column, branch = int(tree.attribute[parent]), node - int(tree.first[parent])
    labels = states[column]
    if labels is not None:
        return f"= {labels[branch]}"
    return f"{'>' if branch else '<='} {float(tree.threshold[parent]):.10g}"


def node_labels(tree: Tree, classes: Sequence[Any]) -> list[str]:
    """Return class, weight and errors of every node; an empty node has the class of its parent."""
    best = tree.weights.argmax(axis=1)
    totals = tree.weights.sum(axis=1)
    for node in np.flatnonzero(totals == 0).tolist():
        best[node] = best[max(int(tree.parent[node]), 0)]
    errors = totals - tree.weights.max(axis=1)
    return [
        f"{classes[c]} ({rounded(total)}" + (f"/{rounded(wrong)})" if wrong > 0.005 else ")")
        for c, total, wrong in zip(best.tolist(), totals.tolist(), errors.tolist(), strict=True)
    ]


def rounded(weight: float) -> str:
    """Return a weight with at most two decimal digits; halves are rounded up."""
    return str(math.floor(weight * 100 + 0.5) / 100)
