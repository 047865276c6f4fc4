"""Tables of means over splits, with their spread."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bayesgrove.reproduce.experiment import failure_of, first_splits
from bayesgrove.reproduce.tables import Cell, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bayesgrove.evaluation import Comparison
    from bayesgrove.reproduce.published import Printed

CLOSE = 2.0
"""Standard errors within which figures agree."""


@dataclass(frozen=True, kw_only=True)
class MeanCell(Cell):
    """Our mean and standard deviation beside the printed ones.

    ``distance`` is the difference in standard errors, see `MeansTable`.
    """

    theirs: Printed
    ours: float = math.nan
    spread: float = math.nan
    distance: float = math.nan
    digits: int = 1
    strict: bool = False

    @property
    def agrees(self) -> bool:
        """Within two standard errors; unless ``strict``, also within the printed spread."""
        apart = abs(self.ours - self.theirs.value)
        within = not self.strict and apart <= (self.theirs.spread or 0.0)
        return not self.failure and (abs(self.distance) <= CLOSE or within)

    @property
    def figures(self) -> list[str]:
        """Ours, theirs, and the distance."""
        theirs = _with_spread(self.theirs.value, self.theirs.spread, self.digits)
        if self.failure:
            return ["-", theirs, "-"]
        ours = _with_spread(self.ours, self.spread, self.digits)
        return [ours, theirs, f"{self.distance:+.1f}"]


@dataclass(frozen=True, kw_only=True)
class MeansTable(Table):
    """Means of a metric.

    Parameters
    ----------
    metric, printed_as : of `METRICS`, and as `published.csv` calls it
    factor, digits : what our values are multiplied with to be in its units, and how many decimals
        it prints
    splits : how many splits a printed mean is over; ours is over as many, the first ones
    names : of methods that the table calls otherwise than the experiments: theirs by ours
    strict : whether ours must lie within two standard errors of the printed mean, for runs on the
        very splits of the paper. Otherwise two combined standard errors are near enough, and so is
        the printed spread. A single split has the standard error of a share
    """

    metric: str = "accuracy"
    printed_as: str = "accuracy%"
    factor: float = 100.0
    digits: int = 1
    splits: int
    names: Mapping[str, str] = field(default_factory=dict)
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
        return (
            "distance: difference in units of the combined standard error of both means. Cells "
            f"agree within {CLOSE:g}, or within the printed spread."
        )

    def cells(self, results: Comparison, printed: Sequence[Printed]) -> Sequence[MeanCell]:
        """One for each printed mean, and each method that was run for it."""
        seen = first_splits(results, self.splits)
        methods = dict.fromkeys(name for own in self.experiments for name in own.methods)
        return [
            self._cell(seen, figure, method)
            for figure in printed
            for method in methods
            if figure.metric == self.printed_as
            and figure.method == self.names.get(method, method)
            and self.has(figure.dataset, method)
        ]

    def _cell(self, results: Comparison, figure: Printed, method: str) -> MeanCell:
        cell = MeanCell(
            dataset=figure.dataset,
            method=method,
            theirs=figure,
            failure=failure_of(results, figure.dataset, method),
            explanation=self.explanations.get((figure.dataset, method), ""),
            digits=self.digits,
            strict=self.strict,
        )
        if cell.failure:
            return cell
        values = self.factor * results.values(self.metric, figure.dataset, method)
        rows = results.pieces_of(figure.dataset, method)[0].test
        ours = float(values.mean())
        spread = float(values.std(ddof=1)) if len(values) > 1 else math.nan
        printed = math.nan if figure.spread is None else figure.spread
        error = _standard_error(figure.value, printed, self.splits, rows, self.factor)
        if not self.strict or len(values) < self.splits:
            own = _standard_error(ours, spread, len(values), rows, self.factor)
            error = math.hypot(own, error)
        distance = _distance(ours - figure.value, error, self.digits)
        return replace(cell, ours=ours, spread=spread, distance=distance)


def _standard_error(mean: float, spread: float, count: int, rows: int, factor: float) -> float:
    """Of a mean over splits; of a share of rows where there is one split."""
    if not math.isnan(spread):
        return spread / math.sqrt(count)
    share = mean / factor
    return factor * math.sqrt(share * (1.0 - share) / rows)


def _distance(difference: float, error: float, digits: int) -> float:
    if abs(difference) < 0.5 * 10.0**-digits:  # the same as printed
        return 0.0
    return difference / error if error > 0 else math.copysign(math.inf, difference)


def _with_spread(value: float, spread: float | None, digits: int) -> str:
    if spread is None or math.isnan(spread):
        return f"{value:.{digits}f}"
    return f"{value:.{digits}f} ± {spread:.{digits}f}"
