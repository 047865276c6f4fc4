"""Probabilities corrected by a logistic regression on held-out ones."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import _safe_indexing, get_tags, indexable
from sklearn.utils.validation import _num_samples, check_is_fitted, has_fit_parameter

from bayesgrove._utils.folds import deal
from bayesgrove._utils.options import OptionError, require_count, require_number, require_seed
from bayesgrove._utils.renamed import renamed
from bayesgrove._utils.warnings import warn_caller
from bayesgrove.encoding import encode_target
from bayesgrove.estimators.base.table import TableEstimator, row_weights
from bayesgrove.parameters import fit_logistic
from bayesgrove.scores.prediction import most_probable
from bayesgrove.tables import Batch, batch_of, is_external

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray
    from sklearn.utils import Tags

    from bayesgrove.estimators.base.complexity import Complexity
    from bayesgrove.kernels import Floats


@renamed(folds="cv")
class LogisticCalibration(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A classifier whose probabilities a logistic regression corrects (Hall 2006).

    The estimator predicts each fold of a cross-validation from the others. A multinomial logistic
    regression learns the class from all these probabilities at once; the estimator itself learns
    from all rows, and its warnings are those of that model. This is WEKA's Stacking with one
    classifier and Logistic.

    scikit-learn's ``CalibratedClassifierCV(method="sigmoid", ensemble=False)`` is the nearest to
    it. There, a sigmoid of the decision function (of the probability where there is none) is fitted
    for every class against the rest, to smoothed targets (Platt 1999) and without a ridge, and the
    results are divided by their sum; its folds are five and not shuffled. Here, the probability of
    a class depends on those of all classes, by one likelihood of the classes as they are. For two
    classes both are one sigmoid.

    Parameters
    ----------
    estimator : any scikit-learn classifier with ``predict_proba``; also a pipeline
    cv : number of parts of the cross-validation, stratified and shuffled; at most one a row
    ridge : weight of the squared coefficients, see `fit_logistic`
    random_state : seed of the folds

    Attributes
    ----------
    classes_ : class labels in the order of the probabilities
    estimator_ : the estimator, fitted to all rows
    regression_ : `Logistic`, with ``coefficients`` of shape (classes, classes) and ``intercepts``
    n_features_in_, feature_names_in_ : those of the estimator, where it has them

    Examples
    --------
    >>> from bayesgrove import LogisticCalibration, NaiveBayesClassifier, load_dataset
    >>> X, y = load_dataset("vote")
    >>> NaiveBayesClassifier().fit(X, y).predict_proba(X[:1]).round(4)  # too sure
    array([[0., 1.]])
    >>> LogisticCalibration(NaiveBayesClassifier()).fit(X, y).predict_proba(X[:1]).round(2)
    array([[0.14, 0.86]])
    """

    predicts_most_probable: ClassVar[bool] = True
    weights_repeat_rows: ClassVar[bool] = False

    def __init__(
        self, estimator: Any, *, cv: int = 10, ridge: float = 1e-8, random_state: int = 0
    ) -> None:
        self.estimator = estimator
        self.cv = cv
        self.ridge = ridge
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Learn from a table.

        Parameters
        ----------
        X : a table that the estimator takes, with its rows in memory
        y : class labels
        sample_weight : non-negative weights of the rows, where the estimator takes them
        """
        self._check_options(X, sample_weight)
        rows = _num_samples(X)
        self.classes_, codes = encode_target(y, rows)
        weights = row_weights(sample_weight, rows)
        self.estimator_ = self._fitted_to_all(X, y, weights)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        used = np.arange(rows) if weights is None else np.flatnonzero(weights)
        parts = _Parts.of(self.estimator, X, y, self.classes_, codes, weights)
        self.regression_ = fit_logistic(
            self._held_out(parts, codes[used], used),
            codes[used],
            len(self.classes_),
            self.ridge,
            None if weights is None else weights[used],
        )
        return self

    def predict_log_proba(self, X: Any) -> Floats:
        """``ln P(class | row)``, shape (rows, classes)."""
        check_is_fitted(self)
        return self.regression_.log_proba(_probabilities(self.estimator_, X, self.classes_))

    def predict_proba(self, X: Any) -> Floats:
        """``P(class | row)``, shape (rows, classes), in the order of ``classes_``."""
        probabilities: Floats = np.exp(self.predict_log_proba(X))
        return probabilities

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of every row; of equally probable ones the first."""
        chosen = most_probable(self.predict_log_proba(X))
        labels: NDArray[Any] = self.classes_[chosen]
        return labels

    def complexity(self) -> Complexity | None:
        """Return the size of the estimator; None where it does not tell.

        The regression is not counted.
        """
        check_is_fitted(self)
        ask = getattr(self.estimator_, "complexity", None)
        return None if ask is None else ask()

    def _check_options(self, X: Any, sample_weight: ArrayLike | None) -> None:
        require_count("cv", self.cv, lowest=2)
        require_number("ridge", self.ridge, lowest=0)
        require_seed("random_state", self.random_state)
        if isinstance(self.estimator, type) or not hasattr(self.estimator, "predict_proba"):
            raise OptionError(
                f"estimator={self.estimator!r} must be a classifier with predict_proba: there are "
                "no probabilities to calibrate."
            )
        if sample_weight is not None and not has_fit_parameter(self.estimator, "sample_weight"):
            raise OptionError(
                f"estimator={self.estimator!r} takes no sample_weight: fit without weights."
            )
        if is_external(X):
            raise ValueError("X must be a table in memory: calibration learns from parts of it.")

    def _fitted_to_all(self, X: Any, y: Any, weights: Floats | None) -> Any:
        """The estimator; what it warns of points at the caller of `fit`."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            model = _fitted(self.estimator, X, y, weights)
        for warning in caught:
            warn_caller(warning.message, warning.category)
        return model

    def _held_out(self, parts: _Parts, codes: NDArray[Any], used: NDArray[np.intp]) -> Floats:
        """Probabilities of every row that is used, from the folds that it is not in."""
        found = np.zeros((len(used), len(self.classes_)))
        folds = min(self.cv, len(used))
        for train, test in deal(codes, folds, random_state=self.random_state) if folds > 1 else []:
            only = codes[train[0]]
            if (codes[train] == only).all():  # not every estimator learns from one class
                found[test, only] = 1.0
            else:
                found[test] = self._predicted(parts, used[train], used[test])
        return found

    def _predicted(self, parts: _Parts, train: NDArray[np.intp], test: NDArray[np.intp]) -> Floats:
        """Probabilities of some rows from others."""
        own = None if parts.weights is None else parts.weights[train]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # as UnseenValueWarning is
            model = _fitted(self.estimator, parts.table(train), parts.labels.iloc[train], own)
            return _probabilities(model, parts.table(test), parts.classes)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        return tags


@dataclass(frozen=True)
class _Parts:
    """A table to take rows from: for estimators of ours it is read once, its classes as codes."""

    whole: Any
    labels: pd.Series[Any]
    classes: NDArray[Any]
    weights: Floats | None

    @classmethod
    def of(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        classes: NDArray[Any],
        codes: NDArray[Any],
        weights: Floats | None,
    ) -> Self:
        name = getattr(y, "name", None)  # that of the class in networks
        if _is_ours(estimator):
            labels = pd.Series(codes, name=name)
            return cls(batch_of(X), labels, np.arange(len(classes)), weights)
        return cls(indexable(X)[0], pd.Series(classes[codes], name=name), classes, weights)

    def table(self, rows: NDArray[np.intp]) -> Any:
        """Some rows."""
        if isinstance(self.whole, Batch):
            return self.whole.take(rows)
        return _safe_indexing(self.whole, rows)


def _is_ours(estimator: Any) -> bool:
    """Whether an estimator takes tables as we read them, and shows them to no code of users."""
    ours = isinstance(estimator, TableEstimator)
    own_code = not type(estimator).__module__.startswith("bayesgrove.")
    return ours and not own_code and not callable(getattr(estimator, "weights", None))


def _fitted(estimator: Any, X: Any, y: Any, weights: Floats | None) -> Any:
    return clone(estimator).fit(X, y, **({} if weights is None else {"sample_weight": weights}))


def _probabilities(model: Any, X: Any, classes: NDArray[Any]) -> Floats:
    """What a model says of these classes; 0 for one that it does not know."""
    given = np.asarray(model.predict_proba(X), dtype=np.float64)
    if not np.isfinite(given).all():
        row = int(np.argmin(np.isfinite(given).all(axis=1)))
        raise ValueError(
            f"{type(model).__name__} gives probabilities that are no numbers (first: row {row})."
        )
    place = {label: code for code, label in enumerate(classes.tolist())}
    found = np.zeros((len(given), len(classes)))
    found[:, [place[label] for label in np.asarray(model.classes_).tolist()]] = given
    return found
