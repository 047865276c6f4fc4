"""Decision trees in numpy: their nodes, their rows, and the class distributions of rows.

A column is codes with a cardinality (the code ``card`` is missing), or float64 numbers with
cardinality 0 (NaN is missing). A tree is five arrays with an entry a node: ``attribute`` (-1: a
leaf), ``threshold``, ``first`` child, ``count`` of children, and ``weights`` of the classes.
Children lie side by side, behind their parent. Sums run in the order of the rows, as in the native
kernels.
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
"""C4.5's numbers that differ by less are equal."""
_SMALL_RANGE = 0.01


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
    """Class distributions of rows, shape (rows, classes).

    A row goes down all branches, in proportion to their weights, where its value is missing. A node
    without rows predicts as its parent does.
    """
    shares = _node_shares(node_weights, sums_of(node_weights), first, count)
    out = np.zeros((rows, node_weights.shape[1]))
    tree = attribute, threshold, first, count, node_weights
    for where, nodes, parts in leaves_of_rows(tree, columns, cards, rows):
        np.add.at(out, where, parts[:, None] * shares[nodes])
    return out


def leaves_of_rows(
    tree: Arrays, columns: Sequence[Codes | Floats], cards: Sequence[int], rows: int
) -> Iterator[tuple[Places, Places, Floats]]:
    """Rows, the leaves they reach and with what part, those of upper nodes first.

    A node without rows is a leaf: what is below it has none either.
    """
    attribute, threshold, first, count, node_weights = tree
    totals = sums_of(node_weights)
    where, nodes = np.arange(rows), np.zeros(rows, dtype=np.intp)
    parts = np.ones(rows)
    while len(where):
        done = (count[nodes] == 0) | (totals[nodes] < TIE)
        yield where[done], nodes[done], parts[done]
        where, nodes, parts = where[~done], nodes[~done], parts[~done]
        branch = _branches_at(nodes, where, attribute, threshold, columns, cards)
        times = np.where(branch < 0, count[nodes], 1)
        source = np.repeat(np.arange(len(where)), times)
        turn = np.arange(len(source)) - np.repeat(np.cumsum(times) - times, times)
        split = branch[source] < 0
        child = first[nodes[source]] + np.where(split, turn, branch[source])
        with np.errstate(invalid="ignore", divide="ignore"):
            part = np.where(split, totals[child] / totals[nodes[source]], 1.0) * parts[source]
        kept = ~split | (totals[child] >= TIE)
        where, nodes, parts = where[source][kept], child[kept], part[kept]


def _branches_at(
    nodes: Places,
    rows: Places,
    attribute: Numbers,
    threshold: Floats,
    columns: Sequence[Codes | Floats],
    cards: Sequence[int],
) -> Places:
    """The branch of each row at its node, -1 where the value is missing."""
    branch = np.empty(len(nodes), dtype=np.intp)
    tested = attribute[nodes]
    for j in np.unique(tested).tolist():
        here = tested == j
        branch[here] = _branch(columns[j][rows[here]], cards[j], threshold[nodes[here]])
    return branch


def _branch(values: Codes | Floats, card: int, threshold: float | Floats) -> Places:
    if card:
        codes = values.astype(np.intp)
        return np.where(codes < card, codes, -1)
    return np.where(np.isnan(values), -1, (values > threshold).astype(np.intp))


def _node_shares(weights: Floats, totals: Floats, first: Numbers, count: Numbers) -> Floats:
    """Probabilities of the classes in every node; those of the parent where there are no rows."""
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
    """Sums of weights by cell, in the order of the rows; floats also where there are no rows."""
    return np.bincount(cells, weights, count).astype(np.float64)


def sums_of(values: Floats) -> Floats:
    """Sums over the last axis, from left to right."""
    if values.shape[-1] == 0:
        return np.zeros(values.shape[:-1])
    sums: Floats = np.cumsum(values, axis=-1)[..., -1]
    return sums


def sum_of(values: Floats) -> float:
    """The sum of a vector, from left to right."""
    return float(sums_of(values))


def _unit(numbers: Codes | Floats) -> float:
    """In which gaps are told: 1, or the range of the numbers that are known where it is small."""
    known = numbers[~np.isnan(numbers)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    return high - low if 0.0 < high - low < _SMALL_RANGE else 1.0


class Share(NamedTuple):
    """Rows of a node, in their order in the table, with the part of each that is here."""

    rows: Places
    weights: Floats


class TrainingRows:
    """The training rows."""

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
        """What the root has."""
        return Share(np.arange(len(self.target)), self.weights)

    def class_weights(self, share: Share) -> Floats:
        """Weights of the classes in a node."""
        return weights_by(self.target[share.rows], share.weights, self.classes)

    def share_out(self, column: int, threshold: float, share: Share) -> list[Share]:
        """Rows with a known value go down its branch, the others down all of them in part."""
        card = self.cards[column]
        branches = card or 2
        branch = _branch(self.columns[column][share.rows], card, threshold)
        known = branch >= 0
        bags = weights_by(branch[known], share.weights[known], branches)
        total = sum_of(bags)
        parts = bags / total if total > 0 else np.full(branches, 1.0 / branches)
        children = []
        for k, part in enumerate(parts.tolist()):
            here = (branch == k) | (~known & (part > TIE))
            weights = np.where(known[here], share.weights[here], part * share.weights[here])
            children.append(Share(share.rows[here], weights))
        return children


class Nodes:
    """Nodes as lists; the weights of the classes as an array a node."""

    def __init__(
        self, attribute: Numbers, threshold: Floats, first: Numbers, count: Numbers, weights: Floats
    ) -> None:
        self.attribute, self.threshold = attribute.tolist(), threshold.tolist()
        self.first, self.count = first.tolist(), count.tolist()
        self.weights = list(weights)

    @classmethod
    def leaf(cls, weights: Floats) -> Nodes:
        """A tree of one node."""
        none = np.zeros(1, dtype=np.int32)
        return cls(none - 1, np.zeros(1), none, none, weights[None])

    def children(self, node: int) -> range:
        """The nodes below a node."""
        return range(self.first[node], self.first[node] + self.count[node])

    def split(self, node: int, attribute: int, threshold: float, weights: list[Floats]) -> None:
        """Make a leaf a test, with leaves of these weights below."""
        self.attribute[node], self.threshold[node] = attribute, threshold
        self.first[node], self.count[node] = len(self.weights), len(weights)
        self.attribute += [-1] * len(weights)
        self.threshold += [0.0] * len(weights)
        self.first += [0] * len(weights)
        self.count += [0] * len(weights)
        self.weights += weights

    def arrays(self) -> Arrays:
        """Attribute, threshold, first, count and weights."""
        return (
            np.array(self.attribute, dtype=np.int32),
            np.array(self.threshold, dtype=np.float64),
            np.array(self.first, dtype=np.int32),
            np.array(self.count, dtype=np.int32),
            np.stack(self.weights),
        )
