"""Class probabilities and choices of both kernel modules, against exact fractions and loops."""

import math
from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bayesgrove.kernels import numpy_kernels

NOISE = 1e-12
NOTHING = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.uint32)
CARDS = (3, 2, 300, 5)
TYPES = ("u1", "u1", "u2", "u4")


@pytest.fixture(params=["numpy", "_native"])
def kernels(request):
    return pytest.importorskip(f"bayesgrove.kernels.{request.param}")


@pytest.fixture
def native():
    return pytest.importorskip("bayesgrove.kernels._native")


def draw_program(seed, rows, n_classes, *, zeros=0.0):
    """Columns, the layout of a factor per column, and the probabilities in its tables."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, card, rows).astype(t) for card, t in zip(CARDS, TYPES, strict=True)]
    shares = [rng.integers(1, 64, (card, n_classes)) / 64 for card in CARDS]
    for table in shares:
        table[rng.random(table.shape) < zeros] = 0.0
    with np.errstate(divide="ignore"):
        values = np.log(np.concatenate([table.ravel() for table in shares]))
    starts = np.cumsum([0, *(table.size for table in shares)])[:-1]
    layout = (
        np.arange(len(CARDS) + 1, dtype=np.int32),
        np.arange(len(CARDS), dtype=np.int32),
        np.ones(len(CARDS), dtype=np.int64),
        starts.astype(np.int64),
        np.full(len(CARDS), n_classes, dtype=np.int32),
        values,
    )
    return columns, layout, shares


def products(columns, shares):
    """The exact product of the probabilities per row and class."""
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [
        [
            math.prod((Fraction(table[code, c]) for code, table in zip(row, shares, strict=True)))
            for c in range(shares[0].shape[1])
        ]
        for row in rows
    ]


@pytest.mark.parametrize("rows", [0, 1, 511, 513, 1300])
@pytest.mark.parametrize("n_classes", [1, 2, 3, 9])
def test_class_probabilities_are_shares_of_exact_products(kernels, rows, n_classes):
    columns, layout, shares = draw_program(rows + n_classes, rows, n_classes)
    exact = products(columns, shares)
    expected = np.array([[float(one / sum(row)) for one in row] for row in exact])
    found, rest = kernels.class_probabilities(columns, *layout, *NOTHING, rows, n_classes, False, 1)
    assert_allclose(found, expected.reshape(rows, n_classes), rtol=1e-13)
    logs, also = kernels.class_probabilities(columns, *layout, *NOTHING, rows, n_classes, True, 1)
    assert_allclose(np.exp(logs), found, rtol=1e-13)
    assert (rest.tolist(), also.tolist()) == ([], [])


@pytest.mark.parametrize("n_classes", [2, 3, 9])
def test_choices_are_the_first_of_the_largest_products(kernels, n_classes):
    """Products of powers of 1/3 are often equal, and their sums of logarithms nearly so."""
    columns, layout, shares = draw_program(5, 900, n_classes)
    rng = np.random.default_rng(n_classes)
    shares = [3.0 ** rng.integers(0, 4, table.shape) for table in shares]
    values = -np.log(np.concatenate([table.ravel() for table in shares]))
    exact = products(columns, shares)
    expected = [row.index(min(row)) for row in exact]  # of the reciprocals
    assert any(row.count(min(row)) > 1 for row in exact)
    layout = (*layout[:-1], values)
    found, _ = kernels.class_choices(columns, *layout, *NOTHING, 900, n_classes, NOISE, 1)
    assert found.tolist() == expected


@pytest.mark.parametrize("n_classes", [2, 3])
def test_rows_that_are_not_settled(kernels, n_classes):
    """Those with a missing parent, and those impossible under every class."""
    columns, layout, shares = draw_program(3, 1200, n_classes, zeros=0.4)
    impossible = {row for row, own in enumerate(products(columns, shares)) if not any(own)}
    missing = {row for row in range(1200) if columns[0][row] == 2 or columns[2][row] == 7}
    parents = np.array([0, 2], dtype=np.int32), np.array([2, 7], dtype=np.uint32)
    assert impossible - missing
    assert missing - impossible
    for ask, option in ((kernels.class_probabilities, False), (kernels.class_choices, NOISE)):
        found, rest = ask(columns, *layout, *parents, 1200, n_classes, option, 1)
        assert rest.tolist() == sorted(impossible | missing)
        assert len(found) == 1200


def test_an_impossible_class_has_no_probability(kernels):
    joint = np.array([[-np.inf, -700.0], [-3.0, -np.inf], [-1e5, -1e5 - 1e4]])
    found = kernels.probabilities_of_joint(joint, False, 1)
    assert_array_equal(found, [[0.0, 1.0], [1.0, 0.0], [1.0, 0.0]])
    logs = kernels.probabilities_of_joint(joint, True, 1)
    assert_array_equal(logs, [[-np.inf, 0.0], [0.0, -np.inf], [0.0, -1e4]])
    nothing = kernels.probabilities_of_joint(np.full((1, 2), -np.inf), False, 1)
    assert np.isnan(nothing).all()


def test_classes_that_differ_by_noise_only_are_equal(kernels):
    """The first of those within 1e-12 of the top, or of its share where the top is large."""
    joint = np.array(
        [
            [-1.0 - 1e-13, -1.0, -1.0],
            [-1.0 - 1e-11, -1.0, -1.0],
            [-1e6 - 1e-7, -2e6, -1e6],
            [-1e6 - 1e-5, -2e6, -1e6],
            [-np.inf, -np.inf, -np.inf],
        ]
    )
    assert kernels.choices_of_joint(joint, NOISE, 1).tolist() == [0, 1, 0, 2, 0]
    assert kernels.choices_of_joint(joint[:, :2].copy(), NOISE, 1).tolist() == [0, 1, 0, 0, 0]


@pytest.mark.parametrize("n_classes", [2, 5])
def test_threads_and_the_way_through_the_joint_change_nothing(native, n_classes):
    columns, layout, _ = draw_program(8, 2000, n_classes, zeros=0.05)
    joint = native.log_joint(columns, *layout, 2000, n_classes, 1)
    for threads in (1, 2, 8):
        shape = 2000, n_classes
        found, rest = native.class_probabilities(columns, *layout, *NOTHING, *shape, False, threads)
        alone = native.probabilities_of_joint(joint, False, threads)
        assert_array_equal(found, alone)
        assert np.flatnonzero(np.isnan(alone[:, 0])).tolist() == rest.tolist()
        chosen, _ = native.class_choices(columns, *layout, *NOTHING, *shape, NOISE, threads)
        assert_array_equal(chosen, native.choices_of_joint(joint, NOISE, threads))


@pytest.mark.parametrize("n_classes", [1, 2, 7])
def test_native_answers_equal_those_of_numpy(native, n_classes):
    rng = np.random.default_rng(n_classes)
    joint = np.round(rng.normal(scale=30, size=(3000, n_classes)), 1)
    for logs in (False, True):
        one, two = (k.probabilities_of_joint(joint, logs, 2) for k in (native, numpy_kernels))
        assert_allclose(one, two, rtol=1e-15, atol=1e-15 if logs else 0)
    one, two = (k.choices_of_joint(joint, NOISE, 2) for k in (native, numpy_kernels))
    assert_array_equal(one, two)


def test_columns_of_parents_are_checked(native):
    columns, layout, _ = draw_program(1, 20, 2)
    short = np.zeros(3, dtype=np.uint8)
    ask = (20, 2, False, 1)
    parents = np.array([4], dtype=np.int32), np.array([1], dtype=np.uint32)
    with pytest.raises(ValueError, match="differ in length"):
        native.class_probabilities([*columns, short], *layout, *parents, *ask)
    with pytest.raises(IndexError):
        native.class_probabilities(columns, *layout, *parents, *ask)
    with pytest.raises(ValueError, match="one code for missing values"):
        native.class_probabilities(columns, *layout, parents[0], NOTHING[1], *ask)
