"""The kernel of the Markov chain on graphs against a plain loop, and its twins."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal


@pytest.fixture(params=["numpy", "_native"])
def kernels(request):
    return pytest.importorskip(f"bayesgrove.kernels.{request.param}")


def has_cycle(arcs):
    """Whether a power of the matrix of arcs has a path from a node to itself."""
    paths = arcs.astype(bool)
    for _ in range(len(arcs)):
        if paths.diagonal().any():
            return True
        paths = paths | (paths.astype(int) @ arcs > 0)
    return False


def plain_walk(arcs, moves, max_parents):
    """One step per pair: remove the arc, or add it if the new graph is allowed."""
    nodes = len(arcs)
    pairs = [(a, b) for a in range(nodes) for b in range(nodes) if a != b]
    for move in moves:
        new = arcs.copy()
        new[pairs[move]] ^= 1
        if not has_cycle(new) and new.sum(axis=0).max() <= max_parents:
            arcs = new
    return arcs


@pytest.mark.parametrize("max_parents", [0, 1, 3, 9])
@pytest.mark.parametrize("nodes", [2, 3, 9])
def test_every_step_is_that_of_the_plain_loop(kernels, nodes, max_parents):
    rng = np.random.default_rng(nodes)
    arcs = np.zeros((nodes, nodes), dtype=np.uint8)
    for _ in range(4):
        moves = rng.integers(0, nodes * (nodes - 1), 100)
        expected = plain_walk(arcs, moves, max_parents)
        kernels.walk_dags(arcs, moves, max_parents)
        assert_array_equal(arcs, expected)


@pytest.mark.parametrize("nodes", [63, 64, 65, 130])
def test_twins_agree_with_more_nodes_than_bits_of_a_word(nodes):
    native = pytest.importorskip("bayesgrove.kernels._native")
    twin = pytest.importorskip("bayesgrove.kernels.numpy")
    moves = np.random.default_rng(nodes).integers(0, nodes * (nodes - 1), 3 * nodes**2)
    for max_parents in (2, nodes):
        first, second = np.zeros((2, nodes, nodes), dtype=np.uint8)
        native.walk_dags(first, moves, max_parents)
        twin.walk_dags(second, moves, max_parents)
        assert_array_equal(first, second)
        assert not has_cycle(first)


def test_no_moves_and_one_node(kernels):
    for nodes in (1, 2):
        arcs = np.zeros((nodes, nodes), dtype=np.uint8)
        kernels.walk_dags(arcs, np.empty(0, dtype=np.int64), 1)
        assert not arcs.any()


@pytest.mark.parametrize("move", [-1, 6])
def test_moves_that_are_no_pair(kernels, move):
    with pytest.raises(ValueError, match="number of an ordered pair"):
        kernels.walk_dags(np.zeros((3, 3), dtype=np.uint8), np.array([move]), 1)
