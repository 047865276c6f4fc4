"""Tables of means with marks for methods that differ significantly from a base method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bayesgrove.evaluation.comparison import TESTS
from bayesgrove.reproduce.experiment import first_splits
from bayesgrove.reproduce.views.differences import LEVEL, Difference, Measure
from bayesgrove.reproduce.views.means import MeanCell, MeansTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.evaluation import Comparison
    from bayesgrove.reproduce.published import PublishedValue
    from bayesgrove.reproduce.views.tables import Cell


@dataclass(frozen=True, kw_only=True)
class MarkedMeanCell(MeanCell):
    """A mean with its difference from the base method; None for the base itself."""

    difference: Difference | None

    @property
    def same_mark(self) -> bool:
        """Whether our mark is the same as the published mark."""
        ours = self.difference
        return ours is not None and not ours.failure and ours.mark == self.their_mark

    @property
    def their_mark(self) -> str:
        """The published mark."""
        return "" if self.theirs is None else self.theirs.mark

    @property
    def figures(self) -> list[str]:
        """Our mean and the printed mean with their marks, the deviations, and the distance."""
        ours, our_spread, theirs, their_spread, distance = super().figures
        mark = self.difference.mark if self.difference else ""
        marked = f"{ours} {mark or ' '}", f"{theirs} {self.their_mark or ' '}"
        return [marked[0], our_spread, marked[1], their_spread, distance]


@dataclass(frozen=True, kw_only=True)
class MarkedMeansTable(MeansTable):
    """Means of a metric, with + or - if they differ significantly from the mean of a base method.

    Parameters
    ----------
    base : str
        Method that the others are compared with.
    test : {"corrected", "paired", "wilcoxon"}
        Significance test of `Comparison.test`.
    """

    base: str
    test: str

    @property
    def legend(self) -> str:
        """Sentences on how to read a row, and when a cell agrees."""
        return (
            f"{super().legend} +: significantly better than {self.base}, -: significantly worse "
            f"({TESTS[self.test]}, {100 * LEVEL:g}% level)."
        )

    def cells(
        self, results: Comparison, printed: Sequence[PublishedValue]
    ) -> Sequence[MarkedMeanCell]:
        """Return one cell per published mean and method that is run."""
        compared = first_splits(results, self.splits)
        return [
            MarkedMeanCell(**vars(cell), difference=self._difference(compared, cell))
            for cell in super().cells(results, printed)
        ]

    def summary(self, cells: Sequence[Cell]) -> str:
        """Return how many cells agree and, if the marks of the paper are known, how many marks."""
        tested = [
            cell
            for cell in cells
            if isinstance(cell, MarkedMeanCell) and cell.difference is not None
        ]
        text = super().summary(cells)
        if not any(cell.their_mark for cell in tested):
            return text
        same = sum(cell.same_mark for cell in tested)
        return f"{text} {same} of {len(tested)} marks are the same."

    def _difference(self, results: Comparison, cell: MeanCell) -> Difference | None:
        """Return the difference of a cell from the base; None for the base itself."""
        if cell.method == self.base:
            return None
        measure = Measure(self.metric, self.factor, self.test)
        return Difference.between(results, cell.dataset, cell.method, self.base, measure)
