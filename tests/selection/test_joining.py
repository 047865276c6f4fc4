"""Joining attributes, against a plain transcription of the paper that leaves out each row."""

import itertools
import math

import numpy as np
import pytest

from bayesgrove import JoiningNaiveBayesClassifier, OptionError
from bayesgrove.parameters import joined_score
from bayesgrove.selection import Chain, InfoAS, Joining
from support import make_source, mixed_columns, validation_rows

CARDS = (2, 3, 2, 4, 2)
N_CLASSES = 3


def rows_of(seed, rows=60, missing=0.0):
    """Columns of codes, the class last; the code of a missing value is the cardinality."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, card, rows) for card in CARDS]
    columns[4] = np.where(rng.random(rows) < 0.8, columns[0], columns[4])
    y = (columns[0] ^ columns[2]) + (columns[1] == columns[3]) * (rng.random(rows) < 0.7)
    y = np.where(rng.random(rows) < 0.15, rng.integers(0, N_CLASSES, rows), y)
    gaps = [
        np.where(rng.random(rows) < missing, card, c)
        for c, card in zip(columns, CARDS, strict=True)
    ]
    return [*gaps, y], [*CARDS, N_CLASSES]


class Paper:
    """Naive Bayes over joined attributes, learned anew for every row that is predicted."""

    def __init__(self, columns, cards, cv, scoring, alpha=1.0, weights=None, seed=0):
        self.rows = list(zip(*(np.asarray(c).tolist() for c in columns[:-1]), strict=True))
        self.y, self.cards = np.asarray(columns[-1]).tolist(), cards
        self.weights = [1.0] * len(self.y) if weights is None else list(weights)
        self.cv, self.scoring, self.alpha, self.seed = cv, scoring, alpha, seed

    def value(self, row, group):
        values = tuple(self.rows[row][v] for v in group)
        known = all(x < self.cards[v] for x, v in zip(values, group, strict=True))
        return values if known else None

    def joint(self, row, groups, learning):
        """``ln P(c, row)`` of every class from the learning rows."""
        logs = []
        for c in range(self.cards[-1]):
            weight = sum(self.weights[i] for i in learning)
            own = sum(self.weights[i] for i in learning if self.y[i] == c)
            p = (own + self.alpha) / (weight + self.alpha * self.cards[-1])
            for group in groups:
                x = self.value(row, group)
                if x is None:
                    continue
                cells = math.prod(self.cards[v] for v in group)
                known = [i for i in learning if self.y[i] == c and self.value(i, group) is not None]
                same = sum(self.weights[i] for i in known if self.value(i, group) == x)
                total = sum(self.weights[i] for i in known) + self.alpha * cells
                p *= (same + self.alpha) / total if total > 0 else 1 / cells
            logs.append(math.log(p) if p > 0 else -math.inf)
        if max(logs) == -math.inf:
            return self.joint(row, [], learning)
        return logs

    def row_score(self, row, groups, learning):
        joint = self.joint(row, groups, learning)
        if self.scoring == "accuracy":
            best = next(c for c, value in enumerate(joint) if value > max(joint) - 1e-11)
            return float(best == self.y[row])
        return joint[self.y[row]] - np.logaddexp.reduce(joint)

    def splits(self):
        n = len(self.y)
        if self.cv == "leave-one-out":
            return [([i for i in range(n) if i != row], [row]) for row in range(n)]
        return validation_rows(self.cv, n, self.seed)

    def score(self, groups):
        splits = [
            (
                sum(self.weights[i] * self.row_score(i, groups, learning) for i in predicted),
                sum(self.weights[i] for i in predicted),
            )
            for learning, predicted in self.splits()
        ]
        if self.cv == "leave-one-out":
            return sum(score for score, _ in splits) / sum(weight for _, weight in splits)
        return np.mean([score / weight for score, weight in splits])

    def joinable(self, group):
        return math.prod(self.cards[v] for v in group) <= len(self.y)

    def backward_changes(self, groups):
        for one, two in itertools.combinations(groups, 2):
            new = tuple(sorted(one + two))
            if self.joinable(new):
                rest = [group for group in groups if group not in (one, two)]
                yield "joined", new, sorted([*rest, new])
        for one in groups:
            yield "removed", one, [group for group in groups if group != one]

    def forward_changes(self, groups):
        used = {v for group in groups for v in group}
        unused = [v for v in range(len(self.cards) - 1) if v not in used]
        for v in unused:
            yield "added", (v,), sorted([*groups, (v,)])
        for v in unused:
            for group in groups:
                new = tuple(sorted((*group, v)))
                if self.joinable(new):
                    yield "joined", new, sorted([*(g for g in groups if g != group), new])

    def path(self, direction, ties="stop"):
        """The steps (kind, group, score) and the final groups."""
        everything = [(v,) for v in range(len(self.cards) - 1)]
        groups = everything if direction == "backward" else []
        changes_of = self.backward_changes if direction == "backward" else self.forward_changes
        steps, value = [], self.score(groups)
        while changes := list(changes_of(groups)):
            values = [self.score(new) for _, _, new in changes]
            best = next(k for k, v in enumerate(values) if v > max(values) - 1e-10)
            margin = 1e-10 if ties == "stop" else -1e-10
            if not values[best] > value + margin:
                break
            kind, group, groups = changes[best]
            value = values[best]
            steps.append((kind, group, value))
        return steps, groups


def assert_same(selection, expected, names):
    steps, groups = expected
    found = [(s.change, (s.attribute, *s.others)) for s in selection.path]
    assert found == [(kind, tuple(names[v] for v in group)) for kind, group, _ in steps]
    np.testing.assert_allclose([s.value for s in selection.path], [v for *_, v in steps], 1e-10)
    assert list(selection.groups) == groups
    assert sorted(selection.attributes) == sorted(v for group in groups for v in group)


@pytest.mark.parametrize("scoring", ["accuracy", "log_loss"])
@pytest.mark.parametrize("direction", ["backward", "forward"])
def test_every_step_is_that_of_leaving_out_each_row(direction, scoring):
    kinds = set()
    for seed in range(4):
        columns, cards = rows_of(seed)
        ties = "continue" if seed == 3 else "stop"
        counts = make_source(columns, cards)
        selection = Joining(direction, scoring=scoring, ties=ties).select(counts)
        expected = Paper(columns, cards, "leave-one-out", scoring).path(direction, ties)
        assert_same(selection, expected, counts.names)
        kinds |= {step.change for step in selection.path}
    assert "joined" in kinds
    assert kinds - {"joined"}


@pytest.mark.parametrize("cv", ["halves", "training", 3])
@pytest.mark.parametrize("direction", ["backward", "forward"])
def test_every_step_is_that_of_the_splits(direction, cv):
    columns, cards = rows_of(4)
    counts = make_source(columns, cards)
    selection = Joining(direction, cv, alpha=0.5, random_state=7).select(counts)
    expected = Paper(columns, cards, cv, "accuracy", alpha=0.5, seed=7).path(direction)
    assert expected[0]
    assert_same(selection, expected, counts.names)


@pytest.mark.parametrize("alpha", [0.0, 0.3])
def test_weights_and_missing_values_count_as_in_the_plain_loops(alpha):
    columns, cards = rows_of(2, missing=0.15)
    weights = np.random.default_rng(2).choice([0.5, 1.0, 3.0], len(columns[0]))
    counts = make_source(columns, cards, weights=weights)
    for direction in ["backward", "forward"]:
        selection = Joining(direction, alpha=alpha).select(counts)
        expected = Paper(columns, cards, "leave-one-out", "accuracy", alpha, weights)
        assert_same(selection, expected.path(direction), counts.names)


def test_rows_in_blocks_and_batches_give_the_same_steps(monkeypatch):
    columns, cards = rows_of(1)
    expected = Joining().select(make_source(columns, cards))
    assert expected.path
    for numbers in [1, 40, 500]:
        monkeypatch.setattr(joined_score, "MAX_NUMBERS", numbers)
        assert Joining().select(make_source(columns, cards)) == expected
        assert Joining().select(make_source(columns, cards, ends=[7, 31, 60])) == expected


def test_the_parity_of_two_columns_needs_their_join():
    columns, cards = (
        [list(c) for c in zip(*itertools.product([0, 1], repeat=3), strict=True)],
        [2, 2, 2, 2],
    )
    columns = [c * 4 for c in columns]
    columns.append([a ^ b for a, b in zip(columns[0], columns[2], strict=True)])
    selection = Joining().select(make_source(columns, cards))
    assert selection.groups == ((0, 2), (1,))
    assert [(s.label, s.value) for s in selection.path] == [("* x0 + x2", 1.0)]


def test_columns_with_more_joint_values_than_rows_are_not_joined():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 6, 40), rng.integers(0, 7, 40)
    y = (a + b) % 2
    joined = Joining(cv="training").select(make_source([a, b, y], [6, 6 + 1, 2]))
    assert joined.groups != ((0, 1),)
    more = [np.tile(c, 2) for c in (a, b, y)]
    joined = Joining(cv="training").select(make_source(more, [6, 7, 2]))
    assert joined.groups == ((0, 1),)


def test_the_attributes_of_a_forward_search_are_in_the_order_of_selection():
    columns, cards = rows_of(0)
    selection = Joining("forward").select(make_source(columns, cards))
    assert len(selection.attributes) > 1
    first = [int(name[1:]) for name in (selection.path[0].attribute,)]
    assert list(selection.attributes[:1]) == first
    assert selection.attributes != tuple(sorted(selection.attributes))


def test_a_chain_keeps_the_groups_of_joining():
    columns, cards = rows_of(1)
    counts = make_source(columns, cards)
    chained = Chain(InfoAS("cgr"), Joining()).select(counts)
    kept = InfoAS("cgr").select(counts).attributes
    alone = Joining().select(counts.restrict(kept))
    assert chained.groups == tuple(tuple(kept[v] for v in group) for group in alone.groups)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"direction": "both"}, "direction='both' must be 'backward' or 'forward'"),
        ({"cv": "loo"}, "cv='loo' must be 'leave-one-out' or 'halves' or 'training'"),
        ({"cv": 1}, "cv=1 must be 'leave-one-out', 'halves', 'training' or a number of folds"),
        ({"scoring": "auc"}, "scoring='auc' must be 'accuracy' or 'log_loss'"),
        ({"ties": "go"}, "ties='go' must be"),
        ({"alpha": -1}, "alpha=-1 must be"),
    ],
)
def test_wrong_options_are_named(options, message):
    columns, cards = mixed_columns(0, 2)
    with pytest.raises(OptionError, match=message):
        Joining(**options).select(make_source(columns, cards))


def test_the_classifier_and_the_selector_find_the_same_groups():
    columns, cards = rows_of(3)
    X, y = np.array(columns[:-1]).T, columns[-1]
    model = JoiningNaiveBayesClassifier("forward", categorical_features="all").fit(X, y)
    selection = Joining("forward").select(make_source(columns, cards))
    assert model.path_ == list(selection.path)
    assert model.selected_ == [f"x{v}" for v in selection.attributes]
    assert model.groups_ == [tuple(f"x{v}" for v in group) for group in selection.groups]
