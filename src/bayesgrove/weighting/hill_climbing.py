"""Hill climbing: weights that improve the predictions of naive Bayes, found one at a time.

H. Zhang and S. Sheng (2004). Learning weighted naive Bayes with accurate ranking. ICDM-04, 567-570.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.memory import require_memory
from bayesgrove._utils.options import OptionError, require_choice, require_count, require_fraction
from bayesgrove._utils.ties import is_more, row_noise
from bayesgrove.parameters.dirichlet import class_logs, normalise
from bayesgrove.scores.prediction import mean_area, row_scores

if TYPE_CHECKING:
    from bayesgrove.contracts import TrainingData
    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Floats

ALPHA = 1.0
"""Pseudo-count of every cell of the tables of naive Bayes."""


@dataclass(frozen=True)
class HillClimbing:
    """Weights found by hill climbing on the score of weighted naive Bayes on the training rows.

    All weights start at 1. A sweep visits the attributes in the order of the table. It raises the
    weight of the attribute by a step; if the score does not increase, it lowers the weight by a
    step instead, to 0 at least. A change is kept only if the score increases. The search ends after
    a sweep without a change, or after ``max_iter`` sweeps. An attribute that does not matter keeps
    the weight 1.

    Zhang and Sheng (2004) climb by the area under the ROC curve. The step, the order of the
    attributes and the number of sweeps are choices of this implementation.

    Naive Bayes has pseudo-count 1, and numbers are cut into intervals. Missing values are ignored.
    All rows must be in memory. The search keeps one number per row, class and attribute.

    Parameters
    ----------
    scoring : {"auc", "accuracy"}, default="auc"
        The score. "auc" is the mean of the areas under the ROC curves, each class against the
        others. "accuracy" is the share of rows whose most probable class is the true class.
    step : float, default=0.1
        The size of a change of a weight, above 0 and at most 1.
    max_iter : int, default=20
        The largest number of sweeps, at least 1.

    References
    ----------
    H. Zhang and S. Sheng (2004). Learning weighted naive Bayes with accurate ranking. Fourth
    IEEE International Conference on Data Mining (ICDM-04), 567-570.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.contracts import TrainingData
    >>> from bayesgrove.weighting import HillClimbing
    >>> a, b = np.array([[0, 0, 1, 1, 1], [0, 1, 1, 0, 0]], dtype=np.uint8)
    >>> data = TrainingData.of_columns([a, b], [2, 2], np.array([0, 0, 0, 1, 1], np.uint8), 2)
    >>> HillClimbing().weights(data).tolist()
    [1.0, 1.0]
    """

    scoring: str = "auc"
    step: float = 0.1
    max_iter: int = 20

    def weights(self, data: TrainingData) -> Floats:
        """Return the weight of every attribute.

        Parameters
        ----------
        data : TrainingData
            The training rows.

        Returns
        -------
        ndarray of shape (n_columns,)
            The weight of each column, at least 0, in the order of the table.
        """
        self._check()
        if not data.counts.in_memory:
            raise OptionError(
                "weights='hill_climbing' predicts all rows again and again, and needs them in "
                "memory: read the file into a data frame first."
            )
        weights: Floats = data.counts.reduce(
            lambda rows: self._climb(data.counts, rows), lambda one, _: one
        )
        return weights

    def _climb(self, counts: CountSource, rows: Encoded) -> Floats:
        """Return the weights after the last sweep."""
        terms, weights = _terms(counts, rows), np.ones(counts.n_attributes)
        joint = _class_terms(counts) + sum(terms, np.zeros((rows.rows, counts.n_classes)))
        score = self._score(joint, rows)
        for _ in range(self.max_iter):
            before = score
            for j, term in enumerate(terms):
                for target in (weights[j] + self.step, max(weights[j] - self.step, 0.0)):
                    changed = joint + (target - weights[j]) * term
                    value = self._score(changed, rows)
                    if is_more(value, score, row_noise(rows.rows)):
                        weights[j], joint, score = target, changed, value
                        break
            if score == before:
                break
        # Sums of steps have rounding errors: 1 - 10 steps of 0.1 are 0.
        return np.round(weights, 9)

    def _score(self, joint: Floats, rows: Encoded) -> float:
        """Return the score of the predictions of all rows."""
        if self.scoring == "auc":
            return mean_area(joint, rows)
        total = rows.rows if rows.weights is None else rows.weights.sum()
        return row_scores(joint, rows, "accuracy") / float(total)

    def _check(self) -> None:
        require_choice("scoring", self.scoring, ("auc", "accuracy"))
        require_fraction("step", self.step)
        require_count("max_iter", self.max_iter, lowest=1)


def _class_terms(counts: CountSource) -> Floats:
    """Return ``ln P(class)``; a class without weight is impossible."""
    present = counts.class_counts > 0
    with np.errstate(divide="ignore"):
        return np.log(normalise(np.where(present, counts.class_counts + ALPHA, 0.0)))


def _terms(counts: CountSource, rows: Encoded) -> list[Floats]:
    """Return ``ln P(value | class)`` of every attribute, each of shape (n_rows, n_classes)."""
    cells = rows.rows * counts.n_classes * (counts.n_attributes + 4)
    remedy = "use other weights, or fewer rows or attributes"
    require_memory(8 * cells, f"Hill climbing with {rows.rows} rows", remedy)
    tables = [class_logs(table, ALPHA) for table in counts.attribute_tables()]
    return [
        np.ascontiguousarray(table.take(column, axis=1).T)
        for table, column in zip(tables, rows.columns, strict=True)
    ]
