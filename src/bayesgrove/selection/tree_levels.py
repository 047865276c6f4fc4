"""The selective Bayesian classifier: attributes in the upper levels of decision trees.

C. A. Ratanamahatana and D. Gunopulos (2003). Feature selection for the naive Bayesian classifier
using decision trees. Applied Artificial Intelligence 17, 475-487.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from bayesgrove._utils.options import require_count
from bayesgrove._utils.renamed import renamed
from bayesgrove.contracts import Selection, Step
from bayesgrove.trees import Bagging, warn_of_light, warn_of_missed

if TYPE_CHECKING:
    from bayesgrove.contracts import TrainingData


@renamed(seed="random_state")
@dataclass(frozen=True)
class TreeLevels:
    """All attributes that one of several trees tests within its first levels.

    The trees are unpruned, each of a bootstrap sample of a tenth of the rows.
    """

    weights_repeat_rows: ClassVar[bool] = False

    n_trees: int = 5
    sample_fraction: float = 0.1
    max_depth: int = 3
    random_state: int = 0

    @property
    def bagging(self) -> Bagging:
        """Return what grows the trees."""
        return Bagging(self.n_trees, self.sample_fraction, self.random_state)

    def select_rows(self, data: TrainingData) -> Selection:
        """Return the attributes, the least depths first; values of steps are the least depths.

        It warns of rows that weigh little and of classes that no sample has.
        """
        require_count("max_depth", self.max_depth, lowest=1)
        trees = self.bagging.grow(data.mixed, data.threads)
        warn_of_light(data.mixed, self.bagging)
        consequence = "the selection does not tell it from others"
        warn_of_missed(trees, data.mixed, data.classes, consequence)
        depths = np.array([tree.depths(len(data.names)) for tree in trees])
        least = np.where(depths > 0, depths, self.max_depth + 1).min(axis=0)
        order = np.argsort(least, kind="stable").tolist()
        chosen = tuple(j for j in order if least[j] <= self.max_depth)
        return Selection(chosen, tuple(Step(data.names[j], float(least[j]), None) for j in chosen))
