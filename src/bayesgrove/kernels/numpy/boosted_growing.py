"""Growing one tree of gradients in numpy: sums per bin, the best test of a node, best-first leaves.

A node has the sums ``(G, H)`` of the first and second derivatives of its rows. A test sends every
bin of a column to the first or to the second child. Its gain is ``G1^2 / (H1 + ridge) + G2^2 / (H2
+ ridge) - G^2 / (H + ridge)``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Floats

    Numbers = NDArray[np.int32]
    Bytes = NDArray[np.uint8]
    Places = NDArray[np.intp]
    Flags = NDArray[np.bool_]
    Arrays = tuple[Numbers, Numbers, Numbers, Bytes, Floats, Floats]

MAX_BINS = 255
"""Maximum number of bins of a column: a bin, and the place after the last bin, fit into a byte."""
PREFIX_RIDGE = 5.0
"""Nominal values are put into the order of G / (H + 5)."""
PREFIX_DISCOUNT = 0.97
"""Factor of the gain of a set of nominal values."""
LEAST_GAIN = 1e-12
"""A smaller gain, relative to that of the node, is a rounding error."""


@dataclass(frozen=True)
class BinTable:
    """A table of bins.

    Parameters
    ----------
    bins : ndarray of shape (n_rows, n_columns)
        Bin of every row and column.
    n_bins : sequence of int
        Number of bins of every column, from 1 to 255.
    ordered : sequence of int
        Number of ordered bins of every column, 0 for a nominal column. If it is one less than the
        number of bins, the last bin is that of missing values.
    """

    bins: Bytes
    n_bins: Sequence[int]
    ordered: Sequence[int]

    def __post_init__(self) -> None:
        if not len(self.n_bins) == len(self.ordered) == self.bins.shape[1]:
            raise ValueError("There must be one number of bins per column.")
        for bins, axis in zip(self.n_bins, self.ordered, strict=True):
            if not 1 <= bins <= MAX_BINS:
                raise ValueError("A column must have from 1 to 255 bins.")
            if axis not in {0, bins, max(bins - 1, 0)}:
                raise ValueError(
                    "All bins of a column, or all but the last, are ordered, or none is."
                )
        if (self.bins >= np.array(self.n_bins, dtype=np.intp)).any():
            raise ValueError("A bin is out of range.")

    def sums(self, rows: Places, derivatives: Floats) -> Floats:
        """Return the sums of derivatives per bin, all columns side by side.

        Parameters
        ----------
        rows : ndarray of shape (n,)
            Numbers of some rows.
        derivatives : ndarray of shape (n, 2)
            First and second derivative of each of these rows.

        Returns
        -------
        ndarray of shape (n_cells, 2)
            Sums of both derivatives.
        """
        offsets = np.cumsum([0, *self.n_bins])
        cells = (self.bins[rows] + offsets[:-1]).ravel()
        width = self.bins.shape[1]
        both = [np.repeat(d, width) for d in derivatives.T]
        return np.stack([np.bincount(cells, d, offsets[-1]) for d in both], axis=1)


class Growth(NamedTuple):
    """The options of a tree.

    Parameters
    ----------
    max_leaves : int
        Maximum number of leaves.
    max_depth : int
        Maximum number of tests above a leaf.
    learning_rate : float
        Factor of the values of the leaves.
    ridge : float
        Number that is added to every H.
    min_child : float
        Minimum H of a child, more than 0.
    """

    max_leaves: int
    max_depth: int
    learning_rate: float
    ridge: float
    min_child: float

    def check(self) -> None:
        """Raise unless the options are in range."""
        if not 1 <= self.max_leaves <= 1 << 20 or self.max_depth < 0:
            raise ValueError("max_leaves and max_depth are out of range.")
        numbers = (self.learning_rate, self.ridge)
        if not all(map(math.isfinite, numbers)) or self.ridge < 0 or not self.min_child > 0:
            raise ValueError("learning_rate, ridge or min_child is out of range.")


class _Test(NamedTuple):
    """The best test of a node: bins of the first child, and the sums of its rows."""

    gain: float
    column: int
    in_first: Flags
    first: Floats


@dataclass
class _Leaf:
    """A leaf while the tree grows. `cells` is None if it cannot be split."""

    node: int
    depth: int
    rows: Places
    derivatives: Floats
    total: Floats
    cells: Floats | None = None
    test: _Test | None = None


def rounded_to_grid(derivatives: Floats) -> Floats:
    """Round derivatives to multiples of one power of two, so coarse that every sum is exact.

    Then sums do not depend on their order, and the sums of a child are exactly those of its parent
    minus those of the other child.

    Parameters
    ----------
    derivatives : ndarray of shape (n, 2)
        First and second derivatives.

    Returns
    -------
    ndarray of shape (n, 2)
        The rounded derivatives.
    """
    largest = float(np.abs(derivatives).max(initial=0.0))
    _, exponent = math.frexp(largest * len(derivatives))
    shift = math.ldexp(1.5, exponent + 1)  # its last bit is the step of the grid
    return (derivatives + shift) - shift


@dataclass
class BoostedGrower:
    """The nodes of a tree that grows.

    Parameters
    ----------
    table : BinTable
        Bins of all rows.
    growth : Growth
        Options of the tree.
    """

    table: BinTable
    growth: Growth
    column: list[int] = field(default_factory=list)
    child: list[int] = field(default_factory=list)
    sides: dict[int, Bytes] = field(default_factory=dict)
    value: list[float] = field(default_factory=list)
    gain: list[float] = field(default_factory=list)

    def grow(self, rows: Places, derivatives: Floats) -> Arrays:
        """Grow the tree of some rows.

        Parameters
        ----------
        rows : ndarray of shape (n,)
            Numbers of the rows.
        derivatives : ndarray of shape (n, 2)
            First and second derivative of each of these rows.

        Returns
        -------
        tuple of ndarray
            ``sizes``, ``column``, ``child``, ``sides``, ``value`` and ``gain``.
        """
        derivatives = rounded_to_grid(derivatives)
        root = self._leaf(0, rows, derivatives, derivatives.sum(axis=0))
        if self.growth.max_leaves > 1 and self._can_split(root):
            self._search(root, self.table.sums(rows, derivatives))
        leaves = [root]
        while len(leaves) < self.growth.max_leaves:
            tests = [(leaf.test.gain, -k) for k, leaf in enumerate(leaves) if leaf.test is not None]
            if not tests:
                break
            best = -max(tests)[1]
            first, second = self._split(leaves[best], len(leaves) + 1 < self.growth.max_leaves)
            leaves[best] = first
            leaves.append(second)
        for leaf in leaves:
            total_g, total_h = leaf.total.tolist()
            value = -self.growth.learning_rate * total_g / (total_h + self.growth.ridge)
            self.value[leaf.node] = value
        return self._arrays()

    def _leaf(self, depth: int, rows: Places, derivatives: Floats, total: Floats) -> _Leaf:
        """Add a leaf."""
        self.column.append(-1)
        self.child.append(0)
        self.value.append(0.0)
        self.gain.append(0.0)
        return _Leaf(len(self.column) - 1, depth, rows, derivatives, total)

    def _can_split(self, leaf: _Leaf) -> bool:
        growth = self.growth
        return leaf.depth < growth.max_depth and bool(leaf.total[1] >= 2.0 * growth.min_child)

    def _search(self, leaf: _Leaf, cells: Floats) -> None:
        """Find the best test of a leaf."""
        leaf.cells, best, offset = cells, None, 0
        gain = LEAST_GAIN * float(leaf.total[0] ** 2 / (leaf.total[1] + self.growth.ridge))
        for j, bins in enumerate(self.table.n_bins):
            own_cells = cells[offset : offset + bins]
            offset += bins
            for in_first, first, discount in _tests(own_cells, self.table.ordered[j]):
                gains = self._gains(first, leaf.total, discount)
                k = int(gains.argmax()) if len(gains) else -1
                if k >= 0 and gains[k] > gain:
                    gain = float(gains[k])
                    best = _Test(gain, j, in_first[k], first[k])
        leaf.test = best

    def _gains(self, first: Floats, total: Floats, discount: float) -> Floats:
        """Return the gains of tests, minus infinity if a child is too light."""
        growth, second = self.growth, total - first
        base = total[0] * total[0] / (total[1] + growth.ridge)
        a, b = first[:, 1] + growth.ridge, second[:, 1] + growth.ridge
        light = (first[:, 1] < growth.min_child) | (second[:, 1] < growth.min_child)
        above = first[:, 0] * first[:, 0] * b + second[:, 0] * second[:, 0] * a
        gains = (above / np.where(light, 1.0, a * b) - base) * discount
        return np.where(light, -np.inf, gains)

    def _split(self, leaf: _Leaf, go_on: bool) -> tuple[_Leaf, _Leaf]:
        """Turn a leaf into a test and return its two leaves."""
        test, cells = leaf.test, leaf.cells
        if test is None or cells is None:
            raise ValueError("The leaf has no test.")
        flags = self._second_child(leaf.total, test, cells)
        self.sides[leaf.node] = np.packbits(flags, bitorder="little")
        self.column[leaf.node], self.gain[leaf.node] = test.column, test.gain
        self.child[leaf.node] = len(self.column)
        in_second = flags[self.table.bins[leaf.rows, test.column]]
        parts = [
            self._leaf(leaf.depth + 1, leaf.rows[chosen], leaf.derivatives[chosen], total)
            for chosen, total in [(~in_second, test.first), (in_second, leaf.total - test.first)]
        ]
        small, large = sorted(parts, key=lambda part: len(part.rows))
        if go_on and (self._can_split(small) or self._can_split(large)):
            small_cells = self.table.sums(small.rows, small.derivatives)
            if self._can_split(large):
                self._search(large, cells - small_cells)
            if self._can_split(small):
                self._search(small, small_cells)
        return parts[0], parts[1]

    def _second_child(self, total: Floats, test: _Test, cells: Floats) -> Flags:
        """Return for every bin, and for unknown values, whether it goes to the second child.

        Values that no row of the node has, and unknown values, go to the child with more weight.
        """
        bins, axis = self.table.n_bins[test.column], self.table.ordered[test.column]
        offset = sum(self.table.n_bins[: test.column])
        heavy_second = bool(test.first[1] <= total[1] - test.first[1])
        absent = cells[offset : offset + bins, 1] == 0.0
        absent[:axis] = False
        return np.append(np.where(absent, heavy_second, ~test.in_first), heavy_second)

    def _arrays(self) -> Arrays:
        """Return the nodes as arrays."""
        sides = [self.sides[node] for node in sorted(self.sides)]
        return (
            np.array([len(self.column)], dtype=np.int32),
            np.array(self.column, dtype=np.int32),
            np.array(self.child, dtype=np.int32),
            np.concatenate([np.zeros(0, dtype=np.uint8), *sides]),
            np.array(self.value),
            np.array(self.gain),
        )


def _tests(cells: Floats, axis: int) -> Iterator[tuple[Flags, Floats, float]]:
    """Yield tests of a column: bins of the first child, sums of the first child, discount."""
    bins = len(cells)
    if axis:
        missing = cells[axis] if axis < bins else np.zeros(2)
        some_missing = bool(missing[1] > 0)
        up_to = np.tri(axis, bins, dtype=bool)
        sums = np.cumsum(cells[:axis], axis=0)
        end = axis if some_missing else axis - 1
        yield up_to[:end], sums[:end], 1.0
        if some_missing:
            up_to = up_to[: axis - 1].copy()
            up_to[:, axis] = True
            yield up_to, sums[: axis - 1] + missing, 1.0
        return
    yield np.eye(bins, dtype=bool), cells, 1.0
    if bins > 3:
        present = np.flatnonzero(cells[:, 1] > 0)
        key = cells[present, 0] / (cells[present, 1] + PREFIX_RIDGE)
        order = present[np.argsort(key, kind="stable")]
        in_first = np.zeros((max(len(order) - 1, 0), bins), dtype=bool)
        for k in range(len(in_first)):
            in_first[k, order[: k + 1]] = True
        yield in_first, np.cumsum(cells[order], axis=0)[:-1], PREFIX_DISCOUNT
