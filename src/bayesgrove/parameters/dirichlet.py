"""Conditional tables from counts, with a Dirichlet prior on every row."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove._utils.options import require_number
from bayesgrove.network import BayesianNetwork, ConditionalTable, Structure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.counts import CountSource, FamilyTable
    from bayesgrove.kernels import Floats


@dataclass(frozen=True)
class Dirichlet:
    """``P(x | u) = (N(x, u) + alpha) / (N(u) + alpha r)``, for every node, the class included.

    ``alpha=1`` is the prior of Cooper and Herskovits' K2, ``alpha=0`` maximum likelihood (a row
    without counts is then uniform).
    """

    alpha: float = 1.0

    def prior(self, table: FamilyTable) -> float:
        """Pseudo-count of one cell."""
        del table
        require_number("alpha", self.alpha, lowest=0)
        return self.alpha

    def estimate(
        self, structure: Structure, counts: CountSource, states: Sequence[tuple[Any, ...]]
    ) -> BayesianNetwork:
        """The network of a structure, one pass over the rows."""
        families = [structure.family(v) for v in range(len(structure.parents))]
        return self.network(structure, counts.tables(families), counts.names, states)

    def network(
        self,
        structure: Structure,
        tables: Sequence[FamilyTable],
        names: Sequence[str],
        states: Sequence[tuple[Any, ...]],
    ) -> BayesianNetwork:
        """The network of a structure whose families are counted already."""
        conditionals = [conditional(table, self.prior(table)) for table in tables]
        return BayesianNetwork(names, states, structure, conditionals)


@dataclass(frozen=True)
class BDeu(Dirichlet):
    """The Dirichlet prior of an equivalent sample: each cell has its share of it.

    ``alpha`` is the equivalent sample size; a table of q parent configurations and r states gives
    each cell ``alpha / (q r)`` (Buntine 1991; Heckerman, Geiger & Chickering 1995).
    """

    def prior(self, table: FamilyTable) -> float:
        """Pseudo-count of one cell."""
        _, classes, states = table.counts.shape
        q = math.prod([float(card) for card in table.configurations.cards]) * classes
        return float(super().prior(table) / (q * states))


@dataclass(frozen=True)
class MaximumLikelihood(Dirichlet):
    """Relative frequencies; a row without counts is uniform."""

    alpha: float = 0.0


def conditional(table: FamilyTable, prior: float) -> ConditionalTable:
    """Normalise counts with a pseudo-count a cell."""
    probabilities = normalise(table.counts + prior)
    if table.configurations.keys is not None:
        default = np.full((1, *probabilities.shape[1:]), 1.0 / probabilities.shape[-1])
        probabilities = np.concatenate([probabilities, default])
    return ConditionalTable(table.family, table.configurations, probabilities)


def normalise(cells: Floats) -> Floats:
    """Rows that sum to one; a row of zeros becomes uniform."""
    totals = cells.sum(axis=-1, keepdims=True)
    uniform = np.full(cells.shape[-1], 1.0 / cells.shape[-1])
    rows: Floats = np.where(totals > 0, cells / np.where(totals > 0, totals, 1.0), uniform)
    return rows
