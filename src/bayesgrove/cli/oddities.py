"""What looks odd about a column: identifiers, words among numbers, dates, blanks."""

import re
import shlex
from dataclasses import dataclass

import numpy as np
import pandas as pd

from bayesgrove.tables import Factored, factor, is_code, is_number

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
class Oddity:
    """A sentence for the user, and the options that would surely help."""

    text: str
    options: tuple[tuple[str, str], ...] = ()


def oddities(column: pd.Series, name: str) -> list[Oddity]:
    """Everything odd about a column."""
    if pd.api.types.is_numeric_dtype(column.dtype):
        return _identifier(_numbers_tell_rows_apart(column, name), name)
    found = factor(column)
    if not all(isinstance(value, str) for value in found.values):
        return _identifier(_tells_rows_apart(found), name)
    about = _dates(found) or _words_among_numbers(found) or _number_like(found)
    # Numbers that are not taken as such have many values, and are no identifiers for that.
    apart = _tells_rows_apart(found) and (not about or any(map(is_code, found.values)))
    return [*about, *_identifier(apart, name), *_blanks(found)]


def _identifier(odd: bool, name: str) -> list[Oddity]:
    if not odd:
        return []
    option = f"--drop {shlex.quote(name)}"
    text = f"identifier? (nearly) every row has its own value: {option}"
    return [Oddity(text, (("--drop", name),))]


def _tells_rows_apart(found: Factored) -> bool:
    rows = int((found.codes >= 0).sum())
    return rows > _SMALL and len(found.values) >= 0.9 * rows


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


def _words_among_numbers(found: Factored) -> list[Oddity]:
    words = [at for at, text in enumerate(found.values) if not is_number(text)]
    if not 0 < len(words) <= _FEW_WORDS or len(found.values) - len(words) < 2:
        return []
    if sum(map(found.times, words)) > 0.5 * (found.codes >= 0).sum():
        return []
    listed = ", ".join(f"{found.values[at]!r} ({found.times(at)} times)" for at in words)
    options = tuple(("--missing", found.values[at]) for at in words)
    hint = " ".join(f"{option} {shlex.quote(text)}" for option, text in options)
    if all(text.strip().lower() in _MISSING_WORDS for _, text in options):
        return [Oddity(f"numbers except for {listed}: use {hint}", options)]
    return [Oddity(f"numbers except for {listed}: use {hint} if that means missing")]


def _number_like(found: Factored) -> list[Oddity]:
    if not found.values:
        return []
    if all(map(is_number, found.values)):
        code = next((text for text in found.values if is_code(text)), None)
        return [Oddity(f"codes such as {code!r} are labels, not numbers")] if code else []
    if all(is_number(text, ",") for text in found.values):
        return [
            Oddity(
                "numbers with a comma are labels: use --decimal , if it is the decimal sign, "
                "take it out if it separates thousands"
            )
        ]
    if all(is_number(text) or _THOUSANDS.fullmatch(text) for text in found.values):
        return [Oddity("numbers with separated thousands are labels: take the separators out")]
    return []


def _dates(found: Factored) -> list[Oddity]:
    if found.values and all(map(_DATE.fullmatch, found.values)):
        return [
            Oddity(
                "dates are not supported: they are labels here; make a year or a weekday of them"
            )
        ]
    return []


def _blanks(found: Factored) -> list[Oddity]:
    odd = next((text for text in found.values if text != text.strip()), None)
    return [Oddity(f"blanks around labels such as {odd!r}")] if odd is not None else []
