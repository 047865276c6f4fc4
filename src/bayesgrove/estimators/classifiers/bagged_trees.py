"""The bagged trees classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from bayesgrove._utils.options import require_seed
from bayesgrove.estimators.base.tree import TreeClassifier
from bayesgrove.trees import C45, Bagging, warn_of_missed_classes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.encoding import MixedTable
    from bayesgrove.trees import Tree


class BaggedTreesClassifier(TreeClassifier):
    """Bagging: the mean of unpruned C4.5 trees, each grown from a bootstrap sample.

    The rows of a bootstrap sample are drawn with replacement (``bootstrap=False`` draws them
    without). The class probabilities of a row are
    the means of the probabilities that the trees give. A class that is not in a sample gets
    probability 0 from its tree. With sample weights, rows are drawn in proportion to their weights,
    and every drawn row gets the mean weight. A single unpruned tree overfits its rows. The mean of
    many trees overfits less.

    Parameters
    ----------
    n_trees, sample_fraction, bootstrap
    collapse : bool, default=True
        Whether a subtree becomes a leaf if it does not have fewer errors on its training rows than
        the leaf.
    random_state : int, default=0
        Seed of the samples. A tree does not depend on the number of trees or threads.
    categorical_features : "all", sequence of str, int or bool, or None, default=None
        The nominal columns: their names, their indices or a mask. "all" makes every column nominal.
        A test on a nominal column has one branch per label. A test on any other column of numbers
        has a threshold. None infers the nominal columns: a column of whole numbers with at most 10
        distinct values is then nominal too. With an empty list, every column of numbers has tests
        with a threshold.
    unseen, n_jobs

    Attributes
    ----------
    classes_, class_name_
    trees_ : list of Tree
        The trees, each a `bayesgrove.trees.Tree`.
    cut_points_ : dict of str to ndarray
        It is always empty, because numbers are not cut into intervals before learning.
    schema_, used_codings_, n_features_in_, feature_names_in_

    References
    ----------
    L. Breiman (1996). Bagging predictors. Machine Learning 24, 123-140.

    Examples
    --------
    >>> from bayesgrove import BaggedTreesClassifier, load_dataset
    >>> X, y = load_dataset("iris")
    >>> model = BaggedTreesClassifier(n_trees=3).fit(X, y)
    >>> [tree.leaves for tree in model.trees_]
    [5, 5, 5]
    """

    short_name: ClassVar[str] = "bagged-trees"

    def __init__(
        self,
        n_trees: int = 10,
        *,
        sample_fraction: float = 1.0,
        bootstrap: bool = True,
        collapse: bool = True,
        random_state: int = 0,
        categorical_features: Any = None,
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.n_trees = n_trees
        self.sample_fraction = sample_fraction
        self.bootstrap = bootstrap
        self.collapse = collapse
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.unseen = unseen
        self.n_jobs = n_jobs

    @property
    def weights_repeat_rows(self) -> bool:
        """Whether a row of weight 2 gives the same model as the row twice."""
        return self._learner().weights_repeat_rows

    def _learner(self) -> Bagging:
        require_seed("random_state", self.random_state)
        tree = C45(pruned=False, collapse=self.collapse)
        return Bagging(self.n_trees, self.sample_fraction, self.random_state, tree, self.bootstrap)

    def _grow(self, table: MixedTable) -> list[Tree]:
        return self._learner().grow(table, self._threads())

    def _check_trees(self, trees: list[Tree], table: MixedTable, classes: NDArray[Any]) -> None:
        warn_of_missed_classes(trees, table, classes.tolist(), "its probability is 0")
