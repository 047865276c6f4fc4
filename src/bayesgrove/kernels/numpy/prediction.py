"""Sum the logarithms that make up the joint probabilities of rows with every class.

The class probabilities and the most probable classes follow from these sums.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats


def log_joint(
    columns: Sequence[Codes],
    starts: NDArray[np.int32],
    variables: NDArray[np.int32],
    strides: NDArray[np.int64],
    tables: NDArray[np.int64],
    widths: NDArray[np.int32],
    values: Floats,
    rows: int,
    n_classes: int,
    threads: int,
) -> Floats:
    """Return unnormalised log class probabilities: the sum of one table row per factor.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n_rows,)
        Codes of each column.
    starts : ndarray of shape (n_factors + 1,)
        Factor ``f`` reads the columns ``variables[starts[f]:starts[f + 1]]``.
    variables : ndarray
        Numbers of the columns that the factors read, one factor after another.
    strides : ndarray
        Stride of each entry of `variables`. A factor uses row ``sum(code * stride)`` of its table.
    tables : ndarray of shape (n_factors,)
        The table of factor ``f`` starts at ``values[tables[f]]`` and ends where the next one
        starts.
    widths : ndarray of shape (n_factors,)
        Numbers per table row: one per class, or a single number for all classes.
    values : ndarray
        Logarithms in all tables.
    rows : int
        Number of rows.
    n_classes : int
        Number of classes.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.

    Returns
    -------
    ndarray of shape (rows, n_classes)
        Joint log-probability of each row with each class.
    """
    out = np.zeros((rows, n_classes))
    for f, (table, width) in enumerate(zip(tables, widths, strict=True)):
        index = np.zeros(rows, dtype=np.int64)
        for v in range(starts[f], starts[f + 1]):
            index += columns[variables[v]].astype(np.int64) * strides[v]
        out += values[table + index[:, None] * width + np.arange(width)]
    return out


def probabilities_of_joint(joint: Floats, logs: bool, threads: int) -> Floats:
    """Return the class probabilities, or their logarithms, from joint log-probabilities.

    Parameters
    ----------
    joint : ndarray of shape (n_rows, n_classes)
        Joint log-probability of each row with each class.
    logs : bool
        Whether to return logarithms.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.

    Returns
    -------
    ndarray of shape (n_rows, n_classes)
        Class probabilities. A row that is impossible under every class has NaN.
    """
    with np.errstate(invalid="ignore"):
        below: Floats = joint - joint.max(axis=1, keepdims=True)
        shares: Floats = np.exp(below)
        total = shares.sum(axis=1, keepdims=True)
        probabilities: Floats = below - np.log(total) if logs else shares / total
    return probabilities


def choices_of_joint(joint: Floats, noise: float, threads: int) -> NDArray[np.int64]:
    """Return the most probable class of each row.

    Parameters
    ----------
    joint : ndarray of shape (n_rows, n_classes)
        Joint log-probability of each row with each class.
    noise : float
        Classes within ``noise * (1 + abs(top))`` of the top are tied: the distance is relative
        where the top is large.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.

    Returns
    -------
    ndarray of shape (n_rows,)
        Class codes. Ties go to the first class. Rows that are impossible under every class get the
        first class.
    """
    with np.errstate(invalid="ignore"):
        top = joint.max(axis=1, keepdims=True)
        near = joint >= top - noise * (1.0 + np.abs(top))
    near[:, -1] = True
    choices: NDArray[np.int64] = np.argmax(near, axis=1).astype(np.int64)
    return choices


def class_probabilities(
    columns: Sequence[Codes],
    starts: NDArray[np.int32],
    variables: NDArray[np.int32],
    strides: NDArray[np.int64],
    tables: NDArray[np.int64],
    widths: NDArray[np.int32],
    values: Floats,
    parents: NDArray[np.int32],
    missing: NDArray[np.uint32],
    rows: int,
    n_classes: int,
    logs: bool,
    threads: int,
) -> tuple[Floats, NDArray[np.int64]]:
    """Return the class probabilities, and the rows that they do not settle.

    The probabilities are `probabilities_of_joint` of `log_joint`. A row is unsettled if a column of
    `parents` is missing, or if the row is impossible under every class.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n_rows,)
        Codes of each column.
    starts : ndarray of shape (n_factors + 1,)
        Factor ``f`` reads the columns ``variables[starts[f]:starts[f + 1]]``.
    variables : ndarray
        Numbers of the columns that the factors read, one factor after another.
    strides : ndarray
        Stride of each entry of `variables`. A factor uses row ``sum(code * stride)`` of its table.
    tables : ndarray of shape (n_factors,)
        The table of factor ``f`` starts at ``values[tables[f]]`` and ends where the next one
        starts.
    widths : ndarray of shape (n_factors,)
        Numbers per table row: one per class, or a single number for all classes.
    values : ndarray
        Logarithms in all tables.
    parents : ndarray
        Numbers of the columns whose missing values leave a row unsettled.
    missing : ndarray
        Code of a missing value in each of these columns.
    rows : int
        Number of rows.
    n_classes : int
        Number of classes.
    logs : bool
        Whether to return logarithms of the probabilities.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.

    Returns
    -------
    probabilities : ndarray of shape (rows, n_classes)
        Class probabilities, or their logarithms.
    unsettled : ndarray
        Numbers of the unsettled rows, in ascending order.
    """
    layout = starts, variables, strides, tables, widths, values
    joint = log_joint(columns, *layout, rows, n_classes, threads)
    unsettled = _unsettled(columns, parents, missing, joint)
    return probabilities_of_joint(joint, logs, threads), unsettled


def class_choices(
    columns: Sequence[Codes],
    starts: NDArray[np.int32],
    variables: NDArray[np.int32],
    strides: NDArray[np.int64],
    tables: NDArray[np.int64],
    widths: NDArray[np.int32],
    values: Floats,
    parents: NDArray[np.int32],
    missing: NDArray[np.uint32],
    rows: int,
    n_classes: int,
    noise: float,
    threads: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the most probable classes, and the rows that they do not settle.

    The classes are `choices_of_joint` of `log_joint`. A row is unsettled if a column of `parents`
    is missing, or if the row is impossible under every class.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n_rows,)
        Codes of each column.
    starts : ndarray of shape (n_factors + 1,)
        Factor ``f`` reads the columns ``variables[starts[f]:starts[f + 1]]``.
    variables : ndarray
        Numbers of the columns that the factors read, one factor after another.
    strides : ndarray
        Stride of each entry of `variables`. A factor uses row ``sum(code * stride)`` of its table.
    tables : ndarray of shape (n_factors,)
        The table of factor ``f`` starts at ``values[tables[f]]`` and ends where the next one
        starts.
    widths : ndarray of shape (n_factors,)
        Numbers per table row: one per class, or a single number for all classes.
    values : ndarray
        Logarithms in all tables.
    parents : ndarray
        Numbers of the columns whose missing values leave a row unsettled.
    missing : ndarray
        Code of a missing value in each of these columns.
    rows : int
        Number of rows.
    n_classes : int
        Number of classes.
    noise : float
        Classes within ``noise * (1 + abs(top))`` of the top are tied. Ties go to the first class.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.

    Returns
    -------
    choices : ndarray of shape (rows,)
        Code of the most probable class of each row.
    unsettled : ndarray
        Numbers of the unsettled rows, in ascending order.
    """
    layout = starts, variables, strides, tables, widths, values
    joint = log_joint(columns, *layout, rows, n_classes, threads)
    unsettled = _unsettled(columns, parents, missing, joint)
    return choices_of_joint(joint, noise, threads), unsettled


def _unsettled(
    columns: Sequence[Codes],
    parents: NDArray[np.int32],
    missing: NDArray[np.uint32],
    joint: Floats,
) -> NDArray[np.int64]:
    """Return the numbers of the rows that have a missing parent or are impossible."""
    marked = np.isneginf(joint).all(axis=1)
    for v, code in zip(parents, missing, strict=True):
        marked |= columns[v] == code
    return np.flatnonzero(marked).astype(np.int64)
