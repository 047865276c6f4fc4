"""Checks of networks that come from a user or a file."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.counts import Configurations
from bayesgrove.encoding import require_memory
from bayesgrove.network.structure import Structure
from bayesgrove.network.tables import MAX_AXES, ConditionalTable

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from numpy.typing import ArrayLike

    from bayesgrove.kernels import Floats

ROW_SUM_TOLERANCE = 1e-3
"""Largest allowed difference between 1 and the sum of a row: published tables are rounded."""

MAX_DIGITS = 18
"""Tables whose number of cells has more digits than this are rejected at once."""


class NodeError(ValueError):
    """An error in the states, the parents or the table of a node.

    Parameters
    ----------
    node : str
        Name of the node. It is also an attribute of the error.
    message : str
        Description of the error.
    """

    def __init__(self, node: str, message: str) -> None:
        super().__init__(message)
        self.node = node


def checked_states(node: str, states: Sequence[Hashable]) -> tuple[Any, ...]:
    """Return the states of a node; raise unless there is at least one and all differ."""
    labels = tuple(states)
    if not labels:
        raise NodeError(node, f"Node {node!r} has no states.")
    seen = set()
    for label in labels:
        if _differs_from_itself(label):
            raise NodeError(node, f"Node {node!r} has the state {label!r}; use None for missing.")
        if label in seen:
            raise NodeError(node, f"Node {node!r} has the state {label!r} more than once.")
        seen.add(label)
    if None in labels[:-1]:
        raise NodeError(
            node, f"None, the state of missing values, must be the last state of {node!r}."
        )
    return labels


def _differs_from_itself(label: Any) -> bool:
    """Return whether a label is not equal to itself, such as NaN, and cannot be looked up."""
    try:
        return bool(label != label)
    except (TypeError, ValueError):
        return True


def checked_structure(names: Sequence[str], parents: Mapping[str, Sequence[str]]) -> Structure:
    """Return the structure; raise if a parent is unknown or repeated, or if there is a cycle."""
    place = {name: v for v, name in enumerate(names)}
    if len(place) < len(names):
        twice = next(name for v, name in enumerate(names) if place[name] != v)
        raise NodeError(twice, f"There is more than one node {twice!r}.")
    for child, list_of_parents in parents.items():
        if child not in place:
            raise NodeError(child, f"{child!r} has parents but is not a node.")
        for k, parent in enumerate(list_of_parents):
            if parent not in place:
                raise NodeError(
                    child, f"Node {child!r} has the parent {parent!r}, which is not a node."
                )
            if parent in list_of_parents[:k]:
                raise NodeError(child, f"Node {child!r} has the parent {parent!r} more than once.")
    numbers = tuple(tuple(place[p] for p in parents.get(name, ())) for name in names)
    cycle = find_cycle(numbers)
    if cycle:
        arrows = " -> ".join(repr(names[v]) for v in [*cycle, cycle[0]])
        raise NodeError(names[cycle[0]], f"The arcs make a cycle: {arrows}.")
    return Structure(numbers)


def find_cycle(parents: Sequence[Sequence[int]]) -> list[int]:
    """Return the variables along a cycle, each a parent of the next one.

    The list is empty if there is no cycle.
    """
    done = [False] * len(parents)
    for start in range(len(parents)):
        path: list[int] = []
        place: dict[int, int] = {}
        waiting = [(start, False)]
        while waiting:
            v, leaving = waiting.pop()
            if leaving:
                done[v] = True
                del place[path.pop()]
            elif v in place:
                return path[: place[v] - 1 if place[v] else None : -1]
            elif not done[v]:
                place[v] = len(path)
                path.append(v)
                waiting.append((v, True))
                waiting += [(parent, False) for parent in parents[v]]
    return []


def require_cells(node: str, cards: Sequence[int], limit: int | None = None) -> int:
    """Return the number of cells of a table; raise if they exceed the limit or the memory."""
    digits = sum(map(math.log10, cards))  # The product itself may have millions of digits.
    limit_digits = math.inf if limit is None else math.log10(limit)
    if len(cards) > MAX_AXES or digits > min(limit_digits, MAX_DIGITS):
        size = f"1e{digits:.0f}" if digits > 300 else f"{math.prod(cards):.3g}"
        bound = "" if limit is None else f"; at most {limit:.3g} are possible"
        raise NodeError(
            node, f"Node {node!r} has {len(cards) - 1} parents and a table of {size} cells{bound}."
        )
    cells = math.prod(cards)
    require_memory(8 * cells, f"The table of {node!r}", "give the node fewer parents")
    return cells


def checked_table(
    node: str, variable: int, structure: Structure, cards: Sequence[int], cells: ArrayLike
) -> ConditionalTable:
    """Return the conditional table of a node; raise unless its cells are probabilities.

    The axes of ``cells`` are the parents in the order of the structure, then the node.
    """
    parents = structure.parents[variable]
    shape = (*(cards[v] for v in parents), cards[variable])
    require_cells(node, shape)
    try:
        array: Floats = np.array(cells, dtype=np.float64)
    except (TypeError, ValueError):
        raise NodeError(node, f"The table of {node!r} has entries that are not numbers.") from None
    if array.shape != shape:
        raise NodeError(
            node, f"The table of {node!r} has the shape {array.shape}; its nodes need {shape}."
        )
    _require_probabilities(node, array)
    family = structure.family(variable)
    order = [parents.index(v) for v in family.parents]
    if family.given_class:
        order.append(parents.index(structure.class_variable))
    array = array.transpose(*order, len(parents))
    classes = cards[-1] if family.given_class else 1
    configurations = Configurations(tuple(cards[v] for v in family.parents))
    probabilities = np.ascontiguousarray(array).reshape(-1, classes, cards[variable])
    return ConditionalTable(family, configurations, probabilities)


def _require_probabilities(node: str, array: Floats) -> None:
    """Raise unless all cells are probabilities and all rows sum to 1."""
    if not (np.isfinite(array) & (array >= 0)).all():
        raise NodeError(node, f"The table of {node!r} has entries that are not probabilities.")
    sums = array.sum(axis=-1)
    wrong = np.abs(sums - 1.0) > ROW_SUM_TOLERANCE
    if wrong.any():
        at = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
        where = f" (parents' states number {', '.join(map(str, at))})" if at else ""
        raise NodeError(
            node, f"The probabilities of {node!r} sum to {sums[at]:.6g}, not to 1{where}."
        )
