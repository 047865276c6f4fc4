"""Differences between methods that are tested, and tables of those in accuracy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bayesgrove.evaluation import METRICS
from bayesgrove.reproduce.experiment import failure_of
from bayesgrove.reproduce.views.tables import Cell, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.evaluation import Comparison
    from bayesgrove.reproduce.published import PublishedValue

LEVEL = 0.05
"""A two-sided p-value of at most this is significant."""


@dataclass(frozen=True)
class Measure:
    """What methods are compared by.

    Parameters
    ----------
    metric, factor : of `METRICS`, and what its values are multiplied with to be points
    test : of `Comparison.test`
    """

    metric: str
    factor: float
    test: str

    def mark(self, points: float) -> str:
        """Return + for a difference that makes the first method the better one, else -."""
        return "+" if (points > 0) == METRICS[self.metric].higher_is_better else "-"


ACCURACY = Measure("accuracy", 100.0, "paired")


@dataclass(frozen=True)
class Difference:
    """How much higher one value is than another in points, and the t of the test; or why not.

    ``mark`` is + or - where the first method is significantly better or worse, else empty.
    """

    points: float = math.nan
    t: float = math.nan
    mark: str = ""
    failure: str = ""

    @classmethod
    def between(
        cls,
        results: Comparison,
        dataset: str,
        first: str,
        second: str,
        measure: Measure = ACCURACY,
    ) -> Difference:
        """Subtract the mean of the second method from that of the first, on the same splits."""
        failure = failure_of(results, dataset, first, second)
        if failure:
            return cls(failure=failure)
        ours, others = (results.values(measure.metric, dataset, name) for name in (first, second))
        points = measure.factor * float((ours - others).mean())
        test = results.test(measure.metric, dataset, first, second, measure.test)
        return cls(points, test.statistic, measure.mark(points) if test.p_value <= LEVEL else "")

    def __str__(self) -> str:
        """Return the text that the papers would print."""
        return "FAILED" if self.failure else written(self.points, self.t, self.mark)


@dataclass(frozen=True, kw_only=True)
class DifferenceCell(Cell):
    """Our difference beside the printed one, whose ``spread`` is the t value."""

    ours: Difference

    @property
    def agrees(self) -> bool:
        """Whether both are significant in the same direction, or neither is."""
        printed = self.theirs is not None and self.theirs.mark == self.ours.mark
        return printed and not self.failure

    @property
    def figures(self) -> list[str]:
        """Ours and theirs."""
        theirs = self.theirs
        shown = "-" if theirs is None else written(theirs.value, theirs.spread, theirs.mark)
        return ["-" if self.failure else str(self.ours), shown]


@dataclass(frozen=True, kw_only=True)
class DifferencesTable(Table):
    """Accuracies of some methods less that of one, in points.

    What is printed stands in `published.csv` under the name "other minus base".

    Parameters
    ----------
    base : the method that the others are held against
    others : these, in the order of the table
    """

    base: str
    others: tuple[str, ...]

    @property
    def columns(self) -> list[str]:
        """What a row shows."""
        return ["ours", "theirs"]

    @property
    def legend(self) -> str:
        """How a cell is read, and when it agrees."""
        return (
            f"ours, theirs: accuracy less that of {self.base} in points, (paired t), + or - where "
            "the difference is significant at 95%. Cells agree when these marks do."
        )

    def cells(self, results: Comparison, printed: Sequence[PublishedValue]) -> list[Cell]:
        """Return a cell per data set and other method that were run with the base."""
        figures = {(figure.dataset, figure.method): figure for figure in printed}
        datasets = dict.fromkeys(
            name for experiment in self.experiments for name in experiment.data
        )
        return [
            self._cell(
                results, dataset, other, figures.get((dataset, f"{other} minus {self.base}"))
            )
            for dataset in datasets
            for other in self.others
            if self.has(dataset, other) and self.has(dataset, self.base)
        ]

    def _cell(
        self, results: Comparison, dataset: str, other: str, theirs: PublishedValue | None
    ) -> DifferenceCell:
        ours = Difference.between(results, dataset, other, self.base)
        return DifferenceCell(
            dataset=dataset,
            method=other,
            theirs=theirs,
            failure=ours.failure,
            explanation=self.explanations.get((dataset, other), ""),
            ours=ours,
        )


def written(points: float, t: float | None, mark: str) -> str:
    """Return a difference as the papers print it.

    >>> written(-9.42, -30.34, "-")
    '-9.42 (-30.34) -'
    """
    shown = "" if t is None else f" ({t:.2f})"
    return f"{points:.2f}{shown} {mark or ' '}"
