"""How the values of one column become codes, and what the codes are called."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.tables.numerals import EXACT_INTEGERS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.kernels import Floats


@dataclass(frozen=True)
class Nominal:
    """Labels in order; with ``missing_state`` a missing value is one more state, called None."""

    name: str
    labels: tuple[Any, ...]
    missing_state: bool

    @cached_property
    def states(self) -> tuple[Any, ...]:
        """Labels of the codes; a column without any value has the single state None."""
        return (*self.labels, None) if self.missing_state or not self.labels else self.labels

    @property
    def card(self) -> int:
        """Number of states."""
        return len(self.states)

    @property
    def missing_code(self) -> int:
        """Code of a missing value: its own state, or the one that is left out of counts."""
        return len(self.labels) if self.missing_state else self.card

    @cached_property
    def place(self) -> dict[Any, int]:
        """Code of every label."""
        return {label: code for code, label in enumerate(self.labels)}

    @cached_property
    def points(self) -> tuple[Floats, NDArray[np.uint32]] | None:
        """Labels as sorted numbers and their codes; None unless all are exact numbers."""
        for label in self.labels:
            if not isinstance(label, (int, float)) or abs(label) > EXACT_INTEGERS:
                return None
        values = np.array(self.labels, dtype=np.float64)
        order = np.argsort(values)
        return values[order], order.astype(np.uint32)


@dataclass(frozen=True)
class Intervals:
    """Intervals between cut points; a value equal to a cut point lies below it."""

    name: str
    cuts: Floats
    missing_state: bool

    @cached_property
    def states(self) -> tuple[Any, ...]:
        """Readable intervals, and None for missing values where they are a state."""
        intervals = interval_names(self.cuts)
        return (*intervals, None) if self.missing_state else intervals

    @property
    def card(self) -> int:
        """Number of states."""
        return len(self.cuts) + 1 + self.missing_state

    @property
    def missing_code(self) -> int:
        """Code of a missing value: its own state, or the one that is left out of counts."""
        return len(self.cuts) + 1 if self.missing_state else self.card

    @cached_property
    def points(self) -> tuple[Floats, NDArray[np.uint32]]:
        """Cut points and the codes of the intervals they close."""
        return self.cuts, np.arange(len(self.cuts), dtype=np.uint32)


@dataclass(frozen=True)
class Continuous:
    """A column that stays a number; ``step`` is the mean gap between adjacent values of training.

    It is 0 where training had no two values.
    """

    name: str
    step: float = 0.0


Discrete = Nominal | Intervals
Coding = Nominal | Intervals | Continuous


def interval_names(cuts: Floats) -> tuple[str, ...]:
    """Names such as ``<=2.45``, ``(2.45, 4.75]``, ``>4.75``.

    >>> interval_names(np.array([2.45, 4.75]))
    ('<=2.45', '(2.45, 4.75]', '>4.75')
    """
    if not len(cuts):
        return ("all",)
    ends = [f"{cut:.6g}" for cut in cuts]
    if len(set(ends)) < len(ends):
        ends = [repr(float(cut)) for cut in cuts]
    inner = [f"({low}, {high}]" for low, high in itertools.pairwise(ends)]
    return (f"<={ends[0]}", *inner, f">{ends[-1]}")
