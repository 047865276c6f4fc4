"""Base classes of the decision tree classifiers."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bayesgrove._utils.options import require_choice
from bayesgrove.encoding import Continuous, Settings
from bayesgrove.estimators.base.classifier import UNSEEN, TableClassifier, Treatment
from bayesgrove.estimators.base.complexity import Complexity
from bayesgrove.trees import warn_of_small_weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.encoding import Encoded, MixedTable, Schema
    from bayesgrove.estimators.base.table import Training
    from bayesgrove.kernels import Floats
    from bayesgrove.trees import C45, Bagging, NBTree, Tree

    TreeLabels = tuple[list[str], list[tuple[Any, ...] | None], list[Any]]


class MixedClassifier(TableClassifier):
    """Base class of classifiers that learn from tables of codes and numbers.

    Numbers are not cut into intervals, and missing values are not a state. All training rows are
    loaded into memory. Rows to predict may be in files.
    """

    treatment: ClassVar[Treatment] = Treatment(
        "tests choose thresholds", "missing values go down all branches in proportion"
    )

    @abstractmethod
    def _learner(self) -> C45 | Bagging | NBTree:
        """Return the learner that grows the tree or trees."""

    def tree_labels(self) -> TreeLabels:
        """Return the names and labels that the text of a tree needs.

        Returns
        -------
        names : list of str
            Names of all columns.
        states : list of tuple or None
            Labels of every nominal column; None for a numeric column.
        classes : list
            Class labels.
        """
        check_is_fitted(self)
        codings = self.schema_.codings
        states = [None if isinstance(coding, Continuous) else coding.states for coding in codings]
        return [coding.name for coding in codings], states, self.classes_.tolist()

    def _settings(self) -> Settings:
        require_choice("unseen", self.unseen, UNSEEN)
        return Settings(self.categorical_features, None, missing_state=False)

    def _check_parts(self) -> None:
        self._learner().check()


class TreeClassifier(MixedClassifier):
    """Base class of classifiers that are one decision tree or several.

    Predictions depend only on the columns that a tree tests.

    Attributes
    ----------
    trees_ : list of Tree
        The trees. They refer to columns by their indices in the table.
    """

    trees_: list[Tree]
    tree_count: ClassVar[int | None] = None
    """Number of trees of a model; None if it may be any number."""
    state_kinds: ClassVar[tuple[str, ...]] = ("trees",)
    _narrow: list[Tree]
    """The trees with the columns numbered as in a table of the tested columns only."""

    @abstractmethod
    def _grow(self, table: MixedTable) -> list[Tree]:
        """Grow the trees from training rows."""

    def to_text(self) -> str:
        """Return the tree or trees as indented lines of text.

        Returns
        -------
        str
            The tree. Several trees follow each other, each under its number. A leaf shows the
            weight of its training rows in parentheses and, after a slash, the weight of the errors
            among them.
        """
        labels = self.tree_labels()
        texts = [tree.to_text(*labels) for tree in self.trees_]
        if len(texts) == 1:
            return texts[0]
        return "\n\n".join(f"Tree {number}:\n{text}" for number, text in enumerate(texts, 1))

    def complexity(self) -> Complexity:
        """Return the size of the trees.

        Returns
        -------
        Complexity
            The number of attributes that at least one tree tests, and the number of free
            parameters: the number of classes minus 1 for each leaf. Thresholds are not counted as
            parameters. The number of arcs is None.
        """
        check_is_fitted(self)
        tested = {column for tree in self.trees_ for column in tree.columns}
        leaves = sum(tree.leaves for tree in self.trees_)
        return Complexity(len(tested), None, leaves * (len(self.classes_) - 1))

    def _learn(self, training: Training) -> None:
        table = training.mixed()
        trees = self._grow(table)
        warn_of_small_weights(table, self._learner())
        self._check_trees(trees, table, training.classes)
        self.classes_ = training.classes
        self._keep_trees(training.schema, trees)

    def _check_trees(self, trees: list[Tree], table: MixedTable, classes: NDArray[Any]) -> None:
        """Warn of problems of the trees, such as classes that no sample contains."""

    def _keep_trees(self, schema: Schema, trees: list[Tree]) -> None:
        """Set the trees and the columns that they test."""
        tested = sorted({column for tree in trees for column in tree.columns})
        places = tested or [0]  # A table without columns would have no rows.
        self._keep_columns(schema, places)
        self.trees_ = trees
        self._narrow = [tree.select(places) for tree in trees]

    def _joint(self, encoded: Encoded, *, relative: bool) -> Floats:  # noqa: ARG002
        table, threads = self._used.mixed(encoded), self._threads()
        shares = np.zeros((encoded.rows, len(self.classes_)))
        for tree in self._narrow:
            shares += tree.distribution(table, threads)
        lost = ~shares.any(axis=1)
        if lost.any():  # These rows went down branches whose weight is too small to count.
            shares[lost] = sum(tree.weights[0] for tree in self._narrow)
        with np.errstate(divide="ignore"):
            return np.log(shares / len(self._narrow))
