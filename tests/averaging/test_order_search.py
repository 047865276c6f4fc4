"""Search over orders: against brute force over all orders and all parent sets."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import chi2

from averaging_oracle import draw, local_score
from bayesgrove._utils.options import OptionError
from bayesgrove.averaging import GreedyOrder, OrderedAverage, OrderMCMC, OrderScores
from bayesgrove.averaging.convergence import convergence
from support import make_source

TABLES = {"five attributes": (2, 3, 2, 2, 3, 2), "two states": (2, 2, 2, 2, 2, 2)}


def sets_inside(earlier, k):
    every = (itertools.combinations(sorted(earlier), size) for size in range(k + 1))
    return list(itertools.chain.from_iterable(every))


class Brute:
    """Scores of orders, and arc probabilities given orders, from all parent sets."""

    def __init__(self, columns, cards, k, prior=lambda child, parents: 1.0):
        self.nodes, self.k = range(len(cards)), k
        self.logs = {
            (v, own): local_score(columns, cards, v, own, None) + math.log(prior(v, own))
            for v in self.nodes
            for own in sets_inside([u for u in self.nodes if u != v], k)
            if prior(v, own) > 0
        }

    def weights(self, order, v):
        inside = sets_inside(order[: order.index(v)], self.k)
        return {own: self.logs[v, own] for own in inside if (v, own) in self.logs}

    def score(self, order):
        logs = [list(self.weights(order, v).values()) for v in order]
        return math.fsum(np.logaddexp.reduce(own) for own in logs)

    def arcs(self, order):
        out = np.zeros((len(order), len(order)))
        for v in order:
            logs = self.weights(order, v)
            total = np.logaddexp.reduce(list(logs.values()))
            for own, log in logs.items():
                out[list(own), v] += math.exp(log - total)
        return out

    def posterior(self):
        orders = list(itertools.permutations(self.nodes))
        scores = np.array([self.score(order) for order in orders])
        weights = np.exp(scores - scores.max())
        return orders, weights / weights.sum()


def scored(columns, cards, k, **options):
    return OrderScores.of(OrderedAverage(k, **options), make_source(columns, cards))


@pytest.mark.parametrize("name", TABLES)
def test_the_score_of_an_order_is_the_sum_over_all_its_parent_sets(name):
    cards = TABLES[name]
    columns = draw(cards, rows=40)
    brute, scores = Brute(columns, cards, 2), scored(columns, cards, 2)
    rng = np.random.default_rng(1)
    for _ in range(20):
        order = rng.permutation(6).tolist()
        assert scores.score(order) == pytest.approx(brute.score(order), rel=1e-12)
        nodes = scores.parent_sets(order)
        for own in nodes:
            for parent, probability in own.arc_probabilities().items():
                assert probability == pytest.approx(brute.arcs(order)[parent, own.child], rel=1e-9)


def test_moving_a_node_is_scored_as_the_new_order_is():
    cards = TABLES["five attributes"]
    columns = draw(cards, rows=40)
    brute, scores = Brute(columns, cards, 2), scored(columns, cards, 2)
    order = [3, 0, 5, 1, 4, 2]
    found = scores.insertion_scores(np.array(order, dtype=np.int32))
    for i, j in itertools.product(range(6), repeat=2):
        moved = order[:i] + order[i + 1 :]
        moved.insert(j, order[i])
        assert found[i, j] == pytest.approx(brute.score(moved), rel=1e-12)


def arc_matrix(scores, order):
    out = np.zeros((len(order), len(order)))
    for own in scores.parent_sets(order):
        for parent, probability in own.arc_probabilities().items():
            out[parent, own.child] = probability
    return out


@pytest.mark.parametrize("name", TABLES)
def test_arc_probabilities_are_those_of_all_720_orders_within_their_errors(name):
    cards = TABLES[name]
    columns = draw(cards, rows=40)
    orders, weights = Brute(columns, cards, 2).posterior()
    scores = scored(columns, cards, 2)
    by_order = {order: arc_matrix(scores, list(order)) for order in orders}
    exact = sum(w * by_order[order] for order, w in zip(orders, weights, strict=True))
    off = ~np.eye(6, dtype=bool)
    z = []
    for seed in range(20):
        sample = OrderMCMC(400, 300, 20, 4, seed).sample(scores)
        draws = np.array([[by_order[tuple(o)] for o in own] for own in sample.orders.tolist()])
        errors = np.array(
            [[convergence(draws[:, :, i, j]).error for j in range(6)] for i in range(6)]
        )
        z.append(((draws.mean(axis=(0, 1)) - exact)[off]) / errors[off])
    z = np.array(z)
    assert (abs(z) <= 4).mean() > 0.99
    assert 0.7 < (z**2).mean() < 1.5  # errors are neither too small nor too large
    bias = z.mean(axis=0) * math.sqrt(20)  # over seeds: no arc is off on one side
    assert (bias**2).max() < chi2.ppf(1 - 1e-4 / 30, 1) * 1.5


def test_the_chain_visits_orders_by_their_probability():
    cards = (2, 2, 2, 2)
    columns = draw(cards, rows=12, seed=3)
    orders, weights = Brute(columns, cards, 2).posterior()
    sample = OrderMCMC(20_000, 500, 25, 4, 1).sample(scored(columns, cards, 2))
    drawn = [tuple(o) for o in sample.orders.reshape(-1, 4).tolist()]
    expected = weights * len(drawn)
    observed = np.array([drawn.count(order) for order in orders])
    assert expected.min() > 5
    assert ((observed - expected) ** 2 / expected).sum() < chi2.ppf(1 - 1e-4, len(orders) - 1)


@pytest.mark.parametrize("seed", range(4))
def test_the_greedy_order_is_the_best_of_all_orders(seed):
    cards = (2, 3, 2, 2, 2)
    columns = draw(cards, rows=60, seed=seed)
    brute = Brute(columns, cards, 2)
    best = max(brute.score(order) for order in itertools.permutations(range(5)))
    found = GreedyOrder(random_state=seed).search(scored(columns, cards, 2))
    assert brute.score(found) == pytest.approx(best, rel=1e-12)


def test_a_prior_that_forbids_orders_is_kept_by_chain_and_climb():
    cards = (2, 2, 2, 2)
    columns = draw(cards, rows=20)
    prior = {"x1": {("x0",): 1.0}, "class": {("x1", "x2"): 2.0, ("x0", "x1"): 1.0}}
    scores = scored(columns, cards, 2, structure_prior=prior)
    sample = OrderMCMC(400, 100, 10, 4, 0).sample(scores)
    for order in [*sample.orders.reshape(-1, 4).tolist(), GreedyOrder().search(scores)]:
        assert order.index(0) < order.index(1) < order.index(3)
    assert np.isfinite(sample.scores).all()
    assert scores.score([1, 0, 2, 3]) == -math.inf
    cycle = {"x0": {("x1",): 1.0}, "x1": {("x0",): 1.0}}
    with pytest.raises(OptionError, match=r"allows no order.*'x0', 'x1'"):
        scored(columns, cards, 2, structure_prior=cycle).draw(np.random.default_rng(0))


def test_options_fix_the_sample_and_bad_ones_are_refused():
    columns = draw((2, 2, 2), rows=20)
    scores = scored(columns, (2, 2, 2), 1)
    one, two = (OrderMCMC(40, 100, 7, 2, 5).sample(scores) for _ in range(2))
    assert (one.orders == two.orders).all()
    orders, which = one.distinct()
    assert (orders[which] == one.orders).all()
    with pytest.raises(OptionError, match=r"n_orders=10 must be a multiple.*n_orders=16 would do"):
        OrderMCMC(10).sample(scores)
    for option in ("burn_in", "thinning", "n_chains", "random_state"):
        with pytest.raises(OptionError, match=f"{option}=-1"):
            OrderMCMC(**{option: -1}).sample(scores)
