"""The errors of naive Bayes in a node and in branches of it, by cross-validation, in numpy."""

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
    """A column of a node as codes: which of the rows have one, the codes, and the cuts."""

    known: Places
    codes: Places
    values: int
    cuts: Floats


def coded_columns(data: TrainingRows, share: Share) -> Iterator[CodedColumn]:
    """All columns of a node; numbers are cut by the rows at hand."""
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
    """Those of Fayyad and Irani; the rows are counted, the weights are not, as places for a cut."""
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
    """Naive Bayes on all folds but one tells the classes of the rows of that one."""

    def __init__(self, data: TrainingRows, folds: int) -> None:
        self.data, self.folds = data, folds

    def errors(self, share: Share) -> float:
        """Those of a node: folds get the rows in turn."""
        return self._errors(share, np.arange(len(share.rows)) % self.folds)

    def errors_of_branches(self, shares: list[Share]) -> float | None:
        """Folds get the rows in turn, class after class; None unless two branches have enough.

        All rows of branches with fewer rows than folds are errors.
        """
        judged = [len(share.rows) >= self.folds for share in shares]
        if sum(judged) < 2:
            return None
        return sum(
            self._errors(share, self._stratified(share)) if enough else sum_of(share.weights)
            for share, enough in zip(shares, judged, strict=True)
        )

    def _stratified(self, share: Share) -> Places:
        folds = np.empty(len(share.rows), dtype=np.intp)
        order = np.argsort(self.data.target[share.rows], kind="stable")
        folds[order] = np.arange(len(order)) % self.folds
        return folds

    def _errors(self, share: Share, folds: Places) -> float:
        """Numbers are cut once for all folds."""
        classes, target = self.data.classes, self.data.target[share.rows]
        cells = folds * classes + target
        left = self._left(cells, share.weights, 1)[0]
        joint = (np.log(left + 1.0) - np.log(left.sum(axis=1, keepdims=True) + classes))[folds]
        for column in coded_columns(self.data, share):
            known, values = column.known, column.values
            in_cells = column.codes * (self.folds * classes) + cells[known]
            left = self._left(in_cells, share.weights[known], values)
            terms = np.log(left + 1.0) - np.log(left.sum(axis=0) + values)
            joint[known] += terms[column.codes, folds[known]]
        top = joint.max(axis=1, keepdims=True) - _EVEN_LOGS
        return sum_of(share.weights[(joint >= top).argmax(axis=1) != target])

    def _left(self, cells: Places, weights: Floats, values: int) -> Floats:
        """Weights of values, folds and classes when the fold is taken out."""
        shape = values, self.folds, self.data.classes
        tally = weights_by(cells, weights, values * self.folds * self.data.classes).reshape(shape)
        left: Floats = tally.sum(axis=1, keepdims=True) - tally
        return left
