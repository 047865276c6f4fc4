"""The selective TAN classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from bayesgrove._utils.options import require_choice
from bayesgrove.estimators.base.selecting import RedundancyMixin, SelectiveClassifier
from bayesgrove.parameters import Dirichlet
from bayesgrove.selection import MDL
from bayesgrove.selection.mdl import SCORES
from bayesgrove.structures import TAN

if TYPE_CHECKING:
    from sklearn.utils import Tags

    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Discretizer


class SelectiveTANClassifier(RedundancyMixin, SelectiveClassifier):
    """TAN of the attributes with which it takes the fewest words (Drugan & van der Gaag 2004).

    Starting from all attributes, the one without which the description length is least is left
    out, as long as that makes it no longer. Trees are learned for every set of attributes that is
    tried; all of it follows from counts of pairs.

    Parameters
    ----------
    criterion : "mdl-fs", which asks what attributes tell about the class; "mdl", which also
        values what they tell about each other, and so leaves out next to none
    direction : "backward" starts with all attributes, "forward" with none; "both" is backward,
        and what was left out may come back
    alpha : pseudo-count of every cell of the conditional tables; 0 is maximum likelihood
    categorical_features, discretizer, missing, unseen, n_jobs : see `BayesianNetworkClassifier`

    Attributes
    ----------
    classes_, network_, cut_points_ : see `BayesianNetworkClassifier`
    selected_ : names of the attributes: in the order of the columns, or as they were added
    path_ : attribute and description length after it came or went, step by step;
        ``print(model.path_text())`` shows it
    redundancy_ : a `Redundancy` for every attribute that was left out: what it tells about the
        class, alone and beside the selected one that makes it most redundant;
        ``print(model.redundancy_text())`` shows it

    Examples
    --------
    >>> from bayesgrove import SelectiveTANClassifier, load_dataset
    >>> X, y = load_dataset("credit-g")
    >>> model = SelectiveTANClassifier().fit(X, y)
    >>> model.selected_
    ['checking_status']
    """

    short_name: ClassVar[str] = "selective-tan"
    state_kinds: ClassVar[tuple[str, ...]] = ("redundancy",)

    def __init__(
        self,
        criterion: str = "mdl-fs",
        *,
        direction: str = "backward",
        alpha: float = 1.0,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.direction = direction
        self.alpha = alpha
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    def _selector(self) -> MDL:
        require_choice("criterion", self.criterion, SCORES)
        return MDL(self.criterion, "tan", self.direction)

    def _structure_learner(self) -> TAN:
        return TAN()

    def _parameter_learner(self) -> Dirichlet:
        return Dirichlet(self.alpha)

    def _select(self, counts: CountSource) -> CountSource:
        selected = super()._select(counts)
        self._explain(counts)
        return selected

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # Of the 300 rows that scikit-learn measures by, an arc between two attributes of five
        # values takes more words than it saves: one of the two goes.
        tags.classifier_tags.poor_score = True
        return tags
