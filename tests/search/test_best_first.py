"""Best-first search against all subsets, and where greed alone would stop."""

import itertools

import numpy as np
import pytest

from bayesgrove.search import best_first, forward


def valued(values):
    """An evaluation by a dictionary of subsets; all others have the value -1."""
    asked = []

    def evaluate(subsets):
        asked.extend(map(frozenset, subsets))
        return np.array([values.get(frozenset(subset), -1.0) for subset in subsets])

    return evaluate, asked


def some_values(*pairs):
    return {frozenset(subset): value for subset, value in pairs}


TRAP = some_values(((), 0.0), ((0,), 3.0), ((1,), 2.0), ((0, 2), 2.5), ((1, 2), 4.0))


def test_it_goes_back_where_greed_stops():
    evaluate, _ = valued(TRAP)
    assert [move.element for move in forward(range(3), evaluate, "stop")] == [0]
    assert best_first(range(3), evaluate, stale=5) == [(1, 2.0), (2, 4.0)]


@pytest.mark.parametrize(("stale", "found"), [(1, [0]), (2, [0]), (3, [1, 2])])
def test_it_ends_after_so_many_expansions_in_vain(stale, found):
    """{0} and {0, 2} are expanded in vain before {1}."""
    evaluate, _ = valued(TRAP)
    assert [move.element for move in best_first(range(3), evaluate, stale)] == found


def test_a_subset_is_asked_for_once():
    evaluate, asked = valued(TRAP)
    best_first(range(4), evaluate, stale=50)
    assert len(asked) == len(set(asked)) == 2**4


def test_better_by_less_than_asked_is_no_better():
    evaluate, _ = valued(some_values(((), 0.0), ((0,), 1.0), ((0, 1), 1.05)))
    assert len(best_first(range(2), evaluate, 5, least=0.1)) == 1
    assert len(best_first(range(2), evaluate, 5, least=0.01)) == 2
    assert best_first([], evaluate, 5) == []


def test_of_equal_subsets_the_oldest_is_first():
    evaluate, _ = valued(some_values(((), 0.0), ((0,), 0.3), ((1,), 0.1 + 0.2)))
    assert best_first(range(2), evaluate, 5) == [(0, 0.3)]


@pytest.mark.parametrize("seed", range(5))
def test_with_patience_it_finds_the_best_of_all_subsets(seed):
    rng = np.random.default_rng(seed)
    everything = [s for size in range(6) for s in itertools.combinations(range(5), size)]
    values = some_values(*((s, rng.random()) for s in everything))
    evaluate, _ = valued(values)
    moves = best_first(range(5), evaluate, stale=len(everything))
    best = max(values, key=values.get)
    assert {move.element for move in moves} == best
    for size in range(1, len(moves) + 1):
        assert moves[size - 1].value == values[frozenset(m.element for m in moves[:size])]
