"""Equal up to rounding is equal: noise decides no tie."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from bayesgrove.kernels import Floats

NOISE = 1e-9


def is_more(one: float, two: float, noise: float = NOISE) -> bool:
    """Whether a value is larger than another by more than rounding.

    >>> is_more(0.3, 0.1 + 0.2), is_more(0.1 + 0.2, 0.3), is_more(1.0, 0.5)
    (False, False, True)
    """
    return one > two + noise * (1.0 + abs(two))


def first_best(values: Floats, noise: float = NOISE) -> int:
    """Place of the largest value; of those equal to it up to rounding, the first.

    >>> first_best(np.array([0.0, 0.3, 0.1 + 0.2]))
    1
    """
    return int(np.argmax(values >= nearly(float(values.max()), noise)))


def nearly(value: float, noise: float = NOISE) -> float:
    """What is at least this is as large as a value, up to rounding."""
    return value - noise * (1.0 + abs(value))
