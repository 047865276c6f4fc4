"""Sums of a function of the counts over all cells of a family's table."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

import numpy as np

from bayesgrove.counts.configurations import Partition
from bayesgrove.encoding import code_type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.counts.tables import FamilyTable
    from bayesgrove.kernels import Codes, Floats

    Term = Callable[[Floats], Floats]

SCALE_BITS = 61
"""Tabulated terms are scaled so that no sum exceeds 2 to the power of this number."""
BLOCK = 1 << 18
"""Functions of counts are evaluated for this number of counts at a time."""


class CellTerms(Protocol):
    """Two functions of a count, whose sums over the cells of a table make a score.

    Both functions are 0 at 0, so that only observed cells matter. A score sums ``outer`` over the
    joint values u of the parents, and ``inner`` over the joint values of u and the child. Terms
    must be hashable, since sums are cached by them.
    """

    def __hash__(self) -> int:
        """Return the hash; equal terms have equal hashes."""

    def outer(self, counts: Floats) -> Floats:
        """Return the term of each joint value of the parents.

        Parameters
        ----------
        counts : ndarray of float
            Counts, of any shape.

        Returns
        -------
        ndarray of float
            The terms, in the same shape.
        """

    def inner(self, counts: Floats) -> Floats:
        """Return the term of each joint value of the parents and the child.

        Parameters
        ----------
        counts : ndarray of float
            Counts, of any shape.

        Returns
        -------
        ndarray of float
            The terms, in the same shape.
        """


class FixedTerms:
    """Terms of the counts 0..largest as integers in units of 1 / scale, so that sums are exact.

    No sum overflows. A sum over cells is a sum over rows, and each row adds at most the largest
    difference between the terms of neighbouring counts.
    """

    def __init__(self, terms: CellTerms, rows: int, largest: int | None = None) -> None:
        size = 1 + (rows if largest is None else min(largest, rows))
        steepest = max(_steepest(f, rows) for f in (terms.outer, terms.inner))
        bits = math.ceil(math.log2(steepest * rows)) if steepest * rows > 1 else 0
        self.scale = math.ldexp(1.0, SCALE_BITS - bits)
        self.outer, self.inner = (
            _tabulated(f, size, self.scale) for f in (terms.outer, terms.inner)
        )

    @property
    def nbytes(self) -> int:
        """Size of both tables in bytes."""
        return self.outer.nbytes + self.inner.nbytes


def _steepest(function: Term, rows: int) -> float:
    """Return the largest difference between terms of neighbouring counts in 0..rows."""
    steps = (
        np.abs(np.diff(function(counts))).max(initial=0.0)
        for counts in _blocks(rows + 1, overlap=1)
    )
    return float(max(steps))


def _tabulated(function: Term, size: int, scale: float) -> NDArray[np.int64]:
    """Return the terms of the counts below ``size``, as integers in units of 1 / scale."""
    table = np.empty(size, dtype=np.int64)
    for counts in _blocks(size):
        start = int(counts[0])
        table[start : start + len(counts)] = np.rint(function(counts) * scale)
    return table


def _blocks(size: int, overlap: int = 0) -> Iterator[Floats]:
    """Yield the counts below ``size`` in blocks, to bound memory."""
    for start in range(0, size, BLOCK):
        yield np.arange(start, min(start + BLOCK + overlap, size), dtype=np.float64)


class Cells:
    """The cells of a table that are not empty, as rows of codes with weights."""

    def __init__(self, table: FamilyTable, class_variable: int, cards: Sequence[int]) -> None:
        configuration, class_code, value = np.nonzero(table.counts)
        self.weights: Floats = table.counts[configuration, class_code, value]
        codes = table.configurations.table[configuration]
        codes_of: dict[int, NDArray[np.int64]] = {
            variable: codes[:, k] for k, variable in enumerate(table.family.parents)
        }
        if table.family.given_class:
            codes_of[class_variable] = class_code
        codes_of[table.family.child] = value
        self.cards = {v: cards[v] for v in codes_of}
        self.columns: dict[int, Codes] = {
            v: np.ascontiguousarray(column).astype(code_type(cards[v]))
            for v, column in codes_of.items()
        }

    def partition(self, variables: Sequence[int]) -> Partition:
        """Return the cells grouped by the joint value of some variables."""
        groups = Partition.whole(len(self.weights))
        for v in variables:
            groups = groups.refine(self.columns[v], self.cards[v])
        return groups

    def sums(self, child: int, given: Sequence[int], terms: CellTerms) -> tuple[float, float]:
        """Return the sums of ``outer`` and ``inner``.

        The first sum is over the joint values of ``given``, the second one over the joint values of
        ``given`` and the child.
        """
        parents = self.partition(given)
        family = parents.refine(self.columns[child], self.cards[child])
        outer: Floats = np.bincount(parents.ids, self.weights, parents.size).astype(np.float64)
        inner: Floats = np.bincount(family.ids, self.weights, family.size).astype(np.float64)
        return float(terms.outer(outer).sum()), float(terms.inner(inner).sum())
