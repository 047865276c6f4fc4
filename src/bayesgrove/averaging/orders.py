"""Orders of the nodes to average along."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.options import require_choice, require_seed
from bayesgrove.scores.information import information_with_class, ranks
from bayesgrove.search import named_levels
from bayesgrove.structures import ThickThin

if TYPE_CHECKING:
    from bayesgrove.counts import CountSource

ORDERS = ("thick-thin", "information", "random")


def levels_of(order: Any, counts: CountSource, seed: int) -> list[list[int]]:
    """Levels of nodes; arcs lead from earlier levels to later ones.

    "thick-thin" is the topological order of the network that greedy thick-thinning finds,
    "information" the class and then the attributes by I(X;C), "random" one that the seed fixes.
    A list of names, or of lists of names, is the user's own.
    """
    if not isinstance(order, str):
        return named_levels(order, counts.names)
    require_choice("order", order, ORDERS)
    last = counts.n_attributes
    if order == "random":
        require_seed("random_state", seed)
        return [[v] for v in np.random.default_rng(seed).permutation(last + 1).tolist()]
    if order == "information":
        relevance = ranks(information_with_class(counts))
        return [[last], *([v] for v in np.argsort(-relevance, kind="stable").tolist())]
    return [[v] for v in ThickThin().learn(counts).order()]
