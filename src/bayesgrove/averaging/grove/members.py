"""Members of a grove: intervals, structure, tables, exponents and corrections of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bayesgrove._utils.threads import map_in_threads
from bayesgrove.parameters.back_off import back_off_tables
from bayesgrove.parameters.conditional import (
    CellCorrections,
    ConditionalWeights,
    Exponents,
    scores_of,
)
from bayesgrove.parameters.network_sum import FOLDS, SAMPLE_ROWS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator
    from numpy.typing import NDArray

    from bayesgrove.averaging.grove.rows import BinnedRows, GroveRows
    from bayesgrove.averaging.grove.sums import Plan
    from bayesgrove.kernels import Floats
    from bayesgrove.parameters.back_off import BackOffTables
    from bayesgrove.parameters.conditional import Axes, Corrections

DRAWN_INTERVALS = 1 << 22
"""The bins of several members are drawn at once, up to about this number of fine intervals."""
RIDGE_OF_FEW = 4.0
"""Penalty of corrections that are fitted on at most SAMPLE_ROWS rows."""
ITERATIONS_OF_FEW = 8, 20
"""Number of iterations of these fits beyond the number of classes, and the largest number."""


@dataclass(frozen=True)
class Start:
    """Results of the members without parents: a start of the exponents, and residual gains."""

    exponents: Exponents | None = None
    gains: Floats | None = None

    @classmethod
    def after(cls, data: GroveRows, fitted: Sequence[FittedMember]) -> Start:
        """Return the mean exponents of members, and the gains of pairs beyond them."""
        sums, times = np.zeros(len(data.rows.columns)), np.zeros(len(data.rows.columns))
        scores = np.zeros((len(data.fit_rows), data.classes))
        left_out = np.zeros(len(data.fit_rows))
        for member in fitted:
            children = member.tables.layout.children
            sums[children] += member.exponents.differences
            times[children] += 1
            outside = data.fit_folds == member.plan.fold
            scores[outside] += (member.scores + member.corrections.sums)[outside]
            left_out += outside
        mean = Exponents(
            float(np.mean([member.exponents.common for member in fitted])),
            sums / np.maximum(times, 1),
            np.mean([member.exponents.bias for member in fitted], axis=0),
            converged=True,
        )
        scores /= np.maximum(left_out, 1)[:, None]
        return cls(mean, data.residual_gains(scores[data.sample]))

    def exponents_of(self, children: NDArray[np.int32]) -> Exponents | None:
        """Return the start of the exponents of some children."""
        if self.exponents is None:
            return None
        return self.exponents._replace(differences=self.exponents.differences[children])


class Ordered(NamedTuple):
    """The structure of a member: columns in an order, and the parents of each; -1 for none."""

    children: NDArray[np.intp]
    parents: NDArray[np.intp]


@dataclass(frozen=True)
class FittedMember:
    """A member before stacking; its tables have the cells of the rows of importances."""

    plan: Plan
    binned: BinnedRows
    tables: BackOffTables
    exponents: Exponents
    scores: Floats
    corrections: Corrections


def fit_members(
    data: GroveRows, start: Start, plans: Sequence[Plan], rng: Generator
) -> list[FittedMember]:
    """Fit members, each in a thread. Bins and structures are drawn for many members at once."""
    many = max(DRAWN_INTERVALS // max(len(data.bins.totals), 1), FOLDS)
    fitted: list[FittedMember] = []
    for begin in range(0, len(plans), many):
        some = plans[begin : begin + many]
        binned = data.bins.drawn(some, rng)
        structures = _structures(data, start, some, [bins.cards for bins, _ in binned], rng)
        _ = data.bags  # Made once, before threads begin.
        # The largest members first, so that no thread waits long for the last one.
        order = sorted(range(len(some)), key=lambda at: -some[at].k)
        jobs = [(data, start, some[at], binned[at], structures[at]) for at in order]
        members = map_in_threads(lambda job: _fitted(*job), jobs, data.threads)
        fitted += [members[order.index(at)] for at in range(len(some))]
    return fitted


def _fitted(
    data: GroveRows,
    start: Start,
    plan: Plan,
    drawn: tuple[BinnedRows, Axes],
    structure: Ordered,
) -> FittedMember:
    """Fit one member: tables, exponents, corrections."""
    binned, axes = drawn
    bag, about = data.bags[plan.fold], (data.fit_target, data.fit_weights)
    tables = back_off_tables(
        binned.columns(),
        binned.cards,
        data.target,
        data.classes,
        data.weights,
        bag.inside,
        data.fit_rows,
        *structure,
    )
    exponents = ConditionalWeights().fit(
        tables, *about, bag.sample, data.prior, start.exponents_of(tables.layout.children)
    )
    scores = scores_of(tables, exponents, data.fit_target, data.prior)
    learner = CellCorrections()
    if len(bag.fit_rows) <= SAMPLE_ROWS:
        iterations, most = ITERATIONS_OF_FEW
        learner = CellCorrections(RIDGE_OF_FEW, max_iter=min(iterations + data.classes, most))
    corrections = learner.fit(tables, *about, bag.fit_rows, scores, axes)
    tables = tables.of_rows(data.importance_rows)  # The others are not needed again.
    return FittedMember(plan, binned, tables, exponents, scores, corrections)


def _structures(
    data: GroveRows,
    start: Start,
    plans: Sequence[Plan],
    cards: Sequence[Sequence[int]],
    rng: Generator,
) -> list[Ordered]:
    """Return for each member the columns in a random order, and parents among those before each.

    Columns with much information about the class tend to come first. Columns with one bin are left
    out.
    """
    used = np.array(cards, dtype=np.intp) > 1
    information = data.log_information[[plan.fold for plan in plans]]
    keys = information + rng.gumbel(size=used.shape)
    order = np.argsort(np.where(used, -keys, np.inf), axis=1, kind="stable")
    parents = _parents(data, start, plans, order)
    counts = used.sum(axis=1).tolist()
    return [
        Ordered(columns[:count], of_member[columns[:count], : plan.k])
        for plan, columns, of_member, count in zip(plans, order, parents, counts, strict=True)
    ]


def _parents(
    data: GroveRows, start: Start, plans: Sequence[Plan], order: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Return the parents of each column for each member, the best first; -1 stands for none."""
    parents = np.full((*order.shape, max(plan.k for plan in plans)), -1)
    if not parents.size:
        return parents
    places = data.places[order]
    places = places[places >= 0].reshape(len(plans), -1)  # The paired columns in the order.
    columns = data.paired[places]
    assert start.gains is not None
    matrices = [start.gains if plan.residual else data.pair_information for plan in plans]
    scores = np.array([matrix[plan.fold] for matrix, plan in zip(matrices, plans, strict=True)])
    members, children = np.arange(len(plans))[:, None], np.arange(columns.shape[1])
    scores = scores[members[:, :, None], places[:, :, None], places[:, None, :]]
    scores *= children[:, None] > children  # Only columns before may be parents.
    for turn in range(parents.shape[2]):
        best = scores.argmax(axis=2)
        useful = scores[members, children, best] > 0
        parents[members, columns, turn] = np.where(useful, columns[members, best], -1)
        scores[members, children, best] = 0.0
    return parents
