"""Tables of a comparison of our own: means over data sets, ranks, and tests over data sets."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.evaluation import METRICS, Comparison, TextTable
from bayesgrove.evaluation.significance import friedman, holm, nemenyi, wilcoxon
from bayesgrove.reproduce.experiment import first_splits
from bayesgrove.reproduce.views.claims import FAILED, NO, YES, Evidence
from bayesgrove.reproduce.views.tables import Table, View

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bayesgrove.reproduce.published import PublishedValue
    from bayesgrove.reproduce.views.claims import Check
    from bayesgrove.reproduce.views.tables import Cell

LEVEL = 0.05
"""Significance level of two-sided tests over data sets."""


@dataclass(frozen=True)
class Column:
    """A metric with its title in tables, the factor of its values and its number of decimals."""

    metric: str
    title: str
    factor: float = 1.0
    digits: int = 3

    @property
    def higher_is_better(self) -> bool:
        """Whether higher values are better; False for times and metrics of the experiment."""
        return self.metric in METRICS and METRICS[self.metric].higher_is_better

    def written(self, value: float) -> str:
        """Return a value as text."""
        return f"{self.factor * value:.{self.digits}f}"


@dataclass(frozen=True)
class Complete:
    """The data sets on which all methods have all splits, and why the others are left out.

    ``results`` has only these data sets and methods.
    """

    results: Comparison
    left_out: list[str]

    @classmethod
    def of(
        cls,
        results: Comparison,
        methods: Sequence[str],
        datasets: Sequence[str],
        splits: int | None = None,
    ) -> Complete:
        """Return the complete data sets; ``splits`` is the number of first splits that count."""
        shown = results if splits is None else first_splits(results, splits)
        reasons = {name: _gap(shown, name, methods) for name in datasets}
        kept = [name for name in datasets if methods and not reasons[name]]
        plan = {"models": dict.fromkeys(methods, ""), "data": dict.fromkeys(kept, "")}
        cells = [one for one in shown.results if one.dataset in kept and one.model in methods]
        sentences = [
            f"{', '.join(name for name in datasets if reasons[name] == why)}: {why}"
            for why in dict.fromkeys(filter(None, reasons.values()))
        ]
        return cls(Comparison(cells, plan), sentences)


def _gap(results: Comparison, dataset: str, methods: Sequence[str]) -> str:
    """Return why a data set is not complete; empty if it is."""
    cells = {name: results.results_of(dataset, name) for name in methods}
    failures = [
        f"{name} failed ({next(one.failure for one in cell if one.failure).rstrip('.')})"
        for name, cell in cells.items()
        if any(one.failure for one in cell)
    ]
    most = max(map(len, cells.values()), default=0)
    missing = [name for name, cell in cells.items() if len(cell) < max(most, 1)]
    unfinished = [f"{', '.join(missing)} not finished"] if missing else []
    return "; ".join([*failures, *unfinished])


@dataclass(frozen=True)
class Contest:
    """Two methods on the same data sets: mean difference, and the signed-rank test over the sets.

    ``better`` and ``worse`` are the numbers of data sets on which the first method is better and
    worse.
    """

    difference: float
    better: int
    worse: int
    sets: int
    p_value: float

    @classmethod
    def between(cls, results: Comparison, column: Column, first: str, second: str) -> Contest:
        """Compare the means of two methods over the data sets of ``results``."""
        means = results.means(column.metric)
        ours, theirs = means[first].to_numpy(), means[second].to_numpy()
        gains = (ours - theirs) * (1 if column.higher_is_better else -1)
        test = wilcoxon(ours, theirs)
        return cls(
            float((ours - theirs).mean()),
            int((gains > 0).sum()),
            int((gains < 0).sum()),
            len(gains),
            test.p_value,
        )


def over_sets(
    first: str, second: str, column: Column, relation: str, datasets: Sequence[str]
) -> Check:
    """Check whether one method is significantly better than another, or not significantly worse.

    ``relation`` is "better" or "not worse". The test is the signed-rank test over the data sets on
    which both methods have all splits. Which method is better is decided by the number of sets.
    """

    def check(results: Comparison) -> list[Evidence]:
        complete = Complete.of(results, (first, second), datasets)
        compared = f"{first} minus {second}: {column.title}"
        if not complete.results.datasets:
            return [Evidence("no set", compared, "not run", relation, FAILED)]
        one = Contest.between(complete.results, column, first, second)
        significant = one.p_value <= LEVEL
        holds = (
            significant and one.better > one.worse
            if relation == "better"
            else not (significant and one.worse > one.better)
        )
        ours = (
            f"{column.factor * one.difference:+.{column.digits}f}, better on {one.better}, worse "
            f"on {one.worse}, p = {one.p_value:.2g}"
        )
        return [Evidence(f"{one.sets} sets", compared, ours, relation, YES if holds else NO)]

    return check


@dataclass(frozen=True, kw_only=True)
class OwnTable(Table):
    """A table of our results alone.

    Parameters
    ----------
    datasets : tuple of str
        Data sets that the table counts.
    splits : int or None, default=None
        Number of first splits per data set that count. None means all.
    """

    datasets: tuple[str, ...]
    splits: int | None = None

    @property
    def methods(self) -> list[str]:
        """Names of the methods of the experiments, in their order."""
        return list(dict.fromkeys(name for one in self.experiments for name in one.methods))

    @property
    def columns(self) -> list[str]:
        """An empty list: the table has no cells."""
        return []

    def cells(self, results: Comparison, printed: Sequence[PublishedValue]) -> list[Cell]:  # noqa: ARG002
        """Return an empty list: there are no printed numbers."""
        return []

    def view(self, paper: str, results: Comparison, printed: Sequence[PublishedValue]) -> OwnView:  # noqa: ARG002
        """Return the table of the results."""
        return OwnView(paper, self, [], self.text(results))

    @abstractmethod
    def text(self, results: Comparison) -> TextTable:
        """Return the table as text, without its choices."""

    def present(self, results: Comparison) -> list[str]:
        """Return the methods that have results."""
        return [
            name
            for name in self.methods
            if any(results.results_of(dataset, name) for dataset in self.datasets)
        ]

    def complete(self, results: Comparison) -> Complete:
        """Return the results that count; methods without any result are left out."""
        return Complete.of(results, self.present(results), self.datasets, self.splits)


@dataclass(frozen=True)
class OwnView(View):
    """A table of our results alone, as text."""

    text: TextTable

    def text_table(self, shown_choices: Collection[str] = ()) -> TextTable:
        """Return the table with the choices that no other table has shown."""
        choices = (one for one in self.table.choices if one not in shown_choices)
        title, header, rows = self.text.title, self.text.header, self.text.rows
        return TextTable(title, header, rows, notes=(*self.text.notes, *choices))


@dataclass(frozen=True, kw_only=True)
class Standings(OwnTable):
    """Means of metrics over data sets, one row per method, and average ranks.

    Parameters
    ----------
    shown : tuple of Column
        The metrics. Methods are sorted and ranked by the first one, of which small values are
        best.
    """

    shown: tuple[Column, ...]

    @property
    def legend(self) -> str:
        """Sentences on how to read the columns."""
        return (
            f"Means over the sets. rank: average rank by {self.shown[0].title}, 1 is the best. "
            "Times are seconds of CPU time per fit and per prediction of all test rows."
        )

    def text(self, results: Comparison) -> TextTable:
        """Return one row per method, the best one first."""
        complete = self.complete(results)
        kept = complete.results
        header = ["method", *(one.title for one in self.shown), "rank"]
        title = f"{self.title} ({len(kept.datasets)} sets)"
        notes = [self.legend]
        without = [name for name in self.methods if name not in kept.models]
        if without:
            notes.append(f"Without results: {'; '.join(without)}.")
        if complete.left_out:
            notes.append(f"Left out: {'. '.join(complete.left_out)}.")
        if not kept.datasets:
            return TextTable(title, header, [], notes=tuple(notes))
        means = {one: kept.means(one.metric).mean() for one in self.shown}
        ranks, sentence = self._ranks(kept)
        rows = [
            [name, *(one.written(means[one][name]) for one in self.shown), ranks[name]]
            for name in means[self.shown[0]].sort_values().index
        ]
        return TextTable(title, header, rows, notes=(notes[0], *sentence, *notes[1:]))

    def _ranks(self, kept: Comparison) -> tuple[dict[str, str], list[str]]:
        """Return the average ranks as text, and a sentence on their test."""
        if min(len(kept.models), len(kept.datasets)) < 2:
            return dict.fromkeys(kept.models, "-"), []
        first = self.shown[0]
        means = kept.means(first.metric).to_numpy()
        test = friedman(means, higher_is_better=False)
        width = nemenyi(test.ranks, test.n_datasets, LEVEL).critical_difference
        sentence = (
            f"Friedman's test of equal ranks: p = {test.iman_davenport.p_value:.2g} (Iman and "
            f"Davenport). Ranks that differ by less than {width:.2f} are not significantly "
            "different (Nemenyi, level 0.05)."
        )
        texts = (f"{rank:.2f}" for rank in test.ranks)
        return dict(zip(kept.models, texts, strict=True)), [sentence]


@dataclass(frozen=True, kw_only=True)
class Contests(OwnTable):
    """Some methods against all others: wins and losses over data sets, with corrected p-values.

    Parameters
    ----------
    bases : tuple of str
        Methods that are compared with all others.
    column : Column
        The metric.
    """

    bases: tuple[str, ...]
    column: Column

    @property
    def legend(self) -> str:
        """Sentences on how to read the columns."""
        return (
            f"difference: mean {self.column.title} of the method minus that of the other one. "
            "better, worse: numbers of sets. p: Wilcoxon's signed-rank test over the sets, "
            "two-sided, corrected by Holm's method for the comparisons of the method. Each pair "
            "is compared on the sets on which both have all results."
        )

    def text(self, results: Comparison) -> TextTable:
        """Return one row per pair."""
        header = ["method", "against", "sets", "difference", "better", "worse", "p"]
        rows = [row for base in self.bases for row in self._rows(results, base)]
        return TextTable(self.title, header, rows, notes=(self.legend,))

    def _rows(self, results: Comparison, base: str) -> list[list[str]]:
        """Return the rows of one method."""
        contests = {}
        for other in self.methods:
            pair = Complete.of(results, (base, other), self.datasets, self.splits).results
            if other != base and pair.datasets:
                contests[other] = Contest.between(pair, self.column, base, other)
        if not contests:
            return []
        corrected = holm([one.p_value for one in contests.values()])
        return [
            [
                base,
                other,
                f"{one.sets}",
                f"{self.column.factor * one.difference:+.{self.column.digits}f}",
                f"{one.better}",
                f"{one.worse}",
                f"{p_value:.2g}",
            ]
            for (other, one), p_value in zip(contests.items(), corrected, strict=True)
        ]


@dataclass(frozen=True, kw_only=True)
class SetBySet(OwnTable):
    """Means of a metric, one row per data set and one column per method.

    Parameters
    ----------
    column : Column
        The metric.
    """

    column: Column

    @property
    def legend(self) -> str:
        """A sentence on how to read the cells."""
        return (
            f"Mean {self.column.title} over the splits. FAILED: the method failed on a split; "
            "-: not run, or not finished."
        )

    def text(self, results: Comparison) -> TextTable:
        """Return one row per data set."""
        methods = self.present(results)
        rows = [
            [name, *(self._cell(results, name, one) for one in methods)]
            for name in self.datasets
            if any(results.results_of(name, one) for one in methods)
        ]
        return TextTable(self.title, ["data set", *methods], rows, notes=(self.legend,))

    def _cell(self, results: Comparison, dataset: str, method: str) -> str:
        """Return the text of a cell."""
        cell = results.results_of(dataset, method)
        if any(one.failure for one in cell):
            return FAILED
        values = results.values(self.column.metric, dataset, method)
        mean = float(np.mean(values)) if len(values) else math.nan
        return "-" if math.isnan(mean) else self.column.written(mean)
