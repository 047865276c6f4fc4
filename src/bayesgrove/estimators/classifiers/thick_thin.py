"""The greedy thick-thinning classifier: an unrestricted network by greedy search over arcs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from bayesgrove._utils.options import require_choice
from bayesgrove._utils.renamed import renamed
from bayesgrove.estimators.base.network import NetworkClassifier
from bayesgrove.parameters import BDeu, Dirichlet
from bayesgrove.structures import ThickThin
from bayesgrove.structures.thick_thin import SCORES

if TYPE_CHECKING:
    from bayesgrove.encoding import Discretizer
    from bayesgrove.estimators.base.network import ParameterLearner


@renamed(alpha="equivalent_sample_size")
class ThickThinClassifier(NetworkClassifier):
    """An unrestricted Bayesian network learned by greedy thick-thinning (GTT).

    The search starts from the graph without arcs. It repeatedly adds the arc that most increases
    the probability of the training rows, until no arc increases it. Then it removes arcs in the
    same way. No order of the nodes is needed, and the class is a node like any other: only the
    attributes in its Markov blanket change the class probabilities.

    Parameters
    ----------
    criterion : {"k2", "bdeu"}, default="k2"
        Score of a structure: the probability of the training rows under a prior. "k2" has one
        pseudo-count per cell. "bdeu" divides the ``equivalent_sample_size`` equally among the cells
        of a table. The conditional tables use the same prior. (The method `score` returns the
        accuracy, as in all scikit-learn classifiers.)
    max_parents, equivalent_sample_size
    smoothing, weights, corrections
    categorical_features, discretizer, missing, unseen, n_jobs

    Attributes
    ----------
    classes_, class_name_, network_, networks_, em_, exponents_, cut_points_, schema_, used_codings_
    n_features_in_, feature_names_in_

    References
    ----------
    D. Dash and G. Cooper (2003). Model averaging with discrete Bayesian network classifiers.
    AISTATS 9. GTT is in section 4.1.

    D. Dash and M. Druzdzel (2003). Robust independence testing for constraint-based learning of
    causal structure. UAI 19, 167-174.

    D. Heckerman, D. Geiger and D. Chickering (1995). Learning Bayesian networks: the combination of
    knowledge and statistical data. Machine Learning 20, 197-243.

    Examples
    --------
    >>> from bayesgrove import ThickThinClassifier, load_dataset
    >>> X, y = load_dataset("corral")
    >>> model = ThickThinClassifier().fit(X, y)
    >>> round(model.score(X, y), 3)
    1.0
    """

    short_name: ClassVar[str] = "thick-thin"

    def __init__(
        self,
        criterion: str = "k2",
        max_parents: int | None = None,
        *,
        equivalent_sample_size: float = 1.0,
        smoothing: str = "dirichlet",
        weights: str | None = None,
        corrections: bool = False,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.max_parents = max_parents
        self.equivalent_sample_size = equivalent_sample_size
        self.smoothing = smoothing
        self.weights = weights
        self.corrections = corrections
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    def _structure_learner(self) -> ThickThin:
        require_choice("criterion", self.criterion, SCORES)
        return ThickThin(self.criterion, self.equivalent_sample_size, self.max_parents)

    def _parameter_learner(self) -> ParameterLearner:
        bdeu = self.criterion == "bdeu"
        return self._smoothed(BDeu(self.equivalent_sample_size) if bdeu else Dirichlet(1.0))
