"""A sum of rule tables as flat arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bayesgrove.kernels import kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Floats
    from bayesgrove.trees.tree import Numbers


class RuleQuestion(NamedTuple):
    """The question whether the code of a column is from ``first`` to ``last``.

    Parameters
    ----------
    column : int
        Number of the column.
    first : int
        First code of the answer yes.
    last : int
        Last code of the answer yes.
    gain : float
        Gain of the question when the table was made.
    """

    column: int
    first: int
    last: int
    gain: float


@dataclass(frozen=True)
class RuleSum:
    """A sum of rule tables: every table adds one entry per class to the scores of a row.

    A rule table has yes-or-no questions about columns, and one cell per combination of answers. The
    answer to the first question is the highest bit of the number of the cell. A table with a
    question about an unknown value adds nothing.

    Parameters
    ----------
    sizes : ndarray of shape (n_tables,)
        Number of questions of each table.
    column : ndarray of shape (n_questions,)
        Column of each question.
    first : ndarray of shape (n_questions,)
        First code of the answer yes.
    last : ndarray of shape (n_questions,)
        Last code of the answer yes.
    gain : ndarray of shape (n_questions,)
        Gain of each question.
    entries : ndarray of shape (n_cells, n_classes)
        What the cells add to the scores of the classes.
    """

    sizes: Numbers
    column: Numbers
    first: NDArray[np.uint32]
    last: NDArray[np.uint32]
    gain: Floats
    entries: NDArray[np.float32]

    @property
    def n_tables(self) -> int:
        """Number of tables."""
        return len(self.sizes)

    def questions(self, table: int) -> list[RuleQuestion]:
        """Return the questions of a table.

        Parameters
        ----------
        table : int
            Number of the table.

        Returns
        -------
        list of RuleQuestion
            The questions; the first one is the highest bit of the number of a cell.
        """
        end = int(self.sizes[: table + 1].sum())
        part = slice(end - int(self.sizes[table]), end)
        arrays = self.column[part], self.first[part], self.last[part], self.gain[part]
        return [RuleQuestion(*each) for each in zip(*(a.tolist() for a in arrays), strict=True)]

    def cells_of(self, table: int) -> NDArray[np.float32]:
        """Return the entries of the cells of a table.

        Parameters
        ----------
        table : int
            Number of the table.

        Returns
        -------
        ndarray of shape (2**n_questions, n_classes)
            The entries.
        """
        ends = np.cumsum(1 << self.sizes.astype(np.int64))
        return self.entries[ends[table] - (1 << int(self.sizes[table])) : ends[table]]

    def added_by_columns(self, encoded: Encoded) -> NDArray[np.float32]:
        """Return what the tables add to the scores of rows, divided among the columns.

        A table is divided among the columns that it asks by the gains of its questions.

        Parameters
        ----------
        encoded : Encoded
            Codes of the rows; no value is unknown.

        Returns
        -------
        ndarray of shape (n_columns, n_rows, n_classes)
            The part of each column.
        """
        rows, classes = encoded.rows, self.entries.shape[1]
        added = np.zeros((len(encoded.columns), rows * classes), dtype=np.float32)
        tables = np.repeat(np.arange(self.n_tables), self.sizes)
        shares = np.zeros((len(encoded.columns), self.n_tables))
        np.add.at(shares, (self.column, tables), np.maximum(self.gain, 1e-300))
        shares /= shares.sum(axis=0)
        firsts = np.cumsum(self.sizes) - self.sizes
        starts = np.cumsum(1 << self.sizes.astype(np.int64)) - (1 << self.sizes.astype(np.int64))
        # The first question is the highest bit of a cell.
        bits = self.sizes[tables] - 1 - (np.arange(len(tables)) - firsts[tables])
        codes = np.array([encoded.column(v) for v in range(len(encoded.columns))])
        at_once = max((1 << 22) // max(rows * classes, 1), 1)
        for begin in range(0, self.n_tables, at_once):
            some = slice(begin, begin + at_once)
            asked = slice(firsts[begin], firsts[begin] + int(self.sizes[some].sum()))
            values = codes[self.column[asked]]
            yes = (values >= self.first[asked, None]) & (values <= self.last[asked, None])
            parts = yes.astype(np.intp) << bits[asked, None]
            cells = np.add.reduceat(parts, firsts[some] - firsts[begin]) + starts[some, None]
            added += shares[:, some].astype(np.float32) @ self.entries[cells].reshape(
                len(cells), -1
            )
        return added.reshape(len(added), rows, classes)

    def chosen(self, tables: NDArray[np.bool_]) -> RuleSum:
        """Return the sum of some of the tables.

        Parameters
        ----------
        tables : ndarray of shape (n_tables,)
            Whether each table is chosen.

        Returns
        -------
        RuleSum
            The sum.
        """
        asked = np.repeat(tables, self.sizes)
        cells = np.repeat(tables, 1 << self.sizes.astype(np.int64))
        return RuleSum(
            self.sizes[tables],
            self.column[asked],
            self.first[asked],
            self.last[asked],
            self.gain[asked],
            self.entries[cells],
        )

    def add_to(
        self, scores: Floats, encoded: Encoded, threads: int = 1, weight: float = 1.0
    ) -> None:
        """Add a multiple of the sum to the scores of rows.

        Parameters
        ----------
        scores : ndarray of shape (n_rows, n_classes)
            The scores, which are changed.
        encoded : Encoded
            Codes of the rows.
        threads : int, default=1
            Number of threads. The scores do not depend on it.
        weight : float, default=1.0
            Factor of the sum.
        """
        if self.n_tables == 0:
            return
        asked = np.unique(self.column)
        kernels.add_rule_tables(
            [encoded.column(v) for v in asked.tolist()],
            [encoded.cards[v] for v in asked.tolist()],
            self.sizes,
            np.searchsorted(asked, self.column).astype(np.int32),
            self.first,
            self.last,
            self.entries,
            scores,
            float(weight),
            threads,
        )
