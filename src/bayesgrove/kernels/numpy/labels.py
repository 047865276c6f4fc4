"""Indices of labels: find which labels occur, and translate indices into another numbering.

Indices are integers of any width. An index that is negative or not below the number of labels
stands for a missing value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes

    Indices = NDArray[np.integer[Any]]


def used_labels(indices: Indices, size: int) -> NDArray[np.uint8]:
    """Return which labels occur, and whether a missing value occurs.

    Parameters
    ----------
    indices : ndarray of shape (n_rows,)
        Indices of labels, integers of any width.
    size : int
        Number of labels.

    Returns
    -------
    ndarray of shape (size + 1,)
        1 for every label that occurs. The last entry is 1 if an index is missing.
    """
    used = np.zeros(size + 1, dtype=np.uint8)
    used[_places(indices, size)] = 1
    return used


def translate(indices: Indices, table: Codes, out: Codes) -> None:
    """Fill ``out`` with ``table[indices]``.

    Parameters
    ----------
    indices : ndarray of shape (n_rows,)
        Indices of labels, integers of any width.
    table : ndarray of shape (n_labels + 1,)
        Code of each label. The last entry is the code of missing values.
    out : ndarray of shape (n_rows,)
        Receives the codes. It has the type of `table`.
    """
    out[:] = table[_places(indices, len(table) - 1)]


def _places(indices: Indices, size: int) -> NDArray[np.int64]:
    """Return the indices, with ``size`` where an index is missing."""
    places = indices.astype(np.int64)  # An index beyond the range of int64 becomes negative.
    places[(places < 0) | (places >= size)] = size
    return places
