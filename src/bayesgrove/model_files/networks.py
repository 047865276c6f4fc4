"""Networks, in the format of model files: every node with its parents and its table."""

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
"""Largest difference between the sum of a row of probabilities and 1."""
CELL_LIMIT = 1 << 31
"""Upper bound for the cells of a table. No file is large enough for more."""


def describe_nodes(network: BayesianNetwork) -> list[dict[str, Any]]:
    """Return all nodes as JSON values, the class last."""
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
    """Return a network whose nodes must have these names and states in this order, class last."""
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
    cards = [len(labels) for labels in states]
    tables = [read_table(*pair, cards) for pair in zip(nodes, families, strict=True)]
    return BayesianNetwork(names, states, structure, tables)


def _read_structure(field: Field, nodes: list[Field], names: Sequence[str]) -> Structure:
    """Return the structure; raise if its arcs have a cycle."""
    indices = {name: v for v, name in enumerate(names)}
    parents = tuple(read_parents(node, indices) for node in nodes)
    cycle = find_cycle(parents)
    if cycle:
        raise field.error(f"has a cycle of arcs through {short(names[cycle[0]])}")
    return Structure(parents)


def read_parents(field: Field, indices: dict[str, int]) -> tuple[int, ...]:
    """Return the indices of the named parents, which must all differ."""
    parents = []
    for item in field.items():
        if item.text() not in indices:
            raise item.error(f"is {short(item.value)}, which is not a node")
        parents.append(indices[item.text()])
    if len(set(parents)) < len(parents):
        raise field.error("holds a parent more than once")
    return tuple(parents)


def _require_axes(field: Field, family: Family, names: Sequence[str]) -> None:
    """Raise unless the axes follow from the parents. The file repeats them for its readers."""
    label = [len(names) - 1] if family.given_class else []
    axes = [names[v] for v in (*family.parents, *label, family.child)]
    if field.values() != axes:
        raise field.error(f"is {short(field.value)}, not {short(axes)}")


def describe_table(table: ConditionalTable) -> dict[str, Any]:
    """Return the cells, last axis fastest: all, or only those of observed configurations."""
    if not table.has_default:
        return {"table": table.probabilities.ravel().tolist()}
    return {
        "configurations": table.configurations.table.ravel().tolist(),
        "table": table.probabilities[:-1].ravel().tolist(),
        "default": table.probabilities[-1].ravel().tolist(),
    }


def read_table(node: dict[str, Field], family: Family, cards: Sequence[int]) -> ConditionalTable:
    """Return the table of a family, over all configurations or over the observed ones."""
    inner = (cards[-1] if family.given_class else 1, cards[family.child])
    outer = tuple(cards[v] for v in family.parents)
    if "configurations" in node or "default" in node:
        return _read_observed(node, family, outer, inner)
    probabilities = _read_cells(node["table"], _product((*outer, *inner)), inner)
    return ConditionalTable(family, Configurations(outer), probabilities)


def _read_observed(
    node: dict[str, Field], family: Family, outer: tuple[int, ...], inner: tuple[int, int]
) -> ConditionalTable:
    """Return a table over the observed configurations, with one default row for all others."""
    for name, other in (("configurations", "default"), ("default", "configurations")):
        if name not in node:
            raise node[other].error(f"cannot be used without {name!r}")
    codes = _read_codes(node["configurations"], outer)
    rows = _read_cells(node["table"], len(codes) * _product(inner), inner)
    default = _read_cells(node["default"], _product(inner), inner)
    configurations = Configurations.observed(codes, outer)
    return ConditionalTable(family, configurations, np.concatenate([rows, default]))


def _read_codes(field: Field, cards: tuple[int, ...]) -> NDArray[np.int64]:
    """Return the codes of configurations, one row per configuration, in ascending order."""
    numbers = field.integers()
    if not cards or len(numbers) % len(cards):
        raise field.error(
            f"has {len(numbers)} codes, which do not make rows for {len(cards)} parents"
        )
    codes = numbers.reshape(-1, len(cards))
    if ((codes < 0) | (codes >= np.array(cards))).any():
        raise field.error("holds a code that is not a state of the parent")
    steps = np.diff(codes, axis=0)
    first = (steps != 0).argmax(axis=1)
    if (steps[np.arange(len(steps)), first] <= 0).any():
        raise field.error("is not in ascending order")
    return codes


def _read_cells(field: Field, count: int, inner: tuple[int, int]) -> Floats:
    """Return probabilities ``[configuration, class, value]``, which must sum to 1 over values."""
    cells = field.floats(count, lowest=0.0).reshape(-1, *inner)
    sums = cells.sum(axis=-1)
    wrong = np.abs(sums - 1.0) > ROW_SUM_TOLERANCE
    if wrong.any():
        row = int(np.argmax(wrong))
        raise field.error(f"has a row ({row}) that sums to {sums.ravel()[row]:.9g}, not to 1")
    return cells


def _product(cards: Sequence[int]) -> int:
    """Return the number of cells, at most `CELL_LIMIT`: exact huge products would take long."""
    cells = 1
    for card in cards:
        cells = min(cells * card, CELL_LIMIT)
    return cells
