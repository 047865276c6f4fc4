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
    """A variable and its parents; ``given_class`` says whether the class is one of them."""

    child: int
    parents: tuple[int, ...]
    given_class: bool

    @classmethod
    def of(cls, child: int, parents: Iterable[int], class_variable: int) -> Family:
        """A variable with its attribute parents in order, and whether the class is one more."""
        own = set(parents)
        attributes = tuple(sorted(own - {class_variable}))
        return cls(child, attributes, given_class=class_variable in own)

    def has_class(self, class_variable: int) -> bool:
        """Whether the class is the child or a parent."""
        return self.given_class or self.child == class_variable

    def scope(self, class_variable: int) -> tuple[int, ...]:
        """Variables of the axes of the whole table: parents, the class, the child."""
        given = (class_variable,) if self.given_class else ()
        return (*self.parents, *given, self.child)


@dataclass(frozen=True)
class FamilyTable:
    """``counts[configuration of the parents, class, value]``.

    The class, where it is a parent, has an axis of its own (else its length is 1): a
    classifier asks for all classes at once.
    """

    family: Family
    configurations: Configurations
    counts: Floats

    @property
    def whole(self) -> Floats:
        """The counts with all configurations, whether they occur or not."""
        if self.configurations.keys is None:
            return self.counts
        cards = self.configurations.cards
        cells = np.zeros((math.prod(cards), *self.counts.shape[1:]))
        cells[np.ravel_multi_index(tuple(self.configurations.table.T), cards)] = self.counts
        return cells

    def renumbered(self, family: Family, order: Sequence[int]) -> FamilyTable:
        """Return the table as one of ``family``, whose parents are these in another order.

        Parent ``k`` of the family is parent ``order[k]`` of this table.
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
        """Sum of two tables of one family, over the union of their configurations."""
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
