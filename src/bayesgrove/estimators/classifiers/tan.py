"""The TAN classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from bayesgrove.estimators.base.network import NetworkClassifier
from bayesgrove.parameters import Dirichlet
from bayesgrove.structures import TAN

if TYPE_CHECKING:
    from bayesgrove.encoding import Discretizer


class TANClassifier(NetworkClassifier):
    """Tree-augmented naive Bayes (Friedman, Geiger & Goldszmidt 1997).

    Every attribute has the class and, but for the root, one other attribute as parents: the
    maximum spanning tree of I(X;X'|C).

    Parameters
    ----------
    root : name or place of the attribute at the root of the tree
    alpha : pseudo-count of every cell of the conditional tables; 0 is maximum likelihood
    categorical_features, discretizer, missing, unseen, n_jobs : see `BayesianNetworkClassifier`

    Attributes
    ----------
    classes_, network_, cut_points_ : see `BayesianNetworkClassifier`

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
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.root = root
        self.alpha = alpha
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    def _structure_learner(self) -> TAN:
        return TAN(self.root)

    def _parameter_learner(self) -> Dirichlet:
        return Dirichlet(self.alpha)
