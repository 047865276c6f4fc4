"""The selective naive Bayes classifier (naive-AS): forward selection by its predictions.

P. Langley and S. Sage (1994). Induction of selective Bayesian classifiers. UAI-94, 399-406.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.options import OptionError, require_choice, require_number
from bayesgrove._utils.renamed import renamed
from bayesgrove.contracts import selection_from_moves
from bayesgrove.counts import CACHE_BYTES, LRUCache
from bayesgrove.parameters.dirichlet import class_logs, normalise
from bayesgrove.parameters.predictive_score import scoring_splits
from bayesgrove.scores.monitor import Monitor
from bayesgrove.scores.prediction import SCORINGS, fill_impossible, mean_area, row_scores
from bayesgrove.search import forward

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bayesgrove.contracts import Selection
    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Floats
    from bayesgrove.parameters import Normals
    from bayesgrove.search import Move

    Densities = Callable[[CountSource], Normals]


@renamed(judge="cv")
@dataclass(frozen=True)
class SelectiveNaive:
    """Greedy forward selection of the attributes with which naive Bayes predicts best.

    The selection starts with no attributes. It repeatedly adds the attribute that most improves
    the score of naive Bayes. Ties between attributes go to the earlier column.

    Parameters
    ----------
    scoring : {"accuracy", "log_loss", "auc", "monitor"}, default="accuracy"
        The score of the predictions. "accuracy" is the share of rows whose most probable class is
        the true class. "log_loss" is the mean log-probability of the true class; larger is better.
        "auc" is the mean of the areas under the ROC curves, each class against the others; it needs
        all rows in memory. "monitor" is the global monitor per row: the mean log-probability of
        the true class of each row, predicted from the rows before it; it ignores ``cv`` and needs
        all rows in memory, discrete attributes and an ``alpha`` above 0.
    ties : {"continue", "stop"}, default="continue"
        What to do when the best attribute leaves the score unchanged. "continue" adds attributes
        until every further attribute makes the score worse, as Langley and Sage do. "stop" adds
        attributes only while one makes the score better.
    cv : int or {"halves", "training"}, default="halves"
        Which rows are used for learning, and which for validation. "halves" learns from a random
        half of the rows and validates on the other half. "training" learns from all rows and
        validates on all rows. An integer is the number of folds of a cross-validation.
    alpha : float, default=1.0
        The pseudo-count of every cell, at least 0.
    random_state : int, default=0
        The seed that fixes how ``cv`` divides the rows.

    References
    ----------
    P. Langley and S. Sage (1994). Induction of selective Bayesian classifiers. Proceedings of the
    Tenth Conference on Uncertainty in Artificial Intelligence (UAI-94), 399-406.

    Examples
    --------
    >>> from bayesgrove import BayesianNetworkClassifier
    >>> from bayesgrove.selection import SelectiveNaive
    >>> X = [[a, b, c, a] for a in "ny" for b in "ny" for c in "ny"] * 6
    >>> y = [row[0] + row[1] for row in X]
    >>> BayesianNetworkClassifier(selection=SelectiveNaive(ties="stop")).fit(X, y).selected_
    ['x0', 'x1']
    """

    scoring: str = "accuracy"
    ties: str = "continue"
    cv: int | str = "halves"
    alpha: float = 1.0
    random_state: int = 0

    @property
    def weights_repeat_rows(self) -> bool:
        """Whether a row of weight 2 has the same effect as two copies of the row."""
        return self.cv == "training" and self.scoring != "monitor"

    def select(self, counts: CountSource) -> Selection:
        """Add attributes while the score of naive Bayes does not fall.

        With ``ties="stop"`` attributes are added only while the score rises.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.

        Returns
        -------
        Selection
            The selected attributes, and one step per attribute with the score after the step.
        """
        return selection_from_moves(counts, self.moves(counts, range(counts.n_attributes)))

    def moves(
        self, counts: CountSource, candidates: Sequence[int], densities: Densities | None = None
    ) -> list[Move]:
        """Return the attributes in the order in which they are added, with the score after each.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.
        candidates : sequence of int
            The numbers of the attributes that may be added. A number above the number of the class
            stands for a numeric column that is not discretized.
        densities : callable or None, default=None
            A function from counts to the normal densities of all numeric columns. None means that
            every candidate is discrete.

        Returns
        -------
        list of Move
            The number of each added attribute and the score after it was added.
        """
        require_number("alpha", self.alpha, lowest=0)
        require_choice("scoring", self.scoring, (*SCORINGS, "auc", "monitor"))
        if self.scoring == "auc" and not counts.in_memory:
            raise OptionError("scoring='auc' ranks all rows, and needs them in memory.")
        parts = scoring_splits(counts, self.cv, self.random_state, self.scoring)
        learned = [
            (self._tables(learning, densities), validation) for learning, validation in parts
        ]

        def evaluate(subsets: list[list[int]]) -> Floats:
            def measure(tables: LogTables, part: Encoded) -> Floats:
                joints = (fill_impossible(j, tables.prior) for j in tables.joint(part, subsets))
                return np.array([self._score(joint, part) for joint in joints])

            values = [
                validation.reduce(partial(measure, tables), np.add) / validation.total
                for tables, validation in learned
            ]
            return np.asarray(np.mean(values, axis=0))

        return forward(candidates, evaluate, self.ties)

    def _tables(self, counts: CountSource, densities: Densities | None) -> LogTables:
        """Return the tables of the learning rows."""
        if self.scoring != "monitor":
            return LogTables(counts, self.alpha, densities)
        if densities is not None:
            raise OptionError(
                "scoring='monitor' counts the values of every column: use numeric='discretize'."
            )
        return MonitorTables(counts, self.alpha)

    def _score(self, joint: Floats, part: Encoded) -> float:
        """Return the sum of the scores of rows."""
        if self.scoring == "monitor":
            return row_scores(joint, part, "log_loss")
        if self.scoring != "auc":
            return row_scores(joint, part, self.scoring)
        return mean_area(joint, part) * (part.rows if part.weights is None else part.weights.sum())


class LogTables:
    """The log-probability tables of naive Bayes, one per attribute.

    The values of all rows for one class are contiguous in memory, since there are few classes and
    many rows. Densities are slow to compute, so the densities of the part used last are cached.
    """

    _part: Encoded | None = None
    _cached: LRUCache[Floats]

    def __init__(
        self, counts: CountSource, alpha: float, densities: Densities | None = None
    ) -> None:
        self._class = counts.n_attributes
        self._normals = None if densities is None else densities(counts)
        with np.errstate(divide="ignore"):
            self.prior: Floats = np.log(normalise(counts.class_counts + alpha))
        self._given_class = [class_logs(table, alpha) for table in counts.attribute_tables()]

    def joint(self, part: Encoded, subsets: list[list[int]]) -> Iterator[Floats]:
        """Yield ``ln P(class, attributes)`` of the rows for each subset of the attributes.

        Subsets that differ only in their last attribute share one sum.
        """
        heads: dict[tuple[int, ...], Floats] = {(): self._class_terms(part)}
        for subset in subsets:
            head = tuple(subset[:-1])
            if head not in heads:
                heads[head] = sum((self._terms(part, v) for v in head), heads[()])
            yield heads[head] + self._terms(part, subset[-1]) if subset else heads[()]

    def _class_terms(self, part: Encoded) -> Floats:
        """Return ``ln P(class)``, shape (rows, classes)."""
        terms: Floats = np.repeat(self.prior[:, None], part.rows, axis=1).T
        return terms

    def _terms(self, part: Encoded, attribute: int) -> Floats:
        """Return ``ln P(value | class)`` of one attribute, shape (rows, classes)."""
        if attribute < self._class:
            terms: Floats = self._given_class[attribute].take(part.columns[attribute], axis=1).T
            return terms
        return self._cached_terms(part, attribute)

    def _cached_terms(self, part: Encoded, attribute: int) -> Floats:
        """Return terms that are slow to compute; those of the part used last are cached."""
        if part is not self._part:
            self._part, self._cached = part, LRUCache(CACHE_BYTES)
        terms = self._cached.get(attribute)
        if terms is None:
            terms = self._slow_terms(part, attribute)
            self._cached.keep(attribute, terms, terms.nbytes)
        return terms

    def _slow_terms(self, part: Encoded, attribute: int) -> Floats:
        """Compute the log-densities of a numeric column, shape (rows, classes)."""
        assert self._normals is not None
        column = attribute - self._class - 1
        return self._normals.terms(column, part.continuous[column])


class MonitorTables(LogTables):
    """The tables of naive Bayes as they are before each row is learned."""

    def __init__(self, counts: CountSource, alpha: float) -> None:
        self._class = counts.n_attributes
        self._monitor = Monitor(counts, "scoring", alpha)
        self.prior = self._monitor.terms(self._class, ())

    def _class_terms(self, part: Encoded) -> Floats:
        del part
        return self.prior

    def _terms(self, part: Encoded, attribute: int) -> Floats:
        return self._cached_terms(part, attribute)

    def _slow_terms(self, part: Encoded, attribute: int) -> Floats:
        del part
        return self._monitor.terms(attribute, (self._class,))
