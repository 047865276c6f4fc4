"""How well joint probabilities predict the class."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.options import require_choice
from bayesgrove._utils.ties import ODDS_DIGITS
from bayesgrove.network.answers import answer_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Floats
    from bayesgrove.network import BayesianNetwork

SCORINGS = ("accuracy", "log_loss")
"""Names of the scores of predictions."""


def most_probable(joint: Floats) -> NDArray[np.int64]:
    """Return the class with the largest joint log probability per row.

    Ties go to the earlier class. Numbers that differ only by rounding are ties.
    """
    return answer_of(joint, "choices")


def row_scores(joint: Floats, part: Encoded, scoring: str) -> float:
    """Return the summed score of rows, from ``ln P(class, row)``; larger is better.

    Parameters
    ----------
    joint : ndarray of shape (n_rows, n_classes)
        Joint log probabilities.
    part : Encoded
        The rows, with their classes and weights.
    scoring : {"accuracy", "log_loss"}
        "accuracy" scores 1 if the most probable class is the true class; ties go to the earlier
        class. "log_loss" scores the log probability of the true class.

    Returns
    -------
    float
        Weighted sum of the scores of all rows.
    """
    require_choice("scoring", scoring, SCORINGS)
    assert part.target is not None
    scores: Floats
    if scoring == "accuracy":
        scores = (most_probable(joint) == part.target).astype(np.float64)
    else:
        scores = np.take_along_axis(joint, part.target[:, None].astype(np.intp), axis=1)[:, 0]
        with np.errstate(invalid="ignore"):  # NaN if the row has probability 0 under every class.
            scores = scores - np.logaddexp.reduce(joint, axis=1)
    return float(scores.sum() if part.weights is None else (scores * part.weights).sum())


def area(scores: Floats, positive: NDArray[np.bool_], weights: Floats | None = None) -> float:
    """Return the area under the ROC curve.

    It is the share of pairs of a positive and a negative row in which the positive row has the
    larger score; ties count half. It equals ``(R - n(n + 1)/2) / (n m)``, where R is the sum of the
    ranks of the n positive rows among all rows, and m is the number of negative rows (Mann and
    Whitney 1947; Hanley and McNeil 1982).

    Parameters
    ----------
    scores : ndarray of shape (n_rows,)
        Scores of the rows.
    positive : ndarray of shape (n_rows,)
        Whether each row is positive, as bool.
    weights : ndarray of shape (n_rows,) or None, default=None
        Weights of the rows. None means a weight of 1 for all rows.

    Returns
    -------
    float
        The area; NaN without positive rows or without negative rows.
    """
    _, rank_of_row = np.unique(scores, return_inverse=True)
    positives = np.bincount(rank_of_row, positive if weights is None else weights * positive)
    negatives = np.bincount(rank_of_row, weights) - positives
    pairs = positives.sum() * negatives.sum()
    below = np.cumsum(negatives) - 0.5 * negatives
    return float((positives * below).sum() / pairs) if pairs > 0 else math.nan


def mean_area(joint: Floats, part: Encoded) -> float:
    """Return the mean area under the ROC curves of each class against the others, by log-odds.

    Classes that all rows have, and classes without rows, are left out. The mean of no areas is 0.5.
    """
    assert part.target is not None
    classes = joint.shape[1]
    first = 1 if classes == 2 else 0  # With two classes, both areas are equal.
    areas = [
        area(_log_odds(joint, c), part.target == c, part.weights) for c in range(first, classes)
    ]
    known = [value for value in areas if not math.isnan(value)]
    return float(np.mean(known)) if known else 0.5


def _log_odds(joint: Floats, c: int) -> Floats:
    """Return the rounded log-odds of a class against all others."""
    rest = np.logaddexp.reduce(np.delete(joint, c, axis=1), axis=1)
    odds: Floats = np.round(joint[:, c] - rest, ODDS_DIGITS)
    return odds


def fill_impossible(joint: Floats, prior: Floats) -> Floats:
    """Return joint log probabilities in which impossible rows are replaced by ``prior``.

    A row is impossible if its probability is 0 under every class. ``prior`` are the log
    probabilities of the classes.
    """
    if not joint.size or joint.min() > -np.inf:
        return joint
    impossible = np.isneginf(joint).all(axis=1, keepdims=True)
    return np.where(impossible, prior, joint)


def network_score(
    network: BayesianNetwork, counts: CountSource, scoring: str = "accuracy"
) -> float:
    """Return the mean score of a network's predictions of the rows behind the counts."""

    def measure(part: Encoded) -> float:
        joint = network.log_joint(part, counts.threads)
        return row_scores(joint, part, scoring)

    summed: float = counts.reduce(measure, operator.add)
    return summed / counts.total
