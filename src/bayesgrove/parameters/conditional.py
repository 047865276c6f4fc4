"""Conditional weights and cell corrections: parameters that are fitted to P(class | row).

An exponent per table keeps evidence from being counted twice; with the tables of naive Bayes this
is WANBIA (N. A. Zaidi, J. Cerquides, M. J. Carman and G. I. Webb 2013, Alleviating naive Bayes
attribute independence assumption by attribute weighting, JMLR 14). A correction per cell adds what
a logistic regression on the cells would still gain.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bayesgrove.kernels import kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats
    from bayesgrove.parameters.back_off import BackOffTables

MAX_TERMS = 1 << 25
"""Largest number of terms of the rows on which exponents are fitted."""


LARGEST_WEIGHT = 1e30
"""Largest weight of a row in these fits, which add in single precision."""


def bounded_weights(weights: Floats | None) -> Floats | None:
    """Return the weights of rows, scaled so that none is too large for the fits.

    Parameters
    ----------
    weights : ndarray of shape (n_rows,) or None
        Weights of the rows.

    Returns
    -------
    ndarray of shape (n_rows,) or None
        The weights. Penalties do not matter beside weights that are scaled.
    """
    if weights is None or weights.max(initial=0.0) <= LARGEST_WEIGHT:
        return weights
    bounded: Floats = weights * (LARGEST_WEIGHT / weights.max())
    return bounded


class Exponents(NamedTuple):
    """Fitted exponents.

    Parameters
    ----------
    common : float
        The factor that all tables share.
    differences : ndarray of shape (n_tables,)
        Exponent of each table minus the common factor.
    bias : ndarray of shape (n_classes,)
        What is added to the score of each class.
    converged : bool
        Whether the fit ended before the last iteration.
    """

    common: float
    differences: Floats
    bias: Floats
    converged: bool

    @property
    def values(self) -> Floats:
        """Exponent of each table."""
        return self.common + self.differences


@dataclass(frozen=True)
class ConditionalWeights:
    """The learner of one exponent per table.

    Parameters
    ----------
    common : float, default=1.0
        Penalty of the common factor, which is pulled towards 1.
    each : float, default=30.0
        Penalty of the difference of an exponent from the common factor.
    bias : float, default=5.0
        Penalty of the bias of a class.
    max_iter : int, default=50
        Largest number of iterations.
    """

    common: float = 1.0
    each: float = 30.0
    bias: float = 5.0
    max_iter: int = 50

    def fit(
        self,
        tables: BackOffTables,
        target: Codes,
        weights: Floats | None,
        rows: NDArray[np.int32],
        prior: Floats,
        start: Exponents | None = None,
    ) -> Exponents:
        """Fit the exponents on the leave-one-out terms of some rows.

        Parameters
        ----------
        tables : BackOffTables
            The tables.
        target : ndarray of shape (n_fit,)
            Class of the rows of ``tables``.
        weights : ndarray of shape (n_fit,) or None
            Weights of the rows of ``tables``.
        rows : ndarray of int32
            Numbers of the rows to fit.
        prior : ndarray of shape (n_classes,)
            Log-probability of each class before any table.
        start : Exponents or None, default=None
            Where the search begins. None means that all exponents are 1.

        Returns
        -------
        Exponents
            The fitted exponents.
        """
        count, classes = len(tables.cells), len(prior)
        rows = rows[: max(MAX_TERMS // max(count * classes, 1), 1)]
        terms = kernels.gather_terms(
            tables.cells, tables.layout.last_starts, tables.bag_logs, tables.twins, target, rows
        )
        first = np.concatenate([[1.0], np.zeros(count + classes)])
        if start is not None:
            first = np.concatenate([[start.common], start.differences, start.bias])
        x, _, converged = kernels.fit_exponents(
            terms,
            target[rows],
            None if weights is None else weights[rows],
            prior,
            np.ones(count),
            self.common,
            self.each,
            self.bias,
            first,
            self.max_iter,
        )
        return Exponents(float(x[0]), x[1 : 1 + count], x[1 + count :], bool(converged))


def scores_of(tables: BackOffTables, exponents: Exponents, target: Codes, prior: Floats) -> Floats:
    """Return the scores of all rows of the tables, with each row left out of its own counts."""
    return kernels.weighted_terms(
        tables.cells,
        tables.layout.last_starts,
        tables.bag_logs,
        tables.twins,
        target,
        exponents.values,
        prior + exponents.bias,
    )


class Axes(NamedTuple):
    """Positions of the codes of columns on their axes.

    Parameters
    ----------
    starts : ndarray of shape (n_columns,)
        Place of the position of the first code of each column; 0 for a column without an axis.
    positions : ndarray
        The positions, side by side, after a 0.
    """

    starts: NDArray[np.int64]
    positions: Floats


class Corrections(NamedTuple):
    """Fitted corrections.

    Parameters
    ----------
    deltas : ndarray of shape (n_cells, n_classes)
        Correction of each cell, summed over the levels up to its own.
    sums : ndarray of shape (n_fit, n_classes)
        Sum of the corrections of each row.
    """

    deltas: Floats
    sums: Floats


@dataclass(frozen=True)
class CellCorrections:
    """The learner of one correction per cell and class, with ridge.

    Parameters
    ----------
    ridge : float, default=2.0
        Penalty of the square of a correction.
    linear_ridge : float, default=1.0
        Penalty of the square of the slope of a numeric column.
    max_level : int, default=2
        Cells with more parents have no correction of their own.
    max_iter : int, default=10
        Largest number of iterations. Few iterations are a further regularisation.
    max_cells : int, default=600000
        Largest number of corrections; if there are more, levels with parents are left out.
    """

    ridge: float = 2.0
    linear_ridge: float = 1.0
    max_level: int = 2
    max_iter: int = 10
    max_cells: int = 600_000

    def fit(
        self,
        tables: BackOffTables,
        target: Codes,
        weights: Floats | None,
        rows: NDArray[np.int32],
        scores: Floats,
        axes: Axes | None = None,
    ) -> Corrections:
        """Fit the corrections on top of scores.

        Parameters
        ----------
        tables : BackOffTables
            The tables.
        target : ndarray of shape (n_fit,)
            Class of the rows of ``tables``.
        weights : ndarray of shape (n_fit,) or None
            Weights of the rows of ``tables``.
        rows : ndarray of int32
            Numbers of the rows to fit.
        scores : ndarray of shape (n_fit, n_classes)
            Scores of the rows before the corrections.
        axes : Axes or None, default=None
            Positions of the codes of columns; a column that has them has a slope.

        Returns
        -------
        Corrections
            The fitted corrections.
        """
        layout = tables.layout
        starts, positions = np.zeros(len(layout.children), dtype=np.int64), np.zeros(1)
        if axes is not None:
            starts, positions = axes.starts[layout.children], axes.positions
        deltas, sums, _, _ = kernels.fit_corrections(
            tables.cells,
            layout.depths,
            layout.cells,
            tables.ups,
            self._penalties(tables, scores.shape[1]),
            layout.cell_codes,
            starts,
            positions,
            self.linear_ridge,
            rows,
            scores,
            target,
            weights,
            self.max_iter,
        )
        return Corrections(deltas, sums)

    def _penalties(self, tables: BackOffTables, classes: int) -> Floats:
        """Return the penalty of each slot; infinite without corrections of its own."""
        levels, cells = tables.layout.slot_levels, tables.layout.cells
        penalties = np.where(levels > self.max_level, np.inf, self.ridge)
        if cells[levels <= self.max_level].sum() * classes > self.max_cells:
            total = 0
            for slot in np.flatnonzero(levels <= self.max_level).tolist():
                size = int(cells[slot]) * classes
                if levels[slot] > 0 and total + size > self.max_cells:
                    penalties[slot] = np.inf
                else:
                    total += size
        return penalties
