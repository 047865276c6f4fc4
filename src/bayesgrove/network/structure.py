"""The structure of a network: the parents of every node."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from bayesgrove.counts import Family

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Structure:
    """The parents of every variable: the result of a structure learner.

    The variables are numbered: the attributes are 0 to n-1, and the class is n, the last one.

    Parameters
    ----------
    parents : tuple of tuple of int
        The parents of every variable by number, in the order of the variables. A cycle raises a
        ValueError.

    Examples
    --------
    >>> from bayesgrove.network import Structure
    >>> structure = Structure(((2,), (0, 2), ()))  # Two attributes and the class, variable 2.
    >>> structure.class_variable, structure.order()
    (2, [2, 0, 1])
    """

    parents: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        self.order()  # Raises if there is a cycle.

    @property
    def class_variable(self) -> int:
        """Number of the class variable."""
        return len(self.parents) - 1

    @cached_property
    def children(self) -> tuple[frozenset[int], ...]:
        """Children of every variable, in the order of the variables."""
        children: list[set[int]] = [set() for _ in self.parents]
        for child, parents in enumerate(self.parents):
            for parent in parents:
                children[parent].add(child)
        return tuple(map(frozenset, children))

    def family(self, variable: int) -> Family:
        """Return a variable together with its parents.

        Parameters
        ----------
        variable : int
            Number of the variable.

        Returns
        -------
        Family
            The variable as ``child``, its attribute parents in ascending order as ``parents``, and
            in ``given_class`` whether the class is a parent too.
        """
        return Family.of(variable, self.parents[variable], self.class_variable)

    def renumbered(self, numbers: Sequence[int]) -> Structure:
        """Return the same structure with other numbers of the variables.

        Parameters
        ----------
        numbers : sequence of int
            The new number of every variable: a permutation of 0 to n in which the class keeps n.

        Returns
        -------
        Structure
            The structure in which the variable v has the number ``numbers[v]``.

        Examples
        --------
        >>> from bayesgrove.network import Structure
        >>> Structure(((2,), (0, 2), ())).renumbered([1, 0, 2]).parents
        ((1, 2), (2,), ())
        """
        old = sorted(range(len(numbers)), key=numbers.__getitem__)
        return Structure(tuple(tuple(numbers[p] for p in self.parents[v]) for v in old))

    def order(self) -> list[int]:
        """Return the variables in an order in which parents come before their children.

        Returns
        -------
        list of int
            Numbers of all variables, in a topological order.

        Raises
        ------
        ValueError
            If the arcs make a cycle.
        """
        unplaced_parents = [len(set(parents)) for parents in self.parents]
        order = [v for v, count in enumerate(unplaced_parents) if count == 0]
        for variable in order:  # The list grows during the loop.
            for child in sorted(self.children[variable]):
                unplaced_parents[child] -= 1
                if unplaced_parents[child] == 0:
                    order.append(child)
        if len(order) < len(self.parents):
            stuck = next(v for v, count in enumerate(unplaced_parents) if count > 0)
            raise ValueError(f"The arcs make a cycle through variable {stuck}.")
        return order
