"""Orders of the nodes for model averaging.

D. Dash and G. Cooper (2003). Model averaging with discrete Bayesian network classifiers. AISTATS.
Section 4.1 describes three of them: one random ordering, two opposite random orderings, and the
topological sort of the graph of greedy thick-thinning (GTT).
"""

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
    """Return orders as levels of nodes; arcs lead from earlier levels to later levels.

    Parameters
    ----------
    order : {"thick-thin", "information", "random", "opposite"} or sequence
        "thick-thin" is the topological order of the network that greedy thick-thinning learns.
        "information" is the class, then the attributes in the order of decreasing I(X;C). "random"
        draws ``count`` orders. "opposite" draws ``count`` orders and adds the reverse of each. A
        sequence of names, or of sequences of names (levels), is an order chosen by the user.
    counts : CountSource
        The counts of the training rows.
    count : int
        The number of orders to draw. Other orders than "random" and "opposite" require 1.
    random_state : int
        The seed that fixes the random orders.
    greedy : ThickThin
        The greedy thick-thinning of ``order="thick-thin"``.

    Returns
    -------
    list of list of list of int
        The orders. An order is a list of levels, and a level is a list of numbers of nodes.
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
    return drawn if order == "random" else [levels for one in drawn for levels in (one, one[::-1])]
