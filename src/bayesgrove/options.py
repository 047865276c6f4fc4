"""Checks of users' options: the message names the option, its value and what it must be."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

LARGEST = 1e100


def require_number(name: str, value: Any, *, lowest: float = -LARGEST) -> None:
    """Refuse what is not a number between ``lowest`` and 1e100."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueError(f"{name}={value!r} must be a finite number.")
    try:
        number = float(value)
    except OverflowError:  # an integer beyond all floats
        number = math.inf
    if not lowest <= number <= LARGEST:
        raise ValueError(
            f"{name}={value!r:.40} must be a number of at least {lowest:g} and at most {LARGEST:g}."
        )


def require_level(name: str, value: Any) -> None:
    """Refuse what is no level of significance."""
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 < float(value) < 1:
        raise ValueError(f"{name}={value!r} must lie between 0 and 1.")


def require_count(name: str, value: Any, *, optional: bool = False, lowest: int = 0) -> None:
    """Refuse what is no whole number of at least ``lowest``, nor None where that is allowed."""
    if (value is None and optional) or (is_whole(value) and value >= lowest):
        return
    expected = "None or a whole number" if optional else "a whole number"
    raise ValueError(f"{name}={value!r} must be {expected} of at least {lowest}.")


def require_seed(name: str, value: Any) -> None:
    """Refuse what does not fix random choices."""
    if not is_whole(value) or not 0 <= value < 1 << 32:
        raise ValueError(f"{name}={value!r} must be a whole number from 0 to {(1 << 32) - 1}.")


def is_whole(value: Any) -> bool:
    """Whether a value is an integer, and not a truth value."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def require_choice(name: str, value: Any, choices: tuple[str, ...]) -> None:
    """Refuse what is not one of the choices."""
    if value not in choices:
        allowed = " or ".join(map(repr, choices))
        raise ValueError(f"{name}={value!r} must be {allowed}.")
