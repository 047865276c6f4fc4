"""CB: conditional independence tests find a node order, and K2 finds the network along it.

M. Singh and M. Valtorta (1995). Construction of Bayesian network structures from data: a brief
survey and an efficient algorithm. International Journal of Approximate Reasoning 12, 111-131.

M. Singh and G. Provan (1995). Efficient learning of selective Bayesian network classifiers.
MS-CIS-95-36, University of Pennsylvania. Section 3 describes the version that stops by predictive
accuracy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bayesgrove._utils.options import require_choice, require_count, require_level, require_seed
from bayesgrove._utils.renamed import renamed
from bayesgrove.network import Structure
from bayesgrove.parameters.predictive_score import predictive_score
from bayesgrove.scores.decomposable import K2Score, gains
from bayesgrove.scores.independence import p_values
from bayesgrove.scores.monitor import Monitor
from bayesgrove.search import direct_edges, greedy_parents, is_more, topological_order

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bayesgrove.counts import CountSource

Graph = NDArray[np.bool_]
Separators = dict[tuple[int, int], tuple[int, ...]]
Quality = Callable[[Structure], float]
HELD_OUT_FOLDS = 3
"""One row in this many is held out."""


@renamed(alpha="level", judge="stop_by")
@dataclass(frozen=True)
class CB:
    """The CB algorithm: conditional independence (CI) tests of increasing order, then K2.

    The algorithm starts with the complete undirected graph on all nodes. CI tests of order o remove
    the edge between two adjacent nodes that are independent (chi-squared test, p > ``level``) given
    some o nodes, each adjacent to at least one of the two. The remaining edges are directed, the
    nodes are sorted so that arrows point from earlier to later nodes, and K2 learns the network
    along this sequence of nodes. The algorithm repeats this for tests of order 0, 1, 2, ... while
    each network is better than the one before.

    Ties go to the attribute that comes first. Nodes that no arrow puts in order are sorted as the
    attributes come: the class, then the columns of the table or, after a selection, the attributes
    in the order in which they were selected. The order also decides which of several separating
    sets of nodes is kept, and the direction of an edge for which both directions are equally good.
    The papers state no rule for this.

    Parameters
    ----------
    level : float, default=0.05
        The significance level of the CI tests, between 0 and 1. A higher level keeps more edges.
    max_order : int or None, default=None
        The largest order of the CI tests. None means no limit.
    class_node : {"root", "free"}, default="root"
        How the edges of the class are directed. "root" directs them away from the class, before all
        other edges. "free" treats the class as any other node, which may get parents.
    stop_by : {"training", "held-out", "score", "monitor"}, default="training"
        How two networks are compared. "training" uses the predictive accuracy on the training rows.
        "held-out" learns from two thirds of the rows and uses the accuracy on the other third,
        which is random. This decides up to which order the CI tests go. The final network is then
        learned from all rows, with tests up to this order. "score" uses the probability of the
        structure given the data, as in Singh and Valtorta (1995). "monitor" uses the global
        monitor: the summed log-probability of the class of each row, predicted from the rows before
        it (Cowell, Dawid and Spiegelhalter 1993). It needs the rows in memory.
    random_state : int, default=0
        The seed that fixes which rows ``stop_by="held-out"`` holds out.

    References
    ----------
    M. Singh and M. Valtorta (1995). Construction of Bayesian network structures from data: a brief
    survey and an efficient algorithm. International Journal of Approximate Reasoning 12, 111-131.

    M. Singh and G. Provan (1995). Efficient learning of selective Bayesian network classifiers.
    MS-CIS-95-36, University of Pennsylvania, section 3.

    Examples
    --------
    >>> from bayesgrove import BayesianNetworkClassifier
    >>> from bayesgrove.structures import CB
    >>> X, y = [["n", "n"], ["y", "n"], ["n", "y"], ["y", "y"]] * 6, ["no", "yes", "yes", "yes"] * 6
    >>> sorted(BayesianNetworkClassifier(CB()).fit(X, y).network_.arcs)
    [('class', 'x0'), ('class', 'x1'), ('x0', 'x1')]
    """

    level: float = 0.05
    max_order: int | None = None
    class_node: str = "root"
    stop_by: str = "training"
    random_state: int = 0

    @property
    def weights_repeat_rows(self) -> bool:
        """Whether a row of weight 2 has the same effect as two copies of the row."""
        return self.stop_by not in ("held-out", "monitor")

    def learn(self, counts: CountSource) -> Structure:
        """Learn the parents of every node.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.

        Returns
        -------
        Structure
            The parents of every attribute, then of the class, in the best network.
        """
        self._check()
        if self.stop_by == "held-out":
            learning, held_out = next(counts.folds(HELD_OUT_FOLDS, self.random_state))
            improving = self._improving(learning, lambda s: predictive_score(s, learning, held_out))
            return list(islice(self._structures(counts), len(improving)))[-1]
        if self.stop_by == "training":
            return self._improving(counts, lambda s: predictive_score(s, counts, counts))[-1]
        if self.stop_by == "monitor":
            return self._improving(counts, Monitor(counts, "stop_by").of)[-1]
        return self._improving(counts, partial(_log_probability, counts))[-1]

    def _improving(self, counts: CountSource, quality: Quality) -> list[Structure]:
        """Return the networks of orders 0, 1, ... while each is better than the one before."""
        improving: list[Structure] = []
        best = 0.0
        for structure in self._structures(counts):
            value = quality(structure)
            if improving and not is_more(value, best):
                break
            improving.append(structure)
            best = value
        return improving

    def _structures(self, counts: CountSource) -> Iterator[Structure]:
        """Yield the networks after CI tests of order 0, 1, 2, ... while there are tests to make."""
        last, size = counts.n_attributes, len(counts.cards)
        graph = ~np.eye(size, dtype=bool)
        separators: Separators = {}
        gain = partial(gains, K2Score(), counts)
        order = 0
        while self._test(counts, graph, separators, order) or order == 0:
            arrows = direct_edges(
                graph, separators, last if self.class_node == "root" else None, gain
            )
            node_order = topological_order(arrows, [last, *range(last)])
            parent_sets = greedy_parents(node_order, gain)
            yield Structure(tuple(parent_sets[v] for v in range(size)))
            order += 1
            if self.max_order is not None and order > self.max_order:
                return

    def _test(self, counts: CountSource, graph: Graph, separators: Separators, order: int) -> bool:
        """Remove edges by CI tests of one order; return whether there was any test to make.

        All tests of an order use the graph as it was before the order, so their sequence does not
        change the result.
        """
        tested = False
        for given, possible in _conditions(np.triu(graph), graph.copy(), order):
            first, second = np.nonzero(possible & graph)
            if not len(first):
                continue
            tested = True
            independent = p_values(counts, first.tolist(), second.tolist(), given) > self.level
            a, b = first[independent], second[independent]
            graph[a, b] = graph[b, a] = False
            separators.update(dict.fromkeys(zip(a.tolist(), b.tolist(), strict=True), given))
        return tested

    def _check(self) -> None:
        require_level("level", self.level)
        require_count("max_order", self.max_order, optional=True)
        require_choice("class_node", self.class_node, ("root", "free"))
        require_choice("stop_by", self.stop_by, ("training", "held-out", "score", "monitor"))
        require_seed("random_state", self.random_state)


def _conditions(
    pairs: Graph, near: Graph, order: int, given: tuple[int, ...] = ()
) -> Iterator[tuple[tuple[int, ...], Graph]]:
    """Yield sets of ``order`` nodes, each with the pairs that it may separate.

    Every node of the set is adjacent to at least one node of such a pair.
    """
    if len(given) == order:
        yield given, pairs
        return
    for node in range(given[-1] + 1 if given else 0, len(near)):
        remaining = pairs & (near[:, node, None] | near[node])
        remaining[node, :] = remaining[:, node] = False
        if remaining.any():
            yield from _conditions(remaining, near, order, (*given, node))


def _log_probability(counts: CountSource, structure: Structure) -> float:
    """Return the log-probability of a structure relative to the structure without arcs.

    The gains of the parents are added one by one. Each gain is computed from the rows where the
    parent is known.
    """
    return sum(
        float(gains(K2Score(), counts, child, parents[:place], [parents[place]])[0])
        for child, parents in enumerate(structure.parents)
        for place in range(len(parents))
    )
