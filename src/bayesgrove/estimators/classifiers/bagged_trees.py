"""The classifier of bagged trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from bayesgrove._utils.options import require_seed
from bayesgrove.estimators.base.tree import TreeClassifier
from bayesgrove.trees import C45, Bagging, warn_of_missed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.encoding import MixedTable
    from bayesgrove.trees import Tree


class BaggedTreesClassifier(TreeClassifier):
    """The mean of unpruned C4.5 trees of bootstrap samples (Breiman 1996).

    A sample has rows drawn with replacement, as many as there are rows, of which the first
    ``sample_fraction`` are kept. The class probabilities of a row are the means of those that the
    trees give; a class that a sample does not have gets 0 from its tree. With weights, rows are
    drawn in proportion to them, and weigh their mean.

    Parameters
    ----------
    n_trees : how many trees are grown
    sample_fraction : share of a bootstrap sample that a tree is grown from, above 0 and at most 1
    collapse : whether a subtree becomes a leaf that has no fewer errors on its training rows
    random_state : seed of the samples; their number and that of the threads changes no tree
    categorical_features, unseen, n_jobs : see `C45Classifier`

    Attributes
    ----------
    classes_ : class labels
    trees_ : the trees, each a `bayesgrove.trees.Tree`

    Examples
    --------
    >>> from bayesgrove import BaggedTreesClassifier, load_dataset
    >>> X, y = load_dataset("iris")
    >>> model = BaggedTreesClassifier(n_trees=3).fit(X, y)
    >>> [tree.leaves for tree in model.trees_]
    [5, 5, 5]
    """

    short_name: ClassVar[str] = "bagged-trees"
    weights_repeat_rows: ClassVar[bool] = False

    def __init__(
        self,
        n_trees: int = 10,
        *,
        sample_fraction: float = 1.0,
        collapse: bool = True,
        random_state: int = 0,
        categorical_features: Any = None,
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.n_trees = n_trees
        self.sample_fraction = sample_fraction
        self.collapse = collapse
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.unseen = unseen
        self.n_jobs = n_jobs

    def _learner(self) -> Bagging:
        require_seed("random_state", self.random_state)
        tree = C45(pruned=False, collapse=self.collapse)
        return Bagging(self.n_trees, self.sample_fraction, self.random_state, tree)

    def _grow(self, table: MixedTable) -> list[Tree]:
        return self._learner().grow(table, self._threads())

    def _check_trees(self, trees: list[Tree], table: MixedTable, classes: NDArray[Any]) -> None:
        warn_of_missed(trees, table, classes.tolist(), "its probability is 0")
