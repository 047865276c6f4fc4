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
    """A table from delimited text.

    In training, all values of a column decide whether it is numeric. In prediction, the model
    decides.

    Parameters
    ----------
    source : str
        The name of the table in messages.
    names : list of str
        The names of the columns that are read.
    notes : tuple of str
        Notes for the user about how the file was read.
    texts : dict of str to pandas.Series
        The cells of every column as text.
    delimiter : str
        The character between fields.
    text : str
        The whole text, from which the line of a row is counted.
    na_values : tuple of str, default=()
        Texts that stand for missing values, in addition to the empty field.
    decimal_sign : {".", ","} or None, default=None
        The decimal sign that the user set. None means that it is detected.
    labels : frozenset of str, default=frozenset()
        Names of the columns whose values are always read as labels.
    """

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
        """Yield all rows, in batches if there are columns to keep, otherwise at once."""
        names = [self.names[j] for j in columns]
        whole = [self.texts_of(name) for name in names]
        kept = {name: self.texts[name].mask(self.texts[name] == "") for name in keep}
        frame = pd.DataFrame(kept, index=range(self.rows)) if keep else None
        # Training keeps no columns and needs all rows at once.
        size = BATCH_ROWS if keep else self.rows
        for start in range(0, self.rows, size):
            rows = np.arange(start, min(start + size, self.rows))
            parts = whole if size == self.rows else [column.take(rows) for column in whole]
            kept_rows = None if frame is None else frame.iloc[rows]
            yield Batch(names, len(rows), parts, kept=kept_rows, spelled=True)

    def texts_of(self, name: str) -> Texts:
        """Return the texts of a column; empty fields and ``na_values`` are missing values."""
        if name not in self._factored:
            self._factored[name] = self._factorized(name)
        column = self._factored[name]
        return Texts(column.labels, column.codes, decimals=self._decimals)

    def place(self, row: int) -> str:
        """Return the line of the file where a row starts, for messages."""
        return f"line {line_of_row(self.text, self.delimiter, row)}"

    def without(self, names: Sequence[str]) -> DelimitedTable:
        """Return the table without the named columns."""
        return self._with(names=[name for name in self.names if name not in names])

    @cached_property
    def decimal(self) -> str:
        """Decimal sign of the numbers.

        Unless the user set it, it is a comma only if some column surely has decimal commas and no
        column surely has decimal points.
        """
        if self.decimal_sign is not None or self.delimiter == ",":
            return self.decimal_sign or "."
        return "," if self._writes(",") and not self._writes(".") else "."

    @cached_property
    def _decimals(self) -> str:
        """Decimal signs to try in prediction, the more likely one first.

        A column that was numeric in training is read as numeric with either sign.
        """
        if self.decimal_sign is not None or self.delimiter == ",":
            return self.decimal
        return ",." if self.decimal == "," else ".,"

    def _writes(self, decimal: str) -> bool:
        """Return whether some column surely has numbers with this decimal sign."""
        return any(self._column_writes(name, decimal) for name in self.texts)

    def _column_writes(self, name: str, decimal: str) -> bool:
        """Return whether a column has only numbers, and one surely has this decimal sign."""
        # The first rows are enough to rule out nearly all columns.
        head = self._factorized(name, _PEEK_ROWS).labels
        if not all(is_number(text, decimal) for text in head):
            return False
        return writes_decimal(self._factorized(name).labels, decimal)

    def _factorized(self, name: str, rows: int | None = None) -> Labels:
        """Return the distinct texts and codes of the first rows of a column; None means all."""
        codes, distinct = hashed(self.texts[name][:rows], name)
        column = Texts(list(distinct), codes)
        return without_labels(column, {"", *self.na_values})


def delimited_table(
    text: str, reading: ReadOptions, source: str, notes: tuple[str, ...]
) -> DelimitedTable:
    """Return a table from delimited text."""
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
