"""Sum terms over the cells of many sets of columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.kernels.numpy.cells import cell_sums
from bayesgrove.kernels.numpy.partition import split_groups

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes


def set_sums(
    columns: Sequence[Codes],
    cards: Sequence[int],
    target: Codes,
    n_target: int,
    sets: NDArray[np.int32],
    set_width: int,
    outer: NDArray[np.int64],
    inner: NDArray[np.int64],
    threads: int,
) -> NDArray[np.int64]:
    """Return sums of terms over the cells of every set of columns.

    ``N`` is the number of rows in a cell. Rows without a target and rows with a missing value in
    the set are left out. The native kernel is fastest if sets with the same first members are
    adjacent.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n_rows,)
        Codes of each column. The code ``cards[j]`` stands for a missing value in column ``j``.
    cards : sequence of int
        Cardinality of each column.
    target : ndarray of shape (n_rows,)
        Codes of the target. The code ``n_target`` stands for a missing value.
    n_target : int
        Cardinality of the target.
    sets : ndarray of shape (n_sets * set_width,)
        Numbers of the columns of each set, at least one. The places after the last member have -1.
    set_width : int
        Places per set in `sets`.
    outer : ndarray
        Term ``outer[N]`` of a joint value of the columns of the set. There is an entry for every
        count up to the number of rows. The first entry is 0.
    inner : ndarray
        Term ``inner[N]`` of a joint value of the columns of the set and the target. There is an
        entry for every count up to the number of rows. The first entry is 0.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.

    Returns
    -------
    ndarray of shape (n_sets,)
        Sum of the outer and the inner terms of each set.
    """
    out = np.zeros(len(sets) // set_width if set_width else 0, dtype=np.int64)
    for s, places in enumerate(sets.reshape(len(out), set_width)):
        *first_members, last = places[places >= 0].tolist()
        ids, groups = np.zeros(len(target), dtype=np.int32), 1
        for v in first_members:
            ids, keys = split_groups(ids, groups, columns[v], cards[v])
            groups = len(keys)
        out[s] = cell_sums(
            ids, groups, target, n_target, [columns[last]], [cards[last]], outer, inner, threads
        ).sum()
    return out
