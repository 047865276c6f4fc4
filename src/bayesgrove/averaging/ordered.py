"""Averaging over all networks that fit an order, exactly and by one summary network.

D. Dash and G. Cooper (2003). Model averaging with discrete Bayesian network classifiers. AISTATS.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import logsumexp

from bayesgrove.counts import Configurations, Family
from bayesgrove.encoding import MemoryLimitError
from bayesgrove.network import BayesianNetwork, ConditionalTable, Structure
from bayesgrove.options import require_count, require_level
from bayesgrove.parameters import BDeu, Dirichlet
from bayesgrove.parameters.dirichlet import conditional
from bayesgrove.scores.decomposable import bayesian_score, gains

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.counts import CountSource
    from bayesgrove.kernels import Floats

SET_BYTES = 200
"""What a parent set takes in memory, about."""
MOST_BYTES = 1 << 32
SUMMARY_CELLS = 1 << 20
"""A table of the summary network has no more cells."""
NEGLIGIBLE = 1e-18


@dataclass(frozen=True)
class ParentSets:
    """Parent sets of a node with their probabilities, most probable first."""

    child: int
    sets: tuple[tuple[int, ...], ...]
    weights: Floats

    def arc_probabilities(self) -> dict[int, float]:
        """The probability that each variable is a parent: equation 9 of the paper."""
        found: dict[int, float] = {}
        for parents, weight in zip(self.sets, self.weights.tolist(), strict=True):
            for parent in parents:
                found[parent] = found.get(parent, 0.0) + weight
        return found

    def expected_parents(self) -> float:
        """The expected number of parents."""
        return float(self.weights @ np.array([len(own) for own in self.sets], dtype=np.float64))

    @property
    def union(self) -> tuple[int, ...]:
        """All variables that are in a set."""
        return tuple(sorted(set().union(*self.sets)))

    def cells(self, cards: Sequence[int]) -> float:
        """Cells of the table of the node given the union."""
        return math.prod([float(cards[v]) for v in (*self.union, self.child)])

    def within(self, most: int) -> ParentSets:
        """The sets inside of a union of at most so many parents: procedure 1 of the paper.

        The union grows by the most probable sets that fit; weights are normalised anew.
        """
        union: set[int] = set()
        for own in self.sets:
            if len(union | set(own)) <= most:
                union |= set(own)
        kept = [k for k, own in enumerate(self.sets) if union.issuperset(own)]
        weights = self.weights[kept]
        return ParentSets(self.child, tuple(self.sets[k] for k in kept), weights / weights.sum())


@dataclass(frozen=True)
class OrderedAverage:
    """The average over all networks that follow an order, with at most k parents a node.

    For every node all sets of at most ``max_parents`` nodes of earlier levels are weighted by
    their local score ("k2", or "bdeu" with equivalent sample size ``alpha``) and, for each
    parent, by the odds of ``arc_probability``. The averaged conditional is the weighted mean of
    the conditionals. ``summary_parents`` bounds the parents in the network that stands for the
    average (AMA), and is less for a node whose table would have more than a million cells; None
    is no bound: the average is then exact, or refused.
    """

    max_parents: int = 2
    summary_parents: int | None = 12
    score: str = "k2"
    alpha: float = 1.0
    arc_probability: float = 0.5

    def parent_sets(self, counts: CountSource, levels: Sequence[Sequence[int]]) -> list[ParentSets]:
        """All allowed parent sets of every node, by the number of the node."""
        self._check(levels)
        found: dict[int, ParentSets] = {}
        before: list[int] = []
        for level in levels:
            for child in level:
                found[child] = self._weighted(counts, child, sorted(before))
            before += level
        return [found[v] for v in range(len(counts.cards))]

    def network(
        self,
        counts: CountSource,
        states: Sequence[tuple[Any, ...]],
        parent_sets: Sequence[ParentSets],
    ) -> BayesianNetwork:
        """The network that predicts as the average does: every node has the union of its sets."""
        kept = [self._summary(counts, own) for own in parent_sets]
        structure = Structure(tuple(own.union for own in kept))
        tables = [self._averaged(counts, structure, own) for own in kept]
        return BayesianNetwork(counts.names, states, structure, tables)

    def _summary(self, counts: CountSource, own: ParentSets) -> ParentSets:
        """The parent sets that the table of a node can stand for."""
        if self.summary_parents is None:
            if own.cells(counts.cards) > SUMMARY_CELLS:
                raise MemoryLimitError(
                    f"The averaged table of {counts.names[own.child]!r} would have "
                    f"{own.cells(counts.cards):.3g} cells: give summary_parents."
                )
            return own
        most = self.summary_parents
        while own.within(most).cells(counts.cards) > SUMMARY_CELLS:
            most -= 1
        return own.within(most)

    def _weighted(self, counts: CountSource, child: int, candidates: list[int]) -> ParentSets:
        score = bayesian_score(self.score, self.alpha)
        odds = math.log(self.arc_probability) - math.log1p(-self.arc_probability)
        sets: list[tuple[int, ...]] = [()]
        logs = [0.0]
        place = 0
        while place < len(sets) and self.max_parents:
            own = sets[place]
            further = [v for v in candidates if not own or v > own[-1]]
            if further and len(own) < self.max_parents:
                gained = gains(score, counts, child, own, further) + odds
                sets += [(*own, v) for v in further]
                logs += (logs[place] + gained).tolist()
            place += 1
        weights = np.exp(np.array(logs) - logsumexp(logs))
        order = np.argsort(-weights, kind="stable")
        return ParentSets(child, tuple(sets[k] for k in order.tolist()), weights[order])

    def _averaged(
        self, counts: CountSource, structure: Structure, own: ParentSets
    ) -> ConditionalTable:
        """The weighted mean of the conditionals, over the axes of the union."""
        family = structure.family(own.child)
        scope = family.scope(counts.n_attributes)
        cells = np.zeros([counts.cards[v] for v in scope])
        parameters = Dirichlet(1.0) if self.score == "k2" else BDeu(self.alpha)
        used = [k for k, weight in enumerate(own.weights.tolist()) if weight > NEGLIGIBLE]
        families = [Family.of(own.child, own.sets[k], counts.n_attributes) for k in used]
        for k, table in zip(used, counts.tables(families), strict=True):
            dense = conditional(table, parameters.prior(table))
            axes = set(dense.scope(counts.n_attributes))
            broad = [counts.cards[v] if v in axes else 1 for v in scope]
            cells += own.weights[k] * dense.dense().reshape(broad)
        outer = tuple(counts.cards[v] for v in family.parents)
        classes = counts.n_classes if family.given_class else 1
        cells = cells.reshape(-1, classes, counts.cards[own.child])
        return ConditionalTable(family, Configurations(outer), cells)

    def _check(self, levels: Sequence[Sequence[int]]) -> None:
        require_count("max_parents", self.max_parents)
        require_count("summary_parents", self.summary_parents, optional=True)
        require_level("arc_probability", self.arc_probability)
        for k in range(self.max_parents, -1, -1):
            if _set_count(levels, k) * SET_BYTES <= MOST_BYTES:
                break
        if k < self.max_parents:
            count = _set_count(levels, self.max_parents)
            raise MemoryLimitError(
                f"max_parents={self.max_parents} makes {count:,} parent sets, about "
                f"{count * SET_BYTES / 1e9:.0f} GB: max_parents={k} would fit."
            )


def _set_count(levels: Sequence[Sequence[int]], k: int) -> int:
    """How many parent sets of at most k there are, over all nodes."""
    before, total = 0, 0
    for level in levels:
        total += len(level) * sum(math.comb(before, size) for size in range(k + 1))
        before += len(level)
    return total
