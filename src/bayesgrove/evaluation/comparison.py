"""The results of a comparison: values, significance tests and tables."""

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
"""Factor and number of decimals of a metric; all other metrics have factor 1 and 3 decimals."""
TESTS = {
    "corrected": "corrected resampled t-test",
    "paired": "paired t-test",
    "wilcoxon": "Wilcoxon signed-rank test",
}
"""Names of the significance tests, as tables show them."""


class Comparison:
    """Results of `compare`: values per split, means, significance tests, tables and plots.

    Parameters
    ----------
    results : sequence of Result
        One result per model, data set and split.
    plan : dict of str to object
        Models, data sets, protocols, splits and versions of the run, as plain data.

    Examples
    --------
    >>> from bayesgrove import NaiveBayesClassifier, TANClassifier, compare, load_dataset
    >>> models = {"nb": NaiveBayesClassifier(), "tan": TANClassifier()}
    >>> comparison = compare(models, {"corral": load_dataset("corral")}, "5")
    >>> comparison.values("accuracy", "corral", "tan").shape
    (5,)
    """

    def __init__(self, results: Sequence[Result], plan: dict[str, Any]) -> None:
        self.results = list(results)
        self.plan = plan

    @property
    def models(self) -> list[str]:
        """Names of the models, in the order of the call."""
        return list(self.plan["models"])

    @property
    def datasets(self) -> list[str]:
        """Names of the data sets, in the order of the call."""
        return list(self.plan["data"])

    @property
    def metrics(self) -> list[str]:
        """Names of all measured values: metrics, extra metrics, sizes and times."""
        return list(dict.fromkeys(name for result in self.results for name in result.values))

    @property
    def failures(self) -> list[Result]:
        """Results that failed; `Result.failure` is the reason."""
        return [result for result in self.results if result.failure]

    @cached_property
    def table(self) -> pd.DataFrame:
        """Data frame with one row per model, data set, split and metric; ``attrs`` is the plan."""
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
        """Return the results of a model on a data set, in the order of the splits.

        Parameters
        ----------
        dataset : str
            Name of the data set.
        model : str
            Name of the model.

        Returns
        -------
        list of Result
            One result per split. The list is empty if there is no such cell.
        """
        return self._by_cell.get((dataset, model), [])

    def values(self, metric: str, dataset: str, model: str) -> Floats:
        """Return the values of a metric on all splits.

        Parameters
        ----------
        metric : str
            Name of the metric.
        dataset : str
            Name of the data set.
        model : str
            Name of the model.

        Returns
        -------
        ndarray of shape (n_splits,)
            One value per split; NaN where the model failed or has no such value.
        """
        results = self.results_of(dataset, model)
        return np.array([result.values.get(metric, np.nan) for result in results])

    def means(self, metric: str) -> pd.DataFrame:
        """Return the means of a metric over the splits.

        Parameters
        ----------
        metric : str
            Name of the metric.

        Returns
        -------
        DataFrame
            One row per data set and one column per model; NaN unless every split has a value.
        """
        self._require_metric(metric)
        means = [[self._mean(metric, d, m) for m in self.models] for d in self.datasets]
        return pd.DataFrame(means, self.datasets, self.models)

    @renamed(kind="test")
    def test(
        self, metric: str, dataset: str, a: str, b: str, test: str = "corrected"
    ) -> TestResult:
        """Test whether two models differ significantly on a data set.

        Splits on which one of the models failed are left out.

        Parameters
        ----------
        metric : str
            Name of the metric.
        dataset : str
            Name of the data set.
        a : str
            Name of the first model.
        b : str
            Name of the second model.
        test : {"corrected", "paired", "wilcoxon"}, default="corrected"
            Significance test: the corrected resampled t-test, which allows for training sets that
            overlap, the paired t-test or the Wilcoxon signed-rank test.

        Returns
        -------
        TestResult
            The statistic, the two-sided p-value and the effect, which is above 0 if the first model
            has the higher values. All are NaN if fewer than two splits remain.
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
        """Test whether the average ranks of the models differ (Friedman, Iman and Davenport).

        Data sets on which a model has no mean are left out.

        Parameters
        ----------
        metric : str, default="accuracy"
            Name of the metric whose means are ranked.

        Returns
        -------
        FriedmanResult
            The average ranks, where rank 1 is the best, and both tests.
        """
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
        """Return a table of means and standard deviations, with marks against a base model.

        A cell has ``v`` if the model is significantly better than the base and ``*`` if it is
        significantly worse. The last rows count these marks and show the average ranks.

        Parameters
        ----------
        metric : str, default="accuracy"
            Name of the metric to show.
        base : str or None, default=None
            Model that the others are tested against. None means the first model.
        test : {"corrected", "paired", "wilcoxon"}, default="corrected"
            Significance test: the corrected resampled t-test, the paired t-test or the Wilcoxon
            signed-rank test.
        level : float, default=0.05
            Significance level. A two-sided p-value of at most this level gets a mark.

        Returns
        -------
        TextTable
            One row per data set and one column per model.
        """
        self._require_metric(metric)
        base = self.models[0] if base is None else base
        require_choice("base", base, tuple(self.models))
        summary = _Summary(self, metric, base, test, level)
        rows = [[d, *(summary.cell(d, m) for m in self.models)] for d in self.datasets]
        extra = summary.tally() if len(self.models) > 1 else []
        return TextTable(
            f"{metric}: mean ± standard deviation over the splits",
            ["data set", *self.models],
            [*rows, *extra],
            summary=len(extra),
            notes=(*summary.notes(), *self._failure_notes()),
        )

    def to_text(self, metric: str = "accuracy", width: int = 80, **options: Any) -> str:
        """Return the summary as text for a terminal.

        Parameters
        ----------
        metric : str, default="accuracy"
            Name of the metric to show.
        width : int, default=80
            Number of characters per line. Columns that do not fit follow in a second block.
        **options : object
            Options ``base``, ``test`` and ``level`` of `summary`: the model that the others are
            tested against, the significance test ("corrected", "paired" or "wilcoxon") and its
            level.

        Returns
        -------
        str
            The table of `summary` as text.
        """
        return self.summary(metric, **options).to_text(width)

    def to_markdown(self, metric: str = "accuracy", **options: Any) -> str:
        """Return the summary as a Markdown table.

        Parameters
        ----------
        metric : str, default="accuracy"
            Name of the metric to show.
        **options : object
            Options ``base``, ``test`` and ``level`` of `summary`: the model that the others are
            tested against, the significance test ("corrected", "paired" or "wilcoxon") and its
            level.

        Returns
        -------
        str
            The table of `summary` as Markdown.
        """
        return self.summary(metric, **options).to_markdown()

    def to_latex(self, metric: str = "accuracy", **options: Any) -> str:
        """Return the summary as a LaTeX table.

        Parameters
        ----------
        metric : str, default="accuracy"
            Name of the metric to show.
        **options : object
            Options ``base``, ``test`` and ``level`` of `summary`: the model that the others are
            tested against, the significance test ("corrected", "paired" or "wilcoxon") and its
            level.

        Returns
        -------
        str
            The table of `summary` as LaTeX for the booktabs package.
        """
        return self.summary(metric, **options).to_latex()

    def plot(self, kind: str = "box", metric: str = "accuracy") -> Any:
        """Draw a figure of the results with matplotlib.

        Parameters
        ----------
        kind : {"box", "critical difference", "learning curve", "time"}, default="box"
            Kind of figure. "box" draws the metric over the splits. "critical difference" draws
            average ranks, with a bar that joins models that Nemenyi's test does not separate.
            "learning curve" draws the metric against the number of training rows, and "time"
            against the seconds to fit and predict.
        metric : str, default="accuracy"
            Name of the metric to draw.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        from bayesgrove.evaluation.plots import PLOTS

        require_choice("kind", kind, tuple(PLOTS))
        self._require_metric(metric)
        return PLOTS[kind](self, metric)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write ``results.csv``, ``times.csv`` and ``summary.md`` into a folder.

        If a run was interrupted and resumed, only ``times.csv`` differs from that of a run without
        interruption.

        Parameters
        ----------
        folder : str or path-like
            An existing folder. Files of these names are replaced.
        """
        timed = self.table["metric"].isin(TIMES)
        target = Path(folder)
        write_text(target / "results.csv", self.table[~timed].to_csv(index=False))
        write_text(target / "times.csv", self.table[timed].to_csv(index=False))
        shown = [name for name in METRICS if name in self.metrics]
        pages = [self.to_markdown(name) for name in shown] or list(self._failure_notes())
        write_text(target / "summary.md", "\n\n".join(pages) + "\n")

    @cached_property
    def _by_cell(self) -> dict[tuple[str, str], list[Result]]:
        """The results by data set and model."""
        cells: dict[tuple[str, str], list[Result]] = {}
        for result in self.results:
            cells.setdefault((result.dataset, result.model), []).append(result)
        return cells

    def _mean(self, metric: str, dataset: str, model: str) -> float:
        """Return the mean over the splits; NaN unless every split has a value."""
        values = self.values(metric, dataset, model)
        return float(values.mean()) if len(values) else np.nan

    def _require_metric(self, metric: str) -> None:
        """Raise unless the metric was measured."""
        require_choice("metric", metric, tuple(self.metrics) or tuple(METRICS))

    def _failure_notes(self) -> tuple[str, ...]:
        """Return one sentence per cell with a failure: the reason of its first failure."""
        first: dict[tuple[str, str], Result] = {}
        for result in self.failures:
            first.setdefault((result.dataset, result.model), result)
        return tuple(
            f"{FAILED}: {result.model} on {result.dataset}"
            f"{f', {result.split}' if result.split else ''}: {result.failure.rstrip('.')}."
            for result in first.values()
        )


@dataclass(frozen=True)
class _Summary:
    """The cells of a summary, with marks where differences are significant."""

    comparison: Comparison
    metric: str
    base: str
    test: str
    level: float

    def cell(self, dataset: str, model: str) -> str:
        """Return the text of a cell: mean, standard deviation and mark; or how often it failed."""
        values = self.comparison.values(self.metric, dataset, model)
        failed = sum(1 for result in self.comparison.results_of(dataset, model) if result.failure)
        if failed:
            return FAILED if failed == len(values) else f"{FAILED} {failed}/{len(values)}"
        if not np.isfinite(values).all():
            return "-"
        factor, digits = FORMATS.get(self.metric, (1.0, 3))
        spread = f" ± {factor * values.std(ddof=1):.{digits}f}" if len(values) > 1 else ""
        mark = self.mark(dataset, model)
        return f"{factor * values.mean():.{digits}f}{spread} {mark or ' '}"

    def mark(self, dataset: str, model: str) -> str:
        """Return v if the model is significantly better than the base, * if worse, else nothing."""
        if model == self.base:
            return ""
        test = self.comparison.test(self.metric, dataset, model, self.base, self.test)
        if not test.p_value <= self.level:
            return ""
        return "v" if (test.effect > 0) == _higher_is_better(self.metric) else "*"

    def both_have_values(self, dataset: str, model: str) -> bool:
        """Return whether the test against the base has a p-value."""
        test = self.comparison.test(self.metric, dataset, model, self.base, self.test)
        return not math.isnan(test.p_value)

    def tally(self) -> list[list[str]]:
        """Return two rows: wins, ties and losses against the base, and the average ranks."""
        rows = [["(v/ /*)"], ["average rank"]]
        for model in self.comparison.models:
            marks = [
                self.mark(dataset, model)
                for dataset in self.comparison.datasets
                if self.both_have_values(dataset, model)
            ]
            counts = "/".join(str(marks.count(mark)) for mark in ("v", "", "*"))
            rows[0].append("" if model == self.base else f"{counts}  ")
        means = self.comparison.means(self.metric).dropna()
        sign = -1 if _higher_is_better(self.metric) else 1
        ranks = (sign * means.round(TIE_DIGITS)).rank(axis=1).mean()
        rows[1] += [f"{rank:.2f}  " for rank in ranks] if len(means) else ["" for _ in ranks]
        return rows

    def notes(self) -> list[str]:
        """Return the meaning of the marks; nothing for a single model."""
        if len(self.comparison.models) == 1:
            return []
        return [
            f"v: significantly better than {self.base}, *: significantly worse "
            f"({TESTS[self.test]}, level {self.level:g}, two-sided)."
        ]


def _higher_is_better(metric: str) -> bool:
    """Return whether higher values of a metric are better; False for sizes, times and unknown."""
    return metric in METRICS and METRICS[metric].higher_is_better
