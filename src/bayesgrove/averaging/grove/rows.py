"""The rows of a grove: samples, folds, statistics of columns and pairs, and random intervals."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bayesgrove._utils.folds import stratified_folds
from bayesgrove.encoding import code_type
from bayesgrove.kernels import kernels
from bayesgrove.parameters.conditional import Axes, bounded_weights
from bayesgrove.parameters.network_sum import (
    FIT_CELLS,
    FIT_ROWS,
    FOLDS,
    SAMPLE_ROWS,
    drawn,
)
from bayesgrove.scores.information import debiased_information

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator
    from numpy.typing import NDArray

    from bayesgrove.averaging.grove.sums import Plan
    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Codes, Floats

FIT_SCORES = 1 << 22
"""Largest number of scores of the rows of corrections and stacking: rows times classes."""
IMPORTANCE_ROWS = 1000
"""Largest number of rows for the importances of columns."""
PAIRED_COLUMNS = 512
"""Only this number of columns, with the most information about the class, have parents or rules."""
BASE_BINS = 5
"""Number of intervals of a numeric column for statistics of pairs."""
BASE_VALUES = 256
"""In statistics of pairs, the rare values of a column with more values are one value."""
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


class Bag(NamedTuple):
    """The rows of a member, without the fold that it leaves out."""

    inside: NDArray[np.bool_]
    """Whether each row is in the bag."""
    fit_rows: NDArray[np.int32]
    """Numbers of the rows of corrections and stacking."""
    sample: NDArray[np.int32]
    """Numbers of the rows of exponents, among the same rows."""


class GroveRows:
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
        self.bins = MemberBins(self, positions)

    @cached_property
    def bags(self) -> list[Bag]:
        """The rows of the members that leave out each fold."""
        in_sample = self.fit_folds[self.sample]
        return [
            Bag(
                self.folds != fold,
                np.flatnonzero(self.fit_folds != fold).astype(np.int32),
                self.sample[in_sample != fold].astype(np.int32),
            )
            for fold in range(self.n_folds)
        ]

    @cached_property
    def importance_rows(self) -> NDArray[np.intp]:
        """Numbers of the rows for importances, among the rows of corrections and stacking."""
        cells = max(len(self.rows.columns) * self.classes, 1)
        most = max(min(IMPORTANCE_ROWS, (1 << 24) // cells), 1)
        return self.sample[:: -(-len(self.sample) // most)]

    @cached_property
    def base(self) -> tuple[list[Codes], list[int]]:
        """Columns of the sample with few intervals, and their cardinalities."""
        binned = self.bins.even(BASE_BINS)
        columns, cards = binned.columns(self.fit_rows[self.sample]), list(binned.cards)
        for v, card in enumerate(cards):
            if card > BASE_VALUES:
                columns[v], cards[v] = _pooled(columns[v], card), BASE_VALUES
        return columns, cards

    @cached_property
    def information(self) -> Floats:
        """Information of each column about the class, in the sample without each fold."""
        columns, cards = self.base
        folds, target = self.fit_folds[self.sample], self.fit_target[self.sample]
        by_fold = self.tables_by_fold(columns, cards, folds, target, self.sample_weights)
        tables = by_fold.sum(axis=0) - by_fold
        return np.array([debiased_information(table, cards) for table in tables])

    def tables_by_fold(
        self,
        columns: list[Codes],
        cards: list[int],
        folds: NDArray[Any],
        target: Codes,
        weights: Floats | None,
    ) -> Floats:
        """Return the weight by fold, class and value of every column, side by side."""
        groups = self.n_folds * self.classes
        group = (folds.astype(np.intp) * self.classes + target).astype(code_type(groups))
        tables = kernels.class_tables(columns, cards, group, groups, weights, self.threads)
        by_fold: Floats = tables.reshape(self.n_folds, self.classes, -1)
        return by_fold

    @cached_property
    def log_information(self) -> Floats:
        """Its logarithm, not below that of 0.0001."""
        return np.asarray(np.log(np.maximum(self.information, 1e-4)))

    @cached_property
    def paired(self) -> NDArray[np.intp]:
        """Columns that may have parents, be parents, or be asked by rule tables."""
        best = np.argsort(-self.information.mean(axis=0), kind="stable")[:PAIRED_COLUMNS]
        return np.sort(best)

    @cached_property
    def places(self) -> NDArray[np.intp]:
        """Place of each column in matrices of pairs, or -1."""
        places = np.full(len(self.rows.columns), -1)
        places[self.paired] = np.arange(len(self.paired))
        return places

    @cached_property
    def sample_weights(self) -> Floats | None:
        """Weights of the sample."""
        return None if self.fit_weights is None else self.fit_weights[self.sample]

    @cached_property
    def pair_information(self) -> Floats:
        """I(X;X'|C) of the paired columns: a matrix per fold, without its rows."""
        columns, cards = [self.base[0][v] for v in self.paired], self.base[1]
        paired_cards = [cards[v] for v in self.paired]
        folds, target = self.fit_folds[self.sample], self.fit_target[self.sample]
        matrices = []
        for fold in range(self.n_folds):
            use = np.flatnonzero(folds != fold)
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
        return np.array(matrices)

    def residual_gains(self, scores: Floats) -> Floats:
        """Return the gains of pairs beyond scores of the sample, like `pair_information`."""
        p = softmax(scores)
        target = self.fit_target[self.sample]
        residuals = -p
        residuals[np.arange(len(target)), target] += 1
        variances = p * (1 - p)
        if self.sample_weights is not None:
            residuals = residuals * self.sample_weights[:, None]
            variances = variances * self.sample_weights[:, None]
        kept = slice(1) if self.classes == 2 else slice(None)  # Both classes say the same.
        folds = self.fit_folds[self.sample]
        gains: Floats = kernels.residual_gains(
            [self.base[0][v] for v in self.paired],
            [self.base[1][v] for v in self.paired],
            np.ascontiguousarray(residuals[:, kept]),
            np.ascontiguousarray(variances[:, kept]),
            folds,
            self.n_folds,
            RESIDUAL_PENALTY,
            self.threads,
        )
        return gains


class BinnedRows(NamedTuple):
    """Bins of the ordered columns of a member."""

    rows: Encoded
    maps: dict[int, Codes]
    cards: list[int]

    def columns(self, rows: NDArray[np.int32] | None = None) -> list[Codes]:
        """Return the binned codes of some rows, or of all."""
        columns = [c if rows is None else c[rows] for c in self.rows.columns]
        for v, bins in self.maps.items():
            columns[v] = bins.take(columns[v])
        return columns


class MemberBins:
    """Histograms of the ordered columns, from which members draw their bins."""

    def __init__(self, data: GroveRows, positions: Sequence[Floats | None]) -> None:
        self.rows, self.n, self.threads = data.rows, data.n, data.threads
        axes = {v: axis for v, axis in enumerate(positions) if axis is not None}
        self.ordered = np.array(list(axes), dtype=np.intp)
        self.fine = np.array([len(axis) for axis in axes.values()], dtype=np.int64)
        self.starts = np.concatenate([[0], np.cumsum(self.fine)]).astype(np.int64)
        self.column = np.repeat(np.arange(len(self.ordered)), self.fine)
        self.by_fold = self._histograms(data)
        self.totals: Floats = self.by_fold.sum(axis=(0, 2))
        axis = np.concatenate([np.empty(0), *axes.values()])
        self.z = _standardised(axis, self.totals, self.column, len(self.ordered))
        # Where the axis of each column begins among the positions of bins; 0 without an axis.
        self.axis_starts = np.zeros(len(self.rows.columns), dtype=np.int64)
        self.axis_starts[self.ordered] = 1 + self.starts[:-1] + np.arange(len(self.ordered))
        self.min_gains = 0.5 * (data.classes - 1) * np.log(self.n) + np.log(self.fine + 1.0)
        # Missing values are the last state, after the fine intervals.
        self.missing = np.array([self.rows.cards[v] for v in axes], dtype=np.int64) > self.fine
        self.ends = np.concatenate([[0], np.cumsum(self.fine + self.missing)])
        self.places = np.arange(len(axis)) + (self.ends[:-1] - self.starts[:-1])[self.column]

    def _histograms(self, data: GroveRows) -> Floats:
        """Return the weight of every fine interval and class in each fold."""
        columns = [self.rows.columns[v] for v in self.ordered]
        cards = [self.rows.cards[v] for v in self.ordered]
        tables = data.tables_by_fold(columns, cards, data.folds, data.target, data.weights)
        ends = np.cumsum([0, *cards])[:-1]
        kept = np.arange(len(self.column)) + (ends - self.starts[:-1])[self.column]
        return np.ascontiguousarray(tables[:, :, kept].transpose(0, 2, 1))

    def even(self, bins: int) -> BinnedRows:
        """Return bins of equal frequency; a column with at most ``bins`` values keeps them."""
        numbers = np.full((1, len(self.ordered)), bins)
        shifts = np.zeros((*numbers.shape, bins - 1))
        return self._binned([-1], numbers, shifts, [self.fine <= bins], np.zeros_like(numbers))[0][
            0
        ]

    def drawn(self, plans: Sequence[Plan], rng: Generator) -> list[tuple[BinnedRows, Axes]]:
        """Return random bins of members, and positions of the bins.

        Supervised cuts see nothing of the left-out fold.
        """
        shape = len(plans), len(self.ordered)
        usual = 1.5 * self.n ** (1 / 3)
        limits = [
            1.5 * usual if plan.k == 0 else max(min(usual, 8.0), usual / plan.k) for plan in plans
        ]
        most = np.clip(np.array(limits), 3, MAX_BINS).astype(np.intp)
        bins = rng.integers(3, most[:, None] + 1, shape)
        shifts = rng.random((*shape, int(most.max()) - 1)) - 0.5
        whole = (self.fine <= KEPT_BINS) & (rng.random(shape) < KEEP)
        supervised = ~whole & (rng.random(shape) < SUPERVISED * min(1.0, self.n / 1000))
        noise = rng.standard_exponential(int((supervised @ self.fine).sum()), dtype=np.float32)
        folds = [plan.fold for plan in plans]
        return self._binned(folds, bins, shifts, whole, supervised * SUPERVISED_CUTS, noise)

    def _binned(
        self,
        left_out: Sequence[int],
        bins: NDArray[np.intp],
        shifts: Floats,
        whole: NDArray[np.bool_] | Sequence[NDArray[np.bool_]],
        supervised: NDArray[np.intp],
        noise: NDArray[np.float32] | None = None,
    ) -> list[tuple[BinnedRows, Axes]]:
        flat, made, means = kernels.draw_bins(
            self.starts,
            self.z,
            self.by_fold,
            np.array(left_out, dtype=np.int32),
            bins.astype(np.int32),
            shifts,
            np.array(whole, dtype=np.uint8),
            supervised.astype(np.int32),
            np.zeros(0, dtype=np.float32) if noise is None else noise,
            MIN_CUT_ROWS,
            self.min_gains,
            self.threads,
        )
        made = made + self.missing
        dtype = code_type(int(made.max(initial=0)))
        joined = np.empty((len(flat), int(self.ends[-1])), dtype=dtype)
        joined[:, self.places] = flat
        joined[:, self.ends[1:][self.missing] - 1] = made[:, self.missing] - 1
        cards = np.tile(np.array(self.rows.cards), (len(flat), 1))
        cards[:, self.ordered] = made
        ends = self.ends.tolist()
        parts = list(zip(self.ordered.tolist(), ends, ends[1:], strict=False))
        return [
            (
                BinnedRows(self.rows, {v: bins[a:b] for v, a, b in parts}, of_member),
                Axes(self.axis_starts, positions),
            )
            for bins, of_member, positions in zip(joined, cards.tolist(), means, strict=True)
        ]


def softmax(scores: Floats) -> Floats:
    """Return the probabilities of scores."""
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    probabilities: Floats = p / p.sum(axis=1, keepdims=True)
    return probabilities


def _pooled(codes: Codes, card: int) -> Codes:
    """Return codes of the most frequent values, and one code of all others."""
    frequent = np.argsort(-np.bincount(codes, minlength=card), kind="stable")[: BASE_VALUES - 1]
    pooled = np.full(card, BASE_VALUES - 1, dtype=np.uint8)
    pooled[frequent] = np.arange(len(frequent))
    return pooled[codes]


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
