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

from bayesgrove._utils.options import OptionError
from bayesgrove._utils.ties import rounded_for_ties
from bayesgrove.counts import Family
from bayesgrove.network import Structure
from bayesgrove.parameters.back_off import BackOff, back_off_tables, ranked_parents
from bayesgrove.parameters.conditional import (
    MAX_TERMS,
    CellCorrections,
    ConditionalWeights,
    Exponents,
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
    from bayesgrove.kernels import Floats
    from bayesgrove.network.table_sum import TableSum

SAMPLE_ROWS = 4000
"""Number of rows on which exponents are fitted; in a grove also for statistics of pairs."""
FIT_ROWS = 26_000
"""Number of rows on which corrections are fitted; three of four folds are about 20,000 rows."""
FIT_CELLS = 1 << 26
"""Largest number of cells of these rows, over all levels of all tables."""


@dataclass(frozen=True)
class NetworkSum:
    """The tables of a network that contain the class, as a sum.

    Parameters
    ----------
    exponents : ndarray of shape (n_tables,)
        Exponent of each table.
    offset : ndarray of shape (n_classes,)
        Score of each class before any table.
    tables : TableSum
        The tables: ``exponent * ln P + correction`` of every cell.
    """

    exponents: Floats
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
    seed. Tables are made from all rows.

    Parameters
    ----------
    weights : bool
        Whether every table has an exponent, and every class a bias.
    corrections : bool
        Whether every cell has a correction.
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
        plan = _planned(structure, counts, states, smoothing)
        assert rows.target is not None
        slots = len(plan.families) + sum(map(len, plan.parents))
        rng = np.random.default_rng(0)
        chosen = drawn(rows.rows, min(FIT_ROWS, max(FIT_CELLS // max(slots, 1), 100)), rng)
        tables = back_off_tables(
            rows.columns,
            rows.cards,
            rows.target,
            rows.n_classes,
            rows.weights,
            np.ones(rows.rows, dtype=bool),
            chosen.astype(np.int32),
            [family.child for family in plan.families],
            plan.parents,
            plan.pseudo_counts,
        )
        target = rows.target[chosen]
        weights = None if rows.weights is None else rows.weights[chosen]
        count, classes = len(plan.families), rows.n_classes
        exponents = Exponents(1.0, np.zeros(count), np.zeros(classes), converged=True)
        deltas = np.zeros((int(tables.layout.cells.sum()), classes))
        can_fit = count > 0 and classes > 1
        if self.weights and can_fit:
            size = min(SAMPLE_ROWS, max(MAX_TERMS // (count * classes), 1))
            sample = drawn(len(chosen), size, rng).astype(np.int32)
            exponents = ConditionalWeights().fit(tables, target, weights, sample, plan.prior)
        if self.corrections and can_fit:
            scores = scores_of(tables, exponents, target, plan.prior)
            every = np.arange(len(chosen), dtype=np.int32)
            deltas = CellCorrections().fit(tables, target, weights, every, scores, {}).deltas
        return NetworkSum(
            exponents.values,
            plan.prior + exponents.bias,
            tables.summed({}, rows.cards, exponents.values, deltas),
        )


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
    order = ranked_parents(table.counts, table.configurations.table)
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
