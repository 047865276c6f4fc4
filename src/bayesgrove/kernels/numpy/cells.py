"""Sum over the cells that groups of rows and the values of columns make."""

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
    """Sums over cells of rows, for every column: shape (columns, 2).

    First ``outer[N]`` over the cells (group, value of the column), then ``inner[N]`` over the
    cells (group, value, value of the target), ``N`` being the rows in a cell: the tables have an
    entry for every count up to that of the largest group, the first of them 0. Rows in group -1 or
    without a target are left out.
    """
    known = np.where(target < n_target, ids, np.int32(-1))
    out = np.zeros((len(columns), 2), dtype=np.int64)
    for sums, column, card in zip(out, columns, cards, strict=True):
        cells, keys = split_groups(known, groups, column, card)
        parts, _ = split_groups(cells, len(keys), target, n_target)
        sums[0] = outer[np.bincount(cells[cells >= 0])].sum()
        sums[1] = inner[np.bincount(parts[parts >= 0])].sum()
    return out
