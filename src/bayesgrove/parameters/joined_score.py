"""How well naive Bayes over joined attributes predicts, after each of many changes of the joins."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bayesgrove._utils.options import require_choice
from bayesgrove.counts import Family
from bayesgrove.parameters.dirichlet import class_logs, normalise
from bayesgrove.scores.prediction import fill_impossible, row_scores
from bayesgrove.scores.validation_splits import LEAVE_ONE_OUT, validation_splits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Floats

Group = tuple[int, ...]
"""The attributes that are joined into one, in ascending order."""
MAX_NUMBERS = 1 << 22
"""Numbers in the tables of the changes, or in the terms of a block of rows, at a time."""


class Change(NamedTuple):
    """One change of the groups.

    Parameters
    ----------
    old : tuple of int
        Places of the groups that the change takes away: at most two, in ascending order.
    new : tuple of int
        The group that takes their place; empty if there is none.
    """

    old: tuple[int, ...]
    new: Group


@dataclass(frozen=True)
class JoinedScore:
    """The mean score of naive Bayes over joined attributes.

    Parameters
    ----------
    cv : int or {"leave-one-out", "halves", "training"}
        Which rows are used for learning, and which for validation.
    scoring : {"accuracy", "log_loss"}
        The score of the predictions.
    alpha : float
        The pseudo-count of every joint value.
    random_state : int
        The seed that fixes how ``cv`` divides the rows.
    """

    cv: Any
    scoring: str
    alpha: float
    random_state: int

    def splits(self, counts: CountSource) -> list[tuple[CountSource, CountSource]]:
        """Return the learning rows and the validation rows of each split."""
        if isinstance(self.cv, str):
            require_choice("cv", self.cv, (LEAVE_ONE_OUT, "halves", "training"))
        if isinstance(self.cv, str) and self.cv == LEAVE_ONE_OUT:
            return [(counts, counts)]
        return validation_splits(counts, self.cv, self.random_state, LEAVE_ONE_OUT)

    def after(
        self,
        splits: Sequence[tuple[CountSource, CountSource]],
        groups: Sequence[Group],
        changes: Sequence[Change],
    ) -> Floats:
        """Return the score after each change of the groups.

        Parameters
        ----------
        splits : sequence of tuple of CountSource and CountSource
            The result of `splits`.
        groups : sequence of tuple of int
            The current groups.
        changes : sequence of Change
            The changes. Each is made alone.

        Returns
        -------
        ndarray of shape (n_changes,)
            The mean scores; larger is better.
        """
        means = []
        for some in _portions(changes, splits[0][0].cards):
            made = [*groups, *(change.new for change in some if change.new)]
            summed = []
            for learning, validation in splits:
                tables = JointTables(learning, made, self.alpha, self.cv == LEAVE_ONE_OUT)
                measure = partial(self._measure, tables, groups, some)
                summed.append(validation.reduce(measure, np.add) / validation.total)
            means.append(np.mean(summed, axis=0))
        return np.concatenate(means)

    def _measure(
        self, tables: JointTables, groups: Sequence[Group], changes: list[Change], part: Encoded
    ) -> Floats:
        """Return the summed scores of some rows, one per change."""
        scores = np.zeros(len(changes))
        for block in _blocks(part, MAX_NUMBERS // (part.n_classes * (2 * len(groups) + 4))):
            prior = tables.prior(block)
            sums = _Sums(prior, [tables.terms(block, group) for group in groups])
            for place, change in enumerate(changes):
                joint = sums.without(change.old)
                if change.new:
                    joint = joint + tables.terms(block, change.new)
                scores[place] += row_scores(fill_impossible(joint.T, prior.T), block, self.scoring)
        return scores


class JointTables:
    """The probability tables of joined attributes given the class, from counts.

    With ``leave_one_out``, the terms of a row are those of the counts without the row: only its own
    class has other counts.
    """

    def __init__(
        self, counts: CountSource, groups: Iterable[Group], alpha: float, leave_one_out: bool
    ) -> None:
        self._cards = counts.cards
        self._alpha = alpha
        self._leave_one_out = leave_one_out
        self._class_counts = counts.class_counts
        distinct = list(dict.fromkeys(groups))
        families = [Family(group[-1], group[:-1], given_class=True) for group in distinct]
        tables = counts.tables(families)
        self._counts = {
            group: table.whole.transpose(1, 0, 2).reshape(counts.n_classes, -1)
            for group, table in zip(distinct, tables, strict=True)
        }
        self._logs = {group: class_logs(cells, alpha) for group, cells in self._counts.items()}

    def prior(self, block: Encoded) -> Floats:
        """Return ``ln P(class)`` of rows, shape (classes, rows)."""
        weights = np.repeat(self._class_counts[None, :], block.rows, axis=0)
        if self._leave_one_out:
            true_class = np.arange(block.rows), block.column(len(block.columns))
            weights[true_class] = np.maximum(weights[true_class] - _weights(block), 0.0)
        with np.errstate(divide="ignore"):
            return np.ascontiguousarray(np.log(normalise(weights + self._alpha)).T)

    def terms(self, block: Encoded, group: Group) -> Floats:
        """Return ``ln P(joint value | class)`` of rows, shape (classes, rows)."""
        codes = self._codes(block, group)
        terms: Floats = self._logs[group].take(codes, axis=1)
        if self._leave_one_out:
            known = np.flatnonzero(codes < self._counts[group].shape[1])
            classes = block.column(len(block.columns))[known]
            terms[classes, known] = self._own(group, classes, codes[known], _weights(block)[known])
        return terms

    def _codes(self, block: Encoded, group: Group) -> NDArray[np.intp]:
        """Return the joint values of rows as codes; a row with a missing member has the last."""
        codes: NDArray[np.intp] = block.columns[group[0]].astype(np.intp)
        missing = codes >= self._cards[group[0]]
        for attribute in group[1:]:
            card = self._cards[attribute]
            missing |= block.columns[attribute] >= card
            codes = codes * card + block.columns[attribute]
        codes[missing] = self._counts[group].shape[1]
        return codes

    def _own(
        self, group: Group, classes: NDArray[Any], codes: NDArray[np.intp], weights: Floats
    ) -> Floats:
        """Return the terms of the rows' own classes, from the counts without each row."""
        counts = self._counts[group]
        cells = counts.shape[1]
        inside = np.maximum(counts[classes, codes] - weights, 0.0) + self._alpha
        total = np.maximum(counts.sum(axis=1)[classes] - weights, 0.0) + self._alpha * cells
        with np.errstate(divide="ignore"):
            return np.log(
                np.where(total > 0, inside / np.where(total > 0, total, 1.0), 1.0 / cells)
            )


class _Sums:
    """Sums of the terms of all groups but some, made by additions only.

    A subtraction would not be possible if the logarithm of a probability of 0 is a term.
    """

    def __init__(self, prior: Floats, terms: list[Floats]) -> None:
        self._terms = terms
        self._heads, self._tails = [prior], [np.zeros_like(prior)]
        for term in terms:
            self._heads.append(self._heads[-1] + term)
        for term in reversed(terms):
            self._tails.append(self._tails[-1] + term)
        self._tails.reverse()
        self._from, self._to, self._sum = 0, 1, prior

    def without(self, places: tuple[int, ...]) -> Floats:
        """Return the sum without the groups at no place, at one place, or at two places."""
        if not places:
            return self._heads[-1]
        first, last = places[0], places[-1]
        return self._between(first, last) + self._tails[last + 1]

    def _between(self, first: int, last: int) -> Floats:
        """Return the sum before ``last`` without ``first``; it grows from the call before."""
        if first != self._from or last < self._to:
            self._from, self._to, self._sum = first, first + 1, self._heads[first]
        while self._to < last:
            self._sum = self._sum + self._terms[self._to]
            self._to += 1
        return self._sum


def _portions(changes: Sequence[Change], cards: Sequence[int]) -> Iterator[list[Change]]:
    """Yield the changes in portions whose new tables fit into memory together."""
    portion: list[Change] = []
    numbers = 0
    for change in changes:
        size = cards[-1] * math.prod(cards[v] for v in change.new)
        if portion and numbers + size > MAX_NUMBERS:
            yield portion
            portion, numbers = [], 0
        portion.append(change)
        numbers += size
    yield portion


def _blocks(part: Encoded, size: int) -> Iterator[Encoded]:
    """Yield the rows of a part in blocks of ``size`` rows, at least one."""
    size = max(1, size)
    for start in range(0, part.rows, size):
        yield part.take(np.arange(start, min(start + size, part.rows)))


def _weights(block: Encoded) -> Floats:
    """Return the weights of rows; 1 for rows without weights."""
    return np.ones(block.rows) if block.weights is None else block.weights
