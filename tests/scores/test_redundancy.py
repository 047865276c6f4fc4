"""Why attributes were not selected, against the definition of redundancy from rows."""

import math

import numpy as np
import pandas as pd
import pytest

import mdl_oracle
from bayesgrove import MDLSelector
from bayesgrove.selection import Redundancy, redundancies
from support import encoded_dataset, make_source


@pytest.mark.parametrize("name", ["vote", "kr-vs-kp"])
def test_figures_are_those_of_the_definition(name, any_dataset):
    columns, cards = encoded_dataset(*any_dataset(name))
    *attributes, target = (column.tolist() for column in columns)
    rows, cost = len(target), math.log(len(target)) / 2 * cards[-1]
    kept = [1, 3, 4, 9]
    found = redundancies(make_source(columns, cards), [f"x{v}" for v in kept])
    left = [v for v in range(len(attributes)) if v not in kept]
    assert [own.attribute for own in found] == [f"x{v}" for v in left]
    for v, own in zip(left, found, strict=True):
        column = attributes[v]
        assert own.information == pytest.approx(
            rows * mdl_oracle.information(column, target), abs=1e-8
        )
        given = {b: rows * mdl_oracle.information(column, target, attributes[b]) for b in kept}
        nearest = min(kept, key=lambda b: (round(given[b], 6), b))
        assert own.neighbour == f"x{nearest}"
        assert own.information_given_neighbour == pytest.approx(given[nearest], abs=1e-8)
        assert own.cost == pytest.approx(cost * (cards[v] - 1))
        assert own.cost_given_neighbour == pytest.approx(cost * (cards[v] - 1) * cards[nearest])


def test_what_is_exactly_redundant_tells_nothing():
    """b is a with noise that does not know the class; coin knows nothing at all."""
    rows = [
        (a, b, coin, c)
        for (c, a), n in {(0, 0): 30, (0, 1): 10, (1, 0): 10, (1, 1): 30}.items()
        for b, share in ((a, 9), (1 - a, 1))
        for coin in (0, 1)
        for _ in range(n * share)
    ]
    a, b, coin, target = (np.array(column) for column in zip(*rows, strict=True))
    assert mdl_oracle.is_redundant(b, target, a)
    assert not mdl_oracle.is_redundant(b, target)
    assert mdl_oracle.is_redundant(coin, target)
    found = redundancies(make_source([a, b, coin, target], [2] * 4), ["x0"])
    assert [own.levels for own in found] == [(1,), (0, 1)]
    assert [own.neighbour for own in found] == ["x0", "x0"]
    assert [own.information_given_neighbour for own in found] == [0.0, 0.0]
    assert found[0].information > 100
    assert found[1].information == 0.0


def test_missing_values_leave_out_their_rows():
    """Information is told of the rows that know the attribute, and its neighbour."""
    rng = np.random.default_rng(0)
    target = rng.integers(0, 2, 300)
    near = np.where(rng.random(300) < 0.8, target, rng.integers(0, 2, 300))
    far = np.where(rng.random(300) < 0.7, near, rng.integers(0, 2, 300))
    far[rng.random(300) < 0.3] = 2
    near[rng.random(300) < 0.2] = 2
    (own,) = redundancies(make_source([near, far, target], [2, 2, 2]), ["x0"])
    for known, tells, *given in (
        (far < 2, own.information),
        ((far < 2) & (near < 2), own.information_given_neighbour, near),
    ):
        lists = [column[known].tolist() for column in (far, target, *given)]
        assert tells == pytest.approx(known.sum() * mdl_oracle.information(*lists), abs=1e-8)


def test_weights_are_rows():
    rng = np.random.default_rng(1)
    columns = [rng.integers(0, 3, 80), rng.integers(0, 2, 80), rng.integers(0, 2, 80)]
    weights = rng.integers(1, 4, 80)
    weighted = make_source(columns, [3, 2, 2], weights=weights.astype(float))
    repeated = make_source([np.repeat(column, weights) for column in columns], [3, 2, 2])
    one, two = (redundancies(source, ["x1"])[0] for source in (weighted, repeated))
    assert one[:1] + one[3:4] == two[:1] + two[3:4]
    assert one[1:3] + one[4:] == pytest.approx(two[1:3] + two[4:], rel=1e-9)


def test_a_constant_is_redundant_at_both_levels():
    source = make_source([[0] * 8, [0, 1] * 4, [0, 1] * 4], [1, 2, 2])
    (own,) = redundancies(source, ["x1"])
    assert (own.information, own.cost, own.levels) == (0.0, 0.0, (0, 1))


def test_nothing_left_out_and_nothing_selected():
    source = make_source([[0, 1] * 8, [0, 0, 1, 1] * 4, [0, 1] * 8], [2, 2, 2])
    assert redundancies(source, ["x0", "x1"]) == []
    alone = redundancies(source, [])
    assert [own.neighbour for own in alone] == [None, None]
    assert [own.levels for own in alone] == [(), (0,)]


def test_the_table_can_be_read():
    target = ["no", "yes"] * 30
    X = pd.DataFrame({"same": target, "again": target, "noise": ["u", "u", "v", "v"] * 15})
    selector = MDLSelector().fit(X, target)
    lines = selector.redundancy_text().splitlines()
    assert [line.split()[0] for line in lines] == ["attribute", "again", "noise"]
    assert lines[1].split() == ["again", "41.59", "4.094", "same", "0", "8.189", "1"]
    assert lines[2].endswith("0, 1")
    assert (
        len({line.index(word) for line, word in zip(lines, ["neigh", "same", "same"], strict=True)})
        == 1
    )


def test_levels_follow_from_the_figures():
    assert Redundancy("a", 1.0, 2.0, None, None, None).levels == (0,)
    assert Redundancy("a", 3.0, 2.0, "b", 4.0, 4.0).levels == (1,)
    assert Redundancy("a", 3.0, 2.0, "b", 5.0, 4.0).levels == ()
