"""Growing a C4.5 tree in numpy."""

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
    """A C4.5 tree, neither collapsed nor pruned: attribute, threshold, first, count, weights.

    ``mdl``: the gain of a numeric split is less the bits that name one of the thresholds.
    """
    data = TrainingRows(columns, cards, target, n_classes, weights)
    return _Grower(data, min_rows, mdl).grow()


class _Grower:
    """Tests chosen from the root down."""

    def __init__(self, data: TrainingRows, min_rows: float, mdl: bool) -> None:
        self.data, self.min_rows, self.finder = data, min_rows, SplitFinder(data, min_rows, mdl)
        bound = 0.3 * sum_of(data.weights)
        self.counts = [card == 0 or bound - card > TIE for card in data.cards]
        if not any(self.counts):
            self.counts = [True] * len(self.counts)

    def grow(self) -> Arrays:
        """Nodes get their numbers as their parents are split, the first branch first."""
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
        """Whether a node has rows enough, of more than one class."""
        total = sum_of(weights)
        return 2.0 * self.min_rows - total <= TIE and total - weights.max() >= TIE

    def _choose(self, share: Share, total: float) -> tuple[int, float]:
        """The column with the best gain ratio among those of at least average gain, or -1."""
        splits = [self.finder.split(j, share, total) for j in range(len(self.data.cards))]
        pairs = zip(splits, self.counts, strict=True)
        gains = [split.gain for split, counts in pairs if split and counts]
        if not gains:
            return -1, 0.0
        average = sum_of(np.array(gains)) / len(gains)
        best, ratio = -1, 0.0
        for j, split in enumerate(splits):
            if split and split.gain >= average - 1e-3 and split.ratio - ratio > TIE:
                best, ratio = j, split.ratio
        found = splits[best] if best >= 0 else None
        if found is None or self.data.cards[best]:
            return best, 0.0
        values, tie = self.data.columns[best], TIE * self.data.units[best]
        return best, float(values[values - found.threshold < tie].max())
