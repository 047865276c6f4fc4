"""Random cuts of numeric columns, from histograms of fine intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.kernels import Floats


def draw_bins(
    starts: NDArray[np.int64],
    positions: Floats,
    by_fold: Floats,
    left_out: NDArray[np.int32],
    bins: NDArray[np.int32],
    shifts: Floats,
    whole: NDArray[np.uint8],
    supervised: NDArray[np.int32],
    noise: NDArray[np.float32],
    min_rows: float,
    min_gains: Floats,
    threads: int,
) -> tuple[NDArray[np.uint16], NDArray[np.int32], Floats]:
    """Join the fine intervals of every column to bins of about equal frequency, for some members.

    Cut q of b - 1 cuts is where the cumulative weight first reaches ``N (q + shift_q) / b``.
    Supervised cuts are added: best-first splits by the entropy of the class.

    Parameters
    ----------
    starts : ndarray of shape (n_columns + 1,)
        Position of the first fine interval of each column, and the number of all intervals.
    positions : ndarray of shape (n_fine,)
        Position of each fine interval on the axis of its column.
    by_fold : ndarray of shape (n_folds, n_fine, n_classes)
        Weight of each fine interval and class, per fold of rows.
    left_out : ndarray of shape (n_members,)
        The fold that the supervised cuts of each member do not see, or -1.
    bins : ndarray of shape (n_members, n_columns)
        Number of bins b of each column.
    shifts : ndarray of shape (n_members, n_columns, n_shifts)
        Shift of each cut, as a share of a bin.
    whole : ndarray of shape (n_members, n_columns)
        1 if all fine intervals of a column stay as they are.
    supervised : ndarray of shape (n_members, n_columns)
        Largest number of supervised cuts of each column.
    noise : ndarray of float32
        Factors of the weights of the fine intervals that supervised cuts see, for the columns that
        have such cuts and are not whole, in their order.
    min_rows : float
        Smallest weight on each side of a supervised cut.
    min_gains : ndarray of shape (n_columns,)
        Smallest gain of a supervised cut of each column, in nats times weight.
    threads : int
        Number of threads. It does not change the result.

    Returns
    -------
    maps : ndarray of shape (n_members, n_fine)
        Bin of each fine interval.
    cards : ndarray of shape (n_members, n_columns)
        Number of bins of each column.
    means : ndarray of shape (n_members, 1 + n_fine + n_columns)
        Mean position of the rows of each bin; those of column j begin at ``1 + starts[j] + j``.
        All other numbers are 0, also one after the bins of each column.
    """
    members, columns = bins.shape
    histogram = by_fold.sum(axis=0)
    totals = histogram.sum(axis=1)
    maps = np.zeros((members, len(totals)), dtype=np.uint16)
    cards = np.zeros((members, columns), dtype=np.int32)
    means = np.zeros((members, 1 + len(totals) + columns))
    used = 0
    for m in range(members):
        seen = histogram if left_out[m] < 0 else histogram - by_fold[left_out[m]]
        for j in range(columns):
            part = slice(starts[j], starts[j + 1])
            fine = int(starts[j + 1] - starts[j])
            if not fine:
                continue
            cut = np.zeros(fine + 1, dtype=np.int64)
            if whole[m, j]:
                cut[1:fine] = 1
            else:
                before = np.cumsum(totals[part])[:-1]
                places = np.arange(1, bins[m, j])
                shifted = places + shifts[m, j, : len(places)]
                _mark(cut, before, totals[part].sum() * shifted / bins[m, j])
                if supervised[m, j] > 0:
                    weights = seen[part] * noise[used : used + fine, None].astype(np.float64)
                    used += fine
                    for at in _entropy_cuts(weights, int(supervised[m, j]), min_rows, min_gains[j]):
                        cut[at] = 1
            maps[m, part] = np.cumsum(cut[:fine])
            cards[m, j] = int(maps[m, part][-1]) + 1
            weights = np.bincount(maps[m, part], totals[part])
            sums = np.bincount(maps[m, part], totals[part] * positions[part])
            first = 1 + int(starts[j]) + j
            means[m, first : first + len(sums)] = np.divide(
                sums, weights, out=np.zeros(len(sums)), where=weights > 0
            )
    return maps, cards, means


def _mark(cut: NDArray[np.int64], before: Floats, targets: Floats) -> None:
    """Mark the first boundary at which the cumulative weight reaches each target, in order."""
    q = 0
    for f, weight in enumerate(before):
        if q == len(targets):
            return
        if weight >= targets[q]:
            cut[f + 1] = 1
            while q < len(targets) and weight >= targets[q]:
                q += 1


def _entropy_cuts(histogram: Floats, limit: int, min_rows: float, min_gain: float) -> list[int]:
    """Return the best-first cuts of one column."""
    segments = [_best(histogram, 0, len(histogram), min_rows)]
    cuts: list[int] = []
    while len(cuts) < limit:
        top = max(range(len(segments)), key=lambda s: segments[s][0])
        gain, at, low, high = segments[top]
        if at == 0 or gain < min_gain:
            break
        cuts.append(at)
        segments[top] = _best(histogram, low, at, min_rows)
        segments.append(_best(histogram, at, high, min_rows))
    return cuts


def _best(histogram: Floats, low: int, high: int, min_rows: float) -> tuple[float, int, int, int]:
    """Return the gain and the place of the best cut of some intervals; place 0 if there is none."""
    part = histogram[low:high]
    left = np.cumsum(part, axis=0)[:-1]
    right = part.sum(axis=0) - left
    sums = left.sum(axis=1), right.sum(axis=1)
    usable = (part.sum(axis=1)[:-1] != 0) & (sums[0] >= min_rows) & (sums[1] >= min_rows)
    if not usable.any():
        return -1.0, 0, low, high
    base = _xlogx(part.sum(axis=0)).sum() - _xlogx(part.sum())
    gains = _xlogx(left).sum(axis=1) + _xlogx(right).sum(axis=1) - _xlogx(sums[0])
    gains = np.where(usable, gains - _xlogx(sums[1]) - base, -1.0)
    at = int(np.argmax(gains))
    return (float(gains[at]), low + at + 1, low, high) if gains[at] > -1 else (-1.0, 0, low, high)


def _xlogx(x: Floats) -> Floats:
    """Return ``x ln x``, with ``0 ln 0 = 0``."""
    out: Floats = x * np.log(np.where(x > 0, x, 1.0))
    return out
