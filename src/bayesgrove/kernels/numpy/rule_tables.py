"""Rule tables in numpy: boosted tables of yes-or-no questions, and their sum for new rows.

A question asks whether the bin (or code) of a column is from ``first`` to ``last``. A table has one
cell per combination of answers; the answer to the first question is the highest bit of the number
of the cell. A list of tables is seven arrays, one table after another: ``rounds`` (the round in
which each table was made), ``sizes`` (its number of questions), ``column``, ``first``, ``last`` and
``gain`` of all questions, and ``entries`` (one row per cell, one column per class).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bayesgrove.kernels.numpy.boosted_growing import LEAST_GAIN, BinTable
from bayesgrove.kernels.numpy.boosting import LEAST_HESSIAN, check_rows, mixed, random_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats
    from bayesgrove.kernels.numpy.boosted_growing import Bytes, Flags, Numbers, Places

    Lists = tuple[Numbers, Numbers, Numbers, Numbers, Numbers, Floats, Floats]

MAX_QUESTIONS = 8
"""Largest number of questions of a table."""
MAX_OUTPUTS = 4
"""More classes are mixed into this number of sums when questions are chosen."""
LEAST_DRAWN = 0.1
"""The probability that a row with a small gradient is drawn."""
DRAWN_SLOPE = 5.0
"""A row is drawn with this multiple of its gradient, so always if the gradient is 0.2 or more."""
MAX_ROUNDS = 1_000_000
SAME_GAIN = 1e-9
"""Gains that differ less, relative to the score of all cells, are equal."""
_WRAP = (1 << 64) - 1


class Question(NamedTuple):
    """The question whether the bin of a column is from ``first`` to ``last``.

    Parameters
    ----------
    column : int
        Number of the column.
    first : int
        First bin of the answer yes.
    last : int
        Last bin of the answer yes.
    gain : float, default=0.0
        Gain of the question, summed over the cells of the questions before.
    """

    column: int
    first: int
    last: int
    gain: float = 0.0

    def answers(self, bins: Bytes) -> Flags:
        """Return the answers of rows."""
        asked = bins[:, self.column]
        return np.asarray((asked >= self.first) & (asked <= self.last))


@dataclass(frozen=True)
class _Rules:
    """Options of boosting, and the table of bins."""

    table: BinTable
    max_questions: int
    learning_rate: float
    ridge: float
    sample_rows: int

    def __post_init__(self) -> None:
        if not 1 <= self.max_questions <= MAX_QUESTIONS or self.sample_rows < 1:
            raise ValueError("max_questions or sample_rows is out of range.")
        finite = math.isfinite(self.learning_rate) and math.isfinite(self.ridge)
        if not finite or not self.ridge > 0:
            raise ValueError("learning_rate or ridge is out of range.")
        if not len(self.table.n_bins):
            raise ValueError("Questions need a column.")

    def candidates(self) -> list[Question]:
        """Return all questions, column by column."""
        questions = []
        for j, (bins, axis) in enumerate(zip(self.table.n_bins, self.table.ordered, strict=True)):
            if axis == 0:
                questions += [Question(j, b, b) for b in range(bins)]
            for b in range(axis - 1):
                questions.append(Question(j, 0, b))
                if bins > axis:
                    questions.append(Question(j, b + 1, axis - 1))
            if bins > axis > 0:
                questions.append(Question(j, axis, axis))
        return questions

    def score(self, sums: Floats) -> Floats:
        """Return what sums of gradients and, last, hessians gain."""
        squares = (sums[..., :-1] ** 2).sum(axis=-1)
        return np.asarray(squares / (np.maximum(sums[..., -1], 0.0) + self.ridge))

    def find(self, rows: Places, sums: Floats) -> list[Question]:
        """Return the questions of one table, chosen one by one.

        A question may gain nothing by itself, but questions after the last one that gains are left
        out.
        """
        bins, candidates = self.table.bins[rows], self.candidates()
        offsets = np.cumsum([0, *self.table.n_bins])
        cells = np.zeros(len(rows), dtype=np.intp)
        questions: list[Question] = []
        useful = 0
        while candidates and len(rows) and len(questions) < self.max_questions:
            count = 1 << len(questions)
            width = sums.shape[1]
            places = (cells[:, None] * offsets[-1] + offsets[:-1] + bins).ravel()
            histogram = np.stack(
                [
                    np.bincount(
                        places, np.repeat(sums[:, k], bins.shape[1]), count * int(offsets[-1])
                    )
                    for k in range(width)
                ],
                axis=-1,
            ).reshape(count, -1, width)
            total = histogram[:, : offsets[1]].sum(axis=1)
            used = total[:, -1] > 0
            histogram, total = histogram[used], total[used]
            # The sum of the bins before each bin, over all columns.
            before = np.concatenate([np.zeros((len(total), 1, width)), histogram.cumsum(axis=1)], 1)
            firsts = [offsets[q.column] + q.first for q in candidates]
            ends = [offsets[q.column] + q.last + 1 for q in candidates]
            yes = before[:, ends] - before[:, firsts]
            whole = self.score(total)
            gains = self.score(yes) + self.score(total[:, None] - yes) - whole[:, None]
            summed = gains.sum(axis=0)
            most = float(summed.max())
            best = int(np.argmax(summed >= most - SAME_GAIN * (whole.sum() + most)))
            question = candidates[best]._replace(gain=float(summed[best]))
            if question.gain > LEAST_GAIN * whole.sum():
                useful = len(questions) + 1
            cells = 2 * cells + question.answers(bins)
            questions.append(question)
        return questions[:useful]


class _Run:
    """One run: boosting without the rows of one fold, which are held out."""

    def __init__(
        self,
        rules: _Rules,
        target: Codes,
        weights: Floats,
        training: Places,
        scores: Floats,
        key: int,
    ) -> None:
        self.rules, self.training, self.scores, self.key = rules, training, scores, key
        self.classes = scores.shape[1]
        kept = slice(1, 2) if self.classes == 2 else slice(None)
        self.is_class = (target[training][:, None] == np.arange(self.classes))[:, kept]
        self.kept, self.weights = kept, weights[training]

    def round(self, number: int) -> tuple[list[Question], Floats] | None:
        """Add one table to the scores of all rows, and return it; None if nothing gains."""
        scores = self.scores[self.training]
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        p = (shares / shares.sum(axis=1, keepdims=True))[:, self.kept]
        slopes, curves = p - self.is_class, np.maximum(p * (1 - p), LEAST_HESSIAN)
        questions = self.rules.find(*self._drawn(slopes, curves, mixed(self.key, number)))
        if not questions:
            return None
        cells = np.zeros(len(self.scores), dtype=np.intp)
        for question in questions:
            cells = 2 * cells + question.answers(self.rules.table.bins)
        count, inside = 1 << len(questions), cells[self.training]
        entries = np.zeros((count, self.classes))
        for output in range(slopes.shape[1]):
            g = np.bincount(inside, self.weights * slopes[:, output], count)
            h = np.bincount(inside, self.weights * curves[:, output], count)
            value = -self.rules.learning_rate * g / (h + self.rules.ridge)
            if self.classes == 2:
                entries[:, 0], entries[:, 1] = -value, value
            else:
                entries[:, output] = value
        self.scores += entries[cells]
        return questions, entries

    def _drawn(self, slopes: Floats, curves: Floats, key: int) -> tuple[Places, Floats]:
        """Return the rows on which questions are chosen, and their sums."""
        shares = np.ones(len(slopes))
        if len(slopes) > self.rules.sample_rows:
            most = np.abs(slopes).max(axis=1)
            shares = np.minimum(1.0, np.maximum(LEAST_DRAWN, DRAWN_SLOPE * most))
            shares *= min(1.0, self.rules.sample_rows / float(np.cumsum(shares)[-1]))
        drawn = (shares >= 1.0) | (random_of(key, self.training) < shares)
        outputs = slopes.shape[1]
        if self.classes > MAX_OUTPUTS:
            other = ~key & _WRAP
            signs = [
                [1.0 if mixed(other, o * MAX_OUTPUTS + k) & 1 else -1.0 for k in range(MAX_OUTPUTS)]
                for o in range(outputs)
            ]
            slopes = 0.5 * (slopes @ np.array(signs))
        sums = np.column_stack([slopes, curves.sum(axis=1) / outputs])
        return self.training[drawn], (sums * (self.weights / shares)[:, None])[drawn]


def boost_rule_tables(
    bins: Bytes,
    n_bins: Sequence[int],
    ordered: Sequence[int],
    target: Codes,
    n_classes: int,
    weights: Floats | None,
    folds: NDArray[np.int32],
    scores: Floats,
    start_losses: Floats,
    first_round: int,
    rounds: int,
    max_questions: int,
    learning_rate: float,
    ridge: float,
    sample_rows: int,
    seed: int,
    threads: int,
) -> tuple[Floats, Floats, list[Lists]]:
    """Boost some rounds of rule tables, in several runs that each hold out one fold.

    In every round, the questions of a table are chosen one by one. With G and H as the sums of
    gradients ``p - y`` and of hessians ``p (1 - p)`` over a cell, the gain of a question is the
    change of the sum of ``G^2 / (H + ridge)`` over all cells. With more than two classes, G has one
    number per class, and H is the mean over the classes; more than four classes are mixed into four
    sums with random signs. Equal gains go to the earlier question. Ordered bins are asked for the
    first bins or, with missing values, for the last ones; every nominal or missing bin by itself.

    Parameters
    ----------
    bins : ndarray of shape (n_rows, n_columns)
        Bin of every row and column, uint8.
    n_bins : sequence of int
        Number of bins of every column, from 1 to 255.
    ordered : sequence of int
        Number of ordered bins of every column, 0 for a nominal column. If it is one less than the
        number of bins, the last bin is that of missing values.
    target : ndarray of shape (n_rows,)
        Class code of every row.
    n_classes : int
        Number of classes, at least 2.
    weights : ndarray of shape (n_rows,) or None
        Positive weight of every row. None means 1.
    folds : ndarray of shape (n_rows,)
        The run that holds the row out, int32. All runs learn from a row with another number.
    scores : ndarray of shape (n_runs, n_rows, n_classes)
        Scores before the rounds. They are replaced by the scores after them.
    start_losses : ndarray of shape (n_rows,)
        Log-loss of every row before the first of all rounds.
    first_round : int
        Number of the first round, on which the random numbers depend.
    rounds : int
        Number of rounds.
    max_questions : int
        Largest number of questions of a table, from 1 to 8.
    learning_rate : float
        An entry is ``-learning_rate * G / (H + ridge)``, with G and H of its class.
    ridge : float
        Number that is added to every H, more than 0.
    sample_rows : int
        Questions are chosen on a sample of about this number of rows, if there are more. A row with
        the largest gradient g is drawn with a probability that is proportional to
        ``min(1, max(0.1, 5 |g|))``, and its derivatives are divided by it.
    seed : int
        Seed of the random numbers. They depend on seed, run, round and row only.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.

    Returns
    -------
    losses : ndarray of shape (rounds, n_runs)
        Log-loss of the rows that each run holds out, summed with their weights, after each round.
    squares : ndarray of shape (rounds, n_runs)
        Weighted sum of the squared changes of these losses since ``start_losses``.
    tables : list of tuple
        The list of tables of every run.
    """
    del threads
    rules = _Rules(
        BinTable(bins, n_bins, ordered), max_questions, learning_rate, ridge, sample_rows
    )
    check_rows(target, n_classes, weights, folds)
    if scores.shape[1:] != (len(bins), n_classes) or len(folds) != len(bins):
        raise ValueError("The scores, the rows and the bins differ in their sizes.")
    if not 0 <= rounds <= MAX_ROUNDS or first_round < 0:
        raise ValueError("There must be from 0 to 1,000,000 rounds.")
    row_weights = np.ones(len(bins)) if weights is None else weights
    losses, squares = np.zeros((rounds, len(scores))), np.zeros((rounds, len(scores)))
    lists = []
    for run, run_scores in enumerate(scores):
        training, out = np.flatnonzero(folds != run), np.flatnonzero(folds == run)
        booster = _Run(rules, target, row_weights, training, run_scores, mixed(seed, run))
        made = []
        for k in range(rounds):
            table = booster.round(first_round + k)
            if table is not None:
                made.append((first_round + k, *table))
            held = run_scores[out]
            top = held.max(axis=1)
            now = top + np.log(np.exp(held - top[:, None]).sum(axis=1))
            now -= held[np.arange(len(out)), target[out]]
            losses[k, run] = row_weights[out] @ now
            squares[k, run] = row_weights[out] @ (now - start_losses[out]) ** 2
        lists.append(_as_arrays(made, n_classes))
    return losses, squares, lists


def _as_arrays(made: list[tuple[int, list[Question], Floats]], n_classes: int) -> Lists:
    """Return tables as arrays."""
    asked = [question for _, questions, _ in made for question in questions]
    return (
        np.array([number for number, _, _ in made], dtype=np.int32),
        np.array([len(questions) for _, questions, _ in made], dtype=np.int32),
        np.array([question.column for question in asked], dtype=np.int32),
        np.array([question.first for question in asked], dtype=np.int32),
        np.array([question.last for question in asked], dtype=np.int32),
        np.array([question.gain for question in asked], dtype=np.float64),
        np.concatenate([np.zeros((0, n_classes)), *(entries for _, _, entries in made)]),
    )


def add_rule_tables(
    columns: Sequence[Codes],
    cards: Sequence[int],
    sizes: Numbers,
    column: Numbers,
    first: NDArray[np.uint32],
    last: NDArray[np.uint32],
    entries: NDArray[np.float32],
    scores: Floats,
    weight: float,
    threads: int,
) -> None:
    """Add a multiple of the entries of rule tables to the scores of rows.

    A table with a question about an unknown value adds nothing.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n_rows,)
        Codes of each column. ``cards[v]`` and larger codes are unknown.
    cards : sequence of int
        Cardinality of each column.
    sizes : ndarray of shape (n_tables,)
        Number of questions of each table, int32.
    column : ndarray of shape (n_questions,)
        Column of each question, int32.
    first : ndarray of shape (n_questions,)
        First code of the answer yes, uint32.
    last : ndarray of shape (n_questions,)
        Last code of the answer yes, uint32.
    entries : ndarray of shape (n_cells, n_classes)
        Entries of the cells, float32.
    scores : ndarray of shape (n_rows, n_classes)
        Scores, which are changed.
    weight : float
        Factor of the sum.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.
    """
    del threads
    if len(cards) != len(columns) or any(len(codes) != len(scores) for codes in columns):
        raise ValueError("There must be one score per row and one number per column.")
    if not len(column) == len(first) == len(last) or entries.shape[1] != scores.shape[1]:
        raise ValueError("The questions and entries differ in their sizes.")
    if ((sizes < 1) | (sizes > MAX_QUESTIONS)).any():
        raise ValueError("A table has from 1 to 8 questions.")
    if sizes.sum() != len(column) or (1 << sizes.astype(np.int64)).sum() != len(entries):
        raise ValueError("The sizes do not fit the questions.")
    if ((column < 0) | (column >= len(columns))).any():
        raise ValueError("A question is not about a column.")
    at = start = 0
    for size in sizes.tolist():
        cells = np.zeros(len(scores), dtype=np.intp)
        known = np.ones(len(scores), dtype=bool)
        for q in range(at, at + size):
            codes = columns[column[q]]
            known &= codes < cards[column[q]]
            cells = 2 * cells + ((codes >= first[q]) & (codes <= last[q]))
        scores[known] += weight * entries[start + cells[known]].astype(np.float64)
        at += size
        start += 1 << size
