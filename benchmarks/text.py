"""A table with many columns: a bag of words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bayesgrove import KDBClassifier
from benchmarks.helpers import best, under

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from benchmarks.helpers import Row

NAME = "text"
PROMISE = "KDBClassifier(k=1) fits 1,000 x 3,440 binary columns, 3 classes, in under 2 s"


def run() -> Iterator[Row]:
    X, y = words(1_000, 3_440, 3)
    (seconds,) = best(lambda: KDBClassifier(k=1).fit(X, y), repeats=3)
    yield under("KDB(1) fit 1,000 x 3,440", seconds, 2.0)


def words(rows: int, columns: int, classes: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return words of Zipf-like frequency, each twice as frequent in one class, and classes."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, classes, rows)
    frequency = np.minimum(0.4, 5.0 / np.arange(1, columns + 1) + 0.004)
    is_frequent = rng.integers(0, classes, columns) == y[:, None]
    drawn = rng.random((rows, columns)) < frequency * (1 + is_frequent)
    return drawn.astype(np.uint8), y
