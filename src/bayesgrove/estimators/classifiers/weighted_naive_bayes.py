"""The weighted naive Bayes classifier: every attribute has a weight, which is an exponent.

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
from bayesgrove.weighting import (
    ChiSquared,
    GainRatio,
    HillClimbing,
    InformationGain,
    ReliefF,
    TreeDepth,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from bayesgrove.contracts import Weighting
    from bayesgrove.encoding import Discretizer, Encoded
    from bayesgrove.estimators.base.table import Training
    from bayesgrove.kernels import Floats
    from bayesgrove.network.prediction_program import Program

    Weights = ArrayLike | Callable[[Any, Any], ArrayLike]

UNSEEDED: dict[str, Callable[[], Weighting]] = {
    "gain_ratio": GainRatio,
    "information_gain": InformationGain,
    "chi_squared": ChiSquared,
    "hill_climbing": HillClimbing,
}
"""The weightings that have a name, and neither options of the classifier nor a seed."""
NAMED = ("tree_depth", "relieff", *UNSEEDED)
LARGEST_WEIGHT = 1e6
RELIEFF_ROWS = 250
"""Largest number of rows whose neighbours ReliefF looks at, as in the paper."""


@renamed(zero_one="select_only")
class WeightedNaiveBayesClassifier(SelectionMixin, BaseNaiveBayes):
    """Naive Bayes with attribute weights as exponents.

    The probability ``P(c | a)`` of a class c, given the attribute values a, is proportional to
    ``P(c) prod P(a_i | c)^w_i``. ``w_i`` is the weight of attribute i. If two attributes share
    information, naive Bayes counts it twice and is overconfident. Weights below 1 reduce this:
    weight 0 removes an attribute, and weight 1 for all attributes is naive Bayes. The default
    weights come from the depths at which decision trees test the attributes. A tree seldom tests an
    attribute whose information it already has. Use weights if attributes are correlated and
    probabilities matter. They do not help if only combinations of attributes predict the class.

    Parameters
    ----------
    weights : str, Weighting, array-like or callable, default="tree_depth"
        The weights, or how they are learned.

        - "tree_depth" (AWNB) is `TreeDepth`: the mean of 1/sqrt(d) over unpruned C4.5 trees, where
          d is the smallest depth at which a tree tests the attribute.
        - "gain_ratio" is `GainRatio`: the gain ratio I(X;C) / H(X) of every attribute X, scaled so
          that the mean weight is 1.
        - "information_gain" is `InformationGain`: the information gain I(X;C), scaled in the same
          way.
        - "chi_squared" is `ChiSquared`: Pearson's chi-squared statistic of X and the class, scaled
          in the same way.
        - "hill_climbing" is `HillClimbing`: weights start at 1 and change in steps of 0.1 while the
          ROC area on the training rows increases. It needs all rows in memory.
        - "relieff" is `ReliefF`: how much an attribute differs between neighbouring rows of
          different classes, minus its difference between neighbouring rows of the same class.
          Neighbours are searched for all rows or, if there are more than 250, for 250 rows drawn at
          random. Sample weights are not used. These weights are not scaled and often small;
          ``ReliefF(rescale=True)`` scales them so that their mean is 1.
        - A weighting is an object such as ``ReliefF(missing="weka")`` from `bayesgrove.weighting`,
          or any object with the method ``weights(data)``, where ``data`` is a `TrainingData`. It
          returns the exponents, at least 0.
        - An array has one weight per column, at least 0. The labels of a pandas Series may be
          column names, in any order.
        - A function is called as ``weights(X, y)`` and returns such an array or Series.
    n_trees : int, default=10
        Number of trees of "tree_depth". Other weights ignore it.
    sample_fraction : float, default=0.5
        Size of each sample of "tree_depth" as a fraction of the number of rows, above 0 and at most
        1. Other weights ignore it.
    bootstrap : bool, default=True
        Whether the rows of each sample of "tree_depth" are drawn with replacement. With
        ``n_trees=1`` and ``sample_fraction=1``, False grows one tree from all training rows. Other
        weights ignore it.
    select_only : bool, default=False
        Whether all weights above 0 count as 1. Attributes are then selected, not weighted (ASNB).
    numeric, alpha, var_smoothing
    random_state : int, default=0
        Seed of the samples of "tree_depth" and "relieff".
    categorical_features
    discretizer : Discretizer or None, default=None
        How numeric columns are cut into intervals, such as ``EqualFrequencyDiscretizer(n_bins=5)``.
        None uses `MDLPDiscretizer`, which cuts by class entropy. "gain_ratio",
        "information_gain", "chi_squared" and "hill_climbing" use it even if the model uses
        densities.
    missing, unseen, n_jobs

    Attributes
    ----------
    classes_, class_name_
    weights_ : ndarray of shape (n_features_in_,)
        Weights of all columns.
    selected_ : list of str
        Names of the columns with a weight above 0, in the order of the table. The model uses no
        other columns.
    path_ : list of Step
        It is always empty, because the columns are not selected step by step.
    network_ : BayesianNetwork
        The network of naive Bayes, without the weights. Its last node is the class. With
        ``numeric="gaussian"`` or ``numeric="rounded"``, it does not contain the numeric columns.
    networks_, theta_, var_, cut_points_, schema_, used_codings_, n_features_in_, feature_names_in_

    References
    ----------
    M. Hall (2006). A decision tree-based attribute weighting filter for naive Bayes. Working paper
    05/2006, University of Waikato.

    H. Zhang and S. Sheng (2004). Learning weighted naive Bayes with accurate ranking. ICDM-04,
    567-570.

    S. Kim, H. Seo and H. Rim (2003). Poisson naive Bayes for text classification with feature
    weighting. Sixth International Workshop on Information Retrieval with Asian Languages, 33-40.

    I. Kononenko (1994). Estimating attributes: analysis and extensions of RELIEF. ECML-94, 171-182.

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
        bootstrap: bool = True,
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
        self.bootstrap = bootstrap
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
        """Learn the weights, unless they are given, and then the model.

        Parameters
        ----------
        X : data frame, array, lists, path, dataset, stream or Table
            The training rows: a data frame (pandas, Polars, Arrow), an array or lists. Or their
            source: the path of a CSV, Parquet, Feather or ARFF file, a folder or pattern of Parquet
            files, an Arrow dataset or stream (such as a DuckDB relation or a lazy Polars frame), or
            the result of `open_table`. A function as ``weights`` needs rows in memory.
        y : array-like of shape (n_rows,) or str, default=None
            The class labels. If X is a path, a dataset, a stream or the result of `open_table`,
            the name of the class column. y is required; the default exists for scikit-learn only.
        sample_weight : array-like of shape (n_rows,), default=None
            Non-negative weights of the rows. None means weight 1. Only rows in memory can have
            weights.

        Returns
        -------
        Self
            The fitted classifier.
        """
        if callable(self.weights) and is_external(X):
            raise ValueError("weights(X, y) needs rows in memory: read the files first.")
        training = self._read(X, y, sample_weight)
        weighting = self._weighting()
        if weighting is not None:
            data = training_data(training, self.discretizer, self._threads())
            weights: Any = weighting.weights(data)
        else:
            weights = self.weights(X, y) if callable(self.weights) else self.weights
        names = [coding.name for coding in training.schema.codings]
        self.weights_ = self._checked(weights, names)
        self._learn(training)
        self.class_name_ = training.names[-1]
        return self

    @property
    def weights_repeat_rows(self) -> bool:
        """Whether a row of weight 2 gives the same model as the row twice."""
        weighting = self._weighting()
        if weighting is None:  # A function does not see the weights of rows.
            return not callable(self.weights)
        return weights_repeat_rows(weighting)

    def _sum_learner(self) -> None:
        """Return None: the weights are those of the paper."""

    def _weighting(self) -> Weighting | None:
        """Return the weighting that learns from training rows, or None if weights are given."""
        if isinstance(self.weights, str):
            return self._named_weighting()
        if isinstance(self.weights, type):
            raise OptionError(f"weights={self.weights!r} must be an object, not a class.")
        return cast("Weighting", self.weights) if is_weighting(self.weights) else None

    def _named_weighting(self) -> Weighting:
        """Return the weighting that a name stands for."""
        require_choice("weights", self.weights, NAMED)
        require_seed("random_state", self.random_state)
        if self.weights == "tree_depth":
            options = self.n_trees, self.sample_fraction, self.random_state
            return TreeDepth(*options, bootstrap=self.bootstrap)
        if self.weights == "relieff":
            return ReliefF(sample_size=RELIEFF_ROWS, random_state=self.random_state)
        return UNSEEDED[cast("str", self.weights)]()

    def _checked(self, given: Any, names: list[str]) -> Floats:
        """Return one valid weight per column, in the order of the columns."""
        require_flag("select_only", self.select_only)
        option = "weights(X, y)" if callable(self.weights) else "weights"
        weights = _one_each(in_order(given, names, option), len(names), option)
        wrong = np.flatnonzero(~((weights >= 0) & (weights <= LARGEST_WEIGHT)))
        if len(wrong):
            raise OptionError(
                f"weights[{wrong[0]}]={weights[wrong[0]]} of the column {names[wrong[0]]!r}: a "
                f"weight must be a number of at least 0 and at most {LARGEST_WEIGHT:g}."
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
        del relative  # Every table contains the class.
        joint = self._power_program().run(encoded, threads)
        weights = self.weights_[self._places][self._used.continuous]
        self._normals.add_to(joint, encoded.continuous, weights)
        return joint

    def _program(self) -> Program | None:
        return None if self._used.continuous else self._power_program()

    def _power_program(self) -> Program:
        """Return a program of the conditional tables raised to the power of their weights."""
        discrete = self.weights_[self._places][self._used.discrete]
        return self.network_.power_program([*discrete.tolist(), 1.0])

    def beyond_network(self) -> str:
        """Describe the part of the model that the network does not contain.

        Returns
        -------
        str
            The description, or an empty string if the network is the whole model.
        """
        weighted = (self.weights_[self._places] != 1).any()
        parts = ["the weights of the attributes" if weighted else "", super().beyond_network()]
        return " and ".join(filter(None, parts))

    def _has(self, column: str) -> bool:
        return column in self.selected_

    def _column_names(self) -> list[str]:
        return [coding.name for coding in self.schema_.codings]


def in_order(weights: Any, names: list[str], option: str) -> Any:
    """Return a Series with labels in the order of the columns, and anything else unchanged.

    Parameters
    ----------
    weights : Series, array-like or Any
        The weights that the user gave.
    names : list of str
        Names of the columns.
    option : str
        Name of the option for error messages.

    Returns
    -------
    Series or Any
        The weights.
    """
    if not isinstance(weights, pd.Series) or not _has_labels(weights):
        return weights
    labels, columns = weights.index.tolist(), set(names)
    unknown = [label for label in labels if label not in columns]
    missing = [name for name in names if name not in weights.index]
    if unknown or missing or len(labels) > len(names):
        wrong = (
            f"the label {unknown[0]!r}, which is not a column"
            if unknown
            else f"no label {missing[0]!r}, which is a column"
            if missing
            else "a label more than once"
        )
        raise ValueError(
            f"{option} has {wrong}: a Series needs one label per column. To give the weights by "
            "position, pass its .to_numpy()."
        )
    return weights[names]


def _has_labels(weights: pd.Series[Any]) -> bool:
    """Return whether all labels of a Series are strings."""
    return len(weights) > 0 and all(isinstance(label, str) for label in weights.index)


def _one_each(given: Any, columns: int, option: str) -> Floats:
    """Return the weights as an array; raise unless there is one number per column."""
    try:
        weights = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        weights = np.empty((0, 0))
    if weights.ndim != 1:
        raise OptionError(
            f"{option}={given!r:.80} must be one of {', '.join(map(repr, NAMED))}, or one number "
            f"for each of the {columns} columns."
        )
    if len(weights) != columns:
        raise ValueError(
            f"{option} has {len(weights)} numbers for {columns} columns: {given!r:.80}."
        )
    return weights
