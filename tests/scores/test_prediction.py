"""How well rows are predicted, against scikit-learn."""

import itertools
import math

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, log_loss

from bayesgrove.counts import CountSource, MemoryEngine, StreamEngine
from bayesgrove.encoding import Encoded
from bayesgrove.network import Structure
from bayesgrove.parameters import Dirichlet
from bayesgrove.scores.prediction import network_score, row_scores

CARDS = [2, 3, 4]
CLASSES = 3
STRUCTURES = {
    "naive": Structure(((3,), (3,), (3,), ())),
    "free": Structure(((), (0, 3), (3,), (0,))),
}


def make_rows(seed=0, rows=80, *, weighted=False, missing=0.0):
    rng = np.random.default_rng(seed)
    target = rng.integers(0, CLASSES, rows)
    columns = []
    for card in CARDS:
        codes = (target + rng.integers(0, 12, rows) * (rng.random(rows) < 0.6)) % card
        codes[rng.random(rows) < missing] = card
        columns.append(codes.astype(np.uint8))
    weights = rng.integers(1, 9, rows) / 4 if weighted else None
    return Encoded(columns, CARDS, rows, target.astype(np.uint8), CLASSES, weights)


def make_source(encoded, ends=None):
    def batches(columns=None):
        return (encoded.take(np.arange(a, b)) for a, b in itertools.pairwise([0, *ends]))

    engine = MemoryEngine(encoded) if ends is None else StreamEngine(batches, encoded.rows)
    return CountSource(engine, ["a", "b", "c", "class"], [*CARDS, CLASSES])


def probabilities(joint):
    shifted = np.exp(joint - joint.max(axis=1, keepdims=True))
    return shifted / shifted.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("weighted", [False, True])
def test_scores_of_rows_are_those_of_scikit_learn(weighted):
    part = make_rows(weighted=weighted)
    joint = np.random.default_rng(1).normal(size=(80, CLASSES)) * 5 - 1000
    total = 80 if part.weights is None else part.weights.sum()
    accuracy = accuracy_score(part.target, joint.argmax(axis=1), sample_weight=part.weights)
    assert row_scores(joint, part, "accuracy") / total == pytest.approx(accuracy, rel=1e-12)
    loss = log_loss(part.target, probabilities(joint), sample_weight=part.weights, labels=range(3))
    assert row_scores(joint, part, "log_loss") / total == pytest.approx(-loss, rel=1e-10)


def test_of_equally_probable_classes_the_first_is_predicted():
    target = np.array([0, 1, 2, 1], dtype=np.uint8)
    part = Encoded([], [], 4, target, CLASSES)
    joint = np.log([[0.2, 0.2, 0.2], [0.2, 0.2, 0.1], [0.1, 0.2, 0.2], [0.1, 0.2, 0.2]])
    assert row_scores(joint, part, "accuracy") == 2.0


def test_hand_worked_rows():
    part = Encoded([], [], 2, np.array([0, 1], dtype=np.uint8), 2, np.array([3.0, 1.0]))
    joint = np.log([[0.3, 0.1], [0.1, 0.1]])
    assert row_scores(joint, part, "accuracy") == 3.0
    assert row_scores(joint, part, "log_loss") == pytest.approx(3 * math.log(0.75) + math.log(0.5))


def test_a_true_class_that_is_impossible_has_no_bound():
    part = Encoded([], [], 1, np.array([1], dtype=np.uint8), 2)
    with np.errstate(divide="ignore"):
        joint = np.log([[0.5, 0.0]])
    assert row_scores(joint, part, "log_loss") == -math.inf
    assert row_scores(joint, part, "accuracy") == 0.0


@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_the_score_of_a_network_is_the_mean_over_rows(missing, weighted, structure):
    learning, judging = make_rows(0), make_rows(1, weighted=weighted, missing=missing)
    states = [tuple(range(card)) for card in (*CARDS, CLASSES)]
    network = Dirichlet().estimate(STRUCTURES[structure], make_source(learning), states)
    posterior = []
    for codes in zip(*(column.tolist() for column in judging.columns), strict=True):
        row = zip("abc", codes, CARDS, strict=True)
        evidence = {name: code for name, code, card in row if code < card}
        posterior.append(list(network.posterior("class", evidence).values()))
    posterior = np.array(posterior)
    own = {"sample_weight": judging.weights}
    expected = {
        "accuracy": accuracy_score(judging.target, posterior.argmax(axis=1), **own),
        "log_loss": -log_loss(judging.target, posterior, labels=range(CLASSES), **own),
    }
    for ends in (None, (80,), (20, 21, 80), tuple(range(1, 81))):
        source = make_source(judging, ends)
        assert network_score(network, source) == pytest.approx(expected["accuracy"], rel=1e-12)
        for scoring, value in expected.items():
            assert network_score(network, source, scoring) == pytest.approx(value, rel=1e-9)


@pytest.mark.parametrize("scoring", ["precision", "", None])
def test_a_scoring_without_a_name_is_refused(scoring):
    with pytest.raises(ValueError, match="scoring="):
        row_scores(np.zeros((80, CLASSES)), make_rows(), scoring)
