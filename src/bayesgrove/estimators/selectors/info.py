"""The selector by information metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayesgrove._utils.renamed import renamed
from bayesgrove.estimators.base.selector import TableSelector
from bayesgrove.selection import InfoAS

if TYPE_CHECKING:
    from bayesgrove.encoding import Discretizer


@renamed(alpha="level", stop="stop_by")
class InfoSelector(TableSelector):
    """The attributes that tell most about the class: Info-AS (Singh and Provan 1995).

    Parameters
    ----------
    metric : "cig", conditional information gain I(A;C|D), D being what is selected already;
        "cgr", gain ratio I(A;C|D) / H(A|D); "cdc", complement of the distance
        I(A;C|D) / H(A,C|D)
    stop_by : "zero" goes on as long as a metric is positive; "chi2" leaves out attributes that a
        chi-squared test finds independent of the class, given those selected
    level : level of that test
    categorical_features, discretizer, missing, n_jobs : see `BayesianNetworkClassifier`

    Attributes
    ----------
    selected_ : names of the attributes in the order in which they were chosen
    path_ : attribute, value of the metric and number of joint values, step by step;
        ``print(selector.path_text())`` shows it

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
