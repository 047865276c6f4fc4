"""Hill climbing against a transcription in plain Python, with scikit-learn's ROC area."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import accuracy_score, roc_auc_score

from bayesgrove._utils.options import OptionError
from bayesgrove.contracts import TrainingData
from bayesgrove.weighting import HillClimbing
from support import make_source


def table(seed, rows=40, classes=2):
    """Three attributes of three values, the last one nearly a copy of the second; with gaps."""
    rng = np.random.default_rng(seed)
    target = rng.integers(0, classes, rows)
    target[:classes] = range(classes)
    first, second = (
        np.where(rng.random(rows) < 0.4, target, rng.integers(0, 3, rows)) for _ in "ab"
    )
    third = np.where(rng.random(rows) < 0.9, second, rng.integers(0, 4, rows))
    return [column.tolist() for column in (first, second, third)], target.tolist()


def posteriors(columns, target, classes, weights):
    """Return P(class | row) of weighted naive Bayes with pseudo-count 1; the code 3 is missing."""
    answers = []
    for row in zip(*columns, strict=True):
        logs = []
        for c in range(classes):
            log = math.log((target.count(c) + 1) / (len(target) + classes))
            for column, value, weight in zip(columns, row, weights, strict=True):
                if value < 3:
                    pairs = list(zip(column, target, strict=True))
                    known = sum(v < 3 and t == c for v, t in pairs)
                    log += weight * math.log((pairs.count((value, c)) + 1) / (known + 3))
            logs.append(log)
        top = [math.exp(log - max(logs)) for log in logs]
        answers.append([p / sum(top) for p in top])
    return np.round(answers, 12)


def score(columns, target, classes, weights, scoring):
    found = posteriors(columns, target, classes, weights)
    if scoring == "accuracy":
        return accuracy_score(target, found.argmax(axis=1))
    return np.mean([roc_auc_score(np.array(target) == c, found[:, c]) for c in range(classes)])


def climb(columns, target, classes, scoring, step, sweeps):
    """Return the weights, and the score after every change that is kept."""
    weights = [1.0] * len(columns)
    scores = [score(columns, target, classes, weights, scoring)]
    for _ in range(sweeps):
        kept = len(scores)
        for j in range(len(columns)):
            for change in (step, -step):
                trial = list(weights)
                trial[j] = max(0.0, weights[j] + change)
                value = score(columns, target, classes, trial, scoring)
                if value > scores[-1] + 1e-10:
                    weights = trial
                    scores.append(value)
                    break
        if len(scores) == kept:
            break
    return weights, scores


@pytest.mark.parametrize("scoring", ["auc", "accuracy"])
@pytest.mark.parametrize(("seed", "classes"), [(0, 2), (1, 2), (2, 3), (3, 3)])
def test_weights_are_those_of_a_transcription(seed, classes, scoring):
    columns, target = table(seed, classes=classes)
    data = TrainingData.of_counts(make_source([*columns, target], [3, 3, 3, classes]))
    weights, _ = climb(columns, target, classes, scoring, 0.25, 4)
    assert_allclose(HillClimbing(scoring, 0.25, 4).weights(data), weights, atol=1e-9)


@pytest.mark.parametrize("scoring", ["auc", "accuracy"])
def test_the_score_never_falls_with_more_sweeps(scoring):
    columns, target = table(8, rows=60)
    data = TrainingData.of_counts(make_source([*columns, target], [3, 3, 3, 2]))
    tried = [[1.0] * 3, *(HillClimbing(scoring, 0.2, n).weights(data) for n in (1, 2, 3, 9))]
    scores = [score(columns, target, 2, weights, scoring) for weights in tried]
    assert scores == sorted(scores)
    assert scores[-1] > scores[0]


def test_a_row_of_weight_two_counts_twice():
    columns, target = table(6)
    importance = np.repeat([1.0, 2.0], 20)
    weighted = make_source([*columns, target], [3, 3, 3, 2], None, importance)
    repeated = [np.repeat(column, importance.astype(int)) for column in [*columns, target]]
    found, expected = (
        HillClimbing().weights(TrainingData.of_counts(counts))
        for counts in (weighted, make_source(repeated, [3, 3, 3, 2]))
    )
    assert found.tolist() == expected.tolist() != [1.0] * 3


def test_a_stream_is_refused():
    columns, target = table(0)
    streamed = TrainingData.of_counts(make_source([*columns, target], [3, 3, 3, 2], [20, 40]))
    with pytest.raises(OptionError, match="memory: read the file into a data frame first"):
        HillClimbing().weights(streamed)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"scoring": "log_loss"}, "scoring='log_loss' must be 'auc' or 'accuracy'"),
        ({"step": 0}, "step=0 must be a number above 0 and at most 1"),
        ({"max_iter": 0}, "max_iter=0"),
    ],
)
def test_options_are_checked(options, match):
    columns, target = table(0)
    data = TrainingData.of_counts(make_source([*columns, target], [3, 3, 3, 2]))
    with pytest.raises(OptionError, match=match):
        HillClimbing(**options).weights(data)
