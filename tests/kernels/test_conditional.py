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


def draw_cells(seed, classes, rows=80):
    rng = np.random.default_rng(seed)
    sizes = np.array([4, 3, 6])
    y = rng.integers(0, classes, rows).astype(np.uint8)
    cells = np.array([(rng.integers(0, s, rows) + y) % s for s in sizes], dtype=np.int32)
    offsets = rng.normal(size=(rows, classes)) * 0.5
    z = np.concatenate([rng.normal(size=4), np.zeros(3), rng.normal(size=6)])
    fit = np.sort(rng.choice(rows, 60, replace=False)).astype(np.int32)
    return cells, sizes, z, np.array([1, 0, 1], dtype=np.uint8), fit, offsets, y, rng


def correction_loss(case, penalties, linear_penalty, w):
    """The loss of corrections of all cells and classes, then of the slopes."""
    cells, sizes, z, linear, fit, offsets, y, _ = case
    classes = offsets.shape[1]
    starts = np.cumsum(sizes) - sizes
    total = sizes.sum()
    index = starts[:, None] + cells
    slopes = np.flatnonzero(linear)

    def loss(x):
        deltas, beta = x[: total * classes].reshape(total, classes), x[total * classes :]
        beta = beta.reshape(len(slopes), classes)
        scores = offsets + deltas[index].sum(axis=0)
        for u, q in enumerate(slopes):
            scores = scores + z[index[q]][:, None] * beta[u]
        ridge = (np.repeat(penalties, sizes)[:, None] * deltas**2).sum()
        ridge += linear_penalty * (beta**2).sum()
        return softmax_loss(scores[fit], y[fit], w[fit]) + ridge / 2

    return loss, (total + len(slopes)) * classes


@BOTH
@pytest.mark.parametrize("classes", [2, 3, 9])
@pytest.mark.parametrize("weighted", [False, True])
def test_corrections_reach_the_minimum(module, classes, weighted):
    case = draw_cells(classes, classes)
    cells, sizes, z, linear, fit, offsets, y, rng = case
    w = rng.random(80) + 0.5
    penalties = np.array([2.0, 1.0, 3.0])
    loss, size = correction_loss(case, penalties, 1.5, w if weighted else np.ones(80))
    deltas, sums, value, _ = module.fit_corrections(
        cells, sizes, penalties, z, linear, 1.5, fit, offsets, y, w if weighted else None, 300
    )
    best = minimize(loss, np.zeros(size), tol=1e-10)
    assert value == pytest.approx(best.fun, rel=3e-4)
    total = sizes.sum()
    x = best.x[: total * classes].reshape(total, classes)
    beta = best.x[total * classes :].reshape(-1, classes)
    x[:4] += z[:4, None] * beta[0]
    x[7:] += z[7:, None] * beta[1]
    centred = [values - values.mean(axis=1, keepdims=True) for values in (deltas, x)]
    np.testing.assert_allclose(*centred, atol=0.06)  # The fit stops at gains below 1e-4.
    starts = np.cumsum(sizes) - sizes
    np.testing.assert_allclose(sums, deltas[starts[:, None] + cells].sum(axis=0), atol=1e-12)


@BOTH
@pytest.mark.parametrize("classes", [3, 9])
def test_the_first_step_of_corrections_follows_the_gradient(module, classes):
    case = draw_cells(classes + 5, classes)
    cells, sizes, _, _, fit, offsets, y, _ = case
    none = np.zeros(3, dtype=np.uint8)
    penalties = np.array([2.0, 1.0, 3.0])
    case = (cells, sizes, np.zeros(13), none, fit, offsets, y, None)
    loss, size = correction_loss(case, penalties, 1.0, np.ones(80))
    deltas, _, _, _ = module.fit_corrections(
        cells, sizes, penalties, np.zeros(13), none, 1.0, fit, offsets, y, None, 1
    )
    slope = gradient_of(loss, np.zeros(size)).reshape(-1, classes)
    p = np.exp(offsets[fit])
    p /= p.sum(axis=1, keepdims=True)
    starts = np.cumsum(sizes) - sizes
    curvature = np.repeat(penalties, sizes)[:, None] * np.ones(classes)
    for q in range(3):
        np.add.at(curvature, starts[q] + cells[q, fit], p * (1 - p))
    step = -deltas * curvature  # The parameters are scaled by the roots of the curvatures.
    ratio = step[np.abs(slope) > 0.01] / slope[np.abs(slope) > 0.01]
    assert ratio.mean() > 0
    np.testing.assert_allclose(ratio, ratio.mean(), rtol=1e-3)


@BOTH
def test_no_slots_give_no_corrections(module):
    y = np.array([0, 1, 1], dtype=np.uint8)
    deltas, sums, _, converged = module.fit_corrections(
        np.zeros((0, 3), dtype=np.int32), np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0),
        np.zeros(0, dtype=np.uint8), 1.0, np.arange(3, dtype=np.int32), np.zeros((3, 2)), y, None,
        10,
    )  # fmt: skip
    assert deltas.shape == (0, 2)
    assert (sums == 0).all()
    assert converged


def test_wrong_arguments_are_refused():
    cells, sizes, z, linear, fit, offsets, y, _ = draw_cells(0, 3)
    penalties = np.ones(3)
    good = (cells, sizes, penalties, z, linear, 1.0, fit, offsets, y, None, 5)
    for place, value, message in [
        (0, cells + 6, "out of range"),
        (1, sizes[:2], "do not fit"),
        (3, z[:-1], "one number per cell"),
        (6, fit + 80, "row is out of range"),
        (8, np.full(80, 3, dtype=np.uint8), "class is out of range"),
    ]:
        wrong = [*good[:place], value, *good[place + 1 :]]
        with pytest.raises(ValueError, match=message):
            kernels.fit_corrections(*wrong)
    terms, y, w, offset = draw_terms(0, 3)
    with pytest.raises(ValueError, match="start does not fit"):
        kernels.fit_exponents(terms, y, w, offset, np.ones(4), 1.0, 1.0, 1.0, np.zeros(3), 5)
