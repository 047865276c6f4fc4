"""Members of a grove: intervals, structure, tables, exponents and corrections of each."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.parameters.back_off import back_off_tables
from bayesgrove.parameters.conditional import (
    CellCorrections,
    ConditionalWeights,
    Exponents,
    scores_of,
)
from bayesgrove.parameters.network_sum import (
    SAMPLE_ROWS,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.random import Generator
    from numpy.typing import NDArray

    from bayesgrove.averaging.grove.rows import BinnedRows, GroveRows
    from bayesgrove.averaging.grove.sums import Plan
    from bayesgrove.kernels import Floats
    from bayesgrove.parameters.back_off import BackOffTables
    from bayesgrove.parameters.conditional import Corrections

CORRECTIONS_OF_FEW = CellCorrections(ridge=4.0, max_iter=20)
"""The learner of corrections if they are fitted on at most SAMPLE_ROWS rows."""


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

    def exponents_of(self, children: NDArray[np.intp]) -> Exponents | None:
        """Return the start of the exponents of some children."""
        if self.exponents is None:
            return None
        return self.exponents._replace(differences=self.exponents.differences[children])


@dataclass(frozen=True)
class FittedMember:
    """A member before stacking."""

    plan: Plan
    binned: BinnedRows
    tables: BackOffTables
    exponents: Exponents
    scores: Floats
    corrections: Corrections


def fit_members(
    data: GroveRows, start: Start, jobs: Iterable[tuple[Plan, np.random.SeedSequence]]
) -> list[FittedMember]:
    """Fit members, each in a thread."""
    if data.threads <= 1:
        return [_fitted(data, start, *job) for job in jobs]
    _ = data.information, data.places  # Made once, before the threads begin.
    if start.gains is not None:
        _ = data.pair_information
    with ThreadPoolExecutor(data.threads) as pool:
        return list(pool.map(lambda job: _fitted(data, start, *job), jobs))


def _fitted(
    data: GroveRows, start: Start, plan: Plan, seed: np.random.SeedSequence
) -> FittedMember:
    """Fit one member: bins, structure, tables, exponents, corrections."""
    rng = np.random.default_rng(seed)
    binned = data.bins.drawn(plan, rng)
    children, parents = _structure(data, start, plan, binned.cards, rng)
    tables = back_off_tables(
        binned.columns(),
        binned.cards,
        data.target,
        data.classes,
        data.weights,
        data.folds != plan.fold,
        data.fit_rows,
        children.tolist(),
        parents,
    )
    bag = data.fit_folds != plan.fold
    rows = data.sample[bag[data.sample]].astype(np.int32)
    about = data.fit_target, data.fit_weights
    exponents = ConditionalWeights().fit(
        tables, *about, rows, data.prior, start.exponents_of(children)
    )
    scores = scores_of(tables, exponents, data.fit_target, data.prior)
    learner = CORRECTIONS_OF_FEW if np.sum(bag) <= SAMPLE_ROWS else CellCorrections()
    corrections = learner.fit(
        tables,
        *about,
        np.flatnonzero(bag).astype(np.int32),
        scores,
        data.bins.bin_positions(binned),
    )
    return FittedMember(plan, binned, tables, exponents, scores, corrections)


def _structure(
    data: GroveRows, start: Start, plan: Plan, cards: Sequence[int], rng: Generator
) -> tuple[NDArray[np.intp], list[tuple[int, ...]]]:
    """Return the columns in a random order, and the parents of each among the columns before it.

    Columns with much information about the class tend to come first.
    """
    used = np.flatnonzero(np.array(cards, dtype=np.intp) > 1)
    keys = data.log_information[used] + rng.gumbel(size=len(used))
    order = used[np.argsort(-keys, kind="stable")]
    if plan.k == 0:
        return order, [() for _ in order]
    matrices = start.gains if plan.residual else data.pair_information
    assert matrices is not None
    matrix = matrices[plan.fold if data.per_fold else 0]
    at = data.places[order]
    scores = np.tril(matrix[at[:, None], at], -1)  # Only columns before may be parents.
    best = np.argsort(-scores, axis=1, kind="stable")[:, : plan.k]
    useful = scores[np.arange(len(order))[:, None], best] > 0  # The best come first.
    parents = [
        tuple(chosen[:kept])
        for chosen, kept in zip(order[best].tolist(), useful.sum(axis=1).tolist(), strict=True)
    ]
    return order, parents
