"""Averages over networks that fit an order, by enumerating all of them."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bayesgrove.averaging import OrderedAverage, ParentSets
from bayesgrove.encoding import Encoded, MemoryLimitError, code_type
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


def draw(cards, rows=25, seed=0):
    rng = np.random.default_rng(seed)
    common = rng.integers(0, 6, rows)
    return [(common * (rng.random(rows) < 0.6) + rng.integers(0, 6, rows)) % card for card in cards]


def local_score(columns, cards, child, parents, alpha):
    """ln of the marginal likelihood of a family, from a Counter over the rows."""
    q = math.prod(cards[p] for p in parents)
    cell = 1.0 if alpha is None else alpha / (q * cards[child])
    families = Counter(zip(*(columns[v].tolist() for v in (*parents, child)), strict=True))
    groups = Counter()
    for key, n in families.items():
        groups[key[:-1]] += n
    row = cell * cards[child]
    total = sum(math.lgamma(row) - math.lgamma(row + n) for n in groups.values())
    return total + sum(math.lgamma(cell + n) - math.lgamma(cell) for n in families.values())


def probability(columns, cards, child, parents, values, alpha):
    q = math.prod(cards[p] for p in parents)
    cell = 1.0 if alpha is None else alpha / (q * cards[child])
    match = np.ones(len(columns[0]), dtype=bool)
    for p in parents:
        match &= columns[p] == values[p]
    own = match & (columns[child] == values[child])
    return (cell + own.sum()) / (cell * cards[child] + match.sum())


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


@pytest.mark.parametrize(
    "options", [{}, {"score": "bdeu", "alpha": 4.0}, {"arc_probability": 0.2}], ids=str
)
@pytest.mark.parametrize("name", PROBLEMS)
def test_the_average_is_that_over_all_networks(name, options):
    cards, levels, k = PROBLEMS[name]
    exact = Enumerated(cards, levels, k, options.get("alpha"), options.get("arc_probability", 0.5))
    average = OrderedAverage(k, None, **options)
    sets, network = fitted(average, cards, levels, exact.columns)
    every, found = joint_table(network, cards)
    expected = [[exact.joint((*values, c)) for c in range(cards[-1])] for values in every]
    assert_allclose(found, expected, rtol=1e-12)
    assert found.sum() == pytest.approx(1.0, rel=1e-12)
    for child, parent in itertools.permutations(range(len(cards)), 2):
        own = sets[child].arc_probabilities().get(parent, 0.0)
        assert own == pytest.approx(exact.arc(parent, child), rel=1e-10, abs=1e-14)


def test_a_bound_that_all_parents_keep_changes_nothing():
    cards, levels, k = PROBLEMS["five nodes"]
    columns = draw(cards, rows=60)
    exact = fitted(OrderedAverage(k, None), cards, levels, columns)[1]
    bound = fitted(OrderedAverage(k, 4), cards, levels, columns)[1]
    assert_allclose(joint_table(bound, cards)[1], joint_table(exact, cards)[1], rtol=1e-12)
    narrow = fitted(OrderedAverage(k, 1), cards, levels, columns)[1]
    assert max(len(own) for own in narrow.structure.parents) == 1


def test_the_union_grows_by_the_most_probable_sets_that_fit():
    sets = ParentSets(0, ((1, 2), (3, 4), (1, 5), (2,), ()), np.array([0.4, 0.3, 0.15, 0.1, 0.05]))
    kept = sets.within(3)  # {1, 2}, no room for 3 and 4, then 5
    assert kept.sets == ((1, 2), (1, 5), (2,), ())
    assert_allclose(kept.weights, np.array([0.4, 0.15, 0.1, 0.05]) / 0.7)
    assert sets.within(0).sets == ((),)
    assert sets.within(9).sets == sets.sets
    assert sets.expected_parents() == pytest.approx(2 * 0.85 + 0.1)


def test_more_sets_than_memory_are_refused_with_a_bound_that_fits():
    levels = [[v] for v in range(60)]
    with pytest.raises(MemoryLimitError, match=r"max_parents=30 makes .* max_parents=\d would fit"):
        OrderedAverage(30).parent_sets(make_source([[0, 1]] * 60, [2] * 60), levels)


def test_a_table_that_is_too_large_is_refused():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 2, (30, 200))
    x[29] = x[:29].sum(axis=0) % 2
    source = make_source(list(x), [2] * 30)
    average = OrderedAverage(1, None)
    sets = average.parent_sets(source, [[v] for v in range(30)])
    with pytest.raises(MemoryLimitError, match="give summary_parents"):
        average.network(source, [(0, 1)] * 30, sets)
    network = OrderedAverage(1, 29).network(source, [(0, 1)] * 30, sets)
    assert max(len(own) for own in network.structure.parents) == 19  # 2^20 cells


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("max_parents", -1),
        ("max_parents", 1.5),
        ("summary_parents", -2),
        ("score", "bic"),
        ("arc_probability", 1.0),
    ],
)
def test_options_without_a_meaning_are_refused(option, value):
    source = make_source([[0, 1], [0, 1]], [2, 2])
    with pytest.raises(ValueError, match=f"{option}="):
        OrderedAverage(**{option: value}).parent_sets(source, [[0], [1]])
