"""Steps of a Markov chain on directed acyclic graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def walk_dags(arcs: NDArray[np.uint8], moves: NDArray[np.int64], max_parents: int) -> None:
    """Change a directed acyclic graph by one step of a Markov chain per move.

    A move is an ordered pair of nodes. If the graph has the arc, the step removes it. If not, the
    step adds it, unless the head has ``max_parents`` parents or the arc would close a cycle.

    Parameters
    ----------
    arcs : ndarray of shape (n_nodes, n_nodes)
        1 at ``[tail, head]`` for every arc of the graph. The steps change it.
    moves : ndarray of shape (n_moves,)
        Number of each ordered pair: ``tail * (n_nodes - 1) + head``, with one less if the head is
        after the tail.
    max_parents : int
        Largest number of parents of a node.
    """
    nodes = len(arcs)
    if len(moves) and not 0 <= moves.min() <= moves.max() < nodes * (nodes - 1):
        raise ValueError("A move must be the number of an ordered pair.")
    parents = [sum(1 << int(tail) for tail in np.flatnonzero(column)) for column in arcs.T]
    tails, heads = np.divmod(moves, max(nodes - 1, 1))
    heads += heads >= tails
    for tail, head in zip(tails.tolist(), heads.tolist(), strict=True):
        exists = parents[head] >> tail & 1
        has_room = parents[head].bit_count() < max_parents
        if exists or (has_room and not _is_ancestor(parents, head, tail)):
            parents[head] ^= 1 << tail
    arcs[:] = [[column >> tail & 1 for column in parents] for tail in range(nodes)]


def _is_ancestor(parents: list[int], node: int, below: int) -> bool:
    """Return whether a directed path leads from ``node`` to ``below``."""
    above = still_open = parents[below]
    while still_open and not above >> node & 1:
        lowest = still_open & -still_open
        new_nodes = parents[lowest.bit_length() - 1] & ~above
        above |= new_nodes
        still_open = still_open ^ lowest | new_nodes
    return bool(above >> node & 1)
