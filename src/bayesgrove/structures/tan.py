"""TAN: a tree over the attributes, in which every attribute also has the class as a parent.

N. Friedman, D. Geiger and M. Goldszmidt (1997). Bayesian network classifiers. Machine Learning 29,
131-163.
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
    """Tree-augmented naive Bayes: the maximum spanning tree of the weights I(X;X'|C).

    The tree is directed away from the root. Every attribute except the root gets one attribute
    as a parent, even when their dependence is weak. Every attribute also has the class as a
    parent. Ties between weights (equal within 1e-12) go to the pair with fewer parameters, then to
    the earlier columns.

    Parameters
    ----------
    root : str or int, default=0
        The attribute from which the arcs of the tree lead away: the name of a column, or its index
        counted from 0. The root does not change which attributes are connected, only the direction
        of the arcs. With pseudo-counts, the direction has a small effect on predictions.

    References
    ----------
    N. Friedman, D. Geiger and M. Goldszmidt (1997). Bayesian network classifiers. Machine Learning
    29, 131-163.

    Examples
    --------
    >>> from bayesgrove import BayesianNetworkClassifier
    >>> from bayesgrove.structures import TAN
    >>> X, y = [["n", "n"], ["y", "n"], ["n", "y"], ["y", "y"]] * 6, ["no", "yes", "yes", "yes"] * 6
    >>> BayesianNetworkClassifier(TAN(root="x1")).fit(X, y).network_.parents("x0")
    ('x1', 'class')
    """

    root: str | int = 0

    def learn(self, counts: CountSource) -> Structure:
        """Learn the parents of every node.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.

        Returns
        -------
        Structure
            The tree parent, if any, and the class as parents of every attribute.
        """
        n = counts.n_attributes
        free_values = [card - 1 for card in counts.attribute_cards]
        tree = spanning_tree(
            rounded_for_ties(pairwise_information(counts)), self._root(counts), free_values
        )
        return Structure((*((n,) if p < 0 else (p, n) for p in tree), ()))

    def _root(self, counts: CountSource) -> int:
        """Return the index of the root attribute; raise unless there is such an attribute."""
        names = counts.names[:-1]
        if isinstance(self.root, str) and self.root in names:
            return names.index(self.root)
        if is_whole(self.root) and 0 <= int(self.root) < max(len(names), 1):
            return int(self.root)
        raise OptionError(f"root={self.root!r} is neither the name nor the place of an attribute.")
