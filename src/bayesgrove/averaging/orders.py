"""Orders of the nodes for model averaging.

D. Dash and G. Cooper (2003). Model averaging with discrete Bayesian network classifiers. AISTATS.
Section 4.1 describes three of them: one random ordering, two opposite random orderings, and the
topological sort of the graph of greedy thick-thinning (GTT).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove._utils.options import OptionError, require_count, require_seed
from bayesgrove.averaging.order_search import GreedyOrder, OrderScores
from bayesgrove.scores.information import information_with_class
from bayesgrove.search import named_levels, rounded_for_ties

if TYPE_CHECKING:
    from bayesgrove.averaging.ordered import OrderedAverage
    from bayesgrove.counts import CountSource
    from bayesgrove.structures import ThickThin

ORDERS = ("thick-thin", "information", "greedy", "random", "opposite", "mcmc")

Levels = list[list[int]]


def orders_of(
    order: Any,
    counts: CountSource,
    count: int | None,
    random_state: int,
    greedy: ThickThin,
    average: OrderedAverage,
) -> list[Levels]:
    """Return orders as levels of nodes; arcs lead from earlier levels to later levels.

    Parameters
    ----------
    order : {"thick-thin", "information", "greedy", "random", "opposite"} or sequence
        "thick-thin" is the topological order of the network that greedy thick-thinning learns.
        "information" is the class, then the attributes in the order of decreasing I(X;C). "greedy"
        is the best order that `GreedyOrder` finds. "random" draws ``count`` orders. "opposite"
        draws ``count`` orders and adds the reverse of each. A sequence of names, or of sequences of
        names (levels), is an order chosen by the user.
    counts : CountSource
        The counts of the training rows.
    count : int or None
        The number of orders to draw; None means 1. Other orders than "random" and "opposite"
        require 1 or None.
    random_state : int
        The seed that fixes the random orders.
    greedy : ThickThin
        The greedy thick-thinning of ``order="thick-thin"``.
    average : OrderedAverage
        The average, whose scores ``order="greedy"`` improves.

    Returns
    -------
    list of list of list of int
        The orders. An order is a list of levels, and a level is a list of numbers of nodes.
    """
    require_count("n_orders", count, optional=True, lowest=1)
    named = not isinstance(order, str)
    drawn_count = 1 if count is None else count
    if drawn_count > 1 and (named or order not in ("random", "opposite")):
        raise OptionError(
            f"n_orders={count!r} needs order='random', order='opposite' or order='mcmc'."
        )
    if named:
        return [named_levels(order, counts.names)]
    last = counts.n_attributes
    if order == "thick-thin":
        return [[[v] for v in greedy.learn(counts).order()]]
    if order == "information":
        relevance = rounded_for_ties(information_with_class(counts))
        return [[[last], *([v] for v in np.argsort(-relevance, kind="stable").tolist())]]
    require_seed("random_state", random_state)
    if order == "greedy":
        search = GreedyOrder(random_state=random_state)
        return [[[v] for v in search.search(OrderScores.of(average, counts))]]
    random = np.random.default_rng(random_state)
    drawn = [[[v] for v in random.permutation(last + 1).tolist()] for _ in range(drawn_count)]
    return drawn if order == "random" else [levels for one in drawn for levels in (one, one[::-1])]
