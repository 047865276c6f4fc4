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
"""Lower bound of variances: it keeps the density of a constant column finite."""
LARGEST = 1e150
"""Numbers are clipped to this absolute value, whose square is still finite."""
BLOCK_CELLS = 1 << 14
"""Densities are computed for blocks of rows with about this number of cells."""
LOWEST = math.log(1e-75)
"""Lower bound of the weighted log probability of a rounded number; smaller ones count as this."""


@dataclass(frozen=True)
class Normals:
    """Normal densities of numeric columns, one per class and column.

    In a column with the step 0, a number has a density. In a column with a larger step, a number is
    first rounded to a multiple of the step. It then has a probability: that the normal variable
    lies within half a step of the rounded number.

    Parameters
    ----------
    means : ndarray of shape (n_classes, n_columns)
        Means within each class.
    variances : ndarray of shape (n_classes, n_columns)
        Variances within each class.
    steps : ndarray of shape (n_columns,)
        Precision of every column: the numbers are rounded to multiples of the step. The value 0
        means that the numbers are not rounded.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.parameters import Normals
    >>> normals = Normals(np.array([[0.0], [4.0]]), np.ones((2, 1)), np.zeros(1))
    >>> normals.terms(0, np.array([1.0, 3.5])).argmax(axis=1).tolist()
    [0, 1]
    """

    means: Floats
    variances: Floats
    steps: Floats

    @classmethod
    def concatenate(cls, parts: Sequence[Normals]) -> Normals:
        """Return the densities of all columns of several parts, side by side.

        Parameters
        ----------
        parts : sequence of Normals
            Densities of different columns for the same classes.

        Returns
        -------
        Normals
            Densities of all columns, in the order of the parts.
        """
        return cls(
            np.concatenate([part.means for part in parts], axis=1),
            np.concatenate([part.variances for part in parts], axis=1),
            np.concatenate([part.steps for part in parts]),
        )

    def add_to(
        self, joint: Floats, columns: Sequence[Floats], weights: Floats | None = None
    ) -> None:
        """Add the log densities of all columns to ``joint``, in the order of the columns.

        Parameters
        ----------
        joint : ndarray of shape (n_rows, n_classes)
            Log probabilities, which are changed in place.
        columns : sequence of ndarray of shape (n_rows,)
            Numbers, one array per column; NaN stands for a missing value, which adds 0.
        weights : ndarray of shape (n_columns,) or None, default=None
            Factors of the log densities, one per column. None means 1 for all columns.
        """
        if not columns:
            return
        factors = np.ones(len(columns)) if weights is None else weights
        step = max(1, BLOCK_CELLS // self.means.size)
        for start in range(0, len(joint), step):
            part = joint[start : start + step]
            for terms in self._all_terms(
                [column[start : start + step] for column in columns], factors
            ):
                part += terms.T

    def _all_terms(self, columns: Sequence[Floats], weights: Floats) -> Sequence[Floats]:
        """Return the weighted log densities per column, each of shape (classes, rows)."""
        if self.steps.any():
            pairs = zip(columns, weights.tolist(), strict=True)
            return [self.terms(at, column, weight).T for at, (column, weight) in enumerate(pairs)]
        clipped = np.clip(np.stack(columns), -LARGEST, LARGEST)[:, None, :]
        mean, variance = self.means.T[:, :, None], self.variances.T[:, :, None]
        logs: Floats = np.log(2.0 * np.pi * variance) + (clipped - mean) ** 2 / variance
        logs *= (-0.5 * weights)[:, None, None]
        return list(np.where(np.isnan(clipped), 0.0, logs))

    def terms(self, at: int, values: Floats, weight: float = 1.0) -> Floats:
        """Return ``weight ln p(value | class)`` for the values of one column.

        Parameters
        ----------
        at : int
            Number of the column.
        values : ndarray of shape (n_rows,)
            Numbers of the column; NaN stands for a missing value.
        weight : float, default=1.0
            Factor of the log densities.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            One term per row and class; 0 where the value is missing.
        """
        clipped = np.clip(values, -LARGEST, LARGEST)
        mean, variance, step = self.means[:, [at]], self.variances[:, [at]], self.steps[at]
        if step > 0:
            logs = np.maximum(weight * _log_shares(clipped, mean, variance, step), LOWEST)
        else:
            logs = np.log(2.0 * np.pi * variance) + (clipped - mean) ** 2 / variance
            logs *= -0.5 * weight
        return np.where(np.isnan(clipped), 0.0, logs).T


def gaussian(moments: Moments, var_smoothing: float) -> Normals:
    """Return normal densities with smoothed variances.

    Every variance is increased by ``var_smoothing`` times the largest variance of a column, taken
    over all classes together. A class without values of a column has the moments of all classes
    together.
    """
    means, variances, overall = _plain(moments)
    largest = overall.max(initial=0.0)
    floor = max(var_smoothing * (largest if largest > 0 else 1.0), TINY_VARIANCE)
    return Normals(means, variances + floor, np.zeros(means.shape[1]))


def rounded(moments: Moments, steps: Floats) -> Normals:
    """Return probabilities of rounded numbers, as in WEKA's naive Bayes.

    ``moments`` are the moments of the rounded numbers. ``steps`` are the mean gaps between adjacent
    distinct values. A standard deviation is at least a sixth of the step: the value itself then has
    nearly all of the probability.
    """
    means, variances, _ = _plain(moments)
    floor = np.maximum((steps / 6.0) ** 2, TINY_VARIANCE)
    return Normals(means, np.maximum(variances, floor), steps)


def _plain(moments: Moments) -> tuple[Floats, Floats, Floats]:
    """Return means and variances within each class, and variances over all classes."""
    pooled = moments.pooled()
    overall = pooled.squares / np.maximum(pooled.weight, 1e-300)
    seen = moments.weight > 0
    variances = np.where(seen, moments.squares / np.where(seen, moments.weight, 1.0), overall)
    return np.where(seen, moments.mean, pooled.mean), variances, overall


def _log_shares(values: Floats, mean: Floats, variance: Floats, step: float) -> Floats:
    """Return ``ln P`` of the interval of one step around each value."""
    centre = (on_grid(values, step) - mean) / np.sqrt(variance)
    half = 0.5 * step / np.sqrt(variance)
    centre = -np.abs(centre)  # The lower tail has no loss of precision.
    with np.errstate(divide="ignore", under="ignore"):
        logs: Floats = np.log(ndtr(centre + half) - ndtr(centre - half))
    return logs
