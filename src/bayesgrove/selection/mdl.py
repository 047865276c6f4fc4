"""MDL and MDL-FS: the attributes with which a classifier takes the fewest words.

M. Drugan and L. van der Gaag (2004). A new MDL-based function for feature selection for Bayesian
network classifiers. ECAI-2004, 999-1000.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.options import require_choice
from bayesgrove._utils.renamed import renamed
from bayesgrove._utils.ties import MEAN_NOISE
from bayesgrove._utils.warnings import warn_caller
from bayesgrove.contracts import Selection, Step
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

    from bayesgrove.counts import CountSource
    from bayesgrove.kernels import Floats

SCORES = ("mdl-fs", "mdl")
NETWORKS = ("tan", "naive")
DIRECTIONS = ("backward", "forward", "both")


@renamed(score="criterion", network="structure")
@dataclass(frozen=True)
class MDL:
    """Greedy search for the attributes of a classifier C of the least description length.

    ``criterion="mdl"`` is ``ln(N)/2 |C| - LL(C)``, |C| being the number of free parameters and LL the
    log-likelihood; attributes that are not selected are nodes without arcs, whose values must be
    told all the same. ``criterion="mdl-fs"`` is ``ln(N)/2 |C| - (LL(C) - LL(S))``: the tree S of the
    selected attributes of the largest likelihood, without the class, takes out what they tell of
    each other. ``structure`` is what C is, "tan" or "naive".

    ``direction`` is "backward" from all attributes, "forward" from none, or "both": from all, and
    what was removed may come back. Each step is the one after which the score is least; it ends
    when all would raise it. What changes nothing, such as a constant, goes. Of equal attributes
    the earlier one stays, or comes.
    """

    criterion: str = "mdl-fs"
    structure: str = "tan"
    direction: str = "backward"

    def select(self, counts: CountSource) -> Selection:
        """Attributes, one more or one less as long as it pays; values are scores after the step."""
        require_choice("criterion", self.criterion, SCORES)
        require_choice("structure", self.structure, NETWORKS)
        require_choice("direction", self.direction, DIRECTIONS)
        if counts.total < 2 <= counts.rows:
            warn_caller(
                f"The sample weights of {counts.rows} rows sum to {counts.total:.6g}: parameters "
                "cost next to nothing. Let them sum to about the number of rows."
            )
        start = [] if self.direction == "forward" else range(counts.n_attributes)
        length = DescriptionLength(counts, self.criterion, self.structure, start)
        path: list[Step] = []
        while (vertex := self._next(length)) is not None:
            change = "removed" if vertex in length.members else "added"
            length.toggle(vertex)
            path.append(Step(counts.names[vertex], length.value, None, change))
        return Selection(tuple(length.members), tuple(path))

    def _next(self, length: DescriptionLength) -> int | None:
        """The attribute whose coming or going makes the score least, if that is no loss."""
        leaving = [] if self.direction == "forward" else sorted(length.members, reverse=True)
        coming = [] if self.direction == "backward" else length.others()
        if not leaving and not coming:
            return None
        old = length.value
        new = old + np.concatenate([length.changes_without(leaving), length.changes_with(coming)])
        best = first_best(-new, MEAN_NOISE)
        if best < len(leaving):
            return None if is_more(float(new[best]), old, MEAN_NOISE) else leaving[best]
        return coming[best - len(leaving)] if is_more(old, float(new[best]), MEAN_NOISE) else None


class DescriptionLength:
    """The score of a classifier of some of the attributes, kept up as they come and go.

    With T and T' the maximum spanning trees of I(A;A'|C) and I(A;A'), and r - 1 free values of an
    attribute, both scores are sums over attributes and edges of trees:

        LL(C)         = N (-H(C) - sum_A H(A|C) + sum_T I(A;A'|C))
        LL(S)         = N (-sum_A H(A) + sum_T' I(A;A'))
        LL(C) - LL(S) = N (-H(C) + sum_A I(A;C) + sum_T I(A;A'|C) - sum_T' I(A;A'))
        |C|           = |c| - 1 + |c| (sum_A (r - 1) + sum_T (r - 1) (r' - 1))

    So information about pairs is all that it takes. Without arcs in S the score is MDL, but for
    the entropies of all attributes. Where values are missing, information is that of the rows in
    which its attributes are known, as if the others were like them.
    """

    def __init__(
        self, counts: CountSource, criterion: str, structure: str, members: Sequence[int]
    ) -> None:
        n, total, classes = counts.n_attributes, counts.total, counts.n_classes
        if structure == "tan" or criterion == "mdl-fs":
            require_memory(72 * n * n, f"The pairs of {n} attributes", "select by others first")
        cost = parameter_length(counts)
        free = np.array(counts.attribute_cards) - 1.0
        self.members = list(members)
        self._count = n
        self._own: Floats = cost * classes * free - total * information_with_class(counts)
        self._constant = cost * (classes - 1) + total * entropy(counts.class_counts)
        if criterion == "mdl":
            tables = counts.attribute_tables()
            self._constant += total * sum(entropy(table.sum(axis=0)) for table in tables)
        self._trees: list[SpanningTree] = []
        if criterion == "mdl-fs":
            between = pairwise_information(counts, given_class=False)
            edges = Edges(rounded_for_ties(between), total * between)
            self._trees.append(SpanningTree(edges, self.members))
        if structure == "tan":
            between = pairwise_information(counts)
            lengths = cost * classes * np.outer(free, free) - total * between
            edges = Edges(
                rounded_for_ties(between), lengths, [card - 1 for card in counts.attribute_cards]
            )
            self._trees.append(SpanningTree(edges, self.members))

    @property
    def value(self) -> float:
        """The score."""
        edges = sum(tree.value for tree in self._trees)
        return self._constant + float(self._own[self.members].sum()) + edges

    def others(self) -> list[int]:
        """The attributes that are not members."""
        return sorted(set(range(self._count)) - set(self.members))

    def changes_without(self, attributes: Sequence[int]) -> Floats:
        """What the score changes by when each of some members goes."""
        if not attributes:
            return np.empty(0)
        change = np.zeros(self._count)
        change[self.members] = -self._own[self.members]
        for tree in self._trees:
            change[self.members] += tree.changes_without()
        return change[list(attributes)]

    def changes_with(self, attributes: Sequence[int]) -> Floats:
        """What the score changes by when each of some others comes."""
        if not attributes:
            return np.empty(0)
        change: Floats = self._own[list(attributes)]
        for tree in self._trees:
            change = change + tree.changes_with(attributes)
        return change

    def toggle(self, attribute: int) -> None:
        """Take a member away, or another attribute in."""
        if attribute in self.members:
            self.members.remove(attribute)
            for tree in self._trees:
                tree.remove(attribute)
        else:
            self.members.append(attribute)
            for tree in self._trees:
                tree.add(attribute)
