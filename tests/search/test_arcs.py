"""Greedy arcs on cases made by hand, and against a greedy search in plain Python."""

import itertools
import random

import numpy as np
import pytest

from bayesgrove.search import add_arcs, remove_arcs


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


def scored(seed, nodes, whole):
    """Random scores of all families; whole numbers, so that there are many ties."""
    draw = random.Random(seed)
    scores = {}
    for child in range(nodes):
        others = [v for v in range(nodes) if v != child]
        for size in range(nodes):
            for parents in itertools.combinations(others, size):
                value = draw.gauss(0.0, 1.0) + 0.5 * size
                scores[child, frozenset(parents)] = float(round(2 * value)) if whole else value
    return scores


def from_scores(scores):
    def gains(child, parents, candidates):
        before = scores[child, frozenset(parents)]
        return np.array([scores[child, frozenset([*parents, z])] - before for z in candidates])

    return gains


def has_cycle(parents):
    left = dict(enumerate(map(set, parents)))
    while True:
        roots = [v for v, own in left.items() if not own & left.keys()]
        if not roots:
            return bool(left)
        for v in roots:
            del left[v]


def brute_add(scores, nodes, most=None):
    """All graphs with one arc more are scored as a whole; the first best is taken."""
    parents = [frozenset()] * nodes
    while True:
        total = sum(scores[v, own] for v, own in enumerate(parents))
        best, chosen = total + 1e-8, None
        for child, parent in itertools.product(range(nodes), repeat=2):
            if child == parent or parent in parents[child]:
                continue
            more = [own | {parent} if v == child else own for v, own in enumerate(parents)]
            if has_cycle(more) or (most is not None and len(more[child]) > most):
                continue
            value = sum(scores[v, own] for v, own in enumerate(more))
            if value > best + 1e-8 * (chosen is not None):
                best, chosen = value, more
        if chosen is None:
            return parents
        parents = chosen


def brute_remove(scores, parents):
    parents = list(map(frozenset, parents))
    while True:
        best, chosen = sum(scores[v, own] for v, own in enumerate(parents)) + 1e-8, None
        for child, own in enumerate(parents):
            for parent in sorted(own):
                less = [p - {parent} if v == child else p for v, p in enumerate(parents)]
                value = sum(scores[v, p] for v, p in enumerate(less))
                if value > best + 1e-8 * (chosen is not None):
                    best, chosen = value, less
        if chosen is None:
            return parents
        parents = chosen


def as_sets(parents):
    return list(map(frozenset, parents))


# Against plain Python


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("most", [None, 0, 1, 2])
@pytest.mark.parametrize("seed", range(10))
def test_arcs_are_those_of_a_greedy_search_over_whole_graphs(seed, most, whole):
    nodes = 3 + seed % 4
    scores = scored(seed, nodes, whole)
    thick = add_arcs(nodes, from_scores(scores), most)
    assert as_sets(thick) == brute_add(scores, nodes, most)
    assert not has_cycle(thick)
    thin = remove_arcs(thick, from_scores(scores))
    assert as_sets(thin) == brute_remove(scores, thick)


@pytest.mark.parametrize("seed", range(10))
def test_arcs_are_removed_from_any_graph(seed):
    scores = scored(seed, 5, seed % 2 == 0)
    full = [tuple(range(v)) for v in range(5)]
    assert as_sets(remove_arcs(full, from_scores(scores))) == brute_remove(scores, full)


# By hand


def test_the_largest_gain_goes_first_and_only_its_child_is_asked_for_again():
    table = Table(
        {
            gain(0, [], 1): 3.0,
            gain(1, [], 0): 2.0,
            gain(2, [], 0): 1.0,
            gain(2, [], 1): 4.0,
            gain(2, [1], 0): 0.5,
        }
    )
    assert add_arcs(3, table) == [(1,), (), (1, 0)]
    assert table.asked == [
        (0, (), (1, 2)),
        (1, (), (0, 2)),
        (2, (), (0, 1)),
        (2, (1,), (0,)),  # 1 -> 2 was added
        (0, (1,), (2,)),  # 1 -> 0 was: 2 may still become a parent of 0
        # 0 -> 2 was: all nodes are parents of 2, and 2 of none
    ]


def test_arcs_that_would_close_a_cycle_are_not_added():
    ring = Table({gain(1, [], 0): 4.0, gain(2, [], 1): 3.0, gain(3, [], 2): 2.0, gain(0, [], 3): 1})
    assert add_arcs(4, ring) == [(), (0,), (1,), (2,)]
    # two paths that an arc in between joins
    joined = Table(
        {
            gain(1, [], 0): 9.0,
            gain(3, [], 2): 8.0,
            gain(2, [], 1): 7.0,
            gain(0, [], 3): 6.0,
            gain(1, [0], 3): 6.0,
            gain(0, [], 2): 6.0,
        }
    )
    assert add_arcs(4, joined) == [(), (0,), (1,), (2,)]


def test_of_equal_arcs_the_first_by_child_and_then_by_parent_is_added():
    every = {gain(child, [], z): 1.0 for child in range(3) for z in range(3)}
    # 1 -> 0 first; so 0 -> 1 would close a cycle, and 2 -> 1 comes next
    assert add_arcs(3, Table(every)) == [(1,), (2,), ()]
    noisy = {gain(2, [], 0): 100.0, gain(2, [], 1): 100.0 + 1e-11, gain(1, [], 0): 100.0 - 1e-11}
    assert add_arcs(3, Table(noisy), 1) == [(), (0,), (0,)]


def test_gains_that_are_only_noise_are_none():
    assert add_arcs(2, Table({gain(0, [], 1): 1e-12})) == [(), ()]
    assert remove_arcs([(), (0,)], Table({gain(1, [], 0): -1e-12})) == [(), (0,)]


def test_a_bound_on_parents():
    table = {gain(2, parents, z): 1.0 for parents in ([], [0], [1]) for z in (0, 1)}
    assert add_arcs(3, Table(table), 1) == [(), (), (0,)]
    assert add_arcs(3, Table(table), 2) == [(), (), (0, 1)]
    nothing = Table(table)
    assert add_arcs(3, nothing, 0) == [(), (), ()]
    assert nothing.asked == []


def test_the_arc_that_is_lost_with_most_gain_goes_first():
    table = Table(
        {
            gain(2, [1], 0): -2.0,
            gain(2, [0], 1): -3.0,
            gain(2, [], 0): 1.0,
            gain(1, [], 0): -0.5,
        }
    )
    assert remove_arcs([(), (0,), (0, 1)], table) == [(), (), (0,)]
    # every arc, then what is left of 2; of 1 nothing is
    assert table.asked == [
        (1, (), (0,)),
        (2, (1,), (0,)),
        (2, (0,), (1,)),
        (2, (), (0,)),
    ]


def test_of_equal_removals_the_first_by_child_and_then_by_parent_goes():
    table = Table({gain(2, [1], 0): -1.0, gain(2, [0], 1): -1.0, gain(2, [], 1): 1.0})
    assert remove_arcs([(), (), (1, 0)], table) == [(), (), (1,)]


@pytest.mark.parametrize("nodes", [0, 1])
def test_graphs_without_possible_arcs(nodes):
    table = Table({})
    assert add_arcs(nodes, table) == [()] * nodes
    assert remove_arcs([()] * nodes, table) == [()] * nodes
    assert table.asked == []
