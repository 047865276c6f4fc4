"""Counts of a family: a child given the joint value of its parents."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bayesgrove.counts.configurations import Configurations
from bayesgrove.encoding import code_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bayesgrove.kernels import Floats


class Family(NamedTuple):
    """A variable and its parents.

    Parameters
    ----------
    child : int
        Number of the variable.
    parents : tuple of int
        Numbers of the attributes among its parents.
    given_class : bool
        Whether the class is a parent too.
    """

    child: int
    parents: tuple[int, ...]
    given_class: bool

    @classmethod
    def of(cls, child: int, parents: Iterable[int], class_variable: int) -> Family:
        """Return the family of a variable and a collection of parents that may include the class.

        Parameters
        ----------
        child : int
            Number of the variable.
        parents : iterable of int
            Numbers of the parents, in any order.
        class_variable : int
            Number of the class.

        Returns
        -------
        Family
            The variable, its attribute parents in ascending order, and whether the class is a
            parent.
        """
        all_parents = set(parents)
        attributes = tuple(sorted(all_parents - {class_variable}))
        return cls(child, attributes, given_class=class_variable in all_parents)

    def has_class(self, class_variable: int) -> bool:
        """Return whether the class is the child or a parent.

        Parameters
        ----------
        class_variable : int
            Number of the class.

        Returns
        -------
        bool
            Whether the class belongs to the family.
        """
        return self.given_class or self.child == class_variable

    def scope(self, class_variable: int) -> tuple[int, ...]:
        """Return the variables of the axes of the whole table.

        Parameters
        ----------
        class_variable : int
            Number of the class.

        Returns
        -------
        tuple of int
            The attribute parents, the class if it is a parent, and the child.
        """
        class_axis = (class_variable,) if self.given_class else ()
        return (*self.parents, *class_axis, self.child)


@dataclass(frozen=True)
class FamilyTable:
    """Counts of a family as ``counts[configuration of the parents, class, value]``.

    The class has a separate axis, since a classifier needs the counts of all classes at once.

    Parameters
    ----------
    family : Family
        The child and its parents.
    configurations : Configurations
        The numbering of the joint values of the attribute parents.
    counts : ndarray of shape (n_configurations, n_classes, card)
        Weights of the rows with each joint value; ``card`` is the cardinality of the child. The
        class axis has length 1 if the class is not a parent.
    """

    family: Family
    configurations: Configurations
    counts: Floats

    @property
    def whole(self) -> Floats:
        """Counts of all configurations, whether they occur or not."""
        if self.configurations.keys is None:
            return self.counts
        cards = self.configurations.cards
        cells = np.zeros((math.prod(cards), *self.counts.shape[1:]))
        cells[np.ravel_multi_index(tuple(self.configurations.table.T), cards)] = self.counts
        return cells

    def renumbered(self, family: Family, order: Sequence[int]) -> FamilyTable:
        """Return the table with the parents in another order, as the table of another family.

        Parameters
        ----------
        family : Family
            The family of the new table. Its parent ``k`` is parent ``order[k]`` of this table.
        order : sequence of int
            A permutation of the positions of the parents.

        Returns
        -------
        FamilyTable
            The same counts, with configurations in the order of the new parents.
        """
        if list(order) == sorted(order):
            return FamilyTable(family, self.configurations, self.counts)
        cards = tuple(self.configurations.cards[k] for k in order)
        if self.configurations.keys is None:
            axes = [*order, len(order), len(order) + 1]
            cells = self.counts.reshape(*self.configurations.cards, *self.counts.shape[1:])
            counts = cells.transpose(axes).reshape(self.counts.shape)
            return FamilyTable(family, Configurations(cards), counts)
        codes = self.configurations.table[:, list(order)]
        configurations = Configurations.observed(codes, cards)
        columns = [
            np.ascontiguousarray(codes[:, k]).astype(code_type(card))
            for k, card in enumerate(cards)
        ]
        counts = np.empty_like(self.counts)
        counts[configurations.locate(columns, len(codes))] = self.counts
        return FamilyTable(family, configurations, counts)

    def merge(self, other: FamilyTable) -> FamilyTable:
        """Return the sum of two tables of one family.

        Parameters
        ----------
        other : FamilyTable
            Counts of the same family in other rows.

        Returns
        -------
        FamilyTable
            The sum, over the union of the configurations of both tables.
        """
        if self.configurations.keys is None:
            return FamilyTable(self.family, self.configurations, self.counts + other.counts)
        union = self.configurations.union(other.configurations)
        counts = np.zeros((union.size, *self.counts.shape[1:]))
        for part in (self, other):
            codes = part.configurations.table
            columns = [
                np.ascontiguousarray(codes[:, k]).astype(code_type(card))
                for k, card in enumerate(union.cards)
            ]
            counts[union.locate(columns, len(codes))] += part.counts
        return FamilyTable(self.family, union, counts)
