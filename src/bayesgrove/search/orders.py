"""Orders that users write down: names of nodes, level by level."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import TYPE_CHECKING, Any

from bayesgrove._utils.options import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence


def named_levels(order: Any, names: Sequence[str]) -> list[list[int]]:
    """Numbers of the nodes of every level; a name by itself is a level of one.

    Every node must be named once; the last of the names is that of the class.

    >>> named_levels([["age", "sex"], "class"], ["age", "sex", "class"])
    [[0, 1], [2]]
    """
    if isinstance(order, (str, Mapping, Set)) or not isinstance(order, Iterable):
        raise OptionError(f"order={order!r} must be a list of names.")
    place = {name: v for v, name in enumerate(names)}
    levels = [[str(name) for name in _as_level(level)] for level in order]
    seen: set[str] = set()
    for name in (name for level in levels for name in level):
        if name not in place:
            raise ValueError(
                f"order names {name!r}, which is no node: the nodes are the columns and the "
                f"class {names[-1]!r}."
            )
        if name in seen:
            raise ValueError(f"order names {name!r} more than once.")
        seen.add(name)
    for name in names:
        if name not in seen:
            what = "the class" if name == names[-1] else "the column"
            raise ValueError(f"order misses {what} {name!r}: it must name every node once.")
    return [[place[name] for name in level] for level in levels]


def _as_level(level: Any) -> list[Any]:
    is_list = isinstance(level, Iterable) and not isinstance(level, (str, bytes))
    return list(level) if is_list else [level]
