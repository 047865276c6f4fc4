"""Newton's method for convex functions whose curvature may vanish."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

if TYPE_CHECKING:
    from bayesgrove.kernels import Floats

STEPS = 200
"""Maximum number of steps; ten are usual."""
ENOUGH = 1e-12
"""Iteration ends with a step whose expected decrease is less than this share of the value."""
FARTHEST = 1e6
"""Maximum change of a parameter in one step; without curvature it would overflow."""
SHORTEST = 1e-10
"""The line search gives up below this fraction of a step."""


class Point(NamedTuple):
    """Parameters, the objective value at them, and intermediate results.

    ``kept`` holds the intermediate results from which the objective computes derivatives.
    """

    parameters: Floats
    value: float
    kept: Any


class Objective(Protocol):
    """A function to minimise."""

    @property
    def rounding(self) -> float:
        """Differences of objective values below this number are rounding errors."""

    def start(self) -> Point:
        """Return the point from which the minimisation starts."""

    def point(self, parameters: Floats) -> Point:
        """Return the point at some parameters."""

    def derivatives(self, at: Point) -> tuple[Floats, Floats]:
        """Return the gradient, in the shape of the parameters, and the square Hessian matrix."""


def minimise(objective: Objective) -> Floats:
    """Return the parameters that minimise the objective."""
    current = objective.start()
    if not current.parameters.size:
        return current.parameters
    for _ in range(STEPS):
        gradient, hessian = objective.derivatives(current)
        step = _newton_step(gradient, hessian)
        expected = -float((gradient * step).sum())
        if expected <= objective.rounding + ENOUGH * current.value:
            return current.parameters + step
        following = _line_search(objective, current, step, expected)
        if following is None:
            break
        current = following
    return current.parameters


def _line_search(
    objective: Objective, current: Point, step: Floats, expected: float
) -> Point | None:
    """Return a point along a step with a clearly smaller value; None if there is no such point.

    Coefficients of separable classes have far to go, and each Newton step moves them by about one
    unit. A step that decreases the value by more than a parabola would is doubled while the value
    still decreases.
    """

    def at(length: float) -> Point:
        return objective.point(current.parameters + length * step)

    length, reached = 1.0, at(1.0)
    if current.value - reached.value > 0.55 * expected:
        while (further := at(2.0 * length)).value < reached.value:
            length, reached = 2.0 * length, further
        return reached
    while reached.value > current.value - 1e-4 * length * expected:
        length /= 2.0
        if length < SHORTEST:
            return None
        reached = at(length)
    return reached


def _newton_step(gradient: Floats, hessian: Floats) -> Floats:
    """Return ``-H^-1 g``; the diagonal of H is increased until the step is a descent direction."""
    slopes = gradient.ravel()
    damping, unit = 0.0, np.abs(hessian).max() + 1e-100
    while True:
        damped = hessian + damping * np.eye(len(slopes))
        damping = max(10.0 * damping, 1e-12 * unit)
        try:
            step = -cho_solve(cho_factor(damped, check_finite=False), slopes, check_finite=False)
        except LinAlgError:
            continue
        longest = np.abs(step).max()
        if np.isfinite(longest) and step @ slopes <= 0.0:
            step *= FARTHEST / max(longest, FARTHEST)
            shaped: Floats = step.reshape(gradient.shape)
            return shaped
