"""The kernels of boosting: against plain Python on small tables, and native against numpy."""

import itertools
import math
from typing import NamedTuple

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bayesgrove.kernels import numpy_kernels

LEAST = 0.1
RATE = 0.3


@pytest.fixture(params=["numpy", "_native"])
def kernels(request):
    return pytest.importorskip(f"bayesgrove.kernels.{request.param}")


@pytest.fixture(scope="module")
def native():
    return pytest.importorskip("bayesgrove.kernels._native")


class Table(NamedTuple):
    bins: np.ndarray
    n_bins: list
    ordered: list


def draw_table(seed, rows=None, kinds=((9, 9), (6, 5), (3, 0), (7, 0), (2, 1))):
    """Random columns; a kind is the number of bins and the number of ordered ones."""
    rng = np.random.default_rng(seed)
    rows = rows or int(rng.integers(2, 60))
    chosen = [kinds[k] for k in rng.integers(0, len(kinds), rng.integers(1, 5))]
    bins = np.stack([rng.integers(0, count, rows) for count, _ in chosen], axis=1)
    return Table(bins.astype(np.uint8), [c for c, _ in chosen], [a for _, a in chosen])


def draw_derivatives(seed, rows):
    rng = np.random.default_rng(seed + 1000)
    return rng.normal(size=rows), rng.random(rows) + 0.01


def grow(kernels, table, g, h, leaves=8, depth=4, ridge=1.0, least=LEAST):
    return kernels.grow_boosted_tree(*table, g, h, leaves, depth, RATE, ridge, least)


# ---------------------------------------------------------------- a tree in plain Python


def candidate_tests(values, g, h, count, axis):
    """Yield (bins of the first child, discount) of every test of a column in a node."""
    sums = {b: (g[values == b].sum(), h[values == b].sum()) for b in sorted(set(values.tolist()))}
    if axis:
        missing = axis if axis < count and axis in sums else None
        for b in range(axis):
            yield set(range(b + 1)), 1.0
            if missing is not None:
                yield {*range(b + 1), missing}, 1.0
        return
    for b in range(count):
        yield {b}, 1.0
    if count > 3:
        order = sorted(sums, key=lambda b: sums[b][0] / (sums[b][1] + 5.0))
        for k in range(1, len(order)):
            yield set(order[:k]), 0.97


def gain_of(first, g, h, ridge):
    parts = [(g[first], h[first]), (g[~first], h[~first])]
    score = sum(a.sum() ** 2 / (b.sum() + ridge) for a, b in parts)
    return score - g.sum() ** 2 / (h.sum() + ridge)


def best_test(table, rows, g, h, ridge, least):
    """Return (gain, column, which rows go first) of the best test, all tests tried row by row."""
    best = None
    for j, (count, axis) in enumerate(zip(table.n_bins, table.ordered, strict=True)):
        values = table.bins[rows, j]
        for bins, discount in candidate_tests(values, g[rows], h[rows], count, axis):
            first = np.isin(values, list(bins))
            if min(h[rows][first].sum(), h[rows][~first].sum()) < least:
                continue
            gain = discount * gain_of(first, g[rows], h[rows], ridge)
            if gain > 1e-9 and (best is None or gain > best[0] + 1e-12):
                best = gain, j, first
    return best


def plain_tree(table, g, h, leaves, depth, ridge, least):
    """Return the value of every row, and the gains in the order of the splits."""
    parts = [(np.arange(len(g)), 0)]
    gains = []
    while len(parts) < leaves:
        tests = [
            best_test(table, rows, g, h, ridge, least) if at < depth else None for rows, at in parts
        ]
        usable = [k for k, test in enumerate(tests) if test]
        if not usable:
            break
        chosen = max(usable, key=lambda k: tests[k][0])
        rows, at = parts.pop(chosen)
        gain, _, first = tests[chosen]
        gains.append(gain)
        parts += [(rows[first], at + 1), (rows[~first], at + 1)]
    value = np.zeros(len(g))
    for rows, _ in parts:
        value[rows] = -RATE * g[rows].sum() / (h[rows].sum() + ridge)
    return value, gains


def sides_of(tree, n_bins):
    """Return for every test of a tree the side of each bin and of unknown values."""
    _, column, _, sides, _, _ = tree
    bits, at = {}, 0
    for node in np.flatnonzero(column >= 0).tolist():
        count = n_bins[column[node]]
        width = count // 8 + 1
        bits[node] = [sides[at + b // 8] >> b % 8 & 1 for b in range(count + 1)]
        at += width
    assert at == len(sides)
    return bits


def walked(tree, bins, n_bins):
    """Return the value of every row of a tree, walked node by node."""
    (size,), column, child, _, value, _ = tree
    assert size == len(column)
    bits, values = sides_of(tree, n_bins), []
    for row in bins:
        node = 0
        while column[node] >= 0:
            node = child[node] + bits[node][row[column[node]]]
        values.append(value[node])
    return np.array(values)


# ---------------------------------------------------------------- one tree


@pytest.mark.parametrize("kind", [(9, 9), (6, 5), (3, 0), (7, 0), (2, 1)])
@pytest.mark.parametrize("seed", range(12))
def test_the_first_test_is_the_best_of_all_tests(kernels, kind, seed):
    table = draw_table(seed, kinds=[kind])
    g, h = draw_derivatives(seed, len(table.bins))
    tree = grow(kernels, table, g, h, leaves=2)
    best = best_test(table, np.arange(len(g)), g, h, 1.0, LEAST)
    if best is None:
        assert len(tree[1]) == 1
        return
    gain, column, first = best
    assert tree[5][0] == pytest.approx(gain)
    assert tree[1].tolist() == [column, -1, -1]
    assert_array_equal(walked(tree, table.bins, table.n_bins) == tree[4][1], first)


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize(
    ("leaves", "depth", "least"), [(5, 9, 0.1), (30, 3, 0.1), (30, 9, 0.1), (30, 9, 2.5)]
)
def test_a_tree_is_the_one_that_plain_python_grows(kernels, seed, leaves, depth, least):
    table = draw_table(seed)
    g, h = draw_derivatives(seed, len(table.bins))
    tree = grow(kernels, table, g, h, leaves, depth, least=least)
    value, gains = plain_tree(table, g, h, leaves, depth, 1.0, least)
    assert_allclose(walked(tree, table.bins, table.n_bins), value, rtol=1e-9, atol=1e-12)
    assert_allclose(np.sort(tree[5][tree[1] >= 0]), np.sort(gains), rtol=1e-7)


def test_leaves_by_hand(kernels):
    """G = -3 and 3, H = 2 and 4: values 0.3 * 3 / 3 and -0.3 * 3 / 5, gain 9/3 + 9/5 - 0."""
    table = Table(np.array([[0], [0], [1]], dtype=np.uint8), [2], [0])
    tree = grow(kernels, table, np.array([-1.0, -2.0, 3.0]), np.array([1.0, 1.0, 4.0]))
    sizes, column, child, sides, value, gain = tree
    assert sizes.tolist() == [3]
    assert column.tolist() == [0, -1, -1]
    assert child[0] == 1
    assert_allclose(value, [0.0, 0.3, -0.18])
    assert_allclose(gain, [4.8, 0.0, 0.0])
    assert sides.tolist() == [0b110]  # value 1, and unknown values, go to the second child


def test_a_tree_without_a_test_is_one_leaf(kernels):
    table = Table(np.zeros((4, 1), dtype=np.uint8), [1], [1])
    sizes, column, _, sides, value, _ = grow(kernels, table, np.ones(4), np.ones(4))
    assert (sizes.tolist(), column.tolist(), sides.tolist()) == ([1], [-1], [])
    assert_allclose(value, [-RATE * 4 / 5])


@pytest.mark.parametrize(("missing_g", "side"), [(-1.0, 0), (1.0, 1)])
def test_missing_values_go_where_they_gain_more(kernels, missing_g, side):
    bins = np.array([[0], [0], [1], [1], [2]], dtype=np.uint8)
    g = np.array([-1.0, -1.0, 1.0, 1.0, missing_g])
    tree = grow(kernels, Table(bins, [3], [2]), g, np.ones(5), leaves=2)
    assert sides_of(tree, [3])[0][:3] == [0, 1, side]


@pytest.mark.parametrize("heavy", [0, 1])
def test_absent_and_unknown_values_go_to_the_heavier_child(kernels, heavy):
    """Bins 0 and 3 occur; bins 1 and 2, missing values and unknown values do not."""
    bins = np.array([[0, 0], [0, 0], [3, 3]], dtype=np.uint8)
    g, h = np.array([-1.0, -1.0, 2.0]), np.array([1.0, 1.0, 4.0 * heavy + 0.5])
    nominal = sides_of(grow(kernels, Table(bins[:, :1], [4], [0]), g, h, leaves=2), [4])[0]
    assert nominal == [0, heavy, heavy, 1, heavy]
    axis = sides_of(grow(kernels, Table(bins[:, :1], [5], [4]), g, h, leaves=2), [5])[0]
    assert axis == [0, 1, 1, 1, heavy, heavy]


def test_equal_columns_go_to_the_first(kernels):
    table = draw_table(3, rows=50, kinds=[(7, 0)])
    twice = Table(np.repeat(table.bins[:, :1], 2, axis=1), [7, 7], [0, 0])
    g, h = draw_derivatives(3, 50)
    assert set(grow(kernels, twice, g, h)[1].tolist()) == {0, -1}


def test_a_row_of_weight_2_is_two_equal_rows(kernels):
    table = draw_table(8, rows=80)
    g, h = draw_derivatives(8, 80)
    times = np.random.default_rng(8).integers(1, 4, 80)
    repeated = np.repeat(np.arange(80), times)
    tree = grow(kernels, table, g * times, h * times, leaves=12)
    same = Table(table.bins[repeated], *table[1:])
    other = grow(kernels, same, g[repeated], h[repeated], leaves=12)
    assert len(tree[1]) > 5
    for array, expected in zip(tree, other, strict=True):
        assert_allclose(array, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("rows", [1, 40, 3000])
def test_the_order_of_the_rows_does_not_matter(kernels, rows):
    table = draw_table(5, rows=rows)
    g, h = draw_derivatives(5, rows)
    order = np.random.default_rng(0).permutation(rows)
    shuffled = Table(table.bins[order], *table[1:])
    trees = grow(kernels, table, g, h), grow(kernels, shuffled, g[order], h[order])
    for array, other in zip(*trees, strict=True):
        assert_array_equal(array, other)


@pytest.mark.parametrize("seed", range(20))
def test_both_kernels_grow_the_same_tree(native, seed):
    kinds = [(255, 0), (255, 254), (40, 40), (1, 1), (4, 0), (2, 0)]
    table = draw_table(seed, rows=int(np.random.default_rng(seed).integers(1, 500)), kinds=kinds)
    g, h = draw_derivatives(seed, len(table.bins))
    g = g.round(1)  # ties
    for leaves, depth in [(2, 8), (32, 3), (64, 20)]:
        trees = [grow(k, table, g, h, leaves, depth) for k in (native, numpy_kernels)]
        for array, expected in zip(*trees, strict=True):
            assert array.dtype == expected.dtype
            assert_array_equal(array, expected)


# ---------------------------------------------------------------- rounds


def draw_rows(seed, rows, classes, weights=False):
    table = draw_table(seed, rows)
    rng = np.random.default_rng(seed)
    noise = rng.integers(0, classes, rows)
    target = np.where(rng.random(rows) < 0.6, table.bins[:, 0] % classes, noise).astype(np.uint8)
    return table, target, rng.random(rows) + 0.1 if weights else None


def boost(kernels, table, target, classes, weights, folds, scores, **more):
    given = {"first": 0, "rounds": 3, "leaves": 6, "sampled": False, "seed": 5, "threads": 1} | more
    return kernels.boost_rounds(
        *table,
        target,
        classes,
        weights,
        np.asarray(folds, dtype=np.int32),
        scores,
        given["first"],
        given["rounds"],
        given["leaves"],
        4,
        RATE,
        1.0,
        LEAST,
        given["sampled"],
        given["seed"],
        given["threads"],
    )


def shares_of(scores):
    """Probabilities of all classes; one output is the difference of two scores."""
    if len(scores) == 1:
        scores = np.vstack([np.zeros_like(scores), scores])
    powers = np.exp(scores)
    return powers / powers.sum(axis=0)


def mixed(key, place):
    """SplitMix64 in whole numbers of Python."""
    mask = (1 << 64) - 1
    z = (key + (place + 1) * 0x9E3779B97F4A7C15) & mask
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
    return z ^ z >> 31


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("sampled", [False, True])
def test_a_round_is_one_tree_per_output_of_the_derivatives(kernels, classes, weighted, sampled):
    """The second run of the third round, its derivatives and its sample computed by hand."""
    rows, outputs = 90, 1 if classes == 2 else classes
    table, target, weights = draw_rows(1, rows, classes, weighted)
    folds = np.arange(rows) % 3
    start = np.random.default_rng(0).normal(size=(2, outputs, rows)) * 4  # also small gradients
    scores = start.copy()
    more = {"first": 2, "rounds": 1, "sampled": sampled}
    losses, places, trees = boost(kernels, table, target, classes, weights, folds, scores, **more)
    shares, inside = shares_of(start[1]), np.flatnonzero(folds != 1)
    expected = start[1].copy()
    for output in range(outputs):
        wanted = 1 if classes == 2 else output
        g = shares[wanted] - (target == wanted)
        h = np.maximum(shares[wanted] * (1 - shares[wanted]), 1e-6)
        factor = np.ones(rows) if weights is None else weights.copy()
        drawn = inside
        if sampled:
            keep = np.minimum(1, np.maximum(0.2, 10 * np.abs(g)))
            key = mixed(mixed(mixed(5, 1), 2), output)
            random = np.array([(mixed(key, r) >> 11) / 2**53 for r in range(rows)])
            factor /= keep
            drawn = inside[random[inside] < keep[inside]]
        part = Table(table.bins[drawn], *table[1:])
        tree = grow(kernels, part, (factor * g)[drawn], (factor * h)[drawn], leaves=6)
        expected[output] += walked(tree, table.bins, table.n_bins)
    assert_allclose(scores[1], expected, rtol=1e-9, atol=1e-12)
    assert places[places[:, 0] == 1].tolist() == [[1, 2, output] for output in range(outputs)]
    assert len(trees[0]) == len(places)
    logs = np.log(shares_of(scores[1]))[target, np.arange(rows)]
    own = np.ones(rows) if weights is None else weights
    assert losses[0, 1] == pytest.approx(-(logs * own)[folds == 1].sum())


def test_large_gradients_are_always_drawn_and_the_sums_of_a_sample_are_unbiased(kernels):
    """At scores of 6, rows of class 1 have g = -0.0025 and rows of class 0 have g = 0.9975."""
    rows = 20000
    target = (np.arange(rows) % 2).astype(np.uint8)
    table = Table(target[:, None].copy(), [2], [0])
    scores = np.full((1, 1, rows), 6.0)
    more = {"rounds": 1, "sampled": True}
    _, _, trees = boost(kernels, table, target, 2, None, np.full(rows, -1), scores, **more)
    p = 1 / (1 + math.exp(-6))
    always = -RATE * (rows / 2 * p) / (rows / 2 * p * (1 - p) + 1)
    assert trees[4][1] == pytest.approx(always)
    # In the other leaf G = -H / p, so that its value tells H; a fifth of its rows is drawn.
    total_h = 1 / (RATE / (p * trees[4][2]) - 1)
    spread = math.sqrt(rows / 2 * 0.2 * 0.8) / 0.2
    assert total_h / (p * (1 - p)) == pytest.approx(rows / 2, abs=4 * spread)
    assert total_h / (p * (1 - p)) != rows / 2


@pytest.mark.parametrize("classes", [2, 3])
def test_the_training_loss_falls_in_every_round(kernels, classes):
    table, target, _ = draw_rows(2, 200, classes)
    scores = np.zeros((1, 1 if classes == 2 else classes, 200))
    losses = []
    for number in range(8):
        logs = np.log(shares_of(scores[0]))[target, np.arange(200)]
        losses.append(-logs.sum())
        boost(kernels, table, target, classes, None, [-1] * 200, scores, first=number, rounds=1)
    assert (np.diff(losses) < 0).all()


@pytest.mark.parametrize("sampled", [False, True])
def test_rounds_may_be_boosted_in_parts(kernels, sampled):
    table, target, _ = draw_rows(4, 120, 3)
    folds, start = np.arange(120) % 2, np.zeros((2, 3, 120))
    whole, parts = start.copy(), start.copy()
    losses, _, _ = boost(kernels, table, target, 3, None, folds, whole, rounds=5, sampled=sampled)
    first, _, _ = boost(kernels, table, target, 3, None, folds, parts, rounds=2, sampled=sampled)
    more = {"first": 2, "rounds": 3, "sampled": sampled}
    second, _, _ = boost(kernels, table, target, 3, None, folds, parts, **more)
    assert_array_equal(whole, parts)
    assert_array_equal(losses, np.vstack([first, second]))


@pytest.mark.parametrize("seed", range(16))
def test_both_kernels_boost_alike_with_any_number_of_threads(native, seed):
    rng = np.random.default_rng(seed)
    rows, classes = int(rng.integers(1, 400)), int(rng.integers(2, 5))
    table, target, weights = draw_rows(seed, rows, classes, seed % 2 == 0)
    folds = rng.integers(-1, 4, rows)
    results = []
    for kernels, threads in [(numpy_kernels, 1), (native, 1), (native, 3)]:
        scores = np.zeros((3, 1 if classes == 2 else classes, rows))
        more = {"sampled": seed % 3 == 0, "seed": seed, "threads": threads}
        losses, places, trees = boost(
            kernels, table, target, classes, weights, folds, scores, **more
        )
        results.append([losses, places, scores, *trees])
    for expected, array, threaded in zip(*results, strict=True):
        assert array.dtype == expected.dtype
        assert_array_equal(array, threaded)
        assert_allclose(array, expected, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("classes", [2, 3])
def test_threads_inside_a_round_change_nothing(native, classes):
    """The table is large enough for threads within one run."""
    table, target, _ = draw_rows(6, 60000, classes)
    results = []
    for threads in (1, 4):
        scores = np.zeros((1, 1 if classes == 2 else classes, 60000))
        more = {"rounds": 2, "sampled": True, "threads": threads}
        boost(native, table, target, classes, None, np.arange(60000) % 10, scores, **more)
        results.append(scores)
    assert_array_equal(*results)


# ---------------------------------------------------------------- sums for new rows


def program(kernels, classes=3, seed=7):
    """Codes whose bins are their thirds, and trees of these bins."""
    table, target, _ = draw_rows(seed, 300, classes)
    scores = np.zeros((1, 1 if classes == 2 else classes, 300))
    _, places, trees = boost(kernels, table, target, classes, None, [-1] * 300, scores, rounds=4)
    cards = [3 * count for count in table.n_bins]
    bin_of = np.concatenate([np.arange(card + 1) // 3 for card in cards]).astype(np.uint8)
    outputs = np.ascontiguousarray(places[:, 2])
    return cards, bin_of, table.n_bins, list(trees[:5]), outputs


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
@pytest.mark.parametrize("rows", [0, 1, 200, 2500])
def test_trees_are_added_row_by_row(kernels, classes, dtype, rows):
    cards, bin_of, n_bins, trees, outputs = program(kernels, classes)
    rng = np.random.default_rng(rows)
    codes = [rng.integers(0, card + 1, rows).astype(dtype) for card in cards]
    start = rng.normal(size=(rows, classes))
    for threads in (1, 3):
        scores = start.copy()
        kernels.add_boosted_trees(
            codes, cards, bin_of, n_bins, *trees, outputs, scores, 0.7, threads
        )
        bins = np.stack([code.astype(int) // 3 for code in codes], axis=1)
        expected, node, byte = start.copy(), 0, 0
        for size, output in zip(trees[0], outputs, strict=True):
            nodes = slice(node, node + size)
            column = trees[1][nodes]
            width = sum(n_bins[c] // 8 + 1 for c in column if c >= 0)
            flags = trees[3][byte : byte + width]
            tree = [size], column, trees[2][nodes], flags, trees[4][nodes], None
            value = 0.7 * walked(tree, bins, n_bins)
            if classes == 2:
                expected += np.outer(value, [-0.5, 0.5])
            else:
                expected[:, output] += value
            node, byte = node + size, byte + width
        assert_allclose(scores, expected, rtol=1e-9, atol=1e-12)


def test_a_code_above_the_unknown_value_is_unknown(kernels):
    cards, bin_of, n_bins, trees, outputs = program(kernels)
    results = []
    for more in (0, 5):
        codes = [np.full(3, card + more, dtype=np.uint8) for card in cards]
        scores = np.zeros((3, 3))
        kernels.add_boosted_trees(codes, cards, bin_of, n_bins, *trees, outputs, scores, 1.0, 1)
        results.append(scores)
    assert_array_equal(*results)
    assert results[0].any()


# ---------------------------------------------------------------- wrong arguments


GOOD = Table(np.array([[0, 1], [1, 0], [1, 1]], dtype=np.uint8), [2, 2], [2, 0])
WRONG_TABLES = {
    "one number of bins per column": [GOOD._replace(n_bins=[2]), GOOD._replace(ordered=[2])],
    "from 1 to 255 bins": [GOOD._replace(n_bins=[2, 256]), GOOD._replace(n_bins=[0, 2])],
    "are ordered, or none": [GOOD._replace(n_bins=[4, 2]), GOOD._replace(ordered=[3, 0])],
    "bin is out of range": [GOOD._replace(n_bins=[2, 1])],
}


@pytest.mark.parametrize(
    ("message", "table"),
    [(message, table) for message, tables in WRONG_TABLES.items() for table in tables],
)
def test_wrong_tables_are_refused(kernels, message, table):
    with pytest.raises(ValueError, match=message):
        grow(kernels, table, np.zeros(3), np.ones(3))
    with pytest.raises(ValueError, match=message):
        boost(kernels, table, np.zeros(3, np.uint8), 2, None, [0] * 3, np.zeros((1, 1, 3)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"g": np.zeros(2)}, "one gradient and one hessian per row"),
        ({"h": np.ones(4)}, "one gradient and one hessian per row"),
        ({"g": np.array([0.0, np.nan, 0.0])}, "finite"),
        ({"h": np.array([1.0, -1.0, 1.0])}, "at least 0"),
        ({"leaves": 0}, "max_leaves"),
        ({"depth": -1}, "max_depth"),
        ({"ridge": -1.0}, "ridge"),
        ({"least": 0.0}, "min_child"),
        ({"ridge": math.nan}, "ridge"),
    ],
)
def test_wrong_options_of_a_tree_are_refused(kernels, change, message):
    arguments = {"g": np.zeros(3), "h": np.ones(3)} | change
    with pytest.raises(ValueError, match=message):
        grow(kernels, GOOD, **arguments)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"classes": 1}, "two classes"),
        ({"target": np.array([0, 1, 2], dtype=np.uint8)}, "must have a class"),
        ({"target": np.zeros(2, dtype=np.uint8)}, "one class and one fold per row"),
        ({"folds": [0, 0]}, "per row"),
        ({"weights": np.ones(2)}, "one weight per row"),
        ({"weights": np.array([1.0, 0.0, 1.0])}, "positive"),
        ({"weights": np.array([1.0, np.inf, 1.0])}, "positive"),
        ({"scores": np.zeros((1, 2, 3))}, "differ in their sizes"),
        ({"scores": np.zeros((1, 1, 4))}, "differ in their sizes"),
        ({"rounds": -1}, "rounds"),
        ({"first": -1}, "rounds"),
    ],
)
def test_wrong_rows_are_refused(kernels, change, message):
    rows = {
        "target": np.zeros(3, dtype=np.uint8),
        "classes": 2,
        "weights": None,
        "folds": [0, 0, 0],
        "scores": np.zeros((1, 1, 3)),
    }
    with pytest.raises(ValueError, match=message):
        boost(kernels, GOOD, **(rows | change))


def with_entry(array, place, value):
    changed = array.copy()
    changed[place] = value
    return changed


def test_wrong_trees_are_refused(kernels):
    cards, bin_of, n_bins, trees, outputs = program(kernels)
    codes = [np.zeros(2, dtype=np.uint8) for _ in cards]
    good = dict(
        columns=codes,
        cards=cards,
        bin_of=bin_of,
        n_bins=n_bins,
        **dict(zip(["sizes", "column", "child", "sides", "value"], trees, strict=True)),
        outputs=outputs,
        scores=np.zeros((2, 3)),
        weight=1.0,
        threads=1,
    )
    kernels.add_boosted_trees(**good)
    wrong = [
        {"cards": cards[:-1]},
        {"cards": [0, *cards[1:]]},
        {"columns": [codes[0][:1], *codes[1:]]} if len(codes) > 1 else {"scores": np.zeros((3, 3))},
        {"scores": np.zeros((3, 3))},
        {"bin_of": bin_of[:-1]},
        {"bin_of": with_entry(bin_of, 0, 255)},
        {"n_bins": [256, *n_bins[1:]]},
        {"sizes": with_entry(trees[0], 0, trees[0][0] + 2)},
        {"sizes": with_entry(trees[0], 0, 0)},
        {"sizes": trees[0][:-1], "outputs": outputs[:-1]},
        {"column": with_entry(trees[1], 0, len(cards))},
        {"child": with_entry(trees[2], 0, 0)},
        {"child": with_entry(trees[2], 0, trees[0][0] - 1)},
        {"child": trees[2][:-1]},
        {"sides": trees[3][:-1]},
        {"sides": np.append(trees[3], trees[3][:1])},
        {"value": trees[4][:-1]},
        {"outputs": outputs[:-1]},
        {"outputs": with_entry(outputs, 0, 3)},
        {"outputs": with_entry(outputs, 0, -1)},
    ]
    for change in wrong:
        with pytest.raises(ValueError, match=r"[A-Z].*\."):
            kernels.add_boosted_trees(**(good | change))


def test_nothing_is_grown_from_no_rows(kernels):
    table = Table(np.zeros((0, 2), dtype=np.uint8), [3, 4], [3, 0])
    sizes, *_ = grow(kernels, table, np.zeros(0), np.zeros(0))
    assert sizes.tolist() == [1]
    none = np.zeros(0, dtype=np.uint8)
    losses, places, trees = boost(kernels, table, none, 2, None, [], np.zeros((2, 1, 0)))
    assert losses.tolist() == [[0.0, 0.0]] * 3
    assert (places.shape, [len(array) for array in trees]) == ((0, 3), [0] * 6)


def test_the_plain_tree_tries_prefixes_and_both_sides_of_missing_values():
    """The oracle itself: 3 + 2 thresholds, and of four values 4 single ones and 3 prefixes."""
    ones = np.ones(4)
    axis = list(candidate_tests(np.array([0, 1, 2, 3]), ones, ones, 4, 3))
    assert [3 in bins for bins, _ in axis] == [False, True] * 3
    nominal = list(candidate_tests(np.array([0, 1, 2, 3]), np.arange(4.0), ones, 4, 0))
    sets = [bins for bins, discount in nominal if discount < 1]
    assert sets == [set(range(k)) for k in (1, 2, 3)]
    assert len(nominal) == 7
    assert all(a < b for a, b in itertools.pairwise(map(len, sets)))
