"""Naive Bayes: the attributes are independent given the class.

I. J. Good (1965). The Estimation of Probabilities: An Essay on Modern Bayesian Methods. MIT Press.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bayesgrove.network import Structure

if TYPE_CHECKING:
    from bayesgrove.counts import CountSource


@dataclass(frozen=True)
class Naive:
    """The naive Bayes structure: the class is the only parent of every attribute.

    References
    ----------
    I. J. Good (1965). The Estimation of Probabilities: An Essay on Modern Bayesian Methods. MIT
    Press.

    Examples
    --------
    >>> from bayesgrove import BayesianNetworkClassifier
    >>> from bayesgrove.structures import Naive
    >>> X, y = [["n", "n"], ["y", "n"], ["n", "y"], ["y", "y"]] * 6, ["no", "yes", "yes", "yes"] * 6
    >>> BayesianNetworkClassifier(Naive()).fit(X, y).network_.parents("x1")
    ('class',)
    """

    def learn(self, counts: CountSource) -> Structure:
        """Return the naive structure, which does not depend on the values of the counts.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows. Only the number of attributes is used.

        Returns
        -------
        Structure
            The class as the only parent of every attribute, then no parents for the class.
        """
        n = counts.n_attributes
        return Structure((*[(n,)] * n, ()))
