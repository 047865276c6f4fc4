"""Tests of independence against scipy, pgmpy, pyAgrum and sums over groups of rows."""

import itertools
import math
import warnings
from collections import Counter, defaultdict

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from bayesgrove.scores.independence import p_values
from bayesgrove.scores.information import conditional_entropies
from support import make_source

LAMBDAS = {"chi2": "pearson", "g2": "log-likelihood"}


def draw(seed, cards=(3, 4, 2, 3, 3), rows=300, noise=0.85):
    rng = np.random.default_rng(seed)
    common = rng.integers(0, 12, rows)
    columns = [
        (common * (rng.random(rows) > noise) + rng.integers(0, 12, rows)) % card for card in cards
    ]
    return columns, list(cards)


def brute(columns, cards, a, b, given):
    """Statistics of both tests and degrees of freedom from their definitions."""
    groups = defaultdict(Counter)
    for row in zip(*(columns[v].tolist() for v in (*given, a, b)), strict=True):
        if all(x < cards[v] for x, v in zip(row, (*given, a, b), strict=True)):
            groups[row[:-2]][row[-2:]] += 1
    chi = g = free = 0
    for cells in groups.values():
        by_a, by_b = Counter(), Counter()
        for (x, y), n in cells.items():
            by_a[x] += n
            by_b[y] += n
        total = sum(by_a.values())
        for x, y in itertools.product(by_a, by_b):
            expected = by_a[x] * by_b[y] / total
            chi += (cells[x, y] - expected) ** 2 / expected
            g += 2 * cells[x, y] * math.log(cells[x, y] / expected) if cells[x, y] else 0.0
        free += (len(by_a) - 1) * (len(by_b) - 1)
    return {"chi2": chi, "g2": g}, free


def brute_p(columns, cards, a, b, given, test):
    statistics, free = brute(columns, cards, a, b, given)
    return stats.chi2.sf(statistics[test], free) if free else 1.0


PAIRS = [(0, 1), (1, 4), (4, 3), (2, 0), (1, 3)]


@pytest.mark.parametrize("test", LAMBDAS)
@pytest.mark.parametrize("seed", range(5))
def test_without_conditions_it_is_the_test_of_scipy(seed, test):
    columns, cards = draw(seed)
    found = p_values(make_source(columns, cards), *zip(*PAIRS, strict=True), test=test)
    for (a, b), p in zip(PAIRS, found, strict=True):
        table = stats.contingency.crosstab(columns[a], columns[b]).count
        theirs = stats.chi2_contingency(table, correction=False, lambda_=LAMBDAS[test])
        assert p == pytest.approx(theirs.pvalue, rel=1e-9)


@pytest.mark.parametrize("test", LAMBDAS)
@pytest.mark.parametrize("ends", [None, (100, 101, 300)])
@pytest.mark.parametrize("given", [(), (2,), (0, 3), (4, 1), (0, 1, 2)])
def test_p_values_are_their_definitions(given, ends, test):
    for seed in range(3):
        columns, cards = draw(seed)
        columns[1][::7] = cards[1]  # some are missing
        source = make_source(columns, cards, ends=ends)
        pairs = [p for p in itertools.combinations(range(5), 2) if not set(p) & set(given)]
        found = p_values(source, *zip(*pairs, strict=True), given, test)
        expected = [brute_p(columns, cards, a, b, given, test) for a, b in pairs]
        assert_allclose(found, expected, rtol=1e-8)
        assert len(set(found.tolist())) == len(pairs)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("given", [(2,), (3, 2)])
def test_given_others_it_is_the_test_of_pgmpy(given):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        power_divergence = pytest.importorskip("pgmpy.estimators.CITests").power_divergence
    columns, cards = draw(0, rows=900)  # no 2 x 2 table, which pgmpy corrects for continuity
    data = pd.DataFrame({f"a{v}": column for v, column in enumerate(columns)})
    source = make_source(columns, cards)
    for (a, b), test in itertools.product([(0, 1), (1, 4), (0, 4)], LAMBDAS):
        _, theirs, free = power_divergence(
            f"a{a}", f"a{b}", [f"a{v}" for v in given], data, boolean=False, lambda_=LAMBDAS[test]
        )
        assert p_values(source, [a], [b], given, test)[0] == pytest.approx(theirs, rel=1e-6)
        assert source.pair_statistics(given, [a], [b])[0, 2] == free


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("given", [(), (2,), (3, 2)])
def test_full_tables_test_as_in_pyagrum(given):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gum = pytest.importorskip("pyagrum")
    columns, cards = draw(1, rows=900)
    data = pd.DataFrame({f"a{v}": column.astype(str) for v, column in enumerate(columns)})
    source, learner = make_source(columns, cards), gum.BNLearner(data)
    for a, b in [(0, 1), (1, 4), (0, 4)]:
        names = f"a{a}", f"a{b}", [f"a{v}" for v in given]
        chi, g, _ = source.pair_statistics(given, [a], [b])[0]
        for theirs, own, test in [
            (learner.chi2(*names), chi, "chi2"),
            (learner.G2(*names), g, "g2"),
        ]:
            assert own == pytest.approx(theirs[0], rel=1e-9)
            p = p_values(source, [a], [b], given, test)[0]
            assert p == pytest.approx(theirs[1], rel=1e-6)


def rows_of(table):
    """Two columns with so many rows of every pair of values."""
    pairs = [(x, y) for x, row in enumerate(table) for y, n in enumerate(row) for _ in range(n)]
    return [list(column) for column in zip(*pairs, strict=True)]


@pytest.mark.parametrize(
    ("table", "free"),
    [
        ([[5, 3], [2, 6]], 1),
        ([[5, 3, 0], [2, 6, 0]], 1),
        ([[5, 3, 0], [0, 0, 0], [2, 6, 0], [1, 0, 0]], 2),
        ([[5, 0, 3], [0, 0, 0], [2, 0, 6]], 1),
        ([[4, 1, 2], [1, 3, 2], [2, 2, 5]], 4),
        ([[4, 1, 2]], 0),
        ([[4, 0], [3, 0]], 0),
        ([[7]], 0),
    ],
)
def test_empty_rows_and_columns_have_no_degrees_of_freedom(table, free):
    first, second = rows_of(table)
    cards = [len(table), len(table[0]), 1]
    source = make_source([first, second, [0] * len(first)], cards)
    statistics = source.pair_statistics((), [0, 1], [1, 0])
    assert statistics[:, 2].tolist() == [free, free]
    kept = np.array(table)
    kept = kept[kept.sum(axis=1) > 0][:, kept.sum(axis=0) > 0]
    for test, method in LAMBDAS.items():
        found = p_values(source, [0, 1], [1, 0], test=test)
        expected = stats.chi2_contingency(kept, correction=False, lambda_=method).pvalue
        assert found == pytest.approx([expected] * 2, rel=1e-10)
        assert (found[0] == 1.0) == (free == 0)


def test_degrees_of_freedom_are_summed_over_groups():
    # Given a third column: one full table, one with a constant column, one with two rows of three.
    tables = [[[3, 1], [2, 2], [1, 4]], [[3, 0], [2, 0], [4, 0]], [[2, 1], [0, 0], [1, 3]]]
    parts = [rows_of(table) for table in tables]
    first, second = ([x for part in parts for x in part[k]] for k in (0, 1))
    third = [z for z, part in enumerate(parts) for _ in part[0]]
    source = make_source([first, third, second], [3, 4, 2])
    assert source.pair_statistics((1,), [0], [2])[0, 2] == 2 + 0 + 1
    by_scipy = [
        stats.chi2_contingency(table, correction=False).statistic
        for table in (tables[0], [tables[2][0], tables[2][2]])
    ]
    p = p_values(source, [0], [2], (1,))[0]
    assert p == pytest.approx(stats.chi2.sf(sum(by_scipy), 3), rel=1e-10)


def test_nothing_speaks_against_independence_where_no_degree_is_left():
    columns = [[0, 1, 2, 3], [0, 1, 1, 0], [0, 1, 0, 1]]
    for ends in (None, (1, 4)):
        source = make_source(columns, [4, 2, 2], ends=ends)
        for test in LAMBDAS:
            assert p_values(source, [1], [2], (0,), test).tolist() == [1.0]
            assert p_values(source, [0, 1], [2, 2], test=test)[0] < 1.0


def test_equal_columns_are_dependent_beyond_doubt():
    column = [0, 1, 2] * 400
    source = make_source([column, column, [0, 1] * 600], [3, 3, 2])
    for test in LAMBDAS:
        dependent, independent = p_values(source, [0, 0], [1, 2], test=test)
        assert dependent < 1e-200
        assert independent == pytest.approx(1.0, abs=1e-9)


def test_a_product_of_margins_has_a_value_of_one():
    """The statistics are 0, and never a little below."""
    first, second = rows_of([[6, 9, 3], [14, 21, 7], [2, 3, 1]])
    source = make_source([first, second, first], [3, 3, 3])
    for test in LAMBDAS:
        assert p_values(source, [0, 1], [1, 2], test=test) == pytest.approx([1.0, 1.0], abs=1e-9)


def test_dependent_only_given_the_third():
    """Of an exclusive or, pairs are independent and become dependent given the other."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, (2, 1000))
    columns = [a, b, a ^ b]
    source = make_source(columns, [2, 2, 2])
    assert p_values(source, [0], [2])[0] > 0.01
    assert p_values(source, [0], [2], [1])[0] < 1e-100


@pytest.mark.parametrize("test", ["chi", "G2", "", None, 0])
def test_a_test_without_a_name_is_refused(test):
    columns, cards = draw(0)
    with pytest.raises(ValueError, match="test="):
        p_values(make_source(columns, cards), [0], [1], test=test)


# Conditional entropies: G-squared is 2 N times the conditional mutual information.


def entropy(values):
    counts = Counter(values)
    total = sum(counts.values())
    return -math.fsum(n / total * math.log(n / total) for n in counts.values())


@pytest.mark.parametrize("ends", [None, (100, 101, 300)])
@pytest.mark.parametrize("given", [(), (2,), (3, 0), (0, 1, 2)])
def test_conditional_entropies_are_differences_of_joint_entropies(given, ends):
    columns, cards = draw(2)
    source = make_source(columns, cards, ends=ends)
    others = [v for v in range(4) if v not in given]
    information, attribute, both = conditional_entropies(source, given, others)

    def joint(*variables):
        return entropy(zip(*(columns[v].tolist() for v in (*given, *variables)), strict=True))

    before = joint() if given else 0.0
    for k, v in enumerate(others):
        expected = joint(v) + joint(4) - joint(v, 4) - before
        assert information[k] == pytest.approx(expected, abs=1e-11)
        assert attribute[k] == pytest.approx(joint(v) - before, abs=1e-11)
        assert both[k] == pytest.approx(joint(v, 4) - before, abs=1e-11)
    g = source.pair_statistics(given, others, [4] * len(others))[:, 1]
    assert_allclose(g, 2 * 300 * information, rtol=1e-9, atol=1e-8)


def test_conditional_entropies_leave_out_rows_where_the_attribute_is_missing():
    columns, cards = draw(3)
    columns[1][::4] = cards[1]
    known = [column[columns[1] < cards[1]] for column in columns]
    found = conditional_entropies(make_source(columns, cards), [0], [1, 2])
    among = conditional_entropies(make_source(known, cards), [0], [1])
    complete = conditional_entropies(make_source(columns, cards), [0], [2])
    for all_rows, some, other in zip(found, among, complete, strict=True):
        assert all_rows[0] == pytest.approx(some[0] * len(known[0]) / 300, rel=1e-10)
        assert all_rows[1] == other[0]
