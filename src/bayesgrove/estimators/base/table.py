"""Base class of all estimators: it reads and encodes tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator
from sklearn.utils.validation import _check_feature_names, _check_sample_weight

from bayesgrove._utils.options import OptionError, require_choice, require_n_jobs
from bayesgrove._utils.warnings import warn_caller
from bayesgrove._utils.wording import listed
from bayesgrove.counts import CountSource, Engine, MemoryEngine, StoreEngine
from bayesgrove.encoding import (
    CodeStore,
    Discretizer,
    Encoded,
    MDLPDiscretizer,
    MixedTable,
    Schema,
    Settings,
    codes_of,
    encode_batch,
    encode_table,
    encode_target,
    fit_schema,
    known_classes,
    load_rows,
)
from bayesgrove.estimators.base.docstrings import complete_docstring
from bayesgrove.tables import (
    Batch,
    Table,
    TableError,
    batch_of,
    is_external,
    is_frame,
    split_frame,
    table_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray
    from sklearn.utils import Tags

    from bayesgrove.kernels import Floats


LARGEST_WEIGHT = 1e100


@dataclass(frozen=True)
class Training:
    """Encoded training rows, in memory or in a spill file.

    Parameters
    ----------
    schema : Schema
        How the columns are encoded.
    classes : ndarray of shape (n_classes,)
        The class labels, sorted.
    class_name : str
        The name of the class.
    rows : Encoded or CodeStore
        The codes of all rows.
    """

    schema: Schema
    classes: NDArray[Any]
    class_name: str
    rows: Encoded | CodeStore

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

    @cached_property
    def engine(self) -> Engine:
        """The engine that counts these rows."""
        return MemoryEngine(self.rows) if isinstance(self.rows, Encoded) else StoreEngine(self.rows)

    def counts(self, threads: int) -> CountSource:
        """Return the counts of the discrete columns of these rows."""
        cards = [*self.schema.cards, len(self.classes)]
        return CountSource(self.engine, self.names, cards, threads)

    def mixed(self) -> MixedTable:
        """Return the rows as columns of codes and of numbers, in memory."""
        return self.schema.mixed(load_rows(self.rows))


class TableEstimator(BaseEstimator):
    """Base class of all estimators; subclasses have the options that are annotated here.

    The docstring of a subclass is completed with the descriptions of shared options.
    """

    categorical_features: Any
    discretizer: Discretizer | None
    missing: str
    n_jobs: int | None
    schema_: Schema

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.__doc__ = complete_docstring(cls)

    def _read(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Training:
        """Read and encode training rows, in memory or from a file, dataset or stream."""
        if not is_external(X):
            if isinstance(y, str) and is_frame(X):
                X, y = split_frame(X, y)
            return self._read_memory(X, y, sample_weight)
        return self._read_table(table_of(X), y, sample_weight)

    def _threads(self) -> int:
        """Return the number of threads that ``n_jobs`` stands for."""
        require_n_jobs(self.n_jobs)
        return int(effective_n_jobs(self.n_jobs))

    @property
    def _offers_em(self) -> bool:
        """Whether the estimator can learn with ``missing="em"``."""
        return False

    def _settings(self) -> Settings:
        """Return how columns are encoded; raise unless the options for it are valid."""
        require_choice("missing", self.missing, ("value", "ignore", "em"))
        if self.missing == "em" and not self._offers_em:
            raise OptionError(
                f"missing='em' is not offered by {self!r:.200}. It needs a classifier that learns "
                "one network from counts, or averages over given orders: use missing='ignore' or "
                "missing='value'."
            )
        discretizer = MDLPDiscretizer() if self.discretizer is None else self.discretizer
        if not isinstance(discretizer, Discretizer):
            raise OptionError(
                f"discretizer={self.discretizer!r} must be an MDLPDiscretizer or an "
                "EqualFrequencyDiscretizer."
            )
        return Settings(self.categorical_features, discretizer, self.missing == "value")

    def _read_rows(self, X: Any) -> Batch:
        """Read rows in memory; raise unless they have the columns of the training table."""
        batch = batch_of(X)
        if not self._has_these_names(X, batch):
            _check_feature_names(self, X, reset=False)
        if len(batch.columns) != self.n_features_in_:
            raise ValueError(
                f"X has {len(batch.columns)} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input."
            )
        if self.schema_.named and batch.names is not None:
            require_same_names(self.schema_.names, batch.names)
        return batch

    def _has_these_names(self, X: Any, batch: Batch) -> bool:
        """Return whether the column names equal those of `fit`, so that no check is needed."""
        if isinstance(X, np.ndarray):
            return not hasattr(self, "feature_names_in_")
        names = getattr(self, "feature_names_in_", None)
        return names is not None and batch.names == names.tolist()

    def _read_memory(
        self, X: Any, y: Any, sample_weight: ArrayLike | None, classes: Any = None
    ) -> Training:
        settings = self._settings()
        batch = batch_of(X)
        _check_feature_names(self, X, reset=True)
        self.n_features_in_ = len(batch.columns)
        class_name = getattr(y, "name", None)
        if classes is None:
            classes, target = encode_target(y, batch.rows)
        else:
            classes = known_classes(classes)
            target = codes_of(y, classes, batch.rows)
        weights = row_weights(sample_weight, batch.rows)
        if weights is not None and (weights == 0).any():
            used = weights > 0
            batch, target, weights = batch.take(used), target[used], weights[used]
        schema = fit_schema(batch, target, len(classes), weights, settings)
        encoded = replace(
            schema.encode(batch, self._threads()),
            target=target,
            n_classes=len(classes),
            weights=weights,
        )
        name = str(class_name) if class_name is not None else "class"
        return Training(schema, classes, name, encoded)

    def _read_table(self, table: Table, y: Any, sample_weight: ArrayLike | None) -> Training:
        if not isinstance(y, str):
            raise ValueError(
                "With files and streams, y must be the name of the class column. To pass labels "
                "with a lazy frame, call .collect() on it first."
            )
        if sample_weight is not None:
            raise ValueError("sample_weight is not supported with files: repeat the rows instead.")
        _pass_on_notes(table)
        encoded = encode_table(table, y, self._settings(), self._threads())
        names = encoded.schema.names
        self.n_features_in_ = len(names)
        self.feature_names_in_ = np.array(names, dtype=object)
        return Training(encoded.schema, encoded.classes, y, encoded.rows)

    def match_columns(self, table: Table) -> list[int]:
        """Return the index of every training column in a table.

        Columns are matched by name. If the training table had no column names, they are matched
        by position, unless the table has the names ``x0``, ``x1``, ...

        Parameters
        ----------
        table : Table
            The table, such as `open_table` returns it.

        Returns
        -------
        list of int
            The index in the table of every training column.

        Raises
        ------
        TableError
            If the table lacks a training column.
        """
        return self._matched(table, range(len(self.schema_.names)))

    def _matched(self, table: Table, places: Sequence[int]) -> list[int]:
        """Return the indices in a table of the training columns at some places."""
        names, table_names = self.schema_.names, table.column_names
        if not self.schema_.named and not set(names) <= set(table_names):
            names = table_names[: len(names)] + names[len(table_names) :]
        absent = [names[j] for j in places if names[j] not in table_names]
        if absent:
            problem = f"the model needs {_absent_columns(absent, table_names)}."
            raise TableError(table.source, problem)
        return [table_names.index(names[j]) for j in places]

    def _encoded_batches(self, X: Any, schema: Schema, places: Sequence[int]) -> Iterator[Encoded]:
        """Yield the encoded rows with some of the training columns, batch by batch."""
        if not is_external(X):
            yield schema.encode(self._read_rows(X).select(places), self._threads())
            return
        table = table_of(X)
        _pass_on_notes(table)
        columns = self._matched(table, places)
        first_row = 0
        # A batch without columns would have no rows: read one column and drop it again.
        for batch in table.batches(columns or [0]):
            rows = batch if columns else batch.select([])
            yield encode_batch(schema, rows, table, first_row, self._threads())
            first_row += batch.rows

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def row_weights(sample_weight: ArrayLike | None, rows: int) -> Floats | None:
    """Return the validated sample weights, or None if all are 1.

    Parameters
    ----------
    sample_weight : array-like of shape (n_rows,) or None
        The weights that the user gave.
    rows : int
        The number of rows.

    Returns
    -------
    ndarray of shape (n_rows,) or None
        The weights.
    """
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


def require_same_names(training_names: list[str], names: list[str]) -> None:
    """Raise unless the column names equal those of the training table, in the same order."""
    for training_name, name in zip(training_names, names, strict=True):
        if training_name != name:
            raise ValueError(
                "The feature names should match those that were passed during fit: column "
                f"{training_name!r} was in the place of {name!r}."
            )


def _pass_on_notes(table: Table) -> None:
    """Warn the user of the notes about how a table was read."""
    for note in table.notes:
        warn_caller(note)


def _absent_columns(absent: Sequence[str], table_names: Sequence[str]) -> str:
    """Name the absent columns, with a hint if a name differs only in case or blanks."""
    is_one = len(absent) == 1
    similar_names = {name.strip().lower(): name for name in table_names}
    like = similar_names.get(absent[0].strip().lower())
    hint = "" if like is None else f" (there is {like!r})"
    columns = f"the column{'' if is_one else 's'} {listed(map(repr, absent), 5)}"
    return f"{columns}, which {'is' if is_one else 'are'} not there{hint}"
