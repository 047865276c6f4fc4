"""Tables of shortfalls: how far the ROC areas of methods are below those of the best method."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.evaluation import delta
from bayesgrove.evaluation.metrics import class_areas
from bayesgrove.reproduce.experiment import failure_of
from bayesgrove.reproduce.views.claims import FAILED, NO, YES, Evidence
from bayesgrove.reproduce.views.tables import Cell, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bayesgrove.evaluation import Comparison, Outcome
    from bayesgrove.kernels import Floats
    from bayesgrove.reproduce.published import PublishedValue
    from bayesgrove.reproduce.views.claims import Check

PREFIX = "auc of "
DIGITS = 2
"""Number of decimals of printed shortfalls: shortfalls that are equal in print are tied."""
PLACES = 2
"""Number of best methods that the paper underlines."""
CLOSE, NEAR = 0.05, 0.1
"""Largest differences of shortfalls that agree, and of shortfalls that are similar."""
_SAME_BY_CHANCE = 0.5
"""Chance of the same mark if two of four methods are marked at random."""


def areas_by_class(outcome: Outcome) -> dict[str, float]:
    """Return the ROC area per class, by a name with the class code; for ``extra_metrics``."""
    areas = class_areas(outcome).tolist()
    return {f"{PREFIX}{code}": area for code, area in enumerate(areas)}


def shortfalls(results: Comparison, dataset: str, methods: Sequence[str]) -> dict[str, float]:
    """Return the shortfall ``(R_best - R) / (1 - R)`` of each method, averaged over the classes.

    R is the ROC area of a class, averaged over the splits with test rows of this class and of
    others. R_best is the area of the best method on this class.
    """
    areas = np.array([_areas(results, dataset, method) for method in methods])
    areas = areas[:, np.isfinite(areas).all(axis=0)]
    best = areas.max(axis=0)
    return {
        method: float(np.mean([delta(top, area) for top, area in zip(best, row, strict=True)]))
        for method, row in zip(methods, areas, strict=True)
    }


def leading(scores: Mapping[str, float]) -> set[str]:
    """Return the methods on the two first places, at most two.

    Methods whose scores are equal in print share their places. If more methods share than there are
    places left, none of them has one.

    >>> sorted(leading({"a": 0.49, "b": 0.0, "c": 0.6, "d": 0.7}))
    ['a', 'b']
    >>> sorted(leading({"a": 0.49, "b": 0.0, "c": 0.491, "d": 0.6}))
    ['b']
    """
    printed = {name: round(score, DIGITS) for name, score in scores.items()}
    last = {
        name: sum(other <= score for other in printed.values()) for name, score in printed.items()
    }
    return {name for name, place in last.items() if place <= PLACES}


@dataclass(frozen=True, kw_only=True)
class ShortfallCell(Cell):
    """Our shortfall next to the printed one, and whether each is among the two smallest.

    ``underlined`` is whether the paper underlines the printed one.
    """

    theirs: PublishedValue
    ours: float = math.nan
    leads: bool = False
    underlined: bool

    @property
    def agrees(self) -> bool:
        """Whether the two shortfalls differ by at most 0.05, as printed."""
        return self.is_within(CLOSE)

    def is_within(self, bound: float) -> bool:
        """Return whether the two shortfalls, as printed, differ by at most ``bound``."""
        return not self.failure and round(abs(self.difference), DIGITS) <= bound

    @property
    def difference(self) -> float:
        """Our shortfall minus the printed one, both with two decimals."""
        return round(self.ours, DIGITS) - self.theirs.value

    @property
    def same_mark(self) -> bool:
        """Whether the method is among the two best in both, or in neither."""
        return not self.failure and self.leads == self.underlined

    @property
    def figures(self) -> list[str]:
        """Our shortfall, the printed one, and the difference."""
        theirs = _marked(self.theirs.value, self.underlined)
        if self.failure:
            return ["-", theirs, "-"]
        return [_marked(self.ours, self.leads), theirs, f"{self.difference:+.{DIGITS}f}"]


@dataclass(frozen=True, kw_only=True)
class ShortfallsTable(Table):
    """Shortfalls from the best method.

    Parameters
    ----------
    methods : tuple of str
        Methods in the order of the table.
    underlined : dict of str to frozenset of str
        The two best methods of each data set, which the paper underlines.
    """

    methods: tuple[str, ...]
    underlined: Mapping[str, frozenset[str]]

    @property
    def columns(self) -> list[str]:
        """Names of the columns of numbers."""
        return ["ours", "theirs", "difference"]

    @property
    def legend(self) -> str:
        """Sentences on how to read a cell, and when it agrees."""
        return (
            "ours, theirs: the shortfall (R_best - R) / (1 - R), averaged over the classes, where "
            "R is the ROC area of the method and R_best is the area of the best method; * marks "
            "the two smallest values of a data set. If more methods share these places than there "
            "are (equal with two decimals), ours have no *. The paper prints no intervals: a cell "
            f"agrees if the numbers differ by at most {CLOSE:g}."
        )

    def summary(self, cells: Sequence[Cell]) -> str:
        """Return how many cells agree by value and by mark, and how many would agree by chance."""
        known = [cell for cell in cells if isinstance(cell, ShortfallCell) and not cell.failure]
        near = sum(cell.is_within(NEAR) for cell in known)
        same = sum(cell.same_mark for cell in known)
        chances = [_by_chance(known, bound) for bound in (CLOSE, NEAR)]
        return (
            f"{super().summary(cells)} {near} differ by at most {NEAR:g}. If our numbers were "
            f"shuffled, {chances[0]:.0f} would agree and {chances[1]:.0f} differ by at most "
            f"{NEAR:g}. {same} of {len(known)} are among the two best in both or in neither; with "
            f"two methods drawn at random it would be {len(known) * _SAME_BY_CHANCE:.0f}."
        )

    def cells(self, results: Comparison, printed: Sequence[PublishedValue]) -> list[Cell]:
        """Return one cell per published number whose method is run."""
        datasets = dict.fromkeys(figure.dataset for figure in printed)
        scores = {
            name: shortfalls(results, name, self.methods)
            for name in datasets
            if self.has(name, self.methods[0]) and not failure_of(results, name, *self.methods)
        }
        return [
            self._cell(results, figure, scores.get(figure.dataset, {}))
            for figure in printed
            if self.has(figure.dataset, figure.method)
        ]

    def _cell(
        self, results: Comparison, figure: PublishedValue, scores: Mapping[str, float]
    ) -> ShortfallCell:
        """Return the cell of a published number; ``scores`` are our shortfalls by method."""
        dataset, method = figure.dataset, figure.method
        return ShortfallCell(
            dataset=dataset,
            method=method,
            theirs=figure,
            failure=failure_of(results, dataset, method, *self.methods),
            explanation=self.explanations.get((dataset, method), ""),
            ours=scores.get(method, math.nan),
            leads=bool(scores) and method in leading(scores),
            underlined=method in self.underlined[dataset],
        )


def leads_most_often(
    best: str, methods: Sequence[str], datasets: Sequence[str], claimed: Mapping[str, int]
) -> Check:
    """Check that one method is among the two best on more data sets than any other.

    ``claimed`` is that number of data sets in the paper, by method. At random, every method is
    among the two best of four on half of the data sets.
    """

    def check(results: Comparison) -> list[Evidence]:
        if any(failure_of(results, name, *methods) for name in datasets):
            return [Evidence("all", best, FAILED, "most often", FAILED)]
        sets = [leading(shortfalls(results, name, methods)) for name in datasets]
        times = {method: sum(method in leaders for leaders in sets) for method in methods}
        others = max(count for method, count in times.items() if method != best)
        shown = [
            Evidence("all", f"{method} in the top two", f"{count}", f"{claimed[method]}")
            for method, count in times.items()
        ]
        holds = YES if times[best] > others else NO
        return [*shown, Evidence("all", best, f"{times[best]}", f"over {others}", holds)]

    return check


def shortfalls_are(
    dataset: str, claimed: Mapping[str, float], methods: Sequence[str], bound: float = CLOSE
) -> Check:
    """Check the shortfalls of methods on a data set, up to ``bound``."""

    def check(results: Comparison) -> list[Evidence]:
        if failure_of(results, dataset, *methods):
            return [Evidence(dataset, "all", FAILED, "", FAILED)]
        ours = shortfalls(results, dataset, methods)
        return [
            Evidence(dataset, method, f"{ours[method]:.2f}", f"{value:.2f}", YES if near else NO)
            for method, value in claimed.items()
            for near in [round(abs(ours[method] - value), DIGITS) <= bound]
        ]

    return check


def no_zero(dataset: str, methods: Sequence[str]) -> Check:
    """Check that no method is the best on every class of a data set."""

    def check(results: Comparison) -> list[Evidence]:
        if failure_of(results, dataset, *methods):
            return [Evidence(dataset, "all", FAILED, "", FAILED)]
        least = min(shortfalls(results, dataset, methods).values())
        holds = YES if least > 0 else NO
        return [Evidence(dataset, "smallest shortfall", f"{least:.3f}", "above 0", holds)]

    return check


def gap(
    worse: str,
    better: str,
    methods: Sequence[str],
    datasets: Sequence[str],
    *,
    level: float,
    not_at: float = 1.0,
    printed: str = "",
) -> Check:
    """Check that one method has a larger mean shortfall over the data sets than another.

    The difference must be significant at ``level`` and not at ``not_at``. The test is one-sided
    with the normal distribution, which reproduces the levels that the paper prints. ``printed`` is
    the printed difference.
    """
    quantile, upper = (NormalDist().inv_cdf(p) if p < 1 else math.inf for p in (level, not_at))
    levels = f"{100 * level:g}%" + (f", not {100 * not_at:g}%" if not_at < 1 else "")
    claimed = f"{printed}, {levels}" if printed else levels

    def check(results: Comparison) -> list[Evidence]:
        name = f"{worse} minus {better}"
        if any(failure_of(results, dataset, *methods) for dataset in datasets):
            return [Evidence("all", name, FAILED, claimed, FAILED)]
        scores = [shortfalls(results, dataset, methods) for dataset in datasets]
        gaps = 100.0 * np.array([score[worse] - score[better] for score in scores])
        mean, error = float(gaps.mean()), float(gaps.std(ddof=1) / math.sqrt(len(gaps)))
        holds = YES if mean > quantile * error and not mean > upper * error else NO
        return [Evidence("all", name, f"{mean:.1f} ± {error:.1f}", claimed, holds)]

    return check


def _by_chance(cells: Sequence[ShortfallCell], bound: float) -> float:
    """Return how many cells are expected within a bound if our shortfalls are shuffled."""
    if not cells:
        return 0.0
    ours = np.round([cell.ours for cell in cells], DIGITS)
    theirs = np.array([cell.theirs.value for cell in cells])
    apart = np.round(np.abs(ours[:, np.newaxis] - theirs), DIGITS)
    return float(np.mean(apart <= bound)) * len(cells)


def _areas(results: Comparison, dataset: str, method: str) -> Floats:
    """Return the area per class, averaged over the splits that have one; NaN if none has one."""
    method_results = results.results_of(dataset, method)
    names = dict.fromkeys(
        name for result in method_results for name in result.values if name.startswith(PREFIX)
    )
    areas = np.array([[result.values[name] for result in method_results] for name in names])
    known = np.isfinite(areas)
    with np.errstate(invalid="ignore"):
        means: Floats = np.where(known, areas, 0.0).sum(axis=1) / known.sum(axis=1)
    return means


def _marked(value: float, leads: bool) -> str:
    """Return the text of a shortfall, with a * if the method is among the two best."""
    return f"{value:.2f} {'*' if leads else ' '}"
