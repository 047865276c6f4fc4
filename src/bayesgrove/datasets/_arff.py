"""Reading of ARFF, the format of WEKA: declared columns, then comma-separated rows.

WEKA's manual: https://waikato.github.io/weka-wiki/formats_and_processing/arff_stable/
"""

from __future__ import annotations

import math
import re
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
    """What is wrong with an ARFF file; ``line`` says where, and is None for the whole file."""

    def __init__(self, line: int | None, message: str) -> None:
        super().__init__(message if line is None else f"line {line}: {message}")
        self.line = line


class Arff(NamedTuple):
    """The table, and the line that each row stands in."""

    frame: pd.DataFrame
    lines: list[int]


@dataclass(frozen=True)
class _Attribute:
    """A declared column; ``levels`` is None unless it is nominal."""

    name: str
    levels: list[str] | None
    numeric: bool

    @property
    def sparse_default(self) -> str | None:
        """The value of a column that a sparse row leaves out; None where WEKA does not say."""
        if self.numeric:
            return "0"
        return self.levels[0] if self.levels else None


def read_arff(lines: Iterable[str]) -> Arff:
    """Read a table: nominal columns are categorical, numbers float64, strings text."""
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
    attributes: dict[str, _Attribute] = {}
    for number, line in numbered:
        text = line.strip().removeprefix("\ufeff")
        keyword = text[:10].lower()
        if keyword.startswith("@data"):
            if not attributes:
                raise ArffError(number, "there is no @attribute before @data.")
            return list(attributes.values())
        if keyword == "@attribute":
            attribute = _read_attribute(text, number)
            if attribute.name in attributes:
                raise ArffError(number, f"the attribute {attribute.name!r} is declared twice.")
            attributes[attribute.name] = attribute
        elif text and text[0] != "%" and not keyword.startswith("@relation"):
            raise ArffError(number, f"{_short(text)} is neither @attribute nor @data.")
    raise ArffError(None, "there is no @data line: this is no ARFF file, or it is cut off.")


def _read_attribute(text: str, number: int) -> _Attribute:
    match = _ATTRIBUTE.match(text)
    if not match:
        raise ArffError(number, f"{_short(text)} declares no attribute: a name and a type follow.")
    name, kind = _text(match.groups()[:3]), match[4].strip()
    if kind.startswith("{"):
        return _Attribute(name, _read_levels(name, kind, number), numeric=False)
    word = re.split(r"[\s%\[]", kind.lower(), maxsplit=1)[0]
    if word not in (*_NUMERIC, "string"):
        raise ArffError(
            number, f"the attribute {name!r} is {word or 'of no type'}: {_remedy(word)}"
        )
    return _Attribute(name, None, numeric=word in _NUMERIC)


def _remedy(kind: str) -> str:
    if kind == "date":
        return "turn dates into numbers (a year, a number of days) or labels (a weekday) first."
    return "only numeric, string and {nominal} attributes are supported."


def _read_levels(name: str, kind: str, number: int) -> list[str]:
    outside = re.sub(_QUOTED, lambda quoted: "x" * len(quoted[0]), kind)
    end = outside.find("}")
    if end < 0:
        raise ArffError(number, f"the levels of {name!r} have no closing brace.")
    inner = kind[1:end].strip().removesuffix(",")
    levels = [cell for cell in _split(inner, number) if cell is not None] if inner else []
    if not levels:
        raise ArffError(number, f"the attribute {name!r} has no levels.")
    twice = next((level for k, level in enumerate(levels) if level in levels[:k]), None)
    if twice is not None:
        raise ArffError(number, f"the attribute {name!r} has the level {twice!r} twice.")
    return levels


def _read_row(text: str, attributes: list[_Attribute], number: int) -> Cells:
    if text.startswith("{"):
        return _read_sparse(text, attributes, number)
    cells = _split(text, number)
    if len(cells) > len(attributes) and (cells[-1] or "").startswith("{"):
        raise ArffError(number, "weights of rows are not supported: repeat the rows instead.")
    if len(cells) != len(attributes):
        raise ArffError(
            number, f"the row has {len(cells)} values for {len(attributes)} attributes."
        )
    return cells


def _read_sparse(text: str, attributes: list[_Attribute], number: int) -> Cells:
    """Read a row such as ``{0 1, 3 x}``: places and values of what is not the default."""
    inner = text[1:].split("%")[0].rstrip() if "'" not in text and '"' not in text else text[1:]
    if not inner.endswith("}"):
        raise ArffError(number, "the sparse row has no closing brace at its end.")
    cells = [attribute.sparse_default for attribute in attributes]
    given: set[int] = set()
    for match in _matches(_SPARSE_CELL, inner[:-1].rstrip(), number):
        place = int(match[1])
        if place >= len(attributes) or place in given:
            problem = "is there twice" if place in given else "does not exist"
            raise ArffError(number, f"the place {place} {problem} (the first place is 0).")
        given.add(place)
        cells[place] = _cell(match.groups()[1:4], number)
    for place, attribute in enumerate(attributes):
        if place not in given and attribute.sparse_default is None:
            raise ArffError(number, f"a sparse row must give the string {attribute.name!r}.")
    return cells


def _split(text: str, number: int) -> Cells:
    """Split a row into values: at commas or, where there is none, at blanks."""
    if not any(mark in text for mark in "'\"%") and "," in text:
        return [_plain(cell.strip(), number) for cell in text.split(",")]
    outside = re.sub(_QUOTED, "", text)
    pattern = _CELL if "," in outside else _SPACED_CELL
    return [_cell(match.groups()[:3], number) for match in _matches(pattern, text, number)]


def _matches(pattern: re.Pattern[str], text: str, number: int) -> Iterator[re.Match[str]]:
    at, more = 0, bool(text)
    while more:
        match = pattern.match(text, at)
        if not match:
            raise ArffError(
                number,
                f"cannot be read from {_short(text[at:])} on: quote values with blanks "
                "or quotes in them.",
            )
        yield match
        at = match.end()
        # After a last comma there is one more value, an empty one.
        more = at < len(text) or match[0].endswith(",")


def _cell(groups: tuple[str | None, ...], number: int) -> str | None:
    return _plain(groups[2], number) if groups[2] is not None else _text(groups)


def _plain(text: str, number: int) -> str | None:
    if not text:
        raise ArffError(number, "there is an empty value: a missing one is written as ?.")
    return None if text == "?" else text


def _text(groups: tuple[str | None, ...]) -> str:
    """Return the text in quotes, without its escapes; or a plain word."""
    single, double, plain = groups
    if plain is not None:
        return plain
    quoted = single if single is not None else double or ""
    return re.sub(r"\\(.)", lambda escape: _ESCAPES.get(escape[1], escape[1]), quoted)


def _column(attribute: _Attribute, cells: Iterable[str | None], lines: list[int]) -> pd.Series:
    import pandas as pd

    def convert(parse: Callable[[str], float | None], missing: float) -> list[float]:
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
    place = {level: code for code, level in enumerate(attribute.levels)}
    codes = np.array(convert(place.get, -1), dtype=np.intp)
    return pd.Series(pd.Categorical.from_codes(codes, pd.Index(attribute.levels)))


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in text else None


def _wrong_value(attribute: _Attribute, cell: str | None) -> str:
    if attribute.numeric:
        return f"{cell!r} of the numeric attribute {attribute.name!r} is no finite number."
    return f"{cell!r} is not among the declared levels of {attribute.name!r}."


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")
