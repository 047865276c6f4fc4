"""C4.5 decision trees.

J. R. Quinlan (1993). C4.5: Programs for Machine Learning. Morgan Kaufmann.
J. R. Quinlan (1996). Improved use of continuous attributes in C4.5. JAIR 4, 77-90 (release 8).
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.options import require_count, require_flag, require_fraction
from bayesgrove._utils.renamed import renamed
from bayesgrove.kernels import kernels
from bayesgrove.trees.tree import Tree

if TYPE_CHECKING:
    from bayesgrove.encoding import MixedTable


@renamed(raising="subtree_raising")
@dataclass(frozen=True)
class C45:
    """A learner of C4.5 decision trees, release 8, with the choices of WEKA's J48.

    A test on a column of codes has one branch per value. A test on a column of numbers has two
    branches at a threshold, which is a value of the table. Among the tests whose information gain
    is at least about the average gain of all tests, the test with the best gain ratio is chosen.
    The gain is computed from the rows with a known value. Rows with a missing value go down all
    branches, in proportion to the weights of the branches. Differences below 1e-6 are ties, and
    ties go to the earlier column.

    No threshold lies between two numbers that are closer than 1e-5. If the range of a column is
    below 0.01, this limit is 1e-5 times the range, so that columns in small units can be tested
    too.

    Parameters
    ----------
    pruned : bool, default=True
        Whether to prune the tree. Error-based pruning compares upper bounds of error rates, which
        depend on ``confidence``.
    min_rows : int, default=2
        The minimum weight of at least two branches of a test. At a threshold, the minimum weight of
        both branches is a tenth of the mean weight per class in the node if this is more than
        ``min_rows``, but never more than 25.
    confidence : float, default=0.25
        The confidence of the upper bounds of error rates, above 0 and at most 0.5. A smaller value
        prunes more.
    collapse : bool, default=True
        Whether to replace a subtree by a leaf if the subtree does not have fewer errors on the
        training rows.
    subtree_raising : bool, default=True
        Whether pruning may replace a node by its largest branch.
    mdl_correction : bool, default=True
        Whether to subtract from the gain at a threshold the bits that describe the threshold
        (Quinlan 1996).

    References
    ----------
    J. R. Quinlan (1993). C4.5: Programs for Machine Learning. Morgan Kaufmann.

    J. R. Quinlan (1996). Improved use of continuous attributes in C4.5. Journal of Artificial
    Intelligence Research 4, 77-90.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.encoding import MixedTable
    >>> from bayesgrove.trees import C45
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
    def min_weight(self) -> float:
        """Minimum weight of all rows for a tree that has a test."""
        return 2.0 * self.min_rows

    def grow(self, table: MixedTable) -> Tree:
        """Grow the decision tree of a table.

        Rows of weight 0 are left out.

        Parameters
        ----------
        table : MixedTable
            The training rows with their classes.

        Returns
        -------
        Tree
            The tree, collapsed and pruned as the options say.
        """
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
        """Raise unless the options are valid."""
        for name in ("pruned", "collapse", "subtree_raising", "mdl_correction"):
            require_flag(name, getattr(self, name))
        require_count("min_rows", self.min_rows, lowest=1)
        require_fraction("confidence", self.confidence, largest=0.5)
