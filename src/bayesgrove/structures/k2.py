"""K2: greedy parents of every node along a given order.

G. Cooper and E. Herskovits (1992). A Bayesian method for the induction of probabilistic networks
from data. Machine Learning 9, 309-347.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove._utils.options import require_count
from bayesgrove.network import Structure
from bayesgrove.scores.decomposable import K2Score, gains
from bayesgrove.scores.information import information_with_class
from bayesgrove.search import greedy_parents, named_levels, rounded_for_ties

if TYPE_CHECKING:
    from bayesgrove.counts import CountSource


@dataclass(frozen=True)
class K2:
    """Every node takes the parent before it that raises the probability most, and so on.

    ``order`` names every node, the class by its own name; None is the class first, then the
    attributes by I(X;C). ``max_parents`` bounds the number of parents, the class included; None
    is no bound.
    """

    order: Any = None
    max_parents: int | None = None

    def learn(self, counts: CountSource) -> Structure:
        """Parents of every node."""
        require_count("max_parents", self.max_parents, optional=True)
        found = greedy_parents(
            self._order(counts), partial(gains, K2Score(), counts), self.max_parents
        )
        return Structure(tuple(found[v] for v in range(len(counts.cards))))

    def _order(self, counts: CountSource) -> list[int]:
        if self.order is None:
            relevance = rounded_for_ties(information_with_class(counts))
            return [counts.n_attributes, *np.argsort(-relevance, kind="stable").tolist()]
        levels = named_levels(self.order, counts.names)
        for level in levels:
            if len(level) > 1:
                both = " and ".join(repr(counts.names[v]) for v in level[:2])
                raise ValueError(f"order does not say which of {both} comes first.")
        return [v for level in levels for v in level]
