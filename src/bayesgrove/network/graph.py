"""What the graph alone says: ancestors, blankets, independence."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bayesgrove.network.structure import Structure


def ancestral(structure: Structure, variables: Iterable[int]) -> set[int]:
    """The variables and all their ancestors."""
    found: set[int] = set()
    waiting = list(variables)
    while waiting:
        v = waiting.pop()
        if v not in found:
            found.add(v)
            waiting += structure.parents[v]
    return found


def markov_blanket(structure: Structure, variable: int) -> set[int]:
    """Parents, children, and the children's other parents: they shield it from all others."""
    children = structure.children[variable]
    blanket = {*structure.parents[variable], *children}
    blanket.update(v for child in children for v in structure.parents[child])
    return blanket - {variable}


def d_separated(structure: Structure, first: int, second: int, given: set[int]) -> bool:
    """Whether every path between two variables is blocked by the given ones.

    In the moral graph of the ancestors of all of them, without the given ones, there is no path
    (Lauritzen, Dawid, Larsen & Leimer 1990).
    """
    inside = ancestral(structure, {first, second} | given)
    reached, waiting = {first}, [first]
    while waiting:
        v = waiting.pop()
        families = [v, *(structure.children[v] & inside)]
        near = {u for child in families for u in (child, *structure.parents[child])}
        new = near - given - reached
        reached |= new
        waiting += new
    return second not in reached
