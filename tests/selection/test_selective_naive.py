"""The selective naive Bayes classifier against refits of all subsets that it tries."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import accuracy_score, log_loss
from sklearn.naive_bayes import CategoricalNB

from bayesgrove import NaiveBayesClassifier, SelectiveNaiveBayesClassifier
from bayesgrove.selection import SelectiveNaive
from support import declared, dependent_rows, validation_rows

CARDS = (2, 3, 4, 3, 2)

NOTHING = "No attribute was selected"
SCORINGS = ["accuracy", "log_loss"]
TIES = ["continue", "stop"]


class Refits:
    """Naive Bayes fitted anew to every subset of the columns."""

    def __init__(self, X, y, scoring, cv="halves", alpha=1.0, seed=0, missing="value", w=None):
        self.X, self.y = X.apply(declared, missing=missing), np.asarray(y)
        self.scoring, self.alpha, self.missing = scoring, alpha, missing
        self.parts = validation_rows(cv, len(y), seed)
        self.weights = np.ones(len(y)) if w is None else w

    def probabilities(self, names, learn, cv):
        classes, codes = np.unique(self.y[learn], return_inverse=True)
        if not names:
            counts = np.bincount(codes, self.weights[learn]) + self.alpha
            return classes, np.tile(counts / counts.sum(), (len(cv), 1))
        model = NaiveBayesClassifier(alpha=self.alpha, missing=self.missing)
        model.fit(self.X[names].iloc[learn], self.y[learn], self.weights[learn])
        return model.classes_, model.predict_proba(self.X[names].iloc[cv])

    def score(self, names):
        names = [name for name in self.X if name in names]
        scores = []
        for learn, cv in self.parts:
            classes, found = self.probabilities(names, learn, cv)
            truth, weights = self.y[cv], self.weights[cv]
            if self.scoring == "accuracy":
                best = classes[found.argmax(axis=1)]
                scores.append(accuracy_score(truth, best, sample_weight=weights))
            else:
                loss = log_loss(truth, found, sample_weight=weights, labels=classes)
                scores.append(-loss)
        return np.mean(scores)

    def path(self, ties):
        """Add the attribute that gives the best score until that is worse, or no better."""
        chosen, steps, value = [], [], self.score([])
        while left := [name for name in self.X if name not in chosen]:
            values = {name: self.score([*chosen, name]) for name in left}
            best = max(left, key=lambda name: round(values[name], 12))
            if values[best] < value - 1e-12 or (ties == "stop" and values[best] < value + 1e-12):
                break
            value = values[best]
            chosen.append(best)
            steps.append((best, value))
        return steps


def assert_same_path(model, expected, X):
    assert model.selected_ == [name for name, _ in expected]
    assert [step.attribute for step in model.path_] == model.selected_
    assert {step.change for step in model.path_} <= {"added"}
    assert_allclose([step.value for step in model.path_], [value for _, value in expected], 1e-11)
    for at, step in enumerate(model.path_, 1):
        assert step.cells == len(X[model.selected_[:at]].drop_duplicates())


@pytest.mark.parametrize(("scoring", "ties"), [("accuracy", "continue"), ("log_loss", "stop")])
def test_every_step_is_that_of_refits_to_the_votes(folder_dataset, scoring, ties):
    X, y = folder_dataset("vote")
    X, y = X.iloc[:250, :12], y[:250].astype(object)
    model = SelectiveNaiveBayesClassifier(scoring, ties).fit(X, y)
    assert_same_path(model, Refits(X, y, scoring).path(ties), X)


@pytest.mark.parametrize("cv", ["halves", "training", 3])
@pytest.mark.parametrize("scoring", SCORINGS)
def test_every_step_is_that_of_refits_to_random_rows(scoring, cv):
    for seed, ties in enumerate(TIES):
        X, y = dependent_rows(seed, CARDS, missing=0.1)
        options = {"cv": cv, "alpha": 0.5}
        model = SelectiveNaiveBayesClassifier(scoring, ties, random_state=seed, **options)
        expected = Refits(X, y, scoring, seed=seed, **options).path(ties)
        assert expected
        assert_same_path(model.fit(X, y), expected, X)


@pytest.mark.parametrize("scoring", SCORINGS)
def test_missing_cells_can_be_left_out(scoring):
    X, y = dependent_rows(4, CARDS, missing=0.3)
    model = SelectiveNaiveBayesClassifier(scoring, missing="ignore").fit(X, y)
    expected = Refits(X, y, scoring, missing="ignore").path("continue")
    assert model.selected_ == [name for name, _ in expected]
    assert_allclose([step.value for step in model.path_], [value for _, value in expected], 1e-11)


@pytest.mark.parametrize("scoring", SCORINGS)
def test_weights_count_where_is_learned_and_where_is_judged(scoring):
    X, y = dependent_rows(6, CARDS)
    weights = np.random.default_rng(6).choice([0.5, 1.0, 4.0], len(y))
    model = SelectiveNaiveBayesClassifier(scoring, cv=3).fit(X, y, weights)
    expected = Refits(X, y, scoring, 3, w=weights).path("continue")
    assert_same_path(model, expected, X)


def test_a_weight_of_2_is_the_row_twice_where_all_rows_judge():
    X, y = dependent_rows(8, CARDS)
    weights = np.random.default_rng(8).integers(0, 3, len(y))
    rows = np.repeat(np.arange(len(y)), weights)
    for scoring in SCORINGS:
        model = SelectiveNaiveBayesClassifier(scoring, cv="training")
        weighted = model.fit(X, y, weights).path_
        repeated = model.fit(X.iloc[rows], y[rows]).path_
        assert [step.attribute for step in weighted] == [step.attribute for step in repeated]
        values = [[step.value for step in path] for path in (weighted, repeated)]
        assert_allclose(*values, rtol=1e-11)


@pytest.mark.parametrize("scoring", SCORINGS)
def test_the_scores_are_those_of_scikit_learns_naive_bayes(folder_dataset, scoring):
    X, y = folder_dataset("kr-vs-kp")
    X, y = X[::8].reset_index(drop=True), y[::8].astype(object).to_numpy()
    model = SelectiveNaiveBayesClassifier(scoring, "stop").fit(X, y)
    codes = X.apply(lambda column: pd.factorize(column, sort=True)[0])
    ((learn, cv),) = validation_rows("halves", len(y), 0)
    prior = (np.unique(y[learn], return_counts=True)[1] + 1) / (len(learn) + 2)
    assert len(model.path_) > 3
    for at, step in enumerate(model.path_, 1):
        chosen = codes[model.selected_[:at]]
        oracle = CategoricalNB(class_prior=prior, min_categories=chosen.max().to_numpy() + 1)
        oracle.fit(chosen.iloc[learn], y[learn])
        if scoring == "accuracy":
            expected = oracle.score(chosen.iloc[cv], y[cv])
        else:
            expected = -log_loss(y[cv], oracle.predict_proba(chosen.iloc[cv]))
        assert_allclose(step.value, expected, rtol=1e-11)


@pytest.mark.parametrize("scoring", SCORINGS)
def test_files_give_the_path_of_rows_in_memory(tmp_path, scoring):
    X, y = dependent_rows(3, CARDS, missing=0.1)
    X.assign(**{"class": y}).to_parquet(tmp_path / "rows.parquet", row_group_size=30)
    for cv in ("halves", "training", 4):
        model = SelectiveNaiveBayesClassifier(scoring, cv=cv)
        memory = model.fit(X, y).path_
        files = model.fit(tmp_path / "rows.parquet", "class").path_
        assert [step[::2] for step in files] == [step[::2] for step in memory]
        values = [[step.value for step in path] for path in (files, memory)]
        assert_allclose(*values, rtol=1e-11)


def test_going_on_at_ties_takes_what_does_no_harm():
    X = pd.DataFrame({"a": ["u", "v"] * 20, "b": ["u", "v"] * 20, "c": "k"})
    y = ["n", "y"] * 20
    stopped = SelectiveNaiveBayesClassifier(ties="stop").fit(X, y)
    assert [step[:2] for step in stopped.path_] == [("a", 1.0)]
    going_on = SelectiveNaiveBayesClassifier().fit(X, y)
    assert [step[:2] for step in going_on.path_] == [("a", 1.0), ("b", 1.0), ("c", 1.0)]


def test_other_halves_for_other_seeds():
    X, y = dependent_rows(9, CARDS)
    fits = [SelectiveNaiveBayesClassifier(random_state=seed).fit(X, y) for seed in (0, 0, 1, 2, 3)]
    assert fits[0].path_ == fits[1].path_
    assert len({str(fit.path_) for fit in fits}) > 2


def test_one_class_one_row_and_nothing_that_helps():
    X, y = dependent_rows(0, CARDS)
    with pytest.warns(UserWarning, match=NOTHING):
        one_class = SelectiveNaiveBayesClassifier(ties="stop").fit(X, ["n"] * len(y))
    assert one_class.path_ == []
    assert SelectiveNaiveBayesClassifier().fit(X, ["n"] * len(y)).selected_ == list(X)
    assert SelectiveNaiveBayesClassifier().fit(X[:1], y[:1]).path_[0].value == 1.0
    worse = pd.DataFrame({"a": ["u", "u", "v", "v"] * 5})
    with pytest.warns(UserWarning, match=NOTHING):
        model = SelectiveNaiveBayesClassifier("log_loss", "stop").fit(worse, ["n", "y"] * 10)
    assert model.path_ == []


def test_a_class_that_the_learning_half_lacks():
    X = pd.DataFrame({"a": list("uvuvuvuvuw"), "b": list("ppqqppqqpp")})
    y = np.array(["n", "p"] * 4 + ["n", "rare"])
    seen = 0
    for seed in range(6):
        ((learn, cv),) = validation_rows("halves", 10, seed)
        seen += "rare" in y[cv]
        table = pd.crosstab(y[learn], X["a"].iloc[learn]).reindex(
            index=["n", "p", "rare"], columns=list("uvw"), fill_value=0
        )
        prior = np.unique([*y[learn].tolist(), "n", "p", "rare"], return_counts=True)[1]
        given = (table + 1).div((table + 1).sum(axis=1), axis=0)
        joint = given[X["a"].iloc[cv]].to_numpy().T * prior
        right = np.array(["n", "p", "rare"])[joint.argmax(axis=1)] == y[cv]
        model = SelectiveNaiveBayesClassifier(random_state=seed).fit(X, y)
        assert model.path_[0].attribute == "a"
        assert_allclose(model.path_[0].value, right.mean(), rtol=1e-12)
    assert 0 < seen < 6


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"scoring": "f1"}, "scoring='f1'"),
        ({"scoring": None}, "scoring=None"),
        ({"ties": "perhaps"}, "ties='perhaps'"),
        ({"cv": "thirds"}, "cv='thirds'"),
        ({"cv": 1}, "cv=1 "),
        ({"cv": 81}, "cv=81 "),
        ({"cv": 2.0}, "cv=2.0"),
        ({"cv": True}, "cv=True"),
        ({"cv": None}, "cv=None"),
        ({"alpha": -1}, "alpha=-1"),
        ({"alpha": float("nan")}, "alpha=nan"),
        ({"alpha": "1"}, "alpha='1'"),
        ({"random_state": -1}, "random_state=-1"),
        ({"random_state": None}, "random_state=None"),
        ({"random_state": "1"}, "random_state='1'"),
        ({"random_state": 0.5, "cv": "training"}, "random_state=0.5"),
    ],
)
def test_options_without_a_meaning_are_refused(options, match):
    X, y = dependent_rows(0, CARDS)
    with pytest.raises(ValueError, match=match):
        SelectiveNaiveBayesClassifier(**options).fit(X, y)
    with pytest.raises(ValueError, match=match):
        SelectiveNaive(**options).select(NaiveBayesClassifier()._read(X, y).counts(1))


def test_the_selector_has_the_defaults_of_the_classifier():
    options = SelectiveNaiveBayesClassifier().get_params()
    selector = SelectiveNaive()
    for name in ("scoring", "ties", "cv", "alpha", "random_state"):
        assert getattr(selector, name) == options[name]
