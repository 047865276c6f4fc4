"""Experiments of papers: methods x data sets x splits, run once and shown by several tables."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bayesgrove.datasets import load_dataset
from bayesgrove.evaluation import Comparison, compare
from bayesgrove.evaluation.store import PLAN, read_results

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping

    from bayesgrove.evaluation.protocols import EvaluationProtocol, Split
    from bayesgrove.evaluation.results import ExtraMetrics, Result

    Loader = Callable[[], tuple[Any, Any]]

QUICK_SPLITS = 2
"""Number of splits per data set in a quick run."""


@dataclass(frozen=True)
class Experiment:
    """All methods of an experiment on all data sets; each data set has its protocol.

    Parameters
    ----------
    name : str
        Name of the folder with the results.
    methods : dict of str to estimator
        Estimators by their names in the paper.
    data : dict of str to callable
        Functions that return ``(X, y)``, by the name of the data set in the paper.
    protocols : dict of str to protocol
        Evaluation protocols by the name of the data set.
    extra_metrics : callable or None, default=None
        Function that takes an `Outcome` and returns values by name, which are measured in addition
        to the metrics.
    retry_failures : bool, default=True
        Whether a run that is resumed runs failed methods again.
    quick_data : tuple of str or None, default=None
        Names of the data sets of a quick run. None means all.
    """

    name: str
    methods: Mapping[str, Any]
    data: Mapping[str, Loader]
    protocols: Mapping[str, EvaluationProtocol]
    extra_metrics: ExtraMetrics | None = None
    retry_failures: bool = True
    quick_data: tuple[str, ...] | None = None

    def first(self, count: int = QUICK_SPLITS) -> Experiment:
        """Return the experiment with only the first splits, for a quick look at the results."""
        chosen = self.data if self.quick_data is None else self.quick_data
        few = {name: FirstSplits(self.protocols[name], count) for name in chosen}
        return replace(self, data={name: self.data[name] for name in chosen}, protocols=few)

    def run(self, folder: str | os.PathLike[str] | None, **options: Any) -> Comparison:
        """Run the experiment, or resume it; the results are written to a subfolder of ``folder``.

        The options are those of `compare`.
        """
        subfolder = None if folder is None else Path(folder, self.name)
        return compare(
            self.methods,
            self.data,
            self.protocols,
            folder=subfolder,
            extra_metrics=self.extra_metrics,
            retry_failures=self.retry_failures,
            **options,
        )

    def stored(self, folder: str | os.PathLike[str]) -> Comparison:
        """Return the results of a run that are in ``folder`` so far; nothing is run."""
        subfolder = Path(folder, self.name)
        results = {one.key: one for one in read_results(subfolder)}
        plan = {"models": dict.fromkeys(self.methods, ""), "data": dict.fromkeys(self.data, "")}
        if (subfolder / PLAN).exists():
            plan["models"] = json.loads((subfolder / PLAN).read_text(encoding="utf-8"))["models"]
        return Comparison(list(results.values()), plan)


@dataclass(frozen=True)
class FirstSplits:
    """The first splits of another protocol."""

    protocol: EvaluationProtocol
    count: int

    def splits(self, y: Any) -> list[Split]:
        """Return the first splits of a table whose rows have the classes ``y``."""
        return self.protocol.splits(y)[: self.count]

    def describe(self) -> str:
        """Return a short description of the protocol."""
        return f"the first {self.count} splits of: {self.protocol.describe()}"


def loaders(names: Mapping[str, str]) -> dict[str, Loader]:
    """Return functions that load data sets, given our names by the names in a paper."""
    return {name: partial(_load, our_name) for name, our_name in names.items()}


def together(runs: Iterable[Comparison]) -> Comparison:
    """Join the results of experiments; no two may have the same method on the same data set."""
    results: list[Result] = []
    models: dict[str, Any] = {}
    data: dict[str, Any] = {}
    for run in runs:
        results += run.results
        models |= run.plan["models"]
        data |= run.plan["data"]
    return Comparison(results, {"models": models, "data": data})


def first_splits(results: Comparison, count: int) -> Comparison:
    """Return the results on the first ``count`` splits of every data set."""
    seen: Counter[tuple[str, str]] = Counter()
    kept = []
    for result in results.results:
        seen[result.dataset, result.model] += 1
        if seen[result.dataset, result.model] <= count:
            kept.append(result)
    return Comparison(kept, results.plan)


def failure_of(results: Comparison, dataset: str, *methods: str) -> str:
    """Return why one of the methods failed on a data set; empty if none failed."""
    failures = (one.failure for method in methods for one in results.results_of(dataset, method))
    return next(filter(None, failures), "")


def _load(name: str) -> tuple[Any, Any]:
    X, y = load_dataset(name)
    return X, y
