"""Greedy parents along an order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayesgrove._utils.ties import first_best, is_more

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bayesgrove.kernels import Floats


def greedy_parents(
    order: Sequence[int],
    gains: Callable[[int, list[int], list[int]], Floats],
    max_parents: int | None = None,
) -> dict[int, tuple[int, ...]]:
    """Parents of every node among those before it, in the order in which they were added.

    A node takes the candidate of the largest gain, of equal ones the first in the order, as long
    as there is a gain: ``gains(child, parents, candidates)``.
    """
    found: dict[int, tuple[int, ...]] = {}
    for place, child in enumerate(order):
        parents: list[int] = []
        candidates = list(order[:place])
        while candidates and (max_parents is None or len(parents) < max_parents):
            gained = gains(child, parents, candidates)
            best = first_best(gained)
            if not is_more(float(gained[best]), 0.0):
                break
            parents.append(candidates.pop(best))
        found[child] = tuple(parents)
    return found
