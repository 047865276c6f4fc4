"""Rule tables: boosted tables of yes-or-no questions about several columns.

A rule table is an oblivious tree: a tree in which all nodes of a level ask the same question. It is
therefore a table, with one axis per question.

R. Kohavi and C.-H. Li (1995). Oblivious decision trees, graphs, and top-down pruning. IJCAI-95,
1071-1077.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.kernels import kernels
from bayesgrove.trees.binned import BinnedRows
from bayesgrove.trees.rule_sum import RuleSum

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Floats

MIN_FALL = 1e-3
"""The held-out loss must fall by this share, or the patience shrinks."""
MIN_ROWS = 100
"""With fewer held-out rows, their loss cannot tell whether tables help."""
LEAST_FALL = 5e-4
"""Tables that lower the mean held-out loss by less are not worth reading."""
TRIAL_ROUNDS, TRIAL_RISE = 3, 0.05
"""Boosting stops after these rounds if the held-out loss is by more than this share higher."""


@dataclass(frozen=True)
class RuleFit:
    """Rule tables, and what they add to rows that they were not learned from.

    Parameters
    ----------
    tables : RuleSum
        The tables, learned from all rows.
    added : ndarray of shape (n_rows, n_classes)
        What the tables of the run that holds a row out add to its scores; 0 if no run does.
    fall : float
        Mean fall of the log-loss of the held-out rows.
    """

    tables: RuleSum
    added: Floats
    fall: float


@dataclass(frozen=True)
class RuleTables:
    """A learner of rule tables, which lower the log-loss of given scores.

    In every round, one table is added to the scores of all classes. Its questions are chosen one by
    one: "is the value one of these?" With the derivatives of the log-loss of every row, g = p - y
    and h = p (1 - p), and their sums G and H over a cell, a question gains the change of the sum of
    ``G^2 / (H + ridge)`` over all cells. An entry is ``-learning_rate G / (H + ridge)``.

    Columns with an axis are asked for thresholds between at most ``max_bins`` bins of equal
    frequency; nominal columns for one value. If there are more than ``sample_rows`` rows, questions
    are chosen on a sample in which rows with large derivatives are more frequent.

    The number of rounds has the smallest log-loss of held-out rows; the tables are then learned
    from all rows. If this loss falls by less than its standard error or 0.0005, or if fewer than
    100 rows are held out, there are no tables. (If rows have weights, these rows are counted as
    ``(sum w)^2 / sum w^2``.) Boosting ends after 3 rounds if the loss is then more than 5% higher.

    Parameters
    ----------
    max_rounds : int, default=100
        Largest number of tables.
    max_questions : int, default=7
        Largest number of questions of a table, at most 8.
    learning_rate : float, default=0.4
        Factor of the entries.
    ridge : float, default=1.0
        Number that is added to H, which makes the entries of small cells smaller.
    max_bins : int, default=32
        Largest number of bins of a column with an axis. Missing values have one more bin.
    patience : int, default=12
        Boosting stops after this number of rounds in which the held-out loss did not fall by 0.1%,
        and after three rounds if the loss is then more than 5% above that of the scores.
    sample_rows : int, default=4000
        Number of rows on which questions are chosen.
    random_state : int, default=0
        Seed of the samples.

    References
    ----------
    R. Kohavi and C.-H. Li (1995). Oblivious decision trees, graphs, and top-down pruning. IJCAI-95,
    1071-1077.

    L. Prokhorenkova, G. Gusev, A. Vorobev, A. V. Dorogush and A. Gulin (2018). CatBoost: unbiased
    boosting with categorical features. NeurIPS 2018, 6638-6648.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.encoding import Encoded
    >>> from bayesgrove.trees import RuleTables
    >>> a, b = (np.tile(np.array(x, dtype=np.uint8), 40) for x in ([0, 0, 1, 1], [0, 1, 0, 1]))
    >>> rows = Encoded([a, b], [2, 2], 160, target=a ^ b, n_classes=2)
    >>> folds = np.arange(160) // 4 % 4
    >>> fit = RuleTables(max_rounds=10).learn(rows, [0, 0], folds, np.zeros((160, 2)))
    >>> fit.tables.n_tables, int(fit.tables.sizes[0]), bool(fit.fall > 0.5)
    (10, 2, True)
    """

    max_rounds: int = 100
    max_questions: int = 7
    learning_rate: float = 0.4
    ridge: float = 1.0
    max_bins: int = 32
    patience: int = 12
    sample_rows: int = 4000
    random_state: int = 0

    def learn(
        self,
        rows: Encoded,
        ordered: Sequence[int],
        folds: NDArray[np.integer[Any]],
        scores: Floats,
        threads: int = 1,
    ) -> RuleFit:
        """Learn tables from rows, and the number of rounds from held-out rows.

        Parameters
        ----------
        rows : Encoded
            The training rows with their classes. No value is unknown, and all weights are positive.
        ordered : sequence of int
            Number of ordered codes of every column, 0 for a nominal column. If it is one less than
            the cardinality, the last code is that of missing values.
        folds : ndarray of shape (n_rows,)
            The run that holds a row out; -1 if none does.
        scores : ndarray of shape (n_rows, n_classes)
            Scores of the rows before the tables, by a model that has not seen the row.
        threads : int, default=1
            Number of threads. The tables do not depend on it.

        Returns
        -------
        RuleFit
            The tables, and what they add to held-out rows.
        """
        boosting = _Boosting(self, rows, ordered, folds.astype(np.int32), scores, threads)
        return boosting.fit()


class _Boosting:
    """The state of boosting: rounds are added until the held-out loss no longer falls."""

    def __init__(
        self,
        options: RuleTables,
        rows: Encoded,
        ordered: Sequence[int],
        folds: NDArray[np.int32],
        scores: Floats,
        threads: int,
    ) -> None:
        self.options, self.rows, self.folds, self.threads = options, rows, folds, threads
        self.start = np.ascontiguousarray(scores, dtype=np.float64)
        self.target = rows.column(len(rows.columns))
        self.binned = BinnedRows(rows, ordered, options.max_bins)
        top = self.start.max(axis=1, keepdims=True)
        shares = np.exp(self.start - top).sum(axis=1)
        of_class = self.start[np.arange(rows.rows), self.target]
        self.losses: Floats = top[:, 0] + np.log(shares) - of_class

    def fit(self) -> RuleFit:
        """Return the tables of the best number of rounds."""
        added = np.zeros(self.start.shape)
        held_out = self.folds >= 0
        weights = np.ones(self.rows.rows) if self.rows.weights is None else self.rows.weights
        total = float(weights[held_out].sum())
        # A mean with unequal weights is as certain as one of fewer rows.
        effective = total**2 / max(float((weights[held_out] ** 2).sum()), 1e-300)
        few = effective < MIN_ROWS
        if few or not self.binned.columns or len(np.unique(self.target)) < 2:
            return RuleFit(self._sum([]), added, 0.0)
        before = float(weights[held_out] @ self.losses[held_out])
        rounds, loss, square, runs = self._run(before)
        fall = (before - loss) / total
        spread = max(square / total - fall**2, 0.0)
        if rounds == 0 or fall < max(np.sqrt(spread / effective), LEAST_FALL):
            return RuleFit(self._sum([]), added, 0.0)
        for run, lists in enumerate(runs):
            out = np.flatnonzero(self.folds == run)
            part = np.zeros((len(out), self.rows.n_classes))
            kept = np.concatenate([arrays[0] for arrays in lists]) < rounds
            self._sum(lists).chosen(kept).add_to(part, self.rows.take(out), self.threads)
            added[out] = part
        nowhere = np.full(self.rows.rows, -1, dtype=np.int32)
        _, _, lists = self._boost(nowhere, self.start[None].copy(), 0, rounds)
        return RuleFit(self._sum(lists), added, fall)

    def _run(self, before: float) -> tuple[int, float, float, list[list[Any]]]:
        """Return the best number of rounds, its loss and squared change, and lists per run."""
        options, runs = self.options, int(self.folds.max()) + 1
        scores = np.tile(self.start, (runs, 1, 1))
        best, reference, stale, done = (0, before, 0.0), before, 0, 0
        chunks: list[list[Any]] = [[] for _ in range(runs)]
        while done < options.max_rounds and stale < options.patience:
            # Boosting cannot stop before this number of rounds, so that they are one kernel call.
            rounds = min(options.patience - stale, options.max_rounds - done)
            if done == 0:
                rounds = min(rounds, TRIAL_ROUNDS)
            losses, squares, lists = self._boost(self.folds, scores, done, rounds)
            for loss, square in zip(losses.sum(axis=1), squares.sum(axis=1), strict=True):
                done, stale = done + 1, stale + 1
                if loss < reference * (1.0 - MIN_FALL):
                    reference, stale = float(loss), 0
                if loss < best[1]:
                    best = done, float(loss), float(square)
            for chunk, arrays in zip(chunks, lists, strict=True):
                chunk.append(arrays)
            if done == TRIAL_ROUNDS and loss > before * (1.0 + TRIAL_RISE):
                break
        return *best, chunks

    def _boost(
        self, folds: NDArray[np.int32], scores: Floats, first_round: int, rounds: int
    ) -> tuple[Floats, Floats, list[Any]]:
        """Boost some rounds from the scores, which are changed."""
        options = self.options
        boosted: tuple[Floats, Floats, list[Any]] = kernels.boost_rule_tables(
            self.binned.bins,
            self.binned.n_bins,
            self.binned.ordered,
            np.ascontiguousarray(self.target),
            self.rows.n_classes,
            self.rows.weights,
            folds,
            scores,
            self.losses,
            first_round,
            rounds,
            options.max_questions,
            float(options.learning_rate),
            float(options.ridge),
            options.sample_rows,
            options.random_state,
            self.threads,
        )
        return boosted

    def _sum(self, lists: list[Any]) -> RuleSum:
        """Return the sum of the tables of some lists, whose questions are about bins."""
        none = np.zeros(0, dtype=np.int32)
        empty = none, none, none, none, none, np.zeros(0), np.zeros((0, self.rows.n_classes))
        _, sizes, places, firsts, lasts, gain, entries = (
            np.concatenate(arrays) for arrays in zip(empty, *lists, strict=True)
        )
        first = self.binned.first_codes(places, firsts)
        last = self.binned.first_codes(places, lasts + 1) - 1
        columns = np.array(self.binned.columns, dtype=np.int32)[places]
        return RuleSum(sizes, columns, first, last, gain, entries.astype(np.float32))
