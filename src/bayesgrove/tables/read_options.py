"""How a table is to be read."""

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
    """What the user says about a table; what is None is found out.

    ``na_values`` lists texts that stand for missing values, beside the empty field.
    """

    format: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    na_values: tuple[str, ...] = ()


def require_readable(reading: ReadOptions) -> ReadOptions:
    """Return what the user says about a table; raise for what cannot be."""
    if reading.format not in (None, *FORMATS):
        raise OptionError(f"format={reading.format!r} must be one of {', '.join(FORMATS)}.")
    delimiter = reading.delimiter
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n\0'):
        raise OptionError(f"delimiter={delimiter!r} must be one character.")
    if reading.decimal not in (None, ".", ","):
        raise OptionError(f"decimal={reading.decimal!r} must be '.' or ','.")
    if reading.encoding is not None and not is_encoding(reading.encoding):
        raise OptionError(f"encoding={reading.encoding!r} is unknown.")
    return reading


def is_encoding(name: str) -> bool:
    """Return whether text can be written in an encoding of this name."""
    try:
        b"ab".decode(name)  # an empty text would be decoded by anything
    except UnicodeError:
        pass
    except LookupError:
        return False
    return True


def without_missing(column: Column, missing: Sequence[str]) -> Column:
    """Return a column in which some values, given as texts, are missing."""
    if not missing:
        return column
    if isinstance(column, Labels):
        return without_labels(column, set(missing))
    numbers = [to_float(text) for text in missing if is_number(text)]
    gone = np.isin(column.values, numbers)
    if not gone.any():
        return column
    exact = None if column.exact is None else column.exact.copy()
    if exact is not None:
        exact[gone] = None
    return Numbers(np.where(gone, np.nan, column.values.astype(np.float64)), exact)


def without_labels(column: Labels, missing: set[str]) -> Labels:
    """Return labels of which some are missing."""
    keep = [at for at, label in enumerate(column.labels) if label not in missing]
    if len(keep) == len(column.labels):
        return column
    table = np.full(len(column.labels) + 1, -1, dtype=np.int64)
    table[keep] = np.arange(len(keep))
    labels = [column.labels[at] for at in keep]
    return replace(column, labels=labels, codes=table[column.codes])
