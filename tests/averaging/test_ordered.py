"""Averages over networks that fit an order, by enumerating all of them."""

import itertools
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from averaging_oracle import draw, local_score, probability
from bayesgrove._utils.options import OptionError
from bayesgrove.averaging import OrderedAverage, ParentSets, ordered
from bayesgrove.encoding import Encoded, MemoryLimitError, code_type
from bayesgrove.network import mixture
from support import make_source

PROBLEMS = {
    # cards (class last), levels, k
    "two levels": ((2, 3, 2), [[0, 2], [1]], 2),
    "class first": ((2, 2, 3, 2), [[3], [0], [1], [2]], 1),
    "class first, two parents": ((2, 2, 3, 2), [[3], [0], [1], [2]], 2),
    "class last": ((2, 3, 2), [[1], [0], [2]], 2),
    "class in the middle": ((2, 2, 3, 2), [[2], [0], [3], [1]], 2),
    "three classes": ((2, 2, 2, 3), [[3], [1], [0], [2]], 3),
    "one level": ((2, 2, 2), [[0, 1, 2]], 2),
    "five nodes": ((2, 2, 2, 2, 2), [[4], [0, 1], [2], [3]], 2),
    "no parents": ((3, 2, 2), [[2], [1], [0]], 0),
}


class Enumerated:
    """Every network of the class, with its probability."""

    def __init__(self, cards, levels, k, alpha=None, arc=0.5, columns=None):
        self.cards, self.alpha = cards, alpha
        self.columns = draw(cards) if columns is None else columns
        allowed = {}
        before = []
        for level in levels:
            for child in level:
                allowed[child] = [
                    s for size in range(k + 1) for s in itertools.combinations(sorted(before), size)
                ]
            before += level
        nodes = range(len(cards))
        self.networks = list(itertools.product(*(allowed[v] for v in nodes)))
        logs = [
            sum(
                local_score(self.columns, cards, v, own[v], alpha)
                + len(own[v]) * math.log(arc / (1 - arc))
                for v in nodes
            )
            for own in self.networks
        ]
        weights = [math.exp(log - max(logs)) for log in logs]
        self.weights = [w / math.fsum(weights) for w in weights]

    def joint(self, values):
        return math.fsum(
            w
            * math.prod(
                probability(self.columns, self.cards, v, own[v], values, self.alpha)
                for v in range(len(self.cards))
            )
            for w, own in zip(self.weights, self.networks, strict=True)
        )

    def arc(self, parent, child):
        pairs = zip(self.weights, self.networks, strict=True)
        return math.fsum(w for w, own in pairs if parent in own[child])


def fitted(average, cards, levels, columns):
    source = make_source(columns, cards)
    sets = average.parent_sets(source, levels)
    return sets, average.network(source, [tuple(range(card)) for card in cards], sets)


def joint_table(network, cards):
    every = list(itertools.product(*(range(card) for card in cards[:-1])))
    codes = [
        np.array(c).astype(code_type(card))
        for c, card in zip(zip(*every, strict=True), cards[:-1], strict=True)
    ]
    return every, np.exp(network.log_joint(Encoded(codes, list(cards[:-1]), len(every))))


@pytest.fixture(params=["one table", "listed"])
def kept(request, monkeypatch):
    """Each node has one table; or none fits, and its parent sets are looked up row by row."""
    if request.param == "listed":
        monkeypatch.setattr(ordered, "SUMMARY_CELLS", 3)
    return request.param


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"criterion": "bdeu", "equivalent_sample_size": 4.0},
        {"arc_prior": 0.2},
        {"parent_penalty": 0.7},
    ],
    ids=str,
)
@pytest.mark.parametrize("name", PROBLEMS)
def test_the_average_is_that_over_all_networks(name, options, kept):
    cards, levels, k = PROBLEMS[name]
    penalty = math.exp(-options.get("parent_penalty", 0.0))
    arc = options.get("arc_prior", penalty / (1 + penalty))
    exact = Enumerated(cards, levels, k, options.get("equivalent_sample_size"), arc)
    average = OrderedAverage(k, None, **options)
    sets, averaged = fitted(average, cards, levels, exact.columns)
    assert bool(averaged.means) == (kept == "listed" and k > 0 and len(levels) > 1)
    every, found = joint_table(averaged, cards)
    expected = [[exact.joint((*values, c)) for c in range(cards[-1])] for values in every]
    assert_allclose(found, expected, rtol=1e-12)
    assert found.sum() == pytest.approx(1.0, rel=1e-12)
    for child, parent in itertools.permutations(range(len(cards)), 2):
        own = sets[child].arc_probabilities().get(parent, 0.0)
        assert own == pytest.approx(exact.arc(parent, child), rel=1e-10, abs=1e-14)


def test_single_arcs_may_have_probabilities_of_their_own():
    cards, levels, k = PROBLEMS["five nodes"]
    columns = draw(cards, rows=40)
    plain = fitted(OrderedAverage(k, None), cards, levels, columns)[0]
    sure = fitted(OrderedAverage(k, None, arc_prior={(0, 2): 0.9}), cards, levels, columns)[0]
    odds = {
        v: plain[2].arc_probabilities()[v] / (1 - plain[2].arc_probabilities()[v]) for v in (0,)
    }
    own = sure[2].arc_probabilities()[0]
    assert own / (1 - own) == pytest.approx(9 * odds[0])
    for child in (0, 1, 3, 4):
        assert sure[child].arc_probabilities() == plain[child].arc_probabilities()


def test_missing_values_are_summed_out(kept, monkeypatch):
    cards, levels, k = (2, 3, 2, 2), [[3], [0], [2], [1]], 2
    exact = Enumerated(cards, levels, k)
    averaged = fitted(OrderedAverage(k, None), cards, levels, exact.columns)[1]
    rows = list(itertools.product(*(range(card + 1) for card in cards[:-1])))  # card is missing
    codes = [np.array(c, dtype=np.uint8) for c in zip(*rows, strict=True)]
    encoded = Encoded(codes, list(cards[:-1]), len(rows))
    found = np.exp(averaged.log_joint(encoded, 2))
    for row, own in zip(rows, found, strict=True):
        spans = [range(card) if v == card else [v] for v, card in zip(row, cards, strict=False)]
        expected = [
            math.fsum(exact.joint((*values, c)) for values in itertools.product(*spans))
            for c in range(cards[-1])
        ]
        assert_allclose(own, expected, rtol=1e-12)
    monkeypatch.setattr(mixture, "MAX_COMPLETIONS", 2)
    holes = sum(own == card for own, card in zip(codes, cards, strict=False))
    few = np.exp(averaged.log_joint(encoded, 2))
    assert_allclose(few[holes == 0], found[holes == 0], rtol=1e-12)
    network = np.exp(averaged.network.log_joint(encoded))
    assert_allclose(few[holes == 3], network[holes == 3], rtol=1e-12)


def test_a_bound_that_all_parents_keep_changes_nothing():
    cards, levels, k = PROBLEMS["five nodes"]
    columns = draw(cards, rows=60)
    exact = fitted(OrderedAverage(k, None), cards, levels, columns)[1]
    bound = fitted(OrderedAverage(k, 4), cards, levels, columns)[1]
    assert_allclose(joint_table(bound, cards)[1], joint_table(exact, cards)[1], rtol=1e-12)
    narrow = fitted(OrderedAverage(k, 1), cards, levels, columns)[1]
    assert max(len(own) for own in narrow.network.structure.parents) == 1


def parent_sets(members, weights):
    sets = [own + (-1,) * (2 - len(own)) for own in members]
    return ParentSets(0, np.array(sets, dtype=np.int32), np.log(weights))


def members(own):
    return [parents for parents, _ in own.most_probable(99)]


def test_the_union_grows_by_the_most_probable_sets_that_fit():
    every = [(1, 2), (3, 4), (1, 5), (2,), ()]
    sets = parent_sets(every, [0.4, 0.3, 0.15, 0.1, 0.05])
    kept = sets.within(3)  # {1, 2}, no room for 3 and 4, then 5
    assert members(kept) == [(1, 2), (1, 5), (2,), ()]
    assert_allclose(kept.weights, np.array([0.4, 0.15, 0.1, 0.05]) / 0.7)
    assert members(sets.within(0)) == [()]
    assert members(sets.within(9)) == members(sets.within(None)) == every
    assert sets.arc_probabilities() == pytest.approx({1: 0.55, 2: 0.5, 3: 0.3, 4: 0.3, 5: 0.15})


def test_sets_that_change_no_digit_are_left_out_and_the_rest_has_a_probability():
    sets = parent_sets([(1, 2), (3,), ()], [1.0, 1e-30, 1e-300])
    assert members(sets.within(None)) == [(1, 2)]
    assert members(sets.within(1)) == [(3,)]
    far = ParentSets(0, sets.sets, np.array([0.0, -2000.0, -3000.0]))
    assert far.within(1).most_probable(2) == [((3,), 1.0)]


def test_more_sets_than_memory_are_refused_with_a_bound_that_fits():
    levels = [[v] for v in range(60)]
    with pytest.raises(MemoryLimitError, match=r"max_parents=30 makes .* max_parents=\d would fit"):
        OrderedAverage(30).parent_sets(make_source([[0, 1]] * 60, [2] * 60), levels)


def test_a_table_that_is_too_large_is_not_made():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 2, (30, 200))
    x[29] = x[:29].sum(axis=0) % 2
    source = make_source(list(x), [2] * 30)
    average = OrderedAverage(1, None)
    sets = average.parent_sets(source, [[v] for v in range(30)])
    averaged = average.network(source, [(0, 1)] * 30, sets)
    assert max(len(own) for own in averaged.network.structure.parents) == 15  # 2^16 cells
    assert set(averaged.means) == set(range(16, 30))
    encoded = Encoded([c.astype(np.uint8) for c in x[:29]], [2] * 29, 200)
    found = averaged.log_joint(encoded)
    expected = np.zeros((200, 2))
    for own in sets:
        cells = np.zeros((200, 2))
        for parents, weight in own.most_probable(40):
            for c in (0, 1):
                row = [*x[:29], np.full(200, c)]
                match = np.ones((200, 200), dtype=bool)  # [test row, training row]
                for p in parents:
                    match &= row[p][:, None] == x[p][None]
                child = match & (row[own.child][:, None] == x[own.child][None])
                cells[:, c] += weight * (1 + child.sum(axis=1)) / (2 + match.sum(axis=1))
        expected += np.log(cells)
    assert_allclose(found, expected, rtol=1e-11)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("max_parents", -1),
        ("max_parents", 1.5),
        ("summary_parents", -2),
        ("criterion", "bic"),
        ("arc_prior", 1.0),
        ("arc_prior", {(0, 1): 0.0}),
        ("parent_penalty", -1.0),
    ],
)
def test_options_without_a_meaning_are_refused(option, value):
    source = make_source([[0, 1], [0, 1]], [2, 2])
    with pytest.raises(ValueError, match=f"{option}="):
        OrderedAverage(**{option: value}).parent_sets(source, [[0], [1]])


def random_prior(rng, cards, k):
    """A factor for every node and parent set, some of them 0, as a table of names."""
    names = [*(f"x{v}" for v in range(len(cards) - 1)), "class"]
    others = {v: [u for u in range(len(cards)) if u != v] for v in range(len(cards))}
    return {
        names[v]: {
            tuple(names[p] for p in own): float(rng.choice([0.0, 0.3, 1.0, 5.0]) if own else 0.7)
            for size in range(k + 1)
            for own in itertools.combinations(others[v], size)
        }
        for v in range(len(cards))
    }


@pytest.mark.parametrize("as_function", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_any_modular_prior_of_structures(seed, as_function, kept):
    cards, levels, k = (2, 3, 2, 2), [[2], [0], [3], [1]], 2
    table = random_prior(np.random.default_rng(seed), cards, k)
    names = list(table)
    exact = Enumerated(cards, levels, k, arc=0.4)
    extra = [
        math.prod(table[names[v]][tuple(names[p] for p in own[v])] for v in range(4))
        for own in exact.networks
    ]
    weights = [w * factor for w, factor in zip(exact.weights, extra, strict=True)]
    exact.weights = [w / math.fsum(weights) for w in weights]
    prior = (lambda node, parents: table[node][parents]) if as_function else table
    average = OrderedAverage(k, None, arc_prior=0.4, structure_prior=prior)
    sets, averaged = fitted(average, cards, levels, exact.columns)
    every, found = joint_table(averaged, cards)
    expected = [[exact.joint((*values, c)) for c in range(cards[-1])] for values in every]
    assert_allclose(found, expected, rtol=1e-12)
    for child, parent in itertools.permutations(range(4), 2):
        own = sets[child].arc_probabilities().get(parent, 0.0)
        assert own == pytest.approx(exact.arc(parent, child), rel=1e-12, abs=1e-15)


def test_sets_of_nodes_that_a_table_does_not_name_keep_their_prior():
    cards, levels, k = PROBLEMS["five nodes"]
    columns = draw(cards, rows=40)
    plain = fitted(OrderedAverage(k, None), cards, levels, columns)[0]
    prior = {"x2": {frozenset({"x0", "x1"}): 3.0, ("class",): 1.0}}
    own = fitted(OrderedAverage(k, None, structure_prior=prior), cards, levels, columns)[0]
    assert {parents for parents, _ in own[2].most_probable(9)} == {(0, 1), (4,)}
    for child in (0, 1, 3, 4):
        assert own[child].arc_probabilities() == plain[child].arc_probabilities()


def test_a_set_that_must_be_there_is_kept_by_a_lower_bound_on_parents():
    cards, levels, k = PROBLEMS["five nodes"]
    columns = draw(cards, rows=40)
    prior = {"x3": {("x0", "x1"): 1.0, ("x0", "x2"): 1.0}}
    average = OrderedAverage(k, 1, structure_prior=prior)
    averaged = fitted(average, cards, levels, columns)[1]
    assert len(averaged.network.structure.parents[3]) == 2


@pytest.mark.parametrize(
    ("prior", "message"),
    [
        (0.5, r"structure_prior=0.5 must be None, a function"),
        ({"x0": 1.0}, r"must be None, a function"),
        ({"x9": {(): 1.0}}, r"names 'x9', which is not a node"),
        ({"x1": {("x9",): 1.0}}, r"names 'x9', which is not a node"),
        ({"x1": {("x1",): 1.0}}, r"for 'x1': parents must be other nodes"),
        ({"x1": {"x0": 1.0}}, r"'x0' for 'x1', which is not a tuple"),
        ({"x1": {("x0", "class"): 1.0}}, r"more parents than max_parents=1"),
        ({"x1": {("x0",): 1.0, frozenset({"x0"}): 1.0}}, r"for 'x1' more than once"),
        ({"x1": {("x0",): -1.0}}, r"'x1' with the parents \('x0',\) is -1.0, not a finite"),
        ({"x1": {("x0",): math.inf}}, r"'x1' with the parents \('x0',\) is inf, not a finite"),
        (lambda node, parents: math.nan, r"'x0' with the parents \(\) is nan, not a finite"),
        (lambda node, parents: "1", r"is '1', not a finite number"),
        (lambda node, parents: node != "x1", r"0 for every parent set of 'x1' .* are: x0"),
        ({"x0": {("x1",): 1.0}}, r"0 for every parent set of 'x0' that the order allows.*none"),
    ],
)
def test_priors_without_a_meaning_are_refused(prior, message):
    source = make_source([[0, 1], [0, 1], [0, 1]], [2, 2, 2])
    with pytest.raises(OptionError, match=message):
        OrderedAverage(1, structure_prior=prior).parent_sets(source, [[0], [1], [2]])
