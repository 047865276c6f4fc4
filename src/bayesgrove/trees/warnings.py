"""Warnings to whoever asked for trees, wherever in the package they are grown."""

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


def warn_of_light(table: MixedTable, learner: C45 | Bagging | NBTree) -> None:
    """Warn of weights that are too small for a tree, where as many rows of weight 1 are not."""
    total, least = float(table.row_weights.sum()), learner.least_weight
    if total < least - TIE and table.rows >= least:
        warn_caller(
            f"The sample weights of {table.rows} rows sum to {total:.6g}; trees without a test are "
            f"all that can be grown below {least:g}. Let them sum to about the number of rows."
        )


def warn_of_missed(
    trees: Sequence[Tree], table: MixedTable, classes: Sequence[Any], consequence: str
) -> None:
    """Warn of classes that no tree has seen."""
    seen = sum(tree.weights[0] for tree in trees)
    there = np.bincount(table.classes, minlength=table.n_classes)
    missed = np.flatnonzero((there > 0) & (seen == 0)).tolist()
    if missed:
        warn_caller(
            f"No sample has a row of the class {classes[missed[0]]!r}: {consequence}. Raise "
            "sample_fraction or n_trees."
        )
