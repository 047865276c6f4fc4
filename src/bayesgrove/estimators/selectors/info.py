"""The attribute selector by conditional information about the class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayesgrove._utils.renamed import renamed
from bayesgrove.estimators.base.selector import TableSelector
from bayesgrove.selection import InfoAS

if TYPE_CHECKING:
    from bayesgrove.encoding import Discretizer


@renamed(alpha="level", stop="stop_by")
class InfoSelector(TableSelector):
    """Attribute selection by conditional information about the class (Info-AS).

    Each step adds the attribute with the largest information metric, given the attributes selected
    so far. The information gain "cig" favours attributes with many values. The ratios "cgr" and
    "cdc" do not, and the paper recommends them.

    Parameters
    ----------
    metric
    stop_by : {"zero", "chi2"}, default="zero"
        When the selection ends. "zero" adds attributes while one has a positive metric. "chi2" does
        the same, but leaves out attributes that a chi-squared test finds independent of the class,
        given the selected attributes.
    level : float, default=0.05
        Significance level of the chi-squared test. Only ``stop_by="chi2"`` uses it.
    categorical_features, discretizer, missing, n_jobs

    Attributes
    ----------
    selected_, path_
    schema_, n_features_in_, feature_names_in_

    References
    ----------
    M. Singh and G. Provan (1995). Efficient learning of selective Bayesian network classifiers.
    Technical report MS-CIS-95-36, University of Pennsylvania.

    Examples
    --------
    >>> from bayesgrove import InfoSelector, load_dataset
    >>> X, y = load_dataset("vote")
    >>> selector = InfoSelector("cgr", stop_by="chi2").fit(X, y)
    >>> selector.selected_[:2]
    ['physician-fee-freeze', 'adoption-of-the-budget-resolution']
    >>> selector.transform(X).shape
    (435, 6)
    """

    def __init__(
        self,
        metric: str = "cgr",
        *,
        stop_by: str = "zero",
        level: float = 0.05,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        n_jobs: int | None = None,
    ) -> None:
        self.metric = metric
        self.stop_by = stop_by
        self.level = level
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.n_jobs = n_jobs

    def _selector(self) -> InfoAS:
        return InfoAS(self.metric, self.stop_by, self.level)
