"""Warnings about unusual columns: identifiers, words among numbers, dates, blanks."""

import re
import shlex
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from bayesgrove._utils.wording import counted
from bayesgrove.tables import is_code, is_number

Counts = dict[Any, int]
"""Number of rows that have each value."""

_SMALL = 20
"""In a column with at most this many rows, distinct values are not a sign of an identifier."""
_FEW_WORDS = 3
"""Largest number of distinct words in a column that otherwise holds numbers."""
_MISSING_WORDS = {
    *("na", "n/a", "#n/a", "null", "none", "nan", "nil", "missing", "unknown"),
    *("?", "-", "--", ".", "*", "-999", "(null)"),
}
"""Texts that commonly stand for missing values, in lower case."""
_DATE = re.compile(
    r"\s*(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d\d))"
    r"(?:[T ]\d{1,2}:\d\d.*)?\s*"
)
_THOUSANDS = re.compile(r"\s*[+-]?\d{1,3}(?:[.,' ]\d{3})+\s*")
_IDENTIFIER = re.compile(r"(?:^|[\W_])(?:id|uuid|key|nr|no|index|rownum)(?:$|[\W_])", re.IGNORECASE)


@dataclass(frozen=True)
class ColumnWarning:
    """A warning about a column.

    Parameters
    ----------
    text : str
        The warning.
    options : tuple of (str, str), default=()
        Options of the command line, with their values, that solve the problem in any case.
    """

    text: str
    options: tuple[tuple[str, str], ...] = ()


def column_warnings(column: pd.Series, name: str) -> list[ColumnWarning]:
    """Return all warnings about a column."""
    if pd.api.types.is_numeric_dtype(column.dtype):
        return _identifier(_numbers_identify_rows(column, name), name)
    counts: dict[Any, int] = {v: n for v, n in column.value_counts(sort=False).items() if n}
    if not all(isinstance(value, str) for value in counts):
        return _identifier(_identifies_rows(counts), name)
    about_values = _dates(counts) or _words_among_numbers(counts) or _number_like(counts)
    # Numbers that are read as labels have many distinct values, but they are not identifiers.
    unique = _identifies_rows(counts) and (not about_values or any(map(is_code, counts)))
    return [*about_values, *_identifier(unique, name), *_blanks(counts)]


def _identifier(unique: bool, name: str) -> list[ColumnWarning]:
    """Return a warning if the values of a column identify the rows."""
    if not unique:
        return []
    option = f"--drop {shlex.quote(name)}"
    text = f"identifier? (nearly) every row has a different value: {option}"
    return [ColumnWarning(text, (("--drop", name),))]


def _identifies_rows(counts: Counts) -> bool:
    """Return whether nearly all rows have different values."""
    rows = sum(counts.values())
    return rows > _SMALL and len(counts) >= 0.9 * rows


def _numbers_identify_rows(column: pd.Series, name: str) -> bool:
    """Return whether distinct whole numbers fill a range, or have the name of an identifier.

    Measurements can be distinct as well, but they are scattered.
    """
    values = column.dropna().to_numpy(dtype=np.float64)
    if len(values) <= _SMALL or (values != np.floor(values)).any():
        return False
    if len(np.unique(values)) < len(values):
        return False
    named = bool(_IDENTIFIER.search(name)) or name.endswith(("Id", "ID"))
    return named or float(np.ptp(values)) < 1.5 * len(values)


def _words_among_numbers(counts: Counts) -> list[ColumnWarning]:
    """Return a warning if a column holds numbers except for a few words."""
    words = [text for text in counts if not is_number(text)]
    if not 0 < len(words) <= _FEW_WORDS or len(counts) - len(words) < 2:
        return []
    if sum(counts[text] for text in words) > 0.5 * sum(counts.values()):
        return []
    listed = ", ".join(f"{text!r} ({counted(counts[text], 'time')})" for text in words)
    options = tuple(("--na-values", text) for text in words)
    hint = " ".join(f"{option} {shlex.quote(text)}" for option, text in options)
    if all(text.strip().lower() in _MISSING_WORDS for _, text in options):
        return [ColumnWarning(f"numbers except for {listed}: use {hint}", options)]
    return [ColumnWarning(f"numbers except for {listed}: use {hint} if that text means missing")]


def _number_like(counts: Counts) -> list[ColumnWarning]:
    """Return a warning if all values look like numbers but are read as labels."""
    if not counts:
        return []
    if all(map(is_number, counts)):
        code = next((text for text in counts if is_code(text)), None)
        return [ColumnWarning(f"codes such as {code!r} are labels, not numbers")] if code else []
    if all(is_number(text, ",") for text in counts):
        return [
            ColumnWarning(
                "numbers with a comma are labels: use --decimal , if it is the decimal sign, "
                "or remove it if it separates thousands"
            )
        ]
    if all(is_number(text) or _THOUSANDS.fullmatch(text) for text in counts):
        return [
            ColumnWarning("numbers with thousands separators are labels: remove the separators")
        ]
    return []


def _dates(counts: Counts) -> list[ColumnWarning]:
    """Return a warning if all values are dates."""
    if counts and all(map(_DATE.fullmatch, counts)):
        return [
            ColumnWarning(
                "dates are not supported and become labels: use the year or the weekday instead"
            )
        ]
    return []


def _blanks(counts: Counts) -> list[ColumnWarning]:
    """Return a warning if a label begins or ends with blanks."""
    label = next((text for text in counts if text != text.strip()), None)
    return [] if label is None else [ColumnWarning(f"blanks around labels such as {label!r}")]
