"""Convergence of Markov chains: split R-hat, effective sample size and Monte Carlo error.

A. Gelman et al. (2013). Bayesian Data Analysis, third edition, sections 11.4 and 11.5. The sum of
autocorrelations ends as in C. J. Geyer (1992). Practical Markov chain Monte Carlo. Statistical
Science 7. Whether chains differ by more than chance is a permutation test, as in M. J. Anderson
(2001). A new method for non-parametric multivariate analysis of variance. Austral Ecology 26.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from bayesgrove.kernels import Floats

MAX_R_HAT = 1.1
"""Markov chains with a larger R-hat may not have mixed."""
PERMUTATIONS = 200
"""Number of random exchanges of draws that show which R-hat is due to chance."""
LEVEL = 0.0125
"""Share of the exchanges that may exceed the limit. Four ratios are tested, so 1 in 20 together."""
TOLERANCE = 1.5
"""A ratio of variances may be so much larger than by chance: successive draws are correlated."""


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


def chains_differ(draws: Floats) -> bool:
    """Return whether chains, and halves of chains, differ by more than chance.

    R-hat grows with the ratio of the variance between the halves of the chains to the variance
    within them. With few draws the ratio varies much, and the largest one of many quantities even
    more, whether the chains have mixed or not. Two ratios are therefore compared with those after
    random exchanges of all draws: the largest ratio of a quantity, and the ratio of the sums of
    variances over all quantities. A ratio is too large if it is above 1.5 times the limit that 1 in
    80 exchanges exceed, and if R-hat is above 1.1 with it.

    Parameters
    ----------
    draws : ndarray of shape (n_chains, n_draws, n_quantities)
        The quantities in each draw of each chain; at least four draws per chain.

    Returns
    -------
    bool
        Whether at least one ratio is too large.
    """
    random = np.random.default_rng(0)
    flat = draws.reshape(-1, draws.shape[2])
    ratios = _variance_ratios(draws)
    by_chance = [
        _variance_ratios(flat[random.permutation(len(flat))].reshape(draws.shape))
        for _ in range(PERMUTATIONS)
    ]
    limits = TOLERANCE * np.quantile(by_chance, 1.0 - LEVEL, axis=0, method="higher")
    least = 1.0 + (MAX_R_HAT**2 - 1.0) * (draws.shape[1] // 2)
    return bool((ratios > np.maximum(limits, least)).any())


def _variance_ratios(draws: Floats) -> Floats:
    """Return the ratio of the variances between and within halves: the largest, and of the sums.

    It is 1 on average for independent draws. R-hat is the root of ``(n - 1 + ratio) / n``, where n
    is the number of draws in a half.
    """
    halves = _split(draws)
    between = halves.mean(axis=1).var(axis=0, ddof=1) * halves.shape[1]
    within = halves.var(axis=1, ddof=1).mean(axis=0)
    between, within = np.append(between, between.sum()), np.append(within, within.sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.nan_to_num(between / within, nan=0.0, posinf=np.inf)
    return np.array([ratios.max(), ratios[-1]])


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
