"""Joint values of some columns: all of them, or only those that occur."""

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


@dataclass(frozen=True)
class Partition:
    """Rows grouped by the joint value of some columns; group -1 has a missing value.

    >>> rows = Partition.whole(4).refine(np.array([1, 0, 1, 2], dtype=np.uint8), 2)
    >>> rows.ids, rows.size
    (array([ 1,  0,  1, -1], dtype=int32), 2)
    """

    ids: NDArray[np.int32]
    size: int
    keys: tuple[NDArray[np.int64], ...] = ()

    @classmethod
    def whole(cls, rows: int) -> Partition:
        """All rows in one group."""
        return cls(np.zeros(rows, dtype=np.int32), 1)

    def refine(self, column: Codes, card: int) -> Partition:
        """Split every group by one more column, in one pass over the rows."""
        ids, keys = kernels.split_groups(self.ids, self.size, column, card)
        return Partition(ids, len(keys), (*self.keys, keys))

    @cached_property
    def largest(self) -> int:
        """Number of rows of the largest group."""
        sizes = np.zeros(self.size, dtype=np.int64)
        for start in range(0, len(self.ids), BLOCK):
            ids = self.ids[start : start + BLOCK]
            sizes += np.bincount(ids[ids >= 0], minlength=self.size)
        return int(sizes.max(initial=0))

    def codes(self) -> Codes:
        """The groups as a column of codes."""
        column = np.where(self.ids < 0, self.size, self.ids)
        return column.astype(code_type(self.size))


@dataclass(frozen=True)
class Configurations:
    """Numbers the joint values of some columns.

    Dense (``keys`` is None): all of them, in mixed radix, the last column fastest. Otherwise only
    those that were observed, in the same order: ``keys[k]`` holds, sorted, the
    ``number so far * cards[k] + code`` of the first k + 1 columns.
    """

    cards: tuple[int, ...]
    keys: tuple[NDArray[np.int64], ...] | None = None

    @property
    def size(self) -> int:
        """How many there are."""
        if self.keys is None:
            return math.prod(self.cards)
        return len(self.keys[-1])

    @classmethod
    def observed(cls, table: NDArray[Any], cards: tuple[int, ...]) -> Configurations:
        """The distinct rows of a table of codes, one column a variable."""
        partition = Partition.whole(len(table))
        for column, card in zip(table.T, cards, strict=True):
            codes = np.ascontiguousarray(column).astype(code_type(card))
            partition = partition.refine(codes, card)
        return cls(cards, partition.keys)

    @cached_property
    def table(self) -> NDArray[np.int64]:
        """Codes of every configuration, one row each."""
        codes = np.zeros((self.size, len(self.cards)), dtype=np.int64)
        number = np.arange(self.size)
        for k in reversed(range(len(self.cards))):
            key = number if self.keys is None else self.keys[k][number]
            number, codes[:, k] = np.divmod(key, self.cards[k])
        return codes

    def locate(self, columns: Sequence[Codes], rows: int) -> NDArray[np.int32]:
        """Number of every row's configuration; -1 where it is missing or was not observed."""
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
        """Every configuration of either."""
        return Configurations.observed(np.concatenate([self.table, other.table]), self.cards)
