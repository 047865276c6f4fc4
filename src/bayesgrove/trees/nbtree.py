"""NBTree: a hybrid of a decision tree and naive Bayes classifiers at the leaves.

R. Kohavi (1996). Scaling up the accuracy of naive-Bayes classifiers: a decision-tree hybrid.
KDD-96, 202-207.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.options import OptionError, require_count, require_number
from bayesgrove._utils.renamed import renamed
from bayesgrove.kernels import kernels
from bayesgrove.trees.nbtree_model import NBTreeModel
from bayesgrove.trees.tree import Tree

if TYPE_CHECKING:
    from bayesgrove.encoding import MixedTable


@renamed(reduction="min_error_reduction", folds="cv")
@dataclass(frozen=True)
class NBTree:
    """A learner of NBTrees: decision trees with a naive Bayes classifier at each leaf.

    A node is split if naive Bayes in the branches makes fewer errors than naive Bayes in the node.
    The errors are estimated by cross-validation. The test of a column is the test of C4.5. A column
    of codes has one branch per value. A column of numbers has two branches at the threshold with
    the largest information gain. From this gain the bits that describe the threshold are
    subtracted, and the difference must be positive. The threshold is the middle between two
    numbers. The minimum weights of branches are those of `C45` with ``min_rows=2``. The column
    whose branches have the fewest errors is chosen if it reduces the errors by at least the share
    ``min_error_reduction``. Ties go to the earlier column. Rows with a missing value go down all
    branches, in proportion to the weights of the branches.

    Naive Bayes is learned from the rows of each node. Every cell has one pseudo-count, missing
    values are left out, and numbers are discretized by entropy and the MDL rule, once for all
    folds. If a branch has fewer rows than there are folds, all its rows count as errors. At least
    two branches must have as many rows as there are folds. A leaf that no row reaches predicts as
    its parent would.

    The result differs from WEKA's NBTree by the order of the rows. WEKA sorts and shuffles the
    rows. Here, the rows of a node are assigned to the folds in turn, in the order of the table, and
    the rows of a branch in turn, class by class. There is one more difference: at a threshold, WEKA
    validates a branch only if it has one more row.

    Parameters
    ----------
    min_rows : int, default=30
        The minimum weight of a node that may be split.
    min_error_reduction : float, default=0.05
        The minimum relative reduction of the errors by a split, at least 0 and below 1.
    cv : int, default=5
        The number of folds of the cross-validations, at least 2.

    References
    ----------
    R. Kohavi (1996). Scaling up the accuracy of naive-Bayes classifiers: a decision-tree hybrid.
    Proceedings of the Second International Conference on Knowledge Discovery and Data Mining
    (KDD-96), 202-207.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.encoding import MixedTable
    >>> from bayesgrove.trees import NBTree
    >>> rng = np.random.default_rng(0)
    >>> a, b = rng.integers(0, 2, (2, 100)).astype(np.uint8)
    >>> tree = NBTree().grow(MixedTable([a, b], [2, 2], a ^ b, 2))
    >>> print(tree.to_text(["a", "b"], [["no", "yes"], ["no", "yes"]]))
    a = no: naive Bayes 0 (44.0)
    a = yes: naive Bayes 1 (56.0)
    """

    min_rows: int = 30
    min_error_reduction: float = 0.05
    cv: int = 5

    @property
    def min_weight(self) -> float:
        """Minimum weight of all rows for a tree that has a test."""
        return max(float(self.min_rows), 4.0)

    def grow(self, table: MixedTable) -> NBTreeModel:
        """Grow the NBTree of a table.

        Rows of weight 0 are left out.

        Parameters
        ----------
        table : MixedTable
            The training rows with their classes.

        Returns
        -------
        NBTreeModel
            The tree and the naive Bayes models of its leaves.
        """
        self.check()
        if table.weights is not None and not table.weights.all():
            table = table.take(np.flatnonzero(table.weights))
        arrays, model, priors, values, cuts, tables = kernels.grow_nbtree(
            table.contiguous(),
            list(table.cards),
            np.ascontiguousarray(table.classes),
            table.n_classes,
            np.ascontiguousarray(table.row_weights),
            self.min_rows,
            self.min_error_reduction,
            self.cv,
        )
        tree = Tree.reachable(*arrays)
        return NBTreeModel(tree, tuple(table.cards), model, priors, values, cuts, tables)

    def check(self) -> None:
        """Raise unless the options are valid."""
        require_count("min_rows", self.min_rows, lowest=1)
        require_count("cv", self.cv, lowest=2)
        require_number("min_error_reduction", self.min_error_reduction, lowest=0)
        if self.min_error_reduction >= 1:
            raise OptionError(
                f"min_error_reduction={self.min_error_reduction!r} must be a number below 1: no "
                "split can save all errors and more."
            )
