"""K2: greedy parents of every node along a given order.

G. Cooper and E. Herskovits (1992). A Bayesian method for the induction of probabilistic networks
from data. Machine Learning 9, 309-347.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.network import Structure
from bayesgrove.options import is_whole
from bayesgrove.scores.decomposable import K2Score, gains
from bayesgrove.scores.information import information_with_class, ranks
from bayesgrove.search import greedy_parents

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
        if self.max_parents is not None and (
            not is_whole(self.max_parents) or self.max_parents < 0
        ):
            raise ValueError(
                f"max_parents={self.max_parents!r} must be None or a whole number of at least 0."
            )
        found = greedy_parents(
            self._order(counts), partial(gains, K2Score(), counts), self.max_parents
        )
        return Structure(tuple(found[v] for v in range(len(counts.cards))))

    def _order(self, counts: CountSource) -> list[int]:
        if self.order is None:
            relevance = ranks(information_with_class(counts))
            return [counts.n_attributes, *np.argsort(-relevance, kind="stable").tolist()]
        unordered = isinstance(self.order, (str, Mapping, Set))
        if unordered or not isinstance(self.order, Iterable):
            raise ValueError(f"order={self.order!r} must be None or a list of names.")
        place = {name: v for v, name in enumerate(counts.names)}
        names = [str(name) for name in self.order]
        for name in names:
            if name not in place:
                raise ValueError(
                    f"order names {name!r}, which is no node: the nodes are the columns and the "
                    f"class {counts.names[-1]!r}."
                )
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"order names {twice!r} more than once.")
        for name in place:
            if name not in names:
                what = "the class" if name == counts.names[-1] else "the column"
                raise ValueError(f"order misses {what} {name!r}: it must name every node once.")
        return [place[name] for name in names]
