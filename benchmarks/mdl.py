"""MDL-FS: time of a selection by attributes; rows do not matter once pairs are counted."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove import MDLSelector, load_dataset
from bayesgrove.counts import CountSource, MemoryEngine
from bayesgrove.datasets import data_folder
from bayesgrove.encoding import Encoded
from bayesgrove.selection import MDL
from benchmarks.helpers import Row, at_most, best, codes, columns_of, under

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

NAME = "MDL-FS"
PROMISE = (
    "selection on splice under 2 s, of 10,000 x 1,000 under 2 minutes; of 1,000,000 rows, once the "
    "pairs are counted, in the time of 10,000"
)
CARD, CLASSES = 3, 2


def run() -> Iterator[Row]:
    warnings.simplefilter("ignore")
    if data_folder() is None:
        yield Row("splice", note="no data folder")
    else:
        X, y = load_dataset("splice")
        (ours,) = best(lambda: MDLSelector().fit(X, y))
        yield under(f"splice, {len(X):,} x {X.shape[1]}: fit", ours, 2.0)
    X, y = _redundant(10_000, 1_000)
    for direction in ("backward", "forward"):
        (ours,) = best(lambda: MDLSelector(direction=direction).fit(X, y), repeats=1)  # noqa: B023
        yield under(f"10,000 x 1,000, {direction}: fit", ours, 120.0)
    yield from _rows()


def _rows() -> Iterator[Row]:
    sources = [_counted(rows, 100) for rows in (1_000_000, 10_000)]
    sizes = [len(MDL().select(source).path) for source in sources]  # Counts the pairs.
    calls = (lambda source=source: MDL().select(source) for source in sources)
    many, few = best(*calls, repeats=5)
    note = f"{sizes[0]} steps of 1,000,000 rows, {sizes[1]} of 10,000"
    yield at_most("100 attributes: selection of 1,000,000 and 10,000 rows", many, few, 1.5, note)


def _redundant(rows: int, columns: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return attributes with information about the class, and noisy copies of them."""
    rng = np.random.default_rng(0)
    X, y = codes(rows, columns // 2, CARD, CLASSES)
    copies = np.where(rng.random(X.shape) < 0.7, X, rng.integers(0, CARD, X.shape))
    return np.concatenate([X, copies], axis=1), y


def _counted(rows: int, columns: int) -> CountSource:
    X, y = _redundant(rows, columns)
    cards = [CARD] * columns
    encoded = Encoded(columns_of(X), cards, rows, y.astype(np.uint8), CLASSES)
    names = [*(f"x{j}" for j in range(columns)), "class"]
    return CountSource(MemoryEngine(encoded), names, [*cards, CLASSES])
