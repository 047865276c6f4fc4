"""Engines: where encoded rows are stored, and how they are counted there."""

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
    """Interface of an engine, which holds encoded rows and counts them.

    An engine needs only to count parts of the rows and to merge the counts. Variables have numbers:
    first the attributes from 0, then the class, then the continuous columns. A count function is a
    small object that can be pickled, so that an engine may send it to where the rows are.

    Attributes
    ----------
    rows : int
        Number of rows.
    """

    rows: int

    @property
    def in_memory(self) -> Encoded | None:
        """All rows, as `Encoded`, if they are in memory, else None."""

    def column(self, variable: int) -> Codes | None:
        """Return all codes of a variable, if the engine can load a whole column at once.

        Parameters
        ----------
        variable : int
            Number of an attribute or of the class.

        Returns
        -------
        ndarray of shape (n_rows,) or None
            The codes. None means that the engine cannot load whole columns.
        """

    def map_reduce(
        self, count: Callable[[Encoded], T], merge: Callable[[T, T], T], columns: Columns = None
    ) -> T:
        """Count all parts of the rows and merge their counts.

        Parameters
        ----------
        count : callable
            Function of a part of the rows (`Encoded`) that returns its counts.
        merge : callable
            Function of the counts of two parts that returns the counts of both together.
        columns : sequence of int or None, default=None
            Numbers of the variables that ``count`` needs. None means all.

        Returns
        -------
        object
            The merged counts of all parts.
        """

    def mapped(self, change: Change, rows: int) -> Engine:
        """Return an engine over ``change(part, first_row)``.

        Parameters
        ----------
        change : callable
            Function of a part (`Encoded`) and the number of its first row that returns the changed
            part.
        rows : int
            Number of rows that remain after the change.

        Returns
        -------
        Engine
            An engine over the changed rows.
        """


class MemoryEngine:
    """An engine with all rows in memory, as one part.

    Parameters
    ----------
    encoded : Encoded
        All rows.
    """

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
        """Return an engine over the changed rows; the change is made at once."""
        return MemoryEngine(change(self.in_memory, 0))


class StreamEngine:
    """An engine that reads the rows again, part by part, for every count.

    Only one part is in memory at a time.

    Parameters
    ----------
    parts : callable
        Function of the numbers of the variables that a count needs (None means all). It returns an
        iterable of parts (`Encoded`).
    rows : int
        Number of rows of all parts together.
    """

    in_memory = None

    def __init__(self, parts: Callable[[Columns], Iterable[Encoded]], rows: int) -> None:
        self.rows = rows
        self._parts = parts

    def column(self, variable: int) -> Codes | None:  # noqa: ARG002
        """Return None, since rows are read part by part."""
        return None

    def map_reduce(
        self, count: Callable[[Encoded], T], merge: Callable[[T, T], T], columns: Columns = None
    ) -> T:
        """Count part after part, and merge the counts of each part at once."""
        parts = iter(self._parts(columns))
        result = count(next(parts))
        for part in parts:
            result = merge(result, count(part))
        return result

    def mapped(self, change: Change, rows: int) -> StreamEngine:
        """Return an engine over the changed parts; the change is made at every reading."""

        def parts(columns: Columns) -> Iterator[Encoded]:
            first_row = 0
            for part in self._parts(columns):
                yield change(part, first_row)
                first_row += part.rows

        return StreamEngine(parts, rows)


class StoreEngine(StreamEngine):
    """An engine over codes in a file, which are read in parts or as whole columns.

    Parameters
    ----------
    store : CodeStore
        The file of codes.
    """

    def __init__(self, store: CodeStore) -> None:
        super().__init__(store.parts, store.rows)
        self._store = store

    def column(self, variable: int) -> Codes:
        """Return the codes of a variable, read from the file."""
        return self._store.column(variable)
