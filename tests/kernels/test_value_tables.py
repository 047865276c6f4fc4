"""Value tables and MDLP cuts against loops in plain Python, and the two modules bit for bit."""

import math
from collections import defaultdict

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from bayesgrove.kernels import numpy_kernels

NUMBER_TYPES = ["f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1"]
ROWS = [0, 1, 2, 9, 1023, 1025, 3000]


@pytest.fixture(params=["numpy", "_native"])
def kernels(request):
    return pytest.importorskip(f"bayesgrove.kernels.{request.param}")


@pytest.fixture
def native():
    return pytest.importorskip("bayesgrove.kernels._native")


def draw_values(rng, rows, dtype, kind="whole"):
    """Whole numbers close to each other or far apart, or fractions; some floats missing."""
    info = np.iinfo(dtype) if np.dtype(dtype).kind in "iu" else np.iinfo("i4")
    if kind == "far":
        values = rng.integers(info.min, info.max, rows, dtype=info.dtype, endpoint=True)
    else:
        values = rng.integers(max(info.min, -20), 40, rows)
    values = values.astype(dtype)
    if np.dtype(dtype).kind == "f":
        if kind == "fractions":
            values = (values / 7 + rng.random(rows).round(1)).astype(dtype)
        odd = rng.random(rows)
        values[odd < 0.1] = np.nan
        values[odd > 0.95] = -0.0
    return values


def brute(values, target, n_classes, weights):
    """The table by a dictionary, and the numbers of missing and infinite values."""
    sums = defaultdict(lambda: [0.0] * n_classes)
    numbers = [float(v) for v in values.tolist()]
    each = [1.0] * len(numbers) if weights is None else weights.tolist()
    for value, c, w in zip(numbers, target.tolist(), each, strict=True):
        if not math.isnan(value) and c < n_classes:
            sums[value][c] += w
    kept = sorted(v for v, row in sums.items() if any(row))
    table = np.array([sums[v] for v in kept]).reshape(len(kept), n_classes)
    missing, infinite = (sum(map(is_odd, numbers)) for is_odd in (math.isnan, math.isinf))
    return np.array(kept), table, missing, infinite


def assert_same(one, other):
    for a, b in zip(one[:2], other[:2], strict=True):
        assert a.dtype == b.dtype == np.float64
        assert a.shape == b.shape
        assert_array_equal(a, b)
    assert one[2:] == other[2:]


@pytest.mark.parametrize("dtype", NUMBER_TYPES)
@pytest.mark.parametrize("kind", ["whole", "far", "fractions"])
@pytest.mark.parametrize("weighted", [False, True])
def test_value_table_is_its_definition_to_the_last_bit(kernels, dtype, kind, weighted):
    rng = np.random.default_rng(len(kind))
    for rows in ROWS:
        values = draw_values(rng, rows, dtype, kind)
        target = rng.integers(0, 4, rows).astype(np.uint8)  # class 3 is missing
        # Sums of such weights depend on their order.
        weights = rng.random(rows) ** 9 * (rng.random(rows) < 0.8) if weighted else None
        expected = brute(values, target, 3, weights)
        apart = np.zeros((rows, 3), dtype=dtype)
        apart[:, 2] = values
        for view in (values, apart[:, 2], values[::-1].copy()[::-1]):
            assert_same(kernels.value_table(view, target, 3, weights), expected)


def test_value_table_by_hand(kernels):
    values = np.array([2.5, -0.0, np.nan, 2.5, 0.0, np.inf, 7.0])
    target = np.array([0, 1, 0, 1, 1, 0, 0], dtype=np.uint16)
    weights = np.array([1.0, 2.0, 4.0, 0.5, 8.0, 1.0, 0.0])
    distinct, table, missing, infinite = kernels.value_table(values, target, 2, weights)
    assert distinct.tolist() == [0.0, 2.5, np.inf]
    assert not np.signbit(distinct[0])
    assert table.tolist() == [[0.0, 10.0], [1.0, 0.5], [1.0, 0.0]]
    assert (missing, infinite) == (1, 1)


@pytest.mark.parametrize("low", [-np.inf, -1e300, -(2.0**53), -(2.0**52) - 1, -5e-324, 0.0, 1e-5])
@pytest.mark.parametrize("high", [np.inf, 1e300, 2.0**53, 2.0**52 + 1, 5e-324, 0.5, 3.0])
def test_numbers_at_the_ends_of_their_range(kernels, low, high):
    values = np.array([high, low, 1.0, high, np.nan] * 3)
    target = np.zeros(len(values), dtype=np.uint8)
    assert_same(
        kernels.value_table(values, target, 1, None),
        brute(values, target, 1, None),
    )


def test_integers_that_floats_cannot_tell_apart_are_one_value(kernels):
    values = np.array([2**60, 2**60 + 1, -(2**60), 2**63 - 1], dtype=np.int64)
    distinct, table, *_ = kernels.value_table(values, np.zeros(4, dtype=np.uint8), 1, None)
    assert distinct.tolist() == [-(2.0**60), 2.0**60, 2.0**63]
    assert table.ravel().tolist() == [1.0, 2.0, 1.0]


def test_many_different_values(native):
    """Long columns: every byte of the keys takes part."""
    rng = np.random.default_rng(5)
    values = np.concatenate([rng.normal(size=20_000) * 10.0 ** rng.integers(-300, 300, 20_000)] * 2)
    target = rng.integers(0, 3, len(values)).astype(np.uint32)
    for weights in (None, rng.random(len(values))):
        assert_same(
            native.value_table(values, target, 3, weights),
            numpy_kernels.value_table(values, target, 3, weights),
        )


def test_wrong_arguments_of_value_tables_are_refused(native):
    values, target = np.zeros(3), np.zeros(3, dtype=np.uint8)
    bad = [
        (values[:2], target, 1, None),
        (values[:, None], target, 1, None),
        (values.astype(np.float16), target, 1, None),
        (values, target.astype(np.int64), 1, None),
        (values, target, -1, None),
        (values, target, 1, np.zeros(2)),
    ]
    for arguments in bad:
        with pytest.raises(ValueError, match=r"\w+ \w+"):
            native.value_table(*arguments)
    with pytest.raises(ValueError, match="row per value"):
        native.mdlp_cuts(np.zeros(3), np.zeros((2, 2)), False)


def entropy(counts):
    total = sum(counts)
    return -sum(n / total * math.log2(n / total) for n in counts if n)


def brute_cuts(distinct, table, by_values):
    """The rule of Fayyad and Irani over all boundaries of distinct values."""
    whole, n = table.sum(axis=0), float(table.sum())
    size = len(distinct) if by_values else n
    if len(distinct) < 2 or size <= 1:
        return []
    parts = [(table[:i].sum(axis=0), table[i:].sum(axis=0)) for i in range(1, len(distinct))]
    mean = [(a.sum() * entropy(a) + b.sum() * entropy(b)) / n for a, b in parts]
    at = next(i for i, bits in enumerate(mean) if bits <= min(mean) + 1e-12)
    k, k1, k2 = (int((part > 0).sum()) for part in (whole, *parts[at]))
    delta = math.log2(3**k - 2) - (
        k * entropy(whole) - k1 * entropy(parts[at][0]) - k2 * entropy(parts[at][1])
    )
    needed = max((math.log2(size - 1) + delta) / n, 0.0) + 1e-12
    if entropy(whole) - mean[at] <= needed:
        return []
    cut = distinct[at] / 2 + distinct[at + 1] / 2
    halves = slice(None, at + 1), slice(at + 1, None)
    lower, upper = (brute_cuts(distinct[h], table[h], by_values) for h in halves)
    return [*lower, cut, *upper]


def draw_table(rng, values, classes, kind):
    """Classes that change along the values, so that there is something to cut."""
    at = np.sort(rng.random(values))
    odds = np.array([np.sin((c + 1) * 4 * at + c) + 1.1 for c in range(classes)]).T ** 4
    if kind == "pure":  # long runs of one class
        odds = odds == odds.max(axis=1, keepdims=True)
    table = rng.poisson(6.0 * odds / odds.max(axis=1, keepdims=True)).astype(float)
    return at, table * 0.25 if kind == "quarters" else table


@pytest.mark.parametrize("by_values", [False, True])
@pytest.mark.parametrize("kind", ["counts", "quarters", "pure"])
@pytest.mark.parametrize("classes", [1, 2, 3, 7, 11])
def test_mdlp_cuts_are_their_definition(kernels, by_values, kind, classes):
    rng = np.random.default_rng(classes)
    cuts_made = 0
    for values in (0, 1, 2, 3, 10, 60, 150):
        distinct, table = draw_table(rng, values, classes, kind)
        kept = table.any(axis=1)
        cuts = kernels.mdlp_cuts(distinct, table, by_values)
        assert cuts.tolist() == brute_cuts(distinct[kept], table[kept], by_values)
        cuts_made += len(cuts)
    assert classes == 1 or cuts_made > 2


@pytest.mark.parametrize("by_values", [False, True])
def test_native_cuts_equal_their_twin(native, by_values):
    rng = np.random.default_rng(3)
    for classes, values, weight in [(2, 3000, 1.0), (5, 800, 1e-9), (40, 500, 1.0), (3, 900, 1e6)]:
        distinct, table = draw_table(rng, values, classes, "counts")
        table *= weight * rng.choice([1.0, 0.3, 1.7], table.shape)
        cuts = native.mdlp_cuts(distinct, table, by_values)
        assert cuts.tobytes() == numpy_kernels.mdlp_cuts(distinct, table, by_values).tobytes()
        assert len(cuts) > 0 or weight < 1
