"""Tables of differences in ROC area per trial, with 99% intervals of their means."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.evaluation import delta
from bayesgrove.reproduce.experiment import failure_of
from bayesgrove.reproduce.views.agreement import (
    AGREES,
    CLOSE,
    DIFFERS,
    NOT_TESTABLE,
    Estimate,
    Judgement,
    compared,
)
from bayesgrove.reproduce.views.claims import FAILED
from bayesgrove.reproduce.views.tables import Cell, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bayesgrove.evaluation import Comparison
    from bayesgrove.kernels import Floats
    from bayesgrove.reproduce.published import PublishedValue

    Measure = Callable[[float, float], float]

Z99 = 2.576
"""Half the width of a 99% interval of a mean, in standard errors."""
QUARTILES = (0.25, 0.75)
RESAMPLES = 500
"""Number of bootstrap samples behind the standard error of a quartile."""
TOO_WIDE = "Our interval is wider than the printed one"


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


def points(first: float, second: float) -> float:
    """Return how much more area the first method has, in percentage points.

    >>> points(1.0, 0.75)
    25.0
    """
    return 100.0 * (first - second)


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

    @property
    def title(self) -> str:
        """The methods that are compared."""
        return f"{self.first} vs {', '.join(self.others)}"

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
    """The mean over trials, its standard error and the quartiles with theirs; or a failure.

    ``out`` is the number of trials without a value.
    """

    mean: float = math.nan
    error: float = math.nan
    quartiles: tuple[float, float] = (math.nan, math.nan)
    quartile_errors: tuple[float, float] = (math.nan, math.nan)
    count: int = 0
    out: int = 0
    failure: str = ""

    @classmethod
    def of(cls, values: Floats) -> Summary:
        """Return the summary of the finite values."""
        known = values[np.isfinite(values)]
        if not len(known):
            return cls(out=len(values), failure="no trial has a value")
        spread = float(known.std(ddof=1)) if len(known) > 1 else math.inf
        low, high = np.quantile(known, QUARTILES).tolist()
        return cls(
            mean=float(known.mean()),
            error=spread / math.sqrt(len(known)),
            quartiles=(low, high),
            quartile_errors=quartile_errors(known),
            count=len(known),
            out=len(values) - len(known),
        )

    @property
    def half(self) -> float:
        """Half the width of the 99% interval of the mean."""
        return Z99 * self.error

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


def quartile_errors(values: Floats) -> tuple[float, float]:
    """Return the standard errors of the first and the third quartile, by the bootstrap."""
    drawn = np.random.default_rng(0).integers(len(values), size=(RESAMPLES, len(values)))
    low, high = np.quantile(values[drawn], QUARTILES, axis=1).std(axis=1, ddof=1).tolist()
    return low, high


@dataclass(frozen=True, kw_only=True)
class AUCGainCell(Cell):
    """Our mean with its interval and quartiles next to the printed ones.

    The standard errors of the printed quartiles are not known. The ratio of the standard errors of
    the two means gives them: it tells how many trials are behind the printed numbers.
    """

    ours: Summary
    digits: int = 1

    @property
    def their_error(self) -> float:
        """The standard error of the printed mean, which is printed with a 99% interval."""
        spread = None if self.theirs is None else self.theirs.spread
        return math.nan if spread is None else spread / Z99

    @property
    def their_quartiles(self) -> list[float]:
        """The printed quartiles; empty if there are none."""
        low, dots, high = ("" if self.theirs is None else self.theirs.mark).partition("..")
        return [float(low), float(high)] if dots else []

    @property
    def judgement(self) -> Judgement:
        """The comparison of the means, if there is a printed one."""
        theirs = math.nan if self.theirs is None else self.theirs.value
        ours = Estimate(self.ours.mean, self.ours.error)
        return compared(ours, Estimate(theirs, self.their_error), widest=1.0)

    @property
    def quartile_judgements(self) -> list[Judgement]:
        """The comparisons of the quartiles, if they are printed."""
        ratio = self.their_error / self.ours.error if self.ours.error else math.nan
        both = zip(
            self.ours.quartiles, self.ours.quartile_errors, self.their_quartiles, strict=False
        )
        return [
            compared(Estimate(ours, error), Estimate(theirs, ratio * error), widest=1.0)
            for ours, error, theirs in both
        ]

    @property
    def agrees(self) -> bool:
        """Whether the means are within two standard errors, and our interval is not the wider."""
        return self.judgement.verdict == AGREES

    @property
    def figures(self) -> list[str]:
        """Our mean, the printed mean, the distances and the number of trials."""
        distances = ["-"] * (1 + len(self.their_quartiles))
        if self.failure:
            return ["-", self._printed, *distances, "-"]
        if self.theirs is not None:
            judgements = (self.judgement, *self.quartile_judgements)
            distances = [f"{one.distance:+.1f}" for one in judgements]
        ours = self.ours.written(self.digits, quartiles=bool(self.their_quartiles))
        return [ours, self._printed, *distances, self.ours.trials]

    @property
    def _printed(self) -> str:
        """The printed mean with its interval and quartiles."""
        if self.theirs is None:
            return "-"
        mean = f"{self.theirs.value:g} ± {self.theirs.spread:g}"
        quartiles = f" [{self.theirs.mark.replace('..', ', ')}]"
        return mean + quartiles if self.their_quartiles else mean


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
    quartiles : bool, default=False
        Whether the paper prints quartiles.
    """

    contests: Mapping[str, Contest]
    meaning: str
    digits: int = 1
    quartiles: bool = False

    @property
    def columns(self) -> list[str]:
        """Names of the columns of numbers."""
        return ["ours", "theirs", "distance", *(("Q1", "Q3") if self.quartiles else ()), "trials"]

    @property
    def legend(self) -> str:
        """Sentences on how to read a cell, and when it agrees."""
        shown = ", [first and third quartile]" if self.quartiles else ""
        parts = [
            f"{self.meaning}: mean over the trials ± half the width of its 99% interval{shown}. "
            "distance: our mean minus the printed mean, in combined standard errors. A cell agrees "
            f"if the distance is from -{CLOSE:g} to {CLOSE:g} and our interval is at most as "
            "wide as the printed one. If only our interval is too wide, the cell is not testable."
        ]
        if self.quartiles:
            parts.append(
                "Q1, Q3: the same for the quartiles. The standard error of our quartiles comes "
                f"from {RESAMPLES} bootstrap samples; that of the printed ones is larger or "
                "smaller in the ratio of the two intervals of the mean."
            )
        return " ".join(parts)

    def summary(self, cells: Sequence[Cell]) -> str:
        """Return how many cells and how many quartiles agree or are not testable."""
        text = super().summary(cells)
        verdicts = Counter(
            one.verdict
            for cell in cells
            if isinstance(cell, AUCGainCell) and not cell.failure
            for one in cell.quartile_judgements
        )
        if not verdicts:
            return text
        testable = verdicts[AGREES] + verdicts[DIFFERS]
        text = f"{text} {verdicts[AGREES]} of {testable} quartiles agree."
        untestable = verdicts[NOT_TESTABLE]
        return f"{text} {untestable} more are not testable." if untestable else text

    def cells(self, results: Comparison, printed: Sequence[PublishedValue]) -> list[Cell]:
        """Return one cell per published number that is run; if there is none, one per contest."""
        if not printed:
            return [self._cell(results, name, None) for name in self.contests]
        figures = [figure for figure in printed if figure.dataset in self.contests]
        return [self._cell(results, figure.dataset, figure) for figure in figures]

    def _cell(self, results: Comparison, name: str, figure: PublishedValue | None) -> AUCGainCell:
        """Return the cell of a contest; ``figure`` is the published number, if any."""
        contest = self.contests[name]
        ours = contest.summary(results)
        cell = AUCGainCell(
            dataset=name,
            method=contest.title if figure is None else figure.method,
            theirs=figure,
            failure=ours.failure,
            ours=ours,
            digits=self.digits,
        )
        return replace(cell, untestable=cell.judgement.reason and TOO_WIDE)
