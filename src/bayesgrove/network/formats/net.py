"""NET, the format of Hugin.

``node`` blocks have the states and ``potential`` blocks have the tables. In a table the node
changes fastest, then the last parent. Parentheses between the numbers of a table are optional, but
must match. Only discrete chance nodes are read. Text that is not UTF-8 is read as Windows-1252 or
Latin-1, which older versions of Hugin write.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bayesgrove.network.formats.labels import LABELS, NAME, Spelling, pattern
from bayesgrove.network.formats.lexer import Grammar, Lexer, Token
from bayesgrove.network.formats.limits import MAX_DEPTH
from bayesgrove.network.formats.parsed_network import ParsedNetwork
from bayesgrove.network.formats.source import Source
from bayesgrove.network.formats.writer_nodes import WriterNode, written_nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bayesgrove.network.formats.errors import Place
    from bayesgrove.network.network import BayesianNetwork

_COMMENT = r"%[^\n]*+"
_STRING = r'"(?P<string>(?:[^"\\]++|\\(?s:.))*+)"'
_GRAMMAR = Grammar(
    skip=re.compile(rf"(?:\s++|{_COMMENT})*+"),
    comment=re.compile(_COMMENT),
    token=re.compile(rf'(?P<word>[^\s(){{}}|;=",%]++)|{_STRING}|(?P<mark>[(){{}}|;=,])'),
    body=re.compile(rf'(?:[^{{}}"%]++|{_STRING}|{_COMMENT})*+'),
    statement=re.compile(rf'(?:[^;{{}}"%]++|{_STRING}|{_COMMENT})*+'),
)
_STATE = re.compile(rf'(?P<word>[^\s()"%]++)|{_STRING}|(?P<mark>[()])')
_RUN = re.compile(rf'((?:[^;{{}}"%]++|{_COMMENT})*+);')
_ESCAPE = re.compile(r'\\(["\\])')

# Hugin and pyAgrum can read these names. Names that end in "node" are excluded, because pgmpy reads
# the end of "my_node " as a keyword. States have no blanks, commas or parentheses, because pgmpy
# cuts strings there.
SPELLING = Spelling(
    carries_name=pattern(r"[A-Za-z_]\w*(?<!node)", "net", "class", "potential", "data", "states"),
    carries_state=pattern(r"(?!.*/[/*])[!#-'*+\--\[\]-~]+"),
)


def read(path: str, data: bytes) -> BayesianNetwork:
    """Return the network in a file."""
    return _Reader(Source.decode(path, data, "cp1252", "latin-1")).network()


def write(network: BayesianNetwork) -> str:
    """Return the text of a file."""
    nodes = written_nodes(network, SPELLING)
    lines = ["net", "{", "}"]
    for node in nodes:
        lines += _node_lines(node)
    for node in nodes:
        lines += _potential_lines(node)
    return "\n".join([*lines, ""])


def _node_lines(node: WriterNode) -> Iterator[str]:
    """Yield the lines of the block with the states of a node."""
    yield f"node {node.name}"
    yield "{"
    yield "  states = ({});".format(" ".join(f'"{state}"' for state in node.states))
    for key, value in node.properties.items():
        yield f'  {key} = "{value}";'
    yield "}"


def _potential_lines(node: WriterNode) -> Iterator[str]:
    """Yield the lines of the block with the table of a node."""
    parents = "".join(f" {parent.name}" for parent in node.parents)
    yield f"potential ({node.name}{' |' if parents else ''}{parents})"
    yield "{"
    yield "  data = ("
    nested = "    ({})" if parents else "    {}"
    yield from (nested.format(row) for row in node.rows(" "))
    yield "  );"
    yield "}"


class _Reader:
    """A reader that reads all nodes first, and then the potentials."""

    def __init__(self, source: Source) -> None:
        self._lexer = Lexer(source, _GRAMMAR)
        self._parsed = ParsedNetwork(source.path)

    def network(self) -> BayesianNetwork:
        """Read the whole file and return its network."""
        lexer = self._lexer
        potentials = []
        while (token := lexer.next()).kind != "end":
            if token.text == "net":
                lexer.expect("{")
                lexer.skip_body()
            elif token.text in ("node", "discrete"):
                self._node(token)
            elif token.text == "potential":
                potentials.append(lexer.position)
                lexer.expect("(")
                lexer.labels(")", "|,")
                lexer.expect("{")
                lexer.skip_body()
            elif token.kind == "word":
                raise lexer.error(
                    token, f"{token.text[:40]!r}: only discrete chance nodes are read."
                )
            else:
                raise lexer.unexpected(token, "'net', 'node' or 'potential'")
        for position in potentials:
            lexer.position = position
            self._potential()
        return self._parsed.network()

    def _node(self, token: Token) -> None:
        """Read the block of a node."""
        if token.text == "discrete":
            self._lexer.expect("node")
        name = self._lexer.label("the name of a node").text
        place = self._lexer.place(token)
        states: list[str] = []
        properties = {}
        for key in self._attributes():
            if key.text == "states" and not states:
                states = self._states()
            elif key.text in (NAME, LABELS):
                properties[key.text] = self._lexer.label("a string").text
            else:
                continue
            self._lexer.expect(";")
        self._parsed.declare(place, name, states, properties)

    def _attributes(self) -> Iterator[Token]:
        """Yield the names of the attributes of a block; skip values that nobody reads."""
        self._lexer.expect("{")
        while not self._lexer.accept("}"):
            key = self._lexer.label("an attribute or '}'")
            self._lexer.expect("=")
            before = self._lexer.position
            yield key
            if self._lexer.position == before:
                self._lexer.skip_statement()

    def _states(self) -> list[str]:
        """Read the states of a node."""
        self._lexer.expect("(")
        states = []
        while (token := self._lexer.next(_STATE)).kind != ")":
            if not token.is_label:
                raise self._lexer.unexpected(token, "a state or ')'")
            states.append(_ESCAPE.sub(r"\1", token.text) if token.kind == "string" else token.text)
        return states

    def _potential(self) -> None:
        """Read the table of a node."""
        opening = self._lexer.expect("(")
        place = self._lexer.place(opening)
        child = self._lexer.label("the name of a node").text
        if not self._lexer.accept("|") and self._lexer.peek().kind != ")":
            raise self._lexer.error(opening, "tables of more than one node together are not read.")
        parents = [token.text for token in self._lexer.labels(")", ",")]
        self._parsed.open_table(place, child, parents)
        cells = None
        for key in self._attributes():
            if key.text == "data" and cells is None:
                cells = self._data(place)
            elif key.text.startswith("model_"):
                raise self._lexer.error(key, "tables that a model generates are not read.")
        if cells is None:
            raise self._parsed.error(place, f"the table of {child!r} has no data.")
        self._parsed.fill_table(place, child, cells)

    def _data(self, place: Place) -> list[float]:
        """Read the numbers of a table; raise unless the parentheses match."""
        start = self._lexer.position
        values = self._lexer.numbers(_RUN, "()")
        text = self._lexer.source.text[start : self._lexer.position]
        depth = 0
        for mark in re.findall("[()]", self._lexer.without_comments(text)):
            depth += 1 if mark == "(" else -1
            if not 0 <= depth <= MAX_DEPTH:
                break
        if depth:
            raise self._parsed.error(place, "the parentheses of the data do not match.")
        return values
