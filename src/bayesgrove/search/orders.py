"""Orders of nodes that users write as names, level by level."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import TYPE_CHECKING, Any

from bayesgrove._utils.options import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence


def named_levels(order: Any, names: Sequence[str]) -> list[list[int]]:
    """Return the numbers of the nodes of every level of an order.

    An order is a list of levels. A level is a list of names; a single name is a level with one
    node. Every node must be named once. The last of ``names`` is the class.

    >>> named_levels([["age", "sex"], "class"], ["age", "sex", "class"])
    [[0, 1], [2]]
    """
    if isinstance(order, (str, Mapping, Set)) or not isinstance(order, Iterable):
        raise OptionError(f"order={order!r} must be a list of names.")
    number_of = {name: v for v, name in enumerate(names)}
    levels = [[str(name) for name in _as_level(level)] for level in order]
    seen: set[str] = set()
    for name in (name for level in levels for name in level):
        if name not in number_of:
            raise ValueError(
                f"order names {name!r}, which is not a node: the nodes are the columns and the "
                f"class {names[-1]!r}."
            )
        if name in seen:
            raise ValueError(f"order names {name!r} more than once.")
        seen.add(name)
    for name in names:
        if name not in seen:
            kind = "the class" if name == names[-1] else "the column"
            raise ValueError(f"order lacks {kind} {name!r}: it must name every node once.")
    return [[number_of[name] for name in level] for level in levels]


def _as_level(level: Any) -> list[Any]:
    """Return a level as a list; a single name becomes a list with one name."""
    is_list = isinstance(level, Iterable) and not isinstance(level, (str, bytes))
    return list(level) if is_list else [level]
