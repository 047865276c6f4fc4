"""Tested differences between methods, and tables of differences in accuracy."""

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
"""Significance level of two-sided tests."""


@dataclass(frozen=True)
class Measure:
    """A metric and a significance test by which methods are compared.

    Parameters
    ----------
    metric : str
        Name of the metric in `METRICS`.
    factor : float
        Factor that turns values of the metric into points.
    test : {"corrected", "paired", "wilcoxon"}
        Significance test of `Comparison.test`.
    """

    metric: str
    factor: float
    test: str

    def mark(self, points: float) -> str:
        """Return + if a difference makes the first method the better one, else -."""
        return "+" if (points > 0) == METRICS[self.metric].higher_is_better else "-"


ACCURACY = Measure("accuracy", 100.0, "paired")


@dataclass(frozen=True)
class Difference:
    """The difference of two methods in points with the t of its test, or the reason of a failure.

    ``mark`` is + if the first method is significantly better, - if it is worse, else empty.
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
        """Return the mean of the first method minus that of the second, on the same splits."""
        failure = failure_of(results, dataset, first, second)
        if failure:
            return cls(failure=failure)
        ours, others = (results.values(measure.metric, dataset, name) for name in (first, second))
        points = measure.factor * float((ours - others).mean())
        test = results.test(measure.metric, dataset, first, second, measure.test)
        return cls(points, test.statistic, measure.mark(points) if test.p_value <= LEVEL else "")

    def __str__(self) -> str:
        """Return the text in the form of the papers."""
        return "FAILED" if self.failure else written(self.points, self.t, self.mark)


@dataclass(frozen=True, kw_only=True)
class DifferenceCell(Cell):
    """Our difference next to the printed one, whose ``spread`` is the t value."""

    ours: Difference

    @property
    def agrees(self) -> bool:
        """Whether both differences are significant in the same direction, or neither is."""
        printed = self.theirs is not None and self.theirs.mark == self.ours.mark
        return printed and not self.failure

    @property
    def figures(self) -> list[str]:
        """Our difference and the printed one."""
        theirs = self.theirs
        shown = "-" if theirs is None else written(theirs.value, theirs.spread, theirs.mark)
        return ["-" if self.failure else str(self.ours), shown]


@dataclass(frozen=True, kw_only=True)
class DifferencesTable(Table):
    """Accuracies of some methods minus the accuracy of a base method, in percentage points.

    The published differences have the method "other minus base" in `published.csv`.

    Parameters
    ----------
    base : str
        Method that the others are compared with.
    others : tuple of str
        The other methods, in the order of the table.
    """

    base: str
    others: tuple[str, ...]

    @property
    def columns(self) -> list[str]:
        """Names of the columns of numbers."""
        return ["ours", "theirs"]

    @property
    def legend(self) -> str:
        """Sentences on how to read a cell, and when it agrees."""
        return (
            "ours, theirs: accuracy of the method minus the accuracy of "
            f"{self.base} in percentage points, t of the paired t-test in parentheses, and + or - "
            "if the difference is significant at 95%. A cell agrees if ours and theirs have the "
            "same mark, or if both have none."
        )

    def cells(self, results: Comparison, printed: Sequence[PublishedValue]) -> list[Cell]:
        """Return one cell per data set and other method that are run together with the base."""
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
        """Return the cell of a method on a data set; ``theirs`` is the published difference."""
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
    """Return the text of a difference in the form of the papers.

    >>> written(-9.42, -30.34, "-")
    '-9.42 (-30.34) -'
    """
    shown = "" if t is None else f" ({t:.2f})"
    return f"{points:.2f}{shown} {mark or ' '}"
