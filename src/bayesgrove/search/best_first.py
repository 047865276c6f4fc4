"""Best-first search among subsets: greedy steps that can be taken back."""

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
    """The way to the best subset found, from the empty one.

    Of the subsets that are open, the best one (the oldest of equals) is expanded: every subset
    with one element more that is new is opened. The search ends when ``stale`` expansions in a
    row have found nothing better than the best subset by more than ``least``, or when nothing is
    open. Only the best ``stale`` subsets stay open.
    """
    start = float(evaluate([[]])[0])
    best: tuple[float, list[Move]] = (start, [])
    is_open, seen = [best], {frozenset[int]()}
    idle = 0
    while is_open and idle < stale:
        _, moves = is_open.pop(0)
        subset = [move.element for move in moves]
        new = [c for c in candidates if c not in subset and frozenset([*subset, c]) not in seen]
        seen.update(frozenset([*subset, c]) for c in new)
        values = evaluate([[*subset, c] for c in new]) if new else np.empty(0)
        opened = [
            (float(value), [*moves, Move(c, float(value))])
            for c, value in zip(new, values, strict=True)
        ]
        is_open = sorted(is_open + opened, key=lambda way: -round(way[0], TIE_DIGITS))[:stale]
        idle += 1
        if opened:
            found = opened[first_best(values)]
            if found[0] - best[0] > least:
                best, idle = found, 0
    return best[1]
