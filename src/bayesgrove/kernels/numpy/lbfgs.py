"""L-BFGS: minimisation of a smooth convex function of many numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from bayesgrove.kernels import Floats

HALVINGS = 12
"""Largest number of steps of one line search."""


class Minimum(NamedTuple):
    """The result of `minimise`."""

    x: Floats
    value: float
    converged: bool


def minimise(
    function: Callable[[Floats], tuple[float, Floats]],
    x: Floats,
    iterations: int,
    memory: int,
    first_step: float,
    tolerance: float,
) -> Minimum:
    """Minimise a function that returns its value and its gradient.

    The first step has the length of the gradient times ``first_step``, or at most 1 if
    ``first_step`` is 0. The result has converged if the last step gained nearly nothing, or if no
    step gained anything.
    """
    value, gradient = function(x)
    steps: list[tuple[Floats, Floats]] = []
    for _ in range(iterations):
        direction = _direction(gradient, steps, first_step)
        slope = -float(gradient @ direction)
        if not slope < -1e-12:
            return Minimum(x, value, bool(np.isfinite(slope)))
        length = 1.0
        for _ in range(HALVINGS):
            new_x = x - length * direction
            new_value, new_gradient = function(new_x)
            if new_value <= value + 1e-4 * length * slope:
                break
            length *= 0.4
        else:
            return Minimum(x, value, bool(np.isfinite(new_value)))
        step, change, gain = new_x - x, new_gradient - gradient, value - new_value
        x, value, gradient = new_x, new_value, new_gradient
        if step @ change > 1e-12:
            steps = [*steps, (step, change)][-memory:]
        if gain < tolerance * (abs(value) + 1e-3):
            return Minimum(x, value, True)
    return Minimum(x, value, False)


def _direction(gradient: Floats, steps: list[tuple[Floats, Floats]], first_step: float) -> Floats:
    """Return the gradient times the approximate inverse of the matrix of second derivatives."""
    direction = gradient.copy()
    shares = []
    for step, change in reversed(steps):
        share = (step @ direction) / (step @ change)
        shares.append(share)
        direction -= share * change
    scale = first_step
    if steps:
        step, change = steps[-1]
        scale = float((step @ change) / (change @ change))
    elif first_step <= 0:
        scale = min(1.0, 1.0 / (float(np.sqrt(gradient @ gradient)) + 1e-12))
    direction *= scale
    for (step, change), share in zip(steps, reversed(shares), strict=True):
        direction += step * (share - (change @ direction) / (step @ change))
    return direction
