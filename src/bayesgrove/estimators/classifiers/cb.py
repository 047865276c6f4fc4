"""The CB classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from bayesgrove._utils.renamed import renamed
from bayesgrove.estimators.base.network import NetworkClassifier
from bayesgrove.parameters import Dirichlet
from bayesgrove.structures import CB

if TYPE_CHECKING:
    from bayesgrove.encoding import Discretizer


@renamed(alpha="level", judge="stop_by")
class CBClassifier(NetworkClassifier):
    """An unrestricted network: independence tests find an order, K2 the parents along it.

    Singh and Valtorta (1995), judged by accuracy as in Singh and Provan (1995). The tables have
    one pseudo-count a cell, K2's own prior.

    Parameters
    ----------
    level : level of the chi-squared tests; nodes with p > alpha count as independent
    max_order : most nodes that a test is given; None goes on as long as the network gets better
    class_node : "root" directs the edges of the class away from it; "free" treats it as any other
        node: it may have parents, and prediction uses its whole Markov blanket
    stop_by : what says that a network is better: "training" accuracy, accuracy on a "held-out"
        third of the rows, or the "score" (probability) of the structure
    random_state : seed of the rows that are held out
    categorical_features, discretizer, missing, unseen, n_jobs : see `BayesianNetworkClassifier`

    Attributes
    ----------
    classes_, network_, cut_points_ : see `BayesianNetworkClassifier`

    Examples
    --------
    >>> from bayesgrove import CBClassifier, load_dataset
    >>> X, y = load_dataset("vote")
    >>> model = CBClassifier().fit(X, y)
    >>> round(model.score(X, y), 3)
    0.977
    """

    short_name: ClassVar[str] = "cb"

    def __init__(
        self,
        level: float = 0.05,
        max_order: int | None = None,
        class_node: str = "root",
        *,
        stop_by: str = "training",
        random_state: int = 0,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.level = level
        self.max_order = max_order
        self.class_node = class_node
        self.stop_by = stop_by
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    @property
    def weights_repeat_rows(self) -> bool:
        """Return whether a row of weight 2 is the row twice."""
        return self._structure_learner().weights_repeat_rows

    def _structure_learner(self) -> CB:
        return CB(self.level, self.max_order, self.class_node, self.stop_by, self.random_state)

    def _parameter_learner(self) -> Dirichlet:
        return Dirichlet()
