"""Exact inference in numpy: multiply tables and sum out one variable after another.

A product of tables over discrete variables is given flat: table ``f`` has the variables
``scopes[starts[f]:starts[f + 1]]``, the last one fastest, and its cells begin at
``values[offsets[f]]``. ``which`` says which tables take part; ``evidence`` has for every variable
the code that is known, or -1. Everything is done in logarithms, so that nothing underflows.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

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
    return _numbers(sorted(related)), _numbers(sorted(ancestral - related))


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
    return _numbers(best), np.array(list(best.values()))


def sum_product(
    cards: Numbers,
    starts: Numbers,
    scopes: Numbers,
    offsets: NDArray[np.int64],
    values: Floats,
    which: Numbers,
    evidence: Numbers,
    order: Numbers,
    keep: Numbers,
) -> Floats:
    """Logarithm of the product, summed over ``order``: one cell a joint value of ``keep``."""
    tables = _slices(cards, starts, scopes, offsets, values, which, evidence)
    buckets = _Buckets(tables, order, keep, cards)
    whole = buckets.forward(lambda _, table: _log_sum(table, (-1,)))
    return whole.ravel()


def posterior(
    cards: Numbers,
    starts: Numbers,
    scopes: Numbers,
    offsets: NDArray[np.int64],
    values: Floats,
    has_zeros: NDArray[np.uint8],
    evidence: Numbers,
    query: int,
    limit: float,
) -> tuple[Floats, float]:
    """``P(query | evidence)``, and how many cells its sums take.

    More than ``limit`` cells: the probabilities are left out. They are all 0 where the evidence is
    impossible; tables apart from the query are looked at only where they have zeros that could
    make it so.
    """
    related, apart = relevant(starts, scopes, evidence, query)
    which = np.concatenate([related, apart]) if has_zeros[apart].any() else related
    keep = _numbers([query] if evidence[query] < 0 else [])
    order, cells = elimination_order(cards, starts, scopes, which, evidence, keep)
    needed = float((cells / cards[order]).sum())
    if needed > limit:
        return np.empty(0), needed
    logs = sum_product(cards, starts, scopes, offsets, values, which, evidence, order, keep)
    if evidence[query] >= 0:
        logs = np.where(np.arange(cards[query]) == evidence[query], logs, -np.inf)
    total = _log_sum(logs, (0,))
    return np.zeros(len(logs)) if np.isneginf(total) else np.exp(logs - total), needed


def marginals(
    cards: Numbers,
    starts: Numbers,
    scopes: Numbers,
    offsets: NDArray[np.int64],
    values: Floats,
    which: Numbers,
    evidence: Numbers,
    order: Numbers,
) -> tuple[Floats, float]:
    """Probabilities of every state of every variable, one after another, and ``ln P(evidence)``.

    ``order`` has all unknown variables. Sums go up the tree of buckets; then what lies outside of
    a bucket comes down to it.
    """
    tables = _slices(cards, starts, scopes, offsets, values, which, evidence)
    buckets = _Buckets(tables, order, _numbers([]), cards)
    ups: dict[int, Floats] = {}

    def send(i: int, table: Floats) -> Floats:
        ups[i] = _log_sum(table, (-1,))
        return ups[i]

    log_evidence = float(buckets.forward(send))
    downs: dict[int, Floats] = {}
    out: list[NDArray[Any]] = [
        np.arange(card) == code for card, code in zip(cards, evidence, strict=True)
    ]
    for i in reversed(range(len(order))):
        belief = buckets.product(i)
        if i in downs:
            belief = belief + downs.pop(i)[..., None]
        own = _log_sum(belief, tuple(range(belief.ndim - 1)))
        with np.errstate(invalid="ignore"):  # NaN where the evidence is impossible
            out[order[i]] = np.exp(own - _log_sum(own, (0,)))
        for child in buckets.senders(i):
            inside = buckets.scopes[child][:-1]
            outside = [k for k, v in enumerate(buckets.scopes[i]) if v not in inside]
            known = ups.pop(child)
            with np.errstate(invalid="ignore"):
                down = _log_sum(belief, tuple(outside)) - known
            downs[child] = np.where(np.isneginf(known), -np.inf, down)
    return np.concatenate([np.empty(0), *out]), log_evidence


def max_product(
    cards: Numbers,
    starts: Numbers,
    scopes: Numbers,
    offsets: NDArray[np.int64],
    values: Floats,
    which: Numbers,
    evidence: Numbers,
    order: Numbers,
) -> tuple[Numbers, float]:
    """The joint value at which the product is largest, and the logarithm of it there."""
    tables = _slices(cards, starts, scopes, offsets, values, which, evidence)
    buckets = _Buckets(tables, order, _numbers([]), cards)
    best: dict[int, NDArray[np.intp]] = {}

    def peak(i: int, table: Floats) -> Floats:
        best[i] = table.argmax(axis=-1)
        highest: Floats = table.max(axis=-1)
        return highest

    log_value = float(buckets.forward(peak))
    codes = evidence.copy()
    for i in reversed(range(len(order))):
        *others, own = buckets.scopes[i]
        codes[own] = best[i][tuple(codes[v] for v in others)]
    return codes, log_value


class _Table(NamedTuple):
    scope: tuple[int, ...]
    logs: Floats


class _Buckets:
    """Every variable to be eliminated owns the tables that have it and no earlier one."""

    def __init__(
        self, tables: Iterable[_Table], order: Numbers, keep: Numbers, cards: Numbers
    ) -> None:
        self.place = {v: i for i, v in enumerate([*order.tolist(), *reversed(keep.tolist())])}
        self.count = len(order)
        self.cards = cards
        self.scopes: list[tuple[int, ...]] = []
        self.buckets: list[list[_Table]] = [[] for _ in range(self.count + 1)]
        self.keep = tuple(keep.tolist())
        for table in tables:
            self._put(table)

    def forward(self, reduce: Callable[[int, Floats], Floats]) -> Floats:
        """Eliminate all variables; what remains, over ``keep``."""
        for i in range(self.count):
            scope = {v for table in self.buckets[i] for v in table.scope}
            self.scopes.append(tuple(sorted(scope, key=lambda v: -self.place[v])))
            self._put(_Table(self.scopes[i][:-1], reduce(i, self.product(i))))
        self.scopes.append(self.keep)
        return self.product(self.count)

    def product(self, i: int) -> Floats:
        total = np.zeros([self.cards[v] for v in self.scopes[i]])
        for table in self.buckets[i]:
            total += _aligned(table, self.scopes[i])
        return total

    def senders(self, i: int) -> list[int]:
        """Buckets whose sums went to bucket i."""
        own = self.scopes[i][-1]
        return [c for c in range(i) if self.scopes[c][-2:-1] == (own,)]

    def _put(self, table: _Table) -> None:
        first = min((self.place[v] for v in table.scope), default=self.count)
        self.buckets[min(first, self.count)].append(table)


def _slices(
    cards: Numbers,
    starts: Numbers,
    scopes: Numbers,
    offsets: NDArray[np.int64],
    values: Floats,
    which: Numbers,
    evidence: Numbers,
) -> Iterable[_Table]:
    """The parts of tables that agree with the evidence, as logarithms."""
    for f in which.tolist():
        scope = scopes[starts[f] : starts[f + 1]]
        shape = cards[scope].tolist()
        cells = values[offsets[f] : offsets[f] + math.prod(shape)].reshape(shape)
        part: tuple[Any, ...] = tuple(
            slice(None) if evidence[v] < 0 else evidence[v] for v in scope
        )
        with np.errstate(divide="ignore"):
            logs = np.log(cells[part])
        yield _Table(tuple(v for v in scope.tolist() if evidence[v] < 0), logs)


def _aligned(table: _Table, scope: Sequence[int]) -> Floats:
    """The table with its axes in the order of ``scope``, length 1 where it lacks a variable."""
    logs = table.logs.transpose([table.scope.index(v) for v in scope if v in table.scope])
    missing = [k for k, v in enumerate(scope) if v not in table.scope]
    return np.expand_dims(logs, missing)


def _log_sum(logs: Floats, axes: tuple[int, ...]) -> Floats:
    """``ln sum exp`` over some axes."""
    peak = logs.max(axis=axes, keepdims=True)
    peak = np.where(np.isneginf(peak), 0.0, peak)
    with np.errstate(divide="ignore"):
        summed: Floats = np.log(np.exp(logs - peak).sum(axis=axes)) + peak.squeeze(axes)
    return summed


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


def _numbers(values: Iterable[int]) -> Numbers:
    return np.array(list(values), dtype=np.int32)
