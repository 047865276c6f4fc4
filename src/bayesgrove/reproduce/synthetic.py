"""Synthetic data: every trial has training and test rows drawn from one network."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pandas as pd

from bayesgrove._utils.ties import WHOLE_DIGITS
from bayesgrove.datasets import data_folder
from bayesgrove.evaluation import Split
from bayesgrove.network import read_network
from bayesgrove.network.random_networks import random_rows
from bayesgrove.reproduce.experiment import QUICK_SPLITS, Experiment

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from bayesgrove.evaluation import Outcome
    from bayesgrove.kernels import Floats

WITHOUT_TIES = "auc without ties"
GRIDS = {f"auc of {count} thresholds": count for count in (20, 50)}
"""Numbers of thresholds of a ROC curve, by the name of the area below its steps."""
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
        ``nodes``, or to ``densest`` if that is smaller.
    densest : int or None, default=None
        Upper end of the drawn ``max_parents``. None means ``nodes``.
    uniform : bool, default=False
        Whether all graphs with at most ``max_parents`` parents per node are equally likely.
    """

    nodes: int
    max_parents: int | None = None
    densest: int | None = None
    uniform: bool = False

    def rows(self, count: int, seed: int) -> pd.DataFrame:
        """Draw rows from one network."""
        random = np.random.default_rng(seed)
        highest = min(self.nodes, self.densest or self.nodes)
        limit = int(random.integers(1, highest, endpoint=True))
        limit = limit if self.max_parents is None else self.max_parents
        seed = int(random.integers(1 << 32))
        return random_rows(self.nodes, limit, count, uniform=self.uniform, random_state=seed)


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
        return self._drawn(number)[0]

    def redrawn(self, count: int) -> float:
        """Return the share of draws with rows of a single class, counted in the first trials."""
        trials = min(count, self.trials.count)
        thrown_away = sum(self._drawn(number)[1] for number in range(trials))
        return thrown_away / (thrown_away + trials)

    def _drawn(self, number: int) -> tuple[pd.DataFrame, int]:
        """Draw the rows of one trial; return also how many draws were thrown away."""
        count = self.trials.train + self.trials.test
        for attempt in range(ATTEMPTS):
            frame = self.source.rows(count, self._seed(number, attempt))
            target = frame.iloc[:, -1].cat.codes.to_numpy()
            parts = target[: self.trials.train], target[self.trials.train :]
            if all((part != part[0]).any() for part in parts):
                return frame, attempt
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
    return TrialsExperiment(name, methods, data, protocols, areas_below_steps)


def areas_below_steps(outcome: Outcome) -> dict[str, float]:
    """Return ROC areas below the steps of the curve, by name; for ``extra_metrics``.

    The curve has a point per different probability (`WITHOUT_TIES`), or a point per threshold
    ``1 / count, 2 / count, ..., 1`` (`GRIDS`).
    """
    scores = outcome.class_probabilities
    steps = {
        name: np.floor(np.round(scores * count, WHOLE_DIGITS)) for name, count in GRIDS.items()
    }
    area = partial(_area_below_steps, outcome.truth)
    return {name: area(levels) for name, levels in ({WITHOUT_TIES: scores} | steps).items()}


def _area_below_steps(truth: NDArray[np.intp], scores: Floats) -> float:
    """Return the ROC area in which tied pairs count 0, averaged over the classes.

    A pair is a row of the class and a row of another class. The area is the share of pairs in which
    the row of the class has the higher score. The usual area counts tied pairs as one half.
    """
    areas = []
    for code in np.unique(truth):
        members = scores[truth == code, code]
        others = np.sort(scores[truth != code, code])
        areas.append(np.searchsorted(others, members).mean() / len(others))
    return float(np.mean(areas))


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
