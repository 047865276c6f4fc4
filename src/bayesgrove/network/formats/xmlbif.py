"""XMLBIF 0.3, the interchange format in XML.

The cells are in the order of the standard: the node (``FOR``) changes fastest, then the last parent
(``GIVEN``). The reader accepts a DTD. The writer leaves it out, because pyAgrum cannot read it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayesgrove.network.formats.elements import Element, escape, parse
from bayesgrove.network.formats.labels import Spelling, printable, property_of
from bayesgrove.network.formats.parsed_network import ParsedNetwork
from bayesgrove.network.formats.writer_nodes import WriterNode, written_nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bayesgrove.network.network import BayesianNetwork

SPELLING = Spelling(carries_name=printable, carries_state=printable)


def read(path: str, data: bytes) -> BayesianNetwork:
    """Return the network in a file."""
    network = parse(path, data, "bif").one("network")
    parsed = ParsedNetwork(path)
    for variable in network.all("variable"):
        _declare(parsed, variable)
    for definition in network.all("definition"):
        child = definition.one("for").text
        parents = [given.text for given in definition.all("given")]
        parsed.open_table(definition.place, child, parents)
        table = definition.one("table")
        parsed.fill_table(table.place, child, table.numbers())
    return parsed.network()


def _declare(parsed: ParsedNetwork, variable: Element) -> None:
    """Read the states of a node."""
    kind = variable.attributes.get("TYPE", "nature")
    if kind != "nature":
        raise variable.error(f"a variable of type {kind[:40]!r}: only 'nature' is read.")
    properties: dict[str, str] = {}
    for element in variable.all("property"):
        properties |= property_of(element.text)
    states = [outcome.text for outcome in variable.all("outcome")]
    parsed.declare(variable.place, variable.one("name").text, states, properties)


def write(network: BayesianNetwork) -> str:
    """Return the text of a file."""
    nodes = written_nodes(network, SPELLING)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<BIF VERSION="0.3">', "<NETWORK>"]
    lines.append("<NAME>unknown</NAME>")
    for node in nodes:
        lines += _variable_lines(node)
    for node in nodes:
        lines += _definition_lines(node)
    return "\n".join([*lines, "</NETWORK>", "</BIF>", ""])


def _variable_lines(node: WriterNode) -> Iterator[str]:
    """Yield the lines of the states of a node."""
    yield '<VARIABLE TYPE="nature">'
    yield f"\t<NAME>{escape(node.name)}</NAME>"
    yield from (f"\t<OUTCOME>{escape(state)}</OUTCOME>" for state in node.states)
    for key, value in node.properties.items():
        yield f"\t<PROPERTY>{key} = {value}</PROPERTY>"
    yield "</VARIABLE>"


def _definition_lines(node: WriterNode) -> Iterator[str]:
    """Yield the lines of the table of a node."""
    yield "<DEFINITION>"
    yield f"\t<FOR>{escape(node.name)}</FOR>"
    yield from (f"\t<GIVEN>{escape(parent.name)}</GIVEN>" for parent in node.parents)
    yield "\t<TABLE>"
    yield from node.rows(" ")
    yield "\t</TABLE>"
    yield "</DEFINITION>"
