"""The size of a fitted model."""

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
    attributes : int
        Number of attributes that can change the class probabilities.
    arcs : int or None
        Number of arcs. None for models without arcs, such as trees.
    parameters : int
        Number of free parameters.
    """

    attributes: int
    arcs: int | None
    parameters: int


def complexity_of(networks: Sequence[BayesianNetwork]) -> Complexity:
    """Return the size of one network, or the total size of several networks.

    An attribute counts if it is in the Markov blanket of the class in at least one network and has
    more than one state. No other attribute can change the posterior of a row without missing
    values. An attribute counts once, even if it is in several networks. Arcs and parameters count
    in each network. A table has ``(states - 1) x configurations of all parents`` free parameters,
    also for configurations that were not observed.

    Parameters
    ----------
    networks : sequence of BayesianNetwork
        The networks.

    Returns
    -------
    Complexity
        The size.
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
    """Return the number of free parameters of a conditional table."""
    _, classes, states = table.probabilities.shape
    return math.prod(map(int, table.cards)) * int(classes) * (int(states) - 1)
