"""The nodes, states and table rows that a writer writes, as they are spelled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bayesgrove.network.formats.labels import properties, require_labels
from bayesgrove.network.formats.limits import MAX_CELLS, MAX_NODES, MAX_STATES
from bayesgrove.network.validation import require_cells

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bayesgrove.kernels import Floats
    from bayesgrove.network.formats.labels import Spelling
    from bayesgrove.network.network import BayesianNetwork


@dataclass(frozen=True)
class WriterNode:
    """A node with the spellings of its name and states; ``dense`` returns its table."""

    name: str
    true_name: str
    states: list[str]
    parents: list[WriterNode]
    properties: dict[str, str]
    dense: Callable[[], Floats]

    def rows(self, separator: str) -> Iterator[str]:
        """Yield ``P(node | parents)`` per configuration; the last parent changes fastest."""
        table = self.dense().reshape(-1, len(self.states))
        for row in table:
            yield separator.join(map(repr, row.tolist()))


def written_nodes(network: BayesianNetwork, spelling: Spelling) -> list[WriterNode]:
    """Return the nodes of a network in its order; raise if the network could not be read back."""
    require_writable(network)
    nodes = network.nodes
    spelled = spelling.names(nodes)
    writer_nodes: dict[str, WriterNode] = {}
    for name, word in zip(nodes, spelled, strict=True):
        labels = network.states(name)
        states = spelling.states(labels)
        table = network.table(name)
        writer_nodes[name] = WriterNode(
            word, name, states, [], properties(name, word, labels, states), table.dense
        )
    for name in nodes:
        writer_nodes[name].parents.extend(writer_nodes[p] for p in network.parents(name))
    return list(writer_nodes.values())


def require_writable(network: BayesianNetwork) -> None:
    """Raise unless the network is within the limits of readers and a file can hold its labels."""
    cards = {}
    for name in network.nodes:
        if not isinstance(name, str):
            raise ValueError(f"The name of the node {name!r} is not a string.")
        labels = network.states(name)
        require_labels(name, labels)
        cards[name] = len(labels)
    if len(cards) < len(network.nodes):
        raise ValueError("There is more than one node with the same name.")
    if len(cards) > MAX_NODES or sum(cards.values()) > MAX_STATES:
        raise ValueError(
            f"{len(cards):,} nodes with {sum(cards.values()):,} states are too many for a file; "
            f"at most {MAX_NODES:,} nodes and {MAX_STATES:,} states are possible."
        )
    cells = sum(
        require_cells(name, [cards[member] for member in (*network.parents(name), name)], MAX_CELLS)
        for name in network.nodes
    )
    if cells > MAX_CELLS:
        raise ValueError(
            f"The tables have {cells:.3g} cells, too many for a file; at most {MAX_CELLS:.3g} are "
            "possible."
        )
