"""C4.5 decision trees.

J. R. Quinlan (1993). C4.5: Programs for Machine Learning. Morgan Kaufmann.
J. R. Quinlan (1996). Improved use of continuous attributes in C4.5. JAIR 4, 77-90 (release 8).
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.options import require_count, require_flag, require_part
from bayesgrove._utils.renamed import renamed
from bayesgrove.kernels import kernels
from bayesgrove.trees.tree import Tree

if TYPE_CHECKING:
    from bayesgrove.encoding import MixedTable


@renamed(raising="subtree_raising")
@dataclass(frozen=True)
class C45:
    """C4.5, release 8, with the choices of the widely used J48.

    A test on codes has one branch a value, a test on numbers two branches at a threshold, which
    is a value of the table. Among the tests whose information gain is about average or better, the
    one with the best gain ratio is taken. Only rows with a known value tell a gain; the others go
    down all branches, in proportion. Differences below 1e-6 are ties, for the earlier column.

    Numbers closer than 1e-5 are not cut apart; where those of a column have a range below 0.01,
    closer than 1e-5 of it, so that a column in small units is cut as any other.

    Parameters
    ----------
    pruned : error-based pruning, by the upper limit of the error rate at ``confidence``.
    min_rows : weight that at least two branches must have. Both parts at a threshold must have a
        tenth of the mean class too, up to 25.
    confidence : smaller prunes more; at most 0.5.
    collapse : make a subtree a leaf if it has no fewer errors on the training rows.
    subtree_raising : while pruning, a node may give its place to its largest branch.
    mdl_correction : the gain at a threshold is less the bits that name the threshold.

    >>> from bayesgrove.encoding import MixedTable
    >>> wind = np.array([0, 0, 0, 1, 1, 1], dtype=np.uint8)
    >>> play = np.array([1, 1, 1, 0, 0, 0], dtype=np.uint8)
    >>> tree = C45().grow(MixedTable([wind], [2], play, 2))
    >>> print(tree.to_text(["wind"], [["weak", "strong"]], ["no", "yes"]))
    wind = weak: yes (3.0)
    wind = strong: no (3.0)
    """

    pruned: bool = True
    min_rows: int = 2
    confidence: float = 0.25
    collapse: bool = True
    subtree_raising: bool = True
    mdl_correction: bool = True

    @property
    def least_weight(self) -> float:
        """What the rows must weigh for a tree that has a test."""
        return 2.0 * self.min_rows

    def grow(self, table: MixedTable) -> Tree:
        """The tree of a table with classes; rows of weight zero are left out."""
        self.check()
        if table.weights is not None and not table.weights.all():
            table = table.take(np.flatnonzero(table.weights))
        columns = table.contiguous()
        cards, target = list(table.cards), np.ascontiguousarray(table.classes)
        weights = np.ascontiguousarray(table.row_weights)
        mdl = bool(self.mdl_correction)
        arrays = kernels.grow_tree(
            columns, cards, target, table.n_classes, weights, self.min_rows, mdl
        )
        tree = Tree.reachable(*arrays)
        if self.collapse:
            tree = tree.collapsed()
        if self.pruned:
            confidence, subtree_raising = float(self.confidence), bool(self.subtree_raising)
            z = -NormalDist().inv_cdf(confidence)
            arrays = kernels.prune_tree(
                *tree.arrays, columns, cards, target, weights, confidence, z, subtree_raising
            )
            tree = Tree.reachable(*arrays)
        return tree

    def check(self) -> None:
        """Refuse options that no tree can be grown with."""
        for name in ("pruned", "collapse", "subtree_raising", "mdl_correction"):
            require_flag(name, getattr(self, name))
        require_count("min_rows", self.min_rows, lowest=1)
        require_part("confidence", self.confidence, most=0.5)
