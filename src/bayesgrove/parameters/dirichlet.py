"""Conditional tables from counts, with a Dirichlet prior on every row."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove._utils.options import require_number
from bayesgrove._utils.renamed import renamed
from bayesgrove.network import BayesianNetwork, ConditionalTable, Structure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.counts import CountSource, FamilyTable
    from bayesgrove.kernels import Floats


class PseudoCounts(ABC):
    """Base of the parameter learners: conditional tables from counts plus pseudo-counts.

    A subclass owes `pseudo_count`.
    """

    @abstractmethod
    def pseudo_count(self, table: FamilyTable) -> float:
        """Return the pseudo-count of one cell of a table."""

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
        conditionals = [conditional(table, self.pseudo_count(table)) for table in tables]
        return BayesianNetwork(names, states, structure, conditionals)


@dataclass(frozen=True)
class Dirichlet(PseudoCounts):
    """``P(x | u) = (N(x, u) + alpha) / (N(u) + alpha r)``, for every node, the class included.

    ``alpha=1`` is the prior of Cooper and Herskovits' K2, ``alpha=0`` maximum likelihood (a row
    without counts is then uniform).
    """

    alpha: float = 1.0

    def pseudo_count(self, table: FamilyTable) -> float:
        """Return ``alpha``, whatever the table."""
        del table
        require_number("alpha", self.alpha, lowest=0)
        return self.alpha


@renamed(alpha="equivalent_sample_size")
@dataclass(frozen=True)
class BDeu(PseudoCounts):
    """The Dirichlet prior of an equivalent sample: each cell has its share of it.

    A table of q parent configurations and r states gives each cell
    ``equivalent_sample_size / (q r)`` (Buntine 1991; Heckerman, Geiger & Chickering 1995).
    """

    equivalent_sample_size: float = 1.0

    def pseudo_count(self, table: FamilyTable) -> float:
        """Return the share that one cell of a table has of the equivalent sample."""
        require_number("equivalent_sample_size", self.equivalent_sample_size, lowest=0)
        _, classes, states = table.counts.shape
        q = math.prod([float(card) for card in table.configurations.cards]) * classes
        return float(self.equivalent_sample_size / (q * states))


@dataclass(frozen=True)
class MaximumLikelihood(PseudoCounts):
    """Relative frequencies; a row without counts is uniform."""

    def pseudo_count(self, table: FamilyTable) -> float:
        """Return 0, whatever the table."""
        del table
        return 0.0


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
