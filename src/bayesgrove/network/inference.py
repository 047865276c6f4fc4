"""Exact inference for many rows at once: sum out what is missing, one variable at a time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.encoding import require_memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bayesgrove.kernels import Floats


@dataclass(frozen=True)
class Factor:
    """A table for every row: ``values[row, ...]`` with one axis for each variable of the scope."""

    scope: tuple[int, ...]
    values: Floats


def eliminate(factors: list[Factor], keep: tuple[int, ...], rows: int) -> tuple[Floats, Floats]:
    """Sum the product of the factors over every variable outside ``keep``.

    Returns values ``[row, keep...]`` scaled to a maximum of 1, and the logarithm of each row's
    scale: nothing underflows, however many factors there are.
    """
    scale = np.zeros(rows)
    while True:
        hidden = {v for factor in factors for v in factor.scope} - set(keep)
        if not hidden:
            product, log = _multiply(factors, keep, rows)
            return product, scale + log
        variable = min(hidden, key=lambda v: (_cost(factors, v), v))
        touched = [factor for factor in factors if variable in factor.scope]
        scope = tuple(sorted({v for factor in touched for v in factor.scope} - {variable}))
        product, log = _multiply(touched, (*scope, variable), rows)
        scale += log
        rest = [factor for factor in factors if variable not in factor.scope]
        factors = [*rest, Factor(scope, product.sum(axis=-1))]


def _cost(factors: list[Factor], variable: int) -> float:
    """Logarithm of the size of the table that summing out a variable makes."""
    sizes: dict[int, int] = {}
    for factor in factors:
        if variable in factor.scope:
            sizes.update(zip(factor.scope, factor.values.shape[1:], strict=True))
    return float(np.sum(np.log(np.maximum(list(sizes.values()), 1))))


def _multiply(factors: list[Factor], scope: tuple[int, ...], rows: int) -> tuple[Floats, Floats]:
    sizes = _sizes(factors)
    shape = (rows, *(sizes.get(v, 1) for v in scope))
    require_memory(
        8 * math.prod(shape),
        "Exact inference with these missing values",
        "give fewer rows at a time, or fewer missing values",
    )
    product = np.ones(shape)
    log = np.zeros(rows)
    for factor in factors:
        product *= _aligned(factor, scope)
        peak = product.reshape(rows, -1).max(axis=1)
        safe = np.where(peak > 0, peak, 1.0)
        product /= safe.reshape(rows, *[1] * len(scope))
        log += np.log(safe)
    return product, log


def _sizes(factors: list[Factor]) -> dict[int, int]:
    return dict(_dimensions(factors))


def _dimensions(factors: list[Factor]) -> Iterator[tuple[int, int]]:
    for factor in factors:
        yield from zip(factor.scope, factor.values.shape[1:], strict=True)


def _aligned(factor: Factor, scope: tuple[int, ...]) -> Floats:
    """The factor with its axes in the order of ``scope``, length 1 where it lacks a variable."""
    order = sorted(range(len(factor.scope)), key=lambda axis: scope.index(factor.scope[axis]))
    values = factor.values.transpose(0, *(axis + 1 for axis in order))
    present = iter(values.shape[1:])
    shape = [next(present) if v in factor.scope else 1 for v in scope]
    return values.reshape(len(values), *shape)
