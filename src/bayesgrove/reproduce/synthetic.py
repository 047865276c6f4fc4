"""Synthetic data: every trial has training and test rows drawn from one network."""

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
"""Largest number of draws of one trial."""


class RowSource(Protocol):
    """A source of rows for trials."""

    def rows(self, count: int, seed: int) -> pd.DataFrame:
        """Draw rows from one network: categorical columns, the class last."""


@dataclass(frozen=True)
class RandomNetworks:
    """Rows from binary random networks; every seed has another network.

    Parameters
    ----------
    nodes : int
        Number of nodes, including the class.
    max_parents : int or None, default=None
        Largest number of parents of a node. None means that it is drawn uniformly from 1 to
        ``nodes``.
    """

    nodes: int
    max_parents: int | None = None

    def rows(self, count: int, seed: int) -> pd.DataFrame:
        """Draw rows from one network."""
        random = np.random.default_rng(seed)
        limit = int(random.integers(1, self.nodes, endpoint=True))
        limit = limit if self.max_parents is None else self.max_parents
        return random_rows(self.nodes, limit, count, random_state=int(random.integers(1 << 32)))


@dataclass(frozen=True)
class KnownNetwork:
    """Rows from a network of the data folder, such as ``"alarm"``; ``target`` is the class node."""

    name: str
    target: str

    def rows(self, count: int, seed: int) -> pd.DataFrame:
        """Draw rows from the network."""
        network = _network(_path(self.name))
        drawn = network.sample(count, seed)
        names = [*(node for node in network.nodes if node != self.target), self.target]
        return pd.DataFrame(
            {name: pd.Categorical(drawn[name], network.states(name)) for name in names}
        )


@dataclass(frozen=True)
class Trials:
    """A protocol for stacked trials; each trial has its training rows, then its test rows."""

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
        """Return a short description of the protocol.

        >>> Trials(100, 1000, 40).describe()
        '40 trials of 100 training and 1000 test rows'
        """
        return f"{self.count} trials of {self.train} training and {self.test} test rows"


@dataclass(frozen=True)
class SampledData:
    """A synthetic data set of several trials; a call draws it, with the same rows every time.

    A trial whose training rows or test rows have a single class has no ROC curve and is drawn
    again. With a smaller number of trials, the data set has the first trials.

    Parameters
    ----------
    source : RowSource
        Source of the rows.
    trials : Trials
        Number of trials, and numbers of training and test rows per trial.
    seed : tuple of int and str
        A number, and a text that is different for each data set.
    """

    source: RowSource
    trials: Trials
    seed: tuple[int, str]

    def __call__(self) -> tuple[pd.DataFrame, pd.Series]:
        """Return the attributes and the class of all trials."""
        rows = self.trials.train + self.trials.test
        first = self.trial(0)
        codes = np.empty((first.shape[1], self.trials.count * rows), dtype=np.int16)
        for number in range(self.trials.count):
            frame = self.trial(number) if number else first
            span = slice(number * rows, (number + 1) * rows)
            codes[:, span] = [frame[name].cat.codes for name in frame]
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
        """Return the seed of one draw of a trial."""
        seed, name = self.seed
        sequence = np.random.SeedSequence([seed, number, attempt, *name.encode()])
        return int(sequence.generate_state(1)[0])


@dataclass(frozen=True)
class TrialsExperiment(Experiment):
    """An experiment on trials; a quick run draws only the trials that it needs."""

    data: Mapping[str, SampledData]

    def first(self, count: int = QUICK_SPLITS) -> TrialsExperiment:
        """Return the experiment with only the first trials, for a quick look at the results."""
        few = {
            name: replace(data, trials=replace(data.trials, count=min(count, data.trials.count)))
            for name, data in self.data.items()
        }
        return trials_experiment(self.name, self.methods, few)


def trials_experiment(
    name: str, methods: Mapping[str, Any], data: Mapping[str, SampledData]
) -> TrialsExperiment:
    """Return an experiment with all methods on the same trials of every data set."""
    protocols = {dataset: drawn.trials for dataset, drawn in data.items()}
    return TrialsExperiment(name, methods, data, protocols, area_without_ties)


def area_without_ties(outcome: Outcome) -> dict[str, float]:
    """Return the ROC area in which tied pairs count 0, averaged over the classes.

    A pair is a row of the class and a row of another class. The area is the share of pairs in which
    the row of the class has the higher probability. The usual area counts tied pairs as one half.
    """
    areas = []
    for code in np.unique(outcome.truth):
        members = outcome.class_probabilities[outcome.truth == code, code]
        others = np.sort(outcome.class_probabilities[outcome.truth != code, code])
        areas.append(np.searchsorted(others, members).mean() / len(others))
    return {WITHOUT_TIES: float(np.mean(areas))}


def _path(name: str) -> Path:
    """Return the file of a network in the data folder."""
    folder = data_folder()
    path = None if folder is None else folder / "networks" / f"{name}.bif.gz"
    if path is None or not path.is_file():
        raise ValueError(
            f"There is no network {name!r}. Data folder: {folder or 'none found'}. "
            "Set BAYESGROVE_DATA to a data folder that has a folder 'networks'."
        )
    return path


_network = cache(read_network)
