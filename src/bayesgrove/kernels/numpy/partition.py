"""Group rows by the joint value of columns: split groups by a column, and look up new rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes


def split_groups(
    ids: NDArray[np.int32], groups: int, column: Codes, card: int
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Split groups of rows by a column.

    Parameters
    ----------
    ids : ndarray of shape (n_rows,)
        Group of each row, -1 for none.
    groups : int
        Number of groups.
    column : ndarray of shape (n_rows,)
        Codes of the column. The code `card` stands for a missing value.
    card : int
        Cardinality of the column.

    Returns
    -------
    ids : ndarray of shape (n_rows,)
        New group of each row. Rows in group -1 and rows with a missing value get -1.
    keys : ndarray of shape (n_new_groups,)
        Key ``old group * card + code`` of each new group, sorted. The number of a new group is the
        place of its key.
    """
    row_keys = _group_keys(ids, column, card)
    has_key = row_keys >= 0
    if groups * card <= 4 * len(ids) + 4096:
        group_of = np.zeros(groups * card, dtype=np.int32)
        group_of[row_keys[has_key]] = 1
        keys = np.flatnonzero(group_of)
        group_of[keys] = np.arange(len(keys), dtype=np.int32)
        no_groups = np.zeros(len(ids), dtype=np.int32)
        new = group_of[np.where(has_key, row_keys, 0)] if len(group_of) else no_groups
    else:
        keys = np.unique(row_keys[has_key])
        new = np.searchsorted(keys, row_keys).astype(np.int32)
    return np.where(has_key, new, np.int32(-1)), keys.astype(np.int64)


def lookup(
    ids: NDArray[np.int32], keys: NDArray[np.int64], column: Codes, card: int
) -> NDArray[np.int32]:
    """Return the groups of other rows among the groups that `split_groups` made.

    Parameters
    ----------
    ids : ndarray of shape (n_rows,)
        Group of each row before the split, -1 for none.
    keys : ndarray of shape (n_groups,)
        Sorted keys of the groups, from `split_groups`.
    column : ndarray of shape (n_rows,)
        Codes of the column. The code `card` stands for a missing value.
    card : int
        Cardinality of the column.

    Returns
    -------
    ndarray of shape (n_rows,)
        Group of each row, -1 where there is no such group.
    """
    row_keys = _group_keys(ids, column, card)
    if not len(keys):
        return np.full(len(ids), -1, dtype=np.int32)
    place = np.minimum(np.searchsorted(keys, row_keys), len(keys) - 1).astype(np.int32)
    return np.where(keys[place] == row_keys, place, np.int32(-1))


def _group_keys(ids: NDArray[np.int32], column: Codes, card: int) -> NDArray[np.int64]:
    """Return the key of each row, -1 where the group or the value is missing."""
    keys = ids.astype(np.int64) * card + column
    return np.where((ids < 0) | (column >= card), -1, keys)
