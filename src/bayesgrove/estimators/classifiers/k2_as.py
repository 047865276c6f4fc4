"""The K2-AS classifier: attributes selected by the accuracy of their network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from bayesgrove._utils.renamed import renamed
from bayesgrove.contracts import checked_learner
from bayesgrove.estimators.base.selecting import SelectiveClassifier
from bayesgrove.parameters import Dirichlet
from bayesgrove.selection import Wrapper
from bayesgrove.structures import CB

if TYPE_CHECKING:
    from bayesgrove.contracts import StructureLearner
    from bayesgrove.encoding import Discretizer
    from bayesgrove.estimators.base.network import ParameterLearner


@renamed(judge="cv", network="structure")
class K2ASClassifier(SelectiveClassifier):
    """A network of the attributes that predict best, found by forward selection (K2-AS).

    Each step learns a network for every candidate set of attributes and adds the attribute whose
    network predicts the validation rows best. The final network of the selected attributes is
    learned from all rows. The conditional tables have one pseudo-count per cell. Learning is slow
    with many attributes, because every step learns one network per candidate attribute.

    Parameters
    ----------
    ties : {"stop", "continue"}, default="stop"
        When the selection ends. "stop" adds attributes while the score improves (K2-AS). "continue"
        also adds attributes that leave the score unchanged (the variant K2-AS<).
    structure : StructureLearner or None, default=None
        Structure learner for the search and for the final network. None means ``CB()``, as in the
        paper.
    cv
    scoring : {"accuracy", "log_loss", "monitor"}, default="accuracy"
        Score of the predictions. "accuracy" is the share of correct predictions. "log_loss" is the
        mean log-probability of the true class; larger is better. "monitor" is the global monitor
        per row: the mean log-probability of the true class of each row, predicted from the rows
        before it. It ignores ``cv`` and needs all rows in memory.
    random_state : int, default=0
        Seed that fixes the halves or folds.
    smoothing, weights, corrections
    categorical_features, discretizer, missing, unseen, n_jobs

    Attributes
    ----------
    classes_, class_name_, selected_, path_, network_, networks_, exponents_, cut_points_, schema_
    used_codings_, n_features_in_, feature_names_in_

    References
    ----------
    M. Singh and G. Provan (1995). A comparison of induction algorithms for selective and
    non-selective Bayesian classifiers. ICML-95, 497-505.

    G. Provan and M. Singh (1996). Learning Bayesian networks using feature selection. Lecture Notes
    in Statistics 112.

    Examples
    --------
    >>> from bayesgrove import K2ASClassifier, load_dataset
    >>> X, y = load_dataset("corral")
    >>> sorted(K2ASClassifier("continue").fit(X, y).selected_)
    ['A0', 'A1', 'B0', 'B1', 'Correlated', 'Irrelevant']
    """

    short_name: ClassVar[str] = "k2-as"

    def __init__(
        self,
        ties: str = "stop",
        structure: StructureLearner | None = None,
        *,
        cv: int | str = "halves",
        scoring: str = "accuracy",
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
        self.ties = ties
        self.structure = structure
        self.cv = cv
        self.scoring = scoring
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
        return super().weights_repeat_rows and self._selector().weights_repeat_rows

    def _selector(self) -> Wrapper:
        return Wrapper(
            self._structure_learner(),
            ties=self.ties,
            cv=self.cv,
            scoring=self.scoring,
            random_state=self.random_state,
        )

    def _structure_learner(self) -> StructureLearner:
        return checked_learner("structure", self.structure, CB())

    def _parameter_learner(self) -> ParameterLearner:
        return self._smoothed(Dirichlet())
