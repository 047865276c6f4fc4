"""Multinomial logistic regression with a ridge penalty (le Cessie and van Houwelingen 1992)."""

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
"""An input is constant if it varies by less than this share of its largest absolute value."""
SMALLEST = 1e-100
"""An input is constant if it varies by less than this: its coefficients would overflow."""
DEPENDENT = 1e-10
"""A direction of the inputs is dropped if its spread is less than this share of the largest."""
BLOCK = 1 << 21
"""Maximum number of cells of the arrays from which the second derivatives are computed."""


@dataclass(frozen=True)
class Logistic:
    """A fitted logistic regression.

    ``P(class | x)`` is proportional to ``exp(intercept + coefficients (x - centre))``.

    Parameters
    ----------
    centre : ndarray of shape (n_inputs,)
        Means of the inputs.
    coefficients : ndarray of shape (n_classes, n_inputs)
        Coefficients of the inputs. They are 0 for the last class that has rows, which is the
        reference of the other classes, and for classes without rows.
    intercepts : ndarray of shape (n_classes,)
        Intercept of every class at the centre; minus infinity for a class without rows.

    References
    ----------
    S. le Cessie and J. C. van Houwelingen (1992). Ridge estimators in logistic regression. Applied
    Statistics 41.
    """

    centre: Floats
    coefficients: Floats
    intercepts: Floats

    def log_proba(self, inputs: Floats) -> Floats:
        """Return the log probabilities of the classes, ``ln P(class | x)``.

        Parameters
        ----------
        inputs : ndarray of shape (n_rows, n_inputs)
            Finite numbers.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            One log probability per row and class.
        """
        scores = self.coefficients @ (inputs - self.centre).T + self.intercepts[:, None]
        return _log_shares(scores).T


def fit_logistic(
    inputs: Floats,
    target: NDArray[Any],
    n_classes: int,
    ridge: float = 1e-8,
    weights: Floats | None = None,
) -> Logistic:
    """Return the logistic regression that minimises ``-sum w ln P(class | x) + ridge sum b^2``.

    Here w are the weights of the rows, and b are the coefficients. The penalty is on the
    coefficients, not on the intercepts. The coefficients b belong to inputs that are scaled to mean
    0 and sample standard deviation 1 (with the divisor n - 1). Constant inputs have the coefficient
    0. WEKA's Logistic minimises the same function, but stops at a gradient of 1e-6: if the classes
    are separable, it stops before the minimum.

    Parameters
    ----------
    inputs : ndarray of shape (n_rows, n_inputs)
        Finite numbers.
    target : ndarray of shape (n_rows,)
        Codes of the classes.
    n_classes : int
        Number of classes.
    ridge : float, default=1e-8
        Weight of the penalty, at least 0. With the value 0 and separable classes, the coefficients
        grow until the minimised function no longer changes.
    weights : ndarray of shape (n_rows,) or None, default=None
        Positive weights of the rows. A row of weight 2 counts like two equal rows. None means a
        weight of 1 for all rows.

    Returns
    -------
    Logistic
        The fitted regression.

    References
    ----------
    S. le Cessie and J. C. van Houwelingen (1992). Ridge estimators in logistic regression. Applied
    Statistics 41.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.parameters import fit_logistic
    >>> inputs = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> model = fit_logistic(inputs, np.array([0, 1, 0, 1]), 2, ridge=0.1)
    >>> model.log_proba(inputs).argmax(axis=1).tolist()
    [0, 0, 1, 1]
    """
    require_number("ridge", ridge, lowest=0)
    weights = np.ones(len(target)) if weights is None else weights
    present, target = np.unique(target, return_inverse=True)
    centre, scale = _standard(inputs, weights)
    standard = (inputs - centre) / scale
    axes = _axes(standard)
    design = np.vstack([np.ones(len(target)), axes @ standard.T])
    fitted = minimise(_Objective(design, target, len(present), ridge, weights))
    coefficients = np.zeros((n_classes, inputs.shape[1]))
    intercepts = np.full(n_classes, -np.inf)
    coefficients[present[:-1]] = fitted[:, 1:] @ axes / scale
    intercepts[present] = np.append(fitted[:, 0], 0.0)
    return Logistic(centre, coefficients, intercepts)


def _standard(inputs: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return means and standard deviations of the inputs.

    The standard deviation of a constant is infinite, so that the scaled input is 0.
    """
    total = weights.sum()
    centre = weights @ inputs / total
    squares = weights @ (inputs - centre) ** 2
    freedom = max(total - 1.0, total / 2.0)  # Weights may sum to less than 2.
    low = np.maximum(CONSTANT * np.abs(inputs).max(axis=0), SMALLEST)
    return centre, np.where(np.ptp(inputs, axis=0) > low, np.sqrt(squares / freedom), np.inf)


def _axes(standard: Floats) -> Floats:
    """Return orthogonal directions that span the rows; the best coefficients lie in their span.

    Inputs may be linearly dependent: inputs that are probabilities sum to 1.
    """
    _, spread, axes = np.linalg.svd(standard, full_matrices=False)
    kept: Floats = axes[spread > DEPENDENT * spread.max(initial=0.0)]
    return kept


@dataclass(frozen=True)
class _Objective:
    """Penalised negative log-likelihood of parameters of shape (classes - 1, 1 + directions).

    ``design`` has one column per row of the data; its first row is all ones.
    """

    design: Floats
    target: NDArray[np.intp]
    n_classes: int
    ridge: float
    weights: Floats

    def start(self) -> Point:
        """Return zero coefficients, with intercepts that give the class frequencies.

        Each class count is increased by 1.
        """
        counts = np.bincount(self.target, self.weights) + 1.0
        parameters = np.zeros((self.n_classes - 1, len(self.design)))
        parameters[:, 0] = np.log(counts[:-1] / counts[-1])
        return self.point(parameters)

    def point(self, parameters: Floats) -> Point:
        """Return the parameters with their objective value and log probabilities."""
        scores = np.zeros((self.n_classes, len(self.target)))
        np.matmul(parameters, self.design, out=scores[:-1])
        logs = _log_shares(scores)
        true_logs = logs[self.target, np.arange(len(self.target))]
        penalty = self.ridge * (parameters[:, 1:] ** 2).sum()
        return Point(parameters, float(penalty - self.weights @ true_logs), logs)

    @property
    def rounding(self) -> float:
        """Differences of objective values below this number are rounding errors."""
        return 1e-16 * float(self.weights.sum())

    def derivatives(self, at: Point) -> tuple[Floats, Floats]:
        """Return the gradient, in the shape of the parameters, and the square Hessian matrix."""
        p = np.exp(at.kept)
        return self._gradient(at.parameters, p), self._hessian(p[:-1])

    def _gradient(self, parameters: Floats, p: Floats) -> Floats:
        """Return the gradient from the class probabilities ``p[class, row]``."""
        excess = p.copy()
        excess[self.target, np.arange(len(self.target))] -= 1.0
        excess *= self.weights
        slopes: Floats = excess[:-1] @ self.design.T
        slopes[:, 1:] += 2.0 * self.ridge * parameters[:, 1:]
        return slopes

    def _hessian(self, p: Floats) -> Floats:
        """Return the Hessian matrix, summed over blocks of rows to bound memory."""
        classes, inputs = len(p), len(self.design)
        size = classes * inputs
        hessian, second_moments = np.zeros((size, size)), np.zeros((classes, inputs * inputs))
        roots = np.sqrt(self.weights)
        step = max(1, BLOCK // max(size, inputs * inputs))
        for first in range(0, len(self.target), step):
            rows = slice(first, first + step)
            design, part = roots[rows] * self.design[:, rows], p[:, rows]
            products = (part[:, None] * design).reshape(size, -1)
            hessian -= products @ products.T
            second_moments += part @ (design[:, None] * design).reshape(inputs * inputs, -1).T
        cells, each = hessian.reshape(classes, inputs, classes, inputs), np.arange(classes)
        cells[each, :, each, :] += second_moments.reshape(classes, inputs, inputs)
        np.einsum("ijij->ij", cells)[:, 1:] += 2.0 * self.ridge
        return hessian


def _log_shares(scores: Floats) -> Floats:
    """Return the log of the softmax of scores over the classes, which are the first axis."""
    shifted: Floats = scores - scores.max(axis=0)
    shifted -= np.log(np.exp(shifted).sum(axis=0))
    return shifted
