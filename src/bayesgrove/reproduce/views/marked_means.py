"""Tables of means that mark which methods differ from one of them."""

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
    """A mean with its difference from the base; the base has none."""

    difference: Difference | None

    @property
    def same_mark(self) -> bool:
        """Whether ours is marked as theirs is."""
        ours = self.difference
        return ours is not None and not ours.failure and ours.mark == self.their_mark

    @property
    def their_mark(self) -> str:
        """The published mark."""
        return "" if self.theirs is None else self.theirs.mark

    @property
    def figures(self) -> list[str]:
        """Ours and theirs with their marks, and the distance."""
        ours, theirs, distance = super().figures
        mark = self.difference.mark if self.difference else ""
        return [f"{ours} {mark or ' '}", f"{theirs} {self.their_mark or ' '}", distance]


@dataclass(frozen=True, kw_only=True)
class MarkedMeansTable(MeansTable):
    """Means of a metric, with + or - where they differ significantly from those of one method.

    Parameters
    ----------
    base : the method that the others are held against
    test : of `Comparison.test`
    """

    base: str
    test: str

    @property
    def legend(self) -> str:
        """How a row is read."""
        return (
            f"{super().legend} +, -: significantly better, worse than {self.base} "
            f"({TESTS[self.test]}, {100 * LEVEL:g}% level)."
        )

    def cells(
        self, results: Comparison, printed: Sequence[PublishedValue]
    ) -> Sequence[MarkedMeanCell]:
        """Return a cell per published mean and method that was run for it."""
        seen = first_splits(results, self.splits)
        return [
            MarkedMeanCell(**vars(cell), difference=self._difference(seen, cell))
            for cell in super().cells(results, printed)
        ]

    def summary(self, cells: Sequence[Cell]) -> str:
        """Say how many cells agree and, where the paper's marks are known, how many marks."""
        held = [
            cell
            for cell in cells
            if isinstance(cell, MarkedMeanCell) and cell.difference is not None
        ]
        text = super().summary(cells)
        if not any(cell.their_mark for cell in held):
            return text
        return f"{text} {sum(cell.same_mark for cell in held)} of {len(held)} marks are the same."

    def _difference(self, results: Comparison, cell: MeanCell) -> Difference | None:
        if cell.method == self.base:
            return None
        measure = Measure(self.metric, self.factor, self.test)
        return Difference.between(results, cell.dataset, cell.method, self.base, measure)
