"""Cut points: worked cases, WEKA's published behaviour, brute force, invariances."""

import math
from collections import defaultdict
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris, load_wine

from bayesgrove.encoding.cuts import (
    equal_frequency_cuts,
    equal_frequency_cuts_from_table,
    mdlp_cuts,
    mdlp_cuts_from_table,
    value_table,
)

N_CLASSES = 3

# Printed by `weka.filters.supervised.attribute.Discretize -c last` of WEKA 3.6.14 (default
# options: Fayyad and Irani's criterion) for the data sets shipped with scikit-learn.
WEKA_IRIS = [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]
WEKA_WINE = [
    [12.185, 12.78],
    [1.42, 2.235],
    [2.03],
    [17.9],
    [88.5],
    [1.84, 2.335],
    [0.975, 1.575, 2.31],
    [0.395],
    [1.27],
    [3.46, 7.55],
    [0.785, 0.975, 1.295],
    [2.115, 2.475],
    [468, 755, 987.5],
]

rows = st.tuples(
    st.integers(-6, 6).map(float),
    st.integers(0, N_CLASSES - 1),
    # Quarters add up without rounding, so ties are ties for both implementations.
    st.sampled_from([0.0, 0.25, 0.5, 1.0, 1.0, 2.0, 3.0, 9.0]),
)
weighted_rows = st.lists(rows, max_size=40)
whole_rows = st.lists(st.tuples(rows.map(lambda r: r[0]), st.integers(0, 2), st.integers(0, 5)))
examples = settings(max_examples=200, deadline=None)


def columns(data):
    """Values, classes and weights of a list of rows."""
    values, classes, weights = zip(*data, strict=True) if data else ((), (), ())
    return np.array(values, float), np.array(classes, int), np.array(weights, float)


def cuts_of(data, choices="rows"):
    values, classes, weights = columns(data)
    return mdlp_cuts(values, classes, N_CLASSES, weights, choices)


# --- a second implementation, straight from the paper ------------------------------------------


def class_weights(data):
    totals = defaultdict(float)
    for _, c, w in data:
        totals[c] += w
    return list(totals.values())


def entropy(data):
    totals = class_weights(data)
    return -sum(t / sum(totals) * math.log2(t / sum(totals)) for t in totals)


def total(data):
    return sum(w for _, _, w in data)


def split(data, cut):
    return [r for r in data if r[0] <= cut], [r for r in data if r[0] > cut]


def mean_entropy(data, cut):
    return sum(total(part) / total(data) * entropy(part) for part in split(data, cut))


def is_accepted(data, cut, choices):
    n = total(data)
    places = (n if choices == "rows" else len({r[0] for r in data})) - 1
    if places <= 0:
        return False
    k, k1, k2 = (len(class_weights(part)) for part in (data, *split(data, cut)))
    h, h1, h2 = (entropy(part) for part in (data, *split(data, cut)))
    delta = math.log2(3**k - 2) - (k * h - k1 * h1 - k2 * h2)
    gain = h - mean_entropy(data, cut)
    return gain > 1e-12 and gain > math.log2(places) / n + delta / n


def brute_force_cuts(data, choices="rows"):
    data = [r for r in data if r[2] > 0]
    distinct = sorted({r[0] for r in data})
    best, lowest = None, math.inf
    for left, right in pairwise(distinct):
        entropy_here = mean_entropy(data, (left + right) / 2)
        if entropy_here < lowest - 1e-12:
            best, lowest = (left + right) / 2, entropy_here
    if best is None or not is_accepted(data, best, choices):
        return []
    lower, upper = split(data, best)
    return [*brute_force_cuts(lower, choices), best, *brute_force_cuts(upper, choices)]


@examples
@given(weighted_rows, st.sampled_from(["rows", "values"]))
def test_mdlp_equals_brute_force(data, choices):
    assert cuts_of(data, choices).tolist() == brute_force_cuts(data, choices)


def test_places_between_values_make_more_cuts_where_many_rows_share_them():
    rows = [(0.0, 0), (1.0, 1)] * 20 + [(0.0, 1), (1.0, 0)] * 8
    data = [(value, c, 1.0) for value, c in rows]
    # a gain of 0.137; delta is 4.26: (log2(55) + delta) / 56 is 0.179, (log2(1) + delta) / 56 0.076
    assert cuts_of(data).tolist() == []
    assert cuts_of(data, "values").tolist() == [0.5]
    with pytest.raises(ValueError, match="count_by='cells'"):
        cuts_of(data, "cells")


@pytest.mark.parametrize("seed", range(8))
def test_mdlp_equals_brute_force_on_nested_cuts(seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 40, 300).astype(float)
    noise = rng.random(300) < 0.1
    classes = np.where(noise, rng.integers(0, N_CLASSES, 300), values // 7 % N_CLASSES).astype(int)
    data = list(zip(values.tolist(), classes.tolist(), [1.0] * 300, strict=True))
    assert len(brute_force_cuts(data)) >= 4
    assert cuts_of(data).tolist() == brute_force_cuts(data)


# --- worked by hand ----------------------------------------------------------------------------


def test_two_rows_of_two_classes_are_cut():
    # H = 1, gain = 1; Delta = log2(7) - 2 = 0.807; required (log2(1) + 0.807) / 2 = 0.404.
    assert_array_equal(mdlp_cuts([1.0, 2.0], [0, 1], 2), [1.5])


def test_three_alternating_rows_are_not_cut():
    # H = 0.918, best mean entropy 2/3, gain = 0.252; Delta = log2(7) - (2 H - 2) = 2.971;
    # required (log2(2) + 2.971) / 3 = 1.324.
    assert_array_equal(mdlp_cuts([1.0, 2.0, 3.0], [0, 1, 0], 2), [])


def test_three_pure_runs_give_two_cuts():
    # H = log2(3), gain = 0.918 at 4.5 and at 8.5; Delta = log2(25) - (3 log2(3) - 2) = 1.889;
    # required (log2(11) + 1.889) / 12 = 0.446. Then 8 rows: gain 1 against 0.452.
    assert_array_equal(mdlp_cuts(np.arange(1.0, 13.0), np.repeat([0, 1, 2], 4), 3), [4.5, 8.5])


def test_equally_good_cuts_give_the_lowest():
    # Both cuts gain 0.459 against (log2(23) + 2.430) / 24 = 0.290; after either one, the other
    # gains 0.311 against (log2(15) + 3.185) / 16 = 0.443. So exactly one is made.
    table = np.array([[8.0, 0.0], [4.0, 4.0], [0.0, 8.0]])
    assert_array_equal(mdlp_cuts_from_table([1.0, 2.0, 3.0], table), [1.5])
    assert_array_equal(mdlp_cuts_from_table([1.0, 2.0, 3.0], table[:, ::-1]), [1.5])


def test_rounding_does_not_choose_between_equally_good_cuts():
    # Reversing the rows and swapping the outer classes maps the table to itself, so both cuts are
    # equally good and one is made; summed in this order, the upper one comes out 1e-16 better.
    table = [[9.0, 4.0, 0.0], [5.0, 4.0, 5.0], [0.0, 4.0, 9.0]]
    assert_array_equal(mdlp_cuts_from_table([1.0, 2.0, 3.0], table), [1.5])


def test_useless_cut_is_not_made_however_light():
    # Gain 0 at weight 1.01, where the right-hand side is (log2(0.01) + log2(7) + 2) / 1.01 < 0.
    assert_array_equal(mdlp_cuts_from_table([1.0, 2.0], np.full((2, 2), 1.01 / 4)), [])


def test_weight_of_at_most_one_is_not_cut():
    assert_array_equal(mdlp_cuts([1.0, 2.0], [0, 1], 2, [0.5, 0.5]), [])


@pytest.mark.parametrize(("load", "expected"), [(load_iris, WEKA_IRIS), (load_wine, WEKA_WINE)])
def test_mdlp_equals_weka(load, expected):
    X, y = load(return_X_y=True)
    for column, cuts in zip(X.T, expected, strict=True):
        assert_allclose(mdlp_cuts(column, y, 3), cuts, rtol=1e-12)


# --- where the cut lies ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1.0, np.nextafter(1.0, 2.0)),
        (np.nextafter(1.0, 0.0), 1.0),
        (-np.finfo(float).max, np.finfo(float).max),
        (np.nextafter(np.finfo(float).max, 0.0), np.finfo(float).max),
        (0.0, 5e-324),
        (-5e-324, 0.0),
        (5e-324, 1e-323),
    ],
)
def test_cut_separates_neighbouring_floats(left, right):
    (cut,) = mdlp_cuts([left, right], [0, 1], 2)
    assert left <= cut < right


# --- invariances -------------------------------------------------------------------------------


@examples
@given(weighted_rows, st.randoms(use_true_random=False))
def test_row_order_does_not_matter(data, random):
    shuffled = random.sample(data, len(data))
    assert_array_equal(cuts_of(shuffled), cuts_of(data))


@examples
@given(weighted_rows, st.permutations(range(N_CLASSES)))
def test_class_names_do_not_matter(data, names):
    renamed = [(v, names[c], w) for v, c, w in data]
    assert_array_equal(cuts_of(renamed), cuts_of(data))


@examples
@given(whole_rows)
def test_weight_is_repetition(data):
    values, classes, weights = columns(data)
    repeats = weights.astype(int)
    values_repeated, classes_repeated = np.repeat(values, repeats), np.repeat(classes, repeats)
    assert_array_equal(cuts_of(data), mdlp_cuts(values_repeated, classes_repeated, N_CLASSES))
    assert_array_equal(
        equal_frequency_cuts(values, 4, weights), equal_frequency_cuts(values_repeated, 4)
    )


@examples
@given(weighted_rows)
def test_weight_zero_is_absence(data):
    kept = [r for r in data if r[2] > 0]
    assert_array_equal(cuts_of(data), cuts_of(kept))


def test_no_rows_no_cuts():
    assert mdlp_cuts([], [], 2).shape == (0,)
    assert mdlp_cuts([], [], 2, []).shape == (0,)
    assert equal_frequency_cuts([], 3).shape == (0,)
    assert value_table([], [], 2)[1].shape == (0, 2)


def test_empty_rows_of_a_table_do_not_hide_or_shift_a_cut():
    distinct, table = [1.0, 2.0, 9.0], [[5.0, 0.0], [0.0, 0.0], [0.0, 5.0]]
    assert_array_equal(mdlp_cuts_from_table(distinct, table), [5.0])
    assert_array_equal(equal_frequency_cuts_from_table(distinct, [5.0, 0.0, 5.0], 2), [5.0])


def test_many_classes():
    cuts = mdlp_cuts(np.repeat(np.arange(700.0), 30), np.repeat(np.arange(700), 30), 700)
    assert_array_equal(cuts, np.arange(699) + 0.5)


# --- equal frequency ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "n_bins", "expected"),
    [
        ([1, 2, 3, 4, 5, 6], 3, [2.5, 4.5]),
        # Target 1.5 lies halfway between the boundaries at 1 and 2: the lower one.
        ([1, 2, 3], 2, [1.5]),
        # Targets 2 and 4 are both nearest to the boundary at 4.
        ([1, 1, 1, 1, 2, 3], 3, [1.5]),
        # Targets 2.5 and 5 and 7.5 against boundaries at 1, 2, 8, 9.
        ([1, 2, 3, 3, 3, 3, 3, 3, 4, 5], 4, [2.5, 3.5]),
        ([1, 2], 5, [1.5]),
        ([1, 2, 3], 1, []),
        ([7, 7, 7], 4, []),
    ],
)
def test_equal_frequency_by_hand(values, n_bins, expected):
    assert_array_equal(equal_frequency_cuts(np.array(values, float), n_bins), expected)


@pytest.mark.parametrize("n_bins", [2, 3, 4, 5, 8, 10])
def test_equal_frequency_lies_just_above_numpy_quantiles(n_bins):
    values = np.random.default_rng(0).permutation(np.random.default_rng(1).normal(size=240))
    cuts = equal_frequency_cuts(values, n_bins)
    ends = np.quantile(values, np.arange(1, n_bins) / n_bins, method="inverted_cdf")
    ordered = np.sort(values)
    following = ordered[np.searchsorted(ordered, ends, side="right")]
    assert_allclose(cuts, (ends + following) / 2)
    counts = np.bincount(np.searchsorted(cuts, values))
    assert_array_equal(counts, np.full(n_bins, 240 // n_bins))


@examples
@given(whole_rows, st.integers(1, 8))
def test_equal_frequency_equals_nearest_boundaries(data, n_bins):
    values, _, weights = columns(data)
    distinct = sorted(set(values[weights > 0].tolist()))
    below = [int(weights[values <= v].sum()) for v in distinct]
    expected = set()
    for i in range(1, n_bins if len(distinct) > 1 else 1):
        target = Fraction(i * below[-1], n_bins)
        # min keeps the first, that is the lower, of two equally near boundaries.
        b = min(range(len(distinct) - 1), key=lambda j: abs(below[j] - target))
        expected.add((distinct[b] + distinct[b + 1]) / 2)
    assert equal_frequency_cuts(values, n_bins, weights).tolist() == sorted(expected)


def test_equal_frequency_ties_survive_rounding():
    # 0.1 + 0.1 + 0.1 > 0.3: without tolerance the tie would go to the upper boundary or not
    # depending on the scale of the weights.
    values = np.arange(3.0)
    for scale in [0.1, 0.3, 1.0, 1e-9, 7e11]:
        assert_array_equal(equal_frequency_cuts(values, 2, np.full(3, scale)), [0.5])


def test_number_of_bins_is_checked():
    with pytest.raises(ValueError, match="n_bins must be at least 1, got 0"):
        equal_frequency_cuts([1.0, 2.0], 0)
    with pytest.raises(TypeError):
        equal_frequency_cuts([1.0, 2.0], 2.5)
