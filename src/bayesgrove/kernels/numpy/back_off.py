"""Tables that back off: counts of a child given the class and more and more parents, smoothed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats

SMALLEST = 1e-12
"""Probabilities are not smaller, so that logarithms exist."""
STRENGTH_TERMS = 800
"""Largest number of terms of the likelihood that chooses a strength."""


def back_off_tables(
    columns: Sequence[Codes],
    cards: Sequence[int],
    target: Codes,
    n_classes: int,
    weights: Floats | None,
    in_bag: NDArray[np.uint8],
    rows: NDArray[np.int32],
    children: NDArray[np.int32],
    parent_starts: NDArray[np.int32],
    parents: NDArray[np.int32],
    pseudo_counts: Floats,
    strengths: Floats,
    penalties: Floats,
    max_cells: int,
) -> tuple[NDArray[Any], ...]:
    """Return tables of children given the class and their parents, which back off.

    Level l of a table has the class and the first l parents. Its probabilities are
    ``P_l = (n + s P_{l-1}) / (N + s)``, with the count n of a cell, the count N of its
    configuration and class, and the strength s of the level. Before level 0,
    ``P(x) = (n_x + 1 / card) / (n + 1)``. A *twin* is the same with the row itself left out:
    ``Q_l = (n - w + s Q_{l-1}) / (N - w + s)`` for a row of weight w. The value of a strength is
    the sum over cells of the bag of ``n ln((n - w + s Q_{l-1}) / (N - w + s))`` minus its penalty,
    where w is the mean weight. The search begins at the strength with the smallest penalty, and
    goes on to a neighbour as long as its value is larger.

    A table with a pseudo-count ``a`` does not back off. At every level,
    ``P_l = (n + a) / (N + a card)`` and ``Q_l = (n - w + a) / (N - w + a card)``, and all values
    of the child are cells of every configuration that occurs.

    The *bag* are the rows on which further parameters are fitted. Their twins, the logarithms
    ``bag_logs`` and the strengths are made from the counts of the bag alone, so that they depend on
    no other row.

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
    in_bag : ndarray of shape (n_rows,)
        1 for the rows of the bag, 0 for the others.
    rows : ndarray of shape (n_fit,)
        Numbers of the rows whose twins and cells are returned.
    children : ndarray of shape (n_tables,)
        Column of the child of each table.
    parent_starts : ndarray of shape (n_tables + 1,)
        Position of the first parent of each table in ``parents``, and the number of all parents.
    parents : ndarray of shape (n_parents,)
        Columns of the parents of all tables, in the order of the levels.
    pseudo_counts : ndarray of shape (n_tables,)
        Pseudo-count per cell of each table; 0 for a table that backs off.
    strengths : ndarray of shape (n_strengths,)
        The strengths to choose from, ascending.
    penalties : ndarray of shape (n_strengths,)
        Penalty of each strength, in nats.
    max_cells : int
        Largest number of cells of all slots, times classes. More raise an OverflowError.

    Returns
    -------
    sizes : ndarray of shape (n_slots, 2)
        Number of configurations and of cells of each slot. A slot is a level of a table; the slots
        of a table follow each other. All results are side by side in the order of the slots.
    config_starts, config_codes : ndarray
        For each slot with a parent: configuration g of the level before becomes the configurations
        ``starts[g]`` to ``starts[g + 1] - 1``, with these codes of the parent, ascending.
    cell_starts, cell_codes : ndarray
        For each slot: the cells of configuration g, with these codes of the child, ascending.
    ups : ndarray of shape (n_cells,)
        Number of the same cell in the level before; at level 0, the code of the child.
    strengths : ndarray of shape (n_slots,)
        The strength of each level; the sum of the pseudo-counts of a configuration if a table does
        not back off.
    logs : ndarray of shape (n_cells, n_classes)
        ``ln P`` of each cell, from all rows.
    unseen : ndarray of shape (n_configurations, n_classes)
        ``ln(s / (N + s))``, which a value without a cell adds to the level before.
    bag_logs : ndarray of shape (n_last_cells, n_classes)
        ``ln P`` of the cells of the last level of each table, from the bag.
    twins : ndarray of shape (n_tables, n_fit)
        ``ln Q`` of each row at the last level, for its own class. Rows outside of the bag have
        ``ln P`` from the bag.
    cells : ndarray of shape (n_tables, n_fit)
        Cell of each row at the last level of each table.
    """
    w = np.ones(len(target)) if weights is None else weights
    unit = 1.0 if weights is None else float(w.sum() / max(len(w), 1))
    table = _Rows(target.astype(np.int64), n_classes, w, in_bag.astype(bool), rows, unit)
    slots: list[_Slot] = []
    ends: list[tuple[Floats, Floats, NDArray[np.int64]]] = []
    for t, child in enumerate(children):
        given = parents[parent_starts[t] : parent_starts[t + 1]]
        new, end = _table(
            table,
            columns[child],
            cards[child],
            [columns[v] for v in given],
            [cards[v] for v in given],
            pseudo_counts[t],
            (strengths, penalties),
            max_cells,
        )
        slots += new
        ends.append(end)
        if sum(slot.logs.size for slot in slots) > max_cells:
            raise OverflowError("The tables have too many cells.")

    def joined(name: str, kind: Any, *width: int) -> NDArray[Any]:
        return np.concatenate([np.empty((0, *width)), *(getattr(s, name) for s in slots)]).astype(
            kind
        )

    return (
        joined("sizes", np.int64, 2),
        joined("config_starts", np.int32),
        joined("config_codes", np.uint32),
        joined("cell_starts", np.int32),
        joined("cell_codes", np.uint32),
        joined("ups", np.int32),
        joined("strength", np.float64),
        joined("logs", np.float64, n_classes),
        joined("unseen", np.float64, n_classes),
        np.concatenate([np.empty((0, n_classes)), *(logs for logs, _, _ in ends)]),
        np.reshape([twins for _, twins, _ in ends], (len(children), len(rows))).astype(np.float64),
        np.reshape([cells for _, _, cells in ends], (len(children), len(rows))).astype(np.int32),
    )


class _Slot(NamedTuple):
    """The results of one level of one table."""

    sizes: NDArray[np.int64]
    config_starts: NDArray[np.int64]
    config_codes: NDArray[np.int64]
    cell_starts: NDArray[np.int64]
    cell_codes: NDArray[np.int64]
    ups: NDArray[np.int64]
    strength: Floats
    logs: Floats
    unseen: Floats


class _Rows(NamedTuple):
    """Rows of all tables of one call."""

    target: NDArray[np.int64]
    classes: int
    weights: Floats
    bag: NDArray[np.bool_]
    fit: NDArray[np.int32]
    unit: float

    def counts(self, ids: NDArray[np.int64], size: int, *, bag: bool) -> Floats:
        """Return the weight of every group and class, of all rows or of the bag."""
        use = self.bag if bag else slice(None)
        keys = ids[use] * self.classes + self.target[use]
        sums = np.bincount(keys, self.weights[use], minlength=size * self.classes)
        counts: Floats = sums.reshape(size, self.classes).astype(np.float64)
        return counts


def _split(
    ids: NDArray[np.int64], groups: int, column: Codes, card: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Split groups of rows by a column: new ids, start of every group, codes of the new groups."""
    keys, new = np.unique(ids * card + column, return_inverse=True)
    starts = np.searchsorted(keys, np.arange(groups + 1) * card)
    return new.reshape(-1), starts, keys % card


def _table(
    rows: _Rows,
    child: Codes,
    card: int,
    parents: Sequence[Codes],
    parent_cards: Sequence[int],
    pseudo_count: float,
    choice: tuple[Floats, Floats],
    max_cells: int,
) -> tuple[list[_Slot], tuple[Floats, Floats, NDArray[np.int64]]]:
    """Return the slots of one table, and its last level: logarithms and twins of the bag, cells."""
    fit_weights = np.where(rows.bag, rows.weights, 0.0)[rows.fit]
    class_codes = rows.target[rows.fit]
    smooth, bag_smooth, twin, row_twin = _shares(rows, child, card, fit_weights)
    configs = np.zeros(len(child), dtype=np.int64)
    n_configs, cells = 1, child.astype(np.int64)
    share = 1.0 / card if pseudo_count > 0 else None
    slots: list[_Slot] = []
    for level in range(len(parents) + 1):
        new_starts = new_codes = np.empty(0, dtype=np.int64)
        if level:
            configs, new_starts, new_codes = _split(
                configs, n_configs, parents[level - 1], parent_cards[level - 1]
            )
            n_configs = len(new_codes)
        before = cells
        if share is None:
            cells, starts, codes = _split(configs, n_configs, child, card)
            ups = np.empty(len(codes), dtype=np.int64)
            ups[cells] = before
        else:
            if n_configs * card * rows.classes > max_cells:
                raise OverflowError("The tables have too many cells.")
            cells, codes = configs * card + child, np.tile(np.arange(card), n_configs)
            starts = np.arange(n_configs + 1) * card
            first_up = np.zeros(n_configs, dtype=np.int64)
            first_up[configs] = before - before % card
            ups = np.repeat(first_up, card) + codes
        config_of = np.repeat(np.arange(n_configs), np.diff(starts))
        n = [rows.counts(cells, len(codes), bag=bag) for bag in (False, True)]
        totals = [rows.counts(configs, n_configs, bag=bag) for bag in (False, True)]
        of_cells = [total[config_of] for total in totals]
        above = [p[ups] if share is None else share for p in (smooth, bag_smooth, twin)]
        if share is None:
            s = best_strength(n[1], of_cells[1], twin[ups], rows.unit, *choice)
        else:
            s = pseudo_count * card
        smooth = smoothed(n[0], of_cells[0], above[0], s, 0.0)
        bag_smooth = smoothed(n[1], of_cells[1], above[1], s, 0.0)
        twin = smoothed(n[1], of_cells[1], above[2], s, rows.unit)
        twin = np.where(n[1] > 0, twin, bag_smooth)
        fit_cells = cells[rows.fit]
        row_twin = smoothed(
            n[1][fit_cells, class_codes],
            totals[1][configs[rows.fit], class_codes],
            row_twin if share is None else share,
            s,
            fit_weights,
        )
        slots.append(
            _Slot(
                np.array([[n_configs, len(codes)]]),
                new_starts,
                new_codes,
                starts,
                codes,
                ups,
                np.array([s]),
                np.log(np.maximum(smooth, SMALLEST)),
                np.log(s / (totals[0] + s)),
            )
        )
    logs = np.log(np.maximum(bag_smooth, SMALLEST))
    return slots, (logs, np.log(np.maximum(row_twin, SMALLEST)), fit_cells)


def _shares(
    rows: _Rows, child: Codes, card: int, fit_weights: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the shares of the values: of all rows, of the bag, their twins, twins of rows."""
    every = np.bincount(child, rows.weights, minlength=card)
    bag = np.bincount(child[rows.bag], rows.weights[rows.bag], minlength=card)
    total, bag_total, share = every.sum(), bag.sum(), 1.0 / card
    twin = (np.maximum(bag - rows.unit, 0) + share) / (max(bag_total - rows.unit, 0) + 1)
    row_twin = (bag[child[rows.fit]] - fit_weights + share) / (bag_total - fit_weights + 1)
    columns = [(every + share) / (total + 1), (bag + share) / (bag_total + 1), twin]
    smooth, bag_smooth, twins = (np.repeat(p[:, None], rows.classes, axis=1) for p in columns)
    return smooth, bag_smooth, twins, row_twin


def smoothed(
    n: Floats, total: Floats, above: Floats | float, s: float, unit: Floats | float
) -> Floats:
    """Return ``(n - unit + s above) / (N - unit + s)``."""
    out: Floats = (np.maximum(n - unit, 0) + s * above) / (np.maximum(total - unit, 0) + s)
    return out


def best_strength(
    n: Floats, total: Floats, above: Floats, unit: float, strengths: Floats, penalties: Floats
) -> float:
    """Climb from the strength with the smallest penalty as long as the likelihood grows."""
    positive = np.flatnonzero(n.ravel() > 0)
    step = max(1, len(positive) // STRENGTH_TERMS)
    use = positive[step // 2 :: step]
    count, rest = n.ravel()[use], np.maximum(n.ravel()[use] - unit, 0)
    whole, above = np.maximum(total.ravel()[use] - unit, 0), above.ravel()[use]
    ratios = (rest + strengths[:, None] * above) / (whole + strengths[:, None])
    values = (count * np.log(ratios)).sum(axis=1) - penalties
    first = best = int(np.argmin(penalties))
    for direction in (1, -1):
        while best == first or direction * (best - first) > 0:
            place = best + direction
            if not 0 <= place < len(values) or values[place] <= values[best]:
                break
            best = place
    return float(strengths[best])
