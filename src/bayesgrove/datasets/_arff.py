"""Read ARFF, the format of WEKA: declarations of the columns, then comma-separated rows.

WEKA's manual: https://waikato.github.io/weka-wiki/formats_and_processing/arff_stable/
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import pandas as pd

Cells = list[str | None]

_QUOTED = r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\""""
_END = r"[ \t]*(,|$|%.*$)"
_CELL = re.compile(rf"[ \t]*(?:{_QUOTED}|([^,'\"%]*?)){_END}")
_SPACED_CELL = re.compile(rf"[ \t]*(?:{_QUOTED}|([^\s,'\"%]+))(?:{_END}|[ \t]+)")
_SPARSE_CELL = re.compile(rf"[ \t]*([0-9]+)[ \t]+(?:{_QUOTED}|([^\s,'\"{{}}]+))[ \t]*(?:,|$)")
_ATTRIBUTE = re.compile(rf"@attribute\s+(?:{_QUOTED}|([^\s{{'\"]+))\s*(.*)$", re.IGNORECASE)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
_NUMERIC = ("numeric", "real", "integer")


class ArffError(ValueError):
    """An ARFF file that cannot be read.

    Parameters
    ----------
    line : int or None
        The number of the line, counted from 1. None means the whole file.
    message : str
        The problem and its remedy.

    Attributes
    ----------
    line : int or None
        The number of the line, or None for the whole file.
    """

    def __init__(self, line: int | None, message: str) -> None:
        super().__init__(message if line is None else f"line {line}: {message}")
        self.line = line


class Arff(NamedTuple):
    """The content of an ARFF file.

    Parameters
    ----------
    frame : pandas.DataFrame
        The table.
    lines : list of int
        The line number of every row.
    """

    frame: pd.DataFrame
    lines: list[int]


@dataclass(frozen=True)
class _Attribute:
    """A declared column; ``levels`` is None if it is not nominal."""

    name: str
    levels: list[str] | None
    numeric: bool

    @property
    def sparse_default(self) -> str | None:
        """Value of a column that a sparse row leaves out; None if WEKA does not define it."""
        if self.numeric:
            return "0"
        return self.levels[0] if self.levels else None


def read_arff(lines: Iterable[str]) -> Arff:
    """Read a table in the ARFF format of WEKA.

    Parameters
    ----------
    lines : iterable of str
        The lines of the file, such as an open text file.

    Returns
    -------
    Arff
        A named tuple of ``frame``, a data frame, and ``lines``, the line number of every row.
        Nominal columns are categorical with the declared levels, numeric columns are float64, and
        string columns are text. Missing values are NaN, or None in text.

    Raises
    ------
    ArffError
        If the file does not follow the format. The error names the line.

    Examples
    --------
    >>> from bayesgrove.datasets import read_arff
    >>> header = ["@attribute size numeric", "@attribute play {no,yes}", "@data"]
    >>> read_arff([*header, "1.5,yes"]).frame["play"].tolist()
    ['yes']
    """
    import pandas as pd

    numbered = enumerate(lines, 1)
    attributes = _read_header(numbered)
    rows: list[Cells] = []
    places: list[int] = []
    for number, line in numbered:
        text = line.strip()
        if text and not text.startswith("%"):
            rows.append(_read_row(text, attributes, number))
            places.append(number)
    columns = zip(*rows, strict=True) if rows else ((),) * len(attributes)
    series = {
        attribute.name: _column(attribute, cells, places)
        for attribute, cells in zip(attributes, columns, strict=True)
    }
    return Arff(pd.DataFrame(series), places)


def _read_header(numbered: Iterator[tuple[int, str]]) -> list[_Attribute]:
    """Read up to the @data line, and return the declared columns."""
    attributes: dict[str, _Attribute] = {}
    for number, line in numbered:
        text = line.strip().removeprefix("\ufeff")
        keyword = text[:10].lower()
        if keyword.startswith("@data"):
            if not attributes:
                raise ArffError(number, "there is no @attribute before @data: declare the columns.")
            return list(attributes.values())
        if keyword == "@attribute":
            attribute = _read_attribute(text, number)
            if attribute.name in attributes:
                raise ArffError(
                    number, f"the attribute {attribute.name!r} is declared twice: rename one."
                )
            attributes[attribute.name] = attribute
        elif text and text[0] != "%" and not keyword.startswith("@relation"):
            raise ArffError(number, f"{_short(text)} is neither @attribute nor @data.")
    raise ArffError(None, "there is no @data line: this is not an ARFF file, or it is truncated.")


def _read_attribute(text: str, number: int) -> _Attribute:
    """Return the column that an @attribute line declares."""
    match = _ATTRIBUTE.match(text)
    if not match:
        raise ArffError(
            number,
            f"{_short(text)} does not declare an attribute: write a name and a type after it.",
        )
    name, kind = _text(match.groups()[:3]), match[4].strip()
    if kind.startswith("{"):
        return _Attribute(name, _read_levels(name, kind, number), numeric=False)
    word = re.split(r"[\s%\[]", kind.lower(), maxsplit=1)[0]
    if word not in (*_NUMERIC, "string"):
        raise ArffError(
            number,
            f"the attribute {name!r} has {f'the type {word}' if word else 'no type'}: "
            f"{_remedy(word)}",
        )
    return _Attribute(name, None, numeric=word in _NUMERIC)


def _remedy(kind: str) -> str:
    """Return the remedy for a type that is not supported."""
    if kind == "date":
        return "convert dates to numbers (a year, a number of days) or to labels (a weekday) first."
    return "only numeric, string and {nominal} attributes are supported."


def _read_levels(name: str, kind: str, number: int) -> list[str]:
    """Return the levels of a nominal attribute, which stand in braces."""
    outside = re.sub(_QUOTED, lambda quoted: "x" * len(quoted[0]), kind)
    end = outside.find("}")
    if end < 0:
        raise ArffError(number, f"the levels of {name!r} have no closing brace: add it.")
    inner = kind[1:end].strip().removesuffix(",")
    levels = [cell for cell in _split(inner, number) if cell is not None] if inner else []
    if not levels:
        raise ArffError(number, f"the attribute {name!r} has no levels: list them in the braces.")
    if len(set(levels)) < len(levels):
        twice = Counter(levels).most_common(1)[0][0]
        raise ArffError(
            number, f"the attribute {name!r} has the level {twice!r} twice: remove one."
        )
    return levels


def _read_row(text: str, attributes: list[_Attribute], number: int) -> Cells:
    """Return the cells of a dense or sparse row."""
    if text.startswith("{"):
        return _read_sparse(text, attributes, number)
    cells = _split(text, number)
    if len(cells) > len(attributes) and (cells[-1] or "").startswith("{"):
        raise ArffError(number, "row weights are not supported: repeat the rows instead.")
    if len(cells) != len(attributes):
        raise ArffError(
            number,
            f"the row has {len(cells)} values for {len(attributes)} attributes: quote values that "
            "contain commas.",
        )
    return cells


def _read_sparse(text: str, attributes: list[_Attribute], number: int) -> Cells:
    """Return the cells of a row such as ``{0 1, 3 x}``: pairs of index and value, else defaults."""
    inner = text[1:].split("%")[0].rstrip() if "'" not in text and '"' not in text else text[1:]
    if not inner.endswith("}"):
        raise ArffError(number, "the sparse row has no closing brace at its end: add it.")
    cells = [attribute.sparse_default for attribute in attributes]
    seen: set[int] = set()
    for match in _matches(_SPARSE_CELL, inner[:-1].rstrip(), number):
        index = int(match[1])
        if index >= len(attributes) or index in seen:
            problem = "occurs twice" if index in seen else "does not exist"
            raise ArffError(
                number,
                f"the attribute index {index} {problem}; the indices are 0 to "
                f"{len(attributes) - 1}, each at most once.",
            )
        seen.add(index)
        cells[index] = _cell(match.groups()[1:4], number)
    for index, attribute in enumerate(attributes):
        if index not in seen and attribute.sparse_default is None:
            raise ArffError(
                number,
                f"a sparse row must give a value of the string attribute {attribute.name!r}.",
            )
    return cells


def _split(text: str, number: int) -> Cells:
    """Return the values of a row, split at commas or, if there are none, at blanks."""
    if not any(mark in text for mark in "'\"%") and "," in text:
        return [_plain(cell.strip(), number) for cell in text.split(",")]
    outside = re.sub(_QUOTED, "", text)
    pattern = _CELL if "," in outside else _SPACED_CELL
    return [_cell(match.groups()[:3], number) for match in _matches(pattern, text, number)]


def _matches(pattern: re.Pattern[str], text: str, number: int) -> Iterator[re.Match[str]]:
    """Yield the matches of the cells of a row, one after the other."""
    at, more = 0, bool(text)
    while more:
        match = pattern.match(text, at)
        if not match:
            raise ArffError(
                number,
                f"the row cannot be read from {_short(text[at:])} on: quote values that contain "
                "blanks or quotation marks.",
            )
        yield match
        at = match.end()
        # After a trailing comma there is one more value, which is empty.
        more = at < len(text) or match[0].endswith(",")


def _cell(groups: tuple[str | None, ...], number: int) -> str | None:
    """Return the value of a quoted or plain cell; None if it is missing."""
    return _plain(groups[2], number) if groups[2] is not None else _text(groups)


def _plain(text: str, number: int) -> str | None:
    """Return the value of a cell without quotes; None if it is missing."""
    if not text:
        raise ArffError(number, "there is an empty value: write a missing value as ?.")
    return None if text == "?" else text


def _text(groups: tuple[str | None, ...]) -> str:
    """Return a quoted text with its escapes resolved, or a plain word unchanged."""
    single, double, plain = groups
    if plain is not None:
        return plain
    quoted = single if single is not None else double or ""
    return re.sub(r"\\(.)", lambda escape: _ESCAPES.get(escape[1], escape[1]), quoted)


def _column(attribute: _Attribute, cells: Iterable[str | None], lines: list[int]) -> pd.Series:
    """Return the cells of a column in its declared type; raise if a value does not fit."""
    import pandas as pd

    def convert(parse: Callable[[str], float | None], missing: float) -> list[float]:
        """Return all cells as numbers; raise if ``parse`` returns None."""
        values = []
        for number, cell in zip(lines, cells, strict=True):
            value = missing if cell is None else parse(cell)
            if value is None:
                raise ArffError(number, _wrong_value(attribute, cell))
            values.append(value)
        return values

    if attribute.numeric:
        return pd.Series(np.array(convert(_number, math.nan), dtype=np.float64))
    if attribute.levels is None:
        return pd.Series(list(cells))
    code_of = {level: code for code, level in enumerate(attribute.levels)}
    codes = np.array(convert(code_of.get, -1), dtype=np.intp)
    return pd.Series(pd.Categorical.from_codes(codes, pd.Index(attribute.levels)))


def _number(text: str) -> float | None:
    """Return the finite number in a text, or None."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in text else None


def _wrong_value(attribute: _Attribute, cell: str | None) -> str:
    """Return the problem of a value that does not have the declared type."""
    if attribute.numeric:
        return (
            f"{cell!r} of the numeric attribute {attribute.name!r} is not a finite number: write a "
            "missing value as ?."
        )
    return (
        f"{cell!r} is not among the declared levels of {attribute.name!r}: declare it, or write a "
        "missing value as ?."
    )


def _short(text: str) -> str:
    """Return a text in quotes, shortened to 40 characters, for messages."""
    return repr(text if len(text) <= 40 else text[:37] + "...")
