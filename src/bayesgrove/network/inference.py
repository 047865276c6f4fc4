"""Exact inference: a product of tables, and what can be summed out of it."""

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
"""So many cells are taken without asking whether there is memory for them."""
WHOLE_CELLS = 1 << 16
"""A table of observed configurations is made whole for inference up to this size."""


@dataclass(frozen=True)
class Product:
    """Tables over numbered variables, laid out flat for the kernels.

    Table ``f`` has the variables ``scopes[starts[f]:starts[f + 1]]``, the last one fastest, and its
    cells begin at ``values[offsets[f]]``.
    """

    cards: Numbers
    starts: Numbers
    scopes: Numbers
    offsets: NDArray[np.int64]
    values: Floats

    @classmethod
    def of(cls, cards: Sequence[int], tables: Iterable[tuple[Sequence[int], Floats]]) -> Product:
        """Lay out tables, each with its variables."""
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
        """In which order to sum out all variables but ``keep``, and the cells that it takes."""
        order, cells = kernels.elimination_order(
            self.cards, self.starts, self.scopes, which, evidence, keep
        )
        # The native kernels work through a product in blocks, and only its sum is kept.
        taken = float((cells / self.cards[order]).sum())
        if kernels is numpy_kernels:
            taken += float(cells.max(initial=0))
        return order, taken + math.prod(self.cards[keep].tolist())

    def log_sum(self, keep: Numbers, which: Numbers, evidence: Numbers) -> Floats:
        """Logarithm of the product, given what is known, summed over all variables but ``keep``."""
        order, cells = self.order(keep, which, evidence)
        _require(cells)
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
        """Probabilities of the states of all variables, and ``ln P(evidence)``."""
        return kernels.marginals(*self._everything(evidence))

    def most_probable(self, evidence: Numbers) -> tuple[Numbers, float]:
        """The joint value of highest probability given what is known, and the logarithm of it."""
        return kernels.max_product(*self._everything(evidence))

    def _everything(
        self, evidence: Numbers
    ) -> tuple[Numbers, Numbers, Numbers, NDArray[np.int64], Floats, Numbers, Numbers, Numbers]:
        which = np.arange(len(self.offsets), dtype=np.int32)
        _require(len(self.cards) ** 2 / 64)
        order, cells = self.order(NONE, which, evidence)
        _require(2 * cells)  # sums on their way up, and down
        layout = self.cards, self.starts, self.scopes, self.offsets, self.values
        return *layout, which, evidence, order


@dataclass(frozen=True)
class Inference:
    """Questions to a network, everything by number; ``known`` has a code a variable, or -1."""

    structure: Structure
    tables: Sequence[ConditionalTable]
    cards: Sequence[int]

    def posterior(self, query: int, known: Numbers) -> Floats:
        """``P(query | known)``.

        Only tables that bear on the query are multiplied: not those of variables below it that
        nothing is known of, nor those that the evidence separates from it. The latter are looked
        at only where they could make the evidence impossible.
        """
        _require(len(self.cards) ** 2 / 64)
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
            _require(cells)
            probabilities, _ = kernels.posterior(*arguments, cells)
        if not probabilities.any():
            raise ValueError(IMPOSSIBLE)
        return probabilities

    def marginals(self, known: Numbers) -> list[Floats]:
        """``P(variable | known)`` of every variable: one junction tree."""
        flat, log_evidence = self._product(None, known).marginals(known)
        _require_possible(log_evidence)
        return np.split(flat, np.cumsum(self.cards)[:-1])

    def most_probable(self, known: Numbers) -> tuple[Numbers, float]:
        """The most probable joint value, and the logarithm of its probability."""
        codes, log_probability = self._product(None, known).most_probable(known)
        _require_possible(log_probability)
        return codes, log_probability

    @cached_property
    def _sparse(self) -> frozenset[int]:
        """Tables that are not worth making whole: few of many configurations were observed."""
        return frozenset(
            v
            for v, table in enumerate(self.tables)
            if table.has_default and table.whole_cells > WHOLE_CELLS
        )

    @cached_property
    def _has_zeros(self) -> NDArray[np.uint8]:
        return np.array([not table.probabilities.all() for table in self.tables], dtype=np.uint8)

    @cached_property
    def _whole(self) -> Product:
        """All tables; those that are not made whole have no cells."""
        return Product.of(self.cards, map(self._table, range(len(self.tables))))

    def _table(self, v: int) -> tuple[Sequence[int], Floats]:
        table = self.tables[v]
        scope = table.scope(self.structure.class_variable)
        if not table.has_default:
            return scope, table.probabilities
        return scope, np.empty(0) if v in self._sparse else table.dense()

    def _product(self, query: int | None, known: Numbers) -> Product:
        """The tables; of those that are not whole, the part that agrees with the evidence.

        Where a query is given, only those that bear on it.
        """
        sparse = self._sparse
        if sparse and query is not None:
            parts = kernels.relevant(self._whole.starts, self._whole.scopes, known, query)
            sparse = sparse.intersection(np.concatenate(parts).tolist())
        if not sparse:
            return self._whole
        codes = {v: known[[v]].astype(np.intp) for v in np.flatnonzero(known >= 0).tolist()}
        goal = self.structure.class_variable
        return Product.of(
            self.cards,
            [
                self.tables[v].given(codes, 1, goal) if v in sparse else self._table(v)
                for v in range(len(self.tables))
            ],
        )


def _require_possible(log_probability: float) -> None:
    if log_probability == -math.inf:
        raise ValueError(IMPOSSIBLE)


def _require(cells: float) -> None:
    require_memory(
        int(8 * min(cells, 1e30)),
        "Exact inference in this network",
        "know more of its variables, or use a network with fewer arcs",
    )
