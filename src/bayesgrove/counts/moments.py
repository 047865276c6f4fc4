"""Weight, mean and variance of numbers within each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Floats


@dataclass(frozen=True)
class Moments:
    """Weights, means and squared deviations of continuous columns within each class.

    Parameters
    ----------
    weight : ndarray of shape (n_classes, n_columns)
        Sums of the weights of the rows in which the column is known.
    mean : ndarray of shape (n_classes, n_columns)
        Weighted means.
    squares : ndarray of shape (n_classes, n_columns)
        Weighted sums of squared deviations from the mean.
    """

    weight: Floats
    mean: Floats
    squares: Floats

    @classmethod
    def none(cls, n_classes: int) -> Moments:
        """Return moments without columns."""
        return cls(*(np.zeros((n_classes, 0)) for _ in range(3)))

    def select(self, columns: list[int]) -> Moments:
        """Return the moments of some of the columns."""
        return Moments(*(part[:, columns] for part in (self.weight, self.mean, self.squares)))

    def merge(self, other: Moments) -> Moments:
        """Return the moments of two parts together (Chan, Golub and LeVeque 1979)."""
        weight = self.weight + other.weight
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=weight > 0)
        shift = other.mean - self.mean
        mean = self.mean + shift * share
        squares = self.squares + other.squares + shift**2 * self.weight * share
        return Moments(weight, mean, squares)

    def pooled(self) -> Moments:
        """Return the moments of all classes together, of shape (1, n_columns)."""
        total = Moments(*(part[:1] for part in (self.weight, self.mean, self.squares)))
        for c in range(1, len(self.weight)):
            row = slice(c, c + 1)
            total = total.merge(Moments(self.weight[row], self.mean[row], self.squares[row]))
        return total


def count_moments(encoded: Encoded, steps: Sequence[float] | None = None) -> Moments:
    """Return the moments of the continuous columns of some rows, without missing values.

    With ``steps``, the numbers are rounded to multiples of the step of their column; the step 0
    leaves them unchanged.
    """
    assert encoded.target is not None
    weights = np.ones(encoded.rows) if encoded.weights is None else encoded.weights
    shape = (encoded.n_classes, len(encoded.continuous))
    moments = Moments(np.zeros(shape), np.zeros(shape), np.zeros(shape))
    for j, numbers in enumerate(encoded.continuous):
        values = on_grid(numbers, 0.0 if steps is None else float(steps[j]))
        present = ~np.isnan(values)
        for c in range(encoded.n_classes):
            rows = present & (encoded.target == c)
            weight = weights[rows]
            total = weight.sum()
            if total > 0:
                # Values are taken relative to the smallest one: moments of a constant are exact.
                # Sums of values that are a few units of the last place apart need no rounding, so
                # the order of the rows does not matter.
                origin = values[rows].min()
                with np.errstate(over="ignore", invalid="ignore"):
                    shifted = values[rows] - origin
                    # For long columns, @ would start threads, which wait where cores are busy.
                    mean = (weight * shifted).sum() / total
                    if not np.isfinite(mean):
                        mean = (weight / total * shifted).sum()
                    squares = (weight * (shifted - mean) ** 2).sum()
                moments.weight[c, j] = total
                moments.mean[c, j] = origin + mean
                moments.squares[c, j] = squares
    return moments


def on_grid(values: Floats, step: float) -> Floats:
    """Return numbers rounded to multiples of a step; a step of 0 leaves them unchanged."""
    return values if step == 0 else np.rint(values / step) * step
