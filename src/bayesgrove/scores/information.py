"""Entropy and mutual information, in nats, as functions of tables of counts.

All of them accept weights for counts. ``0 ln 0 = 0``; a ratio with denominator 0 is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import xlogy

from bayesgrove.counts import Family
from bayesgrove.encoding import require_memory
from bayesgrove.kernels import Floats, kernels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from bayesgrove.counts import CountSource

BITS = float(np.log(2.0))
"""Divide by this to turn nats into bits."""
WIDE = 256
"""Attributes with more values are counted by the joint values that occur."""


@dataclass(frozen=True)
class NLogN:
    """``n ln n`` of the joint values of the family, less that of the parents': likelihood."""

    def outer(self, counts: Floats) -> Floats:
        """Of a joint value of the parents."""
        return np.asarray(-xlogy(counts, counts), dtype=np.float64)

    def inner(self, counts: Floats) -> Floats:
        """Of a joint value of the family."""
        return np.asarray(xlogy(counts, counts))


def entropy(counts: ArrayLike) -> float:
    """``H(X) = -sum p ln p`` of a table of counts of any shape.

    >>> round(entropy([1, 1]) / BITS, 12)
    1.0
    """
    counts = np.asarray(counts, dtype=np.float64)
    total = counts.sum()
    if total <= 0:
        return 0.0
    return max(0.0, float(np.log(total) - xlogy(counts, counts).sum() / total))


def mutual_information(table: ArrayLike) -> float:
    """``I(X;Y) = H(X) + H(Y) - H(X,Y)`` of a table ``N[x, y]``.

    >>> round(mutual_information([[2, 0], [0, 2]]) / BITS, 12)
    1.0
    """
    return conditional_mutual_information(np.asarray(table, dtype=np.float64)[None])


def conditional_mutual_information(table: ArrayLike) -> float:
    """``I(X;Y|C) = sum_c,x,y p(c,x,y) ln p(x,y|c) / (p(x|c) p(y|c))`` of a table ``N[c, x, y]``."""
    table = np.ascontiguousarray(table, dtype=np.float64)
    _, rows, columns = table.shape
    return float(
        kernels.information_of_tables(table, [rows], [columns], float(table.sum()), 1)[0, 0]
    )


def gain_ratio(table: ArrayLike) -> float:
    """``I(X;C) / H(X)`` of a table ``N[x, c]`` (Quinlan 1986).

    >>> round(gain_ratio([[2, 0], [0, 1], [0, 1]]), 12)
    0.666666666667
    """
    table = np.asarray(table, dtype=np.float64)
    return _ratio(mutual_information(table), entropy(table.sum(axis=1)))


def symmetrical_uncertainty(table: ArrayLike) -> float:
    """``2 I(X;Y) / (H(X) + H(Y))`` of a table ``N[x, y]``, between 0 and 1.

    >>> symmetrical_uncertainty([[3, 0], [0, 1]])
    1.0
    """
    table = np.asarray(table, dtype=np.float64)
    both = entropy(table.sum(axis=1)) + entropy(table.sum(axis=0))
    return _ratio(2.0 * mutual_information(table), both)


def share_missing(table: ArrayLike) -> Floats:
    """A table ``N[x, y]`` of all rows, from one whose last row and column are the missing values.

    Those are shared out in proportion: rows with a known y by ``P(x)``, rows with a known x by
    ``P(y)``, and rows with neither by ``P(x, y)``. Where nothing is known of one of them, the
    table is that of the rows that have both.

    >>> share_missing([[3, 0, 0], [0, 1, 0], [4, 4, 0]]).tolist()
    [[6.0, 3.0], [1.0, 2.0]]
    """
    # Differences of weights may be a rounding below 0.
    table = np.maximum(np.asarray(table, dtype=np.float64), 0.0)
    known, x_only, y_only, neither = table[:-1, :-1], table[:-1, -1], table[-1, :-1], table[-1, -1]
    of_x, of_y = known.sum(axis=1) + x_only, known.sum(axis=0) + y_only
    shared: Floats = known.copy()
    if of_x.sum() > 0 and of_y.sum() > 0:
        shared += np.outer(of_x / of_x.sum(), y_only) + np.outer(x_only, of_y / of_y.sum())
        if known.sum() > 0:
            shared += known / known.sum() * neither
    return shared


def information_with_class(counts: CountSource) -> Floats:
    """``I(X;C)`` of every attribute X."""
    table = counts.class_tables()[None]
    information: Floats = kernels.information_of_tables(
        table, [counts.n_classes], counts.attribute_cards, counts.total, counts.threads
    )[0]
    return information


def pairwise_information(counts: CountSource, *, given_class: bool = True) -> Floats:
    """``I(X;X'|C)`` of every pair of attributes, or ``I(X;X')``: a symmetric matrix."""
    n, cards = counts.n_attributes, counts.attribute_cards
    require_memory(8 * n * n, f"The matrix of {n} x {n} attributes", "select attributes first")
    narrow = [v for v in range(n) if cards[v] <= WIDE]
    if len(narrow) == n:
        return counts.pair_information(narrow, given_class=given_class)
    matrix = np.zeros((n, n))
    matrix[np.ix_(narrow, narrow)] = counts.pair_information(narrow, given_class=given_class)
    for i in set(range(n)) - set(narrow):
        for j in range(n):
            if i != j:
                found = _observed_information(counts, i, j, given_class=given_class)
                matrix[i, j] = matrix[j, i] = found
    return matrix


def conditional_entropies(
    counts: CountSource, given: Sequence[int], attributes: Sequence[int]
) -> tuple[Floats, Floats, Floats]:
    """``I(A;C|D)``, ``H(A|D)`` and ``H(A,C|D)`` of attributes A, given the attributes D.

    Rows where an attribute is missing tell nothing of it: all three are averages over all rows.
    """
    target, terms = counts.n_attributes, NLogN()
    before = counts.cell_sums(target, given, attributes, terms, refined=False)
    after = counts.cell_sums(target, given, attributes, terms)
    information = after.sum(axis=1) - before.sum(axis=1)
    attribute = after[:, 0] - before[:, 0]
    both = -before[:, 0] - after[:, 1]
    information, attribute, both = (
        np.maximum(part, 0.0) / counts.total for part in (information, attribute, both)
    )
    return information, attribute, both


def _observed_information(counts: CountSource, i: int, j: int, *, given_class: bool) -> float:
    """``I(X_i;X_j|C)`` from the joint values that occur, for domains too large for a table."""
    family = Family(counts.n_attributes, (min(i, j), max(i, j)), given_class=False)
    (table,) = counts.tables([family])
    joint = table.counts[:, 0, :]
    if not given_class:
        joint = joint.sum(axis=1, keepdims=True)
    sums = [joint, joint.sum(axis=0)]
    for codes in table.configurations.table.T:
        margin = np.zeros((codes.max(initial=-1) + 1, joint.shape[1]))
        np.add.at(margin, codes, joint)
        sums.append(margin)
    whole, by_class, by_first, by_second = (float(xlogy(part, part).sum()) for part in sums)
    total = joint.sum()
    return max(0.0, (whole - by_first - by_second + by_class) / total) if total > 0 else 0.0


def _ratio(numerator: float, denominator: float) -> float:
    return min(numerator / denominator, 1.0) if denominator > 0 else 0.0
