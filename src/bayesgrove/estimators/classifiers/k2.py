"""The K2 classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from bayesgrove.estimators.base.network import NetworkClassifier
from bayesgrove.parameters import Dirichlet
from bayesgrove.structures import K2

if TYPE_CHECKING:
    from bayesgrove.encoding import Discretizer


class K2Classifier(NetworkClassifier):
    """An unrestricted network along an order of the nodes (Cooper and Herskovits 1992).

    Each node takes parents among those before it, one by one, as long as the probability of the
    structure rises.

    Parameters
    ----------
    order : names of all nodes, the class by its own name (that of y, or "class"); None is the
        class first, then the attributes by their mutual information with it
    max_parents : most parents of a node, the class included; None is no bound
    alpha : pseudo-count of every cell of the conditional tables
    categorical_features, discretizer, missing, unseen, n_jobs : see `BayesianNetworkClassifier`

    Attributes
    ----------
    classes_, network_, cut_points_ : see `BayesianNetworkClassifier`

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
        alpha: float = 1.0,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.order = order
        self.max_parents = max_parents
        self.alpha = alpha
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    def _structure_learner(self) -> K2:
        return K2(self.order, self.max_parents)

    def _parameter_learner(self) -> Dirichlet:
        return Dirichlet(self.alpha)
