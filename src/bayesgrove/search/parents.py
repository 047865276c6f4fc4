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
    return {
        child: best_parents(child, order[:position], gains, max_parents)
        for position, child in enumerate(order)
    }


def best_parents(
    child: int,
    predecessors: Sequence[int],
    gains: Callable[[int, list[int], list[int]], Floats],
    max_parents: int | None = None,
) -> tuple[int, ...]:
    """Return the parents of one node, by the same search as `greedy_parents`.

    Parameters
    ----------
    child : int
        The node.
    predecessors : sequence of int
        Nodes that may become parents. Ties go to the earlier one.
    gains : callable
        Function ``gains(child, parents, candidates)`` that returns the gain of each candidate as
        one more parent.
    max_parents : int or None, default=None
        Maximum number of parents. None means no limit.

    Returns
    -------
    tuple of int
        The parents, in the order in which they were added.
    """
    parents: list[int] = []
    candidates = list(predecessors)
    while candidates and (max_parents is None or len(parents) < max_parents):
        gained = gains(child, parents, candidates)
        best = first_best(gained)
        if not is_more(float(gained[best]), 0.0):
            break
        parents.append(candidates.pop(best))
    return tuple(parents)
