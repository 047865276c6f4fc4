"""Exact inference in numpy: multiply tables and sum out one variable after another.

A product of tables over discrete variables is stored flat. Table ``f`` has the variables
``scopes[starts[f]:starts[f + 1]]``, the last one varying fastest, and its cells begin at
``values[offsets[f]]``. ``which`` lists the tables that take part. ``evidence`` has the observed
code of every variable, or -1 for an unknown variable. All work is done in logarithms, so that
nothing underflows.
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
    """Return the logarithm of the product of tables, summed over the variables in `order`.

    Parameters
    ----------
    cards : ndarray of shape (n_variables,)
        Cardinality of each variable.
    starts : ndarray of shape (n_tables + 1,)
        Table ``f`` has the variables ``scopes[starts[f]:starts[f + 1]]``.
    scopes : ndarray
        Variables of all tables, one table after another. The last variable of a table varies
        fastest.
    offsets : ndarray of shape (n_tables,)
        The cells of table ``f`` begin at ``values[offsets[f]]``.
    values : ndarray
        Cells of all tables, as probabilities and not as logarithms.
    which : ndarray
        Numbers of the tables that take part in the product.
    evidence : ndarray of shape (n_variables,)
        Observed code of each variable, or -1 where the variable is unknown.
    order : ndarray
        Variables to sum out, in the order of their elimination.
    keep : ndarray
        Unknown variables that remain.

    Returns
    -------
    ndarray
        One logarithm per joint value of `keep`, the last variable varying fastest.
    """
    tables = _slices(cards, starts, scopes, offsets, values, which, evidence)
    buckets = _Buckets(tables, order, keep, cards)
    remaining = buckets.forward(lambda _, table: _log_sum(table, (-1,)))
    return remaining.ravel()


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
    """Return ``P(query | evidence)``, and how many cells its computation needs.

    Table ``v`` is the table of variable ``v`` given its parents. Tables that are separated from the
    query are used only if they have zeros, which could make the evidence impossible.

    Parameters
    ----------
    cards : ndarray of shape (n_variables,)
        Cardinality of each variable.
    starts : ndarray of shape (n_tables + 1,)
        Table ``f`` has the variables ``scopes[starts[f]:starts[f + 1]]``.
    scopes : ndarray
        Variables of all tables, one table after another. The last variable of a table varies
        fastest.
    offsets : ndarray of shape (n_tables,)
        The cells of table ``f`` begin at ``values[offsets[f]]``.
    values : ndarray
        Cells of all tables, as probabilities and not as logarithms.
    has_zeros : ndarray of shape (n_tables,)
        Whether each table has a cell that is zero.
    evidence : ndarray of shape (n_variables,)
        Observed code of each variable, or -1 where the variable is unknown.
    query : int
        Number of the variable whose probabilities are returned.
    limit : float
        Largest number of cells that may be used.

    Returns
    -------
    probabilities : ndarray of shape (n_states,)
        Probabilities of the states of `query`. They are all 0 where the evidence is impossible. The
        array is empty if more than `limit` cells are needed.
    needed : float
        Number of cells of all tables that remain after a variable is summed out.
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
    """Return the probabilities of every state of every variable, and ``ln P(evidence)``.

    The buckets of the variables form a junction tree. Sums are sent up the tree. Then the product
    of everything outside a bucket is sent down to it.

    Parameters
    ----------
    cards : ndarray of shape (n_variables,)
        Cardinality of each variable.
    starts : ndarray of shape (n_tables + 1,)
        Table ``f`` has the variables ``scopes[starts[f]:starts[f + 1]]``.
    scopes : ndarray
        Variables of all tables, one table after another. The last variable of a table varies
        fastest.
    offsets : ndarray of shape (n_tables,)
        The cells of table ``f`` begin at ``values[offsets[f]]``.
    values : ndarray
        Cells of all tables, as probabilities and not as logarithms.
    which : ndarray
        Numbers of the tables that take part in the product.
    evidence : ndarray of shape (n_variables,)
        Observed code of each variable, or -1 where the variable is unknown.
    order : ndarray
        All unknown variables, in the order of their elimination.

    Returns
    -------
    probabilities : ndarray of shape (sum(cards),)
        Probabilities of the states, one variable after another. They are NaN for the unknown
        variables where the evidence is impossible.
    log_evidence : float
        Logarithm of the probability of the evidence.
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
        state_logs = _log_sum(belief, tuple(range(belief.ndim - 1)))
        with np.errstate(invalid="ignore"):  # NaN where the evidence is impossible
            out[order[i]] = np.exp(state_logs - _log_sum(state_logs, (0,)))
        for child in buckets.senders(i):
            inside = buckets.scopes[child][:-1]
            outside = [k for k, v in enumerate(buckets.scopes[i]) if v not in inside]
            up = ups.pop(child)
            with np.errstate(invalid="ignore"):
                down = _log_sum(belief, tuple(outside)) - up
            downs[child] = np.where(np.isneginf(up), -np.inf, down)
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
    """Return the joint value at which the product of tables is largest.

    Parameters
    ----------
    cards : ndarray of shape (n_variables,)
        Cardinality of each variable.
    starts : ndarray of shape (n_tables + 1,)
        Table ``f`` has the variables ``scopes[starts[f]:starts[f + 1]]``.
    scopes : ndarray
        Variables of all tables, one table after another. The last variable of a table varies
        fastest.
    offsets : ndarray of shape (n_tables,)
        The cells of table ``f`` begin at ``values[offsets[f]]``.
    values : ndarray
        Cells of all tables, as probabilities and not as logarithms.
    which : ndarray
        Numbers of the tables that take part in the product.
    evidence : ndarray of shape (n_variables,)
        Observed code of each variable, or -1 where the variable is unknown.
    order : ndarray
        All unknown variables, in the order of their elimination.

    Returns
    -------
    codes : ndarray of shape (n_variables,)
        Code of every variable in the most probable joint value. Ties go to the smaller code.
    log_value : float
        Logarithm of the product at that joint value.
    """
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
        *others, variable = buckets.scopes[i]
        codes[variable] = best[i][tuple(codes[v] for v in others)]
    return codes, log_value


class _Table(NamedTuple):
    """The logarithms of a table, with one axis per variable of its scope."""

    scope: tuple[int, ...]
    logs: Floats


class _Buckets:
    """One bucket per variable to eliminate: the tables that have it and no earlier variable."""

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
        """Eliminate all variables; return the remaining table over ``keep``."""
        for i in range(self.count):
            scope = {v for table in self.buckets[i] for v in table.scope}
            self.scopes.append(tuple(sorted(scope, key=lambda v: -self.place[v])))
            self._put(_Table(self.scopes[i][:-1], reduce(i, self.product(i))))
        self.scopes.append(self.keep)
        return self.product(self.count)

    def product(self, i: int) -> Floats:
        """Return the product of the tables in bucket i, as logarithms."""
        total = np.zeros([self.cards[v] for v in self.scopes[i]])
        for table in self.buckets[i]:
            total += _aligned(table, self.scopes[i])
        return total

    def senders(self, i: int) -> list[int]:
        """Return the buckets that sent their sums to bucket i."""
        variable = self.scopes[i][-1]
        return [c for c in range(i) if self.scopes[c][-2:-1] == (variable,)]

    def _put(self, table: _Table) -> None:
        """Put a table into the bucket of its variable that is eliminated first."""
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
    """Yield the parts of the tables that agree with the evidence, as logarithms."""
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
    """Return the table with its axes in the order of ``scope``; absent variables have length 1."""
    logs = table.logs.transpose([table.scope.index(v) for v in scope if v in table.scope])
    absent = [k for k, v in enumerate(scope) if v not in table.scope]
    return np.expand_dims(logs, absent)


def _log_sum(logs: Floats, axes: tuple[int, ...]) -> Floats:
    """Return ``ln sum exp`` over some axes."""
    peak = logs.max(axis=axes, keepdims=True)
    peak = np.where(np.isneginf(peak), 0.0, peak)
    with np.errstate(divide="ignore"):
        summed: Floats = np.log(np.exp(logs - peak).sum(axis=axes)) + peak.squeeze(axes)
    return summed
