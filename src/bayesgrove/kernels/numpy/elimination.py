"""Exact inference in numpy: multiply tables and sum out one variable after another.

A product of tables over discrete variables is given flat: table ``f`` has the variables
``scopes[starts[f]:starts[f + 1]]``, the last one fastest, and its cells begin at
``values[offsets[f]]``. ``which`` says which tables take part; ``evidence`` has for every variable
the code that is known, or -1. Everything is done in logarithms, so that nothing underflows.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bayesgrove.kernels.numpy.ordering import elimination_order, numbers, relevant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Floats
    from bayesgrove.kernels.numpy.ordering import Numbers


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
    keep = numbers([query] if evidence[query] < 0 else [])
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
    buckets = _Buckets(tables, order, numbers([]), cards)
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
    buckets = _Buckets(tables, order, numbers([]), cards)
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
