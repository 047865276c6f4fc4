"""Interface of weightings of attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from bayesgrove.contracts.training_data import TrainingData
    from bayesgrove.kernels import Floats


class Weighting(Protocol):
    """Interface of a weighting: it gives every column a weight, learned from training rows.

    Weights are exponents, at least 0: a classifier uses them unchanged. Scores on another scale
    become such weights by `rescaled`, which gives them a mean of 1.
    """

    def weights(self, data: TrainingData) -> Floats:
        """Return the weight of every column.

        Parameters
        ----------
        data : TrainingData
            The training rows.

        Returns
        -------
        ndarray of shape (n_columns,)
            One weight per column, in the order of the table.
        """


def is_weighting(value: Any) -> bool:
    """Return whether a value is an object with the method `weights`.

    The method is looked up on the type, because a pandas Series may have a label with the name
    ``weights``.

    Parameters
    ----------
    value : object
        Any value.

    Returns
    -------
    bool
        Whether the type of the value has the method.
    """
    return callable(getattr(type(value), "weights", None))


def rescaled(scores: Floats) -> Floats:
    """Replace negative scores by 0 and scale all to a mean of 1: equation 3 of Hall (2006).

    Parameters
    ----------
    scores : ndarray of shape (n_columns,)
        One score per attribute, on any scale.

    Returns
    -------
    ndarray of shape (n_columns,)
        ``score * n_columns / sum of all scores``. If no score is above 0, all weights are 0.

    References
    ----------
    M. Hall (2006). A decision tree-based attribute weighting filter for naive Bayes. Working paper
    05/2006, Department of Computer Science, University of Waikato.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.contracts import rescaled
    >>> rescaled(np.array([0.3, 0.1, -0.2, 0.0])).round(3).tolist()
    [3.0, 1.0, 0.0, 0.0]
    """
    positive = np.maximum(scores, 0.0)
    total = positive.sum()
    weights: Floats = positive * len(positive) / total if total > 0 else positive
    return weights
