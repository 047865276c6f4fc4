"""Sums over all spanning trees, for many rows: every row multiplies the weights by its factors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats

BLOCK_CELLS = 1 << 22
"""Rows are worked on in blocks with about this many factors."""


def tree_ratios(
    columns: Sequence[Codes],
    ends: NDArray[np.int32],
    strides: NDArray[np.int64],
    tables: NDArray[np.int64],
    values: Floats,
    slots: int,
    starts: NDArray[np.int32],
    spokes: NDArray[np.int32],
    shares: Floats,
    targets: NDArray[np.int32],
    old_shares: Floats,
    new_shares: Floats,
    rows: int,
    n_classes: int,
    threads: int,
) -> Floats:
    """Return by which factor the sum over all spanning trees changes, for every row and class.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n_rows,)
        Codes of each column.
    ends : ndarray of shape (2 * n_edges,)
        The two columns of each edge, one edge after another.
    strides : ndarray of shape (n_edges,)
        Stride of the first column in the table of the edge. The stride of the second one is 1.
    tables : ndarray of shape (n_edges,)
        The table of edge ``e`` starts at ``values[tables[e]]``.
    values : ndarray
        Factors in all tables, above 0: one per class for every two codes.
    slots : int
        Number of edges, with those that the elimination adds.
    starts, spokes, shares, targets, old_shares, new_shares : ndarray
        The elimination, as `bayesgrove.search.tree_sums.Elimination` describes it.
    rows : int
        Number of rows.
    n_classes : int
        Number of classes.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.

    Returns
    -------
    ndarray of shape (rows, n_classes)
        Logarithm of the sum with the factors of the row, divided by the sum without them.
    """
    out = np.zeros((rows, n_classes))
    step = max(1, BLOCK_CELLS // max(slots * n_classes, 1))
    for first in range(0, rows, step):
        block = [column[first : first + step].astype(np.int64) for column in columns]
        factors = np.zeros((slots, len(out[first : first + step]), n_classes))
        for e, (a, b) in enumerate(ends.reshape(-1, 2).tolist()):
            cells = tables[e] + (block[a] * strides[e] + block[b]) * n_classes
            factors[e] = values[cells[:, None] + np.arange(n_classes)]
        pair = 0
        for k in range(len(starts) - 1):
            edges = spokes[starts[k] : starts[k + 1]]
            total = np.zeros(factors.shape[1:])
            for edge, share in zip(edges, shares[starts[k] : starts[k + 1]], strict=True):
                total += share * factors[edge]
            out[first : first + step] += np.log(total)
            for i, one in enumerate(edges):
                relative = factors[one] / total
                for two in edges[i + 1 :]:
                    target = factors[targets[pair]]
                    target *= old_shares[pair]
                    target += new_shares[pair] * relative * factors[two]
                    pair += 1
    return out
