"""The Info-AS classifier: attributes selected by conditional information about the class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from bayesgrove._utils.renamed import renamed
from bayesgrove.contracts import checked_learner, weights_repeat_rows
from bayesgrove.estimators.base.selecting import SelectiveClassifier
from bayesgrove.parameters import Dirichlet
from bayesgrove.selection import InfoAS
from bayesgrove.structures import CB

if TYPE_CHECKING:
    from bayesgrove.contracts import StructureLearner
    from bayesgrove.encoding import Discretizer
    from bayesgrove.estimators.base.network import ParameterLearner


@renamed(alpha="level", network="structure", stop="stop_by")
class InfoASClassifier(SelectiveClassifier):
    """A network of the attributes with the most conditional information about the class (Info-AS).

    Each step of the selection adds the attribute with the largest information metric, given the
    attributes selected so far, if this metric is positive. A structure learner then learns the
    network of the selected attributes. The conditional tables have one pseudo-count per cell. The
    information gain "cig" favours attributes with many values. The ratios "cgr" and "cdc" do not,
    and the paper recommends them.

    Parameters
    ----------
    metric
    structure : StructureLearner or None, default=None
        Structure learner for the selected attributes, such as ``TAN()`` or ``Naive()`` from
        `bayesgrove.structures`. None means ``CB()``, as in the paper.
    stop_by : {"zero", "chi2"}, default="zero"
        When the selection ends. "zero" adds attributes while one has a positive metric. "chi2" does
        the same, but leaves out attributes that a chi-squared test finds independent of the class,
        given the selected attributes.
    level : float, default=0.05
        Significance level of the chi-squared test. Only ``stop_by="chi2"`` uses it.
    smoothing, weights, corrections
    categorical_features, discretizer, missing, unseen, n_jobs

    Attributes
    ----------
    classes_, class_name_, selected_, path_, network_, networks_, exponents_, cut_points_, schema_
    used_codings_, n_features_in_, feature_names_in_

    References
    ----------
    M. Singh and G. Provan (1995). Efficient learning of selective Bayesian network classifiers.
    Technical report MS-CIS-95-36, University of Pennsylvania.

    Examples
    --------
    >>> from bayesgrove import InfoASClassifier, load_dataset
    >>> X, y = load_dataset("corral")
    >>> model = InfoASClassifier("cgr").fit(X, y)
    >>> print(model.path_text())
    step  attribute        value    cells
    1     + Correlated    0.1864        2
    2     + A0           0.08234        4
    3     + A1            0.2339        8
    4     + B0            0.2043       16
    5     + B1            0.3274       32
    """

    short_name: ClassVar[str] = "info-as"

    def __init__(
        self,
        metric: str = "cgr",
        structure: StructureLearner | None = None,
        *,
        stop_by: str = "zero",
        level: float = 0.05,
        smoothing: str = "dirichlet",
        weights: str | None = None,
        corrections: bool = False,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.metric = metric
        self.structure = structure
        self.stop_by = stop_by
        self.level = level
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
        return super().weights_repeat_rows and weights_repeat_rows(self.structure)

    def _selector(self) -> InfoAS:
        return InfoAS(self.metric, self.stop_by, self.level)

    def _structure_learner(self) -> StructureLearner:
        return checked_learner("structure", self.structure, CB())

    def _parameter_learner(self) -> ParameterLearner:
        return self._smoothed(Dirichlet())
