"""Cutting a column by entropy and the MDL rule of Fayyad and Irani (1993).

A column is a table of summed weights, one row per distinct value and one column per class.
Neighbouring values that hold one and the same class make up a block: no cut within it is best
(theorem 1).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.kernels import Floats

_TOLERANCE = 1e-12
"""Bits (mean entropies) closer than this are equal: rounding never decides between two cuts."""


def mdlp_cuts(distinct: Floats, table: Floats, by_values: bool) -> Floats:
    """Return the cuts of a column given as its value table, ascending.

    Places for a cut lie between rows, or with ``by_values`` between distinct values.
    """
    present = table.any(axis=1)
    values, sums = distinct[present], table[present]
    starts = block_starts(sums)
    blocks = np.ascontiguousarray(np.add.reduceat(sums, starts, axis=0).T)
    sizes = np.diff(starts, append=len(values)) if by_values else blocks.sum(axis=0)
    positions = starts[accepted_boundaries(blocks, sizes)]
    return middles(values[positions - 1], values[positions])


def block_starts(table: Floats) -> NDArray[np.intp]:
    """First rows of the runs that hold a single class; a mixed row is a run by itself."""
    present = table > 0
    n_classes_of_pair = np.count_nonzero(present[1:] | present[:-1], axis=1)
    first = np.zeros(min(len(table), 1), dtype=np.intp)
    return np.concatenate([first, np.flatnonzero(n_classes_of_pair > 1) + 1])


def accepted_boundaries(blocks: Floats, sizes: NDArray[Any]) -> NDArray[np.intp]:
    """Columns of ``blocks``, shape (n_classes, n_blocks), that start a new interval, ascending.

    ``sizes`` are the rows or the values of every block: cuts are among so many places and one.
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
    """Points between numbers, never the upper ones."""
    # Halving first cannot overflow.
    middle = low / 2 + high / 2
    return np.where((low <= middle) & (middle < high), middle, low)


def _size_of_lower_part(blocks: Floats, size: float) -> int:
    """Number of leading blocks that the best cut puts below it, 0 if it is not accepted."""
    if blocks.shape[1] < 2:
        return 0
    cumulative = np.cumsum(blocks, axis=1)
    whole, lower = cumulative[:, -1], cumulative[:, :-1]
    bits = (_information(lower) + _information(whole[:, None] - lower)) / whole.sum()
    best = int(np.argmax(bits <= bits.min() + _TOLERANCE)) + 1
    gain = _information(whole) / whole.sum() - bits[best - 1]
    # Summed anew: a difference is not quite zero where a class is absent.
    parts = blocks[:, :best].sum(axis=1), blocks[:, best:].sum(axis=1)
    return best if gain > _required_gain(whole, *parts, size) else 0


def _required_gain(whole: Floats, lower: Floats, upper: Floats, size: float) -> float:
    weight = float(whole.sum())
    if size <= 1:
        return math.inf
    k = int(np.count_nonzero(whole))
    k_h, k1_h1, k2_h2 = (
        np.count_nonzero(part) * float(_information(part)) / float(part.sum())
        for part in (whole, lower, upper)
    )
    delta = math.log2(3**k - 2) - (k_h - k1_h1 - k2_h2)
    # Below weight 2 the right-hand side can be negative, where even a useless cut would pass.
    return max((math.log2(size - 1) + delta) / weight, 0.0) + _TOLERANCE


def _information(counts: Floats) -> Floats:
    """Weight times class entropy, in bits, of the counts along the first axis."""
    bits: Floats = _x_log_x(counts.sum(axis=0)) - _x_log_x(counts).sum(axis=0)
    return bits


def _x_log_x(x: Floats) -> Floats:
    return x * np.log2(np.maximum(x, np.finfo(np.float64).tiny))
