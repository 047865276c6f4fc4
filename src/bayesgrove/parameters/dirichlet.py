"""Conditional tables from counts, with a Dirichlet prior for every row of a table."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove._utils.options import require_number
from bayesgrove._utils.renamed import renamed
from bayesgrove.counts import Configurations, FamilyTable
from bayesgrove.network import BayesianNetwork, ConditionalTable, Structure
from bayesgrove.parameters.counted_tables import CountedTables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.kernels import Floats


class PseudoCounts(CountedTables):
    """Base class of the parameter learners: conditional tables from counts plus pseudo-counts.

    A subclass implements `pseudo_count`.
    """

    @abstractmethod
    def pseudo_count(self, table: FamilyTable) -> float:
        """Return the pseudo-count of one cell of a table.

        Parameters
        ----------
        table : FamilyTable
            Counts of a node given its parents.

        Returns
        -------
        float
            The number that is added to the count of each cell of the table.
        """

    def check(self) -> None:
        """Raise unless the options are valid.

        Raises
        ------
        OptionError
            If a pseudo-count cannot be made of them.
        """
        self.pseudo_counts(Structure(((),)), [2])

    def pseudo_counts(self, structure: Structure, cards: Sequence[int]) -> list[float]:
        """Return the pseudo-count per cell of the table of every node.

        Parameters
        ----------
        structure : Structure
            Parents of every node.
        cards : sequence of int
            Cardinality of every node; the class is last.

        Returns
        -------
        list of float
            One number per node.
        """
        out = []
        for v in range(len(structure.parents)):
            family = structure.family(v)
            shape = (1, cards[-1] if family.given_class else 1, cards[v])
            configurations = Configurations(tuple(cards[u] for u in family.parents))
            empty = FamilyTable(family, configurations, np.broadcast_to(0.0, shape))
            out.append(self.pseudo_count(empty))
        return out

    def network(
        self,
        structure: Structure,
        tables: Sequence[FamilyTable],
        names: Sequence[str],
        states: Sequence[tuple[Any, ...]],
    ) -> BayesianNetwork:
        """Return the network of a structure whose families are already counted.

        Parameters
        ----------
        structure : Structure
            Parents of every node.
        tables : sequence of FamilyTable
            Counts of the family of every node, in the order of the nodes.
        names : sequence of str
            Names of the nodes; the class is last.
        states : sequence of tuple
            States of every node, in the order of their codes; the class is last.

        Returns
        -------
        BayesianNetwork
            The structure with its conditional tables.
        """
        conditionals = [conditional(table, self.pseudo_count(table)) for table in tables]
        return BayesianNetwork(names, states, structure, conditionals)


@dataclass(frozen=True)
class Dirichlet(PseudoCounts):
    """Conditional tables with the same pseudo-count in every cell.

    ``P(x | u) = (N(x, u) + alpha) / (N(u) + alpha r)`` for every node, including the class. Here x
    is one of the r states of the node, and u is a configuration of its parents.

    Parameters
    ----------
    alpha : float, default=1.0
        Pseudo-count per cell, at least 0. The value 1 is the prior of K2 (Cooper and Herskovits
        1992). The value 0 is maximum likelihood; the probabilities of a configuration without rows
        are then uniform.

    References
    ----------
    G. Cooper and E. Herskovits (1992). A Bayesian method for the induction of probabilistic
    networks from data. Machine Learning 9.

    Examples
    --------
    >>> from bayesgrove.parameters import Dirichlet
    >>> Dirichlet(alpha=0.5)
    Dirichlet(alpha=0.5)
    """

    alpha: float = 1.0

    def pseudo_count(self, table: FamilyTable) -> float:
        """Return the pseudo-count of one cell of a table.

        Parameters
        ----------
        table : FamilyTable
            Counts of a node given its parents.

        Returns
        -------
        float
            The option ``alpha``, which is the same for all tables.
        """
        del table
        require_number("alpha", self.alpha, lowest=0)
        return self.alpha


@renamed(alpha="equivalent_sample_size")
@dataclass(frozen=True)
class BDeu(PseudoCounts):
    """Conditional tables with the BDeu prior: an equivalent sample, shared equally by all cells.

    In the table of a node with r states and q parent configurations, the pseudo-count of each cell
    is ``equivalent_sample_size / (q r)`` (Buntine 1991; Heckerman, Geiger and Chickering 1995).

    Parameters
    ----------
    equivalent_sample_size : float, default=1.0
        Sum of the pseudo-counts of one table, at least 0.

    References
    ----------
    W. Buntine (1991). Theory refinement on Bayesian networks. UAI-1991.

    D. Heckerman, D. Geiger and D. Chickering (1995). Learning Bayesian networks: the combination of
    knowledge and statistical data. Machine Learning 20.

    Examples
    --------
    >>> from bayesgrove.parameters import BDeu
    >>> BDeu(equivalent_sample_size=10.0)
    BDeu(equivalent_sample_size=10.0)
    """

    equivalent_sample_size: float = 1.0

    def pseudo_count(self, table: FamilyTable) -> float:
        """Return the pseudo-count of one cell of a table.

        Parameters
        ----------
        table : FamilyTable
            Counts of a node given its parents.

        Returns
        -------
        float
            The equivalent sample size divided by the number of cells of the table.
        """
        require_number("equivalent_sample_size", self.equivalent_sample_size, lowest=0)
        _, classes, states = table.counts.shape
        q = math.prod([float(card) for card in table.configurations.cards]) * classes
        return float(self.equivalent_sample_size / (q * states))


@dataclass(frozen=True)
class MaximumLikelihood(PseudoCounts):
    """Conditional tables of relative frequencies, without pseudo-counts.

    The probabilities of a configuration without rows are uniform.

    Examples
    --------
    >>> from bayesgrove.parameters import MaximumLikelihood
    >>> MaximumLikelihood()
    MaximumLikelihood()
    """

    def pseudo_count(self, table: FamilyTable) -> float:
        """Return the pseudo-count of one cell of a table.

        Parameters
        ----------
        table : FamilyTable
            Counts of a node given its parents.

        Returns
        -------
        float
            Always 0.
        """
        del table
        return 0.0


def conditional(table: FamilyTable, prior: float) -> ConditionalTable:
    """Return the conditional table of counts, with ``prior`` as the pseudo-count per cell.

    If the table holds only observed configurations, a uniform row for all others is appended.
    """
    probabilities = normalise(table.counts + prior)
    if table.configurations.keys is not None:
        default = np.full((1, *probabilities.shape[1:]), 1.0 / probabilities.shape[-1])
        probabilities = np.concatenate([probabilities, default])
    return ConditionalTable(table.family, table.configurations, probabilities)


def normalise(cells: Floats) -> Floats:
    """Return the cells scaled so that each row sums to 1; a row of zeros becomes uniform."""
    totals = cells.sum(axis=-1, keepdims=True)
    uniform = np.full(cells.shape[-1], 1.0 / cells.shape[-1])
    rows: Floats = np.where(totals > 0, cells / np.where(totals > 0, totals, 1.0), uniform)
    return rows


def dirichlet_draw(cells: Floats, random: np.random.Generator) -> Floats:
    """Return rows that are drawn from Dirichlet distributions with the given parameters.

    A gamma variable of a small shape is often below the smallest float. Its logarithm is drawn
    instead: ``ln G(a) = ln G(a + 1) + ln(U) / a`` in distribution, where U is uniform.
    """
    logs = np.log(random.standard_gamma(cells + 1.0))
    logs -= random.standard_exponential(cells.shape) / cells
    return normalise(np.exp(logs - logs.max(axis=-1, keepdims=True)))


def class_logs(counts: Floats, alpha: float) -> Floats:
    """Return ``ln P(value | class)`` from ``N[c, value]``; one more column, of zeros, for missing.

    ``alpha`` is the pseudo-count per cell. The code of a missing value is the number of values, so
    that a missing value adds 0.
    """
    with np.errstate(divide="ignore"):
        return np.pad(np.log(normalise(counts + alpha)), ((0, 0), (0, 1)))
