"""Averages from rows with missing values: EM against Gibbs sampling."""

from __future__ import annotations

import numpy as np
import pytest

from bayesgrove.averaging import CompletedAverage, GibbsAverage, OrderedAverage
from bayesgrove.averaging.completed import arc_matrix
from bayesgrove.counts import CountSource, MemoryEngine
from bayesgrove.encoding import Encoded

LEVELS = [[3], [0], [1], [2]]
STATES = [(0, 1)] * 4


def rows_with_missing(seed, rows, share):
    """Return rows of the chain class -> x0 -> x1 and of an unrelated x2, with missing values."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, rows)
    a = np.where(rng.random(rows) < 0.8, y, 1 - y)
    b = np.where(rng.random(rows) < 0.75, a, 1 - a)
    c = rng.integers(0, 2, rows)
    columns = [np.where(rng.random(rows) < share, 2, x).astype(np.uint8) for x in (a, b, c)]
    return Encoded(columns, [2, 2, 2], rows, target=y.astype(np.uint8), n_classes=2)


def source(encoded):
    return CountSource(MemoryEngine(encoded), ["a", "b", "c", "class"], [2, 2, 2, 2])


def all_rows():
    codes = np.array(list(np.ndindex(2, 2, 2)), dtype=np.uint8).T
    return Encoded([np.ascontiguousarray(c) for c in codes], [2, 2, 2], 8)


@pytest.mark.parametrize("seed", range(3))
def test_em_and_gibbs_agree_if_few_of_many_values_are_missing(seed):
    """With 600 rows and 4% missing, the two averages differ by little: arcs 0.05, joint 0.01.

    They are not the same: EM takes expected counts for counts, and Gibbs sampling averages over
    what the values may be.
    """
    counts = source(rows_with_missing(seed, 600, 0.04))
    average = OrderedAverage(max_parents=2)
    by_em = CompletedAverage(average).learn(counts, STATES, LEVELS)
    by_gibbs = GibbsAverage(average, n_draws=150, burn_in=20, random_state=seed).learn(
        counts, STATES, LEVELS
    )
    assert by_em.converged
    np.testing.assert_allclose(arc_matrix(by_em.parent_sets), by_gibbs.arc_probabilities, atol=0.05)
    table = all_rows()
    sampled = np.mean(
        [np.exp(network.log_joint(table, 1)) for network in by_gibbs.networks], axis=0
    )
    np.testing.assert_allclose(np.exp(by_em.network.log_joint(table, 1)), sampled, atol=0.01)


def test_complete_rows_give_the_plain_average():
    counts = source(rows_with_missing(0, 100, 0.0))
    average = OrderedAverage(max_parents=2)
    plain = average.network(counts, STATES, average.parent_sets(counts, LEVELS))
    completed = CompletedAverage(average).learn(counts, STATES, LEVELS)
    drawn = GibbsAverage(average, n_draws=2, burn_in=0).learn(counts, STATES, LEVELS)
    table = all_rows()
    for network in (completed.network, *drawn.networks):
        np.testing.assert_allclose(network.log_joint(table, 1), plain.log_joint(table, 1))


def test_a_parent_that_is_missing_by_its_child_is_completed():
    """Known pairs alone say P(a) is far from even; EM and Gibbs sampling both know better."""
    rng = np.random.default_rng(1)
    rows = 4000
    y = np.zeros(rows, dtype=np.uint8)
    a = rng.integers(0, 2, rows)
    b = np.where(rng.random(rows) < 0.9, a, 1 - a)
    hidden = np.where((b == 1) & (rng.random(rows) < 0.7), 2, a).astype(np.uint8)
    c = np.zeros(rows, dtype=np.uint8)
    encoded = Encoded([hidden, b.astype(np.uint8), c], [2, 2, 2], rows, target=y, n_classes=2)
    average = OrderedAverage(max_parents=2)
    by_em = CompletedAverage(average).learn(source(encoded), STATES, LEVELS)
    ignoring = average.network(
        source(encoded), STATES, average.parent_sets(source(encoded), LEVELS)
    )
    drawn = GibbsAverage(average, n_draws=60, burn_in=40).learn(source(encoded), STATES, LEVELS)

    def p(averaged):
        return averaged.network.posterior("a", {"class": 0})[1]

    assert p(by_em.network) == pytest.approx(0.5, abs=0.03)
    assert np.mean([p(draw) for draw in drawn.networks]) == pytest.approx(0.5, abs=0.03)
    assert p(ignoring) < 0.4


def test_the_seed_fixes_the_draws():
    counts = source(rows_with_missing(0, 60, 0.2))
    sampler = GibbsAverage(OrderedAverage(max_parents=1), n_draws=5, burn_in=1)
    one, two = (sampler.learn(counts, STATES, LEVELS) for _ in range(2))
    np.testing.assert_array_equal(one.arc_probabilities, two.arc_probabilities)


def test_an_average_that_does_not_converge_warns():
    counts = source(rows_with_missing(0, 60, 0.4))
    with pytest.warns(UserWarning, match="did not converge in 1 iterations"):
        CompletedAverage(OrderedAverage(), max_iter=1, tol=1e-9).learn(counts, STATES, LEVELS)
