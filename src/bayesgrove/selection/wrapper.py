"""K2-AS: selection by the predictive accuracy of the network that is learned from the attributes.

M. Singh and G. Provan (1995). A comparison of induction algorithms for selective and
non-selective Bayesian classifiers. ICML-95, 497-505. G. Provan and M. Singh (1996). Learning
Bayesian networks using feature selection. Lecture Notes in Statistics 112.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.options import require_choice
from bayesgrove._utils.renamed import renamed
from bayesgrove.contracts import checked_learner, selection_from_moves, weights_repeat_rows
from bayesgrove.parameters.predictive_score import predictive_score, scoring_splits
from bayesgrove.scores.prediction import SCORINGS
from bayesgrove.search import backward, forward
from bayesgrove.structures import CB

if TYPE_CHECKING:
    from bayesgrove.contracts import Selection, StructureLearner
    from bayesgrove.counts import CountSource
    from bayesgrove.kernels import Floats
    from bayesgrove.search import Evaluate


@renamed(judge="cv", network="structure")
@dataclass(frozen=True)
class Wrapper:
    """Greedy selection of the attributes with which a Bayesian network predicts best.

    Each step adds (or removes) the attribute after which the network predicts best. The
    conditional tables of the networks have one pseudo-count per cell. The structure learner gets
    the attributes in the order in which they were selected. Ties between attributes go to the
    earlier column.

    Parameters
    ----------
    structure : StructureLearner or None, default=None
        The structure learner of the networks. None means `CB`, as in the papers.
    direction : {"forward", "backward"}, default="forward"
        "forward" starts with no attributes and adds attributes. "backward" starts with all
        attributes and removes attributes.
    ties : {"stop", "continue"}, default="stop"
        What to do when the best step leaves the score unchanged. "stop" goes on only while the
        score increases (K2-AS). "continue" also goes on while the score remains unchanged (the
        variant K2-AS<).
    cv : int or {"halves", "training"}, default="halves"
        Which rows are used for learning, and which for validation. "halves" learns from a random
        half of the rows and validates on the other half (the paper's subset-learn and subset-eval
        sets). "training" learns from all rows and validates on all rows. An integer is the number
        of folds of a cross-validation.
    scoring : {"accuracy", "log_loss", "monitor"}, default="accuracy"
        The score of the predictions. "accuracy" is the share of rows whose most probable class is
        the true class. "log_loss" is the mean log-probability of the true class; larger is better.
        "monitor" is the global monitor per row: the mean log-probability of the true class of each
        row, predicted from the rows before it; it ignores ``cv`` and needs all rows in memory.
    random_state : int, default=0
        The seed that fixes how ``cv`` divides the rows.

    References
    ----------
    M. Singh and G. Provan (1995). A comparison of induction algorithms for selective and
    non-selective Bayesian classifiers. Proceedings of the Twelfth International Conference on
    Machine Learning (ICML-95), 497-505.

    G. Provan and M. Singh (1996). Learning Bayesian networks using feature selection. Lecture Notes
    in Statistics 112.

    Examples
    --------
    >>> from bayesgrove import BayesianNetworkClassifier
    >>> from bayesgrove.structures import Naive
    >>> from bayesgrove.selection import Wrapper
    >>> X = [[a, b, c, a] for a in "ny" for b in "ny" for c in "ny"] * 6
    >>> y = [row[0] + row[1] for row in X]
    >>> BayesianNetworkClassifier(selection=Wrapper(Naive())).fit(X, y).selected_
    ['x0', 'x1']
    """

    structure: StructureLearner | None = None
    direction: str = "forward"
    ties: str = "stop"
    cv: int | str = "halves"
    scoring: str = "accuracy"
    random_state: int = 0

    @property
    def weights_repeat_rows(self) -> bool:
        """Whether a row of weight 2 has the same effect as two copies of the row."""
        splits_none = self.cv == "training" and self.scoring != "monitor"
        return splits_none and weights_repeat_rows(self.structure)

    def select(self, counts: CountSource) -> Selection:
        """Add or remove attributes while the predictions of the network improve.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.

        Returns
        -------
        Selection
            The selected attributes, and one step per change with the score after the step.
        """
        require_choice("direction", self.direction, ("forward", "backward"))
        evaluate = self.evaluator(counts)
        attributes = list(range(counts.n_attributes))
        if self.direction == "forward":
            return selection_from_moves(counts, forward(attributes, evaluate, self.ties))
        moves = backward(attributes, evaluate, self.ties)
        return selection_from_moves(counts, moves, attributes, "removed")

    def evaluator(self, counts: CountSource) -> Evaluate:
        """Return a function that scores subsets of the attributes.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.

        Returns
        -------
        callable
            A function from a list of subsets to their scores, one per subset. A subset is a list of
            numbers of attributes, in the order in which the structure learner gets them.
        """
        require_choice("scoring", self.scoring, (*SCORINGS, "monitor"))
        parts = scoring_splits(counts, self.cv, self.random_state, self.scoring)
        learner = checked_learner("structure", self.structure, CB())

        def evaluate(subsets: list[list[int]]) -> Floats:
            return np.array([self._score(learner, parts, subset) for subset in subsets])

        return evaluate

    def _score(
        self,
        learner: StructureLearner,
        parts: list[tuple[CountSource, CountSource]],
        subset: list[int],
    ) -> float:
        """Return the mean score of the networks over a subset of the attributes."""
        scores = []
        for learning_rows, validation_rows in parts:
            learning, validation = learning_rows.restrict(subset), validation_rows.restrict(subset)
            structure = learner.learn(learning)
            scores.append(predictive_score(structure, learning, validation, self.scoring))
        return float(np.mean(scores))
