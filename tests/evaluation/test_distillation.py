"""Distillation: students learn what the teacher knows, and losses are those of unseen rows."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.neighbors import KNeighborsClassifier

from bayesgrove import (
    GroveClassifier,
    NaiveBayesClassifier,
    TANClassifier,
    distill,
)
from bayesgrove.evaluation import CrossValidation, Scorecard, distillation
from bayesgrove.evaluation.distillation import soft_rows


def table(seed=0, n=400):
    """Labels and numbers; the class depends on a sum."""
    rng = np.random.default_rng(seed)
    size, kind = rng.normal(size=n), rng.choice(["a", "b", "c"], n)
    odds = 2 * size + np.where(kind == "a", 1.5, -0.5)
    y = np.where(rng.random(n) < 1 / (1 + np.exp(-odds)), "yes", "no")
    X = pd.DataFrame({"size": size, "kind": kind, "noise": rng.integers(0, 4, n)})
    return X, pd.Series(y, name="answer")


class Oracle(ClassifierMixin, BaseEstimator):
    """A teacher that knows the probabilities of the first table, and learns nothing from rows."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        odds = 2 * X["size"] + np.where(X["kind"] == "a", 1.5, -0.5)
        p = 1 / (1 + np.exp(-odds.to_numpy()))
        return np.column_stack([1 - p, p])


# What the student learns from


def test_soft_rows_repeat_a_row_once_per_class():
    p = np.array([[0.2, 0.8, 0.0], [1.0, 0.0, 0.0], [0.9999, 0.0001, 0.0]])
    rows, classes, weights = soft_rows(p)
    assert rows.tolist() == [0, 0, 1, 2]
    assert classes.tolist() == [0, 1, 0, 0]
    np.testing.assert_allclose(weights, [0.2, 0.8, 1, 1])
    rows, _, weights = soft_rows(np.full((2, 5000), 1 / 5000))  # Many classes, none of them large.
    assert len(rows) == 10_000
    np.testing.assert_allclose(np.bincount(rows, weights), 1)


def test_a_student_of_soft_rows_is_that_of_rows_repeated_by_hand(monkeypatch):
    """Probabilities that are quarters: weights times 4 are numbers of copies."""
    monkeypatch.setattr(distillation, "COPIES", 1)
    X = pd.DataFrame({"a": list("xxyyz") * 4, "b": list("uvwuv") * 4})
    y = pd.Series(["no", "yes", "yes", "no"] * 5)

    class Quarters(Oracle):
        def predict_proba(self, X):
            p = np.where(X["a"] == "x", 0.25, np.where(X["b"] == "u", 0.5, 1.0))
            return np.column_stack([1 - p, p])

    made = []
    original = distillation._Rows.made
    monkeypatch.setattr(
        distillation._Rows, "made", lambda self, rng: made.append(original(self, rng)) or made[-1]
    )
    student = NaiveBayesClassifier(alpha=1.0)
    model = distill(Quarters(), X, y, into=student, cv=2).model
    last = made[-1]  # The last student is fitted to all rows.
    rows, labels = [X] * 4, [*y.tolist() * 4]
    for copy in range(4):
        p = Quarters().predict_proba(last)[:, 1]
        rows.append(last)
        labels.extend(np.where(p * 4 > copy + 1e-9, "yes", "no"))
    by_hand = NaiveBayesClassifier(alpha=4.0).fit(pd.concat(rows, ignore_index=True), labels)
    np.testing.assert_allclose(model.predict_proba(X), by_hand.predict_proba(X), rtol=1e-9)


@pytest.mark.parametrize("form", ["frame", "array"])
def test_made_rows_hold_values_of_training_rows(form):
    X, y = table(n=2000)
    X = X.assign(number=np.arange(2000.0), kind=X["kind"].astype("category"))
    if form == "array":
        X = X[["size", "number"]].to_numpy()
    rows = distillation._Rows(X, np.zeros(2000, dtype=np.intp), np.unique(y), None)
    made = rows.made(np.random.default_rng(0))
    assert made.shape == (distillation.COPIES * 2000, X.shape[1])
    if form == "array":
        X, made = pd.DataFrame(X, columns=["size", "number"]), pd.DataFrame(made)
        made.columns = X.columns
    assert made.dtypes.equals(X.dtypes)
    own = made["number"].to_numpy().astype(int)
    same = (made["size"].to_numpy() == X["size"].to_numpy()[own]).mean()
    # Both values are exchanged or neither is, or one of them is.
    share = distillation.EXCHANGED
    assert same == pytest.approx((1 - share) ** 2 + share**2, abs=0.1)
    assert set(made["size"]) <= set(X["size"])


def test_very_many_rows_have_fewer_copies(monkeypatch):
    monkeypatch.setattr(distillation, "MADE_ROWS", 500)
    X, y = table(n=400)
    rows = distillation._Rows(X, np.zeros(400, dtype=np.intp), np.unique(y), None)
    assert len(rows.made(np.random.default_rng(0))) == 500


# What it learns


def test_a_student_of_the_truth_is_nearer_to_it_than_a_direct_one():
    X, y = table(n=150)
    X_new, _ = table(1, n=2000)
    truth = Oracle().fit(X, y).predict_proba(X_new)
    distilled = distill(Oracle(), X, y, into=NaiveBayesClassifier())
    direct = NaiveBayesClassifier().fit(X, y)
    gaps = [
        np.abs(model.predict_proba(X_new) - truth).mean() for model in (distilled.model, direct)
    ]
    assert gaps[0] < 0.8 * gaps[1]
    assert distilled.teacher_loss < distilled.student_loss < distilled.direct_loss


def test_a_teacher_of_the_students_kind_is_copied():
    """A TAN network teaches a TAN network: the same arcs, and nearly the same probabilities."""
    rows = tan_rows(8000)
    X, y = rows.drop(columns="class"), rows["class"]
    teacher = TANClassifier().fit(X, y)
    distilled = distill(teacher, X, y, into=TANClassifier(), cv=2)
    assert edges(distilled.model) == edges(teacher) == {"ab", "bc", "cd"}
    gap = np.abs(distilled.model.predict_proba(X) - teacher.predict_proba(X))
    assert gap.mean() < 0.02
    assert distilled.student_loss == pytest.approx(distilled.teacher_loss, abs=0.01)


def tan_rows(n):
    """Rows of a chain a - b - c - d, whose links depend on the class."""
    rng = np.random.default_rng(0)
    target = rng.random(n) < 0.5
    columns = {"a": rng.random(n) < np.where(target, 0.6, 0.4)}
    for before, name in ("ab", "bc", "cd"):
        same = np.where(target, 0.9, 0.7)
        columns[name] = columns[before] ^ (rng.random(n) > same)
    return pd.DataFrame({k: np.where(v, "u", "v") for k, v in columns.items()} | {"class": target})


def edges(model):
    """Return the pairs of attributes with an arc, without its direction."""
    arcs = model.network_.arcs
    return {"".join(sorted(arc)) for arc in arcs if "class" not in arc}


def test_names_of_students():
    X, y = table()
    network, card = (
        distill(Oracle(), X, y, into=name, cv=2).model for name in ("network", "scorecard")
    )
    assert any(len(network.network_.parents(name)) == 2 for name in X)
    assert all(card.network_.parents(name) == ("answer",) for name in X)


# Scorecards


def test_a_scorecard_is_the_network_in_whole_points():
    """Points are the log-odds of the tables of naive Bayes, by hand, up to their rounding."""
    X, y = table()
    X = X.mask(np.random.default_rng(0).random(X.shape) < 0.1)
    model = NaiveBayesClassifier().fit(X, y)
    card = Scorecard.of(model, X)
    unit = np.log(2) / 20
    total = np.log(np.sum(y == "yes") + 1) - np.log(np.sum(y == "no") + 1)
    for name in X:
        no, yes = np.log(np.asarray(model.network_.table(name)))
        odds = yes - no
        points = card.points.loc[name, "yes"]
        assert len(points) == len(odds)
        np.testing.assert_allclose(points, (odds - odds.min()) / unit, atol=0.51)
        assert points.min() == 0
        total += odds.min()
    assert card.start["yes"] == pytest.approx(total / unit, abs=0.51)
    gap = np.abs(card.predict_proba(X) - model.predict_proba(X))
    assert gap.max() < 4 * unit / 2 / 4  # Three columns and the start, at most half a point each.


@pytest.mark.parametrize("kind", ["frame", "array", "classes", "single"])
def test_sums_of_points_are_probabilities(kind):
    X, y = table(n=200)
    if kind == "array":
        X = X[["size", "noise"]].to_numpy()
    if kind == "classes":
        y = pd.Series(np.where(X["noise"] == 3, "maybe", y))
    if kind == "single":
        y = pd.Series(["only"] * 200)
    distilled = distill(GroveClassifier(4, 0), X, y, into="scorecard", cv=2)
    card = distilled.scorecard
    assert distilled.points_loss == pytest.approx(distilled.student_loss, abs=0.01)
    p = card.predict_proba(X)
    np.testing.assert_allclose(p, distilled.model.predict_proba(X), atol=0.03)
    # The points of the first row, looked up by label where a column is nominal.
    assert card.points.dtypes.eq(np.intp).all()
    assert len(card.points.columns) == (1 if kind != "classes" else 3)
    if kind == "frame":
        assert "In whole points (20 double the odds)" in distilled.to_text()
        kinds = card.points.loc["kind", "yes"]
        pair = X.iloc[[0, 0]].assign(kind=["a", "b"])
        odds = np.log2(card.predict_proba(pair)[:, 1] / card.predict_proba(pair)[:, 0])
        assert 20 * (odds[0] - odds[1]) == pytest.approx(kinds["a"] - kinds["b"])


def test_other_students_have_no_scorecard():
    X, y = table(n=60)
    distilled = distill(Oracle(), X, y, cv=2)
    assert distilled.scorecard is None
    assert np.isnan(distilled.points_loss)


# Losses


def test_losses_are_those_of_rows_that_no_model_has_seen():
    X, y = table()
    forest = RandomForestClassifier(30, random_state=0)
    numbers = X[["size", "noise"]]
    distilled = distill(forest, numbers, y, into=NaiveBayesClassifier(), cv=CrossValidation(3))
    losses = []
    for split in CrossValidation(3).splits(y):
        train, test = split.train, split.test
        teacher = forest.fit(numbers.iloc[train], y.iloc[train])
        direct = NaiveBayesClassifier().fit(numbers.iloc[train], y.iloc[train])
        losses.append(
            [log_loss(y.iloc[test], m.predict_proba(numbers.iloc[test])) for m in (teacher, direct)]
        )
    assert distilled.teacher_loss == pytest.approx(np.mean(losses, axis=0)[0])
    assert distilled.direct_loss == pytest.approx(np.mean(losses, axis=0)[1])
    assert distilled.losses.shape == (3, 3)


def test_a_teacher_that_knows_the_training_rows_by_heart_does_not_hide_its_loss():
    X, y = table()
    nearest = KNeighborsClassifier(1).fit(X[["size", "noise"]], y)
    distilled = distill(nearest, X[["size", "noise"]], y, into="scorecard")
    assert distilled.teacher_loss > 5  # 0 on its own rows
    assert distilled.student_loss < 1


def test_the_text_tells_the_losses():
    X, y = table()
    distilled = distill(Oracle(), X, y, cv="2x3")
    text = distilled.to_text()
    assert repr(distilled) == text
    assert len(text.splitlines()) == 3
    assert "2 x 3-fold cross-validation" in text
    for loss in (distilled.teacher_loss, distilled.student_loss, distilled.direct_loss):
        assert f"{loss:.3f}" in text


# Fitted teachers, forms of tables, seeds


def test_a_fitted_teacher_is_used_as_it_is(monkeypatch):
    X, y = table()
    other_X, other_y = table(5, n=1000)
    fitted = GroveClassifier(4, 0).fit(other_X, other_y)
    before = fitted.predict_proba(X)
    asked = []
    monkeypatch.setattr(
        GroveClassifier,
        "predict_proba",
        lambda self, rows: asked.append(self) or super(GroveClassifier, self).predict_proba(rows),
    )
    distill(fitted, X, y, cv=2)
    assert asked[-1] is fitted
    np.testing.assert_array_equal(fitted.predict_proba(X), before)


def test_forms_and_seeds():
    X, y = table(n=120)
    first = distill(GroveClassifier(4, 0), X, y, cv=2).model.predict_proba(X)
    again = distill(GroveClassifier(4, 0), X, y, cv=2).model.predict_proba(X)
    other = distill(GroveClassifier(4, 0), X, y, cv=2, random_state=1).model.predict_proba(X)
    polars = distill(GroveClassifier(4, 0), pl.from_pandas(X), y, cv=2).model.predict_proba(X)
    np.testing.assert_array_equal(first, again)
    np.testing.assert_allclose(first, polars, atol=1e-9)
    assert (first != other).any()
    numbers = X[["size", "noise"]].to_numpy()
    distilled = distill(LogisticRegression(), numbers, list(y), cv=2)
    assert distilled.model.predict_proba(numbers).shape == (120, 2)


def test_rare_classes_and_missing_values():
    X, y = table(n=60)
    y = y.astype(object)
    y[0] = "rare"
    X = X.mask(np.random.default_rng(0).random(X.shape) < 0.2)
    distilled = distill(GroveClassifier(), X, y, cv=3)
    assert np.isfinite(distilled.losses.to_numpy()).all()
    assert distilled.model.predict_proba(X).shape == (60, 3)
    assert distill(GroveClassifier(), X, ["only"] * 60, cv=3).student_loss < 1e-15


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"into": "tree"}, 'into=\'tree\' must be "network" or "scorecard"'),
        ({"into": NaiveBayesClassifier}, "into=<class"),
        ({"into": KNeighborsClassifier()}, "does not accept sample_weight"),
        ({"teacher": GroveClassifier}, "must be a classifier with predict_proba"),
        ({"cv": "some"}, "cv='some' is not understood"),
        ({"cv": 500}, "folds=500 must be at most"),
        ({"random_state": -1}, "random_state=-1"),
        ({"X": "rows.parquet"}, "must be a table in memory"),
    ],
)
def test_wrong_options_are_named(options, message):
    X, y = table(n=50)
    arguments = {"teacher": Oracle(), "X": X, "y": y} | options
    with pytest.raises(ValueError, match=message):
        distill(**arguments)


def test_a_teacher_with_other_classes_or_columns_is_refused():
    X, y = table(n=60)
    teacher = GroveClassifier(4, 0).fit(X, np.where(y == "yes", "good", "bad"))
    with pytest.raises(ValueError, match="classes of the teacher are 'bad', 'good'"):
        distill(teacher, X, y)
    teacher = GroveClassifier(4, 0).fit(X, y)
    with pytest.raises(ValueError, match="kind"):
        distill(teacher, X.drop(columns="kind"), y)
