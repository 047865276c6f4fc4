"""Naive Bayes whose attributes have weights.

M. Hall (2006). A decision tree-based attribute weighting filter for naive Bayes. Working paper
05/2006, University of Waikato.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

import numpy as np
import pandas as pd

from bayesgrove._utils.options import OptionError, require_choice, require_flag, require_seed
from bayesgrove._utils.renamed import renamed
from bayesgrove.contracts import is_weighting, weights_repeat_rows
from bayesgrove.estimators.base.naive import BaseNaiveBayes
from bayesgrove.estimators.base.selecting import SelectionMixin, warn_of_none
from bayesgrove.estimators.base.training_data import training_data
from bayesgrove.tables import is_external
from bayesgrove.weighting import GainRatio, ReliefF, TreeDepth

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from bayesgrove.contracts import Weighting
    from bayesgrove.encoding import Discretizer, Encoded
    from bayesgrove.estimators.base.table import Training
    from bayesgrove.kernels import Floats
    from bayesgrove.network.prediction_program import Program

    Weights = ArrayLike | Callable[[Any, Any], ArrayLike]

NAMED = ("tree_depth", "gain_ratio", "relieff")
LARGEST_WEIGHT = 1e6
RELIEFF_ROWS = 250
"""ReliefF looks at the neighbours of at most so many rows, as in the paper."""


@renamed(zero_one="select_only")
class WeightedNaiveBayesClassifier(SelectionMixin, BaseNaiveBayes):
    """Naive Bayes with weights as exponents: ``P(c | a) ~ P(c) prod P(a_i | c)^w_i`` (Hall 2006).

    Parameters
    ----------
    weights : a weighting such as ``ReliefF(missing="weka")`` of `bayesgrove.weighting`, or any
        object with the method ``weights(data)``, where ``data`` is a `TrainingData`; negative
        numbers of it count as 0, and the others are scaled to a mean of 1, unless its class has
        ``exponents = True``.
        A name stands for such an object: "tree_depth" (AWNB) for `TreeDepth`, the mean of
        1/sqrt(least depth at which an unpruned C4.5 tree tests an attribute), which is not
        scaled; "gain_ratio" for `GainRatio`; "relieff" for `ReliefF` of at most 250 rows, each of
        which counts as one.
        An array has one weight per column, 0 or more, which is not scaled; a pandas Series with
        labels has those of the columns, in any order. A function is called as ``weights(X, y)``
        and returns such an array or Series
    n_trees, sample_fraction : of "tree_depth": the number of trees, and the share of a bootstrap
        sample that each is grown from; an object has options of its own
    select_only : whether all weights above 0 count as 1: attributes are selected, not weighted (ASNB)
    numeric : as in `NaiveBayesClassifier`
    alpha, var_smoothing : see `NaiveBayesClassifier`
    random_state : seed of the samples of "tree_depth" and "relieff"
    categorical_features, discretizer, missing, unseen, n_jobs : see `BayesianNetworkClassifier`;
        the gain ratio cuts numeric columns by the discretizer even where they stay numbers

    Attributes
    ----------
    weights_ : weights of all columns, shape (columns,)
    selected_ : names of the columns whose weight is above 0; the model has no others
    classes_, network_, cut_points_, theta_, var_ : see `NaiveBayesClassifier`; the network is that
        of naive Bayes, without the weights

    Examples
    --------
    >>> from bayesgrove import WeightedNaiveBayesClassifier, load_dataset
    >>> X, y = load_dataset("iris")
    >>> model = WeightedNaiveBayesClassifier().fit(X, y)
    >>> model.weights_.round(2)
    array([0.  , 0.  , 0.4 , 0.94])
    """

    short_name: ClassVar[str] = "awnb"
    weights_: Floats
    path_: list[Any]
    state_kinds: ClassVar[tuple[str, ...]] = ("weights", "densities")

    def __init__(
        self,
        weights: str | Weighting | Weights = "tree_depth",
        *,
        n_trees: int = 10,
        sample_fraction: float = 0.5,
        select_only: bool = False,
        numeric: str = "gaussian",
        alpha: float = 1.0,
        var_smoothing: float = 1e-9,
        random_state: int = 0,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "ignore",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.weights = weights
        self.n_trees = n_trees
        self.sample_fraction = sample_fraction
        self.select_only = select_only
        self.numeric = numeric
        self.alpha = alpha
        self.var_smoothing = var_smoothing
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Find weights, unless they are given, and learn; as `NaiveBayesClassifier.fit`."""
        if callable(self.weights) and is_external(X):
            raise ValueError("weights(X, y) takes rows in memory: read the files first.")
        training = self._read(X, y, sample_weight)
        weighting = self._weighting()
        if weighting is not None:
            found = self._learned(weighting, training)
        else:
            found = self.weights(X, y) if callable(self.weights) else self.weights
        names = [coding.name for coding in training.schema.codings]
        self.weights_ = self._checked(found, names)
        self._learn(training)
        self.class_name_ = training.names[-1]
        return self

    @property
    def weights_repeat_rows(self) -> bool:
        """Return whether a row of weight 2 is the row twice."""
        weighting = self._weighting()
        if weighting is None:  # a function does not see the weights of rows
            return not callable(self.weights)
        return weights_repeat_rows(weighting)

    def _weighting(self) -> Weighting | None:
        """Return what finds weights in training rows; None where the weights are given."""
        if isinstance(self.weights, str):
            return self._named_weighting()
        if isinstance(self.weights, type):
            raise OptionError(f"weights={self.weights!r} must be an object, not a class.")
        return cast("Weighting", self.weights) if is_weighting(self.weights) else None

    def _named_weighting(self) -> Weighting:
        require_choice("weights", self.weights, NAMED)
        require_seed("random_state", self.random_state)
        if self.weights == "tree_depth":
            return TreeDepth(self.n_trees, self.sample_fraction, self.random_state)
        if self.weights == "gain_ratio":
            return GainRatio()
        return ReliefF(sample_size=RELIEFF_ROWS, random_state=self.random_state)

    def _learned(self, weighting: Weighting, training: Training) -> Any:
        """Return the numbers of a weighting, scaled unless they are exponents already."""
        data = training_data(training, self.discretizer, self._threads())
        weights = weighting.weights(data)
        if getattr(weighting, "exponents", False):
            return weights
        return _scaled(_one_each(weights, len(training.schema.codings), "weights"))

    def _checked(self, found: Any, names: list[str]) -> Floats:
        """One weight a column, in the order of the columns."""
        require_flag("select_only", self.select_only)
        what = "weights(X, y)" if callable(self.weights) else "weights"
        weights = _one_each(in_order(found, names, what), len(names), what)
        wrong = np.flatnonzero(~((weights >= 0) & (weights <= LARGEST_WEIGHT)))
        if len(wrong):
            raise OptionError(
                f"weights[{wrong[0]}]={weights[wrong[0]]} of the column {names[wrong[0]]!r}: a "
                f"weight is a number of at least 0 and at most {LARGEST_WEIGHT:g}."
            )
        return (weights > 0).astype(np.float64) if self.select_only else weights

    def _columns(self, training: Training) -> list[int]:
        places: list[int] = np.flatnonzero(self.weights_).tolist()
        self.selected_ = [training.schema.codings[j].name for j in places]
        self.path_ = []
        if not places:
            warn_of_none(sample_fraction=getattr(self._weighting(), "sample_fraction", 1.0))
        return places

    def _joint_encoded(self, encoded: Encoded, threads: int, *, relative: bool) -> Floats:
        del relative  # every table has the class
        joint = self._power_program().run(encoded, threads)
        weights = self.weights_[self._places][self._used.continuous]
        self._normals.add_to(joint, encoded.continuous, weights)
        return joint

    def _program(self) -> Program | None:
        return None if self._used.continuous else self._power_program()

    def _power_program(self) -> Program:
        """Return the tables of the network to the powers of their weights."""
        discrete = self.weights_[self._places][self._used.discrete]
        return self.network_.power_program([*discrete.tolist(), 1.0])

    def beyond_network(self) -> str:
        """Say what predictions have and the network is without; empty where it has all."""
        weighted = (self.weights_[self._places] != 1).any()
        parts = ["the weights of the attributes" if weighted else "", super().beyond_network()]
        return " and ".join(filter(None, parts))

    def _has(self, column: str) -> bool:
        return column in self.selected_

    def _column_names(self) -> list[str]:
        return [coding.name for coding in self.schema_.codings]


def in_order(found: Any, names: list[str], what: str) -> Any:
    """A Series with labels in the order of the columns; all else as it is."""
    if not isinstance(found, pd.Series) or not _has_labels(found):
        return found
    labels, columns = found.index.tolist(), set(names)
    unknown = [label for label in labels if label not in columns]
    missing = [name for name in names if name not in found.index]
    if unknown or missing or len(labels) > len(names):
        wrong = (
            f"the label {unknown[0]!r}, which is no column"
            if unknown
            else f"no label {missing[0]!r}, which is a column"
            if missing
            else "a label more than once"
        )
        raise ValueError(
            f"{what} has {wrong}: a Series needs one label a column, or .to_numpy() makes it a "
            "weight a place."
        )
    return found[names]


def _has_labels(found: pd.Series[Any]) -> bool:
    return len(found) > 0 and all(isinstance(label, str) for label in found.index)


def _one_each(found: Any, columns: int, what: str) -> Floats:
    try:
        weights = np.array(found, dtype=np.float64)
    except (TypeError, ValueError):
        weights = np.empty((0, 0))
    if weights.ndim != 1:
        raise OptionError(
            f"{what}={found!r:.80} must be one of {', '.join(map(repr, NAMED))}, or one number for "
            f"each of the {columns} columns."
        )
    if len(weights) != columns:
        raise ValueError(f"{what} has {len(weights)} numbers for {columns} columns: {found!r:.80}.")
    return weights


def _scaled(weights: Floats) -> Floats:
    """Return weights of which none is below 0, and whose mean is 1 unless all are 0."""
    positive = np.maximum(weights, 0.0)
    total = positive.sum()
    scaled: Floats = positive * len(positive) / total if total > 0 else positive
    return scaled
