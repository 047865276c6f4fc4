"""MDL and MDL-FS selection against the definitions of Drugan and van der Gaag (2004)."""

import itertools
import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest

import mdl_oracle
from bayesgrove import (
    MDLSelector,
    SelectiveTANClassifier,
    TANClassifier,
    load_model,
    save_model,
)
from bayesgrove._utils import memory
from bayesgrove._utils.memory import MemoryLimitError
from bayesgrove.counts import CountSource
from bayesgrove.counts.counter import Counter as RowCounter
from bayesgrove.selection import MDL
from bayesgrove.selection.mdl import DescriptionLength
from bayesgrove.structures import KDB, TAN, Naive, ThickThin
from support import encoded_dataset, make_source

SCORES, NETWORKS, DIRECTIONS = ("mdl-fs", "mdl"), ("tan", "naive"), ("backward", "forward", "both")
every_score = pytest.mark.parametrize("score", SCORES)
every_network = pytest.mark.parametrize("network", NETWORKS)
every_direction = pytest.mark.parametrize("direction", DIRECTIONS)
nothing_selected = pytest.mark.filterwarnings("ignore:No attribute was selected")


def draw(seed, rows=120):
    """Columns that follow the class and the one before them, more or less; the class is last.

    In every third table the fourth is the second again.
    """
    rng = np.random.default_rng(seed)
    cards = [2, 3, 2, 3, 2, 2 + seed % 2]
    target = rng.integers(0, cards[-1], rows)
    columns = []
    for card in cards[:-1]:
        own = rng.integers(0, card, rows)
        for other in (target, *columns[-1:]):
            own = np.where(rng.random(rows) < 0.8 * rng.random(), other % card, own)
        columns.append(own)
    if seed % 3 == 0:
        columns[3] = columns[1]
    return [*columns, target], cards


def lists(columns):
    *attributes, target = (np.asarray(column).tolist() for column in columns)
    return attributes, target


# The score of a subset, and the search


@pytest.mark.parametrize("name", ["vote", "credit-g", "kr-vs-kp"])
@every_network
@every_score
def test_the_score_of_any_subset_is_its_definition(name, score, network, any_dataset):
    columns, cards = encoded_dataset(*any_dataset(name))
    attributes, target = lists(columns)
    rng = np.random.default_rng(len(name))
    n = len(attributes)
    for _ in range(5):
        chosen = rng.choice(n, int(rng.integers(1, n)), replace=False).tolist()
        length = DescriptionLength(make_source(columns, cards), score, network, chosen)
        expected = mdl_oracle.length(attributes, target, cards, chosen, score, network)
        assert length.value == pytest.approx(expected, rel=0, abs=1e-9)


def greedy(value, n, direction):
    """The search from scratch: every step tries all subsets that are one attribute away."""
    subset = [] if direction == "forward" else list(range(n))
    path = []
    while True:
        leaving = [] if direction == "forward" else sorted(subset, reverse=True)
        coming = [] if direction == "backward" else [v for v in range(n) if v not in subset]
        tried = [(v, [w for w in subset if w != v], "removed") for v in leaving]
        tried += [(v, [*subset, v], "added") for v in coming]
        if not tried:
            return subset, path
        v, best, change = min(tried, key=lambda move: round(value(move[1]), 6))
        gain = round(value(subset) - value(best), 6)
        if gain < 0 or (gain == 0 and change == "added"):
            return subset, path
        subset = best
        path.append((v, change, value(best)))


@every_direction
@every_network
@every_score
def test_every_step_is_the_best_of_all(score, network, direction):
    for seed in range(8):
        columns, cards = draw(seed)
        attributes, target = lists(columns)

        def value(subset, attributes=attributes, target=target, cards=cards):
            return mdl_oracle.length(attributes, target, cards, subset, score, network)

        found = MDL(score, network, direction).select(make_source(columns, cards))
        subset, path = greedy(value, len(attributes), direction)
        assert list(found.attributes) == subset
        assert [(step.attribute, step.change) for step in found.path] == [
            (f"x{v}", change) for v, change, _ in path
        ]
        expected = [length for *_, length in path]
        assert [step.value for step in found.path] == pytest.approx(expected, rel=0, abs=1e-9)
        assert all(step.cells is None for step in found.path)


AUXILIARIES = {"none": "none", 1: KDB(1), 2: KDB(2)}


@pytest.mark.parametrize("auxiliary", AUXILIARIES)
@every_direction
@every_network
def test_every_step_is_the_best_of_all_with_other_auxiliary_networks(network, direction, auxiliary):
    for seed in range(6):
        columns, cards = draw(seed)
        attributes, target = lists(columns)

        def value(subset, attributes=attributes, target=target, cards=cards):
            options = ("mdl-fs", network, auxiliary)
            return mdl_oracle.length(attributes, target, cards, subset, *options)

        learner = MDL("mdl-fs", network, direction, AUXILIARIES[auxiliary])
        found = learner.select(make_source(columns, cards))
        subset, path = greedy(value, len(attributes), direction)
        assert list(found.attributes) == subset
        expected = [(f"x{v}", change) for v, change, _ in path]
        assert [(step.attribute, step.change) for step in found.path] == expected
        lengths = [length for *_, length in path]
        assert [step.value for step in found.path] == pytest.approx(lengths, rel=0, abs=1e-9)


@every_direction
@pytest.mark.parametrize("missing", [None, 0.1])
def test_auxiliary_networks_that_are_the_same(direction, missing, any_dataset):
    """TAN without a class is the tree, naive Bayes without it has no arcs; "none" is MDL."""
    columns, cards = encoded_dataset(*any_dataset("vote"))
    if missing is not None:
        lost = np.random.default_rng(0).random(len(columns[0])) < missing
        columns = [np.where(lost, cards[0], columns[0]), *columns[1:]]
    counts = make_source(columns, cards)

    def selected(auxiliary, criterion="mdl-fs"):
        found = MDL(criterion, "tan", direction, auxiliary).select(counts)
        return found.attributes, [(step.attribute, step.change) for step in found.path]

    assert selected(TAN()) == selected("tree")
    assert selected(Naive()) == selected("none") == selected("tree", "mdl")
    assert selected("none") != selected("tree")


def test_any_structure_learner_is_an_auxiliary_network(tmp_path):
    X, y = pd.DataFrame(np.array(draw(1)[0][:-1]).T.astype(str)), draw(1)[0][-1]
    model = SelectiveTANClassifier(auxiliary=ThickThin()).fit(X, y)
    save_model(model, tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    assert loaded.auxiliary == ThickThin()
    assert loaded.path_ == model.path_
    assert MDLSelector(auxiliary=ThickThin()).fit(X, y).path_ == model.path_
    counts = make_source(*draw(1)).without_class()
    assert counts.cards == [2, 3, 2, 3, 2, 1]
    assert counts.class_counts.tolist() == [120.0]
    for wrong in ("forest", TAN, 3, None):
        with pytest.raises(ValueError, match="must be 'tree', 'none' or, in Python, a structure"):
            SelectiveTANClassifier(auxiliary=wrong).fit(X, y)


@pytest.mark.parametrize("seed", [95, 545])
def test_what_was_left_out_may_come_back(seed):
    """Tables on which "both" goes on where "backward" ends, and ends lower: one in some 300."""
    rng = np.random.default_rng(seed)
    rows, n = int(rng.integers(30, 400)), int(rng.integers(4, 10))
    target = rng.integers(0, 2, rows)
    columns = []
    for _ in range(n):
        own, others = rng.integers(0, 2, rows), [target, *columns]
        for _ in range(int(rng.integers(0, 4))):
            own = np.where(rng.random(rows) < rng.random(), others[rng.integers(len(others))], own)
        columns.append(own)
    source = make_source([*columns, target], [2] * (n + 1))
    back, both = (MDL("mdl-fs", "tan", d).select(source) for d in ("backward", "both"))
    assert "added" in [step.change for step in both.path]
    assert both.path[-1].value < back.path[-1].value - 1


# What the paper says of leaves


def leaves(columns):
    """Attributes that hang on the same parent, and have no child, in both trees."""
    attributes, target = lists(columns)
    everything = range(len(attributes))
    both = [mdl_oracle.tree(attributes, everything, *given) for given in ([target], [])]
    for parents in both:  # without directions
        for a, p in list(parents.items()):
            parents[a] = {b for b, q in parents.items() if q == a} | ({p} - {None})
    return [
        (a, *both[0][a]) for a in everything if len(both[0][a]) == 1 and both[0][a] == both[1][a]
    ]


@every_score
def test_a_leaf_goes_where_it_costs_more_than_it_tells(score):
    """The inequalities of sections 3 and 4, which decide between C and C without the leaf."""
    decided = Counter()
    for seed in range(60):
        columns, cards = draw(seed, rows=60 + 20 * (seed % 15))
        attributes, target = lists(columns)
        rows, everything = len(target), list(range(len(attributes)))
        for a, p in leaves(columns):
            given = [attributes[p]] if score == "mdl-fs" else []
            left = mdl_oracle.entropy_given(attributes[a], target, attributes[p])
            left -= mdl_oracle.entropy_given(attributes[a], *given)
            parameters = (cards[a] - 1) * cards[p] * cards[-1]
            keeps = left < -math.log(rows) / (2 * rows) * parameters
            length = DescriptionLength(make_source(columns, cards), score, "tan", everything)
            assert (length.changes_without([a])[0] > 0) == keeps
            decided[keeps] += 1
    assert min(decided[True], decided[False]) > 10


def redundant_rows():
    """Attribute 1 is attribute 0 with noise that does not know the class, and the class.

    Every count of (class, 0) is dealt 9 to 1 to the values of 1: exactly redundant given 0.
    """
    rows = [
        (a, b, c)
        for (c, a), n in {(0, 0): 30, (0, 1): 10, (1, 0): 10, (1, 1): 30}.items()
        for b, share in ((a, 9), (1 - a, 1))
        for _ in range(n * share)
    ]
    return [np.array(column) for column in zip(*rows, strict=True)]


def test_what_is_redundant_and_strongly_tied_goes_by_mdl_fs_and_stays_by_mdl():
    columns = redundant_rows()
    source = make_source(columns, [2, 2, 2])
    assert MDL("mdl-fs").select(source).attributes == (0,)
    assert MDL("mdl").select(source).attributes == (0, 1)
    assert MDL("mdl-fs", direction="forward").select(source).attributes == (0,)
    assert set(MDL("mdl", direction="forward").select(source).attributes) == {0, 1}


@every_network
def test_mdl_is_mdl_fs_whose_auxiliary_network_has_no_arcs(network):
    """Attributes that tell nothing of each other: the auxiliary tree is worth nothing."""
    rng = np.random.default_rng(0)
    grid = np.array(list(itertools.product(range(2), range(3), range(2))) * 20)
    columns = [*grid.T, (grid.sum(axis=1) + (rng.random(len(grid)) < 0.3)) % 2]
    source = make_source(columns, [2, 3, 2, 2])
    entropies = len(grid) * sum(mdl_oracle.entropy(column.tolist()) for column in grid.T)
    mdl, mdl_fs = (
        DescriptionLength(source, score, network, range(3)).value for score in ("mdl", "mdl-fs")
    )
    assert mdl - mdl_fs == pytest.approx(entropies, abs=1e-9)


# Corners


@pytest.mark.parametrize("name", ["kr-vs-kp", "vote", "credit-g"])
@every_direction
@every_network
def test_of_equal_columns_the_first_stays(name, network, direction, any_dataset):
    X, y = any_dataset(name)
    X = X.iloc[:, :12]
    chosen = set(MDLSelector(structure=network, direction=direction).fit(X, y).selected_)
    assert chosen
    twice = pd.concat([X, X.add_prefix("again-"), X.iloc[:, ::-1].add_prefix("third-")], axis=1)
    found = MDLSelector(structure=network, direction=direction).fit(twice, y).selected_
    assert set(found) == chosen
    before = pd.concat([X.iloc[:, ::-1].add_prefix("before-"), X], axis=1)
    found = MDLSelector(structure=network, direction=direction).fit(before, y).selected_
    assert set(found) == {f"before-{name}" for name in chosen}


@pytest.mark.parametrize("direction", ["backward", "both"])
def test_of_equal_columns_the_first_stays_where_pairs_tie(direction):
    """All pairs but the copies tell nothing of each other: any tree is as heavy as another."""
    rows = [
        (a, b, c, y)
        for y, a, b, c in itertools.product(range(2), range(3), range(2), range(3))
        for _ in range(
            math.prod((w if (v == 0) == (y == 0) else 1) for v, w in ((a, 6), (b, 4), (c, 6)))
        )
    ]
    a, b, c, y = (np.array(column) for column in zip(*rows, strict=True))
    found = MDL(direction=direction).select(make_source([a, b, c, a, y], [3, 2, 3, 3, 2]))
    assert found.attributes == (0, 1, 2)


@every_network
@every_score
def test_the_order_of_columns_changes_no_score(score, network):
    for seed in range(20):
        columns, cards = draw(seed)
        order = np.random.default_rng(seed).permutation(5).tolist()
        shuffled = make_source(
            [*(columns[v] for v in order), columns[-1]], [*(cards[v] for v in order), cards[-1]]
        )
        one, two = (
            DescriptionLength(source, score, network, range(5)).value
            for source in (make_source(columns, cards), shuffled)
        )
        assert one == pytest.approx(two, rel=1e-12)


@every_direction
@every_network
@every_score
def test_one_attribute(score, network, direction):
    target = np.arange(40) % 2
    useful = make_source([target, target], [2, 2])
    useless = make_source([np.arange(40) // 2 % 2, target], [2, 2])
    constant = make_source([np.zeros(40, dtype=int), target], [1, 2])
    assert MDL(score, network, direction).select(useful).attributes == (0,)
    for source in (useless, constant):
        found = MDL(score, network, direction).select(source)
        assert found.attributes == ()
        steps = [("x0", "removed")] if direction != "forward" else []
        assert [(step.attribute, step.change) for step in found.path] == steps


@every_direction
def test_without_attributes_nothing_is_selected(direction):
    assert MDL(direction=direction).select(make_source([[0, 1]], [2])).attributes == ()


@every_direction
@every_network
def test_all_redundant_is_the_prior(network, direction):
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.integers(0, 3, (300, 4)), columns=list("abcd")).astype(str)
    y = np.array(["no"] * 200 + ["yes"] * 100)
    with pytest.warns(UserWarning, match="No attribute was selected: transform returns"):
        selector = MDLSelector(structure=network, direction=direction).fit(X, y)
    assert selector.transform(X).shape == (300, 0)
    assert len(selector.redundancy_) == 4
    assert {own.levels for own in selector.redundancy_} == {(0,)}
    with pytest.warns(UserWarning, match="the class is predicted by its frequencies"):
        model = SelectiveTANClassifier(direction=direction).fit(X, y)
    probabilities = model.predict_proba(X)
    assert np.unique(probabilities, axis=0).shape == (1, 2)
    assert probabilities[0] == pytest.approx([201 / 302, 101 / 302])


@pytest.mark.parametrize("missing", ["value", "ignore"])
def test_columns_without_a_value_go(missing):
    X = pd.DataFrame({"empty": [None] * 60, "own": ["u", "v", "v"] * 20}, dtype=object)
    selector = MDLSelector(missing=missing).fit(X, ["u", "v", "v"] * 20)
    assert selector.selected_ == ["own"]


@every_network
@every_score
def test_rows_in_files_and_weights(score, network):
    columns, cards = draw(4, rows=200)
    whole = MDL(score, network).select(make_source(columns, cards))
    parts = MDL(score, network).select(make_source(columns, cards, ends=[70, 71, 200]))
    assert whole == parts
    weights = np.arange(200) % 3.0 + 1
    again = [np.repeat(column, weights.astype(int)) for column in columns]
    weighted = MDL(score, network).select(make_source(columns, cards, weights=weights))
    repeated = MDL(score, network).select(make_source(again, cards))
    assert weighted.attributes == repeated.attributes
    values = [[step.value for step in found.path] for found in (weighted, repeated)]
    assert values[0] == pytest.approx(values[1], rel=1e-12)


def test_weights_that_sum_to_nothing_are_told():
    columns, cards = draw(4, rows=200)
    source = make_source(columns, cards, weights=np.full(200, 1 / 200))
    with pytest.warns(
        UserWarning, match="weights of 200 rows sum to 1: the penalty for parameters"
    ):
        MDL().select(source)


def test_memory_is_asked_for_before_pairs_are_counted(monkeypatch):
    columns = [np.array([0, 1])] * 2000
    source = make_source([*columns, np.array([0, 1])], [2] * 2001)
    monkeypatch.setattr(memory, "available_memory", lambda: 10**8)
    monkeypatch.setattr(CountSource, "pair_information", None)
    with pytest.raises(MemoryLimitError, match=r"The pairs of 2000 attributes would need 0\.3 GB"):
        MDL().select(source)


def test_the_classifier_selects_by_its_criterion_for_tan(any_dataset):
    X, y = any_dataset("kr-vs-kp")
    found = {
        (score, network): MDLSelector(score, structure=network).fit(X, y).selected_
        for score in SCORES
        for network in NETWORKS
    }
    assert len({tuple(names) for names in found.values()}) == 4
    for score in SCORES:
        assert SelectiveTANClassifier(score).fit(X, y).selected_ == found[score, "tan"]


def test_pairs_are_counted_once(monkeypatch, any_dataset):
    """The tree of the classifier comes from what the selection counted."""
    counted = []
    monkeypatch.setattr(
        RowCounter,
        "count_information",
        lambda self, attributes, given, count=RowCounter.count_information: (
            counted.append((len(attributes), given)) or count(self, attributes, given)
        ),
    )
    X, y = any_dataset("kr-vs-kp")
    model = SelectiveTANClassifier().fit(X, y)
    assert sorted(counted) == [(36, False), (36, True)]
    alone = TANClassifier().fit(X[model.get_feature_names_out()], y)
    assert model.network_ == alone.network_


@pytest.mark.parametrize("option", ["criterion", "structure", "direction"])
def test_options_that_are_none(option):
    X, y = pd.DataFrame({"a": ["u", "v"] * 5}), ["n", "y"] * 5
    with pytest.raises(ValueError, match=f"{option}='kdb' must be"):
        MDLSelector(**{option: "kdb"}).fit(X, y)
    if option != "structure":
        with pytest.raises(ValueError, match=f"{option}='kdb' must be"):
            SelectiveTANClassifier(**{option: "kdb"}).fit(X, y)
