"""CFS: attributes correlated with the class but not with each other.

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
from bayesgrove.contracts import selection_from_moves
from bayesgrove.counts import Family
from bayesgrove.scores.information import share_missing, symmetrical_uncertainty
from bayesgrove.search import Move, best_first, rounded_for_ties

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.contracts import Selection
    from bayesgrove.counts import CountSource
    from bayesgrove.kernels import Floats

MIN_IMPROVEMENT = 1e-5
"""A merit counts as better only if it is higher by more than this."""
NEGLIGIBLE_CORRELATION = 1e-6
"""Two attributes with a lower correlation than this are unrelated."""


@renamed(stale="max_stale", unrelated="unrelated_correlation")
@dataclass(frozen=True)
class CFS:
    """Correlation-based feature selection: the subset of attributes with the best merit.

    The merit of k attributes is ``k r_cf / sqrt(k + k (k - 1) r_ff)``. ``r_cf`` is the mean
    correlation of the attributes with the class, and ``r_ff`` is their mean correlation with each
    other. The correlation is the symmetrical uncertainty ``2 I(X;Y) / (H(X) + H(Y))``. Missing
    values are distributed over the known values in proportion to the counts of the known values.
    The search is a forward best-first search. The value of a step is the merit after the step.

    Parameters
    ----------
    max_stale : int, default=5
        The search ends after this number of successive expansions without a better subset. An
        expansion tries all subsets that have one more attribute than the best subset not yet
        expanded.
    locally_predictive : bool, default=True
        Whether to add locally predictive attributes after the search. The other attributes are
        tried in the order of decreasing correlation with the class. An attribute is added if no
        attribute selected so far has a higher correlation with it than the class has. Such an
        attribute may be predictive in a small part of the data that the other attributes do not
        cover.
    unrelated_correlation : float, default=0.0
        The correlation of two attributes whose symmetrical uncertainty is below 1e-6. The formula
        gives 0. WEKA uses 1, because it treats such attributes as constants.

    References
    ----------
    M. Hall (2000). Correlation-based feature selection for discrete and numeric class machine
    learning. Proceedings of the Seventeenth International Conference on Machine Learning
    (ICML-2000), 359-366.

    Examples
    --------
    >>> from bayesgrove import BayesianNetworkClassifier
    >>> from bayesgrove.selection import CFS
    >>> X = [[a, b, c, a] for a in "ny" for b in "ny" for c in "ny"] * 6
    >>> y = [row[0] + row[1] for row in X]
    >>> BayesianNetworkClassifier(selection=CFS()).fit(X, y).selected_
    ['x0', 'x1']
    """

    max_stale: int = 5
    locally_predictive: bool = True
    unrelated_correlation: float = 0.0

    def select(self, counts: CountSource) -> Selection:
        """Select the subset with the best merit, then the locally predictive attributes.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.

        Returns
        -------
        Selection
            The selected attributes, and one step per attribute with the merit after the step.
        """
        require_count("max_stale", self.max_stale, lowest=1)
        require_flag("locally_predictive", self.locally_predictive)
        require_number("unrelated_correlation", self.unrelated_correlation, lowest=0)
        correlations = Correlations(counts, self.unrelated_correlation)
        attributes = range(counts.n_attributes)
        moves = best_first(attributes, correlations.merits, self.max_stale, MIN_IMPROVEMENT)
        if self.locally_predictive:
            moves += _locally_predictive(correlations, [move.element for move in moves])
        return selection_from_moves(counts, moves)


class Correlations:
    """The symmetrical uncertainties of attributes, computed when first used and then cached."""

    def __init__(self, counts: CountSource, unrelated_correlation: float = 0.0) -> None:
        self._counts = counts
        self._unrelated_correlation = unrelated_correlation
        self._cached: dict[int, Floats] = {}
        n = counts.n_attributes
        families = [Family.of(v, (), n) for v in range(n)]
        self._value_counts = [table.counts[0, 0] for table in counts.tables(families)]
        self._value_counts.append(counts.class_counts)
        self.with_class = np.array(
            [self._uncertainty(table.T, v, n) for v, table in enumerate(counts.attribute_tables())]
        )

    def with_others(self, attribute: int) -> Floats:
        """Return the correlations of one attribute with every attribute; 1 with itself."""
        if attribute not in self._cached:
            self._cached[attribute] = self._with_others(attribute)
        return self._cached[attribute]

    def merits(self, subsets: list[list[int]]) -> Floats:
        """Return the merits of subsets.

        Subsets that differ only in their last attribute share their sums.
        """
        heads = [tuple(subset[:-1]) for subset in subsets]
        sums = {head: self._sums(head) for head in dict.fromkeys(heads)}
        return np.array(
            [self._merit(s, *sums[head]) for s, head in zip(subsets, heads, strict=True)]
        )

    def _merit(
        self, subset: list[int], with_class: float, within: float, with_others: Floats
    ) -> float:
        """Return the merit of a subset from the sums over the subset without its last attribute."""
        if not subset:
            return 0.0
        pairs = within + 2.0 * float(with_others[subset[-1]])
        return (with_class + float(self.with_class[subset[-1]])) / math.sqrt(len(subset) + pairs)

    def _sums(self, subset: Sequence[int]) -> tuple[float, float, Floats]:
        """Return sums of correlations: with the class, with each other, with every attribute."""
        rows = [self.with_others(v) for v in subset]
        others = np.sum(rows, axis=0) if rows else np.zeros(self._counts.n_attributes)
        chosen = list(subset)
        within = float(others[chosen].sum()) - len(chosen)
        return float(self.with_class[chosen].sum()), within, others

    def _with_others(self, attribute: int) -> Floats:
        """Compute the correlations of one attribute with every attribute."""
        n = self._counts.n_attributes
        others = [v for v in range(n) if v != attribute]
        tables = self._counts.tables([Family.of(v, (attribute,), n) for v in others])
        correlations = np.ones(n)
        correlations[others] = [
            self._uncertainty(table.whole[:, 0], attribute, v)
            for v, table in zip(others, tables, strict=True)
        ]
        unrelated = correlations < NEGLIGIBLE_CORRELATION
        return np.where(unrelated, self._unrelated_correlation, correlations)

    def _uncertainty(self, known: Floats, x: int, y: int) -> float:
        """Return the symmetrical uncertainty of x and y from the rows where both are known."""
        whole = np.zeros((known.shape[0] + 1, known.shape[1] + 1))
        whole[:-1, :-1] = known
        whole[:-1, -1] = self._value_counts[x] - known.sum(axis=1)
        whole[-1, :-1] = self._value_counts[y] - known.sum(axis=0)
        whole[-1, -1] = self._counts.total - whole.sum()
        return symmetrical_uncertainty(share_missing(whole))


def _locally_predictive(correlations: Correlations, selected: Sequence[int]) -> list[Move]:
    """Return the attributes that have no higher correlation with a selected one than with C."""
    chosen, moves = list(selected), []
    with_class = rounded_for_ties(correlations.with_class)
    for v in np.argsort(-with_class, kind="stable").tolist():
        rivals = rounded_for_ties(np.array([correlations.with_others(s)[v] for s in chosen]))
        if v not in selected and 0 < with_class[v] >= rivals.max(initial=0.0):
            chosen.append(v)
            moves.append(Move(v, float(correlations.merits([chosen])[0])))
    return moves
