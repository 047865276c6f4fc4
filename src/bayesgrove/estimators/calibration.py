"""Calibration: a logistic regression on held-out probabilities corrects a classifier."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import _safe_indexing, get_tags, indexable
from sklearn.utils.validation import _num_samples, check_is_fitted, has_fit_parameter

from bayesgrove._utils.folds import split_into_folds
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
    """A classifier whose probabilities are calibrated by a logistic regression.

    In a cross-validation, the estimator learns from all folds except one and predicts the class
    probabilities of the rows in that fold. A multinomial logistic regression then learns the class
    from these held-out probabilities of all rows. The estimator that makes predictions is fitted to
    all rows, and only the warnings of this fit are shown. The method is WEKA's Stacking with a
    single classifier, combined by WEKA's Logistic, as Hall (2006) uses it. Use it for overconfident
    classifiers such as naive Bayes.

    scikit-learn's ``CalibratedClassifierCV(method="sigmoid", ensemble=False)`` is similar. It fits
    one sigmoid per class against the rest, to smoothed targets (Platt 1999) and without a ridge,
    and divides the results by their sum. The input of the sigmoid is the decision function, or the
    probability if there is none. By default it uses five folds that are not shuffled. In
    `LogisticCalibration`, the probability of a class depends on the probabilities of all classes,
    and one regression maximises the likelihood of the true classes. With two classes both methods
    fit one sigmoid.

    Parameters
    ----------
    estimator : classifier
        Any scikit-learn classifier with ``predict_proba``, or a pipeline that ends with one. It is
        cloned before it is fitted.
    cv : int, default=10
        Number of folds of the cross-validation, at least 2. The folds are stratified and shuffled.
        With fewer rows than folds, every row is a fold.
    ridge : float, default=1e-08
        Weight of the squared coefficients in the objective of the regression,
        ``-sum w ln P(class | x) + ridge sum b^2``, at least 0. Here w are the weights of the rows,
        and b are the coefficients of standardised inputs.
    random_state : int, default=0
        Seed of the folds.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted. The columns of `predict_proba` have this order.
    estimator_ : classifier
        The estimator, fitted to all rows.
    regression_ : Logistic
        The fitted regression, with ``coefficients`` of shape (n_classes, n_classes) and
        ``intercepts``.
    n_features_in_ : int
        Number of columns of the training table. It exists only if the estimator has it.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns of the training table. It exists only if the estimator has it.

    References
    ----------
    M. Hall (2006). A decision tree-based attribute weighting filter for naive Bayes. Working paper
    05/2006, University of Waikato.

    S. le Cessie and J. C. van Houwelingen (1992). Ridge estimators in logistic regression. Applied
    Statistics 41, 191-201.

    J. Platt (1999). Probabilistic outputs for support vector machines and comparisons to
    regularized likelihood methods. Advances in Large Margin Classifiers, MIT Press.

    Examples
    --------
    >>> from bayesgrove import LogisticCalibration, NaiveBayesClassifier, load_dataset
    >>> X, y = load_dataset("vote")
    >>> NaiveBayesClassifier().fit(X, y).predict_proba(X[:1]).round(4)  # overconfident
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
        """Fit the estimator and the logistic regression.

        Parameters
        ----------
        X : data frame, array or lists
            The training rows in memory, in a form that the estimator accepts.
        y : array-like of shape (n_rows,), default=None
            The class labels. y is required; the default exists for scikit-learn only.
        sample_weight : array-like of shape (n_rows,), default=None
            Non-negative weights of the rows, if the estimator accepts them. None means weight 1.

        Returns
        -------
        Self
            The fitted classifier.
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
        """Return the logarithms of the calibrated probabilities, ``ln P(class | row)``.

        Parameters
        ----------
        X : data frame, array or lists
            The rows to predict, in a form that the estimator accepts.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            The logarithms, with the classes in the order of ``classes_``.
        """
        check_is_fitted(self)
        return self.regression_.log_proba(probabilities_of(self.estimator_, X, self.classes_))

    def predict_proba(self, X: Any) -> Floats:
        """Return the calibrated probabilities of rows, ``P(class | row)``.

        Parameters
        ----------
        X : data frame, array or lists
            The rows to predict, in a form that the estimator accepts.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            The probabilities, with the classes in the order of ``classes_``.
        """
        probabilities: Floats = np.exp(self.predict_log_proba(X))
        return probabilities

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of every row.

        Ties go to the first class in the order of ``classes_``.

        Parameters
        ----------
        X : data frame, array or lists
            The rows to predict, in a form that the estimator accepts.

        Returns
        -------
        ndarray of shape (n_rows,)
            The class labels.
        """
        chosen = most_probable(self.predict_log_proba(X))
        labels: NDArray[Any] = self.classes_[chosen]
        return labels

    def complexity(self) -> Complexity | None:
        """Return the size of the fitted estimator, without the regression.

        Returns
        -------
        Complexity or None
            The size, or None if the estimator has no method ``complexity``.
        """
        check_is_fitted(self)
        complexity = getattr(self.estimator_, "complexity", None)
        return None if complexity is None else complexity()

    def _check_options(self, X: Any, sample_weight: ArrayLike | None) -> None:
        """Raise unless the options are valid and suit the arguments of `fit`."""
        require_count("cv", self.cv, lowest=2)
        require_number("ridge", self.ridge, lowest=0)
        require_seed("random_state", self.random_state)
        if isinstance(self.estimator, type) or not hasattr(self.estimator, "predict_proba"):
            raise OptionError(
                f"estimator={self.estimator!r} must be a classifier with predict_proba: otherwise "
                "there are no probabilities to calibrate."
            )
        if sample_weight is not None and not has_fit_parameter(self.estimator, "sample_weight"):
            raise OptionError(
                f"estimator={self.estimator!r} does not accept sample_weight: fit it without "
                "weights."
            )
        if is_external(X):
            raise ValueError(
                "X must be a table in memory, because calibration learns from parts of it: read "
                "the files first."
            )

    def _fitted_to_all(self, X: Any, y: Any, weights: Floats | None) -> Any:
        """Fit the estimator to all rows; its warnings point to the caller of `fit`."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            model = _fitted(self.estimator, X, y, weights)
        for warning in caught:
            warn_caller(warning.message, warning.category)
        return model

    def _held_out(self, parts: _Parts, codes: NDArray[Any], used: NDArray[np.intp]) -> Floats:
        """Return the probabilities of every used row, predicted from the other folds."""
        probabilities = np.zeros((len(used), len(self.classes_)))
        folds = min(self.cv, len(used))
        for train, test in (
            split_into_folds(codes, folds, random_state=self.random_state) if folds > 1 else []
        ):
            first_class = codes[train[0]]
            if (codes[train] == first_class).all():  # Not every estimator accepts a single class.
                probabilities[test, first_class] = 1.0
            else:
                probabilities[test] = self._predicted(parts, used[train], used[test])
        return probabilities

    def _predicted(self, parts: _Parts, train: NDArray[np.intp], test: NDArray[np.intp]) -> Floats:
        """Return the probabilities of the test rows from a model of the training rows."""
        weights = None if parts.weights is None else parts.weights[train]
        labels = parts.labels.iloc[train]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # UnseenValueWarning is one of them.
            model = _fitted(self.estimator, parts.table(train), labels, weights)
            return probabilities_of(model, parts.table(test), parts.classes)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        return tags


@dataclass(frozen=True)
class _Parts:
    """A table from which rows are taken.

    For bayesgrove estimators the table is read once, and the class labels are codes.

    Parameters
    ----------
    whole : Batch, data frame or ndarray
        The whole table.
    labels : Series
        The class of every row.
    classes : ndarray of shape (n_classes,)
        The class labels as they are in ``labels``.
    weights : ndarray of shape (n_rows,) or None
        The sample weights.
    """

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
        """Return the parts of the training table of an estimator."""
        name = getattr(y, "name", None)  # Networks name the class after it.
        if _reads_batches(estimator):
            labels = pd.Series(codes, name=name)
            return cls(batch_of(X), labels, np.arange(len(classes)), weights)
        return cls(indexable(X)[0], pd.Series(classes[codes], name=name), classes, weights)

    def table(self, rows: NDArray[np.intp]) -> Any:
        """Return some rows of the table."""
        if isinstance(self.whole, Batch):
            return self.whole.take(rows)
        return _safe_indexing(self.whole, rows)


def _reads_batches(estimator: Any) -> bool:
    """Return whether an estimator accepts a `Batch` and does not pass it to the user's code."""
    reads_tables = isinstance(estimator, TableEstimator)
    is_user_code = not type(estimator).__module__.startswith("bayesgrove.")
    has_user_function = callable(getattr(estimator, "weights", None))
    return reads_tables and not is_user_code and not has_user_function


def _fitted(estimator: Any, X: Any, y: Any, weights: Floats | None) -> Any:
    """Return a fitted clone of an estimator."""
    return clone(estimator).fit(X, y, **({} if weights is None else {"sample_weight": weights}))


def probabilities_of(model: Any, X: Any, classes: NDArray[Any]) -> Floats:
    """Return the probabilities of these classes; 0 for a class that the model does not have."""
    predicted = np.asarray(model.predict_proba(X), dtype=np.float64)
    if not np.isfinite(predicted).all():
        row = int(np.argmin(np.isfinite(predicted).all(axis=1)))
        raise ValueError(
            f"{type(model).__name__} returns probabilities that are not finite (first: row {row})."
        )
    code_of = {label: code for code, label in enumerate(classes.tolist())}
    probabilities = np.zeros((len(predicted), len(classes)))
    columns = [code_of[label] for label in np.asarray(model.classes_).tolist()]
    probabilities[:, columns] = predicted
    return probabilities
