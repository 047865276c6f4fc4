"""Engines: rows in memory, and rows that come batch by batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bayesgrove.encoding import Encoded

T = TypeVar("T")


class MemoryEngine:
    """All rows in memory: one part."""

    def __init__(self, encoded: Encoded) -> None:
        self.rows = encoded.rows
        self.whole = encoded

    def map_reduce(self, count: Callable[[Encoded], T], merge: Callable[[T, T], T]) -> T:  # noqa: ARG002
        """Count the only part."""
        return count(self.whole)

    def changed(self, change: Callable[[Encoded, int], Encoded], rows: int) -> MemoryEngine:  # noqa: ARG002
        """The rows after a change."""
        return MemoryEngine(change(self.whole, 0))


class StreamEngine:
    """Parts that are read anew for every count; only one is in memory at a time.

    Parameters
    ----------
    batches : returns the parts, encoded by one schema
    rows : how many rows they have together
    """

    whole = None

    def __init__(self, batches: Callable[[], Iterable[Encoded]], rows: int) -> None:
        self.rows = rows
        self._batches = batches

    def map_reduce(self, count: Callable[[Encoded], T], merge: Callable[[T, T], T]) -> T:
        """Count part after part, merging as they come."""
        parts = iter(self._batches())
        result = count(next(parts))
        for part in parts:
            result = merge(result, count(part))
        return result

    def changed(self, change: Callable[[Encoded, int], Encoded], rows: int) -> StreamEngine:
        """The parts after a change, made anew whenever they are read."""

        def batches() -> Iterator[Encoded]:
            start = 0
            for part in self._batches():
                yield change(part, start)
                start += part.rows

        return StreamEngine(batches, rows)
