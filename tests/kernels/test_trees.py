"""The kernels of trees: native against numpy, and what holds for every tree."""

from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from bayesgrove.encoding import MixedTable, code_type
from bayesgrove.kernels import numpy_kernels
from bayesgrove.trees import C45

CARDS = st.lists(st.sampled_from([0, 0, 1, 2, 2, 3, 5, 40]), min_size=1, max_size=5)
KINDS = st.sampled_from(["ones", "quarters", "floats"])
SHARES = st.sampled_from([0.0, 0.1, 0.5])


@pytest.fixture(scope="module")
def native():
    return pytest.importorskip("bayesgrove.kernels._native")


@pytest.fixture(params=["numpy", "_native"])
def kernels(request):
    return pytest.importorskip(f"bayesgrove.kernels.{request.param}")


@st.composite
def tables(draw, shares=SHARES, kinds=KINDS):
    """Columns that tell the class a little, some values missing."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows, n_classes = draw(st.integers(1, 120)), draw(st.sampled_from([1, 2, 2, 3, 6]))
    target = rng.integers(0, n_classes, rows)
    cards, missing, kind = draw(CARDS), draw(shares), draw(kinds)
    columns = [draw_column(rng, target, card, missing) for card in cards]
    weights = {
        "ones": None,
        "quarters": rng.integers(1, 9, rows) / 4,
        "floats": rng.random(rows) * 3 + 1e-3,
    }[kind]
    return MixedTable(columns, cards, target.astype(np.uint8), n_classes, weights)


def draw_column(rng, target, card, missing):
    rows = len(target)
    noise = rng.random(rows) < rng.random()
    gone = rng.random(rows) < missing
    if card == 0:
        spread = rng.choice([0.0, 0.1, 3.0])
        numbers = np.where(noise, rng.integers(0, 9, rows), target) + spread * rng.normal(size=rows)
        return np.where(gone, np.nan, numbers * rng.choice([1.0, 1e-7, 1e-300]))
    codes = np.where(noise, rng.integers(0, card, rows), target % card)
    return np.where(gone, card, codes).astype(code_type(card))


def grown(kernels, table, min_rows=2, mdl=True):
    columns, cards = list(table.columns), list(table.cards)
    weights = table.row_weights
    return kernels.grow_tree(columns, cards, table.target, table.n_classes, weights, min_rows, mdl)


def pruned(kernels, table, arrays, confidence, raising):
    z = NormalDist().inv_cdf(1 - confidence)
    return kernels.prune_tree(
        *arrays,
        list(table.columns),
        list(table.cards),
        table.target,
        table.row_weights,
        confidence,
        z,
        raising,
    )


def predicted(kernels, table, arrays, threads=1):
    return kernels.tree_distributions(
        *arrays, list(table.columns), list(table.cards), table.rows, threads
    )


def assert_same(one, other):
    for a, b in zip(one, other, strict=True):
        assert a.dtype == b.dtype
        assert_array_equal(a, b)


@settings(max_examples=150, deadline=None)
@given(tables(), st.sampled_from([1, 2, 5]), st.booleans())
def test_native_grows_and_predicts_as_numpy_does(native, table, min_rows, mdl):
    arrays = grown(native, table, min_rows, mdl)
    assert_same(arrays, grown(numpy_kernels, table, min_rows, mdl))
    expected = predicted(numpy_kernels, table, arrays)
    for threads in (1, 4):
        assert_array_equal(predicted(native, table, arrays, threads), expected)


@settings(max_examples=100, deadline=None)
@given(tables(), st.sampled_from([0.05, 0.25, 0.5]), st.booleans())
def test_native_prunes_as_numpy_does(native, table, confidence, raising):
    arrays = grown(native, table, min_rows=1)
    assert_same(
        pruned(native, table, arrays, confidence, raising),
        pruned(numpy_kernels, table, arrays, confidence, raising),
    )


@settings(max_examples=60, deadline=None)
@given(tables(), st.booleans())
def test_weights_are_shared_out_and_sum_up(table, pruned):
    tree = C45(pruned=pruned, min_rows=1).grow(table)
    assert_allclose(tree.weights[0].sum(), table.row_weights.sum())
    for node in np.flatnonzero(tree.count):
        children = slice(tree.first[node], tree.first[node] + tree.count[node])
        assert_allclose(tree.weights[children].sum(axis=0), tree.weights[node], rtol=1e-4)
        assert (tree.parent[children] == node).all()
    assert_allclose(tree.distribution(table).sum(axis=1), 1.0, rtol=1e-4)


@settings(max_examples=60, deadline=None)
@given(tables(), st.integers(0, 99))
def test_the_order_of_rows_does_not_matter(table, seed):
    order = np.random.default_rng(seed).permutation(table.rows)
    tree, other = C45().grow(table), C45().grow(table.take(order))
    assert_array_equal(other.attribute, tree.attribute)
    assert_array_equal(other.threshold, tree.threshold)
    assert_allclose(other.weights, tree.weights, atol=1e-9)


@settings(max_examples=60, deadline=None)
@given(tables(shares=st.sampled_from([0.0, 0.2]), kinds=st.just("ones")), st.integers(0, 99))
def test_a_weight_of_two_is_the_row_twice(table, seed):
    times = np.random.default_rng(seed).integers(1, 4, table.rows)
    repeated = table.take(np.repeat(np.arange(table.rows), times))
    weighted = MixedTable(
        table.columns, table.cards, table.target, table.n_classes, times.astype(np.float64)
    )
    tree, other = C45().grow(weighted), C45().grow(repeated)
    assert_array_equal(other.attribute, tree.attribute)
    assert_array_equal(other.threshold, tree.threshold)
    assert_allclose(other.weights, tree.weights, atol=1e-9)


@settings(max_examples=40, deadline=None)
@given(tables(shares=st.just(0.0), kinds=st.just("ones")))
def test_without_missing_values_rows_are_counted_in_their_leaves(table):
    tree = C45(pruned=False, collapse=False, min_rows=1).grow(table)
    shares = tree.distribution(table)
    assert (shares[np.arange(table.rows), table.target] > 0).all()
    leaves = tree.weights[tree.count == 0]
    assert_allclose(shares.sum(axis=0), leaves.sum(axis=0), rtol=1e-12)


def test_all_known_values_gone_shares_equally(kernels):
    """A raised test whose value no row knows halves them."""
    gone = MixedTable([np.uint8([2, 2])], [2], np.uint8([0, 1]), 2)
    arrays = (
        np.array([0, -1, -1], dtype=np.int32),
        np.zeros(3),
        np.array([1, 0, 0], dtype=np.int32),
        np.array([2, 0, 0], dtype=np.int32),
        np.ones((3, 2)),
    )
    weights = pruned(kernels, gone, arrays, 0.5, raising=True)[4]
    assert_allclose(weights, [[1, 1], [0.5, 0.5], [0.5, 0.5]])


def test_values_next_to_each_other_are_cut_below_the_upper():
    low = 2.0**40
    high = np.nextafter(low, np.inf)
    x = np.array([low] * 3 + [high] * 3)
    tree = C45().grow(MixedTable([x], [0], np.uint8([0, 0, 0, 1, 1, 1]), 2))
    assert tree.size == 3
    assert tree.threshold[0] == low
    assert_array_equal(tree.weights[1:], [[3, 0], [0, 3]])


@pytest.mark.parametrize(
    "change",
    [
        lambda a: a[0].__setitem__(0, 7),
        lambda a: a[2].__setitem__(0, 0),
        lambda a: a[3].__setitem__(0, 9),
        lambda a: a.__setitem__(1, a[1][:-1]),
    ],
)
def test_trees_that_do_not_fit_are_refused(native, change):
    table = MixedTable([np.uint8([0, 0, 1, 1])], [2], np.uint8([0, 0, 1, 1]), 2)
    arrays = list(grown(native, table))
    change(arrays)
    with pytest.raises(ValueError, match="tree"):
        predicted(native, table, arrays)
