"""The NBTree classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bayesgrove._utils.renamed import renamed
from bayesgrove.estimators.base.complexity import Complexity
from bayesgrove.estimators.base.tree import MixedClassifier
from bayesgrove.trees import NBTree, warn_of_light

if TYPE_CHECKING:
    from bayesgrove.encoding import Encoded, Schema
    from bayesgrove.estimators.base.table import Training
    from bayesgrove.kernels import Floats
    from bayesgrove.trees import NBTreeModel, Tree


@renamed(reduction="min_error_reduction")
class NBTreeClassifier(MixedClassifier):
    """A decision tree with naive Bayes at the leaves (Kohavi 1996).

    A node is split where naive Bayes in its branches has fewer errors in a 5-fold cross-validation
    than naive Bayes in the node; see `bayesgrove.trees.NBTree`. Naive Bayes cuts numbers into
    intervals, at each leaf anew. A row with a missing value goes down all branches of a test, in
    proportion to the rows of training; so does one with a label that training did not have.

    Parameters
    ----------
    min_rows : rows (or weight of rows) that a node must have to be split
    min_error_reduction : share of the errors that a split must save, at least 0 and below 1
    categorical_features, unseen, n_jobs : see `BayesianNetworkClassifier`; whole numbers with few
        values are labels, with a branch each, unless ``categorical_features`` says otherwise

    Attributes
    ----------
    classes_ : class labels
    tree_ : the `bayesgrove.trees.NaiveTree`; its ``models`` are the naive Bayes of the leaves

    Examples
    --------
    >>> from bayesgrove import NBTreeClassifier, load_dataset
    >>> X, y = load_dataset("credit-g")
    >>> print(NBTreeClassifier().fit(X, y).to_text())
    foreign_worker = yes: naive Bayes 0 (963.0)
    foreign_worker = no: naive Bayes 1 (37.0)
    """

    short_name: ClassVar[str] = "nbtree"
    tree_: NBTreeModel
    state_kinds: ClassVar[tuple[str, ...]] = ("nbtree",)

    weights_repeat_rows: ClassVar[bool] = False

    def __init__(
        self,
        min_rows: int = 30,
        min_error_reduction: float = 0.05,
        *,
        categorical_features: Any = None,
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.min_rows = min_rows
        self.min_error_reduction = min_error_reduction
        self.categorical_features = categorical_features
        self.unseen = unseen
        self.n_jobs = n_jobs

    def to_text(self) -> str:
        """The tree as indented lines; a leaf shows the number of its model and its weight."""
        names, states, _ = self.tree_labels()
        return self.tree_.to_text(names, states)

    @property
    def trees_(self) -> list[Tree]:
        """The tree without its models, as `plot_tree` asks for it."""
        return [self.tree_.tree]

    def complexity(self) -> Complexity:
        """Return the size of the tree and of all its models; there are no arcs.

        The attributes are those that are tested, or have two values or more in some model.
        """
        check_is_fitted(self)
        values, classes = self.tree_.values, len(self.classes_)
        used = set(np.flatnonzero(values.max(axis=0) > 1)) | {*self.tree_.tree.columns}
        free = len(values) * (classes - 1) + int((values - 1).sum()) * classes
        return Complexity(len(used), None, free)

    def _learner(self) -> NBTree:
        return NBTree(self.min_rows, self.min_error_reduction)

    def _learn(self, training: Training) -> None:
        self._check_parts()
        table, learner = training.mixed(), self._learner()
        self._keep_tree(training.schema, learner.grow(table))
        warn_of_light(table, learner)
        self.classes_ = training.classes

    def _keep_tree(self, schema: Schema, tree: NBTreeModel) -> None:
        self._keep_columns(schema, list(range(len(schema.codings))))
        self.tree_ = tree

    def _joint(self, encoded: Encoded, *, relative: bool) -> Floats:  # noqa: ARG002
        return self.tree_.log_distribution(self._used.mixed(encoded), self._threads())
