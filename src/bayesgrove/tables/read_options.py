"""Options for reading a table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.options import OptionError
from bayesgrove.tables.columns import Column, Labels, Numbers
from bayesgrove.tables.numerals import is_number, to_float

if TYPE_CHECKING:
    from collections.abc import Sequence

FORMATS = ("csv", "parquet", "feather", "arff")
STDIN = "-"


@dataclass(frozen=True)
class ReadOptions:
    """Options for reading a table; None means that the value is detected.

    Parameters
    ----------
    format : {"csv", "parquet", "feather", "arff"} or None, default=None
        The format of the file.
    delimiter : str or None, default=None
        The character between the fields of a CSV file.
    decimal : {".", ","} or None, default=None
        The decimal sign of the numbers in a CSV file.
    encoding : str or None, default=None
        The encoding of a text file.
    na_values : tuple of str, default=()
        Texts that stand for missing values, in addition to the empty field.
    """

    format: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    na_values: tuple[str, ...] = ()


def require_readable(reading: ReadOptions) -> ReadOptions:
    """Return the options; raise unless every one is valid."""
    if reading.format not in (None, *FORMATS):
        raise OptionError(f"format={reading.format!r} must be one of {', '.join(FORMATS)}.")
    delimiter = reading.delimiter
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n\0'):
        raise OptionError(
            f"delimiter={delimiter!r} must be one character, and neither a quotation mark, a line "
            "end nor NUL."
        )
    if reading.decimal not in (None, ".", ","):
        raise OptionError(f"decimal={reading.decimal!r} must be '.' or ','.")
    if reading.encoding is not None and not is_encoding(reading.encoding):
        raise OptionError(
            f"encoding={reading.encoding!r} is unknown: give a text encoding of Python, such as "
            "'utf-8' or 'cp1252'."
        )
    return reading


def is_encoding(name: str) -> bool:
    """Return whether Python has a text encoding of this name."""
    try:
        b"ab".decode(name)  # Empty bytes would pass with any name.
    except UnicodeError:
        pass
    except LookupError:
        return False
    return True


def without_missing(column: Column, missing: Sequence[str]) -> Column:
    """Return a column in which the values that match the given texts are missing."""
    if not missing:
        return column
    if isinstance(column, Labels):
        return without_labels(column, set(missing))
    numbers = [to_float(text) for text in missing if is_number(text)]
    is_missing = np.isin(column.values, numbers)
    if not is_missing.any():
        return column
    exact = None if column.exact is None else column.exact.copy()
    if exact is not None:
        exact[is_missing] = None
    return Numbers(np.where(is_missing, np.nan, column.values.astype(np.float64)), exact)


def without_labels(column: Labels, missing: set[str]) -> Labels:
    """Return a column in which the given labels are missing values."""
    keep = [at for at, label in enumerate(column.labels) if label not in missing]
    if len(keep) == len(column.labels):
        return column
    new_codes = np.full(len(column.labels) + 1, -1, dtype=np.int64)
    new_codes[keep] = np.arange(len(keep))
    labels = [column.labels[at] for at in keep]
    return replace(column, labels=labels, codes=new_codes[column.codes])
