"""The average over all naive structures, by enumerating them."""

import itertools
import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from bayesgrove import AveragedNaiveBayesClassifier, NaiveBayesClassifier, load_dataset

PROBLEMS = [
    # rows, states of the attributes, classes, alpha, prior
    (12, (2, 3), 2, 1.0, 0.5),
    (30, (2, 2, 2, 3, 4), 3, 1.0, 0.5),
    (30, (2, 2, 2, 3, 4), 3, 0.5, 0.2),
    (8, (3, 3, 2), 2, 2.0, 0.9),
    (200, (2, 3, 4, 2, 2), 2, 1.0, 0.5),
    (5, (2,), 2, 1.0, 0.5),
    (60, (4, 4), 4, 0.1, 0.5),
    (100, (2, 2, 2, 2, 2, 2), 2, 1.0, 0.01),
]


def draw(rows, cards, classes, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, rows)
    y[:classes] = range(classes)
    columns = {}
    for k, card in enumerate(cards):
        codes = (y * (rng.random(rows) < 0.25 * k) + rng.integers(0, card, rows)) % card
        codes[:card] = range(card)
        columns[f"x{k}"] = codes.astype(str)
    return pd.DataFrame(columns), y


def likelihood(values, states, alpha):
    """ln of the marginal likelihood of values under one distribution."""
    counts = Counter(values)
    total = math.lgamma(alpha * states) - math.lgamma(alpha * states + len(values))
    return total + sum(math.lgamma(alpha + n) - math.lgamma(alpha) for n in counts.values())


class Enumerated:
    """All structures, one by one."""

    def __init__(self, X, y, alpha, prior):
        self.X, self.y, self.alpha = X, y, alpha
        self.classes = sorted(set(y.tolist()))
        self.states = [sorted(set(X[c])) for c in X]
        self.structures = list(itertools.product([False, True], repeat=X.shape[1]))
        logs = [
            self.evidence(s) + math.log(prior) * sum(s) + math.log1p(-prior) * (len(s) - sum(s))
            for s in self.structures
        ]
        top = max(logs)
        weights = [math.exp(log - top) for log in logs]
        self.weights = [w / math.fsum(weights) for w in weights]

    def evidence(self, structure):
        total = 0.0
        for column, states, relevant in zip(self.X, self.states, structure, strict=True):
            values = self.X[column].to_numpy()
            groups = [values[self.y == c] for c in self.classes] if relevant else [values]
            total += math.fsum(likelihood(g.tolist(), len(states), self.alpha) for g in groups)
        return total

    def table(self, column, states, value, group):
        chosen = self.X[column].to_numpy()[group]
        return (self.alpha + (chosen == value).sum()) / (self.alpha * len(states) + len(chosen))

    def joint(self, row):
        found = []
        everyone = np.ones(len(self.y), dtype=bool)
        for c in self.classes:
            own = self.y == c
            start = (self.alpha + own.sum()) / (self.alpha * len(self.classes) + len(self.y))
            found.append(
                math.fsum(
                    weight
                    * start
                    * math.prod(
                        self.table(column, states, row[column], own if relevant else everyone)
                        for column, states, relevant in zip(self.X, self.states, s, strict=True)
                    )
                    for weight, s in zip(self.weights, self.structures, strict=True)
                )
            )
        return found


@pytest.mark.parametrize("problem", PROBLEMS, ids=str)
def test_predictions_and_relevance_are_those_of_all_structures(problem):
    rows, cards, classes, alpha, prior = problem
    X, y = draw(rows, cards, classes)
    model = AveragedNaiveBayesClassifier(alpha=alpha, arc_prior=prior).fit(X, y)
    exact = Enumerated(X, y, alpha, prior)
    relevance = [
        math.fsum(w for w, s in zip(exact.weights, exact.structures, strict=True) if s[k])
        for k in range(len(cards))
    ]
    assert_allclose(model.relevance_, relevance, rtol=1e-10, atol=1e-14)
    some = X.iloc[:6]
    expected = [exact.joint(row) for row in some.to_dict("records")]
    assert_allclose(np.exp(model.predict_joint_log_proba(some)), expected, rtol=1e-11)


def test_arcs_have_the_probabilities_of_their_columns():
    X, y = load_dataset("vote")
    model = AveragedNaiveBayesClassifier().fit(X, y)
    assert list(model.arc_probabilities_.values()) == model.relevance_.tolist()
    assert ("class", "physician-fee-freeze") in {
        ("class", column) for _, column in model.arc_probabilities_
    }
    assert model.relevance_.max() > 0.999999


def test_a_column_of_noise_tells_next_to_nothing():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 2000)
    X = pd.DataFrame(
        {"told": np.where(rng.random(2000) < 0.1, 1 - y, y), "noise": rng.integers(0, 2, 2000)}
    )
    model = AveragedNaiveBayesClassifier().fit(X, y)
    told, noise = model.relevance_
    assert told > 0.999999
    assert noise < 0.1
    plain = NaiveBayesClassifier().fit(X, y)
    table, other = (
        np.asarray(model.network_.table("noise")),
        np.asarray(plain.network_.table("noise")),
    )
    assert abs(table[0, 0] - table[1, 0]) < abs(other[0, 0] - other[1, 0])


@pytest.mark.parametrize(
    ("option", "value"),
    [("arc_prior", 0), ("arc_prior", 1), ("arc_prior", "x"), ("alpha", 0), ("alpha", -1)],
)
def test_options_without_a_meaning_are_refused(option, value):
    with pytest.raises(ValueError, match=f"{option}="):
        AveragedNaiveBayesClassifier(**{option: value}).fit([["a"], ["b"]], [0, 1])
