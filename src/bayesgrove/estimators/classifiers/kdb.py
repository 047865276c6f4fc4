"""The KDB classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from bayesgrove.estimators.base.network import NetworkClassifier
from bayesgrove.parameters import Dirichlet
from bayesgrove.structures import KDB

if TYPE_CHECKING:
    from bayesgrove.encoding import Discretizer


class KDBClassifier(NetworkClassifier):
    """The k-dependence Bayesian classifier (Sahami 1996): from naive Bayes to the full model.

    Parameters
    ----------
    k : largest number of attribute parents; 0 is naive Bayes, n - 1 the full model
    theta : parents need more mutual information than this (the paper's KDB-theta; there 0.03);
        None is the paper's plain KDB
    unit : unit of theta, "nats" or "bits"
    alpha : pseudo-count of every cell of the conditional tables; 0 is maximum likelihood
    categorical_features, discretizer, missing, unseen, n_jobs : see `BayesianNetworkClassifier`

    Attributes
    ----------
    classes_, network_, cut_points_ : see `BayesianNetworkClassifier`

    Examples
    --------
    >>> from bayesgrove import KDBClassifier, load_dataset
    >>> X, y = load_dataset("corral")
    >>> [KDBClassifier(k=k).fit(X, y).score(X, y) for k in (0, 1)]
    [0.90625, 1.0]
    """

    short_name: ClassVar[str] = "kdb"

    def __init__(
        self,
        k: int = 1,
        theta: float | None = None,
        *,
        unit: str = "nats",
        alpha: float = 1.0,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.k = k
        self.theta = theta
        self.unit = unit
        self.alpha = alpha
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    def _structure_learner(self) -> KDB:
        return KDB(self.k, self.theta, self.unit)

    def _parameter_learner(self) -> Dirichlet:
        return Dirichlet(self.alpha)
