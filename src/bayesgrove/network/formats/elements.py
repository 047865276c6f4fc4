"""XML elements with line and column numbers.

Entities are not expanded, so the data cannot grow while they are read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from bayesgrove.network.formats.errors import START, ParseError, Place
from bayesgrove.network.formats.limits import MAX_DEPTH, MAX_ELEMENTS
from bayesgrove.network.formats.numbers import numbers

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Element", "attribute", "escape", "parse"]

_ENCODINGS = re.compile("utf-?8|utf-16|us-ascii|iso-8859-[0-9]+|windows-125[0-9]", re.IGNORECASE)


class Element:
    """An element of an XML file."""

    __slots__ = ("attributes", "children", "path", "pieces", "place", "tag")

    def __init__(self, path: str, tag: str, attributes: dict[str, str], place: Place) -> None:
        self.path = path
        self.tag = tag
        self.attributes = attributes
        self.place = place
        self.children: list[Element] = []
        self.pieces: list[str] = []

    @property
    def text(self) -> str:
        """Text of the element itself, without white space around it."""
        return "".join(self.pieces).strip()

    def error(self, reason: str) -> ParseError:
        """Return an error at this element."""
        return ParseError(self.path, *self.place, reason)

    def all(self, tag: str) -> Iterator[Element]:
        """Return the children with a tag, in upper or lower case."""
        return (child for child in self.children if child.tag.lower() == tag)

    def maybe(self, tag: str) -> Element | None:
        """Return the child with a tag, or None; raise if there are several."""
        matches = list(self.all(tag))
        if len(matches) > 1:
            raise matches[1].error(f"there is more than one <{matches[1].tag}> in <{self.tag}>.")
        return matches[0] if matches else None

    def one(self, tag: str) -> Element:
        """Return the child with a tag; raise unless there is exactly one."""
        child = self.maybe(tag)
        if child is None:
            raise self.error(f"<{self.tag}> has no <{tag}>.")
        return child

    def attribute(self, name: str) -> str:
        """Return the value of an attribute; raise if the element does not have it."""
        if name not in self.attributes:
            raise self.error(f"<{self.tag}> has no attribute {name!r}.")
        return self.attributes[name]

    def numbers(self) -> list[float]:
        """Return the probabilities in the text."""
        try:
            return numbers("".join(self.pieces))
        except ValueError as error:
            raise self.error(str(error)) from None


def parse(path: str, data: bytes, root: str) -> Element:
    """Return the root of an XML file; raise unless it has the tag ``root``."""
    builder = _Builder(path)
    parser = builder.parser
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        place = Place(error.lineno, error.offset + 1)
        raise ParseError(path, *place, f"{expat.ErrorString(error.code)}.") from None
    element = builder.root
    if element is None or element.tag.lower() != root:
        tag = element.tag if element else ""
        raise ParseError(path, *START, f"expected the element <{root}>, found <{tag}>.")
    return element


def attribute(value: str) -> str:
    """Return a value as it is written in a tag, with its quotes."""
    return quoteattr(value)


class _Builder:
    """Builder of elements from the events of the parser."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.root: Element | None = None
        self._open: list[Element] = []
        self._count = 0
        self.parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.XmlDeclHandler = self._declaration
        parser.EntityDeclHandler = self._entity
        parser.SkippedEntityHandler = self._skipped

    @property
    def _place(self) -> Place:
        return Place(self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1)

    def _error(self, reason: str) -> ParseError:
        return ParseError(self.path, *self._place, reason)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        element = Element(self.path, tag, attributes, self._place)
        self._count += 1
        if len(self._open) >= MAX_DEPTH:
            raise self._error(f"elements are nested more than {MAX_DEPTH} deep.")
        if self._count > MAX_ELEMENTS:
            raise self._error(f"there are more than {MAX_ELEMENTS:,} elements.")
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)

    def _end(self, _tag: str) -> None:
        self._open.pop()

    def _text(self, text: str) -> None:
        self._open[-1].pieces.append(text)

    def _declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if encoding and not _ENCODINGS.fullmatch(encoding):
            raise self._error(f"the encoding {encoding[:40]!r} is not read.")

    def _entity(self, name: str, *_rest: object) -> None:
        raise self._error(f"the entity {name[:40]!r} is declared, and entities are not read.")

    def _skipped(self, name: str, _is_parameter: int) -> None:
        raise self._error(f"the entity {name[:40]!r} is not known.")
