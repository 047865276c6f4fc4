"""Tables as the commands see them: named columns, and rows as a model wants them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import pandas as pd

from bayesgrove.tables.conform import NotNumericError, conform, conform_series
from bayesgrove.tables.delimited import line_of_row
from bayesgrove.tables.errors import TableError
from bayesgrove.tables.factored import Factored, factor
from bayesgrove.tables.numerals import is_code, is_number, to_float, to_numbers, writes_decimal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bayesgrove.encoding import Coding

BATCH_ROWS = 1 << 16
_PEEK_ROWS = 1000


class Batch(NamedTuple):
    """Rows as a model wants them, and columns that are passed on as they are."""

    X: pd.DataFrame
    kept: pd.DataFrame


class Table(ABC):
    """A table that was read: ``source`` is its name, ``notes`` is what its user ought to know."""

    source: str
    names: list[str]
    notes: tuple[str, ...]

    @property
    @abstractmethod
    def rows(self) -> int:
        """Number of rows."""

    @abstractmethod
    def column(self, name: str) -> pd.Series:
        """A column as a learner sees it: numbers, or labels; missing values are none of these."""

    @abstractmethod
    def batches(self, codings: Sequence[Coding], keep: Sequence[str]) -> Iterator[Batch]:
        """All rows, some at a time, with the columns of a schema in its order and types."""

    @abstractmethod
    def place(self, row: int) -> str:
        """Where a row is found in the file."""

    def without(self, names: Sequence[str]) -> Self:
        """The table without some columns."""
        return self._with(names=[name for name in self.names if name not in names])

    def frame(self, names: Sequence[str]) -> pd.DataFrame:
        """Some columns as a learner sees them."""
        return pd.DataFrame({name: self.column(name) for name in names})

    def _with(self, **changes: Any) -> Self:
        return replace(self, **changes)  # type: ignore[type-var]

    def _error(self, error: NotNumericError) -> TableError:
        return TableError(self.source, str(error), self.place(error.row))


@dataclass(frozen=True)
class TextTable(Table):
    """Delimited text: what is a number is decided by all values of a column, or by a model."""

    source: str
    names: list[str]
    notes: tuple[str, ...]
    texts: dict[str, pd.Series]
    delimiter: str
    text: str
    missing: tuple[str, ...] = ()
    decimal_sign: str | None = None

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(next(iter(self.texts.values())))

    def column(self, name: str) -> pd.Series:
        """Numbers where all values are plain numbers, and none of them a code; else text labels."""
        found = self._factored(name)
        numbers = to_numbers(found.values, self.decimal)
        if not numbers or any(map(is_code, found.values)):
            return found.categories()
        return found.spread_numbers(numbers)

    def batches(self, codings: Sequence[Coding], keep: Sequence[str]) -> Iterator[Batch]:
        """All rows, some at a time; what is wrong anywhere is found before the first."""
        try:
            columns = {c.name: conform(self._factored(c.name), c, self._decimals) for c in codings}
        except NotNumericError as error:
            raise self._error(error) from None
        kept = {name: self.texts[name].mask(self.texts[name] == "") for name in keep}
        yield from _slices(pd.DataFrame(columns), pd.DataFrame(kept, index=range(self.rows)))

    def place(self, row: int) -> str:
        """The line that a row starts in."""
        return f"line {line_of_row(self.text, self.delimiter, row)}"

    @cached_property
    def decimal(self) -> str:
        """The comma where the columns say so without doubt and none speaks for the point."""
        if self.decimal_sign is not None or self.delimiter == ",":
            return self.decimal_sign or "."
        return "," if self._writes(",") and not self._writes(".") else "."

    @property
    def _decimals(self) -> Sequence[str]:
        """A numeric column of training is one here, with whatever decimal sign the file has."""
        if self.decimal_sign is not None or self.delimiter == ",":
            return self.decimal
        return ",." if self.decimal == "," else ".,"

    def _writes(self, decimal: str) -> bool:
        return any(self._column_writes(name, decimal) for name in self.names)

    def _column_writes(self, name: str, decimal: str) -> bool:
        """Whether a column has numbers with this decimal sign, and nothing else."""
        head = self._factored(name, _PEEK_ROWS).values  # settles it for nearly all columns
        if not all(is_number(text, decimal) for text in head):
            return False
        return writes_decimal(self._factored(name).values, decimal)

    def _factored(self, name: str, rows: int | None = None) -> Factored:
        return factor(self.texts[name][:rows]).without({"", *self.missing})


@dataclass(frozen=True)
class FrameTable(Table):
    """A table whose columns have types already, such as one from an ARFF file."""

    source: str
    names: list[str]
    notes: tuple[str, ...]
    typed: pd.DataFrame
    lines: list[int]
    missing: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.typed)

    def column(self, name: str) -> pd.Series:
        """A column with its declared type."""
        return without_missing(self.typed[name], self.missing)

    def batches(self, codings: Sequence[Coding], keep: Sequence[str]) -> Iterator[Batch]:
        """All rows, some at a time."""
        try:
            columns = {c.name: conform_series(self.column(c.name), c) for c in codings}
        except NotNumericError as error:
            raise self._error(error) from None
        yield from _slices(pd.DataFrame(columns), self.typed[list(keep)])

    def place(self, row: int) -> str:
        """The line of a row."""
        return f"line {self.lines[row]}"


def without_missing(column: pd.Series, missing: Sequence[str]) -> pd.Series:
    """A typed column in which some values, given as text, count as missing."""
    if not missing:
        return column
    if not pd.api.types.is_numeric_dtype(column.dtype):
        return column.mask(column.isin(missing))
    return column.mask(column.isin([to_float(text) for text in missing if is_number(text)]))


def _slices(X: pd.DataFrame, kept: pd.DataFrame) -> Iterator[Batch]:
    for start in range(0, len(X), BATCH_ROWS):
        part = slice(start, start + BATCH_ROWS)
        yield Batch(X.iloc[part], kept.iloc[part])
