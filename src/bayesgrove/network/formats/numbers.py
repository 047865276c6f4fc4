"""Numbers of tables: all at once where they are plain, one by one to find a bad one."""

from __future__ import annotations

import math
import re

_PLAIN = re.compile(r"[0-9eE.+\-\s]*+")
_NUMBER = re.compile(r"[+-]?+(?:[0-9]++\.?+[0-9]*+|\.[0-9]++)(?:[eE][+-]?+[0-9]++)?+")


def plain_numbers(text: str) -> list[float] | None:
    """Probabilities separated by white space; None where one of them is not what it must be."""
    if not _PLAIN.fullmatch(text):
        return None
    try:
        values = list(map(float, text.split()))
    except ValueError:
        return None
    return values if not values or (min(values) >= 0 and max(values) < math.inf) else None


def number(text: str) -> float:
    """One probability; a ValueError says what is wrong with it."""
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is not a number.")
    value = float(text)
    if value < 0 or math.isinf(value):
        raise ValueError(f"{text[:40]} is not a probability.")
    return value


def numbers(text: str) -> list[float]:
    """Probabilities separated by white space; a ValueError names the first bad one."""
    values = plain_numbers(text)
    return values if values is not None else [number(word) for word in text.split()]
