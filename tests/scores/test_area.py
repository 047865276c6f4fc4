"""Areas under ROC curves against scikit-learn's and by hand."""

import math

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from bayesgrove.encoding import Encoded
from bayesgrove.scores.prediction import area, mean_area

WEIGHTS = [None, "halves", "some are 0"]


def make_weights(kind, rows, rng):
    if kind is None:
        return None
    return rng.integers(1, 9, rows) / 2 if kind == "halves" else rng.integers(0, 3, rows) * 1.0


@pytest.mark.parametrize("weighted", WEIGHTS)
@pytest.mark.parametrize("digits", [0, 1, 15])
def test_an_area_is_scikit_learns(digits, weighted):
    """With no digits many scores are equal."""
    rng = np.random.default_rng(digits)
    positive = rng.random(70) < 0.3
    scores = np.round(rng.normal(size=70) + positive, digits)
    weights = make_weights(weighted, 70, rng)
    expected = roc_auc_score(positive, scores, sample_weight=weights)
    assert area(scores, positive, weights) == pytest.approx(expected, rel=1e-12)


def test_areas_by_hand():
    """Of 2 x 3 pairs of a positive and a negative row 4 are in order, and one is tied."""
    scores = np.array([3.0, 1.0, 1.0, 0.0, 2.0])
    positive = np.array([True, True, False, False, False])
    assert area(scores, positive) == pytest.approx(4.5 / 6)
    # The first row is above negatives of weight 5; the second tied with one of weight 3.
    weights = np.array([2.0, 1.0, 3.0, 1.0, 1.0])
    assert area(scores, positive, weights) == pytest.approx((2 * 5 + 3 / 2 + 1) / (3 * 5))
    assert area(-scores, positive) == pytest.approx(1.5 / 6)
    assert area(np.array([math.inf, -math.inf, 0.0]), np.array([True, False, False])) == 1.0


def test_without_both_kinds_of_rows_there_is_no_area():
    scores = np.array([1.0, 2.0])
    for positive in ([True, True], [False, False]):
        assert math.isnan(area(scores, np.array(positive)))
    assert math.isnan(area(scores, np.array([True, False]), np.array([1.0, 0.0])))
    assert math.isnan(area(np.array([]), np.array([], dtype=bool)))


def log_odds(joint, c):
    p = np.exp(joint - joint.max(axis=1, keepdims=True))
    return np.log(p[:, c]) - np.log(p.sum(axis=1) - p[:, c])


def make_rows(classes, weighted, seed=0, rows=80):
    rng = np.random.default_rng(seed)
    target = rng.integers(0, classes, rows).astype(np.uint8)
    joint = np.round(rng.normal(size=(rows, classes)), 1) - 500.0
    joint[np.arange(rows), target] += 1.0
    return joint, Encoded([], [], rows, target, classes, make_weights(weighted, rows, rng))


@pytest.mark.parametrize("weighted", WEIGHTS)
@pytest.mark.parametrize("classes", [2, 3, 5])
def test_the_mean_of_areas_is_scikit_learns(classes, weighted):
    joint, part = make_rows(classes, weighted)
    expected = [
        roc_auc_score(part.target == c, np.round(log_odds(joint, c), 9), sample_weight=part.weights)
        for c in range(classes)
    ]
    assert mean_area(joint, part) == pytest.approx(np.mean(expected), rel=1e-12)


def test_of_probabilities_it_is_scikit_learns_area_of_one_against_the_rest():
    joint, part = make_rows(3, None)
    p = np.exp(joint + 500)
    p /= p.sum(axis=1, keepdims=True)
    expected = roc_auc_score(part.target, p.round(12), multi_class="ovr", average="macro")
    assert mean_area(joint, part) == pytest.approx(expected, rel=1e-12)


def test_classes_that_all_or_no_rows_have_are_left_out():
    joint, part = make_rows(2, None)
    wider = np.column_stack([joint, np.full(80, -900.0)])
    absent = Encoded([], [], 80, part.target, 3)
    assert mean_area(wider, absent) == pytest.approx(mean_area(joint, part), rel=1e-9)
    one = Encoded([], [], 80, np.zeros(80, dtype=np.uint8), 2)
    assert mean_area(joint, one) == 0.5
    only = Encoded([], [], 80, np.zeros(80, dtype=np.uint8), 1)
    assert mean_area(joint[:, :1], only) == 0.5


def test_rows_that_are_impossible_under_a_class_come_last():
    joint = np.array([[-1.0, -math.inf], [-1.0, -3.0], [-math.inf, -1.0], [-2.0, -math.inf]])
    part = Encoded([], [], 4, np.array([0, 1, 1, 0], dtype=np.uint8), 2)
    assert mean_area(joint, part) == 1.0
    turned = Encoded([], [], 4, np.array([0, 0, 1, 1], dtype=np.uint8), 2)
    assert mean_area(joint, turned) == pytest.approx((1 + 1 + 0.5 + 0) / 4)


def test_log_odds_that_differ_by_rounding_are_equal():
    joint = np.log([[0.3, 0.1 + 0.2], [0.1, 0.1]])
    joint[0, 1] = np.nextafter(joint[0, 0], 0)
    part = Encoded([], [], 2, np.array([0, 1], dtype=np.uint8), 2)
    assert mean_area(joint, part) == 0.5
