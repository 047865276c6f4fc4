"""Group rows by the joint value of columns: split by one column, and look new rows up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes


def split_groups(
    ids: NDArray[np.int32], groups: int, column: Codes, card: int
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Split groups of rows by a column; rows in group -1 or with a missing value get -1.

    Returns the new groups and their keys ``old group * card + code``, sorted: a new group's number
    is the place of its key.
    """
    old = _group_keys(ids, column, card)
    found = old >= 0
    if groups * card <= 4 * len(ids) + 4096:
        label = np.zeros(groups * card, dtype=np.int32)
        label[old[found]] = 1
        keys = np.flatnonzero(label)
        label[keys] = np.arange(len(keys), dtype=np.int32)
        new = label[np.where(found, old, 0)] if len(label) else np.zeros(len(ids), dtype=np.int32)
    else:
        keys = np.unique(old[found])
        new = np.searchsorted(keys, old).astype(np.int32)
    return np.where(found, new, np.int32(-1)), keys.astype(np.int64)


def lookup(
    ids: NDArray[np.int32], keys: NDArray[np.int64], column: Codes, card: int
) -> NDArray[np.int32]:
    """Find the groups that `split_groups` made among other rows; -1 where there is none."""
    wanted = _group_keys(ids, column, card)
    if not len(keys):
        return np.full(len(ids), -1, dtype=np.int32)
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1).astype(np.int32)
    return np.where(keys[place] == wanted, place, np.int32(-1))


def _group_keys(ids: NDArray[np.int32], column: Codes, card: int) -> NDArray[np.int64]:
    keys = ids.astype(np.int64) * card + column
    return np.where((ids < 0) | (column >= card), -1, keys)
