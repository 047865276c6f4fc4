"""Orders of the nodes to average along."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove._utils.options import OptionError, require_choice, require_count, require_seed
from bayesgrove.scores.information import information_with_class
from bayesgrove.search import named_levels, rounded_for_ties

if TYPE_CHECKING:
    from bayesgrove.counts import CountSource
    from bayesgrove.structures import ThickThin

ORDERS = ("thick-thin", "information", "random", "opposite")

Levels = list[list[int]]


def orders_of(
    order: Any, counts: CountSource, count: int, random_state: int, greedy: ThickThin
) -> list[Levels]:
    """Orders as levels of nodes; arcs lead from earlier levels to later ones.

    "thick-thin" is the topological order of the network that ``greedy`` thick-thinning finds,
    "information" the class and then the attributes by I(X;C), "random" so many orders that the seed
    fixes, "opposite" these and each of them backwards. A list of names, or of lists of names, is
    the user's own.
    """
    require_count("n_orders", count, lowest=1)
    named = not isinstance(order, str)
    if not named:
        require_choice("order", order, ORDERS)
    if count > 1 and (named or order not in ("random", "opposite")):
        raise OptionError(f"n_orders={count!r} needs order='random' or order='opposite'.")
    if named:
        return [named_levels(order, counts.names)]
    last = counts.n_attributes
    if order == "thick-thin":
        return [[[v] for v in greedy.learn(counts).order()]]
    if order == "information":
        relevance = rounded_for_ties(information_with_class(counts))
        return [[[last], *([v] for v in np.argsort(-relevance, kind="stable").tolist())]]
    require_seed("random_state", random_state)
    random = np.random.default_rng(random_state)
    drawn = [[[v] for v in random.permutation(last + 1).tolist()] for _ in range(count)]
    return drawn if order == "random" else [way for own in drawn for way in (own, own[::-1])]
