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
    asked, ways = [], set()

    def seen(nodes, most, rows, *, uniform, random_state):
        asked.append((nodes, most, rows))
        ways.add((nodes, uniform))
        return random_rows(nodes, most, rows, random_state=random_state)

    monkeypatch.setattr(synthetic, "random_rows", seen)
    for seed in range(60):
        RandomNetworks(4).rows(10, seed)
        RandomNetworks(6, 3).rows(10, seed)
    assert {(nodes, rows) for nodes, _, rows in asked[::2]} == {(4, 10)}
    assert {most for _, most, _ in asked[::2]} == {1, 2, 3, 4}
    assert set(asked[1::2]) == {(6, 3, 10)}
    del asked[:]
    for seed in range(40):
        RandomNetworks(12, densest=3, uniform=True).rows(10, seed)
        RandomNetworks(2, densest=3).rows(10, seed)
    assert {most for _, most, _ in asked[::2]} == {1, 2, 3}
    assert {most for _, most, _ in asked[1::2]} == {1, 2}
    assert ways == {(4, False), (6, False), (12, True), (2, False)}


def test_a_trial_of_one_class_is_drawn_anew():
    source = Scripted("nnyn", "nynn", "nyyy", "nyny", "ynyn")
    X, y = SampledData(source, Trials(2, 2, 2), (7, "s"))()
    assert "".join(y) == "nynyynyn"  # the first four have rows of one class only
    assert "".join(X["a"].astype(str)) == "nynyynyn"
    assert len(set(source.seeds)) == 5


def test_the_share_of_draws_that_are_thrown_away():
    classes = ("nnyn", "nynn", "nyyy", "nyny", "ynyn")  # three of five have no curve
    assert SampledData(Scripted(*classes), Trials(2, 2, 2), (7, "s")).redrawn(9) == 3 / 5
    assert SampledData(Scripted(*classes), Trials(2, 2, 2), (7, "s")).redrawn(1) == 3 / 4


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


def areas(probabilities, truth):
    both = np.column_stack([1 - probabilities, probabilities])
    return synthetic.areas_below_steps(Outcome(truth, truth, both, np.ones(2)))


def test_pairs_that_tie_count_nothing():
    truth = np.array([1, 1, 0, 0, 0])
    found = areas(np.array([0.9, 0.5, 0.5, 0.1, 0.5]), truth)
    assert list(found) == ["auc without ties", "auc of 20 thresholds", "auc of 50 thresholds"]
    assert found["auc without ties"] == 4 / 6  # of 6 pairs 3 + 1 are won, 2 tie
    assert set(areas(np.full(5, 0.5), truth).values()) == {0.0}


def test_the_area_below_the_steps_of_a_grid():
    truth = np.array([1, 1, 0, 0])
    found = areas(np.array([0.93, 0.58, 0.56, 0.12]), truth)
    assert found["auc without ties"] == 1.0
    # 0.58 and 0.56 lie between the same two of 20 thresholds, 0.55 and 0.6; 0.42 and 0.44 between
    # 0.4 and 0.45: one of four pairs of either class is lost. Of 50 thresholds, 0.56 and 0.58
    # themselves part them.
    assert found["auc of 20 thresholds"] == 3 / 4
    assert found["auc of 50 thresholds"] == 1.0


def test_the_grid_as_a_curve():
    """The area below the steps, from the points of the curve one by one."""
    random = np.random.default_rng(3)
    scores, truth = random.random(60), random.integers(0, 2, 60)
    by_class = []
    for code, own in ((0, 1 - scores), (1, scores)):
        area, before, last = 0.0, 0.0, 0.0
        for threshold in np.arange(20, -1, -1) / 20:
            hit = own >= threshold - 1e-12
            wrong = hit[truth != code].mean()
            area += (wrong - last) * before
            before, last = hit[truth == code].mean(), wrong
        by_class.append(area)
    found = areas(scores, truth)["auc of 20 thresholds"]
    assert found == pytest.approx(np.mean(by_class))
