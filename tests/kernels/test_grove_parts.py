"""Bins, residual gains and sums of table entries: both kernels, against loops in plain Python."""

import itertools
import math

import numpy as np
import pytest

from bayesgrove.kernels import kernels, numpy_kernels
from bayesgrove.parameters.back_off import PENALTIES, STRENGTHS

BOTH = pytest.mark.parametrize("module", [kernels, numpy_kernels], ids=["native", "numpy"])

# Bins


def bins_of(module, totals, bins, shifts=None, whole=0, histogram=None, supervised=0, gain=0.0):
    fine = len(totals)
    if histogram is None:
        histogram = np.array(totals, dtype=float)[:, None]
    shifts = np.zeros((1, 1, 60)) if shifts is None else np.array([[shifts]], dtype=float)
    noisy = supervised > 0 and not whole
    maps, cards, _ = module.draw_bins(
        np.array([0, fine]), np.zeros(fine), np.array([histogram], dtype=float),
        np.array([-1], dtype=np.int32), np.array([[bins]], dtype=np.int32), shifts,
        np.array([[whole]], dtype=np.uint8),
        np.array([[supervised]], dtype=np.int32), np.ones(fine * noisy, dtype=np.float32), 1.5,
        np.array([gain]), 1,
    )  # fmt: skip
    return maps[0].tolist(), cards[0].tolist()


@BOTH
def test_bins_have_equal_frequencies(module):
    assert bins_of(module, [1] * 9, 3) == ([0, 0, 0, 1, 1, 1, 2, 2, 2], [3])
    # The first two targets, 10/3 and 20/3, are reached by the first value.
    assert bins_of(module, [7, 1, 1, 1], 3) == ([0, 1, 1, 1], [2])
    # Shifts of +0.4 and -0.4 of a bin: targets 4.2 and 4.8.
    assert bins_of(module, [1] * 9, 3, [0.4, -0.4]) == ([0] * 5 + [1] * 4, [2])


@BOTH
def test_all_values_may_be_kept(module):
    assert bins_of(module, [5, 1, 1], 2, whole=1) == ([0, 1, 2], [3])


@BOTH
def test_supervised_cuts_split_by_entropy(module):
    # One bin by frequency; the class changes after the second and after the fifth value.
    histogram = [[4, 0], [4, 0], [0, 4], [0, 4], [0, 4], [4, 0]]
    assert bins_of(module, [4] * 6, 1, histogram=histogram, supervised=8, gain=3.0) == (
        [0, 0, 1, 1, 1, 2],
        [3],
    )
    # Best first: the single cut is the one with the largest gain, by brute force.
    gains = {}
    for at in range(1, 6):
        parts = np.array(histogram[:at]).sum(axis=0), np.array(histogram[at:]).sum(axis=0)
        gains[at] = sum(x * math.log(x / part.sum()) for part in parts for x in part if x)
    best = max(gains, key=gains.get)
    maps, cards = bins_of(module, [4] * 6, 1, histogram=histogram, supervised=1)
    assert cards == [2]
    assert maps == [int(f >= best) for f in range(6)]


@BOTH
def test_a_supervised_cut_needs_rows_and_gain(module):
    histogram = [[1, 0], [0, 9], [0, 9]]
    assert bins_of(module, [1, 9, 9], 1, histogram=histogram, supervised=8, gain=2.0)[1] == [1]
    histogram = [[2, 0], [0, 9], [0, 9]]
    assert bins_of(module, [2, 9, 9], 1, histogram=histogram, supervised=8, gain=2.0)[1] == [2]
    histogram = [[5, 4], [4, 5]]
    assert bins_of(module, [9, 9], 1, histogram=histogram, supervised=8, gain=1.0)[1] == [1]
    assert bins_of(module, [9, 9], 1, histogram=histogram, supervised=8)[1] == [2]


@pytest.mark.parametrize("seed", range(30))
def test_both_kernels_draw_the_same_bins(seed):
    rng = np.random.default_rng(seed)
    fine = rng.integers(1, 40, 6)
    starts = np.concatenate([[0], np.cumsum(fine)]).astype(np.int64)
    by_fold = rng.integers(0, 9, (4, starts[-1], 3)) * rng.exponential(size=(4, starts[-1], 1))
    whole, limits = rng.random((5, 6)) < 0.2, rng.integers(0, 9, (5, 6)).astype(np.int32)
    noise = rng.standard_exponential(int(((limits > 0) & ~whole) @ fine @ np.ones(5)), np.float32)
    arguments = (
        starts, rng.normal(size=starts[-1]), by_fold, rng.integers(-1, 4, 5).astype(np.int32),
        rng.integers(1, 30, (5, 6)).astype(np.int32), rng.random((5, 6, 60)) - 0.5,
        whole.astype(np.uint8), limits, noise, 1.5, rng.random(6) * 5,
    )  # fmt: skip
    twins = numpy_kernels.draw_bins(*arguments, 1)
    for threads in (1, 3):
        for native, twin in zip(kernels.draw_bins(*arguments, threads), twins, strict=True):
            np.testing.assert_allclose(native, twin, rtol=1e-12, atol=1e-12)
            assert native.dtype == twin.dtype


@BOTH
def test_positions_of_bins_are_means_of_their_rows(module):
    by_fold = np.array([[[3, 1], [0, 0], [2, 2], [5, 0], [1, 0]]], dtype=float)
    maps, cards, means = module.draw_bins(
        np.array([0, 3, 5]), np.array([1.0, 7.0, 3.0, -2.0, 4.0]), by_fold,
        np.array([-1], dtype=np.int32), np.array([[1, 2]], dtype=np.int32), np.zeros((1, 2, 1)),
        np.array([[0, 1]], dtype=np.uint8), np.zeros((1, 2), dtype=np.int32),
        np.zeros(0, dtype=np.float32), 1.5, np.zeros(2), 1,
    )  # fmt: skip
    assert maps.tolist() == [[0, 0, 0, 0, 1]]
    assert cards.tolist() == [[1, 2]]
    # Column 0: one bin with 4 rows at 1 and 4 rows at 3. Column 1 begins at place 1 + 3 + 1.
    assert means.tolist() == [[0, 2, 0, 0, 0, -2, 4, 0]]


@BOTH
def test_supervised_cuts_do_not_see_the_fold_that_is_left_out(module):
    # Seen in both folds together, the class changes after the third value; fold 1 alone says so.
    silent, telling = [[2, 2]] * 6, [[9, 0]] * 3 + [[0, 9]] * 3
    found, cards, _ = module.draw_bins(
        np.array([0, 6]), np.zeros(6), np.array([silent, telling], dtype=float),
        np.array([-1, 0, 1], dtype=np.int32), np.ones((3, 1), dtype=np.int32),
        np.zeros((3, 1, 0)), np.zeros((3, 1), dtype=np.uint8), np.full((3, 1), 8, dtype=np.int32),
        np.ones(18, dtype=np.float32), 1.5, np.array([1.0]), 1,
    )  # fmt: skip
    cut = [0, 0, 0, 1, 1, 1]
    assert found.tolist() == [cut, cut, [0] * 6]
    assert cards.tolist() == [[2], [2], [1]]


def test_wrong_bins_are_refused():
    with pytest.raises(ValueError, match="do not fit the columns"):
        bins_of(kernels, [1.0, 1.0], 2, histogram=[[1, 1]])
    with pytest.raises(ValueError, match="too many bins"):
        bins_of(kernels, [1.0, 1.0], 70)
    with pytest.raises(ValueError, match="noise"):
        kernels.draw_bins(
            np.array([0, 2]), np.zeros(2), np.ones((1, 2, 2)), np.array([-1], dtype=np.int32),
            np.ones((1, 1), dtype=np.int32), np.zeros((1, 1, 0)), np.zeros((1, 1), dtype=np.uint8),
            np.ones((1, 1), dtype=np.int32), np.ones(1, dtype=np.float32), 1.5, np.ones(1), 1,
        )  # fmt: skip


# Residual gains


@BOTH
@pytest.mark.parametrize("folds", [1, 3])
def test_residual_gains_are_those_of_the_loop(module, folds):
    rng = np.random.default_rng(folds)
    n, cards = 70, [2, 3, 4]
    columns = [rng.integers(0, card, n).astype(np.uint8) for card in cards]
    fold = rng.integers(0, folds, n).astype(np.uint8)
    residuals, variances = rng.normal(size=(n, 2)), rng.random((n, 2))
    found = module.residual_gains(columns, cards, residuals, variances, fold, folds, 5.0, 1)
    assert found.shape == (folds, 3, 3)
    for f, i, j in itertools.product(range(folds), range(3), range(3)):
        expected = 0.0
        if i != j:
            for x, z, c in itertools.product(range(cards[i]), range(cards[j]), range(2)):
                cell = (columns[i] == x) & (columns[j] == z)
                if not cell.any():
                    continue
                use = cell & (fold != f) if folds > 1 else cell
                G, H = residuals[use, c].sum(), variances[use, c].sum()
                expected += (G**2 - H) / (H + 5.0)
        assert found[f, i, j] == pytest.approx(expected, rel=1e-4, abs=1e-4)


def test_threads_do_not_change_residual_gains():
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, 4, 500).astype(np.uint8) for _ in range(9)]
    case = (columns, [4] * 9, rng.normal(size=(500, 1)), rng.random((500, 1)))
    fold = np.zeros(500, dtype=np.uint8)
    one, four = (kernels.residual_gains(*case, fold, 1, 5.0, threads) for threads in (1, 4))
    np.testing.assert_array_equal(one, four)


# Sums of table entries

TABLES = (
    np.array([0, 1, 2], dtype=np.int32),
    np.array([0, 0, 1, 3], dtype=np.int32),
    np.array([0, 1, 0], dtype=np.int32),
)


def fitted_tables(seed, n=40):
    """Tables from a few rows of columns with 3, 4 and 5 values, and random entries."""
    rng = np.random.default_rng(seed)
    cards = [3, 4, 5]
    columns = [rng.integers(0, card, n).astype(np.uint8) for card in cards]
    y = rng.integers(0, 2, n).astype(np.uint8)
    sizes, *layout = numpy_kernels.back_off_tables(
        columns, cards, y, 2, None, np.ones(n, dtype=np.uint8), np.zeros(0, dtype=np.int32),
        *TABLES, np.zeros(len(TABLES[0])), STRENGTHS, PENALTIES, 1 << 20,
    )[:5]  # fmt: skip
    entries = rng.normal(size=(sizes[:, 1].sum(), 2)).astype(np.float32)
    unseen = rng.normal(size=(sizes[:, 0].sum(), 2)).astype(np.float32)
    return columns, cards, sizes, layout, entries, unseen


def expected_sum(columns, cards, sizes, entries, unseen, row):
    """The score of a row, from lists of the observed joint values."""
    children, starts, parents = TABLES
    score = np.zeros(2)
    cell_at = config_at = slot = 0
    for t, child in enumerate(children):
        given = parents[starts[t] : starts[t + 1]]
        entry, more, alive = None, np.zeros(2), row[child] < cards[child]
        for level in range(len(given) + 1):
            scope = [*given[:level], child]
            joint = sorted(set(zip(*(columns[v].tolist() for v in scope), strict=True)))
            configs = sorted({values[:-1] for values in joint})
            here = tuple(row[v] for v in given[:level])
            alive = alive and here in configs
            if alive and (*here, row[child]) in joint:
                entry = entries[cell_at + joint.index((*here, row[child]))]
            elif alive and entry is not None:
                more = more + unseen[config_at + configs.index(here)]
            assert (len(configs), len(joint)) == tuple(sizes[slot])
            cell_at, config_at, slot = cell_at + len(joint), config_at + len(configs), slot + 1
        if entry is not None:
            score += entry + more
    return score


@BOTH
@pytest.mark.parametrize("seed", range(5))
def test_sums_of_entries_back_off(module, seed):
    columns, cards, sizes, layout, entries, unseen = fitted_tables(seed, n=12)
    rows = np.array(list(itertools.product(range(4), range(5), range(6))))  # with unknown values
    out = np.full((len(rows), 2), 0.5)
    module.add_table_entries(
        [np.ascontiguousarray(rows[:, v]).astype(np.uint8) for v in range(3)], cards, *TABLES,
        sizes.reshape(-1), *layout, entries, unseen, out, 2,
    )  # fmt: skip
    for row, score in zip(rows.tolist(), out, strict=True):
        expected = 0.5 + expected_sum(columns, cards, sizes, entries, unseen, row)
        np.testing.assert_allclose(score, expected, rtol=1e-6, atol=1e-6)


def test_wrong_tables_are_refused():
    columns, cards, sizes, layout, entries, unseen = fitted_tables(0)
    out = np.zeros((40, 2))
    sizes = sizes.reshape(-1)
    with pytest.raises(ValueError, match="do not fit"):
        kernels.add_table_entries(
            columns, cards, *TABLES, sizes, *layout, entries[:-1], unseen, out, 1
        )
    with pytest.raises(ValueError, match="do not fit"):
        kernels.add_table_entries(
            columns, cards, *TABLES, sizes + 1, *layout, entries, unseen, out, 1
        )
