"""Sum out the missing attributes of rows, one row at a time."""

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
    """Sum missing attributes out of the tables that have them, for some rows.

    Table ``v`` is the table of variable ``v`` given its parents. The last variable is the class.
    The tables of a row are the tables of the attributes that are summed out and the tables of their
    children. A child that is missing but not summed out sums to one, so its table is left out.

    Parameters
    ----------
    cards : ndarray of shape (n_variables,)
        Cardinality of each variable.
    starts : ndarray of shape (n_tables + 1,)
        Table ``f`` has the variables ``scopes[starts[f]:starts[f + 1]]``.
    scopes : ndarray
        Variables of all tables, one table after another. The last variable of a table varies
        fastest.
    offsets : ndarray of shape (n_tables,)
        The cells of table ``f`` begin at ``values[offsets[f]]``.
    values : ndarray
        Cells of all tables, as probabilities and not as logarithms.
    columns : sequence of ndarray of shape (n_rows,)
        Codes of each attribute. The code ``cards[j]`` stands for a missing value in column ``j``.
    rows : ndarray of shape (n_selected,)
        Numbers of the rows to work on.
    active : ndarray of shape (n_attributes, n_selected)
        1 where a missing attribute is summed out of row ``rows[k]``.
    limit : float
        Largest number of cells that a row may need. A row that needs more is left at zero.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.

    Returns
    -------
    logs : ndarray of shape (n_selected, n_classes)
        Logarithms of the sums, one per class.
    largest : float
        Largest number of cells that a row needs.
    """
    layout = cards, starts, scopes
    goal = np.array([len(columns)], dtype=np.int32)
    out = np.zeros((len(rows), cards[-1]))
    largest = 0.0
    for k, row in enumerate(rows):
        codes = np.array([int(column[row]) for column in columns], dtype=np.int32)
        evidence = np.append(np.where(codes < cards[:-1], codes, -1), -1).astype(np.int32)
        which = _touched(starts, scopes, evidence, active[:, k])
        order, cells = elimination_order(*layout, which, evidence, goal)
        needed = float((cells / cards[order]).sum())
        largest = max(largest, needed)
        if needed <= limit:
            out[k] = sum_product(*layout, offsets, values, which, evidence, order, goal)
    return out, largest


def _touched(
    starts: NDArray[np.int32], scopes: NDArray[np.int32], evidence: NDArray[Any], active: Any
) -> NDArray[np.int32]:
    """Return the tables of the attributes to sum out, and of children that do not sum to one."""
    marked = np.append(active.astype(bool), False)
    tables = [
        v
        for v in range(len(marked))
        if marked[scopes[starts[v] : starts[v + 1]]].any()
        and (v == len(active) or evidence[v] >= 0 or marked[v])
    ]
    return np.array(tables, dtype=np.int32)
