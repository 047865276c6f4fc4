"""R-hat and effective sample size: by hand, and against a plain transcription of the formulas."""

import math

import numpy as np
import pytest

from bayesgrove.averaging.convergence import chains_differ, convergence


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


def simulated(rng, kept, correlation, arcs=60):
    """Return arc probabilities of four chains that have mixed: many near 0 or 1, some in between.

    Arcs come in groups that follow the same autoregressive process, as arcs of an order do.
    """
    state = rng.normal(size=(4, arcs // 3))
    draws = np.empty((4, kept, arcs // 3))
    for t in range(kept):
        noise = rng.normal(size=state.shape) * math.sqrt(1 - correlation**2)
        state = correlation * state + noise
        draws[:, t] = state
    shifts = rng.normal(scale=2, size=arcs)
    return 1 / (1 + np.exp(-8 * (np.tile(draws, 3) - shifts)))


@pytest.mark.parametrize(("kept", "correlation"), [(4, 0.0), (10, 0.0), (25, 0.0), (10, 0.3)])
def test_chains_that_have_mixed_seldom_differ(kept, correlation):
    """At most 1 in 20, although nearly always an R-hat of few draws is above 1.1."""
    rng = np.random.default_rng(0)
    differ = above = 0
    for _ in range(60):
        draws = simulated(rng, kept, correlation)
        draws = draws[:, :, draws.std(axis=(0, 1)) >= 0.01]
        differ += chains_differ(draws)
        above += max(convergence(draws[:, :, v]).r_hat for v in range(draws.shape[2])) > 1.1
    assert differ <= 3
    if kept <= 10:
        assert above >= 50


def test_chains_in_different_places_differ():
    rng = np.random.default_rng(0)
    for kept in (4, 10, 25):
        modes = simulated(rng, 1, 0.0)
        stuck = np.repeat(modes, kept, axis=1)
        assert chains_differ(stuck)
        assert chains_differ(np.clip(stuck + 0.05 * rng.normal(size=stuck.shape), 0, 1))


def test_one_arc_of_many_tells_that_chains_differ():
    rng = np.random.default_rng(0)
    draws = simulated(rng, 25, 0.0)
    assert not chains_differ(draws)
    draws[:, :, 0] = np.array([0.0, 0.0, 1.0, 1.0])[:, None]
    assert chains_differ(draws)


def test_halves_of_chains_differ_if_all_chains_drift():
    draws = np.linspace(0, 1, 10)[None, :, None] + np.zeros((4, 1, 3))
    rng = np.random.default_rng(0)
    assert chains_differ(draws + 0.1 * rng.normal(size=draws.shape))
