"""TAN: a tree over the attributes, each of which also has the class as a parent.

N. Friedman, D. Geiger and M. Goldszmidt (1997). Bayesian network classifiers. Machine Learning 29.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bayesgrove._utils.options import OptionError, is_whole
from bayesgrove.network import Structure
from bayesgrove.scores.information import pairwise_information
from bayesgrove.search import rounded_for_ties, spanning_tree

if TYPE_CHECKING:
    from bayesgrove.counts import CountSource


@dataclass(frozen=True)
class TAN:
    """The maximum spanning tree of the weights I(X;X'|C), directed away from ``root``.

    Every attribute but the root gets one attribute parent, however weak. Of equal weights
    (within 1e-12) that of the pair with fewer parameters counts, then that of the earlier columns.
    ``root`` is a column's name or place; it changes the direction of arcs, and nothing else.
    """

    root: str | int = 0

    def learn(self, counts: CountSource) -> Structure:
        """Parents of every node."""
        n = counts.n_attributes
        free = [card - 1 for card in counts.attribute_cards]
        tree = spanning_tree(
            rounded_for_ties(pairwise_information(counts)), self._root(counts), free
        )
        return Structure((*((n,) if p < 0 else (p, n) for p in tree), ()))

    def _root(self, counts: CountSource) -> int:
        names = counts.names[:-1]
        if isinstance(self.root, str) and self.root in names:
            return names.index(self.root)
        if is_whole(self.root) and 0 <= int(self.root) < max(len(names), 1):
            return int(self.root)
        raise OptionError(f"root={self.root!r} is neither the name nor the place of an attribute.")
