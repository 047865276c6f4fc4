"""Splits and trees worked by hand, most of them from Quinlan's book."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bayesgrove.encoding import MixedTable
from bayesgrove.trees import C45

WEATHER = """
sunny 75 70 true yes
sunny 80 90 true no
sunny 85 85 false no
sunny 72 95 false no
sunny 69 70 false yes
overcast 72 90 true yes
overcast 83 78 false yes
overcast 64 65 true yes
overcast 81 75 false yes
rain 71 80 true no
rain 65 70 true no
rain 75 80 false yes
rain 68 80 false yes
rain 70 96 false yes
"""
OUTLOOK, TRUTH, PLAY = ["sunny", "overcast", "rain"], ["true", "false"], ["yes", "no"]
NAMES, STATES = ["outlook", "temperature", "humidity", "windy"], [OUTLOOK, None, None, TRUTH]
UNPRUNED = C45(pruned=False)


def codes(values, labels=None):
    labels = sorted(set(values)) if labels is None else labels
    numbers = [labels.index(v) if v in labels else len(labels) for v in values]
    return np.array(numbers, dtype=np.uint8)


def weather(missing=None):
    """Quinlan's fourteen days; the outlook of one of them can be unknown."""
    rows = [line.split() for line in WEATHER.split("\n") if line]
    outlook, temperature, humidity, windy, play = (
        list(column) for column in zip(*rows, strict=True)
    )
    if missing is not None:
        outlook[missing] = "?"
    columns = [
        codes(outlook, OUTLOOK),
        np.array(temperature, dtype=np.float64),
        np.array(humidity, dtype=np.float64),
        codes(windy, TRUTH),
    ]
    return MixedTable(columns, [3, 0, 0, 2], codes(play, PLAY), 2)


def grow(columns, classes, weights=None, learner=UNPRUNED):
    """The tree of columns of letters or numbers."""
    arrays, cards = [], []
    for column in columns:
        nominal = isinstance(column, str)
        arrays.append(codes(column) if nominal else np.array(column, dtype=np.float64))
        cards.append(len(set(column)) if nominal else 0)
    return learner.grow(MixedTable(arrays, cards, codes(classes), len(set(classes)), weights))


def test_the_weather_tree_of_the_book():
    text = UNPRUNED.grow(weather()).to_text(NAMES, STATES, PLAY)
    assert text.splitlines() == [
        "outlook = sunny",
        "|   humidity <= 75: yes (2.0)",
        "|   humidity > 75: no (3.0)",
        "outlook = overcast: yes (4.0)",
        "outlook = rain",
        "|   windy = true: no (2.0)",
        "|   windy = false: yes (3.0)",
    ]


def test_nominal_play_tennis_takes_the_gain_ratio():
    """Sunny days by humidity, rainy days by wind: Quinlan's first tree."""
    outlook, temperature = "ssorrrosssroor", "hhhmcccmcmmmhm"
    humidity, windy, classes = "hhhhnnnhnnnhnh", "ftfffttfffttft", "nnyyynynyyyyyn"
    columns = [outlook, temperature, humidity, windy]
    gains = [_gain(column, classes) for column in columns]
    assert_allclose(gains, [0.2467, 0.0292, 0.1518, 0.0481], atol=5e-5)
    ratios = [gain / _bits(column) for gain, column in zip(gains, columns, strict=True)]
    assert_allclose(ratios, [0.1564, 0.0188, 0.1518, 0.0488], atol=5e-5)
    tree = grow(columns, classes)
    assert tree.attribute[0] == 0
    assert_array_equal(tree.depths(4), [1, 0, 2, 2])


def test_a_missing_outlook_is_shared_out():
    """The book's example: gain .199, split information 1.809, and 5/13, 3/13, 5/13 of the day."""
    tree = UNPRUNED.grow(weather(missing=5))
    assert tree.to_text(NAMES, STATES, PLAY).splitlines() == [
        "outlook = sunny",
        "|   humidity <= 75: yes (2.0)",
        "|   humidity > 75: no (3.38/0.38)",
        "outlook = overcast: yes (3.23)",
        "outlook = rain",
        "|   windy = true: no (2.38/0.38)",
        "|   windy = false: yes (3.0)",
    ]
    children = tree.weights[1:4]
    assert_allclose(children, [[2 + 5 / 13, 3], [3 + 3 / 13, 0], [3 + 5 / 13, 2]], rtol=1e-14)


def test_a_missing_humidity_asks_both_branches():
    """The book's example: play with 2/5.4 + 3.4/5.4 x .4/3.4 = .44."""
    tree = UNPRUNED.grow(weather(missing=5))
    day = [np.uint8([0]), np.array([70.0]), np.array([np.nan]), np.uint8([1])]
    known = 5 + 5 / 13
    expected = [(2 + 5 / 13) / known, 3 / known]
    assert_allclose(tree.distribution(MixedTable(day, [3, 0, 0, 2])), [expected], rtol=1e-14)


def test_the_ratio_beats_the_gain():
    """Eight values gain .864 bits at a cost of 3, two values .696 at .954; the third gains none."""
    many, two, none = "aaaabbbbccccddddeeeeffffgggghhhh", "p" * 20 + "q" * 12, "xz" * 16
    assert grow([many, two, none], "y" * 18 + "n" * 14).attribute[0] == 1


def test_a_good_ratio_needs_an_average_gain():
    """A split of 2 from 14 has gain .114, ratio .209; four values gain .380, ratio .190."""
    rare, four, classes = "rr" + "s" * 14, "aaaabbbbccccdddd", "yyyyyyynnynnnnny"
    gains = [_gain(rare, classes), _gain(four, classes)]
    ratios = [gains[0] / _bits(rare), gains[1] / _bits(four)]
    assert gains[0] < np.mean(gains) - 1e-3
    assert ratios[0] > ratios[1]
    assert grow([rare, four], classes).attribute[0] == 1


def _bits(values):
    shares = np.unique(list(values), return_counts=True)[1] / len(values)
    return float(-(shares * np.log2(shares)).sum())


def _gain(values, classes):
    parts = [[c for v, c in zip(values, classes, strict=True) if v == w] for w in set(values)]
    return _bits(classes) - sum(len(part) * _bits(part) for part in parts) / len(classes)


def test_a_threshold_pays_for_its_choice():
    """The best of 5 thresholds gains 1 - .811 = .189; to name it costs log2(5)/8 = .290."""
    x, classes = range(8), "abaabbab"
    assert grow([x], classes).size == 1
    free = grow([x], classes, learner=C45(pruned=False, mdl_correction=False, collapse=False))
    assert free.threshold[0] == 3


def test_a_threshold_is_a_value_of_the_whole_table():
    """Between 10 and 20 the midpoint is 15; the largest value of any row below it is 14."""
    tree = grow(["ppppqqqq", [10, 10, 20, 20, 14, 14, 14, 14]], "aabbcccc")
    assert_array_equal(tree.attribute, [0, 1, -1, -1, -1])
    assert tree.threshold[1] == 14


def test_a_part_at_a_threshold_has_a_tenth_of_the_mean_class():
    """60 rows, 2 classes: each part needs 3 rows, so the 2 rows apart stay."""
    assert grow([[0] * 2 + [1] * 58], "a" * 2 + "b" * 58).size == 1
    assert grow([[0] * 3 + [1] * 57], "a" * 3 + "b" * 57).size == 3


def test_two_branches_need_the_least_weight():
    assert grow(["pppq"], "aaab").size == 1
    assert grow(["ppqq"], "aabb").size == 3
    assert grow(["ppqq"], "aabb", learner=C45(min_rows=3)).size == 1


def test_columns_with_very_many_values_are_no_part_of_the_mean():
    """Gains .864 and .696, ratios .288 and .729: above the mean of both, the second is not."""
    columns, classes = ["aabbccddeeffgghh", "p" * 10 + "q" * 6], "y" * 9 + "n" * 7
    assert grow(columns, classes).attribute[0] == 1
    three_of_each = [column * 3 for column in columns]
    assert grow(three_of_each, classes * 3).attribute[0] == 0


def test_ties_go_to_the_earlier_column():
    assert grow(["ppqq", "rrss"], "aabb").attribute[0] == 0


def test_a_subtree_that_saves_no_error_is_collapsed():
    columns, classes = ["ppppqqqq"], "aaaaaaab"
    whole = C45(pruned=False, collapse=False)
    assert grow(columns, classes, learner=whole).size == 3
    assert grow(columns, classes).size == 1


def test_pruning_by_the_upper_limit_of_the_error():
    """Quinlan's example, U.25: 6, 9 and 1 rows without error become 16 rows with 1 error.

    6 x .206 + 9 x .143 + 1 x .750 = 3.273 errors below, 16 x .157 = 2.512 as a leaf.
    """
    columns, classes = ["p" * 6 + "q" * 9 + "r"], "a" * 15 + "b"
    kept = C45(pruned=False, min_rows=1)
    assert grow(columns, classes, learner=kept).size == 4
    assert grow(columns, classes, learner=C45(min_rows=1)).size == 1


def test_no_rows_and_no_columns_give_a_leaf():
    empty = MixedTable([np.zeros(0, np.uint8), np.zeros(0)], [2, 0], np.zeros(0, np.uint8), 3)
    tree = C45().grow(empty)
    assert tree.size == 1
    row = MixedTable([np.uint8([0]), np.zeros(1)], [2, 0])
    assert_allclose(tree.distribution(row), [[1 / 3] * 3])
    alone = C45().grow(MixedTable([], [], np.uint8([0, 1, 1]), 2))
    assert_array_equal(alone.weights, [[1, 2]])


def test_rows_of_weight_zero_are_not_there():
    table = weather()
    weights = np.ones(14)
    weights[[0, 5, 13]] = 0.0
    weighted = MixedTable(table.columns, table.cards, table.target, 2, weights)
    without = table.take(np.flatnonzero(weights))
    for one, other in zip(C45().grow(weighted).arrays, C45().grow(without).arrays, strict=True):
        assert_array_equal(one, other)


@pytest.mark.parametrize(
    "options",
    [
        {"min_rows": 0},
        {"min_rows": 1.5},
        {"confidence": 0.0},
        {"confidence": 0.6},
        {"confidence": "a"},
        {"confidence": float("nan")},
    ],
)
def test_options_out_of_range_are_refused(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        C45(**options).grow(weather())


@pytest.mark.parametrize("name", ["pruned", "collapse", "subtree_raising", "mdl_correction"])
def test_choices_are_true_or_false(name):
    for wrong in ("no", 1, None):
        with pytest.raises(ValueError, match=f"{name}={wrong!r} must be True or False"):
            C45(**{name: wrong}).grow(weather())
    for flag in (False, True):
        expected = C45(**{name: flag}).grow(weather())
        found = C45(**{name: np.bool_(flag)}).grow(weather())
        for one, other in zip(found.arrays, expected.arrays, strict=True):
            assert_array_equal(one, other)


def test_the_least_confidence_prunes_all():
    for confidence in (1e-20, 5e-324):
        assert C45(confidence=confidence).grow(weather()).size == 1


def test_rows_without_classes_are_refused():
    with pytest.raises(ValueError, match="no class"):
        C45().grow(MixedTable([np.uint8([0])], [1]))
