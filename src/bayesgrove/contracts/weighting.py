"""Interface of weightings of attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from bayesgrove.contracts.training_data import TrainingData
    from bayesgrove.kernels import Floats


class Weighting(Protocol):
    """Interface of a weighting: it gives every column a weight, learned from training rows.

    The weights say how much information about the class each column has, on any scale. A classifier
    replaces negative weights by 0. Then it scales all weights so that their mean is 1. A weighting
    whose weights are exponents that must not be scaled has the attribute ``exponents = True``; the
    classifier then uses its weights unchanged.
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
