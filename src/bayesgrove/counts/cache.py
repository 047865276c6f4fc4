"""What was worked out before, up to a bound."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable

T = TypeVar("T")


class LRUCache(Generic[T]):
    """The values that were used last, ``limit`` bytes of them together, and always one.

    >>> memo = LRUCache(2)
    >>> for key in "abc":
    ...     _ = memo.keep(key, key.upper(), 1)
    >>> memo.get("a"), memo.get("c")
    (None, 'C')
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._size = 0

    def get(self, key: Hashable) -> T | None:
        """A value that is still there; it counts as just used."""
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key][0]

    def keep(self, key: Hashable, value: T, size: int) -> T:
        """Remember a value of so many bytes; those not used for longest make room."""
        if key in self._kept:
            self._size -= self._kept.pop(key)[1]
        self._kept[key] = value, size
        self._size += size
        while self._size > self._limit and len(self._kept) > 1:
            _, (_, old) = self._kept.popitem(last=False)
            self._size -= old
        return value
