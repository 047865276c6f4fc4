"""Networks, as a file tells them: every node with its parents and its table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.counts import Configurations
from bayesgrove.model_files.fields import short
from bayesgrove.network import BayesianNetwork, ConditionalTable, Structure
from bayesgrove.network.validation import find_cycle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.counts import Family
    from bayesgrove.kernels import Floats
    from bayesgrove.model_files.fields import Field

ROW_SUM_TOLERANCE = 1e-6
MOST_CELLS = 1 << 31
"""No file has room for a table of more cells."""


def describe_nodes(network: BayesianNetwork) -> list[dict[str, Any]]:
    """All nodes, the class last."""
    names = network.nodes
    return [
        {
            "name": name,
            "parents": [names[v] for v in parents],
            "axes": [*network.parents(name), name],
            **describe_table(network.table(name)),
        }
        for name, parents in zip(names, network.structure.parents, strict=True)
    ]


def read_nodes(
    field: Field, names: Sequence[str], states: Sequence[tuple[Any, ...]]
) -> BayesianNetwork:
    """A network of nodes with these names and states, in this order, the class last."""
    nodes = [
        item.members("name", "parents", "axes", "table", optional=("configurations", "default"))
        for item in field.items(len(names))
    ]
    for node, name in zip(nodes, names, strict=True):
        node["name"].choice(name)
    structure = _read_structure(field, [node["parents"] for node in nodes], names)
    families = [structure.family(v) for v in range(len(names))]
    for node, family in zip(nodes, families, strict=True):
        _require_axes(node["axes"], family, names)
    cards = [len(own) for own in states]
    tables = [read_table(*pair, cards) for pair in zip(nodes, families, strict=True)]
    return BayesianNetwork(names, states, structure, tables)


def _read_structure(field: Field, nodes: list[Field], names: Sequence[str]) -> Structure:
    place = {name: v for v, name in enumerate(names)}
    parents = tuple(read_parents(node, place) for node in nodes)
    cycle = find_cycle(parents)
    if cycle:
        raise field.error(f"has a cycle of arcs through {short(names[cycle[0]])}")
    return Structure(parents)


def read_parents(field: Field, place: dict[str, int]) -> tuple[int, ...]:
    """Numbers of nodes, each once."""
    parents = []
    for item in field.items():
        if item.text() not in place:
            raise item.error(f"is {short(item.value)}, which is no node")
        parents.append(place[item.text()])
    if len(set(parents)) < len(parents):
        raise field.error("holds a parent more than once")
    return tuple(parents)


def _require_axes(field: Field, family: Family, names: Sequence[str]) -> None:
    """The order of the axes is a matter of the parents: the file says it for its readers."""
    label = [len(names) - 1] if family.given_class else []
    axes = [names[v] for v in (*family.parents, *label, family.child)]
    if field.values() != axes:
        raise field.error(f"is {short(field.value)}, not {short(axes)}")


def describe_table(table: ConditionalTable) -> dict[str, Any]:
    """The cells, the last axis fastest: all of them, or those of the configurations that occur."""
    if not table.has_default:
        return {"table": table.probabilities.ravel().tolist()}
    return {
        "configurations": table.configurations.table.ravel().tolist(),
        "table": table.probabilities[:-1].ravel().tolist(),
        "default": table.probabilities[-1].ravel().tolist(),
    }


def read_table(node: dict[str, Field], family: Family, cards: Sequence[int]) -> ConditionalTable:
    """The table of a family, of all configurations or of those that occur."""
    inner = (cards[-1] if family.given_class else 1, cards[family.child])
    outer = tuple(cards[v] for v in family.parents)
    if "configurations" in node or "default" in node:
        return _read_observed(node, family, outer, inner)
    probabilities = _read_cells(node["table"], _product((*outer, *inner)), inner)
    return ConditionalTable(family, Configurations(outer), probabilities)


def _read_observed(
    node: dict[str, Field], family: Family, outer: tuple[int, ...], inner: tuple[int, int]
) -> ConditionalTable:
    """A table of the configurations that occurred, and one row for all others."""
    for name, other in (("configurations", "default"), ("default", "configurations")):
        if name not in node:
            raise node[other].error(f"stands without {name!r}")
    codes = _read_codes(node["configurations"], outer)
    rows = _read_cells(node["table"], len(codes) * _product(inner), inner)
    default = _read_cells(node["default"], _product(inner), inner)
    configurations = Configurations.observed(codes, outer)
    return ConditionalTable(family, configurations, np.concatenate([rows, default]))


def _read_codes(field: Field, cards: tuple[int, ...]) -> NDArray[np.int64]:
    """Codes of configurations, one row each, in ascending order."""
    numbers = field.integers()
    if not cards or len(numbers) % len(cards):
        raise field.error(f"has {len(numbers)} codes, which are no rows for {len(cards)} parents")
    codes = numbers.reshape(-1, len(cards))
    if ((codes < 0) | (codes >= np.array(cards))).any():
        raise field.error("holds a code that is no state of the parent")
    steps = np.diff(codes, axis=0)
    first = (steps != 0).argmax(axis=1)
    if (steps[np.arange(len(steps)), first] <= 0).any():
        raise field.error("is not in ascending order")
    return codes


def _read_cells(field: Field, count: int, inner: tuple[int, int]) -> Floats:
    """Probabilities ``[configuration, class, value]``; those of all values sum to 1."""
    cells = field.floats(count, lowest=0.0).reshape(-1, *inner)
    sums = cells.sum(axis=-1)
    wrong = np.abs(sums - 1.0) > ROW_SUM_TOLERANCE
    if wrong.any():
        row = int(np.argmax(wrong))
        raise field.error(f"has a row ({row}) that sums to {sums.ravel()[row]:.9g}, not to 1")
    return cells


def _product(cards: Sequence[int]) -> int:
    """The number of cells, or one that is too large: a product of thousands takes long."""
    cells = 1
    for card in cards:
        cells = min(cells * card, MOST_CELLS)
    return cells
