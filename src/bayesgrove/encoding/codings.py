"""Codings: how the values of one column become codes, and the names of the codes."""

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
    """The coding of a nominal column.

    Parameters
    ----------
    name : str
        The name of the column.
    labels : tuple
        The labels; the code of a label is its index.
    missing_state : bool
        Whether missing values are a state. That state comes last and is called None.
    """

    name: str
    labels: tuple[Any, ...]
    missing_state: bool

    @cached_property
    def states(self) -> tuple[Any, ...]:
        """Labels of the codes, then None if missing values are a state.

        A column without any label has the single state None.
        """
        return (*self.labels, None) if self.missing_state or not self.labels else self.labels

    @property
    def card(self) -> int:
        """Number of states."""
        return len(self.states)

    @property
    def missing_code(self) -> int:
        """Code of missing values: a state, or the code ``card``, which counts leave out."""
        return len(self.labels) if self.missing_state else self.card

    @cached_property
    def code_of(self) -> dict[Any, int]:
        """Code of every label, by label."""
        return {label: code for code, label in enumerate(self.labels)}

    @cached_property
    def points(self) -> tuple[Floats, NDArray[np.uint32]] | None:
        """Labels as sorted floats, with their codes; None if a label is not exactly a float."""
        for label in self.labels:
            if not isinstance(label, (int, float)) or abs(label) > EXACT_INTEGERS:
                return None
        values = np.array(self.labels, dtype=np.float64)
        order = np.argsort(values)
        return values[order], order.astype(np.uint32)


@dataclass(frozen=True)
class Intervals:
    """The coding of a numeric column by intervals; a cut point belongs to the interval below it.

    Parameters
    ----------
    name : str
        The name of the column.
    cuts : ndarray of shape (n_cuts,)
        The cut points, ascending. They separate ``n_cuts + 1`` intervals.
    missing_state : bool
        Whether missing values are a state. That state comes last and is called None.
    """

    name: str
    cuts: Floats
    missing_state: bool

    @cached_property
    def states(self) -> tuple[Any, ...]:
        """Names of the intervals, then None if missing values are a state."""
        intervals = interval_names(self.cuts)
        return (*intervals, None) if self.missing_state else intervals

    @property
    def card(self) -> int:
        """Number of states."""
        return len(self.cuts) + 1 + self.missing_state

    @property
    def missing_code(self) -> int:
        """Code of missing values: a state, or the code ``card``, which counts leave out."""
        return len(self.cuts) + 1 if self.missing_state else self.card

    @cached_property
    def points(self) -> tuple[Floats, NDArray[np.uint32]]:
        """Cut points, with the codes of the intervals that end at them."""
        return self.cuts, np.arange(len(self.cuts), dtype=np.uint32)


@dataclass(frozen=True)
class Continuous:
    """The coding of a numeric column that stays numeric.

    Parameters
    ----------
    name : str
        The name of the column.
    step : float, default=0.0
        The mean gap between adjacent distinct values of the training rows. It is 0 if they have
        fewer than two distinct values.
    """

    name: str
    step: float = 0.0


Discrete = Nominal | Intervals
Coding = Nominal | Intervals | Continuous


def interval_names(cuts: Floats) -> tuple[str, ...]:
    """Return the names of the intervals between cut points; without cuts it is ``all``.

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
