"""Base of all classifiers: a table in, probabilities out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from bayesgrove._utils.options import require_choice
from bayesgrove.encoding import TableStream, is_stream, report_unseen
from bayesgrove.estimators.base.table import TableEstimator
from bayesgrove.network.answers import answer_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    from bayesgrove.encoding import Encoded, RawTable, Schema, Settings, Unseen
    from bayesgrove.estimators.base.table import Training
    from bayesgrove.kernels import Floats
    from bayesgrove.model_files import Field
    from bayesgrove.network.answers import Answer


UNSEEN = ("missing", "error")


class TableClassifier(ClassifierMixin, TableEstimator, ABC):
    """Base of all classifiers: a table in, probabilities out.

    A subclass says how to learn, and what the logarithms of the probabilities of rows are.
    """

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
        for table in self._batches(X):
            encoded = self._used.encode(table, threads)
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

    def _batches(self, X: Any) -> Iterable[RawTable]:
        """The columns that the model has, of all rows."""
        if not is_stream(X):
            return [self._read_rows(X).select(self._places)]
        names = [coding.name for coding in self._used.codings]
        if names:
            return TableStream(X).batches(names)
        first = self.schema_.codings[0].name  # without a column there are no rows either
        return (table.select([]) for table in TableStream(X).batches([first]))

    def _keep_columns(self, schema: Schema, places: list[int]) -> None:
        """Remember the codings of all columns, and which of them the model asks for."""
        self.cut_points_ = {
            coding.name: coding.cuts for coding in schema.variables if hasattr(coding, "cuts")
        }
        self.schema_ = schema
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
