"""Tested differences between methods, and tables of differences in accuracy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bayesgrove.evaluation import METRICS
from bayesgrove.reproduce.experiment import failure_of
from bayesgrove.reproduce.views.agreement import AGREES, CLOSE, Estimate, Judgement, compared
from bayesgrove.reproduce.views.tables import Cell, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.evaluation import Comparison
    from bayesgrove.reproduce.published import PublishedValue

LEVEL = 0.05
"""Significance level of two-sided tests."""
ROUNDING = 0.005
"""Half a unit of the last digit of printed differences, which have two decimals."""


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
    level : float, default=0.05
        Significance level of the two-sided test.
    """

    metric: str
    factor: float
    test: str
    level: float = LEVEL

    def mark(self, points: float) -> str:
        """Return + if a difference makes the first method the better one, else -.

        Sizes and times are better if they are smaller.
        """
        known = METRICS.get(self.metric)
        return "+" if (points > 0) == (known is not None and known.higher_is_better) else "-"


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
        return cls(
            points, test.statistic, measure.mark(points) if test.p_value <= measure.level else ""
        )

    @property
    def estimate(self) -> Estimate:
        """The points with their standard error."""
        return _estimate(self.points, self.t)

    def __str__(self) -> str:
        """Return the text in the form of the papers."""
        return "FAILED" if self.failure else written(self.points, self.t, self.mark)


@dataclass(frozen=True, kw_only=True)
class DifferenceCell(Cell):
    """Our difference next to the printed one, whose ``spread`` is the t value.

    ``judgement`` is the comparison of both differences; None if one of them is missing.
    """

    ours: Difference
    judgement: Judgement | None = None

    @property
    def agrees(self) -> bool:
        """Whether our difference is within two combined standard errors of the printed one."""
        return self.judgement is not None and self.judgement.verdict == AGREES

    @property
    def same_mark(self) -> bool:
        """Whether both differences are significant in the same direction, or neither is."""
        printed = self.theirs is not None and self.theirs.mark == self.ours.mark
        return printed and not self.failure

    @property
    def figures(self) -> list[str]:
        """Our difference, the printed one, and the distance."""
        theirs = self.theirs
        shown = "-" if theirs is None else written(theirs.value, theirs.spread, theirs.mark)
        distance = "-" if self.judgement is None else f"{self.judgement.distance:+.1f}"
        return ["-" if self.failure else str(self.ours), shown, distance]


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
    widest : float, default=inf
        Our standard error may be at most this many times the printed one if a cell is to agree.
    """

    base: str
    others: tuple[str, ...]
    widest: float = math.inf

    @property
    def columns(self) -> list[str]:
        """Names of the columns of numbers."""
        return ["ours", "theirs", "distance"]

    @property
    def legend(self) -> str:
        """Sentences on how to read a cell, and when it agrees."""
        return (
            "ours, theirs: accuracy of the method minus the accuracy of "
            f"{self.base} in percentage points, t of the paired t-test in parentheses, and + or - "
            "if the difference is significant at 95%. distance: our difference minus the printed "
            "one, in combined standard errors (a standard error is the difference divided by its "
            f"t). A cell agrees if the distance is from -{CLOSE:g} to {CLOSE:g}{self._width}."
        )

    @property
    def _width(self) -> str:
        """The condition on our standard error, for the legend."""
        if math.isinf(self.widest):
            return ""
        times = "" if self.widest == 1.0 else f"{self.widest:.2f} times "
        return f" and our standard error is at most {times}the printed one"

    def summary(self, cells: Sequence[Cell]) -> str:
        """Return how many cells agree, and how many marks are the same."""
        text = super().summary(cells)
        printed = [
            cell for cell in cells if isinstance(cell, DifferenceCell) and cell.theirs is not None
        ]
        if not printed:
            return text
        same = sum(cell.same_mark for cell in printed)
        return f"{text} {same} of {len(printed)} marks are the same."

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
        judgement = None if theirs is None or ours.failure else self._judged(ours, theirs)
        return DifferenceCell(
            dataset=dataset,
            method=other,
            theirs=theirs,
            failure=ours.failure,
            explanation=self.explanations.get((dataset, other), ""),
            untestable=judgement.reason if judgement else "",
            ours=ours,
            judgement=judgement,
        )

    def _judged(self, ours: Difference, theirs: PublishedValue) -> Judgement:
        """Compare our difference with a printed one."""
        printed = _estimate(theirs.value, theirs.spread)
        return compared(ours.estimate, printed, rounding=ROUNDING, widest=self.widest)


def _estimate(points: float, t: float | None) -> Estimate:
    """Return a difference with its standard error, which its t value implies if it is not 0."""
    return Estimate(points, points / t) if t else Estimate(points)


def written(points: float, t: float | None, mark: str) -> str:
    """Return the text of a difference in the form of the papers.

    >>> written(-9.42, -30.34, "-")
    '-9.42 (-30.34) -'
    """
    shown = "" if t is None else f" ({t:.2f})"
    return f"{points:.2f}{shown} {mark or ' '}"
