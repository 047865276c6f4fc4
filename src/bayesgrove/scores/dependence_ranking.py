"""The order of the attributes, and the candidates for their parents, by which KDB networks grow."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.network import Structure
from bayesgrove.scores.information import information_with_class, pairwise_information
from bayesgrove.search import rounded_for_ties

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.counts import CountSource
    from bayesgrove.kernels import Floats


@dataclass(frozen=True)
class DependenceRanking:
    """Attributes in the order of decreasing I(X;C), each with its strongest possible parents.

    Parameters
    ----------
    order : list of int
        The attributes, in the order in which they enter the network.
    parents : list of ndarray of int
        For each attribute X, in the order of the columns: the attributes X' that entered before X
        and may be its parents, by decreasing I(X;X'|C).
    dependence : list of ndarray of float
        The I(X;X'|C) of each of them.
    """

    order: list[int]
    parents: list[NDArray[np.intp]]
    dependence: list[Floats]

    @property
    def largest_k(self) -> int:
        """The largest number of parents of an attribute."""
        return max([0, *map(len, self.parents)])

    def above(self, theta: float | None) -> DependenceRanking:
        """Return the ranking with only the parents whose I(X;X'|C) is above ``theta``.

        None means no threshold. The parents of an attribute that remain are its strongest ones.
        """
        if theta is None:
            return self
        kept = [dependence > theta for dependence in self.dependence]
        return DependenceRanking(
            self.order,
            [others[chosen] for others, chosen in zip(self.parents, kept, strict=True)],
            [dependence[chosen] for dependence, chosen in zip(self.dependence, kept, strict=True)],
        )

    def structure(self, k: int, size: float = math.inf) -> Structure:
        """Return the network of the k strongest parents of every attribute.

        With ``size``, only the first ``size`` attributes of the order are in the network. All
        others have no parents and no children.
        """
        n = len(self.order)
        parents: list[tuple[int, ...]] = [()] * n
        for place, x in enumerate(self.order):
            if place < size:
                parents[x] = (*self.parents[x][:k].tolist(), n)
        return Structure((*parents, ()))


def rank_dependence(counts: CountSource, k: int, unit: float = 1.0) -> DependenceRanking:
    """Return the order of the attributes, and the k strongest parents that each may have.

    The attributes enter in the order of decreasing I(X;C). The candidates for the parents of X are
    the attributes that entered before. Ties (equal within 1e-12) go to the earlier column. The
    information is measured in units of ``unit`` nats.
    """
    n = counts.n_attributes
    relevance = rounded_for_ties(information_with_class(counts))
    dependence = np.zeros((n, n)) if k == 0 else pairwise_information(counts)
    if unit != 1.0:
        dependence = dependence / unit
    strength = rounded_for_ties(dependence)
    order = np.argsort(-relevance, kind="stable").tolist()
    parents = [np.zeros(0, dtype=np.intp)] * n
    entered = np.zeros(n, dtype=bool)
    for x in order:
        strongest = largest(np.where(entered, strength[x], -np.inf), k)
        parents[x] = strongest[entered[strongest]]
        entered[x] = True
    values = [dependence[x, others] for x, others in enumerate(parents)]
    return DependenceRanking(order, parents, values)


def largest(values: Floats, k: int) -> NDArray[np.intp]:
    """Return the indices of the k largest values, largest first; ties go to the earlier value.

    >>> largest(np.array([1.0, 3.0, 2.0, 3.0]), 3)
    array([1, 3, 2])
    """
    if 0 < k < len(values):
        kth = np.partition(values, len(values) - k)[len(values) - k]
        candidates = np.flatnonzero(values >= kth)
    else:
        candidates = np.arange(len(values))
    return candidates[np.argsort(-values[candidates], kind="stable")][:k]
