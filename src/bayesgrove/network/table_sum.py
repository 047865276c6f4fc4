"""Sums of tables that back off: every table adds one entry per class to the score of a row."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bayesgrove.kernels import kernels

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Codes, Floats


class _Tables(NamedTuple):
    """The arrays of `TableLayout`."""

    children: NDArray[np.int32]
    parent_starts: NDArray[np.int32]
    parents: NDArray[np.int32]
    sizes: NDArray[np.int64]
    config_starts: NDArray[np.int32]
    config_codes: NDArray[np.uint32]
    cell_starts: NDArray[np.int32]
    cell_codes: NDArray[np.uint32]


class TableLayout(_Tables):
    """The tables of a sum, and their cells.

    A slot is a level of a table: the child given the class and the first parents. The slots of a
    table follow each other, and the arrays have the slots side by side. Only joint values that
    occur in the training rows have a cell.

    Parameters
    ----------
    children : ndarray of shape (n_tables,)
        Column of the child of each table.
    parent_starts : ndarray of shape (n_tables + 1,)
        Position of the first parent of each table in ``parents``, and the number of all parents.
    parents : ndarray of shape (n_parents,)
        Columns of the parents of all tables, in the order of the levels.
    sizes : ndarray of shape (2 n_slots,)
        Number of configurations and of cells of each slot, by turns.
    config_starts, config_codes : ndarray
        For each slot with a parent: configuration g of the level before becomes the configurations
        ``starts[g]`` to ``starts[g + 1] - 1``, with these codes of the parent, ascending.
    cell_starts, cell_codes : ndarray
        For each slot: the cells of configuration g, with these codes of the child, ascending.
    """

    @cached_property
    def depths(self) -> NDArray[np.intp]:
        """Number of parents of each table."""
        return np.diff(self.parent_starts).astype(np.intp)

    @cached_property
    def last_slots(self) -> NDArray[np.intp]:
        """Last slot of each table."""
        last: NDArray[np.intp] = (self.depths + 1).cumsum() - 1
        return last

    @cached_property
    def slot_tables(self) -> NDArray[np.intp]:
        """Table of each slot."""
        return np.arange(len(self.children)).repeat(self.depths + 1)

    @cached_property
    def slot_levels(self) -> NDArray[np.intp]:
        """Level of each slot."""
        firsts = self.last_slots - self.depths
        levels: NDArray[np.intp] = np.arange(len(self.slot_tables)) - firsts[self.slot_tables]
        return levels

    @property
    def configs(self) -> NDArray[np.int64]:
        """Number of configurations of each slot."""
        return self.sizes[::2]

    @property
    def cells(self) -> NDArray[np.int64]:
        """Number of cells of each slot."""
        return self.sizes[1::2]

    @cached_property
    def slot_starts(self) -> NDArray[np.int64]:
        """Position of the first cell of each slot, and the number of all cells."""
        starts = np.zeros(len(self.sizes) // 2 + 1, dtype=np.int64)
        self.cells.cumsum(out=starts[1:])
        return starts

    @cached_property
    def last_starts(self) -> NDArray[np.int64]:
        """Position of the first cell of each table among the cells of the last levels."""
        sizes = self.cells[self.last_slots]
        starts: NDArray[np.int64] = sizes.cumsum() - sizes
        return starts

    def parents_of(self, table: int) -> tuple[int, ...]:
        """Return the parents of a table, in the order of the levels."""
        start, stop = self.parent_starts[table : table + 2]
        return tuple(self.parents[start:stop].tolist())

    def cell_values(self, slot: int) -> NDArray[np.int64]:
        """Return the codes of the cells of a slot: the parents in the order of the levels, child.

        Parameters
        ----------
        slot : int
            Number of the slot.

        Returns
        -------
        ndarray of shape (n_cells, level + 1)
            One row per cell.
        """
        level = int(self.slot_levels[slot])
        first = slot - level
        starts = np.concatenate([[0], np.cumsum(self.configs)])
        levels = self.slot_levels
        # config_starts has one entry more than the configurations of the slot before it.
        widths = np.where(levels > 0, np.concatenate([[0], self.configs[:-1]]) + 1, 0)
        config_places = np.concatenate([[0], np.cumsum(widths)])
        code_places = np.concatenate([[0], np.cumsum(np.where(levels > 0, self.configs, 0))])
        codes = np.zeros((1, 0), dtype=np.int64)
        for s in range(first + 1, slot + 1):
            split = self.config_starts[config_places[s] : config_places[s + 1]]
            new = self.config_codes[code_places[s] : code_places[s + 1]]
            codes = np.column_stack([np.repeat(codes, np.diff(split), axis=0), new])
        at = int(starts[slot] + slot)
        split = self.cell_starts[at : at + int(self.configs[slot]) + 1]
        part = slice(self.slot_starts[slot], self.slot_starts[slot + 1])
        return np.column_stack([np.repeat(codes, np.diff(split), axis=0), self.cell_codes[part]])


@dataclass(frozen=True)
class TableSum:
    """A sum of tables over binned columns.

    Parameters
    ----------
    maps : dict of int to ndarray
        Bin of every code of a column whose codes are binned, by number of the column.
    cards : list of int
        Cardinality of every column, after binning.
    layout : TableLayout
        The tables and their cells.
    entries : ndarray of shape (n_cells, n_classes)
        What each cell adds to the scores of the classes.
    unseen : ndarray of shape (n_configurations, n_classes)
        What a value adds that does not occur with a configuration, beside the entry of the level
        before.
    """

    maps: Mapping[int, Codes]
    cards: Sequence[int]
    layout: TableLayout
    entries: NDArray[np.float32]
    unseen: NDArray[np.float32]

    def add_to(self, scores: Floats, encoded: Encoded, threads: int = 1) -> None:
        """Add the entries of all tables to the scores of rows.

        Parameters
        ----------
        scores : ndarray of shape (n_rows, n_classes)
            Scores, which are changed in place.
        encoded : Encoded
            Codes of the rows, before binning.
        threads : int, default=1
            Number of threads.
        """
        columns = list(encoded.columns)
        for v, bins in self._maps_with_unknown.items():
            columns[v] = bins[columns[v]]
        kernels.add_table_entries(
            columns, self.cards, *self.layout, self.entries, self.unseen, scores, threads
        )

    @cached_property
    def _maps_with_unknown(self) -> dict[int, Codes]:
        """Maps in which the code of an unknown value stays unknown."""
        return {
            v: np.append(bins, np.array([self.cards[v]], dtype=bins.dtype))
            for v, bins in self.maps.items()
        }

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without the cached maps."""
        state = dict(self.__dict__)
        state.pop("_maps_with_unknown", None)
        return state
