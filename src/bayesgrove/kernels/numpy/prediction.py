"""Sum the logarithms that make up the joint probabilities of rows with every class."""

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
    ``values[tables[f]]`` and has ``widths[f]`` numbers a row: one a class, or one for all.
    """
    out = np.zeros((rows, n_classes))
    for f, (table, width) in enumerate(zip(tables, widths, strict=True)):
        index = np.zeros(rows, dtype=np.int64)
        for v in range(starts[f], starts[f + 1]):
            index += columns[variables[v]].astype(np.int64) * strides[v]
        out += values[table + index[:, None] * width + np.arange(width)]
    return out
