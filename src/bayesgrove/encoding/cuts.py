"""Cut points that divide one numeric column into intervals.

Every method works on the value table of a column: the summed weights, with one row per distinct
value and one column per class. The table can be accumulated batch by batch, so rows in memory and
rows in files share this code. A value that equals a cut point belongs to the interval below it.
"""

import operator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bayesgrove._utils.options import require_choice
from bayesgrove.kernels import Codes, kernels
from bayesgrove.kernels.numpy.mdlp import middles

Floats = NDArray[np.float64]

# Distances that differ by less than this share of the target weight are a tie. Otherwise rounding,
# which depends on the order of the rows, could decide between two cuts.
_TOLERANCE = 1e-12


def value_table(
    values: ArrayLike, classes: ArrayLike, n_classes: int, weights: ArrayLike | None = None
) -> tuple[Floats, Floats]:
    """Sum the weights of one column by distinct value and class.

    Parameters
    ----------
    values : array-like of shape (n_rows,)
        Finite numbers, or NaN for missing values, which are left out.
    classes : array-like of shape (n_rows,)
        Class codes, from 0 to ``n_classes - 1``.
    n_classes : int
        The number of classes, which is the number of columns of the table.
    weights : array-like of shape (n_rows,) or None, default=None
        Non-negative row weights. None means that every row has weight 1.

    Returns
    -------
    distinct : ndarray of shape (n_distinct,)
        The distinct values, ascending. Values with a total weight of zero are left out.
    table : ndarray of shape (n_distinct, n_classes)
        ``table[i, c]`` is the total weight of the rows with value ``distinct[i]`` and class ``c``.

    Examples
    --------
    >>> distinct, table = value_table([2.0, 1.0, 2.0], [0, 0, 1], n_classes=2)
    >>> distinct.tolist(), table.tolist()
    ([1.0, 2.0], [[1.0, 0.0], [1.0, 1.0]])
    """
    row_weights = None if weights is None else np.ascontiguousarray(weights, dtype=np.float64)
    distinct, table, _, _ = kernels.value_table(
        _numbers(values), _codes(classes, n_classes), n_classes, row_weights
    )
    return distinct, table


def mdlp_cuts(
    values: ArrayLike,
    classes: ArrayLike,
    n_classes: int,
    weights: ArrayLike | None = None,
    count_by: str = "rows",
) -> Floats:
    """Return the cuts of one column by recursive entropy minimisation with the MDL stopping rule.

    A set S of weight N is cut into S1 and S2 where the mean class entropy of the two parts is
    lowest. Ties go to the lowest cut. The cut is made only if
    ``Gain > (log2(N - 1) + Delta) / N``, with
    ``Delta = log2(3**k - 2) - (k H(S) - k1 H(S1) - k2 H(S2))``, where k, k1 and k2 are the numbers
    of classes present in S, S1 and S2. Each part is then cut in the same way. ``N - 1`` is the
    number of possible cuts between rows. With ``count_by="values"`` it is replaced by the number of
    distinct values of S less 1, because no cut separates equal values.

    Parameters
    ----------
    values : array-like of shape (n_rows,)
        Finite numbers, or NaN for missing values, which are left out.
    classes : array-like of shape (n_rows,)
        Class codes, from 0 to ``n_classes - 1``.
    n_classes : int
        The number of classes.
    weights : array-like of shape (n_rows,) or None, default=None
        Non-negative row weights. A row of weight 2 counts as two rows. None means that every row
        has weight 1.
    count_by : {"rows", "values"}, default="rows"
        Whether the possible cuts are counted between rows or between distinct values.

    Returns
    -------
    ndarray of shape (n_cuts,)
        The cut points, ascending.

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
    """Return the cuts of a column by the criterion of :func:`mdlp_cuts`, given its value table.

    Only boundary points are tried: a cut between two adjacent values that have rows of one and the
    same class only is never the best cut (Fayyad and Irani 1993, theorem 1). The time for each
    interval is linear in the number of its boundary points.

    Parameters
    ----------
    distinct_values : array-like of shape (n_distinct,)
        The distinct values, finite and ascending.
    table : array-like of shape (n_distinct, n_classes)
        The summed weights by value and class.
    count_by : {"rows", "values"}, default="rows"
        Whether the possible cuts are counted between rows or between distinct values.

    Returns
    -------
    ndarray of shape (n_cuts,)
        The cut points, ascending.

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
    """Return cuts that divide one column into intervals of weights as equal as possible.

    Equal values always stay in one interval. For each target weight ``i W / n_bins``, with
    i = 1 .. n_bins - 1 and the total weight W, the cut is the boundary between distinct values
    whose cumulative weight is nearest to the target. Ties go to the lower boundary. Targets with
    the same nearest boundary share one cut.

    Parameters
    ----------
    values : array-like of shape (n_rows,)
        Finite numbers, or NaN for missing values, which are left out.
    n_bins : int
        The largest number of intervals, at least 1.
    weights : array-like of shape (n_rows,) or None, default=None
        Non-negative row weights. A row of weight 2 counts as two rows. None means that every row
        has weight 1.

    Returns
    -------
    ndarray of shape (n_cuts,)
        The cut points, ascending; at most ``n_bins - 1``.

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
    """Return the cuts of :func:`equal_frequency_cuts`, given distinct values and their weights.

    Parameters
    ----------
    distinct_values : array-like of shape (n_distinct,)
        The distinct values, finite and ascending.
    totals : array-like of shape (n_distinct,)
        The summed weight of each value.
    n_bins : int
        The largest number of intervals, at least 1.

    Returns
    -------
    ndarray of shape (n_cuts,)
        The cut points, ascending; at most ``n_bins - 1``.

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
    """Return a column in a type that the kernels accept: float32, float64 or integers."""
    numbers = np.asarray(values)
    known = numbers.dtype.kind in "iu" or numbers.dtype in (np.float32, np.float64)
    return numbers if known else numbers.astype(np.float64)


def _codes(classes: ArrayLike, n_classes: int) -> Codes:
    """Return class codes in a type that the kernels accept; raise unless they are in range."""
    codes = np.asarray(classes)
    if codes.size and not 0 <= int(codes.min()) <= int(codes.max()) < n_classes:
        raise ValueError(
            f"The class codes must be whole numbers from 0 to n_classes - 1 = {n_classes - 1}."
        )
    small = codes.dtype.kind == "u" and codes.dtype.itemsize <= 4
    return np.ascontiguousarray(codes, dtype=None if small else np.uint32)


def _without_empty_rows(distinct_values: ArrayLike, table: ArrayLike) -> tuple[Floats, Floats]:
    """Return a value table without the values that have no weight."""
    sums = np.asarray(table, dtype=np.float64)
    present = sums.any(axis=1)
    return np.asarray(distinct_values, dtype=np.float64)[present], sums[present]


def _midpoints(distinct: Floats, positions: NDArray[np.intp]) -> Floats:
    """Return the cuts midway between the values at ``positions`` and the values before them."""
    return middles(distinct[positions - 1], distinct[positions])


def _nearest_boundaries(totals: Floats, n_bins: int) -> NDArray[np.intp]:
    """Return the index of the first value above the boundary nearest to each target weight."""
    cumulative = np.cumsum(totals)
    # Multiplying by n_bins, instead of dividing, keeps whole weights and their ties exact.
    targets = np.arange(1, n_bins) * cumulative[-1]
    reached = cumulative[:-1] * n_bins
    above = np.minimum(np.searchsorted(reached, targets), len(reached) - 1)
    below = np.maximum(above - 1, 0)
    excess = (targets - reached[below]) - (reached[above] - targets)
    nearest: NDArray[np.intp] = np.where(excess <= _TOLERANCE * targets, below, above)
    return nearest + 1
