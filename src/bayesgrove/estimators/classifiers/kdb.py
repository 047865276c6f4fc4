"""The k-dependence Bayesian (KDB) classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from bayesgrove.estimators.base.network import NetworkClassifier
from bayesgrove.parameters import Dirichlet
from bayesgrove.structures import KDB, Choice

if TYPE_CHECKING:
    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Discretizer
    from bayesgrove.estimators.base.network import ParameterLearner


class KDBClassifier(NetworkClassifier):
    """The k-dependence Bayesian classifier (KDB): every attribute has at most k attribute parents.

    Attributes enter the network in the order of decreasing mutual information with the class,
    I(X;C). The parents of an attribute X are the class and k of the attributes that entered before:
    the attributes X' with the largest conditional mutual information I(X;X'|C). A larger k models
    more dependence: k = 0 is naive Bayes, and with n attributes, k = n - 1 connects every attribute
    with all others.

    Parameters
    ----------
    k : int or "auto", default=1
        Largest number of attribute parents. 0 gives naive Bayes. "auto" tries 0, 1, ..., 5, but at
        most the number of attributes minus 1.
    theta : float, "auto" or None, default=None
        Threshold of KDB-theta: an attribute becomes a parent only if I(X;X'|C) is above ``theta``.
        The paper uses 0.03. "auto" tries 0.3, 0.1, 0.03, 0.01, 0.003, 0.001 and 0. None means no
        threshold, as in the plain KDB of the paper.
    unit : {"nats", "bits"}, default="nats"
        Unit of ``theta``. The paper does not state its unit.
    cv : int, "leave-one-out", "halves" or "training", default=5
        How "auto" scores the candidates for ``k`` and ``theta``. A number is the number of folds of
        a cross-validation. "leave-one-out" predicts every row from the counts of all other rows, in
        one pass over the rows for all candidates for k; the order of the attributes and their
        candidates for parents come from all rows, as in `SKDBClassifier`. "halves" learns from a
        random half of the rows and predicts the other half. "training" learns from all rows and
        predicts the same rows, which favours a large k.
    scoring : {"accuracy", "log_loss"}, default="accuracy"
        Score of the predictions with "auto". "accuracy" is the share of correct predictions.
        "log_loss" is the mean log-probability of the true class; larger is better. Ties go to the
        smaller k, then to the larger theta. The predictions that are scored always have
        pseudo-counts, and neither weights nor corrections.
    random_state : int, default=0
        Seed of the halves or folds.
    alpha
    smoothing, weights, corrections
    categorical_features, discretizer, missing, unseen, n_jobs

    Attributes
    ----------
    classes_, class_name_
    k_ : int
        The value of ``k`` that the network has: the option, or the best candidate with "auto".
    theta_ : float or None
        The value of ``theta`` that the network has.
    choices_ : list of Choice
        The candidates for ``k`` and ``theta`` with their scores, as `bayesgrove.structures.Choice`.
        It is empty if neither option is "auto".
    network_, networks_, em_, exponents_, cut_points_, schema_, used_codings_, n_features_in_
    feature_names_in_

    References
    ----------
    M. Sahami (1996). Learning limited dependence Bayesian classifiers. KDD-96, 335-338.

    Examples
    --------
    >>> from bayesgrove import KDBClassifier, load_dataset
    >>> X, y = load_dataset("corral")
    >>> [KDBClassifier(k=k).fit(X, y).score(X, y) for k in (0, 1)]
    [0.90625, 1.0]
    >>> model = KDBClassifier(k="auto", theta="auto").fit(X, y)
    >>> model.k_, model.theta_
    (1, 0.1)
    """

    short_name: ClassVar[str] = "kdb"
    state_kinds: ClassVar[tuple[str, ...]] = ("choices",)
    k_: int
    theta_: float | None
    choices_: list[Choice]

    def __init__(
        self,
        k: int | str = 1,
        theta: float | str | None = None,
        *,
        unit: str = "nats",
        cv: int | str = 5,
        scoring: str = "accuracy",
        random_state: int = 0,
        alpha: float = 1.0,
        smoothing: str = "dirichlet",
        weights: str | None = None,
        corrections: bool = False,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.k = k
        self.theta = theta
        self.unit = unit
        self.cv = cv
        self.scoring = scoring
        self.random_state = random_state
        self.alpha = alpha
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

    def _structure_learner(self) -> KDB:
        return KDB(self.k, self.theta, self.unit, self.cv, self.scoring, self.random_state)

    def _chosen_learner(self, counts: CountSource) -> KDB:
        self._keep_choices(self._structure_learner().choices(counts, self.alpha))
        return KDB(self.k_, self.theta_, self.unit)

    def _check_parts(self) -> None:
        super()._check_parts()
        self._structure_learner().check()

    def _keep_choices(self, choices: list[Choice]) -> None:
        """Set the candidates, and the k and theta that the network has."""
        self.choices_ = choices
        chosen: Any = self._structure_learner().with_choice(choices)
        self.k_, self.theta_ = chosen.k, chosen.theta

    def _parameter_learner(self) -> ParameterLearner:
        return self._smoothed(Dirichlet(self.alpha))
