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
TIE = 0.005
"""Largest difference of tied shortfalls, which are printed with two decimals."""
LEADERS = 2
"""Number of best methods that the paper underlines."""


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
    """Return the methods with the two smallest scores, including ties with the second.

    >>> sorted(leading({"a": 0.49, "b": 0.0, "c": 0.492, "d": 0.6}))
    ['a', 'b', 'c']
    """
    second = sorted(scores.values())[LEADERS - 1]
    return {name for name, score in scores.items() if score <= second + TIE}


@dataclass(frozen=True, kw_only=True)
class ShortfallCell(Cell):
    """Our shortfall next to the printed one, and whether each is among the two smallest."""

    theirs: PublishedValue
    ours: float = math.nan
    leads: bool = False
    underlined: bool

    @property
    def agrees(self) -> bool:
        """Whether the method is among the two best in both, or in neither."""
        return not self.failure and self.leads == self.underlined

    @property
    def figures(self) -> list[str]:
        """Our shortfall and the printed one."""
        theirs = _marked(self.theirs.value, self.underlined)
        return ["-" if self.failure else _marked(self.ours, self.leads), theirs]


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
        return ["ours", "theirs"]

    @property
    def legend(self) -> str:
        """Sentences on how to read a cell, and when it agrees."""
        return (
            "ours, theirs: the shortfall (R_best - R) / (1 - R), averaged over the classes, where "
            "R is the ROC area of the method and R_best is the area of the best method; * marks "
            "the two smallest values of a data set, including ties. A cell agrees if both numbers "
            "have a *, or if neither has one."
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

    ``claimed`` is that number of data sets in the paper, by method.
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


def gap(
    worse: str,
    better: str,
    methods: Sequence[str],
    datasets: Sequence[str],
    *,
    level: float,
    not_at: float = 1.0,
) -> Check:
    """Check that one method has a larger mean shortfall over the data sets than another.

    The difference must be significant at ``level`` and not at ``not_at``. The test is one-sided
    with the normal distribution, which reproduces the levels that the paper prints.
    """
    quantile, upper = (NormalDist().inv_cdf(p) if p < 1 else math.inf for p in (level, not_at))
    claimed = f"{100 * level:g}%" + (f", not {100 * not_at:g}%" if not_at < 1 else "")

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
