"""The averaged naive Bayes classifier: the exact average over all naive structures."""

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
    """Exact Bayesian model averaging over all naive Bayes structures (NMA).

    In a naive structure every attribute either depends on the class or does not. With n attributes
    there are 2^n structures, and each has its probability given the training rows as its weight.
    One naive network predicts exactly as the weighted average of all structures. In this network,
    attributes that are probably irrelevant have little influence, so no attributes need to be
    selected.

    Parameters
    ----------
    alpha : float, default=1.0
        Pseudo-count of every cell of the conditional tables, above 0.
    arc_prior : float, default=0.5
        Prior probability that an attribute depends on the class, between 0 and 1.
    categorical_features, discretizer, missing, unseen, n_jobs

    Attributes
    ----------
    classes_, class_name_
    network_ : BayesianNetwork
        The network that predicts as the average over all structures. Its last node is the class.
    networks_
    weights_ : ndarray of shape (1,)
        The weight of the network, 1.
    relevance_ : ndarray of shape (n_features_in_,)
        Probability that each column depends on the class, given the training rows.
    arc_probabilities_ : dict of tuple to float
        The same probabilities by arc: ``{(class, column): probability}``.
    cut_points_, schema_, used_codings_, n_features_in_, feature_names_in_

    References
    ----------
    D. Dash and G. Cooper (2002). Exact model averaging with naive Bayesian classifiers. ICML-02,
    91-98.

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
        """Set the probability that each attribute depends on the class."""
        self.relevance_ = relevance
        *columns, label = self.network_.nodes
        self.arc_probabilities_ = {
            (label, column): probability
            for column, probability in zip(columns, relevance.tolist(), strict=True)
        }
