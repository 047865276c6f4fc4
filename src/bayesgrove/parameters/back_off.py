"""Tables that back off, from rows: counts given more and more parents, smoothed level by level.

The strength of the smoothing is chosen by leave-one-out; see `kernels.numpy.back_off_tables`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.kernels import kernels
from bayesgrove.network.table_sum import TableLayout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats

STRENGTHS: Floats = np.asarray(0.1 * 10.0 ** (0.4 * np.arange(11)), dtype=np.float64)
"""Strengths to choose from, 0.1 to 1000."""
PENALTIES: Floats = 0.5 * np.abs(np.log(STRENGTHS) - 0.7)
"""Penalty of each strength in nats; strengths near 2 have the smallest one."""
MAX_CELLS = 1 << 26
"""Largest number of cells, times classes, of the tables of one sum."""


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
        Strength of each level of each table.
    logs : ndarray of shape (n_cells, n_classes)
        ``ln P(child | class, first parents)`` of each cell, from all rows.
    unseen : ndarray of shape (n_configurations, n_classes)
        What a value adds to ``ln P`` of the level before if it does not occur with a configuration.
    bag_logs : ndarray of shape (n_last_cells, n_classes)
        ``ln P`` of the cells of the last level of each table, from the bag.
    twins : ndarray of shape (n_tables, n_fit)
        ``ln P`` of each row for its own class from the bag, with the row itself left out.
    ids : ndarray of shape (n_slots, n_fit)
        Cell of each row in each slot.
    """

    layout: TableLayout
    ups: NDArray[np.int32]
    strengths: Floats
    logs: Floats
    unseen: Floats
    bag_logs: Floats
    twins: Floats
    ids: NDArray[np.int32]

    @property
    def last_slots(self) -> NDArray[np.intp]:
        """Last slot of each table."""
        last: NDArray[np.intp] = np.cumsum(self.layout.depths + 1) - 1
        return last

    def accumulated(self, deltas: Floats) -> Floats:
        """Return for each cell the sum of ``deltas`` over the cell and the same cell above.

        Parameters
        ----------
        deltas : ndarray of shape (n_cells, n_classes)
            Numbers of each cell.

        Returns
        -------
        ndarray of shape (n_cells, n_classes)
            The sums over the levels up to the one of the cell.
        """
        starts, levels = self.layout.slot_starts, self.layout.slot_levels
        sums = deltas.copy()
        for slot in np.flatnonzero(levels > 0):
            part = slice(starts[slot], starts[slot + 1])
            sums[part] += sums[starts[slot - 1] + self.ups[part]]
        return sums


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
