"""The naive Bayes classifier: counts for nominal columns, intervals or densities for numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from bayesgrove.counts import Configurations, FamilyTable, Moments
from bayesgrove.encoding import codes_of, extend_schema
from bayesgrove.estimators.base.naive import BaseNaiveBayes, NaiveParts
from bayesgrove.estimators.base.table import Training, row_weights
from bayesgrove.tables import is_external

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from bayesgrove.encoding import Discrete, Discretizer


class NaiveBayesClassifier(BaseNaiveBayes):
    """Naive Bayes: attributes are independent given the class.

    Parameters
    ----------
    numeric : "discretize" cuts numeric columns into intervals; "gaussian" gives them a normal
        density within each class, ``P(x|c) = N(x; mean, variance)``; "rounded" the probability of a
        normal variable rounded to the column's precision, the mean gap between adjacent distinct
        values of training, with a standard deviation of at least a sixth of it, as WEKA does
    alpha : pseudo-count of every cell of the conditional tables; 0 is maximum likelihood
    var_smoothing : share of the largest variance of all numeric columns that is added to every
        variance of "gaussian"
    categorical_features, discretizer, missing, unseen, n_jobs : see `BayesianNetworkClassifier`

    Attributes
    ----------
    classes_, network_, cut_points_ : see `BayesianNetworkClassifier`; with Gaussian densities the
        network holds the nominal columns
    theta_, var_ : means and variances of the Gaussian columns, shape (classes, columns)

    Examples
    --------
    >>> from bayesgrove import NaiveBayesClassifier, load_dataset
    >>> X, y = load_dataset("iris")
    >>> model = NaiveBayesClassifier().fit(X, y)
    >>> model.cut_points_["petal length (cm)"]
    array([2.45, 4.75])
    """

    short_name: ClassVar[str] = "nb"
    _tables: list[FamilyTable]
    _moments: Moments

    state_kinds: ClassVar[tuple[str, ...]] = ("counts", "moments")

    def __init__(
        self,
        numeric: str = "discretize",
        *,
        alpha: float = 1.0,
        var_smoothing: float = 1e-9,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.numeric = numeric
        self.alpha = alpha
        self.var_smoothing = var_smoothing
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    def partial_fit(
        self,
        X: Any,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Add rows to what was learned. Counts grow by new values; cut points stay.

        Parameters
        ----------
        X, y, sample_weight : as in `fit`
        classes : all class labels, in the first call; None takes those of y
        """
        if is_external(X):
            raise ValueError("partial_fit takes rows; give files to fit.")
        if not hasattr(self, "classes_"):
            training = self._read_memory(X, y, sample_weight, classes)
            self._learn(training)
            self.class_name_ = training.names[-1]
            return self
        table = self._read_rows(X)
        schema = extend_schema(self.schema_, table, missing_state=self.missing == "value")
        encoded = replace(
            schema.encode(table, self._threads()),
            target=codes_of(y, self.classes_, table.rows),
            n_classes=len(self.classes_),
            weights=row_weights(sample_weight, table.rows),
        )
        training = Training(schema, self.classes_, self.class_name_, encoded)
        counts = training.counts(self._threads())
        structure = self._structure_learner().learn(counts)
        tables = counts.tables([structure.family(v) for v in range(len(counts.cards))])
        grown = [
            *map(_grown, self._tables[:-1], self.schema_.variables, schema.variables),
            self._tables[-1],
        ]
        tables = [a.merge(b) for a, b in zip(grown, tables, strict=True)]
        moments = self._moments.merge(counts.moments(self._steps(schema)))
        parts = NaiveParts(counts, tables, moments, self._normals_of(schema, moments))
        self._estimate(training, parts)
        return self

    def _estimate(self, training: Training, parts: NaiveParts) -> None:
        super()._estimate(training, parts)
        self._tables, self._moments = parts.tables, parts.moments


def _grown(table: FamilyTable, old: Discrete, new: Discrete) -> FamilyTable:
    """The table with room for new states."""
    place = {state: code for code, state in enumerate(new.states)}
    counts = np.zeros((1, table.counts.shape[1], new.card + 1))
    counts[..., [place.get(state, -1) for state in old.states]] = table.counts
    return FamilyTable(table.family, Configurations(()), counts[..., : new.card])
