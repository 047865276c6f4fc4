"""Bagging: decision trees of samples of the rows.

L. Breiman (1996). Bagging predictors. Machine Learning 24, 123-140.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.options import (
    OptionError,
    require_count,
    require_flag,
    require_fraction,
    require_seed,
)
from bayesgrove._utils.renamed import renamed
from bayesgrove._utils.threads import map_in_threads
from bayesgrove._utils.ties import whole_below
from bayesgrove.trees.c45 import C45

if TYPE_CHECKING:
    from collections.abc import Callable

    from bayesgrove.encoding import MixedTable
    from bayesgrove.kernels import Floats
    from bayesgrove.trees.tree import Tree

    Draw = Callable[[MixedTable, int, np.random.Generator], Floats]

_UNPRUNED = C45(pruned=False)


@renamed(seed="random_state")
@dataclass(frozen=True)
class Bagging:
    """A learner of bagged trees: one decision tree per bootstrap sample.

    For each sample, as many rows as the table has are drawn with replacement, and the first
    ``sample_fraction`` of them (rounded down) are kept. With sample weights, rows are drawn in
    proportion to the weights, and each drawn row has the mean weight. The weight of every sample is
    then the weight of the table times ``sample_fraction``. Rows of weight 0 are never drawn. If a
    sample has no row of a class, the tree of the sample gives this class the probability 0.

    With ``bootstrap=False``, rows are drawn without replacement and keep their own weights. A
    sample of all rows is then the table itself.

    Every tree has separate random numbers, so it does not depend on the number of trees or threads.

    Parameters
    ----------
    n_trees : int, default=10
        The number of trees.
    sample_fraction : float, default=1.0
        The size of each sample as a fraction of the number of rows, above 0 and at most 1.
    random_state : int, default=0
        The seed that fixes the samples.
    tree : C45, default=C45(pruned=False, min_rows=2, confidence=0.25, collapse=True, \
subtree_raising=True, mdl_correction=True)
        The learner of the single trees. By default the trees are not pruned.
    bootstrap : bool, default=True
        Whether rows are drawn with replacement. False with ``sample_fraction=1`` grows one tree
        from all rows, so ``n_trees`` must be 1.

    References
    ----------
    L. Breiman (1996). Bagging predictors. Machine Learning 24, 123-140.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.encoding import MixedTable
    >>> from bayesgrove.trees import Bagging
    >>> wind = np.array([0, 0, 0, 1, 1, 1], dtype=np.uint8)
    >>> play = np.array([1, 1, 1, 0, 0, 0], dtype=np.uint8)
    >>> [tree.leaves for tree in Bagging(n_trees=4).grow(MixedTable([wind], [2], play, 2))]
    [2, 2, 2, 2]
    """

    n_trees: int = 10
    sample_fraction: float = 1.0
    random_state: int = 0
    tree: C45 = _UNPRUNED
    bootstrap: bool = True

    @property
    def weights_repeat_rows(self) -> bool:
        """Whether a row of weight 2 counts like two equal rows: only if no row is drawn."""
        return not self.bootstrap and self.sample_fraction == 1

    @property
    def min_weight(self) -> float:
        """Minimum weight of all rows for trees that have a test."""
        return self.tree.min_weight / self.sample_fraction

    def grow(self, table: MixedTable, threads: int = 1) -> list[Tree]:
        """Grow one tree per sample of a table.

        Parameters
        ----------
        table : MixedTable
            The training rows with their classes.
        threads : int, default=1
            The number of threads. The trees do not depend on it.

        Returns
        -------
        list of Tree
            The trees.
        """
        self.check()
        rows = np.flatnonzero(table.row_weights)
        size = whole_below(self.sample_fraction * len(rows))
        if size == 0:
            smallest = f"1/{len(rows)} or more" if len(rows) > 1 else "1"
            raise OptionError(
                f"sample_fraction={self.sample_fraction!r} of n_samples={len(rows)} leaves no row "
                f"to learn from: raise it to {smallest}."
            )
        if len(rows) < table.rows:
            table = table.take(rows)
        draw = partial(_bootstrap, shares=_shares(table)) if self.bootstrap else _subsample
        grow = partial(self._grow_one, draw, table, size)
        seeds = np.random.SeedSequence(self.random_state).spawn(self.n_trees)
        return map_in_threads(grow, seeds, threads)

    def _grow_one(
        self, draw: Draw, table: MixedTable, size: int, seed: np.random.SeedSequence
    ) -> Tree:
        """Draw one sample and grow its tree."""
        weights = draw(table, size, np.random.default_rng(seed))
        return self.tree.grow(replace(table, weights=weights))

    def check(self) -> None:
        """Raise unless the options are valid."""
        require_count("n_trees", self.n_trees, lowest=1)
        require_fraction("sample_fraction", self.sample_fraction)
        require_seed("random_state", self.random_state)
        require_flag("bootstrap", self.bootstrap)
        if self.weights_repeat_rows and self.n_trees > 1:
            raise OptionError(
                f"n_trees={self.n_trees} with bootstrap=False and sample_fraction=1 would give "
                "equal trees: use n_trees=1, or a smaller sample_fraction."
            )
        self.tree.check()


def _bootstrap(
    table: MixedTable, size: int, random: np.random.Generator, shares: Floats | None
) -> Floats:
    """Return the weights of the rows in a bootstrap sample, of which ``size`` rows are kept."""
    # The draws are independent, so only the kept part of the sample is drawn.
    if shares is None:
        drawn = random.integers(table.rows, size=size)
    else:
        drawn = random.choice(table.rows, size, p=shares)
    # A row that is drawn twice becomes one row of twice the weight, so fewer rows are sorted.
    times = np.bincount(drawn, minlength=table.rows).astype(np.float64)
    return times * float(table.row_weights.mean())


def _subsample(table: MixedTable, size: int, random: np.random.Generator) -> Floats:
    """Return the weights of the rows in a sample that is drawn without replacement."""
    drawn = random.permutation(table.rows)[:size]
    weights = np.zeros(table.rows)
    weights[drawn] = table.row_weights[drawn]
    return weights


def _shares(table: MixedTable) -> Floats | None:
    """Return the probabilities of drawing the rows, or None if all are equal."""
    if table.weights is None or (table.weights == table.weights[0]).all():
        return None
    shares: Floats = table.weights / table.weights.max()
    shares /= shares.sum()
    return shares
