"""Numbers in tables: parsed all at once if they are plain, one by one to name a bad one."""

from __future__ import annotations

import math
import re

_PLAIN = re.compile(r"[0-9eE.+\-\s]*+")
_NUMBER = re.compile(r"[+-]?+(?:[0-9]++\.?+[0-9]*+|\.[0-9]++)(?:[eE][+-]?+[0-9]++)?+")


def plain_numbers(text: str) -> list[float] | None:
    """Return probabilities that white space separates, or None if one of them is not plain."""
    if not _PLAIN.fullmatch(text):
        return None
    try:
        values = list(map(float, text.split()))
    except ValueError:
        return None
    return values if not values or (min(values) >= 0 and max(values) < math.inf) else None


def number(text: str) -> float:
    """Return one probability; the message of the ValueError says what is wrong."""
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is not a number.")
    value = float(text)
    if value < 0 or math.isinf(value):
        raise ValueError(f"{text[:40]} is not a probability.")
    return value


def numbers(text: str) -> list[float]:
    """Return probabilities that white space separates; raise a ValueError for the first bad one."""
    values = plain_numbers(text)
    return values if values is not None else [number(word) for word in text.split()]
