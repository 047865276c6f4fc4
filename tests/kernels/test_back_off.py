"""Tables that back off: both kernels, against counting in plain Python."""

import math
from collections import Counter

import numpy as np
import pytest

from bayesgrove.kernels import kernels, numpy_kernels
from bayesgrove.network.table_sum import TableLayout
from bayesgrove.parameters.back_off import PENALTIES, STRENGTHS

BOTH = pytest.mark.parametrize("module", [kernels, numpy_kernels], ids=["native", "numpy"])
LAYOUT = (
    np.array([0, 1, 2, 3], dtype=np.int32),
    np.array([0, 0, 1, 3, 6], dtype=np.int32),
    np.array([0, 1, 0, 2, 0, 1], dtype=np.int32),
)
"""Four tables with 0, 1, 2 and 3 parents."""
NAMES = [
    "sizes", "config_starts", "config_codes", "cell_starts", "cell_codes", "ups", "strengths",
    "logs", "unseen", "bag_logs", "twins", "cells",
]  # fmt: skip


def draw(seed, n=None, cards=(2, 3, 4, 5), classes=None, weighted=False):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 120)) if n is None else n
    classes = int(rng.integers(2, 5)) if classes is None else classes
    y = rng.integers(0, classes, n).astype(np.uint8)
    columns = [
        ((y + rng.integers(0, card, n) * (rng.random(n) < 0.7)) % card).astype(np.uint16)
        for card in cards
    ]
    bag = (rng.random(n) < 0.75).astype(np.uint8)
    rows = np.sort(rng.choice(n, n // 2 + 1, replace=False)).astype(np.int32)
    weights = rng.random(n) * 2 + 0.1 if weighted else None
    return columns, list(cards), y, classes, weights, bag, rows


def make(module, case, layout=LAYOUT, max_cells=1 << 20, pseudo_counts=None):
    fixed = np.zeros(len(layout[0])) if pseudo_counts is None else np.array(pseudo_counts)
    found = module.back_off_tables(*case, *layout, fixed, STRENGTHS, PENALTIES, max_cells)
    return dict(zip(NAMES, found, strict=True))


class Oracle:
    """P of a value given its class and parents, by counting rows one by one."""

    def __init__(self, columns, cards, y, weights, keep):
        self.columns, self.cards, self.y = columns, cards, y
        self.weights = np.ones(len(y)) if weights is None else weights
        self.keep = keep

    def count(self, wanted, c=None):
        return sum(
            self.weights[r]
            for r in range(len(self.y))
            if self.keep[r]
            and (c is None or self.y[r] == c)
            and all(self.columns[v][r] == x for v, x in wanted)
        )

    def probability(self, child, parents, values, c, strengths):
        x = values[child]
        card = self.cards[child]
        p = (self.count([(child, x)]) + 1 / card) / (self.count([]) + 1)
        for level, s in enumerate(strengths):
            given = [(v, values[v]) for v in parents[:level]]
            p = (self.count([(child, x), *given], c) + s * p) / (self.count(given, c) + s)
        return p


@BOTH
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_twins_equal_counting_again_without_the_row(module, weighted, seed):
    case = draw(seed, n=40, weighted=weighted)
    columns, cards, y, _, weights, bag, rows = case
    found = make(module, case)
    children, starts, parents = LAYOUT
    slot = 0
    for t, child in enumerate(children):
        given = parents[starts[t] : starts[t + 1]].tolist()
        strengths = found["strengths"][slot : slot + len(given) + 1]
        slot += len(given) + 1
        for e, r in enumerate(rows):
            keep = bag.astype(bool).copy()
            keep[r] = False
            oracle = Oracle(columns, cards, y, weights, keep)
            values = [column[r] for column in columns]
            p = oracle.probability(child, given, values, y[r], strengths)
            assert found["twins"][t, e] == pytest.approx(math.log(p), abs=1e-12)


@BOTH
@pytest.mark.parametrize("weighted", [False, True])
def test_logarithms_equal_counting(module, weighted):
    case = draw(11, n=60, weighted=weighted)
    columns, cards, y, classes, weights, bag, rows = case
    found = make(module, case)
    everything = Oracle(columns, cards, y, weights, np.ones(len(y), dtype=bool))
    in_bag = Oracle(columns, cards, y, weights, bag.astype(bool))
    ends = np.concatenate([[0], np.cumsum(found["sizes"][:, 1])])
    children, starts, parents = LAYOUT
    slot, bag_start = 0, 0
    for t, child in enumerate(children):
        given = parents[starts[t] : starts[t + 1]].tolist()
        strengths = found["strengths"][slot : slot + len(given) + 1]
        cells = found["cells"][t]
        for level in reversed(range(len(given) + 1)):
            if level < len(given):
                start = ends[slot + level + 1]
                cells = found["ups"][start + cells]
            for e, r in enumerate(rows):
                values = [column[r] for column in columns]
                cell = cells[e]
                for c in range(classes):
                    p = everything.probability(
                        child, given[:level], values, c, strengths[: level + 1]
                    )
                    log = found["logs"][ends[slot + level] + cell, c]
                    assert log == pytest.approx(math.log(p), abs=1e-12)
                    if level == len(given):
                        of_bag = found["strengths"][slot : slot + len(given) + 1]
                        p = in_bag.probability(child, given, values, c, of_bag)
                        log = found["bag_logs"][bag_start + cell, c]
                        assert log == pytest.approx(math.log(p), abs=1e-12)
        slot += len(given) + 1
        bag_start += int(found["sizes"][slot - 1, 1])


@BOTH
@pytest.mark.parametrize("weighted", [False, True])
def test_tables_with_pseudo_counts_equal_counting(module, weighted):
    """Twins are counted again without the row; cells without rows have probabilities too."""
    pseudo_counts = [1.0, 0.5, 3.0, 0.01]
    case = draw(3, n=50, weighted=weighted)
    columns, cards, y, classes, weights, bag, rows = case
    found = make(module, case, pseudo_counts=pseudo_counts)
    everything = Oracle(columns, cards, y, weights, np.ones(len(y), dtype=bool))
    layout = TableLayout(*LAYOUT, found["sizes"].reshape(-1), *(found[n] for n in NAMES[1:5]))
    starts = layout.slot_starts

    def log_probability(oracle, child, given, values, c, a):
        pairs = [(v, values[v]) for v in given]
        n = oracle.count([(child, values[child]), *pairs], c)
        return math.log((n + a) / (oracle.count(pairs, c) + a * cards[child]))

    for slot, (t, level) in enumerate(zip(layout.slot_tables, layout.slot_levels, strict=True)):
        child, a, given = int(LAYOUT[0][t]), pseudo_counts[t], layout.parents_of(t)[:level]
        cells = layout.cell_values(slot)
        assert len(cells) == layout.configs[slot] * cards[child]
        for cell, codes in enumerate(cells):
            values = dict(zip([*given, child], codes.tolist(), strict=True))
            for c in range(classes):
                log = log_probability(everything, child, given, values, c, a)
                assert found["logs"][starts[slot] + cell, c] == pytest.approx(log, abs=1e-12)
        if level == len(layout.parents_of(t)):
            own = np.array([[columns[v][r] for v in (*given, child)] for r in rows])
            np.testing.assert_array_equal(cells[found["cells"][t]], own)
        if level:
            above = layout.cell_values(slot - 1)
            ups = found["ups"][starts[slot] : starts[slot + 1]]
            np.testing.assert_array_equal(above[ups], np.delete(cells, level - 1, axis=1))
    for t, child in enumerate(LAYOUT[0].tolist()):
        for e, r in enumerate(rows):
            keep = bag.astype(bool).copy()
            keep[r] = False
            oracle = Oracle(columns, cards, y, weights, keep)
            values = [column[r] for column in columns]
            given = layout.parents_of(t)
            log = log_probability(oracle, child, given, values, y[r], pseudo_counts[t])
            assert found["twins"][t, e] == pytest.approx(log, abs=1e-12)


@BOTH
@pytest.mark.parametrize("seed", [5, 6, 7, 8])
def test_strengths_climb_to_the_best_leave_one_out_likelihood(module, seed):
    columns, cards, y, classes, _, _, rows = draw(seed, n=90)
    case = (columns, cards, y, classes, None, np.ones(90, dtype=np.uint8), rows)
    found = make(module, case)
    # Table 1: column 1 given the class and column 0.
    for level in (0, 1):
        cells = Counter()
        totals = Counter()
        for r in range(90):
            key = (columns[0][r],) * level
            cells[(*key, columns[1][r], y[r])] += 1
            totals[(*key, y[r])] += 1
        n_x = Counter(columns[1].tolist())
        s0 = found["strengths"][1]

        def above(cell, level=level, n_x=n_x, s0=s0):
            x, c = cell[-2], cell[-1]
            q = (n_x[x] - 1 + 1 / cards[1]) / 90
            if level == 0:
                return q
            n = sum((columns[1] == x) & (y == c))
            return (n - 1 + s0 * q) / (sum(y == c) - 1 + s0)

        values = [
            sum(
                n * math.log((n - 1 + s * above(cell)) / (totals[(*cell[:-2], cell[-1])] - 1 + s))
                for cell, n in cells.items()
            )
            - penalty
            for s, penalty in zip(STRENGTHS, PENALTIES, strict=True)
        ]
        # From the smallest penalty on, the likelihood of these tables has a single summit.
        best = int(np.argmax(values))
        first = int(np.argmin(PENALTIES))
        way = np.diff(values[min(first, best) : max(first, best) + 1])
        assert (way > 0).all() if best > first else (way < 0).all()
        assert found["strengths"][1 + level] == STRENGTHS[best]


@BOTH
@pytest.mark.parametrize("weighted", [False, True])
def test_the_bag_knows_nothing_of_other_rows(module, weighted):
    """Other classes and values outside of the bag change nothing that is fitted on the bag."""
    columns, cards, y, classes, weights, bag, _ = draw(7, n=80, weighted=weighted)
    inside = np.flatnonzero(bag).astype(np.int32)
    other = np.random.default_rng(0)
    changed = [np.where(bag, c, other.permutation(c)).astype(c.dtype) for c in columns]
    new_y = np.where(bag, y, other.permutation(y)).astype(y.dtype)
    case = (cards, classes, weights, bag, inside)
    before = make(module, (columns, case[0], y, *case[1:]))
    after = make(module, (changed, case[0], new_y, *case[1:]))
    np.testing.assert_array_equal(before["strengths"], after["strengths"])
    np.testing.assert_array_equal(before["twins"], after["twins"])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("cards", [(2, 3, 4, 5), (300, 2, 700, 40), (1, 1, 2, 1)])
@pytest.mark.parametrize("pseudo_counts", [None, [1.0, 0.0, 0.3, 2.0]])
def test_both_kernels_give_the_same_tables(seed, weighted, cards, pseudo_counts):
    case = draw(seed, cards=cards, weighted=weighted)
    native, twin = (
        make(module, case, pseudo_counts=pseudo_counts, max_cells=1 << 24)
        for module in (kernels, numpy_kernels)
    )
    for name in NAMES:
        assert native[name].shape == twin[name].shape, name
        assert native[name].dtype == twin[name].dtype, name
        np.testing.assert_allclose(native[name], twin[name], rtol=0, atol=1e-12, err_msg=name)


@BOTH
def test_no_tables(module):
    nothing = np.zeros(0, dtype=np.int32)
    found = make(module, draw(0), (nothing, np.zeros(1, dtype=np.int32), nothing))
    assert found["sizes"].shape == (0, 2)
    assert found["logs"].shape[0] == found["twins"].shape[0] == 0


@BOTH
def test_too_many_cells_are_refused(module):
    with pytest.raises(OverflowError, match="too many cells"):
        make(module, draw(0), max_cells=10)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (1, [1, 3, 4, 5], "not below its cardinality"),
        (3, 1, "not below its cardinality"),
        (5, np.ones(3, dtype=np.uint8), "do not fit"),
        (6, np.array([10**6], dtype=np.int32), "row is out of range"),
    ],
)
def test_wrong_arguments_are_refused(place, value, message):
    case = list(draw(0, n=50))
    case[place] = value
    with pytest.raises(ValueError, match=message):
        make(kernels, case)


def test_wrong_layouts_are_refused():
    children, starts, parents = LAYOUT
    with pytest.raises(ValueError, match="do not fit"):
        make(kernels, draw(0), (children, starts[:-1], parents))
    with pytest.raises(ValueError, match="not a column"):
        make(kernels, draw(0), (children + 4, starts, parents))


def test_impossible_sizes_are_refused():
    columns, cards, y, classes, weights, bag, rows = draw(2, n=20)
    for wrong in ([2**62] * 4, [0, 3, 4, 5], [2**61, 3, 4, 5]):
        with pytest.raises(ValueError, match="cardinality"):
            make(kernels, (columns, wrong, y, classes, weights, bag, rows))
    with pytest.raises(ValueError, match="classes"):
        make(kernels, (columns, cards, y, 2**62, weights, bag, rows))
    holes = np.where(np.arange(20) == 3, np.nan, 1.0)
    make(kernels, (columns, cards, y, classes, holes, bag, rows))  # Nothing is written elsewhere.
