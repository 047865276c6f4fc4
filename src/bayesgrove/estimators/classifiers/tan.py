"""The tree-augmented naive Bayes (TAN) classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from bayesgrove.estimators.base.network import NetworkClassifier
from bayesgrove.parameters import Dirichlet
from bayesgrove.structures import TAN

if TYPE_CHECKING:
    from bayesgrove.encoding import Discretizer
    from bayesgrove.estimators.base.network import ParameterLearner


class TANClassifier(NetworkClassifier):
    """Tree-augmented naive Bayes (TAN): naive Bayes with a tree of arcs between the attributes.

    Every attribute has the class as a parent. Every attribute except the root also has one other
    attribute as a parent. These arcs form the maximum spanning tree of the conditional mutual
    information I(X;X'|C). No other tree gives the training rows a larger likelihood. Learning needs
    only the counts of pairs of attributes.

    Parameters
    ----------
    root : str or int, default=0
        The attribute from which the arcs of the tree lead away: the name of a column, or its index
        counted from 0. The root does not change which attributes are connected, only the direction
        of the arcs. Because of the pseudo-counts, the direction has a small effect on predictions.
    alpha
    smoothing, weights, corrections
    categorical_features, discretizer, missing, unseen, n_jobs

    Attributes
    ----------
    classes_, class_name_, network_, networks_, em_, exponents_, cut_points_, schema_, used_codings_
    n_features_in_, feature_names_in_

    References
    ----------
    N. Friedman, D. Geiger and M. Goldszmidt (1997). Bayesian network classifiers. Machine Learning
    29, 131-163.

    Examples
    --------
    >>> from bayesgrove import TANClassifier, load_dataset
    >>> X, y = load_dataset("credit-g")
    >>> model = TANClassifier().fit(X, y)
    >>> sorted(model.network_.parents("duration"))
    ['class', 'credit_amount']
    """

    short_name: ClassVar[str] = "tan"

    def __init__(
        self,
        root: str | int = 0,
        *,
        alpha: float = 1.0,
        smoothing: str = "dirichlet",
        weights: str | None = None,
        corrections: bool = False,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.root = root
        self.alpha = alpha
        self.smoothing = smoothing
        self.weights = weights
        self.corrections = corrections
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    def _structure_learner(self) -> TAN:
        return TAN(self.root)

    def _parameter_learner(self) -> ParameterLearner:
        return self._smoothed(Dirichlet(self.alpha))
