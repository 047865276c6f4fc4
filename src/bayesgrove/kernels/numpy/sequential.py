"""Counts of the rows before each row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats


def counts_before(
    ids: NDArray[np.int32], groups: int, target: Codes, n_classes: int, weights: Floats | None
) -> Floats:
    """Return, for each row, the weight of the earlier rows of its group, by class.

    Parameters
    ----------
    ids : ndarray of shape (n_rows,)
        Group of each row, -1 for none.
    groups : int
        Number of groups.
    target : ndarray of shape (n_rows,)
        Class codes.
    n_classes : int
        Number of classes.
    weights : ndarray of shape (n_rows,) or None
        Weights of the rows. None means a weight of 1 for all rows.

    Returns
    -------
    ndarray of shape (n_rows, n_classes)
        Summed weights. Rows without a group get zeros.
    """
    rows = len(ids)
    if rows and (ids.max() >= groups or target.max() >= n_classes):
        raise ValueError("A group or a class is out of range.")
    order = np.argsort(ids, kind="stable")
    weight_of_class = np.zeros((rows, n_classes))
    weight_of_class[np.arange(rows), target[order]] = 1.0 if weights is None else weights[order]
    before = np.cumsum(weight_of_class, axis=0) - weight_of_class
    first = np.searchsorted(ids[order], ids[order])  # the first row of the same group
    result = np.empty((rows, n_classes))
    result[order] = before - before[first]
    result[ids < 0] = 0.0
    return result
