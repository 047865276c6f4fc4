"""Estimate the errors of naive Bayes in a node and in its branches by cross-validation."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from bayesgrove.kernels.numpy.mdlp import accepted_boundaries, block_starts, middles
from bayesgrove.kernels.numpy.trees import Share, TrainingRows, sum_of, weights_by

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bayesgrove.kernels import Floats
    from bayesgrove.kernels.numpy.trees import Places

_EVEN_LOGS = 1e-10
"""Logarithms of probabilities closer than this are equal."""


class CodedColumn(NamedTuple):
    """A column of a node as codes.

    Parameters
    ----------
    known : ndarray
        Places of the rows of the node that have a value.
    codes : ndarray
        Codes of these rows.
    values : int
        Number of values or intervals.
    cuts : ndarray
        Cut points of a numeric column; empty for a column of codes.
    """

    known: Places
    codes: Places
    values: int
    cuts: Floats


def coded_columns(data: TrainingRows, share: Share) -> Iterator[CodedColumn]:
    """Yield all columns of a node as codes; numbers are cut by the rows of the node.

    Parameters
    ----------
    data : TrainingRows
        The training rows.
    share : Share
        Rows of the node and their weights.

    Yields
    ------
    CodedColumn
        The codes of one column.
    """
    for column, card in zip(data.columns, data.cards, strict=True):
        values = column[share.rows]
        known = np.flatnonzero(values < card if card else ~np.isnan(values))
        values = values[known]
        if card:
            yield CodedColumn(known, values.astype(np.intp), card, np.zeros(0))
            continue
        target = data.target[share.rows[known]]
        cuts = _cuts(cast("Floats", values), target, data.classes, share.weights[known])
        codes = np.searchsorted(cuts, values, side="left")
        yield CodedColumn(known, codes, len(cuts) + 1, cuts)


def _cuts(values: Floats, target: Places, classes: int, weights: Floats) -> Floats:
    """Return the cut points of Fayyad and Irani; possible cuts are counted by rows."""
    distinct, places = np.unique(values, return_inverse=True)
    if not len(distinct):
        return np.zeros(0)
    table = weights_by(places * classes + target, weights, len(distinct) * classes)
    table = table.reshape(len(distinct), classes)
    starts = block_starts(table)
    blocks = np.ascontiguousarray(np.add.reduceat(table, starts, axis=0).T)
    rows = np.add.reduceat(np.bincount(places, minlength=len(distinct)), starts)
    positions = starts[accepted_boundaries(blocks, rows)]
    return middles(distinct[positions - 1], distinct[positions])


class NaiveValidation:
    """Cross-validation of naive Bayes: it learns from all folds but one and predicts that fold.

    Parameters
    ----------
    data : TrainingRows
        The training rows.
    folds : int
        Number of folds.
    """

    def __init__(self, data: TrainingRows, folds: int) -> None:
        self.data, self.folds = data, folds

    def errors(self, share: Share) -> float:
        """Return the weight of the errors in a node; its rows are dealt to the folds in turn.

        Parameters
        ----------
        share : Share
            Rows of the node and their weights.

        Returns
        -------
        float
            Total weight of the rows that are predicted wrongly.
        """
        return self._errors(share, np.arange(len(share.rows)) % self.folds)

    def errors_of_branches(self, shares: list[Share]) -> float | None:
        """Return the weight of the errors in the branches of a node.

        The rows of a branch are dealt to the folds in turn, class after class. In a branch with
        fewer rows than folds, all rows are errors.

        Parameters
        ----------
        shares : list of Share
            Rows of each branch and their weights.

        Returns
        -------
        float or None
            Total weight of the errors. None unless two branches have at least as many rows as
            folds.
        """
        validated = [len(share.rows) >= self.folds for share in shares]
        if sum(validated) < 2:
            return None
        return sum(
            self._errors(share, self._stratified(share)) if enough else sum_of(share.weights)
            for share, enough in zip(shares, validated, strict=True)
        )

    def _stratified(self, share: Share) -> Places:
        """Return the fold of every row, dealt in turn class after class."""
        folds = np.empty(len(share.rows), dtype=np.intp)
        order = np.argsort(self.data.target[share.rows], kind="stable")
        folds[order] = np.arange(len(order)) % self.folds
        return folds

    def _errors(self, share: Share, folds: Places) -> float:
        """Return the weight of the errors for these folds; numbers are cut once for all folds."""
        classes, target = self.data.classes, self.data.target[share.rows]
        cells = folds * classes + target
        others = self._weights_of_other_folds(cells, share.weights, 1)[0]
        totals = others.sum(axis=1, keepdims=True)
        joint = (np.log(others + 1.0) - np.log(totals + classes))[folds]
        for column in coded_columns(self.data, share):
            known, values = column.known, column.values
            in_cells = column.codes * (self.folds * classes) + cells[known]
            others = self._weights_of_other_folds(in_cells, share.weights[known], values)
            terms = np.log(others + 1.0) - np.log(others.sum(axis=0) + values)
            joint[known] += terms[column.codes, folds[known]]
        top = joint.max(axis=1, keepdims=True) - _EVEN_LOGS
        return sum_of(share.weights[(joint >= top).argmax(axis=1) != target])

    def _weights_of_other_folds(self, cells: Places, weights: Floats, values: int) -> Floats:
        """Return the weights by value, fold and class, summed over all folds except that fold."""
        shape = values, self.folds, self.data.classes
        tally = weights_by(cells, weights, values * self.folds * self.data.classes).reshape(shape)
        others: Floats = tally.sum(axis=1, keepdims=True) - tally
        return others
