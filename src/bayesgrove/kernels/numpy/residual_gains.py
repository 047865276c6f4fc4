"""How much pairs of columns would gain beyond a model, from the residuals of its predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.kernels import Codes, Floats

PAIR_CELLS = 1_000_000
"""Pairs with more cells, times classes, have gain 0."""


def residual_gains(
    columns: Sequence[Codes],
    cards: Sequence[int],
    residuals: Floats,
    variances: Floats,
    folds: Codes,
    n_folds: int,
    penalty: float,
    threads: int,
) -> Floats:
    """Return the gain of every pair of columns, from the rows outside of each fold.

    The gain is the sum over the joint values of the pair and over the classes of
    ``(G^2 - H) / (H + penalty)``. G sums the residuals of the rows, and H their variances. G^2 has
    the mean H if the pair says nothing beyond the model.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n_rows,)
        Codes of each column, all below ``cards``.
    cards : sequence of int
        Cardinality of each column.
    residuals : ndarray of shape (n_rows, n_classes)
        Indicator of the class of each row minus its predicted probability.
    variances : ndarray of shape (n_rows, n_classes)
        ``p (1 - p)`` of each predicted probability p.
    folds : ndarray of shape (n_rows,)
        Fold of each row.
    n_folds : int
        Number of folds. With 1 fold, all rows are used.
    penalty : float
        Penalty of the gain of a joint value with few rows.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.

    Returns
    -------
    ndarray of shape (n_folds, n_columns, n_columns)
        Symmetric matrices with zeros on the diagonal.
    """
    n, classes = len(columns), residuals.shape[1]
    out = np.zeros((n_folds, n, n))
    for i in range(n):
        for j in range(i):
            cells = cards[i] * cards[j]
            if cells * classes > PAIR_CELLS:
                continue
            keys = (columns[i].astype(np.int64) * cards[j] + columns[j]) * n_folds + folds
            G, H = (
                np.transpose([np.bincount(keys, c, cells * n_folds) for c in values.T]).reshape(
                    cells, n_folds, classes
                )
                for values in (residuals, variances)
            )
            observed = H.sum(axis=1, keepdims=True) > 0
            if n_folds > 1:
                G, H = (values.sum(axis=1, keepdims=True) - values for values in (G, H))
            gains = np.where(observed, (G**2 - H) / (H + penalty), 0.0).sum(axis=(0, 2))
            out[:, i, j] = out[:, j, i] = gains
    return out
