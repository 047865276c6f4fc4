"""Networks with conditional weights and cell corrections: sums of tables.

The score of a class is the sum of the logarithms of all tables of a network that contain the class.
An exponent per table, a correction per cell, or both, are fitted to the conditional likelihood of
the class on top of these logarithms, with every row left out of its own counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar

from bayesgrove._utils.folds import stratified_folds
from bayesgrove._utils.options import OptionError
from bayesgrove._utils.ties import rounded_for_ties
from bayesgrove.counts import Family
from bayesgrove.network import Structure
from bayesgrove.parameters.back_off import LEAST_STRENGTH, BackOff, back_off_tables, ranked
from bayesgrove.parameters.conditional import (
    MAX_TERMS,
    CellCorrections,
    ConditionalWeights,
    Corrections,
    Exponents,
    bounded_weights,
    scores_of,
)
from bayesgrove.parameters.dirichlet import Dirichlet
from bayesgrove.scores.information import information_with_class

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator
    from numpy.typing import NDArray

    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Codes, Floats
    from bayesgrove.network.table_sum import TableSum
    from bayesgrove.parameters.back_off import BackOffTables

SAMPLE_ROWS = 4000
"""Number of rows on which exponents are fitted; in a grove also for statistics of pairs."""
FIT_ROWS = 26_000
"""Number of rows on which corrections are fitted; three of four folds are about 20,000 rows."""
FOLDS = 4
"""Number of folds, of which one is left out at a time."""
FIT_CELLS = 1 << 26
"""Largest number of cells of these rows, over all levels of all tables."""


@dataclass(frozen=True)
class NetworkSum:
    """The tables of a network that contain the class, as a sum.

    Parameters
    ----------
    exponents : ndarray of shape (n_tables,)
        Exponent of each table.
    correction_weight : float
        Factor of the corrections, from 0 to 1; 0 without corrections.
    offset : ndarray of shape (n_classes,)
        Score of each class before any table.
    tables : TableSum
        The tables: ``exponent * ln P + correction`` of every cell.
    """

    exponents: Floats
    correction_weight: float
    offset: Floats
    tables: TableSum

    def scores(self, encoded: Encoded, threads: int = 1) -> Floats:
        """Return the scores of rows: unnormalised log-probabilities of the classes.

        Parameters
        ----------
        encoded : Encoded
            Codes of the rows, with the attributes of the network.
        threads : int, default=1
            Number of threads.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            The scores.
        """
        scores = np.tile(self.offset, (encoded.rows, 1))
        self.tables.add_to(scores, encoded, threads)
        return scores


@dataclass(frozen=True)
class NetworkSums:
    """The learner of exponents and corrections on top of a learned network.

    Every attribute with the class as a parent has a table. If the class has attribute parents,
    ``P(C | X_1 ... X_k)`` is proportional to ``P(C) prod P(X_j | C, X_1 ... X_(j-1))``: the sum has
    the tables of this product, with pseudo-counts that make both sides equal. Exponents are fitted
    on at most 4,000 rows, and corrections on at most 26,000, which are drawn at random with a fixed
    seed. Tables are made from all rows. Tables that back off have the strengths of `BackOff`.

    Parameters
    ----------
    weights : bool
        Whether every table has an exponent, and every class a bias.
    corrections : bool
        Whether every cell has a correction.

    Notes
    -----
    Corrections with parents remember rows if cells have few of them. All corrections therefore have
    a common factor from 0 to 1: the one with the smallest log-loss on folds of rows that were left
    out of the counts and of the corrections. There are 4 folds with at most 4,000 rows; with more
    rows, only one fold is left out.
    """

    weights: bool
    corrections: bool

    def learn(
        self,
        structure: Structure,
        counts: CountSource,
        rows: Encoded,
        states: Sequence[tuple[Any, ...]],
        smoothing: Any,
    ) -> NetworkSum:
        """Learn the sum of a network from rows.

        Parameters
        ----------
        structure : Structure
            Parents of every node.
        counts : CountSource
            Counts of the rows.
        rows : Encoded
            Codes of the rows, with classes, without unknown values.
        states : sequence of tuple
            States of every node; the last node is the class.
        smoothing : BackOff or parameter learner with pseudo-counts
            How the tables are smoothed.

        Returns
        -------
        NetworkSum
            The sum.
        """
        require_smoothing(smoothing)
        fit = _Fit.of(_planned(structure, counts, states, smoothing), rows)
        tables = fit.tables(np.ones(rows.rows, dtype=bool))
        count, classes = len(fit.plan.families), rows.n_classes
        exponents = Exponents(1.0, np.zeros(count), np.zeros(classes), converged=True)
        deltas = np.zeros((int(tables.layout.cells.sum()), classes))
        weight = 0.0
        if self.weights and fit.possible:
            exponents = fit.exponents(tables)
        if self.corrections and fit.possible:
            weight = fit.correction_weight(exponents)
            every = np.arange(len(fit.chosen), dtype=np.int32)
            _, corrections = fit.corrections(tables, exponents, every)
            deltas = weight * corrections.deltas
        return NetworkSum(
            exponents.values,
            weight,
            fit.plan.prior + exponents.bias,
            tables.summed({}, rows.cards, exponents.values, deltas),
        )


@dataclass(frozen=True)
class _Fit:
    """The rows on which exponents and corrections of a plan are fitted."""

    plan: _Plan
    rows: Encoded
    chosen: NDArray[np.intp]
    target: Codes
    weights: Floats | None
    rng: Generator

    @classmethod
    def of(cls, plan: _Plan, rows: Encoded) -> _Fit:
        """Return a plan with its rows."""
        assert rows.target is not None
        slots = len(plan.families) + sum(map(len, plan.parents))
        rng = np.random.default_rng(0)
        chosen = drawn(rows.rows, min(FIT_ROWS, max(FIT_CELLS // max(slots, 1), 100)), rng)
        weights = None if rows.weights is None else bounded_weights(rows.weights[chosen])
        return cls(plan, rows, chosen, rows.target[chosen], weights, rng)

    @property
    def possible(self) -> bool:
        """Whether there is something to fit."""
        return bool(self.plan.families) and self.rows.n_classes > 1

    def tables(self, bag: NDArray[np.bool_]) -> BackOffTables:
        """Return the tables of all rows, with twins from a bag."""
        assert self.rows.target is not None
        return back_off_tables(
            self.rows.columns,
            self.rows.cards,
            self.rows.target,
            self.rows.n_classes,
            self.rows.weights,
            bag,
            self.chosen.astype(np.int32),
            np.array([family.child for family in self.plan.families], dtype=np.intp),
            self.plan.padded_parents,
            self.plan.pseudo_counts,
            LEAST_STRENGTH,
        )

    def exponents(self, tables: BackOffTables) -> Exponents:
        """Fit the exponents."""
        terms = len(self.plan.families) * self.rows.n_classes
        sample = drawn(len(self.chosen), min(SAMPLE_ROWS, max(MAX_TERMS // terms, 1)), self.rng)
        return ConditionalWeights().fit(
            tables, self.target, self.weights, sample.astype(np.int32), self.plan.prior
        )

    def corrections(
        self, tables: BackOffTables, exponents: Exponents, rows: NDArray[np.int32]
    ) -> tuple[Floats, Corrections]:
        """Return the scores of all rows without corrections, and corrections fitted to some."""
        scores = scores_of(tables, exponents, self.target, self.plan.prior)
        learner = CellCorrections(max_iter=100)
        return scores, learner.fit(tables, self.target, self.weights, rows, scores)

    def correction_weight(self, exponents: Exponents) -> float:
        """Return the factor of the corrections that predicts left-out folds best."""
        count = len(self.chosen)
        n_folds = min(FOLDS, count)
        folds = stratified_folds(self.target, n_folds, self.rng)
        scores, sums = np.zeros((2, count, self.rows.n_classes))
        tried = range(n_folds if count <= SAMPLE_ROWS else 1)
        for fold in tried:
            outside, bag = folds == fold, np.ones(self.rows.rows, dtype=bool)
            bag[self.chosen[outside]] = False
            inside = np.flatnonzero(~outside).astype(np.int32)
            plain, corrections = self.corrections(self.tables(bag), exponents, inside)
            scores[outside], sums[outside] = plain[outside], corrections.sums[outside]
        use = folds < len(tried)
        plain, deltas, class_codes = scores[use], sums[use], self.target[use].astype(np.intp)
        weights = None if self.weights is None else self.weights[use]

        def loss(factor: float) -> float:
            logs = plain + factor * deltas
            losses = np.logaddexp.reduce(logs, axis=1) - logs[np.arange(len(logs)), class_codes]
            return float(np.average(losses, weights=weights))

        return float(minimize_scalar(loss, bounds=(0.0, 1.0), method="bounded").x)


def require_smoothing(smoothing: Any) -> None:
    """Raise unless the tables of a parameter learner can have exponents and corrections.

    Parameters
    ----------
    smoothing : ParameterLearner
        The parameter learner.

    Raises
    ------
    OptionError
        If the learner neither backs off nor has pseudo-counts above 0.
    """
    if isinstance(smoothing, BackOff):
        return
    remedy = "choose another smoothing, or weights=None and corrections=False"
    if not hasattr(smoothing, "pseudo_counts"):
        raise OptionError(
            f"weights and corrections need tables that back off or have pseudo-counts, not those "
            f"of {smoothing!r:.80}: {remedy}."
        )
    if smoothing.pseudo_counts(Structure(((),)), [2])[0] <= 0:
        raise OptionError(
            f"weights and corrections need pseudo-counts above 0, not {smoothing!r:.80}, because "
            "every row is predicted with itself left out: raise alpha or the "
            f"equivalent_sample_size, {remedy}."
        )


class _Plan(NamedTuple):
    """The tables of a sum: families, ranked parents, pseudo-counts, and the score before them."""

    families: list[Family]
    parents: list[tuple[int, ...]]
    pseudo_counts: list[float]
    prior: Floats

    @property
    def padded_parents(self) -> NDArray[np.intp]:
        """The parents as rows of an array; -1 after the last one."""
        padded = np.full((len(self.parents), max(map(len, self.parents), default=0)), -1)
        for row, parents in zip(padded, self.parents, strict=True):
            row[: len(parents)] = parents
        return padded


def _planned(
    structure: Structure,
    counts: CountSource,
    states: Sequence[tuple[Any, ...]],
    smoothing: Any,
) -> _Plan:
    """Return the tables of the families that contain the class."""
    of_class, cards = structure.class_variable, counts.cards
    families = [structure.family(v) for v in range(of_class)]
    families = [family for family in families if family.given_class]
    evidence = structure.family(of_class).parents
    pseudo_counts = [0.0] * (len(families) + len(evidence))
    prior_smoothing = smoothing
    if evidence:
        # The parents of the class, those with much information about it first.
        information = information_with_class(counts.restrict(evidence))
        order = [evidence[at] for at in np.argsort(-rounded_for_ties(information), kind="stable")]
        families += [Family.of(v, (*order[:at], of_class), of_class) for at, v in enumerate(order)]
    if not isinstance(smoothing, BackOff):
        of_nodes = smoothing.pseudo_counts(structure, cards)
        later = [math.prod(cards[v] for v in order[at + 1 :]) for at in range(len(evidence))]
        pseudo_counts = [of_nodes[family.child] for family in families[: -len(later) or None]]
        pseudo_counts += [of_nodes[of_class] * product for product in later]
        prior_smoothing = Dirichlet(of_nodes[of_class] * math.prod(cards[v] for v in evidence))
    alone = prior_smoothing.estimate(Structure(((),)), counts.restrict([]), states[-1:])
    return _Plan(
        families,
        [_ranked(counts, family) for family in families],
        pseudo_counts,
        alone.class_log_probabilities,
    )


def _ranked(counts: CountSource, family: Family) -> tuple[int, ...]:
    """Return the attribute parents of a family in the order in which tables back off."""
    if len(family.parents) < 2:
        return family.parents
    (table,) = counts.tables([family])
    order = ranked(table.counts, table.configurations.table)
    return tuple(family.parents[at] for at in order)


def drawn(n: int, size: int, rng: Generator) -> NDArray[np.intp]:
    """Return the numbers of ``size`` rows in their order, or of all if there are no more.

    Parameters
    ----------
    n : int
        Number of all rows.
    size : int
        Largest number of rows to draw.
    rng : Generator
        Source of randomness.

    Returns
    -------
    ndarray of int
        Numbers of the rows, ascending.
    """
    return np.arange(n) if n <= size else np.sort(rng.choice(n, size, replace=False))
