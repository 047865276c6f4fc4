"""Columns of codes, and scores and probabilities of their families by counting in plain Python."""

import math
from collections import Counter

import numpy as np


def draw(cards, rows=25, seed=0):
    rng = np.random.default_rng(seed)
    common = rng.integers(0, 6, rows)
    return [(common * (rng.random(rows) < 0.6) + rng.integers(0, 6, rows)) % card for card in cards]


def local_score(columns, cards, child, parents, alpha):
    """ln of the marginal likelihood of a family, from a Counter over the rows."""
    q = math.prod(cards[p] for p in parents)
    cell = 1.0 if alpha is None else alpha / (q * cards[child])
    families = Counter(zip(*(columns[v].tolist() for v in (*parents, child)), strict=True))
    groups = Counter()
    for key, n in families.items():
        groups[key[:-1]] += n
    row = cell * cards[child]
    total = sum(math.lgamma(row) - math.lgamma(row + n) for n in groups.values())
    return total + sum(math.lgamma(cell + n) - math.lgamma(cell) for n in families.values())


def probability(columns, cards, child, parents, values, alpha):
    q = math.prod(cards[p] for p in parents)
    cell = 1.0 if alpha is None else alpha / (q * cards[child])
    match = np.ones(len(columns[0]), dtype=bool)
    for p in parents:
        match &= columns[p] == values[p]
    own = match & (columns[child] == values[child])
    return (cell + own.sum()) / (cell * cards[child] + match.sum())
