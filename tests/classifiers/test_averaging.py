"""The averaging classifiers on tables: orders, arcs, and the bound on parents."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bayesgrove import ModelAveragingClassifier, ThickThinClassifier, load_dataset


@pytest.fixture(scope="module")
def votes():
    X, y = load_dataset("vote")
    return X.iloc[:, :7], y


@pytest.mark.parametrize("order", ["thick-thin", "information", "random"])
@pytest.mark.parametrize("k", [1, 2])
def test_a_bound_of_all_nodes_is_no_bound(votes, order, k):
    X, y = votes
    exact = ModelAveragingClassifier(k, None, order).fit(X, y)
    bound = ModelAveragingClassifier(k, X.shape[1], order).fit(X, y)
    found = bound.predict_joint_log_proba(X)
    assert_allclose(found, exact.predict_joint_log_proba(X), rtol=1e-12)
    narrow = ModelAveragingClassifier(k, k, order).fit(X, y)
    most = max(len(narrow.network_.parents(node)) for node in narrow.network_.nodes)
    assert most <= k


def test_arcs_follow_the_order_and_have_probabilities(votes):
    X, y = votes
    model = ModelAveragingClassifier(order="information").fit(X, y)
    levels = [["class"], *([c] for c in X.columns)]
    own = ModelAveragingClassifier(order=levels).fit(X, y)
    place = {name: k for k, (name,) in enumerate(levels)}
    assert set(own.arc_probabilities_) == {
        (a, b) for a in place for b in place if place[a] < place[b]
    }
    assert all(0 <= p <= 1 + 1e-12 for p in model.arc_probabilities_.values())
    for node, expected in own.expected_parents_.items():
        arcs = [p for (_, child), p in own.arc_probabilities_.items() if child == node]
        assert expected == pytest.approx(sum(arcs))
        assert expected <= 2 + 1e-12


def test_levels_allow_no_arc_within_one(votes):
    X, y = votes
    first, second = list(X.columns[:3]), list(X.columns[3:])
    model = ModelAveragingClassifier(order=[["class", *first], second]).fit(X, y)
    assert {child for _, child in model.arc_probabilities_} == set(second)
    assert model.network_.parents("class") == ()


def test_the_default_order_is_that_of_thick_thinning(votes):
    X, y = votes
    model = ModelAveragingClassifier().fit(X, y)
    order = ThickThinClassifier().fit(X, y).network_.topological_order()
    place = {name: k for k, name in enumerate(order)}
    assert all(place[a] < place[b] for a, b in model.arc_probabilities_)


def test_the_seed_fixes_a_random_order(votes):
    X, y = votes
    arcs = [
        set(
            ModelAveragingClassifier(1, order="random", random_state=s).fit(X, y).arc_probabilities_
        )
        for s in (0, 0, 1)
    ]
    assert arcs[0] == arcs[1] != arcs[2]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"order": "alphabetical"}, "order='alphabetical'"),
        ({"order": 5}, "order=5"),
        ({"order": [["class"], ["x0"]]}, "misses the column 'x1'"),
        ({"order": [["class"], ["x0", "x0"], ["x1"]]}, "'x0' more than once"),
        ({"order": [["class"], ["x0", "z"], ["x1"]]}, "'z', which is no node"),
        ({"max_parents": -1}, "max_parents=-1"),
        ({"summary_parents": 1.5}, "summary_parents=1.5"),
        ({"criterion": "bic"}, "='bic'"),
        ({"arc_probability": 0}, "arc_probability=0"),
        ({"random_state": -1, "order": "random"}, "random_state=-1"),
    ],
)
def test_options_without_a_meaning_are_refused(options, complaint):
    X = np.array([["a", "u"], ["b", "v"], ["a", "v"], ["b", "u"]])
    with pytest.raises(ValueError, match=complaint):
        ModelAveragingClassifier(**options).fit(X, [0, 1, 1, 0])
