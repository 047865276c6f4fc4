"""Chi-squared: how far an attribute and the class are from independence.

S. Kim, H. Seo and H. Rim (2003). Poisson naive Bayes for text classification with feature
weighting. Sixth International Workshop on Information Retrieval with Asian Languages, 33-40.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.contracts import rescaled
from bayesgrove.scores.information import tables_with_shares

if TYPE_CHECKING:
    from bayesgrove.contracts import TrainingData
    from bayesgrove.kernels import Floats


@dataclass(frozen=True)
class ChiSquared:
    """Weights of attributes in proportion to Pearson's chi-squared statistic, with mean 1.

    The statistic of an attribute X and the class C is the sum of ``(N - E)^2 / E`` over all pairs
    of a value and a class. N is the number of rows with the pair, and E is the number expected if X
    and C were independent. The weight is ``statistic * n / sum of all statistics``, for n
    attributes. If all statistics are 0, all weights are 0.

    Rows where attribute X is missing are distributed over its values and keep their class. The
    shares are the frequencies of the values in all rows with a known value. An attribute with one
    value has the weight 0.

    References
    ----------
    S. Kim, H. Seo and H. Rim (2003). Poisson naive Bayes for text classification with feature
    weighting. Sixth International Workshop on Information Retrieval with Asian Languages, 33-40.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.contracts import TrainingData
    >>> from bayesgrove.weighting import ChiSquared
    >>> a, b = np.array([[0, 0, 1, 1], [0, 1, 0, 1]], dtype=np.uint8)
    >>> ChiSquared().weights(TrainingData.of_columns([a, b], [2, 2], a, 2)).round(3).tolist()
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
        """Return the chi-squared statistic of every attribute.

        Parameters
        ----------
        data : TrainingData
            The training rows.

        Returns
        -------
        ndarray of shape (n_columns,)
            The chi-squared statistic of each column, at least 0, in the order of the table.
        """
        return np.array([_statistic(table) for table in tables_with_shares(data.counts)])


def _statistic(table: Floats) -> float:
    """Return Pearson's chi-squared statistic of a table ``N[x, c]``; empty lines add 0."""
    total = table.sum()
    if total <= 0:
        return 0.0
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / total
    used = expected > 0
    return float(((table - expected)[used] ** 2 / expected[used]).sum())
