"""What sets of parents add, against adding them one by one and against dictionaries."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bayesgrove.scores.decomposable import BIC, BDeuScore, K2Score, gains, set_gains
from bayesgrove.search import subset_count, subsets_up_to
from support import make_source

CARDS = (2, 3, 1, 5, 2, 3)


def draw(rows, missing, cards=CARDS, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.integers(0, card, rows) + (rng.random(rows) < missing) * 99 for card in cards]


def coded(columns, cards=CARDS):
    return [np.where(own >= card, card, own) for own, card in zip(columns, cards, strict=True)]


def brute(columns, cards, child, parents):
    """The K2 score of the rows where all parents are known."""
    rows = [
        (tuple(columns[p][i] for p in parents), columns[child][i]) for i in range(len(columns[0]))
    ]
    rows = [r for r in rows if all(v < cards[p] for v, p in zip(r[0], parents, strict=True))]
    rows = [r for r in rows if r[1] < cards[child]]
    total = sum(math.lgamma(1 + n) for n in Counter(rows).values())
    r = cards[child]
    return total + sum(
        math.lgamma(r) - math.lgamma(r + n) for n in Counter(u for u, _ in rows).values()
    )


@pytest.mark.parametrize("rows", [1, 63, 64, 65, 300, 3000])
@pytest.mark.parametrize("most", [0, 1, 3, 5])
def test_complete_rows_against_dictionaries(rows, most):
    columns = draw(rows, 0.0)
    source = make_source(columns, CARDS)
    others = [0, 1, 2, 4, 5]
    members, shorter = subsets_up_to(len(others), most)
    sets = np.where(members < 0, -1, np.array(others, dtype=np.int32)[members])
    found = set_gains(K2Score(), source, 3, sets, shorter)
    alone = brute(columns, CARDS, 3, ())
    for own, value in zip(sets.tolist(), found.tolist(), strict=True):
        expected = brute(columns, CARDS, 3, [v for v in own if v >= 0]) - alone
        assert value == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("score", [K2Score(), BDeuScore(2.0), BIC()], ids=str)
@pytest.mark.parametrize("kind", ["memory", "stream", "weights"])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_sets_gain_what_their_members_gain_one_by_one(score, kind, missing):
    columns = coded([*draw(150, missing)[:-1], draw(150, 0.0)[-1]])  # the class is always known
    weights = np.random.default_rng(1).integers(1, 4, 150) * 0.5 if kind == "weights" else None
    source = make_source(columns, CARDS, [70, 150] if kind == "stream" else None, weights)
    members, shorter = subsets_up_to(5, 3)
    found = set_gains(score, source, 5, members, shorter)
    for own, value in zip(members.tolist(), found.tolist(), strict=True):
        parents = [v for v in own if v >= 0]
        steps = [gains(score, source, 5, parents[:k], [v])[0] for k, v in enumerate(parents)]
        assert_allclose(value, sum(steps), rtol=1e-9, atol=1e-9)


def test_a_restriction_numbers_its_own_columns():
    columns = draw(200, 0.0)
    source = make_source(columns, CARDS).restrict([0, 3, 4])
    members, shorter = subsets_up_to(3, 2)
    found = set_gains(K2Score(), source, 3, members, shorter)
    whole = [0, 3, 4]
    alone = brute(columns, CARDS, 5, ())
    for own, value in zip(members.tolist(), found.tolist(), strict=True):
        parents = [whole[v] for v in own if v >= 0]
        assert value == pytest.approx(brute(columns, CARDS, 5, parents) - alone, abs=1e-9)


@pytest.mark.parametrize(("elements", "most"), [(0, 3), (1, 0), (1, 4), (5, 2), (6, 6), (9, 4)])
def test_subsets_are_those_of_itertools(elements, most):
    members, shorter = subsets_up_to(elements, most)
    found = [tuple(v for v in own if v >= 0) for own in members.tolist()]
    sizes = range(min(elements, most) + 1)
    assert found == [s for k in sizes for s in itertools.combinations(range(elements), k)]
    assert len(found) == subset_count(elements, most)
    assert all(found[before] == own[:-1] for own, before in zip(found, shorter, strict=True))
