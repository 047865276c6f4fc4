"""Information gain: how much an attribute reduces the entropy of the class.

S. Kim, H. Seo and H. Rim (2003). Poisson naive Bayes for text classification with feature
weighting. Sixth International Workshop on Information Retrieval with Asian Languages, 33-40.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.contracts import rescaled
from bayesgrove.scores.information import mutual_information, tables_with_shares

if TYPE_CHECKING:
    from bayesgrove.contracts import TrainingData
    from bayesgrove.kernels import Floats


@dataclass(frozen=True)
class InformationGain:
    """Weights of attributes in proportion to their information gain ``I(X;C)``, with mean 1.

    The weight is ``gain * n / sum of all gains``, for n attributes. If all gains are 0, all weights
    are 0. Attributes with many values tend to have a large gain; `GainRatio` divides it by the
    entropy of the attribute.

    Rows where attribute X is missing are distributed over its values and keep their class. The
    shares are the frequencies of the values in all rows with a known value. An attribute with one
    value has the weight 0.

    References
    ----------
    J. R. Quinlan (1986). Induction of decision trees. Machine Learning 1, 81-106.

    S. Kim, H. Seo and H. Rim (2003). Poisson naive Bayes for text classification with feature
    weighting. Sixth International Workshop on Information Retrieval with Asian Languages, 33-40.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.contracts import TrainingData
    >>> from bayesgrove.weighting import InformationGain
    >>> a, b = np.array([[0, 0, 1, 1], [0, 1, 0, 1]], dtype=np.uint8)
    >>> InformationGain().weights(TrainingData.of_columns([a, b], [2, 2], a, 2)).round(3).tolist()
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
        """Return the information gain of every attribute.

        Parameters
        ----------
        data : TrainingData
            The training rows.

        Returns
        -------
        ndarray of shape (n_columns,)
            The information gain of each column, in nats, in the order of the table.
        """
        return np.array([mutual_information(table) for table in tables_with_shares(data.counts)])
