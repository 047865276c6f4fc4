"""BIF, the interchange format of the network repositories.

Blocks may be in any order. Commas, and the bar between a node and its parents, may be left out. A
name or state is a word or a string in quotes. A word has no white space, brackets, commas,
semicolons, bars or quotes. If commas separate the names or states, one of them may be several
words with blanks between them.

Probabilities are given as rows, ``(states of the parents) numbers;``, with ``default numbers;`` for
configurations without a row, or all at once after ``table``. After ``table`` come all cells of the
first state of the node, then all cells of its second state, and so on. Within a state the last
parent changes fastest. The examples of the standard, JavaBayes, pyAgrum and pgmpy have this order.
It is easy to get wrong, so the writer writes every row with the states of the parents.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.network.formats.labels import Spelling, pattern, property_of
from bayesgrove.network.formats.lexer import Grammar, Lexer, Token
from bayesgrove.network.formats.numbers import plain_numbers
from bayesgrove.network.formats.parsed_network import ParsedNetwork
from bayesgrove.network.formats.source import Source
from bayesgrove.network.formats.writer_nodes import WriterNode, written_nodes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bayesgrove.kernels import Floats
    from bayesgrove.network.formats.errors import Place
    from bayesgrove.network.network import BayesianNetwork

_COMMENT = r"//[^\n]*+|/\*(?s:.*?)\*/"
_GRAMMAR = Grammar(
    skip=re.compile(rf"(?:\s++|{_COMMENT})*+"),
    comment=re.compile(_COMMENT),
    token=re.compile(
        r'(?P<word>(?:[^\s{}()\[\],;|"/]++|/(?![/*]))++)|"(?P<string>[^"]*+)"|(?P<mark>[{}()\[\],;|])'
    ),
    body=re.compile(rf'(?:[^{{}}"/]++|"[^"]*+"|{_COMMENT}|/(?![/*]))*+'),
    statement=re.compile(r'(?:[^;{}"]++|"[^"]*+")*+'),
)
_ROW = re.compile(r'\s*+\(([^()"/]*+)\)([0-9eE.+\-,\s]*+);')
_COUNT = re.compile("[0-9]{1,9}")
_RUN = re.compile(r"([0-9eE.+\-,\s]*+);")

# A text that pyAgrum and pgmpy read as one word. pyAgrum first tries to read a number where a word
# begins with digits.
_WORD = r"[A-Za-z_][\w.\-]*|[0-9]+[A-DF-Za-df-z_]\w*"
_KEYWORDS = (
    "network",
    "variable",
    "probability",
    "type",
    "discrete",
    "property",
    "table",
    "default",
)
SPELLING = Spelling(
    carries_name=pattern(_WORD, *_KEYWORDS),
    carries_state=pattern(rf"{_WORD}|-?[0-9]+", *_KEYWORDS),
    folds_case=True,  # pgmpy ignores the case of node names.
)


def read(path: str, data: bytes) -> BayesianNetwork:
    """Return the network in a file."""
    return _Reader(Source.decode(path, data)).network()


def write(network: BayesianNetwork) -> str:
    """Return the text of a file."""
    nodes = written_nodes(network, SPELLING)
    lines = ["network unknown {", "}"]
    for node in nodes:
        lines += _variable_lines(node)
    for node in nodes:
        lines += _probability_lines(node)
    return "\n".join([*lines, ""])


def _variable_lines(node: WriterNode) -> Iterator[str]:
    """Yield the lines of the block with the states of a node."""
    yield f"variable {node.name} {{"
    yield f"  type discrete [ {len(node.states)} ] {{ {', '.join(node.states)} }};"
    for key, value in node.properties.items():
        yield f"  property {key} = {value};"
    yield "}"


def _probability_lines(node: WriterNode) -> Iterator[str]:
    """Yield the lines of the block with the table of a node."""
    if not node.parents:
        yield f"probability ( {node.name} ) {{"
        yield from (f"  table {row};" for row in node.rows(", "))
    else:
        yield f"probability ( {node.name} | {', '.join(p.name for p in node.parents)} ) {{"
        configurations = itertools.product(*(parent.states for parent in node.parents))
        for states, row in zip(configurations, node.rows(", "), strict=True):
            yield f"  ({', '.join(states)}) {row};"
    yield "}"


class _Reader:
    """A reader that reads all variables first, and then the probabilities."""

    def __init__(self, source: Source) -> None:
        self._lexer = Lexer(source, _GRAMMAR)
        self._parsed = ParsedNetwork(source.path)

    def network(self) -> BayesianNetwork:
        """Read the whole file and return its network."""
        tables = []
        while (token := self._lexer.next()).kind != "end":
            if token.text == "network":
                while not self._lexer.accept("{"):
                    self._lexer.label("a name or '{'")
                self._lexer.skip_body()
            elif token.text == "variable":
                self._variable(self._lexer.place(token))
            elif token.text == "probability":
                tables.append(self._lexer.position)
                self._lexer.expect("(")
                self._lexer.labels(")", ",|")
                self._lexer.expect("{")
                self._lexer.skip_body()
            else:
                raise self._lexer.unexpected(token, "'network', 'variable' or 'probability'")
        for position in tables:
            self._lexer.position = position
            self._probability()
        return self._parsed.network()

    def _variable(self, place: Place) -> None:
        """Read the block of a variable."""
        words = self._lexer.labels("{", "")
        name = self._phrase(words) if words else None
        if name is None:
            raise self._parsed.error(place, "expected one name after 'variable'.")
        states: list[str] = []
        properties: dict[str, str] = {}
        while not self._lexer.accept("}"):
            token = self._lexer.next()
            if token.text == "type" and not states:
                states = self._states()
            elif token.text == "property":
                properties |= property_of(self._lexer.skip_statement())
            else:
                raise self._lexer.unexpected(token, "'type', 'property' or '}'")
        self._parsed.declare(place, name, states, properties)

    def _states(self) -> list[str]:
        """Read the states of a variable."""
        lexer = self._lexer
        kind = lexer.expect("discrete")
        lexer.expect("[")
        count = lexer.label("the number of states").text
        lexer.expect("]")
        lexer.expect("{")
        groups = lexer.groups("}", ",")
        lexer.expect(";")
        states = self._one_each(groups, int(count) if _COUNT.fullmatch(count) else -1)
        if not states:
            total = sum(map(len, groups))
            raise lexer.error(kind, f"{count[:9]} states are announced, and {total} are given.")
        return states

    def _probability(self) -> None:
        """Read the table of a node."""
        opening = self._lexer.expect("(")
        place = self._lexer.place(opening)
        names = [name for group in self._lexer.groups(")", ",|") for name in self._names(group)]
        if not names:
            raise self._lexer.error(opening, "the table has no node.")
        child, parents = names[0], names[1:]
        rows = _Rows(self._parsed, place, child, parents)
        self._lexer.expect("{")
        while True:
            self._plain_rows(rows)
            token = self._lexer.next()
            if token.kind == "}":
                break
            self._entry(token, rows)
        try:
            table = rows.complete()
        except ValueError as error:
            raise self._parsed.error(place, str(error)) from None
        self._parsed.fill_table(place, child, table)

    def _plain_rows(self, rows: _Rows) -> None:
        """Read rows up to the first one that is not plain or is wrong; `_entry` reads that row."""
        text = self._lexer.source.text
        while match := _ROW.match(text, self._lexer.position):
            values = plain_numbers(match[2].replace(",", " "))
            number = rows.number([state.strip() for state in match[1].split(",")])
            if values is None or number is None or not rows.put(number, values):
                return
            self._lexer.position = match.end()

    def _entry(self, token: Token, rows: _Rows) -> None:
        """Read one entry of a table, token by token, and raise if it is wrong."""
        if token.text == "property":
            self._lexer.skip_statement()
            return
        if token.kind != "(" and token.text not in ("table", "default"):
            raise self._lexer.unexpected(token, "'(', 'table', 'default' or '}'")
        labels = self._row_labels(token, rows) if token.kind == "(" else None
        values = self._lexer.numbers(_RUN, ",")
        try:
            if labels is not None:
                rows.put_row(labels, values)
            elif token.text == "table":
                rows.put_all(values)
            else:
                rows.put_default(values)
        except ValueError as error:
            raise self._lexer.error(token, str(error)) from None

    def _row_labels(self, token: Token, rows: _Rows) -> list[str]:
        """Read the states of the parents at the beginning of a row."""
        groups = self._lexer.groups(")", ",")
        labels = self._one_each(groups, len(rows.parents))
        if not labels:
            total, count = sum(map(len, groups)), len(rows.parents)
            raise self._lexer.error(
                token, f"the row has {total} states, and {rows.child!r} has {count} parents."
            )
        return labels

    def _one_each(self, groups: list[list[Token]], count: int) -> list[str]:
        """Return ``count`` labels, one per word or one per group; an empty list if neither fits."""
        words = [token.text for group in groups for token in group]
        if len(words) == count:
            return words
        phrases = [self._phrase(group) for group in groups]
        fitting = [phrase for phrase in phrases if phrase is not None]
        return fitting if len(fitting) == len(groups) == count else []

    def _names(self, group: list[Token]) -> list[str]:
        """Return the names in a group: one declared name that has blanks, or one name per word."""
        phrase = self._phrase(group)
        if phrase is not None and self._parsed.has(phrase):
            return [phrase]
        return [token.text for token in group]

    def _phrase(self, group: list[Token]) -> str | None:
        """Return the words of a group as one label, or None if more than blanks is between them."""
        if len(group) == 1:
            return group[0].text
        text = self._lexer.source.text[group[0].start : group[-1].end]
        return text if text.split() == [token.text for token in group] else None


class _Rows:
    """The rows of a table while it is read."""

    def __init__(self, parsed: ParsedNetwork, place: Place, child: str, parents: list[str]) -> None:
        count, self._columns = parsed.open_table(place, child, parents)
        self.child = child
        self.parents = parents
        self._states = [parsed.states(parent) for parent in parents]
        self._table: Floats = np.empty((count, self._columns))
        self._filled = bytearray(count)
        self._default: list[float] | None = None

    def number(self, labels: Sequence[str]) -> int | None:
        """Return the row number for some states of the parents, or None if there is no such row."""
        if len(labels) != len(self._states):
            return None
        number = 0
        for label, states in zip(labels, self._states, strict=True):
            if label not in states:
                return None
            number = number * len(states) + states[label]
        return number

    def put(self, number: int, values: Sequence[float]) -> bool:
        """Store a row; return False if its length is wrong or if it is there already."""
        if len(values) != self._columns or self._filled[number]:
            return False
        self._table[number] = values
        self._filled[number] = 1
        return True

    def put_row(self, labels: Sequence[str], values: Sequence[float]) -> None:
        """Store a row; raise a ValueError if it is wrong."""
        for parent, label, states in zip(self.parents, labels, self._states, strict=True):
            if label not in states:
                raise ValueError(f"{label!r} is not a state of {parent!r}.")
        self._require_length(values, self._columns)
        number = self.number(labels)
        if number is None or not self.put(number, values):
            raise ValueError(f"there is more than one row for ({', '.join(labels)}).")

    def put_all(self, values: Sequence[float]) -> None:
        """Store all cells: those of the first state of the node, then of its second, and so on."""
        self._require_length(values, self._table.size)
        if any(self._filled):
            raise ValueError(f"there are probabilities of {self.child!r} already.")
        self._table[:] = np.reshape(values, (self._columns, -1)).T
        self._filled[:] = b"\x01" * len(self._filled)

    def put_default(self, values: list[float]) -> None:
        """Store the row of all configurations without a row."""
        self._require_length(values, self._columns)
        if self._default is not None:
            raise ValueError("there is more than one default.")
        self._default = values

    def complete(self) -> Floats:
        """Return the table; raise a ValueError if a row is missing."""
        missing = np.frombuffer(self._filled, dtype=np.uint8) == 0
        if self._default is not None:
            self._table[missing] = self._default
        elif missing.any():
            codes = np.unravel_index(int(missing.argmax()), [len(s) for s in self._states])
            names = [list(s)[int(k)] for s, k in zip(self._states, codes, strict=True)]
            raise ValueError(f"{self.child!r} has no probabilities for ({', '.join(names)}).")
        return self._table

    def _require_length(self, values: Sequence[float], count: int) -> None:
        """Raise unless there are ``count`` probabilities."""
        if len(values) != count:
            raise ValueError(
                f"{len(values)} probabilities are given; {self.child!r} needs {count}."
            )
