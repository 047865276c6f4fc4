"""Gain ratio: what an attribute tells of the class, per bit that it takes to say its value.

J. R. Quinlan (1986). Induction of decision trees. Machine Learning 1, 81-106.

H. Zhang and S. Sheng (2004). Learning weighted naive Bayes with accurate ranking. ICDM-04, 567-570.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.scores.information import gain_ratio, share_missing

if TYPE_CHECKING:
    from bayesgrove.contracts import TrainingData
    from bayesgrove.counts import CountSource
    from bayesgrove.kernels import Floats


@dataclass(frozen=True)
class GainRatio:
    """``I(X;C) / H(X)`` of every attribute X, between 0 and 1.

    Rows where the attribute is missing are shared out among its values, class by class, in
    proportion to how often the values occur. An attribute with one value has the weight 0.
    """

    def weights(self, data: TrainingData) -> Floats:
        """Return one gain ratio per attribute."""
        counts = data.counts
        return np.array([self._ratio(table, counts) for table in counts.attribute_tables()])

    def _ratio(self, table: Floats, counts: CountSource) -> float:
        """Of the table ``N[c, value]`` of the rows where the attribute is known."""
        whole = np.zeros((table.shape[1] + 1, table.shape[0] + 1))
        whole[:-1, :-1] = table.T
        whole[-1, :-1] = counts.class_counts - table.sum(axis=1)
        return gain_ratio(share_missing(whole))
