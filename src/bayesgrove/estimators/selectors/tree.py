"""The attribute selector by the upper levels of decision trees."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bayesgrove._utils.options import require_seed
from bayesgrove.estimators.base.selector import TableSelector
from bayesgrove.selection import TreeLevels

if TYPE_CHECKING:
    from bayesgrove.encoding import Settings


class TreeSelector(TableSelector):
    """Selection of the attributes that decision trees test in their upper levels (SBC).

    Unpruned C4.5 trees are grown from bootstrap samples. An attribute is selected if at least one
    tree tests it within its first ``max_depth`` levels.
    ``TreeSelector(1, sample_fraction=1, bootstrap=False, max_depth=None, pruned=True)`` selects all
    attributes of one pruned C4.5 tree (Cardie 1993; Kubat et al. 1993). Numbers are not cut into
    intervals. In a small table, a tenth of the rows may be too few: raise ``sample_fraction``. All
    training rows must fit into memory.

    Parameters
    ----------
    n_trees, sample_fraction, bootstrap
    max_depth : int or None, default=3
        Number of levels in which a test counts. The root is level 1. None means all levels.
    pruned : bool, default=False
        Whether the trees are pruned.
    random_state : int, default=0
        Seed of the samples.
    categorical_features : "all", sequence of str, int or bool, or None, default=None
        The nominal columns: their names, their indices or a mask. "all" makes every column nominal.
        A test on a nominal column has one branch per label. A test on any other column of numbers
        has a threshold. None infers the nominal columns: a column of whole numbers with at most 10
        distinct values is then nominal too. With an empty list, every column of numbers has tests
        with a threshold.
    n_jobs

    Attributes
    ----------
    selected_ : list of str
        Names of the selected attributes, sorted by the smallest depth at which a tree tests them.
    path_ : list of Step
        One step per selected attribute. Its value is this smallest depth. `path_text` returns the
        steps as text.
    schema_, n_features_in_, feature_names_in_

    References
    ----------
    C. A. Ratanamahatana and D. Gunopulos (2003). Feature selection for the naive Bayesian
    classifier using decision trees. Applied Artificial Intelligence 17, 475-487.

    C. Cardie (1993). Using decision trees to improve case-based learning. ICML-93, 25-32.

    M. Kubat, D. Flotzinger and G. Pfurtscheller (1993). Discovering patterns in EEG signals:
    comparative study of a few methods. ECML-93, 366-371.

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
        bootstrap: bool = True,
        max_depth: int | None = 3,
        pruned: bool = False,
        random_state: int = 0,
        categorical_features: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_trees = n_trees
        self.sample_fraction = sample_fraction
        self.bootstrap = bootstrap
        self.max_depth = max_depth
        self.pruned = pruned
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def _selector(self) -> TreeLevels:
        require_seed("random_state", self.random_state)
        options = self.n_trees, self.sample_fraction, self.max_depth, self.random_state
        return TreeLevels(*options, bootstrap=self.bootstrap, pruned=self.pruned)

    def _settings(self) -> Settings:
        return replace(super()._settings(), discretizer=None)
