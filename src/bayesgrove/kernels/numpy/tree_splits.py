"""What a C4.5 tree can test at a node, in numpy."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bayesgrove.kernels.numpy.trees import TIE, Share, TrainingRows, sum_of, sums_of, weights_by

if TYPE_CHECKING:
    from bayesgrove.kernels import Floats

_GAP = 1e-5
"""Values closer than so many units are not cut apart."""


class Split(NamedTuple):
    """A test that can be used, and how good it is."""

    gain: float
    ratio: float
    threshold: float


class SplitFinder:
    """The best test of every column."""

    def __init__(self, data: TrainingRows, min_rows: float, mdl: bool) -> None:
        self.data, self.min_rows, self.mdl = data, min_rows, mdl

    def split(self, column: int, share: Share, total: float) -> Split | None:
        """The test of a column at a node with rows of this total weight, if there is one."""
        card = self.data.cards[column]
        return self._fan(column, card, share, total) if card else self._cut(column, share, total)

    def _fan(self, column: int, card: int, share: Share, total: float) -> Split | None:
        """One branch a value."""
        codes, classes = self.data.columns[column][share.rows], self.data.classes
        known = codes < card
        cells = codes[known].astype(np.intp) * classes + self.data.target[share.rows[known]]
        table = weights_by(cells, share.weights[known], card * classes).reshape(card, classes)
        bags = sums_of(table)
        if (self.min_rows - bags < TIE).sum() < 2:
            return None
        weight = sum_of(bags)
        inside = sum_of(_terms(bags) - sums_of(_terms(table)))
        before = float(_terms(weight)) - sum_of(_terms(sums_of(table.T)))
        gain = float(_scaled(np.array(before - inside), weight, total))
        return Split(gain, _ratio(gain, bags, weight, total), 0.0)

    def _cut(self, column: int, share: Share, total: float) -> Split | None:
        """Two branches at the threshold with the largest gain."""
        values = self.data.columns[column][share.rows]
        known = np.flatnonzero(~np.isnan(values))
        order = known[np.argsort(values[known], kind="stable")]
        values, weights = values[order], share.weights[order]
        classes = self.data.target[share.rows[order]][:, None] == np.arange(self.data.classes)
        below = np.cumsum(np.where(classes, weights[:, None], 0.0), axis=0)
        left = np.cumsum(weights)
        if len(left) < 2:
            return None
        weight, sums, least = float(left[-1]), below[-1], self._least_part(float(left[-1]))
        at = np.flatnonzero(values[:-1] + _GAP * self.data.units[column] < values[1:])
        at = at[(least - left[at] < TIE) & (least - (weight - left[at]) < TIE)]
        if len(at) == 0:
            return None
        lower = _terms(left[at]) - sums_of(_terms(below[at]))
        upper = _terms(weight - left[at]) - sums_of(_terms(sums - below[at]))
        before = float(_terms(weight)) - sum_of(_terms(sums))
        best, gain = _first_best(_scaled(before - (lower + upper), weight, total))
        gain -= math.log2(len(at)) / total if self.mdl else 0.0
        if gain < TIE:
            return None
        bags = np.array([left[at[best]], weight - left[at[best]]])
        low, high = float(values[at[best]]), float(values[at[best] + 1])
        return Split(gain, _ratio(gain, bags, weight, total), _middle(low, high))

    def _least_part(self, weight: float) -> float:
        """Each part of a numeric split has a tenth of the mean class, but not more than 25 rows."""
        tenth = 0.1 * weight / self.data.classes
        return self.min_rows if tenth - self.min_rows < TIE else min(tenth, 25.0)


def _middle(low: float, high: float) -> float:
    point = low / 2.0 + high / 2.0
    return point if low <= point < high else low


def _scaled(gained: Floats, known: float, total: float) -> Floats:
    """What the known rows gain, in bits a row, times the share of them."""
    part = known / total * gained
    scaled: Floats = np.where(part < TIE, 0.0, part / known)
    return scaled


def _ratio(gain: float, bags: Floats, known: float, total: float) -> float:
    """Gain by bits that tell the branch; rows with a missing value are one more branch."""
    bits = float(_terms(total)) - sum_of(_terms(bags)) - float(_terms(total - known))
    return 0.0 if bits < TIE else gain / (bits / total)


def _first_best(gains: Floats) -> tuple[int, float]:
    """The place and value of the largest gain; a later one must be larger by more than a tie."""
    best, most, start = 0, 0.0, 0
    while True:
        better = np.flatnonzero(gains[start:] - most > TIE)
        if len(better) == 0:
            return best, most
        best = start + int(better[0])
        most, start = float(gains[best]), best + 1


def _terms(x: Any) -> Floats:
    """``x log2 x``, 0 for what is next to nothing."""
    x = np.asarray(x, dtype=np.float64)
    large = x >= TIE
    terms: Floats = np.where(large, x * np.log2(np.where(large, x, 1.0)), 0.0)
    return terms
