"""Missing attributes summed out row by row, against sums over all completions."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bayesgrove.encoding import code_type

LIMIT = 1e6


@pytest.fixture(params=["numpy", "_native"])
def kernels(request):
    return pytest.importorskip(f"bayesgrove.kernels.{request.param}")


class Network:
    """Random tables over attributes and the class (the last variable), in any direction."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.cards = [int(card) for card in rng.integers(1, 4, 6)]
        n = len(self.cards)
        order = rng.permutation(n).tolist()
        self.parents = [[] for _ in range(n)]
        for place, v in enumerate(order):
            size = min(place, int(rng.integers(0, 4)))
            self.parents[v] = rng.choice(order[:place], size, replace=False).tolist()
        self.tables = []
        for v, own in enumerate(self.parents):
            cells = rng.random([self.cards[u] for u in (*own, v)]) + 0.01
            self.tables.append(cells / cells.sum(axis=-1, keepdims=True))

    @property
    def layout(self):
        scopes = [[*own, v] for v, own in enumerate(self.parents)]
        sizes = [table.size for table in self.tables]
        return (
            np.array(self.cards, dtype=np.int32),
            np.cumsum([0, *map(len, scopes)]).astype(np.int32),
            np.concatenate(scopes).astype(np.int32),
            np.cumsum([0, *sizes])[:-1].astype(np.int64),
            np.concatenate([table.ravel() for table in self.tables]),
        )

    def cell(self, v, states):
        return self.tables[v][tuple(states[u] for u in (*self.parents[v], v))]

    def is_needed(self, v, row):
        """Whether an attribute, or something below it, is known or the class."""
        if v == len(row) or row[v] is not None:
            return True
        return any(v in own and self.is_needed(u, row) for u, own in enumerate(self.parents))

    def joint(self, row):
        """``P(class, what is known)`` of every class, by every completion."""
        spans = [
            range(card) if code is None else [code]
            for code, card in zip(row, self.cards, strict=False)
        ]
        out = []
        for c in range(self.cards[-1]):
            every = [(*states, c) for states in itertools.product(*spans)]
            products = [
                np.prod([self.cell(v, states) for v in range(len(states))]) for states in every
            ]
            out.append(sum(products))
        return out

    def untouched(self, row, active):
        """The product of the tables without an attribute that is summed out."""
        out = []
        for c in range(self.cards[-1]):
            states = [*row, c]
            kept = [
                v
                for v, own in enumerate(self.parents)
                if states[v] is not None and not any(u in active for u in (v, *own))
            ]
            out.append(np.prod([self.cell(v, states) for v in kept]))
        return out


def draw_rows(network, rng, count):
    """Codes with None for what is missing, as lists and as columns."""
    cards = network.cards[:-1]
    rows = [
        [None if card > 1 and rng.random() < 0.5 else int(rng.integers(card)) for card in cards]
        for _ in range(count)
    ]
    columns = [
        np.array([card if row[v] is None else row[v] for row in rows], dtype=code_type(card))
        for v, card in enumerate(cards)
    ]
    return rows, columns


def marks(network, rows):
    found = [
        [row[v] is None and network.is_needed(v, row) for row in rows]
        for v in range(len(network.cards) - 1)
    ]
    return np.array(found, dtype=np.uint8)


@pytest.mark.parametrize("seed", range(25))
def test_sums_over_every_completion(kernels, seed):
    network, rng = Network(seed), np.random.default_rng(seed)
    rows, columns = draw_rows(network, rng, 30)
    chosen = np.sort(rng.choice(30, 20, replace=False)).astype(np.int64)
    active = marks(network, [rows[k] for k in chosen])
    logs, cells = kernels.sum_out_rows(*network.layout, columns, chosen, active, LIMIT, 1)
    assert cells < LIMIT
    for at, k in enumerate(chosen):
        summed = set(np.flatnonzero(active[:, at]).tolist())
        expected = np.array(network.joint(rows[k])) / network.untouched(rows[k], summed)
        assert_allclose(np.exp(logs[at]), expected, rtol=1e-12)


def test_threads_change_nothing():
    native = pytest.importorskip("bayesgrove.kernels._native")
    network = Network(4)
    rows, columns = draw_rows(network, np.random.default_rng(1), 500)
    arguments = *network.layout, columns, np.arange(500), marks(network, rows), LIMIT
    one, cells = native.sum_out_rows(*arguments, 1)
    for threads in (2, 8):
        other, also = native.sum_out_rows(*arguments, threads)
        assert other.tobytes() == one.tobytes()
        assert also == cells


def test_rows_beyond_the_limit_are_left_out(kernels):
    network = Network(4)
    rows, columns = draw_rows(network, np.random.default_rng(1), 40)
    arguments = *network.layout, columns, np.arange(40), marks(network, rows)
    every, most = kernels.sum_out_rows(*arguments, LIMIT, 1)
    some, also = kernels.sum_out_rows(*arguments, most - 1, 1)
    assert also == most
    left_out = ~some.any(axis=1) & every.any(axis=1)
    assert 0 < left_out.sum() < 40
    assert_array_equal(some[~left_out], every[~left_out])


def test_no_rows(kernels):
    network = Network(0)
    _, columns = draw_rows(network, np.random.default_rng(0), 3)
    nothing = np.empty(0, dtype=np.int64), np.empty((5, 0), dtype=np.uint8)
    logs, cells = kernels.sum_out_rows(*network.layout, columns, *nothing, LIMIT, 1)
    assert (logs.shape, cells) == ((0, network.cards[-1]), 0.0)


def test_wrong_arguments_are_refused():
    native = pytest.importorskip("bayesgrove.kernels._native")
    network = Network(0)
    _, columns = draw_rows(network, np.random.default_rng(0), 3)
    row, mark = np.array([0]), np.zeros((5, 1), dtype=np.uint8)
    for columns_, row_, mark_, message in (
        (columns, np.array([3]), mark, "no such row"),
        (columns, np.array([-1]), mark, "no such row"),
        (columns, row, mark[:4], "one mark"),
        (columns[:4], row, mark, "one column"),
    ):
        with pytest.raises(ValueError, match=message):
            native.sum_out_rows(*network.layout, columns_, row_, mark_, LIMIT, 1)
