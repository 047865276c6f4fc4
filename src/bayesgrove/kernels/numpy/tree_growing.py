"""Grow a C4.5 tree in numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.kernels.numpy.tree_splits import SplitFinder
from bayesgrove.kernels.numpy.trees import TIE, Nodes, Share, TrainingRows, sum_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.kernels import Codes, Floats
    from bayesgrove.kernels.numpy.trees import Arrays


def grow_tree(
    columns: Sequence[Codes | Floats],
    cards: Sequence[int],
    target: Codes,
    n_classes: int,
    weights: Floats,
    min_rows: float,
    mdl: bool,
) -> Arrays:
    """Return a C4.5 tree that is neither collapsed nor pruned.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n_rows,)
        Codes (the code ``cards[j]`` is missing) or float64 numbers (NaN is missing).
    cards : sequence of int
        Cardinality of each column of codes, 0 for a column of numbers.
    target : ndarray of shape (n_rows,)
        Class code of each row. Every row must have a class.
    n_classes : int
        Number of classes.
    weights : ndarray of shape (n_rows,)
        Weight of each row.
    min_rows : float
        Least weight of a branch. A nominal split needs two such branches, a numeric split has no
        lighter branch. A node is split only if it has twice this weight.
    mdl : bool
        Whether to reduce the gain of a numeric split by the bits that name its threshold among all
        possible thresholds.

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
    data = TrainingRows(columns, cards, target, n_classes, weights)
    return _Grower(data, min_rows, mdl).grow()


class _Grower:
    """A tree that grows from the root down."""

    def __init__(self, data: TrainingRows, min_rows: float, mdl: bool) -> None:
        self.data, self.min_rows, self.finder = data, min_rows, SplitFinder(data, min_rows, mdl)
        # Columns with many values do not enter the average gain, unless all columns have many.
        bound = 0.3 * sum_of(data.weights)
        self.in_average = [card == 0 or bound - card > TIE for card in data.cards]
        if not any(self.in_average):
            self.in_average = [True] * len(self.in_average)

    def grow(self) -> Arrays:
        """Return the grown tree.

        Children get their numbers when their parent is split. The first branch is grown first.
        """
        data, share = self.data, self.data.all()
        tree = Nodes.leaf(data.class_weights(share))
        waiting = [(0, share)] if self._open(tree.weights[0]) else []
        while waiting:
            node, share = waiting.pop()
            chosen, threshold = self._choose(share, sum_of(tree.weights[node]))
            if chosen < 0:
                continue
            shares = data.share_out(chosen, threshold, share)
            tree.split(node, chosen, threshold, [data.class_weights(child) for child in shares])
            pairs = zip(tree.children(node), shares, strict=True)
            waiting += [pair for pair in pairs if self._open(tree.weights[pair[0]])][::-1]
        return tree.arrays()

    def _open(self, weights: Floats) -> bool:
        """Return whether a node has enough rows, of more than one class."""
        total = sum_of(weights)
        return 2.0 * self.min_rows - total <= TIE and total - weights.max() >= TIE

    def _choose(self, share: Share, total: float) -> tuple[int, float]:
        """Return the column with the best gain ratio, or -1, and its threshold.

        Only columns with at least the average gain are compared.
        """
        splits = [self.finder.split(j, share, total) for j in range(len(self.data.cards))]
        pairs = zip(splits, self.in_average, strict=True)
        gains = [split.gain for split, in_average in pairs if split and in_average]
        if not gains:
            return -1, 0.0
        average = sum_of(np.array(gains)) / len(gains)
        best, ratio = -1, 0.0
        for j, split in enumerate(splits):
            if split and split.gain >= average - 1e-3 and split.ratio - ratio > TIE:
                best, ratio = j, split.ratio
        chosen = splits[best] if best >= 0 else None
        if chosen is None or self.data.cards[best]:
            return best, 0.0
        # C4.5 uses a value of the data as the threshold: the largest one not above the midpoint.
        values, tie = self.data.columns[best], TIE * self.data.units[best]
        low = (values <= chosen.threshold) | (values - chosen.threshold < tie)
        return best, float(values[low].max())
