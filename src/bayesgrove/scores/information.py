"""Entropy and mutual information, in nats, as functions of tables of counts.

Counts may be sums of weights. ``0 ln 0 = 0``; a ratio with denominator 0 is 0.
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
"""Divide nats by this to get bits."""
WIDE = 256
"""Pairs with an attribute of more values are counted from the joint values that occur."""


@dataclass(frozen=True)
class NLogN:
    """Terms of the log-likelihood: ``n ln n`` of the family's joint values minus the parents'."""

    def outer(self, counts: Floats) -> Floats:
        """Return ``-n ln n``, the term of a joint value of the parents."""
        return np.asarray(-xlogy(counts, counts), dtype=np.float64)

    def inner(self, counts: Floats) -> Floats:
        """Return ``n ln n``, the term of a joint value of the family."""
        return np.asarray(xlogy(counts, counts))


def entropy(counts: ArrayLike) -> float:
    """Return ``H(X) = -sum p ln p`` of a table of counts of any shape.

    >>> round(entropy([1, 1]) / BITS, 12)
    1.0
    """
    counts = np.asarray(counts, dtype=np.float64)
    total = counts.sum()
    if total <= 0:
        return 0.0
    return max(0.0, float(np.log(total) - xlogy(counts, counts).sum() / total))


def mutual_information(table: ArrayLike) -> float:
    """Return ``I(X;Y) = H(X) + H(Y) - H(X,Y)`` of a table ``N[x, y]``.

    >>> round(mutual_information([[2, 0], [0, 2]]) / BITS, 12)
    1.0
    """
    return conditional_mutual_information(np.asarray(table, dtype=np.float64)[None])


def conditional_mutual_information(table: ArrayLike) -> float:
    """Return ``I(X;Y|C)`` of a table ``N[c, x, y]``.

    ``I(X;Y|C) = sum_c,x,y p(c,x,y) ln p(x,y|c) / (p(x|c) p(y|c))``
    """
    table = np.ascontiguousarray(table, dtype=np.float64)
    _, rows, columns = table.shape
    return float(
        kernels.information_of_tables(table, [rows], [columns], float(table.sum()), 1)[0, 0]
    )


def gain_ratio(table: ArrayLike) -> float:
    """Return ``I(X;C) / H(X)`` of a table ``N[x, c]`` (Quinlan 1986).

    >>> round(gain_ratio([[2, 0], [0, 1], [0, 1]]), 12)
    0.666666666667
    """
    table = np.asarray(table, dtype=np.float64)
    return _ratio(mutual_information(table), entropy(table.sum(axis=1)))


def symmetrical_uncertainty(table: ArrayLike) -> float:
    """Return ``2 I(X;Y) / (H(X) + H(Y))`` of a table ``N[x, y]``, between 0 and 1.

    >>> symmetrical_uncertainty([[3, 0], [0, 1]])
    1.0
    """
    table = np.asarray(table, dtype=np.float64)
    both = entropy(table.sum(axis=1)) + entropy(table.sum(axis=0))
    return _ratio(2.0 * mutual_information(table), both)


def share_missing(table: ArrayLike) -> Floats:
    """Return a table ``N[x, y]`` in which the missing values are distributed over the known values.

    The last row and the last column of the argument count the missing values. They are distributed
    in proportion: rows with a known y by ``P(x)``, rows with a known x by ``P(y)``, and rows with
    neither by ``P(x, y)``. If x is missing in all rows, or y is, the result counts only the rows
    with both.

    >>> share_missing([[3, 0, 0], [0, 1, 0], [4, 4, 0]]).tolist()
    [[6.0, 3.0], [1.0, 2.0]]
    """
    # Differences of weights may be slightly below 0, from rounding.
    table = np.maximum(np.asarray(table, dtype=np.float64), 0.0)
    known, x_only, y_only, neither = table[:-1, :-1], table[:-1, -1], table[-1, :-1], table[-1, -1]
    x_totals, y_totals = known.sum(axis=1) + x_only, known.sum(axis=0) + y_only
    shared: Floats = known.copy()
    if x_totals.sum() > 0 and y_totals.sum() > 0:
        shared += np.outer(x_totals / x_totals.sum(), y_only) + np.outer(
            x_only, y_totals / y_totals.sum()
        )
        if known.sum() > 0:
            shared += known / known.sum() * neither
    return shared


def tables_with_shares(counts: CountSource) -> list[Floats]:
    """Return the table ``N[x, c]`` of every attribute, with missing values shared out.

    A row where the attribute is missing keeps its class; it is distributed over the values in
    proportion to their frequencies (`share_missing`).
    """
    tables = []
    for known in counts.attribute_tables():
        whole = np.zeros((known.shape[1] + 1, known.shape[0] + 1))
        whole[:-1, :-1] = known.T
        whole[-1, :-1] = counts.class_counts - known.sum(axis=1)
        tables.append(share_missing(whole))
    return tables


def information_with_class(counts: CountSource) -> Floats:
    """Return ``I(X;C)`` of every attribute X."""
    table = counts.class_tables()[None]
    information: Floats = kernels.information_of_tables(
        table, [counts.n_classes], counts.attribute_cards, counts.total, counts.threads
    )[0]
    return information


def pairwise_information(counts: CountSource, *, given_class: bool = True) -> Floats:
    """Return ``I(X;X'|C)`` or ``I(X;X')`` of every pair of attributes, as a symmetric matrix.

    Parameters
    ----------
    counts : CountSource
        Counts of the rows.
    given_class : bool, default=True
        Whether the information is conditional on the class.

    Returns
    -------
    ndarray of shape (n_attributes, n_attributes)
        Symmetric matrix in nats, with zeros on the diagonal. Do not write to it.
    """
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
                information = _observed_information(counts, i, j, given_class=given_class)
                matrix[i, j] = matrix[j, i] = information
    return matrix


def conditional_entropies(
    counts: CountSource, given: Sequence[int], attributes: Sequence[int]
) -> tuple[Floats, Floats, Floats]:
    """Return ``I(A;C|D)``, ``H(A|D)`` and ``H(A,C|D)`` of attributes A, given the attributes D.

    A row in which an attribute is missing gives no information about it, but all three are averages
    over all rows.

    Parameters
    ----------
    counts : CountSource
        Counts of the rows.
    given : sequence of int
        Numbers of the attributes D.
    attributes : sequence of int
        Numbers of the attributes A.

    Returns
    -------
    tuple of three ndarray of shape (n_attributes,)
        The three quantities in nats, each with one number per attribute A.
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
    """Return ``I(X_i;X_j|C)`` from joint values that occur, for domains too large for a table."""
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
    """Return a ratio of at most 1; 0 if the denominator is 0."""
    return min(numerator / denominator, 1.0) if denominator > 0 else 0.0


def debiased_information(table: Floats, cards: Sequence[int]) -> Floats:
    """Return I(X;C) of every attribute minus its expected value under independence.

    ``table`` holds ``N[c, value]`` of all attributes side by side, and ``cards`` their
    cardinalities. Under independence, the expected value of I(X;C) in N rows is about
    ``(r - 1)(k - 1) / 2N`` for r observed values and k classes (Miller 1955).
    """
    classes, cells = table.shape
    if not cells:
        return np.zeros(0)
    starts = np.cumsum([0, *cards])[:-1]
    by_class = np.add.reduceat(table, starts, axis=1)
    totals = by_class.sum(axis=0)
    sums = table.sum(axis=0)
    joint = np.add.reduceat(_xlogx(table).sum(axis=0) - _xlogx(sums), starts)
    information = joint - _xlogx(by_class).sum(axis=0) + _xlogx(totals)
    observed = np.add.reduceat((sums > 0).astype(np.float64), starts)
    result: Floats = (information - (observed - 1) * (classes - 1) / 2) / np.maximum(totals, 1)
    return result


def _xlogx(x: Floats) -> Floats:
    """Return ``x ln x``, with ``0 ln 0 = 0``."""
    out: Floats = x * np.log(np.where(x > 0, x, 1.0))
    return out
