"""Greedy thick-thinning against a transcription of Dash and Cooper (2003), section 4.1."""

import itertools
import math
from collections import Counter
from functools import cache

import numpy as np
import pandas as pd
import pytest

from bayesgrove import (
    BayesianNetwork,
    BayesianNetworkClassifier,
    ThickThinClassifier,
    load_dataset,
    random_network,
    random_rows,
)
from bayesgrove.parameters import BDeu, Dirichlet
from bayesgrove.structures import ThickThin
from support import make_source, mixed_columns

CLOSE = 1e-7
"""What the oracle takes for equal: it subtracts numbers of many digits."""


def log_likelihood(columns, cards, child, parents, alpha):
    """Of a family, over the rows where nothing of it is missing; alpha=None is the K2 prior."""
    used = (*parents, child)
    rows = zip(*(columns[v] for v in used), strict=True)
    known = [row for row in rows if all(x < cards[v] for x, v in zip(row, used, strict=True))]
    joint, margin, r = Counter(known), Counter(row[:-1] for row in known), cards[child]
    q = math.prod(cards[v] for v in parents)
    cell = 1.0 if alpha is None else alpha / (q * r)
    found = [math.lgamma(cell * r) - math.lgamma(cell * r + n) for n in margin.values()]
    inner = [math.lgamma(cell + n) - math.lgamma(cell) for n in joint.values()]
    return math.fsum(found + inner)


def make_gain(columns, cards, alpha):
    """What a parent adds to a family, over the rows where that parent is known."""

    @cache
    def gain(child, parents, z):
        known = [r for r, x in enumerate(columns[z]) if x < cards[z]]
        part = columns
        if len(known) < len(columns[z]):
            part = [[column[r] for r in known] for column in columns]
        before, after = sorted(parents), sorted(parents | {z})
        return log_likelihood(part, cards, child, after, alpha) - log_likelihood(
            part, cards, child, before, alpha
        )

    return gain


def leads(parents, a, b):
    """Whether there is a path from a to b, walked backwards."""
    return a == b or any(leads(parents, a, p) for p in parents[b])


def first_largest(gained):
    """Of arcs in order, the first whose gain is the largest one; None where nothing is gained."""
    top = max(gained.values(), default=0.0)
    if top <= CLOSE:
        return None
    return next(arc for arc in sorted(gained) if gained[arc] >= top - CLOSE)


def thick_thin(gain, nodes, most=None):
    """Every arc is scored again at every step."""
    parents = {v: frozenset() for v in range(nodes)}
    while True:
        gained = {
            (child, z): gain(child, parents[child], z)
            for child, z in itertools.permutations(range(nodes), 2)
            if z not in parents[child]
            and not leads(parents, child, z)
            and (most is None or len(parents[child]) < most)
        }
        arc = first_largest(gained)
        if arc is None:
            break
        parents[arc[0]] |= {arc[1]}
    thick = dict(parents)
    while True:
        gained = {(v, z): -gain(v, own - {z}, z) for v, own in parents.items() for z in own}
        arc = first_largest(gained)
        if arc is None:
            return parents, thick
        parents[arc[0]] -= {arc[1]}


def parents_of(structure):
    return {v: frozenset(parents) for v, parents in enumerate(structure.parents)}


@cache
def real(name, attributes):
    """Codes of the first columns of a data set, '?' a value of its own, and its frame."""
    X, y = load_dataset(name)
    X = X.iloc[:, :attributes]
    columns = []
    for column in [*(X[c] for c in X), y]:
        values = column.astype(object)
        columns.append(pd.factorize(values.where(values.notna(), "?"), sort=True)[0].tolist())
    return columns, [max(column) + 1 for column in columns], X, y


@cache
def real_gain(name, attributes, alpha):
    columns, cards, _, _ = real(name, attributes)
    return make_gain(columns, cards, alpha)


def by_name(network):
    return {node: set(network.parents(node)) for node in network.nodes}


def skeleton(arcs):
    return {frozenset(arc) for arc in arcs}


# Against the transcription


@pytest.mark.parametrize("most", [None, 1, 2])
@pytest.mark.parametrize(("criterion", "alpha"), [("k2", 1.0), ("bdeu", 1.0), ("bdeu", 10.0)])
@pytest.mark.parametrize(("name", "attributes"), [("corral", 6), ("vote", 9), ("led7", 5)])
def test_networks_of_data_sets(name, attributes, criterion, alpha, most):
    columns, _, X, y = real(name, attributes)
    gain = real_gain(name, attributes, None if criterion == "k2" else alpha)
    expected, _ = thick_thin(gain, len(columns), most)
    names = [*map(str, X.columns), str(y.name)]
    model = ThickThinClassifier(criterion, most, equivalent_sample_size=alpha).fit(X, y)
    assert by_name(model.network_) == {
        names[v]: {names[p] for p in own} for v, own in expected.items()
    }


@pytest.mark.parametrize("seed", range(10))
def test_networks_of_random_rows(seed):
    columns, cards = mixed_columns(seed, 3)
    source = make_source(columns, cards)
    for score, alpha, most in itertools.product(("k2", "bdeu"), (1.0, 20.0), (None, 0, 1, 2)):
        gain = make_gain(columns, cards, None if score == "k2" else alpha)
        found = parents_of(ThickThin(score, alpha, most).learn(source))
        assert found == thick_thin(gain, len(cards), most)[0]


def overlapping(seed, rows=300):
    """The sum of three nodes is their best stand-in; with all three of them it is too much."""
    rng = np.random.default_rng(seed)
    a, b, c = rng.integers(0, 2, (3, rows))
    total = np.where(rng.random(rows) < 0.1, rng.integers(0, 4, rows), a + b + c)
    most = np.where(rng.random(rows) < 0.05, rng.integers(0, 2, rows), a + b + c >= 2)
    return [column.tolist() for column in (most, total, a, b, c)], [2, 4, 2, 2, 2]


def test_arcs_that_later_ones_make_needless_are_removed():
    thinned = Counter()
    for seed in range(12):
        columns, cards = overlapping(seed)
        for score, alpha in (("k2", 1.0), ("bdeu", 1.0), ("bdeu", 20.0)):
            gain = make_gain(columns, cards, None if score == "k2" else alpha)
            thin, thick = thick_thin(gain, len(cards))
            found = ThickThin(score, alpha).learn(make_source(columns, cards))
            assert parents_of(found) == thin
            thinned[alpha] += thin != thick
    assert thinned[1.0] >= 3
    assert thinned[20.0] >= 3


def test_the_k2_score_removes_arcs_too():
    rows = random_rows(8, 4, 500, random_state=0)
    columns, cards = [rows[name].cat.codes.tolist() for name in rows], [2] * 8
    thin, thick = thick_thin(make_gain(columns, cards, None), 8)
    assert thin != thick
    assert parents_of(ThickThin().learn(make_source(columns, cards))) == thin


@pytest.mark.parametrize("score", ["k2", "bdeu"])
@pytest.mark.parametrize("seed", range(3))
def test_rows_with_missing_values(seed, score):
    """A parent is compared with its own absence over the rows where it is known."""
    columns, cards = mixed_columns(seed, 3)
    gaps = np.random.default_rng(seed).random((5, 200)) < 0.1
    for column, card, gap in zip(columns[:-1], cards[:-1], gaps, strict=True):
        column[:] = np.where(gap, card, column).tolist()
    expected, _ = thick_thin(make_gain(columns, cards, None if score == "k2" else 1.0), 6)
    for ends in (None, [70, 71, 200]):
        found = ThickThin(score).learn(make_source(columns, cards, ends))
        assert parents_of(found) == expected


@pytest.mark.parametrize("score", ["k2", "bdeu"])
def test_rows_in_streams_and_with_weights_give_the_same_network(score):
    for seed in range(4):
        columns, cards = mixed_columns(seed, 3)
        expected = ThickThin(score).learn(make_source(columns, cards))
        for ends in ([200], [10, 150, 200]):
            assert ThickThin(score).learn(make_source(columns, cards, ends)) == expected
        times = np.random.default_rng(seed).integers(1, 4, 200)
        repeated = [np.repeat(column, times) for column in columns]
        heavy = make_source(columns, cards, weights=times.astype(float))
        again = make_source(repeated, cards)
        assert ThickThin(score).learn(heavy) == ThickThin(score).learn(again)


# Known networks


@pytest.mark.parametrize("criterion", ["k2", "bdeu"])
def test_the_skeleton_of_a_network_is_found_in_its_rows(criterion):
    noisy = np.array([[0.85, 0.15], [0.2, 0.8]])
    network = BayesianNetwork.from_tables(
        dict.fromkeys(("e", "d", "a", "b", "c", "alone", "class"), ("n", "y")),
        {"b": ["a"], "class": ["b"], "d": ["c", "class"], "e": ["d"]},
        {
            "a": [0.4, 0.6],
            "b": noisy,
            "c": [0.5, 0.5],
            "class": noisy,
            "d": [[[0.95, 0.05], [0.3, 0.7]], [[0.5, 0.5], [0.05, 0.95]]],
            "e": noisy,
            "alone": [0.3, 0.7],
        },
    )
    rows = network.sample(5000, random_state=0)
    model = ThickThinClassifier(criterion).fit(rows.drop(columns="class"), rows["class"])
    assert skeleton(model.network_.arcs) == skeleton(network.arcs)


def test_most_of_the_skeleton_of_random_networks_is_found():
    shared = found = there = 0
    for seed in range(5):
        network = random_network(12, 2, random_state=seed)
        rows = network.sample(5000, random_state=seed)
        model = ThickThinClassifier().fit(rows.drop(columns="class"), rows["class"])
        ours, theirs = skeleton(model.network_.arcs), skeleton(network.arcs)
        shared, found, there = shared + len(ours & theirs), found + len(ours), there + len(theirs)
    assert shared / there > 0.8
    assert shared / found > 0.7


def test_independent_nodes_have_no_parents():
    rows = list(itertools.product((0, 1), repeat=4)) * 10
    columns = [list(column) for column in zip(*rows, strict=True)]
    for score in ("k2", "bdeu"):
        found = ThickThin(score).learn(make_source(columns, [2] * 4))
        assert found.parents == ((), (), (), ())


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        ("k2", ((1,), (2,), (3,), ())),  # one copy is enough
        ("bdeu", ((1, 2, 3), (2, 3), (3,), ())),  # the fewer pseudo-counts a cell, the surer
    ],
)
def test_of_equal_arcs_the_first_child_takes_the_first_parent(score, expected):
    x = [0, 1, 0, 1, 1, 0] * 10
    renamed = [1 - value for value in x]
    found = ThickThin(score).learn(make_source([x, renamed, x, x], [2] * 4)).parents
    assert found == expected


# Options


@pytest.mark.parametrize("max_parents", [-1, 1.0, 1.5, "2", True, math.nan])
def test_bounds_without_a_meaning_are_refused(max_parents):
    columns, cards = mixed_columns(1, 3)
    with pytest.raises(ValueError, match=r"max_parents=.*None or a whole number"):
        ThickThin(max_parents=max_parents).learn(make_source(columns, cards))


@pytest.mark.parametrize("score", ["K2", "bic", "", None, 1])
def test_scores_that_there_are_not_are_refused(score):
    columns, cards = mixed_columns(1, 3)
    with pytest.raises(ValueError, match=r"criterion=.* must be 'k2' or 'bdeu'"):
        ThickThin(score).learn(make_source(columns, cards))
    X = pd.DataFrame({"x": columns[0]})
    with pytest.raises(ValueError, match=r"criterion=.* must be 'k2' or 'bdeu'"):
        ThickThinClassifier(score).fit(X, columns[1])


@pytest.mark.parametrize("alpha", [0, -1.0, math.inf, math.nan, "1", None, True])
@pytest.mark.parametrize("score", ["k2", "bdeu"])
def test_sample_sizes_that_are_none_are_refused(score, alpha):
    columns, cards = mixed_columns(1, 3)
    with pytest.raises(ValueError, match="equivalent_sample_size="):
        ThickThin(score, alpha).learn(make_source(columns, cards))


# The classifier


def test_the_classifier_is_the_composition():
    _, _, X, y = real("vote", 16)
    for named, learner, parameters in (
        (ThickThinClassifier(max_parents=2), ThickThin(max_parents=2), Dirichlet(1.0)),
        (ThickThinClassifier(equivalent_sample_size=5.0), ThickThin(), Dirichlet(1.0)),
        (
            ThickThinClassifier("bdeu", equivalent_sample_size=5.0),
            ThickThin("bdeu", 5.0),
            BDeu(5.0),
        ),
    ):
        composed = BayesianNetworkClassifier(learner, parameters).fit(X, y)
        assert named.fit(X, y).network_ == composed.network_
        assert (named.predict_proba(X) == composed.predict_proba(X)).all()


def test_probabilities_are_the_posteriors_of_the_network():
    rows = random_rows(8, 4, 500, random_state=7)
    X, y = rows.drop(columns="class"), rows["class"]
    model = ThickThinClassifier().fit(X, y)
    assert model.network_.parents("class")
    assert model.network_.children("x0")
    for row, found in zip(X.to_dict("records"), model.predict_proba(X), strict=True):
        exact = model.network_.posterior("class", row)
        assert found == pytest.approx([exact[c] for c in model.classes_], abs=1e-12)


def test_a_class_that_nothing_bears_on_has_its_frequencies():
    X = pd.DataFrame({"a": ["0", "1"] * 20, "b": ["0", "0", "1", "1"] * 10})
    model = ThickThinClassifier().fit(X, ["p"] * 20 + ["q"] * 20)
    assert model.network_.markov_blanket("class") == ()
    assert model.predict_proba(X) == pytest.approx(0.5)
