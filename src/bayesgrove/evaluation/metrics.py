"""Metrics of a model on one split, and the size of the model."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove._utils.ties import WHOLE_DIGITS
from bayesgrove.scores.prediction import area

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from bayesgrove.estimators.base.complexity import Complexity
    from bayesgrove.kernels import Floats

BINS = 10
"""Number of bins of the expected calibration error; all have equal width."""

SMALLEST = float(np.finfo(np.float64).eps)
"""Lower bound of the probabilities in the log loss, as in scikit-learn."""


@dataclass(frozen=True)
class Outcome:
    """Predictions of a model for the test rows of one split, and the true classes.

    Parameters
    ----------
    truth : ndarray of shape (n_rows,)
        Codes of the true classes of the test rows.
    predicted : ndarray of shape (n_rows,)
        Codes of the predicted classes of the test rows.
    probabilities : ndarray of shape (n_rows, n_classes) or None
        Predicted probabilities ``P(class | row)``. None means that the model has no probabilities.
    training : ndarray of shape (n_classes,)
        Number of training rows per class. A class may have 0 training rows.
    """

    truth: NDArray[np.intp]
    predicted: NDArray[np.intp]
    probabilities: Floats | None
    training: Floats

    def __post_init__(self) -> None:
        rows, classes = len(self.truth), len(self.training)
        if rows == 0:
            raise ValueError("There are no test rows: a metric needs at least one.")
        if len(self.predicted) != rows:
            raise ValueError(f"There are {rows} test rows and {len(self.predicted)} predictions.")
        if self.probabilities is not None and self.probabilities.shape != (rows, classes):
            raise ValueError(
                f"The probabilities have shape {self.probabilities.shape}; "
                f"{rows} test rows and {classes} classes make {(rows, classes)}."
            )
        for codes in (self.truth, self.predicted):
            if codes.min() < 0 or codes.max() >= classes:
                raise ValueError(f"The codes of {classes} classes are 0 to {classes - 1}.")

    @property
    def class_probabilities(self) -> Floats:
        """The probabilities; a ValueError is raised if the model has none."""
        if self.probabilities is None:
            raise ValueError("This metric needs probabilities, and the model gives none.")
        return self.probabilities

    @property
    def indicators(self) -> Floats:
        """Indicators, shape (rows, classes): 1 for the true class of a row, 0 for the others."""
        return np.eye(len(self.training))[self.truth]


@dataclass(frozen=True)
class Metric:
    """A named metric, which is called with an `Outcome`.

    The dict `METRICS` has "accuracy", "error" (the share of wrong predictions), "auc" (area under
    the ROC curve), "rrse" and "rrse_mode" (root relative squared error in percent, against smoothed
    class frequencies or against the most common class), "brier", "log_loss" and "ece" (expected
    calibration error).

    Parameters
    ----------
    name : str
        Name of the metric, its key in `METRICS`.
    function : callable
        Function that takes an `Outcome` and returns the value.
    higher_is_better : bool
        Whether higher values are better.
    needs_probabilities : bool
        Whether the metric needs predicted probabilities. Its value is NaN for a model without
        probabilities.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.evaluation import METRICS, Outcome
    >>> predicted, probabilities = np.array([0, 1]), np.array([[0.9, 0.1], [0.4, 0.6]])
    >>> outcome = Outcome(np.array([0, 0]), predicted, probabilities, np.array([3.0, 2.0]))
    >>> METRICS["accuracy"](outcome)
    0.5
    """

    name: str
    function: Callable[[Outcome], float]
    higher_is_better: bool
    needs_probabilities: bool

    def __call__(self, outcome: Outcome) -> float:
        """Return the value of the metric, NaN if it needs probabilities and there are none.

        Parameters
        ----------
        outcome : Outcome
            Predictions for the test rows and the true classes.

        Returns
        -------
        float
            The value.
        """
        if self.needs_probabilities and outcome.probabilities is None:
            return math.nan
        return self.function(outcome)


def accuracy(outcome: Outcome) -> float:
    """Return the share of test rows whose class is predicted correctly."""
    return float(np.mean(outcome.truth == outcome.predicted))


def error(outcome: Outcome) -> float:
    """Return the share of test rows whose class is predicted wrongly."""
    return float(np.mean(outcome.truth != outcome.predicted))


def auc(outcome: Outcome) -> float:
    """Return the area under the ROC curve of each class against the rest, averaged over classes.

    Classes of all test rows or of none are left out. The value is NaN if no class remains.
    """
    areas = class_areas(outcome)
    areas = areas[~np.isnan(areas)]
    return float(np.mean(areas)) if len(areas) else math.nan


def class_areas(outcome: Outcome) -> Floats:
    """Return the area under the ROC curve of each class against the rest.

    The value is NaN for a class that all test rows have, or none.
    """
    classes = range(len(outcome.training))
    return np.array([area(outcome.class_probabilities[:, c], outcome.truth == c) for c in classes])


def rrse(outcome: Outcome) -> float:
    """Return the root relative squared error in percent, against smoothed class frequencies.

    The value is ``100 sqrt(sum (p - y)^2 / sum (prior - y)^2)``, summed over rows and classes. Here
    y are the indicators of the true class, and ``prior = (N_k + 1) / (N + K)`` is counted in the
    training rows. This is WEKA's definition, which the tables of Hall (2006) use.
    """
    counts = outcome.training + 1.0
    return _relative_error(outcome, counts / counts.sum())


def rrse_mode(outcome: Outcome) -> float:
    """Return the root relative squared error in percent, against the most common training class.

    This is the definition in the text of Hall (2006): the most common class is predicted with
    probability 1. Ties go to the first class. The value is NaN if every test row has that class.
    """
    prior = np.zeros(len(outcome.training))
    prior[np.argmax(outcome.training)] = 1.0
    return _relative_error(outcome, prior)


def brier(outcome: Outcome) -> float:
    """Return the mean over rows of ``sum_k (p_k - y_k)^2``, from 0 to 2 (Brier 1950)."""
    return float(np.mean(((outcome.class_probabilities - outcome.indicators) ** 2).sum(axis=1)))


def log_loss(outcome: Outcome) -> float:
    """Return the mean over rows of ``-ln p``, where p is the probability of the true class.

    Probabilities are clipped to [e, 1 - e] with e = 2.2e-16, as in scikit-learn. A true class of
    probability 0 costs 36 nats.
    """
    rows = np.arange(len(outcome.truth))
    probabilities = outcome.class_probabilities[rows, outcome.truth]
    return float(-np.mean(np.log(np.clip(probabilities, SMALLEST, 1.0 - SMALLEST))))


def ece(outcome: Outcome) -> float:
    """Return the expected calibration error of the predicted class.

    The value is ``sum_b n_b / n |share correct - mean probability|`` over ten bins of equal width,
    [0, 0.1] to (0.9, 1], of the probability of the predicted class (Naeini, Cooper & Hauskrecht
    2015).
    """
    rows = len(outcome.truth)
    probabilities = outcome.class_probabilities[np.arange(rows), outcome.predicted]
    bins = np.ceil(np.round(probabilities * BINS, WHOLE_DIGITS)).clip(1).astype(np.intp)
    excess = np.bincount(bins, probabilities - (outcome.truth == outcome.predicted))
    return float(np.abs(excess).sum() / rows)


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("accuracy", accuracy, higher_is_better=True, needs_probabilities=False),
        Metric("error", error, higher_is_better=False, needs_probabilities=False),
        Metric("auc", auc, higher_is_better=True, needs_probabilities=True),
        Metric("rrse", rrse, higher_is_better=False, needs_probabilities=True),
        Metric("rrse_mode", rrse_mode, higher_is_better=False, needs_probabilities=True),
        Metric("brier", brier, higher_is_better=False, needs_probabilities=True),
        Metric("log_loss", log_loss, higher_is_better=False, needs_probabilities=True),
        Metric("ece", ece, higher_is_better=False, needs_probabilities=True),
    )
}
"""The metrics by name."""


def delta(first: float, second: float) -> float:
    """Return ``(R1 - R2) / (1 - R2)``, the gain of R1 over R2 as a share of the largest gain.

    If R2 is 1, no gain is possible: the value is 0 if R1 is 1 too, and minus infinity if R1 is
    less.

    Parameters
    ----------
    first : float
        The score R1, such as an area under the ROC curve, at most 1.
    second : float
        The score R2 with which R1 is compared, at most 1.

    Returns
    -------
    float
        The gain, at most 1.

    References
    ----------
    D. Dash and G. F. Cooper (2003). Model averaging with discrete Bayesian network classifiers.
    AISTATS 2003.

    Examples
    --------
    >>> from bayesgrove.evaluation import delta
    >>> delta(0.9, 0.8)
    0.5
    """
    if second == 1.0:
        return 0.0 if first == 1.0 else -math.inf
    return (first - second) / (1.0 - second)


def model_sizes(model: Any) -> dict[str, int]:
    """Return the size of a fitted model: its numbers of attributes, arcs and free parameters.

    Parameters
    ----------
    model : estimator
        A fitted model. The sizes are those that its method ``complexity`` returns.

    Returns
    -------
    dict of str to int
        The numbers by the names "attributes", "arcs" and "parameters". A number that the model does
        not have is left out. A model without ``complexity`` gives an empty dict.

    Examples
    --------
    >>> from bayesgrove import NaiveBayesClassifier, load_dataset
    >>> from bayesgrove.evaluation import model_sizes
    >>> X, y = load_dataset("corral")
    >>> model_sizes(NaiveBayesClassifier().fit(X, y))["attributes"]
    6
    """
    complexity: Complexity | None = model.complexity() if hasattr(model, "complexity") else None
    if complexity is None:
        return {}
    return {name: size for name, size in complexity._asdict().items() if size is not None}


def _relative_error(outcome: Outcome, prior: Floats) -> float:
    """Return the root relative squared error in percent, against fixed class probabilities."""
    truth = outcome.indicators
    squares = ((outcome.class_probabilities - truth) ** 2).sum()
    reference = ((prior - truth) ** 2).sum()
    return float(100.0 * np.sqrt(squares / reference)) if reference > 0 else math.nan
