"""Selection by the accuracy of a network against refits of all subsets that it tries."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import accuracy_score, log_loss

from bayesgrove import BayesianNetworkClassifier, K2ASClassifier
from bayesgrove.selection import Wrapper
from bayesgrove.structures import CB, TAN, Naive
from support import declared, dependent_rows, validation_rows

CARDS = (2, 3, 4, 3)

NOTHING = "No attribute was selected"
SCORINGS = ["accuracy", "log_loss"]
may_select_nothing = pytest.mark.filterwarnings(f"ignore:{NOTHING}")


class Refits:
    """A network fitted anew to every subset of the columns."""

    def __init__(self, X, y, network, cv="halves", scoring="accuracy", seed=0, **others):
        missing = others.get("missing", "value")
        self.X, self.y = X.apply(declared, missing=missing), np.asarray(y)
        self.model = BayesianNetworkClassifier(network, missing=missing)
        self.scoring, self.parts = scoring, validation_rows(cv, len(y), seed)
        self.weights = others.get("weights", np.ones(len(y)))

    def score(self, names):
        scores = []
        for learn, test in self.parts:
            truth, weights = self.y[test], self.weights[test]
            classes, codes = np.unique(self.y[learn], return_inverse=True)
            if names:
                model = self.model.fit(
                    self.X[names].iloc[learn], self.y[learn], self.weights[learn]
                )
                found = model.predict_proba(self.X[names].iloc[test])
            else:
                counts = np.bincount(codes, self.weights[learn]) + 1
                found = np.tile(counts / counts.sum(), (len(test), 1))
            if self.scoring == "accuracy":
                best = classes[found.argmax(axis=1)]
                scores.append(accuracy_score(truth, best, sample_weight=weights))
            else:
                scores.append(-log_loss(truth, found, sample_weight=weights, labels=classes))
        return np.mean(scores)

    def path(self, direction="forward", ties="stop"):
        """The attribute whose addition or removal gives the best score, as long as it rises."""
        chosen = [] if direction == "forward" else list(self.X)
        steps, value = [], self.score(chosen)
        while True:
            if direction == "forward":
                tried = {x: [*chosen, x] for x in self.X if x not in chosen}
            else:
                tried = {x: [own for own in chosen if own != x] for x in chosen}
            if not tried:
                return steps, chosen
            values = {x: self.score(subset) for x, subset in tried.items()}
            best = max(tried, key=lambda x: round(values[x], 12))
            if values[best] < value - 1e-12 or (ties == "stop" and values[best] < value + 1e-12):
                return steps, chosen
            chosen, value = tried[best], values[best]
            cells = len(self.X[chosen].drop_duplicates()) if chosen else 1
            steps.append((best, value, cells, "added" if direction == "forward" else "removed"))


def assert_same_selection(model, expected):
    steps, chosen = expected
    assert [step[0] for step in model.path_] == [step[0] for step in steps]
    assert [step[2:4] for step in model.path_] == [step[2:4] for step in steps]
    assert_allclose([step[1] for step in model.path_], [step[1] for step in steps], rtol=1e-11)
    assert model.selected_ == chosen


@pytest.mark.parametrize("ties", ["stop", "continue"])
@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("network", [Naive(), TAN(), CB()], ids=lambda part: repr(part)[:5])
@may_select_nothing
def test_every_step_is_that_of_refits(network, direction, ties):
    for seed, scoring in enumerate(SCORINGS):
        X, y = dependent_rows(seed, CARDS)
        selection = Wrapper(network, direction, ties, scoring=scoring, random_state=seed)
        model = BayesianNetworkClassifier(network, selection=selection).fit(X, y)
        refits = Refits(X, y, network, scoring=scoring, seed=seed)
        assert_same_selection(model, refits.path(direction, ties))


@pytest.mark.parametrize("cv", ["training", 2, 3])
@pytest.mark.parametrize(
    ("direction", "scoring"), [("forward", "accuracy"), ("backward", "log_loss")]
)
def test_rows_to_judge_by(direction, scoring, cv):
    X, y = dependent_rows(3, CARDS, missing=0.1)
    selection = Wrapper(TAN(), direction, "continue", cv, scoring, random_state=7)
    model = BayesianNetworkClassifier(TAN(), selection=selection).fit(X, y)
    refits = Refits(X, y, TAN(), cv, scoring, seed=7)
    assert_same_selection(model, refits.path(direction, "continue"))


@pytest.mark.parametrize(("ties", "scoring"), [("stop", "log_loss"), ("continue", "accuracy")])
def test_k2_as_is_forward_selection_with_cb(folder_dataset, ties, scoring):
    X, y = folder_dataset("corral")
    y = y.astype(object)
    model = K2ASClassifier(ties, scoring=scoring, random_state=5).fit(X, y)
    assert_same_selection(model, Refits(X, y, CB(), scoring=scoring, seed=5).path(ties=ties))
    same = BayesianNetworkClassifier(
        CB(), selection=Wrapper(ties=ties, scoring=scoring, random_state=5)
    ).fit(X, y)
    assert same.path_ == model.path_
    assert same.network_ == model.network_


def test_missing_cells_can_be_left_out():
    X, y = dependent_rows(2, CARDS, missing=0.25)
    selection = Wrapper(TAN(), scoring="log_loss")
    model = BayesianNetworkClassifier(TAN(), selection=selection, missing="ignore").fit(X, y)
    steps, chosen = Refits(X, y, TAN(), scoring="log_loss", missing="ignore").path()
    assert model.selected_ == chosen
    assert_allclose([step.value for step in model.path_], [step[1] for step in steps], rtol=1e-11)
    assert model.path_[0].cells == X[chosen[0]].nunique()


def test_weights_count_where_is_learned_and_where_is_judged():
    X, y = dependent_rows(1, CARDS)
    weights = np.random.default_rng(1).choice([0.5, 1.0, 4.0], len(y))
    for scoring in SCORINGS:
        model = K2ASClassifier(structure=TAN(), scoring=scoring).fit(X, y, weights)
        refits = Refits(X, y, TAN(), scoring=scoring, weights=weights)
        assert_same_selection(model, refits.path())


def test_numbers_are_cut_once_with_all_rows(folder_dataset):
    X, y = folder_dataset("iris")
    y = y.astype(object)
    model = K2ASClassifier(structure=TAN(), scoring="log_loss").fit(X, y)
    cut = X.apply(lambda column: np.searchsorted(model.cut_points_[column.name], column))
    refits = Refits(cut.astype(object), y, TAN(), scoring="log_loss")
    assert_same_selection(model, refits.path())


def test_files_give_the_path_of_rows_in_memory(tmp_path):
    X, y = dependent_rows(5, CARDS, 60, missing=0.1)
    X.assign(**{"class": y}).to_parquet(tmp_path / "rows.parquet", row_group_size=25)
    for selection in (
        Wrapper(TAN(), "forward"),
        Wrapper(Naive(), "backward", cv=2, scoring="log_loss"),
    ):
        model = BayesianNetworkClassifier(TAN(), selection=selection)
        memory = model.fit(X, y).path_
        files = model.fit(tmp_path / "rows.parquet", "class").path_
        assert [(*step[:1], *step[2:4]) for step in files] == [
            (*step[:1], *step[2:4]) for step in memory
        ]
        values = [[step.value for step in path] for path in (files, memory)]
        assert_allclose(*values, rtol=1e-11)


def test_backward_selection_may_leave_nothing():
    X = pd.DataFrame({"a": ["u", "u", "v", "v"] * 5, "b": ["p", "q", "q", "p"] * 5})
    selection = Wrapper(Naive(), "backward", "continue", "training")
    with pytest.warns(UserWarning, match=NOTHING):
        model = BayesianNetworkClassifier(selection=selection).fit(X, ["n", "y"] * 10)
    assert model.selected_ == []
    assert [step[:1] + step[2:4] for step in model.path_] == [
        ("a", 2, "removed"),
        ("b", 1, "removed"),
    ]


def test_of_equal_attributes_the_first_column_goes_first():
    X = pd.DataFrame(dict.fromkeys("dcba", ["u", "v"] * 20))
    y = ["n", "y"] * 20
    forward = K2ASClassifier("continue", Naive()).fit(X, y)
    assert forward.selected_ == list("dcba")
    assert K2ASClassifier("stop", Naive()).fit(X, y).selected_ == ["d"]
    backward = Wrapper(Naive(), "backward", "continue")
    model = BayesianNetworkClassifier(selection=backward).fit(X, y)
    assert [step.attribute for step in model.path_] == list("dcb")
    assert model.selected_ == ["a"]


def test_one_class_and_one_row():
    X, y = dependent_rows(0, CARDS)
    for rows, labels in ((X, ["n"] * len(y)), (X[:1], y[:1])):
        with pytest.warns(UserWarning, match=NOTHING):
            assert K2ASClassifier().fit(rows, labels).path_ == []
        everything = K2ASClassifier("continue").fit(rows, labels)
        assert everything.selected_ == list(X)
        assert {step.value for step in everything.path_} == {1.0}


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"direction": "sideways"}, "direction='sideways'"),
        ({"direction": None}, "direction=None"),
        ({"ties": "perhaps"}, "ties='perhaps'"),
        ({"cv": "thirds"}, "cv='thirds'"),
        ({"cv": 1}, "cv=1 "),
        ({"cv": 81}, "cv=81 "),
        ({"cv": 3.0}, "cv=3.0"),
        ({"cv": True}, "cv=True"),
        ({"scoring": "f1"}, "scoring='f1'"),
        ({"scoring": None}, "scoring=None"),
        ({"random_state": -1}, "random_state=-1"),
        ({"random_state": None}, "random_state=None"),
        ({"random_state": "1"}, "random_state='1'"),
        ({"random_state": 0.5, "cv": "training"}, "random_state=0.5"),
    ],
)
def test_options_without_a_meaning_are_refused(options, match):
    X, y = dependent_rows(0, CARDS)
    models = [BayesianNetworkClassifier(selection=Wrapper(Naive(), **options))]
    if "direction" not in options:
        models.append(K2ASClassifier(structure=Naive(), **options))
    for model in models:
        with pytest.raises(ValueError, match=match):
            model.fit(X, y)


def test_the_selector_has_the_defaults_of_the_classifier():
    options = K2ASClassifier().get_params()
    for name in ("structure", "ties", "cv", "scoring", "random_state"):
        assert getattr(Wrapper(), name) == options[name]
