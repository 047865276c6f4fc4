"""Tables from ARFF files, the format of WEKA. The file declares the type of each column."""

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
    """A table from an ARFF file, whose columns have declared types.

    Parameters
    ----------
    source : str
        The name of the table in messages.
    names : list of str
        The names of the columns.
    notes : tuple of str
        Notes for the user about how the file was read.
    frame : pandas.DataFrame
        All rows.
    lines : list of int
        The line number of each row in the file.
    na_values : tuple of str, default=()
        Texts that stand for missing values.
    labels : frozenset of str, default=frozenset()
        Names of the columns whose values are always read as labels.
    """

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
        """Yield all rows in batches."""
        names = [self.names[j] for j in columns]
        whole = frame_batch(self.frame[names])
        typed = [without_missing(column, self.na_values) for column in whole.columns]
        size = BATCH_ROWS if keep else self.rows
        for start in range(0, self.rows, size):
            rows = np.arange(start, min(start + size, self.rows))
            kept = self.frame[list(keep)].iloc[rows] if keep else None
            part = [column.take(rows) for column in typed]
            yield Batch(names, len(rows), part, kept=kept, spelled=True)

    def place(self, row: int) -> str:
        """Return the line of the file that holds a row, for messages."""
        return f"line {self.lines[row]}"

    def without(self, names: Sequence[str]) -> ArffTable:
        """Return the table without the named columns."""
        return self._with(names=[name for name in self.names if name not in names])


def arff_table(text: str, reading: ReadOptions, source: str, notes: tuple[str, ...]) -> ArffTable:
    """Return a table from the text of an ARFF file."""
    try:
        frame, lines = read_arff(io.StringIO(text))
    except ArffError as error:
        raise TableError(source, str(error)) from None
    if not lines:
        raise TableError(source, "there is a header but no row below it.")
    return ArffTable(source, list(frame.columns), notes, frame, lines, reading.na_values)
