"""The selector by correlations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayesgrove._utils.renamed import renamed
from bayesgrove.estimators.base.selector import TableSelector
from bayesgrove.selection import CFS

if TYPE_CHECKING:
    from bayesgrove.encoding import Discretizer


@renamed(stale="max_stale", unrelated="unrelated_correlation")
class CFSSelector(TableSelector):
    """Attributes that go with the class and not with each other: CFS (Hall 2000).

    Parameters
    ----------
    max_stale : the best-first search ends after so many expansions that find nothing better
    locally_predictive : whether attributes are added that are closer to the class than to any
        attribute selected
    unrelated_correlation : correlation of attributes that have nothing in common; 1 is what WEKA takes
    categorical_features, discretizer, missing, n_jobs : see `BayesianNetworkClassifier`

    Attributes
    ----------
    selected_ : names of the attributes in the order in which they were chosen
    path_ : attribute, merit after it and number of joint values, step by step

    Examples
    --------
    >>> from bayesgrove import CFSSelector, load_dataset
    >>> X, y = load_dataset("iris")
    >>> CFSSelector().fit(X, y).selected_
    ['petal width (cm)', 'petal length (cm)']
    """

    def __init__(
        self,
        max_stale: int = 5,
        *,
        locally_predictive: bool = True,
        unrelated_correlation: float = 0.0,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "ignore",
        n_jobs: int | None = None,
    ) -> None:
        self.max_stale = max_stale
        self.locally_predictive = locally_predictive
        self.unrelated_correlation = unrelated_correlation
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.n_jobs = n_jobs

    def _selector(self) -> CFS:
        return CFS(self.max_stale, self.locally_predictive, self.unrelated_correlation)
