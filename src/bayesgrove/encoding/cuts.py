"""Cut points that turn one numeric column into intervals.

A column enters every method as a table of summed weights, one row per distinct value and one
column per class, so an engine that never holds all rows can accumulate the table and share the
code. A value belongs to the lower interval when it is at most the cut.
"""

import operator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bayesgrove._utils.options import require_choice
from bayesgrove.kernels import Codes, kernels
from bayesgrove.kernels.numpy.mdlp import middles

Floats = NDArray[np.float64]

# Shares of the total weight closer than this count as equal, so that rounding, which depends on
# the order of rows, never decides between two cuts.
_TOLERANCE = 1e-12


def value_table(
    values: ArrayLike, classes: ArrayLike, n_classes: int, weights: ArrayLike | None = None
) -> tuple[Floats, Floats]:
    """Sum the weights of one column by distinct value and class.

    ``table[i, c]`` is the total weight of the rows with value ``distinct[i]`` and class ``c``;
    distinct values of total weight zero are left out, and so are missing ones (NaN).

    Parameters
    ----------
    values : array-like of float, finite or NaN
    classes : array-like of int in ``0 .. n_classes - 1``
    n_classes : number of columns of the table
    weights : non-negative row weights, 1 each when None

    Examples
    --------
    >>> distinct, table = value_table([2.0, 1.0, 2.0], [0, 0, 1], n_classes=2)
    >>> distinct.tolist(), table.tolist()
    ([1.0, 2.0], [[1.0, 0.0], [1.0, 1.0]])
    """
    chosen = None if weights is None else np.ascontiguousarray(weights, dtype=np.float64)
    distinct, table, _, _ = kernels.value_table(
        _numbers(values), _codes(classes, n_classes), n_classes, chosen
    )
    return distinct, table


def mdlp_cuts(
    values: ArrayLike,
    classes: ArrayLike,
    n_classes: int,
    weights: ArrayLike | None = None,
    count_by: str = "rows",
) -> Floats:
    """Cut one column by recursive entropy minimisation with the MDL stopping rule.

    A set S of weight N is cut in two where the mean class entropy of the parts is lowest (the
    lowest such cut), if ``Gain > (log2(N - 1) + Delta) / N``, with
    ``Delta = log2(3**k - 2) - (k H(S) - k1 H(S1) - k2 H(S2))`` and k, k1, k2 the numbers of
    classes present in S, S1 and S2; each part is then treated likewise. ``N - 1`` is the number
    of places for a cut among rows; with ``count_by="values"`` it is that of the distinct values of
    S less 1, since no cut parts equal values.

    Parameters
    ----------
    values : array-like of float, finite
    classes : array-like of int in ``0 .. n_classes - 1``
    n_classes : number of classes
    weights : non-negative row weights, 1 each when None; weight 2 is the row twice
    count_by : "rows" or "values", what the places for a cut lie between

    References
    ----------
    U. M. Fayyad and K. B. Irani (1993). Multi-interval discretization of continuous-valued
    attributes for classification learning. IJCAI-93, 1022-1027.

    Examples
    --------
    >>> mdlp_cuts([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [0, 0, 0, 1, 1, 1], n_classes=2)
    array([3.5])
    """
    return mdlp_cuts_from_table(*value_table(values, classes, n_classes, weights), count_by)


def mdlp_cuts_from_table(
    distinct_values: ArrayLike, table: ArrayLike, count_by: str = "rows"
) -> Floats:
    """Cut a column given as its value table; the criterion is that of :func:`mdlp_cuts`.

    Only boundary points are tried: a cut between two neighbours that hold one and the same class
    is never best (Fayyad and Irani 1993, theorem 1). Each interval costs time linear in its
    boundary points.

    Parameters
    ----------
    distinct_values : ascending, finite, shape (d,)
    table : summed weights by value and class, shape (d, n_classes)

    Examples
    --------
    >>> mdlp_cuts_from_table([1.0, 2.0, 3.0], [[9.0, 0.0], [0.0, 9.0], [0.0, 9.0]])
    array([1.5])
    """
    require_choice("count_by", count_by, ("rows", "values"))
    distinct = np.ascontiguousarray(distinct_values, dtype=np.float64)
    sums = np.ascontiguousarray(table, dtype=np.float64)
    return kernels.mdlp_cuts(distinct, sums, count_by == "values")


def equal_frequency_cuts(
    values: ArrayLike, n_bins: int, weights: ArrayLike | None = None
) -> Floats:
    """Cut one column into intervals of as equal weight as its ties allow.

    For each target ``i W / n_bins``, i = 1 .. n_bins - 1 and W the total weight, the cut is the
    boundary between distinct values whose cumulative weight is nearest (the lower of two equally
    near); targets that share a boundary share the cut.

    Parameters
    ----------
    values : array-like of float, finite
    n_bins : largest number of intervals, at least 1
    weights : non-negative row weights, 1 each when None; weight 2 is the row twice

    References
    ----------
    J. Dougherty, R. Kohavi and M. Sahami (1995). Supervised and unsupervised discretization of
    continuous features. ICML 1995, 194-202.

    Examples
    --------
    >>> equal_frequency_cuts([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], n_bins=3)
    array([2.5, 4.5])
    """
    distinct, table = value_table(values, np.zeros_like(values, dtype=np.intp), 1, weights)
    return equal_frequency_cuts_from_table(distinct, table[:, 0], n_bins)


def equal_frequency_cuts_from_table(
    distinct_values: ArrayLike, totals: ArrayLike, n_bins: int
) -> Floats:
    """Cut a column given as distinct values and their weights, as :func:`equal_frequency_cuts`.

    Parameters
    ----------
    distinct_values : ascending, finite, shape (d,)
    totals : summed weights by value, shape (d,)
    n_bins : largest number of intervals, at least 1

    Examples
    --------
    >>> equal_frequency_cuts_from_table([1.0, 2.0, 3.0], [6.0, 3.0, 3.0], n_bins=2)
    array([1.5])
    """
    if operator.index(n_bins) < 1:
        raise ValueError(f"n_bins must be at least 1, got {n_bins}.")
    distinct, column = _without_empty_rows(distinct_values, np.reshape(totals, (-1, 1)))
    if len(distinct) < 2:
        return np.empty(0)
    return _midpoints(distinct, np.unique(_nearest_boundaries(column[:, 0], n_bins)))


def _numbers(values: ArrayLike) -> NDArray[Any]:
    """Return a column as the kernels take it: float32, float64 or integers."""
    numbers = np.asarray(values)
    known = numbers.dtype.kind in "iu" or numbers.dtype in (np.float32, np.float64)
    return numbers if known else numbers.astype(np.float64)


def _codes(classes: ArrayLike, n_classes: int) -> Codes:
    """Return classes as the kernels take them. Raise where one is not below ``n_classes``."""
    codes = np.asarray(classes)
    if codes.size and not 0 <= int(codes.min()) <= int(codes.max()) < n_classes:
        raise ValueError(
            f"classes must be whole numbers from 0 to n_classes - 1 = {n_classes - 1}."
        )
    small = codes.dtype.kind == "u" and codes.dtype.itemsize <= 4
    return np.ascontiguousarray(codes, dtype=None if small else np.uint32)


def _without_empty_rows(distinct_values: ArrayLike, table: ArrayLike) -> tuple[Floats, Floats]:
    sums = np.asarray(table, dtype=np.float64)
    present = sums.any(axis=1)
    return np.asarray(distinct_values, dtype=np.float64)[present], sums[present]


def _midpoints(distinct: Floats, positions: NDArray[np.intp]) -> Floats:
    """Cuts just below the distinct values at ``positions``."""
    return middles(distinct[positions - 1], distinct[positions])


def _nearest_boundaries(totals: Floats, n_bins: int) -> NDArray[np.intp]:
    cumulative = np.cumsum(totals)
    # Multiplying by n_bins instead of dividing keeps whole-number weights, hence ties, exact.
    targets = np.arange(1, n_bins) * cumulative[-1]
    reached = cumulative[:-1] * n_bins
    above = np.minimum(np.searchsorted(reached, targets), len(reached) - 1)
    below = np.maximum(above - 1, 0)
    excess = (targets - reached[below]) - (reached[above] - targets)
    nearest: NDArray[np.intp] = np.where(excess <= _TOLERANCE * targets, below, above)
    return nearest + 1
