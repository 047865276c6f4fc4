"""What classifiers share that are decision trees."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bayesgrove._utils.options import require_choice
from bayesgrove.encoding import Continuous, Settings
from bayesgrove.estimators.base.classifier import UNSEEN, TableClassifier, Treatment
from bayesgrove.estimators.base.complexity import Complexity
from bayesgrove.trees import warn_of_light

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.encoding import Encoded, MixedTable, Schema
    from bayesgrove.estimators.base.table import Training
    from bayesgrove.kernels import Floats
    from bayesgrove.trees import C45, Bagging, NBTree, Tree

    TreeLabels = tuple[list[str], list[tuple[Any, ...] | None], list[Any]]


class MixedClassifier(TableClassifier):
    """Base of classifiers that learn from codes and numbers side by side.

    Numbers stay numbers and missing values are missing: there is no discretiser. All rows to
    learn from are loaded into memory; rows to predict may be in files.
    """

    treatment: ClassVar[Treatment] = Treatment(
        "tests choose thresholds", "a missing cell goes down all branches in part"
    )

    @abstractmethod
    def _learner(self) -> C45 | Bagging | NBTree:
        """What grows the tree or trees."""

    def tree_labels(self) -> TreeLabels:
        """What `Tree.to_text` asks for: names of columns, their labels or None, and the classes."""
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
    """Base of classifiers that are one decision tree or several.

    Prediction looks only at the columns that a tree tests.

    Attributes
    ----------
    trees_ : the trees, as `bayesgrove.trees.Tree`; columns have the numbers they have in the table
    """

    trees_: list[Tree]
    tree_count: ClassVar[int | None] = None
    """How many trees a model has; None where it may be any number."""
    state_kinds: ClassVar[tuple[str, ...]] = ("trees",)
    _narrow: list[Tree]
    """The trees for a table of the tested columns alone."""

    @abstractmethod
    def _grow(self, table: MixedTable) -> list[Tree]:
        """The trees of training rows."""

    def to_text(self) -> str:
        """The tree as indented lines; several one after the other."""
        labels = self.tree_labels()
        texts = [tree.to_text(*labels) for tree in self.trees_]
        if len(texts) == 1:
            return texts[0]
        return "\n\n".join(f"Tree {number}:\n{text}" for number, text in enumerate(texts, 1))

    def complexity(self) -> Complexity:
        """Return the size of the trees; they have no arcs.

        The attributes are those that some tree tests. Each leaf has a free parameter for every
        class but one; thresholds are not parameters, nor are cut points.
        """
        check_is_fitted(self)
        tested = {column for tree in self.trees_ for column in tree.columns}
        leaves = sum(tree.leaves for tree in self.trees_)
        return Complexity(len(tested), None, leaves * (len(self.classes_) - 1))

    def _learn(self, training: Training) -> None:
        table = training.mixed()
        trees = self._grow(table)
        warn_of_light(table, self._learner())
        self._check_trees(trees, table, training.classes)
        self.classes_ = training.classes
        self._keep_trees(training.schema, trees)

    def _check_trees(self, trees: list[Tree], table: MixedTable, classes: NDArray[Any]) -> None:
        """Warn of what trees of samples may lack."""

    def _keep_trees(self, schema: Schema, trees: list[Tree]) -> None:
        tested = sorted({column for tree in trees for column in tree.columns})
        places = tested or [0]  # without a column there are no rows either
        self._keep_columns(schema, places)
        self.trees_ = trees
        self._narrow = [tree.select(places) for tree in trees]

    def _joint(self, encoded: Encoded, *, relative: bool) -> Floats:  # noqa: ARG002
        table, threads = self._used.mixed(encoded), self._threads()
        shares = np.zeros((encoded.rows, len(self.classes_)))
        for tree in self._narrow:
            shares += tree.distribution(table, threads)
        lost = ~shares.any(axis=1)
        if lost.any():  # in branches too light to count
            shares[lost] = sum(tree.weights[0] for tree in self._narrow)
        with np.errstate(divide="ignore"):
            return np.log(shares / len(self._narrow))
