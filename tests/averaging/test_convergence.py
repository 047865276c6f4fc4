"""R-hat and effective sample size: by hand, and against a plain transcription of the formulas."""

import math

import numpy as np
import pytest

from bayesgrove.averaging.convergence import convergence


def plain(draws):
    """R-hat and effective size of Bayesian Data Analysis, equations 11.1 to 11.8, with loops."""
    half = len(draws[0]) // 2
    chains = [list(c[:half]) for c in draws] + [list(c[-half:]) for c in draws]
    m, n = len(chains), half
    means = [sum(c) / n for c in chains]
    grand = sum(means) / m
    between = n * sum((x - grand) ** 2 for x in means) / (m - 1)
    within = sum(sum((x - a) ** 2 for x in c) / (n - 1) for c, a in zip(chains, means, strict=True))
    within /= m
    total = (n - 1) / n * within + between / n

    def rho(t):
        covariance = sum(
            sum((c[i] - a) * (c[i + t] - a) for i in range(n - t)) / (n - 1)
            for c, a in zip(chains, means, strict=True)
        )
        return 1 - (within - covariance / m) / total

    sums, least = 0.0, math.inf
    for t in range(0, n - 1, 2):
        pair = rho(t) + rho(t + 1)
        if pair <= 0:
            break
        least = min(least, pair)
        sums += least
    return math.sqrt(total / within), m * n / (2 * sums - 1), total


@pytest.mark.parametrize("shape", [(1, 40), (4, 25), (3, 200)])
def test_formulas_of_the_book(shape):
    rng = np.random.default_rng(0)
    noise = rng.normal(size=shape)
    draws = np.zeros(shape)
    for t in range(1, shape[1]):
        draws[:, t] = 0.7 * draws[:, t - 1] + noise[:, t]
    r_hat, size, total = plain(draws)
    found = convergence(draws)
    assert found.r_hat == pytest.approx(r_hat, rel=1e-9)
    assert found.effective_size == pytest.approx(size, rel=1e-9)
    assert found.error == pytest.approx(math.sqrt(total / size), rel=1e-9)


def test_r_hat_by_hand():
    # Halves (0, 2), (0, 2), (4, 6), (4, 6): W = 2, var of the means 1, 1, 5, 5 is 16/3.
    found = convergence(np.array([[0.0, 2, 0, 2], [4, 6, 4, 6]]))
    assert found.r_hat == pytest.approx(math.sqrt((1 + 16 / 3) / 2))


def test_chains_that_do_not_move():
    assert convergence(np.full((2, 10), 0.3)) == (1.0, 20.0, 0.0)
    stuck = convergence(np.array([[0.0] * 10, [1.0] * 10]))
    assert stuck.r_hat == math.inf
    assert stuck.effective_size < 4


def test_the_error_is_that_of_repeated_chains():
    rng = np.random.default_rng(1)
    means, errors = [], []
    for _ in range(300):
        draws = np.zeros((4, 300))
        noise = rng.normal(size=draws.shape)
        for t in range(1, 300):
            draws[:, t] = 0.6 * draws[:, t - 1] + noise[:, t]
        means.append(draws.mean())
        errors.append(convergence(draws).error)
    assert np.mean(errors) == pytest.approx(np.std(means), rel=0.15)
