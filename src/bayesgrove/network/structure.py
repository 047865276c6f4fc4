"""Parents of every node: what structure learners return."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from bayesgrove.counts import Family


@dataclass(frozen=True)
class Structure:
    """``parents[v]`` of the attributes 0..n-1 and, last, of the class, variable n."""

    parents: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        self.order()  # refuses a cycle

    @property
    def class_variable(self) -> int:
        """Number of the class variable."""
        return len(self.parents) - 1

    @cached_property
    def children(self) -> tuple[frozenset[int], ...]:
        """Children of every variable."""
        children: list[set[int]] = [set() for _ in self.parents]
        for child, parents in enumerate(self.parents):
            for parent in parents:
                children[parent].add(child)
        return tuple(map(frozenset, children))

    def family(self, variable: int) -> Family:
        """A variable with its attribute parents and whether the class is one more."""
        return Family.of(variable, self.parents[variable], self.class_variable)

    def order(self) -> list[int]:
        """Variables in an order in which parents come before their children."""
        waiting = [len(set(parents)) for parents in self.parents]
        order = [v for v, count in enumerate(waiting) if count == 0]
        for variable in order:  # grows while it is walked
            for child in sorted(self.children[variable]):
                waiting[child] -= 1
                if waiting[child] == 0:
                    order.append(child)
        if len(order) < len(self.parents):
            stuck = next(v for v, count in enumerate(waiting) if count > 0)
            raise ValueError(f"The arcs make a cycle through variable {stuck}.")
        return order
