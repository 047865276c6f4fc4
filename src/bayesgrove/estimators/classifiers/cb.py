"""The CB classifier: independence tests find an order, and K2 finds the network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from bayesgrove._utils.renamed import renamed
from bayesgrove.estimators.base.network import NetworkClassifier
from bayesgrove.parameters import Dirichlet
from bayesgrove.structures import CB

if TYPE_CHECKING:
    from bayesgrove.encoding import Discretizer
    from bayesgrove.estimators.base.network import ParameterLearner


@renamed(alpha="level", judge="stop_by")
class CBClassifier(NetworkClassifier):
    """An unrestricted Bayesian network whose node order is found by independence tests (CB).

    Tests of conditional independence remove edges from the complete undirected graph. The order of
    a test is the number of nodes that it conditions on. After the tests of order 0, the remaining
    edges are directed, the nodes are sorted along these directions, and K2 finds the parents of
    each node among the nodes before it. The same follows with tests of order 1, 2, ... while the
    network improves. Use CB if you do not know how to sort the variables. The conditional tables
    have one pseudo-count per cell, the prior of K2.

    Parameters
    ----------
    level : float, default=0.05
        Significance level of the chi-squared tests. Two nodes count as independent if the p-value
        is above ``level``.
    max_order : int or None, default=None
        Largest order of the tests. None means no limit: the search ends when the network no longer
        improves.
    class_node : {"root", "free"}, default="root"
        How the edges of the class are directed. "root" directs them away from the class. "free"
        treats the class as any other node. It may then have parents, and predictions use its whole
        Markov blanket.
    stop_by : {"training", "held-out", "score", "monitor"}, default="training"
        How two networks are compared: by the accuracy on the "training" rows as in Singh and Provan
        (1995), by the accuracy on a "held-out" third of the rows, by the "score", which is the
        probability of the structure given the training rows, as in Singh and Valtorta (1995), or by
        the global "monitor": the summed log-probability of the class of each row, predicted from
        the rows before it, which needs the rows in memory.
    random_state : int, default=0
        Seed that fixes which rows ``stop_by="held-out"`` holds out.
    smoothing, weights, corrections
    categorical_features, discretizer, missing, unseen, n_jobs

    Attributes
    ----------
    classes_, class_name_, network_, networks_, exponents_, cut_points_, schema_, used_codings_
    n_features_in_, feature_names_in_

    References
    ----------
    M. Singh and M. Valtorta (1995). Construction of Bayesian network structures from data: a brief
    survey and an efficient algorithm. International Journal of Approximate Reasoning 12, 111-131.

    M. Singh and G. Provan (1995). Efficient learning of selective Bayesian network classifiers.
    Technical report MS-CIS-95-36, University of Pennsylvania.

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
        smoothing: str = "dirichlet",
        weights: str | None = None,
        corrections: bool = False,
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

    def _structure_learner(self) -> CB:
        return CB(self.level, self.max_order, self.class_node, self.stop_by, self.random_state)

    def _parameter_learner(self) -> ParameterLearner:
        return self._smoothed(Dirichlet())
