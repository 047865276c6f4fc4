"""The greedy thick-thinning classifier."""

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
    from bayesgrove.parameters.dirichlet import PseudoCounts


@renamed(alpha="equivalent_sample_size")
class ThickThinClassifier(NetworkClassifier):
    """An unrestricted network by greedy thick-thinning (Dash and Cooper 2003).

    From the graph without arcs, the arc that raises the probability of the rows most is added
    as long as there is one, then arcs are removed likewise. No order is needed, and the class is
    a node like any other: only its Markov blanket bears on it.

    Parameters
    ----------
    criterion : the score of structures (`score` is the accuracy, as in all of scikit-learn):
        "k2", one pseudo-count a cell, or "bdeu", an equivalent sample; the conditional tables
        have the same prior
    max_parents : most parents of a node, the class included; None is no bound
    equivalent_sample_size : equivalent sample size of "bdeu"; "k2" has no use for it
    categorical_features, discretizer, missing, unseen, n_jobs : see `BayesianNetworkClassifier`

    Attributes
    ----------
    classes_, network_, cut_points_ : see `BayesianNetworkClassifier`

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
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.max_parents = max_parents
        self.equivalent_sample_size = equivalent_sample_size
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    def _structure_learner(self) -> ThickThin:
        require_choice("criterion", self.criterion, SCORES)
        return ThickThin(self.criterion, self.equivalent_sample_size, self.max_parents)

    def _parameter_learner(self) -> PseudoCounts:
        return BDeu(self.equivalent_sample_size) if self.criterion == "bdeu" else Dirichlet(1.0)
