"""Rules for ties: values that are equal up to rounding errors are a tie.

Values are compared in two ways. A search for the best value compares by a margin (`is_more`,
`first_best`, `nearly`). A sort compares rounded values (`rounded_for_ties`), because rounded values
have a consistent order. All rules of the package are in this module, except those of the kernels:
the kernels import nothing, so they define their margins themselves.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SUM_NOISE = 1e-9
"""Relative margin for sums over rows, such as scores and gains. A smaller difference is a tie."""
MEAN_NOISE = 1e-12
"""Relative margin for means over rows and log probabilities. A smaller difference is a tie."""
TIE_DIGITS = 12
"""Digits to which values near 1, such as information, correlations and accuracies, are compared."""
ODDS_DIGITS = 10
"""Digits to which log-odds are compared; fewer, because they are differences of logarithms."""
WHOLE_DIGITS = 9
"""Digits to which a product such as 0.29 * 100 must be whole to count as a whole number."""

Value = TypeVar("Value", float, "Floats")


def is_more(one: float, two: float, noise: float = SUM_NOISE) -> bool:
    """Return whether ``one`` is larger than ``two`` by more than rounding errors.

    >>> is_more(0.3, 0.1 + 0.2), is_more(0.1 + 0.2, 0.3), is_more(1.0, 0.5)
    (False, False, True)
    """
    return one > two + noise * (1.0 + abs(two))


def first_best(values: Floats, noise: float = SUM_NOISE) -> int:
    """Return the index of the largest value. Ties go to the first value.

    >>> first_best(np.array([0.0, 0.3, 0.1 + 0.2]))
    1
    """
    return int(np.argmax(values >= nearly(float(values.max()), noise)))


def nearly(value: Value, noise: float = SUM_NOISE) -> Value:
    """Return the smallest number that ties with a value."""
    return value - noise * (1.0 + abs(value))


def row_noise(rows: int) -> float:
    """Return the margin for means over ``rows`` rows: `MEAN_NOISE`, larger beyond 72,000 rows."""
    return max(MEAN_NOISE, rows * 2.0**-56)


def rounded_for_ties(values: Floats) -> Floats:
    """Return values rounded to `TIE_DIGITS` digits, as whole numbers to sort and compare by.

    >>> rounded_for_ties(np.array([0.3, 0.1 + 0.2])).tolist()
    [300000000000.0, 300000000000.0]
    """
    units: Floats = np.rint(values * 10.0**TIE_DIGITS)
    return units


def whole_below(product: float) -> int:
    """Return the largest whole number that is at most a product, up to rounding errors.

    >>> 0.29 * 100, whole_below(0.29 * 100)
    (28.999999999999996, 29)
    """
    return math.floor(round(product, WHOLE_DIGITS))


def whole_above(product: float) -> int:
    """Return the smallest whole number that is at least a product, up to rounding errors.

    >>> 0.07 * 100, whole_above(0.07 * 100)
    (7.000000000000001, 7)
    """
    return math.ceil(round(product, WHOLE_DIGITS))
