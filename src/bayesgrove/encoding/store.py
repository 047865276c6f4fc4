"""Codes in a spill file, column by column: written once, then read by rows or by column."""

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
"""Number of rows in one part."""


class CodeStore:
    """Encoded rows in a spill file, for codes that exceed the memory limit.

    The file holds the attributes, the class, and then the columns that stay numeric. A code takes
    one byte, or more if the column has more than 255 states. The file has no name: it is deleted
    together with the store. The store warns the user when it creates the file.

    Parameters
    ----------
    rows : int
        The number of rows.
    cards : sequence of int
        The cardinalities of the attributes.
    n_classes : int
        The number of classes.
    n_continuous : int
        The number of columns that stay numeric.

    Attributes
    ----------
    rows : int
        The number of rows.
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
        """Write the codes of the next rows.

        Parameters
        ----------
        part : Encoded
            The rows, with their classes.
        """
        columns = [*part.columns, part.column(len(part.columns)), *part.continuous]
        for variable, column in enumerate(columns):
            self._write(variable, np.ascontiguousarray(column, dtype=self._types[variable]))
        self._written += part.rows

    def _write(self, variable: int, column: NDArray[Any]) -> None:
        """Write the next rows of one variable."""
        start = self._starts[variable] + self._written * self._types[variable].itemsize
        data = column.view(np.uint8).data
        try:
            while data:
                count = os.pwrite(self._file.fileno(), data, start)
                data, start = data[count:], start + count
        except OSError as error:
            raise SpillError.of(get_config().folder, self._starts[-1], error) from None

    def column(self, variable: int) -> Codes:
        """Return the codes of one variable.

        Parameters
        ----------
        variable : int
            The index of an attribute; the index after the last attribute is the class.

        Returns
        -------
        ndarray of shape (n_rows,)
            The codes.
        """
        column: Codes = self._read(variable, 0, self.rows)
        return column

    def parts(self, columns: Sequence[int] | None = None) -> Iterator[Encoded]:
        """Yield all rows in parts.

        Parameters
        ----------
        columns : sequence of int or None, default=None
            The indices of the variables to read. None means all.

        Yields
        ------
        Encoded
            Some of the rows. Variables that were not requested are None.
        """
        variables = set(range(len(self._types)) if columns is None else columns)
        for start in range(0, self.rows, PART_ROWS):
            yield self._part(start, min(start + PART_ROWS, self.rows), variables)

    def load(self) -> Encoded:
        """Return all rows in memory.

        Returns
        -------
        Encoded
            All rows.

        Raises
        ------
        MemoryLimitError
            If the codes do not fit in memory.
        """
        require_memory(
            self._starts[-1], "The codes of all rows", "take a sample of the rows for this method"
        )
        return self._part(0, self.rows, set(range(len(self._types))))

    def _part(self, start: int, stop: int, variables: set[int]) -> Encoded:
        """Return the rows from ``start`` to ``stop``, with some variables only."""
        read = [
            self._read(v, start, stop) if v in variables else None for v in range(len(self._types))
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
        """Return the values of one variable from row ``start`` to row ``stop``."""
        kind = self._types[variable]
        column = np.empty(stop - start, dtype=kind)
        data = column.view(np.uint8).data
        at = self._starts[variable] + start * kind.itemsize
        while data:
            count = os.preadv(self._file.fileno(), [data], at)
            if count == 0:
                raise OSError("The temporary file of codes was truncated: fit again.")
            data, at = data[count:], at + count
        return column
