"""The numbers that the papers publish."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

MARKS = {"better": "+", "worse": "-"}


@dataclass(frozen=True)
class PublishedValue:
    """One published number.

    ``spread`` is the number printed next to it, if any: the standard deviation of a mean, or the t
    value of a difference. ``mark`` is + or - if the paper marks the method as significantly better
    or worse than the method that it is compared with.
    """

    paper: str
    table: str
    dataset: str
    method: str
    metric: str
    value: float
    spread: float | None
    mark: str
    note: str


@cache
def published(paper: str) -> tuple[PublishedValue, ...]:
    """Return all published numbers of a paper, in the order of its tables."""
    source = files("bayesgrove.reproduce") / "data" / "published.csv"
    lines = source.read_text(encoding="utf-8").splitlines()
    rows = [row for row in csv.DictReader(lines) if row["seed"] == paper]
    return tuple(
        PublishedValue(
            paper,
            row["table"],
            row["dataset"],
            row["method"],
            row["metric"],
            float(row["value"]),
            float(row["spread"]) if row["spread"] else None,
            MARKS.get(row["mark"], row["mark"]),
            row["note"],
        )
        for row in rows
    )
