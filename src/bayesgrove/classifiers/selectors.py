"""Selectors of attributes as scikit-learn transformers."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import narwhals as nw
import numpy as np
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, MetaEstimatorMixin, TransformerMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import ShuffleSplit, check_cv
from sklearn.utils import _safe_indexing, get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    check_array,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from bayesgrove.classifiers.reading import TableEstimator, require_same_names
from bayesgrove.classifiers.selected import Explained, Selected, warn_of_none
from bayesgrove.classifiers.trees import warn_of_light
from bayesgrove.encoding import as_array, column_names, is_stream
from bayesgrove.options import require_choice, require_seed
from bayesgrove.search import backward, forward
from bayesgrove.selection import CFS, MDL, InfoAS, Step, TreeLevels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike
    from sklearn.utils import Tags

    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Discretizer, Settings
    from bayesgrove.kernels import Floats
    from bayesgrove.selection.path import Selector


class ColumnSelector(Selected, TransformerMixin, BaseEstimator):
    """Base of the selectors: gives the selected columns of a table as the table has them."""

    def transform(self, X: Any) -> Any:
        """The selected columns, in their order: of a data frame a data frame."""
        check_is_fitted(self)
        if is_stream(X):
            raise ValueError("transform takes rows; give files to a classifier that selects.")
        table = _as_table(self, X, reset=False)
        if self._named and _is_frame(table):
            require_same_names(self._column_names(), _names(table))
        return _columns(table, self.get_support(indices=True).tolist())

    @property
    @abstractmethod
    def _named(self) -> bool:
        """Whether the columns of training had names."""

    def _keep_selection(
        self, selected: Sequence[str], path: Sequence[Step], sample_fraction: float = 1.0
    ) -> None:
        self.selected_ = list(selected)
        self.path_ = list(path)
        if not self.selected_:
            warn_of_none("transform gives a table without columns", sample_fraction=sample_fraction)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        return tags


class CountsSelector(ColumnSelector, TableEstimator):
    """Base of the selectors that look at counts alone."""

    @abstractmethod
    def _selector(self) -> Selector:
        """What selects."""

    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Select attributes; X, y and sample_weight are as those of the classifiers."""
        training = self._read(X, y, sample_weight)
        counts = training.counts(self._threads())
        found = self._selector().select(counts)
        self._schema = training.schema
        self._keep_selection([counts.names[v] for v in found.attributes], found.path)
        self._explain(counts)
        return self

    def _explain(self, counts: CountSource) -> None:
        """Remember why attributes were not selected, where that is told."""

    def _column_names(self) -> list[str]:
        return [coding.name for coding in self._schema.codings]

    @property
    def _named(self) -> bool:
        return self._schema.named


class InfoSelector(CountsSelector):
    """The attributes that tell most about the class: Info-AS (Singh and Provan 1995).

    Parameters
    ----------
    metric : "cig", conditional information gain I(A;C|D), D being what is selected already;
        "cgr", gain ratio I(A;C|D) / H(A|D); "cdc", complement of the distance
        I(A;C|D) / H(A,C|D)
    stop : "zero" goes on as long as a metric is positive; "chi2" leaves out attributes that a
        chi-squared test finds independent of the class, given those selected
    alpha : level of that test
    categorical_features, discretizer, missing, n_jobs : see `BayesianNetworkClassifier`

    Attributes
    ----------
    selected_ : names of the attributes in the order in which they were chosen
    path_ : attribute, value of the metric and number of joint values, step by step;
        ``print(selector.path_text())`` shows it

    Examples
    --------
    >>> from bayesgrove import InfoSelector, load_dataset
    >>> X, y = load_dataset("vote")
    >>> selector = InfoSelector("cgr", stop="chi2").fit(X, y)
    >>> selector.selected_[:2]
    ['physician-fee-freeze', 'adoption-of-the-budget-resolution']
    >>> selector.transform(X).shape
    (435, 6)
    """

    def __init__(
        self,
        metric: str = "cgr",
        *,
        stop: str = "zero",
        alpha: float = 0.05,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        n_jobs: int | None = None,
    ) -> None:
        self.metric = metric
        self.stop = stop
        self.alpha = alpha
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.n_jobs = n_jobs

    def _selector(self) -> InfoAS:
        return InfoAS(self.metric, self.stop, self.alpha)


class CFSSelector(CountsSelector):
    """Attributes that go with the class and not with each other: CFS (Hall 2000).

    Parameters
    ----------
    stale : the best-first search ends after so many expansions that find nothing better
    locally_predictive : whether attributes are added that are closer to the class than to any
        attribute selected
    unrelated : correlation of attributes that have nothing in common; 1 is what WEKA takes
    categorical_features, discretizer, missing, n_jobs : see `BayesianNetworkClassifier`

    Attributes
    ----------
    selected_ : names of the attributes in the order in which they were chosen
    path_ : attribute, merit after it and number of joint values, step by step

    Examples
    --------
    >>> from bayesgrove import CFSSelector, load_dataset
    >>> X, y = load_dataset("iris")
    >>> CFSSelector().fit(X, y).selected_
    ['petal width (cm)', 'petal length (cm)']
    """

    def __init__(
        self,
        stale: int = 5,
        *,
        locally_predictive: bool = True,
        unrelated: float = 0.0,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "ignore",
        n_jobs: int | None = None,
    ) -> None:
        self.stale = stale
        self.locally_predictive = locally_predictive
        self.unrelated = unrelated
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.n_jobs = n_jobs

    def _selector(self) -> CFS:
        return CFS(self.stale, self.locally_predictive, self.unrelated)


class MDLSelector(Explained, CountsSelector):
    """The attributes with which a classifier takes the fewest words (Drugan & van der Gaag 2004).

    Parameters
    ----------
    score : "mdl-fs", the description length ``ln(N)/2 |C| - (LL(C) - LL(S))`` of a classifier C
        beside a tree S of its attributes without the class, which asks what attributes tell about
        the class; "mdl", ``ln(N)/2 |C| - LL(C)``, which also values what they tell about each
        other
    network : "tan" or "naive", what the classifier is
    direction : "backward" starts with all attributes, "forward" with none; "both" is backward,
        and what was left out may come back
    categorical_features, discretizer, missing, n_jobs : see `BayesianNetworkClassifier`

    Attributes
    ----------
    selected_ : names of the attributes: in the order of the columns, or as they were added
    path_ : attribute and description length after it came or went, step by step
    redundancy_ : what the other attributes tell about the class, see `SelectiveTANClassifier`;
        ``print(selector.redundancy_text())`` shows it

    Examples
    --------
    >>> from bayesgrove import MDLSelector, load_dataset
    >>> X, y = load_dataset("corral")
    >>> MDLSelector().fit(X, y).selected_
    ['A0', 'A1', 'B0', 'B1']
    """

    def __init__(
        self,
        score: str = "mdl-fs",
        *,
        network: str = "tan",
        direction: str = "backward",
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        n_jobs: int | None = None,
    ) -> None:
        self.score = score
        self.network = network
        self.direction = direction
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.n_jobs = n_jobs

    @property
    def score(self) -> str:
        """None: this is where scikit-learn looks for a method, which the option is not."""
        raise AttributeError(f"{type(self).__name__} scores nothing; its options: get_params().")

    @score.setter
    def score(self, score: str) -> None:
        self.__dict__["score"] = score

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The options by name; with ``deep`` those of the discretizer, too."""
        names = [name for name in self._get_param_names() if name != "score"]
        options = {name: getattr(self, name) for name in names} | {"score": vars(self)["score"]}
        if deep and isinstance(self.discretizer, BaseEstimator):
            own = self.discretizer.get_params()
            options |= {f"discretizer__{name}": value for name, value in own.items()}
        return options

    def _selector(self) -> MDL:
        return MDL(vars(self)["score"], self.network, self.direction)


class TreeSelector(ColumnSelector, TableEstimator):
    """Attributes in the upper levels of decision trees: SBC (Ratanamahatana and Gunopulos 2003).

    Unpruned C4.5 trees of bootstrap samples; what one of them tests within its first levels is
    selected.

    Parameters
    ----------
    n_trees : number of trees
    sample_fraction : share of a bootstrap sample that each tree is grown from
    max_depth : how many levels count; the root is the first
    random_state : seed of the samples
    categorical_features, n_jobs : see `BayesianNetworkClassifier`

    Attributes
    ----------
    selected_ : names of the attributes, those that a tree tests nearest to its root first
    path_ : attribute and the least depth at which it is tested

    Examples
    --------
    >>> from bayesgrove import TreeSelector, load_dataset
    >>> X, y = load_dataset("iris")
    >>> TreeSelector().fit(X, y).selected_
    ['petal length (cm)', 'petal width (cm)']
    """

    discretizer = None
    missing = "ignore"

    def __init__(
        self,
        n_trees: int = 5,
        *,
        sample_fraction: float = 0.1,
        max_depth: int = 3,
        random_state: int = 0,
        categorical_features: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_trees = n_trees
        self.sample_fraction = sample_fraction
        self.max_depth = max_depth
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Select attributes; X, y and sample_weight are as those of the classifiers."""
        require_seed("random_state", self.random_state)
        training = self._read(X, y, sample_weight)
        levels = TreeLevels(self.n_trees, self.sample_fraction, self.max_depth, self.random_state)
        table = training.mixed()
        found = levels.attributes(table, self._threads())
        warn_of_light(table, levels.bagging)
        names = [coding.name for coding in training.schema.codings]
        path = [Step(names[j], float(depth), None) for j, depth in found]
        self._schema = training.schema
        self._keep_selection([step.attribute for step in path], path, self.sample_fraction)
        return self

    def _settings(self) -> Settings:
        return replace(super()._settings(), discretizer=None)

    def _column_names(self) -> list[str]:
        return [coding.name for coding in self._schema.codings]

    @property
    def _named(self) -> bool:
        return self._schema.named


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
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None."
            )
        table = _as_table(self, X, reset=True)
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        check_consistent_length(table, y)
        places = list(range(self.n_features_in_))
        search = forward if self.direction == "forward" else backward
        moves = search(places, self._evaluator(table, y), self.ties)
        moved = [move.element for move in moves]
        chosen = moved if search is forward else [j for j in places if j not in moved]
        self._names, self._had_names = _names(table), _is_frame(table)
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
    chosen = _columns(table, sorted(subset))  # as `transform` gives them
    scores = []
    for train, test in splits:
        model = clone(estimator).fit(_safe_indexing(chosen, train), _safe_indexing(y, train))
        scores.append(scorer(model, _safe_indexing(chosen, test), _safe_indexing(y, test)))
    return float(np.mean(scores))


def _as_table(selector: Any, X: Any, *, reset: bool) -> Any:
    """A data frame as it is, anything else as an array; its columns are checked."""
    if not _is_frame(X):
        X = X if hasattr(X, "shape") or hasattr(X, "__array__") else as_array(X)
        X = check_array(X, dtype=None, ensure_all_finite=False, estimator=selector)
    validate_data(selector, X, reset=reset, skip_check_array=True)
    return X


def _columns(table: Any, places: list[int]) -> Any:
    if nw.dependencies.is_pandas_dataframe(table):
        return table.iloc[:, places]
    if _is_frame(table):
        return nw.from_native(table, eager_only=True)[:, places].to_native()
    return table[:, places]


def _is_frame(X: Any) -> bool:
    return bool(nw.dependencies.is_into_dataframe(X))


def _names(table: Any) -> list[str]:
    if _is_frame(table):
        return column_names(table)
    return [f"x{j}" for j in range(table.shape[1])]
