"""Best-first search among subsets: a greedy search that can go back to earlier subsets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.ties import SUM_NOISE, TIE_DIGITS, first_best
from bayesgrove.search.subsets import Move

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.search.subsets import Evaluate


def best_first(
    candidates: Sequence[int], evaluate: Evaluate, stale: int, least: float = SUM_NOISE
) -> list[Move]:
    """Return the moves from the empty subset to the best subset of the search.

    The search keeps a queue of subsets. It expands the best one; ties go to the oldest one. The
    expansion adds to the queue every new subset with one more element. Only the best ``stale``
    subsets stay in the queue.

    Parameters
    ----------
    candidates : sequence of int
        Elements that subsets may have.
    evaluate : callable
        Function of a list of subsets that returns one value per subset; larger is better.
    stale : int
        The search ends after this many successive expansions without a better subset, or when the
        queue is empty.
    least : float
        A subset is better only if its value exceeds the best value by more than this.

    Returns
    -------
    list of Move
        Elements in the order in which they were added, each with the value of the subset after it.
    """
    start = float(evaluate([[]])[0])
    best: tuple[float, list[Move]] = (start, [])
    queue, seen = [best], {frozenset[int]()}
    idle = 0
    while queue and idle < stale:
        _, moves = queue.pop(0)
        subset = [move.element for move in moves]
        new = [c for c in candidates if c not in subset and frozenset([*subset, c]) not in seen]
        seen.update(frozenset([*subset, c]) for c in new)
        values = evaluate([[*subset, c] for c in new]) if new else np.empty(0)
        opened = [
            (float(value), [*moves, Move(c, float(value))])
            for c, value in zip(new, values, strict=True)
        ]
        queue = sorted(queue + opened, key=lambda entry: -round(entry[0], TIE_DIGITS))[:stale]
        idle += 1
        if opened:
            best_new = opened[first_best(values)]
            if best_new[0] - best[0] > least:
                best, idle = best_new, 0
    return best[1]
