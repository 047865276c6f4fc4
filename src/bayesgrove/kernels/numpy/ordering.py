"""Find the order in which to eliminate the variables of a product of tables.

The product is stored as described in `elimination`.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from bayesgrove.kernels import Floats

    Numbers = NDArray[np.int32]

_CHEAP_ORDER = 1 << 15
"""An order that needs at most this many cells is kept: the search for a better one costs more."""


def relevant(
    starts: Numbers, scopes: Numbers, evidence: Numbers, query: int
) -> tuple[Numbers, Numbers]:
    """Return the tables that a query needs, and the tables that only unrelated evidence needs.

    Table ``v`` is the table of variable ``v`` given its parents. A variable without a queried or
    observed descendant sums to one if it is neither queried nor observed: neither list has its
    table.

    Parameters
    ----------
    starts : ndarray of shape (n_variables + 1,)
        Table ``v`` has the variables ``scopes[starts[v]:starts[v + 1]]``.
    scopes : ndarray
        Variables of all tables, one table after another.
    evidence : ndarray of shape (n_variables,)
        Observed code of each variable, or -1 where the variable is unknown.
    query : int
        Number of the variable that is asked for.

    Returns
    -------
    related : ndarray
        Numbers of the tables that the query depends on, in ascending order.
    apart : ndarray
        Numbers of the tables that concern only evidence separated from the query, in ascending
        order.
    """
    known = np.flatnonzero(evidence >= 0).tolist()
    scope_of = [scopes[a:b].tolist() for a, b in pairwise(starts.tolist())]
    ancestral = _closure([query, *known], lambda v: scope_of[v])
    users: dict[int, list[int]] = {}
    for f in ancestral:
        for v in scope_of[f]:
            users.setdefault(v, []).append(f)
    related: set[int] = set()

    def next_to(v: int) -> list[int]:
        tables = [f for f in users.get(v, ()) if f not in related]
        related.update(tables)
        return [u for f in tables for u in scope_of[f] if evidence[u] < 0]

    _closure([query], next_to)
    return numbers(sorted(related)), numbers(sorted(ancestral - related))


def elimination_order(
    cards: Numbers,
    starts: Numbers,
    scopes: Numbers,
    which: Numbers,
    evidence: Numbers,
    keep: Numbers,
) -> tuple[Numbers, Floats]:
    """Return a good elimination order of the unknown variables outside `keep`.

    The variable that needs the smallest table is eliminated first (min-weight). If that order is
    expensive, the order that connects the fewest other variables (min-fill) is tried as well. The
    native kernel also tries min-fill weighted by cardinalities. It may stop an order that would
    need more than 1e15 cells.

    Parameters
    ----------
    cards : ndarray of shape (n_variables,)
        Cardinality of each variable.
    starts : ndarray of shape (n_tables + 1,)
        Table ``f`` has the variables ``scopes[starts[f]:starts[f + 1]]``.
    scopes : ndarray
        Variables of all tables, one table after another. The last variable of a table varies
        fastest.
    which : ndarray
        Numbers of the tables that take part in the product.
    evidence : ndarray of shape (n_variables,)
        Observed code of each variable, or -1 where the variable is unknown.
    keep : ndarray
        Unknown variables that are not eliminated.

    Returns
    -------
    order : ndarray
        Variables in the order of their elimination.
    cells : ndarray
        Number of cells of the table that each elimination needs.
    """
    graph: dict[int, set[int]] = {}
    for f in which.tolist():
        scope = [v for v in scopes[starts[f] : starts[f + 1]].tolist() if evidence[v] < 0]
        for v in scope:
            graph.setdefault(v, set()).update(u for u in scope if u != v)
    kept = set(keep.tolist())
    best = _greedy(graph, kept, cards, fill=False)
    if sum(best.values()) > _CHEAP_ORDER:
        best = min(best, _greedy(graph, kept, cards, fill=True), key=lambda o: sum(o.values()))
    return numbers(best), np.array(list(best.values()))


def _greedy(
    graph: dict[int, set[int]], kept: set[int], cards: Numbers, *, fill: bool
) -> dict[int, float]:
    """Return the variables in the order of their elimination, each with the cells it needs."""
    near = {v: set(others) for v, others in graph.items()}

    def cells(v: int) -> float:
        return math.prod([float(cards[u]) for u in near[v]]) * float(cards[v])

    def cost(v: int) -> tuple[float, ...]:
        if not fill:
            return (cells(v),)
        return sum(len(near[v] - near[u]) - 1 for u in near[v]), cells(v)

    costs = {v: cost(v) for v in near if v not in kept}
    order: dict[int, float] = {}
    while costs:
        variable = min(costs, key=costs.__getitem__)
        del costs[variable]
        order[variable] = cells(variable)
        around = near.pop(variable)
        for u in around:
            near[u] |= around
            near[u] -= {u, variable}
        stale = around.union(*(near[u] for u in around)) if fill else around
        costs.update((u, cost(u)) for u in stale if u in costs)
    return order


def _closure(start: Iterable[int], following: Callable[[int], Iterable[int]]) -> set[int]:
    """Return everything that can be reached from the start."""
    waiting = list(start)
    seen = set(waiting)
    while waiting:
        for v in following(waiting.pop()):
            if v not in seen:
                seen.add(v)
                waiting.append(v)
    return seen


def numbers(values: Iterable[int]) -> Numbers:
    """Return numbers of variables or tables as the array that the kernels take.

    Parameters
    ----------
    values : iterable of int
        Numbers of variables or tables.

    Returns
    -------
    ndarray
        The numbers as int32.
    """
    return np.array(list(values), dtype=np.int32)
