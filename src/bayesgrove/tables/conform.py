"""Columns of a new table as a model's schema wants them: its codings decide, not the file."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import pandas as pd

from bayesgrove.encoding import Nominal
from bayesgrove.tables.factored import Factored, factor
from bayesgrove.tables.numerals import is_number, to_exact, to_numbers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bayesgrove.encoding import Coding

_SHOWN = 60
_TRUTH = {"true": True, "false": False}


class NotNumericError(ValueError):
    """A column that was numeric in training holds a text; ``row`` is the first that does."""

    def __init__(self, column: str, value: str, times: int, row: int) -> None:
        self.row = row
        shown = value if len(value) <= _SHOWN else f"{value[:_SHOWN]}..."
        super().__init__(
            f"column {column!r} was numeric in training and holds {shown!r} "
            f"({times} times): --missing {shlex.quote(shown)} takes that as missing."
        )


def conform(found: Factored, coding: Coding, decimals: Sequence[str] = ".") -> pd.Series:
    """Values as a coding wants them: the labels of training, or numbers."""
    if isinstance(coding, Nominal):
        known = {label: label for label in coding.labels}
        return found.spread([match_label(value, known, decimals) for value in found.values])
    for decimal in decimals:
        numbers = to_numbers(found.values, decimal)
        if numbers is not None:
            return found.spread_numbers(numbers)
    wrong = min((_no_numbers(found, decimal) for decimal in decimals), key=len)
    text = found.values[wrong[0]]
    raise NotNumericError(coding.name, text, found.times(wrong[0]), found.first_row(wrong[0]))


def conform_series(column: pd.Series, coding: Coding) -> pd.Series:
    """A typed column as a coding wants it; only where the types differ is there anything to do."""
    if isinstance(coding, Nominal):
        return conform(factor(column), coding)
    if pd.api.types.is_numeric_dtype(column.dtype):
        return column
    found = factor(column)
    # What is neither number nor text is for the estimator to judge.
    return conform(found, coding) if all(isinstance(v, str) for v in found.values) else column


def match_label(value: Any, known: Mapping[Any, Any], decimals: Sequence[str] = ".") -> Any:
    """The label that is written like a value; the value itself where there is none.

    >>> match_label("3", {1: 1, 3: 3}), match_label(3.0, {"3": "3"}), match_label("x", {1: 1})
    (3, '3', 'x')
    """
    for spelling in _spellings(value, decimals):
        if spelling in known:
            return known[spelling]
    return value


def _spellings(value: Any, decimals: Sequence[str]) -> list[Any]:
    """What a value may be called: as it is, then as a number or truth value, or as text."""
    if not isinstance(value, str):
        whole = isinstance(value, float) and value.is_integer()
        return [value, str(int(value)) if whole else str(value)]
    numbers = [to_exact(value, decimal) for decimal in decimals if is_number(value, decimal)]
    truth = [_TRUTH[value.lower()]] if value.lower() in _TRUTH else []
    return [value, *numbers, *truth]


def _no_numbers(found: Factored, decimal: str) -> list[int]:
    return [at for at, text in enumerate(found.values) if not is_number(text, decimal)]
