"""Turn numbers into codes, by labels or by intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats

    Marks = NDArray[np.uint8]


def scan_levels(X: NDArray[Any], threads: int) -> tuple[Marks, Marks, Marks]:
    """Return which whole numbers 0..255 occur in each column, and whether other values occur.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_columns)
        Numbers of any type and memory layout.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.

    Returns
    -------
    seen : ndarray of shape (n_columns, 256)
        1 where the whole number occurs in the column.
    other : ndarray of shape (n_columns,)
        1 where the column has a value that is neither a whole number in 0..255 nor NaN.
    missing : ndarray of shape (n_columns,)
        1 where the column has a NaN.
    """
    seen = np.zeros((X.shape[1], 256), dtype=np.uint8)
    other = np.zeros(X.shape[1], dtype=np.uint8)
    for j in range(X.shape[1]):
        values = X[:, j]
        in_range = (values >= 0) & (values < 256)
        whole = values[in_range].astype(np.int64)
        seen[j, whole[whole == values[in_range]]] = 1
        other[j] = (~in_range & ~np.isnan(values)).any() or (whole != values[in_range]).any()
    missing = np.isnan(X).any(axis=0).astype(np.uint8)
    return seen, other, missing


def encode_numbers(
    X: NDArray[Any],
    points: Floats,
    starts: NDArray[np.int64],
    codes: NDArray[np.uint32],
    exact: NDArray[np.uint8],
    missing: NDArray[np.uint32],
    unseen: NDArray[np.uint32],
    outs: Sequence[Codes],
    threads: int,
) -> NDArray[np.int64]:
    """Fill ``outs[j]`` with the codes of column j.

    With cut points, the code of a value is the number of cut points below it. With labels, it is
    the code of the label that equals the value.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_columns)
        Numbers of any type and memory layout.
    points : ndarray
        Sorted cut points or labels. Those of column j are ``points[starts[j]:starts[j + 1]]``.
    starts : ndarray of shape (n_columns + 1,)
        Where the points of each column start.
    codes : ndarray
        Code of each label. Entries beside cut points are not used.
    exact : ndarray of shape (n_columns,)
        1 where the points of a column are labels, 0 where they are cut points.
    missing : ndarray of shape (n_columns,)
        Code of NaN in each column.
    unseen : ndarray of shape (n_columns,)
        Code of a number that is not a label, in each column.
    outs : sequence of ndarray of shape (n_rows,)
        Contiguous unsigned arrays that receive the codes.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.

    Returns
    -------
    ndarray of shape (n_columns, 2)
        Number of unseen values and number of infinite values in each column.
    """
    tally = np.zeros((X.shape[1], 2), dtype=np.int64)
    for j, out in enumerate(outs):
        value = X[:, j].astype(np.float64)
        of_column = slice(starts[j], starts[j + 1])
        column_points = points[of_column]
        code = np.searchsorted(column_points, value)
        nan = np.isnan(value)
        tally[j, 1] = np.isinf(value).sum()
        if exact[j]:
            place = np.minimum(code, max(starts[j + 1] - starts[j] - 1, 0))
            known = (
                column_points[place] == value if place.size and len(column_points) else nan & False
            )
            code = np.where(known, codes[of_column][place] if known.any() else 0, unseen[j])
            tally[j, 0] = ((code == unseen[j]) & ~nan).sum()
        out[:] = np.where(nan, missing[j], code)
    return tally
