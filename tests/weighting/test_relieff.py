"""ReliefF against hand-worked rows, plain loops over all rows, and WEKA (make_weka_weights.py)."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import weka
from bayesgrove.contracts import TrainingData
from bayesgrove.weighting import ReliefF, relieff
from support import as_weka_reads

WEKA = json.loads((Path(__file__).parent / "data" / "weka.json").read_text())
NAN = float("nan")


def codes(*values):
    return np.array(values, dtype=np.uint8)


def relief(weighting, columns, cards, target, n_classes):
    return weighting.scores(TrainingData.of_columns(columns, cards, target, n_classes))


def scaled(column):
    """Numbers from 0 to 1, NaN where they are missing."""
    known = column[~np.isnan(column)]
    span = np.ptp(known) if len(known) else 0
    return (column - known.min()) / span if span > 0 else 0.0 * column


def wekas(column, card, target, i, j):
    """The difference of two values of which one is missing, or both."""
    if card:
        return 1 - 1 / card
    known = [value for value in (column[i], column[j]) if not np.isnan(value)]
    return max(known[0], 1 - known[0]) if known else 1.0


def conditional(column, card, target, i, j):
    """The mean over all that the values may be: those of the row's class, or of all rows."""
    missing = column == card if card else np.isnan(column)
    if missing.all():
        return 0.0

    def may_be(row):
        if not missing[row]:
            return [column[row]]
        same = ~missing & (target == target[row])
        return column[same if same.any() else ~missing].tolist()

    pairs = [(a, b) for a in may_be(i) for b in may_be(j)]
    return round(float(np.mean([a != b if card else abs(a - b) for a, b in pairs])), 12)


def difference(column, card, target, rule, i, j):
    a, b = column[i], column[j]
    if card in (a, b) if card else np.isnan([a, b]).any():
        return rule(column, card, target, i, j)
    return float(a != b) if card else abs(a - b)


def plain_loops(columns, cards, target, n_classes, k, drawn, rule=wekas):
    """The definition, row by row: WEKA's list of neighbours and all."""
    n = len(target)
    columns = [
        column if card else scaled(column) for column, card in zip(columns, cards, strict=True)
    ]
    parts = [(column, card, target, rule) for column, card in zip(columns, cards, strict=True)]
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
    weights = relief(ReliefF(n_neighbors=1), columns, [2, 0], codes(0, 0, 1, 1), 2)
    # Nearest misses: 2 of 0, 3 of 1, 0 of 2, 1 of 3. The only hits: 1 of 0 and 3 of 2.
    misses, hits = np.array([1, (0 + 0.25 + 0 + 0.25) / 4]), np.array([0, (2 * 1 + 2 * 0.75) / 4])
    assert_allclose(weights, misses - hits)


def test_misses_count_by_the_shares_of_their_classes():
    columns = [np.array([0.0, 0.0, 2.0, 2.0, 2.0, 1.0])]
    weights = relief(ReliefF(), columns, [0], codes(0, 0, 1, 1, 1, 2), 3)
    by_row = [0.75 * 1 + 0.25 * 0.5, (2 / 3) * 1 + (1 / 3) * 0.5, 0.4 * 0.5 + 0.6 * 0.5]
    assert_allclose(weights, (2 * by_row[0] + 3 * by_row[1] + by_row[2]) / 6)


def test_a_missing_value_is_as_far_as_its_kind_says():
    columns = [codes(0, 3, 3, 1), np.array([0.2, NAN, NAN, 1.2])]
    target = codes(0, 1, 1, 1)
    weights = relief(ReliefF(missing="weka"), columns, [3, 0], target, 2)
    # Row 0 has no hit; its misses are all others. Each other row has two hits, and row 0 as miss.
    label = (2 / 3 + 2 / 3 + 1) / 3 + 2 / 3 + 2 / 3 + 1 - 3 * (2 / 3)
    number = 1 + (1 - 1) + (1 - 1) + (1 - 1)
    assert_allclose(weights, [label / 4, number / 4])


def test_a_missing_value_is_expected_to_be_one_of_its_class():
    columns = [codes(0, 3, 0, 1), np.array([0.0, NAN, 1.0, 2.0])]
    weights = relief(ReliefF(), columns, [3, 0], codes(0, 1, 1, 1), 2)
    # The missing label is 0 or 1, each as likely; the missing number is 1/2 or 1 of the range.
    label = (0.5 + 0 + 1) / 3 + (0.5 + 0 + 1) - (0.5 + 0.5) / 2 - (0.5 + 1) / 2 - (0.5 + 1) / 2
    number = (0.75 + 0.5 + 1) / 3 + (0.75 + 0.5 + 1) - 0.25 - (0.25 + 0.5) / 2 - (0.25 + 0.5) / 2
    assert_allclose(weights, [label / 4, number / 4], atol=1e-12)


RULES = {"weka": wekas, "conditional": conditional}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("neighbours", [1, 3, 10])
@pytest.mark.parametrize("missing", RULES)
def test_weights_are_those_of_plain_loops(seed, neighbours, missing):
    table = random_table(seed)
    expected = plain_loops(*table, neighbours, range(45), RULES[missing])
    assert_allclose(relief(ReliefF(neighbours, missing=missing), *table), expected, atol=1e-11)


def test_a_class_or_a_column_without_values():
    """Class 0 lacks all of the first two columns, and all rows lack the last two."""
    rng = np.random.default_rng(8)
    target = codes(*rng.integers(0, 3, 24))
    gone = (target == 0) | (rng.random(24) < 0.2)
    columns = [
        np.where(gone, 3, rng.integers(0, 3, 24)).astype(np.uint8),
        np.where(gone, NAN, rng.normal(size=24).round(1)),
        rng.normal(size=24),
        np.full(24, 2, dtype=np.uint8),
        np.full(24, NAN),
    ]
    table = columns, [3, 0, 0, 2, 0], target, 3
    found = relief(ReliefF(3), *table)
    assert_allclose(found, plain_loops(*table, 3, range(24), conditional), atol=1e-11)
    assert found[3:].tolist() == [0, 0]


@pytest.mark.parametrize("seed", range(3))
def test_without_missing_values_there_is_one_rule(seed):
    columns, cards, target, n_classes = random_table(seed)
    rng = np.random.default_rng(seed)
    filled = [
        np.where(column == card, 0, column).astype(np.uint8)
        if card
        else np.where(np.isnan(column), rng.random(45), column)
        for column, card in zip(columns, cards, strict=True)
    ]
    rules = [relief(ReliefF(3, missing=rule), filled, cards, target, n_classes) for rule in RULES]
    assert rules[0].tobytes() == rules[1].tobytes()


def test_rows_may_be_worked_in_pieces_of_any_size(monkeypatch):
    table = random_table(5)
    expected = relief(ReliefF(4), *table)
    for name, size in [("BLOCK_CELLS", 100), ("CACHE_CELLS", 1), ("STRIDE", 2)]:
        monkeypatch.setattr(relieff, name, size)
    assert_allclose(relief(ReliefF(4), *table), expected, atol=1e-14)


def test_a_sample_is_drawn_with_replacement_by_its_seed():
    table = random_table(6)
    drawn = np.random.default_rng(3).integers(45, size=20)
    expected = plain_loops(*table, 5, drawn, conditional)
    assert_allclose(
        relief(ReliefF(5, sample_size=20, random_state=3), *table), expected, atol=1e-11
    )
    everything = relief(ReliefF(5), *table)
    assert_array_equal(relief(ReliefF(5, sample_size=45, random_state=3), *table), everything)


def test_of_rows_as_far_as_the_last_neighbour_those_listed_later_stay():
    """The list of 2 is full of rows at 1; the nearer third takes the first place, the last none."""
    places = relieff._nearest(np.array([[1.0, 1.0, 0.0, 1.0], [3.0, 1.0, 2.0, 1.0]]), 2)
    assert [sorted(row) for row in places.tolist()] == [[1, 2], [1, 3]]


def test_nothing_to_tell_weighs_nothing():
    columns = [codes(0, 0, 0), np.array([5.0, 5.0, 5.0]), np.full(3, NAN)]
    assert_array_equal(relief(ReliefF(), columns, [1, 0, 0], codes(0, 1, 1), 2)[:2], [0, 0])
    one_class = relief(ReliefF(), [codes(0, 1, 1)], [2], codes(0, 0, 0), 1)
    assert_allclose(one_class, -(1 + 0.5 + 0.5) / 3)
    assert relief(ReliefF(), [codes(1)], [2], codes(0), 1).tolist() == [0.0]
    assert relief(ReliefF(), [], [], codes(0, 1), 2).tolist() == []


def test_the_largest_numbers_have_a_range():
    column = np.array([-1.5e308, 1.5e308, NAN])
    wekas = relief(ReliefF(missing="weka"), [column], [0], codes(0, 1, 1), 2)
    assert_allclose(wekas, [(1 + 1 + 1 - 2) / 3])
    # The missing one is as the other of its class: far from the miss, and a hit at no distance.
    assert_allclose(relief(ReliefF(), [column], [0], codes(0, 1, 1), 2), [1])


def test_options_are_checked():
    options = [{"neighbours": 0}, {"neighbours": 1.5}, {"sample": 0}, {"seed": -1}]
    for wrong in [*options, {"missing": "mean"}]:
        with pytest.raises(ValueError, match=next(iter(wrong))):
            relief(ReliefF(**wrong), [codes(0, 1)], [2], codes(0, 1), 2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"columns": [[0, 1, 1]]}, r"columns\[0\] must be a numpy array, not list"),
        ({"target": [0, 1, 1]}, "target must be a numpy array, not list"),
        ({"cards": [2, 2]}, "cards has 2 entries for 1 columns"),
        ({"cards": [-2]}, r"cards\[0\]=-2 must be a whole number"),
        ({"cards": [1.5]}, r"cards\[0\]=1.5 must be a whole number"),
        ({"columns": [codes(0, 1)]}, "Column 0 has shape"),
        ({"columns": [np.array([0.5, 1.5, np.inf])], "cards": [0]}, "Column 0 .* finite or NaN"),
        ({"columns": [np.array([0.5, 1.5, 2.5])]}, "Column 0 must have unsigned codes"),
        ({"columns": [np.array([0, 1, -1])]}, "Column 0 must have unsigned codes"),
        ({"cards": [0]}, "Column 0 has cardinality 0: it must hold float64"),
        ({"columns": [codes(0, 1, 7)]}, r"Column 0 has the code 7, above cards\[0\]=2"),
        ({"target": codes(0, 1, 2)}, "a class below n_classes=2"),
        ({"target": codes(0, 1)}, "Column 0 has shape"),
        ({"target": codes(0, 1, 1)[:, None]}, r"target has shape \(3, 1\), not one class per row"),
        ({"target": np.array([0.0, 1.0, 1.0])}, "classes must be unsigned codes"),
        ({"n_classes": 0}, "n_classes=0 must be a whole number of at least 1"),
        ({"n_classes": 2.0}, "n_classes=2.0 must be a whole number"),
    ],
)
def test_what_is_no_table_is_refused(change, message):
    table = {"columns": [codes(0, 1, 2)], "cards": [2], "target": codes(0, 1, 1), "n_classes": 2}
    relief(ReliefF(), **table)
    with pytest.raises(ValueError, match=message):
        relief(ReliefF(), **(table | change))


def as_weka_weighs(dataset, first=None):
    schema, rows = as_weka_reads(*dataset, first)
    columns, cards = [None] * len(schema.codings), [0] * len(schema.codings)
    for place, numbers in zip(schema.continuous, rows.continuous, strict=True):
        columns[place] = numbers
    for at, place in enumerate(schema.discrete):
        columns[place], cards[place] = rows.columns[at], rows.cards[at]
    return relief(ReliefF(missing="weka"), columns, cards, rows.target, rows.n_classes)


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


def test_weights_are_the_scores_without_negatives_and_rescaled_if_asked():
    """The scores of these columns are 1, -3/8 and 1/2: all other rows are neighbours."""
    numbers = [np.array([0.5, 4.5, 0.5, 3.5]), np.array([0.5, 1.5, 3.5, 4.5])]
    data = TrainingData.of_columns([codes(0, 0, 1, 1), *numbers], [2, 0, 0], codes(0, 0, 1, 1), 2)
    assert_allclose(ReliefF().scores(data), [1, -3 / 8, 1 / 2], atol=1e-14)
    assert_allclose(ReliefF().weights(data), [1, 0, 1 / 2], atol=1e-14)
    assert_allclose(ReliefF(rescale=True).weights(data), [2, 0, 1], atol=1e-14)
