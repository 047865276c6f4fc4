"""KDB: each attribute has the class and at most k attributes as parents.

M. Sahami (1996). Learning limited dependence Bayesian classifiers. KDD-96, 335-338.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.options import OptionError, is_whole, require_choice, require_number
from bayesgrove.network import Structure
from bayesgrove.scores.information import BITS, information_with_class, pairwise_information
from bayesgrove.search import rounded_for_ties

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.counts import CountSource
    from bayesgrove.kernels import Floats


@dataclass(frozen=True)
class KDB:
    """The k-dependence Bayesian classifier.

    Attributes enter in the order of I(X;C); each takes as parents the class and the
    min(k, number entered) attributes X' entered before it of largest I(X;X'|C). With ``theta``
    (the paper's KDB-theta, there 0.03) only those with I(X;X'|C) > theta. The paper does not
    say in which unit theta is: ``unit`` is "nats" or "bits". Of equal values (within 1e-12)
    the earlier column's counts.
    """

    k: int = 1
    theta: float | None = None
    unit: str = "nats"

    def learn(self, counts: CountSource) -> Structure:
        """Parents of every node."""
        self._check()
        n = counts.n_attributes
        relevance = rounded_for_ties(information_with_class(counts))
        dependence = np.zeros((n, n)) if self.k == 0 else pairwise_information(counts)
        if self.unit == "bits":
            dependence = dependence / BITS
        strength = rounded_for_ties(dependence)
        parents: list[tuple[int, ...]] = [()] * n
        entered = np.zeros(n, dtype=bool)  # the paper's S
        for x in np.argsort(-relevance, kind="stable").tolist():
            strongest = largest(np.where(entered, strength[x], -np.inf), self.k)
            strongest = strongest[entered[strongest]]
            if self.theta is not None:
                strongest = strongest[dependence[x, strongest] > self.theta]
            parents[x] = (*strongest.tolist(), n)
            entered[x] = True
        return Structure((*parents, ()))

    def _check(self) -> None:
        if not is_whole(self.k) or self.k < 0:
            raise OptionError(f"k={self.k!r} must be a whole number of at least 0.")
        require_choice("unit", self.unit, ("nats", "bits"))
        if self.theta is not None:
            require_number("theta", self.theta)


def largest(values: Floats, k: int) -> NDArray[np.intp]:
    """Places of the k largest values, largest first; of equal ones the first.

    >>> largest(np.array([1.0, 3.0, 2.0, 3.0]), 3)
    array([1, 3, 2])
    """
    if 0 < k < len(values):
        kth = np.partition(values, len(values) - k)[len(values) - k]
        candidates = np.flatnonzero(values >= kth)
    else:
        candidates = np.arange(len(values))
    return candidates[np.argsort(-values[candidates], kind="stable")][:k]
