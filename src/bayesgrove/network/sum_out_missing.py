"""Exact summation over missing attributes, for many rows at a time."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.counts import Partition
from bayesgrove.encoding import require_memory
from bayesgrove.kernels import kernels, numpy_kernels
from bayesgrove.network.inference import FREE_CELLS, Product
from bayesgrove.network.missing_components import components

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from numpy.typing import NDArray

    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Codes, Floats
    from bayesgrove.network.missing_components import Component
    from bayesgrove.network.structure import Structure
    from bayesgrove.network.tables import ConditionalTable

BLOCK_CELLS = 1 << 24
"""Rows with missing parents are worked on in blocks of about this many cells."""
FEW_ROWS = 64
"""From this number of rows with the same missing attributes on, one elimination serves them all."""
SUM_OUT_BYTES = 1 << 27
"""Rows are summed out in blocks whose tables need about this many bytes."""


@dataclass(frozen=True)
class MissingParents:
    """The part of the log-probability that a `Program` leaves out: tables with a missing parent."""

    structure: Structure
    tables: Sequence[ConditionalTable]
    cards: Sequence[int]

    def add(self, encoded: Encoded, out: Floats, threads: int = 1) -> None:
        """Add the log-sum of these tables over missing attributes to ``out[row, class]``."""
        affected = np.flatnonzero(self._has_missing_parent(encoded))
        step = max(1, BLOCK_CELLS // max(len(encoded.columns), 1))
        for start in range(0, len(affected), step):
            rows = affected[start : start + step]
            self._add(_taken(encoded, rows), out, rows, threads)

    @cached_property
    def inner(self) -> list[int]:
        """Attributes that have children."""
        attributes = range(self.structure.class_variable)
        return [v for v in attributes if self.structure.children[v]]

    def _has_missing_parent(self, encoded: Encoded) -> NDArray[np.bool_]:
        """Return whether a missing attribute has children, for every row."""
        affected = np.zeros(encoded.rows, dtype=bool)
        for v in self.inner:
            affected |= encoded.columns[v] == encoded.cards[v]
        return affected

    def _add(self, encoded: Encoded, out: Floats, places: NDArray[np.intp], threads: int) -> None:
        """Add the sums of components with many rows together, and of all others row by row."""
        missing = np.array(
            [c == card for c, card in zip(encoded.columns, encoded.cards, strict=True)]
        )
        alone = np.zeros(missing.shape, dtype=np.uint8)
        for component in components(self.structure, missing):
            if len(component.rows) < self._min_rows:
                alone[np.array(list(component.members))[:, None], component.rows] = 1
            else:
                out[places[component.rows]] += self._of_component(component, encoded)
        rows = np.flatnonzero(alone.any(axis=0))
        if len(rows):
            out[places[rows]] += self._of_rows(encoded, rows, alone[:, rows], threads)

    def _of_component(self, component: Component, encoded: Encoded) -> Floats:
        """Return the sums of rows with the same missing attributes, once per distinct row."""
        hidden = component.members
        touched = sorted(hidden.union(*(self.structure.children[v] for v in hidden)))
        scope = {u for v in touched for u in (v, *self.structure.parents[v])}
        known = sorted(scope - hidden - {self.structure.class_variable})
        codes = {v: encoded.columns[v][component.rows] for v in known}
        first, inverse = _distinct(codes, encoded.cards, len(component.rows))
        cases = {v: column[first].astype(np.intp) for v, column in codes.items()}
        return self._summed(touched, cases, len(first))[inverse]

    def _of_rows(
        self, encoded: Encoded, rows: NDArray[np.intp], active: NDArray[np.uint8], threads: int
    ) -> Floats:
        """Return the sums of single rows: one elimination per row, in one kernel call."""
        product = self._product
        layout = product.cards, product.starts, product.scopes, product.offsets, product.values
        arguments = *layout, encoded.columns, rows.astype(np.int64), active
        logs, cells = kernels.sum_out_rows(*arguments, FREE_CELLS, threads)
        if cells > FREE_CELLS:
            require_memory(
                8 * int(min(cells, 1 << 59)),
                "Exact inference with these missing values",
                "give rows with fewer missing values, or learn with fewer parents",
            )
            logs, _ = kernels.sum_out_rows(*arguments, cells, 1)
        return logs

    @cached_property
    def _min_rows(self) -> int:
        """Number of rows below which rows are summed out one by one.

        It is 0 if a table has a default row, or without native kernels.
        """
        sparse = any(table.has_default for table in self.tables)
        return 0 if sparse or kernels is numpy_kernels else FEW_ROWS

    @cached_property
    def _product(self) -> Product:
        """Product of all tables."""
        class_variable = self.structure.class_variable
        return Product.of(
            self.cards,
            [(table.scope(class_variable), table.probabilities) for table in self.tables],
        )

    def _summed(
        self, touched: list[int], cases: Mapping[int, NDArray[np.intp]], count: int
    ) -> Floats:
        """Return the log-sum of the product of some tables over the unknown variables."""
        logs = np.empty((count, self.cards[-1]))
        step = max(1, SUM_OUT_BYTES // self._row_bytes(touched, cases))
        for start in range(0, count, step):
            block = slice(start, min(start + step, count))
            codes = {v: column[block] for v, column in cases.items()}
            logs[block] = self._log_sum(touched, codes, block.stop - start)
        return logs

    def _log_sum(
        self, touched: list[int], codes: Mapping[int, NDArray[np.intp]], count: int
    ) -> Floats:
        """Return the sums of some rows by one elimination; the row is a variable of every table."""
        class_variable, row = self.structure.class_variable, len(self.cards)
        factors = [self.tables[v].given(codes, count, class_variable) for v in touched]
        product = Product.of(
            [*self.cards, count], [((row, *scope), cells) for scope, cells in factors]
        )
        logs = product.log_sum(
            np.array([row, class_variable], dtype=np.int32),
            np.arange(len(touched), dtype=np.int32),
            np.full(row + 1, -1, dtype=np.int32),
        )
        return logs.reshape(count, -1)

    def _row_bytes(self, touched: list[int], known: Container[int]) -> int:
        """Estimate the memory per row of the tables with inserted codes and of their sums."""
        class_variable = self.structure.class_variable
        scopes = [
            [u for u in self.tables[v].scope(class_variable) if u not in known or u == v]
            for v in touched
        ]
        inserted = sum(math.prod(self.cards[u] for u in scope) + len(scope) for scope in scopes)
        product = Product.of(self.cards, [(scope, np.empty(0)) for scope in scopes])
        _, sums = product.order(
            np.array([class_variable], dtype=np.int32),
            np.arange(len(touched), dtype=np.int32),
            np.array([0 if v in known else -1 for v in range(len(self.cards))], dtype=np.int32),
        )
        return int(min(8 * (3 * inserted + sums), 1 << 62))


def _distinct(
    codes: Mapping[int, Codes], cards: Sequence[int], rows: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return one row per joint value, and the number of the joint value of every row."""
    partition = Partition.whole(rows)
    for v, column in codes.items():
        partition = partition.refine(column, cards[v] + 1)
    _, first, inverse = np.unique(partition.ids, return_index=True, return_inverse=True)
    return first, inverse


def _taken(encoded: Encoded, rows: NDArray[np.intp]) -> Encoded:
    """Return some of the rows."""
    return replace(
        encoded,
        columns=[column[rows] for column in encoded.columns],
        continuous=[values[rows] for values in encoded.continuous],
        rows=len(rows),
    )
