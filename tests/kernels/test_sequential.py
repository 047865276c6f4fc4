"""Counts of the rows before each row, against a loop in plain Python."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bayesgrove.kernels import numpy_kernels


@pytest.fixture(params=["numpy", "_native"])
def kernels(request):
    return pytest.importorskip(f"bayesgrove.kernels.{request.param}")


def loop(ids, groups, target, n_classes, weights):
    sums = np.zeros((groups, n_classes))
    found = np.zeros((len(ids), n_classes))
    for m, (group, c) in enumerate(zip(ids, target, strict=True)):
        if group >= 0:
            found[m] = sums[group]
            sums[group, c] += 1.0 if weights is None else weights[m]
    return found


def draw(seed, rows, groups, n_classes, dtype=np.uint8):
    rng = np.random.default_rng(seed)
    ids = rng.integers(-1, groups, rows).astype(np.int32)
    return ids, groups, rng.integers(0, n_classes, rows).astype(dtype), n_classes


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
def test_counts_are_those_of_the_loop(kernels, dtype):
    for seed, (rows, groups, classes) in enumerate(
        [(0, 1, 2), (1, 1, 1), (50, 4, 3), (3000, 90, 2)]
    ):
        case = draw(seed, rows, groups, classes, dtype)
        assert_array_equal(kernels.counts_before(*case, None), loop(*case, None))
        weights = np.random.default_rng(seed).choice([0.0, 0.3, 2.5], rows)
        assert_allclose(
            kernels.counts_before(*case, weights), loop(*case, weights), rtol=1e-12, atol=1e-9
        )


def test_both_kernels_agree_to_the_bit_without_weights():
    native = pytest.importorskip("bayesgrove.kernels._native")
    case = draw(7, 5001, 37, 5)
    assert_array_equal(native.counts_before(*case, None), numpy_kernels.counts_before(*case, None))


def test_wrong_arguments_raise(kernels):
    ids, target = np.array([0, 1], dtype=np.int32), np.array([0, 1], dtype=np.uint8)
    for groups, classes in [(1, 2), (2, 1)]:
        with pytest.raises(ValueError, match="out of range"):
            kernels.counts_before(ids, groups, target, classes, None)
