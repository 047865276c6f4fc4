"""What a weighting of attributes is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from bayesgrove.contracts.training_data import TrainingData
    from bayesgrove.kernels import Floats


class Weighting(Protocol):
    """Training rows in, one number per column out.

    The numbers say how much each column tells about the class, on any scale. A classifier takes
    negative ones as 0 and scales the others to a mean of 1. A class whose numbers are exponents
    as they are has the attribute ``exponents = True``, and its numbers stay as they are.
    """

    def weights(self, data: TrainingData) -> Floats:
        """Return one number per column, in the order of the table."""


def is_weighting(value: Any) -> bool:
    """Return whether a value is an object with the method `weights`.

    The type has the method: a Series may have a label of that name.
    """
    return callable(getattr(type(value), "weights", None))
