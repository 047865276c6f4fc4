"""Averages over networks, in the format of model files.

The file holds the first network in ``network``; this module reads and writes the others. `NETWORKS`
is for models that consist of networks with weights and nothing else. `AVERAGES` is for averages
along orders, which also have the tables of parent sets.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.averaging import AveragedNetwork, MeanTable
from bayesgrove.averaging.order_search import MIN_KEPT
from bayesgrove.counts import Family
from bayesgrove.model_files.codec import Codec
from bayesgrove.model_files.fields import short
from bayesgrove.model_files.networks import (
    describe_nodes,
    describe_table,
    read_nodes,
    read_parents,
    read_table,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.estimators.base.averaging import AveragingClassifier
    from bayesgrove.estimators.classifiers.model_averaging import ModelAveragingClassifier
    from bayesgrove.model_files.fields import Field
    from bayesgrove.network import BayesianNetwork

MAX_SCORE = 1e100
"""Largest absolute value of the score of an order: its square is a finite number."""

WEIGHT_TOLERANCE = 1e-6
"""Largest difference between the sum of the weights and 1."""


def describe_averages(averages: list[AveragedNetwork]) -> list[dict[str, Any]]:
    """Return all averages as JSON values. The network of the first one is null."""
    return [
        {
            "network": describe_nodes(average.network) if number else None,
            "means": [
                _describe_parent_sets(average.network.nodes, child, mean)
                for child, mean in average.means.items()
            ],
        }
        for number, average in enumerate(averages)
    ]


def read_averages(field: Field, first: BayesianNetwork) -> list[AveragedNetwork]:
    """Return the averages of a field, at least one. ``first`` is the network of the first."""
    averages = []
    for number, item in enumerate(field.items()):
        members = item.members("network", "means")
        network = _read_network_like(members["network"], first) if number else first
        means = dict(_read_parent_sets(mean, network) for mean in members["means"].items())
        averages.append(AveragedNetwork(network, means))
    if not averages:
        raise field.error("is empty")
    return averages


def _describe_parent_sets(names: tuple[str, ...], child: int, mean: MeanTable) -> dict[str, Any]:
    """Return the parent sets of one node, each with its weight and its table."""
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


def _read_parent_sets(field: Field, network: BayesianNetwork) -> tuple[int, MeanTable]:
    """Return a node, and the weighted tables of its parent sets."""
    members = field.members("name", "sets")
    names = network.nodes
    indices = {name: v for v, name in enumerate(names)}
    child = indices[members["name"].choice(*names)]
    cards = [len(network.states(name)) for name in names]
    weights, tables = [], []
    for item in members["sets"].items():
        entry = item.members("weight", "parents", "table", optional=("configurations", "default"))
        parents = read_parents(entry["parents"], indices)
        if child in parents:
            raise entry["parents"].error("holds the node itself")
        weights.append(entry["weight"].number())
        tables.append(read_table(entry, Family.of(child, parents, len(names) - 1), cards))
    _require_weights(members["sets"], weights)
    return child, MeanTable(tuple(tables), tuple(weights))


def _read_network_like(field: Field, first: BayesianNetwork) -> BayesianNetwork:
    """Return a network with the nodes and states of the first one."""
    names = first.nodes
    return read_nodes(field, names, [first.states(name) for name in names])


def _require_weights(field: Field, weights: Sequence[float]) -> None:
    """Raise unless the weights are at least 0 and sum to 1."""
    if min(weights, default=0.0) < 0.0 or abs(sum(weights) - 1.0) > WEIGHT_TOLERANCE:
        raise field.error(f"has weights that sum to {sum(weights):.9g}, not to 1")


def _describe_networks(model: AveragingClassifier) -> dict[str, Any]:
    """Return the networks after the first one, and the weights of all."""
    others = [describe_nodes(network) for network in model.networks_[1:]]
    return {"networks": [None, *others], "weights": model.weights_.tolist()}


def _network_names(_: AveragingClassifier) -> list[str]:
    return ["networks", "weights"]


def _restore_networks(model: AveragingClassifier, members: dict[str, Field]) -> None:
    """Check networks and weights, and put them into the model."""
    first = model.networks_[0]
    items = members["networks"].items()
    if not items:
        raise members["networks"].error("is empty")
    if items[0].value is not None:
        raise items[0].error(f"is {short(items[0].value)}, not null: the file has it as 'network'")
    weights = members["weights"].floats(len(items))
    _require_weights(members["weights"], weights.tolist())
    networks = [first, *(_read_network_like(item, first) for item in items[1:])]
    model._keep_networks(model.schema_, model.classes_, networks, weights)


def _describe_orders(model: ModelAveragingClassifier) -> dict[str, Any]:
    """Return the probabilities of arcs and parent sets, and the averages of all orders."""
    chains = _describe_chains(model) if model._samples_orders else {}
    return chains | {
        "arcs": [[*arc, probability] for arc, probability in model.arc_probabilities_.items()],
        "sets": [
            [node, list(parents), probability]
            for node, pairs in model.parent_sets_.items()
            for parents, probability in pairs
        ],
        "averages": describe_averages(model._averages),
    }


def _describe_chains(model: ModelAveragingClassifier) -> dict[str, Any]:
    """Return the weights of sampled orders, and what is known about the Markov chains."""
    r_hat = model.arc_r_hat_
    return {
        "weights": model.weights_.tolist(),
        "order_scores": model.order_scores_.tolist(),
        "arc_errors": [[*arc, error] for arc, error in model.arc_errors_.items()],
        "arc_r_hat": r_hat if math.isfinite(r_hat) else None,
    }


def _order_names(model: ModelAveragingClassifier) -> list[str]:
    chains = ["weights", "order_scores", "arc_errors", "arc_r_hat"]
    return ["arcs", "sets", "averages", *(chains if model._samples_orders else [])]


def _restore_orders(model: ModelAveragingClassifier, members: dict[str, Field]) -> None:
    """Check probabilities and averages, and put them into the model."""
    first = model.networks_[0]
    arcs = _read_arc_probabilities(members["arcs"], first.nodes)
    sets = _read_set_probabilities(members["sets"], first.nodes)
    averages = read_averages(members["averages"], first)
    weights = np.full(len(averages), 1.0 / len(averages))
    if model._samples_orders:
        weights = members["weights"].floats(len(averages))
        _require_weights(members["weights"], weights.tolist())
        _restore_chains(model, members)
    model._keep_averages(model.schema_, model.classes_, averages, weights)
    model._keep_sets(arcs, sets)


def _restore_chains(model: ModelAveragingClassifier, members: dict[str, Field]) -> None:
    """Check what is known about the Markov chains, and put it into the model."""
    chains = members["order_scores"].items()
    length = len(chains[0].values()) if chains else 0
    if length < MIN_KEPT:
        raise members["order_scores"].error(f"has fewer than {MIN_KEPT} scores per chain")
    scores = np.array([chain.floats(length) for chain in chains])
    if np.abs(scores).max() > MAX_SCORE:
        raise members["order_scores"].error(f"has a score beyond {MAX_SCORE:g}")
    errors = _read_arc_probabilities(members["arc_errors"], model.networks_[0].nodes)
    r_hat = members["arc_r_hat"]
    model._keep_chains(scores, errors, math.inf if r_hat.value is None else r_hat.number())


def _read_arc_probabilities(field: Field, nodes: Sequence[str]) -> dict[tuple[str, str], float]:
    """Return the probability of each arc (parent, child)."""
    arcs: dict[tuple[str, str], float] = {}
    for item in field.items():
        parent, child, probability = item.items(3)
        arc = (parent.choice(*nodes), child.choice(*nodes))
        if arc[0] == arc[1]:
            raise item.error(f"is an arc from {arc[0]!r} to itself")
        arcs[arc] = probability.probability()
    return arcs


def _read_set_probabilities(
    field: Field, nodes: Sequence[str]
) -> dict[str, list[tuple[tuple[str, ...], float]]]:
    """Return the parent sets of each node with their probabilities."""
    sets: dict[str, list[tuple[tuple[str, ...], float]]] = {node: [] for node in nodes}
    for item in field.items():
        node, parents, probability = item.items(3)
        names = tuple(parent.choice(*nodes) for parent in parents.items())
        sets[node.choice(*nodes)].append((names, probability.probability()))
    return sets


NETWORKS = Codec(_describe_networks, _network_names, _restore_networks)
AVERAGES = Codec(_describe_orders, _order_names, _restore_orders)
