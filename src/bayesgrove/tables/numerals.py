"""Recognise numbers in texts, and their decimal sign."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

EXACT_INTEGERS = 2**53 - 1
"""Every integer up to this one has its own float: no other integer is rounded to that float."""

_PATTERN = r"[ \t]*[+-]?(?:[0-9]+{point}?[0-9]*|{point}[0-9]+)(?:[eE][+-]?[0-9]+)?[ \t]*"
_NUMBER = {
    ".": re.compile(_PATTERN.format(point=r"\.")),
    ",": re.compile(_PATTERN.format(point=",")),
}
_WHOLE = re.compile(r"[ \t]*[+-]?[0-9]+[ \t]*")
_PADDED = re.compile(r"[ \t]*[+-]?0[0-9]")
# 1,234 is ambiguous: 1234 with a thousands separator, or 1.234 with a decimal comma.
_THOUSANDS = re.compile(r"[ \t]*[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}[ \t]*")


def is_number(text: str, decimal: str = ".") -> bool:
    """Return whether a text is a plain decimal number that a float can hold."""
    return bool(_NUMBER[decimal].fullmatch(text)) and math.isfinite(to_float(text, decimal))


def to_float(text: str, decimal: str = ".") -> float:
    """Return the number in a text as a float."""
    return float(text.replace(decimal, "."))


def to_exact(text: str, decimal: str = ".") -> float | int:
    """Return the number in a text: an integer of any length if it is whole, else a float."""
    return int(text) if _WHOLE.fullmatch(text) else to_float(text, decimal)


def is_code(text: str) -> bool:
    """Return whether a number looks like a code, which a float would change.

    Such a number has leading zeros, as in 007, or is an integer that a float cannot hold exactly.
    """
    if _PADDED.match(text):
        return True
    return bool(_WHOLE.fullmatch(text)) and abs(float(text)) > EXACT_INTEGERS


def to_numbers(texts: Sequence[str], decimal: str = ".") -> list[float] | None:
    """Return all texts as numbers, or None if one of them is not a number."""
    if not all(map(_NUMBER[decimal].fullmatch, texts)):
        return None
    values = [to_float(text, decimal) for text in texts]
    return values if all(map(math.isfinite, values)) else None


def writes_decimal(texts: Iterable[str], decimal: str) -> bool:
    """Return whether all texts are numbers and one of them surely has this decimal sign.

    A text such as 1,250 is not sure: the comma may separate thousands.

    >>> writes_decimal(["12,5", "3"], ","), writes_decimal(["1,250", "3"], ",")
    (True, False)
    """
    sure = False
    for text in texts:
        if not is_number(text, decimal):
            return False
        sure = sure or (decimal in text and not _THOUSANDS.fullmatch(text))
    return sure
