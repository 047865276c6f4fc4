"""What all classifiers share: a table in, counts, a network, probabilities out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import (
    _check_feature_names,
    _check_sample_weight,
    check_is_fitted,
)

from bayesgrove.counts import CountSource, Engine, MemoryEngine, StreamEngine
from bayesgrove.encoding import (
    Discretizer,
    Encoded,
    MDLPDiscretizer,
    RawTable,
    Schema,
    Settings,
    TableStream,
    codes_of,
    encode_target,
    fit_schema,
    fit_stream_schema,
    is_stream,
    known_classes,
    read_table,
    report_unseen,
)
from bayesgrove.options import is_whole, require_choice

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray
    from sklearn.utils import Tags

    from bayesgrove.classifiers.files import Field
    from bayesgrove.encoding import Unseen
    from bayesgrove.kernels import Floats
    from bayesgrove.network import BayesianNetwork, Structure


LARGEST_WEIGHT = 1e100


class StructureLearner(Protocol):
    """Counts in, parents of every node out."""

    def learn(self, counts: CountSource) -> Structure:
        """The structure that fits the counts."""


class ParameterLearner(Protocol):
    """A structure and counts in, a network out."""

    def estimate(
        self, structure: Structure, counts: CountSource, states: Sequence[tuple[Any, ...]]
    ) -> BayesianNetwork:
        """The network of a structure."""


@dataclass(frozen=True)
class Training:
    """Training data, encoded: where the rows live is the engine's business."""

    schema: Schema
    classes: NDArray[Any]
    class_name: str
    engine: Engine

    @property
    def names(self) -> list[str]:
        """Names of the discrete attributes, then of the class."""
        names = [variable.name for variable in self.schema.variables]
        class_name = self.class_name
        while class_name in names:
            class_name += "_"
        return [*names, class_name]

    @property
    def states(self) -> list[tuple[Any, ...]]:
        """States of the discrete attributes, then the classes."""
        attributes = [variable.states for variable in self.schema.variables]
        return [*attributes, tuple(self.classes.tolist())]

    def counts(self, threads: int) -> CountSource:
        """The counts of these rows."""
        cards = [*self.schema.cards, len(self.classes)]
        return CountSource(self.engine, self.names, cards, threads)


class NetworkClassifier(ClassifierMixin, BaseEstimator, ABC):
    """Base of all network classifiers.

    A subclass says which structure and which parameters to learn; everything public derives from
    `predict_joint_log_proba`.
    """

    categorical_features: Any
    discretizer: Discretizer | None
    missing: str
    unseen: str
    n_jobs: int | None

    @abstractmethod
    def _structure_learner(self) -> StructureLearner:
        """What learns the parents of every node."""

    @abstractmethod
    def _parameter_learner(self) -> ParameterLearner:
        """What learns the conditional tables."""

    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Learn structure and tables.

        Parameters
        ----------
        X : data frame (pandas, polars, Arrow), array or lists; or the path of a Parquet file, a
            folder or pattern of them, or an Arrow dataset, which may be larger than memory
        y : class labels; the name of a column where X is a path or dataset
        sample_weight : non-negative weights of the rows; weight 2 is the row twice
        """
        if is_stream(X):
            training = self._read_stream(X, y, sample_weight)
        else:
            training = self._read_memory(X, y, sample_weight)
        self._learn(training)
        return self

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """``ln P(class, row)``, shape (rows, classes); what is missing is summed out.

        A row of probability zero under every class (possible without smoothing) gets the
        probabilities of the classes alone.
        """
        check_is_fitted(self)
        parts: list[Floats] = []
        unseen: list[Unseen] = []
        for table in self._batches(X):
            encoded = self._schema.encode(table, self._threads())
            unseen += encoded.unseen
            if self.unseen == "error":
                report_unseen(unseen, "error")
            parts.append(self._joint(encoded))
        if not parts:
            raise ValueError("Found array with 0 sample(s): there are no rows to predict.")
        report_unseen(unseen, self.unseen)
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def predict_log_proba(self, X: Any) -> Floats:
        """``ln P(class | row)``, shape (rows, classes)."""
        joint = self.predict_joint_log_proba(X)
        shifted: Floats = joint - joint.max(axis=1, keepdims=True)
        shifted -= np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        return shifted

    def predict_proba(self, X: Any) -> Floats:
        """``P(class | row)``, shape (rows, classes), in the order of ``classes_``."""
        joint = self.predict_joint_log_proba(X)
        joint -= joint.max(axis=1, keepdims=True)
        np.exp(joint, out=joint)
        joint /= joint.sum(axis=1, keepdims=True)
        return joint

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of every row; of equally probable ones the first."""
        joint = self.predict_joint_log_proba(X)
        best = joint[:, 1] > joint[:, 0] if joint.shape[1] == 2 else joint.argmax(axis=1)
        labels: NDArray[Any] = self.classes_[best.astype(np.intp)]
        return labels

    def _learn(self, training: Training) -> None:
        counts = training.counts(self._threads())
        structure = self._structure_learner().learn(counts)
        network = self._parameter_learner().estimate(structure, counts, training.states)
        self._keep(training.schema, training.classes, network)

    def _keep(self, schema: Schema, classes: NDArray[Any], network: BayesianNetwork) -> None:
        self.classes_ = classes
        self.network_ = network
        self.cut_points_ = {
            coding.name: coding.cuts for coding in schema.variables if hasattr(coding, "cuts")
        }
        self._schema = schema

    def _extra_state(self) -> dict[str, Any]:
        """What a model file has to hold beside options, columns, class and network: JSON values."""
        return {}

    def _restore_extra(self, extra: Field) -> None:
        """Take back, checked, what `_extra_state` gave; the common part is there already."""
        extra.members()
        if self._schema.continuous:
            column = self._schema.codings[self._schema.continuous[0]]
            raise extra.error(f"has no densities for the numeric column {column.name!r}")

    def _batches(self, X: Any) -> Iterable[RawTable]:
        if is_stream(X):
            return TableStream(X).batches([coding.name for coding in self._schema.codings])
        return [self._read_rows(X)]

    def _joint(self, encoded: Encoded) -> Floats:
        joint = self._joint_encoded(encoded, self._threads())
        if joint.min() == -np.inf:
            impossible = np.isneginf(joint).all(axis=1)
            prior = self.network_.table(self.network_.class_node).probabilities.mean(axis=0)[0]
            with np.errstate(divide="ignore"):
                joint[impossible] = np.log(prior)
        return joint

    def _joint_encoded(self, encoded: Encoded, threads: int) -> Floats:
        return self.network_.log_joint(encoded, threads)

    def _threads(self) -> int:
        if self.n_jobs is not None and not is_whole(self.n_jobs):
            raise ValueError(f"n_jobs={self.n_jobs!r} must be None or a whole number.")
        return int(effective_n_jobs(self.n_jobs))

    def _settings(self) -> Settings:
        require_choice("missing", self.missing, ("value", "ignore"))
        require_choice("unseen", self.unseen, ("missing", "error"))
        discretizer = MDLPDiscretizer() if self.discretizer is None else self.discretizer
        if not isinstance(discretizer, Discretizer):
            raise ValueError(
                f"discretizer={self.discretizer!r} must be an MDLPDiscretizer or an "
                "EqualFrequencyDiscretizer."
            )
        return Settings(self.categorical_features, discretizer, self.missing == "value")

    def _read_rows(self, X: Any) -> RawTable:
        """Rows to predict: the columns of training, by name where there are names."""
        table = read_table(X)
        _check_feature_names(self, X, reset=False)
        if len(table.columns) != self.n_features_in_:
            raise ValueError(
                f"X has {len(table.columns)} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input."
            )
        names = [coding.name for coding in self._schema.codings]
        if self._schema.named and table.names is not None and table.names != names:
            was, now = next((a, b) for a, b in zip(names, table.names, strict=True) if a != b)
            raise ValueError(
                f"The feature names should match those that were passed during fit: column {was!r} "
                f"was in the place of {now!r}."
            )
        return table

    def _read_memory(
        self, X: Any, y: Any, sample_weight: ArrayLike | None, classes: Any = None
    ) -> Training:
        settings = self._settings()
        table = read_table(X)
        _check_feature_names(self, X, reset=True)
        self.n_features_in_ = len(table.columns)
        class_name = getattr(y, "name", None)
        if classes is None:
            classes, target = encode_target(y, table.rows)
        else:
            classes = known_classes(classes)
            target = codes_of(y, classes, table.rows)
        weights = row_weights(sample_weight, table.rows)
        if weights is not None and (weights == 0).any():
            used = weights > 0
            table, target, weights = table.take(used), target[used], weights[used]
        schema = fit_schema(table, target, len(classes), weights, settings)
        encoded = replace(
            schema.encode(table, self._threads()),
            target=target,
            n_classes=len(classes),
            weights=weights,
        )
        name = str(class_name) if class_name is not None else "class"
        return Training(schema, classes, name, MemoryEngine(encoded))

    def _read_stream(self, X: Any, y: Any, sample_weight: ArrayLike | None) -> Training:
        if not isinstance(y, str):
            raise ValueError("With files, y must be the name of the column that holds the class.")
        if sample_weight is not None:
            raise ValueError("sample_weight is not supported with files: repeat the rows instead.")
        settings = self._settings()
        stream = TableStream(X, y)
        rows, classes = stream.count_rows(), stream.classes()
        schema = fit_stream_schema(stream, classes, rows, settings)
        self.n_features_in_ = len(stream.features)
        self.feature_names_in_ = np.array(stream.features, dtype=object)

        def batches() -> Iterator[Encoded]:
            for table, labels in stream.labelled(stream.features):
                yield replace(
                    schema.encode(table, self._threads()),
                    target=codes_of(labels, classes, table.rows),
                    n_classes=len(classes),
                )

        return Training(schema, classes, y, StreamEngine(batches, rows))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def row_weights(sample_weight: ArrayLike | None, rows: int) -> Floats | None:
    """Checked weights; None where all are 1."""
    if sample_weight is None:
        return None
    weights: Floats = _check_sample_weight(sample_weight, np.empty((rows, 1)), dtype=np.float64)
    if (weights < 0).any():
        row = int(np.argmax(weights < 0))
        raise ValueError(f"Negative values in data passed to `sample_weight` (first: row {row}).")
    if weights.max() > LARGEST_WEIGHT / rows:
        raise ValueError(f"The sample weights sum to more than {LARGEST_WEIGHT:g}: rescale them.")
    if not weights.any():
        raise ValueError("All sample weights are 0: no row is left to learn from.")
    return None if (weights == 1).all() else np.require(weights, requirements=["A", "C"])
