"""Convergence of Markov chains: split R-hat, effective sample size and Monte Carlo error.

A. Gelman et al. (2013). Bayesian Data Analysis, third edition, sections 11.4 and 11.5. The sum of
autocorrelations ends as in C. J. Geyer (1992). Practical Markov chain Monte Carlo. Statistical
Science 7.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from bayesgrove.kernels import Floats


class Convergence(NamedTuple):
    """How well chains have mixed, measured by one number per draw.

    Parameters
    ----------
    r_hat : float
        Split R-hat: near 1 if all halves of all chains look alike, infinite if they differ and none
        of them moves.
    effective_size : float
        Number of independent draws whose mean is as certain as the mean of these draws.
    error : float
        Standard error of the mean over all draws.
    """

    r_hat: float
    effective_size: float
    error: float


def convergence(draws: Floats) -> Convergence:
    """Return R-hat, effective sample size and standard error of one quantity.

    Parameters
    ----------
    draws : ndarray of shape (n_chains, n_draws)
        The quantity in each draw of each chain; at least four draws per chain.

    Returns
    -------
    Convergence
        The three numbers.
    """
    halves = _split(draws)
    count, length = halves.shape
    within = float(halves.var(axis=1, ddof=1).mean())
    total = within * (length - 1) / length + float(halves.mean(axis=1).var(ddof=1))
    if total <= 1e-24 * max(float(np.abs(draws).max()), 1e-300) ** 2:  # only rounding differs
        return Convergence(1.0, float(draws.size), 0.0)
    correlations = 1.0 - (within - _autocovariances(halves).mean(axis=0)) / total
    size = count * length / _correlation_time(correlations)
    size = min(size, count * length * math.log10(count * length))
    r_hat = math.sqrt(total / within) if within > 0.0 else math.inf
    return Convergence(r_hat, size, math.sqrt(total / size))


def _split(draws: Floats) -> Floats:
    """Return both halves of every chain as chains; a draw in the middle is left out."""
    half = draws.shape[1] // 2
    return np.concatenate([draws[:, :half], draws[:, -half:]])


def _autocovariances(chains: Floats) -> Floats:
    """Return the autocovariances of each chain at the lags 0, 1, ..., by Fourier transform."""
    length = chains.shape[1]
    centred = chains - chains.mean(axis=1, keepdims=True)
    spectrum = np.fft.rfft(centred, 2 * length, axis=1)
    covariances: Floats = np.fft.irfft(np.abs(spectrum) ** 2, 2 * length, axis=1)[:, :length]
    covariances /= length - 1
    return covariances


def _correlation_time(correlations: Floats) -> float:
    """Return 1 plus twice the sum of the autocorrelations at positive lags.

    The sum is over pairs of lags (0 and 1, 2 and 3, ...). It ends before the first pair with a
    negative sum, and no pair counts more than the one before it (Geyer's monotone sequence).
    """
    pairs = correlations[: len(correlations) // 2 * 2].reshape(-1, 2).sum(axis=1)
    pairs[0] = max(pairs[0], 1e-300) if len(pairs) else 0.0
    negative = np.flatnonzero(pairs <= 0.0)
    pairs = pairs[: negative[0]] if len(negative) else pairs
    return max(2.0 * float(np.minimum.accumulate(pairs).sum()) - 1.0, 1e-3)
