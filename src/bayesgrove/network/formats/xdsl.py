"""XDSL, the format of GeNIe and SMILE.

In a table the node changes fastest, then the last parent. In files of aGrUM (as of 3.3.1) the first
parent changes faster than the other parents, both when it writes and when it reads. Files that name
aGrUM as their program are read in this order. Files are always written in the order of GeNIe.

GeNIe needs parents before their children, so nodes are written in a topological order. The section
of the drawing lists the nodes in the order of the network, and the reader uses this order.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.network.formats.elements import Element, attribute, escape, parse
from bayesgrove.network.formats.labels import Spelling, pattern, printable
from bayesgrove.network.formats.parsed_network import ParsedNetwork
from bayesgrove.network.formats.writer_nodes import WriterNode, written_nodes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import ArrayLike

    from bayesgrove.network.network import BayesianNetwork

_IDENTIFIER = pattern(r"[A-Za-z]\w*")
SPELLING = Spelling(carries_name=_IDENTIFIER, carries_state=_IDENTIFIER)
_GRID = (150, 100, 110, 60)
"""Horizontal and vertical distance of nodes in the drawing, and their width and height."""


def read(path: str, data: bytes) -> BayesianNetwork:
    """Return the network in a file."""
    smile = parse(path, data, "smile")
    for dynamic in smile.all("dynamic"):
        raise dynamic.error("dynamic networks are not read.")
    nodes = smile.one("nodes").children
    parsed = ParsedNetwork(path)
    for node in nodes:
        _declare(parsed, node)
    genie = _genie(smile)
    first_fastest = genie is not None and genie.attributes.get("app", "").startswith("aGrUM")
    for node in nodes:
        _fill(parsed, node, first_fastest)
    return parsed.network(_order(genie, [node.attribute("id") for node in nodes]))


def _declare(parsed: ParsedNetwork, node: Element) -> None:
    """Read the states of a node."""
    if node.tag not in ("cpt", "deterministic"):
        raise node.error(
            f"a node of the kind {node.tag[:40]!r}: only cpt and deterministic are read."
        )
    states = [state.attribute("id") for state in node.all("state")]
    properties = {element.attribute("id"): element.text for element in node.all("property")}
    parsed.declare(node.place, node.attribute("id"), states, properties)


def _fill(parsed: ParsedNetwork, node: Element, first_fastest: bool) -> None:
    """Read the table of a node; ``first_fastest`` if the first parent changes fastest."""
    child = node.attribute("id")
    element = node.maybe("parents")
    parents = element.text.split() if element else []
    rows, columns = parsed.open_table(node.place, child, parents)
    if node.tag == "cpt":
        cells: ArrayLike = node.one("probabilities").numbers()
    else:
        cells = _zeros_and_ones(parsed, node.one("resultingstates"), child, rows)
    if first_fastest and len(parents) > 1 and np.size(cells) == rows * columns:
        cards = [len(parsed.states(parent)) for parent in reversed(parents)]
        axes = (*reversed(range(len(parents))), len(parents))
        cells = np.reshape(cells, (*cards, columns)).transpose(axes).ravel()
    parsed.fill_table(node.place, child, cells)


def _zeros_and_ones(parsed: ParsedNetwork, element: Element, child: str, rows: int) -> ArrayLike:
    """Return the table of a deterministic node: one state per configuration of the parents."""
    states = parsed.states(child)
    words = element.text.split()
    for word in words:
        if word not in states:
            raise element.error(f"{word[:40]!r} is not a state of {child!r}.")
    if len(words) != rows:
        raise element.error(
            f"{child!r} has {len(words)} resulting states; its parents need {rows}."
        )
    return np.eye(len(states))[[states[word] for word in words]]


def _genie(smile: Element) -> Element | None:
    """Return the section of the drawing, or None."""
    extensions = smile.maybe("extensions")
    return extensions.maybe("genie") if extensions else None


def _order(genie: Element | None, names: Sequence[str]) -> Sequence[str]:
    """Return the names in the order of the drawing, submodels included, if it has all nodes."""
    drawn: list[str] = []
    waiting = [genie] if genie else []
    while waiting:
        element = waiting.pop()
        if element.tag == "node":
            drawn.append(element.attributes.get("id", ""))
        else:
            waiting += reversed(element.children)
    return drawn if sorted(drawn) == sorted(names) else names


def write(network: BayesianNetwork) -> str:
    """Return the text of a file."""
    nodes = written_nodes(network, SPELLING)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<smile version="1.0" id="unknown" numsamples="10000" discsamples="10000">',
        "  <nodes>",
    ]
    for number in network.structure.order():
        lines += _node_lines(nodes[number])
    lines += ["  </nodes>", "  <extensions>"]
    lines.append('    <genie version="1.0" app="bayesgrove" name="unknown">')
    width = math.isqrt(len(nodes) - 1) + 1
    for number, node in enumerate(nodes):
        lines += _drawn_lines(node, *divmod(number, width))
    return "\n".join([*lines, "    </genie>", "  </extensions>", "</smile>", ""])


def _node_lines(node: WriterNode) -> Iterator[str]:
    """Yield the lines of the states and the table of a node."""
    yield f"    <cpt id={attribute(node.name)}>"
    yield from (f"      <state id={attribute(state)} />" for state in node.states)
    if node.parents:
        yield f"      <parents>{' '.join(parent.name for parent in node.parents)}</parents>"
    yield f"      <probabilities>{' '.join(node.rows(' '))}</probabilities>"
    for key, value in node.properties.items():
        yield f"      <property id={attribute(key)}>{value}</property>"
    yield "    </cpt>"


def _drawn_lines(node: WriterNode, row: int, column: int) -> Iterator[str]:
    """Yield the lines of a node in the drawing; GeNIe requires all of them."""
    across, down, width, height = _GRID
    left, top = column * across, row * down
    shown = node.true_name if printable(node.true_name) else node.name
    yield f"      <node id={attribute(node.name)}>"
    yield f"        <name>{escape(shown)}</name>"
    yield '        <interior color="e5f6f7" />'
    yield '        <outline color="000080" />'
    yield '        <font color="000000" name="Arial" size="8" />'
    yield f"        <position>{left} {top} {left + width} {top + height}</position>"
    yield "      </node>"
