"""AODE: one network per attribute, which is the parent of the class and of all other attributes.

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
"""Columns with more values are counted pair by pair; one table of all pairs would be too large."""


@dataclass(frozen=True)
class SuperParents:
    """One-dependence estimators: one network per super-parent.

    The super-parent i is the root of its network. Its children are the class and all other
    attributes. The other attributes also have the class as a parent:
    ``P(y, x_i) prod_j P(x_j | y, x_i)``.

    Parameters
    ----------
    min_rows : int, default=1
        An attribute is a super-parent if at least one of its values has this number of rows (the
        paper's m).
    alpha : float, default=1.0
        The pseudo-count of every cell of the frequencies ``F(y, x_i)`` and ``F(y, x_i, x_j)``, at
        least 0.

    References
    ----------
    G. I. Webb, J. R. Boughton and Z. Wang (2005). Not so naive Bayes: aggregating one-dependence
    estimators. Machine Learning 58, 5-24.
    """

    min_rows: int = 1
    alpha: float = 1.0

    def check(self) -> None:
        """Raise unless the options are valid."""
        require_count("min_rows", self.min_rows, lowest=1)
        require_number("min_rows", self.min_rows)
        require_number("alpha", self.alpha, lowest=0)

    def frequent(self, tables: Sequence[FamilyTable]) -> list[NDArray[np.bool_]]:
        """Return whether each code of each attribute has at least ``min_rows`` rows.

        The code of a missing value never has. ``tables`` are the tables of the attributes given the
        class, then of the class. Weights that sum to ``min_rows`` up to rounding are sufficient.
        """
        threshold = nearly(float(self.min_rows))
        sums = [table.counts.sum(axis=(0, 1)) for table in tables[:-1]]
        return [np.append(rows >= threshold, False) for rows in sums]

    def networks(
        self,
        counts: CountSource,
        of_attributes: Sequence[FamilyTable],
        states: Sequence[tuple[Any, ...]],
    ) -> Iterator[BayesianNetwork]:
        """Yield the network of every super-parent.

        ``of_attributes`` are the tables of the attributes given the class, then of the class.
        """
        last = counts.n_attributes
        parents = [v for v, codes in enumerate(self.frequent(of_attributes)) if codes.any()]
        tables = _child_tables(counts, parents, self.alpha)
        for parent in parents:
            parent_sets = [() if v == parent else (parent, last) for v in range(last)]
            structure = Structure((*parent_sets, (parent,)))
            tables |= _top_tables(parent, last, of_attributes[parent].counts[0], self.alpha)
            families = [structure.family(v) for v in range(last + 1)]
            yield BayesianNetwork(counts.names, states, structure, [tables[f] for f in families])


def _top_tables(
    parent: int, last: int, counts: Floats, alpha: float
) -> dict[Family, ConditionalTable]:
    """Return ``P(x_i)`` and ``P(y | x_i)``, whose product is ``P(y, x_i)``, from ``F[y, x_i]``.

    Each cell of ``F[y, x_i]`` has the pseudo-count alpha. With k classes, the pseudo-count of a
    value of ``x_i`` is therefore k alpha.
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
    # Prediction programs have one more cell per column, for missing values.
    cells = [card + 1 for card in counts.attribute_cards]
    total = sum(cells)
    require_memory(
        2 * 8 * counts.n_classes * sum(cells[v] * (total - cells[v]) for v in parents),
        f"The tables of {len(parents)} super-parents",
        "raise min_rows, or drop columns with very many values or merge their values",
    )
    super_parents = set(parents)
    return {
        table.family: conditional(table, alpha)
        for table in chain(_narrow_pairs(counts), _wide_pairs(counts, parents))
        if table.family.parents[0] in super_parents
    }


def _narrow_pairs(counts: CountSource) -> Iterator[FamilyTable]:
    """Yield the tables of all pairs of columns with at most `WIDE` values, in both directions."""
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
    """Return the tables of pairs with a column of more than `WIDE` values, in one more pass."""
    wide = {v for v, card in enumerate(counts.attribute_cards) if card > WIDE}
    return counts.tables(
        [
            Family(child, (parent,), given_class=True)
            for parent in parents
            for child in range(counts.n_attributes)
            if child != parent and wide & {child, parent}
        ]
    )
