"""Tables that back off: counts given more and more variables, smoothed level by level.

``P_l = (n + s P_(l-1)) / (N + s)``, where the strength s of a level is chosen by leave-one-out.
`BackOff` makes the conditional tables of a network from counts, along two orders of the variables.
`back_off_tables` makes tables from rows, with the class first and then the parents, with everything
that further fits need.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove._utils.ties import rounded_for_ties
from bayesgrove.counts import Configurations, FamilyTable
from bayesgrove.kernels import kernels
from bayesgrove.kernels.numpy.back_off import best_strength, smoothed
from bayesgrove.network import BayesianNetwork, ConditionalTable
from bayesgrove.network.table_sum import TableLayout, TableSum
from bayesgrove.parameters.counted_tables import CountedTables
from bayesgrove.scores.information import conditional_mutual_information

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

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


LEAST_STRENGTH = 3.0
"""Smallest strength of `BackOff`: supervised cuts have seen the class, so small ones mislead."""


@dataclass(frozen=True)
class BackOff(CountedTables):
    """Conditional tables that back off: a table of few rows is smoothed towards a smaller table.

    A table of a child given the class and its parents is the mean of two tables, which drop the
    same variables in different orders. The first drops the parents, one by one, and the class last.
    The second drops the class first, and then the parents, one by one; where it has few rows, it
    says little about the class. A table with n rows in a cell and N rows in the configuration of
    the cell has the probabilities ``(n + s P) / (N + s)``, where P is the probability in the table
    that has one variable less. Parents with little conditional information
    I(child; parent | class) are dropped first. The smallest table is ``(n_x + 1/r) / (N + 1)`` for
    r states. Each table has one strength s, from 4, 10, 25, 63, 158, 398 and 1000. It is the first
    that has a better leave-one-out likelihood than the next one. A configuration that does not
    occur has the probabilities of the smaller tables. (If a table would have more than 1,048,576
    cells, it has the means of P(child | class) and P(child) instead.)

    Backing off helps most if nodes have several parents, and their joint values few rows.

    References
    ----------
    J. Bilmes and K. Kirchhoff (2003). Factored language models and generalized parallel backoff.
    HLT-NAACL 2003, short papers, 4-6.

    Examples
    --------
    >>> from bayesgrove import BayesianNetworkClassifier, load_dataset
    >>> from bayesgrove.parameters import BackOff
    >>> from bayesgrove.structures import KDB
    >>> X, y = load_dataset("vote")
    >>> model = BayesianNetworkClassifier(KDB(k=2), BackOff()).fit(X, y)
    >>> round(model.score(X, y), 3)
    0.968
    """

    def network(
        self,
        structure: Structure,
        tables: Sequence[FamilyTable],
        names: Sequence[str],
        states: Sequence[tuple[Any, ...]],
    ) -> BayesianNetwork:
        """Return the network of a structure whose families are already counted.

        Parameters
        ----------
        structure : Structure
            Parents of every node.
        tables : sequence of FamilyTable
            Counts of the family of every node, in the order of the nodes.
        names : sequence of str
            Names of the nodes; the class is last.
        states : sequence of tuple
            States of every node, in the order of their codes; the class is last.

        Returns
        -------
        BayesianNetwork
            The structure with its conditional tables.
        """
        return BayesianNetwork(names, states, structure, [backed_off(table) for table in tables])


def backed_off(table: FamilyTable) -> ConditionalTable:
    """Return the conditional table of counts, smoothed along two orders of its variables.

    Parameters
    ----------
    table : FamilyTable
        Counts of a node given its parents.

    Returns
    -------
    ConditionalTable
        The probabilities of all configurations, or of those that occur and, last, a row for all
        others.
    """
    table = whole_if_small(table)
    configurations, classes, card = table.counts.shape
    codes = table.configurations.table
    parents = [np.repeat(codes[:, p], classes) for p in ranked(table.counts, codes)]
    of_class = np.tile(np.arange(classes), configurations)
    counts = table.counts.reshape(-1, card)
    if classes > 1 and parents:
        orders = [[of_class, *parents], [*parents, of_class]]
    else:
        orders = [[of_class, *parents]]
    probabilities = np.mean([_smoothed_along(order, counts) for order in orders], axis=0)
    probabilities = probabilities.reshape(table.counts.shape)
    if table.configurations.keys is not None:
        of_classes, of_all = np.arange(classes), table.counts.sum(axis=0)
        given_class = _smoothed_along([of_classes], of_all)
        marginal = np.broadcast_to(_marginal(counts, 0.0), given_class.shape)
        others = np.mean([given_class, marginal][: len(orders)], axis=0)
        probabilities = np.concatenate([probabilities, others[None]])
    return ConditionalTable(table.family, table.configurations, np.ascontiguousarray(probabilities))


def _marginal(counts: Floats, left_out: float) -> Floats:
    """Return the probabilities of the values, with rows of weight ``left_out`` left out of each."""
    values = counts.sum(axis=0)
    total = max(float(values.sum()) - left_out, 0.0)
    shares: Floats = (np.maximum(values - left_out, 0.0) + 1.0 / len(values)) / (total + 1.0)
    return shares


def _smoothed_along(variables: Sequence[NDArray[np.int64]], counts: Floats) -> Floats:
    """Return the probabilities of each row of counts, smoothed variable by variable.

    ``variables`` has the value of each row of counts, for the variables in the order in which they
    are added. The twin of a probability has one row less in its cell, at all levels.
    """
    usual = STRENGTHS >= LEAST_STRENGTH
    strengths, penalties = STRENGTHS[usual], PENALTIES[usual]
    smooth, twin = _marginal(counts, 0.0)[None], _marginal(counts, 1.0)[None]
    groups = np.zeros(len(counts), dtype=np.int64)
    for values in variables:
        above, keys = groups, groups * (int(values.max(initial=0)) + 1) + values
        groups = np.unique(keys, return_inverse=True)[1].reshape(-1)
        n = np.zeros((int(groups.max(initial=0)) + 1, counts.shape[1]))
        np.add.at(n, groups, counts)
        ups = np.zeros(len(n), dtype=np.int64)
        ups[groups] = above
        total = np.broadcast_to(n.sum(axis=1, keepdims=True), n.shape)
        s = best_strength(n, total, twin[ups], 1.0, strengths, penalties)
        smooth = smoothed(n, total, smooth[ups], s, 0.0)
        twin = np.where(n > 0, smoothed(n, total, twin[ups], s, 1.0), smooth)
    probabilities: Floats = smooth[groups]
    return probabilities


def whole_if_small(table: FamilyTable) -> FamilyTable:
    """Return the table with all configurations if it then has at most 1,048,576 cells."""
    cards = table.configurations.cards
    cells = int(np.prod([float(card) for card in cards])) * table.counts[0].size
    if table.configurations.keys is None or cells > WHOLE_CELLS:
        return table
    return FamilyTable(table.family, Configurations(cards), table.whole)


def ranked(counts: Floats, codes: NDArray[np.int64]) -> list[int]:
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
        Strength of each level of each table, chosen in the bag.
    logs : ndarray of shape (n_cells, n_classes)
        ``ln P(child | class, first parents)`` of each cell, from all rows.
    unseen : ndarray of shape (n_configurations, n_classes)
        What a value adds to ``ln P`` of the level before if it does not occur with a configuration.
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
    bag_logs: Floats
    twins: Floats
    cells: NDArray[np.int32]

    def of_rows(self, rows: NDArray[np.integer[Any]]) -> BackOffTables:
        """Return the tables with the twins and cells of some rows only.

        Parameters
        ----------
        rows : ndarray
            Numbers of the rows.

        Returns
        -------
        BackOffTables
            The tables.
        """
        return replace(self, twins=self.twins[:, rows], cells=self.cells[:, rows])

    def summed(
        self,
        maps: Mapping[int, Codes],
        cards: Sequence[int],
        exponents: Floats,
        deltas: Floats,
    ) -> TableSum:
        """Return the tables as a sum for prediction: ``exponent * ln P + delta`` of every cell.

        Parameters
        ----------
        maps : dict of int to ndarray
            Bin of every code of a column whose codes are binned, by number of the column.
        cards : sequence of int
            Cardinality of every column, after binning.
        exponents : ndarray of shape (n_tables,)
            Exponent of each table.
        deltas : ndarray of shape (n_cells, n_classes)
            Correction of each cell.

        Returns
        -------
        TableSum
            The sum.
        """
        of_slots = exponents[self.layout.slot_tables]
        entries = of_slots.repeat(self.layout.cells)[:, None] * self.logs + deltas
        unseen = of_slots.repeat(self.layout.configs)[:, None] * self.unseen
        return TableSum(
            maps, cards, self.layout, entries.astype(np.float32), unseen.astype(np.float32)
        )


def back_off_tables(
    columns: Sequence[Codes],
    cards: Sequence[int],
    target: Codes,
    n_classes: int,
    weights: Floats | None,
    bag: NDArray[np.bool_],
    rows: NDArray[np.int32],
    children: NDArray[np.integer[Any]],
    parents: NDArray[np.integer[Any]],
    pseudo_counts: Sequence[float] | None = None,
    least_strength: float = 0.0,
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
    children : ndarray of shape (n_tables,)
        Column of the child of each table.
    parents : ndarray of shape (n_tables, n_most)
        Parents of each table, the most important first; after the last one, -1. If the cells are
        too many, the last parents are left out.
    pseudo_counts : sequence of float or None, default=None
        Pseudo-count per cell of each table, which then does not back off: every level has the
        probabilities ``(n + a) / (N + a r)``, and all r values of the child in every configuration
        that occurs. 0 is a table that backs off. None means that all tables back off.
    least_strength : float, default=0.0
        Smallest strength of a table that backs off.

    Returns
    -------
    BackOffTables
        The tables.
    """
    usual = least_strength <= STRENGTHS
    fixed = (
        np.zeros(len(parents)) if pseudo_counts is None else np.array(pseudo_counts, dtype=float)
    )
    kids = children.astype(np.int32)
    while True:
        known = parents >= 0
        flat = parents[known].astype(np.int32)
        starts = np.zeros(len(parents) + 1, dtype=np.int32)
        known.sum(axis=1).cumsum(out=starts[1:])
        try:
            arrays: tuple[Any, ...] = kernels.back_off_tables(
                columns,
                cards,
                target,
                n_classes,
                weights,
                bag.view(np.uint8),
                rows,
                kids,
                starts,
                flat,
                fixed,
                STRENGTHS[usual],
                PENALTIES[usual],
                MAX_CELLS,
            )
        except OverflowError:
            if not len(flat):
                raise
            parents = parents[:, : int(np.diff(starts).max()) - 1]
            continue
        sizes, *groups = arrays[:5]
        layout = TableLayout(kids, starts, flat, sizes.reshape(-1), *groups)
        return BackOffTables(layout, *arrays[5:])
