"""The global monitor against a plain loop that counts the rows before each row anew."""

import itertools
import math

import numpy as np
import pytest

from bayesgrove import (
    CBClassifier,
    K2ASClassifier,
    K2Classifier,
    OptionError,
    SelectiveNaiveBayesClassifier,
    load_dataset,
    load_model,
    save_model,
)
from bayesgrove.network import Structure
from bayesgrove.scores.monitor import Monitor
from bayesgrove.selection import SelectiveNaive, Wrapper
from bayesgrove.structures import CB, K2, TAN, Naive
from support import make_source, mixed_columns


class Loop:
    """``sum_m ln P(c_m | x_m, rows before m)`` from counts of the rows before each row."""

    def __init__(self, columns, cards, alpha=1.0, weights=None):
        self.rows = list(zip(*(np.asarray(c).tolist() for c in columns), strict=True))
        self.cards, self.alpha = cards, alpha
        self.weights = [1.0] * len(self.rows) if weights is None else weights

    def probability(self, m, c, child, parents):
        """P(child | parents) of row m if its class were c; None if a member is missing."""
        family = [*parents, child]
        row = [*self.rows[m][:-1], c]
        if any(row[v] >= self.cards[v] for v in family):
            return None
        cell = config = 0.0
        for other, weight in zip(self.rows[:m], self.weights[:m], strict=True):
            if any(other[v] >= self.cards[v] for v in family):
                continue
            if all(other[v] == row[v] for v in parents):
                config += weight
                cell += weight * (other[child] == row[child])
        return (cell + self.alpha) / (config + self.alpha * self.cards[child])

    def monitor(self, parent_sets):
        total = 0.0
        for m in range(len(self.rows)):
            joint = [
                math.prod(
                    p
                    for child, parents in parent_sets.items()
                    if (p := self.probability(m, c, child, parents)) is not None
                )
                for c in range(self.cards[-1])
            ]
            total += self.weights[m] * math.log(joint[self.rows[m][-1]] / sum(joint))
        return total


def small(seed, rows=30, missing=0.0):
    columns, cards = mixed_columns(seed, 2, rows=rows, cards=(2, 3, 2, 2, 3))
    rng = np.random.default_rng(seed)
    gaps = [np.where(rng.random(rows) < missing, k, c) for c, k in zip(columns, cards, strict=True)]
    return [*gaps[:-1], columns[-1]], cards


STRUCTURES = [
    {0: (4,), 1: (4,), 2: (4,), 3: (4,), 4: ()},
    {0: (4,), 1: (0, 4), 2: (0, 1, 4), 3: (1, 4), 4: ()},
    {0: (), 1: (0,), 2: (4, 1), 3: (4,), 4: (0, 1)},
]


def structure_of(parents):
    return Structure(tuple(parents[v] for v in range(len(parents))))


def test_three_rows_by_hand():
    # Row 1: 1/2. Row 2: class priors 2/3 and 1/3, P(x=0) 2/3 and 1/2: 3/11. Row 3: 1/2.
    counts = make_source([[0, 0, 1], [0, 1, 0]], [2, 2])
    assert Monitor(counts).of(Structure(((1,), ()))) == pytest.approx(math.log(3 / 44), rel=1e-13)


@pytest.mark.parametrize("parents", STRUCTURES)
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_the_monitor_is_that_of_the_loop(parents, missing):
    for seed, alpha in enumerate([1.0, 0.3]):
        columns, cards = small(seed, missing=missing)
        for weights in [None, np.random.default_rng(seed).choice([0.5, 1.0, 3.0], 30)]:
            counts = make_source(columns, cards, weights=weights)
            found = Monitor(counts, alpha=alpha).of(structure_of(parents))
            expected = Loop(columns, cards, alpha, weights).monitor(parents)
            assert found == pytest.approx(expected, rel=1e-11)


def greedy(loop, order, max_parents=None):
    """K2 by the monitor of the nodes handled so far, each candidate computed anew."""
    chosen = {}
    for position, child in enumerate(order):
        chosen[child] = ()
        value = loop.monitor(chosen)
        while max_parents is None or len(chosen[child]) < max_parents:
            free = [v for v in order[:position] if v not in chosen[child]]
            values = [loop.monitor({**chosen, child: (*chosen[child], v)}) for v in free]
            if not values or max(values) < value + 1e-7:
                break
            best = next(k for k, v in enumerate(values) if v > max(values) - 1e-7)
            chosen[child], value = (*chosen[child], free[best]), values[best]
    return chosen


@pytest.mark.parametrize("order", [[4, 0, 1, 2, 3], [1, 0, 4, 3, 2]])
def test_k2_adds_the_parent_that_most_improves_the_monitor(order):
    used = set()
    for seed in range(3):
        columns, cards = small(seed)
        names = [*(f"x{v}" for v in range(4)), "class"]
        found = K2([names[v] for v in order], 2, "monitor").learn(make_source(columns, cards))
        expected = greedy(Loop(columns, cards), order, 2)
        assert found.parents == tuple(expected[v] for v in range(5))
        used |= {len(parents) for parents in found.parents}
    assert max(used) == 2


def test_cb_stops_by_the_monitor():
    differ = set()
    for seed in range(6):
        columns, cards = small(seed, rows=60)
        counts, loop = make_source(columns, cards), Loop(columns, cards)
        found = CB(level=0.3, stop_by="monitor").learn(counts)
        networks = [
            CB(level=0.3, max_order=o, stop_by="score")._structures(counts) for o in range(4)
        ]
        structures = [list(network)[-1] for network in networks]
        best = 0
        values = [loop.monitor(dict(enumerate(s.parents))) for s in structures]
        while best + 1 < len(values) and values[best + 1] > values[best] + 1e-7:
            best += 1
        assert found == structures[best]
        differ.add(best)
    assert len(differ) > 1


@pytest.mark.parametrize("learner", [Naive(), TAN()])
def test_the_wrapper_adds_attributes_by_the_monitor(learner):
    columns, cards = small(2, rows=40)
    counts = make_source(columns, cards)

    def score(subset):
        chosen = (
            [columns[v] for v in [*subset, 4]],
            [cards[v] for v in [*subset, 4]],
        )
        parents = learner.learn(make_source(*chosen)).parents
        return Loop(*chosen).monitor(dict(enumerate(parents))) / 40

    subset, steps, value = [], [], score([])
    while free := [v for v in range(4) if v not in subset]:
        values = [score([*subset, v]) for v in free]
        best = next(k for k, v in enumerate(values) if v > max(values) - 1e-10)
        if values[best] < value + 1e-10:
            break
        value = values[best]
        subset.append(free[best])
        steps.append(value)
    assert subset
    found = Wrapper(learner, scoring="monitor", cv=1000).select(counts)
    assert list(found.attributes) == subset
    assert [step.value for step in found.path] == pytest.approx(steps, rel=1e-11)
    if isinstance(learner, Naive):
        same = SelectiveNaive("monitor", "stop").select(counts)
        assert same.attributes == found.attributes
        assert [step.value for step in same.path] == pytest.approx(steps, rel=1e-11)


def test_the_monitor_depends_on_the_order_of_rows_only_by_what_was_seen():
    columns, cards = small(1)
    reverse = [np.asarray(c)[::-1] for c in columns]
    one = Monitor(make_source(columns, cards)).of(structure_of(STRUCTURES[0]))
    two = Monitor(make_source(reverse, cards)).of(structure_of(STRUCTURES[0]))
    assert one != two
    assert two == pytest.approx(Loop(reverse, cards).monitor(STRUCTURES[0]))


@pytest.mark.parametrize(
    ("learn", "option"),
    [
        (K2(criterion="monitor").learn, "criterion"),
        (CB(stop_by="monitor").learn, "stop_by"),
        (Wrapper(Naive(), scoring="monitor").select, "scoring"),
        (SelectiveNaive("monitor").select, "scoring"),
    ],
)
def test_rows_in_batches_are_refused(learn, option):
    columns, cards = small(0)
    with pytest.raises(OptionError, match=f"{option}='monitor' .* needs all rows in memory"):
        learn(make_source(columns, cards, ends=[10, 30]))


def test_options_that_do_not_fit_are_named():
    columns, cards = small(0)
    counts = make_source(columns, cards)
    with pytest.raises(OptionError, match=r"alpha=0\.0 must be above 0 with scoring='monitor'"):
        SelectiveNaive("monitor", alpha=0.0).select(counts)
    with pytest.raises(OptionError, match="criterion='bic' must be 'k2' or 'monitor'"):
        K2(criterion="bic").learn(counts)
    flowers, kinds = load_dataset("iris")
    with pytest.raises(OptionError, match=r"scoring='monitor' counts .* numeric='discretize'"):
        SelectiveNaiveBayesClassifier("monitor", numeric="gaussian").fit(flowers, kinds)


@pytest.mark.parametrize(
    "model",
    [
        K2Classifier(criterion="monitor"),
        CBClassifier(stop_by="monitor"),
        K2ASClassifier(scoring="monitor", structure=Naive()),
        SelectiveNaiveBayesClassifier("monitor"),
    ],
)
def test_classifiers_learn_by_the_monitor_and_keep_the_option_in_files(model, tmp_path):
    X, y = load_dataset("vote")
    model.fit(X, y)
    assert model.score(X, y) > 0.93
    assert not model.weights_repeat_rows
    save_model(model, tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    assert repr(loaded) == repr(model)
    assert (loaded.predict(X) == model.predict(X)).all()


def test_k2_by_the_monitor_gives_irrelevant_attributes_no_parents():
    rows = list(itertools.product([0, 1], repeat=2)) * 20
    noise = np.random.default_rng(0).integers(0, 2, len(rows))
    columns = [[a for a, _ in rows], noise, noise, [a for a, _ in rows]]
    by_monitor = K2(criterion="monitor").learn(make_source(columns, [2, 2, 2, 2]))
    assert by_monitor.parents == ((3,), (), (), ())
    assert K2().learn(make_source(columns, [2, 2, 2, 2])).parents[2] == (1,)
