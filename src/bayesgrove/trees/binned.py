"""Rows in bins, for boosting: at most some number of bins per column."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Floats
    from bayesgrove.trees.boosted_sum import Bytes

MAX_VALUES = 255
"""A nominal column with more values is not tested."""


class BinnedRows:
    """The columns that can be tested, in bins.

    Parameters
    ----------
    rows : Encoded
        The training rows.
    ordered : sequence of int
        The number of ordered codes of every column.
    max_bins : int
        The maximum number of bins of an ordered column.
    """

    def __init__(self, rows: Encoded, ordered: Sequence[int], max_bins: int) -> None:
        self.columns: list[int] = []
        self.tables: list[Bytes] = []
        self.n_bins: list[int] = []
        self.ordered: list[int] = []
        for v, (card, axis) in enumerate(zip(rows.cards, ordered, strict=True)):
            if card > MAX_VALUES and not axis:
                continue
            counts = np.bincount(rows.column(v), rows.weights, card).astype(np.float64)
            cells = _equal_bins(counts[:axis], max_bins) if axis else np.arange(card)
            n_ordered = int(cells[-1]) + 1 if axis else 0
            if axis and card > axis:
                cells = np.append(cells, n_ordered)
            used = cells[counts.nonzero()]  # Ascending: the first and last bins with rows.
            if not len(used) or used[0] == used[-1]:
                continue
            n_bins = int(cells[-1]) + 1
            self.columns.append(v)
            self.tables.append(np.append(cells, n_bins).astype(np.uint8))
            self.n_bins.append(n_bins)
            self.ordered.append(n_ordered)
        self.bins: Bytes = np.empty((rows.rows, len(self.columns)), dtype=np.uint8)
        for place, (v, table) in enumerate(zip(self.columns, self.tables, strict=True)):
            self.bins[:, place] = table[rows.column(v)]

    def first_codes(self, places: NDArray[np.int32], bins: NDArray[np.int32]) -> NDArray[np.uint32]:
        """Return the first code in each bin of a column; after the last bin, the cardinality.

        Parameters
        ----------
        places : ndarray of shape (n,)
            Places of columns among those that can be tested.
        bins : ndarray of shape (n,)
            Numbers of bins.

        Returns
        -------
        ndarray of shape (n,)
            The codes.
        """
        codes = [np.searchsorted(table, np.arange(table[-1] + 1)) for table in self.tables]
        starts = np.cumsum([0, *map(len, codes)])[places]
        return np.concatenate([np.empty(0), *codes])[starts + bins].astype(np.uint32)


def _equal_bins(counts: Floats, max_bins: int) -> NDArray[np.intp]:
    """Return the bin of every ordered code: at most `max_bins` bins of about equal weight."""
    if len(counts) <= max_bins:
        return np.arange(len(counts))
    before = np.cumsum(counts) - counts
    share = before / max(float(counts.sum()), 1e-300)
    # The rounding error of a share must not move a code below the cut that it reaches.
    part = np.minimum(np.floor(share * max_bins + 1e-9), max_bins - 1)
    return np.unique(part, return_inverse=True)[1]
