"""Occam's window: the average over the networks that a greedy search has met, without poor ones.

D. Madigan and A. Raftery (1994). Model selection and accounting for model uncertainty in graphical
models using Occam's window. Journal of the American Statistical Association 89, 1535-1546.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.options import require_choice, require_count, require_number
from bayesgrove._utils.ties import WHOLE_DIGITS, is_more, nearly
from bayesgrove.encoding import require_memory
from bayesgrove.network import Structure
from bayesgrove.scores.decomposable import bayesian_score, gains
from bayesgrove.search import Additions, Removals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.counts import CountSource
    from bayesgrove.kernels import Floats

CRITERIA = ("k2", "bdeu")


@dataclass(frozen=True)
class OccamsWindow:
    """The networks in Occam's window, among those that greedy thick-thinning has met.

    The search begins without arcs, adds the arc that most increases P(D | S) while there is one,
    and then removes arcs in the same way. It meets every graph that it compares: the graph of each
    step, and this graph with each arc that it could add (or, later, without each of its arcs). All
    these graphs are equally probable before the rows D are seen. Two principles leave out graphs:

    1. A graph is left out if it is more than ``window`` times less probable than the best one.
    2. A graph is left out if a graph with some of its arcs, and no others, is more probable.

    Parameters
    ----------
    criterion : {"k2", "bdeu"}, default="k2"
        The parameter prior of the marginal likelihood. "k2" adds one pseudo-count per cell. "bdeu"
        divides an equivalent sample of ``equivalent_sample_size`` rows equally among the cells.
    equivalent_sample_size : float, default=1.0
        The equivalent sample size of ``criterion="bdeu"``, above 0. "k2" does not use it.
    max_parents : int or None, default=None
        The largest number of parents of a node. None means no limit.
    window : float, default=20.0
        The largest ratio between the probabilities of the best graph and of another one, at least 1
        (the paper's C).
    max_networks : int, default=100
        The largest number of graphs. The most probable ones are returned. Ties go to the graph with
        fewer arcs, then to the graph with the earlier children and parents.

    References
    ----------
    D. Madigan and A. Raftery (1994). Model selection and accounting for model uncertainty in
    graphical models using Occam's window. Journal of the American Statistical Association 89,
    1535-1546.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.contracts import TrainingData
    >>> from bayesgrove.averaging import OccamsWindow
    >>> a, b = np.tile(np.array([[0, 0, 1, 1], [0, 1, 0, 1]], dtype=np.uint8), 9)
    >>> counts = TrainingData.of_columns([a, b], [2, 2], a, 2).counts
    >>> structures, weights = OccamsWindow().learn(counts)
    >>> [structure.parents for structure in structures], weights.tolist()
    ([((2,), (), ()), ((), (), (0,))], [0.5, 0.5])
    """

    criterion: str = "k2"
    equivalent_sample_size: float = 1.0
    max_parents: int | None = None
    window: float = 20.0
    max_networks: int = 100

    def check(self) -> None:
        """Raise unless the options are valid."""
        require_choice("criterion", self.criterion, CRITERIA)
        require_number("equivalent_sample_size", self.equivalent_sample_size, lowest=1e-100)
        require_count("max_parents", self.max_parents, optional=True)
        require_number("window", self.window, lowest=1)
        require_count("max_networks", self.max_networks, lowest=1)

    def learn(self, counts: CountSource) -> tuple[list[Structure], Floats]:
        """Learn the structures in the window.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.

        Returns
        -------
        tuple of list of Structure and ndarray of shape (n_structures,)
            The structures, most probable first, and their probabilities, which sum to 1.
        """
        self.check()
        nodes = len(counts.cards)
        require_memory(24 * nodes**2, "The gains of all arcs", "select fewer columns")
        inside = _without_poor(self._met(counts))[: self.max_networks]
        logs = np.array([log for _, log in inside])
        weights = np.exp(logs - logs[0])
        return [_structure(graph, nodes) for graph, _ in inside], weights / weights.sum()

    def _met(self, counts: CountSource) -> dict[int, float]:
        """Return the graphs that the search meets inside the window, with their log-scores."""
        gain = partial(gains, bayesian_score(self.criterion, self.equivalent_sample_size), counts)
        nodes = len(counts.cards)
        met = _Met(math.log(self.window))
        adding = Additions(nodes, gain, self.max_parents)
        met.walk(adding)
        met.walk(Removals(adding.parents, gain))
        return met.graphs


@dataclass
class _Met:
    """Graphs with their log-scores relative to the graph without arcs, inside a window.

    A graph is a number with one bit per arc: bit ``child * nodes + parent``.
    """

    log_window: float
    score: float = 0.0
    best: float = 0.0
    graphs: dict[int, float] = field(default_factory=dict)

    def walk(self, search: Additions | Removals) -> None:
        """Follow a greedy search to its end, and keep all graphs that it compares."""
        more = True
        while more:
            before, values = _number(search.parents), search.gains.copy()
            self._keep(before, values)
            more = search.step()
            changed = before ^ _number(search.parents)
            if changed:
                self.score += float(values.ravel()[changed.bit_length() - 1])

    def _keep(self, graph: int, values: Floats) -> None:
        """Keep a graph, and the graphs that the search compares with it, inside the window."""
        self.best = max(self.best, self.score + float(values.max(initial=0.0)))
        lowest = self.best - self.log_window
        self.graphs[graph] = self.score
        for place in np.flatnonzero(values >= nearly(lowest) - self.score).tolist():
            self.graphs[graph ^ 1 << place] = self.score + float(values.ravel()[place])
        self.graphs = {
            number: log for number, log in self.graphs.items() if not is_more(lowest, log)
        }


def _without_poor(graphs: dict[int, float]) -> list[tuple[int, float]]:
    """Return graphs without a more probable graph that has only some of their arcs, best first.

    It is enough to compare with the graphs that stay: what makes one of the others poor makes the
    graphs above it poor too.
    """
    logs = {graph: round(log, WHOLE_DIGITS) for graph, log in graphs.items()}
    order = sorted(graphs, key=lambda graph: (-logs[graph], graph.bit_count(), graph))
    kept: list[tuple[int, float]] = []
    for graph in order:
        log = graphs[graph]
        if not any(other & graph == other and is_more(better, log) for other, better in kept):
            kept.append((graph, log))
    return kept


def _number(parents: Sequence[Sequence[int]]) -> int:
    """Return a graph as a number with one bit per arc."""
    nodes = len(parents)
    return sum(1 << child * nodes + p for child, of_child in enumerate(parents) for p in of_child)


def _structure(graph: int, nodes: int) -> Structure:
    """Return the parents of every node."""
    return Structure(
        tuple(
            tuple(p for p in range(nodes) if graph >> child * nodes + p & 1)
            for child in range(nodes)
        )
    )
