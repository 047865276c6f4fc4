"""Tables of few and of more cells, counted in two ways: equal to a loop and to the numpy twin."""

from collections import Counter

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from bayesgrove.kernels import numpy_kernels

ROWS = [0, 1, 31, 32, 33, 255, 4063, 4064, 4065, 20_000]
SIZES = [(1, 1), (2, 1), (2, 4), (7, 8), (8, 7), (4, 15), (1, 63), (1, 64), (63, 1), (12, 12)]


@pytest.fixture(params=["numpy", "_native"])
def kernels(request):
    return pytest.importorskip(f"bayesgrove.kernels.{request.param}")


@pytest.fixture
def native():
    return pytest.importorskip("bayesgrove.kernels._native")


def draw(rng, rows, card, dtype=np.uint8):
    """Codes of which the last is missing; skewed, so that one cell has nearly all rows."""
    codes = rng.integers(0, card + 1, rows)
    return np.where(rng.random(rows) < 0.7, 0, codes).astype(dtype)


@pytest.mark.parametrize(("classes", "card"), SIZES)
@pytest.mark.parametrize("rows", [0, 1, 33, 400])
def test_tables_of_two_columns_by_a_loop(kernels, classes, card, rows):
    rng = np.random.default_rng(rows)
    y, x = draw(rng, rows, classes), draw(rng, rows, card)
    counts = Counter(zip(y.tolist(), x.tolist(), strict=True))
    expected = [[float(counts[c, v]) for v in range(card)] for c in range(classes)]
    assert kernels.class_tables([x], [card], y, classes, None, 1).tolist() == expected
    (table,) = kernels.joint_tables([[1, 0]], [x, y], [card, classes], None, 1)
    assert table.reshape(classes, card).tolist() == expected


@pytest.mark.parametrize(("classes", "card"), SIZES)
@pytest.mark.parametrize("types", [("u1", "u1"), ("u1", "u2"), ("u4", "u1")])
def test_small_tables_equal_their_twin(native, classes, card, types):
    rng = np.random.default_rng(card)
    for rows in ROWS:
        y = draw(rng, rows, classes, types[0])
        columns = [draw(rng, rows, card, types[1]) for _ in range(3)]
        for weights in (None, rng.random(rows)):
            data = columns, [card] * 3, y, classes, weights
            sets = [[3, 0], [1, 3], [0, 2], [3, 0, 1], [3]]
            tables = sets, [*columns, y], [card] * 3 + [classes], weights
            expected = numpy_kernels.class_tables(*data, 1)
            for threads in (1, 3):
                assert_array_equal(native.class_tables(*data, threads), expected)
                for one, other in zip(
                    native.joint_tables(*tables, threads),
                    numpy_kernels.joint_tables(*tables, 1),
                    strict=True,
                ):
                    assert_array_equal(one, other)


def test_codes_beyond_the_missing_one_are_missing(kernels):
    x = np.array([0, 1, 2, 3, 200, 255, 1], dtype=np.uint8)
    y = np.array([0, 1, 1, 0, 1, 0, 255], dtype=np.uint8)
    (table,) = kernels.joint_tables([[1, 0]], [x, y], [2, 2], None, 1)
    assert table.tolist() == [1.0, 0.0, 0.0, 1.0]
