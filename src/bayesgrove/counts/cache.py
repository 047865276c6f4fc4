"""A size-bounded LRU cache."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable

T = TypeVar("T")


class LRUCache(Generic[T]):
    """A size-bounded LRU cache: the values used least recently are removed first.

    Parameters
    ----------
    limit : int
        Maximum size of all values together, in bytes. The last value stays in the cache even if it
        alone exceeds the limit.

    Examples
    --------
    >>> cache = LRUCache(2)
    >>> for key in "abc":
    ...     _ = cache.keep(key, key.upper(), 1)
    >>> cache.get("a"), cache.get("c")
    (None, 'C')
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._entries: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._size = 0

    def get(self, key: Hashable) -> T | None:
        """Return a cached value, which then counts as used most recently.

        Parameters
        ----------
        key : hashable
            Key of the value.

        Returns
        -------
        object or None
            The value. None means that it is not in the cache.
        """
        if key not in self._entries:
            return None
        self._entries.move_to_end(key)
        return self._entries[key][0]

    def keep(self, key: Hashable, value: T, size: int) -> T:
        """Add a value, and remove the least recently used values while the limit is exceeded.

        Parameters
        ----------
        key : hashable
            Key of the value. A value with the same key is replaced.
        value : object
            The value.
        size : int
            Size of the value in bytes.

        Returns
        -------
        object
            The value.
        """
        if key in self._entries:
            self._size -= self._entries.pop(key)[1]
        self._entries[key] = value, size
        self._size += size
        while self._size > self._limit and len(self._entries) > 1:
            _, (_, removed_size) = self._entries.popitem(last=False)
            self._size -= removed_size
        return value
