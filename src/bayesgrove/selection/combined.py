"""Selectors made of selectors: what Singh and Provan (1995) tried beside Info-AS."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.options import OptionError
from bayesgrove.contracts import Selection, require_selector, walked, weights_repeat_rows
from bayesgrove.search import guided, rounded_for_ties

if TYPE_CHECKING:
    from bayesgrove.contracts import Guide, Selector, SubsetScorer
    from bayesgrove.counts import CountSource


@dataclass(frozen=True)
class Chain:
    """One selector after the other, among the attributes that the first one leaves.

    ``Chain(InfoAS(), Wrapper(direction="backward"))`` prunes what Info-AS selected.
    """

    first: Selector
    second: Selector

    @property
    def weights_repeat_rows(self) -> bool:
        """Return whether a row of weight 2 is the row twice."""
        return weights_repeat_rows(self.first, self.second)

    def select(self, counts: CountSource) -> Selection:
        """What both leave."""
        require_selector("first", self.first)
        require_selector("second", self.second)
        before = self.first.select(counts)
        left = sorted(before.attributes)
        after = self.second.select(counts.restrict(left))
        kept = {left[v] for v in after.attributes}
        in_order = tuple(v for v in before.attributes if v in kept)
        return Selection(in_order, before.path + after.path)


@dataclass(frozen=True)
class Guided:
    """Forward selection in the order of an information metric, checked by a network's score.

    ``Guided(InfoAS(), Wrapper())`` adds the attribute with the best metric that makes the score
    better. ``ties`` of the check says whether one that leaves it as it is will do.
    """

    guide: Guide
    check: SubsetScorer

    @property
    def weights_repeat_rows(self) -> bool:
        """Return whether a row of weight 2 is the row twice."""
        return weights_repeat_rows(self.guide, self.check)

    def select(self, counts: CountSource) -> Selection:
        """Attributes as long as one makes the network better."""

        def rank(selected: list[int], left: list[int]) -> list[int]:
            values = self.guide.values(counts, selected, left) if left else np.empty(0)
            best_first = np.argsort(-rounded_for_ties(values), kind="stable").tolist()
            return [left[k] for k in best_first if values[k] > 0]

        self._check()
        evaluate = self.check.evaluator(counts)
        attributes = range(counts.n_attributes)
        return walked(counts, guided(attributes, rank, evaluate, self.check.ties))

    def _check(self) -> None:
        if isinstance(self.guide, type) or not hasattr(self.guide, "values"):
            raise OptionError(f"guide={self.guide!r} must be an InfoAS().")
        judges = hasattr(self.check, "evaluator") and not isinstance(self.check, type)
        if not judges or self.check.direction != "forward":
            raise OptionError(f"check={self.check!r} must be a Wrapper() that searches forward.")
