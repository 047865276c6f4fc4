"""Tables of differences in ROC area per trial, with 99% intervals of their means."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.evaluation import delta
from bayesgrove.reproduce.experiment import failure_of
from bayesgrove.reproduce.views.claims import FAILED, NO, YES, Evidence
from bayesgrove.reproduce.views.tables import Cell, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bayesgrove.evaluation import Comparison
    from bayesgrove.kernels import Floats
    from bayesgrove.reproduce.published import PublishedValue
    from bayesgrove.reproduce.views.claims import Check

    Measure = Callable[[float, float], float]

Z99 = 2.576
"""Half the width of a 99% interval of a mean, in standard errors."""


def gained(first: float, second: float) -> float:
    """Return the share of the missing area of the second method that the first gains, in percent.

    >>> gained(0.75, 0.5)
    50.0
    """
    return 100.0 * delta(first, second)


def lost(first: float, second: float) -> float:
    """Return how much less area the second method has, in percent of the area of the first.

    >>> lost(1.0, 0.75)
    25.0
    """
    return 100.0 * (first - second) / first


@dataclass(frozen=True)
class Contest:
    """A comparison of one method with others on some data sets: one number of a table.

    A trial has one value, the mean over the other methods, because values on the same rows are not
    independent. The trials of all data sets have equal weight. ``metric`` is the name of the area.
    """

    datasets: tuple[str, ...]
    first: str
    others: tuple[str, ...]
    measure: Measure = gained
    metric: str = "auc"

    def values(self, results: Comparison) -> Floats:
        """Return one value per trial."""
        return np.concatenate([self._trials(results, name) for name in self.datasets])

    def failure(self, results: Comparison) -> str:
        """Return why a method failed; empty if none failed."""
        failures = (failure_of(results, name, self.first, *self.others) for name in self.datasets)
        return next(filter(None, failures), "")

    def summary(self, results: Comparison) -> Summary:
        """Return the summary over the trials, or why a method failed."""
        failure = self.failure(results)
        return Summary(failure=failure) if failure else Summary.of(self.values(results))

    def _trials(self, results: Comparison, dataset: str) -> Floats:
        """Return one value per trial of a data set."""
        firsts = results.values(self.metric, dataset, self.first)
        others = [results.values(self.metric, dataset, other) for other in self.others]
        return np.array(
            [
                np.mean([self.measure(one, other) for other in against])
                for one, *against in zip(firsts, *others, strict=True)
            ]
        )


@dataclass(frozen=True)
class Summary:
    """The mean over trials, half the width of its 99% interval and the quartiles; or a failure.

    ``out`` is the number of trials without a value.
    """

    mean: float = math.nan
    half: float = math.nan
    quartiles: tuple[float, float] = (math.nan, math.nan)
    count: int = 0
    out: int = 0
    failure: str = ""

    @classmethod
    def of(cls, values: Floats) -> Summary:
        """Return the summary of the finite values."""
        known = values[np.isfinite(values)]
        if not len(known):
            return cls(out=len(values), failure="no trial has a value")
        spread = float(known.std(ddof=1)) if len(known) > 1 else math.nan
        low, high = np.quantile(known, (0.25, 0.75)).tolist()
        return cls(
            mean=float(known.mean()),
            half=Z99 * spread / math.sqrt(len(known)),
            quartiles=(low, high),
            count=len(known),
            out=len(values) - len(known),
        )

    @property
    def trials(self) -> str:
        """The number of trials with a value, and the number of those left out."""
        return f"{self.count}" + (f" ({self.out} out)" if self.out else "")

    def written(self, digits: int, *, quartiles: bool = True) -> str:
        """Return the text of a cell."""
        if self.failure:
            return FAILED
        shown = f"{self.mean:.{digits}f} ± {self.half:.{digits}f}"
        low, high = self.quartiles
        return f"{shown} [{low:.{digits}f}, {high:.{digits}f}]" if quartiles else shown


@dataclass(frozen=True, kw_only=True)
class AUCGainCell(Cell):
    """Our mean with its interval and quartiles next to the printed ones."""

    theirs: PublishedValue
    ours: Summary
    digits: int = 1

    @property
    def agrees(self) -> bool:
        """Whether the 99% interval of the difference of the means contains 0."""
        apart = abs(self.ours.mean - self.theirs.value)
        return not self.failure and apart <= math.hypot(self.ours.half, self.theirs.spread or 0.0)

    @property
    def figures(self) -> list[str]:
        """Our mean, the printed mean, and the number of trials."""
        low, dots, high = self.theirs.mark.partition("..")
        printed = f"{self.theirs.value:g} ± {self.theirs.spread:g}"
        theirs = f"{printed} [{low}, {high}]" if dots else printed
        if self.failure:
            return ["-", theirs, "-"]
        return [self.ours.written(self.digits, quartiles=bool(dots)), theirs, self.ours.trials]


@dataclass(frozen=True, kw_only=True)
class AUCGainsTable(Table):
    """Differences in ROC area.

    Parameters
    ----------
    contests : dict of str to Contest
        Comparisons behind the printed numbers, by their data set in `published.csv`.
    meaning : str
        What the numbers are, for the legend.
    digits : int, default=1
        Number of decimals of our numbers.
    """

    contests: Mapping[str, Contest]
    meaning: str
    digits: int = 1

    @property
    def columns(self) -> list[str]:
        """Names of the columns of numbers."""
        return ["ours", "theirs", "trials"]

    @property
    def legend(self) -> str:
        """Sentences on how to read a cell, and when it agrees."""
        return (
            f"{self.meaning}: mean over the trials ± half the width of its 99% interval, [first "
            "and third quartile] if the paper prints them. A cell agrees if the means differ by at "
            "most the square root of the sum of the squares of the two half widths."
        )

    def cells(self, results: Comparison, printed: Sequence[PublishedValue]) -> list[Cell]:
        """Return one cell per published number that is run."""
        return [
            self._cell(results, figure) for figure in printed if figure.dataset in self.contests
        ]

    def _cell(self, results: Comparison, figure: PublishedValue) -> AUCGainCell:
        """Return the cell of a published number."""
        ours = self.contests[figure.dataset].summary(results)
        return AUCGainCell(
            dataset=figure.dataset,
            method=figure.method,
            theirs=figure,
            failure=ours.failure,
            explanation=self.explanations.get((figure.dataset, figure.method), ""),
            ours=ours,
            digits=self.digits,
        )


def surely(
    contests: Mapping[str, Contest], *, above: float = -math.inf, below: float = math.inf
) -> Check:
    """Check that the 99% interval of every mean lies within two bounds."""
    lower = f"above {above:g}" if math.isfinite(above) else ""
    upper = f"below {below:g}" if math.isfinite(below) else ""
    claimed = ", ".join(filter(None, (lower, upper)))

    def check(results: Comparison) -> list[Evidence]:
        evidence = []
        for name, contest in contests.items():
            ours = contest.summary(results)
            inside = above < ours.mean - ours.half and ours.mean + ours.half < below
            holds = FAILED if ours.failure else YES if inside else NO
            against = f"{contest.first} against {', '.join(contest.others)}"
            evidence.append(
                Evidence(name, against, ours.written(2, quartiles=False), claimed, holds)
            )
        return evidence

    return check
