"""Averages of networks in which two attributes are the parents of all others (A2DE)."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats

BLOCK = 4096
"""Rows that are computed at a time."""


def super_parent_pairs(
    columns: Sequence[Codes],
    cards: Sequence[int],
    n_classes: int,
    pairs: Floats,
    pair_starts: NDArray[np.int64],
    triples: Floats,
    triple_starts: NDArray[np.int64],
    below: Floats,
    below_starts: NDArray[np.int64],
    totals: Floats,
    weights: Floats,
    alpha: float,
    min_weight: float,
    rows: int,
    threads: int,
) -> tuple[Floats, Floats]:
    """Return the weighted mean of joint probabilities over all pairs of super-parents.

    The pair (i, j) gives ``P(y, x_i, x_j) prod_l P(x_l | y, x_i, x_j)``, where l runs over all
    other known attributes. It is used for a row if both values are known, the weight of the
    training rows with both values is at least ``min_weight``, and the weight of the pair is above
    0. Every cell has the pseudo-count ``alpha``. A table row without counts is uniform.

    Pairs i < j and triples i < j < l are in lexicographic order. The class varies fastest in all
    tables, then the last attribute.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n_rows,)
        Codes of each column. The code ``cards[j]`` stands for a missing value in column ``j``.
    cards : sequence of int
        Cardinality of each column.
    n_classes : int
        Number of classes.
    pairs : ndarray
        Counts ``F[x_i, x_j, y]`` of all pairs, one table after another.
    pair_starts : ndarray of shape (n_pairs + 1,)
        Where each of these tables starts; then the end.
    triples : ndarray
        Counts ``F[x_i, x_j, x_l, y]`` of all triples, one table after another.
    triple_starts : ndarray of shape (n_triples + 1,)
        Where each of these tables starts; then the end.
    below : ndarray
        Counts ``F[x_i, x_j, y]`` of the rows in which one more attribute is known, for attributes
        with missing values.
    below_starts : ndarray of shape (n_pairs, n_columns)
        Where the table of a pair and one more attribute starts in ``below``; -1 if the table of the
        pair has the same counts.
    totals : ndarray of shape (n_pairs,)
        Weight of the training rows in which both attributes are known.
    weights : ndarray of shape (n_pairs,)
        Weight of each pair, at least 0.
    alpha : float
        Pseudo-count of every cell.
    min_weight : float
        Smallest weight of training rows with the values of a pair.
    rows : int
        Number of rows.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.

    Returns
    -------
    joint : ndarray of shape (n_rows, n_classes)
        Logarithms of the means; minus infinity if no pair is used.
    used : ndarray of shape (n_rows,)
        Weight of all pairs that are used for a row; 0 means that no pair is used.
    """
    _check(columns, cards, n_classes, pairs, pair_starts, triples, triple_starts, below)
    _check_pairs(len(columns), below, below_starts, totals, weights)
    counts = _Tables(cards, n_classes, alpha)
    joint, used = np.full((rows, n_classes), -np.inf), np.zeros(rows)
    for start in range(0, rows, BLOCK):
        block = slice(start, start + BLOCK)
        codes = [column[block].astype(np.int64) for column in columns]
        known = [code < card for code, card in zip(codes, cards, strict=True)]
        for p, (i, j) in enumerate(combinations(range(len(cards)), 2)):
            both = known[i] & known[j]
            cells = counts.cells(pairs, pair_starts[p], (i, j), codes, both)
            both &= (cells.sum(axis=1) >= min_weight) & (weights[p] > 0)
            if not both.any():
                continue
            logs = counts.logs(cells, totals[p], n_classes * cards[i] * cards[j])
            for m in set(range(len(cards))) - {i, j}:
                place = _triple(len(cards), *sorted((i, j, m)))
                usable = both & known[m]
                inside = counts.cells(
                    triples, triple_starts[place], tuple(sorted((i, j, m))), codes, usable
                )
                at = below_starts[p, m]
                totals_of_rows = cells if at < 0 else counts.cells(below, at, (i, j), codes, usable)
                terms = counts.logs(inside, totals_of_rows, cards[m])
                logs += np.where(usable[:, None], terms, 0.0)
            np.logaddexp(joint[block], logs + np.log(weights[p]), joint[block], where=both[:, None])
            used[block] += both * weights[p]
    joint -= np.log(np.where(used > 0, used, 1.0))[:, None]
    return joint, used


class _Tables:
    """Counts with pseudo-counts, as log-probabilities."""

    def __init__(self, cards: Sequence[int], n_classes: int, alpha: float) -> None:
        self.cards, self.n_classes, self.alpha = cards, n_classes, alpha

    def cells(
        self,
        tables: Floats,
        start: int,
        attributes: tuple[int, ...],
        codes: list[NDArray[np.int64]],
        usable: NDArray[np.bool_],
    ) -> Floats:
        """Return the counts of all classes with the values of each row."""
        place = np.zeros(len(usable), dtype=np.int64)
        for v in attributes:
            place = place * self.cards[v] + codes[v]
        at = start + np.where(usable, place, 0)[:, None] * self.n_classes
        return np.asarray(tables[at + np.arange(self.n_classes)])

    def logs(self, inside: Floats, total: Floats | float, states: int) -> Floats:
        """Return ``ln (inside + alpha) / (total + alpha states)``; uniform if the total is 0."""
        below = np.broadcast_to(total + self.alpha * states, inside.shape)
        ratio = (inside + self.alpha) / np.where(below > 0, below, 1.0)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(np.where(below > 0, ratio, 1.0 / states)))


def _triple(n: int, i: int, j: int, m: int) -> int:
    """Return the number of a triple i < j < m in lexicographic order."""
    before_i = sum((n - 1 - a) * (n - 2 - a) // 2 for a in range(i))
    before_j = sum(n - 1 - b for b in range(i + 1, j))
    return before_i + before_j + m - j - 1


def _check(
    columns: Sequence[Codes],
    cards: Sequence[int],
    n_classes: int,
    pairs: Floats,
    pair_starts: NDArray[np.int64],
    triples: Floats,
    triple_starts: NDArray[np.int64],
    below: Floats,
) -> None:
    """Raise unless the columns and the tables fit each other."""
    if len(columns) != len(cards):
        raise ValueError("There must be one cardinality per column.")
    for size, values, starts in ((2, pairs, pair_starts), (3, triples, triple_starts)):
        cells = [math.prod(cards[v] for v in s) for s in combinations(range(len(cards)), size)]
        ends = np.cumsum([0, *cells], dtype=np.int64) * n_classes
        if len(values) != ends[-1] or not np.array_equal(starts, ends):
            raise ValueError("The tables do not fit the cardinalities.")


def _check_pairs(
    n: int, below: Floats, below_starts: NDArray[np.int64], totals: Floats, weights: Floats
) -> None:
    """Raise unless every pair has its arguments."""
    n_pairs = n * (n - 1) // 2
    if below_starts.shape != (n_pairs, n) or len(totals) != n_pairs or len(weights) != n_pairs:
        raise ValueError("There must be one total and one weight per pair.")
    if below_starts.size and below_starts.max() >= max(len(below), 0):
        raise ValueError("A table of a pair is out of range.")
