"""Networks whose nodes are means over sets of parents, where one table would be too large."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import logsumexp

from bayesgrove.network.program import Program, compile_mean, compile_tables

if TYPE_CHECKING:
    from collections.abc import Mapping

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
        incomplete = np.flatnonzero(holes)
        patterns, which = np.unique(missing[incomplete], axis=0, return_inverse=True)
        for place, pattern in enumerate(patterns):
            rows = incomplete[which.ravel() == place]
            out[rows] = self._completed(encoded.take(rows), np.flatnonzero(pattern), threads)
        return out

    def _complete(self, encoded: Encoded, threads: int, relative: bool) -> Floats:
        """Rows without missing values."""
        whole, means = self._programs(relative)
        out = whole.run(encoded, threads)
        for mean in means:
            out += np.log(mean.run(encoded, threads))
        return out

    def _completed(self, encoded: Encoded, hidden: NDArray[np.intp], threads: int) -> Floats:
        """Rows that all lack the values of the same attributes: the sum over these."""
        cards = [encoded.cards[v] for v in hidden]
        ways = math.prod(cards)
        if ways > MOST_COMPLETIONS:
            return self.network.log_joint(encoded, threads)
        values = np.indices(cards).reshape(len(cards), -1)
        step = max(BLOCK_ROWS // ways, 1)
        found = []
        for start in range(0, encoded.rows, step):
            rows = np.arange(start, min(start + step, encoded.rows))
            part = encoded.take(np.repeat(rows, ways))
            columns = list(part.columns)
            for v, own in zip(hidden, values, strict=True):
                columns[v] = np.tile(own, len(rows)).astype(columns[v].dtype)
            joint = self._complete(replace(part, columns=columns), threads, relative=False)
            found.append(logsumexp(joint.reshape(len(rows), ways, -1), axis=1))
        return np.concatenate(found)

    def _programs(self, relative: bool) -> tuple[Program, list[Program]]:
        """For the nodes that have one table together, and for each of the others."""
        if relative not in self._compiled:
            goal = len(self.network.nodes) - 1

            def used(table: ConditionalTable) -> bool:
                return not relative or goal in table.scope(goal)

            single = [
                table
                for v, table in enumerate(map(self.network.table, self.network.nodes))
                if v not in self.means and used(table)
            ]
            self._compiled[relative] = (
                compile_tables(single, goal, self._classes),
                [
                    compile_mean(mean.tables, mean.weights, goal, self._classes)
                    for mean in self.means.values()
                    if any(map(used, mean.tables))
                ],
            )
        return self._compiled[relative]

    @cached_property
    def _compiled(self) -> dict[bool, tuple[Program, list[Program]]]:
        return {}

    @property
    def _classes(self) -> int:
        return len(self.network.states(self.network.class_node))
