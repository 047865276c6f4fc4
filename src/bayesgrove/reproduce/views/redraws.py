"""Tables of how many draws of trials are thrown away because they have rows of one class only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bayesgrove.reproduce.views.tables import Cell, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bayesgrove.evaluation import Comparison
    from bayesgrove.reproduce.published import PublishedValue
    from bayesgrove.reproduce.synthetic import SampledData

TRIALS = 200
"""Largest number of trials per data set in which draws are counted."""


@dataclass(frozen=True, kw_only=True)
class RedrawCell(Cell):
    """The share of draws that are thrown away."""

    share: float

    @property
    def agrees(self) -> bool:
        """False: the paper prints no such share."""
        return False

    @property
    def figures(self) -> list[str]:
        """The share in percent."""
        return [f"{100 * self.share:.1f}%"]


@dataclass(frozen=True, kw_only=True)
class RedrawsTable(Table):
    """Shares of draws that are thrown away, by data set.

    Parameters
    ----------
    drawn : dict of str to SampledData
        The data sets by name.
    """

    drawn: Mapping[str, SampledData]

    @property
    def columns(self) -> list[str]:
        """Names of the columns of numbers."""
        return ["drawn again"]

    @property
    def legend(self) -> str:
        """A sentence on what the share is."""
        return (
            "drawn again: share of draws whose training rows or test rows are all of one class, in "
            f"the first {TRIALS} trials."
        )

    def cells(self, results: Comparison, printed: Sequence[PublishedValue]) -> list[Cell]:  # noqa: ARG002
        """Return one cell per data set; the results of models do not matter."""
        return [
            RedrawCell(dataset=name, method="all", theirs=None, share=data.redrawn(TRIALS))
            for name, data in self.drawn.items()
        ]
