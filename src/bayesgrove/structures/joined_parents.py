"""Attributes joined with their parents in a learned network, which gives a naive classifier.

M. Singh and G. Provan (1995). Efficient learning of selective Bayesian network classifiers.
MS-CIS-95-36, University of Pennsylvania. Section 6 names the idea.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bayesgrove.contracts import require_learner, weights_repeat_rows
from bayesgrove.network.groups import structure_of_groups

if TYPE_CHECKING:
    from bayesgrove.contracts import StructureLearner
    from bayesgrove.counts import CountSource
    from bayesgrove.network import Structure


@dataclass(frozen=True)
class JoinedParents:
    """Naive Bayes in which attributes are joined with their parents in a learned network.

    The attributes of the learned network are visited children first. Each attribute that is not yet
    in a group is joined with those of its attribute parents that are not yet in a group. The result
    is naive Bayes over the groups: inside a group, every attribute has the class and the earlier
    attributes of the group as parents. Use it with the parameter learner `JointDirichlet`.

    Parameters
    ----------
    structure : StructureLearner
        The structure learner of the network, such as ``CB()``.

    References
    ----------
    M. Singh and G. Provan (1995). Efficient learning of selective Bayesian network classifiers.
    MS-CIS-95-36, University of Pennsylvania, section 6.

    Examples
    --------
    >>> from bayesgrove import BayesianNetworkClassifier
    >>> from bayesgrove.parameters import JointDirichlet
    >>> from bayesgrove.structures import TAN, JoinedParents
    >>> X, y = [["n", "n"], ["y", "n"], ["n", "y"], ["y", "y"]] * 6, ["no", "yes", "yes", "no"] * 6
    >>> model = BayesianNetworkClassifier(JoinedParents(TAN()), JointDirichlet()).fit(X, y)
    >>> model.score(X, y)
    1.0
    """

    structure: StructureLearner

    @property
    def weights_repeat_rows(self) -> bool:
        """Whether a row of weight 2 has the same effect as two copies of the row."""
        return weights_repeat_rows(self.structure)

    def learn(self, counts: CountSource) -> Structure:
        """Learn a network, and join its attributes with their parents.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.

        Returns
        -------
        Structure
            The parents of every node in naive Bayes over the groups.
        """
        require_learner("structure", self.structure)
        return structure_of_groups(_joined(self.structure.learn(counts)))


def _joined(network: Structure) -> list[tuple[int, ...]]:
    """Return the groups of attributes that are joined, children first."""
    groups: list[tuple[int, ...]] = []
    grouped = {network.class_variable}
    for attribute in reversed(network.order()):
        if attribute not in grouped:
            group = tuple(sorted({attribute, *network.parents[attribute]} - grouped))
            groups.append(group)
            grouped.update(group)
    return groups
