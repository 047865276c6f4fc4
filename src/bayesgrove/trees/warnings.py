"""Warnings about the training rows of trees, for all parts of the package that grow trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove._utils.warnings import warn_caller
from bayesgrove.kernels.numpy.trees import TIE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.encoding import MixedTable
    from bayesgrove.trees.bagging import Bagging
    from bayesgrove.trees.c45 import C45
    from bayesgrove.trees.nbtree import NBTree
    from bayesgrove.trees.tree import Tree


def warn_of_small_weights(table: MixedTable, learner: C45 | Bagging | NBTree) -> None:
    """Warn if the sample weights are too small for a tree with a test.

    There is no warning if the same number of rows with weight 1 would be too small as well.

    Parameters
    ----------
    table : MixedTable
        The training rows.
    learner : C45, Bagging or NBTree
        The learner of the trees; its ``min_weight`` is the weight that a test needs.
    """
    total, least = float(table.row_weights.sum()), learner.min_weight
    if total < least - TIE and table.rows >= least:
        warn_caller(
            f"The sample weights of {table.rows} rows sum to {total:.6g}; no tree has a test below "
            f"{least:g}. Scale the weights so that they sum to about the number of rows."
        )


def warn_of_missed_classes(
    trees: Sequence[Tree], table: MixedTable, classes: Sequence[Any], consequence: str
) -> None:
    """Warn if a class has training rows, but no tree was grown from any of them.

    Parameters
    ----------
    trees : sequence of Tree
        The trees, each grown from a sample of the rows.
    table : MixedTable
        The training rows.
    classes : sequence
        The class labels, in the order of their codes.
    consequence : str
        What follows for the class, as a part of the message.
    """
    seen = sum(tree.weights[0] for tree in trees)
    rows = np.bincount(table.classes, minlength=table.n_classes)
    missed = np.flatnonzero((rows > 0) & (seen == 0)).tolist()
    if missed:
        warn_caller(
            f"No sample has a row of the class {classes[missed[0]]!r}: {consequence}. Raise "
            "sample_fraction or n_trees."
        )
