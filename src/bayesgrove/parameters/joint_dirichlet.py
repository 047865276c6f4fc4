"""Conditional tables of joined attributes, with a Dirichlet prior for every joint value."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bayesgrove._utils.options import require_number
from bayesgrove.network import BayesianNetwork
from bayesgrove.network.groups import groups_of_structure
from bayesgrove.parameters.dirichlet import conditional

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.counts import CountSource
    from bayesgrove.network import Structure


@dataclass(frozen=True)
class JointDirichlet:
    """Conditional tables of joined attributes with the same pseudo-count for every joint value.

    For the joint value x of a group of attributes with r joint values,
    ``P(x | class) = (N(x, class) + alpha) / (N(class) + alpha r)``. The network has one table per
    attribute of the group, given the class and the earlier attributes of the group. The product of
    these tables is this probability if the pseudo-count per cell is ``alpha`` times the number of
    joint values of the later attributes of the group. An attribute that is not joined, and the
    class, have the pseudo-count ``alpha``.

    Parameters
    ----------
    alpha : float, default=1.0
        Pseudo-count per joint value, at least 0. The value 0 is maximum likelihood.

    References
    ----------
    M. Pazzani (1996). Searching for dependencies in Bayesian classifiers. Learning from Data:
    Artificial Intelligence and Statistics V, Lecture Notes in Statistics 112, 239-248.

    Examples
    --------
    >>> from bayesgrove import BayesianNetworkClassifier
    >>> from bayesgrove.parameters import JointDirichlet
    >>> from bayesgrove.structures import TAN
    >>> X, y = [["n", "n"], ["y", "n"], ["n", "y"], ["y", "y"]] * 6, ["no", "yes", "yes", "no"] * 6
    >>> model = BayesianNetworkClassifier(TAN(), JointDirichlet(1.0)).fit(X, y)
    >>> round(model.network_.posterior("x0", {"class": "no", "x1": "n"})["n"], 3)
    0.875
    """

    alpha: float = 1.0

    def estimate(
        self, structure: Structure, counts: CountSource, states: Sequence[tuple[Any, ...]]
    ) -> BayesianNetwork:
        """Return the network of joined attributes, with tables from one pass over the rows.

        Parameters
        ----------
        structure : Structure
            Parents of every node. Inside a group of joined attributes, the parents of an attribute
            are the class and all earlier attributes of the group.
        counts : CountSource
            Counts of the training rows.
        states : sequence of tuple
            States of every node, in the order of their codes; the class is last.

        Returns
        -------
        BayesianNetwork
            The structure with its conditional tables.
        """
        require_number("alpha", self.alpha, lowest=0)
        groups = groups_of_structure(structure)
        for group in groups:
            _require_rows(counts, group)
        tables = counts.tables([structure.family(v) for v in range(len(structure.parents))])
        priors = self.pseudo_counts(structure, counts.cards)
        conditionals = [
            conditional(table, prior) for table, prior in zip(tables, priors, strict=True)
        ]
        return BayesianNetwork(counts.names, states, structure, conditionals)

    def pseudo_counts(self, structure: Structure, cards: Sequence[int]) -> list[float]:
        """Return the pseudo-count per cell of the table of every node.

        Parameters
        ----------
        structure : Structure
            Parents of every node, as for `estimate`.
        cards : sequence of int
            Cardinality of every node; the class is last.

        Returns
        -------
        list of float
            One number per node.
        """
        groups = groups_of_structure(structure)
        later = {v: group[place + 1 :] for group in groups for place, v in enumerate(group)}
        return [
            self.alpha * math.prod(cards[u] for u in later.get(v, ()))
            for v in range(len(structure.parents))
        ]


def _require_rows(counts: CountSource, group: Sequence[int]) -> None:
    """Raise if joined attributes have more joint values than there are rows."""
    cells = math.prod(counts.cards[v] for v in group)
    if len(group) > 1 and cells > counts.rows:
        names = ", ".join(repr(counts.names[v]) for v in group)
        raise ValueError(
            f"The columns {names} are joined. They have {cells} joint values, more than the "
            f"{counts.rows} rows. Join fewer columns (a structure learner with fewer parents per "
            "node, such as KDB(k=1), joins fewer), select fewer columns, or cut numeric columns "
            "into fewer intervals."
        )
