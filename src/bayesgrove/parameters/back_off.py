"""Tables that back off: counts given more and more parents, smoothed level by level.

``P_l = (n + s P_(l-1)) / (N + s)`` for a child given the class and its first l parents. The
strength s of a level is chosen by leave-one-out. `BackOff` makes the conditional tables of a
network from counts. `back_off_tables` makes tables from rows, with everything that further fits
need.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove._utils.ties import rounded_for_ties
from bayesgrove.counts import Configurations, FamilyTable
from bayesgrove.kernels import kernels
from bayesgrove.kernels.numpy.back_off import best_strength, smoothed
from bayesgrove.network import BayesianNetwork, ConditionalTable
from bayesgrove.network.table_sum import TableLayout
from bayesgrove.scores.information import conditional_mutual_information

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.counts import CountSource
    from bayesgrove.kernels import Codes, Floats
    from bayesgrove.network import Structure

STRENGTHS: Floats = np.asarray(0.1 * 10.0 ** (0.4 * np.arange(11)), dtype=np.float64)
"""Strengths to choose from, 0.1 to 1000."""
PENALTIES: Floats = 0.5 * np.abs(np.log(STRENGTHS) - 0.7)
"""Penalty of each strength in nats; strengths near 2 have the smallest one."""
MAX_CELLS = 1 << 26
"""Largest number of cells, times classes, of the tables of one sum."""
WHOLE_CELLS = 1 << 20
"""Tables up to this number of cells have all configurations, also those that do not occur."""


@dataclass(frozen=True)
class BackOff:
    """Conditional tables that back off: each parent more is smoothed towards the table without it.

    Level l of a table has the class and the first l attribute parents. Parents with much
    conditional information I(child; parent | class) come first. With the count n of a cell and the
    count N of its configuration, ``P_l = (n + s P_(l-1)) / (N + s)``. Before level 0,
    ``P(x) = (n_x + 1/r) / (N + 1)`` for r states. The strength s of a level maximises the
    leave-one-out likelihood of the counts, among 11 values from 0.1 to 1000. A configuration that
    does not occur has the probabilities of the level before. (If a table would have more than
    1,048,576 cells, it has the probabilities of level 0.)

    Backing off helps most if nodes have several parents, and their joint values few rows.

    Examples
    --------
    >>> from bayesgrove import BayesianNetworkClassifier, load_dataset
    >>> from bayesgrove.parameters import BackOff
    >>> from bayesgrove.structures import KDB
    >>> X, y = load_dataset("vote")
    >>> model = BayesianNetworkClassifier(KDB(k=2), BackOff()).fit(X, y)
    >>> round(model.score(X, y), 3)
    0.97
    """

    def estimate(
        self, structure: Structure, counts: CountSource, states: Sequence[tuple[Any, ...]]
    ) -> BayesianNetwork:
        """Return the network of a structure, with tables from one pass over the rows.

        Parameters
        ----------
        structure : Structure
            Parents of every node.
        counts : CountSource
            Counts of the training rows.
        states : sequence of tuple
            States of every node, in the order of their codes; the class is last.

        Returns
        -------
        BayesianNetwork
            The structure with its conditional tables.
        """
        families = [structure.family(v) for v in range(len(structure.parents))]
        tables = [backed_off(table) for table in counts.tables(families)]
        return BayesianNetwork(counts.names, states, structure, tables)


def backed_off(table: FamilyTable) -> ConditionalTable:
    """Return the conditional table of counts, smoothed level by level.

    Parameters
    ----------
    table : FamilyTable
        Counts of a node given its parents.

    Returns
    -------
    ConditionalTable
        The probabilities of all configurations, or of those that occur and, last, a row of level 0
        for all others.
    """
    cards = table.configurations.cards
    cells = int(np.prod([float(card) for card in cards])) * table.counts[0].size
    if table.configurations.keys is not None and cells <= WHOLE_CELLS:
        table = FamilyTable(table.family, Configurations(cards), table.whole)
    codes = table.configurations.table
    order = _ranked(table.counts, codes)
    _, classes, card = table.counts.shape
    values = table.counts.sum(axis=(0, 1))
    share = (values + 1.0 / card) / (values.sum() + 1.0)
    left_out = (np.maximum(values - 1.0, 0.0) + 1.0 / card) / (max(values.sum() - 1.0, 0.0) + 1.0)
    smooth, twin = (np.broadcast_to(p, (1, classes, card)) for p in (share, left_out))
    groups = np.zeros(len(codes), dtype=np.intp)
    first: Floats = np.empty(0)
    for level in range(len(cards) + 1):
        above = groups
        _, groups = np.unique(codes[:, order[:level]], axis=0, return_inverse=True)
        groups = groups.reshape(-1)
        n = np.zeros((int(groups.max(initial=0)) + 1, classes, card))
        np.add.at(n, groups, table.counts)
        ups = np.zeros(len(n), dtype=np.intp)
        ups[groups] = above
        total = np.broadcast_to(n.sum(axis=2, keepdims=True), n.shape)
        s = best_strength(n, total, twin[ups], 1.0, STRENGTHS, PENALTIES)
        twin = np.where(n > 0, smoothed(n, total, twin[ups], s, 1.0), 0.0)
        smooth = smoothed(n, total, smooth[ups], s, 0.0)
        twin = np.where(n > 0, twin, smooth)
        first = smooth if level == 0 else first
    probabilities = smooth[groups]
    if table.configurations.keys is not None:
        probabilities = np.concatenate([probabilities, first])
    return ConditionalTable(table.family, table.configurations, np.ascontiguousarray(probabilities))


def _ranked(counts: Floats, codes: NDArray[np.int64]) -> list[int]:
    """Return the parents by decreasing information about the child given the class."""
    information = []
    for column in codes.T:
        pairs = np.zeros((int(column.max(initial=0)) + 1, *counts.shape[1:]))
        np.add.at(pairs, column, counts)
        information.append(conditional_mutual_information(pairs.transpose(1, 0, 2)))
    order = np.argsort(-rounded_for_ties(np.array(information)), kind="stable")
    return [int(at) for at in order]


@dataclass(frozen=True)
class BackOffTables:
    """Tables that back off, and the rows on which further parameters are fitted.

    Parameters
    ----------
    layout : TableLayout
        The tables and their cells.
    ups : ndarray of shape (n_cells,)
        Number of the same cell in the level before; at level 0, the code of the child.
    strengths : ndarray of shape (n_slots,)
        Strength of each level of each table, for all rows.
    logs : ndarray of shape (n_cells, n_classes)
        ``ln P(child | class, first parents)`` of each cell, from all rows.
    unseen : ndarray of shape (n_configurations, n_classes)
        What a value adds to ``ln P`` of the level before if it does not occur with a configuration.
    bag_strengths : ndarray of shape (n_slots,)
        Strength of each level of each table, for the bag.
    bag_logs : ndarray of shape (n_last_cells, n_classes)
        ``ln P`` of the cells of the last level of each table, from the bag.
    twins : ndarray of shape (n_tables, n_fit)
        ``ln P`` of each row for its own class from the bag, with the row itself left out.
    cells : ndarray of shape (n_tables, n_fit)
        Cell of each row at the last level of each table.
    """

    layout: TableLayout
    ups: NDArray[np.int32]
    strengths: Floats
    logs: Floats
    unseen: Floats
    bag_strengths: Floats
    bag_logs: Floats
    twins: Floats
    cells: NDArray[np.int32]

    @cached_property
    def depths(self) -> NDArray[np.intp]:
        """Number of parents of each table."""
        return self.layout.depths

    @cached_property
    def last_slots(self) -> NDArray[np.intp]:
        """Last slot of each table."""
        last: NDArray[np.intp] = np.cumsum(self.depths + 1) - 1
        return last


def back_off_tables(
    columns: Sequence[Codes],
    cards: Sequence[int],
    target: Codes,
    n_classes: int,
    weights: Floats | None,
    bag: NDArray[np.bool_],
    rows: NDArray[np.int32],
    children: Sequence[int],
    parents: Sequence[tuple[int, ...]],
) -> BackOffTables:
    """Return the tables of some children given the class and their parents.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n_rows,)
        Codes of each column, all below ``cards``.
    cards : sequence of int
        Cardinality of each column.
    target : ndarray of shape (n_rows,)
        Class code of each row.
    n_classes : int
        Number of classes.
    weights : ndarray of shape (n_rows,) or None
        Weight of each row. None counts every row once.
    bag : ndarray of shape (n_rows,)
        The rows whose counts give ``bag_logs`` and ``twins``.
    rows : ndarray of shape (n_fit,)
        Numbers of the rows whose twins and cells are needed.
    children : sequence of int
        Column of the child of each table.
    parents : sequence of tuple of int
        Parents of each table, the most important first. If the cells are too many, the last
        parents are left out.

    Returns
    -------
    BackOffTables
        The tables.
    """
    kept = list(parents)
    while True:
        starts = np.cumsum([0, *map(len, kept)]).astype(np.int32)
        flat = np.array([p for group in kept for p in group], dtype=np.int32)
        kids = np.array(children, dtype=np.int32)
        try:
            arrays: tuple[Any, ...] = kernels.back_off_tables(
                columns,
                cards,
                target,
                n_classes,
                weights,
                bag.astype(np.uint8),
                rows,
                kids,
                starts,
                flat,
                STRENGTHS,
                PENALTIES,
                MAX_CELLS,
            )
        except OverflowError:
            longest = max(map(len, kept), default=0)
            if not longest:
                raise
            kept = [group[: longest - 1] for group in kept]
            continue
        sizes, *groups = arrays[:5]
        layout = TableLayout(kids, starts, flat, sizes.reshape(-1), *groups)
        return BackOffTables(layout, *arrays[5:])
