"""Joining attributes: naive Bayes over attributes that are joined where that predicts better.

M. Pazzani (1996). Searching for dependencies in Bayesian classifiers. Learning from Data:
Artificial Intelligence and Statistics V, Lecture Notes in Statistics 112, 239-248.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING

from bayesgrove._utils.options import require_choice, require_number
from bayesgrove._utils.ties import MEAN_NOISE
from bayesgrove.contracts import Selection, Step
from bayesgrove.parameters.joined_score import Change, JoinedScore
from bayesgrove.scores.prediction import SCORINGS
from bayesgrove.search import TIES, first_best, is_accepted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bayesgrove.counts import CountSource
    from bayesgrove.parameters.joined_score import Group


@dataclass(frozen=True)
class Joining:
    """Greedy search for the attributes, and joins of attributes, with which naive Bayes is best.

    A joined attribute has the joint values of its members as values, so that naive Bayes does not
    assume that they are independent. "backward" is Pazzani's backward sequential elimination and
    joining (BSEJ): it starts with all attributes, and each step joins two of the current attributes
    or deletes one. "forward" is his forward sequential selection and joining (FSSJ): it starts
    with no attributes, and each step adds an unused attribute or joins it with a current one. A
    step makes the change with the best score. The search ends when no change improves the score.

    Ties between changes go to joins in a backward search and to additions in a forward search, then
    to the earlier columns. Attributes with more joint values than there are rows are never joined.
    A joined attribute is missing in a row where one of its members is missing.

    Parameters
    ----------
    direction : {"backward", "forward"}, default="backward"
        "backward" starts with all attributes, and "forward" with none.
    cv : int or {"leave-one-out", "halves", "training"}, default="leave-one-out"
        Which rows are used for learning, and which for validation. "leave-one-out" validates on
        every row with the counts of all other rows, as Pazzani does. "halves" learns from a random
        half of the rows and validates on the other half. "training" learns from all rows and
        validates on all rows. An integer is the number of folds of a cross-validation.
    scoring : {"accuracy", "log_loss"}, default="accuracy"
        The score of the predictions. "accuracy" is the share of rows whose most probable class is
        the true class. "log_loss" is the mean log-probability of the true class; larger is better.
    ties : {"stop", "continue"}, default="stop"
        What to do when the best change leaves the score unchanged. "stop" goes on only while the
        score increases. "continue" also goes on while the score remains unchanged.
    alpha : float, default=1.0
        The pseudo-count of every joint value, at least 0.
    random_state : int, default=0
        The seed that fixes how ``cv`` divides the rows.

    References
    ----------
    M. Pazzani (1996). Searching for dependencies in Bayesian classifiers. Learning from Data:
    Artificial Intelligence and Statistics V, Lecture Notes in Statistics 112, 239-248.

    M. Pazzani (1996). Constructive induction of Cartesian product attributes. Information,
    Statistics and Induction in Science (ISIS-96), 66-77.

    Examples
    --------
    >>> from bayesgrove import JoiningNaiveBayesClassifier
    >>> X = [[a, b, c] for a in "ny" for b in "ny" for c in "ny"] * 6
    >>> y = ["same" if row[0] == row[1] else "different" for row in X]
    >>> print(JoiningNaiveBayesClassifier("backward").fit(X, y).path_text())
    step  attribute     value    cells
    1     * x0 + x1         1        8
    """

    direction: str = "backward"
    cv: int | str = "leave-one-out"
    scoring: str = "accuracy"
    ties: str = "stop"
    alpha: float = 1.0
    random_state: int = 0

    @property
    def weights_repeat_rows(self) -> bool:
        """Whether a row of weight 2 has the same effect as two copies of the row."""
        return self.cv == "training"

    def select(self, counts: CountSource) -> Selection:
        """Join, add or delete attributes while the score of naive Bayes improves.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.

        Returns
        -------
        Selection
            The selected attributes, one step per change with the score after the step, and the
            groups of joined attributes. The attributes are in the order in which they were
            selected, or in the order of the columns after a backward search.
        """
        self._check()
        score = JoinedScore(self.cv, self.scoring, self.alpha, self.random_state)
        splits = score.splits(counts)
        attributes = range(counts.n_attributes)
        groups: list[Group] = [(v,) for v in attributes] if self.direction == "backward" else []
        selected = _members(groups)
        path: list[Step] = []
        value = float(score.after(splits, groups, [Change((), ())])[0])
        while changes := list(self._changes(counts, groups)):
            values = score.after(splits, groups, changes)
            best = first_best(values, MEAN_NOISE)
            if not is_accepted(float(values[best]), value, self.ties):
                break
            value, change = float(values[best]), changes[best]
            name, *others = (counts.names[v] for v in change.new or groups[change.old[0]])
            groups = _changed(groups, change)
            selected = _in_order(selected, groups)
            cells = counts.joint_values(selected)
            path.append(Step(name, value, cells, _kind(change), tuple(others)))
        return Selection(tuple(selected), tuple(path), tuple(groups))

    def _changes(self, counts: CountSource, groups: list[Group]) -> Iterator[Change]:
        """Yield the changes that one step considers. Earlier ones win ties."""
        places = range(len(groups))
        if self.direction == "backward":
            for i, j in combinations(places, 2):
                yield from _join(counts, (i, j), groups[i] + groups[j])
            for i in places:
                yield Change((i,), ())
            return
        unused = sorted(set(range(counts.n_attributes)).difference(_members(groups)))
        for v in unused:
            yield Change((), (v,))
        for v in unused:
            for i in places:
                yield from _join(counts, (i,), (*groups[i], v))

    def _check(self) -> None:
        require_choice("direction", self.direction, ("backward", "forward"))
        require_choice("scoring", self.scoring, SCORINGS)
        require_choice("ties", self.ties, TIES)
        require_number("alpha", self.alpha, lowest=0)


def _join(counts: CountSource, old: tuple[int, ...], members: Group) -> Iterator[Change]:
    """Yield the join of some attributes, unless they have more joint values than there are rows."""
    if prod(counts.cards[v] for v in members) <= counts.rows:
        yield Change(old, tuple(sorted(members)))


def _changed(groups: list[Group], change: Change) -> list[Group]:
    """Return the groups after a change, by their first attributes."""
    kept = [group for place, group in enumerate(groups) if place not in change.old]
    return sorted([*kept, change.new] if change.new else kept)


def _kind(change: Change) -> str:
    """Return the name of a change in a step of a selection."""
    if not change.new:
        return "removed"
    return "joined" if change.old else "added"


def _members(groups: list[Group]) -> list[int]:
    """Return the attributes of all groups."""
    return [v for group in groups for v in group]


def _in_order(selected: list[int], groups: list[Group]) -> list[int]:
    """Return the attributes of the groups: those selected before in their order, then new ones."""
    members = _members(groups)
    return [v for v in selected if v in members] + [v for v in members if v not in selected]
