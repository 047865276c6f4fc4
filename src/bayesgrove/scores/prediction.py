"""How well joint probabilities predict the class."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.options import require_choice

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Floats
    from bayesgrove.network import BayesianNetwork

SCORINGS = ("accuracy", "log_loss")
NOISE = 1e-12


def most_probable(joint: Floats) -> NDArray[np.intp]:
    """The class of the largest joint log-probability; of equal ones, up to rounding, the first."""
    top = joint.max(axis=1, keepdims=True)
    found: NDArray[np.intp] = (joint >= top - NOISE * (1.0 + np.abs(top))).argmax(axis=1)
    return found


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
    return float(scores.sum() if part.weights is None else scores @ part.weights)


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
