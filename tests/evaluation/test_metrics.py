"""Metrics against hand-worked values, their definitions and scikit-learn."""

import inspect
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import metrics as theirs
from sklearn.dummy import DummyClassifier

from bayesgrove import (
    BaggedTreesClassifier,
    C45Classifier,
    KDBClassifier,
    LogisticCalibration,
    NaiveBayesClassifier,
    TANClassifier,
    load_dataset,
)
from bayesgrove.estimators.base.complexity import complexity_of
from bayesgrove.evaluation import metrics as ours
from bayesgrove.evaluation.metrics import METRICS, Outcome, delta, model_sizes
from bayesgrove.network import BayesianNetwork


def outcome(truth, probabilities, training=None, predicted=None):
    truth, probabilities = np.array(truth), np.array(probabilities, dtype=float)
    predicted = probabilities.argmax(axis=1) if predicted is None else np.array(predicted)
    training = np.ones(probabilities.shape[1]) if training is None else np.array(training, float)
    return Outcome(truth, predicted, probabilities, training)


def random_outcome(rng, rows, classes, digits=None):
    """Rows of every class; few digits make ties."""
    p = rng.dirichlet(np.ones(classes), rows)
    if digits is not None:
        p = np.round(p, digits) + 10.0**-digits
        p /= p.sum(axis=1, keepdims=True)
    truth = np.concatenate([np.arange(classes), rng.integers(classes, size=rows - classes)])
    return outcome(truth, p, rng.integers(1, 50, classes))


@pytest.fixture
def rng():
    return np.random.default_rng(11)


# Four rows, two classes; classes (0, 1, 1, 1) are predicted.
TRUTH = [0, 1, 0, 1]
PROBABILITIES = [[0.8, 0.2], [0.4, 0.6], [0.4, 0.6], [0.1, 0.9]]


def test_accuracy_and_error():
    known = outcome(TRUTH, PROBABILITIES)
    assert ours.accuracy(known) == 0.75
    assert ours.error(known) == 0.25


def test_auc_by_hand():
    # Pairs (negative, positive) by P(class 1): .2<.6, .2<.9, .6=.6, .6<.9: (3 + 1/2) / 4.
    assert ours.auc(outcome(TRUTH, PROBABILITIES)) == 0.875


def test_auc_of_three_classes_by_hand():
    # Class 0: its row .5 above .2, tied with .5: 1.5/2. Class 1: .6 above .3 and .2: 1.
    # Class 2: .3 above .2 and .2: 1.
    known = outcome([0, 1, 2], [[0.5, 0.3, 0.2], [0.2, 0.6, 0.2], [0.5, 0.2, 0.3]])
    assert_allclose(ours.auc(known), (0.75 + 1 + 1) / 3, rtol=1e-15)


@pytest.mark.parametrize("digits", [None, 1])
@pytest.mark.parametrize("classes", [2, 3, 7])
def test_auc_is_that_of_scikit_learn(rng, classes, digits):
    for _ in range(20):
        known = random_outcome(rng, 60, classes, digits)
        areas = [
            theirs.roc_auc_score(known.truth == k, known.probabilities[:, k])
            for k in range(classes)
        ]
        assert_allclose(ours.auc(known), np.mean(areas), rtol=1e-12)
        if classes > 2:
            whole = theirs.roc_auc_score(
                known.truth, known.probabilities, multi_class="ovr", average="macro"
            )
            assert_allclose(ours.auc(known), whole, rtol=1e-12)


def test_auc_leaves_out_classes_without_test_rows():
    two = outcome(TRUTH, PROBABILITIES)
    three = outcome(TRUTH, [[*row, 0.0] for row in PROBABILITIES])
    assert ours.auc(three) == ours.auc(two)


def test_auc_of_one_class_in_the_test_rows_is_nan():
    assert math.isnan(ours.auc(outcome([1, 1], [[0.5, 0.5], [0.2, 0.8]])))


@pytest.mark.parametrize("digits", [None, 1])
def test_areas_of_classes_are_those_of_scikit_learn(rng, digits):
    known = random_outcome(rng, 60, 5, digits)
    areas = [theirs.roc_auc_score(known.truth == k, known.probabilities[:, k]) for k in range(5)]
    assert_allclose(ours.class_areas(known), areas, rtol=1e-12)


def test_areas_of_classes_that_no_or_all_test_rows_have_are_nan():
    three = outcome(TRUTH, [[*row, 0.0] for row in PROBABILITIES])
    assert_allclose(ours.class_areas(three), [0.875, 0.875, np.nan])
    assert np.isnan(ours.class_areas(outcome([1, 1], [[0.5, 0.5], [0.2, 0.8]]))).all()


def test_rrse_by_hand():
    # Training counts (2, 5): prior (3/9, 6/9). Squared errors of the model, both classes:
    # 2(.04 + .16 + .36 + .01) = 1.14; of the prior: 2(4/9 + 1/9 + 4/9 + 1/9) = 20/9.
    known = outcome(TRUTH, PROBABILITIES, training=[2, 5])
    assert_allclose(ours.rrse(known), 100 * math.sqrt(1.14 / (20 / 9)), rtol=1e-14)


def test_rrse_is_wekas_sum_over_rows(rng):
    """WEKA adds up, row by row, the mean over classes of the squared differences."""
    known = random_outcome(rng, 40, 4)
    priors = np.ones(4)
    for k, n in enumerate(known.training):
        priors[k] += n
    squared = prior_squared = 0.0
    for own, truth in zip(known.probabilities, known.truth, strict=True):
        actual = [float(k == truth) for k in range(4)]
        squared += sum((own[k] - actual[k]) ** 2 for k in range(4)) / 4
        prior_squared += sum((priors[k] / priors.sum() - actual[k]) ** 2 for k in range(4)) / 4
    expected = 100 * math.sqrt(squared / 40) / math.sqrt(prior_squared / 40)
    assert_allclose(ours.rrse(known), expected, rtol=1e-12)


def test_rrse_of_the_prior_itself_is_100(rng):
    known = random_outcome(rng, 30, 3)
    counts = known.training + 1
    prior = np.tile(counts / counts.sum(), (30, 1))
    assert_allclose(ours.rrse(outcome(known.truth, prior, known.training)), 100.0)


def test_rrse_counts_classes_without_rows():
    """A declared class that no row has counts in the smoothing: priors 3/10, 6/10, 1/10."""
    known = outcome(TRUTH, [[*row, 0.0] for row in PROBABILITIES], training=[2, 5, 0])
    reference = 2 * (0.7**2 + 0.6**2 + 0.1**2) + 2 * (0.3**2 + 0.4**2 + 0.1**2)
    assert_allclose(ours.rrse(known), 100 * math.sqrt(1.14 / reference), rtol=1e-14)


def test_rrse_mode_by_hand():
    # Class 1 is the most common: the two rows of class 0 cost 2 each.
    known = outcome(TRUTH, PROBABILITIES, training=[2, 5])
    assert_allclose(ours.rrse_mode(known), 100 * math.sqrt(1.14 / 4), rtol=1e-14)


def test_rrse_mode_takes_the_first_of_equally_common_classes():
    known = outcome([0, 0], [[1, 0], [1, 0]], training=[3, 3])
    assert math.isnan(ours.rrse_mode(known))


def test_rrse_mode_where_every_row_is_of_the_mode_is_nan():
    assert math.isnan(ours.rrse_mode(outcome([1, 1], [[0.3, 0.7]] * 2, training=[1, 9])))


def test_brier_by_hand():
    assert_allclose(ours.brier(outcome(TRUTH, PROBABILITIES)), 1.14 / 4, rtol=1e-14)


def test_brier_of_two_classes_is_twice_that_of_scikit_learn(rng):
    known = random_outcome(rng, 50, 2)
    expected = 2 * theirs.brier_score_loss(known.truth, known.probabilities[:, 1])
    assert_allclose(ours.brier(known), expected, rtol=1e-12)


@pytest.mark.skipif(
    "scale_by_half" not in inspect.signature(theirs.brier_score_loss).parameters,
    reason="scikit-learn before 1.7 has it for two classes only",
)
@pytest.mark.parametrize("classes", [2, 3, 6])
def test_brier_is_that_of_scikit_learn(rng, classes):
    known = random_outcome(rng, 50, classes)
    expected = theirs.brier_score_loss(known.truth, known.probabilities, scale_by_half=False)
    assert_allclose(ours.brier(known), expected, rtol=1e-12)


@pytest.mark.parametrize("classes", [2, 3, 6])
def test_log_loss_is_that_of_scikit_learn(rng, classes):
    known = random_outcome(rng, 50, classes)
    expected = theirs.log_loss(known.truth, known.probabilities)
    assert_allclose(ours.log_loss(known), expected, rtol=1e-12)


def test_log_loss_clips_as_scikit_learn_does():
    known = outcome([0, 1, 1], [[0, 1], [0, 1], [0.5, 0.5]])
    expected = theirs.log_loss(known.truth, known.probabilities)
    assert_allclose(ours.log_loss(known), expected, rtol=1e-12)
    assert_allclose(3 * ours.log_loss(known), -math.log(2.0**-52) + math.log(2), rtol=1e-12)


def test_ece_by_hand():
    # Probabilities of the predicted classes .8 right, .6 right, .6 wrong, .9 right, in the bins
    # (.7, .8], (.5, .6] and (.8, .9]: (1 |1 - .8| + 2 |.5 - .6| + 1 |1 - .9|) / 4.
    assert_allclose(ours.ece(outcome(TRUTH, PROBABILITIES)), 0.5 / 4, rtol=1e-12)


def test_ece_is_about_the_predicted_class():
    known = outcome([0, 0], [[0.9, 0.1], [0.9, 0.1]], predicted=[1, 1])
    assert_allclose(ours.ece(known), 0.1, rtol=1e-12)


def test_ece_puts_the_edges_of_bins_below():
    """0.1 + 0.2 belongs to the bin up to 0.3: its two rows make up for each other."""
    p = [[0.3, 0.35, 0.35], [0.1 + 0.2, 0.35, 0.35], [0.31, 0.345, 0.345]]
    known = outcome([0, 1, 1], p, predicted=[0, 0, 0])
    assert_allclose(ours.ece(known), (abs(1 - 0.6) + 0.31) / 3, rtol=1e-12)


def test_ece_of_certain_and_right_is_zero():
    assert ours.ece(outcome([0, 1], [[1, 0], [0, 1]])) == 0.0
    assert ours.ece(outcome([0, 1], [[1, 0], [0, 1]], predicted=[1, 0])) == 0.0


def test_all_metrics_have_a_direction(rng):
    """A model that is certain and right is nowhere worse than one that knows nothing."""
    truth = np.array([0, 1, 2, 1])
    best = outcome(truth, np.eye(3)[truth], [1, 2, 1])
    blank = outcome(truth, np.full((4, 3), 1 / 3), [1, 2, 1])
    for name, metric in METRICS.items():
        assert metric.name == name
        gain = metric(best) - metric(blank)
        assert (gain if metric.higher_is_better else -gain) > 0


def test_metrics_of_a_model_without_probabilities():
    known = Outcome(np.array([0, 1]), np.array([0, 1]), None, np.array([1.0, 1.0]))
    for metric in METRICS.values():
        assert math.isnan(metric(known)) == metric.needs_probabilities
    with pytest.raises(ValueError, match="needs probabilities"):
        ours.auc(known)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"truth": [], "predicted": [], "probabilities": None}, "no test rows"),
        ({"predicted": [0]}, "2 test rows and 1 predictions"),
        ({"probabilities": np.ones((2, 3))}, r"shape \(2, 3\).*make \(2, 2\)"),
        ({"truth": [0, 2]}, "codes of 2 classes are 0 to 1"),
        ({"predicted": [-1, 0]}, "codes of 2 classes are 0 to 1"),
    ],
)
def test_outcomes_that_do_not_fit_are_refused(change, message):
    given = {"truth": [0, 1], "predicted": [0, 1], "probabilities": np.full((2, 2), 0.5)} | change
    codes = {name: np.array(given[name], dtype=np.intp) for name in ("truth", "predicted")}
    with pytest.raises(ValueError, match=message):
        Outcome(**codes, probabilities=given["probabilities"], training=np.ones(2))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (0.9, 0.8, 0.5),
        (0.8, 0.8, 0.0),
        (0.7, 0.8, -0.5),
        (1.0, 1.0, 0.0),
        (0.9, 1.0, -math.inf),
        (1.0, 0.4, 1.0),
    ],
)
def test_delta(first, second, expected):
    assert_allclose(delta(first, second), expected, rtol=1e-12)


class Fitted:
    def __init__(self, network):
        self.network = network

    def complexity(self):
        return complexity_of([self.network])


def test_sizes_by_hand():
    """a -> class -> b <- c, d apart, e constant: the blanket is a, b, c and e."""
    network = BayesianNetwork.from_tables(
        states={"a": "xy", "b": "xyz", "c": "xy", "d": "xy", "e": "x", "class": "uvw"},
        parents={"class": ["a"], "b": ["c", "class"], "e": ["class"]},
        tables={
            "a": [0.5, 0.5],
            "b": np.full((2, 3, 3), 1 / 3),
            "c": [0.5, 0.5],
            "d": [0.5, 0.5],
            "e": np.ones((3, 1)),
            "class": np.full((2, 3), 1 / 3),
        },
    )
    # Free parameters: a 1, b 2 x 6, c 1, d 1, e 0, class 2 x 2.
    assert model_sizes(Fitted(network)) == {"attributes": 3, "arcs": 4, "parameters": 19}


def test_sizes_of_fitted_models():
    X, y = load_dataset("vote")
    cards = [len(NaiveBayesClassifier().fit(X, y).network_.states(name)) for name in X.columns]
    naive = model_sizes(NaiveBayesClassifier().fit(X, y))
    assert naive == {"attributes": 16, "arcs": 16, "parameters": 1 + 2 * sum(c - 1 for c in cards)}
    assert model_sizes(TANClassifier().fit(X, y))["arcs"] == 31
    kdb = [model_sizes(KDBClassifier(k=k).fit(X, y)) for k in (0, 1, 2)]
    assert kdb[0] == naive
    assert [own["arcs"] for own in kdb] == [16, 31, 45]
    assert kdb[1]["parameters"] < kdb[2]["parameters"]
    assert model_sizes(LogisticCalibration(KDBClassifier(k=1)).fit(X, y)) == kdb[1]
    assert model_sizes(LogisticCalibration(DummyClassifier()).fit(X, y)) == {}


def test_sizes_count_configurations_that_were_not_observed():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 9, (60, 6)).astype(str), rng.integers(0, 2, 60)
    found = model_sizes(KDBClassifier(k=5).fit(X, y))
    cards = [len(np.unique(column)) for column in X.T]
    assert found["parameters"] > (min(cards) - 1) * min(cards) ** 5 * 2


def test_sizes_of_gaussian_columns():
    X, y = load_dataset("iris")
    # The class has 2 free parameters, each of 4 columns a mean and a variance in 3 classes.
    expected = {"attributes": 4, "arcs": 4, "parameters": 2 + 4 * 2 * 3}
    assert model_sizes(NaiveBayesClassifier("gaussian").fit(X, y)) == expected


def test_a_column_without_cuts_is_not_used():
    X, y = load_dataset("iris")
    X = X.assign(noise=np.random.default_rng(0).normal(size=len(X)))
    model = NaiveBayesClassifier().fit(X, y)
    assert model.cut_points_["noise"].size == 0
    assert model_sizes(model)["attributes"] == 4


def test_sizes_of_trees():
    """Iris: petal width, petal length and width again, 5 leaves for 3 classes."""
    X, y = load_dataset("iris")
    assert model_sizes(C45Classifier().fit(X, y)) == {"attributes": 2, "parameters": 5 * 2}
    bag = BaggedTreesClassifier(2).fit(X, y)
    lines = bag.to_text().splitlines()
    leaves = sum(line.endswith(")") for line in lines)
    tested = [name for name in X.columns if any(name in line for line in lines)]
    assert model_sizes(bag) == {"attributes": len(tested), "parameters": leaves * 2}


def test_other_models_have_no_sizes():
    assert model_sizes(DummyClassifier().fit([[0], [1]], [0, 1])) == {}
