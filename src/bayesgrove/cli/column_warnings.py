"""What looks odd about a column: identifiers, words among numbers, dates, blanks."""

import re
import shlex
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from bayesgrove.tables import is_code, is_number

Counts = dict[Any, int]
"""How many rows have each value."""

_SMALL = 20
"""In fewer rows, different values say nothing."""
_FEW_WORDS = 3
_MISSING_WORDS = {
    *("na", "n/a", "#n/a", "null", "none", "nan", "nil", "missing", "unknown"),
    *("?", "-", "--", ".", "*", "-999", "(null)"),
}
_DATE = re.compile(
    r"\s*(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d\d))"
    r"(?:[T ]\d{1,2}:\d\d.*)?\s*"
)
_THOUSANDS = re.compile(r"\s*[+-]?\d{1,3}(?:[.,' ]\d{3})+\s*")
_IDENTIFIER = re.compile(r"(?:^|[\W_])(?:id|uuid|key|nr|no|index|rownum)(?:$|[\W_])", re.IGNORECASE)


@dataclass(frozen=True)
class ColumnWarning:
    """A sentence for the user, and the options that would surely help."""

    text: str
    options: tuple[tuple[str, str], ...] = ()


def column_warnings(column: pd.Series, name: str) -> list[ColumnWarning]:
    """Everything odd about a column."""
    if pd.api.types.is_numeric_dtype(column.dtype):
        return _identifier(_numbers_tell_rows_apart(column, name), name)
    counts: dict[Any, int] = {v: n for v, n in column.value_counts(sort=False).items() if n}
    if not all(isinstance(value, str) for value in counts):
        return _identifier(_tells_rows_apart(counts), name)
    about = _dates(counts) or _words_among_numbers(counts) or _number_like(counts)
    # Numbers that are not taken as such have many values, which does not make them identifiers.
    apart = _tells_rows_apart(counts) and (not about or any(map(is_code, counts)))
    return [*about, *_identifier(apart, name), *_blanks(counts)]


def _identifier(odd: bool, name: str) -> list[ColumnWarning]:
    if not odd:
        return []
    option = f"--drop {shlex.quote(name)}"
    text = f"identifier? (nearly) every row has its own value: {option}"
    return [ColumnWarning(text, (("--drop", name),))]


def _tells_rows_apart(counts: Counts) -> bool:
    rows = sum(counts.values())
    return rows > _SMALL and len(counts) >= 0.9 * rows


def _numbers_tell_rows_apart(column: pd.Series, name: str) -> bool:
    """Whole numbers, all different, that run through a range or are called like identifiers.

    Measurements are all different, too, but they are scattered.
    """
    values = column.dropna().to_numpy(dtype=np.float64)
    if len(values) <= _SMALL or (values != np.floor(values)).any():
        return False
    if len(np.unique(values)) < len(values):
        return False
    named = bool(_IDENTIFIER.search(name)) or name.endswith(("Id", "ID"))
    return named or float(np.ptp(values)) < 1.5 * len(values)


def _words_among_numbers(counts: Counts) -> list[ColumnWarning]:
    words = [text for text in counts if not is_number(text)]
    if not 0 < len(words) <= _FEW_WORDS or len(counts) - len(words) < 2:
        return []
    if sum(counts[text] for text in words) > 0.5 * sum(counts.values()):
        return []
    listed = ", ".join(f"{text!r} ({counts[text]} times)" for text in words)
    options = tuple(("--na-values", text) for text in words)
    hint = " ".join(f"{option} {shlex.quote(text)}" for option, text in options)
    if all(text.strip().lower() in _MISSING_WORDS for _, text in options):
        return [ColumnWarning(f"numbers except for {listed}: use {hint}", options)]
    return [ColumnWarning(f"numbers except for {listed}: use {hint} if that means missing")]


def _number_like(counts: Counts) -> list[ColumnWarning]:
    if not counts:
        return []
    if all(map(is_number, counts)):
        code = next((text for text in counts if is_code(text)), None)
        return [ColumnWarning(f"codes such as {code!r} are labels, not numbers")] if code else []
    if all(is_number(text, ",") for text in counts):
        return [
            ColumnWarning(
                "numbers with a comma are labels: use --decimal , if it is the decimal sign, "
                "take it out if it separates thousands"
            )
        ]
    if all(is_number(text) or _THOUSANDS.fullmatch(text) for text in counts):
        return [
            ColumnWarning("numbers with separated thousands are labels: take the separators out")
        ]
    return []


def _dates(counts: Counts) -> list[ColumnWarning]:
    if counts and all(map(_DATE.fullmatch, counts)):
        return [
            ColumnWarning(
                "dates are not supported: they are labels here; make a year or a weekday of them"
            )
        ]
    return []


def _blanks(counts: Counts) -> list[ColumnWarning]:
    odd = next((text for text in counts if text != text.strip()), None)
    return [ColumnWarning(f"blanks around labels such as {odd!r}")] if odd is not None else []
