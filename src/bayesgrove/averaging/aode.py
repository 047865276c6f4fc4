"""AODE: one network per attribute, in which it is a parent of all others and of the class.

G. I. Webb, J. R. Boughton and Z. Wang (2005). Not so naive Bayes: aggregating one-dependence
estimators. Machine Learning 58, 5-24.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove._utils.memory import require_memory
from bayesgrove._utils.options import require_count, require_number
from bayesgrove._utils.ties import nearly
from bayesgrove.counts import Configurations, Family, FamilyTable
from bayesgrove.network import BayesianNetwork, Structure
from bayesgrove.parameters.dirichlet import conditional

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.counts import CountSource
    from bayesgrove.kernels import Floats
    from bayesgrove.network import ConditionalTable

WIDE = 256
"""Columns of more values are counted pair by pair: the table of all pairs would be too large."""


@dataclass(frozen=True)
class SuperParents:
    """The networks of all super-parents that have a value with at least ``min_rows`` rows.

    The root is the super-parent i, its children are the class and all other attributes, which
    also have the class as a parent: ``P(y, x_i) prod_j P(x_j | y, x_i)``. ``alpha`` is the
    pseudo-count of every cell of ``F(y, x_i)`` and ``F(y, x_i, x_j)``.
    """

    min_rows: int = 1
    alpha: float = 1.0

    def check(self) -> None:
        """Raise unless the options can be used."""
        require_count("min_rows", self.min_rows, lowest=1)
        require_number("min_rows", self.min_rows)
        require_number("alpha", self.alpha, lowest=0)

    def frequent(self, tables: Sequence[FamilyTable]) -> list[NDArray[np.bool_]]:
        """Say of every code of every attribute whether it has enough rows; missing has not.

        ``tables`` are those of the attributes given the class, then of the class. Weights that sum
        to ``min_rows`` up to rounding are enough.
        """
        least = nearly(float(self.min_rows))
        sums = [table.counts.sum(axis=(0, 1)) for table in tables[:-1]]
        return [np.append(rows >= least, False) for rows in sums]

    def networks(
        self,
        counts: CountSource,
        of_attributes: Sequence[FamilyTable],
        states: Sequence[tuple[Any, ...]],
    ) -> Iterator[BayesianNetwork]:
        """Yield the network of every super-parent; ``of_attributes`` are as in `frequent`."""
        last = counts.n_attributes
        parents = [v for v, codes in enumerate(self.frequent(of_attributes)) if codes.any()]
        tables = _child_tables(counts, parents, self.alpha)
        for parent in parents:
            given = [() if v == parent else (parent, last) for v in range(last)]
            structure = Structure((*given, (parent,)))
            tables |= _top_tables(parent, last, of_attributes[parent].counts[0], self.alpha)
            families = [structure.family(v) for v in range(last + 1)]
            yield BayesianNetwork(counts.names, states, structure, [tables[f] for f in families])


def _top_tables(
    parent: int, last: int, counts: Floats, alpha: float
) -> dict[Family, ConditionalTable]:
    """Return ``P(x_i)`` and ``P(y | x_i)``, whose product is ``P(y, x_i)``, from ``F[y, x_i]``.

    Each cell of ``F[y, x_i]`` has the pseudo-count alpha, so that of a value has k alpha.
    """
    classes, card = counts.shape
    of_parent = FamilyTable(
        Family(parent, (), given_class=False), Configurations(()), counts.sum(axis=0)[None, None]
    )
    of_class = FamilyTable(
        Family(last, (parent,), given_class=False), Configurations((card,)), counts.T[:, None]
    )
    return {
        of_parent.family: conditional(of_parent, classes * alpha),
        of_class.family: conditional(of_class, alpha),
    }


def _child_tables(
    counts: CountSource, parents: Sequence[int], alpha: float
) -> dict[Family, ConditionalTable]:
    """Return ``P(x_j | y, x_i)`` of all super-parents i and all other attributes j."""
    if not parents:
        return {}
    room = [card + 1 for card in counts.attribute_cards]  # a program has cells for missing values
    total = sum(room)
    require_memory(
        2 * 8 * counts.n_classes * sum(room[v] * (total - room[v]) for v in parents),
        f"The tables of {len(parents)} super-parents",
        "raise min_rows, or leave out or merge values of columns with very many values",
    )
    wanted = set(parents)
    return {
        table.family: conditional(table, alpha)
        for table in chain(_narrow_pairs(counts), _wide_pairs(counts, parents))
        if table.family.parents[0] in wanted
    }


def _narrow_pairs(counts: CountSource) -> Iterator[FamilyTable]:
    """Yield the tables of all pairs of columns without too many values, in both directions."""
    narrow = [v for v, card in enumerate(counts.attribute_cards) if card <= WIDE]
    ends = np.cumsum([0, *(counts.cards[v] for v in narrow)])
    for block in counts.pair_tables(narrow):
        for i in range(block.first, block.last):
            start, stop = ends[i : i + 2] - ends[block.first]
            for j in range(i):
                cells = block.counts[:, start:stop, ends[j] : ends[j + 1]]
                yield _pair_table(narrow[i], narrow[j], cells.transpose(1, 0, 2))
                yield _pair_table(narrow[j], narrow[i], cells.transpose(2, 0, 1))


def _pair_table(parent: int, child: int, cells: Floats) -> FamilyTable:
    """Return ``F[x_i, y, x_j]`` as the table of a child given its super-parent and the class."""
    family = Family(child, (parent,), given_class=True)
    return FamilyTable(family, Configurations((len(cells),)), np.ascontiguousarray(cells))


def _wide_pairs(counts: CountSource, parents: Sequence[int]) -> list[FamilyTable]:
    """Return the tables of pairs with a column of many values, counted in one further pass."""
    wide = {v for v, card in enumerate(counts.attribute_cards) if card > WIDE}
    return counts.tables(
        [
            Family(child, (parent,), given_class=True)
            for parent in parents
            for child in range(counts.n_attributes)
            if child != parent and wide & {child, parent}
        ]
    )
