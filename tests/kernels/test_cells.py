"""Sums over cells and tests of independence: against counting in plain Python and scipy's tests."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import chi2_contingency

from bayesgrove.encoding import code_type
from bayesgrove.kernels import numpy_kernels


@pytest.fixture(params=["numpy", "_native"])
def kernels(request):
    return pytest.importorskip(f"bayesgrove.kernels.{request.param}")


@pytest.fixture(scope="module")
def native():
    return pytest.importorskip("bayesgrove.kernels._native")


def draw_codes(rng, rows, card, missing=0.0, dtype=None):
    """Codes of a column, some of them missing: ``card`` or beyond."""
    codes = rng.integers(0, card, rows) if card else np.zeros(rows, dtype=np.int64)
    gone = rng.random(rows) < missing
    codes[gone] = card + rng.integers(0, 2, int(gone.sum()))
    return codes.astype(dtype or code_type(card + 1))


def draw_ids(rng, rows, groups, left_out=0.0):
    """Groups of rows, the last third of them empty."""
    ids = rng.integers(0, max(2 * groups // 3, 1), rows)
    ids[rng.random(rows) < left_out] = -1
    return ids.astype(np.int32)


def random_table(rng, rows):
    """An arbitrary table by counts: 0 rows give 0."""
    return np.concatenate([[0], np.cumsum(rng.integers(-(10**9), 10**9, rows))]).astype(np.int64)


CARDS = st.lists(st.sampled_from([0, 1, 1, 2, 3, 5, 40, 300]), max_size=5)
SHARES = st.sampled_from([0.0, 0.1, 0.6])
ROWS = st.one_of(st.integers(0, 12), st.integers(0, 300))


@st.composite
def cases(draw):
    """Groups of rows, columns of codes and their domains, with what draws the rest."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows, cards = draw(ROWS), draw(CARDS)
    groups = draw(st.one_of(st.integers(1, 8), st.just(rows + 1), st.integers(500, 3000)))
    missing = draw(SHARES)
    types = [draw(st.sampled_from([None, np.uint16, np.uint32])) for _ in cards]
    columns = [draw_codes(rng, rows, c, missing, t) for c, t in zip(cards, types, strict=True)]
    return rng, draw_ids(rng, rows, groups, draw(SHARES)), groups, columns, cards


def brute_cell_sums(ids, target, n_target, columns, cards, outer, inner):
    out = []
    for column, card in zip(columns, cards, strict=True):
        cells, parts = Counter(), Counter()
        for g, y, x in zip(ids.tolist(), target.tolist(), column.tolist(), strict=True):
            if g >= 0 and y < n_target and x < card:
                cells[g, x] += 1
                parts[g, x, y] += 1
        sums = [
            sum(int(outer[n]) for n in cells.values()),
            sum(int(inner[n]) for n in parts.values()),
        ]
        out.append(sums)
    return np.array(out, dtype=np.int64).reshape(len(columns), 2)


def group_table(ids, group, a, card_a, b, card_b, weights):
    """The table of a group without the rows and columns that are empty."""
    table = np.zeros((card_a, card_b))
    here = (ids == group) & (a < card_a) & (b < card_b)
    np.add.at(table, (a[here], b[here]), weights[here])
    return table[table.any(axis=1)][:, table.any(axis=0)]


def scipy_tests(ids, pairs, columns, cards, weights):
    weights = np.ones(len(ids)) if weights is None else weights
    out = np.zeros((len(pairs), 3))
    for sums, (i, j) in zip(out, pairs, strict=True):
        for group in set(ids[ids >= 0].tolist()):
            table = group_table(ids, group, columns[i], cards[i], columns[j], cards[j], weights)
            if table.size and min(table.shape) > 1:
                chi = chi2_contingency(table, correction=False)
                ratio = chi2_contingency(table, correction=False, lambda_="log-likelihood")
                sums += chi.statistic, ratio.statistic, chi.dof
    return out


def places(pairs):
    first, second = np.array(pairs, dtype=np.int32).reshape(-1, 2).T
    return np.ascontiguousarray(first), np.ascontiguousarray(second)


def all_pairs(columns):
    return [(i, j) for i in range(len(columns)) for j in range(len(columns))]


def draw_weights(rng, rows, kind):
    if kind == "fractions":
        return rng.random(rows) * 3 * (rng.random(rows) < 0.8)
    return rng.integers(0, 4, rows).astype(np.float64) if kind == "counts" else None


@settings(max_examples=120, deadline=None)
@given(cases(), st.sampled_from([1, 2, 3, 40, 300]))
def test_native_cell_sums_equal_the_reference(native, case, n_target):
    rng, ids, groups, columns, cards = case
    target = draw_codes(rng, len(ids), n_target, 0.2)
    tables = random_table(rng, len(ids)), random_table(rng, len(ids))
    arguments = (ids, groups, target, n_target, columns, cards, *tables)
    found = native.cell_sums(*arguments, 1)
    assert found.dtype == np.int64
    assert_array_equal(found, numpy_kernels.cell_sums(*arguments, 1))


@settings(max_examples=80, deadline=None)
@given(cases(), st.sampled_from([1, 2, 3, 40, 300]), st.sampled_from([1, 2, 4]))
def test_sums_over_sets_are_those_over_their_members_one_by_one(native, case, n_target, most):
    rng, ids, _, columns, cards = case
    target = draw_codes(rng, len(ids), n_target, 0.2)
    tables = random_table(rng, len(ids)), random_table(rng, len(ids))
    sizes = range(1, min(most, len(columns)) + 1)
    sets = [s for k in sizes for s in itertools.combinations(range(len(columns)), k)]
    padded = [s + (-1,) * (most - len(s)) for s in sets]
    members = np.array(padded, dtype=np.int32).ravel()
    found = native.set_sums(columns, cards, target, n_target, members, most, *tables, 2)
    expected = []
    for *before, last in sets:
        groups = np.zeros(len(ids), dtype=np.int32)
        keys = [0]
        for v in before:
            groups, keys = numpy_kernels.split_groups(groups, len(keys), columns[v], cards[v])
        arguments = (groups, len(keys), target, n_target, [columns[last]], [cards[last]])
        expected.append(brute_cell_sums(groups, *arguments[2:], *tables).sum())
    assert_array_equal(found, np.array(expected, dtype=np.int64))
    arguments = (columns, cards, target, n_target, members, most, *tables, 1)
    assert_array_equal(numpy_kernels.set_sums(*arguments), found)


def test_sets_need_members_that_are_columns(native):
    column, table = np.zeros(3, dtype=np.uint8), np.zeros(4, dtype=np.int64)
    for members in ([-1], [1]):
        sets = np.array(members, dtype=np.int32)
        with pytest.raises(ValueError, match="members that are columns"):
            native.set_sums([column], [1], column, 1, sets, 1, table, table, 1)
    sets = np.zeros(1, dtype=np.int32)
    with pytest.raises(ValueError, match="entry for every count"):
        native.set_sums([column], [1], column, 1, sets, 1, table[:2], table, 1)


# rows, groups, card, target values: tables of all cells, sorted rows, and both at once
SHAPES = [
    (1, 1, [2], 2),
    (400, 1, [1, 4, 300], 2),
    (400, 7, [3, 2, 900], 3),
    (400, 400, [4, 2], 2),
    (400, 4000, [4, 500], 3),
    (3000, 3, [3000, 2], 3000),
]


@pytest.mark.parametrize(("rows", "groups", "cards", "n_target"), SHAPES)
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_cell_sums_count_the_rows_of_every_cell(kernels, rows, groups, cards, n_target, missing):
    rng = np.random.default_rng(rows + groups)
    ids = draw_ids(rng, rows, groups, missing)
    target = draw_codes(rng, rows, n_target, missing)
    columns = [draw_codes(rng, rows, card, missing) for card in cards]
    same = random_table(rng, rows)
    for outer, inner in [(same, same), (same, random_table(rng, rows))]:
        expected = brute_cell_sums(ids, target, n_target, columns, cards, outer, inner)
        found = kernels.cell_sums(ids, groups, target, n_target, columns, cards, outer, inner, 1)
        assert_array_equal(found, expected)


def test_cell_sums_of_ones_count_rows(kernels):
    rng = np.random.default_rng(0)
    ids = draw_ids(rng, 1000, 300, 0.1)
    target, column = draw_codes(rng, 1000, 2, 0.1), draw_codes(rng, 1000, 3, 0.1)
    counts = np.arange(1001)
    present = int(((ids >= 0) & (target < 2) & (column < 3)).sum())
    found = kernels.cell_sums(ids, 300, target, 2, [column], [3], counts, counts, 1)
    assert_array_equal(found, [[present, present]])


def test_cell_sums_of_nothing(kernels):
    none, zero = np.empty(0, dtype=np.int32), np.zeros(1, dtype=np.int64)
    codes = np.empty(0, dtype=np.uint8)
    assert kernels.cell_sums(none, 0, codes, 2, [], [], zero, zero, 1).shape == (0, 2)
    large = kernels.cell_sums(none, 5, codes, 3000, [codes, codes], [3, 3000], zero, zero, 2)
    assert_array_equal(large, np.zeros((2, 2)))


@pytest.mark.parametrize("groups", [1, 50, 90_000])
def test_cell_sums_of_many_rows_with_any_number_of_threads(native, groups):
    rng = np.random.default_rng(groups)
    rows, cards = 100_000, [4, 2, 300, 7, 3, 2, 9, 4, 5]
    ids, target = draw_ids(rng, rows, groups, 0.05), draw_codes(rng, rows, 3, 0.05)
    columns = [draw_codes(rng, rows, card, 0.1 * (card % 2)) for card in cards]
    table = random_table(rng, rows)
    arguments = (ids, groups, target, 3, columns, cards, table, table)
    expected = numpy_kernels.cell_sums(*arguments, 1)
    for threads in (1, 2, 8):
        assert_array_equal(native.cell_sums(*arguments, threads), expected)


@settings(max_examples=120, deadline=None)
@given(cases(), st.sampled_from([None, "counts", "fractions"]))
def test_native_pair_tests_equal_the_reference(native, case, kind):
    rng, ids, groups, columns, cards = case
    weights = draw_weights(rng, len(ids), kind)
    arguments = (ids, groups, *places(all_pairs(columns)), columns, cards, weights)
    found = native.pair_tests(*arguments, 1)
    assert found.shape == (len(columns) ** 2, 3)
    assert_allclose(found, numpy_kernels.pair_tests(*arguments, 1), rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("kind", [None, "counts", "fractions"])
@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize(("rows", "groups"), [(2, 1), (300, 7), (120, 40), (60, 3000)])
def test_pair_tests_are_those_of_scipy_group_by_group(kernels, rows, groups, missing, kind):
    rng = np.random.default_rng(rows + groups)
    cards = [2, 3, 1, 6, 40]
    columns = [draw_codes(rng, rows, card, missing) for card in cards]
    columns[1] = np.where(rng.random(rows) < 0.7, columns[0], columns[1]).astype(np.uint16)
    ids, weights = draw_ids(rng, rows, groups, missing), draw_weights(rng, rows, kind)
    pairs = [(0, 1), (0, 2), (3, 1), (4, 3), (4, 4)]
    found = kernels.pair_tests(ids, groups, *places(pairs), columns, cards, weights, 1)
    assert_allclose(found, scipy_tests(ids, pairs, columns, cards, weights), rtol=1e-9, atol=1e-9)


def test_pair_tests_where_every_row_is_a_group(kernels):
    rng = np.random.default_rng(2)
    columns = [draw_codes(rng, 5000, 3), draw_codes(rng, 5000, 4)]
    ids = rng.permutation(5000).astype(np.int32)
    found = kernels.pair_tests(ids, 5000, *places([(0, 1)]), columns, [3, 4], None, 1)
    assert_array_equal(found, [[0.0, 0.0, 0.0]])


def test_pair_tests_of_perfect_independence_and_dependence(kernels):
    a, b = np.indices((4, 6), dtype=np.uint8).reshape(2, -1)
    columns, ids = [np.tile(a, 10), np.tile(b, 10)], np.zeros(240, dtype=np.int32)
    apart, same = kernels.pair_tests(ids, 1, *places([(0, 1), (0, 0)]), columns, [4, 6], None, 1)
    assert_allclose(apart, [0.0, 0.0, 15.0], atol=1e-10)
    assert_allclose(same, [240 * 3, 2 * 240 * np.log(4), 9.0])


@pytest.mark.parametrize("groups", [1, 900])
def test_a_weight_of_two_is_the_row_twice(kernels, groups):
    rng = np.random.default_rng(groups)
    columns = [draw_codes(rng, 800, card, 0.1) for card in (3, 4)]
    ids, weights = draw_ids(rng, 800, groups), rng.integers(0, 3, 800)
    rows = np.repeat(np.arange(800), weights)
    pair = places([(0, 1)])
    one = kernels.pair_tests(ids, groups, *pair, columns, [3, 4], weights.astype(np.float64), 1)
    repeated = [column[rows] for column in columns]
    two = kernels.pair_tests(ids[rows], groups, *pair, repeated, [3, 4], None, 1)
    assert_allclose(one, two, rtol=1e-9)


def test_pair_tests_of_nothing(kernels):
    none, codes = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.uint8)
    assert kernels.pair_tests(none, 0, none, none, [], [], None, 1).shape == (0, 3)
    assert kernels.pair_tests(none, 4, none, none, [codes], [2], None, 1).shape == (0, 3)
    for groups, cards in [(0, [2, 3]), (4, [0, 3]), (4, [3000, 3000])]:
        found = kernels.pair_tests(none, groups, *places([(0, 1)]), [codes] * 2, cards, None, 1)
        assert_array_equal(found, np.zeros((1, 3)))


@pytest.mark.parametrize("kind", [None, "fractions"])
@pytest.mark.parametrize("groups", [1, 40, 3000])
def test_pair_tests_have_the_same_bits_with_any_number_of_threads(native, groups, kind):
    rng = np.random.default_rng(groups)
    rows, cards = 3000, [4, 2, 300, 7, 3, 2, 9, 4, 5] * 3
    columns = [draw_codes(rng, rows, card, 0.05) for card in cards]
    ids, weights = draw_ids(rng, rows, groups), draw_weights(rng, rows, kind)
    first, second = (x.astype(np.int32) for x in np.triu_indices(len(cards), 1))
    arguments = (ids, groups, first, second, columns, cards, weights)
    one = native.pair_tests(*arguments, 1)
    for threads in (2, 8):
        assert native.pair_tests(*arguments, threads).tobytes() == one.tobytes()
    shuffled = rng.permutation(len(first))[:40]
    arguments = (ids, groups, first[shuffled], second[shuffled], columns, cards, weights)
    assert_allclose(native.pair_tests(*arguments, 2), one[shuffled], rtol=1e-12)
    assert_allclose(one[shuffled], numpy_kernels.pair_tests(*arguments, 1), rtol=1e-9)


@pytest.mark.parametrize("groups", [1, 20_000])
def test_very_large_domains_need_no_table_of_all_cells(kernels, groups):
    rng = np.random.default_rng(groups)
    rows, card = 20_000, 3000
    ids = draw_ids(rng, rows, groups)
    target, columns = draw_codes(rng, rows, card), [draw_codes(rng, rows, card) for _ in range(3)]
    table = random_table(rng, rows)
    sums = kernels.cell_sums(ids, groups, target, card, columns, [card] * 3, table, table, 2)
    expected = brute_cell_sums(ids, target, card, columns[:1], [card], table, table)
    assert_array_equal(sums[:1], expected)
    found = kernels.pair_tests(ids, groups, *places([(0, 1)]), columns, [card] * 3, None, 2)
    levels = [len(set(zip(ids.tolist(), c.tolist(), strict=True))) for c in columns[:2]]
    if groups == 1:
        assert found[0, 2] == (levels[0] - 1) * (levels[1] - 1)
    occurring = Counter(zip(ids.tolist(), *(c.tolist() for c in columns[:2]), strict=True))
    a, b = (Counter(zip(ids.tolist(), c.tolist(), strict=True)) for c in columns[:2])
    whole = Counter(ids.tolist())
    chi = sum(n * n * whole[g] / (a[g, x] * b[g, y]) for (g, x, y), n in occurring.items()) - rows
    assert found[0, 0] == pytest.approx(chi, rel=1e-9)


@pytest.mark.parametrize("groups", [2, -1])
def test_groups_out_of_range_are_refused(native, groups):
    ids, codes = np.array([0, 2], dtype=np.int32), np.zeros(2, dtype=np.uint8)
    counts = np.arange(3)
    with pytest.raises(ValueError, match="groups"):
        native.cell_sums(ids, groups, codes, 1, [codes], [1], counts, counts, 1)
    with pytest.raises(ValueError, match="groups"):
        native.pair_tests(ids, groups, *places([(0, 1)]), [codes] * 2, [1, 1], None, 1)


def test_tables_that_are_too_short_and_unknown_columns_are_refused(native):
    ids, codes = np.zeros(2, dtype=np.int32), np.zeros(2, dtype=np.uint8)
    counts = np.arange(3)
    with pytest.raises(ValueError, match="every count"):
        native.cell_sums(ids, 1, codes, 1, [codes], [1], counts[:2], counts, 1)
    with pytest.raises(ValueError, match="no such column"):
        native.pair_tests(ids, 1, *places([(0, 2)]), [codes] * 2, [1, 1], None, 1)
