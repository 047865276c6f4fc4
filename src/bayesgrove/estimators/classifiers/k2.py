"""The K2 classifier: an unrestricted network along an order of the nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from bayesgrove.estimators.base.network import NetworkClassifier
from bayesgrove.parameters import Dirichlet
from bayesgrove.structures import K2

if TYPE_CHECKING:
    from bayesgrove.encoding import Discretizer
    from bayesgrove.estimators.base.network import ParameterLearner


class K2Classifier(NetworkClassifier):
    """An unrestricted Bayesian network in which K2 finds the parents along an order of the nodes.

    The parents of a node come from the nodes before it in the order. K2 repeatedly adds the parent
    that most increases the probability of the structure, until no parent increases it. Use it if
    you know an order of the variables, such as causes before effects.

    Parameters
    ----------
    order : sequence of str or None, default=None
        Names of all nodes, including the class (the name of y, or ``'class'``). Arcs lead from
        earlier to later nodes. None puts the class first, then the attributes by decreasing mutual
        information with the class.
    max_parents
    criterion : {"k2", "monitor"}, default="k2"
        What the search improves. "k2" is the probability of the structure given the training rows.
        "monitor" is the global monitor: the summed log-probability of the class of each row,
        predicted from the rows before it. It depends on the order of the rows and needs them in
        memory. Attributes that do not help to predict the class then get no parents.
    alpha
    smoothing, weights, corrections
    categorical_features, discretizer, missing, unseen, n_jobs

    Attributes
    ----------
    classes_, class_name_, network_, networks_, em_, exponents_, cut_points_, schema_, used_codings_
    n_features_in_, feature_names_in_

    References
    ----------
    G. Cooper and E. Herskovits (1992). A Bayesian method for the induction of probabilistic
    networks from data. Machine Learning 9, 309-347.

    R. Cowell, A. P. Dawid and D. Spiegelhalter (1993). Sequential model criticism in probabilistic
    expert systems. IEEE Transactions on Pattern Analysis and Machine Intelligence 15(3), 209-219.

    Examples
    --------
    >>> from bayesgrove import K2Classifier, load_dataset
    >>> X, y = load_dataset("corral")
    >>> model = K2Classifier().fit(X, y)
    >>> round(model.score(X, y), 3)
    1.0
    """

    short_name: ClassVar[str] = "k2"

    def __init__(
        self,
        order: Any = None,
        max_parents: int | None = None,
        *,
        criterion: str = "k2",
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
        self.order = order
        self.max_parents = max_parents
        self.criterion = criterion
        self.alpha = alpha
        self.smoothing = smoothing
        self.weights = weights
        self.corrections = corrections
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    @property
    def weights_repeat_rows(self) -> bool:
        """Whether a row of weight 2 gives the same model as the row twice."""
        return super().weights_repeat_rows and self._structure_learner().weights_repeat_rows

    def _structure_learner(self) -> K2:
        return K2(self.order, self.max_parents, self.criterion)

    def _parameter_learner(self) -> ParameterLearner:
        return self._smoothed(Dirichlet(self.alpha))
