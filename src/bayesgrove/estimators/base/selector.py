"""Bases of the selectors of attributes, which are scikit-learn transformers."""

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
    """Base of the selectors: gives the selected columns of a table as the table has them."""

    def transform(self, X: Any) -> Any:
        """The selected columns, in their order: of a data frame a data frame."""
        check_is_fitted(self)
        if is_external(X):
            raise ValueError("transform takes rows; give files to a classifier that selects.")
        table = as_table(self, X, reset=False)
        if self._named and is_frame(table):
            require_same_names(self._column_names(), names_of(table))
        return columns_of(table, self.get_support(indices=True).tolist())

    @property
    @abstractmethod
    def _named(self) -> bool:
        """Whether the columns of training had names."""

    def _keep_selection(
        self, selected: Sequence[str], path: Sequence[Step], sample_fraction: float = 1.0
    ) -> None:
        self.selected_ = list(selected)
        self.path_ = list(path)
        if not self.selected_:
            warn_of_none("transform gives a table without columns", sample_fraction=sample_fraction)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        return tags


class TableSelector(ColumnSelector, TableEstimator):
    """Base of the selectors that learn from tables as the classifiers do.

    A subclass says by `_selector` what selects: from counts, or from rows.
    """

    @abstractmethod
    def _selector(self) -> Selector | RowSelector:
        """Return what selects."""

    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Select attributes; X, y and sample_weight are as those of the classifiers."""
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
        """Keep what else is told of a selection."""

    def _column_names(self) -> list[str]:
        return [coding.name for coding in self.schema_.codings]

    @property
    def _named(self) -> bool:
        return self.schema_.named


def as_table(selector: Any, X: Any, *, reset: bool) -> Any:
    """A data frame as it is, anything else as an array; its columns are checked."""
    if not is_frame(X):
        X = X if hasattr(X, "shape") or hasattr(X, "__array__") else as_array(X)
        X = check_array(X, dtype=None, ensure_all_finite=False, estimator=selector)
    validate_data(selector, X, reset=reset, skip_check_array=True)
    return X


def columns_of(table: Any, places: list[int]) -> Any:
    """Some columns of a data frame or an array."""
    if nw.dependencies.is_pandas_dataframe(table):
        return table.iloc[:, places]
    if is_frame(table):
        return nw.from_native(table, eager_only=True)[:, places].to_native()
    return table[:, places]


def names_of(table: Any) -> list[str]:
    """Names of the columns; ``x0``, ``x1``, ... where there are none."""
    if is_frame(table):
        return column_names(table)
    return [f"x{j}" for j in range(table.shape[1])]
