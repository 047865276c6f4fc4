"""K2 against a transcription of Cooper and Herskovits (1992), and against pyAgrum."""

import itertools
import math
import warnings
from collections import Counter
from functools import cache

import numpy as np
import pandas as pd
import pytest

from bayesgrove import BayesianNetworkClassifier, K2Classifier, load_dataset
from bayesgrove.structures import K2
from support import make_source, mixed_columns

SETS = ["vote", "corral", "led7"]


def log_g(columns, cards, child, parents):
    """The logarithm of g of the paper, equation 12, over the rows where nothing is missing."""
    used = (*parents, child)
    rows = zip(*(columns[v] for v in used), strict=True)
    known = [row for row in rows if all(x < cards[v] for x, v in zip(row, used, strict=True))]
    joint, margin, r = Counter(known), Counter(row[:-1] for row in known), cards[child]
    found = [math.lgamma(r) - math.lgamma(n + r) for n in margin.values()]
    return math.fsum([*found, *(math.lgamma(n + 1) for n in joint.values())])


def k2(g, order, u=None):
    """The procedure K2 of the paper; of equal candidates the first in the order."""
    pi = {}
    for i, node in enumerate(order):
        pi[node] = frozenset()
        old = g(node, pi[node])
        while u is None or len(pi[node]) < u:
            scores = {z: g(node, pi[node] | {z}) for z in order[:i] if z not in pi[node]}
            best = max(scores, key=lambda z: round(scores[z], 7), default=None)
            if best is None or not scores[best] > old + 1e-9:
                break
            old = scores[best]
            pi[node] |= {best}
    return pi


def scored(columns, cards):
    """g of some rows; what was worked out before is remembered."""
    return cache(lambda child, parents: log_g(columns, cards, child, sorted(parents)))


def information(x, y):
    joint, one, two = Counter(zip(x, y, strict=True)), Counter(x), Counter(y)
    return math.fsum(
        n / len(x) * math.log(n * len(x) / (one[a] * two[b])) for (a, b), n in joint.items()
    )


def default_order(columns):
    *attributes, target = columns
    value = [round(information(column, target), 12) for column in attributes]
    return [len(attributes), *sorted(range(len(attributes)), key=lambda v: (-value[v], v))]


def names_of(order):
    last = len(order) - 1
    return ["class" if v == last else f"x{v}" for v in order]


def parents_of(structure):
    return {v: set(parents) for v, parents in enumerate(structure.parents)}


@cache
def real(name):
    """Codes of a data set of the package, '?' a value of its own, and its frame."""
    X, y = load_dataset(name)
    columns = []
    for column in [*(X[c] for c in X), y]:
        values = column.astype(object)
        columns.append(pd.factorize(values.where(values.notna(), "?"), sort=True)[0].tolist())
    cards = [max(column) + 1 for column in columns]
    return columns, scored(columns, cards), X, y


def by_name(network):
    return {node: set(network.parents(node)) for node in network.nodes}


def named(parents, names):
    return {names[v]: {names[p] for p in own} for v, own in parents.items()}


# Against the transcription


@pytest.mark.parametrize("max_parents", [None, 0, 1, 2])
@pytest.mark.parametrize("name", SETS)
def test_networks_are_those_of_the_paper(name, max_parents):
    columns, g, X, y = real(name)
    names = [*map(str, X.columns), str(y.name)]
    shuffled = np.random.default_rng(0).permutation(len(names)).tolist()
    for k, order in enumerate([default_order(columns), list(range(len(names))), shuffled]):
        given = None if k == 0 else [names[v] for v in order]
        model = K2Classifier(given, max_parents).fit(X, y)
        expected = k2(g, order, max_parents)
        assert by_name(model.network_) == named(expected, names)


@pytest.mark.parametrize("seed", range(12))
def test_networks_of_random_rows(seed):
    columns, cards = mixed_columns(seed, 2)
    source, g = make_source(columns, cards), scored(columns, cards)
    order = np.random.default_rng(seed).permutation(6).tolist()
    for u in (None, 1, 2):
        assert parents_of(K2(names_of(order), u).learn(source)) == k2(g, order, u)
    assert parents_of(K2().learn(source)) == k2(g, default_order(columns))


@pytest.mark.parametrize("seed", range(4))
def test_rows_with_missing_values(seed):
    """A candidate is compared with its own absence over the rows where it is known."""
    columns, cards = mixed_columns(seed, 2)
    rng = np.random.default_rng(seed)
    gaps = rng.random((5, 200)) < 0.1
    for column, card, gap in zip(columns[:-1], cards[:-1], gaps, strict=True):
        column[:] = np.where(gap, card, column).tolist()
    order = rng.permutation(6).tolist()
    expected = {}
    for i, node in enumerate(order):
        parents = []
        while True:
            gain = {}
            for z in (z for z in order[:i] if z not in parents):
                known = [r for r in range(200) if columns[z][r] < cards[z]]
                part = [[column[r] for r in known] for column in columns]
                gain[z] = log_g(part, cards, node, (*parents, z))
                gain[z] -= log_g(part, cards, node, parents)
            best = max(gain, key=lambda z: round(gain[z], 7), default=None)
            if best is None or gain[best] <= 1e-9:
                break
            parents.append(best)
        expected[node] = set(parents)
    for ends in (None, [70, 71, 200]):
        found = K2(names_of(order)).learn(make_source(columns, cards, ends))
        assert parents_of(found) == expected


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(8))
def test_networks_are_those_of_pyagrum(seed):
    with warnings.catch_warnings():  # at which its import crashes
        warnings.simplefilter("ignore")
        gum = pytest.importorskip("pyagrum")
    columns, cards = mixed_columns(seed, 2, rows=600)
    data = pd.DataFrame({f"a{v}": [str(x) for x in column] for v, column in enumerate(columns)})
    template = gum.BayesNet()
    for v, card in enumerate(cards):
        template.add(gum.LabelizedVariable(f"a{v}", "", [str(x) for x in range(card)]))
    source = make_source(columns, cards)
    rng = np.random.default_rng(seed)
    for order in [list(range(6)), rng.permutation(6).tolist(), rng.permutation(6).tolist()]:
        learner = gum.BNLearner(data, template)
        learner.useScoreK2()
        learner.useNoPrior()
        learner.useK2(order)  # numbers: names leave it at another algorithm, without a word
        theirs = {v: set() for v in range(6)}
        for parent, child in learner.learnDAG().arcs():
            theirs[child].add(parent)
        assert parents_of(K2(names_of(order)).learn(source)) == theirs


def test_rows_in_streams_and_with_weights_give_the_same_network():
    for seed in range(4):
        columns, cards = mixed_columns(seed, 2)
        expected = K2().learn(make_source(columns, cards))
        for ends in ([200], [10, 150, 200]):
            assert K2().learn(make_source(columns, cards, ends)) == expected
        times = np.random.default_rng(seed).integers(1, 4, 200)
        repeated = [np.repeat(column, times) for column in columns]
        heavy = make_source(columns, cards, weights=times.astype(float))
        assert K2().learn(heavy) == K2().learn(make_source(repeated, cards))


# Orders, ties and bounds


def test_the_default_order_is_the_class_and_then_by_information():
    columns, _, X, y = real("vote")
    order = [*X.columns, y.name]
    by_default = K2Classifier().fit(X, y).network_
    by_name_given = K2Classifier([order[v] for v in default_order(columns)]).fit(X, y).network_
    assert by_default == by_name_given
    assert by_default.parents(by_default.class_node) == ()


def test_arrows_follow_the_order():
    columns, cards = mixed_columns(3, 2)
    for order in itertools.islice(itertools.permutations(range(6)), 0, 720, 90):
        place = {v: k for k, v in enumerate(order)}
        for v, own in parents_of(K2(names_of(order)).learn(make_source(columns, cards))).items():
            assert all(place[p] < place[v] for p in own)


def test_of_equal_parents_the_first_in_the_order_is_taken():
    x = [0, 1, 0, 1, 1, 0] * 10
    renamed = [1 - value for value in x]
    source = make_source([x, renamed, x, x], [2, 2, 2, 2])
    for order in ([0, 1, 2, 3], [1, 0, 2, 3], [2, 1, 3, 0]):
        found = parents_of(K2(names_of(order)).learn(source))
        # each copy follows from any one before it: the first is enough
        assert found == {order[0]: set(), **{v: {order[0]} for v in order[1:]}}


def test_equal_parents_of_very_many_rows():
    rng = np.random.default_rng(1)
    z = rng.integers(0, 5, 3000)
    child = (z + rng.integers(0, 5, 3000) * (rng.random(3000) < 0.7)) % 5
    once = [z, (z + 1) % 5, child, z * 0]
    columns, cards = [np.tile(column, 100) for column in once], [5, 5, 5, 1]
    for source in (
        make_source(columns, cards),
        make_source(columns, cards, [300_000]),
        make_source(once, cards, weights=np.full(3000, 100.0)),
    ):
        assert K2(["class", "x0", "x1", "x2"], 1).learn(source).parents[2] == (0,)


def test_an_impossible_row_gets_what_the_tables_that_have_the_class_say():
    X = pd.DataFrame({"a": list("0001") * 20, "b": list("0001") * 20})
    model = K2Classifier(["a", "b", "class"], alpha=0.0).fit(X, list("pppq") * 20)
    assert model.network_.parents("class") == ("a",)
    row = pd.DataFrame({"a": ["0"], "b": ["1"]})  # b never differs from a, whatever the class
    assert model.predict_proba(row).tolist() == [[1.0, 0.0]]
    nearly = K2Classifier(["a", "b", "class"], alpha=1e-9).fit(X, list("pppq") * 20)
    assert nearly.predict_proba(row) == pytest.approx(model.predict_proba(row), abs=1e-6)
    assert np.exp(model.predict_joint_log_proba(row))[0] == pytest.approx([0.75, 0.25])


def test_equal_information_leaves_the_order_of_the_columns():
    target = [0, 1] * 20
    noisy = [0, 1] * 15 + [1, 0] * 5
    source = make_source([noisy, target, noisy, target], [2] * 4)
    found = parents_of(K2(max_parents=1).learn(source))
    # the class, x1, x0, x2: the second noisy column follows from the first, not the other way
    assert found == {3: set(), 1: {3}, 0: {3}, 2: {0}}
    assert parents_of(K2(["x2", "x0", "class", "x1"]).learn(source))[0] == {2}


def test_independent_nodes_have_no_parents():
    rows = list(itertools.product((0, 1), repeat=4)) * 10
    columns = [list(column) for column in zip(*rows, strict=True)]
    assert K2().learn(make_source(columns, [2] * 4)).parents == ((), (), (), ())


def test_an_exclusive_or_is_missed_by_a_greedy_search():
    rows = [(a, b, a ^ b) for a, b in itertools.product((0, 1), repeat=2)] * 20
    columns = [list(column) for column in zip(*rows, strict=True)]
    assert K2().learn(make_source(columns, [2] * 3)).parents == ((), (), ())


@pytest.mark.parametrize(
    "order",
    [
        ("class", "x2", "x0", "x1"),
        np.array(["class", "x2", "x0", "x1"]),
        pd.Index(["class", "x2", "x0", "x1"]),
        pd.Series(["class", "x2", "x0", "x1"]),
    ],
    ids=lambda order: type(order).__name__,
)
def test_an_order_may_be_any_list_of_names(order):
    columns, cards = mixed_columns(1, 2, cards=(2, 3, 4, 2))
    source = make_source(columns, cards)
    assert K2(order).learn(source) == K2(["class", "x2", "x0", "x1"]).learn(source)


@pytest.mark.parametrize(
    ("order", "complaint"),
    [
        (["class", "x0", "x1"], "lacks the column 'x2'"),
        (["x2", "x0", "x1"], "lacks the class 'class'"),
        ([], "lacks the column 'x0'"),
        (["class", "x0", "x1", "x2", "x0"], "'x0' more than once"),
        (["class", "x0", "x1", "class"], "'class' more than once"),
        (["class", "x0", "x1", "x2", "x3"], "'x3', which is not a node"),
        (["y", "x0", "x1", "x2"], r"'y', which is not a node.*class 'class'"),
        ([0, 1, 2, 3], "'0', which is not a node"),
        (["class", ["x0", "x1"], "x2"], "which of 'x0' and 'x1' comes first"),
        ("class", "'class' must be a list"),
        ("class x0 x1 x2", "must be a list"),
        (5, "5 must be a list"),
        ({"class", "x0", "x1", "x2"}, "must be a list"),
    ],
)
def test_orders_that_are_none_are_refused(order, complaint):
    columns, cards = mixed_columns(1, 2, cards=(2, 3, 4, 2))
    with pytest.raises(ValueError, match=f"order.*{complaint}"):
        K2(order).learn(make_source(columns, cards))
    X = pd.DataFrame(dict(zip(("x0", "x1", "x2"), columns, strict=False)), dtype=str)
    with pytest.raises(ValueError, match=f"order.*{complaint}"):
        K2Classifier(order=order).fit(X, columns[3])


@pytest.mark.parametrize("max_parents", [-1, 1.0, 1.5, "2", True, math.nan])
def test_bounds_without_a_meaning_are_refused(max_parents):
    columns, cards = mixed_columns(1, 2)
    with pytest.raises(ValueError, match="max_parents="):
        K2(max_parents=max_parents).learn(make_source(columns, cards))


# The classifier


def test_the_class_may_stand_anywhere_in_the_order():
    _, _, X, y = real("corral")
    names = [*X.columns, y.name]
    last = K2Classifier(names).fit(X, y)
    assert last.network_.parents(y.name)
    probabilities = last.predict_proba(X)
    for row, found in zip(X.to_dict("records"), probabilities, strict=True):
        exact = last.network_.posterior(y.name, row)
        assert found == pytest.approx([exact[c] for c in last.classes_], abs=1e-12)


def test_the_classifier_is_the_composition():
    _, _, X, y = real("vote")
    named = K2Classifier(max_parents=2).fit(X, y)
    composed = BayesianNetworkClassifier(K2(max_parents=2)).fit(X, y)
    assert named.network_ == composed.network_
    assert (named.predict_proba(X) == composed.predict_proba(X)).all()
    learner, classifier = K2(), K2Classifier()
    assert (learner.order, learner.max_parents) == (None, None)
    assert (classifier.order, classifier.max_parents, classifier.alpha) == (None, None, 1.0)
