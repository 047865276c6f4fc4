"""Exponents of tables, fitted to the conditional likelihood of the class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.kernels.numpy.lbfgs import minimise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats


def gather_terms(
    cells: NDArray[np.int32],
    starts: NDArray[np.int64],
    logs: Floats,
    twins: Floats,
    target: Codes,
    rows: NDArray[np.int32],
) -> NDArray[np.float32]:
    """Return the terms of some rows: ``ln P`` of every table and class.

    Parameters
    ----------
    cells : ndarray of shape (n_tables, n_fit)
        Cell of each row in each table.
    starts : ndarray of shape (n_tables,)
        Position of the first cell of each table in ``logs``.
    logs : ndarray of shape (n_cells, n_classes)
        ``ln P`` of the cells of all tables.
    twins : ndarray of shape (n_tables, n_fit)
        ``ln P`` of each row and table for the class of the row, with the row left out.
    target : ndarray of shape (n_fit,)
        Class code of each row.
    rows : ndarray of shape (n_chosen,)
        Numbers of the rows, from 0 to ``n_fit - 1``.

    Returns
    -------
    ndarray of shape (n_chosen, n_tables, n_classes)
        The terms. The term of the class of a row is its twin.
    """
    terms: NDArray[np.float32] = logs[(starts[:, None] + cells[:, rows]).T].astype(np.float32)
    class_codes = target[rows].astype(np.intp)
    terms[np.arange(len(rows))[:, None], np.arange(len(cells)), class_codes[:, None]] = twins[
        :, rows
    ].T
    return terms


def weighted_terms(
    cells: NDArray[np.int32],
    starts: NDArray[np.int64],
    logs: Floats,
    twins: Floats,
    target: Codes,
    exponents: Floats,
    offset: Floats,
) -> Floats:
    """Return the scores of all rows: the sum of the terms times the exponents of the tables.

    Parameters
    ----------
    cells : ndarray of shape (n_tables, n_fit)
        Cell of each row in each table.
    starts : ndarray of shape (n_tables,)
        Position of the first cell of each table in ``logs``.
    logs : ndarray of shape (n_cells, n_classes)
        ``ln P`` of the cells of all tables.
    twins : ndarray of shape (n_tables, n_fit)
        ``ln P`` of each row and table for the class of the row, with the row left out.
    target : ndarray of shape (n_fit,)
        Class code of each row.
    exponents : ndarray of shape (n_tables,)
        Factor of the terms of each table.
    offset : ndarray of shape (n_classes,)
        Score of each class before any table.

    Returns
    -------
    ndarray of shape (n_fit, n_classes)
        The scores.
    """
    every = np.arange(cells.shape[1])
    class_codes = target.astype(np.intp)
    scores = np.tile(offset, (len(every), 1))
    for table, start, twin, exponent in zip(cells, starts, twins, exponents, strict=True):
        terms = logs[start + table]
        terms[every, class_codes] = twin
        scores += exponent * terms
    return scores


def add_cell_entries(
    cells: NDArray[np.int32],
    starts: NDArray[np.int64],
    entries: NDArray[np.float32],
    columns: NDArray[np.int32],
    out: NDArray[np.float32],
) -> None:
    """Add the entries of the cells of rows to the sums of the columns of their tables.

    Parameters
    ----------
    cells : ndarray of shape (n_tables, n_rows)
        Cell of each row in each table.
    starts : ndarray of shape (n_tables,)
        Position of the first cell of each table in ``entries``.
    entries : ndarray of shape (n_cells, n_classes)
        Entries of the cells of all tables.
    columns : ndarray of shape (n_tables,)
        Column of each table.
    out : ndarray of shape (n_columns, n_rows, n_classes)
        The sums, which are changed.
    """
    for table, start, column in zip(cells, starts, columns, strict=True):
        out[column] += entries[start + table]


def fit_exponents(
    terms: NDArray[np.float32],
    target: Codes,
    weights: Floats | None,
    offset: Floats,
    centres: Floats,
    common: float,
    each: float,
    bias: float,
    start: Floats,
    iterations: int,
) -> tuple[Floats, float, bool]:
    """Fit one exponent per table, and one bias per class, to the conditional likelihood.

    The score of class c is ``offset_c + b_c + sum_t (T centre_t + d_t) terms_tc``. The fit
    minimises ``-sum ln softmax(own class) + (common (T - 1)^2 + each sum d^2 + bias sum b^2) / 2``
    by L-BFGS. An infinite penalty fixes its parameters at the start.

    Parameters
    ----------
    terms : ndarray of shape (n_rows, n_tables, n_classes)
        Terms of each row, table and class.
    target : ndarray of shape (n_rows,)
        Class code of each row.
    weights : ndarray of shape (n_rows,) or None
        Weight of each row. None means that all are 1.
    offset : ndarray of shape (n_classes,)
        Score of each class before any table.
    centres : ndarray of shape (n_tables,)
        Exponents towards which the penalties pull.
    common : float
        Penalty of the factor T that all tables share.
    each : float
        Penalty of the differences d.
    bias : float
        Penalty of the bias b of the classes.
    start : ndarray of shape (1 + n_tables + n_classes,)
        Start of T, d and b.
    iterations : int
        Largest number of iterations.

    Returns
    -------
    x : ndarray of shape (1 + n_tables + n_classes,)
        The fitted T, d and b.
    value : float
        The penalised loss.
    converged : bool
        Whether the fit ended before the last iteration.
    """
    rows, tables, classes = terms.shape
    w = np.ones(rows) if weights is None else weights
    values = terms.astype(np.float64)
    every, class_codes = np.arange(rows), target.astype(np.intp)
    penalties = np.concatenate([[common], np.full(tables, each), np.full(classes, bias)])
    free = np.isfinite(penalties)
    penalties = np.where(free, penalties, 0.0)
    rest = np.concatenate([[1.0], np.zeros(tables + classes)])

    def loss(x: Floats) -> tuple[float, Floats]:
        exponents = x[0] * centres + x[1 : 1 + tables]
        scores = np.einsum("t,rtc->rc", exponents, values) + offset + x[1 + tables :]
        value, residuals = residuals_of(scores, every, class_codes, w)
        slopes = np.einsum("rc,rtc->t", residuals, values)
        gradient = np.concatenate([[centres @ slopes], slopes, residuals.sum(axis=0)])
        value += float((penalties * (x - rest) ** 2).sum() / 2)
        return value, np.where(free, gradient + penalties * (x - rest), 0.0)

    minimum = minimise(loss, start.astype(np.float64), iterations, 8, 0.0, 1e-4)
    return minimum.x, minimum.value, minimum.converged


def residuals_of(
    scores: Floats, every: NDArray[np.intp], class_codes: NDArray[np.intp], weights: Floats
) -> tuple[float, Floats]:
    """Return the loss of scores, and the probabilities minus the indicators of the classes.

    Parameters
    ----------
    scores : ndarray of shape (n_rows, n_classes)
        Scores of the classes.
    every : ndarray of shape (n_rows,)
        Numbers of the rows.
    class_codes : ndarray of shape (n_rows,)
        Class of each row.
    weights : ndarray of shape (n_rows,)
        Weight of each row.

    Returns
    -------
    value : float
        Sum of the weighted losses.
    residuals : ndarray of shape (n_rows, n_classes)
        Weighted probabilities minus indicators.
    """
    shifted = scores - scores.max(axis=1, keepdims=True)
    p = np.exp(shifted)
    sums = p.sum(axis=1)
    value = float((weights * (np.log(sums) - shifted[every, class_codes])).sum())
    p /= sums[:, None]
    p[every, class_codes] -= 1
    return value, p * weights[:, None]
