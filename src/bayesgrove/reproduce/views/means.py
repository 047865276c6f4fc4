"""Tables of means over splits, with their standard deviations."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bayesgrove.reproduce.experiment import failure_of, first_splits
from bayesgrove.reproduce.views.tables import Cell, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bayesgrove.evaluation import Comparison
    from bayesgrove.reproduce.published import PublishedValue

CLOSE = 2.0
"""Largest distance of two means that agree, in standard errors."""


@dataclass(frozen=True, kw_only=True)
class MeanCell(Cell):
    """Our mean and standard deviation next to the printed ones, if there are any.

    ``distance`` is the difference of the means in standard errors, and ``strict`` is the option of
    `MeansTable`.
    """

    ours: float = math.nan
    spread: float = math.nan
    distance: float = math.nan
    digits: int = 1
    strict: bool = False

    @property
    def agrees(self) -> bool:
        """Whether our mean is within two standard errors or, unless strict, the printed spread."""
        if self.theirs is None or self.failure or self.absent:
            return False
        apart = abs(self.ours - self.theirs.value)
        within = not self.strict and apart <= (self.theirs.spread or 0.0)
        return abs(self.distance) <= CLOSE or within

    @property
    def figures(self) -> list[str]:
        """Our mean, the printed mean, and the distance."""
        theirs, distance = "-", "-"
        if self.theirs is not None:
            theirs = _with_spread(self.theirs.value, self.theirs.spread, self.digits)
            distance = f"{self.distance:+.1f}"
        if self.failure or self.absent:
            return ["-", theirs, "-"]
        return [_with_spread(self.ours, self.spread, self.digits), theirs, distance]


@dataclass(frozen=True, kw_only=True)
class MeansTable(Table):
    """Means of a metric.

    A mean over a single split has the standard error of a share of test rows.

    Parameters
    ----------
    metric : str, default="accuracy"
        Name of the metric in `METRICS`.
    printed_as : str, default="accuracy%"
        Name of the metric in `published.csv`.
    factor : float, default=100.0
        Factor that turns our values into the units of the table.
    factors : dict of str to float, default={}
        Factors of single data sets, which replace ``factor``.
    digits : int, default=1
        Number of decimals of the printed means.
    splits : int
        Number of splits of a printed mean. Our mean is over the same number of first splits.
    names : dict of str to str, default={}
        Names of methods in the table, by their names in the experiments, where both differ.
    beside : tuple of str, default=()
        Methods that the paper does not have, which are shown on all data sets.
    rounded : bool, default=False
        Whether to subtract the largest rounding error of the printed mean from the difference. This
        is for numbers with so few digits that rounding hides more than chance does.
    strict : bool, default=False
        Whether our mean must lie within two standard errors of the printed mean. This is for runs
        on the splits of the paper. Otherwise a cell agrees within two combined standard errors, or
        within the printed spread.
    """

    metric: str = "accuracy"
    printed_as: str = "accuracy%"
    factor: float = 100.0
    factors: Mapping[str, float] = field(default_factory=dict)
    digits: int = 1
    splits: int
    names: Mapping[str, str] = field(default_factory=dict)
    beside: tuple[str, ...] = ()
    rounded: bool = False
    strict: bool = False

    @property
    def columns(self) -> list[str]:
        """Names of the columns of numbers."""
        return ["ours", "theirs", "distance"]

    @property
    def legend(self) -> str:
        """Sentences on how the distance is measured, and when a cell agrees."""
        if self.strict:
            return (
                "distance: our mean minus the printed mean, in standard errors of the printed mean "
                f"(its standard deviation divided by the square root of {self.splits}, combined "
                "with our standard error if our mean is over fewer splits). A cell agrees if the "
                f"distance is from -{CLOSE:g} to {CLOSE:g}."
            )
        rounding = " reduced by the largest rounding error of the printed mean,"
        return (
            f"distance: our mean minus the printed mean,{rounding if self.rounded else ''} in "
            "units of the combined standard error of both means. A cell agrees if the distance is "
            f"from -{CLOSE:g} to {CLOSE:g}, or if the means differ by at most the printed standard "
            "deviation."
        )

    def cells(self, results: Comparison, printed: Sequence[PublishedValue]) -> Sequence[MeanCell]:
        """Return one cell per published mean and method, then the methods in ``beside``."""
        compared = first_splits(results, self.splits)
        figures = [figure for figure in printed if figure.metric == self.printed_as]
        methods = dict.fromkeys(
            name for experiment in self.experiments for name in experiment.methods
        )
        cells = [
            self._cell(compared, figure.dataset, method, figure)
            for figure in figures
            for method in methods
            if figure.method == self.names.get(method, method)
            and (self.has(figure.dataset, method) or figure.dataset in self.absent)
        ]
        datasets = dict.fromkeys(figure.dataset for figure in figures)
        pairs = [(dataset, method) for dataset in datasets for method in self.beside]
        return [*cells, *(self._cell(compared, *pair, None) for pair in pairs if self.has(*pair))]

    def _cell(
        self, results: Comparison, dataset: str, method: str, figure: PublishedValue | None
    ) -> MeanCell:
        """Return the cell of a method on a data set; ``figure`` is the published mean, if any."""
        cell = MeanCell(
            dataset=dataset,
            method=method,
            theirs=figure,
            failure=failure_of(results, dataset, method),
            explanation=self.explanations.get((dataset, method), ""),
            absent=self.absent.get(dataset, ""),
            digits=self.digits,
            strict=self.strict,
        )
        if cell.failure or cell.absent:
            return cell
        factor = self.factors.get(dataset, self.factor)
        values = factor * results.values(self.metric, dataset, method)
        spread = float(values.std(ddof=1)) if len(values) > 1 else math.nan
        cell = replace(cell, ours=float(values.mean()), spread=spread)
        if figure is None:
            return cell
        rows = results.results_of(dataset, method)[0].test
        printed = math.nan if figure.spread is None else figure.spread
        error = _standard_error(figure.value, printed, self.splits, rows, factor)
        if not self.strict or len(values) < self.splits:
            our_error = _standard_error(cell.ours, spread, len(values), rows, factor)
            error = math.hypot(our_error, error)
        return replace(cell, distance=self._distance(cell.ours - figure.value, error))

    def _distance(self, difference: float, error: float) -> float:
        """Return a difference in standard errors; it is 0 if rounding can explain it."""
        rounding = 0.5 * 10.0**-self.digits
        if abs(difference) < rounding:
            return 0.0
        if self.rounded:
            difference -= math.copysign(rounding, difference)
        return difference / error if error > 0 else math.copysign(math.inf, difference)


def _standard_error(mean: float, spread: float, count: int, rows: int, factor: float) -> float:
    """Return the standard error of a mean over splits; of a share of rows if there is no spread."""
    if not math.isnan(spread):
        return spread / math.sqrt(count)
    share = mean / factor
    return factor * math.sqrt(share * (1.0 - share) / rows)


def _with_spread(value: float, spread: float | None, digits: int) -> str:
    """Return the text of a mean, with its standard deviation if it has one."""
    if spread is None or math.isnan(spread):
        return f"{value:.{digits}f}"
    return f"{value:.{digits}f} ± {spread:.{digits}f}"
