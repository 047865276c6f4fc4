"""Counts and lists in messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, in the singular or plural.

    >>> counted(1, "value"), counted(2, "value"), counted(1200, "row")
    ('1 value', '2 values', '1,200 rows')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def listed(items: Iterable[Any], limit: int = 10) -> str:
    """Return the first items in words, and how many more there are.

    >>> listed("abc"), listed("abcd", limit=2)
    ('a, b, c', 'a, b and 2 more')
    """
    texts = [str(item) for item in items]
    more = f" and {len(texts) - limit} more" if len(texts) > limit else ""
    return ", ".join(texts[:limit]) + more
