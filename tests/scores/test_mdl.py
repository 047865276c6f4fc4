"""MDL and MDL-FS against their definitions, of classifiers of some of the attributes."""

import math

import numpy as np
import pytest

import mdl_oracle
from bayesgrove.network import Structure
from bayesgrove.scores.mdl import (
    auxiliary_tree,
    free_parameters,
    log_likelihood,
    mdl,
    mdl_fs,
    parameter_length,
)
from bayesgrove.structures import KDB, TAN, Naive
from support import encoded_dataset, make_source

DATASETS = ["vote", "credit-g", "kr-vs-kp"]


def whole(structure, attributes, n):
    """A structure over some attributes as one over all, in which the others have no arcs."""
    number = [*sorted(attributes), n]
    parents = [()] * (n + 1)
    for v, own in enumerate(structure.parents):
        parents[number[v]] = tuple(number[p] for p in own)
    return Structure(tuple(parents))


def subsets(name, n):
    """Five random subsets of n attributes."""
    rng = np.random.default_rng(len(name))
    return [rng.choice(n, int(rng.integers(1, n)), replace=False).tolist() for _ in range(5)]


@pytest.mark.parametrize("name", DATASETS)
@pytest.mark.parametrize("network", ["tan", "naive"])
def test_the_scores_are_their_definitions(name, network, any_dataset):
    columns, cards = encoded_dataset(*any_dataset(name))
    counts, n = make_source(columns, cards), len(columns) - 1
    *attributes, target = (column.tolist() for column in columns)
    learner = {"tan": TAN(), "naive": Naive()}[network]
    for chosen in subsets(name, n):
        structure = whole(learner.learn(counts.restrict(sorted(chosen))), chosen, n)
        one = mdl_oracle.length(attributes, target, cards, chosen, "mdl", network)
        assert mdl(structure, counts) == pytest.approx(one, rel=0, abs=1e-9)
        two = mdl_oracle.length(attributes, target, cards, chosen, "mdl-fs", network)
        found = mdl_fs(structure, auxiliary_tree(counts, chosen), counts)
        assert found == pytest.approx(two, rel=0, abs=1e-9)


def test_any_structure_has_a_length(any_dataset):
    columns, cards = encoded_dataset(*any_dataset("vote"))
    counts = make_source(columns, cards)
    structure = KDB(2).learn(counts)
    parameters = likelihood = 0.0
    for v, parents in enumerate(structure.parents):
        given = [columns[p].tolist() for p in parents]
        parameters += (cards[v] - 1) * math.prod(cards[p] for p in parents)
        likelihood -= 435 * mdl_oracle.entropy_given(columns[v].tolist(), *given)
    assert free_parameters(structure, cards) == parameters
    expected = math.log(435) / 2 * parameters - likelihood
    assert mdl(structure, counts) == pytest.approx(expected, abs=1e-9)
    without_arcs = ((),) * 16
    alone = sum(435 * mdl_oracle.entropy(column.tolist()) for column in columns[:-1])
    assert mdl_fs(structure, without_arcs, counts) == pytest.approx(expected - alone, abs=1e-9)


def test_weights_are_rows():
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, 3, 60), rng.integers(0, 2, 60), rng.integers(0, 2, 60)]
    weights = rng.integers(1, 4, 60)
    weighted = make_source(columns, [3, 2, 2], weights=weights.astype(float))
    repeated = make_source([np.repeat(column, weights) for column in columns], [3, 2, 2])
    structure = Structure(((1, 2), (2,), ()))
    assert mdl(structure, weighted) == pytest.approx(mdl(structure, repeated), rel=1e-12)
    light = make_source(columns, [3, 2, 2], weights=np.full(60, 1e-3))
    assert parameter_length(light) == 0.0


def test_what_has_children_is_part_of_the_classifier():
    assert free_parameters(Structure(((), (0, 2), ())), [3, 2, 2]) == 2 + 1 * 6 + 1
    assert free_parameters(Structure(((), (2,), ())), [3, 2, 2]) == 1 * 2 + 1


def test_a_length_by_hand():
    """Eight rows, a = class twice as likely: H(C) = ln 2, H(A|C) = H(1/4)."""
    counts = make_source([[0, 0, 0, 1, 1, 1, 1, 0], [0] * 4 + [1] * 4], [2, 2])
    quarter = math.log(4) - 0.75 * math.log(3)
    expected = math.log(8) / 2 * 3 + 8 * math.log(2) + 8 * quarter
    assert mdl(Structure(((1,), ())), counts) == pytest.approx(expected, rel=1e-14)
    assert log_likelihood(((),), [0], counts) == pytest.approx(-8 * math.log(2), rel=1e-14)
    alone = math.log(8) / 2 + 16 * math.log(2)  # without arcs a has no parameters
    assert mdl(Structure(((), ())), counts) == pytest.approx(alone, rel=1e-14)


def test_no_tree_is_likelier_than_the_auxiliary_one():
    rng = np.random.default_rng(0)
    common = rng.integers(0, 3, 200)
    columns = [
        np.where(rng.random(200) < p, common, rng.integers(0, 3, 200)) for p in (0.9, 0.5, 0.7, 0.2)
    ]
    counts = make_source([*columns, rng.integers(0, 2, 200)], [3] * 4 + [2])
    best = log_likelihood(auxiliary_tree(counts, range(4)), range(4), counts)
    for star in range(4):
        parents = tuple(() if v == star else (star,) for v in range(4))
        assert log_likelihood(parents, range(4), counts) <= best + 1e-9
    path = ((), (0,), (1,), (2,))
    assert log_likelihood(path, range(4), counts) <= best + 1e-9
