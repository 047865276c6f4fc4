"""Count all pair tables given the class, and their information."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.kernels.numpy.information import information_of_tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats


_BLOCK = 8192


def pair_tables(
    columns: Sequence[Codes],
    cards: Sequence[int],
    target: Codes,
    n_classes: int,
    weights: Floats | None,
    first: int,
    threads: int,
) -> Floats:
    """Counts ``N[c, value of i, value of j]`` for ``first <= i``, ``j < i``; zero elsewhere.

    For each class this is the Gram matrix of the one-hot coded columns.
    """
    offsets = np.concatenate([[0], np.cumsum(cards)]).astype(np.int64)
    skip = offsets[first]
    out = np.zeros((n_classes, int(offsets[-1] - skip), int(offsets[-1])))
    for c in range(n_classes):
        for rows in _chunks(np.flatnonzero(target == c)):
            ones = _one_hot([column[rows] for column in columns], cards, offsets)
            left = ones[:, skip:] if weights is None else ones[:, skip:] * weights[rows, None]
            out[c] += left.T @ ones
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
    """``I(X;X'|C)`` of all pairs of columns, symmetric: `information_of_tables` of `pair_tables`.

    The tables of a few columns at a time are made and thrown away.
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
    return (rows[start : start + _BLOCK] for start in range(0, len(rows), _BLOCK))


def _one_hot(columns: Sequence[Codes], cards: Sequence[int], offsets: NDArray[np.int64]) -> Floats:
    ones = np.zeros((len(columns[0]), int(offsets[-1])))
    for column, card, offset in zip(columns, cards, offsets, strict=False):
        present = np.flatnonzero(column < card)
        ones[present, offset + column[present]] = 1.0
    return ones
