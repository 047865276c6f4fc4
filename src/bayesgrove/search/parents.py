"""Greedy search for parents along an order of the nodes."""

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
    """Return the parents of every node among the nodes before it in an order.

    A node gets the candidate with the largest gain as one more parent while there is a gain. Ties
    go to the earlier node in the order.

    Parameters
    ----------
    order : sequence of int
        The nodes.
    gains : callable
        Function ``gains(child, parents, candidates)`` that returns the gain of each candidate as
        one more parent.
    max_parents : int or None, default=None
        Maximum number of parents of a node. None means no limit.

    Returns
    -------
    dict of int to tuple of int
        Parents of every node, in the order in which they were added.
    """
    parent_sets: dict[int, tuple[int, ...]] = {}
    for position, child in enumerate(order):
        parents: list[int] = []
        candidates = list(order[:position])
        while candidates and (max_parents is None or len(parents) < max_parents):
            gained = gains(child, parents, candidates)
            best = first_best(gained)
            if not is_more(float(gained[best]), 0.0):
                break
            parents.append(candidates.pop(best))
        parent_sets[child] = tuple(parents)
    return parent_sets
