"""What a paper ran: methods x data sets x splits; run once, looked at by several tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bayesgrove.datasets import load_dataset
from bayesgrove.evaluation import Comparison, compare

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping

    from bayesgrove.evaluation.protocols import EvaluationProtocol, Split
    from bayesgrove.evaluation.results import ExtraMetrics, Result

    Loader = Callable[[], tuple[Any, Any]]

QUICK_SPLITS = 2


@dataclass(frozen=True)
class Experiment:
    """All methods on all data sets, each data set with splits of its own.

    Parameters
    ----------
    name : of the folder that keeps its run
    methods : estimators by their names in the paper
    data : data sets by their names in the paper; each is a function that returns ``(X, y)``
    protocols : how each data set is split
    extra_metrics : what is measured besides the metrics, as in `compare`
    """

    name: str
    methods: Mapping[str, Any]
    data: Mapping[str, Loader]
    protocols: Mapping[str, EvaluationProtocol]
    extra_metrics: ExtraMetrics | None = None

    def first(self, count: int = QUICK_SPLITS) -> Experiment:
        """Return the same with the first splits only: a look, not a reproduction."""
        few = {name: FirstSplits(protocol, count) for name, protocol in self.protocols.items()}
        return replace(self, protocols=few)

    def run(self, folder: str | os.PathLike[str] | None, **options: Any) -> Comparison:
        """Run it, or go on with it; results are kept in a folder of its own within ``folder``.

        Options as in `compare`.
        """
        place = None if folder is None else Path(folder, self.name)
        return compare(
            self.methods,
            self.data,
            self.protocols,
            folder=place,
            extra_metrics=self.extra_metrics,
            **options,
        )


@dataclass(frozen=True)
class FirstSplits:
    """The first splits of another protocol."""

    protocol: EvaluationProtocol
    count: int

    def splits(self, y: Any) -> list[Split]:
        """Return the splits of rows with these classes."""
        return self.protocol.splits(y)[: self.count]

    def describe(self) -> str:
        """Return the protocol in a few words."""
        return f"the first {self.count} splits of: {self.protocol.describe()}"


def loaders(names: Mapping[str, str]) -> dict[str, Loader]:
    """Return functions that load data sets, by their names in a paper; given are our names."""
    return {name: partial(_load, our_name) for name, our_name in names.items()}


def together(runs: Iterable[Comparison]) -> Comparison:
    """Join the runs of experiments; no two of them have the same method on the same data set."""
    results: list[Result] = []
    models: dict[str, Any] = {}
    data: dict[str, Any] = {}
    for run in runs:
        results += run.results
        models |= run.plan["models"]
        data |= run.plan["data"]
    return Comparison(results, {"models": models, "data": data})


def first_splits(results: Comparison, count: int) -> Comparison:
    """Return the results on the first splits of every data set."""
    seen: Counter[tuple[str, str]] = Counter()
    kept = []
    for result in results.results:
        seen[result.dataset, result.model] += 1
        if seen[result.dataset, result.model] <= count:
            kept.append(result)
    return Comparison(kept, results.plan)


def failure_of(results: Comparison, dataset: str, *methods: str) -> str:
    """Return why one of the methods has no result on a data set; empty where all have."""
    failures = (p.failure for method in methods for p in results.results_of(dataset, method))
    return next(filter(None, failures), "")


def _load(name: str) -> tuple[Any, Any]:
    X, y = load_dataset(name)
    return X, y
