"""Tables from delimited text, such as CSV files."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from bayesgrove.tables.columns import Batch, Texts, hashed
from bayesgrove.tables.delimited_text import detect_delimiter, line_of_row, read_delimited
from bayesgrove.tables.numerals import is_number, writes_decimal
from bayesgrove.tables.read_options import without_labels
from bayesgrove.tables.table import BATCH_ROWS, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bayesgrove.tables.columns import Labels
    from bayesgrove.tables.read_options import ReadOptions

_PEEK_ROWS = 1000


@dataclass(frozen=True)
class DelimitedTable(Table):
    """Delimited text: what is a number is decided by all values of a column, or by a model."""

    source: str
    names: list[str]
    notes: tuple[str, ...]
    texts: dict[str, pd.Series]
    delimiter: str
    text: str
    na_values: tuple[str, ...] = ()
    decimal_sign: str | None = None
    labels: frozenset[str] = frozenset()
    _factored: dict[str, Labels] = field(default_factory=dict, repr=False, compare=False)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(next(iter(self.texts.values())))

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.names)

    def read(self, columns: Sequence[int], keep: Sequence[str]) -> Iterator[Batch]:
        """Yield all rows, some at a time."""
        names = [self.names[j] for j in columns]
        whole = [self.texts_of(name) for name in names]
        kept = {name: self.texts[name].mask(self.texts[name] == "") for name in keep}
        frame = pd.DataFrame(kept, index=range(self.rows)) if keep else None
        size = BATCH_ROWS if keep else self.rows  # a model that learns asks for all rows at once
        for start in range(0, self.rows, size):
            rows = np.arange(start, min(start + size, self.rows))
            parts = whole if size == self.rows else [column.take(rows) for column in whole]
            here = None if frame is None else frame.iloc[rows]
            yield Batch(names, len(rows), parts, kept=here, spelled=True)

    def texts_of(self, name: str) -> Texts:
        """Return the texts of a column; what stands for a missing value is missing."""
        if name not in self._factored:
            self._factored[name] = self._factorized(name)
        column = self._factored[name]
        return Texts(column.labels, column.codes, decimals=self._decimals)

    def place(self, row: int) -> str:
        """Return the line that a row starts in."""
        return f"line {line_of_row(self.text, self.delimiter, row)}"

    def without(self, names: Sequence[str]) -> DelimitedTable:
        """Return the table without some columns."""
        return self._with(names=[name for name in self.names if name not in names])

    @cached_property
    def decimal(self) -> str:
        """The comma where the columns say so without doubt and none speaks for the point."""
        if self.decimal_sign is not None or self.delimiter == ",":
            return self.decimal_sign or "."
        return "," if self._writes(",") and not self._writes(".") else "."

    @cached_property
    def _decimals(self) -> str:
        """A numeric column of training is one here, with whatever decimal sign the file has."""
        if self.decimal_sign is not None or self.delimiter == ",":
            return self.decimal
        return ",." if self.decimal == "," else ".,"

    def _writes(self, decimal: str) -> bool:
        return any(self._column_writes(name, decimal) for name in self.texts)

    def _column_writes(self, name: str, decimal: str) -> bool:
        """Return whether a column has numbers with this decimal sign, and nothing else."""
        head = self._factorized(name, _PEEK_ROWS).labels  # settles it for nearly all columns
        if not all(is_number(text, decimal) for text in head):
            return False
        return writes_decimal(self._factorized(name).labels, decimal)

    def _factorized(self, name: str, rows: int | None = None) -> Labels:
        codes, distinct = hashed(self.texts[name][:rows], name)
        column = Texts(list(distinct), codes)
        return without_labels(column, {"", *self.na_values})


def delimited_table(
    text: str, reading: ReadOptions, source: str, notes: tuple[str, ...]
) -> DelimitedTable:
    """Return delimited text as a table."""
    delimiter = reading.delimiter or detect_delimiter(text)
    names, columns, more = read_delimited(text, delimiter, source)
    return DelimitedTable(
        source,
        names,
        (*notes, *more),
        {name: columns.iloc[:, place] for place, name in enumerate(names)},
        delimiter,
        text,
        reading.na_values,
        reading.decimal,
    )
