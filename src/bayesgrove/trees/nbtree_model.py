"""A decision tree with naive Bayes at the leaves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.kernels import kernels
from bayesgrove.kernels.numpy.nbtree_prediction import NaiveModel, naive_models
from bayesgrove.trees.text import rounded, tree_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.encoding import MixedTable
    from bayesgrove.kernels import Floats
    from bayesgrove.trees.tree import Numbers, Tree


@dataclass(frozen=True)
class NBTreeModel:
    """A tree, the model that predicts at every node (-1 where none does), and the models.

    ``cards`` are those of the columns. The models are laid out in arrays as the kernel
    `grow_nbtree` gives them; `models` has them one by one.
    """

    tree: Tree
    cards: tuple[int, ...]
    model: Numbers
    priors: Floats
    values: Numbers
    cuts: Floats
    tables: Floats

    @property
    def size(self) -> int:
        """Number of nodes."""
        return self.tree.size

    @property
    def leaves(self) -> int:
        """Number of leaves, also those that no training row reaches."""
        return self.tree.leaves

    @cached_property
    def models(self) -> list[NaiveModel]:
        """Logarithms of P(class) and of P(value | class), and the cuts of numeric columns.

        ``model`` tells which a leaf has; leaves without rows have that of their parent.
        """
        return naive_models(self.priors, self.values, self.cuts, self.tables, self.cards)

    def distribution(self, table: MixedTable, threads: int = 1) -> Floats:
        """Class probabilities of rows, shape (rows, classes).

        A row with a missing value goes down all branches in proportion to their training weight;
        what the leaves say is averaged so.
        """
        return np.exp(self.log_distribution(table, threads))

    def log_distribution(self, table: MixedTable, threads: int = 1) -> Floats:
        """Logarithms of the class probabilities, which are never zero."""
        if tuple(table.cards) != self.cards:
            raise ValueError(f"the tree has columns of cards {self.cards}: no fit.")
        models = self.model, self.priors, self.values, self.cuts, self.tables
        return kernels.nbtree_logs(
            *self.tree.arrays, *models, table.contiguous(), list(table.cards), table.rows, threads
        )

    def to_text(self, names: Sequence[str], states: Sequence[Sequence[Any] | None]) -> str:
        """The tree as indented lines; a leaf shows the number of its model and its weight.

        ``states`` has the labels of a column with codes; None for numeric columns.
        """
        pairs = zip(self.model.tolist(), self.tree.weights.sum(axis=1).tolist(), strict=True)
        labels = [f"naive Bayes {model} ({rounded(weight)})" for model, weight in pairs]
        return tree_text(self.tree, names, states, labels)
