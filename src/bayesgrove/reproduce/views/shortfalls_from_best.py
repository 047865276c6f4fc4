"""Tables of how far methods fall short of the best of them on real data, class by class."""

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
"""Shortfalls that differ by no more are equal, as two printed digits are."""
LEADERS = 2


def areas_by_class(outcome: Outcome) -> dict[str, float]:
    """Return the ROC area per class, by a name with its code; see `Experiment.further`."""
    areas = class_areas(outcome).tolist()
    return {f"{PREFIX}{code}": area for code, area in enumerate(areas)}


def shortfalls(results: Comparison, dataset: str, methods: Sequence[str]) -> dict[str, float]:
    """Return ``(R_best - R) / (1 - R)`` per method, the mean over the classes.

    The area R of a class is the mean over the splits that have test rows of it and of others, and
    R_best that of the best of the methods on this class.
    """
    areas = np.array([_areas(results, dataset, method) for method in methods])
    areas = areas[:, np.isfinite(areas).all(axis=0)]
    best = areas.max(axis=0)
    return {
        method: float(np.mean([delta(top, area) for top, area in zip(best, row, strict=True)]))
        for method, row in zip(methods, areas, strict=True)
    }


def leading(scores: Mapping[str, float]) -> set[str]:
    """Return the methods with the two smallest scores, and those as good as the second.

    >>> sorted(leading({"a": 0.49, "b": 0.0, "c": 0.492, "d": 0.6}))
    ['a', 'b', 'c']
    """
    last = sorted(scores.values())[LEADERS - 1]
    return {name for name, score in scores.items() if score <= last + TIE}


@dataclass(frozen=True, kw_only=True)
class ShortfallCell(Cell):
    """Our shortfall beside the printed one, and whether they are among the two smallest."""

    theirs: PublishedValue
    ours: float = math.nan
    leads: bool = False
    underlined: bool

    @property
    def agrees(self) -> bool:
        """Whether it is among the two smallest in both, or in neither."""
        return not self.failure and self.leads == self.underlined

    @property
    def figures(self) -> list[str]:
        """Ours and theirs."""
        theirs = _marked(self.theirs.value, self.underlined)
        return ["-" if self.failure else _marked(self.ours, self.leads), theirs]


@dataclass(frozen=True, kw_only=True)
class ShortfallsTable(Table):
    """Shortfalls from the best method.

    Parameters
    ----------
    methods : in the order of the table
    underlined : the two best methods of each data set, as the paper marks them
    """

    methods: tuple[str, ...]
    underlined: Mapping[str, frozenset[str]]

    @property
    def columns(self) -> list[str]:
        """What a row shows."""
        return ["ours", "theirs"]

    @property
    def legend(self) -> str:
        """How a cell is read, and when it agrees."""
        return (
            "ours, theirs: share of the ROC area that is missing which the best method has, the "
            "mean over the classes; * for the two smallest of a data set, equal ones included. "
            "Cells agree when both or neither have it."
        )

    def cells(self, results: Comparison, printed: Sequence[PublishedValue]) -> list[Cell]:
        """Return a cell per published value that is run for."""
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

    ``claimed`` is on how many each method is in the paper.
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
    """Check that one method falls shorter than another in the mean over the data sets.

    It does so at ``level``, and not at ``not_at``, by a one-sided test with the normal
    distribution: the test that the paper's own figures follow from.
    """
    least, most = (NormalDist().inv_cdf(p) if p < 1 else math.inf for p in (level, not_at))
    claimed = f"{100 * level:g}%" + (f", not {100 * not_at:g}%" if not_at < 1 else "")

    def check(results: Comparison) -> list[Evidence]:
        name = f"{worse} minus {better}"
        if any(failure_of(results, dataset, *methods) for dataset in datasets):
            return [Evidence("all", name, FAILED, claimed, FAILED)]
        scores = [shortfalls(results, dataset, methods) for dataset in datasets]
        gaps = 100.0 * np.array([score[worse] - score[better] for score in scores])
        mean, error = float(gaps.mean()), float(gaps.std(ddof=1) / math.sqrt(len(gaps)))
        holds = YES if mean > least * error and not mean > most * error else NO
        return [Evidence("all", name, f"{mean:.1f} ± {error:.1f}", claimed, holds)]

    return check


def _areas(results: Comparison, dataset: str, method: str) -> Floats:
    """Return the area per class, the mean over the splits that have one; NaN where none has."""
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
    return f"{value:.2f} {'*' if leads else ' '}"
