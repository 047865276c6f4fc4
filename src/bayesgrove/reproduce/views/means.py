"""Tables of means over splits, with their standard deviations."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bayesgrove.reproduce.experiment import failure_of, first_splits
from bayesgrove.reproduce.views.agreement import (
    AGREES,
    CLOSE,
    Estimate,
    Judgement,
    combined_error,
    compared,
    perturbation,
)
from bayesgrove.reproduce.views.tables import Cell, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bayesgrove.evaluation import Comparison
    from bayesgrove.reproduce.published import PublishedValue


@dataclass(frozen=True, kw_only=True)
class MeanCell(Cell):
    """Our mean and standard deviation next to the printed ones, if there are any.

    ``judgement`` is the comparison of both means; None if one of them is missing.
    """

    ours: float = math.nan
    spread: float = math.nan
    judgement: Judgement | None = None
    digits: int = 1

    @property
    def agrees(self) -> bool:
        """Whether our mean is within two combined standard errors of the printed mean."""
        return self.judgement is not None and self.judgement.verdict == AGREES

    @property
    def figures(self) -> list[str]:
        """Our mean and standard deviation, the printed ones, and the distance."""
        theirs = self.theirs
        printed = (None, None) if theirs is None else (theirs.value, theirs.spread)
        distance = "-" if self.judgement is None else f"{self.judgement.distance:+.1f}"
        return [*self._texts(self.ours, self.spread), *self._texts(*printed), distance]

    def _texts(self, *numbers: float | None) -> list[str]:
        """Return numbers as text; a number that is missing is a dash."""
        return [
            "-" if number is None or math.isnan(number) else f"{number:.{self.digits}f}"
            for number in numbers
        ]


@dataclass(frozen=True, kw_only=True)
class MeansTable(Table):
    """Means of a metric.

    A cell agrees by the rule of `compared`. A mean over a single split has the standard error of a
    share of test rows. A printed mean without a standard deviation has the standard error of ours.

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
    same_splits : bool, default=False
        Whether the splits are those of the paper. Our mean then has no standard error of its own,
        unless it is over fewer splits.
    perturbed : dict of str to tuple of str, default={}
        For a method, the methods of the experiments that are the same up to a tiny change of the
        inputs. A cell is not testable if one of them moves our mean by more than the tolerance.
    """

    metric: str = "accuracy"
    printed_as: str = "accuracy%"
    factor: float = 100.0
    factors: Mapping[str, float] = field(default_factory=dict)
    digits: int = 1
    splits: int
    names: Mapping[str, str] = field(default_factory=dict)
    beside: tuple[str, ...] = ()
    same_splits: bool = False
    perturbed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def columns(self) -> list[str]:
        """Names of the columns of numbers."""
        return ["ours", "our sd", "theirs", "printed sd", "distance"]

    @property
    def legend(self) -> str:
        """Sentences on how the distance is measured, and when a cell agrees."""
        errors = (
            f"standard errors of the printed mean (its standard deviation divided by the square "
            f"root of {self.splits}; ours is over the same splits and adds no error)"
            if self.same_splits
            else "combined standard errors (standard deviation divided by the square root of "
            f"{self.splits}, for ours and theirs)"
        )
        return (
            f"distance: our mean minus the printed mean, in {errors}; the rounding error of the "
            f"printed mean is included. A cell agrees if the distance is from -{CLOSE:g} to "
            f"{CLOSE:g}."
        )

    def cells(self, results: Comparison, printed: Sequence[PublishedValue]) -> Sequence[MeanCell]:
        """Return one cell per published mean and method, then the methods in ``beside``."""
        shown = first_splits(results, self.splits)
        figures = [figure for figure in printed if figure.metric == self.printed_as]
        methods = dict.fromkeys(
            name for experiment in self.experiments for name in experiment.methods
        )
        cells = [
            self._cell(shown, figure.dataset, method, figure)
            for figure in figures
            for method in methods
            if figure.method == self.names.get(method, method)
            and (self.has(figure.dataset, method) or figure.dataset in self.absent)
        ]
        datasets = dict.fromkeys(figure.dataset for figure in figures)
        pairs = [(dataset, method) for dataset in datasets for method in self.beside]
        return [*cells, *(self._cell(shown, *pair, None) for pair in pairs if self.has(*pair))]

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
        )
        if cell.failure or cell.absent:
            return cell
        ours, spread = self._mean(results, dataset, method)
        cell = replace(cell, ours=ours.value, spread=spread)
        if figure is None:
            return cell
        judgement = compared(ours, self._printed(figure), rounding=self._rounding)
        moved = self._moved(results, cell, self._tolerance(ours, figure))
        return replace(cell, judgement=judgement, untestable=moved)

    def _mean(self, results: Comparison, dataset: str, method: str) -> tuple[Estimate, float]:
        """Return our mean with its standard error, and the standard deviation over the splits."""
        factor = self.factors.get(dataset, self.factor)
        values = factor * results.values(self.metric, dataset, method)
        mean, count = float(values.mean()), len(values)
        if count == 1:
            share, rows = mean / factor, results.results_of(dataset, method)[0].test
            return Estimate(mean, factor * math.sqrt(share * (1.0 - share) / rows)), math.nan
        spread = float(values.std(ddof=1))
        is_theirs = self.same_splits and count == self.splits
        return Estimate(mean, 0.0 if is_theirs else spread / math.sqrt(count)), spread

    def _printed(self, figure: PublishedValue) -> Estimate:
        """Return a printed mean with its standard error, if a standard deviation is printed."""
        spread = math.nan if figure.spread is None else figure.spread
        return Estimate(figure.value, spread / math.sqrt(self.splits))

    def _tolerance(self, ours: Estimate, figure: PublishedValue) -> float:
        """Return the largest difference of means that agree."""
        return CLOSE * combined_error(ours, self._printed(figure), self._rounding)

    def _moved(self, results: Comparison, cell: MeanCell, tolerance: float) -> str:
        """Return why a cell is not testable: a tiny change moves our mean; else empty."""
        changed = [
            self._mean(results, cell.dataset, method)[0]
            for method in self.perturbed.get(cell.method, ())
            if self.has(cell.dataset, method) and not failure_of(results, cell.dataset, method)
        ]
        reasons = (perturbation(Estimate(cell.ours), one, tolerance) for one in changed)
        return next(filter(None, reasons), "")

    @property
    def _rounding(self) -> float:
        """Half a unit of the last printed digit."""
        return 0.5 * 10.0**-self.digits
