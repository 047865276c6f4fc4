"""Information measures against hand-worked values and their definitions."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bayesgrove.counts import CountSource, MemoryEngine
from bayesgrove.encoding import Encoded, MemoryLimitError, code_type
from bayesgrove.scores.information import (
    BITS,
    conditional_mutual_information,
    entropy,
    gain_ratio,
    information_with_class,
    mutual_information,
    pairwise_information,
    share_missing,
    symmetrical_uncertainty,
)


def h(counts):
    """Entropy by its definition, in nats."""
    total = math.fsum(counts)
    return -math.fsum(n / total * math.log(n / total) for n in counts if n > 0)


def mi(table):
    """I(X;Y) by its definition."""
    rows = [sum(row) for row in table]
    columns = [sum(column) for column in zip(*table, strict=True)]
    total = sum(rows)
    return math.fsum(
        n / total * math.log(n * total / (rows[x] * columns[y]))
        for x, row in enumerate(table)
        for y, n in enumerate(row)
        if n > 0
    )


def cmi(table):
    """I(X;Y|C) as the mean of I(X;Y) over the classes."""
    weights = [sum(map(sum, part)) for part in table]
    parts = zip(table, weights, strict=True)
    return math.fsum(w / sum(weights) * mi(part) for part, w in parts if w > 0)


def weighted_cmi(triples, weights):
    """I(X;Y|C) by its definition from rows (c, x, y)."""
    joint, by_x, by_y, by_c = Counter(), Counter(), Counter(), Counter()
    for (c, x, y), w in zip(triples, weights, strict=True):
        joint[c, x, y] += w
        by_x[c, x] += w
        by_y[c, y] += w
        by_c[c] += w
    total = math.fsum(by_c.values())
    return math.fsum(
        n / total * math.log(n * by_c[c] / (by_x[c, x] * by_y[c, y]))
        for (c, x, y), n in joint.items()
    )


@pytest.mark.parametrize(
    ("counts", "bits"),
    [([1, 1], 1.0), ([2, 1, 1], 1.5), ([7, 0], 0.0), ([5] * 8, 3.0), ([[1, 1], [1, 1]], 2.0)],
)
def test_entropy_by_hand(counts, bits):
    assert entropy(counts) / BITS == pytest.approx(bits, abs=1e-15)


def test_entropy_of_nothing_is_zero():
    assert entropy([0, 0]) == 0.0
    assert entropy([]) == 0.0


@pytest.mark.parametrize(
    ("table", "bits"),
    [
        ([[2, 0], [0, 2]], 1.0),
        ([[1, 1], [1, 1]], 0.0),
        ([[3, 1], [1, 3]], 0.75 * math.log2(3) - 1.0),
        ([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], 2.0),
        ([[2, 3], [4, 0], [3, 2]], 0.2467498197744391),  # outlook in Quinlan's weather data
    ],
)
def test_mutual_information_by_hand(table, bits):
    assert mutual_information(table) / BITS == pytest.approx(bits, abs=1e-13)


@pytest.mark.parametrize(
    ("table", "bits"),
    [
        ([[[1, 0], [0, 1]], [[0, 1], [1, 0]]], 1.0),
        ([[[4, 0], [0, 4]], [[2, 2], [2, 2]]], 0.5),
        ([[[1, 2], [2, 4]], [[9, 3], [3, 1]]], 0.0),
        ([[[0, 0], [0, 0]], [[1, 0], [0, 1]]], 1.0),
    ],
)
def test_conditional_mutual_information_by_hand(table, bits):
    assert conditional_mutual_information(table) / BITS == pytest.approx(bits, abs=1e-13)


def test_gain_ratio_by_hand():
    # Outlook in Quinlan (1986): gain 0.246 bits, information value 1.578 bits.
    outlook = [[2, 3], [4, 0], [3, 2]]
    split = 10 / 14 * math.log2(14 / 5) + 4 / 14 * math.log2(14 / 4)
    assert split == pytest.approx(1.578, abs=1e-3)
    assert gain_ratio(outlook) == pytest.approx(0.2467498197744391 / split, rel=1e-12)
    assert gain_ratio([[3, 4]]) == 0.0
    assert gain_ratio([[2, 0], [0, 1], [0, 1]]) == pytest.approx(1.0 / 1.5, rel=1e-12)


def test_missing_values_are_shared_out_row_by_row():
    """Each row that lacks a value is spread over the values, as often as they occur."""
    table = np.random.default_rng(0).integers(0, 9, (4, 3)).astype(float)
    known = table[:-1, :-1]
    of_x, of_y = table[:-1].sum(axis=1), table[:, :-1].sum(axis=0)
    expected = known * (1 + table[-1, -1] / known.sum())
    for x, y in itertools.product(range(3), range(2)):
        expected[x, y] += of_x[x] / of_x.sum() * table[-1, y] + of_y[y] / of_y.sum() * table[x, -1]
    assert_allclose(share_missing(table), expected)
    assert_allclose(share_missing(table).sum(), table.sum())


def test_where_nothing_is_known_nothing_is_shared_out():
    assert_array_equal(share_missing([[0, 0, 0], [0, 0, 0], [2, 3, 1]]), np.zeros((2, 2)))
    assert_array_equal(share_missing([[0, 2], [3, 4]]), [[5.0]])
    assert_array_equal(share_missing([[1, -1e-17], [0, 0]]), [[1.0]])


def test_symmetrical_uncertainty_by_hand():
    assert symmetrical_uncertainty([[5, 0], [0, 5]]) == pytest.approx(1.0, rel=1e-13)
    assert symmetrical_uncertainty([[1, 1], [1, 1]]) == pytest.approx(0.0, abs=1e-13)
    assert symmetrical_uncertainty([[2, 0], [0, 1], [0, 1]]) == pytest.approx(2 / 2.5, rel=1e-12)
    assert symmetrical_uncertainty([[4]]) == 0.0


@pytest.mark.parametrize("scale", [1, 0.3])
@pytest.mark.parametrize("seed", range(20))
def test_measures_are_their_definitions(seed, scale):
    rng = np.random.default_rng(seed)
    shape = rng.integers(1, 6, 3)
    counts = rng.integers(0, 30, shape) * (rng.random(shape) < 0.8)
    counts[0, 0, 0] += 1
    table = (counts * scale).tolist()
    flat = (counts.sum(axis=0) * scale).tolist()
    rows, columns = [sum(r) for r in flat], [sum(c) for c in zip(*flat, strict=True)]
    assert entropy(rows) == pytest.approx(h(rows), abs=1e-12)
    assert mutual_information(flat) == pytest.approx(mi(flat), abs=1e-12)
    assert conditional_mutual_information(table) == pytest.approx(cmi(table), abs=1e-12)
    ratio = mi(flat) / h(rows) if h(rows) > 1e-9 else 0.0
    assert gain_ratio(flat) == pytest.approx(ratio, abs=1e-11)
    both = h(rows) + h(columns)
    expected = 2 * mi(flat) / both if both > 1e-9 else 0.0
    assert symmetrical_uncertainty(flat) == pytest.approx(expected, abs=1e-11)


CARDS = [2, 3, 1000, 5, 300, 1]
CLASSES = 3


def make_rows(cards=CARDS, *, rows=400, missing=0.1, seed=0):
    """Codes that depend on each other and on the class."""
    rng = np.random.default_rng(seed)
    target = rng.integers(0, CLASSES, rows)
    common = rng.integers(0, 1000, rows)
    columns = []
    for card in cards:
        noise = rng.integers(0, 1000, rows) * (rng.random(rows) < 0.5)
        codes = (common + 7 * target + noise) % card
        codes[rng.random(rows) < missing] = card
        columns.append(codes)
    return columns, target


def make_source(columns, target, cards, weights=None, threads=1):
    codes = [c.astype(code_type(card)) for c, card in zip(columns, cards, strict=True)]
    encoded = Encoded(codes, list(cards), len(target), target.astype(np.uint8), CLASSES, weights)
    names = [f"a{j}" for j in range(len(cards) + 1)]
    return CountSource(MemoryEngine(encoded), names, [*cards, CLASSES], threads)


def brute_pairs(columns, target, cards, weights):
    n = len(cards)
    matrix = np.zeros((n, n))
    for i, j in itertools.combinations(range(n), 2):
        rows = [
            r for r in range(len(target)) if columns[i][r] < cards[i] and columns[j][r] < cards[j]
        ]
        triples = [(target[r], columns[i][r], columns[j][r]) for r in rows]
        matrix[i, j] = matrix[j, i] = weighted_cmi(triples, [weights[r] for r in rows])
    return matrix


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_pairwise_information_is_its_definition(missing, weighted):
    columns, target = make_rows(missing=missing)
    weights = np.random.default_rng(1).random(len(target)) * 3 if weighted else None
    expected = brute_pairs(
        columns, target, CARDS, np.ones(len(target)) if weights is None else weights
    )
    for threads in (1, 2):
        found = pairwise_information(make_source(columns, target, CARDS, weights, threads))
        assert_allclose(found, expected, atol=1e-11)
        assert_array_equal(found, found.T)
        assert_array_equal(np.diag(found), 0)
    assert expected.max() > 0.1


@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_information_with_class_is_its_definition(missing):
    columns, target = make_rows(missing=missing)
    found = information_with_class(make_source(columns, target, CARDS))
    for column, card, value in zip(columns, CARDS, found, strict=True):
        present = [(0, x, c) for x, c in zip(column, target, strict=True) if x < card]
        assert value == pytest.approx(weighted_cmi(present, [1] * len(present)), abs=1e-12)


def test_a_pair_without_a_common_row_has_no_information():
    columns = [np.array([0, 1, 0, 2, 2, 2]), np.array([2, 2, 2, 0, 1, 1])]
    source = make_source(columns, np.array([0, 1, 2, 0, 1, 2]), [2, 2])
    assert_array_equal(pairwise_information(source), np.zeros((2, 2)))


def renamed(columns, target, cards, seed):
    """The same rows with values and classes called differently, and in another order."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(target))
    names = [np.append(rng.permutation(card), card) for card in cards]
    classes = rng.permutation(CLASSES)
    return [name[c][order] for name, c in zip(names, columns, strict=True)], classes[target][order]


@pytest.mark.parametrize("seed", range(10))
def test_renaming_does_not_change_a_bit(seed):
    cards = [2, 3, 5, 12, 13, 256, 1]
    columns, target = make_rows(cards, seed=seed)
    one = make_source(columns, target, cards)
    two = make_source(*renamed(columns, target, cards, seed), cards)
    assert pairwise_information(one).tobytes() == pairwise_information(two).tobytes()
    assert information_with_class(one).tobytes() == information_with_class(two).tobytes()


@pytest.mark.parametrize("seed", range(5))
def test_renaming_of_very_many_values_changes_nothing_that_counts(seed):
    columns, target = make_rows(seed=seed)
    one = make_source(columns, target, CARDS)
    two = make_source(*renamed(columns, target, CARDS, seed), CARDS)
    assert_allclose(pairwise_information(one), pairwise_information(two), atol=1e-13)


def test_a_matrix_that_does_not_fit_is_refused(monkeypatch):
    monkeypatch.setattr("bayesgrove._utils.memory.SMALL", 0)
    monkeypatch.setattr("bayesgrove._utils.memory.available_memory", lambda: 10)
    with pytest.raises(MemoryLimitError, match=r"6 x 6 attributes would need .* GB"):
        pairwise_information(make_source(*make_rows(), CARDS))
