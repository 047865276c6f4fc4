"""Figures of papers: learning curves as a picture and as numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from bayesgrove._utils.files import atomic_write
from bayesgrove.evaluation import TextTable
from bayesgrove.reproduce.experiment import QUICK_SPLITS, Experiment

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    import pandas as pd

    from bayesgrove.evaluation import Comparison, LearningCurve
    from bayesgrove.reproduce.experiment import Loader

DOTS_PER_INCH = 120


@dataclass(frozen=True)
class Curves:
    """A figure of a paper: accuracy against the number of training rows on one data set.

    Parameters
    ----------
    number : str
        Number of the figure in the paper.
    title : str
        Title of the figure.
    dataset : str
        Name of the data set in the paper.
    load : callable
        Function that returns ``(X, y)``.
    methods : dict of str to estimator
        Estimators by their names in the paper.
    protocol : LearningCurve
        Numbers of training and test rows, and number of trials.
    choices : tuple of str, default=()
        Sentences about what the paper leaves open, and our choices.
    """

    number: str
    title: str
    dataset: str
    load: Loader
    methods: Mapping[str, Any]
    protocol: LearningCurve
    choices: tuple[str, ...] = ()

    @property
    def experiment(self) -> Experiment:
        """The experiment behind the figure."""
        protocols = {self.dataset: self.protocol}
        return Experiment(
            f"figure-{self.number}", self.methods, {self.dataset: self.load}, protocols
        )

    def quick(self) -> Curves:
        """Return the figure with only the first trials, for a quick look at the results."""
        return replace(self, protocol=replace(self.protocol, repeats=QUICK_SPLITS))


@dataclass(frozen=True)
class Drawing:
    """A figure of a paper with our results."""

    paper: str
    curves: Curves
    results: Comparison

    def table(self) -> pd.DataFrame:
        """Return the mean and standard deviation of the accuracy, by method and training rows."""
        values = self.results.table
        accuracies = values[values["metric"] == "accuracy"]
        by_size = accuracies.groupby(["model", "train"], sort=False)["value"]
        table = by_size.agg(["mean", "std", "count"]).reset_index()
        return table.set_axis(["method", "training_rows", "mean", "spread", "trials"], axis=1)

    def text_table(self) -> TextTable:
        """Return a table of accuracies in percent, one row per number of training rows."""
        rows = [
            [str(size), *(self._text(method, size) for method in self.curves.methods)]
            for size in self.curves.protocol.sizes
        ]
        reasons = dict.fromkeys(
            f"FAILED: {result.model}: {result.failure.rstrip('.')}."
            for result in self.results.failures
        )
        return TextTable(
            f"Paper {self.paper}, figure {self.curves.number}: {self.curves.title}",
            ["training rows", *self.curves.methods],
            rows,
            notes=(f"{self.curves.protocol.describe()}.", *reasons, *self.curves.choices),
        )

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the picture as PNG and its numbers as CSV."""
        picture = Path(folder, f"figure-{self.curves.number}.png")
        numbers = picture.with_suffix(".csv")
        with atomic_write(picture) as file:
            drawn = self.results.plot("learning curve", "accuracy")
            drawn.savefig(file, format="png", dpi=DOTS_PER_INCH)
        with atomic_write(numbers) as file:
            file.write(self.table().to_csv(index=False, float_format="%.6f").encode())

    def _text(self, method: str, size: int) -> str:
        """Return a mean in percent, or FAILED; a data set that cannot be loaded has no split."""
        results = [result for result in self.results.results if result.model == method]
        at_size = [result for result in results if result.train == size or not result.split]
        if any(result.failure for result in at_size):
            return "FAILED"
        return f"{100.0 * fmean(result.values['accuracy'] for result in at_size):.2f}"
