"""Rows whose missing attributes are summed out one row at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.kernels.numpy.elimination import sum_product
from bayesgrove.kernels.numpy.ordering import elimination_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats


def sum_out_rows(
    cards: NDArray[np.int32],
    starts: NDArray[np.int32],
    scopes: NDArray[np.int32],
    offsets: NDArray[np.int64],
    values: Floats,
    columns: Sequence[Codes],
    rows: NDArray[np.int64],
    active: NDArray[np.uint8],
    limit: float,
    threads: int,
) -> tuple[Floats, float]:
    """Sum attributes out of the tables that have them, for some rows: logarithms per class.

    Table ``v`` is that of variable ``v`` given its parents; the last variable is the class.
    ``active[attribute, k]`` marks what is summed out of row ``rows[k]``: missing attributes. The
    tables are theirs and those of their children, but for children that are missing and not marked:
    those sum to one. Also returned is the largest number of cells that a row needs; a row that
    needs more than ``limit`` is left out.
    """
    layout = cards, starts, scopes
    goal = np.array([len(columns)], dtype=np.int32)
    out = np.zeros((len(rows), cards[-1]))
    most = 0.0
    for k, row in enumerate(rows):
        codes = np.array([int(column[row]) for column in columns], dtype=np.int32)
        evidence = np.append(np.where(codes < cards[:-1], codes, -1), -1).astype(np.int32)
        which = _touched(starts, scopes, evidence, active[:, k])
        order, cells = elimination_order(*layout, which, evidence, goal)
        needed = float((cells / cards[order]).sum())
        most = max(most, needed)
        if needed <= limit:
            out[k] = sum_product(*layout, offsets, values, which, evidence, order, goal)
    return out, most


def _touched(
    starts: NDArray[np.int32], scopes: NDArray[np.int32], evidence: NDArray[Any], active: Any
) -> NDArray[np.int32]:
    """Return the tables of what is summed out, and of its children that do not sum to one."""
    marked = np.append(active.astype(bool), False)
    found = [
        v
        for v in range(len(marked))
        if marked[scopes[starts[v] : starts[v + 1]]].any()
        and (v == len(active) or evidence[v] >= 0 or marked[v])
    ]
    return np.array(found, dtype=np.int32)
