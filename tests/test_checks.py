"""Every public classifier passes the checks; classifiers that break one promise fail one check."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

import bayesgrove
from bayesgrove import (
    BayesianNetworkClassifier,
    CBClassifier,
    K2ASClassifier,
    LogisticCalibration,
    NaiveBayesClassifier,
    SelectiveNaiveBayesClassifier,
    TANClassifier,
    WeightedNaiveBayesClassifier,
)
from bayesgrove.checks import CHECKS, Example, check_classifier, classifier, examples
from bayesgrove.checks.case import Case
from bayesgrove.parameters import BDeu
from bayesgrove.selection import CFS, Chain, Guided, InfoAS, Wrapper
from bayesgrove.structures import KDB
from bayesgrove.weighting import GainRatio, ReliefF

PUBLIC = [getattr(bayesgrove, name) for name in bayesgrove.__all__ if name.endswith("Classifier")]
MODELS = [
    *(public() for public in PUBLIC),
    LogisticCalibration(NaiveBayesClassifier(), cv=3),
    NaiveBayesClassifier("gaussian"),
    NaiveBayesClassifier("rounded", missing="ignore"),
    BayesianNetworkClassifier(KDB(2), BDeu(5), CFS()),
    CBClassifier(stop_by="held-out"),
    K2ASClassifier(cv="training"),
    SelectiveNaiveBayesClassifier(cv="training"),
    TANClassifier(unseen="error"),
    WeightedNaiveBayesClassifier("gain_ratio"),
    WeightedNaiveBayesClassifier(ReliefF(3, missing="weka")),
]


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_every_public_classifier_passes(model):
    before = vars(model).copy()
    check_classifier(model)
    assert vars(model) == before


def test_tables_are_what_they_are_said_to_be():
    tables = {example.name: example for example in examples()}
    assert {len(np.unique(example.y)) for example in tables.values()} == {2, 4}
    kinds = {name: set(map(str, own.X.dtypes)) for name, own in tables.items()}
    assert kinds["numeric"] == kinds["one column"] == {"float64"}
    assert "float64" not in kinds["nominal"]
    assert len(kinds["mixed"]) == 2
    assert tables["nominal"].X.isna().any().any()
    assert tables["one column"].X.shape[1] == 1
    assert sorted(tables["constant columns"].X.nunique())[:3] == [1, 1, 3]
    forms = dict(tables["mixed"].forms())
    assert [*map(type, forms.values())] == [np.ndarray, pl.DataFrame, pa.Table]
    assert forms["a polars frame"]["shape"].null_count() == tables["mixed"].X["shape"].isna().sum()


class Twice(NaiveBayesClassifier):
    def predict_proba(self, X):
        return 2 * super().predict_proba(X)


class Negative(NaiveBayesClassifier):
    def predict_proba(self, X):
        answer = super().predict_proba(X)
        answer[0] = 0.0
        answer[0, :2] = -0.5, 1.5
        return answer


class Nan(NaiveBayesClassifier):
    def predict_proba(self, X):
        answer = super().predict_proba(X)
        answer[3:4] = np.nan
        return answer


class Narrow(NaiveBayesClassifier):
    def predict_proba(self, X):
        return super().predict_proba(X)[:, :1]


class WrongClasses(NaiveBayesClassifier):
    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        self.classes_ = self.classes_[::-1]
        return self


class Least(NaiveBayesClassifier):
    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmin(axis=1)]


class Strange(NaiveBayesClassifier):
    def predict(self, X):
        return np.full(len(X), "strange", dtype=object)


class Neighbours(NaiveBayesClassifier):
    """A row depends on the row before it."""

    def predict_proba(self, X):
        answer = super().predict_proba(X)
        return (answer + np.roll(answer, 1, axis=0)) / 2


class Average(NaiveBayesClassifier):
    """A row depends on how many there are."""

    def predict_proba(self, X):
        answer = super().predict_proba(X)
        return (answer + 1 / len(answer)) / (1 + answer.shape[1] / len(answer))


def _smoothed(answer):
    return (answer + 0.1) / (1 + 0.1 * answer.shape[1])


class NotArrays(NaiveBayesClassifier):
    def predict_proba(self, X):
        answer = super().predict_proba(X)
        return _smoothed(answer) if isinstance(X, np.ndarray) else answer


class NotPolars(NaiveBayesClassifier):
    def predict_proba(self, X):
        answer = super().predict_proba(X)
        return _smoothed(answer) if isinstance(X, pl.DataFrame) else answer


class NotArrow(NaiveBayesClassifier):
    """Learns otherwise from Arrow tables, and predicts alike."""

    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        self.smooth_ = isinstance(X, pa.Table)
        return self

    def predict_proba(self, X):
        answer = super().predict_proba(X)
        return _smoothed(answer) if self.smooth_ else answer


class NoUnseen(NaiveBayesClassifier):
    def predict_proba(self, X):
        if isinstance(X, pd.DataFrame) and (X == "new label").any().any():
            raise KeyError("new label")
        return super().predict_proba(X)


class NoMissing(NaiveBayesClassifier):
    def predict_proba(self, X):
        answer = super().predict_proba(X)
        if isinstance(X, pd.DataFrame):
            answer[X.isna().all(axis=1)] = np.nan
        return answer


class ChangesOptions(NaiveBayesClassifier):
    def fit(self, X, y, sample_weight=None):
        self.alpha = self.alpha + 1
        return super().fit(X, y, sample_weight)


class ConstructorChangesOptions(NaiveBayesClassifier):
    def __init__(self, alpha=1.0):
        super().__init__(alpha=alpha)
        self.alpha = alpha + 1


class ReturnsNone(NaiveBayesClassifier):
    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)


class Dice(NaiveBayesClassifier):
    """Learns by chance."""

    _random = np.random.default_rng()

    def fit(self, X, y, sample_weight=None):
        self.smoothing_ = self._random.random()
        return super().fit(X, y, sample_weight)

    def predict_proba(self, X):
        answer = super().predict_proba(X)
        return (answer + self.smoothing_) / (1 + self.smoothing_ * answer.shape[1])


class WritesIntoTheTable(NaiveBayesClassifier):
    def predict_proba(self, X):
        answer = super().predict_proba(X)
        if isinstance(X, pd.DataFrame) and len(X) > 50:
            X.iloc[0, 0] = X.iloc[1, 0]
        return answer


class Forgetful(NaiveBayesClassifier):
    def __getstate__(self):
        return super().__getstate__() | {"forgotten_": True}

    def predict_proba(self, X):
        answer = super().predict_proba(X)
        return _smoothed(answer) if hasattr(self, "forgotten_") else answer


class NoPickle(NaiveBayesClassifier):
    def fit(self, X, y, sample_weight=None):
        self.function_ = lambda: None
        return super().fit(X, y, sample_weight)


class Threads(NaiveBayesClassifier):
    def predict_proba(self, X):
        answer = super().predict_proba(X)
        return np.nextafter(answer, 0.5) if self.n_jobs == 3 else answer


class SquaredWeights(NaiveBayesClassifier):
    def fit(self, X, y, sample_weight=None):
        squared = None if sample_weight is None else np.square(sample_weight)
        return super().fit(X, y, squared)


class TooLarge(NaiveBayesClassifier):
    def complexity(self):
        return Size(99, 1, 1)


class NegativeSize(NaiveBayesClassifier):
    def complexity(self):
        return Size(1, 1, -1)


class SizeIsForgotten(NaiveBayesClassifier):
    def __getstate__(self):
        return super().__getstate__() | {"forgotten_": True}

    def complexity(self):
        return Size(1, 1, 2 if hasattr(self, "forgotten_") else 1)


class CannotLearn(NaiveBayesClassifier):
    def fit(self, X, y, sample_weight=None):
        raise ZeroDivisionError("nothing to divide")


class Size:
    def __init__(self, attributes, arcs, parameters):
        self.attributes, self.arcs, self.parameters = attributes, arcs, parameters

    def __eq__(self, other):
        return vars(self) == vars(other)

    __hash__ = None


BROKEN = [
    (Twice, "check_probabilities", "sums to .*, not to 1"),
    (Negative, "check_probabilities", r"row 0 has probabilities \[-0\.5, 1\.5"),
    (Nan, "check_probabilities", r"row 3 has probabilities \[nan"),
    (Narrow, "check_probabilities", r"probabilities have shape \(60, 1\)"),
    (WrongClasses, "check_probabilities", r"classes_ are not \[1, 2, 5, 7\]"),
    (Least, "check_predictions", "predict gives row .* another class has probability"),
    (Strange, "check_predictions", "labels that are not classes"),
    (Neighbours, "check_rows", "shuffled rows differ from those of the same rows in order"),
    (Average, "check_rows", "a single row differ from those of the same row among others"),
    (NotArrays, "check_forms", "predictions of a numpy array and of a pandas frame differ"),
    (NotPolars, "check_forms", "predictions of a polars frame and of a pandas frame differ"),
    (NotArrow, "check_forms", "models of an Arrow table and of a pandas frame differ"),
    (NoUnseen, "check_new_values", "rows with 'colour' 'new label' raises KeyError"),
    (NoMissing, "check_new_values", "rows without a value: row 0 has probabilities"),
    (ChangesOptions, "check_options", "fit changes the options"),
    (ConstructorChangesOptions, "check_options", "clone raises RuntimeError"),
    (ReturnsNone, "check_options", "fit does not return the classifier itself"),
    (CannotLearn, "check_options", "fit raises ZeroDivisionError: nothing to divide"),
    (Dice, "check_again", "two fits to the same rows differ"),
    (WritesIntoTheTable, "check_again", "fit or predict_proba changes the table"),
    (Forgetful, "check_pickle", "predictions differ after pickle"),
    (NoPickle, "check_pickle", "pickle raises"),
    (SizeIsForgotten, "check_pickle", r"complexity\(\) is .* after pickle"),
    (Threads, "check_threads", "n_jobs=1 and n_jobs=3 differ"),
    (SquaredWeights, "check_weights", "weight 2 does not have the same effect as two copies"),
    (TooLarge, "check_size", "counts 99 attributes of 2 columns"),
    (NegativeSize, "check_size", "parameters=-1, which is not a count"),
]


def failures(model):
    """Names of the checks that a classifier fails on the first table, with what they say."""
    said = {}
    for check in CHECKS:
        try:
            check(Case(model, examples()[0]))
        except AssertionError as error:
            said[check.__name__] = str(error)
    return said


@pytest.mark.parametrize(
    ("broken", "check", "message"), BROKEN, ids=[own[0].__name__ for own in BROKEN]
)
def test_a_broken_promise_is_found(broken, check, message):
    with pytest.raises(AssertionError, match=rf"^{broken.__name__}, table '.*': "):
        check_classifier(broken())
    said = failures(broken())
    assert check in said
    with pytest.raises(AssertionError, match=message):
        raise AssertionError(said[check])


def test_every_check_has_a_classifier_that_fails_it():
    assert {check.__name__ for check in CHECKS} == {check for _, check, _ in BROKEN} | {
        "check_file"
    }


def test_a_file_that_gives_another_model_back_is_found(monkeypatch):
    def load_another(path):
        return clone(bayesgrove.load_model(path)).set_params(alpha=3.0).fit(one.X, one.y)

    one = examples()[0]
    monkeypatch.setattr(classifier, "load_model", load_another)
    with pytest.raises(AssertionError, match="predictions differ after save_model, load_model"):
        classifier.check_file(Case(NaiveBayesClassifier(), one))

    def load_other_options(path):
        return bayesgrove.load_model(path).set_params(unseen="error")

    monkeypatch.setattr(classifier, "load_model", load_other_options)
    with pytest.raises(AssertionError, match="options differ after save_model and load_model"):
        classifier.check_file(Case(NaiveBayesClassifier(), one))


class Weightless(NaiveBayesClassifier):
    """Says that weights do not repeat rows."""

    weights_repeat_rows = False

    def fit(self, X, y, sample_weight=None):
        return super().fit(X, y)


class Cautious(NaiveBayesClassifier):
    """Says that it does not predict the most probable class."""

    predicts_most_probable = False

    def predict(self, X):
        return np.repeat(self.classes_[:1], len(X))


@pytest.mark.parametrize("model", [Weightless(), Cautious(), NaiveBayesClassifier(n_jobs=2)])
def test_what_a_class_says_it_does_not_promise_is_not_asked(model):
    check_classifier(model)


@pytest.mark.parametrize(
    ("model", "repeats"),
    [
        (NaiveBayesClassifier(), True),
        (NaiveBayesClassifier(weights="conditional"), False),
        (CBClassifier(corrections=True), False),
        (K2ASClassifier(), False),
        (K2ASClassifier(cv="training"), True),
        (CBClassifier(stop_by="held-out"), False),
        (CBClassifier(), True),
        (BayesianNetworkClassifier(selection=Chain(InfoAS(), Wrapper(cv=3))), False),
        (BayesianNetworkClassifier(selection=Guided(InfoAS(), Wrapper(cv="training"))), True),
        (WeightedNaiveBayesClassifier(), False),
        (WeightedNaiveBayesClassifier(GainRatio()), True),
        (WeightedNaiveBayesClassifier([1.0, 2.0]), True),
        (WeightedNaiveBayesClassifier(lambda X, y: [1.0, 2.0]), False),
    ],
)
def test_who_says_that_weights_repeat_rows(model, repeats):
    assert getattr(model, "weights_repeat_rows", None) is repeats


def test_classifiers_of_others_may_pass_too():
    numeric = [own for own in examples() if own.name == "one column"]
    for check in (*CHECKS[:4], classifier.check_again, classifier.check_pickle):
        check(Case(GaussianNB(), numeric[0]))
    with pytest.raises(AssertionError, match="two fits"):
        classifier.check_again(Case(DummyClassifier(strategy="stratified"), numeric[0]))


def test_examples_are_made_anew():
    first = examples()[0]
    first.X.iloc[0, 0] = "spoilt"
    assert examples()[0].X.iloc[0, 0] != "spoilt"
    assert isinstance(pickle.loads(pickle.dumps(first)), Example)
