"""Prune a C4.5 tree by estimated errors in numpy, with subtree raising."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.kernels.numpy.trees import TIE, Nodes, Share, TrainingRows, sum_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bayesgrove.kernels import Codes, Floats
    from bayesgrove.kernels.numpy.trees import Arrays, Numbers


def prune_tree(
    attribute: Numbers,
    threshold: Floats,
    first: Numbers,
    count: Numbers,
    node_weights: Floats,
    columns: Sequence[Codes | Floats],
    cards: Sequence[int],
    target: Codes,
    weights: Floats,
    confidence: float,
    z: float,
    raising: bool,
) -> Arrays:
    """Return a tree after error-based pruning.

    Nodes that were cut off stay in the arrays, but no node leads to them.

    Parameters
    ----------
    attribute : ndarray of shape (n_nodes,)
        Number of the column that each node tests, -1 at a leaf.
    threshold : ndarray of shape (n_nodes,)
        Threshold of each numeric test: values up to the threshold go to the first branch.
    first : ndarray of shape (n_nodes,)
        Number of the first child of each node.
    count : ndarray of shape (n_nodes,)
        Number of children of each node, 0 at a leaf.
    node_weights : ndarray of shape (n_nodes, n_classes)
        Weight of the training rows of each class in each node.
    columns : sequence of ndarray of shape (n_rows,)
        Codes (the code ``cards[j]`` is missing) or float64 numbers (NaN is missing).
    cards : sequence of int
        Cardinality of each column of codes, 0 for a column of numbers.
    target : ndarray of shape (n_rows,)
        Class code of each row. Every row must have a class.
    weights : ndarray of shape (n_rows,)
        Weight of each row.
    confidence : float
        Confidence factor of C4.5, between 0 and 1. A smaller one prunes more.
    z : float
        Quantile of the normal distribution at ``1 - confidence``.
    raising : bool
        Whether a node may be replaced by its largest branch.

    Returns
    -------
    attribute : ndarray of shape (n_nodes,)
        Number of the column that each node tests, -1 at a leaf.
    threshold : ndarray of shape (n_nodes,)
        Threshold of each numeric test: values up to the threshold go to the first branch.
    first : ndarray of shape (n_nodes,)
        Number of the first child of each node.
    count : ndarray of shape (n_nodes,)
        Number of children of each node, 0 at a leaf.
    weights : ndarray of shape (n_nodes, n_classes)
        Weight of the training rows of each class in each node.
    """
    data = TrainingRows(columns, cards, target, node_weights.shape[1], weights)
    tree = Nodes(attribute, threshold, first, count, node_weights)
    _Pruner(data, tree, confidence, z, raising).prune()
    return tree.arrays()


class _Pruner:
    """A tree whose subtrees are replaced from the leaves up."""

    def __init__(
        self, data: TrainingRows, tree: Nodes, confidence: float, z: float, raising: bool
    ) -> None:
        self.data, self.tree = data, tree
        self.confidence, self.z, self.raising = confidence, z, raising
        self.shares: dict[int, Share] = {}
        self.errors = [0.0] * len(tree.weights)

    def prune(self) -> None:
        """Prune the whole tree."""
        if self.raising:
            self._place(0, self.data.all())
        self._prune_below(0)

    def _prune_below(self, top: int) -> None:
        """Prune all nodes of a subtree, children before their parents."""
        nodes = [top]
        for node in nodes:
            nodes += self.tree.children(node)
        for node in reversed(nodes):
            self._prune_node(node)

    def _prune_node(self, node: int) -> None:
        """Keep a node, make it a leaf, or replace it by its largest branch."""
        tree = self.tree
        as_leaf = self.errors[node] = self._leaf_errors(tree.weights[node])
        if tree.count[node] == 0:
            return
        as_tree = sum_of(np.array([self.errors[k] for k in tree.children(node)]))
        largest = self._largest_branch(node)
        raised = self._branch_errors(largest, self.shares[node]) if self.raising else math.inf
        if as_leaf - (as_tree + 0.1) < TIE and as_leaf - (raised + 0.1) < TIE:
            tree.attribute[node], tree.count[node] = -1, 0
        elif raised - (as_tree + 0.1) < TIE:
            for entries in (tree.attribute, tree.threshold, tree.first, tree.count):
                entries[node] = entries[largest]
            self._place(node, self.shares[node])
            self._prune_below(node)
        else:
            self.errors[node] = as_tree

    def _largest_branch(self, node: int) -> int:
        """Return the child with the largest weight; ties go to the last child."""
        best, largest = self.tree.first[node], 0.0
        for child in self.tree.children(node):
            total = sum_of(self.tree.weights[child])
            if largest - total < TIE:
                best, largest = child, total
        return int(best)

    def _leaf_errors(self, weights: Floats) -> float:
        """Return the estimated errors of a leaf with these class weights."""
        total = sum_of(weights)
        if total < TIE:
            return 0.0
        wrong = total - float(weights.max())
        return wrong + _added_errors(total, wrong, self.confidence, self.z)

    def _descend(self, top: int, rows: Share) -> Iterator[tuple[int, Share]]:
        """Yield the nodes of a subtree that gets these rows, with their rows, upper nodes first."""
        tree, waiting = self.tree, [(top, rows)]
        while waiting:
            node, share = waiting.pop()
            if tree.count[node]:
                parts = self.data.share_out(tree.attribute[node], tree.threshold[node], share)
                waiting += list(zip(tree.children(node), parts, strict=True))[::-1]
            yield node, share

    def _branch_errors(self, top: int, rows: Share) -> float:
        """Return the estimated errors of a subtree if it had these rows."""
        errors = 0.0
        for node, share in self._descend(top, rows):
            if self.tree.count[node] == 0:
                errors += self._leaf_errors(self.data.class_weights(share))
        return errors

    def _place(self, top: int, rows: Share) -> None:
        """Store the rows and the class weights of every node of a subtree that gets these rows."""
        for node, share in self._descend(top, rows):
            self.tree.weights[node] = self.data.class_weights(share)
            self.shares[node] = share


def _added_errors(n: float, e: float, confidence: float, z: float) -> float:
    """Return the errors to add to e among n: the upper limit of a binomial proportion."""
    if e < 1.0:
        at_zero = n * (1.0 - math.pow(confidence, 1.0 / n))
        if e == 0.0:
            return at_zero
        return at_zero + e * (_added_errors(n, 1.0, confidence, z) - at_zero)
    if e + 0.5 >= n:
        return max(n - e, 0.0)
    f, zz = (e + 0.5) / n, z * z
    spread = math.sqrt(f / n - f * f / n + zz / (4.0 * n * n))
    return (f + zz / (2.0 * n) + z * spread) / (1.0 + zz / n) * n - e
