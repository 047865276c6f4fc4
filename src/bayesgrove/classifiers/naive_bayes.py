"""The naive Bayes classifier: counts for nominal columns, intervals or densities for numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bayesgrove.classifiers.base import NetworkClassifier, Training, row_weights
from bayesgrove.counts import Configurations, FamilyTable, MemoryEngine, Moments
from bayesgrove.encoding import Encoded, codes_of, extend_schema
from bayesgrove.parameters import Dirichlet
from bayesgrove.structures import Naive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from bayesgrove.encoding import Discretizer, Settings
    from bayesgrove.kernels import Floats


class NaiveBayesClassifier(NetworkClassifier):
    """Naive Bayes: attributes are independent given the class.

    Parameters
    ----------
    numeric : "discretize" cuts numeric columns into intervals; "gaussian" gives them a normal
        density within each class, ``P(x|c) = N(x; mean, variance)``
    alpha : pseudo-count of every cell of the conditional tables; 0 is maximum likelihood
    var_smoothing : share of the largest variance of all numeric columns that is added to every
        variance of the Gaussian form
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

    _tables: list[FamilyTable]
    _moments: Moments

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
        if not hasattr(self, "classes_"):
            self._learn(self._read_memory(X, y, sample_weight, classes))
            return self
        table = self._read_rows(X)
        old, tables, moments = self._schema, self._tables, self._moments
        schema = extend_schema(old, table, missing_state=self.missing == "value")
        encoded = replace(
            schema.encode(table, self._threads()),
            target=codes_of(y, self.classes_),
            n_classes=len(self.classes_),
            weights=row_weights(sample_weight, table.rows),
        )
        class_name = self.network_.class_node
        self._count(Training(schema, self.classes_, class_name, MemoryEngine(encoded)))
        places = [
            [new.states.index(s) if s in new.states else -1 for s in variable.states]
            for variable, new in zip(old.variables, schema.variables, strict=True)
        ]
        grown = [*map(_grown, tables, places, schema.cards), tables[-1]]
        self._tables = [a.merge(b) for a, b in zip(grown, self._tables, strict=True)]
        self._moments = moments.merge(self._moments)
        self._estimate(Training(schema, self.classes_, class_name, MemoryEngine(encoded)))
        return self

    def _structure_learner(self) -> Naive:
        return Naive()

    def _parameter_learner(self) -> Dirichlet:
        return Dirichlet(self.alpha)

    def _settings(self) -> Settings:
        if self.numeric not in ("discretize", "gaussian"):
            raise ValueError(f"numeric={self.numeric!r} must be 'discretize' or 'gaussian'.")
        if not (np.isfinite(self.var_smoothing) and self.var_smoothing >= 0):
            raise ValueError(
                f"var_smoothing={self.var_smoothing!r} must be a number of at least 0."
            )
        settings = super()._settings()
        return replace(settings, discretizer=None) if self.numeric == "gaussian" else settings

    def _learn(self, training: Training) -> None:
        self._count(training)
        self._estimate(training)

    def _count(self, training: Training) -> None:
        counts = training.counts(self._threads())
        structure = self._structure_learner().learn(counts)
        self._tables = counts.tables([structure.family(v) for v in range(len(counts.cards))])
        self._moments = counts.moments()

    def _estimate(self, training: Training) -> None:
        counts = training.counts(1)
        structure = self._structure_learner().learn(counts)
        network = self._parameter_learner().network(
            structure, self._tables, training.names, training.states
        )
        self._keep(training, network)
        self.theta_, self.var_ = _gaussians(self._moments, self.var_smoothing)

    def _joint_encoded(self, encoded: Encoded, threads: int) -> Floats:
        joint = super()._joint_encoded(encoded, threads)
        for values, mean, variance in zip(
            encoded.continuous, self.theta_.T, self.var_.T, strict=True
        ):
            terms = -0.5 * (
                np.log(2.0 * np.pi * variance) + (values[:, None] - mean) ** 2 / variance
            )
            joint += np.where(np.isnan(terms), 0.0, terms)
        return joint


def _gaussians(moments: Moments, var_smoothing: float) -> tuple[Floats, Floats]:
    """Means and variances; a class without values of a column gets those of all classes."""
    pooled = moments.pooled()
    overall = pooled.squares / np.maximum(pooled.weight, 1e-300)
    seen = moments.weight > 0
    variance = np.where(seen, moments.squares / np.where(seen, moments.weight, 1.0), overall)
    largest = overall.max(initial=0.0)
    floor = var_smoothing * (largest if largest > 0 else 1.0)
    return np.where(seen, moments.mean, pooled.mean), variance + floor


def _grown(table: FamilyTable, places: Sequence[int], card: int) -> FamilyTable:
    """The table with room for new states; ``places`` says where the old ones go."""
    counts = np.zeros((1, table.counts.shape[1], card + 1))
    counts[..., places] = table.counts  # what has no place goes to the end
    return FamilyTable(table.family, Configurations(()), counts[..., :card])
