"""Match the values of a new table to the codings of training.

The coding decides whether a column holds numbers or labels, not the new table.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove._utils.wording import counted
from bayesgrove.kernels import kernels
from bayesgrove.tables.columns import Labels, Numbers, Texts, spread
from bayesgrove.tables.numerals import is_number, to_exact, to_float

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bayesgrove.encoding.codings import Nominal

_SHOWN = 60
_TRUTH = {"true": True, "false": False}


class NotNumericError(ValueError):
    """A column that was numeric in training, but holds other values now.

    Parameters
    ----------
    column : str
        The name of the column.
    value : object
        The first value that is not a number.
    times : int
        The number of rows with that value.
    row : int
        The index of the first row with that value, within the batch.
    """

    def __init__(self, column: str, value: Any, times: int, row: int) -> None:
        self.row = row
        text = str(value)
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
        self.problem = (
            f"column {column!r} was numeric in training, but holds {shown!r} "
            f"({counted(times, 'time')}): give numbers, or declare {shown!r} as a "
            f"missing value with open_table(..., na_values=[{shown!r}]) or "
            f"--na-values {shlex.quote(shown)}."
        )
        super().__init__(f"C{self.problem[1:]}")


def label_codes(column: Labels, coding: Nominal, *, spelled: bool) -> list[int]:
    """Return the code of every label of a column; ``coding.card`` for unseen labels.

    If the values are ``spelled``, a label of training may have another type: "3" matches 3.
    """
    code_of, decimals, unseen = coding.code_of, _decimals(column), coding.card
    if not spelled:
        return [code_of.get(label, unseen) for label in column.labels]
    return [
        code_of[label] if label in code_of else _spelled(label, code_of, decimals, unseen)
        for label in column.labels
    ]


def _spelled(label: Any, code_of: Mapping[Any, int], decimals: str, unseen: int) -> int:
    """Return the code of the label that is written like this one, else ``unseen``."""
    spellings = _spellings(label, decimals)
    return next((code_of[spelling] for spelling in spellings if spelling in code_of), unseen)


def label_numbers(column: Labels, name: str, *, spelled: bool) -> Numbers:
    """Return a column of labels as numbers; raise unless all labels that occur are numbers.

    The first decimal sign with which all labels are numbers is used.
    """
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
    """Return the known label that is written like the value; the value itself if there is none.

    >>> match_label("3", {1: 1, 3: 3}), match_label(3.0, {"3": "3"}), match_label("x", {1: 1})
    (3, '3', 'x')
    """
    for spelling in (value, *_spellings(value, decimals)):
        if spelling in known:
            return known[spelling]
    return value


def _spellings(value: Any, decimals: Sequence[str]) -> list[Any]:
    """Return other forms of a value: the number or truth value in a text, or a value as text."""
    if not isinstance(value, str):
        whole = isinstance(value, float) and value.is_integer()
        return [str(int(value)) if whole else str(value)]
    numbers = [to_exact(value, decimal) for decimal in decimals if is_number(value, decimal)]
    truth = [_TRUTH[value.lower()]] if value.lower() in _TRUTH else []
    return [*numbers, *truth]


def _decimals(column: Labels) -> str:
    """Return the decimal signs to try, the most likely one first."""
    return column.decimals if isinstance(column, Texts) else "."


def _is_numeric(label: Any, decimal: str) -> bool:
    """Return whether a label is a number, or a text that holds one."""
    if isinstance(label, str):
        return is_number(label, decimal)
    return isinstance(label, (int, float)) and not isinstance(label, bool)


def _to_number(label: Any, decimal: str) -> float:
    """Return the number in a label for which `_is_numeric` holds."""
    return to_float(label, decimal) if isinstance(label, str) else float(label)


def _words_first(column: Labels, places: list[int]) -> list[int]:
    """Return the indices of labels with all texts before all numbers."""
    return sorted(places, key=lambda at: isinstance(column.labels[at], (int, float)))


def _other_than_numbers(column: Labels, places: list[int], decimal: str) -> list[int]:
    """Return the indices of the labels that are not numbers."""
    return [at for at in places if not _is_numeric(column.labels[at], decimal)]
