"""Description lengths of classifiers: of the network (MDL), and for feature selection (MDL-FS).

M. Drugan and L. van der Gaag (2004). A new MDL-based function for feature selection for Bayesian
network classifiers. ECAI-2004, 999-1000.

The definitions hold for every structure and every auxiliary network. Lengths are in nats; smaller
is better. An attribute without parents or children does not belong to the classifier: it has no
parameters there, but its values are part of the description.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bayesgrove.counts import Family
from bayesgrove.scores.decomposable import LogLikelihood, local_score
from bayesgrove.scores.information import pairwise_information
from bayesgrove.search import rounded_for_ties, spanning_tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bayesgrove.counts import CountSource
    from bayesgrove.network import Structure

Parents = tuple[tuple[int, ...], ...]
"""Parents of every attribute in an auxiliary network."""


def mdl(structure: Structure, counts: CountSource) -> float:
    """Return ``ln(N)/2 |C| - LL(C)``, where |C| is the number of free parameters."""
    parameters = free_parameters(structure, counts.cards)
    likelihood = log_likelihood(structure.parents, range(len(counts.cards)), counts)
    return parameter_length(counts) * parameters - likelihood


def mdl_fs(structure: Structure, auxiliary: Parents, counts: CountSource) -> float:
    """Return ``ln(N)/2 |C| - (LL(C) - LL(S))``, where S is an auxiliary network.

    The auxiliary network is over the attributes, without the class.
    """
    attributes = range(counts.n_attributes)
    return mdl(structure, counts) + log_likelihood(auxiliary, attributes, counts)


def parameter_length(counts: CountSource) -> float:
    """Return ``ln(N)/2``, the description length of a parameter; 0 if N is below 1."""
    return 0.5 * math.log(max(counts.total, 1.0))


def auxiliary_tree(counts: CountSource, attributes: Sequence[int]) -> Parents:
    """Return the tree over some attributes with the largest likelihood (Chow and Liu 1968)."""
    members = sorted(attributes)
    information = pairwise_information(counts.restrict(members), given_class=False)
    parents: list[tuple[int, ...]] = [()] * counts.n_attributes
    for position, parent in enumerate(spanning_tree(rounded_for_ties(information), 0)):
        parents[members[position]] = () if parent < 0 else (members[parent],)
    return tuple(parents)


def free_parameters(structure: Structure, cards: Sequence[int]) -> float:
    """Return ``|C|``: a node of r states has r - 1 parameters per joint value of its parents."""
    nodes = [
        v
        for v, parents in enumerate(structure.parents)
        if parents or structure.children[v] or v == structure.class_variable
    ]
    values = {v: math.prod(float(cards[p]) for p in structure.parents[v]) for v in nodes}
    return sum((cards[v] - 1) * q for v, q in values.items())


def log_likelihood(
    parents: Sequence[Sequence[int]], nodes: Iterable[int], counts: CountSource
) -> float:
    """Return ``-N sum H(node | its parents)``, the maximum log-likelihood of the rows."""
    families = [Family.of(v, parents[v], counts.n_attributes) for v in nodes]
    tables = counts.tables(families)
    return sum(local_score(LogLikelihood(), table, counts.total) for table in tables)
