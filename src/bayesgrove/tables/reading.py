"""How a table is to be read."""

from __future__ import annotations

from dataclasses import dataclass

FORMATS = ("csv", "parquet", "feather", "arff")
STDIN = "-"


@dataclass(frozen=True)
class Reading:
    """What the user says about a table; what is None is found out.

    ``missing`` lists texts that stand for missing values, beside the empty field.
    """

    format: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    missing: tuple[str, ...] = ()
