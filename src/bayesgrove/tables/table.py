"""The contract of all tables: names, a number of rows, and batches of columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, ClassVar, Self

from bayesgrove._utils.wording import listed
from bayesgrove.tables.columns import Column, Texts, as_labels, concatenate, to_series
from bayesgrove.tables.errors import TableError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pandas as pd

    from bayesgrove.tables.columns import Batch

BATCH_ROWS = 1 << 17
"""Number of rows in one batch."""


class Table(ABC):
    """A table in memory, in a file or in a stream.

    A subclass must define the attributes below, the properties `rows` and `width`, and the methods
    `read` and `without`. A table can be read several times: if its source can be read only once,
    the table keeps the rows.

    Attributes
    ----------
    source : str
        The name of the table in messages, such as its path.
    names : list of str or None
        The names of the columns, or None if the input has no names.
    notes : tuple of str
        Notes for the user about how the table was read.
    in_memory : bool
        Whether all rows are in memory. Then training reads them as one batch; otherwise it reads
        the table in passes, batch by batch.
    labels : frozenset of str
        Names of the columns whose values are always read as labels, even if they are numbers.
    """

    source: str
    names: list[str] | None
    notes: tuple[str, ...]
    in_memory: ClassVar[bool] = True
    labels: frozenset[str]

    @property
    @abstractmethod
    def rows(self) -> int:
        """Number of rows."""

    @property
    @abstractmethod
    def width(self) -> int:
        """Number of columns."""

    @abstractmethod
    def read(self, columns: Sequence[int], keep: Sequence[str]) -> Iterator[Batch]:
        """Yield all rows in batches, before the columns in `labels` become labels.

        Parameters
        ----------
        columns : sequence of int
            The indices of the columns to read.
        keep : sequence of str
            The names of columns that come along unchanged in ``Batch.kept``.

        Yields
        ------
        Batch
            Some of the rows, in the order of the table.
        """

    def place(self, row: int) -> str:
        """Return the place of a row for messages, such as "row 3" or "line 4".

        Parameters
        ----------
        row : int
            The index of the row, from 0.

        Returns
        -------
        str
            The place.
        """
        return f"row {row + 1}"

    def batches(self, columns: Sequence[int], keep: Sequence[str] = ()) -> Iterator[Batch]:
        """Yield all rows in batches.

        Parameters
        ----------
        columns : sequence of int
            The indices of the columns to read.
        keep : sequence of str, default=()
            The names of columns that come along unchanged, as the data frame ``Batch.kept``.

        Yields
        ------
        Batch
            Some of the rows, in the order of the table.
        """
        for batch in self.read(columns, keep):
            yield self._labelled(batch)

    def _labelled(self, batch: Batch) -> Batch:
        """Return a batch in which the columns in `labels` are labels."""
        if not self.labels:
            return batch
        columns: list[Column] = [
            as_labels(column) if batch.name(j) in self.labels else column
            for j, column in enumerate(batch.columns)
        ]
        return replace(batch, columns=columns, matrix=None)

    def number(self, name: str) -> int:
        """Return the index of a column.

        Parameters
        ----------
        name : str
            The name of the column.

        Returns
        -------
        int
            The index.

        Raises
        ------
        TableError
            If there is no column of that name. The error suggests the most similar name.
        """
        names = self.column_names
        if name in names:
            return names.index(name)
        closest = get_close_matches(name, names, 1, 0.7)
        hint = f"did you mean {closest[0]!r}? The" if closest else "the"
        raise TableError(
            self.source,
            f"there is no column {name!r}; {hint} columns are {listed(map(repr, names))}.",
        )

    @property
    def column_names(self) -> list[str]:
        """Names of the columns; ``x0``, ``x1``, ... if the input has no names."""
        return [f"x{j}" for j in range(self.width)] if self.names is None else self.names

    def column(self, name: str) -> pd.Series:
        """Return all rows of a column as a pandas series.

        Parameters
        ----------
        name : str
            The name of the column.

        Returns
        -------
        pandas.Series
            Numbers, or labels as categories.
        """
        parts = [batch.columns[0] for batch in self.batches([self.number(name)])]
        return to_series(concatenate([typed(part) for part in parts]))

    def with_labels(self, names: Sequence[str]) -> Self:
        """Return the table with the values of some columns read as labels.

        Parameters
        ----------
        names : sequence of str
            The names of the columns.

        Returns
        -------
        Table
            A table over the same rows.
        """
        for name in names:
            self.number(name)
        return self._with(labels=self.labels | frozenset(names))

    def without_notes(self) -> Self:
        """Return the table without its notes, after the user has been told about them.

        Returns
        -------
        Table
            A table over the same rows.
        """
        return self._with(notes=())

    @abstractmethod
    def without(self, names: Sequence[str]) -> Self:
        """Return the table without some columns.

        Parameters
        ----------
        names : sequence of str
            The names of the columns to leave out.

        Returns
        -------
        Table
            A table over the same rows.
        """

    def _with(self, **changes: Any) -> Self:
        """Return a copy of the table with some attributes changed."""
        return replace(self, **changes)  # type: ignore[type-var]


def typed(column: Column) -> Column:
    """Return texts as numbers or labels; return other columns unchanged."""
    return column.typed() if isinstance(column, Texts) else column


@dataclass(frozen=True)
class MemoryTable(Table):
    """A table of rows in memory: a data frame or an array.

    Parameters
    ----------
    source : str
        The name of the table in messages.
    names : list of str or None
        The names of the columns, or None if the input has no names.
    batch : Batch
        All rows.
    notes : tuple of str, default=()
        Notes for the user about how the table was read.
    labels : frozenset of str, default=frozenset()
        Names of the columns whose values are always read as labels.
    """

    source: str
    names: list[str] | None
    batch: Batch
    notes: tuple[str, ...] = ()
    labels: frozenset[str] = frozenset()

    @classmethod
    def of(cls, batch: Batch, source: str = "X") -> MemoryTable:
        """Return a batch as a table."""
        return cls(source, batch.names, batch)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.batch.rows

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.batch.columns)

    def place(self, row: int) -> str:
        """Return the index of a row for messages, counted from 0 as in arrays."""
        return f"row {row}"

    def read(self, columns: Sequence[int], keep: Sequence[str]) -> Iterator[Batch]:  # noqa: ARG002
        """Yield all rows as one batch; `keep` is ignored, because the user has the rows."""
        yield self.batch.select(columns)

    def without(self, names: Sequence[str]) -> MemoryTable:
        """Return the table without the named columns."""
        places = [j for j, name in enumerate(self.column_names) if name not in names]
        return replace(MemoryTable.of(self.batch.select(places), self.source), labels=self.labels)
