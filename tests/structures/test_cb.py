"""CB against a slow transcription of Singh and Valtorta (1995) with sets and dictionaries."""

import itertools
import math
from collections import Counter, defaultdict
from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2

from bayesgrove import BayesianNetwork, BayesianNetworkClassifier, CBClassifier, load_dataset
from bayesgrove.structures import CB
from support import make_source

JUDGES = ["training", "score"]


class Rows:
    """Columns of codes, the class last, and all that CB asks of them."""

    def __init__(self, columns, cards):
        self.columns, self.cards = columns, cards
        self.nodes = range(len(cards))
        self.target = len(cards) - 1
        self.p = cache(self._p)
        self.log_g = cache(self._log_g)

    def joint(self, variables):
        return Counter(zip(*(self.columns[v] for v in variables), strict=True))

    def _p(self, a, b, given):
        """The chi-squared test of a and b, summed over the joint values of others."""
        groups = defaultdict(dict)
        for values, n in self.joint((*given, a, b)).items():
            groups[values[:-2]][values[-2:]] = n
        statistic = free = 0
        for cells in groups.values():
            by_a, by_b = Counter(), Counter()
            for (x, y), n in cells.items():
                by_a[x] += n
                by_b[y] += n
            total = sum(by_a.values())
            for x, y in itertools.product(by_a, by_b):
                expected = by_a[x] * by_b[y] / total
                statistic += (cells.get((x, y), 0) - expected) ** 2 / expected
            free += (len(by_a) - 1) * (len(by_b) - 1)
        return chi2.sf(statistic, free) if free else 1.0

    def _log_g(self, child, parents):
        r = self.cards[child]
        joint = self.joint((*sorted(parents), child))
        margin = Counter()
        for values, n in joint.items():
            margin[values[:-1]] += n
        found = [math.lgamma(r) - math.lgamma(n + r) for n in margin.values()]
        return math.fsum([*found, *(math.lgamma(n + 1) for n in joint.values())])

    def ratio(self, child, parents, parent):
        """ln g(child, parents + parent) / g(child, parents)."""
        return self.log_g(child, frozenset({*parents, parent})) - self.log_g(
            child, frozenset(parents)
        )

    def accuracy(self, parents, judged=None):
        """Of the most probable classes of rows, with one pseudo-count a cell."""
        joint = {v: self.joint((*sorted(parents[v]), v)) for v in self.nodes}
        margin = {v: Counter() for v in self.nodes}
        for v, cells in joint.items():
            for values, n in cells.items():
                margin[v][values[:-1]] += n
        right = 0
        columns = (judged or self).columns
        for row in zip(*columns, strict=True):
            logs = []
            for c in range(self.cards[-1]):
                full = (*row[:-1], c)
                log = 0.0
                for v in self.nodes:
                    u = tuple(full[p] for p in sorted(parents[v]))
                    above = joint[v][(*u, full[v])] + 1
                    log += math.log(above / (margin[v][u] + self.cards[v]))
                logs.append(round(log, 10))
            right += logs.index(max(logs)) == row[-1]
        return right / len(columns[0])

    def score(self, parents):
        return math.fsum(self.log_g(v, frozenset(parents[v])) for v in self.nodes)


class Directions:
    """Arrows, as pairs, on undirected edges, as sets; a definite one has none against it."""

    def __init__(self, edges, root):
        self.edges, self.root, self.arrows = edges, root, set()
        for edge in edges:
            if root in edge:
                (other,) = edge - {root}
                self.arrows.add((root, other))

    def adjacent(self, a, b):
        return frozenset((a, b)) in self.edges

    def definite(self, a, b):
        return (a, b) in self.arrows and (b, a) not in self.arrows

    def parents(self, node):
        return {a for a, b in self.arrows if b == node and self.definite(a, b)}

    def path(self, a, b):
        """Whether definite arrows lead from a to b."""
        reached = {a}
        while more := {y for x, y in self.arrows if x in reached and self.definite(x, y)} - reached:
            reached |= more
        return b in reached

    def point(self, a, b):
        if b == self.root or ((b, a) not in self.arrows and self.path(b, a)):
            return
        self.arrows.add((a, b))

    def is_plain(self, a, b):
        return not {(a, b), (b, a)} & self.arrows


def step_3(graph, nodes, separators):
    for a, b in sorted(separators):
        for c in nodes:
            if graph.adjacent(a, c) and graph.adjacent(b, c) and c not in separators[a, b]:
                graph.point(a, c)
                graph.point(b, c)


def step_4(graph):
    pairs = sorted(itertools.chain(*(itertools.permutations(edge) for edge in graph.edges)))
    changed = True
    while changed:
        changed = False
        for b, c in pairs:
            if not graph.is_plain(b, c):
                continue
            before = {a for a in graph.parents(b) if a != c and not graph.adjacent(a, c)}
            if before or graph.path(b, c):
                graph.point(b, c)
                changed = changed or not graph.is_plain(b, c)


def step_5(graph, rows):
    undecided = [
        (a, b)
        for a, b in sorted(tuple(sorted(edge)) for edge in graph.edges)
        if graph.definite(a, b) == graph.definite(b, a)
    ]
    for i, j in undecided:
        to_i, to_j = rows.ratio(i, graph.parents(i), j), rows.ratio(j, graph.parents(j), i)
        arrow = (j, i) if to_i > to_j + 1e-9 else (i, j)
        if graph.path(*reversed(arrow)):
            arrow = arrow[::-1]
        graph.arrows -= {(i, j), (j, i)}
        graph.arrows.add(arrow)


def topological(graph, priority):
    left, order = list(priority), []
    while left:
        node = next(v for v in left if not graph.parents(v) & set(left))
        left.remove(node)
        order.append(node)
    return order


def k2(rows, order):
    pi = {}
    for i, node in enumerate(order):
        pi[node] = set()
        while candidates := [z for z in order[:i] if z not in pi[node]]:
            gain = {z: rows.ratio(node, pi[node], z) for z in candidates}
            best = max(candidates, key=lambda z: round(gain[z], 7))
            if gain[best] <= 1e-9:
                break
            pi[node].add(best)
    return pi


def step_2(rows, edges, separators, order, alpha):
    """Drop edges; whether anything was tested. All tests look at the graph as it was before."""
    near = {v: {w for e in edges if v in e for w in e - {v}} for v in rows.nodes}
    tested = False
    for a, b in sorted(tuple(sorted(edge)) for edge in edges):
        others = sorted((near[a] | near[b]) - {a, b})
        for given in itertools.combinations(others, order):
            tested = True
            if rows.p(a, b, given) > alpha:
                edges.remove(frozenset((a, b)))
                separators[a, b] = given
                break
    return tested


def cb_networks(rows, alpha=0.05, max_order=None, class_node="root"):
    """The networks of order 0, 1, 2, ..."""
    edges = {frozenset(pair) for pair in itertools.combinations(rows.nodes, 2)}
    separators = {}
    for order in itertools.count():
        if max_order is not None and order > max_order:
            return
        if not step_2(rows, edges, separators, order, alpha) and order > 0:
            return
        graph = Directions(set(edges), rows.target if class_node == "root" else None)
        step_3(graph, rows.nodes, separators)
        step_4(graph)
        step_5(graph, rows)
        yield k2(rows, topological(graph, [rows.target, *range(rows.target)]))


def cb(rows, judge="training", **options):
    best, value = None, -math.inf
    for parents in cb_networks(rows, **options):
        new = rows.accuracy(parents) if judge == "training" else rows.score(parents)
        if not new > value:
            break
        best, value = parents, new
    return best


def parents_of(structure):
    return {v: set(parents) for v, parents in enumerate(structure.parents)}


def draw(seed, rows=300, cards=(2, 3, 2, 2, 3, 2)):
    """Columns of which each depends on up to two others, in an order of their own."""
    rng = np.random.default_rng(seed)
    columns = {}
    for v in rng.permutation(len(cards)).tolist():
        own = rng.integers(0, cards[v], rows)
        used = [u for u in columns if rng.random() < 0.5][:2]
        mixed = sum((columns[u] for u in used), np.zeros(rows, dtype=int)) % cards[v]
        columns[v] = np.where(rng.random(rows) < 0.55, mixed, own)
    return [columns[v].tolist() for v in range(len(cards))], list(cards)


REAL = {
    "corral": (None, 1),
    "vote": (None, 1),
    "kr-vs-kp": (15, 4),
    "mushroom": (5, 8),
}
"""How many columns, and one of how many rows."""


@cache
def real(name):
    """Part of a data set, '?' a value of its own, and its codes."""
    X, y = load_dataset(name)
    columns, step = REAL[name]
    X, y = X.iloc[::step, :columns].astype(object), y.iloc[::step].astype(object)
    X = X.where(X.notna(), "?")
    columns = [pd.factorize(column, sort=True)[0].tolist() for column in [*(X[c] for c in X), y]]
    return X, y, Rows(columns, [max(column) + 1 for column in columns])


def by_name(network):
    return {node: set(network.parents(node)) for node in network.nodes}


def named(parents, names):
    return {names[v]: {names[p] for p in own} for v, own in parents.items()}


# Against the transcription


@pytest.mark.parametrize("class_node", ["root", "free"])
@pytest.mark.parametrize("name", REAL)
def test_networks_are_those_of_the_paper(request, name, class_node):
    if name in ("kr-vs-kp", "mushroom"):
        request.getfixturevalue("folder_dataset")
    X, y, rows = real(name)
    names = [*map(str, X.columns), str(y.name)]
    for judge in JUDGES:
        model = CBClassifier(class_node=class_node, stop_by=judge).fit(X, y)
        expected = cb(rows, judge, class_node=class_node)
        assert by_name(model.network_) == named(expected, names), judge


@pytest.mark.parametrize("class_node", ["root", "free"])
@pytest.mark.parametrize("seed", range(10))
def test_networks_of_random_rows(seed, class_node):
    columns, cards = draw(seed, rows=[60, 150, 300][seed % 3])
    rows, source = Rows(columns, cards), make_source(columns, cards)
    for alpha, judge in itertools.product((0.05, 0.3), JUDGES):
        found = CB(alpha, class_node=class_node, stop_by=judge).learn(source)
        expected = cb(rows, judge, alpha=alpha, class_node=class_node)
        assert parents_of(found) == expected, (alpha, judge)


@pytest.mark.parametrize("class_node", ["root", "free"])
@pytest.mark.parametrize("seed", range(4))
def test_the_networks_of_every_order(seed, class_node):
    columns, cards = draw(seed, rows=1000, cards=(2, 2, 3, 2, 2, 2))
    rows, source = Rows(columns, cards), make_source(columns, cards)
    expected = list(cb_networks(rows, class_node=class_node))
    found = CB(class_node=class_node)._structures(source)
    assert [parents_of(structure) for structure in found] == expected
    assert len(expected) > 2


def test_equal_directions_in_memory_and_in_a_stream():
    a = np.array([0, 1, 2, 2, 2, 2, 2])
    columns, cards = [a, (a + 1) % 3, a * 0], [3, 3, 1]
    memory, stream = (make_source(columns, cards, ends) for ends in (None, [7]))
    found = CB(stop_by="score").learn(memory)
    assert parents_of(found) == {0: set(), 1: {0}, 2: set()}
    assert CB(stop_by="score").learn(stream) == found


@pytest.mark.parametrize("judge", JUDGES)
def test_no_test_is_of_more_than_the_highest_order(judge):
    for seed in range(4):
        columns, cards = draw(seed)
        rows, source = Rows(columns, cards), make_source(columns, cards)
        for max_order in (0, 1, 2, 100):
            found = CB(max_order=max_order, stop_by=judge).learn(source)
            assert parents_of(found) == cb(rows, judge, max_order=max_order)
        assert CB(max_order=100, stop_by=judge).learn(source) == CB(stop_by=judge).learn(source)


def held_out(rows, source, seed, class_node):
    """The order is chosen by a third of the rows, and all rows are used with it."""
    learning, judging = (
        Rows(
            [part.reduce(lambda e, v=v: e.column(v).tolist(), list.__add__) for v in rows.nodes],
            rows.cards,
        )
        for part in next(source.folds(3, seed))
    )
    chosen, value = 0, -math.inf
    for parents in cb_networks(learning, class_node=class_node):
        new = learning.accuracy(parents, judging)
        if not new > value:
            break
        chosen, value = chosen + 1, new
    return list(itertools.islice(cb_networks(rows, class_node=class_node), chosen))[-1]


@pytest.mark.parametrize("class_node", ["root", "free"])
def test_a_third_that_is_held_out_chooses_the_order(class_node):
    differ = 0
    for seed in range(7):
        columns, cards = draw(seed)
        rows, source = Rows(columns, cards), make_source(columns, cards)
        learner = CB(class_node=class_node, stop_by="held-out", random_state=seed)
        found = learner.learn(source)
        assert parents_of(found) == held_out(rows, source, seed, class_node)
        assert learner.learn(make_source(columns, cards)) == found
        differ += found != CB(class_node=class_node).learn(source)
    assert differ > 0


def test_the_seed_fixes_what_is_held_out():
    X, y, _ = real("vote")
    networks = [
        CBClassifier(stop_by="held-out", random_state=seed).fit(X, y).network_
        for seed in (3, 3, *range(8))
    ]
    assert networks[0] == networks[1]
    assert len({frozenset(network.arcs) for network in networks}) > 1


@pytest.mark.parametrize("judge", ["training", "held-out", "score"])
@pytest.mark.parametrize("class_node", ["root", "free"])
def test_rows_in_streams_and_with_weights_give_the_same_network(class_node, judge):
    for seed in (1, 2):
        columns, cards = draw(seed, rows=120)
        learner = CB(class_node=class_node, stop_by=judge)
        expected = learner.learn(make_source(columns, cards))
        for ends in ([120], [1, 2, 50, 120]):
            assert learner.learn(make_source(columns, cards, ends)) == expected
        if judge != "held-out":
            times = np.random.default_rng(seed).integers(1, 4, 120)
            repeated = make_source([np.repeat(column, times) for column in columns], cards)
            heavy = make_source(columns, cards, weights=times.astype(float))
            assert learner.learn(heavy) == learner.learn(repeated)


# What it finds


def known_network():
    """Two causes of the class, which has two effects; one more column follows an effect."""
    return BayesianNetwork.from_tables(
        states=dict.fromkeys("abdefc", ("n", "y")),
        parents={"c": ("a", "b"), "d": ("c",), "e": ("c",), "f": ("d",)},
        tables={
            "a": [0.4, 0.6],
            "b": [0.7, 0.3],
            "c": [[[0.9, 0.1], [0.4, 0.6]], [[0.3, 0.7], [0.05, 0.95]]],
            "d": [[0.8, 0.2], [0.25, 0.75]],
            "e": [[0.7, 0.3], [0.1, 0.9]],
            "f": [[0.85, 0.15], [0.3, 0.7]],
        },
    )


@pytest.mark.parametrize("seed", range(3))
def test_the_network_that_rows_were_drawn_from_is_found(seed):
    truth = known_network()
    rows = truth.sample(20_000, seed)
    X, y = rows.drop(columns="c"), rows["c"]
    model = CBClassifier(level=0.001, class_node="free", stop_by="score").fit(X, y)
    assert model.network_.arcs == truth.arcs  # the collider at the class fixes every direction


def test_independent_columns_have_no_arcs():
    rows = list(itertools.product((0, 1), repeat=4)) * 20
    columns = [list(column) for column in zip(*rows, strict=True)]
    for class_node, judge in itertools.product(("root", "free"), ("training", "held-out", "score")):
        found = CB(class_node=class_node, stop_by=judge).learn(make_source(columns, [2] * 4))
        assert found.parents == ((),) * 4


def test_the_root_has_no_parents_and_the_free_class_may():
    X, y, _ = real("vote")
    root, free = (CBClassifier(class_node=node).fit(X, y).network_ for node in ("root", "free"))
    assert root.parents(root.class_node) == ()
    assert free.parents(free.class_node) != ()


# Prediction


def enumerated(network, row):
    """P(class | row) from the product of all tables, summed over what is missing."""
    names, target = network.nodes, network.class_node
    unknown = [n for n in names if n == target or row[n] is None]
    weights = Counter()
    for values in itertools.product(*(network.states(n) for n in unknown)):
        full = {**row, **dict(zip(unknown, values, strict=True))}
        product = 1.0
        for node in names:
            family = [*network.parents(node), node]
            place = tuple(network.states(n).index(full[n]) for n in family)
            product *= float(np.asarray(network.table(node))[place])
        weights[full[target]] += product
    total = sum(weights.values())
    return [weights[c] / total for c in network.states(target)]


def with_gaps(X, share, seed=0):
    gaps = np.random.default_rng(seed).random(X.shape) < share
    return X.astype(object).mask(gaps, None)


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_a_class_with_parents_is_predicted_from_its_whole_blanket(share):
    truth = known_network()
    rows = truth.sample(2000, 1)
    X, y = rows.drop(columns="c"), rows["c"]
    model = CBClassifier(0.001, class_node="free", stop_by="score", missing="ignore").fit(X, y)
    network = model.network_
    assert set(network.parents("c")) == {"a", "b"}
    assert set(network.children("c")) == {"d", "e"}
    new = with_gaps(truth.sample(60, 2).drop(columns="c"), share)
    found = model.predict_proba(new)
    for row, p in zip(new.to_dict("records"), found, strict=True):
        known = {name: value for name, value in row.items() if isinstance(value, str)}
        row = {name: known.get(name) for name in row}
        exact = network.posterior("c", known)
        assert p == pytest.approx([exact[c] for c in model.classes_], abs=1e-12)
        assert p == pytest.approx(enumerated(network, row), abs=1e-12)
    assert (model.predict(new) == model.classes_[found.argmax(axis=1)]).all()


def test_nothing_beyond_the_blanket_matters():
    X, y, _ = real("vote")
    model = CBClassifier(class_node="free").fit(X, y)
    network = model.network_
    blanket = set(network.markov_blanket(network.class_node))
    assert set(network.parents(network.class_node)) <= blanket
    found = model.predict_proba(X)
    for name in X:
        changed = X.assign(**{name: X[name].iloc[::-1].tolist()})
        same = np.abs(model.predict_proba(changed) - found).max() < 1e-12
        assert same == (name not in blanket), name


# Options and small tables


@pytest.mark.parametrize(
    "parameters",
    [
        {"level": 0},
        {"level": 1.0},
        {"level": -0.1},
        {"level": math.nan},
        {"level": "0.05"},
        {"max_order": -1},
        {"max_order": 1.0},
        {"max_order": True},
        {"class_node": "leaf"},
        {"class_node": None},
        {"stop_by": "test"},
        {"stop_by": None},
        {"random_state": -1},
        {"random_state": None},
    ],
)
def test_parameters_without_a_meaning_are_refused(parameters):
    (name,) = parameters
    columns, cards = draw(0, rows=30)
    with pytest.raises(ValueError, match=f"{name}="):
        CB(**parameters).learn(make_source(columns, cards))
    with pytest.raises(ValueError, match=f"{name}="):
        CBClassifier(**parameters).fit(np.array(columns[:-1]).T, columns[-1])


@pytest.mark.parametrize("judge", ["training", "held-out", "score"])
@pytest.mark.parametrize("class_node", ["root", "free"])
def test_tables_of_next_to_nothing(class_node, judge):
    learner = CB(class_node=class_node, stop_by=judge)
    for columns, cards in [
        ([[0], [0], [0]], [1, 1, 1]),
        ([[1], [2], [0]], [2, 3, 2]),
        ([[0, 1], [1, 0]], [2, 2]),
        ([[0, 1, 1]], [2]),
        ([[0, 1, 0, 1], [0, 0, 0, 0], [0, 0, 1, 1]], [2, 1, 2]),
        ([[2, 2, 2, 2], [0, 0, 1, 1]], [2, 2]),
    ]:
        found = learner.learn(make_source(columns, cards))
        assert len(found.parents) == len(cards)
        found = learner.learn(make_source(columns, cards, ends=range(1, len(columns[0]) + 1)))
        assert len(found.parents) == len(cards)


def test_the_classifier_is_the_composition():
    X, y, _ = real("corral")
    named = CBClassifier(0.1, 2, "free", stop_by="score", random_state=3).fit(X, y)
    composed = BayesianNetworkClassifier(CB(0.1, 2, "free", "score", 3)).fit(X, y)
    assert named.network_ == composed.network_
    learner, classifier = CB(), CBClassifier()
    for option in ("level", "max_order", "class_node", "stop_by", "random_state"):
        assert getattr(learner, option) == getattr(classifier, option)
    defaults = CB(0.05, None, "root", "training", 0)
    assert learner == defaults
