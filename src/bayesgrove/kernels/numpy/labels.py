"""Indices of labels: find which of them occur, and translate them into another numbering.

Indices are integers of any width; what is negative or not below the number of labels is missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes

    Indices = NDArray[np.integer[Any]]


def used_labels(indices: Indices, size: int) -> NDArray[np.uint8]:
    """Return 1 for each of ``size`` labels that occurs; the last entry says it of missing ones."""
    used = np.zeros(size + 1, dtype=np.uint8)
    used[_places(indices, size)] = 1
    return used


def translate(indices: Indices, table: Codes, out: Codes) -> None:
    """Fill ``out`` with ``table[indices]``; the last entry of the table is for missing ones."""
    out[:] = table[_places(indices, len(table) - 1)]


def _places(indices: Indices, size: int) -> NDArray[np.int64]:
    """Return the indices, ``size`` where one is missing."""
    places = indices.astype(np.int64)  # beyond its range is below zero
    places[(places < 0) | (places >= size)] = size
    return places
