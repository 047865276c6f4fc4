"""Values of a new table as a schema's codings want them: the codings decide, not the table."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.kernels import kernels
from bayesgrove.tables.columns import Labels, Numbers, Texts, spread
from bayesgrove.tables.numerals import is_number, to_exact, to_float

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bayesgrove.encoding.codings import Nominal

_SHOWN = 60
_TRUTH = {"true": True, "false": False}


class NotNumericError(ValueError):
    """A column that was numeric in training holds something else, first in ``row``."""

    def __init__(self, column: str, value: Any, times: int, row: int) -> None:
        self.row = row
        text = str(value)
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
        self.problem = (
            f"column {column!r} was numeric in training and holds {shown!r} ({times} times): give "
            f"numbers; open_table(..., na_values=[{shown!r}]) or --na-values {shlex.quote(shown)} "
            "takes that as missing."
        )
        super().__init__(f"C{self.problem[1:]}")


def label_codes(column: Labels, coding: Nominal, *, spelled: bool) -> list[int]:
    """Return the code of every label of a column; ``coding.card`` where training had none.

    Where values are ``spelled`` a label of training may have another type: "3" is 3.
    """
    place, decimals, unknown = coding.place, _decimals(column), coding.card
    if not spelled:
        return [place.get(label, unknown) for label in column.labels]
    return [
        place[label] if label in place else _spelled(label, place, decimals, unknown)
        for label in column.labels
    ]


def _spelled(label: Any, place: Mapping[Any, int], decimals: str, unknown: int) -> int:
    spellings = _spellings(label, decimals)
    return next((place[spelling] for spelling in spellings if spelling in place), unknown)


def label_numbers(column: Labels, name: str, *, spelled: bool) -> Numbers:
    """Return labels that spell numbers as numbers; raise for any other that a row has."""
    used = kernels.used_labels(column.codes, len(column.labels))
    places = np.flatnonzero(used[:-1]).tolist()
    decimals = _decimals(column) if spelled or not places else ""
    for decimal in decimals:
        if all(_is_numeric(column.labels[at], decimal) for at in places):
            values = [np.nan] * len(column.labels)
            for at in places:
                values[at] = _to_number(column.labels[at], decimal)
            return Numbers(spread(values, column.codes))
    others = (_other_than_numbers(column, places, decimal) for decimal in decimals)
    wrong = min(others, key=len, default=_words_first(column, places))
    rows = column.codes == wrong[0]
    raise NotNumericError(name, column.labels[wrong[0]], int(rows.sum()), int(np.argmax(rows)))


def match_label(value: Any, known: Mapping[Any, Any], decimals: Sequence[str] = ".") -> Any:
    """Return the label that is written like a value; the value itself where there is none.

    >>> match_label("3", {1: 1, 3: 3}), match_label(3.0, {"3": "3"}), match_label("x", {1: 1})
    (3, '3', 'x')
    """
    for spelling in (value, *_spellings(value, decimals)):
        if spelling in known:
            return known[spelling]
    return value


def _spellings(value: Any, decimals: Sequence[str]) -> list[Any]:
    """Return what a value may be called: as a number or truth value, or as text."""
    if not isinstance(value, str):
        whole = isinstance(value, float) and value.is_integer()
        return [str(int(value)) if whole else str(value)]
    numbers = [to_exact(value, decimal) for decimal in decimals if is_number(value, decimal)]
    truth = [_TRUTH[value.lower()]] if value.lower() in _TRUTH else []
    return [*numbers, *truth]


def _decimals(column: Labels) -> str:
    return column.decimals if isinstance(column, Texts) else "."


def _is_numeric(label: Any, decimal: str) -> bool:
    if isinstance(label, str):
        return is_number(label, decimal)
    return isinstance(label, (int, float)) and not isinstance(label, bool)


def _to_number(label: Any, decimal: str) -> float:
    return to_float(label, decimal) if isinstance(label, str) else float(label)


def _words_first(column: Labels, places: list[int]) -> list[int]:
    return sorted(places, key=lambda at: isinstance(column.labels[at], (int, float)))


def _other_than_numbers(column: Labels, places: list[int], decimal: str) -> list[int]:
    return [at for at in places if not _is_numeric(column.labels[at], decimal)]
