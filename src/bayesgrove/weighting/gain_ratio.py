"""Gain ratio: the information gain of an attribute, divided by the entropy of the attribute.

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
    """Weights of attributes by their gain ratio ``I(X;C) / H(X)``, between 0 and 1.

    Rows where attribute X is missing are distributed over its values and keep their class. The
    shares are the frequencies of the values in all rows with a known value. An attribute with one
    value has the weight 0.

    References
    ----------
    J. R. Quinlan (1986). Induction of decision trees. Machine Learning 1, 81-106.

    H. Zhang and S. Sheng (2004). Learning weighted naive Bayes with accurate ranking. Fourth
    IEEE International Conference on Data Mining (ICDM-04), 567-570.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.contracts import TrainingData
    >>> from bayesgrove.weighting import GainRatio
    >>> a, b = np.array([[0, 0, 1, 1], [0, 1, 0, 1]], dtype=np.uint8)
    >>> GainRatio().weights(TrainingData.of_columns([a, b], [2, 2], a, 2)).round(3).tolist()
    [1.0, 0.0]
    """

    def weights(self, data: TrainingData) -> Floats:
        """Return the gain ratio of every attribute.

        Parameters
        ----------
        data : TrainingData
            The training rows.

        Returns
        -------
        ndarray of shape (n_columns,)
            The gain ratio of each column, in the order of the table.
        """
        counts = data.counts
        return np.array([self._ratio(table, counts) for table in counts.attribute_tables()])

    def _ratio(self, table: Floats, counts: CountSource) -> float:
        """Return the gain ratio from the table ``N[c, value]`` of the rows with a known value."""
        whole = np.zeros((table.shape[1] + 1, table.shape[0] + 1))
        whole[:-1, :-1] = table.T
        whole[-1, :-1] = counts.class_counts - table.sum(axis=1)
        return gain_ratio(share_missing(whole))
