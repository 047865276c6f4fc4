"""Multinomial logistic regression with a ridge (le Cessie & van Houwelingen 1992), as in WEKA."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove._utils.options import require_number
from bayesgrove.parameters.newton import Point, minimise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.kernels import Floats

CONSTANT = 1e-12
"""An input that varies by less than this share of its largest value is constant."""
SMALLEST = 1e-100
"""An input that varies by less than this is constant: its coefficients would leave the floats."""
DEPENDENT = 1e-10
"""A direction of the inputs with less than this share of the largest spread is no direction."""
BLOCK = 1 << 21
"""Cells of the largest array that a second derivative needs."""


@dataclass(frozen=True)
class Logistic:
    """``P(class | x)`` is proportional to ``exp(intercept + coefficients (x - centre))``.

    Parameters
    ----------
    centre : means of the inputs
    coefficients : shape (classes, inputs); 0 for the last class, which the others refer to
    intercepts : of every class at the centre; minus infinity for a class without rows
    """

    centre: Floats
    coefficients: Floats
    intercepts: Floats

    def log_proba(self, inputs: Floats) -> Floats:
        """``ln P(class | x)``, shape (rows, classes)."""
        scores = self.coefficients @ (inputs - self.centre).T + self.intercepts[:, None]
        return _log_shares(scores).T


def fit_logistic(
    inputs: Floats,
    target: NDArray[Any],
    n_classes: int,
    ridge: float = 1e-8,
    weights: Floats | None = None,
) -> Logistic:
    """The regression that minimises ``-sum w ln P(class | x) + ridge sum b^2``.

    b are the coefficients, not the intercepts, of inputs of mean 0 and standard deviation 1
    (of a sample: n - 1). Constant inputs have the coefficient 0. WEKA's Logistic minimises the same
    and stops at a gradient of 1e-6: where classes are separable, before the minimum.

    Parameters
    ----------
    inputs : finite numbers, shape (rows, inputs)
    target : codes of the classes
    ridge : at least 0; without one, coefficients of separable classes grow until nothing changes
    weights : positive weights of the rows; weight 2 is the row twice
    """
    require_number("ridge", ridge, lowest=0)
    weights = np.ones(len(target)) if weights is None else weights
    present, target = np.unique(target, return_inverse=True)
    centre, scale = _standard(inputs, weights)
    standard = (inputs - centre) / scale
    axes = _axes(standard)
    design = np.vstack([np.ones(len(target)), axes @ standard.T])
    found = minimise(_Objective(design, target, len(present), ridge, weights))
    coefficients = np.zeros((n_classes, inputs.shape[1]))
    intercepts = np.full(n_classes, -np.inf)
    coefficients[present[:-1]] = found[:, 1:] @ axes / scale
    intercepts[present] = np.append(found[:, 0], 0.0)
    return Logistic(centre, coefficients, intercepts)


def _standard(inputs: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Means and standard deviations; infinity for a constant, so that it becomes 0."""
    total = weights.sum()
    centre = weights @ inputs / total
    squares = weights @ (inputs - centre) ** 2
    freedom = max(total - 1.0, total / 2.0)  # weights may sum to less than 2
    low = np.maximum(CONSTANT * np.abs(inputs).max(axis=0), SMALLEST)
    return centre, np.where(np.ptp(inputs, axis=0) > low, np.sqrt(squares / freedom), np.inf)


def _axes(standard: Floats) -> Floats:
    """Orthogonal directions that span the rows: the best coefficients have no other part.

    Probabilities sum to 1, so that the inputs depend on each other.
    """
    _, spread, axes = np.linalg.svd(standard, full_matrices=False)
    kept: Floats = axes[spread > DEPENDENT * spread.max(initial=0.0)]
    return kept


@dataclass(frozen=True)
class _Objective:
    """The penalised likelihood of parameters of shape (classes - 1, 1 + directions).

    ``design`` has the rows as columns, the first of their values being 1.
    """

    design: Floats
    target: NDArray[np.intp]
    n_classes: int
    ridge: float
    weights: Floats

    def start(self) -> Point:
        """No coefficients, and intercepts that give the class frequencies."""
        counts = np.bincount(self.target, self.weights) + 1.0
        parameters = np.zeros((self.n_classes - 1, len(self.design)))
        parameters[:, 0] = np.log(counts[:-1] / counts[-1])
        return self.point(parameters)

    def point(self, parameters: Floats) -> Point:
        """What parameters come to."""
        scores = np.zeros((self.n_classes, len(self.target)))
        np.matmul(parameters, self.design, out=scores[:-1])
        logs = _log_shares(scores)
        own = logs[self.target, np.arange(len(self.target))]
        penalty = self.ridge * (parameters[:, 1:] ** 2).sum()
        return Point(parameters, float(penalty - self.weights @ own), logs)

    @property
    def rounding(self) -> float:
        """Differences of values below this tell nothing."""
        return 1e-16 * float(self.weights.sum())

    def derivatives(self, at: Point) -> tuple[Floats, Floats]:
        """The first, in the shape of the parameters, and the second, a square matrix."""
        p = np.exp(at.kept)
        return self._gradient(at.parameters, p), self._hessian(p[:-1])

    def _gradient(self, parameters: Floats, p: Floats) -> Floats:
        excess = p.copy()
        excess[self.target, np.arange(len(self.target))] -= 1.0
        excess *= self.weights
        slopes: Floats = excess[:-1] @ self.design.T
        slopes[:, 1:] += 2.0 * self.ridge * parameters[:, 1:]
        return slopes

    def _hessian(self, p: Floats) -> Floats:
        classes, inputs = len(p), len(self.design)
        size = classes * inputs
        found, own = np.zeros((size, size)), np.zeros((classes, inputs * inputs))
        roots = np.sqrt(self.weights)
        step = max(1, BLOCK // max(size, inputs * inputs))
        for first in range(0, len(self.target), step):
            rows = slice(first, first + step)
            design, part = roots[rows] * self.design[:, rows], p[:, rows]
            products = (part[:, None] * design).reshape(size, -1)
            found -= products @ products.T
            own += part @ (design[:, None] * design).reshape(inputs * inputs, -1).T
        cells, each = found.reshape(classes, inputs, classes, inputs), np.arange(classes)
        cells[each, :, each, :] += own.reshape(classes, inputs, inputs)
        np.einsum("ijij->ij", cells)[:, 1:] += 2.0 * self.ridge
        return found


def _log_shares(scores: Floats) -> Floats:
    """Logarithms of ``exp(score)`` as shares of their sum over the classes, which come first."""
    shifted: Floats = scores - scores.max(axis=0)
    shifted -= np.log(np.exp(shifted).sum(axis=0))
    return shifted
