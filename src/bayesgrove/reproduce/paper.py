"""A paper as experiments: data sets x methods x protocol, and the table they are printed in."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bayesgrove.evaluation.protocols import EvaluationProtocol, Split

QUICK_SPLITS = 2


@dataclass(frozen=True)
class PaperTable:
    """One table of a paper.

    Parameters
    ----------
    number, title : as printed
    metric, printed_as : of `METRICS`, and as `published.csv` calls it
    factor : what our values are multiplied with to be in its units
    data : data sets by their names in the paper; each is a function that returns ``(X, y)``
    methods : estimators by their names in the paper
    protocols : how each data set is split
    printed_splits : how many splits a printed mean is over
    choices : what the paper leaves open, and what we chose
    explanations : of cells that differ, by (data set, method); tested, not guessed
    """

    number: str
    title: str
    metric: str
    printed_as: str
    factor: float
    data: Mapping[str, Callable[[], tuple[Any, Any]]]
    methods: Mapping[str, Any]
    protocols: Mapping[str, EvaluationProtocol]
    printed_splits: int = 10
    choices: tuple[str, ...] = ()
    explanations: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def quick(self) -> PaperTable:
        """The same with the first splits only: a look, not a reproduction."""
        few = {name: FirstSplits(own, QUICK_SPLITS) for name, own in self.protocols.items()}
        return replace(self, protocols=few)


@dataclass(frozen=True)
class Paper:
    """A paper and its tables."""

    number: str
    citation: str
    tables: tuple[PaperTable, ...]


@dataclass(frozen=True)
class FirstSplits:
    """The first splits of another protocol."""

    protocol: EvaluationProtocol
    count: int

    def splits(self, y: Any) -> list[Split]:
        """The splits of rows with these classes."""
        return self.protocol.splits(y)[: self.count]

    def describe(self) -> str:
        """The protocol in a few words."""
        return f"the first {self.count} splits of: {self.protocol.describe()}"
