"""NBTree against a plain oracle, which is held against WEKA 3.6.14; native against numpy; by hand.

make_nbtree.py asked WEKA. Its order of rows is an accident: the oracle has that one, and ours.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import naive_oracle as oracle
from bayesgrove.datasets import load_dataset
from bayesgrove.encoding import MixedTable, code_type
from bayesgrove.kernels import numpy_kernels
from bayesgrove.trees import NBTree
from tree_tables import table_of

ANSWERS = json.loads((Path(__file__).parent / "data" / "nbtree.json").read_text())


@pytest.fixture(scope="module")
def native():
    return pytest.importorskip("bayesgrove.kernels._native")


def oracle_tree(table, order, **options):
    return oracle.NBTree(
        oracle.rows_of(table), list(table.cards), table.n_classes, order, **options
    )


def lines_of(tree, cards):
    """A tree as WEKA prints it, without its leaves."""
    states = [[f"v{k}" for k in range(card)] if card else None for card in cards]
    lines = tree.to_text([f"a{j}" for j in range(len(cards))], states).splitlines()
    return [line.split(":")[0] for line in lines if not line.startswith(":")]


def assert_same_tree(tree, expected, table):
    assert lines_of(tree, table.cards) == list(expected.lines())
    rows = [expected.distribution(values) for values, *_ in oracle.rows_of(table)]
    assert_allclose(tree.distribution(table), rows, rtol=1e-9)


@pytest.fixture
def real_table(name, request):
    """vote and iris are at hand everywhere."""
    load = load_dataset if name in ("vote", "iris") else request.getfixturevalue("folder_dataset")
    return table_of(load(name))


@pytest.mark.parametrize("name", ANSWERS)
def test_in_the_order_of_java_the_oracle_is_weka(name, real_table):
    table = real_table
    tree = oracle_tree(table, oracle.JavaOrder())
    assert list(tree.lines()) == ANSWERS[name]["lines"]
    rows = oracle.rows_of(table)
    for row, shares in ANSWERS[name]["rows"].items():
        assert_allclose(tree.distribution(rows[int(row)][0]), shares, atol=1e-8)


@pytest.mark.parametrize("name", ["iris", "hepatitis", "heart-c"])
def test_real_data_as_the_oracle_has_it(name, real_table):
    expected = oracle_tree(real_table, oracle.TableOrder())
    assert_same_tree(NBTree().grow(real_table), expected, real_table)


def random_table(seed):
    """Columns that tell the class in a part of the rows, with gaps, and perhaps with weights."""
    rng = np.random.default_rng(seed)
    rows, n_classes = int(rng.integers(1, 90)), int(rng.integers(1, 5))
    group = rng.integers(0, 3, rows)
    target = rng.integers(0, n_classes, rows)
    cards = rng.choice([0, 0, 2, 3, 6], int(rng.integers(1, 5))).tolist()
    columns = [random_column(rng, target, group, card) for card in cards]
    weights = [None, rng.integers(1, 9, rows) / 4, rng.random(rows) * 2 + 1e-3][seed % 3]
    return MixedTable(columns, cards, target.astype(np.uint8), n_classes, weights)


def random_column(rng, target, group, card):
    rows = len(target)
    told = np.where(rng.random() < 0.3, group, target * (group != rng.integers(0, 3)))
    gone = rng.random(rows) < rng.choice([0.0, 0.0, 0.2])
    if card == 0:
        numbers = told + rng.choice([0.0, 0.2, 1.0]) * rng.normal(size=rows)
        return np.where(gone, np.nan, np.round(numbers, 1))
    codes = np.where(rng.random(rows) < 0.2, rng.integers(0, card, rows), told % card)
    return np.where(gone, card, codes).astype(code_type(card))


@pytest.mark.parametrize("seed", range(60))
def test_random_tables_as_the_oracle_has_them(seed):
    table, saved = random_table(seed), [0.0, 0.05, 0.3][seed % 3]
    tree = NBTree(min_rows=8, min_error_reduction=saved).grow(table)
    expected = oracle_tree(table, oracle.TableOrder(), min_rows=8, reduction=saved)
    assert_same_tree(tree, expected, table)


def grown(kernels, table, folds):
    columns, weights = table.contiguous(), table.row_weights
    arrays, *models = kernels.grow_nbtree(
        columns, list(table.cards), table.target, table.n_classes, weights, 6.0, 0.05, folds
    )
    return [*arrays, *models]


def predicted(kernels, table, arrays, threads=1):
    columns, cards = table.contiguous(), list(table.cards)
    return kernels.nbtree_logs(*arrays, columns, cards, table.rows, threads)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([2, 5, 7]))
def test_native_grows_and_predicts_as_numpy_does(native, seed, folds):
    table = random_table(seed)
    arrays = grown(native, table, folds)
    for one, other in zip(arrays, grown(numpy_kernels, table, folds), strict=True):
        assert one.dtype == other.dtype
        assert one.shape == other.shape
        assert_allclose(one, other, rtol=1e-12, atol=1e-12)
    expected = predicted(numpy_kernels, table, arrays)
    one, three = (predicted(native, table, arrays, threads) for threads in (1, 3))
    assert_allclose(one, expected, rtol=1e-12, atol=1e-12)
    assert_array_equal(one, three)


A = np.uint8([0, 0, 1, 1] * 10)
B = np.uint8([0, 1, 0, 1] * 10)
EITHER = MixedTable([A, B], [2, 2], A ^ B, 2)
"""The class is told by two columns together, and by none alone: naive Bayes cannot."""


def test_a_split_saves_the_errors_of_naive_bayes():
    tree = NBTree().grow(EITHER)
    assert tree.to_text(["a", "b"], [["n", "y"]] * 2).splitlines() == [
        "a = n: naive Bayes 0 (20.0)",
        "a = y: naive Bayes 1 (20.0)",
    ]
    assert_array_equal(tree.distribution(EITHER).argmax(axis=1), EITHER.target)
    assert (tree.size, tree.leaves) == (3, 2)


def test_a_leaf_has_one_more_of_every_count():
    """In the branch a = n, b is the class: 10 rows of each."""
    model = NBTree().grow(EITHER).models[0]
    assert_allclose(np.exp(model.log_prior), [1 / 2, 1 / 2])
    assert_allclose(np.exp(model.log_tables[0]), [[11 / 12] * 2, [1 / 12] * 2])
    assert_allclose(np.exp(model.log_tables[1]), [[11 / 12, 1 / 12], [1 / 12, 11 / 12]])
    assert model.cuts == [None, None]
    row = MixedTable([np.uint8([0]), np.uint8([0])], [2, 2])
    assert_allclose(NBTree().grow(EITHER).distribution(row), [[11 / 12, 1 / 12]])


def test_a_node_must_have_the_least_weight():
    assert NBTree(min_rows=40).grow(EITHER).leaves == 2
    assert NBTree(min_rows=41).grow(EITHER).leaves == 1
    heavy = MixedTable([A, B], [2, 2], A ^ B, 2, np.full(40, 1.5))
    assert NBTree(min_rows=60).grow(heavy).leaves == 2


def test_a_split_must_save_its_share():
    """Alone the classes are even, and naive Bayes finds none of them; one row in five is wrong."""
    wrong = np.arange(40) % 5 == 0
    table = MixedTable([A, B], [2, 2], (A ^ B ^ wrong).astype(np.uint8), 2)
    rows, cards = oracle.rows_of(table), [2, 2]
    order = oracle.TableOrder()
    before = oracle.fold_errors(rows, order.folds_of_node(rows), cards, 2)
    after = order.judge(oracle.branches(rows, 0, None, cards), cards, 2, numeric=False)
    saved = 1 - after / before
    assert 0 < saved < 1
    assert NBTree(min_error_reduction=saved).grow(table).leaves == 2
    assert NBTree(min_error_reduction=saved + 1e-6).grow(table).leaves == 1


def test_numbers_are_cut_at_every_leaf_anew():
    x = np.concatenate([np.arange(20.0), np.arange(20.0)])
    side = np.repeat(np.uint8([0, 1]), 20)
    target = np.concatenate([x[:20] > 4.5, x[20:] > 13.5]).astype(np.uint8)
    tree = NBTree(min_rows=21).grow(MixedTable([side, x], [2, 0], target, 2))
    assert tree.tree.attribute[0] == 0
    assert [model.cuts[1].tolist() for model in tree.models] == [[4.5], [13.5]]
    assert tree.values.tolist() == [[2, 2], [2, 2]]


def test_a_branch_without_rows_predicts_as_its_parent():
    """The third value of a is declared; 40 rows of even classes, and b tells nothing there."""
    tree = NBTree().grow(MixedTable([A, B], [3, 2], A ^ B, 2))
    assert tree.leaves == 3
    assert tree.model.tolist() == [-1, 1, 2, 0]
    rows = MixedTable([np.uint8([2, 2]), np.uint8([0, 1])], [3, 2])
    assert_allclose(tree.distribution(rows), [[0.5, 0.5]] * 2)


def test_a_missing_value_averages_the_leaves():
    weights = np.where(A == 1, 3.0, 1.0)
    tree = NBTree().grow(MixedTable([A, B], [2, 2], A ^ B, 2, weights))
    first, second = (model.log_prior + model.log_tables[1][0] for model in tree.models)
    shares = [np.exp(joint) / np.exp(joint).sum() for joint in (first, second)]
    rows = MixedTable([np.uint8([2]), np.uint8([0])], [2, 2])
    assert_allclose(tree.distribution(rows), [0.25 * shares[0] + 0.75 * shares[1]])


def test_rows_of_weight_zero_are_not_there():
    weights = np.ones(40)
    weights[[0, 7, 22]] = 0.0
    weighted = MixedTable([A, B], [2, 2], A ^ B, 2, weights)
    without = EITHER.take(np.flatnonzero(weights))
    one, other = NBTree().grow(weighted), NBTree().grow(without)
    assert_array_equal(one.tree.weights, other.tree.weights)
    assert_array_equal(one.tables, other.tables)


def test_no_rows_and_no_columns_give_a_leaf():
    empty = MixedTable([np.zeros(0, np.uint8), np.zeros(0)], [2, 0], np.zeros(0, np.uint8), 3)
    row = MixedTable([np.uint8([0]), np.zeros(1)], [2, 0])
    assert_allclose(NBTree().grow(empty).distribution(row), [[1 / 3] * 3])
    alone = NBTree().grow(MixedTable([], [], np.uint8([0, 1, 1]), 2))
    assert alone.to_text([], []) == ": naive Bayes 0 (3.0)"
    assert_allclose(np.exp(alone.priors), [[2 / 5, 3 / 5]])


def test_very_unlikely_classes_have_a_logarithm():
    columns = [A ^ B] * 400
    tree = NBTree().grow(MixedTable(columns, [2] * 400, A ^ B, 2))
    logs = tree.log_distribution(MixedTable(columns, [2] * 400))
    assert logs.min() < -1000
    assert np.isfinite(logs).all()


@pytest.mark.parametrize(
    "options",
    [
        {"min_rows": 0},
        {"min_rows": 1.5},
        {"min_error_reduction": -0.1},
        {"min_error_reduction": 1.0},
        {"min_error_reduction": "a"},
        {"cv": 1},
    ],
)
def test_options_out_of_range_are_refused(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        NBTree(**options).grow(EITHER)


def test_rows_of_another_table_are_refused():
    with pytest.raises(ValueError, match=r"cards .2, 3., but the tree was grown with the cards"):
        NBTree().grow(EITHER).distribution(MixedTable([A, B], [2, 3]))


@pytest.mark.parametrize(
    "change",
    [
        lambda a: a[5].__setitem__(1, 7),
        lambda a: a.__setitem__(5, a[5][:-1]),
        lambda a: a.__setitem__(6, a[6][:, :1].copy()),
        lambda a: a[7].__setitem__((0, 0), 3),
        lambda a: a.__setitem__(8, np.zeros(1)),
        lambda a: a.__setitem__(9, a[9][:-1]),
    ],
)
def test_models_that_do_not_fit_are_refused(native, change):
    arrays = grown(native, EITHER, 5)
    change(arrays)
    with pytest.raises(ValueError, match=r"model|leaf"):
        predicted(native, EITHER, arrays)
