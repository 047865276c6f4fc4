"""K2: greedy selection of the parents of every node along a given node order.

G. Cooper and E. Herskovits (1992). A Bayesian method for the induction of probabilistic networks
from data. Machine Learning 9, 309-347.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove._utils.options import require_choice, require_count
from bayesgrove.network import Structure
from bayesgrove.scores.decomposable import K2Score, gains
from bayesgrove.scores.information import information_with_class
from bayesgrove.scores.monitor import Monitor
from bayesgrove.search import best_parents, greedy_parents, named_levels, rounded_for_ties

if TYPE_CHECKING:
    from bayesgrove.counts import CountSource


@dataclass(frozen=True)
class K2:
    """The K2 algorithm: a greedy search for the parents of every node along an order of the nodes.

    A node starts without parents. Among its predecessors in the order, K2 adds the parent that
    increases the probability of the structure given the data by the largest amount. It stops when
    no single parent increases the probability, or at ``max_parents``.

    Parameters
    ----------
    order : sequence of str or None, default=None
        The names of all nodes, including the name of the class: arcs lead from earlier to later
        nodes. None means the class first, then the attributes in the order of decreasing I(X;C).
        Ties go to the earlier column.
    max_parents : int or None, default=None
        The largest number of parents of a node, including the class (the paper's u). None means
        no limit.
    criterion : {"k2", "monitor"}, default="k2"
        What the search improves. "k2" is the probability of the structure given the data.
        "monitor" is the global monitor of the nodes up to the current one: the summed
        log-probability of the class of each row, predicted from the rows before it. A node that
        does not depend on the class then gets no parents. The monitor depends on the order of the
        rows and needs them in memory.

    References
    ----------
    G. Cooper and E. Herskovits (1992). A Bayesian method for the induction of probabilistic
    networks from data. Machine Learning 9, 309-347.

    R. Cowell, A. P. Dawid and D. Spiegelhalter (1993). Sequential model criticism in probabilistic
    expert systems. IEEE Transactions on Pattern Analysis and Machine Intelligence 15(3), 209-219.

    Examples
    --------
    >>> from bayesgrove import BayesianNetworkClassifier
    >>> from bayesgrove.structures import K2
    >>> X, y = [["n", "n"], ["y", "n"], ["n", "y"], ["y", "y"]] * 6, ["no", "yes", "yes", "yes"] * 6
    >>> BayesianNetworkClassifier(K2(order=["class", "x1", "x0"])).fit(X, y).network_.parents("x0")
    ('x1', 'class')
    """

    order: Any = None
    max_parents: int | None = None
    criterion: str = "k2"

    @property
    def weights_repeat_rows(self) -> bool:
        """Whether a row of weight 2 has the same effect as two copies of the row."""
        return self.criterion != "monitor"

    def learn(self, counts: CountSource) -> Structure:
        """Learn the parents of every node.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.

        Returns
        -------
        Structure
            The parents of every attribute, then of the class.
        """
        require_count("max_parents", self.max_parents, optional=True)
        require_choice("criterion", self.criterion, ("k2", "monitor"))
        order = self._order(counts)
        if self.criterion == "monitor":
            parent_sets = self._monitored(order, Monitor(counts, "criterion"))
        else:
            parent_sets = greedy_parents(order, partial(gains, K2Score(), counts), self.max_parents)
        return Structure(tuple(parent_sets[v] for v in range(len(counts.cards))))

    def _monitored(self, order: list[int], monitor: Monitor) -> dict[int, tuple[int, ...]]:
        """Return the parents of every node, by the monitor of the nodes up to each node."""
        parent_sets = {}
        joint = monitor.nothing()
        for position, child in enumerate(order):
            gained = partial(monitor.gains, joint)
            parents = best_parents(child, order[:position], gained, self.max_parents)
            joint = joint + monitor.terms(child, parents)
            parent_sets[child] = parents
        return parent_sets

    def _order(self, counts: CountSource) -> list[int]:
        """Return the numbers of the nodes in order; raise unless the order is total."""
        if self.order is None:
            relevance = rounded_for_ties(information_with_class(counts))
            return [counts.n_attributes, *np.argsort(-relevance, kind="stable").tolist()]
        levels = named_levels(self.order, counts.names)
        for level in levels:
            if len(level) > 1:
                both = " and ".join(repr(counts.names[v]) for v in level[:2])
                raise ValueError(f"order does not say which of {both} comes first.")
        return [v for level in levels for v in level]
