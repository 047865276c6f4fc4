"""What all classifiers share: a table in, counts, a network, probabilities out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from bayesgrove.classifiers.reading import TableEstimator
from bayesgrove.encoding import Continuous, TableStream, is_stream, report_unseen
from bayesgrove.options import require_choice
from bayesgrove.scores.prediction import fill_impossible, most_probable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from bayesgrove.classifiers.files import Field
    from bayesgrove.classifiers.reading import Training
    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Encoded, RawTable, Schema, Settings, Unseen
    from bayesgrove.kernels import Floats
    from bayesgrove.network import BayesianNetwork, Structure
    from bayesgrove.structures.learner import StructureLearner


UNSEEN = ("missing", "error")


class ParameterLearner(Protocol):
    """A structure and counts in, a network out."""

    def estimate(
        self, structure: Structure, counts: CountSource, states: Sequence[tuple[Any, ...]]
    ) -> BayesianNetwork:
        """The network of a structure."""


class TableClassifier(ClassifierMixin, TableEstimator, ABC):
    """Base of all classifiers: a table in, probabilities out.

    A subclass says how to learn, and what the logarithms of the probabilities of rows are.
    """

    unseen: str
    classes_: NDArray[Any]
    _class_name: str
    _places: list[int]
    _used: Schema

    @abstractmethod
    def _learn(self, training: Training) -> None:
        """Learn from rows; `_keep_columns` tells which columns are asked for in prediction."""

    @abstractmethod
    def _joint(self, encoded: Encoded, *, relative: bool) -> Floats:
        """Logarithms of what is proportional to the probabilities of the classes, row by row."""

    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Learn from a table.

        Parameters
        ----------
        X : data frame (pandas, polars, Arrow), array or lists; or the path of a Parquet file, a
            folder or pattern of them, or an Arrow dataset, which may be larger than memory
        y : class labels; the name of a column where X is a path or dataset
        sample_weight : non-negative weights of the rows; weight 2 is the row twice
        """
        training = self._read(X, y, sample_weight)
        self._learn(training)
        self._class_name = training.names[-1]
        return self

    def predict_log_proba(self, X: Any) -> Floats:
        """``ln P(class | row)``, shape (rows, classes)."""
        joint = self._predict(X, relative=True)
        shifted: Floats = joint - joint.max(axis=1, keepdims=True)
        shifted -= np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        return shifted

    def predict_proba(self, X: Any) -> Floats:
        """``P(class | row)``, shape (rows, classes), in the order of ``classes_``.

        Of a network it follows from the tables that have the class alone. Where they make a row
        impossible under every class (which needs tables without smoothing), it is that of the
        classes without a row.
        """
        joint = self._predict(X, relative=True)
        joint -= joint.max(axis=1, keepdims=True)
        np.exp(joint, out=joint)
        joint /= joint.sum(axis=1, keepdims=True)
        return joint

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of every row; of equally probable ones the first."""
        joint = self._predict(X, relative=True)
        labels: NDArray[Any] = self.classes_[most_probable(joint)]
        return labels

    def _predict(self, X: Any, *, relative: bool) -> Floats:
        """Joint log-probabilities; ``relative`` as of `BayesianNetwork.log_joint`."""
        check_is_fitted(self)
        parts: list[Floats] = []
        unseen: list[Unseen] = []
        for table in self._batches(X):
            encoded = self._used.encode(table, self._threads())
            unseen += encoded.unseen
            if self.unseen == "error":
                report_unseen(unseen, "error")
            parts.append(self._joint(encoded, relative=relative))
        if not parts:
            raise ValueError("Found array with 0 sample(s): there are no rows to predict.")
        report_unseen(unseen, self.unseen)
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _batches(self, X: Any) -> Iterable[RawTable]:
        """The columns that the model has, of all rows."""
        if not is_stream(X):
            return [self._read_rows(X).select(self._places)]
        names = [coding.name for coding in self._used.codings]
        if names:
            return TableStream(X).batches(names)
        first = self._schema.codings[0].name  # without a column there are no rows either
        return (table.select([]) for table in TableStream(X).batches([first]))

    def _keep_columns(self, schema: Schema, places: list[int]) -> None:
        """Remember the codings of all columns, and which of them the model asks for."""
        self.cut_points_ = {
            coding.name: coding.cuts for coding in schema.variables if hasattr(coding, "cuts")
        }
        self._schema = schema
        self._places = places
        self._used = schema.select(places)

    def _settings(self) -> Settings:
        require_choice("unseen", self.unseen, UNSEEN)
        return super()._settings()

    def _check_parts(self) -> None:
        """Refuse options that no model can be learned with."""

    def _options_by_place(self) -> dict[str, Any]:
        """Options that a model file holds in the order of the columns, not as they were given."""
        return {}

    def _extra_state(self) -> dict[str, Any]:
        """What a model file has to hold beside options, columns, class and network: JSON values."""
        return {}

    def _restore_extra(self, extra: Field) -> None:
        """Take back, checked, what `_extra_state` gave; the common part is there already."""
        extra.members()


class NetworkClassifier(TableClassifier):
    """Base of all network classifiers.

    A subclass says which structure and which parameters to learn; everything public derives from
    `_joint_encoded`.
    """

    @abstractmethod
    def _structure_learner(self) -> StructureLearner:
        """What learns the parents of every node."""

    @abstractmethod
    def _parameter_learner(self) -> ParameterLearner:
        """What learns the conditional tables."""

    def _beyond_network(self) -> str:
        """What predictions have and ``network_`` is without, in words; empty where it has all."""
        return ""

    def _select(self, counts: CountSource) -> CountSource:
        """The counts of the attributes that the network is to have."""
        return counts

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """``ln P(class, row)``, shape (rows, classes); what is missing is summed out.

        A row of probability zero under every class (possible without smoothing) gets the
        probabilities of the classes alone.
        """
        return self._predict(X, relative=False)

    def _learn(self, training: Training) -> None:
        counts = self._select(training.counts(self._threads()))
        structure = self._structure_learner().learn(counts)
        states = dict(zip(training.names, training.states, strict=True))
        network = self._parameter_learner().estimate(
            structure, counts, [states[name] for name in counts.names]
        )
        self._keep(training.schema, training.classes, network)

    def _keep(self, schema: Schema, classes: NDArray[Any], network: BayesianNetwork) -> None:
        self.classes_ = classes
        self.network_ = network
        nodes = set(network.nodes[:-1])
        places = [
            j
            for j, coding in enumerate(schema.codings)
            if coding.name in nodes or (isinstance(coding, Continuous) and self._has(coding.name))
        ]
        self._keep_columns(schema, places)

    def _has(self, column: str) -> bool:
        """Whether the model has a column that stays a number."""
        del column
        return True

    def _check_parts(self) -> None:
        self._structure_learner()
        self._parameter_learner()

    def _restore_extra(self, extra: Field) -> None:
        super()._restore_extra(extra)
        if self._schema.continuous:
            column = self._schema.codings[self._schema.continuous[0]]
            raise extra.error(f"has no densities for the numeric column {column.name!r}")

    def _joint(self, encoded: Encoded, *, relative: bool) -> Floats:
        joint = self._joint_encoded(encoded, self._threads(), relative=relative)
        if not np.isneginf(joint.max(axis=1)).any():
            return joint
        prior = list(self.network_.posterior(self.network_.class_node).values())
        with np.errstate(divide="ignore"):
            return fill_impossible(joint, np.log(prior))

    def _joint_encoded(self, encoded: Encoded, threads: int, *, relative: bool) -> Floats:
        return self.network_.log_joint(encoded, threads, relative=relative)
