"""Model averaging over all networks that follow an order, exactly or by one summary network (AMA).

D. Dash and G. Cooper (2003). Model averaging with discrete Bayesian network classifiers. AISTATS.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove._utils.options import OptionError, require_count, require_level, require_number
from bayesgrove._utils.renamed import renamed
from bayesgrove._utils.wording import listed
from bayesgrove.averaging.structure_prior import (
    SetFunction,
    SetTable,
    log_prior,
    require_known_sets,
    require_structure_prior,
)
from bayesgrove.counts import Configurations, Family
from bayesgrove.encoding import MemoryLimitError
from bayesgrove.network import BayesianNetwork, ConditionalTable, Structure
from bayesgrove.network.mixture import AveragedNetwork, MeanTable
from bayesgrove.parameters import BDeu, Dirichlet
from bayesgrove.parameters.dirichlet import conditional, dirichlet_draw
from bayesgrove.scores.decomposable import bayesian_score, local_score, set_gains
from bayesgrove.search import subset_count, subsets_up_to

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.counts import CountSource, FamilyTable
    from bayesgrove.kernels import Floats
    from bayesgrove.parameters.dirichlet import PseudoCounts
    from bayesgrove.scores.decomposable import BDeuScore, K2Score

BYTES_PER_SET = 300
"""Approximate memory of one parent set."""
MAX_BYTES = 1 << 32
"""Upper bound of the memory of all parent sets."""
SUMMARY_CELLS = 1 << 16
"""Largest number of cells of a table of the summary network."""
NEGLIGIBLE = 1e-18
"""Parent sets with a lower probability are dropped: even a million of them change no result."""


@dataclass(frozen=True)
class ParentSets:
    """The parent sets of a node and their log posterior probabilities, most probable first.

    Parameters
    ----------
    child : int
        The number of the node.
    sets : ndarray of shape (n_sets, max_parents)
        The parents in each set. Sets with fewer parents end with -1.
    logs : ndarray of shape (n_sets,)
        The log-probabilities of the sets, in descending order.

    References
    ----------
    D. Dash and G. Cooper (2003). Model averaging with discrete Bayesian network classifiers.
    Proceedings of the Ninth International Workshop on Artificial Intelligence and Statistics
    (AISTATS).

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.averaging import ParentSets
    >>> sets = ParentSets(2, np.array([[0, 1], [0, -1]]), np.log([0.75, 0.25]))
    >>> sets.most_probable(1)
    [((0, 1), 0.75)]
    >>> sets.arc_probabilities()
    {0: 1.0, 1: 0.75}
    """

    child: int
    sets: NDArray[np.int32]
    logs: Floats

    @cached_property
    def weights(self) -> Floats:
        """Probabilities of the sets."""
        weights: Floats = np.exp(self.logs)
        return weights

    def arc_probabilities(self) -> dict[int, float]:
        """Return the posterior probability of the arc from each parent (equation 9 of the paper).

        Returns
        -------
        dict of int to float
            The probability of the arc to ``child``, by the number of the parent. Variables that are
            in no set are left out.
        """
        member = self.sets >= 0
        weights = np.broadcast_to(self.weights[:, None], self.sets.shape)[member]
        sums = np.bincount(self.sets[member], weights)
        return {v: min(float(sums[v]), 1.0) for v in self.union}  # A sum may round to above 1.

    def most_probable(self, count: int) -> list[tuple[tuple[int, ...], float]]:
        """Return the most probable sets.

        Parameters
        ----------
        count : int
            The largest number of sets to return.

        Returns
        -------
        list of tuple
            The parents of each set and its probability, most probable first.
        """
        weights = np.minimum(self.weights[:count], 1.0).tolist()
        return list(zip(_members(self.sets[:count]), weights, strict=True))

    def draw(self, random: np.random.Generator) -> tuple[int, ...]:
        """Draw one of the sets by its probability.

        Parameters
        ----------
        random : numpy.random.Generator
            The source of random numbers.

        Returns
        -------
        tuple of int
            The parents in the set.
        """
        ends = self.weights.cumsum()
        chosen = int(np.searchsorted(ends[:-1], random.random() * ends[-1], side="right"))
        return next(_members(self.sets[chosen : chosen + 1]))

    @cached_property
    def union(self) -> tuple[int, ...]:
        """Variables that are in at least one set, in ascending order."""
        return tuple(np.unique(self.sets[self.sets >= 0]).tolist())

    def cells(self, cards: Sequence[int]) -> float:
        """Return the number of cells of the table of the node given the union of the sets.

        Parameters
        ----------
        cards : sequence of int
            The cardinalities of all variables.

        Returns
        -------
        float
            The number of cells.
        """
        return math.prod([float(cards[v]) for v in (*self.union, self.child)])

    def among(self, candidates: Sequence[int]) -> ParentSets:
        """Return the sets whose members are all candidates.

        The probabilities of the remaining sets are normalised again.

        Parameters
        ----------
        candidates : sequence of int
            The numbers of the nodes that may be parents.

        Returns
        -------
        ParentSets
            The remaining sets, most probable first.
        """
        allowed = np.zeros(max(int(self.sets.max(initial=-1)), *candidates, 0) + 2, dtype=bool)
        allowed[[*candidates, -1]] = True  # The index -1 stands for no parent.
        inside = allowed[self.sets].all(axis=1)
        return ParentSets(self.child, self.sets[inside], self.logs[inside]).normalised()

    def normalised(self) -> ParentSets:
        """Return the same sets with probabilities that sum to 1.

        Returns
        -------
        ParentSets
            The sets in the same order.
        """
        return ParentSets(self.child, self.sets, self.logs - _log_sum(self.logs))

    def within(self, max_parents: int | None) -> ParentSets:
        """Return sets whose union has at most ``max_parents`` nodes (procedure 1 of the paper).

        The union grows by the most probable sets that keep it within the limit. The probabilities
        of the remaining sets are normalised again. Sets with a probability below 1e-18 are dropped,
        because they do not change any result. If all sets are larger than the limit, because the
        prior of smaller ones is 0, the limit is the size of the smallest set.

        Parameters
        ----------
        max_parents : int or None
            The largest number of parents in the union (the paper's n). None means no limit.

        Returns
        -------
        ParentSets
            The sets inside the union, most probable first.
        """
        sets, logs = self.sets, self.logs
        if max_parents is not None and len(self.union) > max_parents:
            smallest = int((sets >= 0).sum(axis=1).min())
            inside = _inside_union(sets, max(max_parents, smallest))
            sets, logs = sets[inside], logs[inside]
        logs = logs - _log_sum(logs)
        count = int(np.searchsorted(-logs, -math.log(NEGLIGIBLE)))
        return ParentSets(self.child, sets[:count], logs[:count])


@renamed(alpha="equivalent_sample_size", score="criterion", arc_probability="arc_prior")
@dataclass(frozen=True)
class OrderedAverage:
    """Model averaging over all networks that follow a partial order of the nodes.

    The networks are the multi-level k-graphs of the order (definition 1 of the paper): a node has
    at most k parents, which come from earlier levels of the order. For every node, all sets of at
    most ``max_parents`` nodes of earlier levels are weighted by their marginal likelihood (equation
    6) and by the prior of the set (equation 4). The prior of a network is the product of the priors
    of its parent sets. The averaged conditional distribution of the node is the weighted mean of
    its conditional distributions given these sets (equation 15). One summary network holds these
    distributions (section 3.4).

    Parameters
    ----------
    max_parents : int, default=2
        The largest number of parents in a set (the paper's k).
    summary_parents : int or None, default=12
        The largest number of parents of a node in the summary network (the paper's n). The result
        is approximate model averaging (AMA). None means no limit: the average is then exact.
    criterion : {"k2", "bdeu"}, default="k2"
        The parameter prior of the marginal likelihood. "k2" adds one pseudo-count per cell. "bdeu"
        divides an equivalent sample of ``equivalent_sample_size`` rows equally among the cells.
    equivalent_sample_size : float, default=1.0
        The equivalent sample size of ``criterion="bdeu"``, above 0. "k2" does not use it.
    arc_prior : float or dict of tuple to float, default=0.5
        The prior probability of an arc, between 0 and 1. Each parent in a set multiplies the prior
        of the set by the odds of its arc. A dict gives the probabilities of single arcs. Its keys
        are pairs of node numbers, ``(parent, child)``. Other arcs have 0.5.
    parent_penalty : float, default=0.0
        Each parent in a set multiplies the prior of the set by ``exp(-parent_penalty)``. The
        penalty is at least 0.
    structure_prior : callable, dict or None, default=None
        A further factor of the prior of a set, at least 0 (the paper's p_s). A callable takes the
        name of a node and the tuple of the names of its parents, in the order of the columns with
        the class last, and returns the factor. A dict holds the factors of the nodes that it names:
        ``{node: {(parent, ...): factor}}``. A set of such a node that is not listed has the factor
        0, and the sets of all other nodes have the factor 1. None means the factor 1 for all sets.

    References
    ----------
    D. Dash and G. Cooper (2003). Model averaging with discrete Bayesian network classifiers.
    Proceedings of the Ninth International Workshop on Artificial Intelligence and Statistics
    (AISTATS).

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.contracts import TrainingData
    >>> from bayesgrove.averaging import OrderedAverage
    >>> a, b = np.tile(np.array([[0, 0, 1, 1], [0, 1, 0, 1]], dtype=np.uint8), 9)
    >>> counts = TrainingData.of_columns([a, b], [2, 2], a, 2).counts
    >>> sets = OrderedAverage(max_parents=1).parent_sets(counts, [[2], [0, 1]])
    >>> sets[0].most_probable(1)[0][0], sets[1].most_probable(1)[0][0]
    ((2,), ())
    """

    max_parents: int = 2
    summary_parents: int | None = 12
    criterion: str = "k2"
    equivalent_sample_size: float = 1.0
    arc_prior: float | Mapping[tuple[int, int], float] = 0.5
    parent_penalty: float = 0.0
    structure_prior: SetFunction | SetTable | None = None

    def parent_sets(self, counts: CountSource, levels: Sequence[Sequence[int]]) -> list[ParentSets]:
        """Return all allowed parent sets of every node with their posterior probabilities.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.
        levels : sequence of sequence of int
            The partial order: the numbers of the nodes of each level.

        Returns
        -------
        list of ParentSets
            The parent sets of every attribute, then of the class.
        """
        self.check(levels)
        require_known_sets(self.structure_prior, counts.names, self.max_parents)
        parent_sets: dict[int, ParentSets] = {}
        earlier: list[int] = []
        for level in levels:
            for child in level:
                scored = self.scored_sets(counts, child, sorted(earlier))
                parent_sets[child] = scored.normalised()
            earlier += level
        return [parent_sets[v] for v in range(len(counts.cards))]

    def network(
        self,
        counts: CountSource,
        states: Sequence[tuple[Any, ...]],
        parent_sets: Sequence[ParentSets],
        max_cells: int | None = None,
    ) -> AveragedNetwork:
        """Return the average as a summary network (theorem 2 of the paper).

        A node has one table given the union of its sets, if that table has at most ``max_cells``
        cells. Otherwise the average keeps the tables of the single sets, and the table in the
        summary network has fewer parents.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.
        states : sequence of tuple
            The states of every attribute, then of the class.
        parent_sets : sequence of ParentSets
            The parent sets of every node, as `parent_sets` returns them.
        max_cells : int or None, default=None
            The largest number of cells of a table of the network. None means 65,536.

        Returns
        -------
        AveragedNetwork
            The summary network, and the means of tables of the nodes whose table is too large.
        """
        summaries = [sets.within(self.summary_parents) for sets in parent_sets]
        cells = SUMMARY_CELLS if max_cells is None else max_cells
        fitting = [
            _fitting(summary, sets, counts.cards, cells)
            for summary, sets in zip(summaries, parent_sets, strict=True)
        ]
        structure = Structure(tuple(sets.union for sets in fitting))
        tables = [self._averaged_table(counts, structure, sets) for sets in fitting]
        means = {
            summary.child: self._mean_table(counts, summary)
            for summary, sets in zip(summaries, fitting, strict=True)
            if sets is not summary
        }
        return AveragedNetwork(BayesianNetwork(counts.names, states, structure, tables), means)

    def draw(
        self,
        counts: CountSource,
        states: Sequence[tuple[Any, ...]],
        parent_sets: Sequence[ParentSets],
        random: np.random.Generator,
    ) -> BayesianNetwork:
        """Draw a network from its posterior: one parent set of each node, and its table.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.
        states : sequence of tuple
            The states of every attribute, then of the class.
        parent_sets : sequence of ParentSets
            The parent sets of every node, as `parent_sets` returns them.
        random : numpy.random.Generator
            The source of random numbers.

        Returns
        -------
        BayesianNetwork
            The network. Each row of a table is a draw from its Dirichlet posterior.
        """
        structure = Structure(tuple(sets.draw(random) for sets in parent_sets))
        families = [structure.family(v) for v in range(len(parent_sets))]
        tables = [
            ConditionalTable(
                table.family,
                Configurations(table.configurations.cards),
                dirichlet_draw(table.whole + self._parameters.pseudo_count(table), random),
            )
            for table in counts.tables(families)
        ]
        return BayesianNetwork(counts.names, states, structure, tables)

    def scored_sets(self, counts: CountSource, child: int, candidates: Sequence[int]) -> ParentSets:
        """Return all sets of at most ``max_parents`` candidates and their scores.

        The score of a set is the logarithm of its prior times its marginal likelihood, divided by
        the marginal likelihood without parents. The options must have been checked by `check`.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.
        child : int
            The number of the node.
        candidates : sequence of int
            The numbers of the nodes that may be parents, in ascending order.

        Returns
        -------
        ParentSets
            The sets, best first, with scores in place of log-probabilities. Sets whose prior is 0
            are left out.
        """
        members, shorter = subsets_up_to(len(candidates), self.max_parents)
        sets = np.array([*candidates, -1], dtype=np.int32)[members]
        odds = np.array([self._log_odds(v, child) for v in candidates] + [0.0])
        logs = set_gains(self._score, counts, child, sets, shorter) + odds[members].sum(axis=1)
        if self.structure_prior is not None:
            logs += log_prior(self.structure_prior, child, sets, counts.names)
        order = np.argsort(-logs, kind="stable")[: int((logs > -np.inf).sum())]
        if not len(order):
            names = listed([counts.names[v] for v in candidates]) or "none"
            raise OptionError(
                f"structure_prior is 0 for every parent set of {counts.names[child]!r} that the "
                f"order allows. The nodes before it are: {names}."
            )
        return ParentSets(child, sets[order], logs[order])

    def empty_score(self, counts: CountSource) -> float:
        """Return the log marginal likelihood of the network without arcs.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.

        Returns
        -------
        float
            The sum over all nodes of their log marginal likelihoods without parents.
        """
        last = counts.n_attributes
        tables = counts.tables([Family.of(v, (), last) for v in range(last + 1)])
        return sum(local_score(self._score, table, counts.total) for table in tables)

    def _log_odds(self, parent: int, child: int) -> float:
        """Return what a parent adds to the log prior of a set."""
        prior = self.arc_prior
        probability = prior.get((parent, child), 0.5) if isinstance(prior, Mapping) else prior
        return math.log(probability) - math.log1p(-probability) - self.parent_penalty

    @property
    def _score(self) -> K2Score | BDeuScore:
        """Log marginal likelihood of a family."""
        return bayesian_score(self.criterion, self.equivalent_sample_size)

    @property
    def _parameters(self) -> PseudoCounts:
        """Pseudo-counts of the parameter prior."""
        return Dirichlet(1.0) if self.criterion == "k2" else BDeu(self.equivalent_sample_size)

    def _mean_table(self, counts: CountSource, sets: ParentSets) -> MeanTable:
        """Return the average as a list of the conditional tables of all sets and their weights."""
        families = _families(sets, counts.n_attributes)
        tables = [conditional(t, self._parameters.pseudo_count(t)) for t in counts.tables(families)]
        return MeanTable(tuple(tables), tuple(sets.weights.tolist()))

    def _averaged_table(
        self, counts: CountSource, structure: Structure, sets: ParentSets
    ) -> ConditionalTable:
        """Return the weighted mean of the conditional tables given the union (equation 15)."""
        last, parameters = counts.n_attributes, self._parameters
        family = structure.family(sets.child)
        scope = family.scope(last)
        by_shape: dict[tuple[int, ...], list[tuple[float, FamilyTable]]] = {}
        tables = counts.tables(_families(sets, last))
        for weight, table in zip(sets.weights.tolist(), tables, strict=True):
            by_shape.setdefault(table.whole.shape, []).append((weight, table))
        weighted = []
        for pairs in by_shape.values():  # Tables of one shape have the same pseudo-count.
            cells = np.stack([table.whole for _, table in pairs]) + parameters.pseudo_count(
                pairs[0][1]
            )
            weights = np.array([weight for weight, _ in pairs])
            cells *= weights[:, None, None, None] / cells.sum(axis=-1, keepdims=True)
            for (_, table), part in zip(pairs, cells, strict=True):
                axes = table.family.scope(last)
                weighted.append(part.reshape([counts.cards[v] if v in axes else 1 for v in scope]))
        classes = counts.n_classes if family.given_class else 1
        mean = _broadcast_sum(weighted, len(scope) - 1).reshape(
            -1, classes, counts.cards[sets.child]
        )
        outer = tuple(counts.cards[v] for v in family.parents)
        return ConditionalTable(family, Configurations(outer), mean)

    def check(self, levels: Sequence[Sequence[int]]) -> None:
        """Raise unless the options are valid and the parent sets fit in memory.

        Parameters
        ----------
        levels : sequence of sequence of int
            The partial order: the numbers of the nodes of each level.
        """
        before = np.cumsum([0, *map(len, levels)]).tolist()
        self.check_sets([b for b, level in zip(before, levels, strict=False) for _ in level])

    def check_sets(self, candidates: Sequence[int]) -> None:
        """Raise unless the options are valid and the parent sets fit in memory.

        Parameters
        ----------
        candidates : sequence of int
            The number of possible parents of each node.
        """
        require_count("max_parents", self.max_parents)
        require_count("summary_parents", self.summary_parents, optional=True)
        require_number("parent_penalty", self.parent_penalty, lowest=0)
        require_structure_prior(self.structure_prior)
        prior = self.arc_prior
        for probability in prior.values() if isinstance(prior, Mapping) else [prior]:
            require_level("arc_prior", probability)
        for k in range(self.max_parents, -1, -1):
            if _set_count(candidates, k) * BYTES_PER_SET <= MAX_BYTES:
                break
        if k < self.max_parents:
            count = _set_count(candidates, self.max_parents)
            raise MemoryLimitError(
                f"max_parents={self.max_parents} makes {count:,} parent sets, which need about "
                f"{count * BYTES_PER_SET / 1e9:.0f} GB: max_parents={k} would fit."
            )


def _inside_union(sets: NDArray[np.int32], most: int) -> NDArray[np.bool_]:
    """Return which sets are inside the union that grows by the most probable sets that fit.

    A set that does not fit once never fits later, because the union only grows.
    """
    united = np.zeros(sets.max() + 2, dtype=bool)
    united[-1] = True  # The index -1 stands for no parent.
    remaining = most
    while True:
        new = (~united[sets]).sum(axis=1)
        fitting = (new > 0) & (new <= remaining)
        if not fitting.any():
            inside: NDArray[np.bool_] = new == 0
            return inside
        first = int(fitting.argmax())
        united[sets[first]] = True
        remaining -= int(new[first])


def _fitting(
    summary: ParentSets, every: ParentSets, cards: Sequence[int], max_cells: int
) -> ParentSets:
    """Return the summary sets if their table fits, else the sets inside a union that fits."""
    sizes = np.cumprod([float(cards[summary.child]), *sorted(cards[v] for v in summary.union)])
    limit, fitting = int((sizes <= max_cells).sum()), summary
    while fitting.cells(cards) > max_cells and limit:
        limit -= 1
        fitting = every.within(limit)
    return fitting


def _families(sets: ParentSets, class_variable: int) -> list[Family]:
    """Return the family of the child with each parent set."""
    return [Family.of(sets.child, parents, class_variable) for parents in _members(sets.sets)]


def _members(sets: NDArray[np.int32]) -> Iterator[tuple[int, ...]]:
    """Yield the members of each set."""
    return (tuple(v for v in row if v >= 0) for row in sets.tolist())


def _broadcast_sum(arrays: list[Floats], axis: int) -> Floats:
    """Return the sum of arrays that broadcast; small arrays are summed before they are expanded."""
    if len(arrays) == 1 or axis < 0:
        return np.asarray(sum(arrays[1:], arrays[0]))
    short = [array for array in arrays if array.shape[axis] == 1]
    long = [array for array in arrays if array.shape[axis] > 1]
    if not short or not long:
        return _broadcast_sum(arrays, axis - 1)
    return _broadcast_sum(long, axis - 1) + _broadcast_sum(short, axis - 1)


def _log_sum(logs: Floats) -> float:
    """Return ``ln sum exp(logs)``."""
    top = float(logs.max())
    return top + math.log(float(np.exp(logs - top).sum()))


def _set_count(candidates: Sequence[int], k: int) -> int:
    """Return the number of parent sets of at most k nodes, summed over all nodes."""
    return sum(subset_count(count, k) for count in candidates)
