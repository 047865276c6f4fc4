"""A lexer for text formats: words, strings and marks, cut by one regular expression."""

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
    """A word, a string, a mark or the end of the file.

    ``kind`` is ``"word"``, ``"string"``, ``"end"`` or the mark itself. The ``text`` of a string has
    no quotes.
    """

    kind: str
    text: str
    start: int
    end: int

    @property
    def is_label(self) -> bool:
        """Whether the token is a word or a string."""
        return self.kind in ("word", "string")


@dataclass(frozen=True)
class Grammar:
    """Regular expressions that cut a format into tokens.

    Parameters
    ----------
    skip : re.Pattern
        White space and comments, any number of them.
    comment : re.Pattern
        One comment.
    token : re.Pattern
        One token, with the groups ``word``, ``string`` (without quotes) and ``mark``.
    body : re.Pattern
        The text between the braces of a block that is skipped.
    statement : re.Pattern
        The text before the semicolon of a statement that is skipped.
    """

    skip: re.Pattern[str]
    comment: re.Pattern[str]
    token: re.Pattern[str]
    body: re.Pattern[str]
    statement: re.Pattern[str]


class Lexer:
    """A reader of the tokens of a text, from ``position`` on."""

    def __init__(self, source: Source, grammar: Grammar) -> None:
        self.source = source
        self.position = 0
        self._grammar = grammar
        self._seen: tuple[int, Token] | None = None

    def next(self, token: re.Pattern[str] | None = None) -> Token:
        """Return the next token and move behind it; ``token`` replaces the pattern of tokens."""
        following = self.peek(token)
        self.position = following.end
        return following

    def peek(self, token: re.Pattern[str] | None = None) -> Token:
        """Return the next token without moving; ``token`` replaces the pattern of tokens."""
        if token is not None:
            return self._cut(token)
        if self._seen is None or self._seen[0] != self.position:
            self._seen = self.position, self._cut(self._grammar.token)
        return self._seen[1]

    def _cut(self, token: re.Pattern[str]) -> Token:
        """Return the next token, cut by a pattern."""
        text = self.source.text
        skipped = self._grammar.skip.match(text, self.position)
        start = skipped.end() if skipped else self.position
        match = token.match(text, start)
        if match is None:
            return self._end(start)
        kind = match.lastgroup or ""
        return Token(match[0] if kind == "mark" else kind, match[kind], start, match.end())

    def _end(self, start: int) -> Token:
        """Return the end of the file; raise if there is text that is not a token."""
        text = self.source.text
        if start >= len(text):
            return Token("end", "", start, start)
        if text[start] == '"':
            raise self.source.error(start, "the string is not closed.")
        if text.startswith("/*", start):
            raise self.source.error(start, "the comment is not closed.")
        raise self.source.error(start, f"unexpected character {text[start]!r}.")

    def accept(self, *marks: str) -> bool:
        """Return whether the next token is one of the marks; if so, move behind it."""
        token = self.peek()
        if token.kind not in marks:
            return False
        self.position = token.end
        return True

    def expect(self, kind: str) -> Token:
        """Return the next token; raise unless it is this mark or this word."""
        token = self.next()
        if token.kind != kind and not (token.kind == "word" and token.text == kind):
            raise self.unexpected(token, repr(kind))
        return token

    def label(self, expected: str) -> Token:
        """Return the next token; raise unless it is a word or a string."""
        token = self.next()
        if not token.is_label:
            raise self.unexpected(token, expected)
        return token

    def groups(self, closing: str, separators: str) -> list[list[Token]]:
        """Return words and strings up to a closing mark, in groups between separators."""
        groups: list[list[Token]] = [[]]
        count = 0
        while (token := self.next()).kind != closing:
            count += 1
            if count > 2 * MAX_STATES:
                raise self.error(token, "there are more names here than a network may have.")
            if token.is_label:
                groups[-1].append(token)
            elif token.kind in separators:
                groups.append([])
            else:
                raise self.unexpected(token, f"a name or {closing!r}")
        return [group for group in groups if group]

    def labels(self, closing: str, separators: str) -> list[Token]:
        """Return words and strings up to a closing mark."""
        return [token for group in self.groups(closing, separators) for token in group]

    def skip_body(self) -> None:
        """Move behind the brace that closes this block."""
        match = self._grammar.body.match(self.source.text, self.position)
        self.position = match.end() if match else self.position
        self.expect("}")

    def skip_statement(self) -> str:
        """Move behind the semicolon that ends this statement; return the text before it."""
        match = self._grammar.statement.match(self.source.text, self.position)
        skipped = match[0] if match else ""
        self.position += len(skipped)
        self.expect(";")
        return skipped

    def numbers(self, run: re.Pattern[str], blank: str) -> list[float]:
        """Return the probabilities up to a semicolon.

        The marks ``blank`` between the numbers are ignored. If the pattern ``run`` matches, all
        numbers are parsed at once; its group 1 is the text of the numbers.
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
        """Return the probabilities up to a semicolon; the error is at the first bad one."""
        values = []
        while not self.accept(";"):
            if self.accept(*blank):
                continue
            token = self.next()
            if not token.is_label:
                raise self.unexpected(token, "a number or ';'")
            try:
                values.append(number(token.text))
            except ValueError as error:
                raise self.error(token, str(error)) from None
        return values

    def without_comments(self, text: str) -> str:
        """Return a piece of text, which has no strings, without its comments."""
        return self._grammar.comment.sub(" ", text)

    def place(self, token: Token) -> Place:
        """Return line and column of a token."""
        return self.source.place(token.start)

    def error(self, token: Token, reason: str) -> ParseError:
        """Return an error at a token."""
        return self.source.error(token.start, reason)

    def unexpected(self, token: Token, expected: str) -> ParseError:
        """Return an error that says what was expected, and which token is there."""
        actual = "the end of the file" if token.kind == "end" else repr(token.text[:40])
        return self.error(token, f"expected {expected}, found {actual}.")
