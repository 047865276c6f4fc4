"""MDL and MDL-FS: the attributes of the classifier with the shortest description length.

M. Drugan and L. van der Gaag (2004). A new MDL-based function for feature selection for Bayesian
network classifiers. ECAI-2004, 999-1000.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove._utils.options import OptionError, require_choice
from bayesgrove._utils.renamed import renamed
from bayesgrove._utils.ties import MEAN_NOISE
from bayesgrove._utils.warnings import warn_caller
from bayesgrove.contracts import Selection, Step, weights_repeat_rows
from bayesgrove.counts import Family
from bayesgrove.encoding import require_memory
from bayesgrove.scores.information import (
    entropy,
    information_with_class,
    pairwise_information,
)
from bayesgrove.scores.mdl import parameter_length
from bayesgrove.search import Edges, SpanningTree, first_best, is_more, rounded_for_ties

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.contracts import StructureLearner
    from bayesgrove.counts import CountSource, FamilyTable
    from bayesgrove.kernels import Floats

SCORES = ("mdl-fs", "mdl")
NETWORKS = ("tan", "naive")
DIRECTIONS = ("backward", "forward", "both")
AUXILIARIES = ("tree", "none")


@renamed(score="criterion", network="structure")
@dataclass(frozen=True)
class MDL:
    """Greedy search for the selective classifier C with the shortest description length.

    Each step adds or removes the attribute that makes the score smallest. An attribute is removed
    if this does not increase the score, so an attribute that does not change the score, such as a
    constant, is removed. An attribute is added only if this decreases the score. The search ends
    when no such step is left. Ties between attributes are decided in favour of the earlier column:
    it is added first and removed last.

    Parameters
    ----------
    criterion : {"mdl-fs", "mdl"}, default="mdl-fs"
        The score. N is the number of rows, |C| is the number of free parameters of the classifier,
        and LL is the log-likelihood of the rows. "mdl" is ``ln(N)/2 |C| - LL(C)`` (section 3 of the
        paper). Attributes that are not selected are nodes without arcs, and the description of
        their values counts too. "mdl-fs" is ``ln(N)/2 |C| - (LL(C) - LL(S))`` (section 4). The
        auxiliary network S is over the selected attributes without the class. LL(S) removes from
        the score the part of LL(C) that the attributes explain about each other.
    structure : {"tan", "naive"}, default="tan"
        The structure of the classifier C.
    direction : {"backward", "forward", "both"}, default="backward"
        The direction of the search. "backward" starts with all attributes and removes attributes.
        "forward" starts with none and adds attributes. "both" starts with all attributes, and may
        add removed attributes again.
    auxiliary : {"tree", "none"} or StructureLearner, default="tree"
        The class of auxiliary networks S of "mdl-fs". "tree" is the tree of maximum log-likelihood,
        as in the experiments of the paper. "none" is the network without arcs; the search is then
        that of "mdl". A structure learner learns S from rows that all have the same class:
        ``KDB(k=2)`` gives each attribute the two earlier columns with the largest I(A;A') as
        parents. "tree" and "none" need only counts of pairs. A structure learner is called for
        every set that is tried: n (n + 1) / 2 times if all n attributes are removed one by one.

    References
    ----------
    M. Drugan and L. van der Gaag (2004). A new MDL-based function for feature selection for
    Bayesian network classifiers. Proceedings of the 16th European Conference on Artificial
    Intelligence (ECAI-2004), 999-1000.

    Examples
    --------
    >>> from bayesgrove import BayesianNetworkClassifier
    >>> from bayesgrove.selection import MDL
    >>> X = [[a, b, c, a] for a in "ny" for b in "ny" for c in "ny"] * 6
    >>> y = [row[0] + row[1] for row in X]
    >>> BayesianNetworkClassifier(selection=MDL()).fit(X, y).selected_
    ['x0', 'x1']
    """

    criterion: str = "mdl-fs"
    structure: str = "tan"
    direction: str = "backward"
    auxiliary: str | StructureLearner = "tree"

    @property
    def weights_repeat_rows(self) -> bool:
        """Whether a row of weight 2 has the same effect as two copies of the row."""
        return weights_repeat_rows(self.auxiliary)

    def select(self, counts: CountSource) -> Selection:
        """Add or remove attributes while the description length does not increase.

        The method warns if the sample weights sum to less than 2 although there are at least 2
        rows.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.

        Returns
        -------
        Selection
            The selected attributes, and one step per change with the score after the step.
        """
        require_choice("criterion", self.criterion, SCORES)
        require_choice("structure", self.structure, NETWORKS)
        require_choice("direction", self.direction, DIRECTIONS)
        auxiliary = checked_auxiliary(self.auxiliary)
        if counts.total < 2 <= counts.rows:
            warn_caller(
                f"The sample weights of {counts.rows} rows sum to {counts.total:.6g}: the penalty "
                "for parameters is almost 0. Scale the weights so that they sum to about the "
                "number of rows."
            )
        start = [] if self.direction == "forward" else range(counts.n_attributes)
        length = DescriptionLength(counts, self.criterion, self.structure, start, auxiliary)
        path: list[Step] = []
        while (attribute := self._next(length)) is not None:
            change = "removed" if attribute in length.members else "added"
            length.toggle(attribute)
            path.append(Step(counts.names[attribute], length.value, None, change))
        return Selection(tuple(length.members), tuple(path))

    def _next(self, length: DescriptionLength) -> int | None:
        """Return the attribute to add or remove, or None if every change makes the score worse."""
        removable = [] if self.direction == "forward" else sorted(length.members, reverse=True)
        addable = [] if self.direction == "backward" else length.others()
        if not removable and not addable:
            return None
        old = length.value
        changes = [length.changes_without(removable), length.changes_with(addable)]
        new = old + np.concatenate(changes)
        best = first_best(-new, MEAN_NOISE)
        if best < len(removable):
            return None if is_more(float(new[best]), old, MEAN_NOISE) else removable[best]
        improves = is_more(old, float(new[best]), MEAN_NOISE)
        return addable[best - len(removable)] if improves else None


def checked_auxiliary(auxiliary: Any) -> str | StructureLearner:
    """Return the option ``auxiliary``; raise unless it is a name or a structure learner."""
    if isinstance(auxiliary, str):
        if auxiliary in AUXILIARIES:
            return auxiliary
    elif not isinstance(auxiliary, type) and hasattr(auxiliary, "learn"):
        learner: StructureLearner = auxiliary
        return learner
    raise OptionError(
        f"auxiliary={auxiliary!r} must be 'tree', 'none' or, in Python, a structure learner such "
        "as KDB(k=2)."
    )


class DescriptionLength:
    """The score of a selective classifier, updated as attributes are added and removed.

    T and T' are the maximum spanning trees of I(A;A'|C) and I(A;A'), and r is the cardinality of
    an attribute. Both scores are sums over attributes and over the edges of trees:

        LL(C)         = N (-H(C) - sum_A H(A|C) + sum_T I(A;A'|C))
        LL(S)         = N (-sum_A H(A) + sum_T' I(A;A'))
        LL(C) - LL(S) = N (-H(C) + sum_A I(A;C) + sum_T I(A;A'|C) - sum_T' I(A;A'))
        |C|           = |c| - 1 + |c| (sum_A (r - 1) + sum_T (r - 1) (r' - 1))

    The information of single attributes and of pairs is sufficient for both scores. If S has no
    arcs, MDL-FS differs from MDL only by the entropies of all attributes. If S is another network,
    its information ``I(A; parents of A)`` replaces the sum over T'. Where values are missing,
    the information comes from the rows in which the attributes are known, as if the other rows had
    the same distribution.
    """

    def __init__(
        self,
        counts: CountSource,
        criterion: str,
        structure: str,
        members: Sequence[int],
        auxiliary: str | StructureLearner = "tree",
    ) -> None:
        n, total, classes = counts.n_attributes, counts.total, counts.n_classes
        if structure == "tan" or criterion == "mdl-fs":
            require_memory(72 * n * n, f"The pairs of {n} attributes", "use another selector first")
        cost = parameter_length(counts)
        free_values = np.array(counts.attribute_cards) - 1.0
        self.members = list(members)
        self._count = n
        self._attribute_lengths: Floats = (
            cost * classes * free_values - total * information_with_class(counts)
        )
        self._constant = cost * (classes - 1) + total * entropy(counts.class_counts)
        if criterion == "mdl":
            tables = counts.attribute_tables()
            self._constant += total * sum(entropy(table.sum(axis=0)) for table in tables)
        self._trees: list[SpanningTree | LearnedNetwork] = []
        if criterion == "mdl-fs" and not isinstance(auxiliary, str):
            self._trees.append(LearnedNetwork(auxiliary, counts, self.members))
        elif criterion == "mdl-fs" and auxiliary == "tree":
            between = pairwise_information(counts, given_class=False)
            edges = Edges(rounded_for_ties(between), total * between)
            self._trees.append(SpanningTree(edges, self.members))
        if structure == "tan":
            between = pairwise_information(counts)
            lengths = cost * classes * np.outer(free_values, free_values) - total * between
            edges = Edges(
                rounded_for_ties(between), lengths, [card - 1 for card in counts.attribute_cards]
            )
            self._trees.append(SpanningTree(edges, self.members))

    @property
    def value(self) -> float:
        """Score of the classifier over the members."""
        edges = sum(tree.value for tree in self._trees)
        return self._constant + float(self._attribute_lengths[self.members].sum()) + edges

    def others(self) -> list[int]:
        """Return the attributes that are not members."""
        return sorted(set(range(self._count)) - set(self.members))

    def changes_without(self, attributes: Sequence[int]) -> Floats:
        """Return how the score changes when each of the given members is removed."""
        if not attributes:
            return np.empty(0)
        change = np.zeros(self._count)
        change[self.members] = -self._attribute_lengths[self.members]
        for tree in self._trees:
            change[self.members] += tree.changes_without()
        return change[list(attributes)]

    def changes_with(self, attributes: Sequence[int]) -> Floats:
        """Return how the score changes when each of the given other attributes is added."""
        if not attributes:
            return np.empty(0)
        change: Floats = self._attribute_lengths[list(attributes)]
        for tree in self._trees:
            change = change + tree.changes_with(attributes)
        return change

    def toggle(self, attribute: int) -> None:
        """Remove the attribute if it is a member; add it otherwise."""
        if attribute in self.members:
            self.members.remove(attribute)
            for tree in self._trees:
                tree.remove(attribute)
        else:
            self.members.append(attribute)
            for tree in self._trees:
                tree.add(attribute)


class LearnedNetwork:
    """The information in an auxiliary network, which is learned anew for every set of attributes.

    It has the methods of `SpanningTree`. Its value is ``N sum_A I(A; parents of A)``, in nats.
    """

    def __init__(
        self, learner: StructureLearner, counts: CountSource, members: Sequence[int]
    ) -> None:
        self._learner = learner
        self._counts = counts.without_class()
        self._members = list(members)
        self._known: dict[frozenset[int], float] = {}

    @property
    def value(self) -> float:
        """Information in the network of the members."""
        return self._value(self._members)

    def changes_without(self) -> Floats:
        """Return the change of the value when each member is removed, in their order."""
        sets = [[w for w in self._members if w != v] for v in self._members]
        return np.array([self._value(members) for members in sets]) - self.value

    def changes_with(self, candidates: Sequence[int]) -> Floats:
        """Return the change of the value when each one of some other attributes is added."""
        return np.array([self._value([*self._members, v]) for v in candidates]) - self.value

    def remove(self, attribute: int) -> None:
        """Remove a member."""
        self._members.remove(attribute)

    def add(self, attribute: int) -> None:
        """Add a member."""
        self._members.append(attribute)

    def _value(self, members: Sequence[int]) -> float:
        """Return the information in the network of some attributes."""
        key = frozenset(members)
        if key not in self._known:
            self._known[key] = self._learned(sorted(members))
        return self._known[key]

    def _learned(self, members: list[int]) -> float:
        """Learn the network of some attributes, and return its information."""
        counts = self._counts.restrict(members)
        n = len(members)
        structure = self._learner.learn(counts)
        parents = [[p for p in structure.parents[v] if p < n] for v in range(n)]
        families = [Family.of(v, parents[v], n) for v in range(n) if parents[v]]
        return counts.total * sum(map(_information_of_parents, counts.tables(families)))


def _information_of_parents(table: FamilyTable) -> float:
    """Return ``I(A; parents of A)`` over the rows in which all of them are known."""
    cells = table.counts.reshape(-1, table.counts.shape[-1])
    return entropy(cells.sum(axis=0)) + entropy(cells.sum(axis=1)) - entropy(cells.ravel())
