"""How large a fitted model is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.network import BayesianNetwork, ConditionalTable


class Complexity(NamedTuple):
    """The size of a fitted model.

    Parameters
    ----------
    attributes : number of attributes that bear on the class
    arcs : number of arcs; None where a model has none, as trees
    parameters : number of free parameters
    """

    attributes: int
    arcs: int | None
    parameters: int


def complexity_of(networks: Sequence[BayesianNetwork]) -> Complexity:
    """Return the size of one network, or of several together.

    The attributes are those of a Markov blanket of the class, without those that have one state:
    no other can change the posterior of a row without missing values. An attribute that several
    networks have counts once; arcs and parameters count in each network. A table has
    ``(states - 1) x configurations of all parents`` free parameters, observed or not.
    """
    attributes = {
        node
        for network in networks
        for node in network.markov_blanket(network.class_node)
        if len(network.states(node)) > 1
    }
    tables = [network.table(node) for network in networks for node in network.nodes]
    return Complexity(
        attributes=len(attributes),
        arcs=sum(len(network.arcs) for network in networks),
        parameters=sum(map(_free_parameters, tables)),
    )


def _free_parameters(table: ConditionalTable) -> int:
    _, classes, states = table.probabilities.shape
    return math.prod(map(int, table.cards)) * int(classes) * (int(states) - 1)
