"""Selectors that combine two selectors, as Singh and Provan tried in addition to Info-AS.

M. Singh and G. Provan (1995). Efficient learning of selective Bayesian network classifiers.
MS-CIS-95-36, University of Pennsylvania.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.options import OptionError
from bayesgrove.contracts import (
    Selection,
    require_selector,
    selection_from_moves,
    weights_repeat_rows,
)
from bayesgrove.search import guided, rounded_for_ties

if TYPE_CHECKING:
    from bayesgrove.contracts import Guide, Selector, SubsetScorer
    from bayesgrove.counts import CountSource


@dataclass(frozen=True)
class Chain:
    """Two selectors in sequence: the second selects among the attributes that the first selected.

    ``Chain(InfoAS(), Wrapper(direction="backward"))`` prunes the attributes that Info-AS selected.
    The attributes come to the second selector in the order in which the first selected them.

    Parameters
    ----------
    first : Selector
        The selector that selects among all attributes.
    second : Selector
        The selector that selects among the attributes of ``first``.

    References
    ----------
    M. Singh and G. Provan (1995). Efficient learning of selective Bayesian network classifiers.
    MS-CIS-95-36, University of Pennsylvania.

    Examples
    --------
    >>> from bayesgrove import BayesianNetworkClassifier
    >>> from bayesgrove.selection import Chain, InfoAS, Wrapper
    >>> from bayesgrove.structures import Naive
    >>> X = [[a, b, c, a] for a in "ny" for b in "ny" for c in "ny"] * 6
    >>> y = [row[0] + row[1] for row in X]
    >>> pruned = Chain(InfoAS(), Wrapper(Naive(), direction="backward"))
    >>> BayesianNetworkClassifier(selection=pruned).fit(X, y).selected_
    ['x0', 'x1']
    """

    first: Selector
    second: Selector

    @property
    def weights_repeat_rows(self) -> bool:
        """Whether a row of weight 2 has the same effect as two copies of the row."""
        return weights_repeat_rows(self.first, self.second)

    def select(self, counts: CountSource) -> Selection:
        """Select attributes with the first selector, then with the second.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.

        Returns
        -------
        Selection
            The attributes that both selected, in the order of the first, and the steps of both.
        """
        require_selector("first", self.first)
        require_selector("second", self.second)
        before = self.first.select(counts)
        candidates = before.attributes
        after = self.second.select(counts.restrict(candidates))
        kept = {candidates[v] for v in after.attributes}
        in_order = tuple(v for v in before.attributes if v in kept)
        groups = tuple(tuple(candidates[v] for v in group) for group in after.groups)
        return Selection(in_order, before.path + after.path, groups)


@dataclass(frozen=True)
class Guided:
    """Forward selection in the order of an information metric, checked by the score of a network.

    ``Guided(InfoAS(), Wrapper())`` repeatedly adds the attribute with the best metric among the
    attributes that improve the score of the network. It stops when no attribute with a positive
    metric improves the score. ``Wrapper(ties="continue")`` also accepts an attribute that leaves
    the score unchanged.

    Parameters
    ----------
    guide : Guide
        The selector whose metric gives the order in which attributes are tried, such as
        `InfoAS`.
    check : SubsetScorer
        The selector that scores a subset of the attributes, such as `Wrapper`. Its direction must
        be "forward".

    References
    ----------
    M. Singh and G. Provan (1995). Efficient learning of selective Bayesian network classifiers.
    MS-CIS-95-36, University of Pennsylvania.

    Examples
    --------
    >>> from bayesgrove import BayesianNetworkClassifier
    >>> from bayesgrove.selection import Guided, InfoAS, Wrapper
    >>> from bayesgrove.structures import Naive
    >>> X = [[a, b, c, a] for a in "ny" for b in "ny" for c in "ny"] * 6
    >>> y = [row[0] + row[1] for row in X]
    >>> BayesianNetworkClassifier(selection=Guided(InfoAS(), Wrapper(Naive()))).fit(X, y).selected_
    ['x0', 'x1']
    """

    guide: Guide
    check: SubsetScorer

    @property
    def weights_repeat_rows(self) -> bool:
        """Whether a row of weight 2 has the same effect as two copies of the row."""
        return weights_repeat_rows(self.guide, self.check)

    def select(self, counts: CountSource) -> Selection:
        """Add attributes while one of them improves the score of the network.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.

        Returns
        -------
        Selection
            The selected attributes, and one step per attribute with the score after the step.
        """

        def rank(selected: list[int], remaining: list[int]) -> list[int]:
            values = self.guide.values(counts, selected, remaining) if remaining else np.empty(0)
            best_first = np.argsort(-rounded_for_ties(values), kind="stable").tolist()
            return [remaining[k] for k in best_first if values[k] > 0]

        self._check()
        evaluate = self.check.evaluator(counts)
        attributes = range(counts.n_attributes)
        return selection_from_moves(counts, guided(attributes, rank, evaluate, self.check.ties))

    def _check(self) -> None:
        if isinstance(self.guide, type) or not hasattr(self.guide, "values"):
            raise OptionError(f"guide={self.guide!r} must be an InfoAS().")
        is_scorer = hasattr(self.check, "evaluator") and not isinstance(self.check, type)
        if not is_scorer or self.check.direction != "forward":
            raise OptionError(f"check={self.check!r} must be a Wrapper() that searches forward.")
