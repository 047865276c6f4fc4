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
    """Per class and column: summed weight, mean, sum of squared deviations from it."""

    weight: Floats
    mean: Floats
    squares: Floats

    @classmethod
    def none(cls, n_classes: int) -> Moments:
        """Moments of no column."""
        return cls(*(np.zeros((n_classes, 0)) for _ in range(3)))

    def select(self, columns: list[int]) -> Moments:
        """Moments of some of the columns."""
        return Moments(*(part[:, columns] for part in (self.weight, self.mean, self.squares)))

    def merge(self, other: Moments) -> Moments:
        """Moments of both parts together (Chan, Golub & LeVeque 1979)."""
        weight = self.weight + other.weight
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=weight > 0)
        shift = other.mean - self.mean
        mean = self.mean + shift * share
        squares = self.squares + other.squares + shift**2 * self.weight * share
        return Moments(weight, mean, squares)

    def pooled(self) -> Moments:
        """Moments over all classes together, shape (1, columns)."""
        total = Moments(*(part[:1] for part in (self.weight, self.mean, self.squares)))
        for c in range(1, len(self.weight)):
            here = slice(c, c + 1)
            total = total.merge(Moments(self.weight[here], self.mean[here], self.squares[here]))
        return total


def count_moments(encoded: Encoded, steps: Sequence[float] | None = None) -> Moments:
    """Moments of the continuous columns of some rows; missing values are left out.

    With ``steps`` those of the numbers rounded to whole steps of their column, where it has one.
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
                # Relative to one of the values: the moments of a constant are then exact.
                origin = values[rows][0]
                with np.errstate(over="ignore", invalid="ignore"):
                    shifted = values[rows] - origin
                    # No @: of long columns it starts threads, which wait where cores are busy.
                    mean = (weight / total * shifted).sum()
                    squares = (weight * (shifted - mean) ** 2).sum()
                moments.weight[c, j] = total
                moments.mean[c, j] = origin + mean
                moments.squares[c, j] = squares
    return moments


def on_grid(values: Floats, step: float) -> Floats:
    """Numbers rounded to whole steps; a step of 0 leaves them as they are."""
    return values if step == 0 else np.rint(values / step) * step
