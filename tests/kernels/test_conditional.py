"""Exponents and corrections: gradients by finite differences, minima by scipy, both kernels."""

import numpy as np
import pytest
from scipy.optimize import minimize

from bayesgrove.kernels import kernels, numpy_kernels

BOTH = pytest.mark.parametrize("module", [kernels, numpy_kernels], ids=["native", "numpy"])


def softmax_loss(scores, y, w):
    shifted = scores - scores.max(axis=1, keepdims=True)
    return float((w * (np.log(np.exp(shifted).sum(axis=1)) - shifted[np.arange(len(y)), y])).sum())


def gradient_of(function, x, step=1e-5):
    out = np.zeros_like(x)
    for j in range(len(x)):
        up, down = x.copy(), x.copy()
        up[j] += step
        down[j] -= step
        out[j] = (function(up) - function(down)) / (2 * step)
    return out


# Exponents


def draw_terms(seed, classes, rows=60, tables=4):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, rows).astype(np.uint8)
    terms = rng.normal(-1, 0.5, (rows, tables, classes))
    terms[np.arange(rows), :, y] += 0.3
    return terms.astype(np.float32), y, rng.random(rows) + 0.5, rng.normal(size=classes)


def exponent_loss(terms, y, w, offset, centres, penalties):
    common, each, bias = penalties
    tables = terms.shape[1]

    def loss(x):
        exponents, b = x[0] * centres + x[1 : 1 + tables], x[1 + tables :]
        scores = np.einsum("t,rtc->rc", exponents, terms.astype(float)) + offset + b
        ridge = common * (x[0] - 1) ** 2 + each * (x[1 : 1 + tables] ** 2).sum()
        return softmax_loss(scores, y, w) + (ridge + bias * (b**2).sum()) / 2

    return loss


@BOTH
@pytest.mark.parametrize("classes", [2, 3, 9])
@pytest.mark.parametrize("weighted", [False, True])
def test_exponents_reach_the_minimum(module, classes, weighted):
    terms, y, w, offset = draw_terms(classes, classes)
    weights = w if weighted else None
    centres = np.array([1.0, 0.5, 1.5, 1.0])
    start = np.concatenate([[1.0], np.zeros(4 + classes)])
    loss = exponent_loss(terms, y, w if weighted else np.ones(60), offset, centres, (1.0, 3.0, 5.0))
    x, value, _ = module.fit_exponents(
        terms, y, weights, offset, centres, 1.0, 3.0, 5.0, start, 200
    )
    best = minimize(loss, start, tol=1e-10).fun
    assert value == pytest.approx(loss(x), rel=1e-5)
    assert loss(x) == pytest.approx(best, rel=2e-4)


@BOTH
@pytest.mark.parametrize("classes", [2, 3, 9])
def test_the_first_step_of_exponents_follows_the_gradient(module, classes):
    terms, y, w, offset = draw_terms(classes + 20, classes)
    centres = np.array([1.0, 0.5, 1.5, 1.0])
    start = np.concatenate([[0.9], np.full(4, 0.1), np.full(classes, -0.05)])
    loss = exponent_loss(terms, y, w, offset, centres, (1.0, 3.0, 5.0))
    x, _, _ = module.fit_exponents(terms, y, w, offset, centres, 1.0, 3.0, 5.0, start, 1)
    slope = gradient_of(loss, start)
    step = start - x
    length = np.linalg.norm(step)
    assert length > 0
    np.testing.assert_allclose(step / length, slope / np.linalg.norm(slope), atol=1e-4)


@BOTH
def test_an_infinite_penalty_fixes_parameters(module):
    terms, y, w, offset = draw_terms(1, 3)
    start = np.concatenate([[1.0], np.zeros(7)])
    x, _, _ = module.fit_exponents(
        terms, y, w, offset, np.full(4, 0.25), np.inf, 20.0, np.inf, start, 50
    )
    assert x[0] == 1.0
    assert (x[5:] == 0).all()
    assert (x[1:5] != 0).all()


# Terms


@BOTH
def test_terms_and_their_weighted_sums(module):
    rng = np.random.default_rng(0)
    logs, twins = rng.normal(size=(7, 3)), rng.normal(size=(2, 5))
    cells = np.array([[0, 1, 2, 0, 1], [0, 3, 1, 2, 2]], dtype=np.int32)
    starts, y = np.array([0, 3]), np.array([0, 1, 2, 2, 0], dtype=np.uint8)
    rows = np.array([4, 1], dtype=np.int32)
    terms = module.gather_terms(cells, starts, logs, twins, y, rows)
    offset, exponents = np.array([0.1, 0.2, 0.3]), np.array([2.0, -1.0])
    scores = module.weighted_terms(cells, starts, logs, twins, y, exponents, offset)
    for r in range(5):
        expected = offset.copy()
        for t in range(2):
            term = logs[starts[t] + cells[t, r]].copy()
            term[y[r]] = twins[t, r]
            expected += exponents[t] * term
            if r in rows:
                at = rows.tolist().index(r)
                np.testing.assert_allclose(terms[at, t], term, rtol=1e-6)
        np.testing.assert_allclose(scores[r], expected, rtol=1e-12)


# Corrections

PENALTIES = np.array([2.0, 1.0, 3.0, 2.5, np.inf, 1.5, np.inf])
"""Tables with 1, 0 and 3 parents; two slots have no corrections of their own."""


class Cells:
    """Random tables: every level splits the cells of the level before."""

    def __init__(self, seed, classes, rows=80):
        rng = np.random.default_rng(seed)
        self.y = rng.integers(0, classes, rows).astype(np.uint8)
        self.depths = np.array([1, 0, 3])
        self.linear = np.array([1, 0, 1], dtype=np.uint8)
        self.offsets = rng.normal(size=(rows, classes)) * 0.5
        self.fit = np.sort(rng.choice(rows, 60, replace=False)).astype(np.int32)
        self.weights = rng.random(rows) + 0.5
        of_slots, sizes, ups, last, self.z = [], [], [], [], []
        for depth, card in zip(self.depths, (4, 3, 6), strict=True):
            cells = (rng.integers(0, card, rows) + self.y) % card
            up = np.arange(card)
            self.z.append(rng.normal(size=card))
            for level in range(depth + 1):
                if level:
                    keys, new = np.unique(
                        rng.integers(0, 2, rows) * 99 + cells, return_inverse=True
                    )
                    cells, up = new, keys % 99
                of_slots.append(cells)
                sizes.append(len(up))
                ups.append(up)
            last.append(cells)
        self.sizes = np.array(sizes)
        self.ups = np.concatenate(ups).astype(np.int32)
        self.cells = np.array(last, dtype=np.int32)
        starts = np.cumsum(self.sizes) - self.sizes
        self.index = starts[:, None] + np.array(of_slots)
        """Place of the cell of every row at every level among all cells."""
        self.first_slots = np.cumsum(self.depths + 1) - self.depths - 1

    def axes(self, linear):
        """Codes of cells, place of the axis of each table, and the positions on the axes."""
        codes = np.zeros(int(self.sizes.sum()), dtype=np.uint32)
        for t, z in enumerate(self.z):
            codes[self.start(t) : self.start(t) + len(z)] = np.arange(len(z))[::-1]
        ends = np.cumsum([1, *map(len, self.z)])
        positions = np.concatenate([[np.nan], *(z[::-1] for z in self.z)])
        return codes, np.where(linear, ends[:-1], 0), positions

    def run(self, module, penalties, weights, iterations, linear=None):
        axes = self.axes(self.linear if linear is None else linear)
        return module.fit_corrections(
            self.cells, self.depths, self.sizes, self.ups, penalties, *axes, 1.5, self.fit,
            self.offsets, self.y, weights, iterations,
        )  # fmt: skip

    def loss(self, penalties, weights, linear):
        """The loss of corrections of all cells and classes, then of the slopes; with gradient."""
        classes, total = self.offsets.shape[1], int(self.sizes.sum())
        index, y, w = self.index[:, self.fit], self.y[self.fit], weights[self.fit]
        tables = np.flatnonzero(linear)
        features = [self.z[t][self.index[self.first_slots[t]] - self.start(t)] for t in tables]
        free = np.repeat(np.isfinite(penalties), self.sizes)
        ridge = np.repeat(np.where(np.isfinite(penalties), penalties, 0), self.sizes)

        def loss(x):
            deltas, beta = x[: total * classes].reshape(total, classes), x[total * classes :]
            deltas, beta = np.where(free[:, None], deltas, 0), beta.reshape(-1, classes)
            scores = self.offsets + deltas[self.index].sum(axis=0)
            for u, feature in enumerate(features):
                scores = scores + feature[:, None] * beta[u]
            scores = scores[self.fit]
            value = softmax_loss(scores, y, w) + 1.5 * (beta**2).sum() / 2
            value += (ridge[:, None] * deltas**2).sum() / 2
            residuals = np.exp(scores - scores.max(axis=1, keepdims=True))
            residuals /= residuals.sum(axis=1, keepdims=True)
            residuals[np.arange(len(y)), y] -= 1
            residuals *= w[:, None]
            slopes = ridge[:, None] * deltas
            for slot in index:
                np.add.at(slopes, slot, residuals)
            of_beta = 1.5 * beta
            for u, feature in enumerate(features):
                of_beta[u] += feature[self.fit] @ residuals
            return value, np.concatenate([(slopes * free[:, None]).ravel(), of_beta.ravel()])

        return loss, (total + len(tables)) * classes

    def start(self, table):
        return int(self.sizes[: self.first_slots[table]].sum())

    def summed(self, x, penalties, linear):
        """The corrections of cells with those of the levels before, from the parameters."""
        classes, total = self.offsets.shape[1], int(self.sizes.sum())
        deltas = x[: total * classes].reshape(total, classes).copy()
        deltas[~np.repeat(np.isfinite(penalties), self.sizes)] = 0
        beta = x[total * classes :].reshape(-1, classes)
        for u, t in enumerate(np.flatnonzero(linear)):
            part = slice(self.start(t), self.start(t) + len(self.z[t]))
            deltas[part] += self.z[t][:, None] * beta[u]
        starts = np.cumsum(self.sizes) - self.sizes
        for slot in set(range(len(starts))) - set(self.first_slots.tolist()):
            for cell in range(starts[slot], starts[slot] + self.sizes[slot]):
                deltas[cell] += deltas[starts[slot - 1] + self.ups[cell]]
        return deltas


@BOTH
@pytest.mark.parametrize("classes", [2, 3, 6, 9])
@pytest.mark.parametrize("weighted", [False, True])
def test_corrections_reach_the_minimum(module, classes, weighted):
    case = Cells(classes, classes)
    weights = case.weights if weighted else np.ones(80)
    loss, size = case.loss(PENALTIES, weights, case.linear)
    deltas, sums, value, _ = case.run(module, PENALTIES, weights if weighted else None, 300)
    best = minimize(loss, np.zeros(size), jac=True, method="L-BFGS-B", tol=1e-12)
    assert value == pytest.approx(best.fun, rel=3e-4)
    expected = case.summed(best.x, PENALTIES, case.linear)
    centred = [values - values.mean(axis=1, keepdims=True) for values in (deltas, expected)]
    np.testing.assert_allclose(*centred, atol=0.08)  # The fit stops at gains below 1e-4.
    rows = deltas[case.index[case.first_slots + case.depths]].sum(axis=0)
    np.testing.assert_allclose(sums, rows, atol=1e-12)


@BOTH
@pytest.mark.parametrize("classes", [3, 9])
def test_the_first_step_of_corrections_follows_the_gradient(module, classes):
    case = Cells(classes + 5, classes)
    none = np.zeros(3, dtype=np.uint8)
    loss, size = case.loss(PENALTIES, np.ones(80), none)
    deltas, _, _, _ = case.run(module, PENALTIES, None, 1, linear=none)
    slope = gradient_of(lambda x: loss(x)[0], np.zeros(size))
    p = np.exp(case.offsets[case.fit])
    p /= p.sum(axis=1, keepdims=True)
    ridge = np.repeat(np.where(np.isfinite(PENALTIES), PENALTIES, 1), case.sizes)
    curvature = ridge[:, None] * np.ones(classes)
    for slot in case.index:
        np.add.at(curvature, slot[case.fit], p * (1 - p))
    # The parameters are scaled by the roots of the curvatures, so the step is this times a factor.
    step = case.summed(-slope / curvature.ravel(), PENALTIES, none)
    ratio = deltas[np.abs(step) > 0.01] / step[np.abs(step) > 0.01]
    assert ratio.mean() > 0
    np.testing.assert_allclose(ratio, ratio.mean(), rtol=1e-3)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("classes", [2, 3, 4, 7, 8, 12])
def test_both_kernels_fit_the_same_corrections(seed, classes):
    case = Cells(seed, classes)
    weights = case.weights if seed % 2 else None
    native, twin = (case.run(module, PENALTIES, weights, 4) for module in (kernels, numpy_kernels))
    for a, b in zip(native[:3], twin[:3], strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-3, atol=1e-3)


@BOTH
def test_no_tables_give_no_corrections(module):
    y = np.array([0, 1, 1], dtype=np.uint8)
    nothing = np.zeros(0, dtype=np.int64)
    deltas, sums, _, converged = module.fit_corrections(
        np.zeros((0, 3), dtype=np.int32), nothing, nothing, np.zeros(0, dtype=np.int32),
        np.zeros(0), np.zeros(0, dtype=np.uint32), nothing, np.zeros(1), 1.0,
        np.arange(3, dtype=np.int32), np.zeros((3, 2)), y, None, 10,
    )  # fmt: skip
    assert deltas.shape == (0, 2)
    assert (sums == 0).all()
    assert converged


@BOTH
def test_slots_without_corrections_leave_the_scores(module):
    case = Cells(1, 3)
    deltas, sums, _, _ = case.run(module, np.full(7, np.inf), None, 10)
    assert (deltas == 0).all()
    assert (sums == 0).all()


def test_wrong_arguments_are_refused():
    case = Cells(0, 3)
    good = (
        case.cells, case.depths, case.sizes, case.ups, PENALTIES, *case.axes(case.linear), 1.0,
        case.fit, case.offsets, case.y, None, 5,
    )  # fmt: skip
    for place, value, message in [
        (0, case.cells + 99, "out of range"),
        (1, case.depths[:2], "do not fit"),
        (2, case.sizes[:2], "do not fit"),
        (3, case.ups - 1, "out of range"),
        (5, good[5][:-1], "axes do not fit"),
        (5, good[5] + 9, "position is out of range"),
        (6, good[6] - 1, "position is out of range"),
        (7, good[7][:-1], "position is out of range"),
        (9, case.fit + 80, "row is out of range"),
        (11, np.full(80, 3, dtype=np.uint8), "class is out of range"),
    ]:
        wrong = [*good[:place], value, *good[place + 1 :]]
        with pytest.raises(ValueError, match=message):
            kernels.fit_corrections(*wrong)
    terms, y, w, offset = draw_terms(0, 3)
    with pytest.raises(ValueError, match="start does not fit"):
        kernels.fit_exponents(terms, y, w, offset, np.ones(4), 1.0, 1.0, 1.0, np.zeros(3), 5)


@BOTH
def test_entries_of_cells_are_added_to_their_columns(module):
    cells = np.array([[0, 1, 1], [2, 0, 1], [1, 1, 0]], dtype=np.int32)
    starts = np.array([0, 2, 5])
    entries = np.arange(14, dtype=np.float32).reshape(7, 2)
    columns = np.array([3, 0, 3], dtype=np.int32)
    out = np.ones((4, 3, 2), dtype=np.float32)
    module.add_cell_entries(cells, starts, entries, columns, out)
    expected = np.ones((4, 3, 2))
    for t, column in enumerate(columns):
        for row in range(3):
            expected[column, row] += entries[starts[t] + cells[t, row]]
    np.testing.assert_array_equal(out, expected)


def test_wrong_entries_are_refused():
    good = [
        np.zeros((1, 3), dtype=np.int32), np.zeros(1, dtype=np.int64),
        np.zeros((2, 2), dtype=np.float32), np.zeros(1, dtype=np.int32),
        np.zeros((4, 3, 2), dtype=np.float32),
    ]  # fmt: skip
    kernels.add_cell_entries(*good)
    for place, value, message in [
        (0, good[0] + 2, "cell is out of range"),
        (1, good[1] - 1, "cell is out of range"),
        (3, good[3] + 4, "column is out of range"),
        (4, np.zeros((4, 2, 2), dtype=np.float32), "do not fit"),
    ]:
        with pytest.raises(ValueError, match=message):
            kernels.add_cell_entries(*good[:place], value, *good[place + 1 :])


@BOTH
def test_an_infinite_penalty_fixes_the_differences(module):
    terms, y, w, offset = draw_terms(3, 3)
    count = terms.shape[1]
    start = np.concatenate([[1.0], np.zeros(count + 3)])
    x, _, _ = module.fit_exponents(terms, y, w, offset, np.ones(count), 1.0, np.inf, 5.0, start, 20)
    assert (x[1 : 1 + count] == 0).all()
    assert x[0] != 1
