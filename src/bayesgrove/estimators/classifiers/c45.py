"""The C4.5 classifier."""

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
    """A decision tree by C4.5, release 8 (Quinlan 1993, 1996).

    A test on labels has a branch for each of them, a test on numbers two branches at a threshold.
    The class probabilities of a row are the shares of the classes in its leaf. A row with a missing
    value goes down all branches of a test, in proportion to the rows of training; so does one with
    a label that training did not have.

    Parameters
    ----------
    pruned : whether branches that seem to predict no better are cut off in the end
    min_rows : at least two branches of a test must have so many rows (or weight of rows)
    confidence : of the error rates by which branches are cut off, above 0 and at most 0.5; a
        smaller one cuts off more
    collapse : whether a subtree becomes a leaf that has no fewer errors on the training rows
    subtree_raising : whether pruning may put the largest branch of a node in its place
    mdl_correction : whether a threshold must gain the bits that it takes to tell it
    categorical_features, unseen, n_jobs : see `BayesianNetworkClassifier`; whole numbers with few
        values are labels, with a branch each, unless ``categorical_features`` says otherwise

    Attributes
    ----------
    classes_ : class labels
    tree_ : the `bayesgrove.trees.Tree`
    depths_ : ``{column: depth}``, the least depth at which a column is tested, 1 at the root, 0
        where it is not

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
