"""The K2-AS classifier."""

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


@renamed(judge="cv", network="structure")
class K2ASClassifier(SelectiveClassifier):
    """A network of the attributes that make it predict best (Singh and Provan 1995).

    Forward selection by the accuracy of the network that the attributes give, learned from one
    half of the rows and judged by the other; then a network of the selected attributes from all
    rows. The tables have one pseudo-count a cell.

    Parameters
    ----------
    ties : "stop" adds attributes as long as accuracy rises (K2-AS), "continue" also while it stays
        as it is (K2-AS<)
    structure : structure learner for the search and the final network; None is the paper's ``CB()``
    cv : "halves"; "training", which learns from and judges by all rows; or a number of folds
        of a cross-validation
    scoring : "accuracy" or "log_loss"
    random_state : seed of the halves or folds
    categorical_features, discretizer, missing, unseen, n_jobs : see `BayesianNetworkClassifier`

    Attributes
    ----------
    classes_, network_, cut_points_ : see `BayesianNetworkClassifier`
    selected_ : names of the attributes in the order in which they were chosen
    path_ : the steps of the selection; ``print(model.path_text())`` shows them

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
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    @property
    def weights_repeat_rows(self) -> bool:
        """Return whether a row of weight 2 is the row twice."""
        return self._selector().weights_repeat_rows

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

    def _parameter_learner(self) -> Dirichlet:
        return Dirichlet()
