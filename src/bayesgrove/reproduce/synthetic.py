"""Trials: training and test rows drawn together from a network, once for every trial."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pandas as pd

from bayesgrove.datasets import data_folder
from bayesgrove.evaluation import Split
from bayesgrove.network import read_network
from bayesgrove.network.random_networks import random_rows
from bayesgrove.reproduce.experiment import QUICK_SPLITS, Experiment

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bayesgrove.evaluation import Outcome

WITHOUT_TIES = "auc without ties"
ATTEMPTS = 10_000
"""How often a trial may be drawn before it is given up."""


class RowSource(Protocol):
    """Where the rows of a trial come from."""

    def rows(self, count: int, seed: int) -> pd.DataFrame:
        """Draw rows of one network: categorical columns, the class last."""


@dataclass(frozen=True)
class RandomNetworks:
    """Rows of a binary random network, another one for every seed.

    Parameters
    ----------
    nodes : number of nodes, the class included
    max_parents : most parents of a node; None draws it from 1 to ``nodes``, all equally likely
    """

    nodes: int
    max_parents: int | None = None

    def rows(self, count: int, seed: int) -> pd.DataFrame:
        """Draw rows of one network."""
        random = np.random.default_rng(seed)
        most = int(random.integers(1, self.nodes, endpoint=True))
        most = most if self.max_parents is None else self.max_parents
        return random_rows(self.nodes, most, count, random_state=int(random.integers(1 << 32)))


@dataclass(frozen=True)
class KnownNetwork:
    """Rows of a network of the data folder, such as ``"alarm"``, with one of its nodes as class."""

    name: str
    target: str

    def rows(self, count: int, seed: int) -> pd.DataFrame:
        """Draw rows of the network."""
        network = _network(_path(self.name))
        drawn = network.sample(count, seed)
        names = [*(node for node in network.nodes if node != self.target), self.target]
        return pd.DataFrame(
            {name: pd.Categorical(drawn[name], network.states(name)) for name in names}
        )


@dataclass(frozen=True)
class Trials:
    """Rows that are stacked trial after trial, each its training rows and then its test rows."""

    train: int
    test: int
    count: int

    def splits(self, y: Any) -> list[Split]:
        """Return one split per trial."""
        rows = self.train + self.test
        if len(y) != rows * self.count:
            raise ValueError(f"{len(y)} rows are not {self.count} trials of {rows} rows.")
        return [
            Split(
                f"trial {trial + 1}",
                trial + 1,
                np.arange(trial * rows, trial * rows + self.train),
                np.arange(trial * rows + self.train, (trial + 1) * rows),
            )
            for trial in range(self.count)
        ]

    def describe(self) -> str:
        """Return the protocol in a few words.

        >>> Trials(100, 1000, 40).describe()
        '40 trials of 100 training and 1000 test rows'
        """
        return f"{self.count} trials of {self.train} training and {self.test} test rows"


@dataclass(frozen=True)
class SampledData:
    """A data set of trials: call it to draw them, always the same.

    A trial whose training rows or test rows are of one class has no ROC curve: it is drawn anew.
    Fewer trials are the first ones of more.

    Parameters
    ----------
    source : where the rows come from
    trials : how many, and of how many rows
    seed : a number, and a text that tells data sets apart
    """

    source: RowSource
    trials: Trials
    seed: tuple[int, str]

    def __call__(self) -> tuple[pd.DataFrame, pd.Series]:
        """Return attributes and class of all trials."""
        rows = self.trials.train + self.trials.test
        first = self.trial(0)
        codes = np.empty((first.shape[1], self.trials.count * rows), dtype=np.int16)
        for number in range(self.trials.count):
            frame = self.trial(number) if number else first
            here = slice(number * rows, (number + 1) * rows)
            codes[:, here] = [frame[name].cat.codes for name in frame]
        stacked = pd.DataFrame(
            {
                name: pd.Categorical.from_codes(column, first[name].cat.categories)
                for name, column in zip(first, codes, strict=True)
            }
        )
        return stacked.iloc[:, :-1], stacked.iloc[:, -1]

    def trial(self, number: int) -> pd.DataFrame:
        """Draw the rows of one trial, the class last."""
        count = self.trials.train + self.trials.test
        for attempt in range(ATTEMPTS):
            frame = self.source.rows(count, self._seed(number, attempt))
            target = frame.iloc[:, -1].cat.codes.to_numpy()
            parts = target[: self.trials.train], target[self.trials.train :]
            if all((part != part[0]).any() for part in parts):
                return frame
        raise ValueError(f"{ATTEMPTS} draws from {self.source} have rows of one class only.")

    def _seed(self, number: int, attempt: int) -> int:
        seed, name = self.seed
        sequence = np.random.SeedSequence([seed, number, attempt, *name.encode()])
        return int(sequence.generate_state(1)[0])


@dataclass(frozen=True)
class TrialsExperiment(Experiment):
    """An experiment on trials; a quick look draws no more of them than it needs."""

    data: Mapping[str, SampledData]

    def first(self, count: int = QUICK_SPLITS) -> TrialsExperiment:
        """Return the same with the first trials only: a look, not a reproduction."""
        few = {
            name: replace(data, trials=replace(data.trials, count=min(count, data.trials.count)))
            for name, data in self.data.items()
        }
        return trials_experiment(self.name, self.methods, few)


def trials_experiment(
    name: str, methods: Mapping[str, Any], data: Mapping[str, SampledData]
) -> TrialsExperiment:
    """Return an experiment: all methods on the same trials of every data set."""
    protocols = {dataset: drawn.trials for dataset, drawn in data.items()}
    return TrialsExperiment(name, methods, data, protocols, area_without_ties)


def area_without_ties(outcome: Outcome) -> dict[str, float]:
    """Return the ROC area to which pairs of equal probability add nothing.

    It is the share of pairs of a row of the class and another row in which the former is more
    probable, the mean over the classes. The usual area counts half of the pairs that tie as well.
    """
    areas = []
    for code in np.unique(outcome.truth):
        ours = outcome.known[outcome.truth == code, code]
        others = np.sort(outcome.known[outcome.truth != code, code])
        areas.append(np.searchsorted(others, ours).mean() / len(others))
    return {WITHOUT_TIES: float(np.mean(areas))}


def _path(name: str) -> Path:
    folder = data_folder()
    path = None if folder is None else folder / "networks" / f"{name}.bif.gz"
    if path is None or not path.is_file():
        raise ValueError(
            f"No network {name!r}. Data folder: {folder or 'none found'}. "
            "Set BAYESGROVE_DATA to a folder of data sets that has networks, too."
        )
    return path


_network = cache(read_network)
