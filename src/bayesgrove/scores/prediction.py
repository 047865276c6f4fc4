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


def most_probable(joint: Floats) -> NDArray[np.int64]:
    """Return the class of the largest joint log-probability; the first of those equal to it.

    Numbers are equal up to rounding.
    """
    return answer_of(joint, "choices")


def row_scores(joint: Floats, part: Encoded, scoring: str) -> float:
    """The summed score of rows with ``ln P(class, row)``: more is better.

    "accuracy": 1 where the most probable class (of equal ones the first) is the true one.
    "log_loss": the logarithm of the true class's probability.
    """
    require_choice("scoring", scoring, SCORINGS)
    assert part.target is not None
    scores: Floats
    if scoring == "accuracy":
        scores = (most_probable(joint) == part.target).astype(np.float64)
    else:
        scores = np.take_along_axis(joint, part.target[:, None].astype(np.intp), axis=1)[:, 0]
        scores = scores - np.logaddexp.reduce(joint, axis=1)
    return float(scores.sum() if part.weights is None else (scores * part.weights).sum())


def area(scores: Floats, positive: NDArray[np.bool_], weights: Floats | None = None) -> float:
    """The area under the ROC curve: how often a positive row has more; ties count half.

    ``(R - n(n + 1)/2) / (n m)``, R the sum of the ranks of the n positive rows among all, m the
    number of other rows (Mann & Whitney 1947; Hanley & McNeil 1982). NaN without either.
    """
    _, place = np.unique(scores, return_inverse=True)
    own = np.bincount(place, positive if weights is None else weights * positive)
    other = np.bincount(place, weights) - own
    pairs = own.sum() * other.sum()
    below = np.cumsum(other) - 0.5 * other
    return float((own * below).sum() / pairs) if pairs > 0 else math.nan


def mean_area(joint: Floats, part: Encoded) -> float:
    """The mean of the areas under the ROC curves, each class against the rest, by its log-odds.

    Classes that all or no rows have are left out; 0.5 where none is left.
    """
    assert part.target is not None
    classes = joint.shape[1]
    first = 1 if classes == 2 else 0  # the areas of two classes are equal
    areas = [
        area(_log_odds(joint, c), part.target == c, part.weights) for c in range(first, classes)
    ]
    known = [own for own in areas if not math.isnan(own)]
    return float(np.mean(known)) if known else 0.5


def _log_odds(joint: Floats, c: int) -> Floats:
    rest = np.logaddexp.reduce(np.delete(joint, c, axis=1), axis=1)
    odds: Floats = np.round(joint[:, c] - rest, ODDS_DIGITS)
    return odds


def fill_impossible(joint: Floats, prior: Floats) -> Floats:
    """Joint log-probabilities in which rows impossible under every class have the classes' own."""
    if not joint.size or joint.min() > -np.inf:
        return joint
    impossible = np.isneginf(joint).all(axis=1, keepdims=True)
    return np.where(impossible, prior, joint)


def network_score(
    network: BayesianNetwork, counts: CountSource, scoring: str = "accuracy"
) -> float:
    """The mean score of a network's predictions of the rows behind the counts."""

    def measure(part: Encoded) -> float:
        joint = network.log_joint(part, counts.threads)
        return row_scores(joint, part, scoring)

    summed: float = counts.reduce(measure, operator.add)
    return summed / counts.total
