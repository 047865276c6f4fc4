"""Graphviz DOT: the graph without probabilities, for drawings; the class is filled."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bayesgrove.network.formats.labels import Spelling, pattern

if TYPE_CHECKING:
    from bayesgrove.network.network import BayesianNetwork

SPELLING = Spelling(
    carries_name=pattern(r"[A-Za-z_]\w*"),
    carries_state=pattern(r"[A-Za-z_]\w*"),
)
_SPECIAL = {"\\": r"\\", '"': r"\"", "\n": r"\n", "&": "&amp;"}


def write(network: BayesianNetwork) -> str:
    """Return the text of a file."""
    names = dict(zip(network.nodes, SPELLING.names(network.nodes), strict=True))
    lines = ["digraph {"]
    for node, name in names.items():
        options = [] if name == node else [f'label="{_escaped(node)}"']
        if node == network.class_node:
            options += ["style=filled", "fillcolor=lightblue"]
        lines.append(f'  "{name}"{" [" + ", ".join(options) + "]" if options else ""};')
    for node, name in names.items():
        lines += [f'  "{names[parent]}" -> "{name}";' for parent in network.parents(node)]
    return "\n".join([*lines, "}", ""])


def _escaped(label: str) -> str:
    """Return a label for use between quotes; unprintable characters become Python escapes."""
    return "".join(_SPECIAL.get(c) or (c if c.isprintable() else _code(c)) for c in label)


def _code(character: str) -> str:
    """Return the Python escape of a character, with doubled backslashes."""
    return re.sub(r"\\", r"\\\\", character.encode("unicode_escape").decode())
