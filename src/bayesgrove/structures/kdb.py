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

    The algorithm computes the mutual information I(X;C) of every attribute with the class (step 1
    of the paper) and the conditional mutual information I(X;X'|C) of every pair given the class
    (step 2). Then the attributes enter the list S of used variables, in the order of decreasing
    I(X;C) (step 5). Each attribute X gets as parents the class and the m = min(|S|, k) attributes
    X' in S with the highest I(X;X'|C). Ties (equal within 1e-12) go to the earlier column.

    Parameters
    ----------
    k : int, default=1
        The largest number of attribute parents of an attribute. 0 is naive Bayes.
    theta : float or None, default=None
        The mutual information threshold of the variant KDB-theta, which the paper sets to 0.03: an
        attribute X' becomes a parent only if I(X;X'|C) > theta. None means no threshold.
    unit : {"nats", "bits"}, default="nats"
        The unit of ``theta``. The paper does not say which unit it uses.

    References
    ----------
    M. Sahami (1996). Learning limited dependence Bayesian classifiers. Proceedings of the Second
    International Conference on Knowledge Discovery and Data Mining (KDD-96), 335-338.

    Examples
    --------
    >>> from bayesgrove import BayesianNetworkClassifier
    >>> from bayesgrove.structures import KDB
    >>> X, y = [["n", "n"], ["y", "n"], ["n", "y"], ["y", "y"]] * 6, ["no", "yes", "yes", "yes"] * 6
    >>> BayesianNetworkClassifier(KDB(k=1)).fit(X, y).network_.parents("x1")
    ('x0', 'class')
    """

    k: int = 1
    theta: float | None = None
    unit: str = "nats"

    def learn(self, counts: CountSource) -> Structure:
        """Learn the parents of every node.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.

        Returns
        -------
        Structure
            At most k attributes and the class as parents of every attribute.
        """
        self._check()
        n = counts.n_attributes
        relevance = rounded_for_ties(information_with_class(counts))
        dependence = np.zeros((n, n)) if self.k == 0 else pairwise_information(counts)
        if self.unit == "bits":
            dependence = dependence / BITS
        strength = rounded_for_ties(dependence)
        parents: list[tuple[int, ...]] = [()] * n
        entered = np.zeros(n, dtype=bool)  # the used variable list S of the paper
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
