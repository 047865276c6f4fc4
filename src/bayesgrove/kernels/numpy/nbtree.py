"""Grow a decision tree with naive Bayes at the leaves, in numpy.

The naive Bayes models of a tree are four arrays with one model after another: ``priors``, the
logarithms of the class probabilities; ``values``, the number of values or intervals of every
column; ``cuts``, the cut points of the numeric columns; and ``tables``, the logarithms of
P(value | class), column by column and value by value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.kernels.numpy.nbtree_validation import NaiveValidation, coded_columns
from bayesgrove.kernels.numpy.tree_splits import SplitFinder
from bayesgrove.kernels.numpy.trees import TIE, Nodes, Share, TrainingRows, sum_of, weights_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.kernels import Codes, Floats
    from bayesgrove.kernels.numpy.trees import Arrays, Numbers

    Models = tuple[Floats, Numbers, Floats, Floats]
    Grown = tuple[Arrays, Numbers, Floats, Numbers, Floats, Floats]

_SAME_ERRORS = 1e-9
"""Errors closer than this are equal."""


def grow_nbtree(
    columns: Sequence[Codes | Floats],
    cards: Sequence[int],
    target: Codes,
    n_classes: int,
    weights: Floats,
    min_rows: float,
    reduction: float,
    folds: int,
) -> Grown:
    """Return a tree with naive Bayes at the leaves, and its models.

    A node is split by the column whose branches have the fewest errors of naive Bayes, estimated by
    cross-validation. Every leaf has a model. A leaf without rows has the model of its parent.

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
        Least weight of a node that may be split.
    reduction : float
        Least relative reduction of the errors that a split must reach.
    folds : int
        Number of folds of the cross-validation. Nodes with fewer rows are not split.

    Returns
    -------
    tree : tuple of ndarray
        ``attribute``, ``threshold``, ``first``, ``count`` and ``weights``, with one entry per node.
    model : ndarray of shape (n_nodes,)
        Number of the model that predicts at each node, or -1.
    priors : ndarray of shape (n_models, n_classes)
        Logarithms of the class probabilities of each model.
    values : ndarray of shape (n_models, n_columns)
        Number of values or intervals of each column in each model.
    cuts : ndarray
        Cut points of the numeric columns, model after model and column after column.
    tables : ndarray
        Logarithms of P(value | class), model after model, column after column, value after value.
    """
    data = TrainingRows(columns, cards, target, n_classes, weights)
    return _Grower(data, min_rows, reduction, folds).grow()


class _Grower:
    """A tree that grows from the root down."""

    def __init__(self, data: TrainingRows, min_rows: float, reduction: float, folds: int) -> None:
        self.data, self.min_rows, self.reduction, self.folds = data, min_rows, reduction, folds
        self.finder = SplitFinder(data, 2.0, mdl=True)
        self.validation = NaiveValidation(data, folds)
        root = data.all()
        self.tree, self.model = Nodes.leaf(data.class_weights(root)), [-1]
        self.waiting = [(0, root)]
        self.learned: list[Share] = []

    def grow(self) -> Grown:
        """Return the grown tree and its models.

        Children get their numbers when their parent is split. The first branch is grown first.
        """
        while self.waiting:
            node, share = self.waiting.pop()
            chosen, threshold = self._choose(share, self.tree.weights[node])
            if chosen < 0:
                self._learn(share, [node])
            else:
                self._divide(node, share, chosen, threshold)
        model = np.array(self.model, dtype=np.int32)
        return self.tree.arrays(), model, *_models(self.data, self.learned)

    def _divide(self, node: int, share: Share, chosen: int, threshold: float) -> None:
        """Split a node; children with rows are tried next, the others get the model of the node."""
        shares = self.data.share_out(chosen, threshold, share)
        weights = [self.data.class_weights(child) for child in shares]
        self.tree.split(node, chosen, threshold, weights)
        self.model += [-1] * len(shares)
        children = list(zip(self.tree.children(node), shares, strict=True))
        filled = [sum_of(self.tree.weights[child]) >= TIE for child, _ in children]
        if not all(filled):
            self._learn(
                share, [c for (c, _), full in zip(children, filled, strict=True) if not full]
            )
        pairs = zip(children[::-1], filled[::-1], strict=True)
        self.waiting += [child for child, full in pairs if full]

    def _learn(self, share: Share, nodes: list[int]) -> None:
        """Give the model of these rows to some nodes."""
        for node in nodes:
            self.model[node] = len(self.learned)
        self.learned.append(share)

    def _choose(self, share: Share, weights: Floats) -> tuple[int, float]:
        """Return the column whose branches have the fewest errors, or -1 without a good one."""
        total = sum_of(weights)
        few = len(share.rows) < self.folds or self.min_rows - total > TIE
        if few or total - weights.max() < TIE:
            return -1, 0.0
        errors = self.validation.errors(share)
        best, threshold, least = -1, 0.0, errors
        for j in range(len(self.data.cards) if errors > _SAME_ERRORS else 0):
            split = self.finder.split(j, share, total)
            if split is None:
                continue
            branches = self.data.share_out(j, split.threshold, share)
            branch_errors = self.validation.errors_of_branches(branches)
            if branch_errors is not None and least - branch_errors > _SAME_ERRORS:
                best, threshold, least = j, split.threshold, branch_errors
        fewer = errors - least >= self.reduction * errors - _SAME_ERRORS
        return (best, threshold) if fewer else (-1, 0.0)


def _models(data: TrainingRows, learned: list[Share]) -> Models:
    """Return naive Bayes models of some nodes, from counts with one pseudo-count per cell."""
    priors, values, cuts, tables = [], [], [np.zeros(0)], [np.zeros(0)]
    for share in learned:
        weights = data.class_weights(share)
        priors.append(np.log(weights + 1.0) - np.log(sum_of(weights) + data.classes))
        target = data.target[share.rows]
        for column in coded_columns(data, share):
            shape = column.values, data.classes
            cells = column.codes * data.classes + target[column.known]
            table = weights_by(cells, share.weights[column.known], column.values * data.classes)
            table = table.reshape(shape)
            tables.append((np.log(table + 1.0) - np.log(table.sum(axis=0) + shape[0])).ravel())
            values.append(column.values)
            cuts.append(column.cuts)
    numbers = np.array(values, dtype=np.int32).reshape(len(learned), len(data.cards))
    return np.stack(priors), numbers, np.concatenate(cuts), np.concatenate(tables)
