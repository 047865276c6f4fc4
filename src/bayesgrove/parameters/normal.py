"""Normal densities of numeric columns within each class."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr

from bayesgrove.counts import on_grid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.counts import Moments
    from bayesgrove.kernels import Floats

TINY_VARIANCE = 1e-300
"""Keeps the density of a constant finite where nothing else does."""
LARGEST = 1e150
"""Numbers whose squares are still finite; farther ones count as this."""
BLOCK_CELLS = 1 << 14
"""Densities are worked out for so many rows at a time that they have about so many cells."""
LOWEST = math.log(1e-75)
"""The logarithm of the smallest probability of a rounded number: none decides beyond it."""


@dataclass(frozen=True)
class Normals:
    """Means and variances, shape (classes, columns), and the precision of every column.

    A column of precision 0 has a density. Another one has the probability that the normal variable
    comes to lie within half a step of the number, rounded to whole steps.
    """

    means: Floats
    variances: Floats
    steps: Floats

    @classmethod
    def beside(cls, parts: Sequence[Normals]) -> Normals:
        """The densities of columns that were learned apart."""
        return cls(
            np.concatenate([part.means for part in parts], axis=1),
            np.concatenate([part.variances for part in parts], axis=1),
            np.concatenate([part.steps for part in parts]),
        )

    def add_to(
        self, joint: Floats, columns: Sequence[Floats], weights: Floats | None = None
    ) -> None:
        """Add the terms of all columns to ``joint[row, class]``, in the order of the columns."""
        if not columns:
            return
        times = np.ones(len(columns)) if weights is None else weights
        step = max(1, BLOCK_CELLS // self.means.size)
        for start in range(0, len(joint), step):
            part = joint[start : start + step]
            for terms in self._all_terms([own[start : start + step] for own in columns], times):
                part += terms.T

    def _all_terms(self, columns: Sequence[Floats], weights: Floats) -> Sequence[Floats]:
        """Return the terms per column, shape (classes, rows)."""
        if self.steps.any():
            pairs = zip(columns, weights.tolist(), strict=True)
            return [self.terms(at, own, weight).T for at, (own, weight) in enumerate(pairs)]
        clipped = np.clip(np.stack(columns), -LARGEST, LARGEST)[:, None, :]
        mean, variance = self.means.T[:, :, None], self.variances.T[:, :, None]
        logs: Floats = np.log(2.0 * np.pi * variance) + (clipped - mean) ** 2 / variance
        logs *= (-0.5 * weights)[:, None, None]
        return list(np.where(np.isnan(clipped), 0.0, logs))

    def terms(self, at: int, values: Floats, weight: float = 1.0) -> Floats:
        """``weight ln p(value | class)`` of a column, shape (rows, classes); 0 where missing."""
        clipped = np.clip(values, -LARGEST, LARGEST)
        mean, variance, step = self.means[:, [at]], self.variances[:, [at]], self.steps[at]
        if step > 0:
            logs = np.maximum(weight * _log_shares(clipped, mean, variance, step), LOWEST)
        else:
            logs = np.log(2.0 * np.pi * variance) + (clipped - mean) ** 2 / variance
            logs *= -0.5 * weight
        return np.where(np.isnan(clipped), 0.0, logs).T


def gaussian(moments: Moments, var_smoothing: float) -> Normals:
    """Densities; ``var_smoothing`` of the largest variance is added to every variance.

    A class without values of a column gets the moments of all classes.
    """
    means, variances, overall = _plain(moments)
    largest = overall.max(initial=0.0)
    floor = max(var_smoothing * (largest if largest > 0 else 1.0), TINY_VARIANCE)
    return Normals(means, variances + floor, np.zeros(means.shape[1]))


def rounded(moments: Moments, steps: Floats) -> Normals:
    """Probabilities of rounded numbers, whose moments are given; WEKA's naive Bayes.

    ``steps`` are the mean gaps between adjacent distinct values. A standard deviation is at least a
    sixth of the step: then the value itself has nearly all of the probability.
    """
    means, variances, _ = _plain(moments)
    floor = np.maximum((steps / 6.0) ** 2, TINY_VARIANCE)
    return Normals(means, np.maximum(variances, floor), steps)


def _plain(moments: Moments) -> tuple[Floats, Floats, Floats]:
    """Means and variances by class, and variances over all classes."""
    pooled = moments.pooled()
    overall = pooled.squares / np.maximum(pooled.weight, 1e-300)
    seen = moments.weight > 0
    variances = np.where(seen, moments.squares / np.where(seen, moments.weight, 1.0), overall)
    return np.where(seen, moments.mean, pooled.mean), variances, overall


def _log_shares(values: Floats, mean: Floats, variance: Floats, step: float) -> Floats:
    """``ln P`` of a step around each value."""
    centre = (on_grid(values, step) - mean) / np.sqrt(variance)
    half = 0.5 * step / np.sqrt(variance)
    centre = -np.abs(centre)  # the lower tail has all digits
    with np.errstate(divide="ignore", under="ignore"):
        logs: Floats = np.log(ndtr(centre + half) - ndtr(centre - half))
    return logs
