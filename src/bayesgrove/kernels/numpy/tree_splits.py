"""The tests that a C4.5 tree can use at a node, in numpy."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bayesgrove.kernels.numpy.trees import TIE, Share, TrainingRows, sum_of, sums_of, weights_by

if TYPE_CHECKING:
    from bayesgrove.kernels import Floats

_GAP = 1e-5
"""No threshold lies between values that are closer than this many units."""


class Split(NamedTuple):
    """A usable test and its quality.

    Parameters
    ----------
    gain : float
        Information gain in bits per row.
    ratio : float
        Gain ratio: the gain divided by the entropy of the branches.
    threshold : float
        Threshold of a numeric test, 0 for a nominal test.
    """

    gain: float
    ratio: float
    threshold: float


class SplitFinder:
    """Finder of the best test of a column.

    Parameters
    ----------
    data : TrainingRows
        The training rows.
    min_rows : float
        Least weight of a branch.
    mdl : bool
        Whether to reduce the gain of a numeric split by the bits that name its threshold among all
        possible thresholds.
    """

    def __init__(self, data: TrainingRows, min_rows: float, mdl: bool) -> None:
        self.data, self.min_rows, self.mdl = data, min_rows, mdl

    def split(self, column: int, share: Share, total: float) -> Split | None:
        """Return the best test of a column at a node.

        Parameters
        ----------
        column : int
            Number of the column.
        share : Share
            Rows of the node and their weights.
        total : float
            Total weight of these rows.

        Returns
        -------
        Split or None
            The test. None if the column has no usable test.
        """
        card = self.data.cards[column]
        if card:
            return self._nominal_split(column, card, share, total)
        return self._numeric_split(column, share, total)

    def _nominal_split(self, column: int, card: int, share: Share, total: float) -> Split | None:
        """Return the test with one branch per value."""
        codes, classes = self.data.columns[column][share.rows], self.data.classes
        known = codes < card
        cells = codes[known].astype(np.intp) * classes + self.data.target[share.rows[known]]
        table = weights_by(cells, share.weights[known], card * classes).reshape(card, classes)
        branch_weights = sums_of(table)
        if (self.min_rows - branch_weights < TIE).sum() < 2:
            return None
        weight = sum_of(branch_weights)
        inside = sum_of(_terms(branch_weights) - sums_of(_terms(table)))
        before = float(_terms(weight)) - sum_of(_terms(sums_of(table.T)))
        gain = float(_scaled(np.array(before - inside), weight, total))
        return Split(gain, _ratio(gain, branch_weights, weight, total), 0.0)

    def _numeric_split(self, column: int, share: Share, total: float) -> Split | None:
        """Return the test with two branches at the threshold with the largest gain."""
        values = self.data.columns[column][share.rows]
        known = np.flatnonzero(~np.isnan(values))
        order = known[np.argsort(values[known], kind="stable")]
        values, weights = values[order], share.weights[order]
        classes = self.data.target[share.rows[order]][:, None] == np.arange(self.data.classes)
        classes_below = np.cumsum(np.where(classes, weights[:, None], 0.0), axis=0)
        below = np.cumsum(weights)
        if len(below) < 2:
            return None
        weight, sums = float(below[-1]), classes_below[-1]
        least = self._min_part(weight)
        at = np.flatnonzero(values[:-1] + _GAP * self.data.units[column] < values[1:])
        at = at[(least - below[at] < TIE) & (least - (weight - below[at]) < TIE)]
        if len(at) == 0:
            return None
        lower = _terms(below[at]) - sums_of(_terms(classes_below[at]))
        upper = _terms(weight - below[at]) - sums_of(_terms(sums - classes_below[at]))
        before = float(_terms(weight)) - sum_of(_terms(sums))
        best, gain = _first_best(_scaled(before - (lower + upper), weight, total))
        gain -= math.log2(len(at)) / total if self.mdl else 0.0
        if gain < TIE:
            return None
        branch_weights = np.array([below[at[best]], weight - below[at[best]]])
        low, high = float(values[at[best]]), float(values[at[best] + 1])
        return Split(gain, _ratio(gain, branch_weights, weight, total), _middle(low, high))

    def _min_part(self, weight: float) -> float:
        """Return the least weight of a numeric branch: a tenth of the mean class, but at most 25.

        A tenth that does not exceed ``min_rows`` is replaced by ``min_rows``.
        """
        tenth = 0.1 * weight / self.data.classes
        return self.min_rows if tenth - self.min_rows < TIE else min(tenth, 25.0)


def _middle(low: float, high: float) -> float:
    """Return the midpoint of two numbers; it is never equal to the upper number."""
    point = low / 2.0 + high / 2.0
    return point if low <= point < high else low


def _scaled(gained: Floats, known: float, total: float) -> Floats:
    """Return the gain per row in bits, scaled by the share of rows with a known value."""
    part = known / total * gained
    scaled: Floats = np.where(part < TIE, 0.0, part / known)
    return scaled


def _ratio(gain: float, branch_weights: Floats, known: float, total: float) -> float:
    """Return the gain divided by the entropy of the branches; missing values are a branch."""
    bits = float(_terms(total)) - sum_of(_terms(branch_weights)) - float(_terms(total - known))
    return 0.0 if bits < TIE else gain / (bits / total)


def _first_best(gains: Floats) -> tuple[int, float]:
    """Return the place and value of the largest gain; ties (within `TIE`) go to the earlier."""
    best, largest, start = 0, 0.0, 0
    while True:
        better = np.flatnonzero(gains[start:] - largest > TIE)
        if len(better) == 0:
            return best, largest
        best = start + int(better[0])
        largest, start = float(gains[best]), best + 1


def _terms(x: Any) -> Floats:
    """Return ``x log2 x``, 0 for numbers below `TIE`."""
    x = np.asarray(x, dtype=np.float64)
    large = x >= TIE
    terms: Floats = np.where(large, x * np.log2(np.where(large, x, 1.0)), 0.0)
    return terms
