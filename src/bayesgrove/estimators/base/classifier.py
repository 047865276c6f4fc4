"""Base of all classifiers: a table in, probabilities out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from bayesgrove._utils.options import require_choice
from bayesgrove.encoding import report_unseen
from bayesgrove.estimators.base.table import TableEstimator
from bayesgrove.network.answers import answer_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from bayesgrove.encoding import Coding, Encoded, Schema, Settings, Unseen
    from bayesgrove.estimators.base.complexity import Complexity
    from bayesgrove.estimators.base.table import Training
    from bayesgrove.kernels import Floats
    from bayesgrove.network.answers import Answer


UNSEEN = ("missing", "error")


class Treatment(NamedTuple):
    """In words, what becomes of numbers that are not cut, and of missing cells without a state."""

    numbers: str = "a normal density within each class"
    missing: str = "missing cells are left out"


class TableClassifier(ClassifierMixin, TableEstimator, ABC):
    """Base of all classifiers: a table in, probabilities out.

    A subclass says how to learn, and what the logarithms of the probabilities of rows are.

    Attributes
    ----------
    short_name : what the command line calls the classifier; a class without one is not there
    predicts_most_probable : whether `predict` follows from `predict_proba`
    treatment : what becomes of numbers and of missing cells, in words
    state_kinds : kinds of fitted state beside columns, class, selection and network; a model file
        has a codec for each (`bayesgrove.model_files.states`)
    """

    short_name: ClassVar[str]
    predicts_most_probable: ClassVar[bool] = True
    treatment: ClassVar[Treatment] = Treatment()
    state_kinds: ClassVar[tuple[str, ...]] = ()

    unseen: str
    classes_: NDArray[Any]
    class_name_: str
    _places: list[int]
    _used: Schema

    @abstractmethod
    def _learn(self, training: Training) -> None:
        """Learn from rows; `_keep_columns` tells which columns are asked for in prediction."""

    @abstractmethod
    def _joint(self, encoded: Encoded, *, relative: bool) -> Floats:
        """Logarithms of what is proportional to the probabilities of the classes, row by row."""

    @abstractmethod
    def complexity(self) -> Complexity:
        """Return how large the fitted model is."""

    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Learn from a table.

        Parameters
        ----------
        X : data frame (pandas, polars, Arrow), array or lists; or the path of a CSV, Parquet,
            Feather or ARFF file, a folder or pattern of Parquet files, an Arrow dataset or stream
            (a DuckDB relation, a lazy frame of Polars), or what `open_table` returns. Parquet
            files, datasets and streams may be larger than memory
        y : class labels; where X is a path, a dataset, a stream or an `open_table`, the name of the
            column that holds them
        sample_weight : non-negative weights of the rows; weight 2 is the row twice
        """
        training = self._read(X, y, sample_weight)
        self._learn(training)
        self.class_name_ = training.names[-1]
        return self

    def predict_log_proba(self, X: Any) -> Floats:
        """``ln P(class | row)``, shape (rows, classes)."""
        return self._predict(X, "logarithms")

    def predict_proba(self, X: Any) -> Floats:
        """``P(class | row)``, shape (rows, classes), in the order of ``classes_``.

        Of a network it follows from the tables that have the class alone. Where they make a row
        impossible under every class (which needs tables without smoothing), it is that of the
        classes without a row.
        """
        return self._predict(X, "probabilities")

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of every row; of equally probable ones the first."""
        choices = self._predict(X, "choices")
        labels: NDArray[Any] = self.classes_[choices]
        return labels

    def _answer(self, encoded: Encoded, answer: Answer, threads: int) -> NDArray[Any]:
        """Return what is asked of encoded rows."""
        return answer_of(self._joint(encoded, relative=True), answer, threads)

    def _predict(self, X: Any, answer: Answer | Literal["joint"]) -> NDArray[Any]:
        """Return what is asked of rows, batch by batch."""
        if not hasattr(self, "classes_"):
            check_is_fitted(self)
        threads = self._threads()
        parts: list[NDArray[Any]] = []
        unseen: list[Unseen] = []
        for encoded in self._encoded_batches(X, self._used, self._places):
            unseen += encoded.unseen
            if self.unseen == "error":
                report_unseen(unseen, "error")
            if answer == "joint":
                parts.append(self._joint(encoded, relative=False))
            else:
                parts.append(self._answer(encoded, answer, threads))
        if not parts:
            raise ValueError("Found array with 0 sample(s): there are no rows to predict.")
        report_unseen(unseen, self.unseen)
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _keep_columns(self, schema: Schema, places: list[int]) -> None:
        """Remember the codings of all columns, and which of them the model asks for."""
        self.cut_points_ = {
            coding.name: coding.cuts for coding in schema.variables if hasattr(coding, "cuts")
        }
        self.schema_ = schema
        self._places = places
        self._used = schema.select(places)

    @property
    def used_codings_(self) -> tuple[Coding, ...]:
        """Codings of the columns that predictions ask for."""
        return self._used.codings

    def settings(self) -> Settings:
        """Return how `fit` encodes columns; raise unless the options that say so are valid."""
        return self._settings()

    def check_options(self) -> None:
        """Raise unless a model can be learned with these options."""
        self._settings()
        self._check_parts()

    def _settings(self) -> Settings:
        require_choice("unseen", self.unseen, UNSEEN)
        return super()._settings()

    def _check_parts(self) -> None:
        """Raise unless the parts that learn can be made from the options."""
