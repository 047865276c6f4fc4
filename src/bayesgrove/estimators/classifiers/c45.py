"""The C4.5 decision tree classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from bayesgrove._utils.renamed import renamed
from bayesgrove.estimators.base.tree import TreeClassifier
from bayesgrove.trees import C45

if TYPE_CHECKING:
    from bayesgrove.encoding import MixedTable, Schema
    from bayesgrove.trees import Tree


@renamed(raising="subtree_raising")
class C45Classifier(TreeClassifier):
    """A decision tree learned by C4.5, release 8.

    A test on a nominal column has one branch per label. A test on a numeric column has two branches
    at a threshold. The class probabilities of a row are the class frequencies in its leaf. If the
    tested value of a row is missing or is an unseen label, the row goes down all branches of the
    test, in proportion to their training rows. The tree can be read as a series of questions. All
    training rows must fit into memory.

    Parameters
    ----------
    pruned : bool, default=True
        Whether branches that probably do not improve predictions are removed after growing.
    min_rows : int, default=2
        Smallest number of rows that at least two branches of a test must have. With sample weights,
        their smallest total weight. At a threshold, both branches need a tenth of the mean number
        of rows per class in the node if this is more than ``min_rows``, but never more than 25
        rows.
    confidence : float, default=0.25
        Confidence of the upper bound on the error rates that pruning compares, above 0 and at most
        0.5. A smaller value removes more branches.
    collapse : bool, default=True
        Whether a subtree becomes a leaf if it does not have fewer errors on the training rows than
        the leaf.
    subtree_raising : bool, default=True
        Whether pruning may replace a node by its largest branch.
    mdl_correction : bool, default=True
        Whether the information gain of a threshold is reduced by the bits that describe the
        threshold.
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
    tree_ : Tree
        The tree, a `bayesgrove.trees.Tree`.
    trees_ : list of Tree
        The tree, as the only element of a list.
    depths_ : dict of str to int
        Smallest depth at which each column is tested: 1 for the root, and 0 for a column that is
        not tested.
    cut_points_ : dict of str to ndarray
        It is always empty, because numbers are not cut into intervals before learning.
    schema_, used_codings_, n_features_in_, feature_names_in_

    References
    ----------
    J. R. Quinlan (1993). C4.5: Programs for Machine Learning. Morgan Kaufmann.

    J. R. Quinlan (1996). Improved use of continuous attributes in C4.5. Journal of Artificial
    Intelligence Research 4, 77-90.

    Examples
    --------
    >>> from bayesgrove import C45Classifier, load_dataset
    >>> X, y = load_dataset("iris")
    >>> model = C45Classifier(min_rows=10).fit(X, y)
    >>> print(model.to_text())
    petal width (cm) <= 0.6: setosa (50.0)
    petal width (cm) > 0.6
    |   petal width (cm) <= 1.7: versicolor (54.0/5.0)
    |   petal width (cm) > 1.7: virginica (46.0/1.0)
    """

    short_name: ClassVar[str] = "c45"
    tree_count: ClassVar[int | None] = 1

    def __init__(
        self,
        pruned: bool = True,
        *,
        min_rows: int = 2,
        confidence: float = 0.25,
        collapse: bool = True,
        subtree_raising: bool = True,
        mdl_correction: bool = True,
        categorical_features: Any = None,
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.pruned = pruned
        self.min_rows = min_rows
        self.confidence = confidence
        self.collapse = collapse
        self.subtree_raising = subtree_raising
        self.mdl_correction = mdl_correction
        self.categorical_features = categorical_features
        self.unseen = unseen
        self.n_jobs = n_jobs

    def _learner(self) -> C45:
        return C45(
            self.pruned,
            self.min_rows,
            self.confidence,
            self.collapse,
            self.subtree_raising,
            self.mdl_correction,
        )

    def _grow(self, table: MixedTable) -> list[Tree]:
        return [self._learner().grow(table)]

    def _keep_trees(self, schema: Schema, trees: list[Tree]) -> None:
        super()._keep_trees(schema, trees)
        self.tree_ = trees[0]
        names = [coding.name for coding in schema.codings]
        self.depths_ = dict(zip(names, self.tree_.depths(len(names)).tolist(), strict=True))
