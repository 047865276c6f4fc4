"""Codes in a temporary file, column after column: written once, read by rows or by column."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove._utils.config import get_config
from bayesgrove._utils.memory import require_memory
from bayesgrove._utils.spill import SpillError, SpillFile, SpillWarning
from bayesgrove._utils.warnings import warn_caller
from bayesgrove.encoding.encoded import Encoded, code_type

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes

PART_ROWS = 1 << 18
"""Rows that are read at a time."""


class CodeStore:
    """A file of codes: the attributes, the class, then the columns that stay numbers.

    A code takes one byte, more where a column has more than 255 states. The file has no name: it
    is gone when the store is.

    Parameters
    ----------
    rows : number of rows
    cards : number of states of the attributes
    n_classes : number of classes
    n_continuous : number of columns that stay numbers
    """

    def __init__(self, rows: int, cards: Sequence[int], n_classes: int, n_continuous: int) -> None:
        self.rows = rows
        self._cards = list(cards)
        self._n_classes = n_classes
        types = [code_type(card) for card in (*cards, n_classes)]
        self._types = [np.dtype(kind) for kind in (*types, *([np.float64] * n_continuous))]
        sizes = [rows * kind.itemsize for kind in self._types]
        self._starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64).tolist()
        folder = get_config().folder
        warn_caller(
            f"The codes of {rows:,} rows ({self._starts[-1] / 1e6:,.1f} MB) exceed the memory "
            f"limit of {get_config().memory_limit / 1e6:,.1f} MB and go to a temporary file in "
            f"{folder}.",
            SpillWarning,
        )
        self._file = SpillFile(folder, self._starts[-1])
        self._written = 0

    def append(self, part: Encoded) -> None:
        """Write the codes of the rows that follow."""
        columns = [*part.columns, part.column(len(part.columns)), *part.continuous]
        for variable, column in enumerate(columns):
            self._write(variable, np.ascontiguousarray(column, dtype=self._types[variable]))
        self._written += part.rows

    def _write(self, variable: int, column: NDArray[Any]) -> None:
        start = self._starts[variable] + self._written * self._types[variable].itemsize
        data = column.view(np.uint8).data
        try:
            while data:
                count = os.pwrite(self._file.fileno(), data, start)
                data, start = data[count:], start + count
        except OSError as error:
            raise SpillError.of(get_config().folder, self._starts[-1], error) from None

    def column(self, variable: int) -> Codes:
        """Read the codes of a variable."""
        column: Codes = self._read(variable, 0, self.rows)
        return column

    def parts(self, columns: Sequence[int] | None = None) -> Iterator[Encoded]:
        """Read all rows, some at a time, with some variables only (None: all)."""
        wanted = set(range(len(self._types)) if columns is None else columns)
        for start in range(0, self.rows, PART_ROWS):
            yield self._part(start, min(start + PART_ROWS, self.rows), wanted)

    def load(self) -> Encoded:
        """Read all rows into memory."""
        require_memory(
            self._starts[-1], "The codes of all rows", "take a sample of the rows for this method"
        )
        return self._part(0, self.rows, set(range(len(self._types))))

    def _part(self, start: int, stop: int, wanted: set[int]) -> Encoded:
        read = [
            self._read(v, start, stop) if v in wanted else None for v in range(len(self._types))
        ]
        n = len(self._cards)
        return Encoded(
            read[:n],
            self._cards,
            stop - start,
            read[n],
            self._n_classes,
            continuous=read[n + 1 :],
        )

    def _read(self, variable: int, start: int, stop: int) -> Any:
        kind = self._types[variable]
        column = np.empty(stop - start, dtype=kind)
        data = column.view(np.uint8).data
        at = self._starts[variable] + start * kind.itemsize
        while data:
            count = os.preadv(self._file.fileno(), [data], at)
            if count == 0:
                raise OSError("the temporary file of codes was cut off")
            data, at = data[count:], at + count
        return column
