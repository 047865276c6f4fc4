"""NBTree: a decision tree with naive Bayes at the leaves.

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
    """A node is split where naive Bayes in the branches makes fewer errors than in the node.

    Errors are those of a cross-validation. The test of a column is C4.5's: one branch a value, or
    two at the threshold with the largest information gain, less the bits that name it, if that is
    positive; two branches must have at least 2 rows. The column whose branches have the fewest
    errors is taken (of equal ones the first) if it saves the share ``min_error_reduction`` of them. Rows with
    a missing value go down all branches, in proportion.

    Naive Bayes is made anew from the rows of each node: every count is one more, missing values are
    left out, and numbers are cut by entropy and the MDL rule, once for all folds. All rows of a
    branch with fewer rows than folds are errors, and two branches must have as many. A leaf that no
    row reaches predicts as its parent would.

    This is WEKA's NBTree but for the order of rows, which there is what sorting and shuffling
    leave: here the folds of a node get its rows in turn, as the table has them, and those of a
    branch class after class. (At a threshold, WEKA wants one row more in a branch to judge it.)

    Parameters
    ----------
    min_rows : least weight of a node that is split
    min_error_reduction : share of the errors that a split must save, below 1
    cv : of the cross-validations

    >>> from bayesgrove.encoding import MixedTable
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
    def least_weight(self) -> float:
        """What the rows must weigh for a tree that has a test."""
        return max(float(self.min_rows), 4.0)

    def grow(self, table: MixedTable) -> NBTreeModel:
        """The tree of a table with classes; rows of weight zero are left out."""
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
        """Refuse options that no tree can be grown with."""
        require_count("min_rows", self.min_rows, lowest=1)
        require_count("cv", self.cv, lowest=2)
        require_number("min_error_reduction", self.min_error_reduction, lowest=0)
        if self.min_error_reduction >= 1:
            raise OptionError(
                f"min_error_reduction={self.min_error_reduction!r} must lie below 1: no split saves more."
            )
