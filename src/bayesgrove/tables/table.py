"""The one door for rows: whatever people call a table has names, rows and batches of columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, ClassVar, Self

from bayesgrove.tables.columns import Column, Texts, as_labels, concatenate, to_series
from bayesgrove.tables.errors import TableError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pandas as pd

    from bayesgrove.tables.columns import Batch

BATCH_ROWS = 1 << 17
"""Rows that are read at a time."""
_LISTED = 10


class Table(ABC):
    """A table wherever it is.

    A subclass owes the attributes below, ``rows``, and `read`. It must be possible to read it
    again; a source that can be read only once keeps what it has read.

    Attributes
    ----------
    source : what messages call it
    names : names of the columns; None where there are none
    notes : what its user ought to know about how it was read
    in_memory : whether reading it again costs nothing
    labels : names of the columns whose values are labels, whatever they look like
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
        """Yield all rows, some at a time, with some columns; those to keep as they are."""

    def place(self, row: int) -> str:
        """Return where a row is found."""
        return f"row {row + 1}"

    def batches(self, columns: Sequence[int], keep: Sequence[str] = ()) -> Iterator[Batch]:
        """Yield all rows, some at a time, with some columns by their numbers.

        ``keep`` names columns that come along as they are, as a data frame.
        """
        for batch in self.read(columns, keep):
            yield self._labelled(batch)

    def _labelled(self, batch: Batch) -> Batch:
        if not self.labels:
            return batch
        columns: list[Column] = [
            as_labels(column) if batch.name(j) in self.labels else column
            for j, column in enumerate(batch.columns)
        ]
        return replace(batch, columns=columns, matrix=None)

    def number(self, name: str) -> int:
        """Return the number of a column; a name that no column has is refused."""
        names = self.column_names
        if name in names:
            return names.index(name)
        closest = get_close_matches(name, names, 1, 0.7)
        hint = f"did you mean {closest[0]!r}? " if closest else ""
        more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
        listed = ", ".join(map(repr, names[:_LISTED])) + more
        raise TableError(self.source, f"there is no column {name!r}; {hint}columns: {listed}.")

    @property
    def column_names(self) -> list[str]:
        """Names of the columns; ``x0``, ``x1``, ... where there are none."""
        return [f"x{j}" for j in range(self.width)] if self.names is None else self.names

    def column(self, name: str) -> pd.Series:
        """Return a whole column as pandas has it: numbers, or labels as categories."""
        parts = [batch.columns[0] for batch in self.batches([self.number(name)])]
        return to_series(concatenate([typed(part) for part in parts]))

    def with_labels(self, names: Sequence[str]) -> Self:
        """Return the table in which the values of some columns are labels."""
        for name in names:
            self.number(name)
        return self._with(labels=self.labels | frozenset(names))

    def with_notes_told(self) -> Self:
        """Return the table without notes, for whoever has passed them on."""
        return self._with(notes=())

    @abstractmethod
    def without(self, names: Sequence[str]) -> Self:
        """Return the table without some columns."""

    def _with(self, **changes: Any) -> Self:
        return replace(self, **changes)  # type: ignore[type-var]


def typed(column: Column) -> Column:
    """Return texts as the numbers or labels that they are; other columns as they are."""
    return column.typed() if isinstance(column, Texts) else column


@dataclass(frozen=True)
class MemoryTable(Table):
    """Rows in memory: a data frame or an array."""

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
        """Return the number of a row, counted from 0 as arrays do."""
        return f"row {row}"

    def read(self, columns: Sequence[int], keep: Sequence[str]) -> Iterator[Batch]:  # noqa: ARG002
        """Yield all rows at once; nothing is kept beside them, since the user has the rows."""
        yield self.batch.select(columns)

    def without(self, names: Sequence[str]) -> MemoryTable:
        """Return the table without some columns."""
        places = [j for j, name in enumerate(self.column_names) if name not in names]
        return replace(MemoryTable.of(self.batch.select(places), self.source), labels=self.labels)
