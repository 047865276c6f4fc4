"""Naive Bayes whose attributes have weights.

M. Hall (2006). A decision tree-based attribute weighting filter for naive Bayes. Working paper
05/2006, University of Waikato.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd

from bayesgrove._utils.options import require_choice, require_flag, require_seed
from bayesgrove.counts import CountSource, MemoryEngine
from bayesgrove.encoding import MDLPDiscretizer
from bayesgrove.estimators.base.naive import BaseNaiveBayes
from bayesgrove.estimators.base.selecting import SelectionMixin, warn_of_none
from bayesgrove.estimators.base.tree import warn_of_light, warn_of_missed
from bayesgrove.weighting import GainRatio, ReliefF, TreeDepth, depth_weights

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from bayesgrove.encoding import Discretizer, Encoded, MixedTable
    from bayesgrove.estimators.base.table import Training
    from bayesgrove.kernels import Floats
    from bayesgrove.model_files import Field
    from bayesgrove.network.program import Program

    Weights = ArrayLike | Callable[[Any, Any], ArrayLike]

NAMED = ("tree_depth", "gain_ratio", "relieff")
LARGEST_WEIGHT = 1e6
RELIEFF_ROWS = 250
"""ReliefF looks at the neighbours of at most so many rows, as in the paper."""


class WeightedNaiveBayesClassifier(SelectionMixin, BaseNaiveBayes):
    """Naive Bayes with weights as exponents: ``P(c | a) ~ P(c) prod P(a_i | c)^w_i`` (Hall 2006).

    Parameters
    ----------
    weights : "tree_depth" grows unpruned C4.5 trees and takes the mean of 1/sqrt(least depth at
        which an attribute is tested), 0 where it is not (AWNB); "gain_ratio" takes the gain ratio
        and "relieff" the ReliefF of every attribute, negative ones as 0 and every row as one, both
        times the number of attributes over their sum; an array has one weight a column, 0 or
        more, and a pandas Series with labels those of the columns, in any order; a function is
        called as ``weights(X, y)`` and returns such an array or Series
    n_trees, sample_fraction : of "tree_depth": the number of trees, and the share of a bootstrap
        sample that each is grown from
    zero_one : whether all weights above 0 count as 1: attributes are selected, not weighted (ASNB)
    numeric : as in `NaiveBayesClassifier`
    alpha, var_smoothing : see `NaiveBayesClassifier`
    random_state : seed of the samples
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

    weights_: Floats
    path_: list[Any]

    def __init__(
        self,
        weights: str | Weights = "tree_depth",
        *,
        n_trees: int = 10,
        sample_fraction: float = 0.5,
        zero_one: bool = False,
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
        self.zero_one = zero_one
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
        training = self._read(X, y, sample_weight)
        found = self.weights(X, y) if callable(self.weights) else self._weights(training)
        names = [coding.name for coding in training.schema.codings]
        self.weights_ = self._checked(found, names)
        self._learn(training)
        self.class_name_ = training.names[-1]
        return self

    def _weights(self, training: Training) -> Any:
        """One weight a column, as the option says."""
        if not isinstance(self.weights, str):
            return self.weights
        require_choice("weights", self.weights, NAMED)
        require_seed("random_state", self.random_state)
        table = training.mixed()
        if self.weights == "tree_depth":
            depth = TreeDepth(self.n_trees, self.sample_fraction, self.random_state)
            trees = depth.trees(table, self._threads())
            warn_of_light(table, depth.bagging)
            missed = "the weights do not tell it from others"
            warn_of_missed(trees, table, training.classes, missed)
            return depth_weights(trees, len(table.columns))
        if self.weights == "gain_ratio":
            return _scaled(GainRatio().weights(self._cut(table)))
        parts = table.columns, table.cards, table.classes, table.n_classes
        return _scaled(self._relief().weights(*parts))

    def _relief(self) -> ReliefF:
        return ReliefF(sample=RELIEFF_ROWS, seed=self.random_state)

    def _cut(self, table: MixedTable) -> CountSource:
        """The counts of a table whose numbers are cut."""
        cut = table.encoded(MDLPDiscretizer() if self.discretizer is None else self.discretizer)
        names = [str(j) for j in range(len(cut.cards) + 1)]
        return CountSource(MemoryEngine(cut), names, [*cut.cards, cut.n_classes], self._threads())

    def _checked(self, found: Any, names: list[str]) -> Floats:
        """One weight a column, in the order of the columns."""
        require_flag("zero_one", self.zero_one)
        what = "weights(X, y)" if callable(self.weights) else "weights"
        weights = _one_each(_in_order(found, names, what), len(names), what)
        wrong = np.flatnonzero(~((weights >= 0) & (weights <= LARGEST_WEIGHT)))
        if len(wrong):
            raise ValueError(
                f"weights[{wrong[0]}]={weights[wrong[0]]} of the column {names[wrong[0]]!r}: a "
                f"weight is a number of at least 0 and at most {LARGEST_WEIGHT:g}."
            )
        return (weights > 0).astype(np.float64) if self.zero_one else weights

    def _columns(self, training: Training) -> list[int]:
        places: list[int] = np.flatnonzero(self.weights_).tolist()
        self.selected_ = [training.schema.codings[j].name for j in places]
        self.path_ = []
        if not places:
            by_trees = isinstance(self.weights, str) and self.weights == "tree_depth"
            warn_of_none(sample_fraction=self.sample_fraction if by_trees else 1.0)
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
        """The tables of the network to the powers of their weights."""
        discrete = self.weights_[self._places][self._used.discrete]
        return self.network_.power_program([*discrete.tolist(), 1.0])

    def _beyond_network(self) -> str:
        weighted = (self.weights_[self._places] != 1).any()
        parts = ["the weights of the attributes" if weighted else "", super()._beyond_network()]
        return " and ".join(filter(None, parts))

    def _has(self, column: str) -> bool:
        return column in self.selected_

    def _column_names(self) -> list[str]:
        return [coding.name for coding in self.schema_.codings]

    def _options_by_place(self) -> dict[str, Any]:
        if isinstance(self.weights, str) or callable(self.weights):
            return {}
        return {"weights": _in_order(self.weights, self._column_names(), "weights")}

    def _extra_state(self) -> dict[str, Any]:
        return {"weights": self.weights_.tolist()} | super()._extra_state()

    def _restore_extra(self, extra: Field) -> None:
        members = extra.members("weights", *self._numeric_member())
        self.weights_ = members["weights"].floats(len(self.schema_.codings), lowest=0.0)
        if self.weights_.max() > LARGEST_WEIGHT:
            raise members["weights"].error(f"has a number above {LARGEST_WEIGHT:g}")
        if np.flatnonzero(self.weights_).tolist() != self._places:
            raise members["weights"].error(
                "has numbers above 0 elsewhere than for what is selected"
            )
        self._restore_numeric(members)


def _in_order(found: Any, names: list[str], what: str) -> Any:
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
        raise ValueError(
            f"{what}={found!r:.80} must be one of {', '.join(map(repr, NAMED))}, or one number for "
            f"each of the {columns} columns."
        )
    if len(weights) != columns:
        raise ValueError(f"{what} has {len(weights)} numbers for {columns} columns: {found!r:.80}.")
    return weights


def _scaled(weights: Floats) -> Floats:
    """None below 0, and of mean 1 unless all are 0."""
    positive = np.maximum(weights, 0.0)
    total = positive.sum()
    scaled: Floats = positive * len(positive) / total if total > 0 else positive
    return scaled
