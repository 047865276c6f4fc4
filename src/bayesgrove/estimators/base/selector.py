"""Base classes of the attribute selectors, which are scikit-learn transformers."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, Self

import narwhals as nw
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from bayesgrove.contracts import select_from
from bayesgrove.estimators.base.selecting import SelectionMixin, warn_of_none
from bayesgrove.estimators.base.table import TableEstimator, require_same_names
from bayesgrove.estimators.base.training_data import training_data
from bayesgrove.tables import as_array, column_names, is_external, is_frame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike
    from sklearn.utils import Tags

    from bayesgrove.contracts import RowSelector, Selector, TrainingData
    from bayesgrove.selection import Step


class ColumnSelector(SelectionMixin, TransformerMixin, BaseEstimator):
    """Base class of the selectors; `transform` returns the selected columns unchanged."""

    def transform(self, X: Any) -> Any:
        """Return the selected columns, in the order of the table.

        Parameters
        ----------
        X : data frame, array or lists
            Rows in memory, with the columns of the training table.

        Returns
        -------
        data frame or ndarray
            The selected columns with unchanged values. The result is a data frame if X is one.
        """
        check_is_fitted(self)
        if is_external(X):
            raise ValueError(
                "transform needs rows in memory: read the file first, or use a classifier that "
                "selects attributes."
            )
        table = as_table(self, X, reset=False)
        if self._named and is_frame(table):
            require_same_names(self._column_names(), names_of(table))
        return columns_of(table, self.get_support(indices=True).tolist())

    @property
    @abstractmethod
    def _named(self) -> bool:
        """Whether the columns of the training table have names."""

    def _keep_selection(
        self, selected: Sequence[str], path: Sequence[Step], sample_fraction: float = 1.0
    ) -> None:
        """Set the selected attributes and the path; warn if no attribute is selected."""
        self.selected_ = list(selected)
        self.path_ = list(path)
        if not self.selected_:
            warn_of_none(
                "transform returns a table without columns", sample_fraction=sample_fraction
            )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        return tags


class TableSelector(ColumnSelector, TableEstimator):
    """Base class of the selectors that read tables as the classifiers do.

    A subclass must define `_selector`. The selector works on counts or on rows.
    """

    @abstractmethod
    def _selector(self) -> Selector | RowSelector:
        """Return the selector of attributes."""

    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Select attributes of a table.

        Parameters
        ----------
        X : data frame, array, lists, path, dataset, stream or Table
            The training rows: a data frame (pandas, Polars, Arrow), an array or lists. Or their
            source: the path of a CSV, Parquet, Feather or ARFF file, a folder or pattern of Parquet
            files, an Arrow dataset or stream (such as a DuckDB relation or a lazy Polars frame), or
            the result of `open_table`.
        y : array-like of shape (n_rows,) or str, default=None
            The class labels. If X is a path, a dataset, a stream or the result of `open_table`,
            the name of the class column. y is required; the default exists for scikit-learn only.
        sample_weight : array-like of shape (n_rows,), default=None
            Non-negative weights of the rows. None means weight 1. Only rows in memory can have
            weights.

        Returns
        -------
        Self
            The fitted selector.
        """
        selector = self._selector()
        training = self._read(X, y, sample_weight)
        data = training_data(training, self.discretizer, self._threads())
        selection = select_from(selector, data)
        self.schema_ = training.schema
        selected = [data.names[j] for j in selection.attributes]
        sample_fraction = getattr(selector, "sample_fraction", 1.0)
        self._keep_selection(selected, selection.path, sample_fraction)
        self._keep_more(data)
        return self

    def _keep_more(self, data: TrainingData) -> None:
        """Set further fitted attributes of a selection."""

    def _column_names(self) -> list[str]:
        return [coding.name for coding in self.schema_.codings]

    @property
    def _named(self) -> bool:
        return self.schema_.named


def as_table(selector: Any, X: Any, *, reset: bool) -> Any:
    """Return a data frame unchanged and anything else as an array; check the columns."""
    if not is_frame(X):
        X = X if hasattr(X, "shape") or hasattr(X, "__array__") else as_array(X)
        X = check_array(X, dtype=None, ensure_all_finite=False, estimator=selector)
    validate_data(selector, X, reset=reset, skip_check_array=True)
    return X


def columns_of(table: Any, places: list[int]) -> Any:
    """Return some columns of a data frame or an array."""
    if nw.dependencies.is_pandas_dataframe(table):
        return table.iloc[:, places]
    if is_frame(table):
        return nw.from_native(table, eager_only=True)[:, places].to_native()
    return table[:, places]


def names_of(table: Any) -> list[str]:
    """Return the names of the columns; ``x0``, ``x1``, ... if they have no names."""
    if is_frame(table):
        return column_names(table)
    return [f"x{j}" for j in range(table.shape[1])]
