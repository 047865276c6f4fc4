"""Greedy thick-thinning: add arcs while the score improves, then remove arcs while it improves.

D. Dash and G. Cooper (2003). Model averaging with discrete Bayesian network classifiers. AISTATS 9.
The algorithm is the greedy thick-thin search (GTT) of section 4.1.

D. Dash and M. Druzdzel (2003). Robust independence testing for constraint-based learning of causal
structure. UAI 19, 167-174. The name comes from this paper.

D. Heckerman, D. Geiger and D. Chickering (1995). Learning Bayesian networks: the combination of
knowledge and statistical data. Machine Learning 20, 197-243. This paper describes greedy search by
a Bayesian score.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from bayesgrove._utils.options import require_choice, require_count, require_number
from bayesgrove._utils.renamed import renamed
from bayesgrove.encoding import require_memory
from bayesgrove.network import Structure
from bayesgrove.scores.decomposable import bayesian_score, gains
from bayesgrove.search import add_arcs, remove_arcs

if TYPE_CHECKING:
    from bayesgrove.counts import CountSource

SCORES = ("k2", "bdeu")


@renamed(alpha="equivalent_sample_size", score="criterion")
@dataclass(frozen=True)
class ThickThin:
    """Greedy thick-thinning (GTT): a two-stage greedy search over directed acyclic graphs.

    The search starts with an empty graph. The first stage repeatedly adds the arc that does not
    create a cycle and most increases P(D | S), the marginal likelihood of the data D given the
    structure S. It ends when no arc increases P(D | S). The second stage repeatedly removes the arc
    whose removal most increases P(D | S), until no removal increases it.

    The search needs no order of the nodes. The class is a node like any other: it may have
    parents, or no arcs at all. Ties go to the arc with the earlier child, then with the earlier
    parent, in the order of the columns with the class last.

    Parameters
    ----------
    criterion : {"k2", "bdeu"}, default="k2"
        The parameter prior of the marginal likelihood. "k2" adds one pseudo-count per cell. "bdeu"
        divides an equivalent sample of ``equivalent_sample_size`` rows equally among the cells.
    equivalent_sample_size : float, default=1.0
        The equivalent sample size of ``criterion="bdeu"``, above 0. "k2" does not use it.
    max_parents : int or None, default=None
        The largest number of parents of a node. None means no limit.

    References
    ----------
    D. Dash and G. Cooper (2003). Model averaging with discrete Bayesian network classifiers.
    Proceedings of the Ninth International Workshop on Artificial Intelligence and Statistics
    (AISTATS), section 4.1.

    D. Dash and M. Druzdzel (2003). Robust independence testing for constraint-based learning of
    causal structure. UAI 19, 167-174.

    D. Heckerman, D. Geiger and D. Chickering (1995). Learning Bayesian networks: the combination of
    knowledge and statistical data. Machine Learning 20, 197-243.

    Examples
    --------
    >>> from bayesgrove import BayesianNetworkClassifier
    >>> from bayesgrove.structures import ThickThin
    >>> X, y = [["n", "n"], ["y", "n"], ["n", "y"], ["y", "y"]] * 6, ["no", "yes", "yes", "yes"] * 6
    >>> sorted(BayesianNetworkClassifier(ThickThin()).fit(X, y).network_.arcs)
    [('class', 'x0'), ('class', 'x1'), ('x1', 'x0')]
    """

    criterion: str = "k2"
    equivalent_sample_size: float = 1.0
    max_parents: int | None = None

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
        self._check()
        nodes = len(counts.cards)
        require_memory(24 * nodes**2, "The gains of all arcs", "select fewer columns")
        gain = partial(gains, bayesian_score(self.criterion, self.equivalent_sample_size), counts)
        thick_graph = add_arcs(nodes, gain, self.max_parents)
        return Structure(tuple(remove_arcs(thick_graph, gain)))

    def _check(self) -> None:
        require_choice("criterion", self.criterion, SCORES)
        require_number("equivalent_sample_size", self.equivalent_sample_size, lowest=1e-100)
        require_count("max_parents", self.max_parents, optional=True)
