"""Trees of bootstrap samples.

L. Breiman (1996). Bagging predictors. Machine Learning 24, 123-140.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.options import OptionError, require_count, require_part, require_seed
from bayesgrove._utils.renamed import renamed
from bayesgrove._utils.ties import whole_below
from bayesgrove.trees.c45 import C45

if TYPE_CHECKING:
    from bayesgrove.encoding import MixedTable
    from bayesgrove.kernels import Floats
    from bayesgrove.trees.tree import Tree

_UNPRUNED = C45(pruned=False)


@renamed(seed="random_state")
@dataclass(frozen=True)
class Bagging:
    """A tree of each of ``n_trees`` bootstrap samples.

    A sample has rows drawn with replacement, as many as there are rows, of which the first
    ``sample_fraction`` (rounded down) are kept. With weights, rows are drawn in proportion to them,
    and what is drawn weighs their mean: all samples have the weight of the table, or its fraction;
    rows of weight zero are not there. A class of which a sample has no row has the probability 0 in
    its tree.

    Every tree has random numbers of its own: it is the same however many trees and threads there
    are.

    >>> from bayesgrove.encoding import MixedTable
    >>> wind = np.array([0, 0, 0, 1, 1, 1], dtype=np.uint8)
    >>> play = np.array([1, 1, 1, 0, 0, 0], dtype=np.uint8)
    >>> [tree.leaves for tree in Bagging(n_trees=4).grow(MixedTable([wind], [2], play, 2))]
    [2, 2, 2, 2]
    """

    n_trees: int = 10
    sample_fraction: float = 1.0
    random_state: int = 0
    tree: C45 = _UNPRUNED

    @property
    def least_weight(self) -> float:
        """What the rows must weigh for samples whose trees can have a test."""
        return self.tree.least_weight / self.sample_fraction

    def grow(self, table: MixedTable, threads: int = 1) -> list[Tree]:
        """The trees of a table with classes."""
        self.check()
        rows = np.flatnonzero(table.row_weights)
        size = whole_below(self.sample_fraction * len(rows))
        if size == 0:
            least = f"1/{len(rows)} or more" if len(rows) > 1 else "1"
            raise OptionError(
                f"sample_fraction={self.sample_fraction!r} of n_samples={len(rows)} leaves no row "
                f"to learn from: raise it to {least}."
            )
        if len(rows) < table.rows:
            table = table.take(rows)
        weight = float(table.row_weights.mean())
        grow = partial(self._grow_one, table, _shares(table), size, weight)
        seeds = np.random.SeedSequence(self.random_state).spawn(self.n_trees)
        if threads == 1:
            return list(map(grow, seeds))
        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(grow, seeds))

    def _grow_one(
        self,
        table: MixedTable,
        shares: Floats | None,
        size: int,
        weight: float,
        seed: np.random.SeedSequence,
    ) -> Tree:
        random = np.random.default_rng(seed)
        # Draws do not depend on each other: the first of them are as good as any others.
        if shares is None:
            drawn = random.integers(table.rows, size=size)
        else:
            drawn = random.choice(table.rows, size, p=shares)
        # A row that is drawn twice is the row with twice the weight: there are fewer rows to sort.
        times = np.bincount(drawn, minlength=table.rows).astype(np.float64)
        return self.tree.grow(replace(table, weights=times * weight))

    def check(self) -> None:
        """Refuse options that no tree can be grown with."""
        require_count("n_trees", self.n_trees, lowest=1)
        require_part("sample_fraction", self.sample_fraction)
        require_seed("random_state", self.random_state)
        self.tree.check()


def _shares(table: MixedTable) -> Floats | None:
    """Probabilities of the rows; None where all are equal."""
    if table.weights is None or (table.weights == table.weights[0]).all():
        return None
    shares: Floats = table.weights / table.weights.max()
    shares /= shares.sum()
    return shares
