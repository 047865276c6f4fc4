"""The attribute selector by correlation (CFS)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayesgrove._utils.renamed import renamed
from bayesgrove.estimators.base.selector import TableSelector
from bayesgrove.selection import CFS

if TYPE_CHECKING:
    from bayesgrove.encoding import Discretizer


@renamed(stale="max_stale", unrelated="unrelated_correlation")
class CFSSelector(TableSelector):
    """Correlation-based feature selection (CFS).

    CFS selects attributes that are correlated with the class but not with each other. A best-first
    search looks for the set of k attributes with the largest merit
    ``k r_cf / sqrt(k + k (k - 1) r_ff)``. ``r_cf`` is their mean correlation with the class and
    ``r_ff`` their mean correlation with each other. Correlation is the symmetrical uncertainty
    ``2 I(X;Y) / (H(X) + H(Y))``.

    Parameters
    ----------
    max_stale : int, default=5
        The search ends after this number of successive expansions without a better set. An
        expansion tries all sets that have one more attribute than the best set not yet expanded.
    locally_predictive : bool, default=True
        Whether attributes are added after the search if their correlation with the class is at
        least as large as their correlation with every selected attribute.
    unrelated_correlation : float, default=0.0
        Correlation of two attributes whose symmetrical uncertainty is below 1e-6. The formula gives
        0. WEKA uses 1, because it treats such attributes as constants.
    categorical_features, discretizer
    missing : {"value", "ignore"}, default="ignore"
        How missing values are counted. "value" adds a state for missing values to every column that
        has missing values. "ignore" distributes the missing values over the known values in
        proportion to the counts of the known values.
    n_jobs

    Attributes
    ----------
    selected_
    path_ : list of Step
        Steps of the selection. Each has the attribute, the merit after the step and the number of
        joint values of the selected attributes (``cells``). `path_text` returns the steps as text.
    schema_, n_features_in_, feature_names_in_

    References
    ----------
    M. Hall (2000). Correlation-based feature selection for discrete and numeric class machine
    learning. ICML-2000, 359-366.

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
