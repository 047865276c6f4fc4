"""The kernels of rule tables: against plain Python on small tables, and native against numpy."""

import itertools
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

RATE, RIDGE = 0.3, 0.7


@pytest.fixture(params=["numpy", "_native"])
def kernels(request):
    return pytest.importorskip(f"bayesgrove.kernels.{request.param}")


def draw(seed, rows, classes, kinds=((5, 5), (4, 3), (3, 0), (2, 0))):
    """Random columns (number of bins, number of ordered bins), classes, scores and folds."""
    rng = np.random.default_rng(seed)
    bins = np.stack([rng.integers(0, count, rows) for count, _ in kinds], axis=1).astype(np.uint8)
    n_bins, ordered = map(list, zip(*kinds, strict=True))
    target = ((bins[:, 0] > 2) + bins[:, 2] + (rng.random(rows) < 0.3)) % classes
    scores = rng.normal(size=(rows, classes)) * 0.3
    folds = rng.integers(-1, 2, rows).astype(np.int32)
    return bins, n_bins, ordered, target.astype(np.uint8), scores, folds


def softmax(scores):
    shares = [math.exp(s - max(scores)) for s in scores]
    return [share / sum(shares) for share in shares]


def loss(scores, c):
    return -math.log(softmax(scores)[c])


def questions_of(n_bins, ordered):
    """All questions: (column, bins of the answer yes)."""
    for j, (count, axis) in enumerate(zip(n_bins, ordered, strict=True)):
        if not axis:
            yield from ((j, (b, b)) for b in range(count))
            continue
        for b in range(axis - 1):
            yield j, (0, b)
            if count > axis:
                yield j, (b + 1, axis - 1)
        if count > axis:
            yield j, (axis, axis)


def derivatives_of(target, scores, rows, weights):
    """First and second derivative of the weighted log-loss, by row and class."""
    derivatives = {}
    for r in rows:
        p = softmax(scores[r].tolist())
        derivatives[r] = [
            (weights[r] * (share - (target[r] == c)), weights[r] * max(share * (1 - share), 1e-6))
            for c, share in enumerate(p)
        ]
    return derivatives


def score_of(group, derivatives, classes):
    """What the rows of a cell gain: G^2 / (H + ridge)."""
    if classes == 2:
        g, h = (sum(derivatives[r][1][part] for r in group) for part in (0, 1))
        return g * g / (h + RIDGE)
    h = sum(d[1] for r in group for d in derivatives[r]) / classes
    sums = [sum(derivatives[r][c][0] for r in group) for c in range(classes)]
    return sum(g * g for g in sums) / (h + RIDGE)


def best_question(bins, n_bins, ordered, groups, score):
    """The first question of the largest gain, and the groups by its answers."""
    tried = []
    for j, (low, high) in questions_of(n_bins, ordered):
        parts = []
        for group in groups:
            yes = [r for r in group if low <= bins[r, j] <= high]
            parts += [[r for r in group if r not in yes], yes]
        tried.append((sum(map(score, parts)) - sum(map(score, groups)), (j, low, high), parts))
    most = max(gain for gain, _, _ in tried)
    return next(one for one in tried if one[0] > most - 1e-8)


def one_table(bins, n_bins, ordered, target, scores, rows, weights, most):
    """The questions, gains and entries of one table, from the definition."""
    classes = scores.shape[1]
    derivatives = derivatives_of(target, scores, rows, weights)
    groups, asked, useful = [list(rows)], [], 0
    while len(asked) < most:
        gain, question, groups = best_question(
            bins, n_bins, ordered, groups, lambda group: score_of(group, derivatives, classes)
        )
        asked.append((*question, gain))
        useful = len(asked) if gain > 1e-9 else useful
    asked = asked[:useful]
    entries = np.zeros((2**useful, classes))
    for cell, c in itertools.product(range(2**useful), range(classes)):
        inside = [r for r in rows if cell_of(bins[r], asked) == cell]
        g, h = (sum(derivatives[r][c][part] for r in inside) for part in (0, 1))
        entries[cell, c] = -RATE * g / (h + RIDGE)
    return asked, entries


def cell_of(bins, asked):
    cell = 0
    for j, low, high, _ in asked:
        cell = 2 * cell + bool(low <= bins[j] <= high)
    return cell


def boost(kernels, data, rounds, most=3, sample=10**6, runs=2, weights=None, first=0):
    bins, n_bins, ordered, target, scores, folds = data
    begin = np.tile(scores, (runs, 1, 1))
    start = np.array([loss(s.tolist(), c) for s, c in zip(scores, target, strict=True)])
    found = kernels.boost_rule_tables(
        bins, n_bins, ordered, target, scores.shape[1], weights, folds, begin, start, first,
        rounds, most, RATE, RIDGE, sample, 7, 1,
    )  # fmt: skip
    return *found, begin, start


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_tables_are_those_of_the_definition(kernels, seed, classes):
    data = draw(seed, 40, classes)
    bins, n_bins, ordered, target, scores, folds = data
    weights = np.random.default_rng(seed).random(40) + 0.5
    losses, squares, lists, after, start = boost(kernels, data, 2, weights=weights)
    for run in range(2):
        rounds, sizes, column, first, last, gain, entries = lists[run]
        now, at, cell_at = scores.copy(), 0, 0
        rows = [r for r in range(40) if folds[r] != run]
        out = [r for r in range(40) if folds[r] == run]
        for k in range(2):
            asked, expected = one_table(bins, n_bins, ordered, target, now, rows, weights, 3)
            size = sizes[k]
            part = slice(at, at + size)
            found = list(zip(column[part], first[part], last[part], strict=True))
            assert rounds[k] == k
            assert found == [question[:3] for question in asked]
            assert_allclose(gain[part], [question[3] for question in asked], atol=1e-9)
            assert_allclose(entries[cell_at : cell_at + 2**size], expected, atol=1e-9)
            for r in range(40):
                now[r] += expected[cell_of(bins[r], asked)]
            held = [loss(now[r].tolist(), target[r]) for r in out]
            assert losses[k, run] == pytest.approx(sum(weights[out] * held))
            assert squares[k, run] == pytest.approx(sum(weights[out] * (held - start[out]) ** 2))
            at += size
            cell_at += 2**size
        assert_allclose(after[run], now, atol=1e-9)


def test_a_question_that_gains_nothing_may_come_before_one_that_gains(kernels):
    """Exclusive or: the first question gains nothing, both together say all."""
    bins = np.array(list(itertools.product((0, 1), (0, 1))) * 5, dtype=np.uint8)
    target = (bins[:, 0] ^ bins[:, 1]).astype(np.uint8)
    data = bins, [2, 2], [0, 0], target, np.zeros((20, 2)), np.full(20, -1, dtype=np.int32)
    *_, lists, after, _ = boost(kernels, data, 1, runs=1)
    assert lists[0][1].tolist() == [2]
    assert (after[0].argmax(axis=1) == target).all()


def test_without_anything_to_gain_there_is_no_table(kernels):
    bins = np.zeros((10, 1), dtype=np.uint8)
    target = np.array([0, 1] * 5, dtype=np.uint8)
    data = bins, [2], [0], target, np.zeros((10, 2)), np.full(10, -1, dtype=np.int32)
    losses, *_, lists, after, _ = boost(kernels, data, 2, runs=1)
    assert lists[0][1].tolist() == []
    assert losses.tolist() == [[0.0], [0.0]]
    assert not after.any()


@pytest.mark.parametrize(("classes", "sample"), [(2, 100), (4, 10**6), (7, 10**6), (7, 100)])
def test_native_and_numpy_kernels_agree(classes, sample):
    native = pytest.importorskip("bayesgrove.kernels._native")
    from bayesgrove.kernels import numpy_kernels

    data = draw(classes, 400, classes)
    one, two = (
        boost(kernels, data, 3, most=6, sample=sample, first=5)
        for kernels in (native, numpy_kernels)
    )
    assert_allclose(one[0], two[0])
    assert_allclose(one[1], two[1])
    assert_allclose(one[3], two[3], atol=1e-9)
    for a, b in zip(one[2], two[2], strict=True):
        for left, right in zip(a, b, strict=True):
            assert_allclose(left, right, atol=1e-9)


def test_questions_on_a_sample_are_about_as_good(kernels):
    """On a sample of 500 of 4,000 rows, the clear question is found, and entries use all rows."""
    rng = np.random.default_rng(0)
    bins = rng.integers(0, 2, (4000, 5)).astype(np.uint8)
    target = (bins[:, 3] ^ (rng.random(4000) < 0.1)).astype(np.uint8)
    folds = np.full(4000, -1, dtype=np.int32)
    data = bins, [2] * 5, [0] * 5, target, np.zeros((4000, 2)), folds
    *_, lists, _, _ = boost(kernels, data, 1, most=1, sample=500, runs=1)
    assert lists[0][2].tolist() == [3]
    inside = bins[:, 3] == lists[0][3][0]
    g, h = (0.5 - target[inside]).sum(), 0.25 * inside.sum()
    assert lists[0][6][1, 1] == pytest.approx(-RATE * g / (h + RIDGE))


def tables(seed, columns, cards, classes):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 5, 4).astype(np.int32)
    column = rng.integers(0, columns, sizes.sum()).astype(np.int32)
    first = np.array([rng.integers(0, cards[v]) for v in column], dtype=np.uint32)
    last = np.array([rng.integers(f, cards[v]) for f, v in zip(first, column, strict=True)])
    entries = rng.normal(size=((1 << sizes).sum(), classes)).astype(np.float32)
    return sizes, column, first, last.astype(np.uint32), entries


@pytest.mark.parametrize("classes", [2, 3])
def test_rows_get_the_entries_of_their_cells_and_nothing_for_unknown_values(kernels, classes):
    rng = np.random.default_rng(classes)
    cards = [3, 300, 2]
    columns = [
        rng.integers(0, card + 1, 700).astype(np.uint16 if card > 255 else np.uint8)
        for card in cards
    ]
    sizes, column, first, last, entries = tables(classes, 3, cards, classes)
    scores = rng.normal(size=(700, classes))
    expected = scores.copy()
    for r in range(700):
        at = start = 0
        for size in sizes:
            codes = [int(columns[v][r]) for v in column[at : at + size]]
            if all(code < cards[v] for code, v in zip(codes, column[at : at + size], strict=True)):
                bounds = zip(first[at : at + size], last[at : at + size], strict=True)
                bits = [int(f <= code <= e) for code, (f, e) in zip(codes, bounds, strict=True)]
                cell = int("".join(map(str, bits)), 2)
                expected[r] += 0.5 * entries[start + cell].astype(float)
            at += size
            start += 2**size
    kernels.add_rule_tables(columns, cards, sizes, column, first, last, entries, scores, 0.5, 2)
    assert_allclose(scores, expected, atol=1e-12)


def test_arrays_that_do_not_fit_are_refused(kernels):
    cards = [3, 4]
    columns = [np.zeros(5, dtype=np.uint8)] * 2
    sizes, column, first, last, entries = tables(0, 2, cards, 2)
    scores = np.zeros((5, 2))
    good = [columns, cards, sizes, column, first, last, entries, scores, 1.0, 1]
    kernels.add_rule_tables(*good)
    for place, wrong in (
        (1, [3]),
        (2, sizes * 0),
        (2, sizes + 8),
        (3, column + 5),
        (4, first[:-1]),
        (6, entries[:-1]),
        (7, np.zeros((5, 3))),
        (7, np.zeros((4, 2))),
    ):
        with pytest.raises(ValueError, match=r"\w"):
            kernels.add_rule_tables(*[wrong if k == place else g for k, g in enumerate(good)])


def test_options_out_of_range_are_refused(kernels):
    data = draw(0, 30, 2)
    for change in (
        {"most": 0},
        {"most": 9},
        {"sample": 0},
        {"rounds": -1},
        {"runs": 0, "first": -1},
    ):
        with pytest.raises(ValueError, match=r"\w"):
            boost(kernels, data, **{"rounds": 1, **change})
    bins, n_bins, ordered, target, scores, folds = data
    no_columns = bins[:, :0], [], [], target, scores, folds
    for wrong in (no_columns, (bins, n_bins, ordered, target + 2, scores, folds)):
        with pytest.raises((ValueError, IndexError)):
            boost(kernels, wrong, 1)
    assert_array_equal(boost(kernels, data, 0)[0], np.zeros((0, 2)))
