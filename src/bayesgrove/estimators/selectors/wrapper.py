"""The selector by the predictions of any classifier."""

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
    """The attributes with which an estimator predicts best, by greedy search.

    Parameters
    ----------
    estimator : any scikit-learn classifier
    direction : "forward" starts without attributes, "backward" with all
    ties : "stop" goes on as long as the score rises, "continue" also while it stays as it is
    scoring : a scikit-learn scorer or its name; None is that of the estimator
    cv : "halves" learns from one half of the rows and judges by the other; "training" does both
        with all rows; or a number of folds, or a splitter
    random_state : seed of the halves
    n_jobs : number of subsets that are tried at once; None is 1, -1 all processors

    Attributes
    ----------
    selected_ : names of the attributes in the order in which they were chosen; of a backward
        search, in the order of the columns
    path_ : attribute and score after the step, step by step

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
        """Select columns of a data frame or an array."""
        require_choice("direction", self.direction, ("forward", "backward"))
        if is_external(X):
            raise ValueError(f"{type(self).__name__} takes rows in memory: read the files first.")
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
        scorer = check_scoring(self.estimator, scoring=self.scoring)
        splits = self._splits(table, y)
        tasks = Parallel(n_jobs=self.n_jobs)

        def evaluate(subsets: list[list[int]]) -> Floats:
            found = tasks(
                delayed(_score)(self.estimator, table, y, subset, splits, scorer)
                for subset in subsets
            )
            return np.array(list(found))

        return evaluate

    def _splits(self, table: Any, y: ArrayLike) -> list[tuple[Any, Any]]:
        if isinstance(self.cv, str):
            require_choice("cv", self.cv, ("halves", "training"))
            every = np.arange(len(np.asarray(y)))
            if self.cv == "training":
                return [(every, every)]
            halves = ShuffleSplit(1, test_size=0.5, random_state=self.random_state)
            return list(halves.split(every))
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
    """Mean score over the splits; without attributes, that of the class frequencies."""
    if not subset:
        estimator, table, subset = DummyClassifier(), np.zeros((len(np.asarray(y)), 1)), [0]
    chosen = columns_of(table, sorted(subset))  # as `transform` gives them
    scores = []
    for train, test in splits:
        model = clone(estimator).fit(_safe_indexing(chosen, train), _safe_indexing(y, train))
        scores.append(scorer(model, _safe_indexing(chosen, test), _safe_indexing(y, test)))
    return float(np.mean(scores))
