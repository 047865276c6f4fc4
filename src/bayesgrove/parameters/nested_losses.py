"""Leave-one-out losses of all networks that a ranking of attributes and parents contains."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove._utils.memory import require_memory
from bayesgrove._utils.options import OptionError, require_choice, require_number
from bayesgrove.counts import Configurations, Family, FamilyTable
from bayesgrove.kernels import kernels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Floats
    from bayesgrove.scores.dependence_ranking import DependenceRanking

LOSSES = ("rmse", "accuracy", "log_loss")
"""Names of the losses, in the order of their numbers in the kernel."""
BLOCK = 1 << 16
"""Rows whose configurations are looked up at a time."""
LARGEST_EXPONENT = 1000
"""Largest exponent of the unit in which losses are summed: it must be a finite number."""


def leave_one_out_losses(
    counts: CountSource, ranking: DependenceRanking, scoring: str = "rmse", alpha: float = 1.0
) -> Floats:
    """Return the leave-one-out losses of the networks of a ranking, in one pass over the rows.

    The network of k and s has the first s attributes of the ranking, each with the class and its
    k strongest parents. Each row is predicted from the counts of all rows minus the weight of the
    row. The ranking itself is not learned again without the row. A missing value that is not a
    state has no table. A missing parent is left out, with all parents that are weaker.

    Parameters
    ----------
    counts : CountSource
        Counts of the training rows.
    ranking : DependenceRanking
        The order of the attributes, and the parents of each, strongest first.
    scoring : {"rmse", "accuracy", "log_loss"}, default="rmse"
        The loss. With p the probability of the true class, "rmse" is the root of the mean of
        ``(1 - p)^2``, "accuracy" is the share of wrong predictions, and "log_loss" is the mean of
        ``-ln p``.
    alpha : float, default=1.0
        Pseudo-count of every cell of the tables.

    Returns
    -------
    ndarray of shape (largest k + 1, n_attributes + 1)
        The loss of every k (rows) and s (columns); smaller is better.

    Raises
    ------
    OptionError
        If an option is not valid, or ``scoring`` is "log_loss" and ``alpha`` is 0.
    """
    require_choice("scoring", scoring, LOSSES)
    require_number("alpha", alpha, lowest=0)
    if scoring == "log_loss" and alpha == 0:
        raise OptionError(
            "scoring='log_loss' needs alpha above 0: a row that is left out may have the "
            "probability 0. Raise alpha, or use scoring='accuracy'."
        )
    require_nested_memory(counts, ranking)
    largest = _largest_log_loss(counts, alpha) if scoring == "log_loss" else 1.0
    exponent = 62 - math.ceil(math.log2(counts.total) + math.log2(largest))
    unit = math.ldexp(1.0, min(exponent, LARGEST_EXPONENT))
    measure = NestedLosses.of(counts, ranking, alpha, LOSSES.index(scoring), unit, largest)
    sums: NDArray[np.int64] = counts.reduce(measure, np.add)
    means: Floats = sums / (unit * counts.total)
    return np.sqrt(means) if scoring == "rmse" else means


@dataclass(frozen=True, eq=False)
class NestedLosses:
    """A count function: the summed leave-one-out losses of one part of the rows.

    The sums are whole numbers, so that they do not depend on how the rows are divided into parts.

    Parameters
    ----------
    order : tuple of int
        The attributes, in the order in which they are added.
    parents : ndarray of shape (n_attributes, largest k)
        Positions in ``order`` of the parents of each attribute, strongest first, as int32; -1 fills
        the places after the last one.
    families : tuple of tuple of int
        The attribute parents of every table. The tables of an attribute have its first parents: no
        parent, one parent, and so on.
    configurations : tuple of Configurations
        The numbering of the joint values of these parents in every table.
    tables : tuple of ndarray
        The counts ``[configuration, class, value]`` of every table; the last value is the sum.
    class_counts : ndarray of shape (n_classes,)
        The weight of every class.
    alpha : float
        The pseudo-count of every cell.
    loss : int
        The number of the loss in the kernel.
    unit : float
        The factor of weighted losses before they are rounded to whole numbers.
    largest : float
        The largest loss of a row.
    threads : int
        The number of threads.
    """

    order: tuple[int, ...]
    parents: NDArray[np.int32]
    families: tuple[tuple[int, ...], ...]
    configurations: tuple[Configurations, ...]
    tables: tuple[Floats, ...]
    class_counts: Floats
    alpha: float
    loss: int
    unit: float
    largest: float
    threads: int

    @classmethod
    def of(
        cls,
        counts: CountSource,
        ranking: DependenceRanking,
        alpha: float,
        loss: int,
        unit: float,
        largest: float,
    ) -> NestedLosses:
        """Return the count function of a ranking, whose tables are counted in one pass."""
        position = {v: place for place, v in enumerate(ranking.order)}
        parents = np.full((len(ranking.order), ranking.largest_k), -1, dtype=np.int32)
        families = []
        for place, v in enumerate(ranking.order):
            strongest = ranking.parents[v].tolist()
            parents[place, : len(strongest)] = [position[parent] for parent in strongest]
            prefixes = (tuple(strongest[:depth]) for depth in range(len(strongest) + 1))
            families += [Family(v, prefix, given_class=True) for prefix in prefixes]
        tables = _tables_in_order(counts, families)
        return cls(
            tuple(ranking.order),
            parents,
            tuple(table.family.parents for table in tables),
            tuple(table.configurations for table in tables),
            tuple(_with_sums(table.counts) for table in tables),
            np.ascontiguousarray(counts.class_counts),
            alpha,
            loss,
            unit,
            largest,
            counts.threads,
        )

    def __call__(self, part: Encoded) -> NDArray[np.int64]:
        """Return the summed losses of one part, by the number of parents and of attributes."""
        shape = (self.parents.shape[1] + 1, len(self.order) + 1)
        sums = np.zeros(shape, dtype=np.int64)
        for start in range(0, part.rows, BLOCK):
            sums += self._of_rows(part, slice(start, min(start + BLOCK, part.rows)))
        return sums

    def _of_rows(self, part: Encoded, rows: slice) -> NDArray[np.int64]:
        """Return the summed losses of some rows of a part."""
        columns = {v: part.column(v)[rows] for v in self.order}
        numbers = [
            _numbers(configurations, [columns[v] for v in parents], rows.stop - rows.start)
            for configurations, parents in zip(self.configurations, self.families, strict=True)
        ]
        return kernels.leave_one_out_losses(
            list(columns.values()),
            [part.cards[v] for v in self.order],
            self.parents,
            list(self.tables),
            numbers,
            part.column(len(part.columns))[rows],
            self.class_counts,
            None if part.weights is None else part.weights[rows],
            self.alpha,
            self.loss,
            self.unit,
            self.largest,
            self.threads,
        )


def require_nested_memory(counts: CountSource, ranking: DependenceRanking) -> None:
    """Raise unless the tables of all attributes, with each number of parents, fit in memory."""
    cells = 0
    for v, parents in enumerate(ranking.parents):
        configurations = 1
        for parent in [None, *parents.tolist()]:
            configurations *= 1 if parent is None else counts.cards[parent]
            rows = min(configurations, max(counts.rows, 1))
            cells += rows * counts.n_classes * (counts.cards[v] + 1)
    require_memory(
        2 * 8 * cells,
        f"The tables of {len(ranking.order)} attributes with up to {ranking.largest_k} parents",
        "use a smaller k, or drop columns with very many values or merge their values",
    )


def _tables_in_order(counts: CountSource, families: Sequence[Family]) -> list[FamilyTable]:
    """Return tables whose parents have the order of the families, not that of the columns.

    A table of observed configurations keeps the order of the columns: it is looked up by number.
    """
    last = counts.n_attributes
    ascending = [Family.of(f.child, (*f.parents, last), last) for f in families]
    return [
        table
        if table.configurations.keys is not None
        else table.renumbered(family, [table.family.parents.index(v) for v in family.parents])
        for family, table in zip(families, counts.tables(ascending), strict=True)
    ]


def _with_sums(table: Floats) -> Floats:
    """Return counts with one more value, the sum of all others."""
    return np.concatenate([table, table.sum(axis=-1, keepdims=True)], axis=-1)


def _numbers(configurations: Configurations, columns: list[Any], rows: int) -> NDArray[np.int32]:
    """Return the configuration of every row; no numbers if the kernel can compute them."""
    if configurations.keys is None:
        return np.zeros(0, dtype=np.int32)
    return configurations.locate(columns, rows)


def _largest_log_loss(counts: CountSource, alpha: float) -> float:
    """Return a number that no ``-ln P(true class | row)`` can exceed: every table gives its least.

    A probability is at least ``alpha / (total + alpha states)``.
    """
    terms = [math.log(counts.total + alpha * card) - math.log(alpha) for card in counts.cards]
    return 1.0 + math.log(counts.n_classes) + math.fsum(terms)
