"""Decision trees in numpy: their nodes, their rows, and the class distributions of rows.

A column is either codes with a cardinality (the code ``card`` is missing), or float64 numbers
with cardinality 0 (NaN is missing). A tree is five arrays with one entry per node: ``attribute``
(-1 at a leaf), ``threshold``, ``first`` child, ``count`` of children, and ``weights`` of the
classes. The children of a node are adjacent and have higher numbers than the node. Sums are taken
in the order of the rows, as in the native kernels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats

    Numbers = NDArray[np.int32]
    Places = NDArray[np.intp]
    Arrays = tuple[Numbers, Floats, Numbers, Numbers, Floats]

TIE = 1e-6
"""Numbers that differ by less are equal, as in C4.5."""
_SMALL_RANGE = 0.01
"""A column with a smaller range measures gaps in units of its range."""


def tree_distributions(
    attribute: Numbers,
    threshold: Floats,
    first: Numbers,
    count: Numbers,
    node_weights: Floats,
    columns: Sequence[Codes | Floats],
    cards: Sequence[int],
    rows: int,
    threads: int,
) -> Floats:
    """Return the class distributions of rows.

    A row with a missing value in a test goes down all branches, in proportion to their weights. A
    node without training rows predicts as its parent does.

    Parameters
    ----------
    attribute : ndarray of shape (n_nodes,)
        Number of the column that each node tests, -1 at a leaf.
    threshold : ndarray of shape (n_nodes,)
        Threshold of each numeric test: values up to the threshold go to the first branch.
    first : ndarray of shape (n_nodes,)
        Number of the first child of each node.
    count : ndarray of shape (n_nodes,)
        Number of children of each node, 0 at a leaf.
    node_weights : ndarray of shape (n_nodes, n_classes)
        Weight of the training rows of each class in each node.
    columns : sequence of ndarray of shape (n_rows,)
        Codes (the code ``cards[j]`` is missing) or float64 numbers (NaN is missing).
    cards : sequence of int
        Cardinality of each column of codes, 0 for a column of numbers.
    rows : int
        Number of rows.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.

    Returns
    -------
    ndarray of shape (rows, n_classes)
        Class probabilities of each row.
    """
    shares = _node_shares(node_weights, sums_of(node_weights), first, count)
    out = np.zeros((rows, node_weights.shape[1]))
    tree = attribute, threshold, first, count, node_weights
    for row_numbers, nodes, parts in leaves_of_rows(tree, columns, cards, rows):
        np.add.at(out, row_numbers, parts[:, None] * shares[nodes])
    return out


def leaves_of_rows(
    tree: Arrays, columns: Sequence[Codes | Floats], cards: Sequence[int], rows: int
) -> Iterator[tuple[Places, Places, Floats]]:
    """Yield the leaves that rows reach, upper leaves first.

    A node without training rows counts as a leaf: its descendants have none either.

    Parameters
    ----------
    tree : tuple of ndarray
        ``attribute``, ``threshold``, ``first``, ``count`` and ``weights``, with one entry per node.
    columns : sequence of ndarray of shape (n_rows,)
        Codes (the code ``cards[j]`` is missing) or float64 numbers (NaN is missing).
    cards : sequence of int
        Cardinality of each column of codes, 0 for a column of numbers.
    rows : int
        Number of rows.

    Yields
    ------
    row_numbers : ndarray
        Numbers of some rows.
    nodes : ndarray
        The leaf that each of these rows reaches.
    parts : ndarray
        The part of the row that reaches the leaf, 1 unless a tested value is missing.
    """
    attribute, threshold, first, count, node_weights = tree
    totals = sums_of(node_weights)
    row_numbers, nodes = np.arange(rows), np.zeros(rows, dtype=np.intp)
    parts = np.ones(rows)
    while len(row_numbers):
        done = (count[nodes] == 0) | (totals[nodes] < TIE)
        yield row_numbers[done], nodes[done], parts[done]
        row_numbers, nodes, parts = row_numbers[~done], nodes[~done], parts[~done]
        branch = _branches_at(nodes, row_numbers, attribute, threshold, columns, cards)
        # A row with a missing value is repeated: once for every child of its node.
        copies = np.where(branch < 0, count[nodes], 1)
        source = np.repeat(np.arange(len(row_numbers)), copies)
        copy = np.arange(len(source)) - np.repeat(np.cumsum(copies) - copies, copies)
        split = branch[source] < 0
        child = first[nodes[source]] + np.where(split, copy, branch[source])
        with np.errstate(invalid="ignore", divide="ignore"):
            part = np.where(split, totals[child] / totals[nodes[source]], 1.0) * parts[source]
        kept = ~split | (totals[child] >= TIE)
        row_numbers, nodes, parts = row_numbers[source][kept], child[kept], part[kept]


def _branches_at(
    nodes: Places,
    rows: Places,
    attribute: Numbers,
    threshold: Floats,
    columns: Sequence[Codes | Floats],
    cards: Sequence[int],
) -> Places:
    """Return the branch of each row at its node, -1 where the value is missing."""
    branch = np.empty(len(nodes), dtype=np.intp)
    tested = attribute[nodes]
    for j in np.unique(tested).tolist():
        at_j = tested == j
        branch[at_j] = _branch(columns[j][rows[at_j]], cards[j], threshold[nodes[at_j]])
    return branch


def _branch(values: Codes | Floats, card: int, threshold: float | Floats) -> Places:
    """Return the branch of each value of a column, -1 where the value is missing."""
    if card:
        codes = values.astype(np.intp)
        return np.where(codes < card, codes, -1)
    return np.where(np.isnan(values), -1, (values > threshold).astype(np.intp))


def _node_shares(weights: Floats, totals: Floats, first: Numbers, count: Numbers) -> Floats:
    """Return the class probabilities of every node; a node without rows copies its parent."""
    shares = np.divide(
        weights,
        totals[:, None],
        out=np.full_like(weights, 1.0 / weights.shape[1]),
        where=totals[:, None] >= TIE,
    )
    for node in np.flatnonzero(count).tolist():
        children = np.arange(first[node], first[node] + count[node])
        shares[children[totals[children] < TIE]] = shares[node]
    return shares


def weights_by(cells: Places, weights: Floats, count: int) -> Floats:
    """Sum weights by cell, in the order of the rows.

    Parameters
    ----------
    cells : ndarray of shape (n_rows,)
        Cell of each row.
    weights : ndarray of shape (n_rows,)
        Weight of each row.
    count : int
        Number of cells.

    Returns
    -------
    ndarray of shape (count,)
        Sums as floats, also if there are no rows.
    """
    return np.bincount(cells, weights, count).astype(np.float64)


def sums_of(values: Floats) -> Floats:
    """Sum over the last axis, from left to right.

    Parameters
    ----------
    values : ndarray
        Numbers to add.

    Returns
    -------
    ndarray
        Sums, with one axis less than `values`.
    """
    if values.shape[-1] == 0:
        return np.zeros(values.shape[:-1])
    sums: Floats = np.cumsum(values, axis=-1)[..., -1]
    return sums


def sum_of(values: Floats) -> float:
    """Sum a vector from left to right.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Numbers to add.

    Returns
    -------
    float
        The sum.
    """
    return float(sums_of(values))


def _unit(numbers: Codes | Floats) -> float:
    """Return the unit in which gaps are measured: 1, or the range of the numbers if it is small."""
    known = numbers[~np.isnan(numbers)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    return high - low if 0.0 < high - low < _SMALL_RANGE else 1.0


class Share(NamedTuple):
    """The rows of a node, in their order in the table, with the weight that each has in the node.

    Parameters
    ----------
    rows : ndarray
        Numbers of the rows.
    weights : ndarray
        Weight of each row in the node. A row with a missing value is in several nodes in part.
    """

    rows: Places
    weights: Floats


class TrainingRows:
    """The training rows of a tree.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n_rows,)
        Codes (the code ``cards[j]`` is missing) or float64 numbers (NaN is missing).
    cards : sequence of int
        Cardinality of each column of codes, 0 for a column of numbers.
    target : ndarray of shape (n_rows,)
        Class code of each row. Every row must have a class.
    n_classes : int
        Number of classes.
    weights : ndarray of shape (n_rows,)
        Weight of each row.
    """

    def __init__(
        self,
        columns: Sequence[Codes | Floats],
        cards: Sequence[int],
        target: Codes,
        n_classes: int,
        weights: Floats,
    ) -> None:
        self.columns, self.cards, self.classes = columns, cards, n_classes
        self.target, self.weights = target.astype(np.intp), weights
        pairs = zip(columns, cards, strict=True)
        self.units = [1.0 if card else _unit(column) for column, card in pairs]

    def all(self) -> Share:
        """Return the share of the root: all rows.

        Returns
        -------
        Share
            All rows and their weights.
        """
        return Share(np.arange(len(self.target)), self.weights)

    def class_weights(self, share: Share) -> Floats:
        """Return the weight of each class in a node.

        Parameters
        ----------
        share : Share
            Rows of the node and their weights.

        Returns
        -------
        ndarray of shape (n_classes,)
            Sums of weights.
        """
        return weights_by(self.target[share.rows], share.weights, self.classes)

    def share_out(self, column: int, threshold: float, share: Share) -> list[Share]:
        """Distribute the rows of a node among the branches of a test.

        A row with a known value goes down the branch of that value. A row with a missing value goes
        down all branches, in proportion to their weights.

        Parameters
        ----------
        column : int
            Number of the column that is tested.
        threshold : float
            Threshold of a numeric test; not used for codes.
        share : Share
            Rows of the node and their weights.

        Returns
        -------
        list of Share
            Rows and weights of each branch.
        """
        card = self.cards[column]
        branches = card or 2
        branch = _branch(self.columns[column][share.rows], card, threshold)
        known = branch >= 0
        branch_weights = weights_by(branch[known], share.weights[known], branches)
        total = sum_of(branch_weights)
        parts = branch_weights / total if total > 0 else np.full(branches, 1.0 / branches)
        children = []
        for k, part in enumerate(parts.tolist()):
            in_child = (branch == k) | (~known & (part > TIE))
            in_full = share.weights[in_child]
            weights = np.where(known[in_child], in_full, part * in_full)
            children.append(Share(share.rows[in_child], weights))
        return children


class Nodes:
    """The nodes of a tree as lists that can grow.

    Parameters
    ----------
    attribute : ndarray of shape (n_nodes,)
        Number of the column that each node tests, -1 at a leaf.
    threshold : ndarray of shape (n_nodes,)
        Threshold of each numeric test.
    first : ndarray of shape (n_nodes,)
        Number of the first child of each node.
    count : ndarray of shape (n_nodes,)
        Number of children of each node, 0 at a leaf.
    weights : ndarray of shape (n_nodes, n_classes)
        Weight of each class in each node.
    """

    def __init__(
        self, attribute: Numbers, threshold: Floats, first: Numbers, count: Numbers, weights: Floats
    ) -> None:
        self.attribute, self.threshold = attribute.tolist(), threshold.tolist()
        self.first, self.count = first.tolist(), count.tolist()
        self.weights = list(weights)

    @classmethod
    def leaf(cls, weights: Floats) -> Nodes:
        """Return a tree of one leaf.

        Parameters
        ----------
        weights : ndarray of shape (n_classes,)
            Weight of each class in the leaf.

        Returns
        -------
        Nodes
            The tree.
        """
        none = np.zeros(1, dtype=np.int32)
        return cls(none - 1, np.zeros(1), none, none, weights[None])

    def children(self, node: int) -> range:
        """Return the numbers of the children of a node.

        Parameters
        ----------
        node : int
            Number of the node.

        Returns
        -------
        range
            Numbers of the children.
        """
        return range(self.first[node], self.first[node] + self.count[node])

    def split(self, node: int, attribute: int, threshold: float, weights: list[Floats]) -> None:
        """Turn a leaf into a test, with new leaves below it.

        Parameters
        ----------
        node : int
            Number of the leaf.
        attribute : int
            Number of the column that is tested.
        threshold : float
            Threshold of a numeric test.
        weights : list of ndarray of shape (n_classes,)
            Class weights of each new leaf.
        """
        self.attribute[node], self.threshold[node] = attribute, threshold
        self.first[node], self.count[node] = len(self.weights), len(weights)
        self.attribute += [-1] * len(weights)
        self.threshold += [0.0] * len(weights)
        self.first += [0] * len(weights)
        self.count += [0] * len(weights)
        self.weights += weights

    def arrays(self) -> Arrays:
        """Return the nodes as arrays.

        Returns
        -------
        tuple of ndarray
            ``attribute``, ``threshold``, ``first``, ``count`` and ``weights``.
        """
        return (
            np.array(self.attribute, dtype=np.int32),
            np.array(self.threshold, dtype=np.float64),
            np.array(self.first, dtype=np.int32),
            np.array(self.count, dtype=np.int32),
            np.stack(self.weights),
        )
