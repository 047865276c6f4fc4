"""Error-based pruning of a C4.5 tree in numpy, with subtree raising."""

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
    """The tree after error-based pruning; nodes that were cut off are left in the arrays.

    ``z`` is the quantile of the normal distribution at ``1 - confidence``.
    """
    data = TrainingRows(columns, cards, target, node_weights.shape[1], weights)
    tree = Nodes(attribute, threshold, first, count, node_weights)
    _Pruner(data, tree, confidence, z, raising).prune()
    return tree.arrays()


class _Pruner:
    """Subtrees replaced from the leaves up."""

    def __init__(
        self, data: TrainingRows, tree: Nodes, confidence: float, z: float, raising: bool
    ) -> None:
        self.data, self.tree = data, tree
        self.confidence, self.z, self.raising = confidence, z, raising
        self.shares: dict[int, Share] = {}
        self.errors = [0.0] * len(tree.weights)

    def prune(self) -> None:
        if self.raising:
            self._place(0, self.data.all())
        self._prune_below(0)

    def _prune_below(self, top: int) -> None:
        """All nodes of a subtree, those below first."""
        nodes = [top]
        for node in nodes:
            nodes += self.tree.children(node)
        for node in reversed(nodes):
            self._prune_node(node)

    def _prune_node(self, node: int) -> None:
        """A node stays, becomes a leaf, or gives its place to its largest branch."""
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
        """The last of the largest."""
        best, most = self.tree.first[node], 0.0
        for child in self.tree.children(node):
            total = sum_of(self.tree.weights[child])
            if most - total < TIE:
                best, most = child, total
        return int(best)

    def _leaf_errors(self, weights: Floats) -> float:
        total = sum_of(weights)
        if total < TIE:
            return 0.0
        wrong = total - float(weights.max())
        return wrong + _added_errors(total, wrong, self.confidence, self.z)

    def _descend(self, top: int, rows: Share) -> Iterator[tuple[int, Share]]:
        """The nodes of a subtree and their rows if it had these, upper nodes first."""
        tree, waiting = self.tree, [(top, rows)]
        while waiting:
            node, share = waiting.pop()
            if tree.count[node]:
                parts = self.data.share_out(tree.attribute[node], tree.threshold[node], share)
                waiting += list(zip(tree.children(node), parts, strict=True))[::-1]
            yield node, share

    def _branch_errors(self, top: int, rows: Share) -> float:
        """Errors of a subtree if it had other rows."""
        errors = 0.0
        for node, share in self._descend(top, rows):
            if self.tree.count[node] == 0:
                errors += self._leaf_errors(self.data.class_weights(share))
        return errors

    def _place(self, top: int, rows: Share) -> None:
        for node, share in self._descend(top, rows):
            self.tree.weights[node] = self.data.class_weights(share)
            self.shares[node] = share


def _added_errors(n: float, e: float, confidence: float, z: float) -> float:
    """Errors to add to e among n: the upper limit of a binomial proportion."""
    if e < 1.0:
        none = n * (1.0 - math.pow(confidence, 1.0 / n))
        return none if e == 0.0 else none + e * (_added_errors(n, 1.0, confidence, z) - none)
    if e + 0.5 >= n:
        return max(n - e, 0.0)
    f, zz = (e + 0.5) / n, z * z
    spread = math.sqrt(f / n - f * f / n + zz / (4.0 * n * n))
    return (f + zz / (2.0 * n) + z * spread) / (1.0 + zz / n) * n - e
