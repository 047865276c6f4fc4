"""Words, strings and marks of a text format, found by one regular expression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from bayesgrove.network.formats.limits import MAX_STATES
from bayesgrove.network.formats.numbers import number, plain_numbers

if TYPE_CHECKING:
    import re

    from bayesgrove.network.formats.errors import ParseError, Place
    from bayesgrove.network.formats.source import Source


class Token(NamedTuple):
    """A word, a string (``text`` without its quotes), a mark (its own kind) or the end."""

    kind: str
    text: str
    start: int
    end: int

    @property
    def is_label(self) -> bool:
        """Whether it may name something."""
        return self.kind in ("word", "string")


@dataclass(frozen=True)
class Grammar:
    """How a format is cut into tokens.

    Parameters
    ----------
    skip : white space and comments, any number of them
    comment : one comment
    token : groups ``word``, ``string`` (without quotes) and ``mark``
    body : what stands between the braces of a block that is skipped
    statement : what stands before the semicolon of a statement that is skipped
    """

    skip: re.Pattern[str]
    comment: re.Pattern[str]
    token: re.Pattern[str]
    body: re.Pattern[str]
    statement: re.Pattern[str]


class Lexer:
    """The tokens of a text from ``position`` on."""

    def __init__(self, source: Source, grammar: Grammar) -> None:
        self.source = source
        self.position = 0
        self._grammar = grammar
        self._seen: tuple[int, Token] | None = None

    def next(self, token: re.Pattern[str] | None = None) -> Token:
        """The token here, and go on behind it; a pattern of one's own may cut it."""
        found = self.peek(token)
        self.position = found.end
        return found

    def peek(self, token: re.Pattern[str] | None = None) -> Token:
        """The token here."""
        if token is not None:
            return self._cut(token)
        if self._seen is None or self._seen[0] != self.position:
            self._seen = self.position, self._cut(self._grammar.token)
        return self._seen[1]

    def _cut(self, token: re.Pattern[str]) -> Token:
        text = self.source.text
        match = self._grammar.skip.match(text, self.position)
        start = match.end() if match else self.position
        found = token.match(text, start)
        if found is None:
            return self._nothing(start)
        kind = found.lastgroup or ""
        return Token(found[0] if kind == "mark" else kind, found[kind], start, found.end())

    def _nothing(self, start: int) -> Token:
        text = self.source.text
        if start >= len(text):
            return Token("end", "", start, start)
        if text[start] == '"':
            raise self.source.error(start, "the string is not closed.")
        if text.startswith("/*", start):
            raise self.source.error(start, "the comment is not closed.")
        raise self.source.error(start, f"unexpected character {text[start]!r}.")

    def accept(self, *marks: str) -> bool:
        """Whether one of some marks is here; if so, go on behind it."""
        found = self.peek()
        if found.kind not in marks:
            return False
        self.position = found.end
        return True

    def expect(self, kind: str) -> Token:
        """The token here, which must be a mark, or a word that is given."""
        found = self.next()
        if found.kind != kind and not (found.kind == "word" and found.text == kind):
            raise self.unexpected(found, repr(kind))
        return found

    def label(self, what: str) -> Token:
        """The word or string here."""
        found = self.next()
        if not found.is_label:
            raise self.unexpected(found, what)
        return found

    def groups(self, closing: str, separators: str) -> list[list[Token]]:
        """Words and strings up to a closing mark, together where no separator is between them."""
        found: list[list[Token]] = [[]]
        count = 0
        while (token := self.next()).kind != closing:
            count += 1
            if count > 2 * MAX_STATES:
                raise self.error(token, "there are more names here than a network may have.")
            if token.is_label:
                found[-1].append(token)
            elif token.kind in separators:
                found.append([])
            else:
                raise self.unexpected(token, f"a name or {closing!r}")
        return [group for group in found if group]

    def labels(self, closing: str, separators: str) -> list[Token]:
        """Words and strings up to a closing mark."""
        return [token for group in self.groups(closing, separators) for token in group]

    def skip_body(self) -> None:
        """Go behind the brace that closes the block here."""
        match = self._grammar.body.match(self.source.text, self.position)
        self.position = match.end() if match else self.position
        self.expect("}")

    def skip_statement(self) -> str:
        """Go behind the semicolon that ends the statement here; returns what was before it."""
        match = self._grammar.statement.match(self.source.text, self.position)
        skipped = match[0] if match else ""
        self.position += len(skipped)
        self.expect(";")
        return skipped

    def numbers(self, run: re.Pattern[str], blank: str) -> list[float]:
        """Probabilities up to a semicolon, between which the marks ``blank`` may stand.

        Where the pattern ``run`` fits, they are read at once; group 1 is the numbers.
        """
        match = run.match(self.source.text, self.position)
        if match:
            text = self.without_comments(match[1])
            values = plain_numbers(text.translate(dict.fromkeys(map(ord, blank), " ")))
            if values is not None:
                self.position = match.end()
                return values
        return self._numbers_one_by_one(blank)

    def _numbers_one_by_one(self, blank: str) -> list[float]:
        values = []
        while not self.accept(";"):
            if self.accept(*blank):
                continue
            found = self.next()
            if not found.is_label:
                raise self.unexpected(found, "a number or ';'")
            try:
                values.append(number(found.text))
            except ValueError as error:
                raise self.error(found, str(error)) from None
        return values

    def without_comments(self, text: str) -> str:
        """A piece of the text that has no strings, its comments left out."""
        return self._grammar.comment.sub(" ", text)

    def place(self, token: Token) -> Place:
        """Line and column of a token."""
        return self.source.place(token.start)

    def error(self, token: Token, reason: str) -> ParseError:
        """An error at a token."""
        return self.source.error(token.start, reason)

    def unexpected(self, token: Token, wanted: str) -> ParseError:
        """An error that says what was looked for, and what there is."""
        found = "the end of the file" if token.kind == "end" else repr(token.text[:40])
        return self.error(token, f"expected {wanted}, found {found}.")
