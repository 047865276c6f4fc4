"""Exact inference by variable elimination and junction trees."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.encoding import require_memory
from bayesgrove.kernels import kernels, numpy_kernels

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Floats
    from bayesgrove.network.structure import Structure
    from bayesgrove.network.tables import ConditionalTable

    Numbers = NDArray[np.int32]

NONE = np.empty(0, dtype=np.int32)
IMPOSSIBLE = "The evidence has probability 0 under this network."
FREE_CELLS = 1 << 20
"""Up to this number, cells are allocated without a check of the available memory."""
WHOLE_CELLS = 1 << 16
"""Tables of observed configurations get all configurations up to this number of cells."""


@dataclass(frozen=True)
class Product:
    """A product of tables over numbered variables, in flat arrays for the kernels.

    Table ``f`` has the variables ``scopes[starts[f]:starts[f + 1]]``, of which the last one varies
    fastest. Its cells begin at ``values[offsets[f]]``.
    """

    cards: Numbers
    starts: Numbers
    scopes: Numbers
    offsets: NDArray[np.int64]
    values: Floats

    @classmethod
    def of(cls, cards: Sequence[int], tables: Iterable[tuple[Sequence[int], Floats]]) -> Product:
        """Return the product of some tables, each given with its variables."""
        starts, offsets, size = [0], [], 0
        scopes: list[int] = []
        cells: list[Floats] = [np.empty(0)]
        for scope, table in tables:
            scopes += scope
            starts.append(len(scopes))
            offsets.append(size)
            cells.append(table.ravel())
            size += table.size
        return cls(
            np.array(cards, dtype=np.int32),
            np.array(starts, dtype=np.int32),
            np.array(scopes, dtype=np.int32),
            np.array(offsets, dtype=np.int64),
            np.concatenate(cells),
        )

    def order(self, keep: Numbers, which: Numbers, evidence: Numbers) -> tuple[Numbers, float]:
        """Return an elimination order, and the number of cells that its tables need.

        All variables except ``keep`` are eliminated. ``which`` are the numbers of the tables of the
        product, and ``evidence`` has one code per variable, or -1 if it is not known.
        """
        order, cells = kernels.elimination_order(
            self.cards, self.starts, self.scopes, which, evidence, keep
        )
        # The native kernels compute a product in blocks and keep only its sum. The numpy kernels
        # keep the whole product.
        size = float((cells / self.cards[order]).sum())
        if kernels is numpy_kernels:
            size += float(cells.max(initial=0))
        return order, size + math.prod(self.cards[keep].tolist())

    def log_sum(self, keep: Numbers, which: Numbers, evidence: Numbers) -> Floats:
        """Return the logarithm of the product, summed over all variables except ``keep``."""
        order, cells = self.order(keep, which, evidence)
        _require_memory(cells)
        return kernels.sum_product(
            self.cards,
            self.starts,
            self.scopes,
            self.offsets,
            self.values,
            which,
            evidence,
            order,
            keep,
        )

    def marginals(self, evidence: Numbers) -> tuple[Floats, float]:
        """Return the probabilities of the states of all variables, and ``ln P(evidence)``."""
        return kernels.marginals(*self._full_elimination(evidence))

    def most_probable(self, evidence: Numbers) -> tuple[Numbers, float]:
        """Return the most probable joint value given the evidence, and its log-probability."""
        return kernels.max_product(*self._full_elimination(evidence))

    def _full_elimination(
        self, evidence: Numbers
    ) -> tuple[Numbers, Numbers, Numbers, NDArray[np.int64], Floats, Numbers, Numbers, Numbers]:
        """Return the arguments of a kernel that eliminates all variables of all tables."""
        which = np.arange(len(self.offsets), dtype=np.int32)
        _require_memory(len(self.cards) ** 2 / 64)
        order, cells = self.order(NONE, which, evidence)
        _require_memory(2 * cells)  # The sums that are sent up the junction tree, and down.
        layout = self.cards, self.starts, self.scopes, self.offsets, self.values
        return *layout, which, evidence, order


@dataclass(frozen=True)
class Inference:
    """Queries to a network, with variables and states by number.

    ``known`` has one code per variable, or -1 if the variable is not known.
    """

    structure: Structure
    tables: Sequence[ConditionalTable]
    cards: Sequence[int]

    def posterior(self, query: int, known: Numbers) -> Floats:
        """Return ``P(query | known)``.

        Only relevant tables are multiplied. A table is left out if its variable is unknown and has
        neither the query nor a known variable below it. A table that the evidence separates from
        the query is used only if it could make the evidence impossible.
        """
        _require_memory(len(self.cards) ** 2 / 64)
        product = self._product(query, known)
        arguments = (
            product.cards,
            product.starts,
            product.scopes,
            product.offsets,
            product.values,
            self._has_zeros,
            known,
            query,
        )
        probabilities, cells = kernels.posterior(*arguments, FREE_CELLS)
        if not len(probabilities):
            _require_memory(cells)
            probabilities, _ = kernels.posterior(*arguments, cells)
        if not probabilities.any():
            raise ValueError(IMPOSSIBLE)
        return probabilities

    def marginals(self, known: Numbers) -> list[Floats]:
        """Return ``P(variable | known)`` of every variable, with one junction tree."""
        flat, log_evidence = self._product(None, known).marginals(known)
        _require_possible(log_evidence)
        return np.split(flat, np.cumsum(self.cards)[:-1])

    def most_probable(self, known: Numbers) -> tuple[Numbers, float]:
        """Return the most probable joint value, and its log-probability."""
        codes, log_probability = self._product(None, known).most_probable(known)
        _require_possible(log_probability)
        return codes, log_probability

    @cached_property
    def _sparse(self) -> frozenset[int]:
        """Variables whose tables have a default row and are too large with all configurations."""
        return frozenset(
            v
            for v, table in enumerate(self.tables)
            if table.has_default and table.whole_cells > WHOLE_CELLS
        )

    @cached_property
    def _has_zeros(self) -> NDArray[np.uint8]:
        """Whether the table of each variable has a probability 0."""
        return np.array([not table.probabilities.all() for table in self.tables], dtype=np.uint8)

    @cached_property
    def _all_tables(self) -> Product:
        """All tables; the sparse ones have no cells."""
        return Product.of(self.cards, map(self._table, range(len(self.tables))))

    def _table(self, v: int) -> tuple[Sequence[int], Floats]:
        """Return the variables and the cells of a table; a sparse table has no cells."""
        table = self.tables[v]
        scope = table.scope(self.structure.class_variable)
        if not table.has_default:
            return scope, table.probabilities
        return scope, np.empty(0) if v in self._sparse else table.dense()

    def _product(self, query: int | None, known: Numbers) -> Product:
        """Return the product of the tables.

        A sparse table is replaced by the part of it that agrees with the evidence. If there is a
        query, this is done only for the sparse tables that are relevant to the query.
        """
        sparse = self._sparse
        if sparse and query is not None:
            parts = kernels.relevant(self._all_tables.starts, self._all_tables.scopes, known, query)
            sparse = sparse.intersection(np.concatenate(parts).tolist())
        if not sparse:
            return self._all_tables
        codes = {v: known[[v]].astype(np.intp) for v in np.flatnonzero(known >= 0).tolist()}
        class_variable = self.structure.class_variable
        return Product.of(
            self.cards,
            [
                self.tables[v].given(codes, 1, class_variable) if v in sparse else self._table(v)
                for v in range(len(self.tables))
            ],
        )


def _require_possible(log_probability: float) -> None:
    """Raise if the evidence has probability 0."""
    if log_probability == -math.inf:
        raise ValueError(IMPOSSIBLE)


def _require_memory(cells: float) -> None:
    """Raise unless there is memory for this number of cells."""
    require_memory(
        int(8 * min(cells, 1e30)),
        "Exact inference in this network",
        "give evidence on more nodes, or use a network with fewer arcs",
    )
