"""CB: tests of conditional independence find an order, K2 the network along it.

M. Singh and M. Valtorta (1995). Construction of Bayesian network structures from data: a brief
survey and an efficient algorithm. International Journal of Approximate Reasoning 12, 111-131.
Judged by accuracy as in M. Singh and G. Provan (1995). Efficient learning of selective Bayesian
network classifiers. MS-CIS-95-36, University of Pennsylvania.
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
from bayesgrove.search import direct_edges, greedy_parents, is_more, topological_order

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bayesgrove.counts import CountSource

Graph = NDArray[np.bool_]
Separators = dict[tuple[int, int], tuple[int, ...]]
Quality = Callable[[Structure], float]
HELD_OUT = 3
"""One row in so many is held out."""


@renamed(alpha="level", judge="stop_by")
@dataclass(frozen=True)
class CB:
    """A network for every order 0, 1, 2, ... of independence tests; the first best is kept.

    Starting with the complete undirected graph, tests of order o remove the edge between two
    nodes that are independent (chi-squared, p > ``level``) given some o nodes adjacent to
    either. The edges left are directed, nodes sorted so that arrows point ahead, and K2 finds
    the parents along that order. It goes on with order o + 1 as long as the network gets better.

    ``class_node="root"`` directs the edges of the class away from it first; "free" treats it as
    any other node, which may get parents. ``stop_by`` says what better means: "training" is the
    accuracy on the training rows, "held-out" that on a third of them which everything else is
    learned without (the order of the tests is then chosen, and all rows used), "score" the
    probability of the structure, as in the original paper.
    """

    level: float = 0.05
    max_order: int | None = None
    class_node: str = "root"
    stop_by: str = "training"
    random_state: int = 0

    @property
    def weights_repeat_rows(self) -> bool:
        """Return whether a row of weight 2 is the row twice."""
        return self.stop_by != "held-out"

    def learn(self, counts: CountSource) -> Structure:
        """Parents of every node."""
        self._check()
        if self.stop_by == "held-out":
            learning, judging = next(counts.folds(HELD_OUT, self.random_state))
            networks = len(self._best(learning, lambda s: predictive_score(s, learning, judging)))
            return list(islice(self._structures(counts), networks))[-1]
        if self.stop_by == "training":
            return self._best(counts, lambda s: predictive_score(s, counts, counts))[-1]
        return self._best(counts, partial(_probability, counts))[-1]

    def _best(self, counts: CountSource, quality: Quality) -> list[Structure]:
        """The networks of order 0, 1, ... for as long as each is better than the one before."""
        better: list[Structure] = []
        value = 0.0
        for structure in self._structures(counts):
            new = quality(structure)
            if better and not is_more(new, value):
                break
            better.append(structure)
            value = new
        return better

    def _structures(self, counts: CountSource) -> Iterator[Structure]:
        """The networks after tests of order 0, 1, 2, ..., as long as there are any to make."""
        last, size = counts.n_attributes, len(counts.cards)
        graph = ~np.eye(size, dtype=bool)
        separators: Separators = {}
        gain = partial(gains, K2Score(), counts)
        order = 0
        while self._test(counts, graph, separators, order) or order == 0:
            arrows = direct_edges(
                graph, separators, last if self.class_node == "root" else None, gain
            )
            found = greedy_parents(topological_order(arrows, [last, *range(last)]), gain)
            yield Structure(tuple(found[v] for v in range(size)))
            order += 1
            if self.max_order is not None and order > self.max_order:
                return

    def _test(self, counts: CountSource, graph: Graph, separators: Separators, order: int) -> bool:
        """Remove edges of nodes that are independent given so many others; whether any was tested.

        All tests of an order look at the graph before it: its result is that of any sequence.
        """
        tested = False
        for given, possible in _conditions(np.triu(graph), graph.copy(), order):
            first, second = np.nonzero(possible & graph)
            if not len(first):
                continue
            tested = True
            free = p_values(counts, first.tolist(), second.tolist(), given) > self.level
            a, b = first[free], second[free]
            graph[a, b] = graph[b, a] = False
            separators.update(dict.fromkeys(zip(a.tolist(), b.tolist(), strict=True), given))
        return tested

    def _check(self) -> None:
        require_level("level", self.level)
        require_count("max_order", self.max_order, optional=True)
        require_choice("class_node", self.class_node, ("root", "free"))
        require_choice("stop_by", self.stop_by, ("training", "held-out", "score"))
        require_seed("random_state", self.random_state)


def _conditions(
    pairs: Graph, near: Graph, order: int, given: tuple[int, ...] = ()
) -> Iterator[tuple[tuple[int, ...], Graph]]:
    """Sets of so many nodes, and the pairs of nodes one of which is adjacent to each of the set."""
    if len(given) == order:
        yield given, pairs
        return
    for node in range(given[-1] + 1 if given else 0, len(near)):
        left = pairs & (near[:, node, None] | near[node])
        left[node, :] = left[:, node] = False
        if left.any():
            yield from _conditions(left, near, order, (*given, node))


def _probability(counts: CountSource, structure: Structure) -> float:
    """The logarithm of how much more probable a structure is than that without arcs.

    It is added up parent by parent: each gain is over the rows where the parent is known.
    """
    return sum(
        float(gains(K2Score(), counts, child, parents[:place], [parents[place]])[0])
        for child, parents in enumerate(structure.parents)
        for place in range(len(parents))
    )
