"""Find the order in which to eliminate the variables of a product of tables.

The product is laid out as in `elimination`.
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
"""Cells: looking for a better order would cost more."""


def relevant(
    starts: Numbers, scopes: Numbers, evidence: Numbers, query: int
) -> tuple[Numbers, Numbers]:
    """Tables that bear on a query, and those that only evidence apart from it needs.

    Table ``v`` is that of variable ``v`` given its parents. Variables without a descendant that is
    asked for or known sum to one: neither list has them.
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
    """Unknown variables outside ``keep`` in a good order; cells of the table each of them needs.

    The variable that needs the smallest table goes first (min-weight); where that is dear, the one
    that connects the fewest others (min-fill) is tried as well. An order that would need more than
    1e15 cells may end there.
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
    """Variables in the order of their elimination, and the cells it takes."""
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
    """All that can be reached."""
    waiting = list(start)
    seen = set(waiting)
    while waiting:
        for v in following(waiting.pop()):
            if v not in seen:
                seen.add(v)
                waiting.append(v)
    return seen


def numbers(values: Iterable[int]) -> Numbers:
    """Return numbers of variables or tables as the kernels take them."""
    return np.array(list(values), dtype=np.int32)
