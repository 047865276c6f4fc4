"""Predictions from back-off tables: every table adds one entry per class to the scores of a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats


def add_table_entries(
    columns: Sequence[Codes],
    cards: Sequence[int],
    children: NDArray[np.int32],
    parent_starts: NDArray[np.int32],
    parents: NDArray[np.int32],
    sizes: NDArray[np.int64],
    config_starts: NDArray[np.int32],
    config_codes: NDArray[np.uint32],
    cell_starts: NDArray[np.int32],
    cell_codes: NDArray[np.uint32],
    entries: NDArray[np.float32],
    unseen: NDArray[np.float32],
    out: Floats,
    threads: int,
) -> None:
    """Add the entries of tables that back off to the scores of rows.

    A row takes the entry of its cell at the last level at which the cell occurs. If its
    configuration occurs at further levels, but not with the value of the child, the numbers of
    these configurations in ``unseen`` are added. At an unknown parent or a configuration that does
    not occur, the table stops at the level before. An unknown child adds nothing.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n_rows,)
        Codes of each column. The code ``cards[j]`` stands for an unknown value.
    cards : sequence of int
        Cardinality of each column.
    children, parent_starts, parents : ndarray
        The tables, as in `back_off_tables`.
    sizes : ndarray of shape (2 n_slots,)
        Number of configurations and of cells of each slot.
    config_starts, config_codes, cell_starts, cell_codes : ndarray
        The configurations and cells of the slots, as `back_off_tables` returns them.
    entries : ndarray of shape (n_cells, n_classes)
        Entry of each cell.
    unseen : ndarray of shape (n_configurations, n_classes)
        What a value without a cell adds, for each configuration.
    out : ndarray of shape (n_rows, n_classes)
        Scores, which are changed in place.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.
    """
    places = [0, 0, 0, 0, 0]  # of config_starts, config_codes, cell_starts, cells, unseen
    slot = 0
    for t, child in enumerate(children):
        known = columns[child] < cards[child]
        alive = known.copy()
        configs = np.zeros(len(out), dtype=np.int64)
        entry = np.zeros((len(out), out.shape[1]), dtype=np.float64)
        more = np.zeros_like(entry)
        seen = np.zeros(len(out), dtype=bool)
        before = 1
        for level in range(int(parent_starts[t + 1] - parent_starts[t]) + 1):
            n_configs, n_cells = sizes[2 * slot], sizes[2 * slot + 1]
            slot += 1
            if level:
                parent = parents[parent_starts[t] + level - 1]
                starts = config_starts[places[0] : places[0] + before + 1]
                codes = config_codes[places[1] : places[1] + n_configs]
                places[0] += before + 1
                places[1] += int(n_configs)
                next_configs = _places(starts, codes, configs, columns[parent], cards[parent])
                alive &= (columns[parent] < cards[parent]) & (next_configs >= 0)
                configs = np.where(alive, next_configs, 0)
            starts = cell_starts[places[2] : places[2] + n_configs + 1]
            codes = cell_codes[places[3] : places[3] + n_cells]
            cell = _places(starts, codes, configs, columns[child], cards[child])
            here = alive & (cell >= 0)
            entry[here] = entries[places[3] : places[3] + n_cells][cell[here]]
            seen |= here
            other = alive & (cell < 0) & seen
            more[other] += unseen[places[4] : places[4] + n_configs][configs[other]]
            places[2] += int(n_configs) + 1
            places[3] += int(n_cells)
            places[4] += int(n_configs)
            before = int(n_configs)
        out += np.where(seen[:, None], entry + more, 0.0)


def _places(
    starts: NDArray[np.int32],
    codes: NDArray[np.uint32],
    groups: NDArray[np.int64],
    column: Codes,
    card: int,
) -> NDArray[np.int64]:
    """Return the place of the code of every row among the codes of its group, or -1."""
    if not len(codes):
        return np.full(len(groups), -1)
    width = card + 1
    keys = np.repeat(np.arange(len(starts) - 1), np.diff(starts)) * width + codes
    wanted = groups * width + column
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    place: NDArray[np.int64] = np.where(keys[at] == wanted, at, -1)
    return place
