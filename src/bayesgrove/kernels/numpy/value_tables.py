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
    """Return distinct values, ascending, their table, and how many are missing and infinite.

    ``table[i, c]`` is the weight of the rows with value ``distinct[i]`` and class ``c``, added in
    the order of the rows. NaN is missing and left out, as are rows without a class; values of total
    weight zero have no row. Values are compared as float64, and -0.0 is 0.0.
    """
    numbers = values.astype(np.float64) + 0.0  # no negative zeros
    missing = np.isnan(numbers)
    present = ~missing & (target < n_classes)
    distinct, places = np.unique(numbers[present], return_inverse=True)
    cells = places * n_classes + target[present]
    chosen = None if weights is None else weights[present]
    sums = np.bincount(cells, chosen, minlength=len(distinct) * n_classes).astype(np.float64)
    table = sums.reshape(len(distinct), n_classes)
    kept = table.any(axis=1)
    return distinct[kept], table[kept], int(missing.sum()), int(np.isinf(numbers).sum())
