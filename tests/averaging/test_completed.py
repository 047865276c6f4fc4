"""Averages from rows with missing values: Gibbs sampling against the sum over all completions."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from averaging_oracle import local_score, probability
from bayesgrove.averaging import CompletedAverage, GibbsAverage, OrderedAverage
from bayesgrove.averaging.completed import arc_matrix
from bayesgrove.counts import CountSource, MemoryEngine
from bayesgrove.encoding import Encoded
from bayesgrove.parameters.dirichlet import dirichlet_draw

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


def tiny_rows(seed, missing):
    """Return 12 rows of a, b and the class. Some values of a and of b are missing (code 2)."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 12)
    a = np.where(rng.random(12) < 0.8, y, 1 - y)
    b = np.where(rng.random(12) < 0.8, a, 1 - a)
    for column in (a, b):
        column[rng.choice(12, missing, replace=False)] = 2
    return [column.astype(np.uint8) for column in (a, b, y)]


def completions(column):
    """Return the column with each combination of values in place of the missing ones."""
    (places,) = np.nonzero(column == 2)
    for values in itertools.product((0, 1), repeat=len(places)):
        filled = column.copy()
        filled[places] = values
        yield filled


def exact_average(columns, alpha, prior):
    """Return P(arc) and P(a, b, class) by summing over all completions and all networks.

    The order is class, a, b; every set of predecessors may be the parents. ``prior`` is a function
    of child and parents. Variables are a (0), b (1) and the class (2).
    """
    sets = {0: [(), (2,)], 1: [(), (0,), (2,), (0, 2)], 2: [()]}
    cells = list(itertools.product((0, 1), repeat=3))
    weights, arcs, joints = [], [], []
    for a, b in itertools.product(completions(columns[0]), completions(columns[1])):
        full = [a, b, columns[2]]
        weight, arc, joint = 1.0, {}, np.ones(8)
        for child, choices in sets.items():
            p = [
                prior(child, s) * math.exp(local_score(full, [2] * 3, child, s, alpha))
                for s in choices
            ]
            weight *= sum(p)
            p = [x / sum(p) for x in p]
            for parent in range(3):
                arc[parent, child] = sum(x for x, s in zip(p, choices, strict=True) if parent in s)
            for number, values in enumerate(cells):
                joint[number] *= sum(
                    x * probability(full, [2] * 3, child, s, values, alpha)
                    for x, s in zip(p, choices, strict=True)
                )
        weights.append(weight)
        arcs.append([arc[2, 0], arc[2, 1], arc[0, 1]])
        joints.append(joint)
    return np.average(arcs, 0, weights), np.average(joints, 0, weights)


def prefer_a(child, parents):
    return 5.0 if (child, parents) == (1, (0,)) else 1.0


@pytest.mark.parametrize(
    ("seed", "missing", "criterion", "alpha", "prior"),
    [
        (0, 6, "k2", None, None),
        (1, 5, "k2", None, None),
        (2, 5, "bdeu", 1.0, None),
        (3, 5, "k2", None, {"b": {(): 1, ("a",): 5, ("class",): 1, ("a", "class"): 1}}),
    ],
)
def test_gibbs_sampling_is_the_sum_over_all_completions_and_networks(
    seed, missing, criterion, alpha, prior
):
    """1,024 or 4,096 completions, 8 networks, and 8 chains: within 4 standard errors."""
    columns = tiny_rows(seed, missing)
    arcs, joint = exact_average(columns, alpha, prefer_a if prior else lambda *_: 1.0)
    encoded = Encoded(columns[:2], [2, 2], 12, target=columns[2], n_classes=2)
    counts = CountSource(MemoryEngine(encoded), ["a", "b", "class"], [2, 2, 2])
    average = OrderedAverage(2, None, criterion, alpha or 1.0, structure_prior=prior)
    cells = np.array(list(np.ndindex(2, 2)), dtype=np.uint8)
    table = Encoded([cells[:, 0].copy(), cells[:, 1].copy()], [2, 2], 4)
    found = []
    for chain in range(8):
        drawn = GibbsAverage(average, 250, 20, chain).learn(counts, [(0, 1)] * 3, [[2], [0], [1]])
        p = np.mean([np.exp(network.log_joint(table)) for network in drawn.networks], axis=0)
        found.append([*drawn.arc_probabilities[[2, 2, 0], [0, 1, 1]], *p.ravel()])
    errors = np.std(found, axis=0, ddof=1) / math.sqrt(8)
    assert errors.max() < 0.03
    assert (np.abs(np.mean(found, axis=0) - [*arcs, *joint]) <= 4 * errors).all()


def test_a_draw_of_a_table_has_the_mean_and_variance_of_its_dirichlet_distribution():
    shapes = np.array([2.0, 0.5, 1e-3])
    rows = dirichlet_draw(np.tile(shapes, (40_000, 1)), np.random.default_rng(0))
    mean = shapes / shapes.sum()
    variance = mean * (1 - mean) / (shapes.sum() + 1)
    np.testing.assert_allclose(rows.sum(axis=1), 1)
    np.testing.assert_allclose(rows.mean(axis=0), mean, atol=4 * np.sqrt(variance.max() / 40_000))
    np.testing.assert_allclose(rows.var(axis=0), variance, atol=1e-3)
    tiny = dirichlet_draw(np.full((1000, 2), 1e-12), np.random.default_rng(0))
    assert set(np.unique(tiny)) == {0.0, 1.0}  # one state has everything
    assert 400 < tiny[:, 0].sum() < 600


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
