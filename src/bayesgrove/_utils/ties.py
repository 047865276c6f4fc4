"""Equal up to rounding is equal: noise decides no tie. All rules for ties of the package are here.

Values are compared in two ways: by a margin (`is_more`, `first_best`, `nearly`), which suits a
search that asks for the best; or after they are rounded (`rounded_for_ties`), which suits sorting,
since it makes an order. Kernels have margins of their own, as they import nothing.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SUM_NOISE = 1e-9
"""Sums over rows, such as scores and gains, that differ by less, relatively, are equal."""
MEAN_NOISE = 1e-12
"""Means over rows and logarithms of probabilities that differ by less, relatively, are equal."""
TIE_DIGITS = 12
"""Values of the order of 1, such as information, correlations and accuracies, to so many digits."""
ODDS_DIGITS = 10
"""Log-odds that are equal to so many digits are equal: they are differences of logarithms."""
WHOLE_DIGITS = 9
"""A product such as 0.29 * 100 is whole if it is so to this many digits."""

Value = TypeVar("Value", float, "Floats")


def is_more(one: float, two: float, noise: float = SUM_NOISE) -> bool:
    """Return whether a value is larger than another by more than rounding.

    >>> is_more(0.3, 0.1 + 0.2), is_more(0.1 + 0.2, 0.3), is_more(1.0, 0.5)
    (False, False, True)
    """
    return one > two + noise * (1.0 + abs(two))


def first_best(values: Floats, noise: float = SUM_NOISE) -> int:
    """Return the place of the largest value; of those equal to it up to rounding, the first.

    >>> first_best(np.array([0.0, 0.3, 0.1 + 0.2]))
    1
    """
    return int(np.argmax(values >= nearly(float(values.max()), noise)))


def nearly(value: Value, noise: float = SUM_NOISE) -> Value:
    """Return the least that is as large as a value, up to rounding."""
    return value - noise * (1.0 + abs(value))


def row_noise(rows: int) -> float:
    """Return the margin for means over so many rows: `MEAN_NOISE`, more beyond 72,000 rows."""
    return max(MEAN_NOISE, rows * 2.0**-56)


def rounded_for_ties(values: Floats) -> Floats:
    """Return values in whole units of the last of `TIE_DIGITS` digits, to sort and compare by.

    >>> rounded_for_ties(np.array([0.3, 0.1 + 0.2])).tolist()
    [300000000000.0, 300000000000.0]
    """
    units: Floats = np.rint(values * 10.0**TIE_DIGITS)
    return units


def whole_below(product: float) -> int:
    """Return the largest whole number that is not above a product, up to rounding.

    >>> 0.29 * 100, whole_below(0.29 * 100)
    (28.999999999999996, 29)
    """
    return math.floor(round(product, WHOLE_DIGITS))


def whole_above(product: float) -> int:
    """Return the least whole number that is not below a product, up to rounding.

    >>> 0.07 * 100, whole_above(0.07 * 100)
    (7.000000000000001, 7)
    """
    return math.ceil(round(product, WHOLE_DIGITS))
