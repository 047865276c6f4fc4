"""Leave-one-out losses of nested networks, in which attributes and parents are added one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats

SQUARED, WRONG, LOGARITHM = range(3)
"""The losses of a row, where p is the probability of the true class: ``(1 - p)^2``; 1 if another
class is predicted, else 0; ``-ln p``."""
MARGIN = 1e-11
"""Classes whose probability is smaller than the largest by at most this share are tied."""
BLOCK = 4096
"""Rows that are computed at a time."""


def leave_one_out_losses(
    columns: Sequence[Codes],
    cards: Sequence[int],
    parents: NDArray[np.int32],
    tables: Sequence[Floats],
    numbers: Sequence[NDArray[np.int32]],
    target: Codes,
    class_counts: Floats,
    weights: Floats | None,
    alpha: float,
    loss: int,
    unit: float,
    largest: float,
    threads: int,
) -> NDArray[np.int64]:
    """Return the summed losses of rows, each of which is predicted from the counts without it.

    There is one network per number of parents k and number of attributes s. It has the first s
    columns, and the first k parents of each of them. Every table is made from the counts of all
    rows minus the weight of the row that is predicted, with ``alpha`` added to every cell. A
    missing value has no table. A missing parent of an attribute is left out, with all parents after
    it. If all classes have the probability 0, the row gets the class probabilities before any
    attribute. Ties go to the earlier class.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n_rows,)
        Codes of each attribute, in the order in which attributes are added. The code ``cards[j]``
        stands for a missing value in column ``j``.
    cards : sequence of int
        Cardinality of each column.
    parents : ndarray of shape (n_columns, max_k)
        Columns of the parents of each attribute, in the order in which parents are added; -1 fills
        the places after the last one. All parents come before the attribute.
    tables : sequence of ndarray of shape (n_configurations, n_classes, card + 1)
        Counts of each attribute without parents, then with its first parent, then with its first
        two, and so on; then the tables of the next attribute. The last value is the sum of all
        others. Unless the table has ``numbers``, its configurations are numbered in mixed radix,
        and the last parent varies fastest.
    numbers : sequence of ndarray of shape (n_rows,) or (0,)
        Configuration of each row in each table; -1 if there is none. An array of shape (0,) means
        that the configurations are numbered in mixed radix.
    target : ndarray of shape (n_rows,)
        Class code of each row.
    class_counts : ndarray of shape (n_classes,)
        Weight of all rows of each class.
    weights : ndarray of shape (n_rows,) or None
        Weight of each row. None means a weight of 1 for all rows.
    alpha : float
        Pseudo-count of every cell.
    loss : int
        The loss of a row, where p is the probability of its class: 0 is ``(1 - p)^2``, 1 is 1 if
        another class is predicted and 0 otherwise, 2 is ``-ln p``.
    unit : float
        Number by which weighted losses are multiplied before they are rounded to whole numbers.
        The sums then do not depend on the order of the rows.
    largest : float
        Largest loss of a row. Larger losses, from numbers that are too small for floats, are cut.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.

    Returns
    -------
    ndarray of shape (max_k + 1, n_columns + 1)
        Sum of the weighted losses of all rows in units of ``1 / unit``, as int64, by the number of
        parents and the number of attributes.
    """
    _check(columns, cards, parents, tables, numbers, target, class_counts)
    sums = np.zeros((parents.shape[1] + 1, len(columns) + 1), dtype=np.int64)
    for start in range(0, len(target), BLOCK):
        rows = slice(start, start + BLOCK)
        block = _Rows(
            [column[rows].astype(np.int64) for column in columns],
            target[rows].astype(np.int64),
            np.ones(len(target[rows])) if weights is None else weights[rows],
            alpha,
        )
        some = [ids[rows] for ids in numbers]
        with np.errstate(divide="ignore"):
            prior = np.log(block.without(np.tile(class_counts, (block.rows, 1))) + alpha)
        joint = np.repeat(prior[None], len(sums), axis=0)
        first = 0
        for s in range(len(columns) + 1):
            losses = _losses(joint, prior, block, loss)
            sums[:, s] += _rounded(np.minimum(losses, largest) * block.weights * unit)
            if s < len(columns):
                count = 1 + int((parents[s] >= 0).sum())
                at = slice(first, first + count)
                terms = block.terms(s, cards, parents[s], tables[at], some[at])
                for k in range(len(sums)):
                    joint[k] += terms[min(k, count - 1)]
                first += count
    return sums


class _Rows:
    """Some rows, with the log-probabilities of their values."""

    def __init__(
        self,
        codes: list[NDArray[np.int64]],
        target: NDArray[np.int64],
        weights: Floats,
        alpha: float,
    ) -> None:
        self.codes, self.target, self.weights, self.alpha = codes, target, weights, alpha
        self.rows = len(target)

    def without(self, counts: Floats) -> Floats:
        """Return ``counts[row, class]`` in which the class of each row lacks the row's weight."""
        places = np.arange(self.rows), self.target
        counts[places] = np.maximum(counts[places] - self.weights, 0.0)
        return counts

    def terms(
        self,
        s: int,
        cards: Sequence[int],
        parents: NDArray[np.int32],
        tables: Sequence[Floats],
        numbers: Sequence[NDArray[np.int32]],
    ) -> list[Floats]:
        """Return ``ln P(value | parents, class)`` of a column, given each number of parents."""
        known = self.codes[s] < cards[s]
        values = np.where(known, self.codes[s], 0)
        place = np.zeros(self.rows, dtype=np.int64)
        terms: list[Floats] = []
        for depth, (table, ids) in enumerate(zip(tables, numbers, strict=True)):
            if depth:
                parent = parents[depth - 1]
                known &= self.codes[parent] < cards[parent]
                place = np.where(known, place * cards[parent] + self.codes[parent], 0)
            if len(ids):
                known &= ids >= 0
            at = np.where(known, ids, 0) if len(ids) else place
            logs = self._logs(table, at, values)
            before = terms[-1] if terms else np.zeros_like(logs)
            terms.append(np.where(known[:, None], logs, before))
        return terms

    def _logs(self, table: Floats, at: NDArray[np.int64], values: NDArray[np.int64]) -> Floats:
        """Return the logarithms of the shares of some values, from the counts without each row."""
        states = table.shape[2] - 1
        inside = self.without(table[at, :, values]) + self.alpha
        total = self.without(table[at, :, states]) + self.alpha * states
        with np.errstate(divide="ignore"):
            return np.log(
                np.where(total > 0, inside / np.where(total > 0, total, 1.0), 1.0 / states)
            )


def _losses(joint: Floats, prior: Floats, block: _Rows, loss: int) -> Floats:
    """Return the loss of every row, from ``ln P(class, row)``, shape (networks, rows, classes)."""
    impossible = np.isneginf(joint).all(axis=2, keepdims=True)
    logs = np.where(impossible, prior, joint)
    logs = np.where(np.isneginf(logs).all(axis=2, keepdims=True), 0.0, logs)
    logs = logs - logs.max(axis=2, keepdims=True)
    true = block.target[None, :, None]
    if loss == WRONG:
        predicted = (logs >= -MARGIN).argmax(axis=2)
        return np.asarray(predicted != block.target, dtype=np.float64)
    total = np.exp(logs).sum(axis=2)
    log_true = np.take_along_axis(logs, np.broadcast_to(true, (len(logs), block.rows, 1)), axis=2)
    if loss == LOGARITHM:
        return np.asarray(np.log(total) - log_true[:, :, 0])
    return np.asarray((1.0 - np.exp(log_true[:, :, 0]) / total) ** 2)


def _rounded(losses: Floats) -> NDArray[np.int64]:
    """Return the sums over rows of losses that are rounded to whole numbers."""
    return np.asarray(np.rint(losses).astype(np.int64).sum(axis=1))


def _check(
    columns: Sequence[Codes],
    cards: Sequence[int],
    parents: NDArray[np.int32],
    tables: Sequence[Floats],
    numbers: Sequence[NDArray[np.int32]],
    target: Codes,
    class_counts: Floats,
) -> None:
    """Raise unless the arguments fit each other."""
    rows, classes = len(target), len(class_counts)
    if len(cards) != len(columns) or len(parents) != len(columns):
        raise ValueError("There must be one cardinality and one list of parents per column.")
    if any(len(column) != rows for column in columns):
        raise ValueError("The columns and the classes differ in length.")
    if rows and target.max() >= classes:
        raise ValueError("A class is out of range.")
    count = len(columns) + int((parents >= 0).sum())
    if len(tables) != count or len(numbers) != count:
        raise ValueError("There must be one table per attribute and number of parents.")
    at = 0
    for s, of_column in enumerate(parents.tolist()):
        used = [parent for parent in of_column if parent >= 0]
        if any(parent >= s for parent in used):
            raise ValueError("Parents must come before the attribute.")
        sizes = np.cumprod([1, *(cards[parent] for parent in used)]).tolist()
        for size, table, ids in zip(sizes, tables[at:], numbers[at:], strict=False):
            _check_table(table, (size, classes, cards[s] + 1), ids, rows)
        at += len(sizes)


def _check_table(
    table: Floats, shape: tuple[int, int, int], ids: NDArray[np.int32], rows: int
) -> None:
    """Raise unless a table has this shape, or its rows have the numbers of its configurations."""
    if table.shape[1:] != shape[1:] or (not len(ids) and table.shape[0] != shape[0]):
        raise ValueError("A table does not have the shape of its attribute and parents.")
    if len(ids) and (len(ids) != rows or ids.max() >= len(table)):
        raise ValueError("A configuration is out of range.")
