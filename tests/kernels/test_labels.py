"""Kernels for indices of labels against loops in plain Python, and against each other."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from bayesgrove.kernels import numpy_kernels

INDEX_TYPES = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
CODE_TYPES = ["u1", "u2", "u4"]
ROWS = [0, 1, 7, 64, 1023, 1024, 1025, 5000]


@pytest.fixture(params=["numpy", "_native"])
def kernels(request):
    return pytest.importorskip(f"bayesgrove.kernels.{request.param}")


@pytest.fixture
def native():
    return pytest.importorskip("bayesgrove.kernels._native")


def draw_indices(rng, rows, size, dtype):
    """Indices of labels, some of them missing: below zero, the size, and the largest there is."""
    limits = np.iinfo(dtype)
    values = rng.integers(0, min(size, int(limits.max)) + 1, rows).astype(dtype)
    odd = rng.random(rows)
    values[odd < 0.05] = limits.max
    values[odd > 0.95] = limits.min
    return values


def brute_used(indices, size):
    values = indices.tolist()
    flags = [int(any(v == label for v in values)) for label in range(size)]
    return [*flags, int(any(not 0 <= v < size for v in values))]


def brute_translated(indices, table):
    last = len(table) - 1
    return [table[v] if 0 <= v < last else table[last] for v in indices.tolist()]


def views(indices):
    """The same indices side by side, apart, and backwards."""
    apart = np.zeros((len(indices), 3), dtype=indices.dtype)
    apart[:, 1] = indices
    yield indices
    yield apart[:, 1]
    yield indices[::-1].copy()[::-1]


@pytest.mark.parametrize("dtype", INDEX_TYPES)
@pytest.mark.parametrize("size", [0, 1, 5, 127, 128, 300])
def test_used_labels_are_those_that_occur(kernels, dtype, size):
    rng = np.random.default_rng(size)
    for rows in ROWS[:5]:
        indices = draw_indices(rng, rows, size, dtype)
        for view in views(indices):
            used = kernels.used_labels(view, size)
            assert used.dtype == np.uint8
            assert used.tolist() == brute_used(indices, size)


@pytest.mark.parametrize("dtype", INDEX_TYPES)
def test_a_single_missing_index_anywhere_is_seen(kernels, dtype):
    """Also once all labels were seen, when blocks are looked through another way."""
    rows = 4100
    for place in (0, 1023, 1024, 2050, rows - 1):
        for odd in (3, np.iinfo(dtype).max, np.iinfo(dtype).min):
            indices = (np.arange(rows) % 3).astype(dtype)
            indices[place] = odd
            expected = [1, 1, 1, int(not 0 <= odd < 3)]
            assert kernels.used_labels(indices, 3).tolist() == expected
    assert kernels.used_labels((np.arange(rows) % 3).astype(dtype), 3).tolist() == [1, 1, 1, 0]


@pytest.mark.parametrize("dtype", INDEX_TYPES)
@pytest.mark.parametrize("code", CODE_TYPES)
def test_translated_indices_are_entries_of_the_table(kernels, dtype, code):
    rng = np.random.default_rng(7)
    for rows, entries in itertools.product(ROWS[:6], (1, 2, 17, 256, 400)):
        indices = draw_indices(rng, rows, entries - 1, dtype)
        table = rng.integers(0, np.iinfo(code).max, entries, dtype=code, endpoint=True)
        expected = brute_translated(indices, table.tolist())
        for view in views(indices):
            out = np.zeros(rows, dtype=code)
            kernels.translate(view, table, out)
            assert out.tolist() == expected


@pytest.mark.parametrize("dtype", INDEX_TYPES)
def test_label_kernels_equal_their_twins(native, dtype):
    rng = np.random.default_rng(11)
    for rows, size in itertools.product(ROWS, (0, 3, 100, 70_000)):
        indices = draw_indices(rng, rows, size, dtype)
        assert_array_equal(
            native.used_labels(indices, size), numpy_kernels.used_labels(indices, size)
        )
        table = rng.permutation(size + 1).astype(np.uint32)
        one, two = np.zeros(rows, dtype=np.uint32), np.zeros(rows, dtype=np.uint32)
        native.translate(indices, table, one)
        numpy_kernels.translate(indices, table, two)
        assert_array_equal(one, two)


def test_read_only_indices_are_taken(kernels):
    indices = np.array([0, 2, -1], dtype=np.int32)
    table = np.array([4, 5, 6, 9], dtype=np.uint8)
    indices.flags.writeable = table.flags.writeable = False
    out = np.zeros(3, dtype=np.uint8)
    kernels.translate(indices, table, out)
    assert out.tolist() == [4, 6, 9]
    assert kernels.used_labels(indices, 3).tolist() == [1, 0, 1, 1]


def test_wrong_arguments_are_refused(native):
    indices, table, out = np.zeros(3, np.int32), np.zeros(2, np.uint8), np.zeros(3, np.uint8)
    bad = [
        (indices, table[:0], out),
        (indices, table.astype(np.uint16), out),
        (indices, table, out[:2]),
        (indices[:, None], table, out),
        (indices.astype(float), table, out),
        (indices, table.astype(np.int8), out.astype(np.int8)),
    ]
    for arguments in bad:
        with pytest.raises(ValueError, match=r"\w+ \w+"):
            native.translate(*arguments)
    for size in (-1, 2**33):
        with pytest.raises(ValueError, match="labels"):
            native.used_labels(indices, size)
