"""Stacking weights of members, rule tables and trees, fitted on rows that members left out."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.folds import stratified_folds
from bayesgrove._utils.threads import map_in_threads
from bayesgrove.averaging.grove.rows import GroveRows, softmax
from bayesgrove.averaging.grove.sums import GroveMember, GroveSum, Plan
from bayesgrove.kernels import kernels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.averaging.grove.members import FittedMember
    from bayesgrove.kernels import Floats
    from bayesgrove.trees import BoostedFit, RuleSum, RuleTables

STACKING_RIDGE = 20.0
"""Penalty of stacking weights, which are pulled towards the share of the members."""
FEW_ROWS, MANY_ROWS = 2000, 6000
"""Below these numbers of rows, rule tables are tried on 4 and 2 folds, otherwise on 1.

Below the first, trees have out-of-fold scores of all rows.
"""


def stacked(
    data: GroveRows,
    fitted: Sequence[FittedMember],
    learner: RuleTables | None,
    ordered: Sequence[int],
    boosted: BoostedFit | None,
) -> GroveSum:
    """Fit the stacking weights on the rows that members left out, and sum the members."""
    groups = stacking_groups([member.plan for member in fitted], data.n_folds)
    sizes = np.bincount(groups)
    count = len(sizes)
    stack = Stack(data, _left_out_terms(data, fitted, groups), sizes / len(fitted))
    rules = None if learner is None else stack.add_rules(learner, ordered, boosted)
    if boosted is not None and boosted.trees.n_trees:
        stack.add_trees(boosted)
    weights, converged = stack.weights()
    rule_weight, tree_weight = weights[2 * count :].tolist() if len(weights) > 2 * count else (1, 0)
    offset = tree_weight * data.prior
    members = []
    for member, group in zip(fitted, groups, strict=True):
        u, v = weights[group] / sizes[group], weights[count + group] / sizes[group]
        members.append(_summed(member, float(u), float(v)))
        offset = offset + u * (data.prior + member.exponents.bias)
    failed = [member for member in fitted if not member.exponents.converged]
    return GroveSum(
        tuple(members),
        offset,
        0.5 / max(data.total, 1.0),
        stack.loss(),
        _importances(data, fitted, members, rules, rule_weight),
        len(failed) + (not converged),
        rules,
        float(rule_weight),
        boosted.trees if boosted is not None and tree_weight else None,
        float(tree_weight),
    )


def _left_out_terms(
    data: GroveRows, fitted: Sequence[FittedMember], groups: NDArray[np.intp]
) -> NDArray[np.float32]:
    """Return the mean scores and corrections per group, of the members that left out a row."""
    count = int(groups.max()) + 1
    terms = np.zeros((len(data.fit_rows), 2 * count, data.classes), dtype=np.float32)
    for fold in range(data.n_folds):
        outside = np.flatnonzero(data.fit_folds == fold)
        for group in range(count):
            left_out = [
                member
                for member, at in zip(fitted, groups.tolist(), strict=True)
                if at == group and member.plan.fold == fold
            ]
            scores = sum(member.scores[outside] for member in left_out)
            corrections = sum(member.corrections.sums[outside] for member in left_out)
            terms[outside, group] = scores / len(left_out)
            terms[outside, count + group] = corrections / len(left_out)
    return terms


class Stack:
    """The rows on which members are stacked, with what all parts of a grove say without the row.

    A class with a single row is left out: where its row is held out, no row of the class is left.
    """

    def __init__(self, data: GroveRows, terms: NDArray[np.float32], shares: Floats) -> None:
        self.data, self.terms, self.shares = data, terms, np.tile(shares, 2)
        self.known = np.bincount(data.target, minlength=data.classes)[data.fit_target] > 1
        self.rows = self.measured = np.flatnonzero(self.known)
        self.of_rules = np.zeros((len(terms), data.classes))
        self.late: NDArray[np.float32] | None = None
        self.early: dict[int, tuple[Floats, bool]] = {}

    def add_rules(
        self, learner: RuleTables, ordered: Sequence[int], boosted: BoostedFit | None
    ) -> RuleSum:
        """Learn rule tables on top of the members, and return them.

        The rows that they hold out are those that the trees hold out, or some folds. These are not
        the folds of the members: members that leave out the same rows err in the same way, and the
        tables could not learn from the errors of the ones what the others lack.
        """
        data, rows = self.data, self.rows
        if boosted is None:
            runs = 4 if data.n < FEW_ROWS else 2 if data.n < MANY_ROWS else 1
            others = np.random.default_rng([learner.random_state, 1])
            parts = stratified_folds(data.fit_target[rows], 4, others).astype(np.int32)
            folds = np.where(parts < runs, parts, -1)
        else:
            run_of = np.full(data.n, -1, dtype=np.int32)
            run_of[boosted.held_out] = boosted.runs
            folds = run_of[data.fit_rows[rows]]
        asked = data.paired  # With very many columns, those that say most about the class.
        encoded = data.rows.select(asked.tolist()).take(data.fit_rows[rows].astype(np.intp))
        axes = [ordered[v] for v in asked]
        fit = learner.learn(encoded, axes, folds, self._scores(rows), data.threads)
        self.of_rules[rows] = fit.added
        if fit.tables.n_tables:
            self.measured = rows[folds >= 0]
        return replace(fit.tables, column=asked[fit.tables.column].astype(np.int32))

    def add_trees(self, boosted: BoostedFit) -> None:
        """Add the scores of trees, which are known for the rows that they hold out."""
        self.measured = np.flatnonzero(self.known & np.isin(self.data.fit_rows, boosted.held_out))
        at = np.searchsorted(boosted.held_out, self.data.fit_rows[self.measured])
        more = np.stack([self.of_rules[self.measured], boosted.scores[at]], axis=1)
        self.late = np.concatenate([self.terms[self.measured], more.astype(np.float32)], axis=1)

    def weights(self, fold: int = -1) -> tuple[Floats, bool]:
        """Return the weights, fitted without a fold (-1: on all), and whether they converged.

        With trees, the last two weights are those of rule tables and of trees.
        """
        if self.late is None:
            return self._early_weights(fold)
        # The trees know some rows only; the other weights stay near those of all rows.
        few = self.data.n < FEW_ROWS
        centres = np.append(self.shares if few else self._early_weights(fold)[0], [1.0, 0.0])
        kept = self.data.fit_folds[self.measured] != fold
        return self._fit(self.late[kept], self.measured[kept], centres)

    def loss(self) -> float:
        """Return the mean log-loss of rows, with weights that are fitted without their fold."""
        data, rows = self.data, self.measured
        if not len(rows):
            return np.nan
        p = softmax(self._scores(rows))[np.arange(len(rows)), data.fit_target[rows]]
        losses = -np.log(np.maximum(p, np.finfo(np.float64).tiny))
        weights = None if data.fit_weights is None else data.fit_weights[rows]
        return float(np.average(losses, weights=weights))

    def _scores(self, rows: NDArray[np.intp]) -> Floats:
        """Return the scores of rows, with weights that are fitted without their fold."""
        if self.late is None:
            return self._early_scores[rows] + self.of_rules[rows]
        return self._summed(self.late, self.measured)

    @cached_property
    def _early_scores(self) -> Floats:
        """Scores by the members alone, of all rows that take part."""
        scores = np.zeros((len(self.terms), self.data.classes))
        scores[self.rows] = self._summed(self.terms[self.rows], self.rows)
        return scores

    def _summed(self, terms: NDArray[np.float32], rows: NDArray[np.intp]) -> Floats:
        """Return the sums of the terms of rows, with weights that are fitted without their fold."""
        scores = np.zeros((len(rows), self.data.classes))
        folds = self.data.fit_folds[rows]

        def add(fold: int) -> None:
            held = np.flatnonzero(folds == fold)
            scores[held] = np.einsum("rtc,t->rc", terms[held], self.weights(fold)[0])

        map_in_threads(add, np.unique(folds).tolist(), self.data.threads)
        return scores

    def _early_weights(self, fold: int) -> tuple[Floats, bool]:
        """Return the weights of the members alone."""
        if fold not in self.early:
            use = self.rows[self.data.fit_folds[self.rows] != fold]
            self.early[fold] = self._fit(self.terms[use], use, self.shares)
        return self.early[fold]

    def _fit(
        self, terms: NDArray[np.float32], rows: NDArray[np.intp], centres: Floats
    ) -> tuple[Floats, bool]:
        """Return the weights of terms of some rows, and whether the fit has converged."""
        data = self.data
        x, _, converged = kernels.fit_exponents(
            terms,
            data.fit_target[rows],
            None if data.fit_weights is None else data.fit_weights[rows],
            np.zeros(data.classes),
            centres,
            np.inf,
            STACKING_RIDGE,
            np.inf,
            np.concatenate([[1.0], np.zeros(len(centres) + data.classes)]),
            50,
        )
        return centres + x[1 : 1 + len(centres)], bool(converged)


def stacking_groups(plans: Sequence[Plan], folds: int) -> NDArray[np.intp]:
    """Return the stacking group of every member: its number of parents.

    Every row must be left out by a member of every group. If there are too few members for that,
    all members with parents are one group, or all members.
    """
    groups = np.unique([plan.k for plan in plans], return_inverse=True)[1].reshape(-1)
    left_out = np.array([plan.fold for plan in plans])
    for coarser in (np.minimum(groups, 1), np.zeros_like(groups)):
        covered = [len(set(left_out[groups == group])) == folds for group in set(groups.tolist())]
        if all(covered):
            break
        groups = coarser
    return groups


def _summed(member: FittedMember, u: float, v: float) -> GroveMember:
    """Return a member whose tables have its stacking weights."""
    exponents = member.exponents.values
    tables = member.tables.summed(
        member.binned.maps, member.binned.cards, u * exponents, v * member.corrections.deltas
    )
    return GroveMember(member.plan, exponents, u, v, tables)


def _importances(
    data: GroveRows,
    fitted: Sequence[FittedMember],
    members: Sequence[GroveMember],
    rules: RuleSum | None,
    rule_weight: float,
) -> Floats:
    """Return the mean absolute change of the scores by each column, over a part of the sample.

    What a rule table adds is divided among its columns by the gains of its questions.
    """
    columns = len(data.rows.columns)
    rows = data.importance_rows
    added = np.zeros((columns, len(rows), data.classes), dtype=np.float32)
    for member, summed in zip(fitted, members, strict=True):
        tables = member.tables
        starts = tables.layout.slot_starts[tables.layout.last_slots]
        kernels.add_cell_entries(
            tables.cells, starts, summed.tables.entries, tables.layout.children, added
        )
    if rules is not None:
        encoded = data.rows.take(data.fit_rows[rows].astype(np.intp))
        added += np.float32(rule_weight) * rules.added_by_columns(encoded)
    added -= added.mean(axis=2, keepdims=True)
    weights = None if data.fit_weights is None else data.fit_weights[rows]
    means = np.abs(added).mean(axis=2, dtype=np.float64)
    sizes: Floats = np.average(means, axis=1, weights=weights)
    total = float(sizes.sum())
    return sizes / total if total > 0 else sizes
