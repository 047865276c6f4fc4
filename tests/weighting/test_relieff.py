"""ReliefF against hand-worked rows, plain loops over all rows, and WEKA (make_weka_weights.py)."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import weka
from bayesgrove.weighting import ReliefF, relieff
from support import as_weka_reads

WEKA = json.loads((Path(__file__).parent / "data" / "weka.json").read_text())
NAN = float("nan")


def codes(*values):
    return np.array(values, dtype=np.uint8)


def difference(column, card, low, high, i, j):
    a, b = column[i], column[j]
    if column.dtype.kind != "f":
        return 1 - 1 / card if card in (a, b) else float(a != b)
    if np.isnan(a) and np.isnan(b):
        return 1.0
    a, b = ((v - low) / (high - low) if high > low else 0.0 * v for v in (a, b))
    if np.isnan(a) or np.isnan(b):
        known = b if np.isnan(a) else a
        return max(known, 1 - known)
    return abs(a - b)


def plain_loops(columns, cards, target, n_classes, k, drawn):
    """The definition, row by row: WEKA's list of neighbours and all."""
    n = len(target)
    ranges = [(np.nanmin(c), np.nanmax(c)) if c.dtype.kind == "f" else (0, 0) for c in columns]
    parts = list(zip(columns, cards, *zip(*ranges, strict=True), strict=True))
    share = np.bincount(target, minlength=n_classes) / n
    weights = np.zeros(len(columns))
    for i in drawn:
        for c in range(n_classes):
            kept = []
            for j in np.flatnonzero(target == c):
                distance = sum(difference(*part, i, j) for part in parts)
                far = max(kept, key=lambda pair: pair[0], default=None)
                if j != i and len(kept) < k:
                    kept.append((distance, j))
                elif j != i and distance < far[0]:
                    kept[kept.index(far)] = (distance, j)
            factor = -1 if c == target[i] else share[c] / (1 - share[target[i]])
            for _, j in kept:
                found = np.array([difference(*part, i, j) for part in parts])
                weights += factor * found / len(kept) / len(drawn)
    return weights


def random_table(seed, rows=45):
    rng = np.random.default_rng(seed)
    target = codes(*rng.choice(4, rows, p=[0.5, 0.3, 0.15, 0.05]))
    cards = [2, 3, 0, 5, 0, 0]
    columns = [
        rng.integers(0, card + 1, rows).astype(np.uint8)
        if card
        else np.where(rng.random(rows) < 0.2, NAN, rng.integers(0, 9, rows) + target)
        for card in cards
    ]
    return columns, cards, target, 4


def test_hits_and_misses_by_hand():
    """Rows 0 and 1 are one class, 2 and 3 the other; the first column tells them apart."""
    columns = [codes(0, 0, 1, 1), np.array([0.0, 4.0, 0.0, 3.0])]
    weights = ReliefF(neighbours=1).weights(columns, [2, 0], codes(0, 0, 1, 1), 2)
    # Nearest misses: 2 of 0, 3 of 1, 0 of 2, 1 of 3. The only hits: 1 of 0 and 3 of 2.
    misses, hits = np.array([1, (0 + 0.25 + 0 + 0.25) / 4]), np.array([0, (2 * 1 + 2 * 0.75) / 4])
    assert_allclose(weights, misses - hits)


def test_misses_count_by_the_shares_of_their_classes():
    columns = [np.array([0.0, 0.0, 2.0, 2.0, 2.0, 1.0])]
    weights = ReliefF().weights(columns, [0], codes(0, 0, 1, 1, 1, 2), 3)
    by_row = [0.75 * 1 + 0.25 * 0.5, (2 / 3) * 1 + (1 / 3) * 0.5, 0.4 * 0.5 + 0.6 * 0.5]
    assert_allclose(weights, (2 * by_row[0] + 3 * by_row[1] + by_row[2]) / 6)


def test_a_missing_value_is_as_far_as_its_kind_says():
    columns = [codes(0, 3, 3, 1), np.array([0.2, NAN, NAN, 1.2])]
    target = codes(0, 1, 1, 1)
    weights = ReliefF().weights(columns, [3, 0], target, 2)
    # Row 0 has no hit; its misses are all others. Each other row has two hits, and row 0 as miss.
    label = (2 / 3 + 2 / 3 + 1) / 3 + 2 / 3 + 2 / 3 + 1 - 3 * (2 / 3)
    number = 1 + (1 - 1) + (1 - 1) + (1 - 1)
    assert_allclose(weights, [label / 4, number / 4])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("neighbours", [1, 3, 10])
def test_weights_are_those_of_plain_loops(seed, neighbours):
    table = random_table(seed)
    expected = plain_loops(*table, neighbours, range(45))
    assert_allclose(ReliefF(neighbours).weights(*table), expected, atol=1e-12)


def test_rows_may_be_worked_in_pieces_of_any_size(monkeypatch):
    table = random_table(5)
    expected = ReliefF(4).weights(*table)
    for name, size in [("BLOCK_CELLS", 100), ("CACHE_CELLS", 1), ("STRIDE", 2)]:
        monkeypatch.setattr(relieff, name, size)
    assert_allclose(ReliefF(4).weights(*table), expected, atol=1e-14)


def test_a_sample_is_drawn_with_replacement_by_its_seed():
    table = random_table(6)
    drawn = np.random.default_rng(3).integers(45, size=20)
    expected = plain_loops(*table, 5, drawn)
    assert_allclose(ReliefF(5, sample=20, seed=3).weights(*table), expected, atol=1e-12)
    everything = ReliefF(5).weights(*table)
    assert_array_equal(ReliefF(5, sample=45, seed=3).weights(*table), everything)


def test_of_rows_as_far_as_the_last_neighbour_those_listed_later_stay():
    """The list of 2 is full of rows at 1; the nearer third takes the first place, the last none."""
    places = relieff._nearest(np.array([[1.0, 1.0, 0.0, 1.0], [3.0, 1.0, 2.0, 1.0]]), 2)
    assert [sorted(row) for row in places.tolist()] == [[1, 2], [1, 3]]


def test_nothing_to_tell_weighs_nothing():
    columns = [codes(0, 0, 0), np.array([5.0, 5.0, 5.0]), np.full(3, NAN)]
    assert_array_equal(ReliefF().weights(columns, [1, 0, 0], codes(0, 1, 1), 2)[:2], [0, 0])
    one_class = ReliefF().weights([codes(0, 1, 1)], [2], codes(0, 0, 0), 1)
    assert_allclose(one_class, -(1 + 0.5 + 0.5) / 3)
    assert ReliefF().weights([codes(1)], [2], codes(0), 1).tolist() == [0.0]
    assert ReliefF().weights([], [], codes(0, 1), 2).tolist() == []


def test_the_largest_numbers_have_a_range():
    column = np.array([-1.5e308, 1.5e308, NAN])
    assert_allclose(ReliefF().weights([column], [0], codes(0, 1, 1), 2), [(1 + 1 + 1 - 2) / 3])


def test_options_are_checked():
    for wrong in [{"neighbours": 0}, {"neighbours": 1.5}, {"sample": 0}, {"seed": -1}]:
        with pytest.raises(ValueError, match=next(iter(wrong))):
            ReliefF(**wrong).weights([codes(0, 1)], [2], codes(0, 1), 2)


def as_weka_weighs(dataset, first=None):
    schema, rows = as_weka_reads(*dataset, first)
    columns, cards = [None] * len(schema.codings), [0] * len(schema.codings)
    for place, numbers in zip(schema.continuous, rows.continuous, strict=True):
        columns[place] = numbers
    for at, place in enumerate(schema.discrete):
        columns[place], cards[place] = rows.columns[at], rows.cards[at]
    return ReliefF().weights(columns, cards, rows.target, rows.n_classes)


@pytest.mark.parametrize("name", [name for name in WEKA if name != "about"])
def test_weights_are_wekas(folder_dataset, name):
    weights = as_weka_weighs(folder_dataset(name), WEKA[name]["rows"])
    assert_allclose(weights, WEKA[name]["relieff"], atol=1e-11)


@weka.installed
def test_weka_itself_says_so(any_dataset):
    dataset = any_dataset("credit-g")
    with weka.arff_file(dataset) as path:
        answers = weka.attribute_weights(path, "ReliefFAttributeEval")
    assert_allclose(as_weka_weighs(dataset), answers, atol=1e-11)
