"""The NBTree classifier: a decision tree with a naive Bayes model at each leaf."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bayesgrove._utils.renamed import renamed
from bayesgrove.estimators.base.complexity import Complexity
from bayesgrove.estimators.base.tree import MixedClassifier
from bayesgrove.trees import NBTree, warn_of_small_weights

if TYPE_CHECKING:
    from bayesgrove.encoding import Encoded, Schema
    from bayesgrove.estimators.base.table import Training
    from bayesgrove.kernels import Floats
    from bayesgrove.trees import NBTreeModel, Tree


@renamed(reduction="min_error_reduction")
class NBTreeClassifier(MixedClassifier):
    """A decision tree with a naive Bayes model at each leaf (NBTree).

    A node is split if naive Bayes in its branches has fewer errors in a 5-fold cross-validation
    than naive Bayes in the node. In this way the tests represent dependences between attributes.
    Numbers are cut into intervals separately at each leaf. If the tested value of a row is missing
    or is an unseen label, the row goes down all branches of the test, in proportion to their
    training rows. Rows are assigned to folds in the order of the table, so another order of the
    rows can give another tree. All training rows must fit into memory.

    Parameters
    ----------
    min_rows : int, default=30
        Number of rows that a node must have to be split. With sample weights, the total weight that
        it must have.
    min_error_reduction : float, default=0.05
        Share of the errors of a node that a split must remove, at least 0 and below 1.
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
    tree_ : NBTreeModel
        The tree. Its ``models`` are the naive Bayes models of the leaves.
    trees_ : list of Tree
        The tree without its models, as the only element of a list.
    cut_points_ : dict of str to ndarray
        It is always empty, because numbers are cut separately at each leaf.
    schema_, used_codings_, n_features_in_, feature_names_in_

    References
    ----------
    R. Kohavi (1996). Scaling up the accuracy of naive-Bayes classifiers: a decision-tree hybrid.
    KDD-96, 202-207.

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
        """Return the tree as indented lines of text.

        Returns
        -------
        str
            The tree. A leaf shows the number of its naive Bayes model and the weight of its
            training rows.
        """
        names, states, _ = self.tree_labels()
        return self.tree_.to_text(names, states)

    @property
    def trees_(self) -> list[Tree]:
        """The tree without its naive Bayes models, as the only element of a list."""
        return [self.tree_.tree]

    def complexity(self) -> Complexity:
        """Return the size of the tree and of all its naive Bayes models.

        Returns
        -------
        Complexity
            The number of attributes that are tested or have at least two values in a model, and the
            number of free parameters of all models. The number of arcs is None.
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
        warn_of_small_weights(table, learner)
        self.classes_ = training.classes

    def _keep_tree(self, schema: Schema, tree: NBTreeModel) -> None:
        """Set the tree; predictions use all columns."""
        self._keep_columns(schema, list(range(len(schema.codings))))
        self.tree_ = tree

    def _joint(self, encoded: Encoded, *, relative: bool) -> Floats:  # noqa: ARG002
        return self.tree_.log_distribution(self._used.mixed(encoded), self._threads())
