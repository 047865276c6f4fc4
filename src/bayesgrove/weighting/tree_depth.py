"""Weights from the depths at which unpruned decision trees test the attributes.

M. Hall (2006). A decision tree-based attribute weighting filter for naive Bayes. Working paper
05/2006, University of Waikato.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.trees import Bagging

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.encoding import MixedTable
    from bayesgrove.kernels import Floats
    from bayesgrove.trees import Tree


@dataclass(frozen=True)
class TreeDepth:
    """The mean of ``1 / sqrt(d)`` over trees of bootstrap samples.

    d is the least depth at which a tree tests the attribute, 1 at the root. A tree that does not
    test it counts as 0.
    """

    n_trees: int = 10
    sample_fraction: float = 0.5
    seed: int = 0

    @property
    def bagging(self) -> Bagging:
        """What grows the trees."""
        return Bagging(self.n_trees, self.sample_fraction, self.seed)

    def weights(self, table: MixedTable, threads: int = 1) -> Floats:
        """One weight an attribute."""
        return depth_weights(self.trees(table, threads), len(table.columns))

    def trees(self, table: MixedTable, threads: int = 1) -> list[Tree]:
        """The trees that tell the weights."""
        return self.bagging.grow(table, threads)


def depth_weights(trees: Sequence[Tree], n_columns: int) -> Floats:
    """The mean of ``1 / sqrt(d)`` over trees."""
    depths = np.array([tree.depths(n_columns) for tree in trees], dtype=np.float64)
    with np.errstate(divide="ignore"):
        weights: Floats = np.where(depths > 0, 1.0 / np.sqrt(depths), 0.0).mean(axis=0)
    return weights
