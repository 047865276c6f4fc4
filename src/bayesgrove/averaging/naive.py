"""Averaging over all naive structures: every attribute depends on the class, or does not.

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
    """The average over the 2^n structures in which each attribute has the class as parent or not.

    With ``alpha`` pseudo-counts a cell, and each attribute relevant with probability
    ``arc_prior``
    beforehand, attribute X depends on the class with the probability

    ``w = p P(X | C) / (p P(X | C) + (1 - p) P(X))``,

    the P being marginal likelihoods of its column. Predictions of the average are those of one
    naive network with the tables ``w P(x | c) + (1 - w) P(x)``.
    """

    alpha: float = 1.0
    arc_prior: float = 0.5

    def learn(
        self, counts: CountSource, states: Sequence[tuple[Any, ...]]
    ) -> tuple[BayesianNetwork, Floats]:
        """The naive network that predicts as the average does, and how relevant attributes are."""
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
        """The probability that each attribute depends on the class."""
        odds = np.log(self.arc_prior) - np.log1p(-self.arc_prior)
        gains = [self._likelihood(t) - self._likelihood(t.sum(axis=0)) for t in tables]
        return np.asarray(expit(np.array(gains) + odds), dtype=np.float64)

    def _likelihood(self, table: Floats) -> float:
        """The logarithm of the marginal likelihood of values, in rows of counts."""
        terms = DirichletTerms(self.alpha, table.shape[-1])
        return float(terms.outer(table.sum(axis=-1)).sum() + terms.inner(table).sum())

    def _averaged(self, attribute: int, table: Floats, weight: float) -> ConditionalTable:
        given, alone = normalise(table + self.alpha), normalise(table.sum(axis=0) + self.alpha)
        family = Family(attribute, (), given_class=True)
        cells = weight * given + (1.0 - weight) * alone
        return ConditionalTable(family, Configurations(()), cells[None])
