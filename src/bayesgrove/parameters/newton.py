"""Newton's method for convex functions whose curvature may vanish."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

if TYPE_CHECKING:
    from bayesgrove.kernels import Floats

STEPS = 200
"""Steps at most; ten are usual."""
ENOUGH = 1e-12
"""A step that promises less than this share of the value is the last."""
FARTHEST = 1e6
"""No parameter goes farther in one step; without curvature it would leave the floats."""
SHORTEST = 1e-10
"""A smaller share of a step goes nowhere."""


class Point(NamedTuple):
    """Parameters, the value there, and what the objective keeps to make derivatives of."""

    parameters: Floats
    value: float
    kept: Any


class Objective(Protocol):
    """What is to be minimised."""

    @property
    def rounding(self) -> float:
        """Differences of values below this tell nothing."""

    def start(self) -> Point:
        """Where to begin."""

    def point(self, parameters: Floats) -> Point:
        """What parameters come to."""

    def derivatives(self, at: Point) -> tuple[Floats, Floats]:
        """The first, in the shape of the parameters, and the second, a square matrix."""


def minimise(objective: Objective) -> Floats:
    """The parameters of the smallest value."""
    here = objective.start()
    if not here.parameters.size:
        return here.parameters
    for _ in range(STEPS):
        gradient, hessian = objective.derivatives(here)
        step = _newton_step(gradient, hessian)
        promised = -float((gradient * step).sum())
        if promised <= objective.rounding + ENOUGH * here.value:
            return here.parameters + step
        there = _walk(objective, here, step, promised)
        if there is None:
            break
        here = there
    return here.parameters


def _walk(objective: Objective, here: Point, step: Floats, promised: float) -> Point | None:
    """As far along a step as it goes down; None where it does not.

    Coefficients of separable classes have a long way to go, and every step is one unit of it: one
    that gives more than a parabola would is doubled as long as that goes on.
    """

    def at(length: float) -> Point:
        return objective.point(here.parameters + length * step)

    length, there = 1.0, at(1.0)
    if here.value - there.value > 0.55 * promised:
        while (further := at(2.0 * length)).value < there.value:
            length, there = 2.0 * length, further
        return there
    while there.value > here.value - 1e-4 * length * promised:
        length /= 2.0
        if length < SHORTEST:
            return None
        there = at(length)
    return there


def _newton_step(gradient: Floats, hessian: Floats) -> Floats:
    """``-H^-1 g``, with as much added to the diagonal as makes it a way down."""
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
            found: Floats = step.reshape(gradient.shape)
            return found
