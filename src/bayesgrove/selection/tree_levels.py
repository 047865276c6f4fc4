"""The selective Bayesian classifier: attributes in the upper levels of decision trees.

C. A. Ratanamahatana and D. Gunopulos (2003). Feature selection for the naive Bayesian classifier
using decision trees. Applied Artificial Intelligence 17, 475-487.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.options import require_count
from bayesgrove.trees import Bagging

if TYPE_CHECKING:
    from bayesgrove.encoding import MixedTable


@dataclass(frozen=True)
class TreeLevels:
    """All attributes that one of several trees tests within its first levels.

    The trees are unpruned, each of a bootstrap sample of a tenth of the rows.
    """

    n_trees: int = 5
    sample_fraction: float = 0.1
    max_depth: int = 3
    seed: int = 0

    @property
    def bagging(self) -> Bagging:
        """What grows the trees."""
        return Bagging(self.n_trees, self.sample_fraction, self.seed)

    def attributes(self, table: MixedTable, threads: int = 1) -> list[tuple[int, int]]:
        """Places of the attributes and the least depth of each, the least depths first."""
        require_count("max_depth", self.max_depth, lowest=1)
        trees = self.bagging.grow(table, threads)
        depths = np.array([tree.depths(len(table.columns)) for tree in trees])
        least = np.where(depths > 0, depths, self.max_depth + 1).min(axis=0)
        order = np.argsort(least, kind="stable")
        return [(int(j), int(least[j])) for j in order if least[j] <= self.max_depth]
