"""Sum terms over the cells formed by groups of rows and the values of columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.kernels.numpy.partition import split_groups

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes


def cell_sums(
    ids: NDArray[np.int32],
    groups: int,
    target: Codes,
    n_target: int,
    columns: Sequence[Codes],
    cards: Sequence[int],
    outer: NDArray[np.int64],
    inner: NDArray[np.int64],
    threads: int,
) -> NDArray[np.int64]:
    """Return sums of terms over the cells of every column.

    ``N`` is the number of rows in a cell. Rows in group -1, rows without a target and rows with a
    missing value in the column are left out.

    Parameters
    ----------
    ids : ndarray of shape (n_rows,)
        Group of each row, -1 for none.
    groups : int
        Number of groups.
    target : ndarray of shape (n_rows,)
        Codes of the target. The code ``n_target`` stands for a missing value.
    n_target : int
        Cardinality of the target.
    columns : sequence of ndarray of shape (n_rows,)
        Codes of each column. The code ``cards[j]`` stands for a missing value in column ``j``.
    cards : sequence of int
        Cardinality of each column.
    outer : ndarray
        Term ``outer[N]`` of a cell (group, value of the column). There is an entry for every count
        up to the size of the largest group. The first entry is 0.
    inner : ndarray
        Term ``inner[N]`` of a cell (group, value of the column, value of the target). There is an
        entry for every count up to the size of the largest group. The first entry is 0.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.

    Returns
    -------
    ndarray of shape (n_columns, 2)
        The sum of the outer terms and the sum of the inner terms of every column.
    """
    known = np.where(target < n_target, ids, np.int32(-1))
    out = np.zeros((len(columns), 2), dtype=np.int64)
    for sums, column, card in zip(out, columns, cards, strict=True):
        cells, keys = split_groups(known, groups, column, card)
        parts, _ = split_groups(cells, len(keys), target, n_target)
        sums[0] = outer[np.bincount(cells[cells >= 0])].sum()
        sums[1] = inner[np.bincount(parts[parts >= 0])].sum()
    return out
