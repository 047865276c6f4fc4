"""What a writer puts down: nodes and states as they are spelled, and the rows of tables."""

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
    """A node as it goes into a file."""

    name: str
    true_name: str
    states: list[str]
    parents: list[WriterNode]
    properties: dict[str, str]
    dense: Callable[[], Floats]

    def rows(self, separator: str) -> Iterator[str]:
        """``P(node | parents)`` for all configurations of the parents, the last changes fastest."""
        table = self.dense().reshape(-1, len(self.states))
        for row in table:
            yield separator.join(map(repr, row.tolist()))


def written_nodes(network: BayesianNetwork, spelling: Spelling) -> list[WriterNode]:
    """The nodes of a network in its order; one that could not be read back is refused."""
    require_writable(network)
    nodes = network.nodes
    spelled = spelling.names(nodes)
    made: dict[str, WriterNode] = {}
    for name, word in zip(nodes, spelled, strict=True):
        labels = network.states(name)
        states = spelling.states(labels)
        table = network.table(name)
        made[name] = WriterNode(
            word, name, states, [], properties(name, word, labels, states), table.dense
        )
    for name in nodes:
        made[name].parents.extend(made[parent] for parent in network.parents(name))
    return list(made.values())


def require_writable(network: BayesianNetwork) -> None:
    """Refuse a network that is beyond the limits of readers, or has labels that no file carries."""
    cards = {}
    for name in network.nodes:
        if not isinstance(name, str):
            raise ValueError(f"The node {name!r} is not named by a string.")
        labels = network.states(name)
        require_labels(name, labels)
        cards[name] = len(labels)
    if len(cards) < len(network.nodes):
        raise ValueError("There is more than one node of the same name.")
    if len(cards) > MAX_NODES or sum(cards.values()) > MAX_STATES:
        raise ValueError(
            f"{len(cards):,} nodes with {sum(cards.values()):,} states are more than the "
            f"{MAX_NODES:,} nodes and {MAX_STATES:,} states that files are read with."
        )
    cells = sum(
        require_cells(name, [cards[member] for member in (*network.parents(name), name)], MAX_CELLS)
        for name in network.nodes
    )
    if cells > MAX_CELLS:
        raise ValueError(
            f"The tables have {cells:.3g} cells, more than the {MAX_CELLS:.3g} that files are read "
            "with."
        )
