"""Networks whose nodes are means over sets of parents, where one table would be too large."""

from __future__ import annotations

import math
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

MOST_COMPLETIONS = 1 << 12
"""The missing values of a row are tried in all ways up to so many."""
BLOCK_ROWS = 1 << 18


@dataclass(frozen=True)
class MeanTable:
    """``P(child | parents)`` as the weighted mean of conditional tables of one child."""

    tables: tuple[ConditionalTable, ...]
    weights: tuple[float, ...]


class Completions(NamedTuple):
    """Rows that lack the values of the same attributes, and all joint values of these."""

    rows: NDArray[np.intp]
    hidden: list[int]
    values: NDArray[np.intp]

    @property
    def size(self) -> int:
        """Number of completed rows."""
        return len(self.rows) * int(self.values.shape[1])

    @property
    def places(self) -> NDArray[np.intp]:
        """The row of each completed one."""
        return np.repeat(self.rows, self.values.shape[1])


@dataclass(frozen=True)
class AveragedNetwork:
    """What an average over networks says of rows.

    Parameters
    ----------
    network : the average as one network; its nodes in ``means`` have tables that fit, of fewer
        parents than the average has
    means : the nodes whose whole table would be too large, by number
    """

    network: BayesianNetwork
    means: Mapping[int, MeanTable]

    def log_joint(self, encoded: Encoded, threads: int = 1, *, relative: bool = False) -> Floats:
        """``ln P(class, attributes)`` for every class, missing attributes summed out.

        ``relative`` as of `BayesianNetwork.log_joint`, for rows without missing values.
        A row whose missing values can be filled in more than `MOST_COMPLETIONS` ways gets what
        ``network`` says of it.
        """
        if not self.means:
            return self.network.log_joint(encoded, threads, relative=relative)
        missing = np.zeros((encoded.rows, len(encoded.columns)), dtype=bool)
        for v, (column, card) in enumerate(zip(encoded.columns, encoded.cards, strict=True)):
            missing[:, v] = column >= card
        holes = missing.any(axis=1)
        out = np.empty((encoded.rows, self._classes))
        known = np.flatnonzero(~holes)
        out[known] = self._complete(encoded.take(known), threads, relative)
        self._fill(encoded, missing, np.flatnonzero(holes), out, threads)
        return out

    def _fill(
        self,
        encoded: Encoded,
        missing: NDArray[np.bool_],
        rows: NDArray[np.intp],
        out: Floats,
        threads: int,
    ) -> None:
        """Rows with missing values, those that lack the same attributes together."""
        block: list[Completions] = []
        patterns, which = np.unique(missing[rows], axis=0, return_inverse=True)
        for place, pattern in enumerate(patterns):
            own = rows[which.ravel() == place]
            hidden = self._that_matter(np.flatnonzero(pattern).tolist())
            cards = [encoded.cards[v] for v in hidden]
            ways = math.prod(cards)
            if ways > MOST_COMPLETIONS:
                out[own] = self.network.log_joint(encoded.take(own), threads)
                continue
            values = np.indices(cards).reshape(len(cards), ways)
            step = max(BLOCK_ROWS // ways, 1)
            for start in range(0, len(own), step):
                block.append(Completions(own[start : start + step], hidden, values))
                if sum(part.size for part in block) >= BLOCK_ROWS:
                    self._sum_out(encoded, block, out, threads)
                    block = []
        if block:
            self._sum_out(encoded, block, out, threads)

    def _that_matter(self, hidden: list[int]) -> list[int]:
        """Missing attributes without those that no other node has as a parent, again and again.

        Their tables sum to one.
        """
        left = list(hidden)
        while True:
            gone = set(hidden) - set(left)
            used = set().union(*(own for v, own in enumerate(self._parents) if v not in gone))
            kept = [v for v in left if v in used]
            if kept == left:
                return left
            left = kept

    def _sum_out(
        self, encoded: Encoded, block: list[Completions], out: Floats, threads: int
    ) -> None:
        """Sum over all completions of some rows."""
        part = encoded.take(np.concatenate([own.places for own in block]))
        columns = list(part.columns)
        start = 0
        for own in block:
            for v, values in zip(own.hidden, own.values, strict=True):
                columns[v][start : start + own.size] = np.tile(values, len(own.rows))
            start += own.size
        joint = self._complete(replace(part, columns=columns), threads, relative=False)
        ways = np.concatenate([np.full(len(own.rows), own.values.shape[1]) for own in block])
        starts = np.cumsum(ways) - ways
        rows = np.concatenate([own.rows for own in block])
        out[rows] = np.logaddexp.reduceat(joint, starts, axis=0)

    def _complete(self, encoded: Encoded, threads: int, relative: bool) -> Floats:
        """Rows without missing values, but for nodes that no other has as a parent."""
        whole, means = self._class_programs if relative else self._programs
        out = whole.run(encoded, threads)
        for mean in means:
            out += np.log(mean.run(encoded, threads))
        return out

    @cached_property
    def _parents(self) -> list[set[int]]:
        """All that the tables of each node look at beside the node."""
        goal = len(self.network.nodes) - 1
        found = []
        for v, name in enumerate(self.network.nodes):
            tables = self.means[v].tables if v in self.means else (self.network.table(name),)
            found.append(set().union(*(table.scope(goal) for table in tables)) - {v})
        return found

    @cached_property
    def _programs(self) -> tuple[Program, list[Program]]:
        return self._compiled(lambda _: True)

    @cached_property
    def _class_programs(self) -> tuple[Program, list[Program]]:
        """Tables that have the class only."""
        goal = len(self.network.nodes) - 1
        return self._compiled(lambda table: table.family.has_class(goal))

    def _compiled(self, used: Callable[[ConditionalTable], bool]) -> tuple[Program, list[Program]]:
        """One program for the nodes that have one table, and one for each of the others."""
        goal = len(self.network.nodes) - 1
        single = [
            table
            for v, table in enumerate(map(self.network.table, self.network.nodes))
            if v not in self.means and used(table)
        ]
        means = [
            compile_mean(mean.tables, mean.weights, goal, self._classes)
            for mean in self.means.values()
            if any(map(used, mean.tables))
        ]
        return compile_tables(single, goal, self._classes), means

    @property
    def _classes(self) -> int:
        return len(self.network.states(self.network.class_node))
