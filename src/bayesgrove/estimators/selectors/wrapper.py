"""The attribute selector by the score of any classifier (wrapper)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import MetaEstimatorMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import ShuffleSplit, check_cv
from sklearn.utils import _safe_indexing, get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d

from bayesgrove._utils.options import require_choice
from bayesgrove.estimators.base.selector import (
    ColumnSelector,
    as_table,
    columns_of,
    names_of,
)
from bayesgrove.search import backward, forward
from bayesgrove.selection import Step
from bayesgrove.tables import is_external, is_frame

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from sklearn.utils import Tags

    from bayesgrove.kernels import Floats


class WrapperSelector(MetaEstimatorMixin, ColumnSelector):
    """Wrapper selection: the attributes with which a classifier predicts best, by greedy search.

    Each step adds or removes the attribute whose change gives the best validation score of the
    classifier. Every candidate set is fitted and scored, so the search is slow with many
    attributes.

    Parameters
    ----------
    estimator : classifier
        Any scikit-learn classifier. It is cloned before it is fitted.
    direction : {"forward", "backward"}, default="forward"
        Direction of the search. "forward" starts without attributes and adds them. "backward"
        starts with all attributes and removes them.
    ties : {"stop", "continue"}, default="stop"
        When the search ends. "stop" goes on while the score improves. "continue" also goes on while
        the score stays the same.
    scoring : str, callable or None, default=None
        A scikit-learn scorer or its name. None uses the `score` method of the estimator.
    cv : int, "halves", "training" or splitter, default="halves"
        How a set of attributes is scored. "halves" learns from a random half of the rows and
        predicts the other half. "training" learns from all rows and predicts the same rows. A
        number is the number of folds of a cross-validation. A scikit-learn splitter gives the
        splits itself.
    random_state : int, default=0
        Seed that fixes the halves of ``cv="halves"``. The folds of a number are not shuffled.
    n_jobs : int or None, default=None
        Number of sets that are scored in parallel. None means 1, and -1 means one per processor.

    Attributes
    ----------
    selected_ : list of str
        Names of the selected attributes: in the order in which they were added, or in the order of
        the table after a backward search.
    path_ : list of Step
        Steps of the search. Each has the attribute that was added or removed and the score after
        the step. `path_text` returns them as text.
    n_features_in_ : int
        Number of columns of the training table.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns of the training table. It exists only if all names are strings.

    References
    ----------
    P. Langley and S. Sage (1994). Induction of selective Bayesian classifiers. UAI-94, 399-406.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from bayesgrove import WrapperSelector, load_dataset
    >>> X, y = load_dataset("iris")
    >>> WrapperSelector(DecisionTreeClassifier(random_state=0)).fit(X, y).selected_
    ['petal width (cm)', 'sepal width (cm)', 'petal length (cm)']
    """

    def __init__(
        self,
        estimator: Any,
        *,
        direction: str = "forward",
        ties: str = "stop",
        scoring: Any = None,
        cv: Any = "halves",
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.direction = direction
        self.ties = ties
        self.scoring = scoring
        self.cv = cv
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: ArrayLike | None = None) -> Self:
        """Select columns of a table in memory.

        Parameters
        ----------
        X : data frame, array or lists
            The training rows, in memory.
        y : array-like of shape (n_rows,), default=None
            The class labels. y is required; the default exists for scikit-learn only.

        Returns
        -------
        Self
            The fitted selector.
        """
        require_choice("direction", self.direction, ("forward", "backward"))
        if is_external(X):
            raise ValueError(f"{type(self).__name__} needs rows in memory: read the files first.")
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None."
            )
        table = as_table(self, X, reset=True)
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        check_consistent_length(table, y)
        places = list(range(self.n_features_in_))
        search = forward if self.direction == "forward" else backward
        moves = search(places, self._evaluator(table, y), self.ties)
        moved = [move.element for move in moves]
        chosen = moved if search is forward else [j for j in places if j not in moved]
        self._names, self._had_names = names_of(table), is_frame(table)
        change = "added" if search is forward else "removed"
        path = [Step(self._names[move.element], move.value, None, change) for move in moves]
        self._keep_selection([self._names[j] for j in chosen], path)
        return self

    def _evaluator(self, table: Any, y: ArrayLike) -> Any:
        """Return a function that scores subsets of the columns."""
        scorer = check_scoring(self.estimator, scoring=self.scoring)
        splits = self._splits(table, y)
        tasks = Parallel(n_jobs=self.n_jobs)

        def evaluate(subsets: list[list[int]]) -> Floats:
            scores = tasks(
                delayed(_score)(self.estimator, table, y, subset, splits, scorer)
                for subset in subsets
            )
            return np.array(list(scores))

        return evaluate

    def _splits(self, table: Any, y: ArrayLike) -> list[tuple[Any, Any]]:
        """Return the pairs of training and validation rows."""
        if isinstance(self.cv, str):
            require_choice("cv", self.cv, ("halves", "training"))
            all_rows = np.arange(len(np.asarray(y)))
            if self.cv == "training":
                return [(all_rows, all_rows)]
            halves = ShuffleSplit(1, test_size=0.5, random_state=self.random_state)
            return list(halves.split(all_rows))
        return list(check_cv(self.cv, y, classifier=True).split(table, y))

    def _column_names(self) -> list[str]:
        return self._names

    @property
    def _named(self) -> bool:
        return self._had_names

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        tags.input_tags.sparse = False
        return tags


def _score(
    estimator: Any,
    table: Any,
    y: ArrayLike,
    subset: list[int],
    splits: list[tuple[Any, Any]],
    scorer: Any,
) -> float:
    """Return the mean score over the splits; an empty subset predicts the class frequencies."""
    if not subset:
        estimator, table, subset = DummyClassifier(), np.zeros((len(np.asarray(y)), 1)), [0]
    chosen = columns_of(table, sorted(subset))  # `transform` returns them in this order, too.
    scores = []
    for train, test in splits:
        model = clone(estimator).fit(_safe_indexing(chosen, train), _safe_indexing(y, train))
        scores.append(scorer(model, _safe_indexing(chosen, test), _safe_indexing(y, test)))
    return float(np.mean(scores))
