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

    def shares_of(self, table: int) -> dict[int, float]:
        """Return the columns of a table, with their shares of the gain.

        Parameters
        ----------
        table : int
            Number of the table.

        Returns
        -------
        dict of int to float
            Share of each column that the table asks; the sum is 1.
        """
        gains: dict[int, float] = {}
        for question in self.questions(table):
            gain = max(question.gain, 1e-300)
            gains[question.column] = gains.get(question.column, 0.0) + gain
        total = sum(gains.values())
        return {column: gain / total for column, gain in gains.items()}

    def added_by(self, table: int, encoded: Encoded) -> NDArray[np.float32]:
        """Return what a table adds to the scores of rows.

        Parameters
        ----------
        table : int
            Number of the table.
        encoded : Encoded
            Codes of the rows; no value is unknown.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            The entry of the cell of each row.
        """
        cells = np.zeros(encoded.rows, dtype=np.intp)
        for question in self.questions(table):
            codes = encoded.column(question.column)
            cells = 2 * cells + ((codes >= question.first) & (codes <= question.last))
        return self.cells_of(table)[cells]

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
