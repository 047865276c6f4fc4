"""Counts in messages."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, in the singular or plural.

    >>> counted(1, "value"), counted(2, "value"), counted(1200, "row")
    ('1 value', '2 values', '1,200 rows')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
