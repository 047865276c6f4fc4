"""Trials as data sets: which rows, always the same, and those that are drawn anew."""

import numpy as np
import pandas as pd
import pytest

from bayesgrove import NaiveBayesClassifier
from bayesgrove.datasets import data_folder
from bayesgrove.evaluation import Outcome
from bayesgrove.network.random_networks import random_rows
from bayesgrove.reproduce import synthetic
from bayesgrove.reproduce.synthetic import (
    KnownNetwork,
    RandomNetworks,
    SampledData,
    Trials,
    trials_experiment,
)

SMALL = SampledData(RandomNetworks(5), Trials(30, 50, 4), (0, "small"))


class Scripted:
    """Rows whose classes are told, and the seeds that it was asked with."""

    def __init__(self, *classes):
        self.classes = list(classes)
        self.seeds = []

    def rows(self, count, seed):
        self.seeds.append(seed)
        own = list(self.classes.pop(0))
        assert len(own) == count
        return pd.DataFrame({"a": pd.Categorical(own), "class": pd.Categorical(own, ["n", "y"])})


def test_a_split_is_the_rows_of_a_trial():
    first, second = Trials(2, 3, 2).splits(["a"] * 10)
    assert (first.name, second.name, second.repeat) == ("trial 1", "trial 2", 2)
    assert (first.train.tolist(), first.test.tolist()) == ([0, 1], [2, 3, 4])
    assert (second.train.tolist(), second.test.tolist()) == ([5, 6], [7, 8, 9])
    with pytest.raises(ValueError, match="9 rows are not 2 trials of 5 rows"):
        Trials(2, 3, 2).splits(["a"] * 9)


def test_trials_are_stacked_and_always_the_same():
    X, y = SMALL()
    assert X.shape == (320, 4)
    again, classes = SMALL()
    pd.testing.assert_frame_equal(X, again)
    pd.testing.assert_series_equal(y, classes)
    whole = pd.concat([X, y], axis="columns")
    for number in range(4):
        own = whole.iloc[80 * number : 80 * number + 80].reset_index(drop=True)
        pd.testing.assert_frame_equal(own, SMALL.trial(number))
    assert all(list(X[name].cat.categories) == ["0", "1"] for name in X)


def test_other_trials_and_other_data_sets_have_other_rows():
    other = SampledData(SMALL.source, SMALL.trials, (0, "other"))
    frames = [SMALL.trial(0), SMALL.trial(1), other.trial(0)]
    frames.append(SampledData(SMALL.source, SMALL.trials, (1, "small")).trial(0))
    assert len({frame.to_csv() for frame in frames}) == 4


def test_the_density_is_fixed_or_drawn(monkeypatch):
    asked = []

    def seen(nodes, most, rows, *, random_state):
        asked.append((nodes, most, rows))
        return random_rows(nodes, most, rows, random_state=random_state)

    monkeypatch.setattr(synthetic, "random_rows", seen)
    for seed in range(60):
        RandomNetworks(4).rows(10, seed)
        RandomNetworks(6, 3).rows(10, seed)
    assert {(nodes, rows) for nodes, _, rows in asked[::2]} == {(4, 10)}
    assert {most for _, most, _ in asked[::2]} == {1, 2, 3, 4}
    assert set(asked[1::2]) == {(6, 3, 10)}


def test_a_trial_of_one_class_is_drawn_anew():
    source = Scripted("nnyn", "nynn", "nyyy", "nyny", "ynyn")
    X, y = SampledData(source, Trials(2, 2, 2), (7, "s"))()
    assert "".join(y) == "nynyynyn"  # the first four have rows of one class only
    assert "".join(X["a"].astype(str)) == "nynyynyn"
    assert len(set(source.seeds)) == 5


def test_drawing_anew_ends(monkeypatch):
    monkeypatch.setattr(synthetic, "ATTEMPTS", 3)
    source = Scripted(*["nnnn"] * 3)
    with pytest.raises(ValueError, match=r"3 draws .* one class only"):
        SampledData(source, Trials(2, 2, 1), (0, "s"))()


def test_a_quick_look_draws_the_first_trials_only():
    whole = trials_experiment("e", {"nb": NaiveBayesClassifier()}, {"small": SMALL})
    few = whole.first()
    assert few.protocols == {"small": Trials(30, 50, 2)}
    X, _ = few.data["small"]()
    pd.testing.assert_frame_equal(X, SMALL()[0].iloc[:160])
    values = whole.run(None).values("auc", "small", "nb")
    assert len(values) == 4
    np.testing.assert_array_equal(few.run(None).values("auc", "small", "nb"), values[:2])


def test_rows_of_a_network_of_the_folder():
    folder = data_folder()
    if folder is None or not (folder / "networks" / "alarm.bif.gz").is_file():
        pytest.skip("no folder of networks: set BAYESGROVE_DATA to one that has them")
    drawn = SampledData(KnownNetwork("alarm", "KINKEDTUBE"), Trials(50, 100, 2), (0, "alarm"))
    X, y = drawn()
    assert X.shape == (300, 36)
    assert (y.name, list(y.cat.categories)) == ("KINKEDTUBE", ["TRUE", "FALSE"])
    assert not X.isna().any(axis=None)
    for split in drawn.trials.splits(y):
        assert y.iloc[split.train].nunique() == y.iloc[split.test].nunique() == 2
    assert len(X["VENTLUNG"].cat.categories) == 4  # also those that no row has


def test_a_network_that_is_not_there(monkeypatch, tmp_path):
    monkeypatch.setenv("BAYESGROVE_DATA", str(tmp_path))
    with pytest.raises(
        ValueError, match=r"There is no network 'alarm'.*none found.*BAYESGROVE_DATA"
    ):
        KnownNetwork("alarm", "KINKEDTUBE").rows(10, 0)


def test_pairs_that_tie_count_nothing():
    probabilities = np.array([0.9, 0.5, 0.5, 0.1, 0.5])
    both = np.column_stack([1 - probabilities, probabilities])
    truth = np.array([1, 1, 0, 0, 0])
    outcome = Outcome(truth, truth, both, np.ones(2))
    # of 6 pairs 3 + 1 are won, 2 tie
    assert synthetic.area_without_ties(outcome) == {"auc without ties": 4 / 6}
    constant = Outcome(truth, truth, np.full((5, 2), 0.5), np.ones(2))
    assert synthetic.area_without_ties(constant) == {"auc without ties": 0.0}
