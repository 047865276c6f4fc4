"""All pair tables and their conditional mutual information, compared with plain numpy."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import xlogy

from bayesgrove.kernels import kernels
from benchmarks.helpers import best, codes, columns_of, under, versus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from benchmarks.helpers import Row

NAME = "pair information"
PROMISE = (
    "I(X;X'|C) of all 1,225 pairs of 50 columns of 1,000,000 rows in under 150 ms on one core "
    "with AVX2, and at least 10x faster than numpy.bincount pair by pair"
)

ROWS, COLUMNS, CARD, CLASSES = 1_000_000, 50, 4, 2
ONE = "information_of_columns"  # The kernel that classifiers use.
MEASURED = 20  # Number of pairs that numpy counts; the time for all pairs is extrapolated.


def run() -> Iterator[Row]:
    X, y = codes(ROWS, COLUMNS, CARD, CLASSES, np.uint8)
    columns, target = columns_of(X), y.astype(np.uint8)
    wide = [column.astype(np.int64) for column in columns]
    pairs = list(itertools.combinations(range(COLUMNS), 2))
    some = pairs[:: len(pairs) // MEASURED][:MEASURED]
    tables, fused, peer = best(
        lambda: by_tables(columns, target),
        lambda: in_one(columns, target),
        lambda: [plain(wide[i], wide[j], y) for i, j in some],
        repeats=7,
    )
    for matrix in (by_tables(columns, target), in_one(columns, target)):
        _check(matrix, wide, y, some)
    limit = 0.150 if kernels.instruction_set().startswith("avx") else None
    scaled = peer * len(pairs) / len(some)
    note = f"numpy counted {MEASURED} of {len(pairs)} pairs; its time is scaled to all of them"
    for way, seconds in (("pair_tables, information_of_tables", tables), (ONE, fused)):
        yield under(f"{way}, {ROWS:,} x {COLUMNS}", seconds, limit)
        yield versus(f"{way} against numpy", seconds, scaled, 10, note)


def by_tables(columns: list[NDArray[np.uint8]], target: NDArray[np.uint8]) -> NDArray[np.float64]:
    cards = [CARD] * len(columns)
    block = kernels.pair_tables(columns, cards, target, CLASSES, None, 0, 1)
    return kernels.information_of_tables(block, cards, cards, float(len(target)), 1)


def in_one(columns: list[NDArray[np.uint8]], target: NDArray[np.uint8]) -> NDArray[np.float64]:
    cards = [CARD] * len(columns)
    total = float(len(target))
    return kernels.information_of_columns(columns, cards, target, CLASSES, None, total, 1)


def plain(a: NDArray[np.int64], b: NDArray[np.int64], y: NDArray[np.int64]) -> float:
    joint = np.bincount((y * CARD + a) * CARD + b, minlength=CLASSES * CARD * CARD)
    table = joint.reshape(CLASSES, CARD, CARD)
    margins = table.sum(axis=2), table.sum(axis=1), table.sum(axis=(1, 2))
    joint_sum, by_a, by_b, by_class = (xlogy(t, t).sum() for t in (table, *margins))
    return float(joint_sum - by_a - by_b + by_class) / len(y)


def _check(
    matrix: NDArray[np.float64],
    columns: list[NDArray[np.int64]],
    y: NDArray[np.int64],
    pairs: list[tuple[int, int]],
) -> None:
    for i, j in pairs:
        np.testing.assert_allclose(matrix[j, i], plain(columns[i], columns[j], y), atol=1e-9)
