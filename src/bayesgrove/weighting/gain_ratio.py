"""Gain ratio: the information gain of an attribute, divided by the entropy of the attribute.

J. R. Quinlan (1986). Induction of decision trees. Machine Learning 1, 81-106.

H. Zhang and S. Sheng (2004). Learning weighted naive Bayes with accurate ranking. ICDM-04, 567-570.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.contracts import rescaled
from bayesgrove.scores.information import gain_ratio, tables_with_shares

if TYPE_CHECKING:
    from bayesgrove.contracts import TrainingData
    from bayesgrove.kernels import Floats


@dataclass(frozen=True)
class GainRatio:
    """Weights of attributes in proportion to their gain ratio ``I(X;C) / H(X)``, with mean 1.

    The weight is ``ratio * n / sum of all ratios``, for n attributes (equation 3 of Hall 2006). If
    all ratios are 0, all weights are 0.

    Rows where attribute X is missing are distributed over its values and keep their class. The
    shares are the frequencies of the values in all rows with a known value. An attribute with one
    value has the weight 0.

    References
    ----------
    J. R. Quinlan (1986). Induction of decision trees. Machine Learning 1, 81-106.

    H. Zhang and S. Sheng (2004). Learning weighted naive Bayes with accurate ranking. Fourth
    IEEE International Conference on Data Mining (ICDM-04), 567-570.

    M. Hall (2006). A decision tree-based attribute weighting filter for naive Bayes. Working paper
    05/2006, Department of Computer Science, University of Waikato.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.contracts import TrainingData
    >>> from bayesgrove.weighting import GainRatio
    >>> a, b = np.array([[0, 0, 1, 1], [0, 1, 0, 1]], dtype=np.uint8)
    >>> GainRatio().weights(TrainingData.of_columns([a, b], [2, 2], a, 2)).round(3).tolist()
    [2.0, 0.0]
    """

    def weights(self, data: TrainingData) -> Floats:
        """Return the weight of every attribute.

        Parameters
        ----------
        data : TrainingData
            The training rows.

        Returns
        -------
        ndarray of shape (n_columns,)
            The weight of each column, in the order of the table.
        """
        return rescaled(self.scores(data))

    def scores(self, data: TrainingData) -> Floats:
        """Return the gain ratio of every attribute.

        Parameters
        ----------
        data : TrainingData
            The training rows.

        Returns
        -------
        ndarray of shape (n_columns,)
            The gain ratio of each column, between 0 and 1, in the order of the table.
        """
        return np.array([gain_ratio(table) for table in tables_with_shares(data.counts)])
