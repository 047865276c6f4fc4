"""Tables from ARFF files, the format of WEKA: columns have the types that the file declares."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.datasets import ArffError, read_arff
from bayesgrove.tables.columns import Batch
from bayesgrove.tables.errors import TableError
from bayesgrove.tables.frames import frame_batch
from bayesgrove.tables.read_options import without_missing
from bayesgrove.tables.table import BATCH_ROWS, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pandas as pd

    from bayesgrove.tables.read_options import ReadOptions


@dataclass(frozen=True)
class ArffTable(Table):
    """A table whose columns have declared types."""

    source: str
    names: list[str]
    notes: tuple[str, ...]
    frame: pd.DataFrame
    lines: list[int]
    na_values: tuple[str, ...] = ()
    labels: frozenset[str] = frozenset()

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.frame)

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.names)

    def read(self, columns: Sequence[int], keep: Sequence[str]) -> Iterator[Batch]:
        """Yield all rows, some at a time."""
        names = [self.names[j] for j in columns]
        whole = frame_batch(self.frame[names])
        typed = [without_missing(column, self.na_values) for column in whole.columns]
        size = BATCH_ROWS if keep else self.rows
        for start in range(0, self.rows, size):
            rows = np.arange(start, min(start + size, self.rows))
            kept = self.frame[list(keep)].iloc[rows] if keep else None
            columns_here = [column.take(rows) for column in typed]
            yield Batch(names, len(rows), columns_here, kept=kept, spelled=True)

    def place(self, row: int) -> str:
        """Return the line of a row."""
        return f"line {self.lines[row]}"

    def without(self, names: Sequence[str]) -> ArffTable:
        """Return the table without some columns."""
        return self._with(names=[name for name in self.names if name not in names])


def arff_table(text: str, reading: ReadOptions, source: str, notes: tuple[str, ...]) -> ArffTable:
    """Return the text of an ARFF file as a table."""
    try:
        frame, lines = read_arff(io.StringIO(text))
    except ArffError as error:
        raise TableError(source, str(error)) from None
    if not lines:
        raise TableError(source, "there is a header but no row below it.")
    return ArffTable(source, list(frame.columns), notes, frame, lines, reading.na_values)
