"""Test the independence of pairs of columns within groups of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.kernels.numpy.information import fixed_terms, unit_scale
from bayesgrove.kernels.numpy.partition import split_groups

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats


def pair_tests(
    ids: NDArray[np.int32],
    groups: int,
    first: NDArray[np.int32],
    second: NDArray[np.int32],
    columns: Sequence[Codes],
    cards: Sequence[int],
    weights: Floats | None,
    threads: int,
) -> Floats:
    """Return chi-squared, G-squared and degrees of freedom of pairs of columns.

    The null hypothesis is that the two columns of a pair are independent within every group. Values
    that do not occur in a group are not counted there: a group adds
    ``(values - 1) * (values - 1)`` degrees of freedom, and none where a column is constant. Rows in
    group -1, rows of weight 0 and rows with a missing value in the pair are left out. G-squared is
    summed in integers like `information_of_tables`. The native kernel is fastest if pairs with the
    same first column are adjacent.

    Parameters
    ----------
    ids : ndarray of shape (n_rows,)
        Group of each row, -1 for none.
    groups : int
        Number of groups.
    first : ndarray of shape (n_pairs,)
        Number of the first column of each pair.
    second : ndarray of shape (n_pairs,)
        Number of the second column of each pair.
    columns : sequence of ndarray of shape (n_rows,)
        Codes of each column. The code ``cards[j]`` stands for a missing value in column ``j``.
    cards : sequence of int
        Cardinality of each column.
    weights : ndarray of shape (n_rows,) or None
        Weight of each row. None counts every row once.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.

    Returns
    -------
    ndarray of shape (n_pairs, 3)
        Chi-squared, G-squared and degrees of freedom of each pair.
    """
    weight = np.ones(len(ids)) if weights is None else weights
    known = np.where(weight > 0, ids, np.int32(-1))
    scale = unit_scale(float(weight.sum()))
    out = np.zeros((len(first), 3))
    for p, (i, j) in enumerate(zip(first, second, strict=True)):
        complete = np.where(columns[j] < cards[j], known, np.int32(-1))
        by_a, a_keys = split_groups(complete, groups, columns[i], cards[i])
        cells, keys = split_groups(by_a, len(a_keys), columns[j], cards[j])
        in_a, b = np.divmod(keys, cards[j])
        group = a_keys // cards[i]
        b_keys, in_b = np.unique(group[in_a] * cards[j] + b, return_inverse=True)
        N = np.bincount(cells[cells >= 0], weight[cells >= 0]).astype(np.float64)
        out[p] = _independence(N, in_a, in_b, group, b_keys // cards[j], scale)
    return out


def _independence(
    N: Floats,
    in_a: NDArray[np.int64],
    in_b: NDArray[np.int64],
    a_group: NDArray[np.int64],
    b_group: NDArray[np.int64],
    scale: float,
) -> tuple[float, float, float]:
    """Return chi-squared, G-squared and degrees of freedom from the cells that are not empty.

    Cell ``k`` belongs to the margins ``in_a[k]`` and ``in_b[k]``. Each margin belongs to a group.
    """
    per_a, per_b = np.bincount(a_group), np.bincount(b_group)
    free = np.where(per_a > 0, (per_a - 1) * (per_b - 1), 0).sum()
    if not free:
        return 0.0, 0.0, 0.0
    N_a, N_b = np.bincount(in_a, N), np.bincount(in_b, N)
    total = np.bincount(a_group, N_a)
    E = N_a[in_a] * N_b[in_b] / total[a_group][in_a]
    unseen = np.maximum(total[a_group] - np.bincount(in_a, N_b[in_b]), 0.0)
    chi = ((N - E) ** 2 / E).sum() + (N_a / total[a_group] * unseen).sum()
    both, one, other, none = (int(fixed_terms(n, scale).sum()) for n in (N, N_a, N_b, total))
    return chi, max(2 * (both - one - other + none) / scale, 0.0), float(free)
