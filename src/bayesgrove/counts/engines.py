"""Engines: places where encoded rows are, and how they are counted there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bayesgrove.encoding import CodeStore, Encoded
    from bayesgrove.kernels import Codes

    Change = Callable[[Encoded, int], Encoded]
    Columns = Sequence[int] | None

T = TypeVar("T")


class Engine(Protocol):
    """Rows somewhere. All that an engine has to do is count parts and merge the counts.

    Variables have numbers: the attributes from 0, then the class, then the columns that stay
    numbers. A count function is a small object that can be pickled, so that an engine may send it
    to where the rows are.
    """

    rows: int

    @property
    def in_memory(self) -> Encoded | None:
        """All rows, where they are in memory; else None."""

    def column(self, variable: int) -> Codes | None:
        """All codes of a variable, where an engine can have a whole column at once; else None."""

    def map_reduce(
        self, count: Callable[[Encoded], T], merge: Callable[[T, T], T], columns: Columns = None
    ) -> T:
        """Merge ``count(part)`` over all parts; parts need to have ``columns`` only (None: all)."""

    def mapped(self, change: Change, rows: int) -> Engine:
        """Return an engine over ``change(part, first_row)``; ``rows`` is how many rows remain."""


class MemoryEngine:
    """All rows in memory: one part."""

    def __init__(self, encoded: Encoded) -> None:
        self.rows = encoded.rows
        self.in_memory = encoded

    def column(self, variable: int) -> Codes:
        """Return the codes of a variable."""
        return self.in_memory.column(variable)

    def map_reduce(
        self,
        count: Callable[[Encoded], T],
        merge: Callable[[T, T], T],  # noqa: ARG002
        columns: Columns = None,  # noqa: ARG002
    ) -> T:
        """Count the only part."""
        return count(self.in_memory)

    def mapped(self, change: Change, rows: int) -> MemoryEngine:  # noqa: ARG002
        """Return the rows after a change, made now."""
        return MemoryEngine(change(self.in_memory, 0))


class StreamEngine:
    """Parts that are read anew for every count; only one is in memory at a time.

    Parameters
    ----------
    parts : function of the columns that a count needs (None: all), which returns the parts
    rows : how many rows they have together
    """

    in_memory = None

    def __init__(self, parts: Callable[[Columns], Iterable[Encoded]], rows: int) -> None:
        self.rows = rows
        self._parts = parts

    def column(self, variable: int) -> Codes | None:  # noqa: ARG002
        """Return None: rows come part by part."""
        return None

    def map_reduce(
        self, count: Callable[[Encoded], T], merge: Callable[[T, T], T], columns: Columns = None
    ) -> T:
        """Count part after part, merging as they come."""
        parts = iter(self._parts(columns))
        result = count(next(parts))
        for part in parts:
            result = merge(result, count(part))
        return result

    def mapped(self, change: Change, rows: int) -> StreamEngine:
        """Return the parts after a change, which is made whenever they are read."""

        def parts(columns: Columns) -> Iterator[Encoded]:
            first_row = 0
            for part in self._parts(columns):
                yield change(part, first_row)
                first_row += part.rows

        return StreamEngine(parts, rows)


class StoreEngine(StreamEngine):
    """Codes in a file: parts for counts of many columns, or one whole column at a time."""

    def __init__(self, store: CodeStore) -> None:
        super().__init__(store.parts, store.rows)
        self._store = store

    def column(self, variable: int) -> Codes:
        """Read the codes of a variable."""
        return self._store.column(variable)
