"""Folds that the figures of a paper are over, where they are known."""

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
    """Return, per data set, one string per run: character i is the fold that tests row i."""
    source = files("bayesgrove.reproduce") / "data" / f"folds_{paper}.json.gz"
    folds: dict[str, list[str]] = json.loads(gzip.decompress(source.read_bytes()))
    return folds


@dataclass(frozen=True)
class PublishedFolds:
    """The folds of a paper; ``dataset`` is the name of the data set here."""

    paper: str
    dataset: str

    def splits(self, y: Any) -> list[Split]:
        """Return the splits, fold by fold within each run; all rows of the file must be there."""
        rows = len(self._labels[0])
        if len(y) != rows:
            raise ValueError(
                f"The folds of {self.dataset!r} are of {rows} rows, and the table has {len(y)}: "
                "give all rows of the data set, in the order of its file."
            )
        return self._folds.splits(y)

    def describe(self) -> str:
        """Return the protocol in a few words.

        >>> PublishedFolds("002", "iris").describe()
        '5 x 10 given folds, those of paper 002'
        """
        return f"{self._folds.describe()}, those of paper {self.paper}"

    @property
    def _labels(self) -> list[str]:
        return published_folds(self.paper)[self.dataset]

    @property
    def _folds(self) -> PredefinedFolds:
        return PredefinedFolds.from_labels(self._labels)
