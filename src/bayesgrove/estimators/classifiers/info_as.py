"""The Info-AS classifier."""

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


@renamed(alpha="level", network="structure", stop="stop_by")
class InfoASClassifier(SelectiveClassifier):
    """A network of the attributes that tell most about the class (Singh and Provan 1995).

    Info-AS adds the attribute with the largest information metric, given those it has, as long
    as one has a positive metric. Any structure learner follows; the tables have one pseudo-count
    a cell.

    Parameters
    ----------
    metric : "cig", conditional information gain; "cgr", conditional gain ratio; "cdc", the
        complement of the conditional distance
    structure : structure learner for the selected attributes, such as ``TAN()`` or ``Naive()`` from
        `bayesgrove.structures`; None is the paper's ``CB()``
    stop_by : "zero" goes on as long as a metric is positive; "chi2" leaves out attributes that a
        chi-squared test finds independent of the class, given those selected
    level : level of that test
    categorical_features, discretizer, missing, unseen, n_jobs : see `BayesianNetworkClassifier`

    Attributes
    ----------
    classes_, network_, cut_points_ : see `BayesianNetworkClassifier`
    selected_ : names of the attributes in the order in which they were chosen
    path_ : the steps of the selection; ``print(model.path_text())`` shows them

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
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    @property
    def weights_repeat_rows(self) -> bool:
        """Return whether a row of weight 2 is the row twice."""
        return weights_repeat_rows(self.structure)

    def _selector(self) -> InfoAS:
        return InfoAS(self.metric, self.stop_by, self.level)

    def _structure_learner(self) -> StructureLearner:
        return checked_learner("structure", self.structure, CB())

    def _parameter_learner(self) -> Dirichlet:
        return Dirichlet()
