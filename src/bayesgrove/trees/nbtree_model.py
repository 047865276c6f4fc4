"""The model of an NBTree: a decision tree with naive Bayes classifiers at the leaves."""

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
    """A decision tree and the naive Bayes models of its leaves.

    The models are stored in flat arrays, one model after another, as the kernel `grow_nbtree`
    returns them. `models` is a list of the single models.

    Parameters
    ----------
    tree : Tree
        The decision tree.
    cards : tuple of int
        The cardinality of every column, 0 for a column of numbers.
    model : ndarray of shape (n_nodes,)
        The number of the model that predicts at each node, -1 for a node without a model.
    priors : ndarray of shape (n_models, n_classes)
        The logarithms of the class probabilities of each model.
    values : ndarray of shape (n_models, n_columns)
        The number of values or intervals of each column in each model.
    cuts : ndarray of shape (n_cuts,)
        The cut points of the numeric columns, one model after another, column by column.
    tables : ndarray of shape (n_cells,)
        The logarithms of P(value | class), one model after another, column by column and value by
        value.

    References
    ----------
    R. Kohavi (1996). Scaling up the accuracy of naive-Bayes classifiers: a decision-tree hybrid.
    Proceedings of the Second International Conference on Knowledge Discovery and Data Mining
    (KDD-96), 202-207.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.encoding import MixedTable
    >>> from bayesgrove.trees import NBTree
    >>> a = np.tile(np.array([0, 1], dtype=np.uint8), 10)
    >>> table = MixedTable([a], [2], a, 2)
    >>> NBTree().grow(table).distribution(table)[0].round(2).tolist()
    [0.92, 0.08]
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
        """Number of leaves, including leaves that no training row reaches."""
        return self.tree.leaves

    @cached_property
    def models(self) -> list[NaiveModel]:
        """Naive Bayes models with ln P(class), ln P(value | class) and cut points.

        ``model`` is the number of the model of each leaf. A leaf without rows has the model of its
        parent.
        """
        return naive_models(self.priors, self.values, self.cuts, self.tables, self.cards)

    def distribution(self, table: MixedTable, threads: int = 1) -> Floats:
        """Return the class probabilities of rows.

        A row with a missing value goes down all branches, in proportion to their training weights.
        Its class probabilities are the mean over the leaves with these weights.

        Parameters
        ----------
        table : MixedTable
            The rows, with the columns of the training table.
        threads : int, default=1
            The number of threads. The result does not depend on it.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            The class probabilities of every row.
        """
        return np.exp(self.log_distribution(table, threads))

    def log_distribution(self, table: MixedTable, threads: int = 1) -> Floats:
        """Return the logarithms of the class probabilities of rows; no probability is 0.

        Parameters
        ----------
        table : MixedTable
            The rows, with the columns of the training table.
        threads : int, default=1
            The number of threads. The result does not depend on it.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            The log class probabilities of every row.
        """
        if tuple(table.cards) != self.cards:
            raise ValueError(
                f"The table has the cards {tuple(table.cards)}, but the tree was grown with the "
                f"cards {self.cards}: give the columns of the training table."
            )
        models = self.model, self.priors, self.values, self.cuts, self.tables
        return kernels.nbtree_logs(
            *self.tree.arrays, *models, table.contiguous(), list(table.cards), table.rows, threads
        )

    def to_text(self, names: Sequence[str], states: Sequence[Sequence[Any] | None]) -> str:
        """Return the tree as indented lines; a leaf shows the number of its model and its weight.

        Parameters
        ----------
        names : sequence of str
            The names of the columns.
        states : sequence of sequence or None
            The labels of every column of codes, in the order of the codes; None for a column of
            numbers.

        Returns
        -------
        str
            One line per branch, indented by its depth.
        """
        pairs = zip(self.model.tolist(), self.tree.weights.sum(axis=1).tolist(), strict=True)
        labels = [f"naive Bayes {model} ({rounded(weight)})" for model, weight in pairs]
        return tree_text(self.tree, names, states, labels)
