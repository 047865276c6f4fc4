"""Cut a numeric column by entropy and the MDL rule of Fayyad and Irani (1993).

A column is a table of summed weights, with one row per distinct value and one column per class.
Neighbouring values that have one and the same class form a block. No cut within a block is best
(theorem 1 of the paper).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.kernels import Floats

_TOLERANCE = 1e-12
"""Mean entropies in bits closer than this are equal: rounding never decides between two cuts."""


def mdlp_cuts(distinct: Floats, table: Floats, by_values: bool) -> Floats:
    """Return the cut points of a column that is given as its value table.

    Parameters
    ----------
    distinct : ndarray of shape (n_values,)
        Distinct values in ascending order.
    table : ndarray of shape (n_values, n_classes)
        Weight of each class at each value.
    by_values : bool
        Whether possible cuts are counted by distinct values. Otherwise they are counted by the
        weight of the rows.

    Returns
    -------
    ndarray
        Cut points in ascending order.
    """
    present = table.any(axis=1)
    values, sums = distinct[present], table[present]
    starts = block_starts(sums)
    blocks = np.ascontiguousarray(np.add.reduceat(sums, starts, axis=0).T)
    sizes = np.diff(starts, append=len(values)) if by_values else blocks.sum(axis=0)
    positions = starts[accepted_boundaries(blocks, sizes)]
    return middles(values[positions - 1], values[positions])


def block_starts(table: Floats) -> NDArray[np.intp]:
    """Return the first row of every block.

    A block is a run of rows that have one and the same class. A row with several classes is a block
    alone.

    Parameters
    ----------
    table : ndarray of shape (n_values, n_classes)
        Weight of each class at each value.

    Returns
    -------
    ndarray
        Numbers of the rows in ascending order.
    """
    present = table > 0
    n_classes_of_pair = np.count_nonzero(present[1:] | present[:-1], axis=1)
    first = np.zeros(min(len(table), 1), dtype=np.intp)
    return np.concatenate([first, np.flatnonzero(n_classes_of_pair > 1) + 1])


def accepted_boundaries(blocks: Floats, sizes: NDArray[Any]) -> NDArray[np.intp]:
    """Return the blocks that start a new interval.

    Parameters
    ----------
    blocks : ndarray of shape (n_classes, n_blocks)
        Weight of each class in each block.
    sizes : ndarray of shape (n_blocks,)
        Rows or values in each block. A cut of blocks of total size ``n`` is one of ``n - 1`` cuts.

    Returns
    -------
    ndarray
        Numbers of the blocks in ascending order.
    """
    accepted = []
    pending = [(0, blocks.shape[1])]
    while pending:
        start, stop = pending.pop()
        size = _size_of_lower_part(blocks[:, start:stop], float(sizes[start:stop].sum()))
        if size:
            accepted.append(start + size)
            pending += [(start, start + size), (start + size, stop)]
    return np.array(sorted(accepted), dtype=np.intp)


def middles(low: Floats, high: Floats) -> Floats:
    """Return the midpoints between numbers; a midpoint is never equal to the upper number.

    Parameters
    ----------
    low : ndarray
        Lower numbers.
    high : ndarray
        Upper numbers.

    Returns
    -------
    ndarray
        Points with ``low <= point < high``.
    """
    # Halving first cannot overflow.
    middle = low / 2 + high / 2
    return np.where((low <= middle) & (middle < high), middle, low)


def _size_of_lower_part(blocks: Floats, size: float) -> int:
    """Return the number of blocks below the best cut, 0 if the cut is not accepted."""
    if blocks.shape[1] < 2:
        return 0
    cumulative = np.cumsum(blocks, axis=1)
    whole, lower = cumulative[:, -1], cumulative[:, :-1]
    bits = (_information(lower) + _information(whole[:, None] - lower)) / whole.sum()
    best = int(np.argmax(bits <= bits.min() + _TOLERANCE)) + 1
    gain = _information(whole) / whole.sum() - bits[best - 1]
    # The parts are summed again, because a difference may not be exactly zero for an absent class.
    parts = blocks[:, :best].sum(axis=1), blocks[:, best:].sum(axis=1)
    return best if gain > _required_gain(whole, *parts, size) else 0


def _required_gain(whole: Floats, lower: Floats, upper: Floats, size: float) -> float:
    """Return the information gain that the MDL rule requires of a cut."""
    weight = float(whole.sum())
    if size <= 1:
        return math.inf
    k = int(np.count_nonzero(whole))
    k_h, k1_h1, k2_h2 = (
        np.count_nonzero(part) * float(_information(part)) / float(part.sum())
        for part in (whole, lower, upper)
    )
    delta = math.log2(3**k - 2) - (k_h - k1_h1 - k2_h2)
    # Below weight 2 the right-hand side can be negative, and a useless cut would be accepted.
    return max((math.log2(size - 1) + delta) / weight, 0.0) + _TOLERANCE


def _information(counts: Floats) -> Floats:
    """Return weight times class entropy, in bits, of the counts along the first axis."""
    bits: Floats = _x_log_x(counts.sum(axis=0)) - _x_log_x(counts).sum(axis=0)
    return bits


def _x_log_x(x: Floats) -> Floats:
    """Return ``x log2 x``, 0 at 0."""
    return x * np.log2(np.maximum(x, np.finfo(np.float64).tiny))
