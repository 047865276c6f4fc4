"""Tables of means over splits, with their spread."""

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
"""Standard errors within which figures agree."""


@dataclass(frozen=True, kw_only=True)
class MeanCell(Cell):
    """Our mean and standard deviation beside the printed ones, if there are any.

    ``distance`` is the difference in standard errors, see `MeansTable`.
    """

    ours: float = math.nan
    spread: float = math.nan
    distance: float = math.nan
    digits: int = 1
    strict: bool = False

    @property
    def agrees(self) -> bool:
        """Whether ours is within two standard errors or, unless ``strict``, the printed spread."""
        if self.theirs is None or self.failure or self.absent:
            return False
        apart = abs(self.ours - self.theirs.value)
        within = not self.strict and apart <= (self.theirs.spread or 0.0)
        return abs(self.distance) <= CLOSE or within

    @property
    def figures(self) -> list[str]:
        """Ours, theirs, and the distance."""
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

    Parameters
    ----------
    metric, printed_as : of `METRICS`, and as `published.csv` calls it
    factor, digits : what our values are multiplied with to be in its units, and how many decimals
        it prints
    factors : of data sets that have one of their own, by name
    splits : how many splits a printed mean is over; ours is over as many, the first ones
    names : of methods that the table calls otherwise than the experiments: theirs by ours
    beside : methods that the paper does not have, shown on all data sets
    rounded : whether what a printed mean may be off by its rounding is no difference: for figures
        of so few digits that rounding hides more than chance does
    strict : whether ours must lie within two standard errors of the printed mean, for runs on the
        very splits of the paper. Otherwise two combined standard errors are near enough, and so is
        the printed spread. A single split has the standard error of a share
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
        """What a row shows."""
        return ["ours", "theirs", "distance"]

    @property
    def legend(self) -> str:
        """How the distance is measured, and when a cell agrees."""
        if self.strict:
            return (
                "distance: difference in units of the standard error of the printed mean, its "
                f"spread over the root of {self.splits} (combined with that of ours where it is "
                f"over fewer splits). Cells agree within {CLOSE:g}."
            )
        beyond = " beyond the rounding of theirs" if self.rounded else ""
        return (
            f"distance: difference{beyond} in units of the combined standard error of both means. "
            f"Cells agree within {CLOSE:g}, or within the printed spread."
        )

    def cells(self, results: Comparison, printed: Sequence[PublishedValue]) -> Sequence[MeanCell]:
        """Return a cell per published mean and method that was run for it, then those beside."""
        seen = first_splits(results, self.splits)
        figures = [figure for figure in printed if figure.metric == self.printed_as]
        methods = dict.fromkeys(
            name for experiment in self.experiments for name in experiment.methods
        )
        held = [
            self._cell(seen, figure.dataset, method, figure)
            for figure in figures
            for method in methods
            if figure.method == self.names.get(method, method)
            and (self.has(figure.dataset, method) or figure.dataset in self.absent)
        ]
        datasets = dict.fromkeys(figure.dataset for figure in figures)
        more = [(dataset, method) for dataset in datasets for method in self.beside]
        return [*held, *(self._cell(seen, *pair, None) for pair in more if self.has(*pair))]

    def _cell(
        self, results: Comparison, dataset: str, method: str, figure: PublishedValue | None
    ) -> MeanCell:
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
        hidden = 0.5 * 10.0**-self.digits
        if abs(difference) < hidden:  # the same as printed
            return 0.0
        if self.rounded:
            difference -= math.copysign(hidden, difference)
        return difference / error if error > 0 else math.copysign(math.inf, difference)


def _standard_error(mean: float, spread: float, count: int, rows: int, factor: float) -> float:
    """Return that of a mean over splits, or of a share of rows where there is one split."""
    if not math.isnan(spread):
        return spread / math.sqrt(count)
    share = mean / factor
    return factor * math.sqrt(share * (1.0 - share) / rows)


def _with_spread(value: float, spread: float | None, digits: int) -> str:
    if spread is None or math.isnan(spread):
        return f"{value:.{digits}f}"
    return f"{value:.{digits}f} ± {spread:.{digits}f}"
