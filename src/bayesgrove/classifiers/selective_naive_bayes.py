"""The selective naive Bayes classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayesgrove.classifiers.selected import SelectiveClassifier
from bayesgrove.parameters import Dirichlet
from bayesgrove.selection import SelectiveNaive
from bayesgrove.structures import Naive

if TYPE_CHECKING:
    from bayesgrove.encoding import Discretizer


class SelectiveNaiveBayesClassifier(SelectiveClassifier):
    """Naive Bayes of the attributes that make it predict best (Langley and Sage 1994).

    Greedy forward selection; adding an attribute to the ones there are counts nothing anew.

    Parameters
    ----------
    scoring : "accuracy" or "log_loss"
    ties : "continue" adds attributes until each makes the score worse, "stop" only as long as one
        makes it better
    judge : "halves" learns from one half of the rows and judges by the other; "training" does both
        with all rows; a number is that of folds of a cross-validation
    alpha : pseudo-count of every cell of the conditional tables
    random_state : seed of the halves or folds
    categorical_features, discretizer, missing, unseen, n_jobs : see `BayesianNetworkClassifier`

    Attributes
    ----------
    classes_, network_, cut_points_ : see `BayesianNetworkClassifier`
    selected_ : names of the attributes in the order in which they were chosen
    path_ : the steps of the selection; ``print(model.path_text())`` shows them

    Examples
    --------
    >>> from bayesgrove import SelectiveNaiveBayesClassifier, load_dataset
    >>> X, y = load_dataset("vote")
    >>> SelectiveNaiveBayesClassifier(ties="stop").fit(X, y).selected_
    ['physician-fee-freeze']
    """

    def __init__(
        self,
        scoring: str = "accuracy",
        ties: str = "continue",
        *,
        judge: Any = "halves",
        alpha: float = 1.0,
        random_state: int = 0,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.scoring = scoring
        self.ties = ties
        self.judge = judge
        self.alpha = alpha
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    def _selector(self) -> SelectiveNaive:
        return SelectiveNaive(self.scoring, self.ties, self.judge, self.alpha, self.random_state)

    def _structure_learner(self) -> Naive:
        return Naive()

    def _parameter_learner(self) -> Dirichlet:
        return Dirichlet(self.alpha)
