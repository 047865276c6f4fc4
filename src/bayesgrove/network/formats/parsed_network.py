"""The nodes and tables that a reader collects from a file."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.network.formats.errors import START, ParseError, Place
from bayesgrove.network.formats.labels import LABELS, NAME, true_labels, true_name
from bayesgrove.network.formats.limits import MAX_CELLS, MAX_NODES, MAX_STATES
from bayesgrove.network.network import BayesianNetwork
from bayesgrove.network.validation import NodeError, require_cells

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike

    from bayesgrove.kernels import Floats


@dataclass
class _Node:
    """A node: its original name and labels, and the codes of its states as they are spelled."""

    place: Place
    name: str
    labels: list[Any]
    states: dict[str, int]
    parents: Sequence[str] | None = None
    table: Floats | None = None


class ParsedNetwork:
    """Nodes and their tables, by the names in the file.

    Parameters
    ----------
    path : str
        The file, for error messages.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._nodes: dict[str, _Node] = {}
        self._states = 0
        self._cells = 0

    def error(self, place: Place, reason: str) -> ParseError:
        """Return an error at a position in the file."""
        return ParseError(self.path, *place, reason)

    def declare(
        self, place: Place, name: str, states: Sequence[str], properties: Mapping[str, str]
    ) -> None:
        """Add a node with its states; properties may hold its original name and labels."""
        if name in self._nodes:
            raise self.error(place, f"there is more than one node {name!r}.")
        if not states:
            raise self.error(place, f"node {name!r} has no states.")
        numbers = {state: k for k, state in enumerate(states)}
        if len(numbers) < len(states):
            twice = next(state for k, state in enumerate(states) if numbers[state] != k)
            raise self.error(place, f"node {name!r} has the state {twice!r} more than once.")
        self._states += len(states)
        if len(self._nodes) >= MAX_NODES or self._states > MAX_STATES:
            raise self.error(
                place, f"there are more than {MAX_NODES:,} nodes or {MAX_STATES:,} states."
            )
        originals = self._originals(place, name, list(states), properties)
        self._nodes[name] = _Node(place, *originals, numbers)

    def _originals(
        self, place: Place, name: str, states: list[str], properties: Mapping[str, str]
    ) -> tuple[str, list[Any]]:
        """Return the original name and labels from the properties, or the spelled ones."""
        try:
            if NAME in properties:
                name = true_name(properties[NAME], name)
            return name, true_labels(properties[LABELS], states) if LABELS in properties else states
        except ValueError as error:
            raise self.error(place, str(error)) from None

    def has(self, name: str) -> bool:
        """Return whether a node is declared."""
        return name in self._nodes

    def states(self, name: str) -> Mapping[str, int]:
        """Return the code of every state of a node, by the spelling of the state."""
        return self._nodes[name].states

    def open_table(self, place: Place, child: str, parents: Sequence[str]) -> tuple[int, int]:
        """Begin a table and return its numbers of rows and columns; raise if it is too large."""
        for name in (child, *parents):
            if name not in self._nodes:
                raise self.error(place, f"there is a table with {name!r}, which is not a node.")
        if self._nodes[child].parents is not None:
            raise self.error(place, f"there is more than one table for {child!r}.")
        self._nodes[child].parents = parents
        cards = [len(self._nodes[name].states) for name in (*parents, child)]
        try:
            self._cells += require_cells(child, cards, MAX_CELLS)
        except (NodeError, MemoryError) as error:
            raise self.error(place, _uncapitalised(str(error))) from None
        if self._cells > MAX_CELLS:
            raise self.error(
                place,
                f"the tables up to this one have {self._cells:.3g} cells; at most "
                f"{MAX_CELLS:.3g} are possible.",
            )
        return math.prod(cards[:-1]), cards[-1]

    def fill_table(self, place: Place, child: str, cells: ArrayLike) -> None:
        """Store all cells of a table: the node changes fastest, then the last parent."""
        node = self._nodes[child]
        shape = [len(self._nodes[name].states) for name in (*(node.parents or ()), child)]
        table: Floats = np.asarray(cells, dtype=np.float64)
        if table.size != math.prod(shape):
            raise self.error(
                place,
                f"the table of {child!r} has {table.size} numbers; it needs {math.prod(shape)}.",
            )
        node.table = table.reshape(shape)

    def network(self, order: Sequence[str] | None = None) -> BayesianNetwork:
        """Return the network, with its nodes in the order of declaration or in another order."""
        if not self._nodes:
            raise self.error(START, "there are no nodes.")
        nodes = [self._nodes[name] for name in order or self._nodes]
        places: dict[str, Place] = {}
        for node in nodes:
            if node.name in places:
                raise self.error(node.place, f"there is more than one node {node.name!r}.")
            places[node.name] = node.place
        try:
            return BayesianNetwork.from_tables(
                {node.name: node.labels for node in nodes},
                {node.name: [self._nodes[p].name for p in node.parents or ()] for node in nodes},
                {node.name: node.table for node in nodes if node.table is not None},
            )
        except NodeError as error:
            raise self.error(places[error.node], _uncapitalised(str(error))) from None
        except MemoryError as error:
            raise self.error(START, _uncapitalised(str(error))) from None


def _uncapitalised(sentence: str) -> str:
    """Return a sentence with a small first letter, for use after a colon."""
    return sentence[:1].lower() + sentence[1:]
