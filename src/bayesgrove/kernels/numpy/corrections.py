"""Corrections of the cells of back-off tables, fitted to the conditional likelihood."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.kernels.numpy.conditional import residuals_of
from bayesgrove.kernels.numpy.lbfgs import minimise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats


def fit_corrections(
    cells: NDArray[np.int32],
    depths: NDArray[np.int64],
    sizes: NDArray[np.int64],
    ups: NDArray[np.int32],
    penalties: Floats,
    codes: NDArray[np.uint32],
    axis_starts: NDArray[np.int64],
    positions: Floats,
    linear_penalty: float,
    rows: NDArray[np.int32],
    offsets: Floats,
    target: Codes,
    weights: Floats | None,
    iterations: int,
) -> tuple[Floats, Floats, float, bool]:
    """Fit a correction of the scores per cell and class to the conditional likelihood, with ridge.

    The score of class c is its offset, plus the corrections of the cells of the row at all levels
    of all tables, plus ``beta z`` for the tables with a linear term. The fit minimises
    ``-sum ln P(class) + sum penalty delta^2 / 2 + linear_penalty sum beta^2 / 2`` by
    L-BFGS, with parameters scaled by their curvature at 0.

    Parameters
    ----------
    cells : ndarray of shape (n_tables, n_fit)
        Cell of each row at the last level of each table.
    depths : ndarray of shape (n_tables,)
        Number of parents of each table. A table has one slot per level, the first without parents.
    sizes : ndarray of shape (n_slots,)
        Number of cells of each slot.
    ups : ndarray of shape (n_cells,)
        Cell of each cell one level before; of no meaning at the first level.
    penalties : ndarray of shape (n_slots,)
        Ridge penalty of the corrections of each slot; infinite for no corrections.
    codes : ndarray of shape (n_cells,)
        Code of the child of each cell.
    axis_starts : ndarray of shape (n_tables,)
        Place in ``positions`` of the first code of the child of each table; 0 for no linear term.
        A linear term needs corrections in at least one slot.
    positions : ndarray
        Positions of codes on axes: the z of linear terms.
    linear_penalty : float
        Ridge penalty of the linear terms.
    rows : ndarray of shape (n_chosen,)
        Numbers of the rows to fit, from 0 to ``n_fit - 1``.
    offsets : ndarray of shape (n_fit, n_classes)
        Scores of each row before the corrections.
    target : ndarray of shape (n_fit,)
        Class code of each row.
    weights : ndarray of shape (n_fit,) or None
        Weight of each row. None means that all are 1.
    iterations : int
        Largest number of iterations.

    Returns
    -------
    deltas : ndarray of shape (n_cells, n_classes)
        Sum of the corrections of each cell and of the same cells at the levels before, with the
        linear term.
    sums : ndarray of shape (n_fit, n_classes)
        Sum of the corrections of each row.
    value : float
        The penalised loss.
    converged : bool
        Whether the fit ended before the last iteration.
    """
    classes, total = offsets.shape[1], int(sizes.sum())
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)[:-1]
    firsts = np.concatenate([[0], np.cumsum(depths + 1)]).astype(np.int64)
    slots = [range(firsts[t], firsts[t + 1]) for t in range(len(depths))]
    index = _cells_of_slots(cells, slots, starts, ups)
    free = np.isfinite(penalties)
    axes = [
        start if free[levels].any() else 0 for levels, start in zip(slots, axis_starts, strict=True)
    ]
    slopes = [levels[0] for levels, start in zip(slots, axes, strict=True) if start]
    z = np.zeros(total)
    for slot, start in zip(slopes, [start for start in axes if start], strict=True):
        part = slice(starts[slot], starts[slot] + sizes[slot])
        z[part] = positions[start + codes[part].astype(np.intp)]
    features = z[index[:, slopes]]
    index, fitted = index[:, free], np.repeat(free, sizes)
    w = (np.ones(len(offsets)) if weights is None else weights)[rows]
    class_codes, every = target[rows].astype(np.intp), np.arange(len(rows))
    penalty = np.concatenate(
        [np.repeat(np.where(free, penalties, 1), sizes), np.full(len(slopes), linear_penalty)]
    ).repeat(classes)
    contrast = classes == 2  # One parameter per cell: class 1 minus class 0.
    if contrast:
        penalty = penalty[::2] / 2

    def spread(x: Floats) -> Floats:
        return x[:, None] * np.array([-0.5, 0.5]) if contrast else x.reshape(-1, classes)

    def collected(residuals: Floats, factors: Floats) -> Floats:
        """Return the sums of residuals per parameter."""
        sums = [
            np.bincount(index[rows].ravel(), np.repeat(column, index.shape[1]), total)
            for column in residuals.T
        ]
        both = np.concatenate([np.transpose(sums), factors[rows].T @ residuals])
        return both[:, 1] if contrast else both.ravel()

    def scores_of(x: Floats) -> Floats:
        deltas = spread(x)
        scores: Floats = deltas[:total][index].sum(axis=1) + features @ deltas[total:]
        return scores

    p = np.exp(offsets[rows] - offsets[rows].max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    scales = 1 / np.sqrt(collected(p * (1 - p) * w[:, None], features**2) + penalty)

    def loss(x: Floats) -> tuple[float, Floats]:
        deltas = x * scales
        scores = offsets[rows] + scores_of(deltas)[rows]
        value, residuals = residuals_of(scores, every, class_codes, w)
        value += float((penalty * deltas**2).sum() / 2)
        return value, (collected(residuals, features) + penalty * deltas) * scales

    minimum = minimise(loss, np.zeros(len(scales)), iterations, 5, 0.5, 1e-4)
    fitted_values = spread(minimum.x * scales)
    deltas = np.where(fitted[:, None], fitted_values[:total], 0.0)
    for u, slot in enumerate(slopes):
        part = slice(starts[slot], starts[slot] + sizes[slot])
        deltas[part] += z[part, None] * fitted_values[total + u]
    for levels in slots:
        for slot in levels[1:]:
            part = slice(starts[slot], starts[slot] + sizes[slot])
            deltas[part] += deltas[starts[slot - 1] + ups[part]]
    last = starts[firsts[1:] - 1]
    sums = deltas[(last[:, None] + cells).T].sum(axis=1)
    return deltas, sums, minimum.value, minimum.converged


def _cells_of_slots(
    cells: NDArray[np.int32], slots: list[range], starts: NDArray[np.int64], ups: NDArray[np.int32]
) -> NDArray[np.int64]:
    """Return the place of the cell of each row in each slot among all cells, row by row."""
    index = np.empty((cells.shape[1], len(starts)), dtype=np.int64)
    for levels, of_rows in zip(slots, cells, strict=True):
        at = of_rows.astype(np.int64)
        for slot in reversed(levels):
            index[:, slot] = starts[slot] + at
            at = ups[starts[slot] + at].astype(np.int64)
    return index
