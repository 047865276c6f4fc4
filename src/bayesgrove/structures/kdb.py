"""KDB: each attribute has the class and at most k attributes as parents.

M. Sahami (1996). Learning limited dependence Bayesian classifiers. KDD-96, 335-338.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bayesgrove._utils.options import (
    OptionError,
    is_whole,
    require_choice,
    require_number,
    require_seed,
)
from bayesgrove.parameters.nested_losses import leave_one_out_losses
from bayesgrove.parameters.predictive_score import predictive_score
from bayesgrove.scores.dependence_ranking import DependenceRanking, rank_dependence
from bayesgrove.scores.information import BITS
from bayesgrove.scores.prediction import SCORINGS
from bayesgrove.scores.validation_splits import LEAVE_ONE_OUT, validation_splits
from bayesgrove.search import first_best

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.counts import CountSource
    from bayesgrove.kernels import Floats
    from bayesgrove.network import Structure


LARGEST_K = 5
"""Largest k that ``k="auto"`` tries."""
THETAS = (0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 0.0)
"""Thresholds that ``theta="auto"`` tries, in the unit of the option; 0.03 is the paper's."""


class Choice(NamedTuple):
    """A candidate for k and theta, with its score.

    Parameters
    ----------
    k : int
        The largest number of attribute parents.
    theta : float or None
        The threshold; None means no threshold.
    score : float
        The mean score of the predictions; larger is better.
    """

    k: int
    theta: float | None
    score: float


@dataclass(frozen=True)
class KDB:
    """The k-dependence Bayesian classifier.

    The algorithm computes the mutual information I(X;C) of every attribute with the class (step 1
    of the paper) and the conditional mutual information I(X;X'|C) of every pair given the class
    (step 2). Then the attributes enter the list S of used variables, in the order of decreasing
    I(X;C) (step 5). Each attribute X gets as parents the class and the m = min(|S|, k) attributes
    X' in S with the highest I(X;X'|C). Ties (equal within 1e-12) go to the earlier column.

    With "auto", k and theta are chosen by how well the networks predict rows that they were not
    learned from, which the paper leaves as future work. Every split of the rows is counted once,
    and all candidates are learned from these counts. The best candidate is then learned from all
    rows. Ties go to the smaller k, then to the larger theta.

    Parameters
    ----------
    k : int or "auto", default=1
        The largest number of attribute parents of an attribute. 0 is naive Bayes. "auto" tries 0,
        1, ..., 5, but at most the number of attributes minus 1.
    theta : float, "auto" or None, default=None
        The mutual information threshold of the variant KDB-theta, which the paper sets to 0.03: an
        attribute X' becomes a parent only if I(X;X'|C) > theta. "auto" tries 0.3, 0.1, 0.03, 0.01,
        0.003, 0.001 and 0. None means no threshold.
    unit : {"nats", "bits"}, default="nats"
        The unit of ``theta``. The paper does not say which unit it uses.
    cv : int or {"leave-one-out", "halves", "training"}, default=5
        How the candidates of "auto" are scored. A number is the number of folds of a
        cross-validation. "leave-one-out" predicts every row from the counts of all other rows, in
        one pass for all k, as in SKDB; the order and the parents come from all rows. "halves"
        learns from a random half of the rows and predicts the other half. "training" learns from
        all rows and predicts the same rows, which favours a large k.
    scoring : {"accuracy", "log_loss"}, default="accuracy"
        The score of the predictions with "auto". "accuracy" is the share of correct predictions.
        "log_loss" is the mean log-probability of the true class; larger is better.
    random_state : int, default=0
        The seed that fixes how ``cv`` divides the rows.

    References
    ----------
    M. Sahami (1996). Learning limited dependence Bayesian classifiers. Proceedings of the Second
    International Conference on Knowledge Discovery and Data Mining (KDD-96), 335-338.

    Examples
    --------
    >>> from bayesgrove import BayesianNetworkClassifier
    >>> from bayesgrove.structures import KDB
    >>> X, y = [["n", "n"], ["y", "n"], ["n", "y"], ["y", "y"]] * 6, ["no", "yes", "yes", "yes"] * 6
    >>> BayesianNetworkClassifier(KDB(k=1)).fit(X, y).network_.parents("x1")
    ('x0', 'class')
    """

    k: int | str = 1
    theta: float | str | None = None
    unit: str = "nats"
    cv: int | str = 5
    scoring: str = "accuracy"
    random_state: int = 0

    @property
    def weights_repeat_rows(self) -> bool:
        """Whether a row of weight 2 has the same effect as two copies of the row."""
        return not self.has_choice or self.cv == "training"

    @property
    def has_choice(self) -> bool:
        """Whether k or theta is chosen from the data."""
        return isinstance(self.k, str) or isinstance(self.theta, str)

    def learn(self, counts: CountSource) -> Structure:
        """Learn the parents of every node.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.

        Returns
        -------
        Structure
            At most k attributes and the class as parents of every attribute.
        """
        fixed: Any = self.with_choice(self.choices(counts))
        return self._ranking(counts, fixed.k).above(fixed.theta).structure(fixed.k)

    def choices(self, counts: CountSource, alpha: float = 1.0) -> list[Choice]:
        """Score all candidates for k and theta.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.
        alpha : float, default=1.0
            Pseudo-count of every cell of the conditional tables.

        Returns
        -------
        list of Choice
            The candidates in the order in which ties are resolved: by increasing k, then by
            decreasing theta. The list is empty if neither k nor theta is "auto".
        """
        self.check()
        if not self.has_choice:
            return []
        largest_k = max(0, min(counts.n_attributes - 1, LARGEST_K))
        ks: Any = range(largest_k + 1) if isinstance(self.k, str) else [self.k]
        thetas: Any = THETAS if isinstance(self.theta, str) else [self.theta]
        candidates = list(product(ks, thetas))
        if isinstance(self.cv, str):
            require_choice("cv", self.cv, (LEAVE_ONE_OUT, "halves", "training"))
        if self.cv == LEAVE_ONE_OUT:
            return _choices(candidates, self._leave_one_out_scores(candidates, alpha, counts))
        splits = validation_splits(counts, self.cv, self.random_state)
        scores = [self._scores(candidates, alpha, *split) for split in splits]
        return _choices(candidates, np.mean(scores, axis=0))

    def with_choice(self, choices: Sequence[Choice]) -> KDB:
        """Return this learner with the k and theta of the best candidate.

        Parameters
        ----------
        choices : sequence of Choice
            The candidates, in the order in which ties are resolved.

        Returns
        -------
        KDB
            The learner with a fixed k and theta. It is unchanged if there are no candidates.
        """
        if not choices:
            return self
        best = choices[first_best(np.array([choice.score for choice in choices]))]
        return replace(self, k=best.k, theta=best.theta)

    def _scores(
        self,
        candidates: list[tuple[int, float | None]],
        alpha: float,
        learning: CountSource,
        validation: CountSource,
    ) -> Floats:
        """Return the score of every candidate on the validation rows; equal networks share it."""
        ranking = self._ranking(learning, candidates[-1][0])
        structures = [ranking.above(theta).structure(k) for k, theta in candidates]
        scores = {
            structure: predictive_score(structure, learning, validation, self.scoring, alpha)
            for structure in dict.fromkeys(structures)
        }
        return np.array([scores[structure] for structure in structures])

    def _leave_one_out_scores(
        self, candidates: list[tuple[int, float | None]], alpha: float, counts: CountSource
    ) -> Floats:
        """Return the score of every candidate on all rows, each left out of the counts."""
        ranking = self._ranking(counts, candidates[-1][0])
        losses = {
            theta: leave_one_out_losses(counts, ranking.above(theta), self.scoring, alpha)[:, -1]
            for theta in dict.fromkeys(theta for _, theta in candidates)
        }
        values = np.array(
            [losses[theta][min(k, len(losses[theta]) - 1)] for k, theta in candidates]
        )
        return 1.0 - values if self.scoring == "accuracy" else -values

    def _ranking(self, counts: CountSource, k: int) -> DependenceRanking:
        """Return the k strongest parents that each attribute may have (steps 1 to 5)."""
        return rank_dependence(counts, k, BITS if self.unit == "bits" else 1.0)

    def check(self) -> None:
        """Raise unless the options are valid."""
        if self.k != "auto" if isinstance(self.k, str) else not is_whole(self.k) or self.k < 0:
            raise OptionError(f"k={self.k!r} must be 'auto' or a whole number of at least 0.")
        require_choice("unit", self.unit, ("nats", "bits"))
        if isinstance(self.theta, str):
            if self.theta != "auto":
                raise OptionError(f"theta={self.theta!r} must be 'auto', None or a number.")
        elif self.theta is not None:
            require_number("theta", self.theta)
        require_choice("scoring", self.scoring, SCORINGS)
        require_seed("random_state", self.random_state)


def _choices(candidates: list[tuple[int, float | None]], scores: Floats) -> list[Choice]:
    """Return the candidates with their scores; raise if a score is not finite."""
    if not np.isfinite(scores).all():
        raise OptionError(
            "scoring='log_loss' needs alpha above 0: a validation row has the probability 0. "
            "Raise alpha, or use scoring='accuracy'."
        )
    return [Choice(*pair, score) for pair, score in zip(candidates, scores.tolist(), strict=True)]
