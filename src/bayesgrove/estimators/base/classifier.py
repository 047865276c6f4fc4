"""Base class of all classifiers: they learn from a table and predict probabilities."""

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
    """Words for how a classifier handles uncut numbers, and missing values without a state.

    Parameters
    ----------
    numbers : str, default="a normal density within each class"
        How the classifier handles numbers that are not cut into intervals, or are cut again.
    missing : str, default="missing values are left out"
        How the classifier handles missing values for which there is no state.
    cuts_again : bool, default=False
        Whether the intervals of ``schema_`` are only the finest ones, and are joined in other ways.
    """

    numbers: str = "a normal density within each class"
    missing: str = "missing values are left out"
    cuts_again: bool = False


class TableClassifier(ClassifierMixin, TableEstimator, ABC):
    """Base class of all classifiers: they learn from a table and predict probabilities.

    A subclass must define `_learn`, `_joint` and `complexity`.

    Attributes
    ----------
    short_name : str
        Name of the classifier on the command line. The command line does not offer a class without
        a short name.
    predicts_most_probable : bool
        Whether `predict` returns the class with the largest probability of `predict_proba`.
    treatment : Treatment
        Words for how the classifier handles numbers and missing values.
    state_kinds : tuple of str
        Kinds of fitted state other than columns, class, selection and network. Model files have a
        codec for each kind (`bayesgrove.model_files.states`).
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
        """Learn from training rows; call `_keep_columns` with the columns that prediction needs."""

    @abstractmethod
    def _joint(self, encoded: Encoded, *, relative: bool) -> Floats:
        """Return unnormalised log class probabilities, shape (rows, classes)."""

    @abstractmethod
    def complexity(self) -> Complexity:
        """Return the size of the fitted model.

        Returns
        -------
        Complexity
            The number of attributes, arcs and free parameters.
        """

    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Learn from a table.

        Parameters
        ----------
        X : data frame, array, lists, path, dataset, stream or Table
            The training rows: a data frame (pandas, Polars, Arrow), an array or lists. Or their
            source: the path of a CSV, Parquet, Feather or ARFF file, a folder or pattern of Parquet
            files, an Arrow dataset or stream (such as a DuckDB relation or a lazy Polars frame), or
            the result of `open_table`. Parquet files, datasets and streams may be larger than
            memory.
        y : array-like of shape (n_rows,) or str, default=None
            The class labels, or the name of the class column. If X is a path, a dataset, a stream
            or the result of `open_table`, only the name; if X is an array or a list, only labels. y
            is required; the default exists for scikit-learn only.
        sample_weight : array-like of shape (n_rows,), default=None
            Non-negative weights of the rows. None means weight 1. A row of weight 2 counts as two
            equal rows, except where a learner draws rows at random or deals them into folds. Only
            rows in memory can have weights.

        Returns
        -------
        Self
            The fitted classifier.
        """
        training = self._read(X, y, sample_weight)
        self._learn(training)
        self.class_name_ = training.names[-1]
        return self

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithms of the class probabilities of rows, ``ln P(class | row)``.

        Parameters
        ----------
        X : data frame, array, lists, path, dataset, stream or Table
            The rows to predict, with the columns of the training table. `fit` lists the kinds of
            tables.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            The logarithms, with the classes in the order of ``classes_``.
        """
        return self._predict(X, "logarithms")

    def predict_proba(self, X: Any) -> Floats:
        """Return the class probabilities of rows, ``P(class | row)``.

        A network computes them from the conditional tables that contain the class. Without
        pseudo-counts, these tables may give a row the probability 0 under every class. Such a row
        gets the class probabilities before any attribute is seen.

        Parameters
        ----------
        X : data frame, array, lists, path, dataset, stream or Table
            The rows to predict, with the columns of the training table. `fit` lists the kinds of
            tables.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            The probabilities, with the classes in the order of ``classes_``.
        """
        return self._predict(X, "probabilities")

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of every row.

        Ties go to the first class in the order of ``classes_``.

        Parameters
        ----------
        X : data frame, array, lists, path, dataset, stream or Table
            The rows to predict, with the columns of the training table. `fit` lists the kinds of
            tables.

        Returns
        -------
        ndarray of shape (n_rows,)
            The class labels.
        """
        choices = self._predict(X, "choices")
        labels: NDArray[Any] = self.classes_[choices]
        return labels

    def _answer(self, encoded: Encoded, answer: Answer, threads: int) -> NDArray[Any]:
        """Return the answer for encoded rows."""
        return answer_of(self._joint(encoded, relative=True), answer, threads)

    def _predict(self, X: Any, answer: Answer | Literal["joint"]) -> NDArray[Any]:
        """Return the answer for all rows, computed batch by batch."""
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
        """Keep the codings of all columns, and the indices of the columns that the model uses."""
        self.cut_points_ = {
            coding.name: coding.cuts for coding in schema.variables if hasattr(coding, "cuts")
        }
        self.schema_ = schema
        self._places = places
        self._used = schema.select(places)

    @property
    def used_codings_(self) -> tuple[Coding, ...]:
        """Codings of the columns that predictions depend on."""
        return self._used.codings

    def settings(self) -> Settings:
        """Return the settings by which `fit` encodes columns; raise unless they are valid.

        Returns
        -------
        Settings
            The nominal columns, the discretizer, and whether missing values are a state.
        """
        return self._settings()

    def check_options(self) -> None:
        """Raise unless all options are valid.

        Raises
        ------
        OptionError
            If an option has an invalid value. Some options are checked only by `fit`, which knows
            the data.
        """
        self._settings()
        self._check_parts()

    def _settings(self) -> Settings:
        require_choice("unseen", self.unseen, UNSEEN)
        return super()._settings()

    def _check_parts(self) -> None:
        """Raise unless the learners can be created from the options."""
