"""A2DE: the average over all pairs of attributes that are the parents of all other attributes.

G. I. Webb, J. R. Boughton, F. Zheng, K. M. Ting and H. Salem (2012). Learning by extrapolation from
marginal to full-multivariate probability distributions: decreasingly naive Bayesian classification.
Machine Learning 86, 233-272.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb, prod
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.memory import require_memory
from bayesgrove._utils.ties import MEAN_NOISE, nearly
from bayesgrove.counts import DenseTables
from bayesgrove.kernels import kernels
from bayesgrove.scores.information import mutual_information

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Floats

TABLE_BYTES = 500
"""Approximate size of what belongs to a table except its counts, while tables are counted."""


@dataclass(frozen=True, eq=False)
class SuperParentPairs:
    """Two-dependence estimators: one network per pair of super-parents, kept as counts.

    The pair (i, j) gives ``P(y, x_i, x_j) prod_l P(x_l | y, x_i, x_j)``, where l runs over all
    other attributes. Pairs and triples are in lexicographic order. In all tables, the class varies
    fastest.

    Parameters
    ----------
    cards : tuple of int
        The cardinality of every attribute, then the number of classes.
    counts : ndarray
        The counts ``F[x_i, x_j, y]`` of all pairs, then ``F[x_i, x_j, x_l, y]`` of all triples.
    has_missing : tuple of bool
        Whether each attribute has missing values that are not a state.
    min_rows : int
        A pair is used for a row if at least this number of training rows has both values.
    alpha : float
        The pseudo-count of every cell of the frequencies.
    by_information : bool
        Whether a pair has the weight I(X_i, X_j; C). Otherwise all pairs have the same weight.
    """

    cards: tuple[int, ...]
    counts: Floats
    has_missing: tuple[bool, ...]
    min_rows: int
    alpha: float
    by_information: bool

    def log_joint(self, encoded: Encoded, threads: int = 1) -> tuple[Floats, NDArray[np.bool_]]:
        """Return ``ln P(class, row)``, and whether some pair is used for each row."""
        below, starts = self._below
        joint, used = kernels.super_parent_pairs(
            encoded.columns,
            list(self.cards[:-1]),
            self.cards[-1],
            self.counts[: self._pair_starts[-1]],
            self._pair_starts,
            self.counts[self._pair_starts[-1] :],
            self._triple_starts,
            below,
            starts,
            self._totals,
            self.weights,
            self.alpha,
            nearly(float(self.min_rows)),
            encoded.rows,
            threads,
        )
        return joint, used > 0

    @cached_property
    def weights(self) -> Floats:
        """The weight of every pair: 1, or the information of its values about the class."""
        if not self.by_information:
            return np.ones(len(self._pair_tables))
        tables = (table.reshape(-1, self.cards[-1]) for table in self._pair_tables)
        return without_noise(np.array([mutual_information(table) for table in tables]))

    @property
    def frequent(self) -> list[tuple[int, int]]:
        """Pairs that are used for at least one joint value of their attributes."""
        threshold = nearly(float(self.min_rows))
        pairs = combinations(range(len(self.cards) - 1), 2)
        return [
            pair
            for pair, table, weight in zip(pairs, self._pair_tables, self.weights, strict=True)
            if weight > 0 and table.sum(axis=2).max() >= threshold
        ]

    @cached_property
    def _pair_starts(self) -> NDArray[np.int64]:
        return _starts(self.cards, 2)

    @cached_property
    def _triple_starts(self) -> NDArray[np.int64]:
        return _starts(self.cards, 3)

    @cached_property
    def _pair_tables(self) -> list[Floats]:
        """The counts ``F[x_i, x_j, y]`` of every pair."""
        *cards, classes = self.cards
        starts = self._pair_starts.tolist()
        return [
            self.counts[starts[p] : starts[p + 1]].reshape(cards[i], cards[j], classes)
            for p, (i, j) in enumerate(combinations(range(len(cards)), 2))
        ]

    @cached_property
    def _totals(self) -> Floats:
        """The weight of the training rows in which both attributes of a pair are known."""
        return np.array([table.sum() for table in self._pair_tables])

    @cached_property
    def _below(self) -> tuple[Floats, NDArray[np.int64]]:
        """The counts of pairs in the rows in which one more attribute is known.

        They are needed for attributes with missing values only. The second array says where the
        table of a pair and one more attribute starts; -1 means that the table of the pair is right.
        """
        *cards, classes = self.cards
        starts = np.full((comb(len(cards), 2), len(cards)), -1, dtype=np.int64)
        number = {pair: p for p, pair in enumerate(combinations(range(len(cards)), 2))}
        parts, end = [np.zeros(0)], 0
        for t, triple in enumerate(combinations(range(len(cards)), 3)):
            lacking = [v for v in triple if self.has_missing[v]]
            if not lacking:
                continue
            start = self._pair_starts[-1] + self._triple_starts[t]
            stop = self._pair_starts[-1] + self._triple_starts[t + 1]
            cells = self.counts[start:stop].reshape(*(cards[v] for v in triple), classes)
            for v in lacking:
                i, j = (u for u in triple if u != v)
                parts.append(cells.sum(axis=triple.index(v)).ravel())
                starts[number[i, j], v] = end
                end += parts[-1].size
        return np.concatenate(parts), starts


def count_pairs(counts: CountSource) -> Floats:
    """Return the counts of all pairs and triples of attributes with the class, in one pass.

    Parameters
    ----------
    counts : CountSource
        Counts of the training rows.

    Returns
    -------
    ndarray
        The counts, in the order of `SuperParentPairs`.
    """
    n = counts.n_attributes
    cells = table_cells(counts.cards)
    require_memory(
        3 * 8 * cells + TABLE_BYTES * (comb(n, 2) + comb(n, 3)),
        f"The tables of all triples of {n} attributes",
        "use n=1, or drop columns with very many values or merge their values",
    )
    sets = tuple((*s, n) for size in (2, 3) for s in combinations(range(n), size))
    if not sets:
        return np.zeros(0)
    flat: Floats = counts.reduce(DenseTables(sets, tuple(counts.cards), counts.threads), np.add)
    return flat


def without_noise(information: Floats) -> Floats:
    """Return information as weights: numbers that are 0 up to rounding errors become 0."""
    return np.where(information > MEAN_NOISE, information, 0.0)


def table_cells(cards: Sequence[int]) -> int:
    """Return the number of cells of the tables of all pairs and triples; the class is last."""
    *attributes, classes = cards
    # Sums of products from power sums: exact, and without a loop over all triples.
    first, second, third = (sum(card**power for card in attributes) for power in (1, 2, 3))
    pairs = (first**2 - second) // 2
    triples = (first**3 - 3 * first * second + 2 * third) // 6
    return (pairs + triples) * classes


def _starts(cards: Sequence[int], size: int) -> NDArray[np.int64]:
    """Return where the table of every set of ``size`` attributes starts, and the end."""
    *attributes, classes = cards
    cells = (prod(some) for some in combinations(attributes, size))
    return np.cumsum([0, *cells], dtype=np.int64) * classes
