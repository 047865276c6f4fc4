"""Greedy search among subsets on cases made by hand, and against plain loops."""

import itertools

import numpy as np
import pytest

from bayesgrove.search import Move, backward, forward, guided


class Values:
    """Values of subsets, whatever the order of their elements."""

    def __init__(self, values):
        self.values = {frozenset(subset): value for subset, value in values.items()}
        self.asked = []

    def __call__(self, subsets):
        self.asked.append([list(subset) for subset in subsets])
        return np.array([self.values[frozenset(subset)] for subset in subsets])


def as_ranked(order):
    """A rank that tries the elements in one order, whatever is selected."""
    return lambda subset, left: [element for element in order if element in left]


XOR = {(): 0.5, (0,): 0.5, (1,): 0.5, (2,): 0.6, (0, 1): 1.0, (0, 2): 0.6, (1, 2): 0.6}
XOR[0, 1, 2] = 1.0


def test_forward_takes_the_best_while_it_is_better():
    values = Values(XOR)
    assert forward([0, 1, 2], values, "stop") == [Move(2, 0.6)]
    assert values.asked == [[[]], [[0], [1], [2]], [[2, 0], [2, 1]]]


def test_forward_goes_on_while_it_is_as_good():
    moves = forward([0, 1, 2], Values(XOR), "continue")
    assert moves == [Move(2, 0.6), Move(0, 0.6), Move(1, 1.0)]
    assert forward([1, 0], Values(XOR), "continue") == [Move(1, 0.5), Move(0, 1.0)]
    assert forward([1, 0], Values(XOR), "stop") == []


def test_forward_never_goes_down():
    falling = {s: -len(s) for n in range(4) for s in itertools.combinations(range(3), n)}
    for ties in ("stop", "continue"):
        assert forward([0, 1, 2], Values(falling), ties) == []


def test_backward_takes_away_what_is_not_missed():
    values = Values(XOR)
    assert backward([0, 1, 2], values, "stop") == []
    assert backward([0, 1, 2], Values(XOR), "continue") == [Move(2, 1.0)]
    assert values.asked == [[[0, 1, 2]], [[1, 2], [0, 2], [0, 1]]]


def test_backward_may_leave_nothing():
    rising = {s: -len(s) for n in range(4) for s in itertools.combinations(range(3), n)}
    for ties in ("stop", "continue"):
        moves = backward([2, 0, 1], Values(rising), ties)
        assert moves == [Move(2, -2.0), Move(0, -1.0), Move(1, 0.0)]
    constant = dict.fromkeys(rising, 1.0)
    assert backward([0, 1, 2], Values(constant), "stop") == []
    assert [m.element for m in backward([1, 0, 2], Values(constant), "continue")] == [1, 0, 2]


def test_of_equal_elements_the_first_is_taken():
    equal = {s: float(len(s)) for n in range(4) for s in itertools.combinations(range(3), n)}
    for order in itertools.permutations(range(3)):
        assert [m.element for m in forward(order, Values(equal), "stop")] == list(order)


@pytest.mark.parametrize("ties", ["stop", "continue"])
def test_noise_makes_no_difference(ties):
    values = {(): 0.7, (0,): 0.8, (1,): 0.8 + 1e-14, (0, 1): 0.8 - 1e-14}
    expected = [Move(0, 0.8)] if ties == "stop" else [Move(0, 0.8), Move(1, 0.8 - 1e-14)]
    assert forward([0, 1], Values(values), ties) == expected
    assert guided([0, 1], as_ranked([0, 1]), Values(values), ties) == expected


def test_guided_takes_the_first_that_helps_and_not_the_best():
    values = {(): 0.0, (0,): 0.0, (1,): 0.2, (2,): 0.9, (0, 1): 0.2, (1, 2): 0.3, (0, 2): 1.0}
    values[0, 1, 2] = 0.3
    asked = Values(values)
    assert guided([0, 1, 2], as_ranked([0, 1, 2]), asked, "stop") == [Move(1, 0.2), Move(2, 0.3)]
    assert asked.asked == [[[]], [[0]], [[1]], [[1, 0]], [[1, 2]], [[1, 2, 0]]]
    moves = guided([0, 1, 2], as_ranked([0, 1, 2]), Values(values), "continue")
    assert moves == [Move(0, 0.0), Move(1, 0.2), Move(2, 0.3)]


def test_guided_asks_for_the_rank_anew_after_every_step():
    seen = []

    def rank(subset, left):
        seen.append((list(subset), sorted(left)))
        return sorted(left, reverse=True)

    rising = {s: len(s) for n in range(4) for s in itertools.combinations(range(3), n)}
    moves = guided([0, 1, 2], rank, Values(rising), "stop")
    assert [move.element for move in moves] == [2, 1, 0]
    assert seen == [([], [0, 1, 2]), ([2], [0, 1]), ([2, 1], [0]), ([2, 1, 0], [])]


def test_guided_tries_only_what_the_rank_finds_worth_it():
    rising = {s: len(s) for n in range(4) for s in itertools.combinations(range(3), n)}
    moves = guided([0, 1, 2], as_ranked([1]), Values(rising), "stop")
    assert moves == [Move(1, 1.0)]
    assert guided([0, 1, 2], as_ranked([]), Values(rising), "continue") == []


def test_without_candidates_nothing_moves():
    nothing = Values({(): 0.3})
    for ties in ("stop", "continue"):
        assert forward([], nothing, ties) == backward([], nothing, ties) == []
        assert guided([], as_ranked([]), nothing, ties) == []


def test_what_is_given_is_not_changed():
    rising = {s: len(s) for n in range(4) for s in itertools.combinations(range(3), n)}
    elements = [2, 0, 1]
    forward(elements, Values(rising), "stop")
    backward(elements, Values(rising), "continue")
    guided(elements, as_ranked([0, 1, 2]), Values(rising), "stop")
    assert elements == [2, 0, 1]


# Against plain loops


def is_taken(new, old, ties):
    return new > old or (ties == "continue" and new == old)


def plain_walk(values, subset, left, ties, change):
    moves = []
    while left:
        best = max(left, key=lambda e: (values[change(subset, e)], -left.index(e)))
        if not is_taken(values[change(subset, best)], values[subset], ties):
            break
        subset = change(subset, best)
        left = [element for element in left if element != best]
        moves.append((best, values[subset]))
    return moves


def plain_guided(values, candidates, order, ties):
    subset, moves = frozenset(), []
    while True:
        tried = [e for e in order if e in candidates and e not in subset]
        good = [e for e in tried if is_taken(values[subset | {e}], values[subset], ties)]
        if not good:
            return moves
        subset |= {good[0]}
        moves.append((good[0], values[subset]))


@pytest.mark.parametrize("ties", ["stop", "continue"])
@pytest.mark.parametrize("seed", range(30))
def test_walks_are_those_of_plain_loops(seed, ties):
    rng = np.random.default_rng(seed)
    subsets = [frozenset(s) for n in range(6) for s in itertools.combinations(range(5), n)]
    # Few levels, so that ties are common; more elements are a little better.
    values = {s: (int(rng.integers(0, 4)) + len(s) * (seed % 3)) / 4 for s in subsets}
    evaluate = Values(values)
    order = rng.permutation(5).tolist()
    assert forward(order, evaluate, ties) == plain_walk(
        values, frozenset(), order, ties, lambda s, e: s | {e}
    )
    assert backward(order, evaluate, ties) == plain_walk(
        values, frozenset(order), order, ties, lambda s, e: s - {e}
    )
    tried = rng.permutation(5).tolist()
    assert guided(order, as_ranked(tried), evaluate, ties) == plain_guided(
        values, order, tried, ties
    )


@pytest.mark.parametrize("ties", ["", "Stop", None, True])
def test_ties_without_a_name_are_refused(ties):
    for search in (
        lambda: forward([0], Values({(): 0, (0,): 1}), ties),
        lambda: backward([0], Values({(): 0, (0,): 1}), ties),
        lambda: guided([0], as_ranked([0]), Values({(): 0, (0,): 1}), ties),
    ):
        with pytest.raises(ValueError, match="ties="):
            search()
