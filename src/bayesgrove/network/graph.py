"""Properties of the graph: ancestors, Markov blankets and d-separation."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bayesgrove.network.structure import Structure


def ancestral(structure: Structure, variables: Iterable[int]) -> set[int]:
    """Return the variables and all their ancestors."""
    ancestors: set[int] = set()
    waiting = list(variables)
    while waiting:
        v = waiting.pop()
        if v not in ancestors:
            ancestors.add(v)
            waiting += structure.parents[v]
    return ancestors


def markov_blanket(structure: Structure, variable: int) -> set[int]:
    """Return the parents, the children and the other parents of the children of a variable.

    Given its Markov blanket, a variable is independent of all other variables.
    """
    children = structure.children[variable]
    blanket = {*structure.parents[variable], *children}
    blanket.update(v for child in children for v in structure.parents[child])
    return blanket - {variable}


def d_separated(structure: Structure, first: int, second: int, given: set[int]) -> bool:
    """Return whether the given variables block every path between two variables.

    This holds if there is no path between the two variables in the following graph: the moral graph
    of the two variables, the given variables and all their ancestors, without the given variables
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
