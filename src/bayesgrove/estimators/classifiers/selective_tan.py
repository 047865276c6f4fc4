"""The selective TAN classifier: attributes selected by description length."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from bayesgrove._utils.options import require_choice
from bayesgrove.estimators.base.selecting import RedundancyMixin, SelectiveClassifier
from bayesgrove.parameters import Dirichlet
from bayesgrove.selection import MDL
from bayesgrove.selection.mdl import SCORES, checked_auxiliary
from bayesgrove.structures import TAN

if TYPE_CHECKING:
    from sklearn.utils import Tags

    from bayesgrove.contracts import StructureLearner
    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Discretizer
    from bayesgrove.estimators.base.network import ParameterLearner


class SelectiveTANClassifier(RedundancyMixin, SelectiveClassifier):
    """Tree-augmented naive Bayes (TAN) of the attributes with the shortest description length.

    By default the search starts with all attributes. Each step removes the attribute whose removal
    gives the shortest description length, while the length does not increase. The trees are learned
    anew for every set of attributes. All scores are computed from counts of pairs, so the time of
    the search does not grow with the number of rows once they are counted. With few rows, or with
    columns of many values, few attributes remain.

    Parameters
    ----------
    criterion : {"mdl-fs", "mdl"}, default="mdl-fs"
        The number that is minimised. "mdl" is the description length ``ln(N)/2 |C| - LL(C)`` of the
        classifier C. N is the number of rows, |C| is the number of free parameters, and LL is the
        log-likelihood of the rows. "mdl-fs" is ``ln(N)/2 |C| - (LL(C) - LL(S))``. It subtracts the
        log-likelihood of a network S of the same attributes without the class, so it measures only
        the information about the class. "mdl" also rewards information of the attributes about
        each other, so it removes hardly any attribute.
    direction
    auxiliary : {"tree", "none"} or StructureLearner, default="tree"
        The network S of "mdl-fs". "tree" is the tree of maximum log-likelihood. "none" is the
        network without arcs, and gives the same selection as "mdl". A structure learner, such as
        ``KDB(k=2)``, learns S anew for every set of attributes that is tried, which is slow with
        many attributes.
    alpha
    smoothing, weights, corrections
    categorical_features, discretizer, missing, unseen, n_jobs

    Attributes
    ----------
    classes_, class_name_
    selected_ : list of str
        Names of the selected attributes, in the order of the table. Attributes that a step added
        come last, in the order in which they were added.
    path_ : list of Step
        Steps of the selection. Each has the attribute that was added or removed and the
        description length after the step, in nats. `path_text` returns them as text.
    redundancy_, network_, networks_, exponents_, cut_points_, schema_, used_codings_
    n_features_in_
    feature_names_in_

    References
    ----------
    M. Drugan and L. van der Gaag (2004). A new MDL-based function for feature selection for
    Bayesian network classifiers. ECAI-2004, 999-1000.

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
        auxiliary: str | StructureLearner = "tree",
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
        self.criterion = criterion
        self.direction = direction
        self.auxiliary = auxiliary
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
        return super().weights_repeat_rows and self._selector().weights_repeat_rows

    def _selector(self) -> MDL:
        require_choice("criterion", self.criterion, SCORES)
        checked_auxiliary(self.auxiliary)
        return MDL(self.criterion, "tan", self.direction, self.auxiliary)

    def _structure_learner(self) -> TAN:
        return TAN()

    def _parameter_learner(self) -> ParameterLearner:
        return self._smoothed(Dirichlet(self.alpha))

    def _select(self, counts: CountSource) -> CountSource:
        selected = super()._select(counts)
        self._explain(counts)
        return selected

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # scikit-learn checks the accuracy on 300 rows. An arc between two attributes with five
        # values has a longer description length than it saves there, so one of them is removed.
        tags.classifier_tags.poor_score = True
        return tags
