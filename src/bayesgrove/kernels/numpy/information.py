"""Class-conditional mutual information of every pair table in a block."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Floats


def information_of_tables(
    block: Floats,
    row_cards: Sequence[int],
    column_cards: Sequence[int],
    total: float,
    threads: int,
) -> Floats:
    """Return ``I(A;B|C)`` in nats of every table ``N[c, a, b]`` in a block of pair tables.

    The terms ``n ln n`` are summed as integers in units of 2**-scale. Integer sums do not depend on
    the order of the cells, so that renaming values or classes does not change the last bit.

    Parameters
    ----------
    block : ndarray of shape (n_classes, sum(row_cards), sum(column_cards))
        Pair tables side by side.
    row_cards : sequence of int
        Cardinality of the variable A of each row of tables.
    column_cards : sequence of int
        Cardinality of the variable B of each column of tables.
    total : float
        Upper bound of the weight of a table. It fixes the unit of the integers.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.

    Returns
    -------
    ndarray of shape (len(row_cards), len(column_cards))
        Information of each pair, at least 0.
    """
    scale = unit_scale(total)
    by_row = _segments(block, row_cards, axis=1)
    by_column = _segments(block, column_cards, axis=2)
    by_class = _segments(by_row, column_cards, axis=2)
    sums = (
        _segments(_segments(fixed_terms(block, scale), row_cards, 1), column_cards, 2)
        - _segments(fixed_terms(by_row, scale), column_cards, 2)
        - _segments(fixed_terms(by_column, scale), row_cards, 1)
        + fixed_terms(by_class, scale)
    ).sum(axis=0)
    weight = by_class.sum(axis=0)
    information: Floats = np.maximum(sums / scale / np.where(weight > 0, weight, 1.0), 0.0)
    return information


def unit_scale(total: float) -> float:
    """Return the number of integer units per 1, chosen so that sums of ``n ln n`` do not overflow.

    Parameters
    ----------
    total : float
        Upper bound of the sum of the counts.

    Returns
    -------
    float
        A power of two, at most 2**52.
    """
    bits = math.ceil(math.log2(total * math.log(total) + 1)) if total > 1 else 1
    return math.ldexp(1.0, min(52, 59 - bits))


def fixed_terms(counts: NDArray[Any], scale: float) -> NDArray[np.int64]:
    """Return ``n ln n`` of counts as integers in the units of `unit_scale`.

    Parameters
    ----------
    counts : ndarray
        Counts or sums of weights.
    scale : float
        Number of units per 1, from `unit_scale`.

    Returns
    -------
    ndarray
        Rounded integers, 0 where the count is 0.
    """
    logs = np.log(np.where(counts > 0, counts, 1.0))
    return np.rint(counts * logs * scale).astype(np.int64)


def _segments(array: NDArray[Any], cards: Sequence[int], axis: int) -> NDArray[Any]:
    """Sum consecutive runs of ``cards`` cells along an axis; an empty run sums to zero."""
    ends = np.cumsum(cards, dtype=np.int64)
    sums = np.concatenate(
        [
            np.zeros_like(np.take(array, np.empty(0, dtype=np.int64), axis)),
            np.cumsum(array, axis=axis),
        ],
        axis=axis,
    )
    shape = list(array.shape)
    shape[axis] = 1
    sums = np.concatenate([np.zeros(shape, dtype=array.dtype), sums], axis=axis)
    totals: NDArray[Any] = np.take(sums, ends, axis) - np.take(
        sums, ends - np.asarray(cards, dtype=np.int64), axis
    )
    return totals
