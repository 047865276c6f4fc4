"""Turn numbers into codes, by labels or by intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats

    Marks = NDArray[np.uint8]


def scan_levels(X: NDArray[Any], threads: int) -> tuple[Marks, Marks, Marks]:
    """Return which whole numbers 0..255 occur in each column, and whether other values do.

    Second whether anything but these numbers and NaN occurs, third whether NaN does.
    """
    seen = np.zeros((X.shape[1], 256), dtype=np.uint8)
    other = np.zeros(X.shape[1], dtype=np.uint8)
    for j in range(X.shape[1]):
        values = X[:, j]
        level = (values >= 0) & (values < 256)
        whole = values[level].astype(np.int64)
        seen[j, whole[whole == values[level]]] = 1
        other[j] = (~level & ~np.isnan(values)).any() or (whole != values[level]).any()
    missing = np.isnan(X).any(axis=0).astype(np.uint8)
    return seen, other, missing


def encode_numbers(
    X: NDArray[Any],
    points: Floats,
    starts: NDArray[np.int64],
    codes: NDArray[np.uint32],
    exact: NDArray[np.uint8],
    missing: NDArray[np.uint32],
    unseen: NDArray[np.uint32],
    outs: Sequence[Codes],
    threads: int,
) -> NDArray[np.int64]:
    """Fill ``outs[j]`` with the codes of column j; return counts of unseen and infinite values.

    ``points[starts[j]:starts[j + 1]]`` are sorted cut points (a value's code is how many of them
    lie below it) or, where ``exact[j]``, labels with the given ``codes``. NaN becomes
    ``missing[j]``, a number that is no label ``unseen[j]``.
    """
    tally = np.zeros((X.shape[1], 2), dtype=np.int64)
    for j, out in enumerate(outs):
        value = X[:, j].astype(np.float64)
        here = slice(starts[j], starts[j + 1])
        place = np.searchsorted(points[here], value)
        nan = np.isnan(value)
        tally[j, 1] = np.isinf(value).sum()
        if exact[j]:
            at = np.minimum(place, max(starts[j + 1] - starts[j] - 1, 0))
            known = points[here][at] == value if at.size and len(points[here]) else nan & False
            place = np.where(known, codes[here][at] if known.any() else 0, unseen[j])
            tally[j, 0] = ((place == unseen[j]) & ~nan).sum()
        out[:] = np.where(nan, missing[j], place)
    return tally
