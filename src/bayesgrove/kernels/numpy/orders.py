"""Scores of total orders of nodes, and a walk over orders."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.kernels import Floats

FAR = 60.0
"""Sets whose score is lower than the best one by more nats change no digit of a sum."""


def walk_orders(
    order: NDArray[np.int32],
    starts: NDArray[np.int64],
    logs: Floats,
    masks: NDArray[np.uint64],
    moves: NDArray[np.int32],
    thresholds: Floats,
    every: int,
) -> tuple[NDArray[np.int32], Floats]:
    """Walk over orders: accept each move whose change of the score is above its threshold.

    The score of an order is a sum over nodes. The term of a node is the logarithm of the sum of
    ``exp(logs)`` over the parent sets of the node that lie inside its predecessors. A move
    exchanges the nodes at two positions, or cuts the order: the first nodes are moved behind the
    others.

    Parameters
    ----------
    order : ndarray of shape (n_nodes,)
        The first order: every node once.
    starts : ndarray of shape (n_nodes + 1,)
        The sets of node ``v`` have the numbers ``starts[v]:starts[v + 1]``.
    logs : ndarray of shape (n_sets,)
        The log scores of the sets, in descending order for every node.
    masks : ndarray of shape (n_sets * n_words,)
        The members of the sets. Member ``v`` is bit ``v % 64`` of word ``v // 64`` of the set.
    moves : ndarray of shape (2 * n_steps,)
        Two numbers per move: the two positions to exchange, or the number of nodes before the cut
        and -1.
    thresholds : ndarray of shape (n_steps,)
        A move is accepted if the new score minus the old score is above this number.
    every : int
        The order is returned after this number of moves, and again and again.

    Returns
    -------
    tuple of ndarray of shape (n_steps // every, n_nodes) and ndarray of shape (n_steps // every,)
        The orders, and their scores.
    """
    words = _words(starts, logs, masks)
    kept = len(thresholds) // every
    orders, scores = np.empty((kept, len(order)), dtype=np.int32), np.empty(kept)
    current, terms = order.copy(), np.empty(len(order))
    _update(current, terms, 0, len(order), starts, logs, words)
    score = _score(terms)
    pairs = zip(moves.reshape(-1, 2).tolist(), thresholds.tolist(), strict=True)
    for step, ((first, second), threshold) in enumerate(pairs, 1):
        proposed, new_terms = current.copy(), terms.copy()
        if second < 0:
            proposed = np.roll(current, -first)
            _update(proposed, new_terms, 0, len(order), starts, logs, words)
        elif second != first:
            proposed[[first, second]] = current[[second, first]]
            low, high = min(first, second), max(first, second)
            _update(proposed, new_terms, low, high + 1, starts, logs, words)
        new_score = _score(new_terms)
        if threshold < new_score - score:
            current, terms, score = proposed, new_terms, new_score
        if step % every == 0:
            orders[step // every - 1], scores[step // every - 1] = current, score
    return orders, scores


def insertion_scores(
    order: NDArray[np.int32], starts: NDArray[np.int64], logs: Floats, masks: NDArray[np.uint64]
) -> Floats:
    """Return the scores of all orders in which one node has another position.

    Parameters
    ----------
    order : ndarray of shape (n_nodes,)
        The order: every node once.
    starts : ndarray of shape (n_nodes + 1,)
        The sets of node ``v`` have the numbers ``starts[v]:starts[v + 1]``.
    logs : ndarray of shape (n_sets,)
        The log scores of the sets, in descending order for every node.
    masks : ndarray of shape (n_sets * n_words,)
        The members of the sets, as in `walk_orders`.

    Returns
    -------
    ndarray of shape (n_nodes, n_nodes)
        The score after the node at each position (first axis) was moved to each position (second
        axis). The score of the order itself is on the diagonal.
    """
    words, n = _words(starts, logs, masks), len(order)
    terms = np.empty(n)
    _update(order, terms, 0, n, starts, logs, words)
    scores = np.full((n, n), _score(terms))
    for start in range(n):
        for path in (range(start, n), range(start, -1, -1)):
            moved, new_terms = order.copy(), terms.copy()
            for before, after in pairwise(path):
                moved[[before, after]] = moved[[after, before]]
                low, high = min(before, after), max(before, after)
                _update(moved, new_terms, low, high + 1, starts, logs, words)
                scores[start, after] = _score(new_terms)
    return scores


def _words(
    starts: NDArray[np.int64], logs: Floats, masks: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    """Return the members of the sets as an array of shape (n_sets, n_words)."""
    return masks.reshape(len(logs), (len(starts) + 62) // 64)


def _update(
    order: NDArray[np.int32],
    terms: Floats,
    begin: int,
    end: int,
    starts: NDArray[np.int64],
    logs: Floats,
    words: NDArray[np.uint64],
) -> None:
    """Set the terms of the nodes at positions ``begin:end``."""
    before = np.zeros(words.shape[1], dtype=np.uint64)
    for position, node in enumerate(order[:end].tolist()):
        if position >= begin:
            of_node = slice(starts[node], starts[node + 1])
            inside = ~(words[of_node] & ~before).any(axis=1)
            terms[node] = _log_sum(logs[of_node][inside])
        before[node // 64] |= np.uint64(1 << node % 64)


def _log_sum(logs: Floats) -> float:
    """Return ``ln sum exp(logs)`` of numbers in descending order."""
    if not len(logs):
        return -np.inf
    near = logs[logs > logs[0] - FAR]
    return float(logs[0] + np.log(np.exp(near - logs[0]).sum()))


def _score(terms: Floats) -> float:
    """Return the sum of all terms, added in the order of the nodes."""
    return float(np.cumsum(terms)[-1])
