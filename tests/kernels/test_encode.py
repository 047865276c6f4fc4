"""Numbers to codes: the two modules against each other and against bisection, in every layout."""

from bisect import bisect_left

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from bayesgrove.kernels import numpy_kernels

NUMBER_TYPES = ["f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1"]
ROWS = [1, 7, 8, 127, 128, 129, 300, 32_769]
CUTS = [0, 1, 3, 8, 28, 64, 95, 96, 97, 255, 300]


@pytest.fixture
def native():
    return pytest.importorskip("bayesgrove.kernels._native")


def layouts(X):
    """The same numbers row by row, column by column, apart, transposed blocks, and backwards."""
    apart = np.zeros((2 * len(X), 3 * X.shape[1]), dtype=X.dtype)
    apart[::2, 1::3] = X
    return [
        np.ascontiguousarray(X),
        np.asfortranarray(X),
        apart[::2, 1::3],
        np.vstack([X.T, X.T])[X.shape[1] :].T,
        np.ascontiguousarray(X[::-1])[::-1],
        np.ascontiguousarray(X[:, ::-1])[:, ::-1],
    ]


class Plan:
    """Codings of columns as the kernel takes them: cuts, or labels with their codes."""

    def __init__(self, codings, missing_state=False):
        sizes = [len(points) for points, _ in codings]
        self.cards = [len(points) + (codes is None) + missing_state for points, codes in codings]
        self.points = np.concatenate([np.empty(0), *(points for points, _ in codings)])
        self.starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        filled = [np.arange(len(p)) if codes is None else codes for p, codes in codings]
        self.codes = np.concatenate([np.empty(0), *filled]).astype(np.uint32)
        self.exact = np.array([codes is not None for _, codes in codings], dtype=np.uint8)
        self.unseen = np.array(self.cards, dtype=np.uint32)
        self.missing = self.unseen - np.uint32(missing_state)

    def run(self, kernels, X, threads=1):
        types = [np.uint8 if card <= 255 else np.uint16 for card in self.cards]
        outs = [np.full(len(X), 99, dtype=dtype) for dtype in types]
        tally = kernels.encode_numbers(
            X,
            self.points,
            self.starts,
            self.codes,
            self.exact,
            self.missing,
            self.unseen,
            outs,
            threads,
        )
        return [out.tolist() for out in outs], tally.tolist()


def draw(rng, rows, columns, dtype):
    """Small whole numbers mostly; floats also have fractions, NaN, infinities and -0.0."""
    X = rng.integers(0, 12, (rows, columns)).astype(dtype)
    odd = rng.random((rows, columns))
    if np.dtype(dtype).kind == "f":
        X[odd < 0.1] += 0.5
        for low, value in zip((0.2, 0.3, 0.32, 0.34), (np.nan, np.inf, -np.inf, -0.0), strict=True):
            X[(odd > low) & (odd < low + 0.02)] = value
    else:
        X[odd < 0.02] = np.iinfo(dtype).max
        X[odd > 0.98] = np.iinfo(dtype).min
    return X


def draw_codings(rng, kind, columns):
    labels = {
        "in order": (np.arange(10.0), np.arange(10)),
        "from 3": (np.arange(3.0, 9.0), np.arange(6)),
        "with gaps": (np.array([0.0, 1.0, 5.0, 200.0, 255.0]), np.array([3, 1, 0, 2, 4])),
        "below zero": (np.array([-1.0, 0.0, 0.5, 11.0, 300.0]), np.array([4, 2, 3, 0, 1])),
        "none": (np.empty(0), np.empty(0)),
    }
    cuts = (np.sort(rng.normal(5, 3, 6)), None)
    if kind == "mixed":
        each = [*labels.values(), cuts]
        return [each[j % len(each)] for j in range(columns)]
    return [labels.get(kind, cuts)] * columns


@pytest.mark.parametrize("dtype", NUMBER_TYPES)
@pytest.mark.parametrize(
    "kind", ["in order", "from 3", "with gaps", "below zero", "none", "cuts", "mixed"]
)
def test_codes_equal_their_twin_in_every_layout(native, dtype, kind):
    rng = np.random.default_rng(len(kind))
    for rows in ROWS[:-1]:
        for columns, state in ((1, False), (9, True), (70, False)):
            X = draw(rng, rows, columns, dtype)
            plan = Plan(draw_codings(rng, kind, columns), state)
            expected = plan.run(numpy_kernels, X)
            for view in layouts(X):
                assert plan.run(native, view) == expected


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1"])
def test_codes_do_not_depend_on_threads(native, dtype):
    rng = np.random.default_rng(1)
    X = draw(rng, 3 * 32_768 + 5, 7, dtype)
    for kind in ("in order", "mixed"):
        plan = Plan(draw_codings(rng, kind, 7))
        expected = plan.run(numpy_kernels, X)
        for threads in (1, 3):
            assert plan.run(native, X, threads) == expected
            assert plan.run(native, np.asfortranarray(X), threads) == expected


@pytest.mark.parametrize("count", CUTS)
@pytest.mark.parametrize("exact", [False, True])
def test_few_and_many_points_equal_bisection(native, count, exact):
    rng = np.random.default_rng(count)
    points = np.sort(rng.normal(size=count))
    between = rng.normal(size=2 * count + 40)
    values = np.concatenate([between, points, np.nextafter(points, 9), np.nextafter(points, -9)])
    values = np.concatenate([values, [np.inf, -np.inf, np.nan, -0.0, 5e-324]])
    plan = Plan([(points, np.arange(count)[::-1] if exact else None)])
    (codes,), ((unseen, infinite),) = plan.run(native, values[:, None])
    places = [bisect_left(points.tolist(), v) for v in values.tolist()]
    known = np.isin(values, points)
    if exact:
        expected = [count - 1 - p if k else count for p, k in zip(places, known, strict=True)]
        assert unseen == (~known & ~np.isnan(values)).sum()
    else:
        expected = places
        assert unseen == 0
    expected[-3] = plan.cards[0]  # NaN
    assert codes == expected
    assert infinite == 2


@pytest.mark.parametrize("dtype", NUMBER_TYPES)
def test_levels_equal_their_twin_in_every_layout(native, dtype):
    rng = np.random.default_rng(3)
    for rows in ROWS:
        for columns in (1, 9, 70) if rows < 400 else (3,):
            X = draw(rng, rows, columns, dtype)
            X[:, 0] = 7
            if np.dtype(dtype).kind == "f":
                X[0, 0], X[:, -1] = 255.0, np.nan
                X[rows // 2, -1] = 256.0
            expected = numpy_kernels.scan_levels(X, 1)
            for view in layouts(X):
                for threads in (1, 3):
                    for one, other in zip(native.scan_levels(view, threads), expected, strict=True):
                        assert_array_equal(one, other)


@pytest.mark.parametrize("value", [-1.0, -0.5, 0.5, 254.5, 255.5, 256.0, 1e300, -1e300, 2.0**52])
def test_what_is_not_a_level(native, value):
    X = np.array([[3.0], [value], [255.0], [-0.0], [np.nan]])
    seen, other, _ = native.scan_levels(X, 1)
    assert np.flatnonzero(seen[0]).tolist() == [0, 3, 255]
    assert other.tolist() == [1]
