"""Greedy search among subsets: one element more, or one less, at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from bayesgrove._utils.options import require_choice
from bayesgrove._utils.ties import MEAN_NOISE, first_best, is_more
from bayesgrove.kernels import Floats

if TYPE_CHECKING:
    from collections.abc import Sequence

Evaluate = Callable[[list[list[int]]], Floats]
"""Values of some subsets."""
TIES = ("stop", "continue")


class Move(NamedTuple):
    """An element that was added or removed, and the value of the subset after it."""

    element: int
    value: float


def forward(candidates: Sequence[int], evaluate: Evaluate, ties: str) -> list[Move]:
    """Add the element that gives the best subset as long as that is better than the last one.

    With ``ties="continue"`` also while it is as good. Of equal elements the first is taken.
    """
    return _walk([], list(candidates), evaluate, ties, _added)


def backward(elements: Sequence[int], evaluate: Evaluate, ties: str) -> list[Move]:
    """Remove elements one by one, as `forward` adds them."""
    return _walk(list(elements), list(elements), evaluate, ties, _removed)


def guided(
    candidates: Sequence[int],
    rank: Callable[[list[int], list[int]], list[int]],
    evaluate: Evaluate,
    ties: str,
) -> list[Move]:
    """Add the first element in the order of a rank that makes the subset better, and go on.

    ``rank(subset, candidates)`` are the candidates worth a try, best first. Stops when none makes
    it better; with ``ties="continue"``, when all make it worse.
    """
    require_choice("ties", ties, TIES)
    subset: list[int] = []
    left = list(candidates)
    moves: list[Move] = []
    value = float(evaluate([subset])[0])
    while True:
        for element in rank(subset, left):
            new = float(evaluate([[*subset, element]])[0])
            if _accepted(new, value, ties):
                break
        else:
            return moves
        value = new
        subset.append(element)
        left.remove(element)
        moves.append(Move(element, value))


def _walk(
    subset: list[int],
    left: list[int],
    evaluate: Evaluate,
    ties: str,
    change: Callable[[list[int], int], list[int]],
) -> list[Move]:
    require_choice("ties", ties, TIES)
    moves: list[Move] = []
    value = float(evaluate([subset])[0])
    while left:
        values = evaluate([change(subset, element) for element in left])
        best = first_best(values, MEAN_NOISE)
        if not _accepted(float(values[best]), value, ties):
            break
        value = float(values[best])
        element = left.pop(best)
        subset = change(subset, element)
        moves.append(Move(element, value))
    return moves


def _added(subset: list[int], element: int) -> list[int]:
    return [*subset, element]


def _removed(subset: list[int], element: int) -> list[int]:
    return [own for own in subset if own != element]


def _accepted(new: float, old: float, ties: str) -> bool:
    return is_more(new, old, MEAN_NOISE) or (
        ties == "continue" and not is_more(old, new, MEAN_NOISE)
    )
