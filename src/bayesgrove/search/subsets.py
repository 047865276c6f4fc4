"""Greedy search among subsets: elements are added or removed one at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from bayesgrove._utils.options import require_choice
from bayesgrove._utils.ties import MEAN_NOISE, first_best, is_more
from bayesgrove.kernels import Floats

if TYPE_CHECKING:
    from collections.abc import Sequence

Evaluate = Callable[[list[list[int]]], Floats]
"""A function of a list of subsets that returns one value per subset."""
TIES = ("stop", "continue")
"""Ways to treat a next subset that is only as good as the current one."""


class Move(NamedTuple):
    """An element that was added or removed.

    Parameters
    ----------
    element : int
        The element.
    value : float
        Value of the subset after the move.
    """

    element: int
    value: float


def forward(candidates: Sequence[int], evaluate: Evaluate, ties: str) -> list[Move]:
    """Add the element that gives the best subset while the subset improves.

    The search starts with the empty subset. Ties go to the earlier element.

    Parameters
    ----------
    candidates : sequence of int
        Elements that may be added.
    evaluate : callable
        Function of a list of subsets that returns one value per subset; larger is better.
    ties : {"stop", "continue"}
        Whether a subset that is only as good as the current one ends the search ("stop") or is
        accepted ("continue").

    Returns
    -------
    list of Move
        The added elements, each with the value of the subset after the move.
    """
    return _walk([], list(candidates), evaluate, ties, _added)


def backward(elements: Sequence[int], evaluate: Evaluate, ties: str) -> list[Move]:
    """Remove the element whose removal gives the best subset while the subset improves.

    The search starts with all elements. Ties go to the earlier element.

    Parameters
    ----------
    elements : sequence of int
        The elements.
    evaluate : callable
        Function of a list of subsets that returns one value per subset; larger is better.
    ties : {"stop", "continue"}
        Whether a subset that is only as good as the current one ends the search ("stop") or is
        accepted ("continue").

    Returns
    -------
    list of Move
        The removed elements, each with the value of the subset after the move.
    """
    return _walk(list(elements), list(elements), evaluate, ties, _removed)


def guided(
    candidates: Sequence[int],
    rank: Callable[[list[int], list[int]], list[int]],
    evaluate: Evaluate,
    ties: str,
) -> list[Move]:
    """Add the first element, in the order of a ranking, that improves the subset, and repeat.

    The search stops when no element improves the subset or, with ``ties="continue"``, when all
    elements make it worse.

    Parameters
    ----------
    candidates : sequence of int
        Elements that may be added.
    rank : callable
        Function ``rank(subset, candidates)`` that returns the candidates worth trying, best first.
    evaluate : callable
        Function of a list of subsets that returns one value per subset; larger is better.
    ties : {"stop", "continue"}
        Whether a subset that is only as good as the current one ends the search ("stop") or is
        accepted ("continue").

    Returns
    -------
    list of Move
        The added elements, each with the value of the subset after the move.
    """
    require_choice("ties", ties, TIES)
    subset: list[int] = []
    remaining = list(candidates)
    moves: list[Move] = []
    value = float(evaluate([subset])[0])
    while True:
        for element in rank(subset, remaining):
            new = float(evaluate([[*subset, element]])[0])
            if is_accepted(new, value, ties):
                break
        else:
            return moves
        value = new
        subset.append(element)
        remaining.remove(element)
        moves.append(Move(element, value))


def _walk(
    subset: list[int],
    remaining: list[int],
    evaluate: Evaluate,
    ties: str,
    change: Callable[[list[int], int], list[int]],
) -> list[Move]:
    """Return the moves of a greedy search; ``change`` adds an element to a subset or removes it."""
    require_choice("ties", ties, TIES)
    moves: list[Move] = []
    value = float(evaluate([subset])[0])
    while remaining:
        values = evaluate([change(subset, element) for element in remaining])
        best = first_best(values, MEAN_NOISE)
        if not is_accepted(float(values[best]), value, ties):
            break
        value = float(values[best])
        element = remaining.pop(best)
        subset = change(subset, element)
        moves.append(Move(element, value))
    return moves


def _added(subset: list[int], element: int) -> list[int]:
    """Return a subset with one more element."""
    return [*subset, element]


def _removed(subset: list[int], element: int) -> list[int]:
    """Return a subset without an element."""
    return [member for member in subset if member != element]


def is_accepted(new: float, old: float, ties: str) -> bool:
    """Return whether a new value is better, or as good if ``ties`` is "continue"."""
    return is_more(new, old, MEAN_NOISE) or (
        ties == "continue" and not is_more(old, new, MEAN_NOISE)
    )
