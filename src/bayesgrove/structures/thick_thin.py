"""Greedy thick-thinning: the best arc more as long as it pays, then the worst one less.

D. Dash and G. Cooper (2003). Model averaging with discrete Bayesian network classifiers. AISTATS 9
(GTT of section 4.1). The name is that of D. Dash and M. Druzdzel (2003). Robust independence
testing for constraint-based learning of causal structure. UAI 19, 167-174. Greedy search by a
Bayesian score: D. Heckerman, D. Geiger and D. Chickering (1995). Learning Bayesian networks: the
combination of knowledge and statistical data. Machine Learning 20, 197-243.
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
    """From the graph without arcs, add the arc that raises the score most, then remove likewise.

    No order is needed, and the class is a node like any other: it may have parents, or be left
    without any arc. Of equal arcs the first by child, then by parent, in the order of the columns
    with the class last.

    ``criterion`` is the probability of the rows with one pseudo-count a cell ("k2") or with an
    equivalent sample of ``equivalent_sample_size`` rows ("bdeu"). ``max_parents`` bounds the number of parents of
    a node; None is no bound.
    """

    criterion: str = "k2"
    equivalent_sample_size: float = 1.0
    max_parents: int | None = None

    def learn(self, counts: CountSource) -> Structure:
        """Parents of every node."""
        self._check()
        nodes = len(counts.cards)
        require_memory(24 * nodes**2, "The gains of all arcs", "select fewer columns")
        gain = partial(gains, bayesian_score(self.criterion, self.equivalent_sample_size), counts)
        thick = add_arcs(nodes, gain, self.max_parents)
        return Structure(tuple(remove_arcs(thick, gain)))

    def _check(self) -> None:
        require_choice("criterion", self.criterion, SCORES)
        require_number("equivalent_sample_size", self.equivalent_sample_size, lowest=1e-100)
        require_count("max_parents", self.max_parents, optional=True)
