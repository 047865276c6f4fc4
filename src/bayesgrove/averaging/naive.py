"""Exact model averaging over all naive structures (NMA).

D. Dash and G. Cooper (2002). Exact model averaging with naive Bayesian classifiers. ICML-02.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit

from bayesgrove._utils.options import require_level, require_number
from bayesgrove._utils.renamed import renamed
from bayesgrove.counts import Configurations, Family
from bayesgrove.network import BayesianNetwork, ConditionalTable, Structure
from bayesgrove.parameters.dirichlet import normalise
from bayesgrove.scores.decomposable import DirichletTerms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.counts import CountSource
    from bayesgrove.kernels import Floats


@renamed(prior="arc_prior")
@dataclass(frozen=True)
class NaiveAverage:
    """Model averaging over all naive structures.

    In each of the 2^n structures, every attribute either has the class as its parent or not.
    p is the prior probability ``arc_prior``. Given the data, attribute X depends on the class with
    the probability

    ``w = p P(X | C) / (p P(X | C) + (1 - p) P(X))``,

    where P(X | C) and P(X) are the marginal likelihoods of its column with and without the arc. The
    average predicts as one naive network with the tables ``w P(x | c) + (1 - w) P(x)``.

    Parameters
    ----------
    alpha : float, default=1.0
        The pseudo-count of every cell, above 0.
    arc_prior : float, default=0.5
        The prior probability that an attribute depends on the class, between 0 and 1.

    References
    ----------
    D. Dash and G. Cooper (2002). Exact model averaging with naive Bayesian classifiers. Proceedings
    of the Nineteenth International Conference on Machine Learning (ICML 2002).

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.contracts import TrainingData
    >>> from bayesgrove.averaging import NaiveAverage
    >>> a, b = np.tile(np.array([[0, 0, 1, 1], [0, 1, 0, 1]], dtype=np.uint8), 9)
    >>> counts = TrainingData.of_columns([a, b], [2, 2], a, 2).counts
    >>> network, relevance = NaiveAverage().learn(counts, [(0, 1)] * 3)
    >>> relevance.round(2).tolist()
    [1.0, 0.28]
    """

    alpha: float = 1.0
    arc_prior: float = 0.5

    def learn(
        self, counts: CountSource, states: Sequence[tuple[Any, ...]]
    ) -> tuple[BayesianNetwork, Floats]:
        """Learn the naive network that predicts as the average does.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.
        states : sequence of tuple
            The states of every attribute, then of the class.

        Returns
        -------
        tuple of BayesianNetwork and ndarray of shape (n_attributes,)
            The network, and the posterior probability that each attribute depends on the class.
        """
        require_number("alpha", self.alpha, lowest=1e-100)
        require_level("arc_prior", self.arc_prior)
        last, tables = counts.n_attributes, counts.attribute_tables()
        relevance = self._relevance(tables)
        averaged = [
            self._averaged(v, table, weight)
            for v, (table, weight) in enumerate(zip(tables, relevance.tolist(), strict=True))
        ]
        of_class = Family(last, (), given_class=False)
        prior = normalise(counts.class_counts + self.alpha)[None, None]
        averaged.append(ConditionalTable(of_class, Configurations(()), prior))
        structure = Structure((*((last,) for _ in range(last)), ()))
        return BayesianNetwork(counts.names, states, structure, averaged), relevance

    def _relevance(self, tables: Sequence[Floats]) -> Floats:
        """Return the posterior probability w that each attribute depends on the class."""
        log_odds = np.log(self.arc_prior) - np.log1p(-self.arc_prior)
        gains = [self._log_likelihood(t) - self._log_likelihood(t.sum(axis=0)) for t in tables]
        return np.asarray(expit(np.array(gains) + log_odds), dtype=np.float64)

    def _log_likelihood(self, table: Floats) -> float:
        """Return the log marginal likelihood of a column, summed over the rows of its table."""
        terms = DirichletTerms(self.alpha, table.shape[-1])
        return float(terms.outer(table.sum(axis=-1)).sum() + terms.inner(table).sum())

    def _averaged(self, attribute: int, table: Floats, weight: float) -> ConditionalTable:
        """Return the table ``w P(x | c) + (1 - w) P(x)`` of an attribute; ``weight`` is w."""
        dependent = normalise(table + self.alpha)
        independent = normalise(table.sum(axis=0) + self.alpha)
        family = Family(attribute, (), given_class=True)
        cells = weight * dependent + (1.0 - weight) * independent
        return ConditionalTable(family, Configurations(()), cells[None])
