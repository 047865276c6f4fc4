"""Walks over orders: both kernels, against a loop in plain Python."""

import itertools
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal


@pytest.fixture(params=["numpy", "_native"])
def kernels(request):
    return pytest.importorskip(f"bayesgrove.kernels.{request.param}")


def make_table(nodes, seed, spread=5.0, count=30):
    """Random parent sets of every node, best first; the empty set is always among them."""
    rng = np.random.default_rng(seed)
    sets, logs = [], []
    for v in range(nodes):
        others = [u for u in range(nodes) if u != v]
        sizes = rng.integers(0, min(3, nodes - 1) + 1, count)
        own = {frozenset(rng.choice(others, size, replace=False).tolist()) for size in sizes}
        own = sorted({frozenset(), *own}, key=sorted)
        scores = np.sort(rng.normal(0, spread, len(own)))[::-1]
        sets.append([own[k] for k in rng.permutation(len(own))])
        logs.append(scores)
    words = (nodes + 63) // 64
    masks = [
        sum(1 << u for u in one) >> (64 * w) & (2**64 - 1)
        for own in sets
        for one in own
        for w in range(words)
    ]
    starts = np.cumsum([0, *map(len, sets)]).astype(np.int64)
    return sets, logs, (starts, np.concatenate(logs), np.array(masks, dtype=np.uint64))


def plain_score(order, sets, logs):
    total = 0.0
    for position, v in enumerate(order):
        before = set(order[:position])
        inside = [log for own, log in zip(sets[v], logs[v], strict=True) if own <= before]
        total += np.logaddexp.reduce(inside) if inside else -math.inf
    return total


def plain_walk(order, sets, logs, moves, thresholds, every):
    kept, score = [], plain_score(order, sets, logs)
    for step, ((i, j), threshold) in enumerate(zip(moves, thresholds, strict=True), 1):
        new = list(order)
        if j < 0:
            new = new[i:] + new[:i]
        else:
            new[i], new[j] = new[j], new[i]
        new_score = plain_score(new, sets, logs)
        if threshold < new_score - score:
            order, score = new, new_score
        if step % every == 0:
            kept.append((list(order), score))
    return kept


@pytest.mark.parametrize(
    ("nodes", "spread"), [(1, 1.0), (2, 1.0), (6, 3.0), (6, 400.0), (70, 5.0), (130, 5.0)]
)
def test_a_walk_is_that_of_a_plain_loop(kernels, nodes, spread):
    sets, logs, table = make_table(nodes, 0, spread)
    rng = np.random.default_rng(1)
    order = rng.permutation(nodes).astype(np.int32)
    moves = rng.integers(0, nodes, (203, 2)).astype(np.int32)
    moves[rng.random(203) < 0.2, 1] = -1
    thresholds = -rng.standard_exponential(203)
    expected = plain_walk(order.tolist(), sets, logs, moves.tolist(), thresholds, 4)
    orders, scores = kernels.walk_orders(order, *table, moves.ravel(), thresholds, 4)
    assert orders.tolist() == [own for own, _ in expected]
    assert_allclose(scores, [score for _, score in expected], rtol=1e-12)
    if nodes > 1:
        assert len({tuple(own) for own in orders.tolist()}) > 1


@pytest.mark.parametrize("nodes", [1, 5, 66])
def test_scores_of_moved_nodes(kernels, nodes):
    sets, logs, table = make_table(nodes, 2)
    order = np.random.default_rng(3).permutation(nodes).astype(np.int32)
    found = kernels.insertion_scores(order, *table)
    places = list(itertools.product(range(nodes), repeat=2))
    for i, j in places[:: max(len(places) // 40, 1)]:
        moved = np.delete(order, i).tolist()
        moved.insert(j, int(order[i]))
        assert found[i, j] == pytest.approx(plain_score(moved, sets, logs), rel=1e-12)


def test_nodes_without_a_set_inside_have_an_impossible_order(kernels):
    starts = np.array([0, 1, 2], dtype=np.int64)
    masks = np.array([0, 1], dtype=np.uint64)  # node 1 needs node 0 before it
    table = starts, np.zeros(2), masks
    order = np.array([0, 1], dtype=np.int32)
    assert_array_equal(kernels.insertion_scores(order, *table), [[0, -np.inf], [-np.inf, 0]])
    moves = np.array([0, 1, 1, -1], dtype=np.int32)
    orders, scores = kernels.walk_orders(order, *table, moves, np.array([-1e9, -1e9]), 1)
    assert orders.tolist() == [[0, 1]] * 2
    assert scores.tolist() == [0.0, 0.0]


def test_both_kernels_walk_the_same_way():
    native = pytest.importorskip("bayesgrove.kernels._native")
    numpy = pytest.importorskip("bayesgrove.kernels.numpy")
    _, _, table = make_table(12, 4, 2.0, 100)
    rng = np.random.default_rng(5)
    moves = rng.integers(0, 12, 6000).astype(np.int32)
    arguments = np.arange(12, dtype=np.int32), *table, moves, -rng.standard_exponential(3000), 1
    one, two = native.walk_orders(*arguments), numpy.walk_orders(*arguments)
    assert_array_equal(one[0], two[0])
    assert_allclose(one[1], two[1], rtol=1e-13)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (0, np.array([0, 0, 1], dtype=np.int32)),
        (0, np.array([0, 1], dtype=np.int32)),
        (0, np.array([0, 1, 3], dtype=np.int32)),
        (1, np.array([0, 1, 2], dtype=np.int64)),
        (3, np.zeros(1, dtype=np.uint64)),
        (4, np.array([0, 3], dtype=np.int32)),
        (4, np.array([-1, 0], dtype=np.int32)),
        (6, 0),
    ],
)
def test_wrong_arguments_do_not_crash_the_native_kernel(place, value):
    native = pytest.importorskip("bayesgrove.kernels._native")
    _, _, table = make_table(3, 0)
    arguments = [np.arange(3, dtype=np.int32), *table, np.array([0, 1], dtype=np.int32)]
    arguments += [np.zeros(1), 1]
    native.walk_orders(*arguments)
    arguments[place] = value
    with pytest.raises(ValueError, match=r"must|do not fit"):
        native.walk_orders(*arguments)
