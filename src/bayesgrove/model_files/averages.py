"""Averages over networks, as a file tells them: further networks, and tables of parent sets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayesgrove.averaging import AveragedNetwork, MeanTable
from bayesgrove.counts import Family
from bayesgrove.model_files.networks import (
    describe_nodes,
    describe_table,
    read_nodes,
    read_parents,
    read_table,
)

if TYPE_CHECKING:
    from bayesgrove.model_files.fields import Field
    from bayesgrove.network import BayesianNetwork

WEIGHT_TOLERANCE = 1e-6


def describe_averages(averages: list[AveragedNetwork]) -> list[dict[str, Any]]:
    """All averages; the network of the first is told elsewhere."""
    return [
        {
            "network": describe_nodes(own.network) if place else None,
            "means": [
                _describe_mean(own.network.nodes, child, mean) for child, mean in own.means.items()
            ],
        }
        for place, own in enumerate(averages)
    ]


def read_averages(field: Field, first: BayesianNetwork) -> list[AveragedNetwork]:
    """At least one average; ``first`` is the network of the first."""
    names = first.nodes
    states = [first.states(name) for name in names]
    found = []
    for place, item in enumerate(field.items()):
        members = item.members("network", "means")
        network = read_nodes(members["network"], names, states) if place else first
        means = dict(_read_mean(own, network) for own in members["means"].items())
        found.append(AveragedNetwork(network, means))
    if not found:
        raise field.error("is empty")
    return found


def _describe_mean(names: tuple[str, ...], child: int, mean: MeanTable) -> dict[str, Any]:
    last = len(names) - 1
    return {
        "name": names[child],
        "sets": [
            {
                "weight": weight,
                "parents": [names[v] for v in table.scope(last)[:-1]],
                **describe_table(table),
            }
            for weight, table in zip(mean.weights, mean.tables, strict=True)
        ],
    }


def _read_mean(field: Field, network: BayesianNetwork) -> tuple[int, MeanTable]:
    members = field.members("name", "sets")
    names = network.nodes
    place = {name: v for v, name in enumerate(names)}
    child = place[members["name"].choice(*names)]
    cards = [len(network.states(name)) for name in names]
    weights, tables = [], []
    for item in members["sets"].items():
        own = item.members("weight", "parents", "table", optional=("configurations", "default"))
        parents = read_parents(own["parents"], place)
        if child in parents:
            raise own["parents"].error("holds the node itself")
        weights.append(own["weight"].number())
        tables.append(read_table(own, Family.of(child, parents, len(names) - 1), cards))
    if min(weights, default=0.0) < 0.0 or abs(sum(weights) - 1.0) > WEIGHT_TOLERANCE:
        raise members["sets"].error(f"has weights that sum to {sum(weights):.9g}, not to 1")
    return child, MeanTable(tuple(tables), tuple(weights))
