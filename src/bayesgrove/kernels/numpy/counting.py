"""Count tables of one column given the class, and joint tables of any set of columns."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.kernels import Codes, Floats


def class_tables(
    columns: Sequence[Codes],
    cards: Sequence[int],
    target: Codes,
    n_classes: int,
    weights: Floats | None,
    threads: int,
) -> Floats:
    """Return the counts ``N[c, value]`` of every column.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n_rows,)
        Codes of each column. The code ``cards[j]`` stands for a missing value in column ``j``.
    cards : sequence of int
        Cardinality of each column.
    target : ndarray of shape (n_rows,)
        Class code of each row. Rows with the code ``n_classes`` have no class and are left out.
    n_classes : int
        Number of classes.
    weights : ndarray of shape (n_rows,) or None
        Weight of each row. None counts every row once.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.

    Returns
    -------
    ndarray of shape (n_classes, R)
        The tables of all columns side by side, where ``R = sum(cards)``.
    """
    tables = [
        histogram([target, column], [n_classes, card], weights).reshape(n_classes, card)
        for column, card in zip(columns, cards, strict=True)
    ]
    return np.concatenate([np.empty((n_classes, 0)), *tables], axis=1)


def joint_tables(
    sets: Sequence[Sequence[int]],
    columns: Sequence[Codes],
    cards: Sequence[int],
    weights: Floats | None,
    threads: int,
) -> list[Floats]:
    """Return dense joint tables of some sets of columns.

    Rows in which a column of the set is missing are left out of its table.

    Parameters
    ----------
    sets : sequence of sequence of int
        Numbers of the columns of each set.
    columns : sequence of ndarray of shape (n_rows,)
        Codes of each column. The code ``cards[j]`` stands for a missing value in column ``j``.
    cards : sequence of int
        Cardinality of each column.
    weights : ndarray of shape (n_rows,) or None
        Weight of each row. None counts every row once.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.

    Returns
    -------
    list of ndarray
        One flat table per set. The last column of the set varies fastest.
    """
    return [
        histogram([columns[j] for j in members], [cards[j] for j in members], weights)
        for members in sets
    ]


def histogram(columns: Sequence[Codes], cards: Sequence[int], weights: Floats | None) -> Floats:
    """Count rows, or sum their weights, by the joint value of some columns.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n_rows,)
        Codes of each column. The code ``cards[j]`` stands for a missing value in column ``j``.
    cards : sequence of int
        Cardinality of each column.
    weights : ndarray of shape (n_rows,) or None
        Weight of each row. None counts every row once.

    Returns
    -------
    ndarray of shape (prod(cards),)
        Counts or sums of weights. The last column varies fastest.
    """
    index = np.zeros(len(columns[0]), dtype=np.int64)
    present = np.ones(len(columns[0]), dtype=bool)
    for column, card in zip(columns, cards, strict=True):
        index = index * card + column
        present &= column < card
    chosen = None if weights is None else weights[present]
    cells = math.prod(cards)
    counts = np.bincount(index[present], weights=chosen, minlength=cells).astype(np.float64)
    return counts[:cells]
