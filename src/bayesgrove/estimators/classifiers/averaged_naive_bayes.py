"""The averaged naive Bayes classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from bayesgrove._utils.renamed import renamed
from bayesgrove.averaging import NaiveAverage
from bayesgrove.estimators.base.averaging import AveragingClassifier

if TYPE_CHECKING:
    from bayesgrove.encoding import Discretizer
    from bayesgrove.estimators.base.table import Training
    from bayesgrove.kernels import Floats


@renamed(prior="arc_prior")
class AveragedNaiveBayesClassifier(AveragingClassifier):
    """The average over all naive structures, exactly (Dash and Cooper 2002: NMA).

    Every attribute depends on the class or does not; all 2^n structures count with their
    probability. What is left is one naive network in which attributes that are hardly relevant
    hardly tell anything.

    Parameters
    ----------
    alpha : pseudo-count of every cell of the conditional tables
    arc_prior : probability beforehand that an attribute depends on the class
    categorical_features, discretizer, missing, unseen, n_jobs : see `BayesianNetworkClassifier`

    Attributes
    ----------
    classes_, network_, cut_points_ : see `BayesianNetworkClassifier`; the network stands for all
        structures, and is the only one in ``networks_``
    relevance_ : probability that each column depends on the class
    arc_probabilities_ : the same by arcs, ``{(class, column): probability}``

    Examples
    --------
    >>> from bayesgrove import AveragedNaiveBayesClassifier, load_dataset
    >>> X, y = load_dataset("corral")
    >>> model = AveragedNaiveBayesClassifier().fit(X, y)
    >>> dict(zip(X.columns, model.relevance_.round(2).tolist()))
    {'A0': 1.0, 'A1': 1.0, 'B0': 1.0, 'B1': 1.0, 'Irrelevant': 0.18, 'Correlated': 1.0}
    """

    short_name: ClassVar[str] = "nma"
    state_kinds: ClassVar[tuple[str, ...]] = ("relevance",)

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        arc_prior: float = 0.5,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.arc_prior = arc_prior
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    def _check_parts(self) -> None:
        self._average()

    def _average(self) -> NaiveAverage:
        return NaiveAverage(self.alpha, self.arc_prior)

    def _learn(self, training: Training) -> None:
        counts = training.counts(self._threads())
        network, relevance = self._average().learn(counts, training.states)
        self._keep(training.schema, training.classes, network)
        self._keep_relevance(relevance)

    def _keep_relevance(self, relevance: Floats) -> None:
        self.relevance_ = relevance
        *columns, label = self.network_.nodes
        self.arc_probabilities_ = {
            (label, column): probability
            for column, probability in zip(columns, relevance.tolist(), strict=True)
        }
