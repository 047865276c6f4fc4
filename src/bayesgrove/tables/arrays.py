"""Tables from numpy arrays, masked arrays and nested lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.tables.columns import (
    DATES,
    Batch,
    beyond_floats,
    check_size,
    kernel_type,
    matrix_batch,
    object_column,
    python_numbers,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray


def array_batch(X: Any) -> Batch:
    """Return an array, or nested sequences of rows, as a batch without column names."""
    array = _unmasked(X) if isinstance(X, np.ma.MaskedArray) else as_array(X)
    _check_shape(array)
    kind = array.dtype.kind
    if kind == "c":
        raise ValueError(
            "Complex data not supported: give the real and imaginary parts as columns."
        )
    if kind in "iuf" and array.dtype.isnative and array.dtype.itemsize <= 8:
        if array.dtype == np.uint64 and beyond_floats(array):
            columns = [python_numbers(column) for column in array.T.astype(object)]
            return Batch(None, len(array), columns)
        return matrix_batch(kernel_type(array))
    if kind in "Mm":
        raise ValueError(DATES.format("x0"))
    return Batch(
        None, len(array), [object_column(array[:, j], f"x{j}") for j in range(array.shape[1])]
    )


def as_array(X: Any) -> NDArray[Any]:
    """Return nested sequences of rows as an array that keeps the type of each cell."""
    if isinstance(X, np.ndarray):
        return X
    try:
        array = np.asarray(X)
    except ValueError:  # The rows have unequal lengths, or the cells are sequences.
        array = np.asarray(X, dtype=object)
    if array.dtype.kind in "US" and isinstance(X, (list, tuple)):
        # numpy turns [1, "a"] into ["1", "a"]. An object array keeps the original cells.
        array = np.array(X, dtype=object)
    return array


def _unmasked(X: Any) -> NDArray[Any]:
    """Return a masked array as a plain array with masked cells as missing values."""
    exact = X.dtype.kind in "iu" and beyond_floats(X.data)
    numeric = X.dtype.kind in "iufb" and not exact
    filled: NDArray[Any] = X.data.astype(np.float64 if numeric else object)
    filled[np.ma.getmaskarray(X)] = np.nan if numeric else None
    return filled


def _check_shape(array: NDArray[Any]) -> None:
    """Raise unless the array has two dimensions, at least one row and at least one column."""
    if array.ndim < 2:
        kind = "scalar array" if array.ndim == 0 else "1D array"
        raise ValueError(
            f"Expected 2D array, got {kind} instead:\narray={array}.\n"
            "Reshape your data either using array.reshape(-1, 1) if your data has a single feature "
            "or array.reshape(1, -1) if it contains a single sample."
        )
    if array.ndim > 2:
        raise ValueError(f"Found array with dim {array.ndim}, while dim <= 2 is required by X.")
    check_size(array.shape[0], array.shape[1])
