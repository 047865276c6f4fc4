"""The selector by decision trees."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bayesgrove._utils.options import require_seed
from bayesgrove.estimators.base.selector import TableSelector
from bayesgrove.selection import TreeLevels

if TYPE_CHECKING:
    from bayesgrove.encoding import Settings


class TreeSelector(TableSelector):
    """Attributes in the upper levels of decision trees: SBC (Ratanamahatana and Gunopulos 2003).

    Unpruned C4.5 trees of bootstrap samples; what one of them tests within its first levels is
    selected.

    Parameters
    ----------
    n_trees : number of trees
    sample_fraction : share of a bootstrap sample that each tree is grown from
    max_depth : how many levels count; the root is the first
    random_state : seed of the samples
    categorical_features, n_jobs : see `BayesianNetworkClassifier`

    Attributes
    ----------
    selected_ : names of the attributes, those that a tree tests nearest to its root first
    path_ : attribute and the least depth at which it is tested

    Examples
    --------
    >>> from bayesgrove import TreeSelector, load_dataset
    >>> X, y = load_dataset("iris")
    >>> TreeSelector().fit(X, y).selected_
    ['petal length (cm)', 'petal width (cm)']
    """

    discretizer = None
    missing = "ignore"

    def __init__(
        self,
        n_trees: int = 5,
        *,
        sample_fraction: float = 0.1,
        max_depth: int = 3,
        random_state: int = 0,
        categorical_features: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_trees = n_trees
        self.sample_fraction = sample_fraction
        self.max_depth = max_depth
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def _selector(self) -> TreeLevels:
        require_seed("random_state", self.random_state)
        return TreeLevels(self.n_trees, self.sample_fraction, self.max_depth, self.random_state)

    def _settings(self) -> Settings:
        return replace(super()._settings(), discretizer=None)
