"""A small paper that is made up: two data sets, three methods, five splits."""

from types import SimpleNamespace

import numpy as np
import pytest

from bayesgrove import NaiveBayesClassifier, TANClassifier
from bayesgrove.evaluation import LearningCurve, RandomSplits
from bayesgrove.reproduce import PAPERS, reproduction
from bayesgrove.reproduce.experiment import Experiment
from bayesgrove.reproduce.paper import Paper
from bayesgrove.reproduce.published import PublishedValue
from bayesgrove.reproduce.views.checks import marks, tally
from bayesgrove.reproduce.views.claims import Claim
from bayesgrove.reproduce.views.curves import Curves
from bayesgrove.reproduce.views.differences import DifferencesTable
from bayesgrove.reproduce.views.means import MeansTable

ROWS, TRAIN, TEST, REPEATS = 150, 100, 40, 5


class Naive(NaiveBayesClassifier):
    """Naive Bayes that counts how often it learns, and fails when it is told to."""

    fits = 0
    failing = False

    def fit(self, X, y, sample_weight=None):
        type(self).fits += 1
        if self.failing:
            raise ValueError("It has no mind to.")
        return super().fit(X, y, sample_weight)


def _parity():
    """A class that two attributes make up together: naive Bayes cannot learn it."""
    rng = np.random.default_rng(0)
    a, b, noise = rng.integers(0, 2, (3, ROWS))
    flips = rng.random(ROWS) < 0.1
    return np.column_stack([a, b, noise]).astype(str), np.where((a ^ b) ^ flips, "odd", "even")


def _plain():
    """A class that one attribute tells."""
    rng = np.random.default_rng(1)
    a, noise = rng.integers(0, 2, (2, ROWS))
    flips = rng.random(ROWS) < 0.2
    return np.column_stack([a, noise]).astype(str), np.where(a ^ flips, "yes", "no")


def printed(table, dataset, method, value, spread=None, mark=""):
    metric = "accuracy difference" if " minus " in method else "accuracy%"
    return PublishedValue("900", table, dataset, method, metric, value, spread, mark, "")


PRINTED = (
    printed("1", "parity", "NAIVE", 50.0, 5.0),
    printed("1", "parity", "tan", 90.0, 5.0),
    printed("1", "parity", "tree", 88.0, 5.0),  # is in no experiment
    printed("1", "plain", "NAIVE", 20.0, 5.0),
    printed("1", "plain", "late", 80.0, 5.0),  # is not run on plain
    printed("2", "parity", "naive minus tan", -40.0, -12.0, "-"),
    printed("2", "plain", "naive minus tan", 3.0, 4.0, "+"),
    printed("3", "parity", "NAIVE", 50.0, 5.0),
)


@pytest.fixture
def made_up(monkeypatch):
    """The paper, registered as 900, and its parts."""
    monkeypatch.setattr(Naive, "fits", 0)
    monkeypatch.setattr(Naive, "failing", False)
    data = {"parity": _parity, "plain": _plain}
    splits = dict.fromkeys(data, RandomSplits(TRAIN, TEST, REPEATS))
    naive = Experiment("naive", {"naive": Naive()}, data, splits)
    tan = Experiment("tan", {"tan": TANClassifier()}, data, splits)
    late = Experiment("late", {"late": TANClassifier(alpha=0.5)}, {"parity": _parity}, splits)
    names = {"naive": "NAIVE"}
    common = {"names": names, "choices": ("It is made up.",)}
    tables = (
        MeansTable(number="1", title="m", experiments=(naive, tan, late), splits=5, **common),
        DifferencesTable(
            number="2",
            title="d",
            experiments=(naive, tan),
            base="tan",
            others=("naive",),
            choices=("It is made up.", "And small."),
            explanations={("plain", "naive"): "a misprint"},
        ),
        MeansTable(number="3", title="first", experiments=(naive,), splits=3, digits=2, **common),
        DifferencesTable(
            number="4",
            title="more",
            experiments=(tan, late),
            base="tan",
            others=("late",),
            on_request=True,
        ),
    )
    claims = (
        Claim("Tan wins.", marks("tan", "naive", {"parity": "+", "plain": ""}), (naive, tan)),
        Claim("Tan wins twice.", tally("tan", "naive", [*data], better=2, worse=0), (naive, tan)),
        Claim("Tan and late are alike.", marks("tan", "late", {"parity": ""}), (tan, late)),
    )
    figures = (
        Curves(
            "1",
            "curves",
            "parity",
            _parity,
            {"naive": Naive(), "tan": TANClassifier()},
            LearningCurve((20, 50), TEST, repeats=3),
            ("It is drawn.",),
        ),
    )
    paper = Paper("900", "Nobody (1900).", tables, figures, claims)
    monkeypatch.setitem(PAPERS, "900", lambda: paper)
    known = reproduction.published
    monkeypatch.setattr(
        reproduction, "published", lambda number: PRINTED if number == "900" else known(number)
    )
    return SimpleNamespace(paper=paper, Naive=Naive, data=data, splits=splits)
