"""Which texts are numbers, and with which decimal sign."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

EXACT_INTEGERS = 2**53 - 1
"""A float holds every integer up to this one, and no other integer is rounded to it."""

_PATTERN = r"[ \t]*[+-]?(?:[0-9]+{point}?[0-9]*|{point}[0-9]+)(?:[eE][+-]?[0-9]+)?[ \t]*"
_NUMBER = {
    ".": re.compile(_PATTERN.format(point=r"\.")),
    ",": re.compile(_PATTERN.format(point=",")),
}
_WHOLE = re.compile(r"[ \t]*[+-]?[0-9]+[ \t]*")
_PADDED = re.compile(r"[ \t]*[+-]?0[0-9]")
# 1,234 may be a thousand and more, or a little more than one.
_THOUSANDS = re.compile(r"[ \t]*[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}[ \t]*")


def is_number(text: str, decimal: str = ".") -> bool:
    """Whether a text is a plain decimal number that a float can hold."""
    return bool(_NUMBER[decimal].fullmatch(text)) and math.isfinite(to_float(text, decimal))


def to_float(text: str, decimal: str = ".") -> float:
    """The number that a text writes."""
    return float(text.replace(decimal, "."))


def to_exact(text: str, decimal: str = ".") -> float | int:
    """The number that a text writes, whole ones as integers of any length."""
    return int(text) if _WHOLE.fullmatch(text) else to_float(text, decimal)


def is_code(text: str) -> bool:
    """Whether a number is written as only codes are, so that a float would alter it.

    It has zeros in front, as in 007, or more digits than a float can hold.
    """
    if _PADDED.match(text):
        return True
    return bool(_WHOLE.fullmatch(text)) and abs(float(text)) > EXACT_INTEGERS


def to_numbers(texts: Sequence[str], decimal: str = ".") -> list[float] | None:
    """All texts as numbers, or None where one of them is none."""
    if not all(map(_NUMBER[decimal].fullmatch, texts)):
        return None
    values = [to_float(text, decimal) for text in texts]
    return values if all(map(math.isfinite, values)) else None


def writes_decimal(texts: Iterable[str], decimal: str) -> bool:
    """Whether these are all numbers, and one of them surely has this decimal sign.

    >>> writes_decimal(["12,5", "3"], ","), writes_decimal(["1,250", "3"], ",")
    (True, False)
    """
    sure = False
    for text in texts:
        if not is_number(text, decimal):
            return False
        sure = sure or (decimal in text and not _THOUSANDS.fullmatch(text))
    return sure
