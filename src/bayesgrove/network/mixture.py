"""Networks with nodes whose probabilities are means over several parent sets."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bayesgrove.network.prediction_program import Program, compile_mean, compile_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Floats
    from bayesgrove.network import BayesianNetwork, ConditionalTable

MAX_COMPLETIONS = 1 << 12
"""Largest number of joint values of missing attributes that are summed over per row."""
BLOCK_ROWS = 1 << 18
"""Number of completed rows that are worked on at a time."""


@dataclass(frozen=True)
class MeanTable:
    """``P(child | parents)`` as the weighted mean of several conditional tables of one child.

    Parameters
    ----------
    tables : tuple of ConditionalTable
        Conditional tables of the same child, given different parent sets.
    weights : tuple of float
        Weight of every table, in the same order.
    """

    tables: tuple[ConditionalTable, ...]
    weights: tuple[float, ...]


class Completions(NamedTuple):
    """Rows with the same missing attributes, and all joint values of these attributes."""

    rows: NDArray[np.intp]
    hidden: list[int]
    values: NDArray[np.intp]

    @property
    def size(self) -> int:
        """Number of completed rows."""
        return len(self.rows) * int(self.values.shape[1])

    @property
    def places(self) -> NDArray[np.intp]:
        """Original row of every completed row."""
        return np.repeat(self.rows, self.values.shape[1])


class RowAverage(ABC):
    """Base class of averages that are computed row by row, with all values of a row known.

    Missing values are summed out over their joint values. If these are too many, the row gets the
    result of ``network`` alone.
    """

    network: BayesianNetwork

    @abstractmethod
    def _complete(self, encoded: Encoded, threads: int, relative: bool) -> Floats:
        """Return the results of rows in which only irrelevant attributes may be missing."""

    @abstractmethod
    def _relevant(self, hidden: list[int]) -> list[int]:
        """Return the missing attributes that have to be summed out."""

    def _log_joint(self, encoded: Encoded, threads: int, relative: bool) -> Floats:
        """Return ``ln P(class, attributes)`` of every row and class."""
        missing = np.zeros((encoded.rows, len(encoded.columns)), dtype=bool)
        for v, (column, card) in enumerate(zip(encoded.columns, encoded.cards, strict=True)):
            missing[:, v] = column >= card
        incomplete = missing.any(axis=1)
        out = np.empty((encoded.rows, self._classes))
        known = np.flatnonzero(~incomplete)
        out[known] = self._complete(encoded.take(known), threads, relative)
        self._fill(encoded, missing, np.flatnonzero(incomplete), out, threads)
        return out

    def _fill(
        self,
        encoded: Encoded,
        missing: NDArray[np.bool_],
        rows: NDArray[np.intp],
        out: Floats,
        threads: int,
    ) -> None:
        """Fill in the results of rows with missing values, pattern by pattern."""
        block: list[Completions] = []
        patterns, which = np.unique(missing[rows], axis=0, return_inverse=True)
        for number, pattern in enumerate(patterns):
            matching = rows[which.ravel() == number]
            hidden = self._relevant(np.flatnonzero(pattern).tolist())
            cards = [encoded.cards[v] for v in hidden]
            ways = math.prod(cards)
            if ways > MAX_COMPLETIONS:
                out[matching] = self.network.log_joint(encoded.take(matching), threads)
                continue
            values = np.indices(cards).reshape(len(cards), ways)
            step = max(BLOCK_ROWS // ways, 1)
            for start in range(0, len(matching), step):
                block.append(Completions(matching[start : start + step], hidden, values))
                if sum(part.size for part in block) >= BLOCK_ROWS:
                    self._sum_out(encoded, block, out, threads)
                    block = []
        if block:
            self._sum_out(encoded, block, out, threads)

    def _sum_out(
        self, encoded: Encoded, block: list[Completions], out: Floats, threads: int
    ) -> None:
        """Fill in the sums over all completions of some rows."""
        part = encoded.take(np.concatenate([group.places for group in block]))
        columns = list(part.columns)
        start = 0
        for group in block:
            for v, values in zip(group.hidden, group.values, strict=True):
                columns[v][start : start + group.size] = np.tile(values, len(group.rows))
            start += group.size
        joint = self._complete(replace(part, columns=columns), threads, relative=False)
        ways = np.concatenate([np.full(len(group.rows), group.values.shape[1]) for group in block])
        starts = np.cumsum(ways) - ways
        rows = np.concatenate([group.rows for group in block])
        out[rows] = np.logaddexp.reduceat(joint, starts, axis=0)

    @property
    def _classes(self) -> int:
        return len(self.network.states(self.network.class_node))


@dataclass(frozen=True)
class AveragedNetwork(RowAverage):
    """An average over networks, which predicts joint log-probabilities of rows.

    Parameters
    ----------
    network : BayesianNetwork
        The average as one network. For the nodes in ``means``, the tables of this network have
        fewer parents than the average, so that they fit into memory.
    means : dict of int to MeanTable
        Means of smaller tables, for the nodes whose whole table would be too large. The keys are
        the numbers of the nodes.
    """

    network: BayesianNetwork
    means: Mapping[int, MeanTable]

    def log_joint(self, encoded: Encoded, threads: int = 1, *, relative: bool = False) -> Floats:
        """Return ``ln P(class, attributes)`` of every row and class.

        Missing attributes are summed out. If the attributes to sum over have more than 4096 joint
        values, the row gets the result of ``network`` alone.

        Parameters
        ----------
        encoded : Encoded
            Codes of the attributes of the rows.
        threads : int, default=1
            Number of threads.
        relative : bool, default=False
            Whether to leave out the tables that do not contain the class, for rows without missing
            values. This subtracts a number per row that is the same for all classes. Rows that
            differ only in these tables then have exactly the same class probabilities.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            Joint log-probabilities.
        """
        if not self.means:
            return self.network.log_joint(encoded, threads, relative=relative)
        return self._log_joint(encoded, threads, relative)

    def _relevant(self, hidden: list[int]) -> list[int]:
        """Return the missing attributes that have to be summed out.

        An attribute that is not a parent of another node is removed, because its table sums to one.
        This is repeated with the remaining nodes until nothing changes.
        """
        remaining = list(hidden)
        while True:
            removed = set(hidden) - set(remaining)
            used = set().union(*(p for v, p in enumerate(self._parents) if v not in removed))
            kept = [v for v in remaining if v in used]
            if kept == remaining:
                return remaining
            remaining = kept

    def _complete(self, encoded: Encoded, threads: int, relative: bool) -> Floats:
        """Return the results of rows in which only nodes without children may be missing."""
        whole, means = self._class_programs if relative else self._programs
        out = whole.run(encoded, threads)
        for mean in means:
            out += np.log(mean.run(encoded, threads))
        return out

    @cached_property
    def _parents(self) -> list[set[int]]:
        """All parents of each node, over all its tables."""
        class_variable = len(self.network.nodes) - 1
        parents = []
        for v, name in enumerate(self.network.nodes):
            tables = self.means[v].tables if v in self.means else (self.network.table(name),)
            parents.append(set().union(*(table.scope(class_variable) for table in tables)) - {v})
        return parents

    @cached_property
    def _programs(self) -> tuple[Program, list[Program]]:
        """Programs of all tables."""
        return self._compiled(lambda _: True)

    @cached_property
    def _class_programs(self) -> tuple[Program, list[Program]]:
        """Programs of the tables that contain the class."""
        class_variable = len(self.network.nodes) - 1
        return self._compiled(lambda table: table.family.has_class(class_variable))

    def _compiled(self, used: Callable[[ConditionalTable], bool]) -> tuple[Program, list[Program]]:
        """Return one program for the nodes with one table, and one for each node in ``means``."""
        class_variable = len(self.network.nodes) - 1
        single = [
            table
            for v, table in enumerate(map(self.network.table, self.network.nodes))
            if v not in self.means and used(table)
        ]
        means = [
            compile_mean(mean.tables, mean.weights, class_variable, self._classes)
            for mean in self.means.values()
            if any(map(used, mean.tables))
        ]
        return compile_tables(single, class_variable, self._classes), means
