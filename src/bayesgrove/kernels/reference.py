"""The kernels in numpy: what the native ones must equal, and what runs where they are not built.

A column of codes is a contiguous unsigned array with values ``0..card-1``; the code ``card``
stands for a missing value and is left out of every count. Tables of several columns are laid out
value after value: column ``j`` owns the cells ``offsets[j]:offsets[j + 1]`` of an axis of
``R = sum(cards)`` cells. Counts are float64, exact up to 2**53. ``threads`` is accepted and
ignored here: the results are the same for any number.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.kernels.elimination import (
    elimination_order,
    marginals,
    max_product,
    posterior,
    relevant,
    sum_product,
)
from bayesgrove.kernels.naive_prediction import naive_tree_logs
from bayesgrove.kernels.naive_trees import grow_naive_tree
from bayesgrove.kernels.tree_growing import grow_tree
from bayesgrove.kernels.tree_pruning import prune_tree
from bayesgrove.kernels.trees import tree_distributions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats

__all__ = [
    "elimination_order",
    "grow_naive_tree",
    "grow_tree",
    "marginals",
    "max_product",
    "naive_tree_logs",
    "posterior",
    "prune_tree",
    "relevant",
    "sum_product",
    "tree_distributions",
]

_BLOCK = 8192


def instruction_set() -> str:
    """Name what the kernels run on."""
    return "numpy"


def class_tables(
    columns: Sequence[Codes],
    cards: Sequence[int],
    target: Codes,
    n_classes: int,
    weights: Floats | None,
    threads: int,
) -> Floats:
    """Counts ``N[c, value of a column]`` of every column, shape (n_classes, R)."""
    tables = [
        _histogram([target, column], [n_classes, card], weights).reshape(n_classes, card)
        for column, card in zip(columns, cards, strict=True)
    ]
    return np.concatenate([np.empty((n_classes, 0)), *tables], axis=1)


def pair_tables(
    columns: Sequence[Codes],
    cards: Sequence[int],
    target: Codes,
    n_classes: int,
    weights: Floats | None,
    first: int,
    threads: int,
) -> Floats:
    """Counts ``N[c, value of i, value of j]`` for ``first <= i``, ``j < i``; zero elsewhere.

    For each class this is the Gram matrix of the one-hot coded columns.
    """
    offsets = np.concatenate([[0], np.cumsum(cards)]).astype(np.int64)
    skip = offsets[first]
    out = np.zeros((n_classes, int(offsets[-1] - skip), int(offsets[-1])))
    for c in range(n_classes):
        for rows in _chunks(np.flatnonzero(target == c)):
            ones = _one_hot([column[rows] for column in columns], cards, offsets)
            left = ones[:, skip:] if weights is None else ones[:, skip:] * weights[rows, None]
            out[c] += left.T @ ones
    for i in range(first, len(columns)):
        out[:, offsets[i] - skip : offsets[i + 1] - skip, offsets[i] :] = 0
    return out


def pair_information(
    block: Floats,
    row_cards: Sequence[int],
    column_cards: Sequence[int],
    total: float,
    threads: int,
) -> Floats:
    """``I(A;B|C)`` in nats of every table ``N[c, a, b]`` in a block of pair tables.

    The terms ``n ln n`` are summed as integers in units of 2**-scale: such sums do not depend on
    the order of the cells, so that renaming values or classes does not change the last bit.
    ``total`` is an upper bound of the weight of a table and fixes the unit.
    """
    scale = _scale(total)
    by_row = _segments(block, row_cards, axis=1)
    by_column = _segments(block, column_cards, axis=2)
    by_class = _segments(by_row, column_cards, axis=2)
    sums = (
        _segments(_segments(_terms(block, scale), row_cards, 1), column_cards, 2)
        - _segments(_terms(by_row, scale), column_cards, 2)
        - _segments(_terms(by_column, scale), row_cards, 1)
        + _terms(by_class, scale)
    ).sum(axis=0)
    weight = by_class.sum(axis=0)
    information: Floats = np.maximum(sums / scale / np.where(weight > 0, weight, 1.0), 0.0)
    return information


def pairwise_information(
    columns: Sequence[Codes],
    cards: Sequence[int],
    target: Codes,
    n_classes: int,
    weights: Floats | None,
    total: float,
    threads: int,
) -> Floats:
    """``I(X;X'|C)`` of all pairs of columns, symmetric: `pair_information` of `pair_tables`.

    The tables of a few columns at a time are made and thrown away.
    """
    n = len(columns)
    out = np.zeros((n, n))
    for first in range(0, n, 16):
        last = min(first + 16, n)
        block = pair_tables(
            columns[:last], cards[:last], target, n_classes, weights, first, threads
        )
        part = pair_information(block, cards[first:last], cards[:last], total, threads)
        out[first:last, :last] += part
        out[:last, first:last] += part.T
    return out


def joint_tables(
    sets: Sequence[Sequence[int]],
    columns: Sequence[Codes],
    cards: Sequence[int],
    weights: Floats | None,
    threads: int,
) -> list[Floats]:
    """Dense joint tables of some sets of columns, flat, the last column fastest."""
    return [
        _histogram([columns[j] for j in members], [cards[j] for j in members], weights)
        for members in sets
    ]


def refine(
    ids: NDArray[np.int32], groups: int, column: Codes, card: int
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Split groups of rows by a column; rows in group -1 or with a missing value get -1.

    Returns the new groups and their keys ``old group * card + code``, sorted: a new group's number
    is the place of its key.
    """
    old = _group_keys(ids, column, card)
    found = old >= 0
    if groups * card <= 4 * len(ids) + 4096:
        label = np.zeros(groups * card, dtype=np.int32)
        label[old[found]] = 1
        keys = np.flatnonzero(label)
        label[keys] = np.arange(len(keys), dtype=np.int32)
        new = label[np.where(found, old, 0)] if len(label) else np.zeros(len(ids), dtype=np.int32)
    else:
        keys = np.unique(old[found])
        new = np.searchsorted(keys, old).astype(np.int32)
    return np.where(found, new, np.int32(-1)), keys.astype(np.int64)


def lookup(
    ids: NDArray[np.int32], keys: NDArray[np.int64], column: Codes, card: int
) -> NDArray[np.int32]:
    """Find the groups that `refine` made among other rows; -1 where there is none."""
    wanted = _group_keys(ids, column, card)
    if not len(keys):
        return np.full(len(ids), -1, dtype=np.int32)
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1).astype(np.int32)
    return np.where(keys[place] == wanted, place, np.int32(-1))


def cell_sums(
    ids: NDArray[np.int32],
    groups: int,
    target: Codes,
    n_target: int,
    columns: Sequence[Codes],
    cards: Sequence[int],
    outer: NDArray[np.int64],
    inner: NDArray[np.int64],
    threads: int,
) -> NDArray[np.int64]:
    """Sums over cells of rows, for every column: shape (columns, 2).

    First ``outer[N]`` over the cells (group, value of the column), then ``inner[N]`` over the
    cells (group, value, value of the target), ``N`` being the rows in a cell: the tables have an
    entry for every count up to that of all rows, the first of them 0. Rows in group -1 or without
    a target are left out.
    """
    known = np.where(target < n_target, ids, np.int32(-1))
    out = np.zeros((len(columns), 2), dtype=np.int64)
    for sums, column, card in zip(out, columns, cards, strict=True):
        cells, keys = refine(known, groups, column, card)
        parts, _ = refine(cells, len(keys), target, n_target)
        sums[0] = outer[np.bincount(cells[cells >= 0])].sum()
        sums[1] = inner[np.bincount(parts[parts >= 0])].sum()
    return out


def set_sums(
    columns: Sequence[Codes],
    cards: Sequence[int],
    target: Codes,
    n_target: int,
    sets: NDArray[np.int32],
    most: int,
    outer: NDArray[np.int64],
    inner: NDArray[np.int64],
    threads: int,
) -> NDArray[np.int64]:
    """Sums over cells of rows, for every set of columns.

    ``outer[N]`` over the joint values of a set's columns and ``inner[N]`` over those with the
    target, as in `cell_sums`. ``sets`` has ``most`` places for the members of each, at least one of
    them, and -1 behind the last. The native kernel is quickest where sets with the same first
    members come one after another.
    """
    out = np.zeros(len(sets) // most if most else 0, dtype=np.int64)
    for s, own in enumerate(sets.reshape(len(out), most)):
        *given, last = own[own >= 0].tolist()
        ids, groups = np.zeros(len(target), dtype=np.int32), 1
        for v in given:
            ids, keys = refine(ids, groups, columns[v], cards[v])
            groups = len(keys)
        out[s] = cell_sums(
            ids, groups, target, n_target, [columns[last]], [cards[last]], outer, inner, threads
        ).sum()
    return out


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
    """Chi-squared, G-squared and degrees of freedom of pairs of columns: shape (pairs, 3).

    Pair ``p`` is ``columns[first[p]]`` and ``columns[second[p]]``, independent within every group
    if the null hypothesis holds. Values that do not occur in a group take no part there: it adds
    ``(values - 1) * (values - 1)`` degrees of freedom, and nothing where a column is constant.
    Rows in group -1, of weight 0 or without a value of the pair are left out. G-squared is summed
    in integers like `pair_information`. The native kernel is quickest where pairs with the same
    first column come one after another.
    """
    weight = np.ones(len(ids)) if weights is None else weights
    known = np.where(weight > 0, ids, np.int32(-1))
    scale = _scale(float(weight.sum()))
    out = np.zeros((len(first), 3))
    for p, (i, j) in enumerate(zip(first, second, strict=True)):
        complete = np.where(columns[j] < cards[j], known, np.int32(-1))
        by_a, a_keys = refine(complete, groups, columns[i], cards[i])
        cells, keys = refine(by_a, len(a_keys), columns[j], cards[j])
        in_a, b = np.divmod(keys, cards[j])
        group = a_keys // cards[i]
        b_keys, in_b = np.unique(group[in_a] * cards[j] + b, return_inverse=True)
        N = np.bincount(cells[cells >= 0], weight[cells >= 0]).astype(np.float64)
        out[p] = _independence(N, in_a, in_b, group, b_keys // cards[j], scale)
    return out


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


def scan_levels(X: NDArray[Any], threads: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Which whole numbers 0..255 occur in a column, and whether anything but them and NaN does."""
    seen = np.zeros((X.shape[1], 256), dtype=np.uint8)
    other = np.zeros(X.shape[1], dtype=np.uint8)
    for j in range(X.shape[1]):
        values = X[:, j]
        level = (values >= 0) & (values < 256)
        whole = values[level].astype(np.int64)
        seen[j, whole[whole == values[level]]] = 1
        other[j] = (~level & ~np.isnan(values)).any() or (whole != values[level]).any()
    return seen, other


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
    """Fill ``outs[j]`` with the codes of column j; return counts of unseen and infinite values.

    ``points[starts[j]:starts[j + 1]]`` are sorted cut points (a value's code is how many of them
    lie below it) or, where ``exact[j]``, labels with the given ``codes``. NaN becomes
    ``missing[j]``, a number that is no label ``unseen[j]``.
    """
    tally = np.zeros((X.shape[1], 2), dtype=np.int64)
    for j, out in enumerate(outs):
        value = X[:, j].astype(np.float64)
        here = slice(starts[j], starts[j + 1])
        place = np.searchsorted(points[here], value)
        nan = np.isnan(value)
        tally[j, 1] = np.isinf(value).sum()
        if exact[j]:
            at = np.minimum(place, max(starts[j + 1] - starts[j] - 1, 0))
            known = points[here][at] == value if at.size and len(points[here]) else nan & False
            place = np.where(known, codes[here][at] if known.any() else 0, unseen[j])
            tally[j, 0] = ((place == unseen[j]) & ~nan).sum()
        out[:] = np.where(nan, missing[j], place)
    return tally


def _histogram(
    columns: Sequence[Codes], cards: Sequence[int], weights: Floats | None
) -> NDArray[np.float64]:
    index = np.zeros(len(columns[0]), dtype=np.int64)
    present = np.ones(len(columns[0]), dtype=bool)
    for column, card in zip(columns, cards, strict=True):
        index = index * card + column
        present &= column < card
    chosen = None if weights is None else weights[present]
    cells = math.prod(cards)
    counts = np.bincount(index[present], weights=chosen, minlength=cells).astype(np.float64)
    return counts[:cells]


def _chunks(rows: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
    return (rows[start : start + _BLOCK] for start in range(0, len(rows), _BLOCK))


def _one_hot(columns: Sequence[Codes], cards: Sequence[int], offsets: NDArray[np.int64]) -> Floats:
    ones = np.zeros((len(columns[0]), int(offsets[-1])))
    for column, card, offset in zip(columns, cards, offsets, strict=False):
        present = np.flatnonzero(column < card)
        ones[present, offset + column[present]] = 1.0
    return ones


def _segments(array: NDArray[Any], cards: Sequence[int], axis: int) -> NDArray[Any]:
    """Sum consecutive runs of ``cards`` cells along an axis; an empty run sums to zero."""
    ends = np.cumsum(cards, dtype=np.int64)
    sums = np.concatenate(
        [
            np.zeros_like(np.take(array, np.empty(0, dtype=np.int64), axis)),
            np.cumsum(array, axis=axis),
        ],
        axis=axis,
    )
    shape = list(array.shape)
    shape[axis] = 1
    sums = np.concatenate([np.zeros(shape, dtype=array.dtype), sums], axis=axis)
    totals: NDArray[Any] = np.take(sums, ends, axis) - np.take(
        sums, ends - np.asarray(cards, dtype=np.int64), axis
    )
    return totals


def _scale(total: float) -> float:
    """Units in 1 that leave room for sums of ``n ln n`` up to a total."""
    bits = math.ceil(math.log2(total * math.log(total) + 1)) if total > 1 else 1
    return math.ldexp(1.0, min(52, 59 - bits))


def _terms(counts: NDArray[Any], scale: float) -> NDArray[np.int64]:
    logs = np.log(np.where(counts > 0, counts, 1.0))
    return np.rint(counts * logs * scale).astype(np.int64)


def _independence(
    N: Floats,
    in_a: NDArray[np.int64],
    in_b: NDArray[np.int64],
    a_group: NDArray[np.int64],
    b_group: NDArray[np.int64],
    scale: float,
) -> tuple[float, float, float]:
    """Statistics and degrees of freedom from cells that are not empty.

    Cell ``k`` is part of the margins ``in_a[k]`` and ``in_b[k]``, which belong to groups.
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
    both, one, other, none = (int(_terms(n, scale).sum()) for n in (N, N_a, N_b, total))
    return chi, max(2 * (both - one - other + none) / scale, 0.0), float(free)


def _group_keys(ids: NDArray[np.int32], column: Codes, card: int) -> NDArray[np.int64]:
    keys = ids.astype(np.int64) * card + column
    return np.where((ids < 0) | (column >= card), -1, keys)
