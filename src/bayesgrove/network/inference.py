"""Exact inference for many rows at once: sum out what is missing, one variable at a time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.encoding import require_memory

if TYPE_CHECKING:
    from bayesgrove.kernels import Floats


@dataclass(frozen=True)
class Factor:
    """A table for every row: ``logs[row, ...]`` with one axis for each variable of the scope."""

    scope: tuple[int, ...]
    logs: Floats


def eliminate(factors: list[Factor], keep: tuple[int, ...], rows: int) -> Floats:
    """Logarithm of the product of the factors, summed over every variable outside ``keep``.

    Everything stays in logarithms, so that nothing underflows however many factors there are.
    The variable whose summing out makes the smallest table goes first. Returns
    ``logs[row, keep...]``.
    """
    graph = _Graph(factors)
    costs = {v: graph.cost(v) for v in graph.users if v not in keep}
    while costs:
        variable = min(costs, key=lambda v: (costs[v], v))
        del costs[variable]
        scope = graph.neighbours(variable)
        logs = _add(graph.take(variable), (*scope, variable), rows)
        graph.put(Factor(scope, _log_sum(logs)))
        costs.update((v, graph.cost(v)) for v in scope if v in costs)
    return _add(list(graph.factors.values()), keep, rows)


class _Graph:
    """Factors, and for every variable the factors that have it."""

    def __init__(self, factors: list[Factor]) -> None:
        self.factors: dict[int, Factor] = {}
        self.users: dict[int, set[int]] = {}
        self.sizes: dict[int, int] = {}
        self._next = 0
        for factor in factors:
            self.put(factor)

    def put(self, factor: Factor) -> None:
        self.factors[self._next] = factor
        for v, size in zip(factor.scope, factor.logs.shape[1:], strict=True):
            self.users.setdefault(v, set()).add(self._next)
            self.sizes[v] = size
        self._next += 1

    def take(self, variable: int) -> list[Factor]:
        taken = sorted(self.users.pop(variable))
        for key in taken:
            for v in self.factors[key].scope:
                if v != variable:
                    self.users[v].discard(key)
        return [self.factors.pop(key) for key in taken]

    def neighbours(self, variable: int) -> tuple[int, ...]:
        near = {v for key in self.users[variable] for v in self.factors[key].scope}
        return tuple(sorted(near - {variable}))

    def cost(self, variable: int) -> float:
        return sum(math.log(max(self.sizes[v], 1)) for v in self.neighbours(variable))


def _add(factors: list[Factor], scope: tuple[int, ...], rows: int) -> Floats:
    sizes = {
        v: size
        for factor in factors
        for v, size in zip(factor.scope, factor.logs.shape[1:], strict=True)
    }
    shape = (rows, *(sizes.get(v, 1) for v in scope))
    require_memory(
        8 * math.prod(shape),
        "Exact inference with these missing values",
        "give fewer rows at a time, or fewer missing values",
    )
    total = np.zeros(shape)
    for factor in factors:
        total += _aligned(factor, scope)
    return total


def _log_sum(logs: Floats) -> Floats:
    """``ln sum exp`` over the last axis."""
    peak = logs.max(axis=-1, keepdims=True)
    peak = np.where(np.isneginf(peak), 0.0, peak)
    with np.errstate(divide="ignore"):
        summed: Floats = np.log(np.exp(logs - peak).sum(axis=-1)) + peak[..., 0]
    return summed


def _aligned(factor: Factor, scope: tuple[int, ...]) -> Floats:
    """The factor with its axes in the order of ``scope``, length 1 where it lacks a variable."""
    order = sorted(range(len(factor.scope)), key=lambda axis: scope.index(factor.scope[axis]))
    logs = factor.logs.transpose(0, *(axis + 1 for axis in order))
    present = iter(logs.shape[1:])
    shape = [next(present) if v in factor.scope else 1 for v in scope]
    return logs.reshape(len(logs), *shape)
