"""The naive Bayes classifier: counts for nominal columns, intervals or densities for numbers."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bayesgrove.classifiers.base import NetworkClassifier
from bayesgrove.classifiers.reading import Training, row_weights
from bayesgrove.counts import Configurations, Family, FamilyTable, MemoryEngine, Moments
from bayesgrove.encoding import Encoded, codes_of, extend_schema, is_stream
from bayesgrove.options import require_choice, require_number
from bayesgrove.parameters import Dirichlet
from bayesgrove.structures import Naive

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from bayesgrove.classifiers.files import Field
    from bayesgrove.encoding import Discrete, Discretizer, Settings
    from bayesgrove.kernels import Floats


TINY_VARIANCE = 1e-300
"""Keeps the density of a constant finite where ``var_smoothing`` is 0."""


LARGEST = 1e150
"""Numbers whose squares are still finite; farther ones count as this."""


NUMERIC = {
    "means": None,
    "variances": TINY_VARIANCE,
    "weights": 0.0,
    "observed_means": None,
    "squares": 0.0,
}
"""What a model file tells of a numeric column, class by class, and the lowest it may be."""


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
        if is_stream(X):
            raise ValueError("partial_fit takes rows; give files to fit.")
        if not hasattr(self, "classes_"):
            self._learn(self._read_memory(X, y, sample_weight, classes))
            return self
        table = self._read_rows(X)
        schema = extend_schema(self._schema, table, missing_state=self.missing == "value")
        encoded = replace(
            schema.encode(table, self._threads()),
            target=codes_of(y, self.classes_, table.rows),
            n_classes=len(self.classes_),
            weights=row_weights(sample_weight, table.rows),
        )
        class_name = self.network_.class_node
        training = Training(schema, self.classes_, class_name, MemoryEngine(encoded))
        tables, moments = self._count(training)
        grown = [
            *map(_grown, self._tables[:-1], self._schema.variables, schema.variables),
            self._tables[-1],
        ]
        tables = [a.merge(b) for a, b in zip(grown, tables, strict=True)]
        self._estimate(training, tables, self._moments.merge(moments))
        return self

    def _structure_learner(self) -> Naive:
        return Naive()

    def _parameter_learner(self) -> Dirichlet:
        return Dirichlet(self.alpha)

    def _settings(self) -> Settings:
        require_choice("numeric", self.numeric, ("discretize", "gaussian"))
        require_number("var_smoothing", self.var_smoothing, lowest=0)
        settings = super()._settings()
        return replace(settings, discretizer=None) if self.numeric == "gaussian" else settings

    def _learn(self, training: Training) -> None:
        self._estimate(training, *self._count(training))

    def _count(self, training: Training) -> tuple[list[FamilyTable], Moments]:
        counts = training.counts(self._threads())
        structure = self._structure_learner().learn(counts)
        tables = counts.tables([structure.family(v) for v in range(len(counts.cards))])
        if not training.schema.continuous:  # files need no further pass
            return tables, Moments.none(counts.n_classes)
        return tables, counts.moments()

    def _estimate(self, training: Training, tables: list[FamilyTable], moments: Moments) -> None:
        structure = self._structure_learner().learn(training.counts(1))
        network = self._parameter_learner().network(
            structure, tables, training.names, training.states
        )
        _refuse_huge(moments, training)
        self._keep(training.schema, training.classes, network)
        self._tables, self._moments = tables, moments
        self.theta_, self.var_ = _gaussians(moments, self.var_smoothing)

    def _extra_state(self) -> dict[str, Any]:
        """The counts and moments that `partial_fit` adds to, and the densities."""
        state: dict[str, Any] = {
            "counts": [table.counts.ravel().tolist() for table in self._tables]
        }
        moments = self._moments
        parts = [self.theta_, self.var_, moments.weight, moments.mean, moments.squares]
        numeric = [
            {"column": self._schema.codings[j].name}
            | {name: part[:, at].tolist() for name, part in zip(NUMERIC, parts, strict=True)}
            for at, j in enumerate(self._schema.continuous)
        ]
        return state | ({"numeric": numeric} if numeric else {})

    def _restore_extra(self, extra: Field) -> None:
        numeric = ["numeric"] if self._schema.continuous else []
        members = extra.members("counts", *numeric)
        self._tables = self._restored_counts(members["counts"])
        shape = (len(self.classes_), len(self._schema.continuous))
        columns = members["numeric"].items(shape[1]) if numeric else []
        parts = [np.empty(shape) for _ in NUMERIC]
        for at, (column, j) in enumerate(zip(columns, self._schema.continuous, strict=True)):
            fields = column.members("column", *NUMERIC)
            fields["column"].choice(self._schema.codings[j].name)
            for part, (name, lowest) in zip(parts, NUMERIC.items(), strict=True):
                part[:, at] = fields[name].floats(shape[0], lowest)
        self.theta_, self.var_, *moments = parts
        self._moments = Moments(*moments)

    def _restored_counts(self, field: Field) -> list[FamilyTable]:
        """One table a variable given the class, and the table of the class."""
        classes, cards = len(self.classes_), self._schema.cards
        shapes = [*((1, classes, card) for card in cards), (1, 1, classes)]
        return [
            FamilyTable(
                Family(v, (), given_class=v < len(cards)),
                Configurations(()),
                item.floats(math.prod(shape), lowest=0.0).reshape(shape),
            )
            for v, (item, shape) in enumerate(zip(field.items(len(shapes)), shapes, strict=True))
        ]

    def _joint_encoded(self, encoded: Encoded, threads: int, *, relative: bool) -> Floats:
        joint = super()._joint_encoded(encoded, threads, relative=relative)
        for numbers, mean, variance in zip(
            encoded.continuous, self.theta_.T, self.var_.T, strict=True
        ):
            values = np.clip(numbers, -LARGEST, LARGEST)
            terms = -0.5 * (
                np.log(2.0 * np.pi * variance) + (values[:, None] - mean) ** 2 / variance
            )
            joint += np.where(np.isnan(values)[:, None], 0.0, terms)
        return joint


def _refuse_huge(moments: Moments, training: Training) -> None:
    finite = np.isfinite(moments.squares).all(axis=0)
    if not finite.all():
        column = training.schema.codings[training.schema.continuous[int(np.argmin(finite))]]
        raise ValueError(
            f"Column {column.name!r} has numbers beyond {LARGEST:g}, too large "
            "for a normal density: rescale it, or use numeric='discretize'."
        )


def _gaussians(moments: Moments, var_smoothing: float) -> tuple[Floats, Floats]:
    """Means and variances; a class without values of a column gets those of all classes."""
    pooled = moments.pooled()
    overall = pooled.squares / np.maximum(pooled.weight, 1e-300)
    seen = moments.weight > 0
    variance = np.where(seen, moments.squares / np.where(seen, moments.weight, 1.0), overall)
    largest = overall.max(initial=0.0)
    floor = max(var_smoothing * (largest if largest > 0 else 1.0), TINY_VARIANCE)
    return np.where(seen, moments.mean, pooled.mean), variance + floor


def _grown(table: FamilyTable, old: Discrete, new: Discrete) -> FamilyTable:
    """The table with room for new states."""
    place = {state: code for code, state in enumerate(new.states)}
    counts = np.zeros((1, table.counts.shape[1], new.card + 1))
    counts[..., [place.get(state, -1) for state in old.states]] = table.counts
    return FamilyTable(table.family, Configurations(()), counts[..., : new.card])
