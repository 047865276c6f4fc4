"""ReliefF: attributes that differ between near rows of different classes, and not of the same.

I. Kononenko (1994). Estimating attributes: analysis and extensions of RELIEF. ECML-94, 171-182.

M. Robnik-Sikonja and I. Kononenko (2003). Theoretical and empirical analysis of ReliefF and
RReliefF. Machine Learning 53, 23-69.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.options import require_count, require_seed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats

    Rows = NDArray[np.intp]

BLOCK_CELLS = 1 << 20
"""Distances are kept for so many pairs of rows at a time,"""
CACHE_CELLS = 1 << 15
"""and worked out for so many, which stay in the cache."""
STRIDE = 64
"""So many rows are compared with the lists of neighbours before any of them goes in."""


@dataclass(frozen=True)
class ReliefF:
    """``W[A] = mean of diff(A, row, misses) - diff(A, row, hits)``, between -1 and 1.

    Hits are the ``neighbours`` nearest rows of the row's own class, misses those of each other
    class c, which count ``P(c) / (1 - P(own class))``; all neighbours of a class count the same,
    and a class with fewer rows gives all it has. The distance of rows is the sum of the
    differences of their attributes:

    - of labels 0 or 1; of numbers ``|a - b| / (max - min)``;
    - of a missing label and anything ``1 - 1 / number of labels``, what it is on average if all
      labels are equally likely; of a missing number and a known one the largest that it can be,
      and of two missing numbers 1.

    Rows as far as the last neighbour: neighbours are listed as rows pass by in their order. A
    row that is nearer than the farthest in the list takes its place (the first place, if some
    are equally far), and one that is as far does not. These are the definitions of WEKA's
    ReliefFAttributeEval, whose weights these are.

    ``sample`` rows are drawn with replacement (all rows, each once, where None or not fewer).
    """

    neighbours: int = 10
    sample: int | None = None
    seed: int = 0

    def weights(
        self,
        columns: Sequence[Codes | Floats],
        cards: Sequence[int],
        target: Codes,
        n_classes: int,
    ) -> Floats:
        """One weight an attribute.

        Columns are codes (``cards[j]`` is missing) or floats (NaN is missing).
        """
        require_count("neighbours", self.neighbours, lowest=1)
        require_count("sample", self.sample, optional=True, lowest=1)
        require_seed("seed", self.seed)
        by_class = np.argsort(target, kind="stable")
        attributes = [
            Attribute(column[by_class], card) for column, card in zip(columns, cards, strict=True)
        ]
        ends = np.cumsum(np.bincount(target, minlength=n_classes)).tolist()
        classes = [slice(a, b) for a, b in zip([0, *ends], ends, strict=False) if a < b]
        drawn = np.argsort(by_class)[self._draw(len(target))]
        return _mean_differences(attributes, classes, drawn, self.neighbours)

    def _draw(self, rows: int) -> Rows:
        if self.sample is None or self.sample >= rows:
            return np.arange(rows)
        return np.random.default_rng(self.seed).integers(rows, size=self.sample)


class Attribute:
    """The values of one attribute, and ``far``: the difference of each from a missing value."""

    def __init__(self, column: Codes | Floats, card: int) -> None:
        self.is_number = column.dtype.kind == "f"
        if self.is_number:
            self.values: NDArray[Any] = _scaled(column)
            self.missing = np.isnan(column)
            self.far = np.where(self.missing, 1.0, np.maximum(self.values, 1.0 - self.values))
        else:
            self.values = column
            self.missing = column == card
            self.far = np.full(len(column), 1.0 - 1.0 / max(card, 1))
        self.is_complete = not self.missing.any()

    def differences(self, one: Rows, two: Rows | slice) -> NDArray[Any]:
        """Between rows and other rows, whose shape goes with theirs."""
        a, b = self.values[one], self.values[two]
        found: NDArray[Any] = np.abs(a - b) if self.is_number else a != b
        if not self.is_complete:
            found = np.where(self.missing[two], self.far[one], found)
            found = np.where(self.missing[one], self.far[two], found)
        return found


def _scaled(column: NDArray[Any]) -> Floats:
    """Numbers from 0 to 1; a constant is 0."""
    halves = column / 2  # a range of halves cannot overflow
    known = halves[~np.isnan(halves)]
    low, high = (known.min(), known.max()) if known.size else (0.0, 0.0)
    scaled: Floats = (halves - low) / (high - low) if high > low else np.zeros(len(column))
    return scaled


def _mean_differences(
    attributes: Sequence[Attribute], classes: Sequence[slice], drawn: Rows, neighbours: int
) -> Floats:
    """Differences from the misses of the rows drawn, less those from their hits."""
    sums = np.zeros(len(attributes))
    rows = classes[-1].stop if classes else 0
    for own in classes:
        queries = drawn[(drawn >= own.start) & (drawn < own.stop)]
        for block, distances in _blocks(attributes, queries, rows):
            for other in classes:
                part = (other.stop - other.start) / (rows - own.stop + own.start or 1)
                near = _neighbours(block, distances, other, neighbours, hits=other == own)
                if near.size:
                    found = [_mean(attribute, block, near) for attribute in attributes]
                    sums += np.array(found) * (-1.0 if other == own else part)
    return sums / max(len(drawn), 1)


def _mean(attribute: Attribute, block: Rows, near: Rows) -> float:
    return float(attribute.differences(block[:, None], near).sum() / near.shape[1])


def _blocks(
    attributes: Sequence[Attribute], queries: Rows, rows: int
) -> Iterator[tuple[Rows, Floats]]:
    """Some of the rows asked for at a time, and their distances from all rows."""
    length = max(1, BLOCK_CELLS // rows)
    for first in range(0, len(queries), length):
        block = queries[first : first + length]
        distances = np.zeros((len(block), rows))
        size = max(1, CACHE_CELLS // rows)
        for start in range(0, len(block), size):
            few, part = block[start : start + size, None], distances[start : start + size]
            for attribute in attributes:
                part += attribute.differences(few, slice(None))
        yield block, distances


def _neighbours(block: Rows, distances: Floats, own: slice, k: int, *, hits: bool) -> Rows:
    """The nearest rows of a class, shape (block, at most k); no row is a hit of itself."""
    near, members = distances[:, own], np.arange(own.start, own.stop)
    if not hits:
        return members[_nearest(near, k)]
    others = members != block[:, None]
    shape = len(block), len(members) - 1
    numbers = np.broadcast_to(members, others.shape)[others].reshape(shape)
    return np.take_along_axis(numbers, _nearest(near[others].reshape(shape), k), axis=1)


def _nearest(distances: Floats, k: int) -> Rows:
    """Places of the k smallest distances of every row."""
    rows, width = distances.shape
    if width <= k:
        return np.broadcast_to(np.arange(width), (rows, width))
    near = distances <= np.partition(distances, k - 1, axis=1)[:, k - 1 : k]
    tied = near.sum(axis=1) > k
    places = np.empty((rows, k), dtype=np.intp)
    places[~tied] = np.nonzero(near[~tied])[1].reshape(-1, k)
    places[tied] = _listed(distances[tied], k)
    return places


def _listed(distances: Floats, k: int) -> Rows:
    """The same where the last neighbour has rivals: lists of k, as the columns pass by."""
    rows = np.arange(len(distances))
    listed, places = distances[:, :k].copy(), np.tile(np.arange(k), (len(rows), 1))
    farthest = listed.argmax(axis=1)
    limit = listed[rows, farthest]
    columns = np.ascontiguousarray(distances.T)
    for start in range(k, len(columns), STRIDE):
        may_enter = (columns[start : start + STRIDE] < limit).any(axis=1)
        for place in start + np.flatnonzero(may_enter):
            nearer = np.flatnonzero(columns[place] < limit)
            at = farthest[nearer]
            listed[nearer, at], places[nearer, at] = columns[place, nearer], place
            farthest[nearer] = listed[nearer].argmax(axis=1)
            limit[nearer] = listed[nearer, farthest[nearer]]
    return places
