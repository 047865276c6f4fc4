"""Gradient boosting of the log-loss in numpy: one tree, rounds of trees, the sum for new rows.

Trees are six arrays, one tree after another: ``sizes`` (number of nodes of each tree), ``column``
(the column that a node tests, -1 at a leaf), ``child`` (the first child, numbered within its tree;
the second child follows it), ``sides``, ``value`` (of each leaf) and ``gain`` (of each test). Each
test has ``n_bins // 8 + 1`` bytes in ``sides``: bit b (of byte b // 8, the lowest bit first) is 1
if bin b goes to the second child, and bit ``n_bins`` stands for unknown values. With two classes
there is one output, the difference of both scores; otherwise there is one output per class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.kernels.numpy.boosted_growing import MAX_BINS, BinTable, BoostedGrower, Growth

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats
    from bayesgrove.kernels.numpy.boosted_growing import Arrays, Bytes, Flags, Numbers, Places

LEAST_HESSIAN = 1e-6
LEAST_SHARE = 0.2
"""The probability that a row with a small gradient is drawn."""
SHARE_OF_SLOPE = 10.0
"""A row is drawn with this multiple of its gradient, so always if the gradient is 0.1 or more."""
_WRAP = (1 << 64) - 1


def grow_boosted_tree(
    bins: Bytes,
    n_bins: Sequence[int],
    ordered: Sequence[int],
    gradients: Floats,
    hessians: Floats,
    max_leaves: int,
    max_depth: int,
    learning_rate: float,
    ridge: float,
    min_child: float,
) -> Arrays:
    """Grow one tree, best leaves first.

    Tests of ordered bins are thresholds, with missing values on either side. Tests of nominal bins
    are one value against the rest and, above three values, the first values in the order of
    G / (H + 5), with 0.97 of their gain. Values that no row of a node has, and unknown values, go
    to the child with the larger H. Equal gains go to the earlier column and the earlier test.

    Parameters
    ----------
    bins : ndarray of shape (n_rows, n_columns)
        Bin of every row and column, uint8.
    n_bins : sequence of int
        Number of bins of every column, from 1 to 255.
    ordered : sequence of int
        Number of ordered bins of every column, 0 for a nominal column. If it is one less than the
        number of bins, the last bin is that of missing values.
    gradients : ndarray of shape (n_rows,)
        First derivative of the loss of every row.
    hessians : ndarray of shape (n_rows,)
        Second derivative of the loss of every row, at least 0.
    max_leaves : int
        Maximum number of leaves.
    max_depth : int
        Maximum number of tests above a leaf.
    learning_rate : float
        The value of a leaf is ``-learning_rate * G / (H + ridge)``.
    ridge : float
        Number that is added to every H, at least 0.
    min_child : float
        Minimum H of a child, more than 0.

    Returns
    -------
    tuple of ndarray
        ``sizes``, ``column``, ``child``, ``sides``, ``value`` and ``gain`` of one tree.
    """
    table = BinTable(bins, n_bins, ordered)
    growth = Growth(max_leaves, max_depth, learning_rate, ridge, min_child)
    growth.check()
    if not len(bins) == len(gradients) == len(hessians):
        raise ValueError("There must be one gradient and one hessian per row.")
    derivatives = np.stack([gradients, hessians], axis=1)
    if not np.isfinite(derivatives).all() or (hessians < 0).any():
        raise ValueError("Gradients must be finite, and hessians at least 0.")
    return BoostedGrower(table, growth).grow(np.arange(len(bins)), derivatives)


def boost_rounds(
    bins: Bytes,
    n_bins: Sequence[int],
    ordered: Sequence[int],
    target: Codes,
    n_classes: int,
    weights: Floats | None,
    folds: Numbers,
    scores: Floats,
    first_round: int,
    rounds: int,
    max_leaves: int,
    max_depth: int,
    learning_rate: float,
    ridge: float,
    min_child: float,
    sampled: bool,
    seed: int,
    threads: int,
) -> tuple[Floats, Numbers, Arrays]:
    """Boost some rounds, in several runs that each hold out one fold.

    In a round, every run grows one tree per output from the derivatives of the log-loss of its
    rows, and adds it to the scores of all rows. A tree without a test is left out.

    Parameters
    ----------
    bins : ndarray of shape (n_rows, n_columns)
        Bin of every row and column, uint8.
    n_bins : sequence of int
        Number of bins of every column, from 1 to 255.
    ordered : sequence of int
        Number of ordered bins of every column, 0 for a nominal column.
    target : ndarray of shape (n_rows,)
        Class code of every row.
    n_classes : int
        Number of classes, at least 2.
    weights : ndarray of shape (n_rows,) or None
        Positive weight of every row, which multiplies its derivatives. None means 1.
    folds : ndarray of shape (n_rows,)
        The run that holds the row out, int32. All runs learn from a row with another number.
    scores : ndarray of shape (n_runs, n_outputs, n_rows)
        Scores before the rounds. They are replaced by the scores after them.
    first_round : int
        Number of the first round, on which the random numbers depend.
    rounds : int
        Number of rounds.
    max_leaves : int
        Maximum number of leaves of a tree.
    max_depth : int
        Maximum number of tests above a leaf.
    learning_rate : float
        The value of a leaf is ``-learning_rate * G / (H + ridge)``.
    ridge : float
        Number that is added to every H, at least 0.
    min_child : float
        Minimum H of a child, more than 0.
    sampled : bool
        Whether a tree is grown from a sample. A row with the gradient g is drawn with probability
        ``min(1, max(0.2, 10 |g|))``, and its derivatives are divided by this probability.
    seed : int
        Seed of the random numbers. They depend on seed, run, round, output and row only.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.

    Returns
    -------
    losses : ndarray of shape (rounds, n_runs)
        Log-loss of the rows that each run holds out, summed with their weights, after each round.
    places : ndarray of shape (n_trees, 3)
        Run, round and output of each tree.
    trees : tuple of ndarray
        ``sizes``, ``column``, ``child``, ``sides``, ``value`` and ``gain`` of all trees.
    """
    table = BinTable(bins, n_bins, ordered)
    growth = Growth(max_leaves, max_depth, learning_rate, ridge, min_child)
    growth.check()
    check_rows(target, n_classes, weights, folds)
    n_outputs = 1 if n_classes == 2 else n_classes
    if scores.shape[1:] != (n_outputs, len(bins)) or len(folds) != len(bins):
        raise ValueError("The scores, the rows and the bins differ in their sizes.")
    if rounds < 0 or first_round < 0:
        raise ValueError("There must be 0 or more rounds.")
    classes = np.arange(n_outputs) if n_outputs > 1 else np.ones(1, dtype=np.intp)
    is_class = target == classes[:, None]
    row_weights = np.ones(len(bins)) if weights is None else weights
    losses = np.zeros((rounds, len(scores)))
    places, trees = [], []
    for run, run_scores in enumerate(scores):
        training, held_out = np.flatnonzero(folds != run), folds == run
        run_key = mixed(seed, run)
        for k, number in enumerate(range(first_round, first_round + rounds)):
            round_key = mixed(run_key, number)
            for output, p in enumerate(_probabilities(run_scores)):
                key = mixed(round_key, output) if sampled else None
                drawn, derivatives = _sample(training, p, is_class[output], row_weights, key)
                tree = BoostedGrower(table, growth).grow(drawn, derivatives)
                if len(tree[1]) > 1:
                    run_scores[output] += tree[4][next(_leaves(bins, n_bins, *tree[:4]))]
                    places.append((run, number, output))
                    trees.append(tree)
            losses[k, run] = _losses(run_scores, target)[held_out] @ row_weights[held_out]
    return losses, np.array(places, dtype=np.int32).reshape(-1, 3), _joined(trees)


def add_boosted_trees(
    columns: Sequence[Codes],
    cards: Sequence[int],
    bin_of: Bytes,
    n_bins: Sequence[int],
    sizes: Numbers,
    column: Numbers,
    child: Numbers,
    sides: Bytes,
    value: Floats,
    outputs: Numbers,
    scores: Floats,
    weight: float,
    threads: int,
) -> None:
    """Add a multiple of the sum of trees to the scores of rows.

    With two classes, the sum v adds ``-weight * v / 2`` to the first score and ``weight * v / 2``
    to the second.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n_rows,)
        Codes of the columns that the trees test.
    cards : sequence of int
        Cardinality of every column. Codes from ``cards[j]`` on are unknown values.
    bin_of : ndarray of shape (n_codes,)
        Bin of every code of every column and of unknown values, uint8: ``cards[j] + 1`` entries per
        column.
    n_bins : sequence of int
        Number of bins of every column. The bin ``n_bins[j]`` is that of unknown values.
    sizes : ndarray of shape (n_trees,)
        Number of nodes of each tree.
    column : ndarray of shape (n_nodes,)
        The column that each node tests, -1 at a leaf.
    child : ndarray of shape (n_nodes,)
        First child of each test, numbered within its tree.
    sides : ndarray of shape (n_bytes,)
        Bits of all tests, which say what bins go to the second child.
    value : ndarray of shape (n_nodes,)
        Value of each leaf.
    outputs : ndarray of shape (n_trees,)
        The output that each tree adds to, int32.
    scores : ndarray of shape (n_rows, n_classes)
        Scores, which are changed.
    weight : float
        Factor of the sum.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.
    """
    rows, n_classes = scores.shape
    _check_program(columns, cards, bin_of, n_bins, rows)
    if len(outputs) != len(sizes):
        raise ValueError("There must be one output per tree.")
    n_outputs = 1 if n_classes == 2 else n_classes
    if ((outputs < 0) | (outputs >= n_outputs)).any():
        raise ValueError("The output of a tree is not a class.")
    _check_trees(n_bins, sizes, column, child, sides, value)
    starts = np.cumsum([0, *(card + 1 for card in cards)])
    bins = np.zeros((rows, len(columns)), dtype=np.uint8)
    for j, codes in enumerate(columns):
        bins[:, j] = bin_of[starts[j] + np.minimum(codes.astype(np.intp), cards[j])]
    sums, start = np.zeros((n_outputs, rows)), 0
    leaves_of_trees = _leaves(bins, n_bins, sizes, column, child, sides)
    for output, size, leaves in zip(outputs, sizes.tolist(), leaves_of_trees, strict=True):
        sums[output] += value[start + leaves]
        start += size
    if n_classes == 2:
        scores[:, 0] -= weight * (0.5 * sums[0])
        scores[:, 1] += weight * (0.5 * sums[0])
    else:
        scores += weight * sums.T


def check_rows(
    target: Codes, n_classes: int, weights: Floats | None, folds: NDArray[np.int32]
) -> None:
    """Raise unless classes, weights and folds fit each other."""
    if n_classes < 2:
        raise ValueError("Boosting needs two classes.")
    if len(target) != len(folds):
        raise ValueError("There must be one class and one fold per row.")
    if (target >= n_classes).any():
        raise ValueError("Every row must have a class.")
    if weights is None:
        return
    if len(weights) != len(target):
        raise ValueError("There must be one weight per row.")
    if not ((weights > 0) & np.isfinite(weights)).all():
        raise ValueError("Weights must be positive.")


def _check_program(
    columns: Sequence[Codes], cards: Sequence[int], bin_of: Bytes, n_bins: Sequence[int], rows: int
) -> None:
    """Raise unless the tables from codes to bins fit the columns."""
    if not len(columns) == len(cards) == len(n_bins):
        raise ValueError("There must be one cardinality per column.")
    if any(len(codes) != rows for codes in columns):
        raise ValueError("There must be one score per row.")
    if min(cards, default=1) < 1 or any(not 1 <= bins <= MAX_BINS for bins in n_bins):
        raise ValueError("A column must have from 1 to 255 bins.")
    codes_of = [card + 1 for card in cards]
    if sum(codes_of) != len(bin_of):
        raise ValueError("Every code of every column must have a bin.")
    if (bin_of > np.repeat(np.array(n_bins, dtype=np.intp), codes_of)).any():
        raise ValueError("A bin is out of range.")


def _check_trees(
    n_bins: Sequence[int],
    sizes: Numbers,
    column: Numbers,
    child: Numbers,
    sides: Bytes,
    value: Floats,
) -> None:
    """Raise unless the arrays of trees fit each other and the columns."""
    if not len(column) == len(child) == len(value):
        raise ValueError("The arrays of trees must have one entry per node.")
    if (sizes < 1).any() or sizes.sum() != len(column):
        raise ValueError("The sizes of trees do not fit the nodes.")
    ends = np.repeat(sizes, sizes)
    numbers = np.arange(len(column)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    test = column >= 0
    wrong = (column >= len(n_bins)) | (test & ((child <= numbers) | (child + 1 >= ends)))
    if wrong.any():
        raise ValueError("A node does not fit the columns or the tree.")
    if _flag_bytes(n_bins)[column[test]].sum() != len(sides):
        raise ValueError("Every test must have one side per bin.")


def _flag_bytes(n_bins: Sequence[int]) -> Places:
    """Return the number of bytes of a test of every column."""
    return np.array(n_bins, dtype=np.intp) // 8 + 1


def _leaves(
    bins: Bytes,
    n_bins: Sequence[int],
    sizes: Numbers,
    column: Numbers,
    child: Numbers,
    sides: Bytes,
) -> Iterator[Places]:
    """Yield the leaf of every row, tree by tree, numbered within the tree."""
    widths = np.where(column >= 0, np.append(_flag_bytes(n_bins), 0)[column], 0)
    flags_at = np.cumsum(widths) - widths
    start = 0
    for size in sizes.tolist():
        nodes = np.zeros(len(bins), dtype=np.intp)
        going = np.flatnonzero(column[start + nodes] >= 0)
        while len(going):
            at = start + nodes[going]
            bin_here = bins[going, column[at]].astype(np.intp)
            byte = sides[flags_at[at] + bin_here // 8].astype(np.intp)
            nodes[going] = child[at] + (byte >> bin_here % 8 & 1)
            going = going[column[start + nodes[going]] >= 0]
        yield nodes
        start += size


def _sample(
    rows: Places, p: Floats, is_class: Flags, weights: Floats, key: int | None
) -> tuple[Places, Floats]:
    """Return the rows of a tree, and their derivatives divided by the probability of drawing."""
    p, weights = p[rows], weights[rows]
    slope = p - is_class[rows]
    derivatives = np.stack([slope, np.maximum(p * (1.0 - p), LEAST_HESSIAN)], axis=1)
    if key is None:
        return rows, derivatives * weights[:, None]
    shares = np.minimum(1.0, np.maximum(LEAST_SHARE, SHARE_OF_SLOPE * np.abs(slope)))
    drawn = random_of(key, rows) < shares
    return rows[drawn], (derivatives * (weights / shares)[:, None])[drawn]


def random_of(key: int, rows: Places) -> Floats:
    """Return one random number per row (SplitMix64)."""
    z = np.uint64(key) + (rows.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return (z >> np.uint64(11)).astype(np.float64) * 2.0**-53


def mixed(key: int, place: int) -> int:
    """Return a key for one place below another key (SplitMix64)."""
    z = (key + (place + 1) * 0x9E3779B97F4A7C15) & _WRAP
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _WRAP
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _WRAP
    return z ^ (z >> 31)


def _probabilities(scores: Floats) -> Floats:
    """Return the probabilities of outputs: softmax, or the logistic function if there is one."""
    if len(scores) == 1:
        with np.errstate(over="ignore"):
            return np.asarray(1.0 / (1.0 + np.exp(-scores)))
    shares = np.exp(scores - scores.max(axis=0))
    return np.asarray(shares / np.cumsum(shares, axis=0)[-1])


def _losses(scores: Floats, target: Codes) -> Floats:
    """Return the log-loss of every row."""
    if len(scores) == 1:
        margins = np.where(target == 1, scores[0], -scores[0])
        return np.asarray(np.maximum(-margins, 0.0) + np.log1p(np.exp(-np.abs(margins))))
    top = scores.max(axis=0)
    logs = top + np.log(np.cumsum(np.exp(scores - top), axis=0)[-1])
    return np.asarray(logs - scores[target, np.arange(len(target))])


def _joined(trees: list[Arrays]) -> Arrays:
    """Return trees one after another."""
    none = np.zeros(0, dtype=np.int32)
    empty = none, none, none, np.zeros(0, dtype=np.uint8), np.zeros(0), np.zeros(0)
    sizes, column, child, sides, value, gain = (
        np.concatenate(arrays) for arrays in zip(empty, *trees, strict=True)
    )
    return sizes, column, child, sides, value, gain
