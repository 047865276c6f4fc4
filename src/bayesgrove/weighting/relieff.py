"""ReliefF: attributes that differ between near rows of different classes, and not of the same.

I. Kononenko (1994). Estimating attributes: analysis and extensions of RELIEF. ECML-94, 171-182.

M. Robnik-Sikonja and I. Kononenko (2003). Theoretical and empirical analysis of ReliefF and
RReliefF. Machine Learning 53, 23-69.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bayesgrove._utils.options import require_choice, require_count, require_seed
from bayesgrove._utils.renamed import renamed
from bayesgrove._utils.ties import TIE_DIGITS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.contracts import TrainingData
    from bayesgrove.encoding import MixedTable
    from bayesgrove.kernels import Codes, Floats

    Rows = NDArray[np.intp]

BLOCK_CELLS = 1 << 20
"""Distances are kept for so many pairs of rows at a time,"""
CACHE_CELLS = 1 << 15
"""and worked out for so many, which stay in the cache."""
STRIDE = 64
"""So many rows are compared with the lists of neighbours before any of them goes in."""


@renamed(neighbours="n_neighbors", sample="sample_size", seed="random_state")
@dataclass(frozen=True)
class ReliefF:
    """``W[A] = mean of diff(A, row, misses) - diff(A, row, hits)``, between -1 and 1.

    Hits are the ``n_neighbors`` nearest rows of the row's own class, misses those of each other
    class c, which count ``P(c) / (1 - P(own class))``; all neighbours of a class count the same,
    and a class with fewer rows gives all it has. The distance of rows is the sum of the
    differences of their attributes:

    - of labels 0 or 1; of numbers ``|a - b| / (max - min)``;
    - where values are missing, with ``missing="conditional"``, what the difference is on average
      if they are as those of the class of their row, ``1 - P(label | class)`` of one missing label
      and ``1 - sum_v P(v | class) P(v | other class)`` of two (Kononenko 1994; of numbers the mean
      ``|a - b|``); as those of all rows where the class has none, and 0 where no row has one;
    - with ``missing="weka"``, of a missing label and anything ``1 - 1 / number of labels``; of a
      missing number and a known one the largest that it can be, and of two missing numbers 1.

    Rows as far as the last neighbour: neighbours are listed as rows pass by in their order. A
    row that is nearer than the farthest in the list takes its place (the first place, if some
    are equally far), and one that is as far does not. These are the definitions of WEKA's
    ReliefFAttributeEval, whose weights these are with ``missing="weka"``.

    ``sample_size`` rows are drawn with replacement (all rows, each once, where None or not fewer).
    """

    weights_repeat_rows: ClassVar[bool] = False

    n_neighbors: int = 10
    sample_size: int | None = None
    random_state: int = 0
    missing: str = "conditional"

    def weights(self, data: TrainingData) -> Floats:
        """Return one weight per attribute; every row counts as one."""
        self._check()
        table, target = data.mixed, data.mixed.classes
        _require_codes(table)
        by_class = np.argsort(target, kind="stable")
        attributes = [
            Attribute(column[by_class], card, target[by_class], self.missing)
            for column, card in zip(table.columns, table.cards, strict=True)
        ]
        ends = np.cumsum(np.bincount(target, minlength=table.n_classes)).tolist()
        classes = [slice(a, b) for a, b in zip([0, *ends], ends, strict=False) if a < b]
        drawn = np.argsort(by_class)[self._draw(table.rows)]
        return _mean_differences(attributes, classes, drawn, self.n_neighbors)

    def _check(self) -> None:
        require_count("n_neighbors", self.n_neighbors, lowest=1)
        require_count("sample_size", self.sample_size, optional=True, lowest=1)
        require_seed("random_state", self.random_state)
        require_choice("missing", self.missing, ("conditional", "weka"))

    def _draw(self, rows: int) -> Rows:
        if self.sample_size is None or self.sample_size >= rows:
            return np.arange(rows)
        return np.random.default_rng(self.random_state).integers(rows, size=self.sample_size)


def _require_codes(table: MixedTable) -> None:
    """Raise unless every code is that of a value or of a missing value."""
    for j, (column, card) in enumerate(zip(table.columns, table.cards, strict=True)):
        if card and (column > card).any():
            raise ValueError(
                f"column {j} has the code {column.max()}, above cards[{j}]={card}, that of a "
                "missing value."
            )


class Attribute:
    """The values of one attribute, and the differences that are expected where one is missing."""

    def __init__(self, column: Codes | Floats, card: int, classes: Codes, rule: str) -> None:
        self.is_number = card == 0
        self.missing = np.isnan(column) if self.is_number else column == card
        self.values: NDArray[Any] = _scaled(column) if self.is_number else column
        self.gone = np.flatnonzero(self.missing)
        self.is_complete = len(self.gone) == 0
        if not self.is_complete:
            self._expect(card, classes if rule == "conditional" else np.zeros_like(classes), rule)

    def _expect(self, card: int, groups: Codes, rule: str) -> None:
        """Number values and the groups of rows that lack one, and tabulate what is expected.

        ``table[g, v]`` is the difference of value v from a missing one of group g; missing ones
        have numbers behind those of the values, group by group.
        """
        known = ~self.missing
        points: NDArray[Any] = np.unique(self.values[known]) if self.is_number else np.arange(card)
        codes = np.searchsorted(points, self.values)
        lacking = np.unique(groups[self.missing])
        self.group = np.searchsorted(lacking, groups).clip(max=len(lacking) - 1)
        self.code = np.where(self.missing, len(points) + self.group, codes)
        if rule == "weka":
            self.table = _wekas(points, self.is_number)
        else:
            counts = np.zeros((int(groups.max()) + 1, len(points)))
            np.add.at(counts, (groups[known], codes[known]), 1.0)
            self.table = _conditional(points, counts, lacking, self.is_number)

    def from_all(self, few: Rows) -> NDArray[Any]:
        """Differences of some rows from all rows, shape (few, rows)."""
        found = self._between(few[:, None], slice(None))
        if self.is_complete:
            return found
        gone, lacking = self.gone, self.missing[few]
        filled: Floats = found.astype(np.float64)
        filled[:, gone] = self.table[self.group[gone], self.code[few, None]]
        filled[lacking] = self.table[self.group[few[lacking], None], self.code]
        return filled

    def from_near(self, block: Rows, near: Rows) -> NDArray[Any]:
        """Differences of rows from their neighbours, shape (block, neighbours)."""
        block = block[:, None]
        found = self._between(block, near)
        if self.is_complete:
            return found
        found = np.where(self.missing[near], self.table[self.group[near], self.code[block]], found)
        return np.where(self.missing[block], self.table[self.group[block], self.code[near]], found)

    def _between(self, one: Rows, two: Rows | slice) -> NDArray[Any]:
        """Differences where both values are known."""
        a, b = self.values[one], self.values[two]
        found: NDArray[Any] = np.abs(a - b) if self.is_number else a != b
        return found


def _wekas(points: NDArray[Any], numbers: bool) -> Floats:
    """What WEKA expects of each value, and of one that is missing."""
    if numbers:
        return np.append(np.maximum(points, 1.0 - points), 1.0)[None]
    return np.full((1, len(points) + 1), 1.0 - 1.0 / len(points))


def _conditional(
    points: NDArray[Any], counts: Floats, lacking: NDArray[Any], numbers: bool
) -> Floats:
    """What is expected by the values that groups have, of each value and of each group."""
    if not counts.any():
        return np.zeros((len(lacking), len(points) + len(lacking)))
    shares = _shares(counts, lacking)
    table = _from_numbers(points, shares) if numbers else 1.0 - shares
    both = np.einsum("gv,hv->gh", table, shares)
    return np.round(np.hstack([table, both]), TIE_DIGITS)  # so that equal distances are equal


def _shares(counts: Floats, groups: NDArray[Any]) -> Floats:
    """Shares of the values in some groups; in all of them where a group has no value."""
    own = counts[groups]
    own[~own.any(axis=1)] = counts.sum(axis=0)
    shares: Floats = own / own.sum(axis=1, keepdims=True)
    return shares


def _from_numbers(points: Floats, shares: Floats) -> Floats:
    """The mean difference of every point, of points in order, from those of each group."""
    gaps, below = np.diff(points), np.cumsum(shares, axis=1)[:, :-1]
    none = np.zeros((len(shares), 1))
    up = np.hstack([none, np.cumsum(below * gaps, axis=1)])
    down = np.cumsum(((1.0 - below) * gaps)[:, ::-1], axis=1)[:, ::-1]
    return up + np.hstack([down, none])


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
    return float(attribute.from_near(block, near).sum() / near.shape[1])


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
            few, part = block[start : start + size], distances[start : start + size]
            for attribute in attributes:
                part += attribute.from_all(few)
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
