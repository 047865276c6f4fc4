"""The folds behind the numbers of a paper, if they are known."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from bayesgrove.evaluation import PredefinedFolds

if TYPE_CHECKING:
    from bayesgrove.evaluation.protocols import Split


@cache
def published_folds(paper: str) -> dict[str, list[str]]:
    """Return per data set one string per repeat; its character i is the fold with test row i."""
    source = files("bayesgrove.reproduce") / "data" / f"folds_{paper}.json.gz"
    folds: dict[str, list[str]] = json.loads(gzip.decompress(source.read_bytes()))
    return folds


@dataclass(frozen=True)
class PublishedFolds:
    """The folds of a paper on a data set; ``dataset`` is its name in this package."""

    paper: str
    dataset: str

    def splits(self, y: Any) -> list[Split]:
        """Return the splits, fold by fold within each repeat; raise unless all rows are there."""
        rows = len(self._labels[0])
        if len(y) != rows:
            raise ValueError(
                f"The folds of {self.dataset!r} are for {rows} rows, but the table has {len(y)}: "
                "give all rows of the data set, in the order of its file."
            )
        return self._folds.splits(y)

    def describe(self) -> str:
        """Return a short description of the protocol.

        >>> PublishedFolds("002", "iris").describe()
        '5 x 10 given folds, those of paper 002'
        """
        return f"{self._folds.describe()}, those of paper {self.paper}"

    @property
    def _labels(self) -> list[str]:
        """The fold labels, one string per repeat."""
        return published_folds(self.paper)[self.dataset]

    @property
    def _folds(self) -> PredefinedFolds:
        """The folds as a protocol."""
        return PredefinedFolds.from_labels(self._labels)
