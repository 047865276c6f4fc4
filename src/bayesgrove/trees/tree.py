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
"""A subtree must save more errors than this not to be collapsed."""


@dataclass(frozen=True)
class Tree:
    """Nodes as arrays, the root first; children lie side by side, behind their parent.

    ``attribute`` is the column that a node tests, -1 for a leaf; ``threshold`` is that of a numeric
    test (not above: first child), 0 elsewhere; ``weights`` has the training weight of every class
    in a node, shape (nodes, classes); ``parent`` of the root is -1.
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
        """The nodes that can be reached from the root, numbered depth first."""
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
        """What the kernels take."""
        return self.attribute, self.threshold, self.first, self.count, self.weights

    @property
    def size(self) -> int:
        """Number of nodes."""
        return len(self.attribute)

    @property
    def leaves(self) -> int:
        """Number of leaves, also those that no training row reaches."""
        return int((self.count == 0).sum())

    def children(self, node: int) -> range:
        """The nodes below a node."""
        first = int(self.first[node])
        return range(first, first + int(self.count[node]))

    @property
    def columns(self) -> list[int]:
        """The columns that are tested, in ascending order."""
        tested: list[int] = np.unique(self.attribute[self.attribute >= 0]).tolist()
        return tested

    @property
    def node_depths(self) -> NDArray[np.int64]:
        """Depth of every node, root = 1."""
        depths = [0] * (self.size + 1)
        for node, parent in enumerate(self.parent.tolist()):
            depths[node] = depths[parent] + 1
        return np.array(depths[:-1])

    def depths(self, n_columns: int) -> NDArray[np.int64]:
        """The least depth at which each column is tested, root = 1; 0 for those that are not."""
        tests = self.attribute >= 0
        least = np.full(n_columns, self.size + 1)
        np.minimum.at(least, self.attribute[tests], self.node_depths[tests])
        return np.where(least > self.size, 0, least)

    def select(self, columns: Sequence[int]) -> Tree:
        """The tree for tables that have these columns only, all tested ones among them."""
        place = np.full(max(columns, default=0) + 2, -1, dtype=np.int32)  # that of a leaf is last
        place[list(columns)] = np.arange(len(columns))
        return replace(self, attribute=place[self.attribute])

    def distribution(self, table: MixedTable, threads: int = 1) -> Floats:
        """Class probabilities of rows, shape (rows, classes): the shares in the leaf.

        A row with a missing value goes down all branches in proportion to their training weight. A
        leaf that no training row reached predicts as its parent would.
        """
        self._require_columns(table.cards)
        return kernels.tree_distributions(
            *self.arrays, table.contiguous(), list(table.cards), table.rows, threads
        )

    def _require_columns(self, cards: Sequence[int]) -> None:
        """Refuse columns other than those that the tree tests."""
        tests = np.flatnonzero(self.attribute >= 0)
        for column, branches in set(
            zip(self.attribute[tests].tolist(), self.count[tests].tolist(), strict=True)
        ):
            if column >= len(cards) or (cards[column] or 2) != branches:
                raise ValueError(f"the tree has {branches} branches for column {column}: no fit.")

    def collapsed(self) -> Tree:
        """The tree with leaves for subtrees that have no fewer errors on the training rows."""
        own = (self.weights.sum(axis=1) - self.weights.max(axis=1)).tolist()
        below = np.where(self.count == 0, own, 0.0).tolist()
        for node, parent in zip(range(self.size - 1, 0, -1), self.parent[:0:-1], strict=True):
            below[parent] += below[node]
        useless = (self.count > 0) & (np.array(below) >= np.array(own) - _SAME_ERRORS)
        attribute = np.where(useless, np.int32(-1), self.attribute)
        count = np.where(useless, np.int32(0), self.count)
        return Tree.reachable(attribute, self.threshold, self.first, count, self.weights)

    def to_text(
        self,
        names: Sequence[str],
        states: Sequence[Sequence[Any] | None],
        classes: Sequence[Any],
    ) -> str:
        """The tree as indented lines, the training weight and the errors of a leaf in brackets.

        ``states`` has the labels of a column with codes; None for numeric columns.
        """
        return tree_text(self, names, states, node_labels(self, classes))
