"""The base of learners of conditional tables that need the counts of the families and no rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.counts import CountSource, FamilyTable
    from bayesgrove.network import BayesianNetwork, Structure


class CountedTables(ABC):
    """Base class of parameter learners that make tables from the counts of the families.

    A subclass implements `network`.
    """

    def estimate(
        self, structure: Structure, counts: CountSource, states: Sequence[tuple[Any, ...]]
    ) -> BayesianNetwork:
        """Return the network of a structure, with tables from one pass over the rows.

        Parameters
        ----------
        structure : Structure
            Parents of every node.
        counts : CountSource
            Counts of the training rows.
        states : sequence of tuple
            States of every node, in the order of their codes; the class is last.

        Returns
        -------
        BayesianNetwork
            The structure with its conditional tables.
        """
        families = [structure.family(v) for v in range(len(structure.parents))]
        return self.network(structure, counts.tables(families), counts.names, states)

    @abstractmethod
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
