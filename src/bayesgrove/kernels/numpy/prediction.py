"""Sum the logarithms that make up the joint probabilities of rows with every class.

The class probabilities, or the most probable classes, follow from these sums.
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
    """Sum over factors of the table rows that ``sum(code * stride)`` points at: (rows, classes).

    Factor ``f`` looks at the columns ``variables[starts[f]:starts[f + 1]]``; its table starts at
    ``values[tables[f]]``, ends where the next one starts, and has ``widths[f]`` numbers per row:
    one per class, or one for all.
    """
    out = np.zeros((rows, n_classes))
    for f, (table, width) in enumerate(zip(tables, widths, strict=True)):
        index = np.zeros(rows, dtype=np.int64)
        for v in range(starts[f], starts[f + 1]):
            index += columns[variables[v]].astype(np.int64) * strides[v]
        out += values[table + index[:, None] * width + np.arange(width)]
    return out


def probabilities_of_joint(joint: Floats, logs: bool, threads: int) -> Floats:
    """Return the class probabilities, or their logarithms, of joint log-probabilities.

    A row that is impossible under every class gets NaN.
    """
    with np.errstate(invalid="ignore"):
        below: Floats = joint - joint.max(axis=1, keepdims=True)
        shares: Floats = np.exp(below)
        total = shares.sum(axis=1, keepdims=True)
        found: Floats = below - np.log(total) if logs else shares / total
    return found


def choices_of_joint(joint: Floats, noise: float, threads: int) -> NDArray[np.int64]:
    """Return the most probable class per row; the first of those within ``noise`` of the top.

    The distance is relative to the top where that is large. Impossible rows get the first class.
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
    """Return `probabilities_of_joint` of `log_joint`, and the rows that they do not settle.

    These are the rows in which a column of ``parents`` has its code in ``missing``, and those that
    are impossible under every class.
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
    """Return `choices_of_joint` of `log_joint`, and the rows as of `class_probabilities`."""
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
