"""Class probabilities, or the most probable class, from joint log-probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from bayesgrove._utils.ties import MEAN_NOISE
from bayesgrove.kernels import kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.kernels import Floats

Answer = Literal["probabilities", "logarithms", "choices"]
"""The kind of prediction.

``"probabilities"`` is ``P(class | row)`` and ``"logarithms"`` is its logarithm, both of shape
(rows, classes). ``"choices"`` is the code of the most probable class per row.
"""


def answer_of(joint: Floats, answer: Answer, threads: int = 1) -> NDArray[Any]:
    """Return predictions of the given kind from joint log-probabilities ``joint[row, class]``."""
    if answer == "choices":
        return kernels.choices_of_joint(joint, MEAN_NOISE, threads)
    return kernels.probabilities_of_joint(joint, answer == "logarithms", threads)
