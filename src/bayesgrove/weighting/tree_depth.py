"""Weights from the depths at which unpruned decision trees test the attributes.

M. Hall (2006). A decision tree-based attribute weighting filter for naive Bayes. Working paper
05/2006, University of Waikato.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from bayesgrove._utils.renamed import renamed
from bayesgrove.trees import Bagging, warn_of_light, warn_of_missed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.contracts import TrainingData
    from bayesgrove.kernels import Floats
    from bayesgrove.trees import Tree


@renamed(seed="random_state")
@dataclass(frozen=True)
class TreeDepth:
    """The mean of ``1 / sqrt(d)`` over trees of bootstrap samples.

    d is the least depth at which a tree tests the attribute, 1 at the root. A tree that does not
    test it counts as 0.
    """

    exponents: ClassVar[bool] = True
    weights_repeat_rows: ClassVar[bool] = False

    n_trees: int = 10
    sample_fraction: float = 0.5
    random_state: int = 0

    @property
    def bagging(self) -> Bagging:
        """Return what grows the trees."""
        return Bagging(self.n_trees, self.sample_fraction, self.random_state)

    def weights(self, data: TrainingData) -> Floats:
        """Return one weight per attribute; warn of rows that weigh little and of missed classes."""
        trees = self.bagging.grow(data.mixed, data.threads)
        warn_of_light(data.mixed, self.bagging)
        consequence = "the weights do not tell it from others"
        warn_of_missed(trees, data.mixed, data.classes, consequence)
        return depth_weights(trees, len(data.mixed.columns))


def depth_weights(trees: Sequence[Tree], n_columns: int) -> Floats:
    """Return the mean of ``1 / sqrt(d)`` over trees, one number per column."""
    depths = np.array([tree.depths(n_columns) for tree in trees], dtype=np.float64)
    with np.errstate(divide="ignore"):
        weights: Floats = np.where(depths > 0, 1.0 / np.sqrt(depths), 0.0).mean(axis=0)
    return weights
