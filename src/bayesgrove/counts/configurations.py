"""Joint values of some columns: all of them, or only those that occur in the rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.encoding import code_type
from bayesgrove.kernels import kernels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes

BLOCK = 1 << 20
"""Group sizes are counted for this number of rows at a time."""


@dataclass(frozen=True)
class Partition:
    """Rows grouped by the joint value of some columns.

    Parameters
    ----------
    ids : ndarray of shape (n_rows,)
        Group of each row, as int32. The group -1 holds the rows with a missing value in one of the
        columns.
    size : int
        Number of groups, without the group -1.
    keys : tuple of ndarray of int64, default=()
        One sorted array per column: the ``group before * card + code`` of each group after the
        split by this column. The number of a group is the position of its key.

    Examples
    --------
    >>> rows = Partition.whole(4).refine(np.array([1, 0, 1, 2], dtype=np.uint8), 2)
    >>> rows.ids, rows.size
    (array([ 1,  0,  1, -1], dtype=int32), 2)
    """

    ids: NDArray[np.int32]
    size: int
    keys: tuple[NDArray[np.int64], ...] = ()

    @classmethod
    def whole(cls, rows: int) -> Partition:
        """Return the partition with all rows in one group.

        Parameters
        ----------
        rows : int
            Number of rows.

        Returns
        -------
        Partition
            One group, with the number 0.
        """
        return cls(np.zeros(rows, dtype=np.int32), 1)

    def refine(self, column: Codes, card: int) -> Partition:
        """Split every group by one more column, in one pass over the rows.

        Parameters
        ----------
        column : ndarray of shape (n_rows,)
            Codes of the column. The code ``card`` stands for a missing value.
        card : int
            Cardinality of the column.

        Returns
        -------
        Partition
            The groups that occur. Rows with a missing value are in the group -1.
        """
        ids, keys = kernels.split_groups(self.ids, self.size, column, card)
        return Partition(ids, len(keys), (*self.keys, keys))

    @cached_property
    def largest(self) -> int:
        """Number of rows of the largest group, without the group -1."""
        sizes = np.zeros(self.size, dtype=np.int64)
        for start in range(0, len(self.ids), BLOCK):
            ids = self.ids[start : start + BLOCK]
            sizes += np.bincount(ids[ids >= 0], minlength=self.size)
        return int(sizes.max(initial=0))

    def codes(self) -> Codes:
        """Return the groups as a column of codes.

        Returns
        -------
        ndarray of shape (n_rows,)
            Number of the group of each row; ``size``, the code of a missing value, for the group
            -1.
        """
        column = np.where(self.ids < 0, self.size, self.ids)
        return column.astype(code_type(self.size))


@dataclass(frozen=True)
class Configurations:
    """A numbering of the joint values of some columns.

    A dense numbering (``keys`` is None) numbers all joint values in mixed radix; the last column
    varies fastest. Otherwise only observed joint values have numbers, in the same order.

    Parameters
    ----------
    cards : tuple of int
        Cardinality of each column.
    keys : tuple of ndarray of int64 or None, default=None
        None means all joint values. Otherwise ``keys[k]`` holds the sorted keys of the observed
        joint values of the first k + 1 columns. A key is ``number * cards[k] + code``, with the
        number of the joint value of the first k columns.
    """

    cards: tuple[int, ...]
    keys: tuple[NDArray[np.int64], ...] | None = None

    @property
    def size(self) -> int:
        """Number of joint values."""
        if self.keys is None:
            return math.prod(self.cards)
        return len(self.keys[-1])

    @classmethod
    def observed(cls, table: NDArray[Any], cards: tuple[int, ...]) -> Configurations:
        """Return a numbering of the distinct rows of a table of codes.

        Parameters
        ----------
        table : ndarray of shape (n_rows, n_columns)
            Codes, one column per variable.
        cards : tuple of int
            Cardinality of each column.

        Returns
        -------
        Configurations
            The joint values that occur in the table.
        """
        partition = Partition.whole(len(table))
        for column, card in zip(table.T, cards, strict=True):
            codes = np.ascontiguousarray(column).astype(code_type(card))
            partition = partition.refine(codes, card)
        return cls(cards, partition.keys)

    @cached_property
    def table(self) -> NDArray[np.int64]:
        """Codes of every configuration, an array of shape (size, n_columns)."""
        codes = np.zeros((self.size, len(self.cards)), dtype=np.int64)
        number = np.arange(self.size)
        for k in reversed(range(len(self.cards))):
            key = number if self.keys is None else self.keys[k][number]
            number, codes[:, k] = np.divmod(key, self.cards[k])
        return codes

    def locate(self, columns: Sequence[Codes], rows: int) -> NDArray[np.int32]:
        """Return the number of the configuration of every row.

        Parameters
        ----------
        columns : sequence of ndarray of shape (n_rows,)
            Codes of each column. The code ``cards[k]`` stands for a missing value.
        rows : int
            Number of rows, which is needed if there are no columns.

        Returns
        -------
        ndarray of shape (n_rows,)
            Numbers of configurations, as int32; -1 where a value is missing or the joint value was
            not observed.
        """
        ids = np.zeros(rows, dtype=np.int32)
        if self.keys is not None:
            for column, card, keys in zip(columns, self.cards, self.keys, strict=True):
                ids = kernels.lookup(ids, keys, column, card)
            return ids
        missing = np.zeros(rows, dtype=bool)
        for column, card in zip(columns, self.cards, strict=True):
            ids = ids * np.int32(card) + column.astype(np.int32)
            missing |= column == card
        return np.where(missing, np.int32(-1), ids)

    def union(self, other: Configurations) -> Configurations:
        """Return the configurations of this numbering or another one.

        Parameters
        ----------
        other : Configurations
            Configurations of the same columns.

        Returns
        -------
        Configurations
            Observed configurations of either.
        """
        return Configurations.observed(np.concatenate([self.table, other.table]), self.cards)
