"""Sum over the cells of many sets of columns."""

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
    most: int,
    outer: NDArray[np.int64],
    inner: NDArray[np.int64],
    threads: int,
) -> NDArray[np.int64]:
    """Sums over cells of rows, for every set of columns.

    ``outer[N]`` over the joint values of a set's columns and ``inner[N]`` over those with the
    target, as in `cell_sums`. ``sets`` has ``most`` places for the members of each, at least one of
    them, and -1 behind the last. The native kernel is quickest where sets with the same first
    members come one after another.
    """
    out = np.zeros(len(sets) // most if most else 0, dtype=np.int64)
    for s, own in enumerate(sets.reshape(len(out), most)):
        *given, last = own[own >= 0].tolist()
        ids, groups = np.zeros(len(target), dtype=np.int32), 1
        for v in given:
            ids, keys = split_groups(ids, groups, columns[v], cards[v])
            groups = len(keys)
        out[s] = cell_sums(
            ids, groups, target, n_target, [columns[last]], [cards[last]], outer, inner, threads
        ).sum()
    return out
