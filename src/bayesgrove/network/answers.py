"""What is asked of joint log-probabilities: the class probabilities, or the most probable class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from bayesgrove._utils.ties import MEAN_NOISE
from bayesgrove.kernels import kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.kernels import Floats

Answer = Literal["probabilities", "logarithms", "choices"]
"""``P(class | row)`` or its logarithm, shape (rows, classes); the most probable class per row."""


def answer_of(joint: Floats, answer: Answer, threads: int = 1) -> NDArray[Any]:
    """Return what is asked of joint log-probabilities ``[row, class]``."""
    if answer == "choices":
        return kernels.choices_of_joint(joint, MEAN_NOISE, threads)
    return kernels.probabilities_of_joint(joint, answer == "logarithms", threads)
