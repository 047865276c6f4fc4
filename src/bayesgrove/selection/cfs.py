"""CFS: attributes that go with the class and not with each other.

M. Hall (2000). Correlation-based feature selection for discrete and numeric class machine
learning. ICML-2000, 359-366.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.options import require_count, require_flag, require_number
from bayesgrove._utils.renamed import renamed
from bayesgrove.contracts import walked
from bayesgrove.counts import Family
from bayesgrove.scores.information import share_missing, symmetrical_uncertainty
from bayesgrove.search import Move, best_first, rounded_for_ties

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.contracts import Selection
    from bayesgrove.counts import CountSource
    from bayesgrove.kernels import Floats

LEAST = 1e-5
"""A merit that is better by no more than this is no better."""
NOTHING = 1e-6
"""A correlation below this is none."""


@renamed(stale="max_stale", unrelated="unrelated_correlation")
@dataclass(frozen=True)
class CFS:
    """The k attributes of the best merit, ``k r_cf / sqrt(k + k (k - 1) r_ff)``.

    ``r_cf`` is their mean correlation with the class, ``r_ff`` that with each other; correlation
    is the symmetrical uncertainty ``2 I(X;Y) / (H(X) + H(Y))``, and missing values are shared
    out in proportion. The search is forward and best-first, and ends after ``max_stale``
    expansions that find nothing better.

    With ``locally_predictive`` attributes are added then, in the order of their correlation with
    the class, if that is not lower than theirs with any attribute selected already: they may
    tell of a corner of the data that the others miss.

    Two attributes that have nothing in common (less than 1e-6) have the correlation
    ``unrelated_correlation``: 0 by the formula, and 1 in WEKA, which takes them for constants. The value of a
    step is the merit after it.
    """

    max_stale: int = 5
    locally_predictive: bool = True
    unrelated_correlation: float = 0.0

    def select(self, counts: CountSource) -> Selection:
        """Attributes of the best merit found, then those that are locally predictive."""
        require_count("max_stale", self.max_stale, lowest=1)
        require_flag("locally_predictive", self.locally_predictive)
        require_number("unrelated_correlation", self.unrelated_correlation, lowest=0)
        correlations = Correlations(counts, self.unrelated_correlation)
        attributes = range(counts.n_attributes)
        moves = best_first(attributes, correlations.merits, self.max_stale, LEAST)
        if self.locally_predictive:
            moves += _locally_predictive(correlations, [move.element for move in moves])
        return walked(counts, moves)


class Correlations:
    """Symmetrical uncertainties of attributes, counted when they are asked for."""

    def __init__(self, counts: CountSource, unrelated_correlation: float = 0.0) -> None:
        self._counts = counts
        self._unrelated_correlation = unrelated_correlation
        self._known: dict[int, Floats] = {}
        n = counts.n_attributes
        families = [Family.of(v, (), n) for v in range(n)]
        self._values = [table.counts[0, 0] for table in counts.tables(families)]
        self._values.append(counts.class_counts)
        self.with_class = np.array(
            [self._of(table.T, v, n) for v, table in enumerate(counts.attribute_tables())]
        )

    def with_others(self, attribute: int) -> Floats:
        """Of one attribute with every attribute; 1 with itself."""
        if attribute not in self._known:
            self._known[attribute] = self._count(attribute)
        return self._known[attribute]

    def merits(self, subsets: list[list[int]]) -> Floats:
        """Of some subsets; what they have in common but for the last attribute is summed once."""
        heads = [tuple(subset[:-1]) for subset in subsets]
        sums = {head: self._sums(head) for head in dict.fromkeys(heads)}
        return np.array(
            [self._merit(s, *sums[head]) for s, head in zip(subsets, heads, strict=True)]
        )

    def _merit(
        self, subset: list[int], with_class: float, within: float, with_others: Floats
    ) -> float:
        if not subset:
            return 0.0
        pairs = within + 2.0 * float(with_others[subset[-1]])
        return (with_class + float(self.with_class[subset[-1]])) / math.sqrt(len(subset) + pairs)

    def _sums(self, subset: Sequence[int]) -> tuple[float, float, Floats]:
        """Of the correlations with the class, with each other, and with every attribute."""
        rows = [self.with_others(v) for v in subset]
        others = np.sum(rows, axis=0) if rows else np.zeros(self._counts.n_attributes)
        chosen = list(subset)
        within = float(others[chosen].sum()) - len(chosen)
        return float(self.with_class[chosen].sum()), within, others

    def _count(self, attribute: int) -> Floats:
        n = self._counts.n_attributes
        others = [v for v in range(n) if v != attribute]
        tables = self._counts.tables([Family.of(v, (attribute,), n) for v in others])
        found = np.ones(n)
        found[others] = [
            self._of(table.whole[:, 0], attribute, v)
            for v, table in zip(others, tables, strict=True)
        ]
        return np.where(found < NOTHING, self._unrelated_correlation, found)

    def _of(self, known: Floats, x: int, y: int) -> float:
        """Of two variables, from the table of the rows where both are known."""
        whole = np.zeros((known.shape[0] + 1, known.shape[1] + 1))
        whole[:-1, :-1] = known
        whole[:-1, -1] = self._values[x] - known.sum(axis=1)
        whole[-1, :-1] = self._values[y] - known.sum(axis=0)
        whole[-1, -1] = self._counts.total - whole.sum()
        return symmetrical_uncertainty(share_missing(whole))


def _locally_predictive(correlations: Correlations, selected: Sequence[int]) -> list[Move]:
    """Attributes that no other one is closer to than the class; the closest to it first."""
    chosen, moves = list(selected), []
    with_class = rounded_for_ties(correlations.with_class)
    for v in np.argsort(-with_class, kind="stable").tolist():
        rivals = rounded_for_ties(np.array([correlations.with_others(s)[v] for s in chosen]))
        if v not in selected and 0 < with_class[v] >= rivals.max(initial=0.0):
            chosen.append(v)
            moves.append(Move(v, float(correlations.merits([chosen])[0])))
    return moves
