"""A decision tree as flat arrays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.kernels import kernels
from bayesgrove.trees.text import node_labels, tree_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.encoding import MixedTable
    from bayesgrove.kernels import Floats

    Numbers = NDArray[np.int32]

_SAME_ERRORS = 1e-3
"""A subtree is collapsed unless it saves more errors than this."""


@dataclass(frozen=True)
class Tree:
    """A decision tree as flat arrays with one entry per node.

    The root is node 0. The children of a node have consecutive numbers, larger than the number of
    their parent.

    Parameters
    ----------
    attribute : ndarray of shape (n_nodes,)
        The column that each node tests, -1 for a leaf.
    threshold : ndarray of shape (n_nodes,)
        The threshold of each numeric test, 0 for other nodes. Rows with a number of at most the
        threshold go to the first child.
    first : ndarray of shape (n_nodes,)
        The number of the first child of each node.
    count : ndarray of shape (n_nodes,)
        The number of children of each node, 0 for a leaf.
    weights : ndarray of shape (n_nodes, n_classes)
        The training weight of every class in each node.
    parent : ndarray of shape (n_nodes,)
        The number of the parent of each node, -1 for the root.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.encoding import MixedTable
    >>> from bayesgrove.trees import C45
    >>> wind = np.array([0, 0, 0, 1, 1, 1], dtype=np.uint8)
    >>> play = np.array([1, 1, 1, 0, 0, 0], dtype=np.uint8)
    >>> tree = C45().grow(MixedTable([wind], [2], play, 2))
    >>> tree.size, tree.leaves, tree.columns
    (3, 2, [0])
    """

    attribute: Numbers
    threshold: Floats
    first: Numbers
    count: Numbers
    weights: Floats
    parent: Numbers

    @classmethod
    def reachable(
        cls, attribute: Numbers, threshold: Floats, first: Numbers, count: Numbers, weights: Floats
    ) -> Tree:
        """Return the tree of the nodes that can be reached from the root, numbered depth first.

        Parameters
        ----------
        attribute : ndarray of shape (n_nodes,)
            The column that each node tests, -1 for a leaf.
        threshold : ndarray of shape (n_nodes,)
            The threshold of each numeric test.
        first : ndarray of shape (n_nodes,)
            The number of the first child of each node.
        count : ndarray of shape (n_nodes,)
            The number of children of each node, 0 for a leaf.
        weights : ndarray of shape (n_nodes, n_classes)
            The training weight of every class in each node.

        Returns
        -------
        Tree
            The tree without unreachable nodes.
        """
        starts, counts = first.tolist(), count.tolist()
        kept, parents, new_first = [0], [-1], [0] * len(starts)
        waiting = [(0, 0)]
        while waiting:
            node, number = waiting.pop()
            if counts[node] == 0:
                continue
            new_first[node] = len(kept)
            children = range(starts[node], starts[node] + counts[node])
            waiting += [
                (child, len(kept) + k) for k, child in enumerate(children) if counts[child]
            ][::-1]
            kept += children
            parents += [number] * counts[node]
        index = np.array(kept)
        return cls(
            attribute=attribute[index],
            threshold=np.where(count[index] > 0, threshold[index], 0.0),
            first=np.array(new_first, dtype=np.int32)[index],
            count=count[index],
            weights=weights[index],
            parent=np.array(parents, dtype=np.int32),
        )

    @property
    def arrays(self) -> tuple[Numbers, Floats, Numbers, Numbers, Floats]:
        """Arrays of the tree, in the order in which the kernels take them."""
        return self.attribute, self.threshold, self.first, self.count, self.weights

    @property
    def size(self) -> int:
        """Number of nodes."""
        return len(self.attribute)

    @property
    def leaves(self) -> int:
        """Number of leaves, including leaves that no training row reaches."""
        return int((self.count == 0).sum())

    def children(self, node: int) -> range:
        """Return the children of a node.

        Parameters
        ----------
        node : int
            The number of the node.

        Returns
        -------
        range
            The numbers of the children; empty for a leaf.
        """
        first = int(self.first[node])
        return range(first, first + int(self.count[node]))

    @property
    def columns(self) -> list[int]:
        """Numbers of the columns that are tested, in ascending order."""
        tested: list[int] = np.unique(self.attribute[self.attribute >= 0]).tolist()
        return tested

    @property
    def node_depths(self) -> NDArray[np.int64]:
        """Depth of every node; the root has depth 1."""
        depths = [0] * (self.size + 1)
        for node, parent in enumerate(self.parent.tolist()):
            depths[node] = depths[parent] + 1
        return np.array(depths[:-1])

    def depths(self, n_columns: int) -> NDArray[np.int64]:
        """Return the minimum depth at which each column is tested.

        Parameters
        ----------
        n_columns : int
            The number of columns of the table.

        Returns
        -------
        ndarray of shape (n_columns,)
            The minimum depth of each column, where the root has depth 1; 0 for a column that is not
            tested.
        """
        tests = self.attribute >= 0
        minimum = np.full(n_columns, self.size + 1)
        np.minimum.at(minimum, self.attribute[tests], self.node_depths[tests])
        return np.where(minimum > self.size, 0, minimum)

    def select(self, columns: Sequence[int]) -> Tree:
        """Return the same tree for tables that have only some of the columns.

        Parameters
        ----------
        columns : sequence of int
            The numbers of the remaining columns, in their new order. All tested columns must be
            among them.

        Returns
        -------
        Tree
            The tree with the new numbers of the columns.
        """
        # The last entry stays -1: it is the entry of a leaf, whose attribute is -1.
        place = np.full(max(columns, default=0) + 2, -1, dtype=np.int32)
        place[list(columns)] = np.arange(len(columns))
        return replace(self, attribute=place[self.attribute])

    def distribution(self, table: MixedTable, threads: int = 1) -> Floats:
        """Return the class probabilities of rows: the shares of the classes in their leaves.

        A row with a missing value goes down all branches, in proportion to their training weights.
        A leaf that no training row reached predicts as its parent would.

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
        self._require_columns(table.cards)
        return kernels.tree_distributions(
            *self.arrays, table.contiguous(), list(table.cards), table.rows, threads
        )

    def _require_columns(self, cards: Sequence[int]) -> None:
        """Raise unless the tested columns have the cardinalities with which the tree was grown."""
        tests = np.flatnonzero(self.attribute >= 0)
        for column, branches in set(
            zip(self.attribute[tests].tolist(), self.count[tests].tolist(), strict=True)
        ):
            if column >= len(cards) or (cards[column] or 2) != branches:
                raise ValueError(
                    f"Column {column} does not fit the tree, which has {branches} branches for it: "
                    "give the columns of the training table."
                )

    def collapsed(self) -> Tree:
        """Return the tree with useless subtrees replaced by leaves.

        A subtree is useless if it does not have fewer errors on the training rows than a leaf in
        its place.

        Returns
        -------
        Tree
            The collapsed tree.
        """
        as_leaf = (self.weights.sum(axis=1) - self.weights.max(axis=1)).tolist()
        in_leaves = np.where(self.count == 0, as_leaf, 0.0).tolist()
        for node, parent in zip(range(self.size - 1, 0, -1), self.parent[:0:-1], strict=True):
            in_leaves[parent] += in_leaves[node]
        saves_nothing = np.array(in_leaves) >= np.array(as_leaf) - _SAME_ERRORS
        useless = (self.count > 0) & saves_nothing
        attribute = np.where(useless, np.int32(-1), self.attribute)
        count = np.where(useless, np.int32(0), self.count)
        return Tree.reachable(attribute, self.threshold, self.first, count, self.weights)

    def to_text(
        self,
        names: Sequence[str],
        states: Sequence[Sequence[Any] | None],
        classes: Sequence[Any],
    ) -> str:
        """Return the tree as indented lines, with weight and errors of each leaf in parentheses.

        Parameters
        ----------
        names : sequence of str
            The names of the columns.
        states : sequence of sequence or None
            The labels of every column of codes, in the order of the codes; None for a column of
            numbers.
        classes : sequence
            The class labels, in the order of their codes.

        Returns
        -------
        str
            One line per branch, indented by its depth.
        """
        return tree_text(self, names, states, node_labels(self, classes))
