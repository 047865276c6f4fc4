"""Tables from data frames: pandas frames block by block, all others through narwhals."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import narwhals.stable.v1 as nw
import numpy as np
import pandas as pd

from bayesgrove._utils.wording import listed
from bayesgrove.tables.arrow import dictionary_labels, require_arrow, string_labels
from bayesgrove.tables.columns import (
    DATES,
    FEW_ROWS,
    NESTED,
    Batch,
    Column,
    Labels,
    Numbers,
    check_size,
    factorize,
    kernel_type,
    matrix_batch,
    object_column,
    plain_label,
    python_numbers,
)
from bayesgrove.tables.numerals import EXACT_INTEGERS

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence


def is_frame(X: Any) -> bool:
    """Return whether X is a data frame of any library with its rows in memory."""
    if isinstance(X, pd.DataFrame) or _is_record_batch(X):
        return True
    return bool(nw.dependencies.is_into_dataframe(X))


def _is_record_batch(X: Any) -> bool:
    """Return whether X is an Arrow record batch."""
    return type(X).__name__ == "RecordBatch" and type(X).__module__.startswith("pyarrow")


def _eager(X: Any) -> nw.DataFrame[Any]:
    """Return a data frame with the methods of narwhals, which does not know record batches."""
    if _is_record_batch(X):
        X = require_arrow().Table.from_batches([X])
    return nw.from_native(X, eager_only=True)


def frame_batch(X: Any) -> Batch:
    """Return a data frame as a batch."""
    names = column_names(X)
    if isinstance(X, pd.DataFrame):
        return _pandas_batch(X, names)
    frame = _eager(X)
    check_size(len(frame), len(names))
    columns = [_column(frame.get_column(name), name) for name in names]
    return Batch(names, len(frame), columns)


def plain_frame(X: Any) -> Any:
    """Return a data frame of any library as a pandas frame, and everything else as it is.

    The column names must be unique.
    """
    if not is_frame(X):
        return X
    column_names(X)
    if isinstance(X, pd.DataFrame):
        return X
    return _eager(X).to_pandas()


def split_frame(X: Any, name: str) -> tuple[Any, Any]:
    """Return a data frame without a column, and the column; raise if it is not there."""
    names = column_names(X)
    if name not in names:
        raise ValueError(
            f"X does not have the column {name!r}, only {listed(map(repr, names), 10)}. "
            "Give the name of the class column, or one label per row."
        )
    if isinstance(X, pd.DataFrame):
        place = names.index(name)
        return X.drop(columns=X.columns[place]), X.iloc[:, place]
    frame = _eager(X)
    return frame.drop(name).to_native(), frame.get_column(name).to_pandas()


def column_names(X: Any) -> list[str]:
    """Return the column names of a data frame as strings; raise unless they are unique."""
    raw: Sequence[Hashable] = (
        X.schema.names
        if _is_record_batch(X)
        else X.column_names
        if hasattr(X, "column_names")
        else list(X.columns)
    )
    names = [str(name) for name in raw]
    if len(set(names)) < len(names):
        repeated = next(name for name, times in Counter(names).items() if times > 1)
        raise ValueError(
            f"Column names must be unique, but {repeated!r} occurs more than once: rename one."
        )
    return names


def _pandas_batch(X: pd.DataFrame, names: list[str]) -> Batch:
    """Return a pandas frame as a batch; as one matrix, without a copy, if it is one block."""
    check_size(len(X), len(names))
    blocks = _blocks(X)
    if len(blocks) == 1:
        places, values = blocks[0]
        in_order = places.tolist() == list(range(len(names)))
        if values.ndim == 2 and _is_plain(values) and in_order:
            return matrix_batch(kernel_type(values.T), names)
    columns: dict[int, Column] = {}
    for places, values in blocks:
        for k, j in enumerate(places.tolist()):
            column = values if values.ndim == 1 else values[k]
            columns[j] = pandas_column(column, names[j])
    return Batch(names, len(X), [columns[j] for j in range(len(names))])


def _blocks(X: pd.DataFrame) -> list[tuple[Any, Any]]:
    """Return the column indices and values of each block: one array for columns of one type."""
    try:
        return [(block.mgr_locs.as_array, block.values) for block in X._mgr.blocks]
    except AttributeError:  # Blocks are internal to pandas: another version may not have them.
        return [(np.array([j]), X.iloc[:, j].array) for j in range(X.shape[1])]


def pandas_column(values: Any, name: str) -> Column:
    """Return a pandas or numpy array as a column."""
    if isinstance(values, np.ndarray):
        return _numpy_column(values, name)
    if isinstance(values, pd.Categorical):
        labels = [plain_label(label) for label in values.categories]
        return Labels(labels, values.codes, declared=True)
    if isinstance(values, pd.arrays.NumpyExtensionArray):
        return _numpy_column(values.to_numpy(), name)
    if len(values) <= FEW_ROWS and isinstance(values.dtype, pd.StringDtype):
        few = values.__arrow_array__().to_pylist() if _has_arrow(values) else values.tolist()
        return factorize(few, name)
    return _column(nw.from_native(pd.Series(values), series_only=True), name)


def _has_arrow(values: Any) -> bool:
    """Return whether a pandas array can be converted to an Arrow array."""
    return hasattr(values, "__arrow_array__")


def _numpy_column(values: Any, name: str) -> Column:
    """Return a numpy array as a column."""
    if _is_plain(values):
        return Numbers(kernel_type(values))
    if values.dtype.kind in "iuf":
        if values.dtype == np.uint64 and int(values.max(initial=0)) > EXACT_INTEGERS:
            return python_numbers(values.astype(object))
        return Numbers(kernel_type(values))
    if values.dtype.kind in "Mm":
        raise ValueError(DATES.format(name))
    return object_column(values, name)


def _is_plain(values: Any) -> bool:
    """Return whether the kernels accept an array without conversion."""
    return isinstance(values, np.ndarray) and values.dtype in _PLAIN_TYPES


_PLAIN_TYPES = {np.dtype(kind) for kind in ("f8", "f4", "i8", "i4", "i2", "i1", "u4", "u2", "u1")}


def _column(series: Any, name: str) -> Column:
    """Return a narwhals series as a column."""
    dtype = series.dtype
    if dtype == nw.Categorical or dtype == nw.Enum:
        return _categorical(series, name)
    if dtype.is_numeric():
        return _numbers(series.cast(nw.Float64) if dtype in (nw.Int128, nw.UInt128) else series)
    if dtype in (nw.Struct, nw.List, nw.Array):
        raise ValueError(NESTED.format(name))
    if dtype in (nw.Datetime, nw.Date, nw.Duration, nw.Time):
        raise ValueError(DATES.format(name))
    if dtype == nw.String:
        return _strings(series, name)
    return object_column(np.asarray(series.to_numpy(), dtype=object), name)


def _strings(series: Any, name: str) -> Column:
    """Return a text series as labels, through Arrow's dictionary encoding where possible."""
    native = series.to_native()
    if hasattr(native, "array") and _has_arrow(native.array):
        native = native.array.__arrow_array__()
    elif hasattr(native, "to_arrow"):
        native = native.to_arrow()
    if hasattr(native, "dictionary_encode"):
        return string_labels(native)
    return factorize(np.asarray(series.to_numpy(), dtype=object), name)


def _numbers(series: Any) -> Numbers:
    """Return a numeric series as numbers; large integers stay exact."""
    whole = series.dtype.is_integer()
    if whole and (series.null_count() or series.dtype == nw.UInt64) and _is_beyond(series):
        return python_numbers(np.array(series.to_list(), dtype=object))
    native = series.to_native()
    if isinstance(native, pd.Series) and native.isna().any():
        values = native.to_numpy(dtype=np.float64, na_value=np.nan)
    elif not isinstance(native, pd.Series) and series.null_count():
        values = series.cast(nw.Float64).to_numpy()
    else:
        values = series.to_numpy()
    return Numbers(kernel_type(values))


def _is_beyond(series: Any) -> bool:
    """Return whether a series has integers that a float cannot hold exactly."""
    low, high = series.min(), series.max()
    return low is not None and max(abs(int(low)), abs(int(high))) > EXACT_INTEGERS


def _categorical(series: Any, name: str) -> Labels:
    """Return a categorical series as labels; declared categories keep their order."""
    native = series.to_native()
    if hasattr(native, "unify_dictionaries"):
        return dictionary_labels(native, declared=True)
    values = np.asarray(series.to_numpy(), dtype=object)
    if series.dtype == nw.Enum:
        return factorize(values, name, series.cat.get_categories().to_list())
    # polars orders these categories by its global cache, which is not an order of the data.
    return factorize(values, name)
