"""Delimited text to columns of text: delimiter, header, and every row as long as it."""

from __future__ import annotations

import contextlib
import csv
import io
import itertools
import re
import sys
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from bayesgrove.tables.errors import TableError
from bayesgrove.tables.numerals import is_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

# Of two that fit equally well the earlier: commas also stand inside values.
_CANDIDATES = "\t;|,"
_QUOTED = re.compile(r"""(?:^|(?<=[,;\t|]))"(?:[^"]|"")*(?:"(?=[,;\t|\r\n]|$)|\Z)""", re.MULTILINE)
_PEEK = 1 << 16
_BLANK_START = re.compile(r"\A(?:[ \t]*[\r\n])+")


class Delimited(NamedTuple):
    """Names, columns of text by number, and what the user ought to know."""

    names: list[str]
    columns: pd.DataFrame
    notes: tuple[str, ...]


class Record(NamedTuple):
    """A row and the line that it starts in."""

    line: int
    cells: list[str]


def read_delimited(text: str, delimiter: str, source: str) -> Delimited:
    """Read delimited text with a header; all cells stay text."""
    header = next(_records(text, delimiter), None)
    if header is None:
        raise TableError(source, "the file is empty.")
    names, notes = _checked_names(header.cells, source)
    cells = _parse(text, delimiter, len(names), source)
    columns = cells.iloc[1:].reset_index(drop=True)
    if not len(columns):
        raise TableError(source, "there is a header but no row below it.")
    # pandas fills up short rows; these can only be where the last column has an empty cell.
    if len(names) > 1 and bool((columns.iloc[:, -1] == "").any()):
        _refuse_ragged(text, delimiter, len(names), source)
    return Delimited(names, columns, notes)


def line_of_row(text: str, delimiter: str, row: int) -> int:
    """The line that a row of the table starts in; fields may have line ends in them."""
    return next(itertools.islice(_records(text, delimiter), row + 1, None)).line


def detect_delimiter(text: str) -> str:
    """The candidate that splits the header and all rows of the beginning into equally many."""
    lines = re.split(r"\r\n|\r|\n", _QUOTED.sub("x", text[:_PEEK]))
    if len(text) > _PEEK and len(lines) > 1:
        lines.pop()  # cut off
    lines = [line for line in lines if line.strip()]
    best, best_score = ",", (0.0, 0)
    for candidate in _CANDIDATES:
        counts = [line.count(candidate) for line in lines]
        if counts and counts[0] > 0:
            score = (counts.count(counts[0]) / len(counts), counts[0])
            if score > best_score:
                best, best_score = candidate, score
    return best


def _parse(text: str, delimiter: str, width: int, source: str) -> pd.DataFrame:
    import pandas as pd

    if width == 1:
        text = _BLANK_START.sub("", text).rstrip("\r\n")
    try:
        return pd.read_csv(
            io.BytesIO(text.encode("utf-8", "surrogatepass")),
            sep=delimiter,
            header=None,
            dtype=str,
            na_filter=False,
            # In a single column an empty line is an empty cell.
            skip_blank_lines=width > 1,
            low_memory=False,
            encoding="utf-8",
            encoding_errors="surrogatepass",
            engine="c",
        )
    except pd.errors.ParserError as error:
        _refuse_ragged(text, delimiter, width, source)
        *_, last = _records(text, delimiter)
        if "EOF inside string" in str(error):
            raise TableError(
                source, "a quotation mark is opened here and never closed.", f"line {last.line}"
            ) from None
        raise TableError(source, f"cannot be read: {str(error).strip()}.") from None


def _checked_names(header: list[str], source: str) -> tuple[list[str], tuple[str, ...]]:
    names = [name or f"column {place}" for place, name in enumerate(header, 1)]
    twice = next((name for name, times in Counter(names).items() if times > 1), None)
    if twice is not None:
        places = ", ".join(str(k) for k, name in enumerate(names, 1) if name == twice)
        raise TableError(
            source, f"the column name {twice!r} occurs more than once (columns {places}): rename."
        )
    notes = []
    empty = [name for name, given in zip(names, header, strict=True) if not given]
    if empty:
        notes.append(f"{source}: a column without a name is called {empty[0]!r}.")
    if all(is_number(name) for name in header):
        notes.append(f"{source}: the first line, taken as the header, holds only numbers.")
    return names, tuple(notes)


def _refuse_ragged(text: str, delimiter: str, width: int, source: str) -> None:
    for record in _records(text, delimiter):
        found = len(record.cells)
        if found != width:
            fields = "1 field" if found == 1 else f"{found} fields"
            raise TableError(
                source,
                f"the row has {fields}, the header {width}. Quote values that contain "
                f"{delimiter!r}, or name the delimiter with --delimiter.",
                f"line {record.line}",
            )


def _records(text: str, delimiter: str) -> Iterator[Record]:
    """Rows with their lines, as pandas splits them: empty lines count in a single column only."""
    with _any_field_size():
        lines = io.StringIO(text, newline="")
        reader = csv.reader(lines, delimiter=delimiter)
        start, width = 1, 0
        for cells in reader:
            blank = not cells or (len(cells) == 1 and not cells[0].strip(" \t"))
            if not blank or width == 1:
                width = width or len(cells)
                yield Record(start, cells or [""])
            start = reader.line_num + 1


@contextlib.contextmanager
def _any_field_size() -> Iterator[None]:
    """The csv module refuses long fields unless told otherwise, for the whole process."""
    before = csv.field_size_limit(sys.maxsize)
    try:
        yield
    finally:
        csv.field_size_limit(before)
