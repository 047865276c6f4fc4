"""Checks of options. Each message names the option, its value, and the values that are allowed."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

import numpy as np

LARGEST = 1e100
"""Largest number that an option may be."""


class OptionError(ValueError):
    """An option has a value that cannot be used. The message begins with ``option=value``.

    The command line then ends with the exit code 2 (wrong usage), not 3 (wrong data).
    """


def require_number(name: str, value: Any, *, lowest: float = -LARGEST) -> None:
    """Raise unless the value is a number between ``lowest`` and 1e100."""
    if not _is_finite(value):
        bound = f" of at least {lowest:g}" if lowest > -LARGEST else ""
        raise OptionError(f"{name}={value!r:.40} must be a finite number{bound}.")
    if not lowest <= _as_float(value) <= LARGEST:
        raise OptionError(
            f"{name}={value!r:.40} must be a number of at least {lowest:g} and at most {LARGEST:g}."
        )


def require_fraction(name: str, value: Any, *, largest: float = 1.0) -> None:
    """Raise unless the value is a number above 0 and at most ``largest``."""
    if not _is_finite(value) or not 0 < _as_float(value) <= largest:
        raise OptionError(f"{name}={value!r:.40} must be a number above 0 and at most {largest:g}.")


def _is_finite(value: Any) -> bool:
    """Return whether a value is a finite number. Truth values are not numbers."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    return isinstance(value, Integral) or math.isfinite(value)


def _as_float(value: Any) -> float:
    """Return a number as a float, infinite if it is too large for one."""
    try:
        return float(value)
    except OverflowError:  # an integer that is too large for a float
        return math.inf if value > 0 else -math.inf


def require_flag(name: str, value: Any) -> None:
    """Raise unless the value is True or False, of Python or numpy."""
    if not isinstance(value, (bool, np.bool_)):
        raise OptionError(f"{name}={value!r:.40} must be True or False.")


def require_level(name: str, value: Any) -> None:
    """Raise unless the value is a significance level, a number above 0 and below 1."""
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 < float(value) < 1:
        raise OptionError(f"{name}={value!r} must lie between 0 and 1.")


def require_count(name: str, value: Any, *, optional: bool = False, lowest: int = 0) -> None:
    """Raise unless the value is a whole number of at least ``lowest``, or None if ``optional``."""
    if (value is None and optional) or (is_whole(value) and value >= lowest):
        return
    expected = "None or a whole number" if optional else "a whole number"
    raise OptionError(f"{name}={value!r} must be {expected} of at least {lowest}.")


LARGEST_N_JOBS = 1 << 15
"""Largest absolute value of ``n_jobs``."""


def require_n_jobs(value: Any) -> None:
    """Raise unless a number of threads or processes is None or a whole number but 0."""
    if value is None or (is_whole(value) and 0 < abs(value) <= LARGEST_N_JOBS):
        return
    raise OptionError(
        f"n_jobs={value!r} must be from 1 to {LARGEST_N_JOBS:,}, -1 for all cores, or None."
    )


def require_seed(name: str, value: Any) -> None:
    """Raise unless the value is a valid seed."""
    if not is_whole(value) or not 0 <= value < 1 << 32:
        raise OptionError(f"{name}={value!r} must be a whole number from 0 to {(1 << 32) - 1}.")


def is_whole(value: Any) -> bool:
    """Return whether a value is an integer. Truth values are not integers."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def require_choice(name: str, value: Any, choices: tuple[str, ...]) -> None:
    """Raise unless the value is one of the choices."""
    if not isinstance(value, str) or value not in choices:
        allowed = " or ".join(map(repr, choices))
        raise OptionError(f"{name}={value!r} must be {allowed}.")
