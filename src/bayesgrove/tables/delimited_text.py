"""Split delimited text into columns of text.

The delimiter is detected, the header is checked, and every row must be as long as the header.
"""

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

# Ties go to the earlier candidate. The comma is last, because it also occurs inside values.
_CANDIDATES = "\t;|,"
_QUOTED = re.compile(r"""(?:^|(?<=[,;\t|]))"(?:[^"]|"")*(?:"(?=[,;\t|\r\n]|$)|\Z)""", re.MULTILINE)
_PEEK = 1 << 16
_BLANK_START = re.compile(r"\A(?:[ \t]*[\r\n])+")


class Delimited(NamedTuple):
    """The names of the columns, the columns as text by position, and notes for the user."""

    names: list[str]
    columns: pd.DataFrame
    notes: tuple[str, ...]


class Record(NamedTuple):
    """The cells of a row, and the line where the row starts."""

    line: int
    cells: list[str]


def read_delimited(text: str, delimiter: str, source: str) -> Delimited:
    """Return the names and columns of delimited text with a header; all cells stay text."""
    header = next(_records(text, delimiter), None)
    if header is None:
        raise TableError(source, "the file is empty.")
    names, notes = _checked_names(header.cells, source)
    cells = _parse(text, delimiter, len(names), source)
    columns = cells.iloc[1:].reset_index(drop=True)
    if not len(columns):
        raise TableError(source, "there is a header but no row below it.")
    # pandas pads short rows, so a row can be too short only if its last cell is empty.
    if len(names) > 1 and bool((columns.iloc[:, -1] == "").any()):
        _refuse_ragged(text, delimiter, len(names), source)
    return Delimited(names, columns, notes)


def line_of_row(text: str, delimiter: str, row: int) -> int:
    """Return the line where a row of the table starts; fields may contain line ends."""
    return next(itertools.islice(_records(text, delimiter), row + 1, None)).line


def detect_delimiter(text: str) -> str:
    """Return the delimiter that splits the largest share of the first lines like the header.

    Ties go to the delimiter with more fields. Without any delimiter it is the comma.
    """
    lines = re.split(r"\r\n|\r|\n", _QUOTED.sub("x", text[:_PEEK]))
    if len(text) > _PEEK and len(lines) > 1:
        lines.pop()  # The last line may be incomplete.
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
    """Return all cells, with the header as the first row; raise with the line of an error."""
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
            # In a table with a single column an empty line is an empty cell.
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
    """Return the column names and notes about them; raise if a name occurs twice."""
    names = [name or f"column {place}" for place, name in enumerate(header, 1)]
    twice = next((name for name, times in Counter(names).items() if times > 1), None)
    if twice is not None:
        places = ", ".join(str(k) for k, name in enumerate(names, 1) if name == twice)
        raise TableError(
            source,
            f"the column name {twice!r} occurs more than once (columns {places}): rename one.",
        )
    notes = []
    empty = [name for name, cell in zip(names, header, strict=True) if not cell]
    if empty:
        notes.append(f"{source}: a column without a name is called {empty[0]!r}.")
    if all(is_number(name) for name in header):
        notes.append(
            f"{source}: the first line is read as the header, but holds only numbers; add a header "
            "if it is a row."
        )
    return names, tuple(notes)


def _refuse_ragged(text: str, delimiter: str, width: int, source: str) -> None:
    """Raise unless every row has as many fields as the header; the error names the line."""
    for record in _records(text, delimiter):
        count = len(record.cells)
        if count != width:
            fields = "1 field" if count == 1 else f"{count} fields"
            raise TableError(
                source,
                f"the row has {fields}, but the header has {width}. Quote values that contain "
                f"{delimiter!r}, or set the delimiter with delimiter=... or --delimiter.",
                f"line {record.line}",
            )


def _records(text: str, delimiter: str) -> Iterator[Record]:
    """Yield rows with their lines, split like pandas: empty lines count only in single columns."""
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
    """Lift the limit of the csv module on the size of fields, which holds for the process."""
    before = csv.field_size_limit(sys.maxsize)
    try:
        yield
    finally:
        csv.field_size_limit(before)
