"""Greedy parents on cases made by hand."""

import numpy as np
import pytest

from bayesgrove.search import greedy_parents


class Table:
    """Gains looked up by child, parents so far and candidate; what is not there is -1."""

    def __init__(self, gains):
        self.gains = gains
        self.asked = []

    def __call__(self, child, parents, candidates):
        self.asked.append((child, tuple(parents), tuple(candidates)))
        own = [self.gains.get((child, frozenset(parents), z), -1.0) for z in candidates]
        return np.array(own)


def gain(child, parents, candidate):
    return child, frozenset(parents), candidate


def test_the_largest_gain_goes_first_until_there_is_none():
    table = Table(
        {
            gain(3, [], 0): 2.0,
            gain(3, [], 1): 5.0,
            gain(3, [1], 0): 0.5,
            gain(3, [1], 2): 0.1,
            gain(3, [0, 1], 2): 0.0,
        }
    )
    assert greedy_parents([0, 1, 2, 3], table) == {0: (), 1: (), 2: (), 3: (1, 0)}
    assert table.asked == [
        (1, (), (0,)),
        (2, (), (0, 1)),
        (3, (), (0, 1, 2)),
        (3, (1,), (0, 2)),
        (3, (1, 0), (2,)),
    ]


def test_only_nodes_before_in_the_order_are_asked_for():
    table = Table({gain(0, [], 2): 1.0, gain(0, [2], 1): 1.0})
    assert greedy_parents([2, 1, 0], table) == {2: (), 1: (), 0: (2, 1)}
    assert table.asked == [(1, (), (2,)), (0, (), (2, 1)), (0, (2,), (1,))]


def test_of_equal_gains_the_first_in_the_order_is_taken():
    equal = {gain(3, [], z): 1.0 for z in (0, 1, 2)}
    assert greedy_parents([2, 0, 1, 3], Table(equal))[3] == (2,)
    assert greedy_parents([1, 2, 0, 3], Table(equal))[3] == (1,)


def test_gains_that_differ_by_noise_are_equal():
    gains = {gain(2, [], 0): 100.0, gain(2, [], 1): 100.0 + 1e-11}
    assert greedy_parents([0, 1, 2], Table(gains))[2] == (0,)
    gains[gain(2, [], 1)] = 100.0 + 1e-6
    assert greedy_parents([0, 1, 2], Table(gains))[2] == (1,)


@pytest.mark.parametrize(("value", "parents"), [(0.0, ()), (1e-11, ()), (-1e-11, ()), (1e-7, (0,))])
def test_no_gain_is_not_a_gain(value, parents):
    assert greedy_parents([0, 1], Table({gain(1, [], 0): value}))[1] == parents


def test_a_bound_on_the_number_of_parents():
    def always(child, parents, candidates):
        return np.arange(1.0, 1 + len(candidates))

    order = [3, 1, 0, 2]
    everything = {3: (), 1: (3,), 0: (1, 3), 2: (0, 1, 3)}
    for bound in (None, 3, 10):
        assert greedy_parents(order, always, bound) == everything
    for bound in (0, 1, 2):
        expected = {node: parents[:bound] for node, parents in everything.items()}
        assert greedy_parents(order, always, bound) == expected


def test_a_bound_of_none_at_all_asks_for_nothing():
    table = Table({})
    assert greedy_parents([0, 1, 2], table, 0) == {0: (), 1: (), 2: ()}
    assert table.asked == []


def test_a_large_loss_next_to_a_gain():
    gains = {gain(2, [], 0): -1e12, gain(2, [], 1): 1e-6}
    assert greedy_parents([0, 1, 2], Table(gains))[2] == (1,)


def test_no_node_and_one_node():
    table = Table({})
    assert greedy_parents([], table) == {}
    assert greedy_parents([4], table) == {4: ()}
    assert table.asked == []
