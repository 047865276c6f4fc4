"""Metrics of a model on one split, one short function per metric, and the size of the model."""

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
"""Bins of equal width of the expected calibration error."""

SMALLEST = float(np.finfo(np.float64).eps)
"""The log loss counts a smaller probability as this, as scikit-learn does."""


@dataclass(frozen=True)
class Outcome:
    """Predictions of a model for the test rows of one split, and the true classes.

    Parameters
    ----------
    truth, predicted : codes of the classes of the test rows
    probabilities : ``P(class | row)``, shape (rows, classes); None where the model has none
    training : how many training rows each class has; a class may have none
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
    def known(self) -> Floats:
        """The probabilities, of a model that has them."""
        if self.probabilities is None:
            raise ValueError("This metric needs probabilities, and the model gives none.")
        return self.probabilities

    @property
    def indicators(self) -> Floats:
        """1 for the true class of a row, 0 for the others; shape (rows, classes)."""
        return np.eye(len(self.training))[self.truth]


@dataclass(frozen=True)
class Metric:
    """A metric by name: call it on an outcome; NaN where the model lacks the probabilities."""

    name: str
    function: Callable[[Outcome], float]
    higher_is_better: bool
    needs_probabilities: bool

    def __call__(self, outcome: Outcome) -> float:
        """Return the value of the metric."""
        if self.needs_probabilities and outcome.probabilities is None:
            return math.nan
        return self.function(outcome)


def accuracy(outcome: Outcome) -> float:
    """Return the share of rows whose class is predicted."""
    return float(np.mean(outcome.truth == outcome.predicted))


def error(outcome: Outcome) -> float:
    """Return the share of rows whose class is missed."""
    return float(np.mean(outcome.truth != outcome.predicted))


def auc(outcome: Outcome) -> float:
    """Return the area under the ROC curve, the mean over the classes of one against the rest.

    Classes that all or no test rows have are left out; NaN where none is left.
    """
    areas = class_areas(outcome)
    areas = areas[~np.isnan(areas)]
    return float(np.mean(areas)) if len(areas) else math.nan


def class_areas(outcome: Outcome) -> Floats:
    """Return the area under the ROC curve of every class against the rest.

    NaN for a class that all or no test rows have.
    """
    classes = range(len(outcome.training))
    return np.array([area(outcome.known[:, c], outcome.truth == c) for c in classes])


def rrse(outcome: Outcome) -> float:
    """Return the root relative squared error in percent, against smoothed class frequencies.

    ``100 sqrt(sum (p - y)^2 / sum (prior - y)^2)`` over rows and classes, y the indicators of the
    true class and ``prior = (N_k + 1) / (N + K)`` of the training rows: WEKA's definition, the one
    behind the tables of Hall (2006).
    """
    counts = outcome.training + 1.0
    return _relative_error(outcome, counts / counts.sum())


def rrse_mode(outcome: Outcome) -> float:
    """Return the root relative squared error in percent, against the most common training class.

    The definition in the text of Hall (2006): that class, the first of equally common ones, is
    predicted with probability 1. NaN where every test row has it.
    """
    prior = np.zeros(len(outcome.training))
    prior[np.argmax(outcome.training)] = 1.0
    return _relative_error(outcome, prior)


def brier(outcome: Outcome) -> float:
    """Return ``sum_k (p_k - y_k)^2``, the mean over rows: from 0 to 2 (Brier 1950)."""
    return float(np.mean(((outcome.known - outcome.indicators) ** 2).sum(axis=1)))


def log_loss(outcome: Outcome) -> float:
    """Return ``-ln p`` of the true class, the mean over rows.

    Probabilities are clipped to [e, 1 - e], e = 2.2e-16, as scikit-learn does: a class of
    probability 0 that turns out true costs 36 nats.
    """
    rows = np.arange(len(outcome.truth))
    probabilities = outcome.known[rows, outcome.truth]
    return float(-np.mean(np.log(np.clip(probabilities, SMALLEST, 1.0 - SMALLEST))))


def ece(outcome: Outcome) -> float:
    """Return the expected calibration error of the predicted class.

    ``sum_b n_b / n |share right - mean probability|`` over ten bins of equal width, [0, 0.1] to
    (0.9, 1], of the probability of the predicted class (Naeini, Cooper & Hauskrecht 2015).
    """
    rows = len(outcome.truth)
    probabilities = outcome.known[np.arange(rows), outcome.predicted]
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
"""All metrics by name."""


def delta(first: float, second: float) -> float:
    """Return ``(R1 - R2) / (1 - R2)``, what R1 gains of what R2 lacks (Dash & Cooper 2003).

    Where R2 is 1 it lacks nothing: 0 if R1 is 1 too, minus infinity if it is less.

    >>> delta(0.9, 0.8)
    0.5
    """
    if second == 1.0:
        return 0.0 if first == 1.0 else -math.inf
    return (first - second) / (1.0 - second)


def model_sizes(model: Any) -> dict[str, int]:
    """Return the attributes, arcs and free parameters of a fitted model, as far as it has them.

    A model answers by its `complexity`. One that does not tell has no sizes: {}.
    """
    complexity: Complexity | None = model.complexity() if hasattr(model, "complexity") else None
    if complexity is None:
        return {}
    return {name: size for name, size in complexity._asdict().items() if size is not None}


def _relative_error(outcome: Outcome, prior: Floats) -> float:
    truth = outcome.indicators
    squares = ((outcome.known - truth) ** 2).sum()
    reference = ((prior - truth) ** 2).sum()
    return float(100.0 * np.sqrt(squares / reference)) if reference > 0 else math.nan
