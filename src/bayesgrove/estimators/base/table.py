"""What all estimators share: a table in, encoded rows out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator
from sklearn.utils.validation import _check_feature_names, _check_sample_weight

from bayesgrove._utils.options import OptionError, is_whole, require_choice
from bayesgrove.counts import CountSource, Engine, MemoryEngine, StreamEngine
from bayesgrove.encoding import (
    Discretizer,
    Encoded,
    MDLPDiscretizer,
    MixedTable,
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
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray
    from sklearn.utils import Tags

    from bayesgrove.kernels import Floats


LARGEST_WEIGHT = 1e100
IN_MEMORY = "This method needs all rows in memory: read the files into a table."


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

    def mixed(self) -> MixedTable:
        """The rows as columns of codes and numbers; they must be in memory."""
        if self.engine.whole is None:
            raise ValueError(IN_MEMORY)
        return self.schema.mixed(self.engine.whole)


class TableEstimator(BaseEstimator):
    """Base of what learns from tables, also from a `RawTable`; subclasses have these options."""

    categorical_features: Any
    discretizer: Discretizer | None
    missing: str
    n_jobs: int | None
    schema_: Schema

    def _read(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Training:
        """Training rows from memory or from files."""
        read = self._read_stream if is_stream(X) else self._read_memory
        return read(X, y, sample_weight)

    def _threads(self) -> int:
        if self.n_jobs is not None and not is_whole(self.n_jobs):
            raise OptionError(f"n_jobs={self.n_jobs!r} must be None or a whole number.")
        return int(effective_n_jobs(self.n_jobs))

    def _settings(self) -> Settings:
        require_choice("missing", self.missing, ("value", "ignore"))
        discretizer = MDLPDiscretizer() if self.discretizer is None else self.discretizer
        if not isinstance(discretizer, Discretizer):
            raise OptionError(
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
        if self.schema_.named and table.names is not None:
            require_same_names([coding.name for coding in self.schema_.codings], table.names)
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


def require_same_names(before: list[str], names: list[str]) -> None:
    """Refuse columns that are not those of training, or not in their order."""
    for was, now in zip(before, names, strict=True):
        if was != now:
            raise ValueError(
                f"The feature names should match those that were passed during fit: column {was!r} "
                f"was in the place of {now!r}."
            )
