"""Sum the weights of one numeric column by distinct value and class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats


def value_table(
    values: NDArray[Any], target: Codes, n_classes: int, weights: Floats | None
) -> tuple[Floats, Floats, int, int]:
    """Return the distinct values of a column and their weights by class.

    Weights are added in the order of the rows. NaN and rows without a class are left out. Values of
    total weight zero are left out, too. Values are compared as float64, and -0.0 equals 0.0.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        Numbers of any type. NaN is missing.
    target : ndarray of shape (n_rows,)
        Class code of each row. Rows with the code ``n_classes`` have no class and are left out.
    n_classes : int
        Number of classes.
    weights : ndarray of shape (n_rows,) or None
        Weight of each row. None counts every row once.

    Returns
    -------
    distinct : ndarray of shape (n_distinct,)
        Distinct values in ascending order.
    table : ndarray of shape (n_distinct, n_classes)
        Weight of the rows with each value and class.
    missing : int
        Number of missing values.
    infinite : int
        Number of infinite values.
    """
    numbers = values.astype(np.float64) + 0.0  # Adding 0.0 turns -0.0 into 0.0.
    missing = np.isnan(numbers)
    present = ~missing & (target < n_classes)
    distinct, places = np.unique(numbers[present], return_inverse=True)
    cells = places * n_classes + target[present]
    chosen = None if weights is None else weights[present]
    sums = np.bincount(cells, chosen, minlength=len(distinct) * n_classes).astype(np.float64)
    table = sums.reshape(len(distinct), n_classes)
    kept = table.any(axis=1)
    return distinct[kept], table[kept], int(missing.sum()), int(np.isinf(numbers).sum())
