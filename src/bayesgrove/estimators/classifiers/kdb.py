"""The k-dependence Bayesian (KDB) classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from bayesgrove.estimators.base.network import NetworkClassifier
from bayesgrove.parameters import Dirichlet
from bayesgrove.structures import KDB

if TYPE_CHECKING:
    from bayesgrove.encoding import Discretizer


class KDBClassifier(NetworkClassifier):
    """The k-dependence Bayesian classifier (KDB): every attribute has at most k attribute parents.

    Attributes enter the network in the order of decreasing mutual information with the class,
    I(X;C). The parents of an attribute X are the class and k of the attributes that entered before:
    the attributes X' with the largest conditional mutual information I(X;X'|C). A larger k models
    more dependence: k = 0 is naive Bayes, and with n attributes, k = n - 1 connects every attribute
    with all others.

    Parameters
    ----------
    k : int, default=1
        Largest number of attribute parents. 0 gives naive Bayes.
    theta : float or None, default=None
        Threshold of KDB-theta: an attribute becomes a parent only if I(X;X'|C) is above ``theta``.
        The paper uses 0.03. None means no threshold, as in the plain KDB of the paper.
    unit : {"nats", "bits"}, default="nats"
        Unit of ``theta``. The paper does not state its unit.
    alpha
    categorical_features, discretizer, missing, unseen, n_jobs

    Attributes
    ----------
    classes_, class_name_, network_, networks_, cut_points_, schema_, used_codings_
    n_features_in_, feature_names_in_

    References
    ----------
    M. Sahami (1996). Learning limited dependence Bayesian classifiers. KDD-96, 335-338.

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
