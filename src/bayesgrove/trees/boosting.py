"""Gradient boosting: small trees that are added one after another.

J. H. Friedman (2001). Greedy function approximation: a gradient boosting machine. Annals of
Statistics 29, 1189-1232.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bayesgrove._utils.folds import stratified_folds
from bayesgrove._utils.options import (
    OptionError,
    require_count,
    require_fraction,
    require_number,
    require_seed,
)
from bayesgrove.kernels import kernels
from bayesgrove.trees.binned import MAX_VALUES, BinnedRows
from bayesgrove.trees.boosted_sum import BoostedSum, TreeArrays

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Floats
    from bayesgrove.trees.tree import Numbers

    Places = NDArray[np.intp]

SMALL, MEDIUM = 2000, 6000
"""Numbers of rows from which on fewer folds are used."""
MIN_FALL = 1e-3
"""The held-out loss must fall by this share, or the patience shrinks."""


class _Plan(NamedTuple):
    """The folds of a table: `runs` of them are held out, one after another."""

    folds: int
    runs: int
    refit: bool

    @classmethod
    def of(cls, rows: int) -> _Plan:
        if rows < SMALL:
            folds = max(1, min(8, rows))
            return cls(folds, folds, refit=True)
        return cls(5, 2, refit=False) if rows < MEDIUM else cls(10, 1, refit=False)


@dataclass(frozen=True)
class BoostedFit:
    """Boosted trees, and scores of rows that they were not learned from.

    Parameters
    ----------
    trees : BoostedSum
        The trees, without the prior.
    rounds : int
        The number of rounds with the smallest held-out loss.
    held_out : ndarray of shape (n_held_out,)
        The numbers of the rows that have an out-of-fold score, in ascending order.
    runs : ndarray of shape (n_held_out,)
        The run that held each of these rows out.
    scores : ndarray of shape (n_held_out, n_classes)
        The out-of-fold score of these rows: the prior and the trees that were learned without the
        row, up to the chosen round.
    loss : float
        The mean log-loss of the out-of-fold scores, weighted as the rows are. It is NaN without
        rows.

    References
    ----------
    J. H. Friedman (2001). Greedy function approximation: a gradient boosting machine. Annals of
    Statistics 29, 1189-1232.
    """

    trees: BoostedSum
    rounds: int
    held_out: Places
    runs: Numbers
    scores: Floats
    loss: float


@dataclass(frozen=True)
class BoostedTrees:
    """A learner of boosted trees, which minimise the log-loss.

    The scores of the classes begin as the prior. In every round, one tree per class (one in all if
    there are two classes) is grown from the derivatives of the log-loss of every row, g = p - y and
    h = p (1 - p), at least 1e-6. With G and H as their sums, a test has the gain ``G1^2/(H1 +
    ridge) + G2^2/(H2 + ridge) - G^2/(H + ridge)``, and a leaf has the value ``-learning_rate G/(H +
    ridge)``. The leaf with the largest gain is split next.

    Ordered columns are tested at thresholds between at most ``max_bins`` bins of equal frequency,
    with missing values on either side. Nominal columns are tested for one value against the rest.
    With more than three values, also the first values in the order of G/(H + 5) are tested, with
    0.97 of their gain. Constant columns and nominal columns with more than 255 values are left out.
    Unknown values, and nominal or missing values that no row of a node has, go to the child with
    the larger H.

    The number of rounds has the smallest log-loss of held-out rows. Below 2,000 rows, each of 8
    folds is held out, and the trees are learned again from all rows. Below 6,000 rows, 2 of 5 folds
    are held out, and the trees are the mean of both runs. Otherwise 1 of 10 folds is held out. From
    2,000 rows on, every tree is learned from a sample: a row is drawn with probability
    ``min(1, max(0.2, 10 |g|))``, and counts with the inverse of this probability.

    Parameters
    ----------
    max_rounds : int, default=100
        The maximum number of rounds.
    max_leaves : int, default=32
        The maximum number of leaves of a tree.
    max_depth : int, default=8
        The maximum number of tests between the root and a leaf.
    learning_rate : float, default=0.2
        The factor of the values of the leaves, above 0 and at most 1.
    ridge : float, default=1.0
        The number that is added to H, which makes the values of small leaves smaller.
    min_child : float, default=0.1
        The minimum H of a child, more than 0.
    max_bins : int, default=128
        The maximum number of bins of an ordered column, from 2 to 254. Missing values have one more
        bin.
    patience : int, default=6
        Boosting stops after this number of rounds in which the held-out loss did not fall by 0.1%.
    random_state : int, default=0
        The seed that fixes folds and samples.

    References
    ----------
    J. H. Friedman (2001). Greedy function approximation: a gradient boosting machine. Annals of
    Statistics 29, 1189-1232.

    T. Chen and C. Guestrin (2016). XGBoost: a scalable tree boosting system. Proceedings of the
    22nd ACM SIGKDD International Conference on Knowledge Discovery and Data Mining, 785-794.

    G. Ke, Q. Meng, T. Finley, T. Wang, W. Chen, W. Ma, Q. Ye and T.-Y. Liu (2017). LightGBM: a
    highly efficient gradient boosting decision tree. Advances in Neural Information Processing
    Systems 30, 3146-3154.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.encoding import Encoded
    >>> from bayesgrove.trees import BoostedTrees
    >>> wind = np.tile(np.array([0, 1], dtype=np.uint8), 20)
    >>> rows = Encoded([wind], [2], 40, target=wind, n_classes=2)
    >>> fit = BoostedTrees(max_rounds=10).learn(rows, [0], np.log([0.5, 0.5]))
    >>> fit.rounds, fit.trees.n_trees, len(fit.held_out), fit.loss < 0.2
    (10, 10, 40, True)
    """

    max_rounds: int = 100
    max_leaves: int = 32
    max_depth: int = 8
    learning_rate: float = 0.2
    ridge: float = 1.0
    min_child: float = 0.1
    max_bins: int = 128
    patience: int = 6
    random_state: int = 0

    def learn(
        self, rows: Encoded, ordered: Sequence[int], prior: Floats, threads: int = 1
    ) -> BoostedFit:
        """Learn trees from rows, and the number of rounds from held-out rows.

        Rows of weight 0 are left out.

        Parameters
        ----------
        rows : Encoded
            The training rows with their classes. No value is unknown.
        ordered : sequence of int
            The number of ordered codes of every column, 0 for a nominal column. If it is one less
            than the cardinality, the last code is that of missing values.
        prior : ndarray of shape (n_classes,)
            The scores with which boosting begins: the logarithms of the class probabilities.
        threads : int, default=1
            The number of threads. The trees do not depend on it.

        Returns
        -------
        BoostedFit
            The trees, and the out-of-fold scores of the held-out rows.
        """
        self.check()
        prior = np.asarray(prior, dtype=np.float64)
        _check(rows, ordered, prior)
        numbers = np.arange(rows.rows)
        if rows.weights is not None and not rows.weights.all():
            numbers = np.flatnonzero(rows.weights)
            rows = rows.take(numbers)
        boosting = _Boosting(self, rows, ordered, prior, threads)
        boosting.run()
        held_out, scores = boosting.held_out_scores()
        return BoostedFit(
            trees=boosting.trees(),
            rounds=boosting.best_round,
            held_out=numbers[held_out],
            runs=boosting.folds[held_out],
            scores=scores,
            loss=boosting.best_loss / boosting.weight if boosting.weight else np.nan,
        )

    def check(self) -> None:
        """Raise unless the options are valid."""
        for name in ("max_rounds", "patience"):
            require_count(name, getattr(self, name), lowest=1)
        require_count("max_leaves", self.max_leaves, lowest=2)
        require_count("max_depth", self.max_depth, lowest=1)
        require_fraction("learning_rate", self.learning_rate)
        require_number("ridge", self.ridge, lowest=0)
        require_number("min_child", self.min_child, lowest=0)
        if self.min_child == 0:
            raise OptionError("min_child=0 must be more than 0.")
        require_count("max_bins", self.max_bins, lowest=2)
        if self.max_bins >= MAX_VALUES:
            raise OptionError(f"max_bins={self.max_bins} must be at most {MAX_VALUES - 1}.")
        require_seed("random_state", self.random_state)


class _Boosting:
    """The state of boosting: rounds are added until the held-out loss no longer falls."""

    def __init__(
        self,
        options: BoostedTrees,
        rows: Encoded,
        ordered: Sequence[int],
        prior: Floats,
        threads: int,
    ) -> None:
        self.options, self.rows, self.prior, self.threads = options, rows, prior, threads
        self.target = rows.column(len(rows.columns))
        self.binned = BinnedRows(rows, ordered, options.max_bins)
        self.plan = _Plan.of(rows.rows)
        random = np.random.default_rng(options.random_state)
        self.folds = stratified_folds(self.target, self.plan.folds, random).astype(np.int32)
        self.seed = int(random.integers(1 << 63))
        held_out = self.folds < self.plan.runs
        weights = np.ones(rows.rows) if rows.weights is None else rows.weights
        losses = np.logaddexp.reduce(prior) - prior
        self.weight = float(weights[held_out].sum())
        self.best_loss = float(losses[self.target[held_out]] @ weights[held_out])
        self.best_round = 0
        self.places: Numbers = np.zeros((0, 3), dtype=np.int32)
        self.arrays = _joined([])

    def run(self) -> None:
        """Add rounds until the patience ends, and remember the best one."""
        if not self.binned.columns or len(np.unique(self.target)) < 2:
            return
        options = self.options
        scores, chunks, places = self._start(self.plan.runs), [], []
        reference, stale, done = self.best_loss, 0, 0
        while done < options.max_rounds and stale < options.patience:
            # Boosting cannot stop before this number of rounds, so that they are one kernel call.
            rounds = min(options.patience - stale, options.max_rounds - done)
            losses, where, trees = self._boost(self.folds, scores, done, rounds)
            for loss in losses.sum(axis=1).tolist():
                done += 1
                stale += 1
                if loss < reference * (1.0 - MIN_FALL):
                    reference, stale = loss, 0
                if loss < self.best_loss:
                    self.best_loss, self.best_round = loss, done
            chunks.append(trees)
            places.append(where)
        self.arrays, self.places = _joined(chunks), np.concatenate(places)

    def held_out_scores(self) -> tuple[Places, Floats]:
        """Return the rows that are held out, and their scores by the trees without them."""
        scores = np.tile(self.prior, (self.rows.rows, 1))
        for run in range(self.plan.runs if self.best_round else 0):
            numbers = np.flatnonzero(self.folds == run)
            part = np.ascontiguousarray(scores[numbers])
            self._sum(self._chosen(run)).add_to(part, self.rows.take(numbers), self.threads)
            scores[numbers] = part
        held_out = np.flatnonzero(self.folds < self.plan.runs)
        return held_out, scores[held_out]

    def trees(self) -> BoostedSum:
        """Return the trees of the chosen rounds: learned again, or the mean of the runs."""
        if not self.plan.refit or self.best_round == 0:
            return self._sum(self._chosen(), 1.0 / self.plan.runs)
        everywhere = np.full(self.rows.rows, -1, dtype=np.int32)
        _, places, trees = self._boost(everywhere, self._start(1), 0, self.best_round)
        return self._sum((places, trees))

    def _start(self, runs: int) -> Floats:
        """Return the prior as the scores of every run, output and row."""
        prior = self.prior if len(self.prior) != 2 else np.diff(self.prior)
        return np.tile(prior[:, None], (runs, 1, self.rows.rows))

    def _boost(
        self, folds: Numbers, scores: Floats, first_round: int, rounds: int
    ) -> tuple[Floats, Numbers, TreeArrays]:
        """Boost some rounds from the scores, which are changed."""
        options = self.options
        losses, places, trees = kernels.boost_rounds(
            self.binned.bins,
            self.binned.n_bins,
            self.binned.ordered,
            np.ascontiguousarray(self.target),
            self.rows.n_classes,
            self.rows.weights,
            folds,
            scores,
            first_round,
            rounds,
            options.max_leaves,
            options.max_depth,
            float(options.learning_rate),
            float(options.ridge),
            float(options.min_child),
            self.rows.rows >= SMALL,
            self.seed,
            self.threads,
        )
        return losses, places, TreeArrays(*trees)

    def _chosen(self, run: int | None = None) -> tuple[Numbers, TreeArrays]:
        """Return the trees up to the best round, of one run or of all."""
        chosen = self.places[:, 1] < self.best_round
        if run is not None:
            chosen &= self.places[:, 0] == run
        return self.places[chosen], self.arrays.chosen(chosen, self.binned.n_bins)

    def _sum(self, trees: tuple[Numbers, TreeArrays], scale: float = 1.0) -> BoostedSum:
        """Return the sum of trees, with their values times `scale`."""
        places, arrays = trees
        arrays = arrays._replace(value=arrays.value * scale)
        columns, tables = self.binned.columns, self.binned.tables
        return BoostedSum.of(arrays, places[:, 2], self.rows.n_classes, columns, tables)


def _joined(chunks: list[TreeArrays]) -> TreeArrays:
    """Return trees one after another."""
    none = np.zeros(0, dtype=np.int32)
    empty = none, none, none, np.zeros(0, dtype=np.uint8), np.zeros(0), np.zeros(0)
    return TreeArrays(*map(np.concatenate, zip(empty, *chunks, strict=True)))


def _check(rows: Encoded, ordered: Sequence[int], prior: Floats) -> None:
    """Raise unless rows, numbers of ordered codes and prior fit each other."""
    if rows.target is None:
        raise ValueError("Boosting needs the classes of the rows.")
    if prior.shape != (rows.n_classes,) or not np.isfinite(prior).all():
        raise ValueError(f"The prior must have {rows.n_classes} finite numbers, one per class.")
    if len(ordered) != len(rows.cards):
        raise ValueError(f"ordered has {len(ordered)} numbers, not one per column.")
    for v, (card, axis) in enumerate(zip(rows.cards, ordered, strict=True)):
        if axis and axis not in {card, card - 1}:
            raise ValueError(
                f"Column {v} has {card} codes, so {card} or {card - 1} of them can be ordered, "
                f"not {axis}."
            )
        if rows.rows and rows.column(v).max() >= card:
            raise ValueError(f"Column {v} has an unknown value in the training rows.")
