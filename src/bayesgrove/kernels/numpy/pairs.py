"""Count all pair tables given the class, and compute their information."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.kernels.numpy.information import information_of_tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats


_BLOCK = 8192
"""Rows that are one-hot coded at a time."""


def pair_tables(
    columns: Sequence[Codes],
    cards: Sequence[int],
    target: Codes,
    n_classes: int,
    weights: Floats | None,
    first: int,
    threads: int,
) -> Floats:
    """Return the counts ``N[c, value of i, value of j]`` for ``first <= i`` and ``j < i``.

    For each class this is the Gram matrix of the one-hot coded columns.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n_rows,)
        Codes of each column. The code ``cards[j]`` stands for a missing value in column ``j``.
    cards : sequence of int
        Cardinality of each column.
    target : ndarray of shape (n_rows,)
        Class code of each row. Rows with the code ``n_classes`` have no class and are left out.
    n_classes : int
        Number of classes.
    weights : ndarray of shape (n_rows,) or None
        Weight of each row. None counts every row once.
    first : int
        Number of the first column ``i``.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.

    Returns
    -------
    ndarray of shape (n_classes, R_first, R)
        Tables side by side, where ``R = sum(cards)`` and ``R_first = sum(cards[first:])``. Cells
        with ``j >= i`` are zero.
    """
    offsets = np.concatenate([[0], np.cumsum(cards)]).astype(np.int64)
    skip = offsets[first]
    out = np.zeros((n_classes, int(offsets[-1] - skip), int(offsets[-1])))
    for c in range(n_classes):
        for rows in _chunks(np.flatnonzero(target == c)):
            ones = _one_hot([column[rows] for column in columns], cards, offsets)
            weighted = ones[:, skip:] if weights is None else ones[:, skip:] * weights[rows, None]
            out[c] += weighted.T @ ones
    for i in range(first, len(columns)):
        out[:, offsets[i] - skip : offsets[i + 1] - skip, offsets[i] :] = 0
    return out


def information_of_columns(
    columns: Sequence[Codes],
    cards: Sequence[int],
    target: Codes,
    n_classes: int,
    weights: Floats | None,
    total: float,
    threads: int,
) -> Floats:
    """Return ``I(X;X'|C)`` of all pairs of columns: `information_of_tables` of their `pair_tables`.

    Only the tables of a few columns are in memory at a time.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n_rows,)
        Codes of each column. The code ``cards[j]`` stands for a missing value in column ``j``.
    cards : sequence of int
        Cardinality of each column.
    target : ndarray of shape (n_rows,)
        Class code of each row. Rows with the code ``n_classes`` have no class and are left out.
    n_classes : int
        Number of classes.
    weights : ndarray of shape (n_rows,) or None
        Weight of each row. None counts every row once.
    total : float
        Upper bound of the weight of a table. It fixes the unit in which the terms are summed.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.

    Returns
    -------
    ndarray of shape (n_columns, n_columns)
        Symmetric matrix in nats, with zeros on the diagonal.
    """
    n = len(columns)
    out = np.zeros((n, n))
    for first in range(0, n, 16):
        last = min(first + 16, n)
        block = pair_tables(
            columns[:last], cards[:last], target, n_classes, weights, first, threads
        )
        part = information_of_tables(block, cards[first:last], cards[:last], total, threads)
        out[first:last, :last] += part
        out[:last, first:last] += part.T
    return out


def _chunks(rows: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
    """Yield the row numbers, at most `_BLOCK` at a time."""
    return (rows[start : start + _BLOCK] for start in range(0, len(rows), _BLOCK))


def _one_hot(columns: Sequence[Codes], cards: Sequence[int], offsets: NDArray[np.int64]) -> Floats:
    """Return the one-hot coded columns side by side; a missing value has only zeros."""
    ones = np.zeros((len(columns[0]), int(offsets[-1])))
    for column, card, offset in zip(columns, cards, offsets, strict=False):
        present = np.flatnonzero(column < card)
        ones[present, offset + column[present]] = 1.0
    return ones
