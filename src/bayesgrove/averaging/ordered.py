"""Averaging over all networks that fit an order, exactly and by one summary network.

D. Dash and G. Cooper (2003). Model averaging with discrete Bayesian network classifiers. AISTATS.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove._utils.options import require_count, require_level, require_number
from bayesgrove._utils.renamed import renamed
from bayesgrove.counts import Configurations, Family
from bayesgrove.encoding import MemoryLimitError
from bayesgrove.network import BayesianNetwork, ConditionalTable, Structure
from bayesgrove.network.mixture import AveragedNetwork, MeanTable
from bayesgrove.parameters import BDeu, Dirichlet
from bayesgrove.parameters.dirichlet import conditional
from bayesgrove.scores.decomposable import bayesian_score, set_gains
from bayesgrove.search import subset_count, subsets_up_to

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.counts import CountSource, FamilyTable
    from bayesgrove.kernels import Floats
    from bayesgrove.parameters.dirichlet import PseudoCounts

SET_BYTES = 300
"""What a parent set takes in memory, about."""
MOST_BYTES = 1 << 32
SUMMARY_CELLS = 1 << 16
"""A table of the summary network has no more cells."""
NEGLIGIBLE = 1e-18
"""A set of less probability is as good as none: with a million of them nothing changes."""


@dataclass(frozen=True)
class ParentSets:
    """Parent sets of a node with the logarithms of their probabilities, most probable first.

    ``sets[s]`` are the parents of a set, with -1 behind the last.
    """

    child: int
    sets: NDArray[np.int32]
    logs: Floats

    @cached_property
    def weights(self) -> Floats:
        """The probability of every set."""
        found: Floats = np.exp(self.logs)
        return found

    def arc_probabilities(self) -> dict[int, float]:
        """The probability that each variable is a parent: equation 9 of the paper."""
        member = self.sets >= 0
        weights = np.broadcast_to(self.weights[:, None], self.sets.shape)[member]
        sums = np.bincount(self.sets[member], weights)
        return {v: float(sums[v]) for v in self.union}

    def most_probable(self, count: int) -> list[tuple[tuple[int, ...], float]]:
        """The first sets, each with its probability."""
        weights = self.weights[:count].tolist()
        return list(zip(_members(self.sets[:count]), weights, strict=True))

    @cached_property
    def union(self) -> tuple[int, ...]:
        """All variables that are in a set."""
        return tuple(np.unique(self.sets[self.sets >= 0]).tolist())

    def cells(self, cards: Sequence[int]) -> float:
        """Cells of the table of the node given the union."""
        return math.prod([float(cards[v]) for v in (*self.union, self.child)])

    def within(self, most: int | None) -> ParentSets:
        """The sets inside of a union of at most so many parents: procedure 1 of the paper.

        The union grows by the most probable sets that fit; None is no bound. Probabilities are
        normalised anew, and sets that cannot change any digit are left out.
        """
        sets, logs = self.sets, self.logs
        if most is not None and len(self.union) > most:
            inside = _inside_union(sets, most)
            sets, logs = sets[inside], logs[inside]
        logs = logs - _log_sum(logs)
        count = int(np.searchsorted(-logs, -math.log(NEGLIGIBLE)))
        return ParentSets(self.child, sets[:count], logs[:count])


@renamed(alpha="equivalent_sample_size", score="criterion", arc_probability="arc_prior")
@dataclass(frozen=True)
class OrderedAverage:
    """The average over all networks that follow an order, with at most k parents a node.

    For every node all sets of at most ``max_parents`` nodes of earlier levels are weighted by
    their local score ("k2", or "bdeu" with equivalent sample size
    ``equivalent_sample_size``) and by a prior, in
    which each parent counts with the odds of its ``arc_prior`` (one for all arcs, or a
    mapping of arcs, by numbers, to theirs; 0.5 for the others) and with ``exp(-parent_penalty)``.
    The averaged conditional is the weighted mean of the conditionals. ``summary_parents`` bounds
    the parents in the network that stands for the average (AMA); None is no bound: the average is
    then exact.
    """

    max_parents: int = 2
    summary_parents: int | None = 12
    criterion: str = "k2"
    equivalent_sample_size: float = 1.0
    arc_prior: float | Mapping[tuple[int, int], float] = 0.5
    parent_penalty: float = 0.0

    def parent_sets(self, counts: CountSource, levels: Sequence[Sequence[int]]) -> list[ParentSets]:
        """All allowed parent sets of every node, by the number of the node."""
        self.check(levels)
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
    ) -> AveragedNetwork:
        """The average itself: one table a node, or the tables of its sets where one is too large.

        Where it is, the table in the network is of fewer parents.
        """
        wanted = [own.within(self.summary_parents) for own in parent_sets]
        fitting = [_fitting(*pair, counts.cards) for pair in zip(wanted, parent_sets, strict=True)]
        structure = Structure(tuple(own.union for own in fitting))
        tables = [self._compiled(counts, structure, own) for own in fitting]
        means = {
            own.child: self._listed(counts, own)
            for own, fits in zip(wanted, fitting, strict=True)
            if fits is not own
        }
        return AveragedNetwork(BayesianNetwork(counts.names, states, structure, tables), means)

    def _weighted(self, counts: CountSource, child: int, candidates: list[int]) -> ParentSets:
        """All sets of at most ``max_parents`` candidates."""
        members, shorter = subsets_up_to(len(candidates), self.max_parents)
        sets = np.array([*candidates, -1], dtype=np.int32)[members]
        score = bayesian_score(self.criterion, self.equivalent_sample_size)
        prior = np.array([self._log_odds(v, child) for v in candidates] + [0.0])
        logs = set_gains(score, counts, child, sets, shorter) + prior[members].sum(axis=1)
        order = np.argsort(-logs, kind="stable")
        return ParentSets(child, sets[order], (logs - _log_sum(logs))[order])

    def _log_odds(self, parent: int, child: int) -> float:
        """What a parent adds to the logarithm of the prior of a set."""
        own = self.arc_prior
        probability = own.get((parent, child), 0.5) if isinstance(own, Mapping) else own
        return math.log(probability) - math.log1p(-probability) - self.parent_penalty

    @property
    def _parameters(self) -> PseudoCounts:
        return Dirichlet(1.0) if self.criterion == "k2" else BDeu(self.equivalent_sample_size)

    def _listed(self, counts: CountSource, own: ParentSets) -> MeanTable:
        """The conditionals one by one."""
        families = _families(own, counts.n_attributes)
        tables = [conditional(t, self._parameters.pseudo_count(t)) for t in counts.tables(families)]
        return MeanTable(tuple(tables), tuple(own.weights.tolist()))

    def _compiled(
        self, counts: CountSource, structure: Structure, own: ParentSets
    ) -> ConditionalTable:
        """The weighted mean of the conditionals, over the axes of the union."""
        last, parameters = counts.n_attributes, self._parameters
        family = structure.family(own.child)
        scope = family.scope(last)
        alike: dict[tuple[int, ...], list[tuple[float, FamilyTable]]] = {}
        tables = counts.tables(_families(own, last))
        for weight, table in zip(own.weights.tolist(), tables, strict=True):
            alike.setdefault(table.whole.shape, []).append((weight, table))
        weighted = []
        for pairs in alike.values():  # tables of one shape have one prior
            cells = np.stack([table.whole for _, table in pairs]) + parameters.pseudo_count(
                pairs[0][1]
            )
            weights = np.array([weight for weight, _ in pairs])
            cells *= weights[:, None, None, None] / cells.sum(axis=-1, keepdims=True)
            for (_, table), part in zip(pairs, cells, strict=True):
                axes = table.family.scope(last)
                weighted.append(part.reshape([counts.cards[v] if v in axes else 1 for v in scope]))
        classes = counts.n_classes if family.given_class else 1
        mean = _sum(weighted, len(scope) - 1).reshape(-1, classes, counts.cards[own.child])
        outer = tuple(counts.cards[v] for v in family.parents)
        return ConditionalTable(family, Configurations(outer), mean)

    def check(self, levels: Sequence[Sequence[int]]) -> None:
        """Refuse options that make no sense, and more parent sets than memory holds."""
        require_count("max_parents", self.max_parents)
        require_count("summary_parents", self.summary_parents, optional=True)
        require_number("parent_penalty", self.parent_penalty, lowest=0)
        own = self.arc_prior
        for probability in own.values() if isinstance(own, Mapping) else [own]:
            require_level("arc_prior", probability)
        for k in range(self.max_parents, -1, -1):
            if _set_count(levels, k) * SET_BYTES <= MOST_BYTES:
                break
        if k < self.max_parents:
            count = _set_count(levels, self.max_parents)
            raise MemoryLimitError(
                f"max_parents={self.max_parents} makes {count:,} parent sets, about "
                f"{count * SET_BYTES / 1e9:.0f} GB: max_parents={k} would fit."
            )


def _inside_union(sets: NDArray[np.int32], most: int) -> NDArray[np.bool_]:
    """Which sets are inside of the union that grows by the first sets that fit.

    A set that does not fit never will: the union only grows.
    """
    united = np.zeros(sets.max() + 2, dtype=bool)
    united[-1] = True  # the place of -1
    room = most
    while True:
        new = (~united[sets]).sum(axis=1)
        fitting = (new > 0) & (new <= room)
        if not fitting.any():
            inside: NDArray[np.bool_] = new == 0
            return inside
        first = int(fitting.argmax())
        united[sets[first]] = True
        room -= int(new[first])


def _fitting(wanted: ParentSets, every: ParentSets, cards: Sequence[int]) -> ParentSets:
    """The wanted sets where their table fits, or those inside of the largest union that fits."""
    sizes = np.cumprod([float(cards[wanted.child]), *sorted(cards[v] for v in wanted.union)])
    most, fits = int((sizes <= SUMMARY_CELLS).sum()), wanted
    while fits.cells(cards) > SUMMARY_CELLS and most:
        most -= 1
        fits = every.within(most)
    return fits


def _families(own: ParentSets, class_variable: int) -> list[Family]:
    return [Family.of(own.child, parents, class_variable) for parents in _members(own.sets)]


def _members(sets: NDArray[np.int32]) -> Iterator[tuple[int, ...]]:
    """The members of sets, one set after another."""
    return (tuple(v for v in own if v >= 0) for own in sets.tolist())


def _sum(arrays: list[Floats], axis: int) -> Floats:
    """The sum of arrays that broadcast; small ones are added up before they are made large."""
    if len(arrays) == 1 or axis < 0:
        return np.asarray(sum(arrays[1:], arrays[0]))
    short = [own for own in arrays if own.shape[axis] == 1]
    long = [own for own in arrays if own.shape[axis] > 1]
    if not short or not long:
        return _sum(arrays, axis - 1)
    return _sum(long, axis - 1) + _sum(short, axis - 1)


def _log_sum(logs: Floats) -> float:
    """The logarithm of the sum of what these are logarithms of."""
    top = float(logs.max())
    return top + math.log(float(np.exp(logs - top).sum()))


def _set_count(levels: Sequence[Sequence[int]], k: int) -> int:
    """How many parent sets of at most k there are, over all nodes."""
    before, total = 0, 0
    for level in levels:
        total += len(level) * subset_count(before, k)
        before += len(level)
    return total
