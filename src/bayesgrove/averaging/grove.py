"""The grove: a weighted sum of small networks with random cuts, orders and parents.

Every member is a KDB network with its own intervals of the numeric columns. Its tables back off
(`parameters.back_off`). Each table has an exponent, and each cell a small correction, which are
fitted to the conditional likelihood (`parameters.conditional`). Every member leaves out one fold of
the rows: nothing that is fitted for it has seen them. On these rows, stacking weights are
fitted that sum the members, and rule tables are learned for what the members miss, which needs many
columns together (`trees.rule_tables`). The sum of all members is a sum of tables. Boosted trees may
be one more member (`trees.boosting`).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bayesgrove._utils.options import OptionError, require_count, require_flag, require_seed
from bayesgrove.encoding import code_type
from bayesgrove.kernels import kernels
from bayesgrove.parameters.back_off import back_off_tables
from bayesgrove.parameters.conditional import (
    CellCorrections,
    ConditionalWeights,
    Exponents,
    bounded_weights,
    scores_of,
)
from bayesgrove.parameters.network_sum import (
    FIT_CELLS,
    FIT_ROWS,
    FOLDS,
    SAMPLE_ROWS,
    drawn,
    stratified_folds,
)
from bayesgrove.scores.information import debiased_information
from bayesgrove.trees import BoostedTrees, RuleTables

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.random import Generator
    from numpy.typing import NDArray

    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Codes, Floats
    from bayesgrove.network.table_sum import TableSum
    from bayesgrove.parameters.back_off import BackOffTables
    from bayesgrove.parameters.conditional import Corrections
    from bayesgrove.trees import BoostedFit, BoostedSum, RuleSum

FIT_SCORES = 1 << 22
"""Largest number of scores of the rows of corrections and stacking: rows times classes."""
PAIRED_COLUMNS = 512
"""Only this number of columns, with the most information about the class, have parents."""
BASE_BINS = 5
"""Number of intervals of a numeric column for statistics of pairs."""
MAX_BINS = 60
"""Largest number of intervals of a numeric column, without supervised cuts."""
KEPT_BINS = 12
"""A column with at most this number of values keeps all of them in most members."""
KEEP = 0.7
"""Probability that it does."""
SUPERVISED = 0.5
"""Probability of supervised cuts of a column, if there are at least 1000 rows."""
SUPERVISED_CUTS = 8
"""Largest number of supervised cuts of a column."""
MIN_CUT_ROWS = 1.5
"""Smallest weight on each side of a supervised cut."""
RESIDUAL_PENALTY = 5.0
"""Penalty of the residual gain of a joint value with few rows."""
IMPORTANCE_ROWS = 1000
"""Largest number of rows for the importances of columns."""
CORRECTIONS_OF_FEW = CellCorrections(ridge=4.0, max_iter=20)
"""The learner of corrections if they are fitted on at most SAMPLE_ROWS rows."""
STACKING_RIDGE = 20.0
"""Penalty of stacking weights, which are pulled towards the share of the members."""
FEW_ROWS, MANY_ROWS = 2000, 6000
"""Below these numbers of rows, rule tables are tried on 4 and 2 folds, otherwise on 1.

Below the first, trees have out-of-fold scores of all rows.
"""


class Plan(NamedTuple):
    """The plan of a member.

    Parameters
    ----------
    k : int
        Largest number of attribute parents.
    fold : int
        The fold of rows that the member leaves out.
    residual : bool
        Whether parents are chosen by their gain beyond the members without parents. Otherwise
        they are chosen by conditional mutual information.
    """

    k: int
    fold: int
    residual: bool


@dataclass(frozen=True)
class GroveMember:
    """One network of a grove.

    Parameters
    ----------
    plan : Plan
        Largest number of parents, left-out fold, and how parents are chosen.
    exponents : ndarray of shape (n_tables,)
        Exponent of each table.
    weight : float
        Stacking weight of the logarithms of the tables.
    correction_weight : float
        Stacking weight of the corrections.
    tables : TableSum
        The tables: ``weight * exponent * ln P + correction_weight * correction`` of every cell.
    """

    plan: Plan
    exponents: Floats
    weight: float
    correction_weight: float
    tables: TableSum


@dataclass(frozen=True)
class GroveSum:
    """A learned grove.

    Parameters
    ----------
    members : tuple of GroveMember
        The members.
    offset : ndarray of shape (n_classes,)
        Score of each class before any table.
    floor : float
        Share of the uniform distribution that is mixed into the predicted probabilities.
    out_of_fold_loss : float
        Mean log-loss of rows: the members that left a row out, with stacking weights that are
        fitted without its fold. These are a quarter of the members for every row, so the whole
        grove is usually better. A class with a single row has no such row; if there are only
        such classes, the loss is nan.
    importances : ndarray of shape (n_attributes,)
        Mean absolute change of the scores by the tables of each attribute; they sum to 1.
    n_unconverged : int
        Number of fits of exponents and stacking weights that used all their iterations.
    rules : RuleSum or None, default=None
        Rule tables beside the members.
    rule_weight : float, default=1.0
        Weight of the rule tables.
    trees : BoostedSum or None, default=None
        Boosted trees beside the members.
    tree_weight : float, default=0.0
        Stacking weight of the trees.
    """

    members: tuple[GroveMember, ...]
    offset: Floats
    floor: float
    out_of_fold_loss: float
    importances: Floats
    n_unconverged: int
    rules: RuleSum | None = None
    rule_weight: float = 1.0
    trees: BoostedSum | None = None
    tree_weight: float = 0.0

    def scores(self, encoded: Encoded, threads: int = 1) -> Floats:
        """Return the scores of rows: unnormalised log-probabilities of the classes.

        Parameters
        ----------
        encoded : Encoded
            Codes of the rows.
        threads : int, default=1
            Number of threads.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            The scores.
        """
        scores = np.tile(self.offset, (encoded.rows, 1))
        for member in self.members:
            member.tables.add_to(scores, encoded, threads)
        if self.rules is not None:
            self.rules.add_to(scores, encoded, threads, self.rule_weight)
        if self.trees is not None:
            self.trees.add_to(scores, encoded, threads, self.tree_weight)
        return scores


@dataclass(frozen=True)
class Grove:
    """The learner of a grove.

    Parameters
    ----------
    n_members : int, default=16
        Number of members, at least 4. A quarter of them, and at least 4, have no attribute
        parents.
    max_parents : int, default=3
        Largest number of attribute parents. The members with parents have 1, 2, ...,
        ``max_parents`` of them by turns.
    random_state : int, default=0
        Seed of folds, samples, cuts and orders.
    rules : bool, default=True
        Whether rule tables are added for what the members miss.
    trees : bool, default=False
        Whether boosted trees are stacked beside the members.
    """

    n_members: int = 16
    max_parents: int = 3
    random_state: int = 0
    rules: bool = True
    trees: bool = False

    def check(self) -> None:
        """Raise unless the options are valid."""
        require_count("n_members", self.n_members)
        if self.n_members < FOLDS:
            raise OptionError(
                f"n_members={self.n_members!r} must be at least {FOLDS}: every member leaves out "
                f"one of {FOLDS} folds."
            )
        require_count("max_parents", self.max_parents)
        require_seed("random_state", self.random_state)
        require_flag("rules", self.rules)
        require_flag("trees", self.trees)

    def learn(
        self, rows: Encoded, positions: Sequence[Floats | None], threads: int = 1
    ) -> GroveSum:
        """Learn a grove from rows.

        Parameters
        ----------
        rows : Encoded
            Codes of the rows, with classes. Numeric columns have fine intervals.
        positions : sequence of ndarray or None
            For each column the positions of its ordered codes on an axis, or None for a nominal
            column. One further code may stand for a missing value.
        threads : int, default=1
            Number of threads. It does not change the result.

        Returns
        -------
        GroveSum
            The grove.
        """
        self.check()
        if rows.n_classes < 2:
            return GroveSum((), np.zeros(1), 0.0, 0.0, np.zeros(len(rows.columns)), 0)
        data = _Data(rows, positions, self.random_state, threads)
        plans = self.plans(data.n_folds)
        seeds = np.random.SeedSequence(self.random_state).spawn(len(plans))
        naive = [plan for plan in plans if plan.k == 0]
        fitted = _each(data, _Start(), zip(naive, seeds, strict=False))
        if len(naive) < len(plans):
            start = _Start.after(data, fitted)
            fitted += _each(data, start, zip(plans[len(naive) :], seeds[len(naive) :], strict=True))
        boosted = None
        ordered = [0 if axis is None else len(axis) for axis in positions]
        if self.trees:
            learner = BoostedTrees(random_state=self.random_state)
            boosted = learner.learn(rows, ordered, data.prior, threads)
        return _stacked(
            data,
            fitted,
            RuleTables(random_state=self.random_state) if self.rules else None,
            ordered,
            boosted,
        )

    def plans(self, folds: int) -> list[Plan]:
        """Return what every member is like: first the members without parents."""
        naive = self.n_members if self.max_parents == 0 else max(folds, self.n_members // 4)
        plans = [Plan(0, m % folds, residual=False) for m in range(min(naive, self.n_members))]
        for m in range(self.n_members - len(plans)):
            turn, k = divmod(m, self.max_parents)
            plans.append(Plan(1 + k, (turn + k) % folds, residual=turn % 2 == 1))
        return plans


class _Data:
    """The rows, with everything that is the same for all members."""

    def __init__(
        self, rows: Encoded, positions: Sequence[Floats | None], random_state: int, threads: int
    ) -> None:
        assert rows.target is not None
        self.rows, self.threads = rows, threads
        self.n, self.classes = rows.rows, rows.n_classes
        self.target: Codes = rows.target
        self.weights = rows.weights
        rng = np.random.default_rng(random_state)
        counts = np.bincount(self.target, self.weights, minlength=self.classes)
        self.total = float(counts.sum())
        self.prior: Floats = np.log((counts + 0.5) / (self.total + 0.5 * self.classes))
        self.n_folds = min(FOLDS, self.n)
        self.folds = stratified_folds(self.target, self.n_folds, rng)
        slots = max(len(rows.columns), 1) * 4
        most = min(FIT_ROWS, FIT_CELLS // slots, FIT_SCORES // self.classes)
        chosen = drawn(self.n, max(most, 100), rng)
        self.fit_rows = chosen.astype(np.int32)
        self.fit_target, self.fit_folds = self.target[chosen], self.folds[chosen]
        self.fit_weights = None if self.weights is None else bounded_weights(self.weights[chosen])
        self.sample = drawn(len(chosen), SAMPLE_ROWS, rng)
        self.bins = _Bins(self, positions)
        # With few rows, statistics of pairs are made per fold, without the rows of the fold.
        self.per_fold = self.n <= SAMPLE_ROWS

    @cached_property
    def base(self) -> tuple[list[Codes], list[int]]:
        """Columns of the sample with few intervals, and their cardinalities."""
        binned = self.bins.even(BASE_BINS)
        return binned.columns(self.fit_rows[self.sample]), binned.cards

    @cached_property
    def information(self) -> Floats:
        """Information of each column about the class, in the sample."""
        columns, cards = self.base
        target, weights = self.fit_target[self.sample], self.sample_weights
        table = kernels.class_tables(columns, cards, target, self.classes, weights, self.threads)
        return debiased_information(table, cards)

    @cached_property
    def paired(self) -> NDArray[np.intp]:
        """Columns that may have parents or be parents."""
        best = np.argsort(-self.information, kind="stable")[:PAIRED_COLUMNS]
        return np.sort(best)

    @cached_property
    def places(self) -> NDArray[np.intp]:
        """Place of each column in matrices of pairs; the last place, of zeros, if not paired."""
        places = np.full(len(self.rows.columns), -1)
        places[self.paired] = np.arange(len(self.paired))
        return places

    @cached_property
    def sample_weights(self) -> Floats | None:
        """Weights of the sample."""
        return None if self.fit_weights is None else self.fit_weights[self.sample]

    @cached_property
    def pair_information(self) -> Floats:
        """I(X;X'|C) of the paired columns and a last row of 0, a matrix per fold or one for all."""
        columns, cards = [self.base[0][v] for v in self.paired], self.base[1]
        paired_cards = [cards[v] for v in self.paired]
        folds, target = self.fit_folds[self.sample], self.fit_target[self.sample]
        matrices = []
        for fold in range(self.n_folds) if self.per_fold else [-1]:
            use = np.flatnonzero(folds != fold) if self.per_fold else np.arange(len(folds))
            weights = None if self.sample_weights is None else self.sample_weights[use]
            total = float(len(use) if weights is None else weights.sum())
            matrices.append(
                kernels.information_of_columns(
                    [column[use] for column in columns],
                    paired_cards,
                    target[use],
                    self.classes,
                    weights,
                    total,
                    self.threads,
                )
            )
        return _with_zeros(np.array(matrices))

    def residual_gains(self, scores: Floats) -> Floats:
        """Return the gains of pairs beyond scores of the sample, like `pair_information`."""
        p = _softmax(scores)
        target = self.fit_target[self.sample]
        residuals = -p
        residuals[np.arange(len(target)), target] += 1
        variances = p * (1 - p)
        if self.sample_weights is not None:
            residuals = residuals * self.sample_weights[:, None]
            variances = variances * self.sample_weights[:, None]
        kept = slice(1) if self.classes == 2 else slice(None)  # Both classes say the same.
        folds = self.fit_folds[self.sample]
        gains = kernels.residual_gains(
            [self.base[0][v] for v in self.paired],
            [self.base[1][v] for v in self.paired],
            np.ascontiguousarray(residuals[:, kept]),
            np.ascontiguousarray(variances[:, kept]),
            folds if self.per_fold else np.zeros_like(folds),
            self.n_folds if self.per_fold else 1,
            RESIDUAL_PENALTY,
            self.threads,
        )
        return _with_zeros(gains)


class _Binned(NamedTuple):
    """Bins of the ordered columns of a member."""

    rows: Encoded
    maps: dict[int, Codes]
    cards: list[int]
    flat: NDArray[np.uint16]
    """Bins of all fine intervals of all ordered columns, side by side."""

    def columns(self, rows: NDArray[np.int32] | None = None) -> list[Codes]:
        """Return the binned codes of some rows, or of all."""
        columns = [c if rows is None else c[rows] for c in self.rows.columns]
        for v, bins in self.maps.items():
            columns[v] = bins[columns[v]]
        return columns


class _Bins:
    """Histograms of the ordered columns, from which members draw their bins."""

    def __init__(self, data: _Data, positions: Sequence[Floats | None]) -> None:
        self.rows, self.n, self.classes = data.rows, data.n, data.classes
        axes = {v: axis for v, axis in enumerate(positions) if axis is not None}
        self.ordered = list(axes)
        self.fine = np.array([len(axis) for axis in axes.values()], dtype=np.int64)
        self.starts = np.concatenate([[0], np.cumsum(self.fine)]).astype(np.int64)
        self.by_fold = np.array([self._histogram(data, fold) for fold in range(data.n_folds)])
        self.histogram: Floats = self.by_fold.sum(axis=0)
        self.totals: Floats = self.histogram.sum(axis=1)
        axis = np.concatenate([np.empty(0), *axes.values()])
        self.column = np.repeat(np.arange(len(self.ordered)), self.fine)
        self.z = _standardised(axis, self.totals, self.column, len(self.ordered))
        self.min_gains = 0.5 * (self.classes - 1) * np.log(self.n) + np.log(self.fine + 1.0)
        # Missing values are the last state, after the fine intervals.
        self.missing = np.array([self.rows.cards[v] for v in axes], dtype=np.int64) > self.fine
        self.ends = np.concatenate([[0], np.cumsum(self.fine + self.missing)])
        self.places = np.arange(len(axis)) + (self.ends[:-1] - self.starts[:-1])[self.column]

    def _histogram(self, data: _Data, fold: int) -> Floats:
        """Return the weight of every fine interval and class in a fold."""
        chosen = np.flatnonzero(data.folds == fold)
        cards = [self.rows.cards[v] for v in self.ordered]
        tables = kernels.class_tables(
            [self.rows.columns[v][chosen] for v in self.ordered],
            cards,
            data.target[chosen],
            self.classes,
            None if data.weights is None else data.weights[chosen],
            data.threads,
        )
        ends = np.cumsum([0, *cards])[:-1]
        kept = [np.arange(end, end + fine) for end, fine in zip(ends, self.fine, strict=True)]
        return tables[:, np.concatenate([np.empty(0, dtype=np.intp), *kept])].T

    def even(self, bins: int) -> _Binned:
        """Return bins of equal frequency."""
        count = len(self.ordered)
        none = np.zeros(count, dtype=np.int32)
        return self._binned(
            np.full(count, bins, dtype=np.int32),
            np.zeros((count, MAX_BINS)),
            none.astype(np.uint8),
            none,
            self.histogram,
        )

    def drawn(self, plan: Plan, rng: Generator) -> _Binned:
        """Return random bins; supervised cuts see nothing of the left-out fold."""
        count = len(self.ordered)
        usual = 1.5 * self.n ** (1 / 3)
        most = 1.5 * usual if plan.k == 0 else max(min(usual, 8.0), usual / plan.k)
        bins = rng.integers(3, max(3, int(min(MAX_BINS, most))) + 1, count)
        shifts = rng.random((count, MAX_BINS)) - 0.5
        whole = (self.fine <= KEPT_BINS) & (rng.random(count) < KEEP)
        supervised = rng.random(count) < SUPERVISED * min(1.0, self.n / 1000)
        noise = rng.exponential(size=len(self.totals))
        return self._binned(
            bins.astype(np.int32),
            shifts,
            whole.astype(np.uint8),
            supervised.astype(np.int32) * np.int32(SUPERVISED_CUTS),
            (self.histogram - self.by_fold[plan.fold]) * noise[:, None],
        )

    def _binned(
        self,
        bins: NDArray[np.int32],
        shifts: Floats,
        whole: NDArray[np.uint8],
        supervised: NDArray[np.int32],
        histogram: Floats,
    ) -> _Binned:
        flat, made = kernels.draw_bins(
            self.starts,
            self.totals,
            np.ascontiguousarray(histogram),
            bins,
            shifts,
            whole,
            supervised,
            MIN_CUT_ROWS,
            self.min_gains,
        )
        cards = list(self.rows.cards)
        made = made + self.missing
        joined = np.empty(int(self.ends[-1]), dtype=code_type(int(made.max(initial=0))))
        joined[self.places] = flat
        joined[self.ends[1:][self.missing] - 1] = made[self.missing] - 1
        ends = self.ends.tolist()
        maps = {v: joined[ends[at] : ends[at + 1]] for at, v in enumerate(self.ordered)}
        for v, card in zip(self.ordered, made.tolist(), strict=True):
            cards[v] = card
        return _Binned(self.rows, maps, cards, flat)

    def bin_positions(self, binned: _Binned) -> dict[int, Floats]:
        """Return the mean standardised position of every bin; missing values are at 0."""
        ends = np.cumsum([0, *(binned.cards[v] for v in self.ordered)])
        places = ends[self.column] + binned.flat
        sums = np.bincount(places, self.totals * self.z, minlength=ends[-1])
        counts = np.bincount(places, self.totals, minlength=ends[-1])
        means = np.divide(sums, counts, out=np.zeros(len(sums)), where=counts > 0)
        parts = zip(self.ordered, ends[:-1].tolist(), ends[1:].tolist(), strict=True)
        return {v: means[start:stop] for v, start, stop in parts}


@dataclass(frozen=True)
class _Start:
    """Results of the members without parents: a start of the exponents, and residual gains."""

    exponents: Exponents | None = None
    gains: Floats | None = None

    @classmethod
    def after(cls, data: _Data, fitted: Sequence[_Fitted]) -> _Start:
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
class _Fitted:
    """A member before stacking."""

    plan: Plan
    binned: _Binned
    tables: BackOffTables
    exponents: Exponents
    scores: Floats
    corrections: Corrections


def _each(
    data: _Data, start: _Start, jobs: Iterable[tuple[Plan, np.random.SeedSequence]]
) -> list[_Fitted]:
    """Fit members, each in a thread."""
    if data.threads <= 1:
        return [_fitted(data, start, *job) for job in jobs]
    _ = data.information, data.places  # Made once, before the threads begin.
    if start.gains is not None:
        _ = data.pair_information
    with ThreadPoolExecutor(data.threads) as pool:
        return list(pool.map(lambda job: _fitted(data, start, *job), jobs))


def _fitted(data: _Data, start: _Start, plan: Plan, seed: np.random.SeedSequence) -> _Fitted:
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
    return _Fitted(plan, binned, tables, exponents, scores, corrections)


def _structure(
    data: _Data, start: _Start, plan: Plan, cards: Sequence[int], rng: Generator
) -> tuple[NDArray[np.intp], list[tuple[int, ...]]]:
    """Return the columns in a random order, and the parents of each among the columns before it.

    Columns with much information about the class tend to come first.
    """
    used = np.flatnonzero(np.array(cards, dtype=np.intp) > 1)
    keys = np.log(np.maximum(data.information[used], 1e-4)) + rng.gumbel(size=len(used))
    order = used[np.argsort(-keys, kind="stable")]
    if plan.k == 0:
        return order, [() for _ in order]
    matrices = start.gains if plan.residual else data.pair_information
    assert matrices is not None
    matrix = matrices[plan.fold if data.per_fold else 0]
    at = data.places[order]
    scores = np.tril(matrix[at[:, None], at], -1)  # Only columns before may be parents.
    best = np.argsort(-scores, axis=1, kind="stable")[:, : plan.k]
    gains = (np.take_along_axis(scores, best, axis=1) > 0).sum(axis=1)  # The best come first.
    parents = [
        tuple(chosen[:kept])
        for chosen, kept in zip(order[best].tolist(), gains.tolist(), strict=True)
    ]
    return order, parents


def _stacked(
    data: _Data,
    fitted: Sequence[_Fitted],
    learner: RuleTables | None,
    ordered: Sequence[int],
    boosted: BoostedFit | None,
) -> GroveSum:
    """Fit the stacking weights on the rows that members left out, and sum the members."""
    groups = _groups([member.plan for member in fitted], data.n_folds)
    sizes = np.bincount(groups)
    count = len(sizes)
    stack = _Stack(data, _left_out_terms(data, fitted, groups), sizes / len(fitted))
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
        None if boosted is None else boosted.trees,
        float(tree_weight),
    )


def _left_out_terms(
    data: _Data, fitted: Sequence[_Fitted], groups: NDArray[np.intp]
) -> NDArray[np.float32]:
    """Return the mean scores and corrections per group, of the members that left out a row."""
    count = int(groups.max()) + 1
    terms = np.zeros((len(data.fit_rows), 2 * count, data.classes), dtype=np.float32)
    for fold in range(data.n_folds):
        outside = np.flatnonzero(data.fit_folds == fold)
        part = np.zeros((2 * count, len(outside), data.classes), dtype=np.float32)
        times = np.zeros((2 * count, 1, 1), dtype=np.float32)
        for member, group in zip(fitted, groups, strict=True):
            if member.plan.fold == fold:
                part[group] += member.scores[outside]
                part[count + group] += member.corrections.sums[outside]
                times[[group, count + group]] += 1
        terms[outside] = (part / times).transpose(1, 0, 2)
    return terms


class _Stack:
    """The rows on which members are stacked, with what all parts of a grove say without the row.

    A class with a single row is left out: where its row is held out, no row of the class is left.
    """

    def __init__(self, data: _Data, terms: NDArray[np.float32], shares: Floats) -> None:
        self.data, self.terms, self.shares = data, terms, np.tile(shares, 2)
        self.known = np.bincount(data.target, minlength=data.classes)[data.fit_target] > 1
        self.rows = self.measured = np.flatnonzero(self.known)
        self.of_rules = np.zeros((len(terms), data.classes))
        self.late: NDArray[np.float32] | None = None

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
        encoded = data.rows.take(data.fit_rows[rows].astype(np.intp))
        fit = learner.learn(encoded, ordered, folds, self._scores(rows), data.threads)
        self.of_rules[rows] = fit.added
        if fit.tables.n_tables:
            self.measured = rows[folds >= 0]
        return fit.tables

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
        p = _softmax(self._scores(rows))[np.arange(len(rows)), data.fit_target[rows]]
        losses = -np.log(np.maximum(p, np.finfo(np.float64).tiny))
        weights = None if data.fit_weights is None else data.fit_weights[rows]
        return float(np.average(losses, weights=weights))

    def _scores(self, rows: NDArray[np.intp]) -> Floats:
        """Return the scores of rows, with weights that are fitted without their fold."""
        scores = np.zeros((len(rows), self.data.classes))
        folds = self.data.fit_folds[rows]
        for fold in np.unique(folds).tolist():
            held = np.flatnonzero(folds == fold)
            weights, _ = self.weights(fold)
            terms = self.terms[rows[held]] if self.late is None else self.late[held]
            scores[held] = np.einsum("rtc,t->rc", terms, weights)
        return scores if self.late is not None else scores + self.of_rules[rows]

    def _early_weights(self, fold: int) -> tuple[Floats, bool]:
        """Return the weights of the members alone."""
        use = self.rows[self.data.fit_folds[self.rows] != fold]
        return self._fit(self.terms[use], use, self.shares)

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


def _groups(plans: Sequence[Plan], folds: int) -> NDArray[np.intp]:
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


def _summed(member: _Fitted, u: float, v: float) -> GroveMember:
    """Return a member whose tables have its stacking weights."""
    exponents = member.exponents.values
    tables = member.tables.summed(
        member.binned.maps, member.binned.cards, u * exponents, v * member.corrections.deltas
    )
    return GroveMember(member.plan, exponents, u, v, tables)


def _importances(
    data: _Data,
    fitted: Sequence[_Fitted],
    members: Sequence[GroveMember],
    rules: RuleSum | None,
    rule_weight: float,
) -> Floats:
    """Return the mean absolute change of the scores by each column, over a part of the sample.

    What a rule table adds is divided among its columns by the gains of its questions.
    """
    columns = len(data.rows.columns)
    most = min(IMPORTANCE_ROWS, (1 << 24) // max(columns * data.classes, 1))
    rows = data.sample[:: -(-len(data.sample) // max(most, 1))]
    added = np.zeros((columns, len(rows), data.classes), dtype=np.float32)
    for member, summed in zip(fitted, members, strict=True):
        tables = member.tables
        starts = tables.layout.slot_starts[tables.last_slots]
        places = starts[:, None] + tables.cells[:, rows]
        added[tables.layout.children] += summed.tables.entries.take(places, axis=0)
    if rules is not None:
        encoded = data.rows.take(data.fit_rows[rows].astype(np.intp))
        for table in range(rules.n_tables):
            entries = np.float32(rule_weight) * rules.added_by(table, encoded)
            for column, share in rules.shares_of(table).items():
                added[column] += np.float32(share) * entries
    added -= added.mean(axis=2, keepdims=True)
    weights = None if data.fit_weights is None else data.fit_weights[rows]
    sizes: Floats = np.average(np.abs(added).mean(axis=2), axis=1, weights=weights)
    total = float(sizes.sum())
    return sizes.astype(np.float64) / total if total > 0 else sizes.astype(np.float64)


def _with_zeros(matrices: Floats) -> Floats:
    """Return square matrices with one more row and column of zeros."""
    return np.pad(matrices, [(0, 0), (0, 1), (0, 1)])


def _softmax(scores: Floats) -> Floats:
    """Return the probabilities of scores."""
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    probabilities: Floats = p / p.sum(axis=1, keepdims=True)
    return probabilities


def _standardised(axes: Floats, weights: Floats, column: NDArray[np.intp], count: int) -> Floats:
    """Return positions with mean 0 and standard deviation 1 per column, at most 4 from the mean."""

    def means(values: Floats) -> Floats:
        totals = np.bincount(column, weights, minlength=count)
        sums = np.bincount(column, weights * values, minlength=count)
        return np.divide(sums, totals, out=np.zeros(count), where=totals > 0)[column]

    largest = np.zeros(count)
    np.maximum.at(largest, column, np.abs(axes))
    axes = np.ldexp(axes, -np.frexp(largest)[1][column])  # Squares stay finite.
    centred = axes - means(axes)
    deviations = np.sqrt(means(centred**2))
    z = np.divide(centred, deviations, out=np.zeros_like(centred), where=deviations > 0)
    return np.clip(z, -4, 4)
