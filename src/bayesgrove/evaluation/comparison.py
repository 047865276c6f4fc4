"""The results of a comparison: values, tests and tables."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from bayesgrove._utils.options import require_choice
from bayesgrove._utils.renamed import renamed
from bayesgrove._utils.ties import TIE_DIGITS
from bayesgrove.evaluation.metrics import METRICS
from bayesgrove.evaluation.results import TIMES
from bayesgrove.evaluation.significance import (
    FriedmanResult,
    TestResult,
    corrected_t,
    friedman,
    paired_t,
    wilcoxon,
)
from bayesgrove.evaluation.store import write_text
from bayesgrove.evaluation.text_table import TextTable

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from bayesgrove.evaluation.results import Result
    from bayesgrove.kernels import Floats

COLUMNS = ["dataset", "model", "split", "repeat", "train", "test", "metric", "value", "failure"]
FAILED = "FAILED"
FORMATS = {
    "accuracy": (100.0, 2),
    "error": (100.0, 2),
    "rrse": (1.0, 2),
    "rrse_mode": (1.0, 2),
    "attributes": (1.0, 1),
    "arcs": (1.0, 1),
    "parameters": (1.0, 0),
}
"""Factor and digits of metrics; others are shown as they are, with three digits."""
TESTS = {
    "corrected": "corrected resampled t-test",
    "paired": "paired t-test",
    "wilcoxon": "Wilcoxon signed-rank test",
}
"""What the tests are called."""


class Comparison:
    """Results of `compare`.

    Parameters
    ----------
    results : one per model, data set and split
    plan : models, data, protocols and versions, as plain data
    """

    def __init__(self, results: Sequence[Result], plan: dict[str, Any]) -> None:
        self.results = list(results)
        self.plan = plan

    @property
    def models(self) -> list[str]:
        """Names of the models in their order."""
        return list(self.plan["models"])

    @property
    def datasets(self) -> list[str]:
        """Names of the data sets in their order."""
        return list(self.plan["data"])

    @property
    def metrics(self) -> list[str]:
        """Names of all that was measured."""
        return list(dict.fromkeys(name for result in self.results for name in result.values))

    @property
    def failures(self) -> list[Result]:
        """Results that failed; each has its reason."""
        return [result for result in self.results if result.failure]

    @cached_property
    def table(self) -> pd.DataFrame:
        """One row per model, data set, split and metric; ``attrs`` has the plan of the run."""
        rows = []
        for result in self.results:
            key = [getattr(result, name) for name in COLUMNS[:6]]
            rows += [(*key, metric, value, "") for metric, value in result.values.items()]
            if result.failure:
                rows.append((*key, "", np.nan, result.failure))
        table = pd.DataFrame(rows, columns=COLUMNS)
        table.attrs.update(self.plan)
        return table

    def results_of(self, dataset: str, model: str) -> list[Result]:
        """Return the results of a model on a data set, in the order of the splits."""
        return self._by_cell.get((dataset, model), [])

    def values(self, metric: str, dataset: str, model: str) -> Floats:
        """Return a metric on every split; NaN where the model failed."""
        results = self.results_of(dataset, model)
        return np.array([result.values.get(metric, np.nan) for result in results])

    def means(self, metric: str) -> pd.DataFrame:
        """Return means over the splits: a row per data set, a column per model."""
        self._require_metric(metric)
        means = [[self._mean(metric, d, m) for m in self.models] for d in self.datasets]
        return pd.DataFrame(means, self.datasets, self.models)

    @renamed(kind="test")
    def test(
        self, metric: str, dataset: str, a: str, b: str, test: str = "corrected"
    ) -> TestResult:
        """Test whether two models differ on a data set, over the splits on which neither failed.

        ``test`` is "corrected" (the corrected resampled t-test), "paired" or "wilcoxon".
        """
        require_choice("test", test, tuple(TESTS))
        first, second = self.values(metric, dataset, a), self.values(metric, dataset, b)
        both = np.isfinite(first) & np.isfinite(second)
        if both.sum() < 2:
            return TestResult(np.nan, np.nan, np.nan)
        first, second = first[both], second[both]
        if test == "corrected":
            results = self.results_of(dataset, a)
            share = float(np.mean([result.test / result.train for result in results]))
            return corrected_t(first, second, share)
        return paired_t(first, second) if test == "paired" else wilcoxon(first, second)

    def friedman(self, metric: str = "accuracy") -> FriedmanResult:
        """Rank the models on the data sets on which all have a value, and test the ranks."""
        means = self.means(metric).dropna()
        return friedman(means.to_numpy(), higher_is_better=_higher_is_better(metric))

    @renamed(kind="test", alpha="level")
    def summary(
        self,
        metric: str = "accuracy",
        base: str | None = None,
        test: str = "corrected",
        level: float = 0.05,
    ) -> TextTable:
        """Tabulate mean and standard deviation over the splits, with marks against a base model.

        Parameters
        ----------
        metric : what to show
        base : the model that the others are tested against; None is the first
        test : of test, see `test`
        level : level of significance
        """
        self._require_metric(metric)
        base = self.models[0] if base is None else base
        require_choice("base", base, tuple(self.models))
        show = _Show(self, metric, base, test, level)
        rows = [[d, *(show.cell(d, m) for m in self.models)] for d in self.datasets]
        extra = show.tally() if len(self.models) > 1 else []
        return TextTable(
            f"{metric}: mean ± standard deviation over the splits",
            ["data set", *self.models],
            [*rows, *extra],
            summary=len(extra),
            notes=(*show.notes(), *self._failure_notes()),
        )

    def to_text(self, metric: str = "accuracy", width: int = 80, **options: Any) -> str:
        """Return the summary for a terminal; options as in `summary`."""
        return self.summary(metric, **options).to_text(width)

    def to_markdown(self, metric: str = "accuracy", **options: Any) -> str:
        """Return the summary as Markdown; options as in `summary`."""
        return self.summary(metric, **options).to_markdown()

    def to_latex(self, metric: str = "accuracy", **options: Any) -> str:
        """Return the summary as LaTeX; options as in `summary`."""
        return self.summary(metric, **options).to_latex()

    def plot(self, kind: str = "box", metric: str = "accuracy") -> Any:
        """Draw a matplotlib figure: "box", "critical difference", "learning curve" or "time"."""
        from bayesgrove.evaluation.plots import PLOTS

        require_choice("kind", kind, tuple(PLOTS))
        self._require_metric(metric)
        return PLOTS[kind](self, metric)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write ``results.csv``, ``times.csv`` and ``summary.md`` into a folder.

        Only the times of a run that was interrupted differ from those of one that was not.
        """
        timed = self.table["metric"].isin(TIMES)
        place = Path(folder)
        write_text(place / "results.csv", self.table[~timed].to_csv(index=False))
        write_text(place / "times.csv", self.table[timed].to_csv(index=False))
        shown = [name for name in METRICS if name in self.metrics]
        pages = [self.to_markdown(name) for name in shown] or list(self._failure_notes())
        write_text(place / "summary.md", "\n\n".join(pages) + "\n")

    @cached_property
    def _by_cell(self) -> dict[tuple[str, str], list[Result]]:
        cells: dict[tuple[str, str], list[Result]] = {}
        for result in self.results:
            cells.setdefault((result.dataset, result.model), []).append(result)
        return cells

    def _mean(self, metric: str, dataset: str, model: str) -> float:
        """Return the mean over the splits; NaN unless every split has a value."""
        values = self.values(metric, dataset, model)
        return float(values.mean()) if len(values) else np.nan

    def _require_metric(self, metric: str) -> None:
        require_choice("metric", metric, tuple(self.metrics) or tuple(METRICS))

    def _failure_notes(self) -> tuple[str, ...]:
        first: dict[tuple[str, str], Result] = {}
        for result in self.failures:
            first.setdefault((result.dataset, result.model), result)
        return tuple(
            f"{FAILED}: {result.model} on {result.dataset}"
            f"{f', {result.split}' if result.split else ''}: {result.failure.rstrip('.')}."
            for result in first.values()
        )


@dataclass(frozen=True)
class _Show:
    """The cells of a summary, with marks where differences are significant."""

    of: Comparison
    metric: str
    base: str
    test: str
    level: float

    def cell(self, dataset: str, model: str) -> str:
        values = self.of.values(self.metric, dataset, model)
        failed = sum(1 for result in self.of.results_of(dataset, model) if result.failure)
        if failed:
            return FAILED if failed == len(values) else f"{FAILED} {failed}/{len(values)}"
        if not np.isfinite(values).all():
            return "-"
        factor, digits = FORMATS.get(self.metric, (1.0, 3))
        spread = f" ± {factor * values.std(ddof=1):.{digits}f}" if len(values) > 1 else ""
        mark = self.mark(dataset, model)
        return f"{factor * values.mean():.{digits}f}{spread} {mark or ' '}"

    def mark(self, dataset: str, model: str) -> str:
        """Return v where the model is significantly better than the base, * where it is worse."""
        if model == self.base:
            return ""
        test = self.of.test(self.metric, dataset, model, self.base, self.test)
        if not test.p_value <= self.level:
            return ""
        return "v" if (test.effect > 0) == _higher_is_better(self.metric) else "*"

    def both_have_values(self, dataset: str, model: str) -> bool:
        """Return whether a model and the base can be compared."""
        test = self.of.test(self.metric, dataset, model, self.base, self.test)
        return not math.isnan(test.p_value)

    def tally(self) -> list[list[str]]:
        """Count wins, ties and losses against the base, and average the ranks."""
        rows = [["(v/ /*)"], ["average rank"]]
        for model in self.of.models:
            marks = [
                self.mark(dataset, model)
                for dataset in self.of.datasets
                if self.both_have_values(dataset, model)
            ]
            counts = "/".join(str(marks.count(mark)) for mark in ("v", "", "*"))
            rows[0].append("" if model == self.base else f"{counts}  ")
        means = self.of.means(self.metric).dropna()
        sign = -1 if _higher_is_better(self.metric) else 1
        ranks = (sign * means.round(TIE_DIGITS)).rank(axis=1).mean()
        rows[1] += [f"{rank:.2f}  " for rank in ranks] if len(means) else ["" for _ in ranks]
        return rows

    def notes(self) -> list[str]:
        if len(self.of.models) == 1:
            return []
        return [
            f"v, *: significantly better, worse than {self.base} "
            f"({TESTS[self.test]}, {self.level:g}, two-sided)."
        ]


def _higher_is_better(metric: str) -> bool:
    return metric in METRICS and METRICS[metric].higher_is_better
